"""Recipes whose changes keep the old meaning only together: leaving one out would raise nothing and give other values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from modernizer.repair.program import Key
from modernizer.repair.recipe import CodemodRecipe, Scope, Unit


class KeptWholeRecipe(CodemodRecipe):
    """A recipe that changes all units in one piece, of which minimising drops nothing."""

    def rewrite_all(self, units: Mapping[Key, Unit], scope: Scope) -> dict[Key, str]:
        """Run the transformer over every unit that holds one of the words."""
        changes: dict[Key, str] = {}
        for key, unit in units.items():
            if self.words and not any(word in unit.source for word in self.words):
                continue
            new = self.rewrite(unit, replace(scope, unit=key, imports=[]))
            if new is not None:
                changes[key] = new
        return changes
