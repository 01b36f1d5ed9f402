"""Recipes that only an error of their kind calls for."""

from __future__ import annotations

import re
from typing import ClassVar

from modernizer.repair.recipe import CodemodRecipe, Scope, Unit


class FailureRecipe(CodemodRecipe):
    """A recipe that looks at a program only after an error of these names with such a message."""

    errors: ClassVar[frozenset[str]]
    message: ClassVar[re.Pattern[str]] = re.compile("")
    failing_unit_only: ClassVar[bool] = False

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Run the transformer when the error is one of this kind; None when it isn't or nothing changed."""
        failure = scope.failure
        if failure is None or failure.error.name not in self.errors or (self.failing_unit_only and unit.key != failure.unit):
            return None
        return super().rewrite(unit, scope) if self.message.search(failure.error.message) else None
