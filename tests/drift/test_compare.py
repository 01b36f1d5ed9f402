from __future__ import annotations

from collections.abc import Callable

import pytest

from modernizer.drift.compare import compare
from modernizer.drift.known import SENTINELS, meaning
from modernizer.drift.surface import Surface

Release = Callable[..., Surface]


def kinds(
    release: Release, old: str, new: str, symbol: str = "pkg.f", *, versions: tuple[str, str] = ("0.19.1", "1.9.1")
) -> list[tuple[object, ...]]:
    then = release({"pkg/__init__.py": old}, version=versions[0])
    now = release({"pkg/__init__.py": new}, version=versions[1])
    return [(fact.kind, fact.parameter, fact.old, fact.new, fact.matters) for fact in compare(symbol, then, now).facts]


@pytest.mark.parametrize(
    ("old", "new", "facts"),
    [
        ("def f(a, b=1): ...", "def f(a, b=1): ...", []),
        ("def f(a, b=1): ...", "def f(a, b=2): ...", [("default-changed", "b", "1", "2", True)]),
        ("def f(a, b=0.001): ...", "def f(a, b=1e-3): ...", []),
        ("def f(a, b=1): ...", "def f(a, *, b=1): ...", [("keyword-only", "b", "", "", False)]),
        ("def f(a, b=1): ...", "def f(a): ...", [("parameter-removed", "b", "1", "", False)]),
        ("def f(a, b=1): ...", "def f(a, **more): ...", []),
        ("def f(a, b=1): ...", "def f(a, c=1): ...", [("parameter-renamed?", "b", "b", "c", False)]),
        (
            "def f(a, b=7, d=2): ...",
            "def f(a, c=7, e=3): ...",
            [("parameter-renamed?", "b", "b", "c", False), ("parameter-removed", "d", "2", "", False)],
        ),
        (
            "def f(a, b=None, d=2): ...",
            "def f(a, c=None): ...",
            [("parameter-removed", "b", "None", "", False), ("parameter-removed", "d", "2", "", False)],
        ),
        ("def f(a, b=1): ...", "def f(a, c=2): ...", [("parameter-removed", "b", "1", "", False)]),
        ("def f(a, n_jobs=1): ...", "def f(a, n_jobs=None): ...", [("default-changed", "n_jobs", "1", "None", False)]),
        ("def f(a, b=1): ...", "def f(a, b='deprecated'): ...", [("default-changed", "b", "1", "'deprecated'", False)]),
        ("def f(a): ...", "", [("removed", "", "", "", False)]),
        ("def f(a): ...", "def __getattr__(name): ...", []),
        ("from numpy import f", "", []),
    ],
)
def test_facts_of_two_signatures(release: Release, old: str, new: str, facts: list[tuple[object, ...]]) -> None:
    assert kinds(release, old, new) == facts


def test_a_moved_function_is_compared_at_its_new_place(release: Release) -> None:
    then = release({"pkg/__init__.py": "", "pkg/old.py": "def split(x, size=3): ...\n"}, version="0.1")
    now = release(
        {
            "pkg/__init__.py": "",
            "pkg/new/__init__.py": "from ._split import split\n",
            "pkg/new/_split.py": "def split(x, size=5): ...\n",
        }
    )
    facts = compare("pkg.old.split", then, now).facts
    assert [(fact.kind, fact.new) for fact in facts] == [("moved", "pkg.new.split"), ("default-changed", "5")]


def test_a_module_that_is_gone_counts_even_where_the_package_makes_up_names(release: Release) -> None:
    then = release({"pkg/__init__.py": "", "pkg/old.py": "def f(): ...\n"}, version="0.1")
    now = release({"pkg/__init__.py": "def __getattr__(name): ...\n"})
    assert [fact.kind for fact in compare("pkg.old", then, now).facts] == ["removed"]
    assert [fact.kind for fact in compare("pkg.old.f", then, now).facts] == ["removed"]


def test_a_name_of_today_is_found_where_it_stood_then(release: Release) -> None:
    then = release({"pkg/__init__.py": "", "pkg/old.py": "def f(cv=3): ...\n"}, version="0.1")
    now = release({"pkg/__init__.py": "", "pkg/new.py": "def f(cv=5): ...\n"})
    assert [(fact.old, fact.new) for fact in compare("pkg.new.f", then, now).facts] == [("3", "5")]


@pytest.mark.parametrize(
    ("version", "symbol", "parameter", "default", "means"),
    [
        ("0.20.3", "RandomForestClassifier", "n_estimators", "'warn'", "10"),
        ("0.20.3", "SVC", "gamma", "'auto_deprecated'", "'auto'"),
        ("0.19.1", "GridSearchCV", "cv", "None", "3"),
        ("1.9.1", "GridSearchCV", "cv", "None", "5"),
        ("0.19.1", "SGDClassifier", "max_iter", "None", "5"),
        ("1.9.1", "SGDClassifier", "max_iter", "None", "None"),
        ("0.20.3", "Unheard", "of", "'warn'", None),
        ("0.20.3", "Unheard", "of", "'rbf'", "'rbf'"),
    ],
)
def test_what_a_default_stood_for(version: str, symbol: str, parameter: str, default: str, means: str | None) -> None:
    assert meaning("scikit-learn", version, f"sklearn.any.{symbol}", parameter, default) == means


def test_sentinels_have_no_meaning_of_their_own() -> None:
    assert all(meaning("pandas", "1.0", "pandas.f", "x", sentinel) is None for sentinel in SENTINELS)


def test_the_same_default_with_another_meaning_is_a_change(release: Release) -> None:
    source = "def cross_val_score(estimator, X, y=None, cv=None): ...\n"
    facts = kinds(release, source, source, "pkg.cross_val_score")
    assert facts == [("default-changed", "cv", "None", "None", True)]
