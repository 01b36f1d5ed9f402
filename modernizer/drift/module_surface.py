"""The API surface of one module, read statically by griffe: what it defines, with parameters, and what it re-exports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import griffe

from modernizer.parsing import PARSER

_METACLASS_CALL = "with_metaclass"


@dataclass(frozen=True)
class Parameter:
    """One parameter: ``kind`` as ``inspect`` names it, ``default`` as its source, None when it must be given."""

    name: str
    kind: str
    default: str | None = None


Signature = tuple[Parameter, ...]


@dataclass(frozen=True)
class ClassSurface:
    """A class: its bases as dotted names, its methods' parameters (``self`` included, as far as they take it)."""

    bases: tuple[str, ...] = ()
    methods: Mapping[str, Signature] = field(default_factory=dict)
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class ModuleSurface:
    """What a module's names are. ``aliases`` maps imported names to dotted targets, ``stars`` lists star-imported modules."""

    classes: Mapping[str, ClassSurface] = field(default_factory=dict)
    functions: Mapping[str, Signature] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    stars: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def dynamic(self) -> bool:
        """Tell whether the module makes up names when they are asked for."""
        return "__getattr__" in self.functions


def read_module(name: str, file: str, source: str) -> ModuleSurface | None:
    """Read a module's source; None when it is not valid in today's syntax."""
    parents, _, leaf = name.rpartition(".")
    parent = None
    for part in filter(None, parents.split(".")):
        # Folders without content: they only let griffe make relative imports absolute.
        parent = griffe.Module(part, filepath=Path(part, "__init__.py"), parent=parent)
    try:
        with PARSER:
            module = griffe.visit(leaf, filepath=Path(file), code=source, parent=parent)
    except (SyntaxError, ValueError, RecursionError):
        return None
    return _surface(module)


def _surface(module: griffe.Module) -> ModuleSurface:
    classes, functions, aliases, stars, names = {}, {}, {}, [], []
    for name, member in module.members.items():
        if isinstance(member, griffe.Alias):
            if member.wildcard:
                stars.append(member.target_path)
            elif member.target_path != f"{module.path}.{name}":
                aliases[name] = member.target_path
        elif isinstance(member, griffe.Class):
            classes[name] = _class(member)
        elif isinstance(member, griffe.Function):
            functions[name] = _signature(member)
        elif isinstance(member, griffe.Attribute):
            target = getattr(member.value, "canonical_path", None)
            # ``normalize = _normalize`` gives a thing another name.
            if isinstance(member.value, griffe.ExprName | griffe.ExprAttribute) and isinstance(target, str):
                aliases[name] = target
            else:
                names.append(name)
    return ModuleSurface(classes, functions, aliases, tuple(dict.fromkeys(stars)), tuple(names))


def _class(node: griffe.Class) -> ClassSurface:
    methods, names = {}, []
    for name, member in node.members.items():
        if isinstance(member, griffe.Function):
            methods[name] = _signature(member)
        else:
            names.append(name)
    return ClassSurface(tuple(base for expression in node.bases for base in _bases(expression)), methods, tuple(names))


def _bases(expression: str | griffe.Expr) -> list[str]:
    """Return a base class's dotted name; those behind ``six.with_metaclass(Meta, Base)`` are its arguments."""
    if isinstance(expression, str):
        return [expression]
    if isinstance(expression, griffe.ExprCall):
        if str(expression.function).rpartition(".")[2] != _METACLASS_CALL:
            return [expression.canonical_path]
        return [base for argument in expression.arguments[1:] for base in _bases(argument)]
    if isinstance(expression, griffe.ExprSubscript):
        return [expression.canonical_path]
    return [expression.canonical_path]


def _signature(function: griffe.Function) -> Signature:
    return tuple(
        Parameter(
            parameter.name,
            parameter.kind.name.upper() if parameter.kind else "POSITIONAL_OR_KEYWORD",
            None if parameter.default is None or parameter.kind in _VARIADIC else str(parameter.default),
        )
        for parameter in function.parameters
    )


_VARIADIC = frozenset({griffe.ParameterKind.var_positional, griffe.ParameterKind.var_keyword})


def to_json(surface: ModuleSurface | None) -> dict[str, Any] | None:
    """Return a surface as plain data."""
    return asdict(surface) if surface else None


def from_json(data: Mapping[str, Any] | None) -> ModuleSurface | None:
    """Return the surface that ``to_json`` was given."""
    if data is None:
        return None
    return ModuleSurface(
        {
            name: ClassSurface(
                tuple(row["bases"]), {key: _loaded(value) for key, value in row["methods"].items()}, tuple(row["names"])
            )
            for name, row in data["classes"].items()
        },
        {name: _loaded(rows) for name, rows in data["functions"].items()},
        dict(data["aliases"]),
        tuple(data["stars"]),
        tuple(data["names"]),
    )


def _loaded(rows: list[Mapping[str, Any]]) -> Signature:
    return tuple(Parameter(row["name"], row["kind"], row["default"]) for row in rows)
