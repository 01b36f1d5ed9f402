"""All recipes in one go over a whole program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from modernizer.environment.installed import Installed
from modernizer.repair.apply import Surroundings, apply_recipes
from modernizer.repair.recipe import Scope, Unit
from modernizer.repair.recipes import all_recipes


class Faulty:
    """A recipe that can't deal with a program."""

    name: ClassVar[str] = "faulty"
    summary: ClassVar[str] = "Nothing."
    since: ClassVar[str] = ""
    source: ClassVar[str] = "test"
    words: ClassVar[frozenset[str]] = frozenset()
    order: ClassVar[int] = 1
    confirmed: ClassVar[bool] = False
    at_end: ClassVar[bool] = False

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        raise IndexError(f"{unit.key} of {scope.unit}")


def test_a_recipe_that_fails_costs_nothing_but_itself(
    program: Callable[..., Any], installed: Installed, caplog: pytest.LogCaptureFixture
) -> None:
    given = program(["import numpy as np\nx = np.float(3)"])
    repaired, fixes = apply_recipes(given, [Faulty(), *all_recipes()], Surroundings(installed))
    assert repaired.sources()[0] == "import numpy as np\nx = float(3)"
    assert [fix.origin for fix in fixes] == ["recipe:moved-symbol"]
    assert [record.getMessage() for record in caplog.records] == ["the recipe faulty failed and is left out"]
    caplog.clear()
