"""What a program uses of the packages: the symbols it names and the calls it makes, with the arguments it left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import libcst as cst

from modernizer.drift.module_surface import Signature

Place = int | str
"""A cell index, or the path of a local module."""


class Meanings(Protocol):
    """What names mean in a program."""

    def qualified(self, node: cst.CSTNode | None, unit: Place) -> str | None:
        """Return the dotted name that an expression denotes through imports."""

    def type_of(self, node: cst.CSTNode | None, unit: Place) -> str | None:
        """Return the dotted class of the object that an expression gives, when the text proves it."""


@dataclass(frozen=True)
class Use:
    """A symbol named at a place; for a call its arguments. ``open`` calls spread sequences or mappings into arguments."""

    symbol: str
    unit: Place
    call: bool = False
    positional: int = 0
    keywords: frozenset[str] = frozenset()
    open: bool = False

    def gives(self, name: str, signature: Signature) -> bool:
        """Tell whether the call gives a parameter, or may give it."""
        if self.open or name in self.keywords:
            return True
        return name in positional_names(signature)[: self.positional]


def positional_names(signature: Signature) -> list[str]:
    """List the parameters that a call can give by position, in order."""
    return [parameter.name for parameter in signature if parameter.kind in {"POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD"}]


def call_use(symbol: str, unit: Place, args: Sequence[cst.Arg]) -> Use:
    """Return the use that a call with these arguments makes of a symbol."""
    return Use(
        symbol,
        unit,
        call=True,
        positional=sum(arg.keyword is None and not arg.star for arg in args),
        keywords=frozenset(arg.keyword.value for arg in args if arg.keyword),
        open=any(arg.star for arg in args),
    )


def callee(node: cst.Call, unit: Place, meanings: Meanings) -> str | None:
    """Return the dotted name of what a call calls: a function or class by its imports, a method by its object's class."""
    qualified = meanings.qualified(node.func, unit)
    if qualified is None and isinstance(node.func, cst.Attribute):
        of_class = meanings.type_of(node.func.value, unit)
        return f"{of_class}.{node.func.attr.value}" if of_class and "." in of_class else None
    return qualified if qualified and "." in qualified else None


def uses(units: Iterable[tuple[Place, cst.Module]], meanings: Meanings) -> tuple[Use, ...]:
    """List what a program uses, in order; each symbol that is only named, once."""
    found: dict[Use, None] = {}
    for unit, tree in units:
        collector = _Uses(unit, meanings)
        tree.visit(collector)
        found |= dict.fromkeys(collector.found)
    return tuple(found)


class _Uses(cst.CSTVisitor):
    def __init__(self, unit: Place, meanings: Meanings) -> None:
        self.found: list[Use] = []
        self._unit = unit
        self._meanings = meanings

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:  # noqa: N802 (LibCST's visitor protocol)
        if node.module and not node.relative and not isinstance(node.names, cst.ImportStar):
            module = _dotted(node.module)
            self.found.extend(Use(f"{module}.{_dotted(alias.name)}", self._unit) for alias in node.names)
        return False

    def visit_Import(self, node: cst.Import) -> bool:  # noqa: N802
        self.found.extend(Use(_dotted(alias.name), self._unit) for alias in node.names)
        return False

    def visit_Call(self, node: cst.Call) -> None:  # noqa: N802
        symbol = callee(node, self._unit, self._meanings)
        if symbol:
            self.found.append(call_use(symbol, self._unit, node.args))

    def visit_Attribute(self, node: cst.Attribute) -> None:  # noqa: N802
        symbol = self._meanings.qualified(node, self._unit)
        if symbol:
            self.found.append(Use(symbol, self._unit))


def _dotted(node: cst.CSTNode) -> str:
    return cst.Module(body=[]).code_for_node(node).replace(" ", "")
