"""Notebooks that no recipe repairs, repaired by a scripted model through real kernels."""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from modernizer.bench import ScratchRun, Task, judged, load_program
from modernizer.config import Config, Model
from modernizer.environment.installed import Installed
from modernizer.environment.model import Environment, Requirements
from modernizer.notebook import read_notebook
from modernizer.repair.loop import Bench, Repaired, repair
from modernizer.repair.model.assistant import Assistant, open_assistant
from modernizer.repair.model.context import Surroundings
from modernizer.repair.recipes import all_recipes

LIBRARY = "def tally(values, *, start=0):\n    return sum(values) + start\n\ndef spread(values):\n    return max(values) - min(values)\n"
"""An installed library as far as the notebook is concerned: no recipe knows it."""


def diff(cell: int, old: str, new: str) -> str:
    return f"The argument is keyword-only now.\n\n```diff\n@@ # %% [cell {cell}] code\n-{old}\n+{new}\n```"


@pytest.fixture(scope="session")
def installed(kernel_environment: Environment) -> Iterator[Installed]:
    with Installed(kernel_environment.python) as answers:
        yield answers


@dataclasses.dataclass
class World:
    """A repository with one notebook, and what repairs it."""

    repo: Path
    environment: Environment
    installed: Installed
    url: str
    notes: list[str] = dataclasses.field(default_factory=list)
    secrets: dict[str, str] = dataclasses.field(default_factory=lambda: {"MODERNIZER_MODEL_KEY": "key-of-the-tests"})

    def write(self, *cells: str | tuple[str, str]) -> None:
        """Write the notebook; a cell given as a pair has that stored output."""
        content = []
        for number, cell in enumerate(cells):
            source, output = cell if isinstance(cell, tuple) else (cell, "")
            outputs = [{"output_type": "stream", "name": "stdout", "text": output}] if output else []
            content.append(
                {
                    "cell_type": "code",
                    "execution_count": number + 1,
                    "metadata": {},
                    "outputs": outputs,
                    "source": source.splitlines(keepends=True),
                }
            )
        notebook = {"cells": content, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}
        (self.repo / "n.ipynb").write_text(json.dumps(notebook, indent=1) + "\n")

    def assistant(self, **settings: Any) -> Assistant:
        opened = open_assistant(
            Model(**{"name": "test-model", "base_url": self.url, **settings}),
            self.secrets,
            out=self.repo.parent / "out",
            cache=self.repo.parent / "cache",
            report=self.notes.append,
        )
        assert opened is not None
        opened.client.first_wait = 0.01
        return opened

    def repair(self, assistant: Assistant | None = None, *, seconds: float = 60, **settings: Any) -> Repaired:
        """Repair the notebook as the command does."""
        assistant = assistant or self.assistant(**settings)
        notebook = read_notebook(self.repo / "n.ipynb", name="n.ipynb")
        task = Task(self.repo, notebook, Config().for_notebook("n.ipynb"), Requirements(()))
        original = load_program(notebook, self.repo)
        judge = judged(task, notebook, self.environment, lambda: ())
        run = ScratchRun(task, self.environment, original)
        first = run.run()
        deadline = time.monotonic() + seconds
        around = Surroundings(self.installed, self.environment.packages, self.environment.python_version)
        bench = Bench(
            open_run=lambda program: ScratchRun(task, self.environment, program),
            judge=judge,
            installed=self.installed,
            recipes=all_recipes(),
            deadline=deadline,
            proposers=assistant.proposers("n.ipynb", around, deadline=deadline),
            on_proven=assistant.memory.learn,
        )
        try:
            return repair(original, run, first, judge(original, first), bench)
        finally:
            assistant.close()


@pytest.fixture
def world(tmp_path: Path, kernel_environment: Environment, installed: Installed, server: Any) -> World:
    (tmp_path / "repo").mkdir()
    return World(tmp_path / "repo", kernel_environment, installed, server.url)


def cells(result: Repaired) -> list[str]:
    return [cell.source for cell in result.program.notebook.code_cells]


BROKEN = ["import string", "words = ['b', 'a']\ntext = string.join(words, '-')\nprint('n:', len(text))"]
OLD, NEW = "text = string.join(words, '-')", "text = '-'.join(words)"


def test_a_model_repairs_what_no_recipe_does(world: World, server: Any, say: Callable[..., Any]) -> None:
    world.write("x = 3", "y = sorted([3, 1], cmp)\nprint(y)", "z = x + 1")
    server.script = [say(diff(1, "y = sorted([3, 1], cmp)", "y = sorted([3, 1])"))]
    result = world.repair()
    assert result.after is not None, result.attempts
    assert result.after.verdict == "ran"
    assert cells(result) == ["x = 3", "y = sorted([3, 1])\nprint(y)", "z = x + 1"]
    assert [fix.origin for fix in result.fixes] == ["model:test-model"]
    assert result.fixes[0].explanation.startswith("The argument is keyword-only now.")
    assert result.ledger.executions == 2
    assert result.ledger.model_calls == 1
    assert result.ledger.tokens_in > 100
    assert result.ledger.cost_usd > 0
