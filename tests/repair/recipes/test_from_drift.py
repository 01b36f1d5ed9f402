"""Moves and arguments without an entry in a table: the releases then and now tell."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path

import nbformat
import pytest

from modernizer.drift.fetch import COMPILED_LIST
from modernizer.drift.surface import Surface
from modernizer.drift.worlds import Worlds
from modernizer.environment.installed import Installed
from modernizer.notebook import parse_notebook
from modernizer.repair.apply import Surroundings, apply_recipes
from modernizer.repair.program import Program
from modernizer.repair.recipes import all_recipes

THEN = {
    "sklearn/__init__.py": "",
    "sklearn/attic.py": "class StandardScaler:\n    def __init__(self, copy=True): ...\ndef clone(estimator, safe=True): ...\n",
    "sklearn/svm.py": (
        "class SVC:\n    def __init__(self, C=1.0, kernel='rbf', degree=3): ...\n    def fit(self, X, y, weights=None): ...\n"
    ),
    "sklearn/metrics.py": "def score(a, b, cut=1, groups=None): ...\ndef lost(a, b, cut=1): ...\n",
}
NOW = {
    "sklearn/__init__.py": "",
    "sklearn/base.py": "def clone(estimator, *, safe=True): ...\n",
    "sklearn/preprocessing/__init__.py": "from ._data import StandardScaler\n",
    "sklearn/preprocessing/_data.py": "class StandardScaler:\n    def __init__(self, *, copy=True): ...\n",
    "sklearn/svm.py": (
        "class SVC:\n    def __init__(self, *, C=1.0, kernel='rbf', degree=3): ...\n"
        "    def fit(self, X, y, sample_weight=None): ...\n"
    ),
    "sklearn/metrics.py": "def score(a, b, groups=None, cut=1): ...\ndef lost(a, b): ...\n",
}
Rewrite = Callable[[str], str]


@pytest.fixture
def rewrite(tmp_path: Path, installed: Installed) -> Rewrite:
    """Apply the two recipes that ask the drift facts."""
    surfaces = []
    for version, files in (("0.19.1", THEN), ("1.9.1", NOW)):
        archive = tmp_path / "sources" / f"scikit-learn-{version}.zip"
        archive.parent.mkdir(exist_ok=True)
        with zipfile.ZipFile(archive, "w") as packed:
            for name, source in files.items():
                packed.writestr(name, source)
            packed.writestr(COMPILED_LIST, "")
        surfaces.append(Surface("scikit-learn", version, archive))
    worlds = Worlds(date(2018, 6, 1), {"scikit-learn": surfaces[0]}, {"scikit-learn": surfaces[1]})
    recipes = [recipe for recipe in all_recipes() if recipe.name in {"moved-symbol", "signature-drift"}]

    def rewritten(source: str) -> str:
        node = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
        program = Program(parse_notebook(nbformat.writes(node).encode(), name="test.ipynb"), {})
        changed, fixes = apply_recipes(program, recipes, Surroundings(installed, drift=worlds))
        assert all("scikit-learn 0.19.1 and 1.9.1" in fix.source for fix in fixes)
        return changed.notebook.code_cells[0].source

    return rewritten


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "from sklearn.attic import StandardScaler\nStandardScaler()",
            "from sklearn.preprocessing import StandardScaler\nStandardScaler()",
        ),
        (
            "from sklearn.attic import StandardScaler, clone",
            "from sklearn.preprocessing import StandardScaler\nfrom sklearn.base import clone",
        ),
        (
            "from sklearn.svm import SVC\nSVC(2.0, 'linear')",
            "from sklearn.svm import SVC\nSVC(C=2.0, kernel='linear')",
        ),
        (
            "from sklearn.svm import SVC\nSVC().fit(X, y, weights=w)",
            "from sklearn.svm import SVC\nSVC().fit(X, y, sample_weight=w)",
        ),
        (
            "from sklearn.metrics import score\nscore(a, b, 2, g)",
            "from sklearn.metrics import score\nscore(a, b, cut=2, groups=g)",
        ),
    ],
)
def test_unambiguous_facts_repair(rewrite: Rewrite, before: str, after: str) -> None:
    assert rewrite(before) == after


@pytest.mark.parametrize(
    "source",
    [
        "from sklearn.preprocessing import StandardScaler\nStandardScaler()",
        "from sklearn.svm import SVC\nSVC(kernel='linear').fit(X, y, w)",
        "from sklearn.svm import SVC\nSVC(*options)",
        "from sklearn.metrics import lost\nlost(a, b, 2)",
        "from sklearn.metrics import score\nscore(a, b, cut=2)",
        "from sklearn.attic import nothing_known",
    ],
)
def test_what_works_or_is_not_told_stays(rewrite: Rewrite, source: str) -> None:
    assert rewrite(source) == source
