from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modernizer.execution.outcome import CellError
from modernizer.report.annotations import workflow_commands
from modernizer.report.results import NotebookResult, RunResult
from modernizer.verdict.outcome import Outcome, Score

INSIDE = {"GITHUB_ACTIONS": "true"}


@pytest.mark.parametrize("environ", [{}, {"GITHUB_ACTIONS": ""}, {"GITHUB_ACTIONS": "false"}])
def test_outside_a_workflow_nothing_is_said(run: RunResult, environ: dict[str, str]) -> None:
    assert workflow_commands(run, environ) == []


def test_each_notebook_that_needs_a_look_has_one(run: RunResult) -> None:
    lines = workflow_commands(run, INSIDE)
    assert [line.split(" ")[0] for line in lines] == ["::error"] * 3 + ["::warning"] * 3 + ["::notice"]
    assert (
        "::warning file=data/no_data.ipynb,title=blocked (missing-data)::The file /kaggle/input/train.csv is not there." in lines
    )
    assert (
        lines[-1]
        == "::notice file=trees/forest.ipynb,title=broken → reproduced::repaired by 2 changes; the patch is in the report"
    )


def test_an_annotation_stands_at_the_line_of_the_file_that_it_is_about(run: RunResult) -> None:
    source = [f"line {number}\n" for number in range(1, 30)]
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": source} for _ in range(20)]
    raw = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}, indent=1).encode()
    failed = NotebookResult("a.ipynb", None, None, Outcome("broken", error=CellError(3, "ValueError", "x", line=2)))
    off = NotebookResult(
        "a.ipynb", None, None, Outcome("drifted", scores=(Score("f1", "output", 1, 2, 0.1, agrees=False, cell=5),))
    )
    plain = NotebookResult("a.ipynb", None, None, Outcome("blocked", "missing-data"))
    repaired = next(item for item in run.notebooks if item.repaired)
    assert repaired.repair is not None
    for result, cell, line in ((failed, 3, 2), (off, 5, 1), (repaired, repaired.repair.fixes[0].cells[0], 1)):
        (told,) = workflow_commands(replace(run, notebooks=(result,)), INSIDE, lambda _: raw)
        place = int(told.partition(",line=")[2].partition(",")[0])
        before = "\n".join(raw.decode().split("\n")[:place])
        assert before.endswith(f'"line {line}\\n",')
        assert before.count('"cell_type"') == cell + 1
    (told,) = workflow_commands(replace(run, notebooks=(plain,)), INSIDE, lambda _: raw)
    assert ",line=" not in told
    (told,) = workflow_commands(replace(run, notebooks=(failed,)), INSIDE, lambda _: None)
    assert ",line=" not in told


@given(st.text(), st.text(min_size=1))
def test_no_text_ends_the_command_or_adds_a_property(message: str, path: str) -> None:
    outcome = Outcome("broken", error=CellError(3, message, message, line=2))
    run = RunResult("", "", "", notebooks=(NotebookResult(path, None, None, outcome),))
    (line,) = workflow_commands(run, INSIDE)
    assert "\n" not in line
    assert "\r" not in line
    found = re.fullmatch(r"::error file=([^:,]*),title=broken::(cell 3, line 2: .*)", line)
    assert found
    assert not re.search("%(?!25|0A|0D|3A|2C)", found[1] + found[2])


def test_no_more_than_github_shows(run: RunResult) -> None:
    broken = next(item for item in run.notebooks if item.path == "hostile.ipynb")
    assert len(workflow_commands(replace(run, notebooks=(broken,) * 40), INSIDE)) == 10
