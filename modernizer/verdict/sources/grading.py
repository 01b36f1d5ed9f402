"""Grade a submission against the answers with a named metric."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from modernizer.config_values import MAP_AT, SCIKIT_LEARN
from modernizer.verdict.graders import classification, masks, ranking, regression
from modernizer.verdict.graders.labels import Label, in_order, label
from modernizer.verdict.sources.table import NotGradedError, Pairs

Custom = Callable[[str, Sequence[Label], Sequence[Label]], float]
_TWO = 2


def grade(grader: str, pairs: Pairs, custom: Custom) -> float:
    """Return the metric's value. ``custom`` computes those of scikit-learn by name; NotGradedError says what is off."""
    if grader == "log-loss":
        return _log_loss(pairs)
    truth, predicted = _single(pairs)
    if found := MAP_AT.fullmatch(grader):
        lists = [text.split() for text in truth], [text.split() for text in predicted]
        return ranking.mean_average_precision(*lists, int(found[1]))
    if grader == "auc":
        labels = list(map(label, truth))
        positive = _two_classes(labels)[1]
        return classification.auc([one == positive for one in labels], _numbers(predicted))
    if grader == "dice":
        return _dice(truth, predicted)
    if grader in _NUMERIC:
        return _NUMERIC[grader](*_regression(grader, truth, predicted))
    labels, guesses = list(map(label, truth)), list(map(label, predicted))
    if grader.startswith(SCIKIT_LEARN):
        return custom(grader.removeprefix(SCIKIT_LEARN), labels, guesses)
    if grader == "f1":
        return classification.f1(labels, guesses, _two_classes([*labels, *guesses])[1])
    return _LABELS[grader](labels, guesses)


_NUMERIC: Mapping[str, Callable[[Sequence[float], Sequence[float]], float]] = {
    "rmse": regression.rmse,
    "mse": regression.mse,
    "mae": regression.mae,
    "rmsle": regression.rmsle,
    "r2": regression.r2,
}
_LABELS: Mapping[str, Callable[[Sequence[Label], Sequence[Label]], float]] = {
    "accuracy": classification.accuracy,
    "f1-macro": classification.f1_macro,
    "f1-weighted": classification.f1_weighted,
    "quadratic-kappa": classification.quadratic_kappa,
}


def _single(pairs: Pairs) -> tuple[list[str], list[str]]:
    for side, columns in (("the answers have", pairs.answer_columns), ("the submission has", pairs.columns)):
        if len(columns) != 1:
            raise NotGradedError(f"{side} {len(columns)} columns: {', '.join(columns[:10])}; name the target")
    return [row[0] for row in pairs.answers], [row[0] for row in pairs.predicted]


def _numbers(texts: Sequence[str], side: str = "the submission") -> list[float]:
    values = []
    for place, text in enumerate(texts, start=1):
        value = label(text)
        if isinstance(value, str):
            raise NotGradedError(f"row {place} of {side}: {text.strip()[:40]!r} is no number")
        values.append(value)
    return values


def _regression(grader: str, truth: Sequence[str], predicted: Sequence[str]) -> tuple[list[float], list[float]]:
    values = _numbers(truth, "the answers"), _numbers(predicted)
    if grader == "rmsle" and min(map(min, values)) <= -1:
        raise NotGradedError("rmsle needs values above -1")
    return values


def _two_classes(labels: Sequence[Label]) -> list[Label]:
    """Return the negative and the positive class; the larger one is positive."""
    classes = in_order(set(labels))
    if len(classes) != _TWO:
        raise NotGradedError(f"the metric needs two classes, here are {len(classes)}")
    return classes


def _log_loss(pairs: Pairs) -> float:
    rows = list(zip(*(_numbers(column) for column in zip(*pairs.predicted, strict=True)), strict=True))
    if any(not 0 <= value <= 1 for row in rows for value in row):
        raise NotGradedError("log-loss needs probabilities between 0 and 1")
    if len(pairs.answer_columns) > 1:
        answers = [[label(text) for text in row] for row in pairs.answers]
        if any(sorted(map(str, row)) != ["0.0"] * (len(row) - 1) + ["1.0"] for row in answers):
            raise NotGradedError("several target columns need exactly one 1 in each row")
        return classification.log_loss([row.index(1.0) for row in answers], rows)
    labels = [label(row[0]) for row in pairs.answers]
    if len(pairs.columns) == 1:
        positive = _two_classes(labels)[1]
        return classification.log_loss([int(one == positive) for one in labels], [(1 - row[0], row[0]) for row in rows])
    places = {label(name): place for place, name in enumerate(pairs.columns)}
    unknown = [one for one in labels if one not in places]
    if unknown:
        raise NotGradedError(f"the submission has no column for the class {unknown[0]}; it has {', '.join(pairs.columns[:10])}")
    return classification.log_loss([places[one] for one in labels], rows)


def _dice(truth: Sequence[str], predicted: Sequence[str]) -> float:
    """Take single 0 and 1 as one mask that is spread over the rows, anything else as runs, a mask a row."""
    labels = [label(text) for text in (*truth, *predicted)]
    if all(one in {0.0, 1.0} for one in labels):
        return classification.f1(labels[: len(truth)], labels[len(truth) :])
    try:
        return masks.dice([masks.parse_runs(text) for text in truth], [masks.parse_runs(text) for text in predicted])
    except ValueError as error:
        raise NotGradedError(f"a mask can't be read: {error}") from None
