"""How long a schedule in GitHub's cron syntax leaves between two runs."""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import pairwise

_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_RANGES = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
_PART = re.compile(r"(\*|(\d+)(?:-(\d+))?)(?:/(\d+))?")
# Eight years hold every distance between two days of a calendar that repeats.
_FIRST, _LOOKED_AT = date(2024, 1, 1), 8 * 366


def longest_gap(cron: str) -> timedelta | None:
    """Return the longest time between two runs in whole days, one at least; None where the text is no schedule."""
    named = cron.upper()
    for names, first in ((_MONTHS, 1), (_DAYS, 0)):
        for number, name in enumerate(names, start=first):
            named = re.sub(rf"\b{name}\b", str(number), named)
    fields = named.split()
    if len(fields) != len(_RANGES):
        return None
    sets = [_numbers(field, *bounds) for field, bounds in zip(fields, _RANGES, strict=True)]
    if not all(sets):
        return None
    _, _, days, months, weekdays = sets
    # Where both are given, either will do: so cron has it.
    either = not fields[2].startswith("*") and not fields[4].startswith("*")
    runs = []
    for offset in range(_LOOKED_AT):
        day = _FIRST + timedelta(days=offset)
        fits = [day.day in days, bool({day.isoweekday() % 7, day.isoweekday()} & weekdays)]
        if day.month in months and (any(fits) if either else all(fits)):
            runs.append(day)
    return max((later - earlier for earlier, later in pairwise(runs)), default=None)


def _numbers(field: str, low: int, high: int) -> frozenset[int]:
    """Read one field; an empty set where it can't be read."""
    found: set[int] = set()
    for part in field.split(","):
        read = _PART.fullmatch(part)
        if read is None:
            return frozenset()
        start = low if read[1] == "*" else int(read[2])
        end = high if read[1] == "*" or (read[4] and not read[3]) else int(read[3] or read[2])
        step = int(read[4] or 1)
        if not low <= start <= end <= high or not step:
            return frozenset()
        found |= set(range(start, end + 1, step))
    return frozenset(found)
