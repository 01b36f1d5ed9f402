from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from modernizer.execution.outcome import CellRun, Execution
from modernizer.notebook import Notebook, parse_notebook
from modernizer.repair.apply import Surroundings, apply_recipes
from modernizer.repair.budget import longer_budget, recorded_seconds
from modernizer.repair.program import Program
from modernizer.repair.recipe import Packages, Recipe
from modernizer.repair.speedups.jobs import MoreJobs
from modernizer.repair.speedups.loops import ConcatOnce
from modernizer.repair.speedups.reads import RepeatedReads
from modernizer.repair.speedups.rows import find_row_applies
from modernizer.repair.speedups.slow import slow_cells

IMPORTS = """import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
"""


def notebook(*sources: str, metadata: Mapping[str, Any] | None = None) -> Notebook:
    cells: list[dict[str, Any]] = [
        {"cell_type": "code", "execution_count": None, "metadata": metadata or {}, "outputs": [], "source": source}
        for source in sources
    ]
    document = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}
    return parse_notebook(json.dumps(document).encode(), name="n.ipynb")


def rewritten(recipe: Recipe, *sources: str, packages: Packages) -> list[str]:
    program, _ = apply_recipes(Program(notebook(*sources), {}), [recipe], Surroundings(packages))
    return [cell.source for cell in program.notebook.code_cells]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("RandomForestClassifier(100)", "RandomForestClassifier(100, n_jobs=-1)"),
        ("KNeighborsClassifier(3, metric='cosine')", "KNeighborsClassifier(3, metric='cosine', n_jobs=-1)"),
        ("GridSearchCV(SVC(), {'C': [1]})", "GridSearchCV(SVC(), {'C': [1]}, n_jobs=-1)"),
        (
            "cross_val_score(make_pipeline(StandardScaler(), SVC()), X, y)",
            "cross_val_score(make_pipeline(StandardScaler(), SVC()), X, y, n_jobs=-1)",
        ),
        (
            "cross_val_score(LogisticRegression(solver='saga', random_state=1), X, y)",
            "cross_val_score(LogisticRegression(solver='saga', random_state=1), X, y, n_jobs=-1)",
        ),
    ],
)
def test_all_processors_are_used_where_results_do_not_depend_on_it(before: str, after: str, installed: Packages) -> None:
    assert rewritten(MoreJobs({1}, ()), IMPORTS, before, packages=installed)[1] == after


@pytest.mark.parametrize(
    "source",
    [
        "RandomForestClassifier(n_jobs=1)",
        "RandomForestClassifier(**options)",
        "KNeighborsClassifier(metric=mine)",
        "cross_val_score(LogisticRegression(solver='saga'), X, y)",
        "GridSearchCV(LogisticRegression(), {'solver': ['saga']})",
        "GridSearchCV(SVC(), grid())",
        "GridSearchCV(SVC(), {'C': [1]}, verbose=2)",
        "cross_val_score(SVC(probability=True), X, y)",
        "cross_val_score(SVC(), X, y, scoring=mine)",
        "cross_val_score(unknown, X, y)",
    ],
)
def test_a_call_whose_results_may_depend_on_workers_stays(source: str, installed: Packages) -> None:
    assert rewritten(MoreJobs({1}, ()), IMPORTS, source, packages=installed)[1] == source


def test_only_slow_cells_and_what_they_use_get_more_jobs(installed: Packages) -> None:
    made = "a = RandomForestClassifier()\nb = RandomForestClassifier()"
    cells = rewritten(MoreJobs({2}, {"a"}), IMPORTS, made, "a.fit(X, y)", packages=installed)
    assert cells[1] == "a = RandomForestClassifier(n_jobs=-1)\nb = RandomForestClassifier()"


def test_a_file_is_read_once(installed: Packages) -> None:
    cells = rewritten(RepeatedReads({1}), f"{IMPORTS}a = pd.read_csv('t.csv')", "b = pd.read_csv('t.csv')", packages=installed)
    assert cells[0].endswith("a = pd.read_csv('t.csv')\na_as_read = a.copy()")
    assert cells[1] == "b = a_as_read.copy()"


@pytest.mark.parametrize(
    "between", ["a.to_csv('t.csv')", "!curl -o t.csv x", "open('t.csv', 'w')", "%%bash\nrm t.csv", "Path('t.csv').touch()"]
)
def test_a_file_that_may_have_changed_is_read_again(between: str, installed: Packages) -> None:
    cells = f"{IMPORTS}a = pd.read_csv('t.csv')", between, "b = pd.read_csv('t.csv')"
    assert rewritten(RepeatedReads({2}), *cells, packages=installed) == list(cells)


def test_other_arguments_are_another_read(installed: Packages) -> None:
    cells = f"{IMPORTS}a = pd.read_csv('t.csv')", "b = pd.read_csv('t.csv', nrows=3)"
    assert rewritten(RepeatedReads({1}), *cells, packages=installed) == list(cells)


GROWS = "d = pd.DataFrame()\nfor i in range(3):\n    p = pd.DataFrame([{'i': i}])\n    d = pd.concat([d, p], ignore_index=True)\n"


def test_a_growing_frame_is_joined_once(installed: Packages) -> None:
    assert rewritten(ConcatOnce({1}), IMPORTS, GROWS, packages=installed)[1] == (
        "d = pd.DataFrame()\nd_parts = [d]\nfor i in range(3):\n    p = pd.DataFrame([{'i': i}])\n    d_parts.append(p)\n"
        "d = pd.concat(d_parts, ignore_index=True)\n"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("p = pd.DataFrame([{'i': i}])", "p = pd.DataFrame([{'i': len(d)}])"),
        ("p = pd.DataFrame([{'i': i}])", "p = cache[i]"),
        ("p = pd.DataFrame([{'i': i}])", "p = pd.DataFrame([{'i': i}])\n    kept.append(p)"),
        ("d = pd.DataFrame()", "d = pd.read_csv('t.csv')"),
        ("d = pd.DataFrame()", "def f():\n    return len(d)\nd = pd.DataFrame()"),
        ("ignore_index=True)", "axis=1)"),
    ],
)
def test_a_loop_that_is_not_surely_the_same_stays(old: str, new: str, installed: Packages) -> None:
    source = GROWS.replace(old, new)
    assert rewritten(ConcatOnce({1}), IMPORTS, source, packages=installed)[1] == source


class _Frame:
    type_name = "pandas.DataFrame"

    def __init__(self, types: dict[str, str], rows: int = 5) -> None:
        self.column_dtypes = types
        self.shape = (rows, len(types))


I, F, S = "int64", "float64", "str"  # noqa: E741 (dtypes)


@pytest.mark.parametrize(
    ("body", "types", "equal"),
    [
        ("r['a'] + r['b']", {"a": I, "b": I}, True),
        ("r['a'] + r['b']", {"a": F, "b": F, "s": S}, True),
        ("r['a'] / r['b']", {"a": F, "b": F}, True),
        # In these a row's numbers are of another type than the column's, or Python's own.
        ("r['a'] + r['b']", {"a": I, "b": F}, False),
        ("r['a'] + r['b']", {"a": I, "b": I, "s": S}, False),
        ("r['a'] / r['b']", {"a": F, "b": F, "s": S}, False),
        ("r['a'] > 1 and not r['b'] < 2", {"a": I, "b": I, "s": S}, True),
        ("r['a'] + r['b']", {"a": S, "b": S}, False),
        ("r['a'] + r['b']", {"a": "Int64", "b": "Int64"}, False),
    ],
)
def test_types_decide_whether_rows_may_become_columns(body: str, types: dict[str, str], *, equal: bool) -> None:
    program = Program(notebook(f"d['x'] = d.apply(lambda r: {body}, axis=1)"), {})
    (found,) = find_row_applies(program, frozenset({0}))
    assert found.proven(_Frame(types)) is equal
    assert not found.proven(_Frame(types, rows=0))


@pytest.mark.parametrize(
    "source",
    [
        "d['x'] = d.apply(lambda r: f(r['a']), axis=1)",
        "d['x'] = d.apply(lambda r: r['a'] ** 2, axis=1)",
        "d['x'] = d.apply(lambda r: r['a'] + k, axis=1)",
        "d['x'] = d.apply(lambda r: r['a'] + r['b'])",
        "d['x'] = d.apply(lambda r: r['a'] / 0, axis=1)",
        "x = d.apply(lambda r: r['a'] * 2, axis=1)",
        "for i in s:\n    d['x'] = d.apply(lambda r: r['a'] + r['b'], axis=1)",
    ],
)
def test_other_row_functions_stay(source: str) -> None:
    assert not list(find_row_applies(Program(notebook(source), {}), frozenset({0})))


def test_slow_is_what_was_stopped_or_took_a_tenth() -> None:
    profile = (CellRun(0, "ok", 0.5), CellRun(1, "ok", 2), CellRun(2, "ok", 20), CellRun(3, "timed-out", 1.5))
    assert [cell.index for cell in slow_cells(profile)] == [2, 3]


def test_a_longer_budget_is_computed_from_the_profile() -> None:
    stopped = Execution("timed-out", (CellRun(0, "ok", 20), CellRun(1, "timed-out", 40)))
    unknown = longer_budget(notebook("a", "b"), stopped, 60)
    assert "cell 1 40 s and was stopped" in unknown
    assert unknown.endswith("timeout: {notebook: 180}")
    told = longer_budget(notebook("a", "b", metadata={"papermill": {"duration": 10.0}}), stopped, 60)
    assert "about 40 s" in told
    assert told.endswith("timeout: {notebook: 120}")
    assert not longer_budget(notebook("a"), Execution("finished"), 60)


def test_durations_are_read_as_notebooks_store_them() -> None:
    times = {"iopub.execute_input": "2020-01-01T00:00:00.000Z", "shell.execute_reply": "2020-01-01T00:00:12.500Z"}
    assert recorded_seconds({"execution": times}) == pytest.approx(12.5)
    assert recorded_seconds({"execution": {"iopub.execute_input": 3}}) is None


START = (
    "import time\nimport numpy as np\nimport pandas as pd\n"
    "d = pd.DataFrame({'a': np.arange(1_500_000.0), 'b': np.arange(1_500_000.0)})"
)
SLOW = (
    START,
    "d['c'] = d.apply(lambda row: row['a'] + row['b'], axis=1)",
    "print('score: %.1f' % d['c'].mean())",
)


@pytest.mark.timeout(240)
def test_a_timed_out_notebook_is_sped_up_and_proven(tmp_path: Path) -> None:
    result, _ = fixed(tmp_path, SLOW, "score: 1499999.0\n", seconds=6)
    assert result["before"]["verdict"] == "timed-out"
    assert result["after"]["verdict"] == "reproduced"
    (fix,) = result["repair"]["fixes"]
    assert (fix["kind"], fix["origin"], fix["cells"]) == ("runtime-reduction", "recipe:rows-to-columns", [1])


@pytest.mark.timeout(240)
def test_what_cannot_be_sped_up_gets_an_offer_and_stays(tmp_path: Path) -> None:
    result, notes = fixed(tmp_path, ("import time", "time.sleep(30)", "print(1)"), "1\n", seconds=3)
    assert result["after"] is None
    assert result["before"]["verdict"] == "timed-out"
    assert result["repair"]["attempts"][0]["outcome"] == "no-effect"
    assert any("timeout: {notebook: 60}" in note for note in notes)


def fixed(tmp_path: Path, sources: tuple[str, ...], output: str, *, seconds: int) -> tuple[dict[str, Any], list[str]]:
    """Run the real command on a notebook whose last cell has a stored output."""
    document = json.loads(notebook(*sources).to_bytes())
    document["cells"][-1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": [output]}]
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "n.ipynb").write_text(json.dumps(document, indent=1))
    command = [sys.executable, "-m", "modernizer", "fix", str(repo), "--out", str(tmp_path / "out"), "--model", "none"]
    subprocess.run([*command, "--timeout", str(seconds)], check=False, capture_output=True, timeout=220)
    data = json.loads((tmp_path / "out" / "results.json").read_text())
    return data["notebooks"][0], data["notes"]
