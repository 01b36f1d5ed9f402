"""Deterministic, tested code changes for known API changes: one module each, found by themselves."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from modernizer.repair.recipe import Recipe


@cache
def all_recipes() -> tuple[Recipe, ...]:
    """Return every recipe in the order in which they run: each module of this package lists its own in ``RECIPES``."""
    found: list[Recipe] = []
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        found.extend(getattr(module, "RECIPES", ()))
    return tuple(sorted(found, key=lambda recipe: (recipe.order, recipe.name)))
