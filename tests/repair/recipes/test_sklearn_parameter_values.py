"""Values that scikit-learn refuses when it fits, corrected by what the error says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

HEAD = "from sklearn.linear_model import SGDClassifier\nfrom sklearn.tree import DecisionTreeClassifier\n"
FLOAT = "The 'max_depth' parameter of DecisionTreeClassifier must be an int in the range [1, inf) or None. Got 5.0 instead."
LOG = "The 'loss' parameter of SGDClassifier must be a str among {'hinge', 'log_loss'}. Got 'log' instead."
STOP = "The 'stop_words' parameter of CountVectorizer must be an instance of 'list' or None. Got {'a'} instead."


@pytest.mark.parametrize(
    ("message", "old", "new"),
    [
        (FLOAT, "DecisionTreeClassifier(max_depth=5.0)", "DecisionTreeClassifier(max_depth=5)"),
        (FLOAT, "DecisionTreeClassifier(max_depth=n / 2)", "DecisionTreeClassifier(max_depth=int(n / 2))"),
        (FLOAT, "grid = dict(tree__max_depth=[2.0, 5.0, None])", "grid = dict(tree__max_depth=[2, 5, None])"),
        (FLOAT, "grid = {'max_depth': depths}", "grid = {'max_depth': [int(value) for value in depths]}"),
        (LOG, "for l in ['log', 'hinge']: SGDClassifier(loss=l)", "for l in ['log_loss', 'hinge']: SGDClassifier(loss=l)"),
        (LOG, "pipe.set_params(sgd__loss='log')", "pipe.set_params(sgd__loss='log_loss')"),
        (LOG, 'grid = {"clf__loss": ["log"]}', 'grid = {"clf__loss": ["log_loss"]}'),
        (
            STOP,
            "from sklearn.feature_extraction.text import CountVectorizer\nCountVectorizer(stop_words=words)",
            "from sklearn.feature_extraction.text import CountVectorizer\nCountVectorizer(stop_words=list(words))",
        ),
    ],
)
def test_the_refused_value_is_given_as_it_is_accepted(
    rewrite: Callable[..., Any], failure: Callable[..., Any], message: str, old: str, new: str
) -> None:
    refused = failure("InvalidParameterError", message, line=3)
    assert rewrite(HEAD + old, failure=refused, recipe="sklearn-parameter-values") == HEAD + new


def test_an_error_inside_failed_fits_is_read(rewrite: Callable[..., Any], failure: Callable[..., Any]) -> None:
    wrapped = failure("ValueError", f"\nAll the 500 fits failed.\n...\nsklearn.utils.InvalidParameterError: {LOG}\n", line=3)
    assert rewrite(HEAD + "make({'loss': ['log']})", failure=wrapped).endswith("make({'loss': ['log_loss']})")


@pytest.mark.parametrize("source", ["plot(loss='log')", "scale = {'axis': 'log'}", "DecisionTreeClassifier(max_depth=5)"])
def test_other_values_stay(rewrite: Callable[..., Any], failure: Callable[..., Any], source: str) -> None:
    assert rewrite(HEAD + source, failure=failure("InvalidParameterError", LOG, line=3)) == HEAD + source


def test_a_loop_over_floats_counts_again(repair: Callable[..., Any]) -> None:
    repaired = repair(
        [
            "import numpy as np\nfrom sklearn.datasets import load_iris\nfrom sklearn.tree import DecisionTreeClassifier",
            "X, y = load_iris(return_X_y=True)\nscores = []",
            "for depth in np.linspace(1, 3, 3):\n    scores += [DecisionTreeClassifier(max_depth=depth).fit(X, y).score(X, y)]",
        ]
    )
    assert repaired.value("scores") == pytest.approx([0.6667, 0.96, 0.9733], abs=1e-4)
