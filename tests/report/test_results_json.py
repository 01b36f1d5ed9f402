from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from modernizer.environment.model import Environment, InstallFailure
from modernizer.errors import UsageError
from modernizer.execution.outcome import CellError, CellRun, CellStatus
from modernizer.repair.outcome import Attempt, AttemptOutcome, Fix, FixKind, Ledger, Repair, Stopped
from modernizer.report.results import NotebookResult, RunResult, environment_record, headline, totals
from modernizer.report.results_json import from_json, number, schema, to_json
from modernizer.verdict.outcome import Diagnosis, Kind, Outcome, Reason, Score, Verdict


def problems(data: object) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in Draft202012Validator(schema()).iter_errors(data)]


def test_the_schema_is_a_valid_schema() -> None:
    Draft202012Validator.check_schema(schema())


def test_every_object_of_the_schema_is_closed() -> None:
    def objects(node: object) -> list[dict[str, Any]]:
        if isinstance(node, list):
            return [found for item in node for found in objects(item)]
        if not isinstance(node, dict):
            return []
        return ([node] if "properties" in node else []) + [found for item in node.values() for found in objects(item)]

    for node in objects(schema()):
        assert node["additionalProperties"] is False
        assert set(node["required"]) == set(node["properties"])


@pytest.mark.parametrize(
    ("words", "place"),
    [
        (Verdict, ("verdict", "enum")),
        (Reason, ("reason", "enum")),
        (Kind, ("diagnosis", "properties", "kind", "enum")),
        (Stopped, ("repair", "properties", "stopped", "enum")),
        (FixKind, ("fixkind", "enum")),
        (AttemptOutcome, ("attempt", "properties", "outcome", "enum")),
        (CellStatus, ("cell", "properties", "status", "enum")),
    ],
)
def test_the_schema_knows_the_same_words_as_the_code(words: object, place: tuple[str, ...]) -> None:
    node: Any = schema()["$defs"]
    for part in place:
        node = node[part]
    assert sorted(node) == sorted(get_args(words))


def test_a_run_with_every_verdict_follows_the_schema(run: RunResult) -> None:
    data = json.loads(json.dumps(to_json(run), allow_nan=False))
    assert problems(data) == []
    assert {item["before"]["verdict"] for item in data["notebooks"]} == set(get_args(Verdict))


def test_an_empty_and_unfinished_run_follows_the_schema() -> None:
    assert problems(to_json(RunResult("2026-12-01T06:00:00Z", "", "modernizer check", interrupted=True))) == []


def test_totals_count_the_last_outcome_of_each_notebook(run: RunResult) -> None:
    data = to_json(run)["totals"]
    assert (data["notebooks"], data["good_before"], data["good"], data["repaired"]) == (9, 2, 3, 1)
    assert data["before"] == {"reproduced": 1, "ran": 1, "blocked": 2, "drifted": 1, "timed-out": 1, "crashed": 1, "broken": 2}
    assert data["after"] == {"reproduced": 2, "ran": 1, "blocked": 2, "drifted": 1, "timed-out": 1, "crashed": 1, "broken": 1}
    assert data["fixes"] == {"recipe": 2}
    assert data["ledger"]["executions"] == 4
    assert data["ledger"]["cost_usd"] == pytest.approx(0.0123)
    assert headline(run) == "3 of 9 notebooks end good; 1 repaired, 2 blocked, 1 drifted, 1 timed-out, 1 crashed, 1 broken"


def test_numbers_that_json_lacks_become_texts(run: RunResult) -> None:
    score = to_json(run)["notebooks"][3]["before"]["scores"][1]
    assert (score["recorded"], score["value"]) == ("NaN", "Infinity")
    assert number(-math.inf) == "-Infinity"
    back = from_json(to_json(run)).notebooks[3].before.scores[1]
    assert back.recorded is not None
    assert math.isnan(back.recorded)
    assert back.value == math.inf


@pytest.mark.parametrize(
    "score",
    [
        Score("a", "command", None, 3.0, 0.0, agrees=None),
        Score("a", "s.csv, auc", 0.9, None, 0.009, agrees=False, note="s.csv has no rows"),
        Score("a", "variable", 0.9, 0.9, 0.009, agrees=True, cell=1, direction="higher", values=(0.89, 0.91)),
        Score("a", "tag", 0.9, 0.9, 0.009, agrees=False, cell=1, note="missing in 1 of 3 runs", values=(0.89, None, 0.91)),
    ],
)
def test_scores_of_any_source_and_several_runs_are_read_back(run: RunResult, score: Score) -> None:
    changed = replace(run, notebooks=(replace(run.notebooks[0], before=Outcome("ran", scores=(score,)), repair=None),))
    data = json.loads(json.dumps(to_json(changed)))
    assert from_json(data).notebooks[0].before.scores == (score,)
    assert data["notebooks"][0]["before"]["scores"][0]["spread"] == (pytest.approx(0.0141421356) if score.values else None)


def test_a_run_that_was_read_is_written_the_same(run: RunResult) -> None:
    data = to_json(run)
    back = from_json(json.loads(json.dumps(data)), read_patch={"patches/trees/forest.ipynb.patch": "the patch"}.__getitem__)
    assert back.notebooks[0].repair is not None
    assert back.notebooks[0].repair.patch == "the patch"
    assert to_json(back) == data


def test_a_diagnosis_made_before_any_cell_ran_survives(run: RunResult) -> None:
    blocked = from_json(to_json(run)).notebooks[7].before
    assert blocked.error is None
    assert blocked.diagnosis is not None
    assert blocked.diagnosis.symbol == "/kaggle/input/train.csv"


def test_tracebacks_lose_their_colours_and_are_cut_in_the_middle() -> None:
    error = CellError(0, "E", "m" * 10_000, traceback="first\n\x1b[31mred\x1b[0m" + "x" * 20_000 + "last")
    data = to_json(one(Outcome("broken", error=error)))["notebooks"][0]["before"]["error"]
    assert data["traceback"].startswith("first\nred")
    assert data["traceback"].endswith("last")
    assert "characters left out" in data["traceback"]
    assert len(data["traceback"]) <= 8_000
    assert len(data["message"]) <= 2_000


def one(outcome: Outcome) -> RunResult:
    return RunResult("2026-12-01T06:00:00Z", "", "", notebooks=(NotebookResult("a.ipynb", None, None, outcome),))


def put(place: str, value: object) -> Callable[[dict[str, Any]], None]:
    """Return a change of one place, such as ``notebooks.0.path``."""

    def change(data: dict[str, Any]) -> None:
        *way, last = [int(part) if part.isdigit() else part for part in place.split(".")]
        node: Any = data
        for part in way:
            node = node[part]
        node[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("schema", 2), "results of schema 2 can't be read, only 1"),
        (put("schema", None), r"not valid results: \$\.schema"),
        (put("surprise", 1), "not valid results: .*surprise"),
        (put("notebooks.0.before.verdict", "fine"), r"not valid results: .*\$\.notebooks\[0\]"),
        (put("notebooks.0.before.cells_total", -1), r"\$\.notebooks\[0\]\.before\.cells_total"),
        (put("notebooks.0.before.scores.0.recorded", "nan"), r"scores\[0\]\.recorded"),
        (put("notebooks.0.before.scores.0.agrees", 1), r"scores\[0\]\.agrees"),
        (put("notebooks.1.path", "../x.ipynb"), "no path inside a repository"),
        (put("notebooks.1.path", "/etc/passwd"), "no path inside a repository"),
        (put("notebooks.1.path", "a\\b.ipynb"), "no path inside a repository"),
        (put("notebooks.1.path", "a/../../b.ipynb"), "no path inside a repository"),
        (put("notebooks.0.repair.patch", "patches/../../secret"), "the patch of trees/forest.ipynb is said to be elsewhere"),
        (put("environments.0.id", "../../etc"), r"\$\.environments\[0\]\.id"),
        (put("started", "yesterday"), r"\$\.started"),
        (put("notebooks", None), r"\$\.notebooks"),
    ],
)
def test_results_that_are_not_valid_are_refused_with_the_place(
    run: RunResult, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    data = copy.deepcopy(to_json(run))
    change(data)
    with pytest.raises(UsageError, match=message):
        from_json(data)


@pytest.mark.parametrize("data", [None, 1, "text", [], {}, {"schema": 1}])
def test_what_is_no_result_at_all_is_refused(data: object) -> None:
    with pytest.raises(UsageError, match="not valid results"):
        from_json(data)


def test_environments_lose_what_only_this_machine_knows(tmp_path: Path) -> None:
    built = Environment(
        "e1", tmp_path / "bin/python", "3.13.1", {"b": "2", "a": "1"}, "a==1\n", "0" * 64, "2026-11-28", 1.5, ("note",)
    )
    record = environment_record(built)
    assert list(record.packages) == ["a", "b"]
    assert str(tmp_path) not in json.dumps(to_json(RunResult("2026-12-01T06:00:00Z", "", "", environments=(record,))))
    failed = environment_record(InstallFailure("e2", "no such package"))
    assert (failed.failure, failed.python) == ("no such package", "")


finite = st.floats(0, 1e9)
texts = st.text(max_size=30)
counts = st.integers(0, 10**6)
errors = st.builds(
    CellError, cell=counts, name=texts, message=texts, line=st.none() | st.integers(1, 99), frames=st.just(()), traceback=texts
)
scores = st.builds(
    Score,
    name=texts,
    source=texts,
    recorded=st.floats(),
    value=st.none() | st.floats(),
    tolerance=st.floats(),
    cell=st.none() | counts,
)
outcomes = st.builds(
    Outcome,
    cells_total=counts,
    cells_run=counts,
    seconds=finite,
    error=st.none() | errors,
    diagnosis=st.none() | st.builds(Diagnosis, symbol=texts, package=texts, detail=texts),
    scores=st.lists(scores, max_size=2).map(tuple),
    detail=texts,
)
repairs = st.builds(
    Repair,
    fixes=st.lists(
        st.builds(
            Fix, origin=texts, cells=st.lists(counts, max_size=2).map(tuple), lines_changed=counts, files=st.just(("a.py",))
        ),
        max_size=2,
    ).map(tuple),
    attempts=st.lists(st.builds(Attempt, origin=texts, why=texts), max_size=2).map(tuple),
    fidelity=st.just(Repair().fidelity),
    ledger=st.builds(Ledger, *[counts, finite, counts, counts, counts, counts, finite]),
    patch=texts,
    sources=st.just({}),
)
notebooks = st.builds(
    NotebookResult,
    path=st.just("a/b.ipynb"),
    environment=st.none() | texts,
    as_of=st.none() | texts,
    before=outcomes,
    after=st.none() | outcomes,
    repair=st.none() | repairs,
    profile=st.lists(st.builds(CellRun, index=counts, seconds=finite, peak_memory=counts), max_size=2).map(tuple),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(notebooks, max_size=2))
def test_whatever_a_run_holds_it_follows_the_schema_and_comes_back(items: list[NotebookResult]) -> None:
    run = RunResult("2026-12-01T06:00:00Z", "2026-12-01T07:00:00Z", "modernizer fix", notebooks=tuple(items))
    data = json.loads(json.dumps(to_json(run), allow_nan=False).encode())
    assert problems(data) == []
    back = from_json(data, read_patch=lambda _: "patch")
    assert to_json(back) == data
    assert totals(back.notebooks) == totals(replace(run).notebooks)
