from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modernizer.verdict.expressions import printed_names, result_values, score_name
from modernizer.verdict.numbers import numbers
from modernizer.verdict.readings import labelled, numbered

SCORES = [
    ("accuracy: 0.93", [("accuracy", 0.93)]),
    ("5 folds, accuracy 0.9333", [("accuracy", 0.9333)]),
    ("('acc', 0.9)", [("acc", 0.9)]),
    ("('acc', 0.9, 'auc', 0.8)", [("acc", 0.9), ("auc", 0.8)]),
    ("('acc', np.float64(0.97))", [("acc", 0.97)]),
    ("Accuracy on test set: 93.2%", [("accuracy on test set", 93.2)]),
    ("RMSE: 61.476\nR2: 0.3074", [("rmse", 61.476), ("r2", 0.3074)]),
    ("mean 0.019332 rmse: 0.978917", [("rmse", 0.978917)]),
    ("mean of b: 0.0634", [("mean of b", 0.0634)]),
    ("{'max_depth': 4} best accuracy: 0.9508", [("best accuracy", 0.9508)]),
    ("r2 = 0.9818", [("r2", 0.9818)]),
    ("R^2 score is 0.5", [("r^2 score is", 0.5)]),
    ("accuracy at step 10: 0.93", [("accuracy at step 10", 0.93)]),
    ("Accuracy: 0.95 (+/- 0.03)", [("accuracy", 0.95)]),
    ("val_accuracy=0.81 val_loss=1.2e-3", [("val_accuracy", 0.81), ("val_loss", 0.0012)]),
    ("AUC (5-fold CV) = 0.9", [("auc 5-fold cv", 0.9)]),
    ("The mean squared error of our forecasts is 22993.58", [("the mean squared error of our forecasts is", 22993.58)]),
    ("Scores: [0.9 0.8\n 0.7]", [("scores", 0.9), ("scores[1]", 0.8), ("scores[2]", 0.7)]),
    ("Scores: [np.float64(0.9), np.float64(0.8)]", [("scores", 0.9), ("scores[1]", 0.8)]),
    ("Accuracy:\n0.93", [("accuracy", 0.93)]),
    ("R-squared:                       0.612", [("r-squared", 0.612)]),
    ("Df Model:       1   Prob (F-statistic):   1.2e-80", [("prob f-statistic", 1.2e-80)]),
    ("Log-Likelihood:   -1641.5", [("log-likelihood", -1641.5)]),
    ("accuracy    0.93\nauc         0.91\ndtype: float64", [("accuracy", 0.93), ("auc", 0.91)]),
    ("\x1b[32maccuracy: 0.9\x1b[0m", [("accuracy", 0.9)]),
    ("training 1/5\raccuracy: 0.9", [("accuracy", 0.9)]),
    ("score: nan", [("score", None)]),
]

NO_SCORES = [
    "Wall time: 3.2 s",
    "accuracy computed, took 3.2 s",
    "scoring time: 0.5",
    "fit in 12.5 seconds, error bars drawn",
    "CPU times: user 1.2 s, sys: 0.1 s, total: 1.3 s",
    "10 loops, best of 3: 12.5 ms per loop",
    "<sklearn.metrics.scorer at 0x7f3a2c>",
    "accuracy logged on 2016-01-02 10:30",
    "score version 1.2.3",
    "{'C': 1.0, 'gamma': 0.1}",
    "GradientBoostingRegressor(alpha=0.9, loss='ls', max_depth=3, tol=0.0001)",
    "GridSearchCV(cv=5, error_score=nan, estimator=SVC(C=1.0), verbose=0)",
    "60000/60000 [==============================] - 4s 70us/step - loss: 0.3 - acc: 0.91",
    "error at row 10",
    "first 9.0080 last -12.4780",
    "months 14 first 9.0080",
    "mean    3.5\nstd     1.2\nName: a, dtype: float64",
    "ValueError: shapes (3,) and (2,)",
    "numbers between 0.5 and 0.7",
    "score_cleanliness    NaN",
    "max. precision: {'class_weight': {1: 50}}",
]


@pytest.mark.parametrize(("text", "expected"), SCORES, ids=[text[:30] for text, _ in SCORES])
def test_a_metric_name_before_a_number_makes_a_score(text: str, expected: list[tuple[str, float | None]]) -> None:
    found = [(reading.name, None if reading.value != reading.value else reading.value) for reading in labelled(text)]
    assert found == expected


@pytest.mark.parametrize("text", NO_SCORES)
def test_times_settings_addresses_and_counts_are_no_scores(text: str) -> None:
    assert labelled(text) == []


def test_old_and_new_classification_reports_name_their_averages_alike() -> None:
    old = """             precision    recall  f1-score   support

          0       1.00      0.95      0.97        20
          1       0.95      1.00      0.97        18

avg / total       0.98      0.97      0.97        38
"""
    new = """              precision    recall  f1-score   support

           0       1.00      0.95      0.97        20
           1       0.95      1.00      0.97        18

    accuracy                           0.97        38
   macro avg       0.97      0.97      0.97        38
weighted avg       0.98      0.97      0.97        38
"""
    assert [(r.name, r.value) for r in labelled(old)] == [
        ("weighted avg precision", 0.98),
        ("weighted avg recall", 0.97),
        ("weighted avg f1-score", 0.97),
    ]
    assert {(r.name, r.value) for r in labelled(old)} < {(r.name, r.value) for r in labelled(new)}


def test_of_a_training_log_only_the_end_counts() -> None:
    log = "\n".join(f"[{step}]\tvalid's rmse: {1 / step:.4f}" for step in range(10, 100, 10))
    found = numbered(labelled(log))
    assert [(reading.value, reading.occurrence) for reading in found] == [(0.0111, 0)]


def test_equal_names_are_counted_within_a_cell() -> None:
    found = numbered(labelled("ridge accuracy: 0.5\naccuracy: 0.6\naccuracy: 0.7"))
    assert [(reading.name, reading.occurrence) for reading in found] == [("ridge accuracy", 0), ("accuracy", 0), ("accuracy", 1)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("0.9333", [0.9333]),
        ("np.float64(0.97)", [0.97]),
        ("array(0.95)", [0.95]),
        ("'0.97'", [0.97]),
        ("array([0.9, 0.8])", [0.9, 0.8]),
        ("array([0.9, 0.8], dtype=float32)", [0.9, 0.8]),
        ("(np.float64(0.9), 1)", [0.9, 1.0]),
        ("(0.9, 1)", [0.9, 1.0]),
        ("array([ 1.        ,  0.93333333])", [1.0, 0.93333333]),
        ("nan", None),
        ("DecisionTreeClassifier(max_depth=3)", []),
        ("<Figure size 432x288 with 1 Axes>", []),
        ("0    0.5\ndtype: float64", []),
        ("[0.1, 0.2" + ", 0.3" * 30 + "]", []),
    ],
)
def test_a_displayed_value_counts_when_it_is_nothing_but_numbers(text: str, values: list[float] | None) -> None:
    found = [number.value for number in result_values(text)]
    assert found == values if values is not None else len(found) == 1


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("model.score(X, y)", "score"),
        ("accuracy_score(y, p)", "accuracy_score"),
        ("np.sqrt(mean_squared_error(y, p))", "mean_squared_error"),
        ("cross_val_score(m, X, y, cv=5).mean()", "mean cross_val_score"),
        ("grid.best_score_", "best_score_"),
        ("x = 1\ntest_accuracy", "test_accuracy"),
        ("(train_acc, test_acc)", "train_acc"),
        ("round(r2_score(y, p), 3)", "r2_score"),
        ("1 - rss / tss", "rss"),
        ("%matplotlib inline\nmodel.score(X, y)", "score"),
        ("print 'x'\nmodel.score(X, y)", "score"),  # Python 2
        ("scores.shape", ""),
        ("confusion_matrix(y, p)", ""),
        ("score = model.score(X, y)", ""),
        ("len(X)", ""),
        ("df.mean()", ""),
        ("", ""),
    ],
)
def test_the_last_expression_names_its_value(source: str, name: str) -> None:
    assert score_name(source) == name


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("print(metrics.accuracy_score(y, p))", ["accuracy_score"]),
        ("print metrics.accuracy_score(y, p)", ["accuracy_score"]),
        ("print(len(X))\nprint(scores.mean())", ["", "mean scores"]),
        ("for k in ks:\n    print(knn.score(X, y))", ["score"]),
        ("print('a', acc)", [""]),
    ],
)
def test_print_calls_name_bare_numbers(source: str, names: list[str]) -> None:
    assert printed_names(source) == names


@pytest.mark.parametrize(
    ("text", "resolution"),
    [("0.93", 0.005), ("0.9300", 0.00005), ("12", 0.0), ("93%", 0.5), ("1.", 0.0), ("1.2e-5", 5e-7), ("4.302e+04", 5.0)],
)
def test_the_resolution_is_half_of_the_last_printed_digit(text: str, resolution: float) -> None:
    assert numbers(text)[0].resolution == pytest.approx(resolution)


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_a_printed_float_is_read_back(value: float) -> None:
    assert [reading.value for reading in labelled(f"rmse: {value!r}")] == [value]
    assert [number.value for number in result_values(f"np.float64({value!r})")] == [value]


@given(st.text(max_size=300))
def test_no_text_makes_the_reader_fail(text: str) -> None:
    assert all(reading.name for reading in labelled(text))
    result_values(text)
