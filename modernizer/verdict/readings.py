"""Scores in printed text: a metric-like name and the number after it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from math import isfinite

from modernizer.verdict.numbers import Number, numbers, plain, unwrapped
from modernizer.verdict.vocabulary import is_excluded, is_metric, is_weak_metric, last_metric_end

_LONGEST = 200_000  # characters of one output that are read
_LONGEST_LABEL = 80
_LONGEST_LIST = 20  # more numbers than this are predictions or a curve, not scores
_LONGEST_SERIES = 10  # more lines of one name than this are a training log: its end counts
_PROGRESS = re.compile(
    r"\[[=>.#\s-]{5,}\]|\d+%\s*\||\bETA\b|it/s|^\[(?:CV|Parallel|LightGBM)|Warning\b|Wall time|CPU times|per loop|^\s*File \""
    r"|^\s*(?:Value|Key|Type|Name|Attribute|Index|Import|ModuleNotFound|Runtime|OS|IO|ZeroDivision|Assertion|Syntax)Error:",
)
_ESTIMATOR = re.compile(r"\b[A-Z]\w+\((?=\s*\w+=)")
_PIECES = re.compile(r"[,;|\t()\[\]{}]|\s{2,}|\s-\s")
_SEPARATOR = re.compile(r"[:=≈~→]|->|\b(?:is|was|are)\b")
_OWN_KEY = re.compile(r"(?:[=]|['\"]\s*:)\s*$")
_FILLER = re.compile(r"[\s'\"(\[]*(?:[A-Za-z_'/&.-]+\s*,?\s*){0,5}['\",\s(\[]*$")
_LIST_GAP = re.compile(r"[\s,()\[\]]*")
_STEP = re.compile(
    r"\s*(?:\[\d+\]|\d+%|\W{0,3}(?:epochs?|iter(?:ation)?|steps?|rounds?|batch|minibatch|generation|info)\b)", re.IGNORECASE
)
_TIME = re.compile(r"\b(?:times?|elapsed|took|seconds?|duration)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Reading:
    """A named number found in an output; ``occurrence`` counts equal names within the cell from 0."""

    name: str
    value: float
    resolution: float
    occurrence: int = 0
    step: bool = False  # a line of a training log


def labelled(text: str) -> list[Reading]:
    """Read the scores that a text names: ``accuracy: 0.93``, ``('acc', 0.9)``, ``Scores: [0.9 0.8]``, classification reports."""
    text = unwrapped(_without_estimators(_without_progress(plain(text[:_LONGEST]))))
    rest, found = _reports(text)
    found += _in_prose(rest)
    return found


def numbered(readings: list[Reading]) -> list[Reading]:
    """Count equal names within one cell; of a long series, a training log, only the last line is kept."""
    totals = Counter(reading.name for reading in readings)
    seen: defaultdict[str, int] = defaultdict(int)
    kept: list[Reading] = []
    for reading in readings:
        seen[reading.name] += 1
        if totals[reading.name] <= _LONGEST_SERIES and not reading.step:
            kept.append(replace(reading, occurrence=seen[reading.name] - 1))
        elif seen[reading.name] == totals[reading.name]:
            kept.append(replace(reading, occurrence=0, step=False))
    return kept


def _without_progress(text: str) -> str:
    return "\n".join("" if _PROGRESS.search(line) else line for line in text.split("\n"))


def _without_estimators(text: str) -> str:
    """Blank the reprs of estimators: their parameters (``loss='ls', max_depth=3``) are settings."""
    while match := _ESTIMATOR.search(text):
        depth, end = 0, match.end() - 1
        for end in range(match.end() - 1, len(text)):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            if not depth:
                break
        text = text[: match.start()] + " " + text[end + 1 :]
    return text


_REPORT_HEAD = re.compile(r"^\s*precision\s+recall\s+f1-score\s+support\s*$")
_REPORT_ROW = re.compile(r"^\s*(?P<label>\S.*?)\s{2,}(?P<values>\d\.\d+(?:\s+\d\.\d+)*)\s+\d+\s*$")
_REPORT_NAMES = {"avg / total": "weighted avg"}


def _reports(text: str) -> tuple[str, list[Reading]]:
    """Split scikit-learn's classification reports off a text and read their accuracy and average rows."""
    rest: list[str] = []
    found: list[Reading] = []
    inside = False
    for line in text.split("\n"):
        if _REPORT_HEAD.match(line):
            inside = True
        elif inside and (row := _REPORT_ROW.match(line)):
            label = _REPORT_NAMES.get(row["label"], row["label"])
            if label in {"accuracy", "micro avg", "macro avg", "weighted avg"}:
                names = (
                    ["accuracy"] if label == "accuracy" else [f"{label} {name}" for name in ("precision", "recall", "f1-score")]
                )
                found += [Reading(name, n.value, n.resolution) for name, n in zip(names, numbers(row["values"]), strict=False)]
        elif not inside or line.strip():
            inside = False
            rest.append(line)
    return "\n".join(rest), found


def _in_prose(text: str) -> list[Reading]:
    found: list[Reading] = []
    members: list[Reading] = []
    edge, line_start, in_list = 0, 0, False
    for number in numbers(text):
        newline = text.rfind("\n", 0, number.start) + 1
        between = text[edge : number.start]
        if in_list and between and _LIST_GAP.fullmatch(between):
            members.append(Reading(f"{members[0].name}[{len(members)}]", number.value, number.resolution))
            edge = number.end
            continue
        found += _closed(members)
        members, in_list = [], False
        if newline > line_start or edge < newline:
            edge, line_start = max(edge, newline), newline
        gap = text[edge : number.start]
        name = _label(gap, number) or (_label_above(text, newline, number) if edge == newline else "")
        if name:
            step = bool(_STEP.match(text, newline))
            members = [Reading(name, number.value, number.resolution, step=step)]
            in_list = gap.rstrip().endswith(("[", "(")) or not gap.strip()
            edge = number.end
    return found + _closed(members)


def _closed(members: list[Reading]) -> list[Reading]:
    return members if len(members) <= _LONGEST_LIST else []


def _label(gap: str, number: Number) -> str:
    """Name the score that a number is, from the text between it and the number before; empty when it is none."""
    pieces = [(match.start(), match.end()) for match in re.finditer(r"[^\0]+", _PIECES.sub(lambda m: "\0" * len(m.group()), gap))]
    pieces = [(start, end) for start, end in pieces if re.search(r"[\w²]", gap[start:end])][-4:]
    for rank, (start, end) in enumerate(reversed(pieces)):
        skipped = max((inner.end for inner in numbers(gap[start:end]) if is_metric(gap[start + inner.end : end])), default=0)
        piece, tail = gap[start + skipped : end], gap[start + skipped :]
        opened = _opened(gap, start + skipped, [begin for begin, _ in pieces])
        if is_metric(piece):
            rest = tail[last_metric_end(tail) :] if rank == 0 else tail[last_metric_end(piece) :]
            return _tidy(gap[opened:]) if _introduces(rest, number) and not _TIME.search(tail) else ""
        if rank == 0 and is_weak_metric(piece) and re.search(r"[:=]\s*[\[(]*\s*$", tail):
            return _tidy(gap[opened:]) if not number.integer and not is_excluded(tail) else ""
        if _OWN_KEY.search(piece) or is_excluded(re.split(r"\d", piece)[-1]):
            return ""
    return ""


def _opened(gap: str, start: int, starts: list[int]) -> int:
    """Begin a label with the word that a bracket belongs to: ``Prob (F-statistic)``, ``Accuracy (test)``."""
    if not re.search(r"\w\s?\($", gap[:start]):
        return start
    return max((begin for begin in starts if begin < start), default=start)


def _introduces(rest: str, number: Number) -> bool:
    """Tell whether the text after the metric word leads to this number and to no other thing."""
    last = re.split(r"\d", rest)[-1]
    if is_excluded(last):
        return False
    if _SEPARATOR.search(rest):
        return True
    return not number.integer and isfinite(number.value) and bool(_FILLER.match(rest))


def _label_above(text: str, line_start: int, number: Number) -> str:
    """Name a number that stands alone in its line from the line above: ``Accuracy:`` over ``0.93``."""
    end = text.find("\n", number.end)
    line = text[line_start : end if end >= 0 else len(text)]
    above = text[:line_start].rstrip("\n").rpartition("\n")[2].strip()
    if not above or len(above) > _LONGEST_LABEL or numbers(above) or re.search(r"[A-Za-z]{2}", line) or number.integer:
        return ""
    fits = is_metric(above) and not is_excluded(above) and not _TIME.search(above)
    return (
        _tidy(above) if fits and (above.endswith((":", "=")) or last_metric_end(above) >= len(above.rstrip(" .'\"")) - 6) else ""
    )


def _tidy(label: str) -> str:
    """Reduce a label to its words: lower case, no quotes, brackets or closing separators."""
    label = re.sub(r"['\"`*\[\](){}]|[:=≈~→>]+\s*$", " ", label.lower())
    label = re.sub(r"\s+", " ", label).strip(" :=,;.-~|>%")
    return label[-60:].strip()
