from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from modernizer.execution.outcome import CellError
from modernizer.report.junit import render_junit
from modernizer.report.results import NotebookResult, RunResult
from modernizer.verdict.outcome import Outcome


def parse(run: RunResult) -> ET.Element:
    return ET.fromstring(render_junit(run))  # noqa: S314 - our own file


def test_each_notebook_is_one_case(run: RunResult) -> None:
    root = parse(run)
    suite = root[0]
    assert (root.tag, suite.tag) == ("testsuites", "testsuite")
    for node in (root, suite):
        assert {name: node.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
            "tests": "9",
            "failures": "4",
            "errors": "0",
            "skipped": "2",
        }
    cases = {case.get("file"): case for case in suite.iter("testcase")}
    assert set(cases) == {item.path for item in run.notebooks}
    assert (cases["trees/forest.ipynb"].get("classname"), cases["trees/forest.ipynb"].get("name")) == ("trees", "forest.ipynb")
    assert cases["trees/forest.ipynb"].get("time") == "83.500"
    assert cases["trees/forest.ipynb"].find("failure") is None
    assert cases["data/no_data.ipynb"].find("skipped") is not None
    failure = cases["slow.ipynb"].find("failure")
    assert failure is not None
    assert failure.get("type") == "timed-out"
    assert failure.get("message") == "cell 2, line 1: CellTimeout: the cell ran for 600 s"
    assert sum(case.find("failure") is not None for case in cases.values()) == 4


def test_a_drifted_score_is_the_message(run: RunResult) -> None:
    failure = next(parse(run).iter("failure"))
    assert failure.get("message") == "loss was 0.5, is 0.7; r2 was nan, is inf"


@given(st.text(), st.text())
def test_whatever_a_notebook_prints_the_file_is_valid_xml(name: str, message: str) -> None:
    outcome = Outcome("broken", error=CellError(1, name, message, traceback=message), detail=message)
    run = RunResult("2026-12-01T06:00:00Z", "", "", notebooks=(NotebookResult("a.ipynb", None, None, outcome),))
    failure = next(parse(run).iter("failure"))
    assert (failure.get("message") or "").startswith("cell 1: ")


def test_an_empty_run_is_valid() -> None:
    root = parse(replace(RunResult("2026-12-01T06:00:00Z", "", "")))
    assert root.get("tests") == "0"
