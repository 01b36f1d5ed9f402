"""Each metric against what scikit-learn gives for the same data in the kernel environment, and properties of its own."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modernizer.environment.model import Environment
from modernizer.process import run
from modernizer.verdict.graders import classification, masks, ranking, regression
from modernizer.verdict.graders.labels import label

_ASKED = """
import json, sys, warnings
import numpy as np
from sklearn import metrics as m
warnings.simplefilter("ignore")
data = json.load(sys.stdin)
t, p, many, guess, odds, x, y = (data[key] for key in ("truth", "score", "many", "guess", "odds", "x", "y"))
hard = [int(v > 0.5) for v in p]
print(json.dumps({
    "accuracy": m.accuracy_score(many, guess),
    "f1": m.f1_score(t, hard),
    "f1-macro": m.f1_score(many, guess, average="macro"),
    "f1-weighted": m.f1_score(many, guess, average="weighted"),
    "auc": m.roc_auc_score(t, p),
    "log-loss": m.log_loss(t, p),
    "log-loss-many": m.log_loss(many, np.array(odds)),
    "kappa": m.cohen_kappa_score(many, guess, weights="quadratic"),
    "rmse": m.root_mean_squared_error(x, y),
    "mse": m.mean_squared_error(x, y),
    "mae": m.mean_absolute_error(x, y),
    "rmsle": m.root_mean_squared_log_error(x, y),
    "r2": m.r2_score(x, y),
}))
"""


def _data() -> dict[str, Any]:
    dice = random.Random(7)  # noqa: S311 - numbers for a table
    odds = [[dice.random() + 0.01 for _ in range(3)] for _ in range(80)]
    return {
        "truth": [dice.randint(0, 1) for _ in range(80)],
        "score": [round(dice.random(), 1) for _ in range(80)],  # with ties, 0 and 1
        "many": [dice.randint(0, 2) for _ in range(80)],
        "guess": [dice.randint(0, 2) for _ in range(80)],
        "odds": [[value / sum(row) for value in row] for row in odds],
        "x": [dice.uniform(0, 9) for _ in range(80)],
        "y": [dice.uniform(0, 9) for _ in range(80)],
    }


def test_every_metric_is_scikit_learns(kernel_environment: Environment) -> None:
    data = _data()
    told = run([str(kernel_environment.python), "-c", _ASKED], timeout=120, input=json.dumps(data))
    truth, score, many, guess, x, y = (data[key] for key in ("truth", "score", "many", "guess", "x", "y"))
    assert {
        "accuracy": classification.accuracy(many, guess),
        "f1": classification.f1(truth, [int(value > 0.5) for value in score], 1),
        "f1-macro": classification.f1_macro(list(map(float, many)), list(map(float, guess))),
        "f1-weighted": classification.f1_weighted(many, guess),
        "auc": classification.auc(list(map(bool, truth)), score),
        "log-loss": classification.log_loss(truth, [(1 - value, value) for value in score]),
        "log-loss-many": classification.log_loss(many, data["odds"]),
        "kappa": classification.quadratic_kappa(list(map(float, many)), list(map(float, guess))),
        "rmse": regression.rmse(x, y),
        "mse": regression.mse(x, y),
        "mae": regression.mae(x, y),
        "rmsle": regression.rmsle(x, y),
        "r2": regression.r2(x, y),
    } == pytest.approx(json.loads(told.stdout), rel=1e-12)


@pytest.mark.parametrize(
    ("truth", "ranked", "k", "expected"),
    [
        ([["a"]], [["a", "b"]], 5, 1.0),
        ([["a"]], [["b", "a"]], 5, 0.5),
        ([["a"]], [["b", "c", "a"]], 2, 0.0),
        ([["a", "b"]], [["a", "c", "b"]], 3, (1 + 2 / 3) / 2),
        ([["a", "b"]], [["a", "a", "b"]], 3, (1 + 2 / 3) / 2),
        ([["a"], ["x"]], [["a"], ["b"]], 1, 0.5),
    ],
)
def test_average_precision_counts_hits_by_place(truth: list[list[str]], ranked: list[list[str]], k: int, expected: float) -> None:
    assert ranking.mean_average_precision(truth, ranked, k) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("truth", "predicted", "expected"),
    [("1 4", "1 4", 1.0), ("1 4", "3 4", 0.5), ("", "", 1.0), ("", "1 1", 0.0), ("1 2 10 2", "2 9", 2 * 2 / 13)],
)
def test_dice_of_runs(truth: str, predicted: str, expected: float) -> None:
    assert masks.dice([masks.parse_runs(truth)], [masks.parse_runs(predicted)]) == pytest.approx(expected)


@pytest.mark.parametrize("text", ["1", "1 0", "a b", "1 5 3 2"])
def test_what_is_no_mask_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"pairs|overlap|invalid literal"):
        masks.parse_runs(text)


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=2).filter(lambda rows: len({row[0] for row in rows}) == 2))
def test_auc_is_the_share_of_ordered_pairs(rows: list[tuple[bool, float]]) -> None:
    high, low = [s for t, s in rows if t], [s for t, s in rows if not t]
    share = sum((a > b) + (a == b) / 2 for a in high for b in low) / len(high) / len(low)
    assert classification.auc([t for t, _ in rows], [s for _, s in rows]) == pytest.approx(share)


@given(st.lists(st.sampled_from([0.0, 1.0, 2.0, "a"]), min_size=1))
def test_what_equals_the_truth_has_the_best_score(truth: list[float | str]) -> None:
    assert classification.accuracy(truth, truth) == 1
    assert classification.f1_macro(truth, truth) == 1
    assert classification.quadratic_kappa(truth, truth) == 1


@pytest.mark.parametrize(
    ("text", "value"), [("1", 1.0), ("1.0", 1.0), ("True", 1.0), (" false ", 0.0), ("a", "a"), ("nan", "nan")]
)
def test_one_label_has_many_spellings(text: str, value: float | str) -> None:
    assert label(text) == value


def test_a_probability_of_zero_for_the_truth_is_finite() -> None:
    assert math.isfinite(classification.log_loss([0], [(0.0, 1.0)]))
