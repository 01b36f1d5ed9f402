"""Magics written with a space behind the percent sign, as IPython took them until version 7."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import ClassVar

from modernizer.magics import SPACED_MAGIC
from modernizer.repair.recipe import Scope, Unit

_MESSAGE = re.compile(r"Line magic function `%` not found")


class SpacedMagics:
    """``% matplotlib inline``."""

    name: ClassVar[str] = "magic-with-space"
    summary: ClassVar[str] = "IPython takes no space between the percent sign and a magic's name any more."
    since: ClassVar[str] = "IPython 7.0"
    source: ClassVar[str] = "IPython What's New 7.0 (new input transformation)"
    words: ClassVar[frozenset[str]] = frozenset({"% ", "%\t"})
    order: ClassVar[int] = 5
    confirmed: ClassVar[bool] = False
    at_end: ClassVar[bool] = False

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Close the gap in all magics once IPython has refused one; None when nothing changed."""
        failure = scope.failure
        if failure is None or not _MESSAGE.search(failure.error.message) or unit.masked is None:
            return None
        closed = tuple(f"%{spaced['magic']}" if (spaced := SPACED_MAGIC.fullmatch(text)) else text for text in unit.masked.hidden)
        if closed == unit.masked.hidden:
            return None
        scope.note("% magic → %magic")
        return replace(unit.masked, hidden=closed).unmask(unit.masked.code)


RECIPES = (SpacedMagics(),)
