"""No path by which a repairer can read a recorded score: a planted number is looked for in all that the repair side says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

import pytest

from modernizer.bench import Task, load_program
from modernizer.config import Config, Model
from modernizer.environment.installed import Installed
from modernizer.environment.model import Environment, Requirements
from modernizer.notebook import read_notebook
from modernizer.repair.model.assistant import open_assistant
from modernizer.repair.policy import check
from modernizer.repair.program import Program
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


@dataclass
class World:
    """A repository with the planted number, and what repairs it."""

    folder: Path
    server: Server
    say: Say
    environment: Environment
    installed: Installed

    def repaired(self, config: Mapping[str, Any] = MappingProxyType({})) -> tuple[Treated, str]:
        """Repair as the command does; return the result and everything that the repair side was told, said and kept."""
        return _repaired(self, config)


@pytest.fixture
def world(tmp_path: Path, server: Server, say: Say, kernel_environment: Environment, installed: Installed) -> World:
    return World(tmp_path, server, say, kernel_environment, installed)


def _repaired(world: World, config: Mapping[str, Any]) -> tuple[Treated, str]:
    tmp_path, server = world.folder, world.server
    write(tmp_path / "repo")
    notes: list[str] = []
    settings = Config.model_validate(dict(config), by_alias=True).for_notebook("n.ipynb")
    notebook = read_notebook(tmp_path / "repo" / "n.ipynb", name="n.ipynb")
    task = Task(tmp_path / "repo", notebook, settings, Requirements(()))
    model = Model.model_validate({"name": "test-model", "base_url": server.url})
    out, cache = tmp_path / "out", tmp_path / "cache"
    assistant = open_assistant(model, {"MODERNIZER_MODEL_KEY": "key-of-the-tests"}, out=out, cache=cache, report=notes.append)
    assert assistant.client is not None
    assistant.client.first_wait = 0.01
    try:
        treated = treat(
            task,
            world.environment,
            world.installed,
            recipes=all_recipes(),
            assistant=assistant,
            list_files=lambda: ("n.ipynb",),
            on_progress=notes.append,
        )
    finally:
        assistant.close()
    repair = treated.result.repair
    assert repair is not None
    kept = [path for folder in (out, cache) for path in sorted(folder.rglob("*")) if path.is_file()]
    assert tmp_path / "out" / "model-calls.jsonl" in kept
    said = [json.dumps(server.requests), *notes, repr(repair.fixes), repr(repair.attempts)]
    said += [line for line in repair.patch.splitlines() if line[:1] in "+-"]
    said += [path.read_bytes().decode("utf-8", "replace") for path in kept]
    return treated, "\n".join(said)


CONFIGURED = {"overrides": ({"match": "n.ipynb", "score": tuple(SCORES)},)}


@pytest.mark.parametrize("config", [{}, {**CONFIGURED, "repeat": 2}], ids=["stored", "configured"])
def test_the_repair_side_never_learns_a_recorded_score(world: World, config: dict[str, Any]) -> None:
    worse = diff("y = sorted([3, 1], key=cmp)")
    world.server.script = [world.say("no diff"), world.say(worse), world.say(diff(NEW))]
    treated, said = world.repaired(config)
    final = treated.result.final
    assert final.verdict == "drifted"
    assert float(CANARY) in {score.recorded for score in final.scores}
    assert NEW in said
    assert [trace for trace in TRACES if trace in said] == []


SPIES = (
    "raise ValueError(open('n.ipynb').read())",
    "import pathlib\nraise ValueError(pathlib.Path('.modernizer.yml').read_text())",
    "np.genfromtxt('.modernizer.yml', dtype=str).reshape(7, 7, 7)",
    "import json\nraise ValueError(json.load(open('n.ipynb'))['cells'][1]['outputs'])",
    "import os\nos.getxattr(open('n.ipynb').read()[-900:], 'x')",
    "np.loadtxt('n.ipynb')",
    "np.fromfile('n.ipynb', sep=',')",
    "%run n.ipynb",
    "%load n.ipynb",
    "!cat n.ipynb",
    "y = __import__('io').open('n.ipynb').read()\nint(y)",
    "get_ipython().getoutput('cat n.ipynb')",
)


@pytest.mark.parametrize("spy", SPIES)
def test_a_candidate_that_looks_for_the_record_is_refused(tmp_path: Path, spy: str) -> None:
    write(tmp_path / "repo")
    program = load_program(read_notebook(tmp_path / "repo" / "n.ipynb", name="n.ipynb"), tmp_path / "repo")
    source = program.notebook.cells[1].source
    for code in (f"{spy}\n{NEW}", f"{NEW}\n{spy}"):
        after = Program(program.notebook.with_sources({1: source.replace(OLD, code)}), program.modules)
        assert check(program, after).violations


def test_candidates_that_look_for_the_record_learn_nothing(world: World) -> None:
    world.server.script = [*(world.say(diff(f"{spy}\n{NEW}")) for spy in SPIES[:3]), world.say("no")]
    _, said = world.repaired()
    assert "rejected" in said
    assert [trace for trace in TRACES if trace in said] == []
