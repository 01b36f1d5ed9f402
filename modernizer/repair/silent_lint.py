"""Code whose result pandas 3 changes without an error: told where no score showed that it matters and it was left as it is.

Text columns are of dtype ``str``, so a test for ``object`` is false for them; datetimes count microseconds where they were
made from text, so dividing their integers by 10**9 no longer gives seconds (pandas What's New 3.0).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from packaging.version import InvalidVersion, Version

from modernizer.magics import plain
from modernizer.parsing import parse_python
from modernizer.repair.program import Program

_OBJECT = frozenset({"object", "O", "object_"})
_INTEGERS = frozenset({"int", "int64", "i8", "uint64"})
_NANOSECONDS = frozenset({10**9, 1e9, 10**6, 1e6})
_TEXT = "text columns are str in pandas 3, so this test for object is false for them; pandas.api.types.is_string_dtype tells them"
_TIME = "datetimes made from text count microseconds in pandas 3; .astype('datetime64[ns]') first gives nanoseconds again"


def silent_assumptions(program: Program, packages: Mapping[str, str]) -> tuple[str, ...]:
    """Say where a program assumes what pandas 3 changed silently; nothing when an older pandas is installed."""
    if not _is_pandas3(packages.get("pandas", "")) or not any("pandas" in source for source in program.sources().values()):
        return ()
    notes = []
    for key, source in program.sources().items():
        try:
            tree = parse_python(plain(source))
        except (SyntaxError, ValueError, RecursionError):
            continue
        place = f"cell {key}" if isinstance(key, int) else key
        notes += [f"{place}, line {line}: {what}" for line, what in _found(tree)]
    return tuple(notes)


def _found(tree: ast.Module) -> Iterator[tuple[int, str]]:
    # Tests for object beside one for str, as (dtypes == object) | (dtypes == 'str').
    both = {
        id(side)
        for node in ast.walk(tree)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr | ast.BitAnd) and "'str'" in ast.unparse(node.right)
        for side in (node.left, node.right)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq) and id(node) not in both:
            sides = (node.left, node.comparators[0])
            if any(_is_dtype(side) for side in sides) and any(_names(side) & _OBJECT for side in sides):
                yield node.lineno, _TEXT
        elif isinstance(node, ast.BinOp) and _is_seconds(node):
            yield node.lineno, _TIME


def _is_seconds(node: ast.BinOp) -> bool:
    """Tell the division of a datetime's integer by the nanoseconds of a second or a millisecond."""
    divides = isinstance(node.op, ast.Div | ast.FloorDiv)
    return divides and _constant(node.right) in _NANOSECONDS and _is_integer_of(node.left)


def _is_dtype(node: ast.expr) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "str" and len(node.args) == 1:
        node = node.args[0]
    node = node.value if isinstance(node, ast.Attribute) and node.attr == "name" else node
    node = node.value if isinstance(node, ast.Subscript) else node
    return isinstance(node, ast.Attribute) and node.attr in {"dtype", "dtypes"}


def _is_integer_of(node: ast.expr) -> bool:
    """Tell ``x.astype('int64')``, ``x.view('i8')`` and ``x.asi8``, with ``.values`` or without, unless the unit is said."""
    if any(unit in ast.unparse(node) for unit in ("datetime64[ns]", "timedelta64[ns]", "as_unit(")):
        return False
    if isinstance(node, ast.Attribute) and node.attr == "asi8":
        return True
    node = node.value if isinstance(node, ast.Attribute) and node.attr == "values" else node
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in {"astype", "view"}:
        return False
    return bool(node.args) and bool(_names(node.args[0]) & _INTEGERS)


def _names(node: ast.expr) -> frozenset[str]:
    """Return the last word of a name or the text of a constant."""
    match node:
        case ast.Name(id=word) | ast.Attribute(attr=word) | ast.Constant(value=str(word)):
            return frozenset({word})
        case _:
            return frozenset()


def _constant(node: ast.expr) -> float | None:
    match node:
        case ast.Constant(value=int(number) | float(number)):
            return number
        case ast.BinOp(left=ast.Constant(value=int(base)), op=ast.Pow(), right=ast.Constant(value=int(power))) if 0 < power < 20:  # noqa: PLR2004
            return float(base**power)
        case _:
            return None


def _is_pandas3(version: str) -> bool:
    try:
        return Version(version) >= Version("3")
    except InvalidVersion:
        return False
