"""The drift facts of one program: what changed in what it uses, as far as its own calls are concerned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from modernizer.drift.compare import Comparison, Fact
from modernizer.drift.dates import NotebookDate
from modernizer.drift.known import behaviours, has_effect
from modernizer.drift.uses import Place, Use, positional_names
from modernizer.drift.worlds import Worlds


@dataclass(frozen=True)
class PlacedFact:
    """A fact with the cells and modules that it concerns."""

    fact: Fact
    places: tuple[Place, ...]


@dataclass(frozen=True)
class NotebookDrift:
    """What changed for one notebook: its date, the releases then and now by package, the facts, what could not be told."""

    path: str
    date: NotebookDate
    releases: Mapping[str, tuple[str, str]]
    facts: tuple[PlacedFact, ...]
    notes: tuple[str, ...]


def facts_for(found: Iterable[Use], worlds: Worlds) -> tuple[PlacedFact, ...]:
    """List the changes that concern the uses, by package and symbol."""
    by_symbol: dict[str, list[Use]] = {}
    for use in found:
        by_symbol.setdefault(use.symbol, []).append(use)
    placed: list[PlacedFact] = []
    for symbol, all_uses in sorted(by_symbol.items()):
        comparison = worlds.compare(symbol)
        if comparison is None:
            continue
        for fact in (*comparison.facts, *_behaviours(symbol, all_uses, worlds)):
            places = [use.unit for use in all_uses if concerns(fact, use, comparison)]
            if places:
                placed.append(PlacedFact(fact, tuple(dict.fromkeys(places))))
    return tuple(_without_parts(placed))


def concerns(fact: Fact, use: Use, comparison: Comparison) -> bool:
    """Tell whether a fact touches a use: a default that it left out, an argument that it gives, a symbol that it names."""
    if fact.kind in {"removed", "moved"}:
        return True
    if not use.call:
        return False
    if fact.kind == "behaviour-changed":
        return True
    signature = comparison.old.signature or ()
    given = use.gives(fact.parameter, signature)
    if fact.kind == "default-changed":
        return use.open or not given
    if fact.kind == "keyword-only":
        return fact.parameter in positional_names(signature)[: use.positional]
    return given or (fact.kind == "parameter-removed" and has_effect(fact.package, fact.parameter))


def _behaviours(symbol: str, all_uses: list[Use], worlds: Worlds) -> list[Fact]:
    package = worlds.package_of(symbol)
    if package is None or not any(use.call for use in all_uses):
        return []
    then, now = worlds.then[package].version, worlds.now[package].version
    return [
        Fact(package, symbol, "behaviour-changed", new=change.since, says=change.says)
        for change in behaviours(package, [symbol], then, now)
    ]


def _without_parts(placed: list[PlacedFact]) -> list[PlacedFact]:
    """Leave out what is gone only because its module is, where the module itself is named too."""
    gone = {item.fact.symbol for item in placed if item.fact.kind == "removed"}
    return [item for item in placed if item.fact.kind != "removed" or item.fact.symbol.rpartition(".")[0] not in gone]
