from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from modernizer.report.badge import badge_colour, badge_message, render_badge_json, render_badge_svg
from modernizer.report.results import SEVERITY, NotebookResult, RunResult
from modernizer.verdict.outcome import Outcome, Verdict

SVG = "{http://www.w3.org/2000/svg}"


def run_of(*verdicts: Verdict, **changes: object) -> RunResult:
    notebooks = tuple(NotebookResult(f"{index}.ipynb", None, None, Outcome(verdict)) for index, verdict in enumerate(verdicts))
    return replace(RunResult("2026-12-01T06:00:00Z", "2026-12-02T01:00:00Z", "", notebooks=notebooks), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("verdicts", "message", "colour"),
    [
        (["reproduced"] * 3, "3/3 reproduced, 2026-12-02", "brightgreen"),
        (["reproduced", "broken"], "1/2 reproduced, 2026-12-02", "red"),
        (["ran", "ran"], "2/2 run, 2026-12-02", "green"),
        (["ran", "reproduced", "drifted"], "2/3 good, 2026-12-02", "orange"),
        (["blocked", "reproduced"], "1/2 reproduced, 2026-12-02", "yellow"),
        (["broken"], "0/1 reproduced, 2026-12-02", "red"),
        ([], "none found", "lightgrey"),
    ],
)
def test_the_badge_claims_no_more_than_the_run_found(verdicts: list[Verdict], message: str, colour: str) -> None:
    run = run_of(*verdicts)
    assert (badge_message(run), badge_colour(run)) == (message, colour)


def test_an_interrupted_run_gives_a_grey_badge() -> None:
    run = run_of("reproduced", interrupted=True)
    assert badge_message(run) == "1/1 reproduced, 2026-12-02, interrupted"
    assert badge_colour(run) == "lightgrey"


def test_a_repair_counts_only_once_it_is_in_the_repository(repaired: NotebookResult) -> None:
    run = RunResult("2026-12-01T06:00:00Z", "", "", notebooks=(repaired,))
    assert badge_message(run) == "0/1 reproduced, 2026-12-01"
    assert badge_message(replace(run, applied=True)) == "1/1 reproduced, 2026-12-01"
    assert badge_colour(replace(run, applied=True)) == "brightgreen"


@pytest.mark.parametrize("verdict", SEVERITY)
def test_both_badges_say_the_same(verdict: Verdict) -> None:
    run = run_of(verdict)
    data = json.loads(render_badge_json(run))
    assert set(data) == {"schemaVersion", "label", "message", "color"}
    drawn = ET.fromstring(render_badge_svg(run))  # noqa: S314 - our own file
    assert [node.text for node in drawn.iter(f"{SVG}text")] == [data["label"], data["message"]]
    assert drawn.findtext(f"{SVG}title") == f"{data['label']}: {data['message']}"
    boxes = [int(node.get("width", "0")) for node in drawn.iter(f"{SVG}rect")]
    assert boxes[1] + boxes[2] == int(drawn.get("width", "0"))
