"""The drift of one notebook as a table for people and as JSON for programs."""

from __future__ import annotations

from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from modernizer.drift.compare import Fact
from modernizer.drift.facts import NotebookDrift, PlacedFact
from modernizer.report.text import one_line


def print_drift(drift: NotebookDrift, console: Console) -> None:
    """Print the facts as a table, the releases compared above it and what could not be told below it.

    ``console`` is one of ``terminal.make_console``, which shows text as it is.
    """
    if drift.date.day is None:
        console.print(f"{drift.path}: its date is unknown, so nothing is compared")
    else:
        console.print(f"{drift.path}: {drift.date.day.isoformat()} ({drift.date.origin}) and today")
        pairs = ", ".join(f"{name} {then} → {now}" for name, (then, now) in drift.releases.items())
        console.print(pairs or "no package to compare")
        if drift.facts:
            console.print(_table(drift))
        elif drift.releases:
            console.print("nothing that it uses changed")
    for note in drift.notes:
        console.print(f"note: {note}")


def drift_json(drift: NotebookDrift) -> dict[str, Any]:
    """Return the drift as plain data."""
    return {
        "path": drift.path,
        "as_of": drift.date.day.isoformat() if drift.date.day else None,
        "date_from": drift.date.origin,
        "packages": {name: {"then": then, "now": now} for name, (then, now) in drift.releases.items()},
        "facts": [_fact(placed) for placed in drift.facts],
        "notes": list(drift.notes),
    }


def _fact(placed: PlacedFact) -> dict[str, Any]:
    fact = placed.fact
    return {
        "package": fact.package,
        "symbol": fact.symbol,
        "kind": fact.kind,
        "parameter": fact.parameter or None,
        "then": fact.old or None,
        "now": fact.new or None,
        "meant": fact.meant if fact.meant != fact.old else None,
        "changes_results": fact.matters,
        "text": describe(fact),
        "places": list(placed.places),
    }


def _table(drift: NotebookDrift) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("symbol", "change", "cells"):
        table.add_column(heading, overflow="fold")
    for placed in drift.facts:
        row = (placed.fact.symbol, describe(placed.fact), ", ".join(map(str, placed.places)))
        table.add_row(*(Text(one_line(text)) for text in row))
    return table


def describe(fact: Fact) -> str:
    """Say a fact in a few words."""
    stood = f" (it stood for {fact.meant})" if fact.meant is not None and fact.meant != fact.old else ""
    match fact.kind:
        case "removed":
            return "removed"
        case "moved":
            return f"moved to {fact.new}"
        case "keyword-only":
            return f"{fact.parameter} by keyword only"
        case "parameter-removed":
            return f"{fact.parameter} removed" + (f" (its default was {fact.old}{stood})" if fact.old else "")
        case "parameter-renamed?":
            return f"{fact.old} renamed to {fact.new}?"
        case "default-changed":
            same = "" if fact.matters else ", the same in effect"
            return f"default of {fact.parameter}: {fact.old} → {fact.new}{stood}{same}"
        case "behaviour-changed":
            return fact.says
