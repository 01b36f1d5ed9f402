"""No path by which a repairer can read a recorded score: a number is planted and looked for in everything the repair side says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

import pytest

from modernizer.bench import Task
from modernizer.config import Config, Model
from modernizer.environment.installed import Installed
from modernizer.environment.model import Environment, Requirements
from modernizer.notebook import read_notebook
from modernizer.repair.model.assistant import open_assistant
from modernizer.repair.recipes import all_recipes
from modernizer.treatment import Treated, treat

CANARY = "0.7391846253"
TRACES = ("0.7391", "73918", "7391846253")
OLD, NEW = "y = sorted([3, 1], cmp)", "y = sorted([3, 1])"
CELLS = (
    ("import numpy as np\nx = np.float(3)", ""),  # for a recipe
    (f"{OLD}\nprint('accuracy:', len(y) / 4)", f"accuracy: {CANARY}\n"),  # for the model
    ("score = 0.5\nscore", CANARY),
)


class Server(Protocol):
    url: str
    script: list[Any]
    requests: list[dict[str, Any]]


Say = Callable[..., Any]


@pytest.fixture(scope="session")
def installed(kernel_environment: Environment) -> Iterator[Installed]:
    with Installed(kernel_environment.python) as answers:
        yield answers


def diff(new: str) -> str:
    lines = "\n".join(f"+{line}" for line in new.splitlines())
    return f"Changed.\n\n```diff\n@@ # %% [cell 1] code\n-{OLD}\n{lines}\n```"


def write(repo: Path) -> None:
    repo.mkdir()
    cells = []
    for number, (source, output) in enumerate(CELLS):
        outputs: list[dict[str, Any]] = []
        if output.startswith("accuracy"):
            outputs = [{"output_type": "stream", "name": "stdout", "text": output}]
        elif output:
            result = {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": output}}
            outputs = [result]
        cell = {"cell_type": "code", "execution_count": number + 1, "metadata": {}, "outputs": outputs}
        cells.append({**cell, "source": source.splitlines(keepends=True)})
    document = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}
    (repo / "n.ipynb").write_text(json.dumps(document, indent=1) + "\n")
    (repo / ".modernizer.yml").write_text(f"overrides: [{{match: n.ipynb, score: {json.dumps(SCORES)}}}]\n")


SCORES: list[dict[str, Any]] = [
    {"name": "accuracy", "from": "output", "pattern": r"accuracy: ([\d.]+)"},
    {"name": "score", "from": "variable", "variable": "score", "expected": float(CANARY)},
    {"name": "told", "from": "command", "command": "python -c 'print(1)'", "expected": float(CANARY)},
]


def repaired(tmp_path: Path, server: Server, environment: Environment, installed: Installed, **config: Any) -> tuple[Treated, str]:
    """Repair as the command does; return the result and everything that the repair side was told, said and kept."""
    write(tmp_path / "repo")
    notes: list[str] = []
    settings = Config.model_validate(config, by_alias=True).for_notebook("n.ipynb")
    notebook = read_notebook(tmp_path / "repo" / "n.ipynb", name="n.ipynb")
    task = Task(tmp_path / "repo", notebook, settings, Requirements(()))
    model = Model.model_validate({"name": "test-model", "base_url": server.url})
    places = {"out": tmp_path / "out", "cache": tmp_path / "cache"}
    assistant = open_assistant(model, {"MODERNIZER_MODEL_KEY": "key-of-the-tests"}, **places, report=notes.append)
    assert assistant is not None
    assistant.client.first_wait = 0.01
    try:
        treated = treat(
            task,
            environment,
            installed,
            recipes=all_recipes(),
            assistant=assistant,
            list_files=lambda: ("n.ipynb",),
            on_progress=notes.append,
        )
    finally:
        assistant.close()
    repair = treated.result.repair
    assert repair is not None
    kept = [path for folder in places.values() for path in sorted(folder.rglob("*")) if path.is_file()]
    assert tmp_path / "out" / "model-calls.jsonl" in kept
    said = [json.dumps(server.requests), *notes, json.dumps([asdict(one) for one in (*repair.fixes, *repair.attempts)])]
    said += [line for line in repair.patch.splitlines() if line[:1] in "+-"]
    said += [path.read_bytes().decode("utf-8", "replace") for path in kept]
    return treated, "\n".join(said)


CONFIGURED = {"overrides": ({"match": "n.ipynb", "score": tuple(SCORES)},)}


@pytest.mark.parametrize("config", [{}, CONFIGURED, {**CONFIGURED, "repeat": 2}], ids=["stored", "configured", "repeated"])
def test_the_repair_side_never_learns_a_recorded_score(
    tmp_path: Path, server: Server, say: Say, kernel_environment: Environment, installed: Installed, config: dict[str, Any]
) -> None:
    server.script = [
        say("no diff"),
        say(diff("y = sorted([3, 1], key=cmp)")),  # no better
        say(diff(NEW)),
    ]
    treated, said = repaired(tmp_path, server, kernel_environment, installed, **config)
    final = treated.result.final
    assert final.verdict == "drifted"
    assert float(CANARY) in {score.recorded for score in final.scores}
    assert NEW in said
    assert [trace for trace in TRACES if trace in said] == []


@pytest.mark.parametrize(
    "spy",
    [
        "raise ValueError(open('n.ipynb').read())",
        "import json\nraise ValueError(json.load(open('n.ipynb'))['cells'][1]['outputs'])",
        "import pathlib\nraise ValueError(pathlib.Path('.modernizer.yml').read_text())",
        "import os\nos.getxattr(open('n.ipynb').read()[-900:], 'x')",
        "np.loadtxt('n.ipynb')",
        "np.fromfile('n.ipynb', sep=',')",
        "np.genfromtxt('.modernizer.yml', dtype=str).reshape(7, 7, 7)",
        "%run n.ipynb",
        "%load n.ipynb",
        "!cat n.ipynb",
        "y = __import__('io').open('n.ipynb').read()\nint(y)",
        "get_ipython().getoutput('cat n.ipynb')",
    ],
)
def test_a_candidate_that_looks_for_the_record_is_not_run(
    tmp_path: Path, server: Server, say: Say, kernel_environment: Environment, installed: Installed, spy: str
) -> None:
    server.script = [say(diff(f"{spy}\n{NEW}")), say(diff(f"{NEW}\n{spy}")), say("no")]
    _, said = repaired(tmp_path, server, kernel_environment, installed)
    assert [trace for trace in TRACES if trace in said] == []
    assert "rejected" in said
