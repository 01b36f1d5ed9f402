"""Scores whose source is configured, or marked by the notebook's author: cell tags and scrapbook's records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from modernizer.config import ScoreSource
from modernizer.config_values import Tolerance
from modernizer.execution.outcome import Execution
from modernizer.notebook import Notebook
from modernizer.verdict.equivalence import MACHINE_FLOOR, PROBABILITY_FLOOR, Direction, agreement
from modernizer.verdict.outcome import Score
from modernizer.verdict.scores import RecordedScore, printed_scores, recorded_scores
from modernizer.verdict.sources.found import Found
from modernizer.verdict.sources.pattern import find_pattern
from modernizer.verdict.sources.scrapbook import scraps
from modernizer.verdict.sources.tag import cell_numbers, find_tag, tagged_cells
from modernizer.verdict.vocabulary import is_excluded, is_probability_of_chance, is_skill

_Outputs = Mapping[int, Sequence[Mapping[str, Any]]]
_SKILL_GRADERS = frozenset({"r2", "quadratic-kappa"})


def configured_scores(
    notebook: Notebook, execution: Execution, sources: Sequence[ScoreSource], *, tolerance: Tolerance
) -> tuple[Score, ...]:
    """Return a score for each source. Its record is ``expected``, else the stored outputs' value; without one it isn't judged.

    ``notebook`` holds the stored outputs.
    """
    stored = _stored(notebook)
    return tuple(_configured(source, notebook, stored, execution, tolerance) for source in sources)


def marked_scores(notebook: Notebook, execution: Execution, *, tolerance: Tolerance) -> tuple[Score, ...]:
    """Return the scores of tagged cells and scrapbook's records; none when the author marked none."""
    stored = _stored(notebook)
    found: list[Score] = []
    for cell, name in tagged_cells(notebook):
        then, now = cell_numbers(stored.get(cell, ())), cell_numbers(execution.outputs.get(cell, ()))
        for place in range(max(len(then), len(now), 1)):
            label = name if max(len(then), len(now)) <= 1 else f"{name}[{place}]"
            pair = [replace(side[place], cell=cell) if place < len(side) else None for side in (then, now)]
            missing = Found(None, f"cell {cell} shows {len(now)} numbers", cell=cell)
            found.append(_score(label, "tag", pair[0], pair[1] or missing, tolerance=tolerance))
    glued, again = scraps(stored), scraps(execution.outputs)
    for name in dict.fromkeys([*glued, *again]):
        if not is_excluded(name):
            now_glued = again.get(name, Found(None, "not recorded in this run"))
            found.append(_score(name, "scrapbook", glued.get(name), now_glued, tolerance=tolerance))
    return tuple(found)


def _configured(source: ScoreSource, notebook: Notebook, stored: _Outputs, execution: Execution, tolerance: Tolerance) -> Score:
    then, now = _then_and_now(source, notebook, stored, execution)
    if source.expected is not None:
        then = Found(source.expected, "", _resolution(source.expected), then.cell if then else None)
    elif then is not None and then.value is None:
        then = None
    given = source.tolerance or tolerance
    shown = source.kind if source.kind != "file" else f"{source.from_}, {source.grader}"
    return _score(
        source.name, shown, then, now, tolerance=given, direction=source.direction or "both", grader=source.grader or ""
    )


def _then_and_now(source: ScoreSource, notebook: Notebook, stored: _Outputs, execution: Execution) -> tuple[Found | None, Found]:
    match source.kind:
        case "output" if source.pattern:
            return find_pattern(source.pattern, stored), find_pattern(source.pattern, execution.outputs)
        case "output":
            named = _named(source.name, notebook)
            return named, _printed(source.name, execution.outputs)
        case "tag":
            cells = list(tagged_cells(notebook))
            return find_tag(source.name, cells, stored), find_tag(source.name, cells, execution.outputs)
        case "scrapbook":
            missing = Found(None, f"nothing is recorded as {source.name!r}")
            return scraps(stored).get(source.name), scraps(execution.outputs).get(source.name, missing)
    measured = execution.measured.get(source.name)
    now = Found(measured.value, measured.note) if measured else Found(None, "the notebook did not reach its end")
    names = {source.name, source.variable or ""} if source.kind == "variable" else ()
    return next((found for name in names if name and (found := _named(name, notebook, only=True))), None), now


def _named(name: str, notebook: Notebook, *, only: bool = False) -> Found | None:
    """Return the last recorded score of this name; with ``only`` none unless there is just one."""
    fitting: list[RecordedScore] = [one for one in recorded_scores(notebook) if one.name.lower() == name.lower()]
    if not fitting or (only and len(fitting) > 1):
        return None
    last = fitting[-1]
    return Found(last.recorded, "", last.resolution, last.cell)


def _printed(name: str, outputs: _Outputs) -> Found:
    read = [(cell, reading) for cell in sorted(outputs) for reading in printed_scores(outputs[cell])]
    fitting = [(cell, reading) for cell, reading in read if reading.name.lower() == name.lower()]
    if not fitting:
        return Found(None, f"nothing is printed as {name!r}; give a pattern")
    cell, reading = fitting[-1]
    return Found(reading.value, "", reading.resolution, cell)


def _score(
    name: str,
    source: str,
    then: Found | None,
    now: Found,
    *,
    tolerance: Tolerance,
    direction: Direction = "both",
    grader: str = "",
) -> Score:
    cell = next((side.cell for side in (then, now) if side is not None and side.cell is not None), None)
    if then is None or then.value is None:
        return Score(name, source, None, now.value, 0.0, None, cell, note=now.note)
    judged = agreement(
        then.value,
        now.value,
        tolerance=tolerance,
        resolution=then.resolution,
        floor=PROBABILITY_FLOOR if is_probability_of_chance(name) else MACHINE_FLOOR,
        scale=1.0 if grader in _SKILL_GRADERS or (not grader and is_skill(name)) else 0.0,
        direction=direction,
    )
    return Score(name, source, then.value, now.value, judged.half_width, judged.agrees, cell, note=now.note, direction=direction)


def _stored(notebook: Notebook) -> _Outputs:
    return {cell.index: cell.outputs for cell in notebook.code_cells}


def _resolution(expected: float) -> float:
    """Return half of the last digit as it was written: 0.779 stands for 0.7785 to 0.7795; whole numbers are exact."""
    mantissa, _, exponent = repr(expected).partition("e")
    decimals = len(mantissa.partition(".")[2]) if not mantissa.endswith(".0") else 0
    power = int(exponent or 0) - decimals
    return 0.5 * 10.0**power if power < 0 else 0.0
