"""What is taken from a memory file, whoever wrote it, and what is not kept in one."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import nbformat
import pytest

from modernizer.execution.outcome import CellError
from modernizer.notebook import parse_notebook
from modernizer.repair.failure import place
from modernizer.repair.model.lesson import lesson_of
from modernizer.repair.model.memory import Memory
from modernizer.repair.program import Program
from modernizer.repair.proposer import Edit, Miss, Proposal, Situation
from modernizer.verdict.outcome import Diagnosis

GOOD: dict[str, Any] = {
    "kind": "name",
    "symbol": "lib.old_name",
    "error": "NameError",
    "line": "y = old_name(values)",
    "blocks": [{"before": "y = old_name(values)", "after": "y = new_name(values)"}],
    "explanation": "As proven on another notebook: lib.old_name.",
}


def situation() -> Situation:
    node = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("values = [1]\ny = old_name(values)")])
    program = Program(parse_notebook(nbformat.writes(node).encode(), name="n.ipynb"), {})
    error = CellError(0, "NameError", "name 'old_name' is not defined", 2, ())
    return Situation(program, place(error, Diagnosis("name", "lib.old_name", "lib", ""), program))


def proposed(path: Path) -> str | None:
    answer = Memory(path).propose(situation())
    return answer.program.sources()[0] if isinstance(answer, Proposal) else None


def written(path: Path, data: object) -> Path:
    path.write_text(json.dumps(data))
    return path


def test_a_lesson_repairs_the_line_it_is_about(tmp_path: Path) -> None:
    path = written(tmp_path / "memory.json", {"version": 2, "lessons": [GOOD]})
    assert proposed(path) == "values = [1]\ny = new_name(values)"


POISON: dict[str, Any] = {
    "no object": 3,
    "nothing": None,
    "text": "x",
    "no blocks": {**GOOD, "blocks": []},
    "blocks of another type": {**GOOD, "blocks": {"before": "x", "after": "y"}},
    "block without an end": {**GOOD, "blocks": [{"before": "y = old_name(values)"}]},
    "block with more": {**GOOD, "blocks": [{"before": "y = old_name(values)", "after": "z", "path": "../x"}]},
    "number for text": {**GOOD, "line": 5},
    "list for text": {**GOOD, "explanation": ["x"]},
    "unknown field": {**GOOD, "path": "/etc/passwd"},
    "half a character": {**GOOD, "explanation": "\ud800"},
    "hidden characters": {**GOOD, "blocks": [{"before": "y = old_name(values)", "after": "y = 1\u202e"}]},
    "long explanation": {**GOOD, "explanation": "x" * 100_000},
    "long block": {**GOOD, "blocks": [{"before": "y = old_name(values)", "after": "x = 1\n" * 50_000}]},
    "block that fits everywhere": {**GOOD, "blocks": [{"before": "", "after": "import os"}]},
    "secret": {**GOOD, "blocks": [{"before": "y = old_name(values)", "after": "password = 'hunter2hunter2'"}]},
    "mark": {**GOOD, "blocks": [{"before": "y = old_name(values)", "after": "y = '<hidden-secret-1>'"}]},
}


@pytest.mark.parametrize("name", POISON)
def test_a_poisoned_lesson_is_left_out_and_the_others_stay(tmp_path: Path, name: str) -> None:
    alone = written(tmp_path / "alone.json", {"version": 2, "lessons": [POISON[name]]})
    assert proposed(alone) is None
    assert proposed(written(tmp_path / "both.json", {"version": 2, "lessons": [POISON[name], GOOD]})) is not None


@pytest.mark.parametrize(
    "data",
    [
        [],
        {},
        {"version": 2},
        {"version": 2, "lessons": 4},
        {"version": 2, "lessons": {"a": 1}},
        {"version": 9, "lessons": [GOOD]},
    ],
)
def test_a_file_of_another_shape_is_an_empty_memory(tmp_path: Path, data: object) -> None:
    assert isinstance(Memory(written(tmp_path / "memory.json", data)).propose(situation()), Miss)


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "memory.json")
    assert proposed(tmp_path / "memory.json") is None


def test_of_thousands_of_lessons_the_latest_count(tmp_path: Path) -> None:
    many = [{**GOOD, "symbol": f"lib.name_{number}"} for number in range(5_000)]
    assert proposed(written(tmp_path / "late.json", {"version": 2, "lessons": [*many, GOOD]})) is not None
    assert proposed(written(tmp_path / "early.json", {"version": 2, "lessons": [GOOD, *many]})) is None


def test_a_secret_is_never_learned() -> None:
    now = situation()
    before = "y = old_name(values)"
    for secret in (", api_key='a1b2c3d4e5f6'", ""):
        source = f"values = [1]\ny = new_name(values{secret})"
        program = now.program.replaced({0: source})
        diagnosis = Diagnosis("name", "lib.old_name", "lib", "")
        edit = Edit("model:x", "NameError", "", diagnosis, before, {0: (now.program.sources()[0], source)})
        assert (lesson_of(edit, program) is None) == bool(secret)
