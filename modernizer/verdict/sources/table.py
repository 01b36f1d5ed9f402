"""Tables in files: read as text, and brought together by their ids with every mismatch said in plain words."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from modernizer.verdict.graders.labels import Label, label

MOST_BYTES = 256_000_000
_LONGEST_FIELD = 16_000_000


class NotGradedError(ValueError):
    """Why a file can't be graded, in plain words."""


@dataclass(frozen=True)
class Table:
    """A CSV file with a header; ``name`` is what messages call it."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def column(self, name: str) -> list[str]:
        """Return the fields of a column. NotGradedError when there is none."""
        if name not in self.columns:
            shown = ", ".join(self.columns[:10])
            raise NotGradedError(f"{self.name} has no column {name!r}; it has {shown}")
        place = self.columns.index(name)
        return [row[place] for row in self.rows]


def read_table(name: str, content: bytes) -> Table:
    """Read a file with commas, semicolons or tabs and one header line. NotGradedError when it is none."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotGradedError(f"{name} is no text in UTF-8") from None
    head = text.partition("\n")[0]
    delimiter = next((sign for sign in ",;\t" if sign in head), ",")
    csv.field_size_limit(_LONGEST_FIELD)
    rows: list[tuple[str, ...]] = []
    columns: tuple[str, ...] = ()
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        for fields in reader:
            if not fields:
                continue
            if not columns:
                columns = tuple(field.strip() for field in fields)
            elif len(fields) != len(columns):
                raise NotGradedError(f"line {reader.line_num} of {name} has {len(fields)} fields instead of {len(columns)}")
            else:
                rows.append(tuple(fields))
    except csv.Error as error:
        raise NotGradedError(f"line {reader.line_num} of {name} can't be read: {error}") from None
    if not rows:
        raise NotGradedError(f"{name} has no rows")
    return Table(name, columns, tuple(rows))


@dataclass(frozen=True)
class Pairs:
    """The answers' and the submission's fields row by row, for the columns to be graded."""

    answer_columns: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...]
    columns: tuple[str, ...]
    predicted: tuple[tuple[str, ...], ...]


def pair(submission: Table, answers: Table, *, id_column: str | None, target: str | None) -> Pairs:
    """Bring the rows together: by their ids, or in their order when no id column is named. NotGradedError says what is off."""
    wanted = _target_columns(answers, id_column, target)
    graded = _graded_columns(submission, wanted, id_column)
    order = _order(submission, answers, id_column)
    truth = zip(*(answers.column(name) for name in wanted), strict=True)
    predicted = list(zip(*(submission.column(name) for name in graded), strict=True))
    return Pairs(wanted, tuple(truth), graded, tuple(predicted[place] for place in order))


def _target_columns(answers: Table, id_column: str | None, target: str | None) -> tuple[str, ...]:
    if target is not None:
        answers.column(target)
        return (target,)
    return tuple(name for name in answers.columns if name != id_column)


def _graded_columns(submission: Table, wanted: Sequence[str], id_column: str | None) -> tuple[str, ...]:
    """Take the columns named as in the answers, else, for one target, all that the submission has."""
    there = [name for name in wanted if name in submission.columns]
    if len(there) == len(wanted):
        return tuple(there)
    others = tuple(name for name in submission.columns if name != id_column)
    if len(wanted) == 1 and others:
        return others
    missing = [name for name in wanted if name not in there]
    raise NotGradedError(f"{submission.name} has no column {missing[0]!r}; it has {', '.join(submission.columns[:10])}")


def _order(submission: Table, answers: Table, id_column: str | None) -> list[int]:
    """Return, for each row of the answers, the row of the submission."""
    if id_column is None:
        if len(submission.rows) != len(answers.rows):
            raise NotGradedError(
                f"{submission.name} has {len(submission.rows)} rows and {answers.name} {len(answers.rows)}; "
                "name the id column to bring them together"
            )
        return list(range(len(answers.rows)))
    places, wanted = _ids(submission, id_column), _ids(answers, id_column)
    missing = [shown for key, (_, shown) in wanted.items() if key not in places]
    if missing:
        raise NotGradedError(
            f"{submission.name} lacks {len(missing)} of the {len(wanted)} ids of {answers.name}, the first is {missing[0]}"
        )
    surplus = [shown for key, (_, shown) in places.items() if key not in wanted]
    if surplus:
        raise NotGradedError(f"{submission.name} has {len(surplus)} ids that {answers.name} lacks, the first is {surplus[0]}")
    return [places[key][0] for key in wanted]


def _ids(table: Table, column: str) -> dict[Label, tuple[int, str]]:
    found: dict[Label, tuple[int, str]] = {}
    for place, text in enumerate(table.column(column)):
        key = label(text)
        if key in found:
            raise NotGradedError(f"{table.name} has the id {text.strip()} twice")
        found[key] = place, text.strip()
    return found
