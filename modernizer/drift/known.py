"""What signatures don't tell, from the shipped table: what a default stands for at a time, and changes of behaviour."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from packaging.version import InvalidVersion, Version

SENTINELS = frozenset({
    "'warn'", "'deprecated'", "'auto_deprecated'", "'default'", "lib.no_default", "no_default", "<no_default>", "_NoValue",
    "np._NoValue", "...", "_deprecate_parameter", "_UNSET", "_unset", "_Unset.token",
})  # fmt: skip
"""Defaults that only tell whether an argument was given; in a newer release they keep the meaning that held before."""


@dataclass(frozen=True)
class Behaviour:
    """A change that no argument brings back; ``equivalent`` names the code that does, if there is some."""

    symbol: str
    since: str
    says: str
    equivalent: str = ""


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(resources.files(__package__ or "").joinpath("known.toml").read_text(encoding="utf-8"))


def meaning(package: str, version: str, symbol: str, parameter: str, default: str) -> str | None:
    """Return the value that a default stands for in a release; None when it is a sentinel of unknown meaning."""
    told = _told(package, version, symbol, parameter, default)
    return told or (None if default in SENTINELS else default)


def is_told(package: str, version: str, symbol: str, parameter: str, default: str) -> bool:
    """Tell whether the meaning of a default comes from the table and not from itself."""
    return _told(package, version, symbol, parameter, default) is not None


def _told(package: str, version: str, symbol: str, parameter: str, default: str) -> str | None:
    leaf = symbol.rpartition(".")[2]
    rows = (row for row in _table()["meaning"] if row["package"] == package and row["parameter"] == parameter)
    fitting = (row for row in rows if leaf in row["symbols"] and default in row["values"] and _holds(row, version))
    return next((str(row["means"]) for row in fitting), None)


def has_effect(package: str, parameter: str) -> bool:
    """Tell whether a parameter's default can change a result."""
    return not any(row["package"] in {"*", package} and parameter in row["parameters"] for row in _table()["without_effect"])


def draws(package: str) -> bool:
    """Tell whether a package only draws."""
    return package in _table()["drawing"]["packages"]


def is_large(package: str) -> bool:
    """Tell whether a package is too large to be fetched for its signatures."""
    return package in _table()["large"]["packages"]


def behaviours(package: str, symbols: Iterable[str], then: str, now: str) -> list[Behaviour]:
    """List the changes of behaviour between two releases that concern these symbols."""
    rows = [
        row
        for row in _table()["behaviour"]
        if row["package"] == package and _before(then, row["since"]) and not _before(now, row["since"])
    ]
    return [
        Behaviour(symbol, row["since"], row["says"], row.get("equivalent", ""))
        for symbol in sorted(set(symbols))
        for row in rows
        if symbol.rpartition(".")[2] in row["symbols"]
    ]


def _holds(row: Mapping[str, Any], version: str) -> bool:
    if "since" in row and _before(version, row["since"]):
        return False
    return "before" not in row or _before(version, row["before"])


def _before(version: str, other: str) -> bool:
    try:
        return Version(version) < Version(other)
    except InvalidVersion:
        return False
