"""Which renames drift facts allow an edit to make, in the form that the policy takes."""

from __future__ import annotations

from collections.abc import Iterable

from modernizer.drift.facts import PlacedFact


def allowed_renames(facts: Iterable[PlacedFact]) -> dict[str, str]:
    """Map moved names to their new places, and ``dotted(argument)`` to the argument's new name or to nothing when it is gone.

    ``dotted(argument=)`` leads to the default that an argument had, which an edit may write out.
    """
    renames: dict[str, str] = {}
    for fact in (item.fact for item in facts):
        if fact.kind == "moved":
            renames[fact.symbol] = fact.new
        elif fact.kind == "parameter-renamed?":
            renames[f"{fact.symbol}({fact.parameter})"] = fact.new
        elif fact.kind == "parameter-removed":
            renames.setdefault(f"{fact.symbol}({fact.parameter})", "")
        elif fact.kind == "default-changed":
            renames[f"{fact.symbol}({fact.parameter}=)"] = fact.meant or fact.old
    return renames
