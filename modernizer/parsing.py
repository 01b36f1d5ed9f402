"""Python's own parser, for one thread at a time.

Before 3.11.8 and 3.12.2 CPython counts the depth of all trees that are being built in one place, so that two threads at once
can get a SystemError (gh-106905).
"""

from __future__ import annotations

import ast
import threading
from typing import Final

PARSER: Final = threading.Lock()
"""Held by whoever has Python build a syntax tree."""


def parse_python(source: str) -> ast.Module:
    """Parse a program. Raises as ``ast.parse`` does: SyntaxError, ValueError, RecursionError, MemoryError."""
    with PARSER:
        return ast.parse(source)  # noqa: TID251 - here is the place


def parse_expression(source: str) -> ast.Expression:
    """Parse one expression; raises as ``parse_python`` does."""
    with PARSER:
        return ast.parse(source, mode="eval")  # noqa: TID251 - as above
