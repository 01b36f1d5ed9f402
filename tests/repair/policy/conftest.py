"""Edits of small programs for the policy to judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import nbformat
import pytest

from modernizer.notebook import parse_notebook
from modernizer.repair.policy import Review, check
from modernizer.repair.program import Program

Cells = str | Sequence[str]


def program(cells: Cells, modules: Mapping[str, str] | None = None) -> Program:
    sources = [cells] if isinstance(cells, str) else cells
    node = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source, id=str(n)) for n, source in enumerate(sources)])
    return Program(parse_notebook(nbformat.writes(node).encode(), name="test.ipynb"), dict(modules or {}))


@pytest.fixture(scope="session")
def judge() -> Callable[..., Review]:
    """Judge an edit of cells: ``judge(before, after, recorded=..., trusted=...)``."""

    def judge_edit(before: Cells, after: Cells, **given: Any) -> Review:  # noqa: ANN401 (the options of check)
        return check(program(before), program(after), **given)

    return judge_edit
