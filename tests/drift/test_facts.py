from __future__ import annotations

from collections.abc import Callable
from datetime import date

import libcst as cst
import pytest

from modernizer.drift.facts import facts_for
from modernizer.drift.surface import Surface
from modernizer.drift.uses import uses
from modernizer.drift.worlds import Worlds, packages_of
from modernizer.repair.scope import collect_names

Release = Callable[..., Surface]

THEN = {
    "sklearn/__init__.py": "",
    "sklearn/svm.py": (
        "class SVC:\n    def __init__(self, C=1.0, kernel='rbf', gamma='auto', shrinking=True): ...\n"
        "    def fit(self, X, y, w=None): ...\n"
    ),
    "sklearn/cross_validation.py": "def split(x, size=3): ...\ndef other(): ...\n",
}
NOW = {
    "sklearn/__init__.py": "",
    "sklearn/svm.py": (
        "class SVC:\n    def __init__(self, *, C=1.0, kernel='rbf', gamma='scale'): ...\n    def fit(self, X, y, v=None): ...\n"
    ),
    "sklearn/model_selection.py": "def split(x, size=3): ...\n",
}
IMPORT = "from sklearn.svm import SVC\n"


@pytest.fixture
def worlds(release: Release) -> Worlds:
    return Worlds(
        date(2018, 6, 1),
        {"scikit-learn": release(THEN, version="0.19.1")},
        {"scikit-learn": release(NOW, version="1.9.1")},
    )


def facts(worlds: Worlds, *cells: str) -> set[tuple[str, str, tuple[int | str, ...]]]:
    trees = [(index, cst.parse_module(cell)) for index, cell in enumerate(cells)]
    found = uses(trees, collect_names(trees))
    return {(item.fact.kind, item.fact.parameter or item.fact.symbol, item.places) for item in facts_for(found, worlds)}


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("SVC()", {("default-changed", "gamma"), ("parameter-removed", "shrinking")}),
        ("SVC(gamma=2, shrinking=False)", {("parameter-removed", "shrinking")}),
        (
            "SVC(1.0, 'rbf', 2, True)",
            {("keyword-only", "C"), ("keyword-only", "kernel"), ("keyword-only", "gamma"), ("parameter-removed", "shrinking")},
        ),
        ("SVC", set()),
        ("SVC(gamma=1).fit(X, y, w=2)", {("parameter-renamed?", "w"), ("parameter-removed", "shrinking")}),
    ],
)
def test_only_what_a_call_touches_is_told(worlds: Worlds, call: str, told: set[tuple[str, str]]) -> None:
    assert {(kind, name) for kind, name, _ in facts(worlds, IMPORT + call)} == told


def test_facts_name_the_cells_they_concern(worlds: Worlds) -> None:
    found = facts(worlds, IMPORT, "SVC(shrinking=True)", "SVC(gamma=1)", "a = SVC()")
    assert ("default-changed", "gamma", (1, 3)) in found


def test_moved_and_removed_names_are_told_once(worlds: Worlds) -> None:
    found = facts(worlds, "from sklearn.cross_validation import split, other\nimport sklearn.cross_validation")
    assert found == {
        ("moved", "sklearn.cross_validation.split", (0,)),
        ("removed", "sklearn.cross_validation", (0,)),
    }


def test_the_packages_of_names_come_from_the_import_table() -> None:
    assert packages_of(["sklearn.svm.SVC", "numpy.zeros", "os.path", "nobody_knows.this"]) == ("numpy", "scikit-learn")
