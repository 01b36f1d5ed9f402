"""The baseline: whole notebooks in and out, a full run each round, the target in sight."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest

import modernizer
from modernizer.bench import ScratchRun, Task, judged, load_program
from modernizer.config import Config
from modernizer.environment.installed import Installed
from modernizer.environment.model import Environment, Requirements
from modernizer.notebook import read_notebook
from modernizer.repair.loop import Bench
from modernizer.repair.model.client import ModelClient
from modernizer.repair.model.study import Studied, study
from modernizer.repair.model.text_form import text_form

Say = Callable[..., Any]
BROKEN = ("a = sorted([3, 1], cmp)", "b = sorted(a, cmp)", "print('score: %.1f' % b[0])")
FIRST = ("a = sorted([3, 1])", *BROKEN[1:])
WHOLE = (FIRST[0], "b = sorted(a)", BROKEN[2])


class Server(Protocol):
    url: str
    script: list[Any]
    requests: list[dict[str, Any]]

    def prompt(self, at: int = -1) -> str: ...


@pytest.fixture(scope="session")
def installed(kernel_environment: Environment) -> Iterator[Installed]:
    with Installed(kernel_environment.python) as answers:
        yield answers


@pytest.fixture
def studied(
    tmp_path: Path, kernel_environment: Environment, installed: Installed, client: ModelClient, make_budget: Callable[..., Any]
) -> Callable[..., Studied]:
    def run(rounds: int = 16) -> Studied:
        content: list[dict[str, Any]] = [
            {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": source} for source in BROKEN
        ]
        content[-1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "score: 1.0\n"}]
        (tmp_path / "n.ipynb").write_text(json.dumps({"cells": content, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}))
        notebook = read_notebook(tmp_path / "n.ipynb", name="n.ipynb")
        task = Task(tmp_path, notebook, Config().for_notebook("n.ipynb"), Requirements(()))
        bench = Bench(
            open_run=lambda program: ScratchRun(task, kernel_environment, program),
            judge=judged(task, notebook, kernel_environment, lambda: ()),
            installed=installed,
            recipes=(),
        )
        return study(load_program(notebook, tmp_path), bench, client, make_budget(), rounds=rounds)

    return run


def whole(cells: tuple[str, ...]) -> str:
    return f"Here it is:\n```python\n{text_form(dict(enumerate(cells)))}```\nDone."


def test_each_round_sends_and_runs_the_whole_notebook(studied: Callable[..., Studied], server: Server, say: Say) -> None:
    server.script = [say(whole(FIRST)), say(whole(WHOLE)), say("never asked")]
    result = studied()
    assert (result.ended, result.outcome.verdict, result.rounds) == ("good", "reproduced", 2), result.why
    assert tuple(cell.source for cell in result.program.notebook.code_cells) == WHOLE
    assert (result.ledger.executions, result.ledger.model_calls) == (3, 2)
    assert result.ledger.tokens_in > 0 < result.ledger.tokens_out
    assert result.ledger.cost_usd > 0 < result.ledger.cell_seconds
    for line in BROKEN:
        assert line in server.prompt(0)
    assert "name 'cmp' is not defined" in server.prompt(0)
    assert "name 'b' is not defined" in server.prompt(0), "errors that only follow are sent as well"
    assert "target 1 within" in server.prompt(0)


def test_an_answer_without_all_cells_takes_a_round_and_no_run(studied: Callable[..., Studied], server: Server, say: Say) -> None:
    server.script = [say(whole(FIRST[:2])), say(whole(FIRST))]
    result = studied(rounds=2)
    assert (result.ended, result.rounds, result.ledger.executions) == ("rounds", 2, 2)
    assert "[cell 2] code is missing" in server.prompt(1)
    assert result.outcome.error is not None
    assert result.outcome.error.cell == 1


def test_nothing_in_the_product_calls_it() -> None:
    package = Path(modernizer.__file__).parent
    assert [path.name for path in package.rglob("*.py") if "model.study" in path.read_text(encoding="utf-8")] == []
