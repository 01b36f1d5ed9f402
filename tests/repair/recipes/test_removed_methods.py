"""Methods that pandas and numpy classes lost: what stands in their place gives what they gave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_FRAME = """import numpy as np
import pandas as pd
df = pd.DataFrame({'a': [3, 1, 2], 'b': [1.5, 2.5, 4.5]}, index=list('xyz'))
s = pd.Series([3.0, 1.0, 2.0], index=list('xyz'))
days = pd.Series(pd.to_datetime(['2016-01-01', '2016-01-04']))"""


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("df.as_matrix()", "df.values", [[3.0, 1.5], [1.0, 2.5], [2.0, 4.5]]),
        ("df.as_matrix(['b'])", "df[['b']].values", [[1.5], [2.5], [4.5]]),
        ("df.as_matrix(columns=['a'])", "df[['a']].values", [[3], [1], [2]]),
        ("(df + 1).as_matrix()", "(df + 1).values", [[4.0, 2.5], [2.0, 3.5], [3.0, 5.5]]),
        ("[c for c, _ in df.iteritems()]", "[c for c, _ in df.items()]", ["a", "b"]),
        ("df.applymap(lambda v: v * 2)['a']", "df.map(lambda v: v * 2)['a']", {"x": 6, "y": 2, "z": 4}),
        ("df.get_value('y', 'b')", "df.at['y', 'b']", 2.5),
        ("s.get_value('y')", "s.at['y']", 1.0),
        ("s.is_monotonic", "s.is_monotonic_increasing", False),
        ("s.order()", "s.sort_values()", {"y": 1.0, "z": 2.0, "x": 3.0}),
        ("s.order(ascending=False)", "s.sort_values(ascending=False)", {"x": 3.0, "z": 2.0, "y": 1.0}),
        ("s.reshape(-1, 1)", "s.values.reshape(-1, 1)", [[3.0], [1.0], [2.0]]),
        ("df['a'].reshape((3, 1))", "df['a'].values.reshape((3, 1))", [[3], [1], [2]]),
        ("s.ravel()", "s.values.ravel()", [3.0, 1.0, 2.0]),
        ("(s > 1).nonzero()", "(s > 1).values.nonzero()", [[0, 2]]),
        ("s.ptp()", "np.ptp(s)", 2.0),
        ("df.values.ptp(axis=0)", "np.ptp(df.values, 0)", [2.0, 3.0]),
        ("np.arange(3).ptp()", "np.ptp(np.arange(3))", 2),
        ("np.array([1], 'u1').tostring()", "np.array([1], 'u1').tobytes()", "b'\\x01'"),
        ("s.irow(1)", "s.iloc[1]", 1.0),
        ("df.icol(0)", "df.iloc[:, 0]", {"x": 3, "y": 1, "z": 2}),
        ("s.clip_upper(2.5)", "s.clip(upper=2.5)", {"x": 2.5, "y": 1.0, "z": 2.0}),
        ("s.mad()", "(s - s.mean()).abs().mean()", 2 / 3),
        ("df.mad(axis=1)", "df.sub(df.mean(axis=1), axis=1 - 1).abs().mean(axis=1)", {"x": 0.75, "y": 0.75, "z": 1.25}),
        (
            "df.lookup(['x', 'z'], ['b', 'a'])",
            "df.to_numpy()[df.index.get_indexer(['x', 'z']), df.columns.get_indexer(['b', 'a'])]",
            [1.5, 2.0],
        ),
        ("df.swapaxes(0, 1)['x']", "df.T['x']", {"a": 3.0, "b": 1.5}),
        ("df.get_dtype_counts().sum()", "df.dtypes.value_counts().sum()", 2),
        ("days.dt.weekday_name", "days.dt.day_name()", {"0": "Friday", "1": "Monday"}),
        ("days.dt.week.tolist()", "days.dt.isocalendar().week.tolist()", [53, 1]),
        ("days[1].weekday_name", "days[1].day_name()", "Monday"),
        ("pd.DatetimeIndex(days).weekofyear", "pd.DatetimeIndex(days).isocalendar().week.to_numpy(dtype=int)", [53, 1]),
        ("s.get_values()", "s.to_numpy()", [3.0, 1.0, 2.0]),
        ("pd.Categorical(list('aba')).labels.tolist()", "pd.Categorical(list('aba')).codes.tolist()", [0, 1, 0]),
        ("df.get_ftype_counts().sum()", "df.dtypes.value_counts().sum()", 2),
    ],
)
def test_a_removed_method_gives_what_it_gave(repair: Callable[..., Any], before: str, after: str, value: object) -> None:
    repaired = repair([_FRAME, f"r = {before}"])
    assert repaired.cells[1] == f"r = {after}"
    assert repaired.value("r") == pytest.approx(value) if isinstance(value, float) else repaired.value("r") == value


def test_all_cells_change_at_once_when_the_receiver_is_the_same_object(repair: Callable[..., Any]) -> None:
    repaired = repair([_FRAME, "a = s.reshape(-1, 1)", "b = np.arange(4).reshape(2, 2)", "c = s.reshape(3)"], rounds=1)
    assert repaired.cells[1:] == ["a = s.values.reshape(-1, 1)", "b = np.arange(4).reshape(2, 2)", "c = s.values.reshape(3)"]


def test_text_series_become_arrays_that_can_be_reshaped(repair: Callable[..., Any]) -> None:
    repaired = repair(["import pandas as pd\ns = pd.Series(['a', 'b'])", "r = s.reshape(2, 1)"])
    assert repaired.cells[1] == "r = s.to_numpy().reshape(2, 1)"
    assert repaired.value("r") == [["a"], ["b"]]


@pytest.mark.parametrize(
    "cell",
    [
        "r = sorted([2, 1])\nx = [3]\nx.append(1)",
        "class Own:\n    def order(self):\n        return 1\nr = Own().order()\nq = Own().reshape(1)",
        "class Own:\n    week = 3\nr = Own().week\nq = Own().weekday_name",
    ],
)
def test_other_objects_with_the_same_spelling_are_left_alone(repair: Callable[..., Any], cell: str) -> None:
    assert repair([_FRAME, cell]).cells[1] == cell


def test_a_name_local_to_a_function_is_not_taken_for_the_global_one(repair: Callable[..., Any]) -> None:
    cell = "def f(s):\n    return s.reshape(2, 1)\na = f(np.arange(2))\nb = s.reshape(3, 1)"
    assert repair([_FRAME, cell]).cells[1] == cell.replace("= s.reshape", "= s.values.reshape")


def test_a_method_on_a_continued_line_keeps_its_layout(repair: Callable[..., Any]) -> None:
    repaired = repair([_FRAME, "r = (s\n     .dropna()  # none here\n     .reshape(-1, 1))"])
    assert repaired.cells[1] == "r = (s\n     .dropna().values  # none here\n     .reshape(-1, 1))"


_MODELS = """import numpy as np
from html.parser import HTMLParser
from sklearn.ensemble import BaggingClassifier
from sklearn.feature_selection import RFECV
from sklearn.linear_model import LinearRegression, RidgeCV
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier
X, y = np.array([[1, 0], [0, 2], [3, 1], [1, 1]]), np.array([0, 1, 1, 0])"""


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        (
            "StandardScaler().fit(X).std_.tolist()",
            "StandardScaler().fit(X).scale_.tolist()",
            [1.0897247358851685, 0.7071067811865476],
        ),
        (
            "GaussianNB().fit(X, y).sigma_.round(3).tolist()",
            "GaussianNB().fit(X, y).var_.round(3).tolist()",
            [[0.0, 0.25], [2.25, 0.25]],
        ),
        (
            "RidgeCV(alphas=[1.0], store_cv_values=True).fit(X, y).cv_values_.shape",
            "RidgeCV(alphas=[1.0], store_cv_results=True).fit(X, y).cv_results_.shape",
            [4, 1],
        ),
        (
            "len(RFECV(LinearRegression(), cv=2).fit(X, y).grid_scores_)",
            "len(RFECV(LinearRegression(), cv=2).fit(X, y).cv_results_['mean_test_score'])",
            2,
        ),
        (
            "type(BaggingClassifier(DecisionTreeClassifier()).fit(X, y).base_estimator_).__name__",
            "type(BaggingClassifier(DecisionTreeClassifier()).fit(X, y).estimator_).__name__",
            "DecisionTreeClassifier",
        ),
    ],
)
def test_attributes_of_models_have_their_present_names(
    repair: Callable[..., Any], before: str, after: str, value: object
) -> None:
    repaired = repair([_MODELS, f"r = {before}"])
    assert repaired.cells[1] == f"r = {after}"
    assert repaired.value("r") == value


@pytest.mark.parametrize(
    ("cells", "expression", "value"),
    [
        (["nb = MultinomialNB().fit(X, y)", "r = nb.coef_"], "r.round(4)", [[-0.6931, -0.6931]]),
        (["nb = MultinomialNB().fit(X, [0, 1, 2, 2])", "r = nb.coef_.shape, nb.intercept_.shape"], "r", [[3, 2], [3]]),
        (["e = OneHotEncoder().fit([[0, 0], [1, 2]])", "r = e.n_values_, e.feature_indices_"], "r", [[2, 3], [0, 2, 5]]),
        (["p = HTMLParser()", "r = p.unescape('&lt;')"], "r", "<"),
    ],
)
def test_attributes_without_a_namesake_are_computed(
    repair: Callable[..., Any], cells: list[str], expression: str, value: object
) -> None:
    """scikit-learn 0.19.1 and Python 3.6 gave these values."""
    assert repair([_MODELS, *cells]).value(expression) == value
