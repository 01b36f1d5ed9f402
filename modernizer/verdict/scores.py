"""Recorded scores, read from a notebook's stored outputs without configuration, and the same places in a new run."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from modernizer.config_values import Tolerance
from modernizer.execution.outcome import Execution
from modernizer.notebook import Cell, Notebook
from modernizer.verdict.equivalence import DEFAULT_TOLERANCE, MACHINE_FLOOR, PROBABILITY_FLOOR, agreement
from modernizer.verdict.expressions import printed_names, result_values, score_name
from modernizer.verdict.numbers import Number, numbers, plain, unwrapped
from modernizer.verdict.outcome import Score
from modernizer.verdict.output_text import displayed, written
from modernizer.verdict.readings import Reading, labelled, numbered
from modernizer.verdict.vocabulary import is_probability_of_chance, is_skill

Place = Literal["text", "result", "bare"]
_ROUNDED = re.compile(r"\bround|\bformat\b|%[\s.\d]*[a-z(]|:\s*\.\d")
_ROUNDED_EVERYWHERE = re.compile(r"set_printoptions|%precision|float_format|display\.precision")
_ARRAY_RESOLUTION = 5e-9  # numpy shows eight decimals
_MOST_LINES = 20


@dataclass(frozen=True)
class RecordedScore:
    """A score in the stored outputs: found by cell, place, name and ``occurrence`` among equal names of the cell.

    ``text`` is printed with its name; ``result`` is the displayed value of a cell and ``bare`` what a cell prints when that is
    nothing but numbers: ``occurrence`` then counts the numbers.
    ``resolution`` is half of the last printed digit.
    """

    name: str
    recorded: float
    resolution: float
    cell: int
    place: Place = "text"
    occurrence: int = 0


def recorded_scores(notebook: Notebook) -> tuple[RecordedScore, ...]:
    """List the scores of the stored outputs, in the order of the cells; a notebook that never ran has none."""
    everywhere = any(_ROUNDED_EVERYWHERE.search(cell.source) for cell in notebook.code_cells)
    return tuple(
        score
        for cell in notebook.code_cells
        if cell.outputs
        for score in _of_cell(cell, rounded=everywhere or bool(_ROUNDED.search(cell.source)))
    )


def compare(
    notebook: Notebook,
    execution: Execution,
    *,
    tolerance: Tolerance = DEFAULT_TOLERANCE,
    recorded: Sequence[RecordedScore] | None = None,
) -> tuple[Score, ...]:
    """Set every recorded score beside its value in a new run.

    ``notebook`` holds the stored outputs; give ``recorded`` when its sources have been patched since they were read.
    """
    scores = recorded_scores(notebook) if recorded is None else recorded
    stored = {cell.index: cell.outputs for cell in notebook.code_cells}
    new = {index: _CellNumbers(execution.outputs.get(index, ()), stored.get(index, ())) for index in {s.cell for s in scores}}
    return tuple(_compared(score, new[score.cell], tolerance) for score in scores)


def _compared(score: RecordedScore, cell: _CellNumbers, tolerance: Tolerance) -> Score:
    floor = PROBABILITY_FLOOR if is_probability_of_chance(score.name) else MACHINE_FLOOR
    scale = abs(1 - score.recorded) if is_skill(score.name) else 0.0
    judge = functools.partial(
        agreement, score.recorded, tolerance=tolerance, resolution=score.resolution, floor=floor, scale=scale
    )
    value = cell.value(score)
    judged = judge(value)
    if not judged.agrees and (other := cell.by_position(score)) is not None:
        moved = judge(other)
        value, judged = (other, moved) if moved.agrees or value is None else (value, judged)
    return Score(
        name=score.name,
        source="output",
        recorded=score.recorded,
        value=value,
        tolerance=judged.half_width,
        agrees=judged.agrees,
        cell=score.cell,
    )


class _CellNumbers:
    """The numbers of one cell's outputs in the new run, by name and by position."""

    def __init__(self, outputs: Sequence[Mapping[str, Any]], stored: Sequence[Mapping[str, Any]]) -> None:
        self._result = [number.value for number in _result_numbers(outputs)]
        self._bare = [number.value for number in numbers(unwrapped(plain(written(outputs))))]
        self._named = {(reading.name, reading.occurrence): reading.value for reading in _readings(outputs)}
        self._all = _every_number(outputs)
        self._stored = _every_number(stored)

    def value(self, score: RecordedScore) -> float | None:
        """Find the value at the recorded place."""
        if score.place != "text":
            values = self._result if score.place == "result" else self._bare
            return values[score.occurrence] if score.occurrence < len(values) else None
        return self._named.get((score.name, score.occurrence))

    def by_position(self, score: RecordedScore) -> float | None:
        """Find the value that stands where the recorded one stood, when both runs printed equally many numbers.

        A new layout (a tuple instead of words, a named scalar type) changes no values and no order.
        """
        if score.recorded not in self._stored or len(self._stored) != len(self._all):
            return None
        return self._all[self._stored.index(score.recorded)] if self._stored.count(score.recorded) == 1 else None


def printed_scores(outputs: Sequence[Mapping[str, Any]]) -> list[Reading]:
    """Return the scores that the outputs of one cell name, displayed values without a name left out."""
    return _readings(outputs)


def _of_cell(cell: Cell, *, rounded: bool) -> Iterator[RecordedScore]:
    """Read the scores of one cell. ``rounded`` says that displayed numbers may have lost digits: else they have them all."""
    for reading in _readings(cell.outputs):
        yield RecordedScore(reading.name, reading.value, reading.resolution, cell.index, "text", reading.occurrence)
    values = _result_numbers(cell.outputs)
    named = ((score_name(cell.source), values),) if values else ()
    sources: tuple[tuple[Place, tuple[tuple[str, list[Number]], ...]], ...] = (("bare", _bare_lines(cell)), ("result", named))
    for place, lines in sources:
        position = 0
        for name, line in lines:
            for order, number in enumerate(line):
                if name:
                    label = name if len(line) == 1 else f"{name}[{order}]"
                    resolution = number.resolution if rounded else min(number.resolution, _ARRAY_RESOLUTION)
                    yield RecordedScore(label, number.value, resolution, cell.index, place, position)
                position += 1


def _bare_lines(cell: Cell) -> tuple[tuple[str, list[Number]], ...]:
    """Name the lines of a cell that prints nothing but numbers by its print calls: ``print(accuracy_score(y, p))``."""
    lines = [line for line in unwrapped(plain(written(cell.outputs))).splitlines() if line.strip()]
    values = [result_values(line) for line in lines]
    if not lines or len(lines) > _MOST_LINES or not all(values):
        return ()
    names = printed_names(cell.source)
    if len(names) == 1:
        names *= len(lines)  # one print in a loop, or an array over several lines
    return tuple(zip(names, values, strict=True)) if len(names) == len(lines) else ()


def _readings(outputs: Sequence[Mapping[str, Any]]) -> list[Reading]:
    return numbered([reading for text in _printed(outputs) for reading in labelled(text)])


def _result_numbers(outputs: Sequence[Mapping[str, Any]]) -> list[Number]:
    texts = [text for output in outputs if output.get("output_type") == "execute_result" and (text := displayed(output))]
    return result_values(texts[-1]) if texts else []


def _printed(outputs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Give the printed texts of a cell: standard output as one, then each displayed text that isn't a bare value."""
    if text := written(outputs):
        yield text
    for output in outputs:
        shown = displayed(output)
        if shown and not result_values(shown):
            yield shown


def _every_number(outputs: Sequence[Mapping[str, Any]]) -> list[float]:
    texts = [written(outputs), *map(displayed, outputs)]
    return [number.value for text in texts for number in numbers(unwrapped(plain(text)))]
