"""Configured scores read in real runs: live variables, graded files, commands; several runs judged together."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from modernizer.bench import ScratchRun, Task, judged, load_program
from modernizer.config import Config
from modernizer.environment.installed import Installed
from modernizer.environment.model import Environment, Requirements
from modernizer.execution.outcome import Measured
from modernizer.notebook import read_notebook
from modernizer.sandbox.confinement import Sandbox, find_means
from modernizer.treatment import Treated, treat
from modernizer.verdict.outcome import Outcome

SOURCE = """import os
import numpy as np
rmse = np.float32(0.25)
scores = {"auc": [0.5, 0.75]}
open("out.csv", "w").write("id,y\\n2,0\\n1,1\\n")
open("grades.py", "w").write("print('rows', 2)\\nprint('score:', 0.625)")
os.symlink("/etc/passwd", "link.csv")
os.mkfifo("pipe.csv")
"""
ANSWERS = "id,y\n1,1\n2,1\n"


def write(repo: Path, *sources: str, config: Sequence[dict[str, Any]] = (), **settings: object) -> Config:
    cells = [
        {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": source.splitlines(keepends=True)}
        for source in sources
    ]
    repo.mkdir(exist_ok=True)
    (repo / "sub").mkdir(exist_ok=True)
    document = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}
    (repo / "sub" / "n.ipynb").write_text(json.dumps(document))
    (repo / "answers.csv").write_text(ANSWERS)
    overrides = ({"match": "**/*.ipynb", "score": tuple(config)},) if config else ()
    return Config.model_validate({"overrides": overrides, **settings}, by_alias=True)


def task_of(repo: Path, config: Config, sandbox: Sandbox | None = None) -> Task:
    notebook = read_notebook(repo / "sub" / "n.ipynb", name="sub/n.ipynb")
    return Task(repo, notebook, config.for_notebook("sub/n.ipynb"), Requirements(()), sandbox=sandbox)


def graded(name: str, file: str, grader: str = "accuracy") -> dict[str, Any]:
    return {"name": name, "from": file, "grader": grader, "answers": "answers.csv", "id": "id"}


SCORES: tuple[dict[str, Any], ...] = (
    {"name": "rmse", "from": "variable", "variable": "rmse", "expected": 0.25},
    {"name": "item", "from": "variable", "variable": "scores['auc'][1]", "expected": 0.9},
    {"name": "undefined", "from": "variable", "variable": "nothing"},
    {"name": "call", "from": "variable", "variable": "print(1)"},
    graded("accuracy", "out.csv"),
    graded("by path", "sub/out.csv"),
    graded("own", "out.csv", "sklearn.metrics.zero_one_loss"),
    graded("no metric", "out.csv", "sklearn.metrics.zzz"),
    graded("stale", "answers.csv"),
    graded("absent", "other.csv"),
    graded("link", "link.csv"),
    graded("pipe", "pipe.csv"),
    {**graded("no answers", "out.csv"), "answers": "none.csv"},
    {"name": "command", "from": "command", "command": "python sub/grades.py"},
    {"name": "fails", "from": "command", "command": "python -c 'raise SystemExit(3)'"},
    {"name": "says nothing", "from": "command", "command": "python -c pass"},
    {"name": "no program", "from": "command", "command": "no-such-program"},
)


@pytest.fixture(scope="module", params=["open", "confined"])
def run(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, kernel_environment: Environment
) -> tuple[Mapping[str, Measured], Outcome]:
    """Run the notebook once without and once within the sandbox."""
    repo = tmp_path_factory.mktemp("scores") / "repo"
    config = write(repo, SOURCE, config=SCORES)
    sandbox = Sandbox(find_means(), os.environ) if request.param == "confined" else None
    task = task_of(repo, config, sandbox)
    program = load_program(task.notebook, task.root)
    opened = ScratchRun(task, kernel_environment, program)
    try:
        execution = opened.run()
    finally:
        opened.close()
    assert execution.end == "finished", execution.reason or execution.error
    return execution.measured, judged(task, task.notebook, kernel_environment, lambda: ())(program, execution)


@pytest.mark.parametrize(
    ("name", "value"),
    [("rmse", 0.25), ("item", 0.75), ("accuracy", 0.5), ("by path", 0.5), ("own", 0.5), ("command", 0.625)],
)
def test_a_score_is_read_at_the_end_of_a_run(run: tuple[Mapping[str, Measured], Outcome], name: str, value: float) -> None:
    assert run[0][name] == Measured(value)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("undefined", "nothing has no value at the end of the run"),
        ("call", "'print(1)' is no name, attribute or item"),
        ("no metric", "scikit-learn has no metric 'zzz'"),
        ("stale", "did not write answers.csv; the one that is there is the repository's"),
        ("absent", "did not write other.csv"),
        ("link", "did not write link.csv"),
        ("pipe", "pipe.csv is no plain file"),
        ("no answers", "the answers none.csv can't be read: No such file"),
        ("fails", "the command failed with exit code 3"),
        ("says nothing", "the command printed no number"),
        ("no program", "no-such-program"),
    ],
)
def test_why_a_score_can_not_be_read_is_said(run: tuple[Mapping[str, Measured], Outcome], name: str, said: str) -> None:
    measured = run[0][name]
    assert measured.value is None
    assert said in measured.note


def test_only_scores_with_a_record_are_judged(run: tuple[Mapping[str, Measured], Outcome]) -> None:
    outcome = run[1]
    assert outcome.verdict == "drifted"
    assert [score.name for score in outcome.scores] == [score["name"] for score in SCORES]
    assert {score.name: score.agrees for score in outcome.scores if score.agrees is not None} == {"rmse": True, "item": False}
    assert outcome.detail == "item is 0.75 instead of 0.9"


def check(repo: Path, config: Config, environment: Environment, notes: list[str] | None = None) -> Treated:
    with Installed(environment.python) as installed:
        return treat(
            task_of(repo, config),
            environment,
            installed,
            recipes=None,
            list_files=lambda: (),
            on_progress=(notes if notes is not None else []).append,
        )


def noisy(expected: float) -> tuple[dict[str, Any], ...]:
    return ({"name": "loss", "from": "variable", "variable": "v", "expected": expected},)


SPREAD = "import os\nv = 1 + (os.getpid() % 7) * 1e-5"


def test_a_clean_notebook_is_run_as_often_as_asked(tmp_path: Path, kernel_environment: Environment) -> None:
    notes: list[str] = []
    config = write(tmp_path / "r", SPREAD, config=noisy(1.0)).with_options(repeat=3)
    (score,) = check(tmp_path / "r", config, kernel_environment, notes).result.before.scores
    assert len(score.values) == 3
    assert score.agrees
    assert score.value == pytest.approx(1, abs=1e-4)
    assert notes == ["run 2", "run 3"]


def test_the_studys_rule_takes_two_runs_when_they_are_close(tmp_path: Path, kernel_environment: Environment) -> None:
    config = write(tmp_path / "r", SPREAD, config=noisy(1.09), rule="study")
    outcome = check(tmp_path / "r", config, kernel_environment).result.before
    assert outcome.verdict == "reproduced"
    assert len(outcome.scores[0].values) == 2


def test_a_broken_notebook_is_run_once(tmp_path: Path, kernel_environment: Environment) -> None:
    notes: list[str] = []
    config = write(tmp_path / "r", "1 / 0", config=noisy(1.0), repeat=5)
    assert check(tmp_path / "r", config, kernel_environment, notes).result.before.verdict == "broken"
    assert notes == []
