"""Scores that a notebook recorded with scrapbook's ``glue`` or papermill's ``record``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from modernizer.verdict.sources.found import Found

_SCRAP = "application/scrapbook.scrap.json+json"
_RECORD = "application/papermill.record+json"


def scraps(outputs: Mapping[int, Sequence[Mapping[str, Any]]]) -> dict[str, Found]:
    """Return the recorded numbers by name; of one recorded twice the last."""
    found: dict[str, Found] = {}
    for cell in sorted(outputs):
        for output in outputs[cell]:
            data = output.get("data")
            for name, value in _records(data) if isinstance(data, Mapping) else ():
                if isinstance(name, str) and isinstance(value, int | float) and not isinstance(value, bool):
                    found[name] = Found(float(value), cell=cell)
    return found


def _records(data: Mapping[str, Any]) -> Iterator[tuple[object, object]]:
    scrap, record = data.get(_SCRAP), data.get(_RECORD)
    if isinstance(scrap, Mapping):
        yield scrap.get("name"), scrap.get("data")
    if isinstance(record, Mapping):
        yield from record.items()
