from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from modernizer.notebook import Notebook, parse_notebook

CellSpec = Mapping[str, Any]
NotebookBuilder = Callable[..., Notebook]


def _output(output: object) -> object:
    if isinstance(output, str):
        return {"output_type": "stream", "name": "stdout", "text": output}
    return output


def build_notebook(*cells: str | CellSpec, path: str = "work/n.ipynb", metadata: Mapping[str, Any] | None = None) -> Notebook:
    """Build a notebook from sources, or from mappings with source, outputs (a string is printed text), count and tags."""
    written: list[dict[str, Any]] = []
    for cell in cells:
        spec: CellSpec = {"source": cell} if isinstance(cell, str) else cell
        outputs: Sequence[object] = spec.get("outputs", [])
        written.append(
            {
                "cell_type": "code",
                "source": spec["source"],
                "metadata": {"tags": list(spec.get("tags", []))},
                "outputs": [_output(output) for output in outputs],
                "execution_count": spec.get("count"),
            },
        )
    document = {"nbformat": 4, "nbformat_minor": 4, "metadata": dict(metadata or {}), "cells": written}
    return parse_notebook(json.dumps(document).encode(), name=path)


def build_result(text: str, **data: str) -> dict[str, Any]:
    """Build the output of a cell that displays its last expression."""
    return {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": text, **data}}


@pytest.fixture(name="notebook")
def _notebook() -> NotebookBuilder:
    return build_notebook


@pytest.fixture(name="result")
def _result() -> Callable[..., dict[str, Any]]:
    return build_result
