"""Notebooks that did not break: a model speeds one up or restores an old default, and only a clean run decides."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Protocol

import pytest

from modernizer.bench import ScratchRun, Task, judged, load_program
from modernizer.config import Config, Model
from modernizer.drift.worlds import Worlds
from modernizer.environment.installed import Installed
from modernizer.environment.model import Environment, Requirements
from modernizer.notebook import read_notebook
from modernizer.repair.loop import Bench, Repaired
from modernizer.repair.model.assistant import open_assistant
from modernizer.repair.model.context import Surroundings
from modernizer.repair.rework import reworked

Say = Callable[..., Any]


class Server(Protocol):
    url: str
    script: list[Any]
    requests: list[dict[str, Any]]

    def prompt(self, at: int = -1) -> str: ...


@pytest.fixture(scope="session")
def installed(kernel_environment: Environment) -> Iterator[Installed]:
    with Installed(kernel_environment.python) as answers:
        yield answers


@dataclass
class World:
    folder: Path
    environment: Environment
    installed: Installed
    server: Server

    def rework(self, cells: list[tuple[str, str]], *, seconds: float = 60, worlds: Worlds | None = None) -> Repaired | None:
        """Run a notebook with these sources and stored outputs, and have it reworked."""
        repo = self.folder / "repo"
        repo.mkdir()
        content = [
            {
                "cell_type": "code",
                "execution_count": 1,
                "metadata": {},
                "outputs": [{"output_type": "stream", "name": "stdout", "text": output}] if output else [],
                "source": source.splitlines(keepends=True),
            }
            for source, output in cells
        ]
        (repo / "n.ipynb").write_text(json.dumps({"cells": content, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}))
        notebook = read_notebook(repo / "n.ipynb", name="n.ipynb")
        task = Task(repo, notebook, Config().with_options(timeout=seconds).for_notebook("n.ipynb"), Requirements(()))
        program = load_program(notebook, repo)
        judge = judged(task, notebook, self.environment, lambda: ())
        run = ScratchRun(task, self.environment, program)
        first = run.run()
        run.close()
        assistant = open_assistant(
            Model(name="test-model", base_url=self.server.url), {}, out=self.folder / "out", cache=self.folder / "cache"
        )
        assert assistant.client is not None
        around = Surroundings(self.installed, self.environment.packages, "3.13")
        bench = Bench(
            open_run=lambda program: ScratchRun(task, self.environment, program),
            judge=judge,
            installed=self.installed,
            recipes=(),
            drift=lambda _: worlds,
            proposers=assistant.proposers("n.ipynb", around),
        )
        try:
            return reworked(program, None, judge(program, first), first, bench)
        finally:
            assistant.close()


@pytest.fixture
def world(tmp_path: Path, kernel_environment: Environment, installed: Installed, server: Server) -> World:
    return World(tmp_path, kernel_environment, installed, server)


def diff(cell: int, old: str, new: str) -> str:
    return f"Faster.\n```diff\n@@ # %% [cell {cell}] code\n-{old}\n+{new}\n```"


SLOW = "def total(n):\n    s = 0\n    for i in range(n):\n        s += len(list(range(i)))\n    return s"
STEP, FASTER = "        s += len(list(range(i)))", "        s += len(range(i))"
COUNT = 100_000
SHOW = f"print('score: %d' % total({COUNT}))"
SCORE = COUNT * (COUNT - 1) // 2


def test_a_faster_edit_is_kept_when_the_scores_are_reproduced(world: World, server: Server, say: Say) -> None:
    server.script = [say(diff(1, SHOW, SHOW.replace(str(COUNT), "1000"))), say(diff(0, STEP, FASTER))]
    result = world.rework([(SLOW, ""), (SHOW, f"score: {SCORE}\n")], seconds=4)
    assert "cell 1: " in server.prompt(0)
    assert "not finished" in server.prompt(0)
    assert str(SCORE) not in server.prompt(0) + server.prompt(1)
    assert result is not None
    assert result.after is not None, result.attempts
    assert result.after.verdict == "reproduced"
    assert [(attempt.kind, attempt.outcome) for attempt in result.attempts] == [
        ("runtime-reduction", "rejected"),
        ("runtime-reduction", "accepted"),
    ]
    assert [fix.kind for fix in result.fixes] == ["runtime-reduction"]
    assert result.ledger.executions == 1


def test_without_a_recorded_score_a_faster_edit_is_only_a_suggestion(world: World, server: Server, say: Say) -> None:
    server.script = [say(diff(0, STEP, FASTER)), say("NO EDIT: done")]
    result = world.rework([(SLOW, ""), (f"x = total({COUNT})", "")], seconds=4)
    assert result is not None
    assert (result.after, result.fixes) == (None, ())
    assert "ended ran" in result.attempts[0].why


SPREAD, RESTORED = "spread = np.std([1.0, 2.0, 4.0])", "spread = np.std([1.0, 2.0, 4.0], ddof=1)"


def test_a_drifted_score_is_restored_without_being_told(world: World, server: Server, say: Say) -> None:
    server.script = [say(diff(0, SPREAD, "spread = 1.5275")), say(diff(0, SPREAD, RESTORED))]
    cells = [(f"import numpy as np\n{SPREAD}", ""), ("print('score: %.4f' % spread)", "score: 1.5275\n")]
    result = world.rework(cells, worlds=Worlds(date(2018, 1, 1)))
    assert "score in cell 1" in server.prompt(0)
    assert "1.5275" not in server.prompt(0)
    assert "recorded" not in server.prompt(1), "whether a guess is right is not told"
    assert "1.247" not in server.prompt(0), "today's value is not told either"
    assert result is not None
    assert result.after is not None, result.attempts
    assert result.after.verdict == "reproduced"
    assert [attempt.outcome for attempt in result.attempts] == ["rejected", "accepted"]
    assert result.fixes[0].kind == "score-calibration"


SHIFT, SHIFTED = "shift = np.var([1.0, 3.0])", "shift = np.var([1.0, 3.0], ddof=1)"
TWO = [
    (f"import numpy as np\n{SPREAD}\n{SHIFT}", ""),
    ("print('score: %.4f' % spread)\nprint('loss: %.4f' % shift)", "score: 1.5275\nloss: 2.0000\n"),
]


def test_scores_come_back_one_after_the_other(world: World, server: Server, say: Say) -> None:
    server.script = [say(diff(0, SPREAD, RESTORED)), say(diff(0, SHIFT, SHIFTED))]
    result = world.rework(TWO, worlds=Worlds(date(2018, 1, 1)))
    assert "score in cell 1, loss in cell 1" in server.prompt(0)
    assert "when it was written: loss in cell 1" in server.prompt(1)
    assert result is not None
    assert result.after is not None, result.attempts
    assert result.after.verdict == "reproduced"
    assert [fix.kind for fix in result.fixes] == ["score-calibration"] * 2


def test_half_a_calibration_is_dropped(world: World, server: Server, say: Say) -> None:
    server.script = [say(diff(0, SPREAD, RESTORED)), say("NO EDIT: unknown")]
    result = world.rework(TWO, worlds=Worlds(date(2018, 1, 1)))
    assert result is not None
    assert (result.after, result.fixes) == (None, ())
    assert [attempt.outcome for attempt in result.attempts] == ["accepted", "failed", "rolled-back"]


def test_without_known_changes_no_score_is_touched(world: World, server: Server, say: Say) -> None:
    server.script = [say("NO EDIT: nothing")]
    assert world.rework([("spread = 2.0", ""), ("print('score: %.1f' % spread)", "score: 5.0\n")]) is None
    assert server.requests == []
