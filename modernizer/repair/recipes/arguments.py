"""Arguments that were renamed, dropped or take other values now: one table (arguments.toml), one codemod."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

import libcst as cst

from modernizer.repair.receivers import defines_method
from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope
from modernizer.repair.syntax import keyword, keyword_names, literal, quoted_like, with_args


@dataclass(frozen=True)
class Change:
    """One row: what changed in the arguments of some callables since a release.

    ``of`` are dotted names of classes and functions; ``methods`` are method names whose receiver's class isn't looked at,
    only for arguments that no other method of that name takes. ``rename``, ``drop``, ``add`` and ``values`` speak of
    keyword arguments; the values are Python source, or dotted names such as ``numpy.nan``. ``add`` applies with a rename or
    drop that fired; ``defaults`` always, for classes that are gone and whose successor has another default.
    """

    package: str
    version: str
    of: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    rename: Mapping[str, str] = field(default_factory=dict)
    drop: frozenset[str] = frozenset()
    drop_values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    add: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    defaults: Mapping[str, str] = field(default_factory=dict)

    @property
    def release(self) -> str:
        """The release whose notes speak of it."""
        return f"release notes of {self.package} {self.version}"

    @property
    def keywords(self) -> frozenset[str]:
        """The keywords this row speaks of."""
        return frozenset({*self.rename, *self.drop, *self.drop_values, *self.values})


@cache
def changes() -> tuple[Change, ...]:
    """Return the table."""
    text = resources.files(__package__).joinpath("arguments.toml").read_text(encoding="utf-8")
    return tuple(
        Change(
            package=row["package"],
            version=row["version"],
            of=frozenset(row.get("of", ())),
            methods=frozenset(row.get("methods", ())),
            rename=row.get("rename", {}),
            drop=frozenset(row.get("drop", ())),
            drop_values={key: tuple(values) for key, values in row.get("drop_values", {}).items()},
            add=row.get("add", {}),
            values=row.get("values", {}),
            defaults=row.get("defaults", {}),
        )
        for row in tomllib.loads(text)["change"]
    )


class _Arguments(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        given = keyword_names(original_node)
        func = original_node.func
        qualified = self.scope.qualified(func) or next(iter(_with_defaults().intersection(self.scope.gone_from_star(func))), None)
        method = func.attr.value if isinstance(func, cst.Attribute) else None
        if not given and qualified not in _with_defaults():
            return updated_node
        for change in changes():
            concerned = (method in change.methods or qualified in change.of) and (given & change.keywords or change.defaults)
            if concerned and method is not None and method in change.methods and self._is_own(original_node, method):
                continue
            there = bool(change.defaults) and self.scope.installed.resolves(qualified or "")
            if concerned and not there and self.scope.at_least(change.package, change.version):
                updated_node = self._changed(change, updated_node, accepted(qualified, self.scope))
        return updated_node

    def _is_own(self, call: cst.Call, method: str) -> bool:
        """Tell whether a call that did not fail may be of a method which the program defines."""
        return not self.scope.failing(call) and defines_method(method, self.scope)

    def _changed(self, change: Change, call: cst.Call, accepts: frozenset[str]) -> cst.Call:
        args: list[cst.Arg] = []
        present = keyword_names(call)
        touched = False
        for arg in call.args:
            name = arg.keyword.value if arg.keyword else ""
            gone = name not in accepts
            if gone and (name in change.drop or literal(arg.value) in change.drop_values.get(name, ())):
                touched = True
                self.scope.note(f"{name}= dropped", change.release)
                continue
            new_value = change.values.get(name, {}).get(literal(arg.value))
            if new_value is not None:
                self.scope.note(f"{name}={literal(arg.value)} → {new_value}", change.release)
                arg = arg.with_changes(value=self._value(arg.value, new_value))  # noqa: PLW2901 (the same argument, step by step)
            new_name = change.rename.get(name)
            if gone and new_name is not None and new_name not in present:
                touched = True
                self.scope.note(f"{name}= → {new_name}=", change.release)
                arg = arg.with_changes(keyword=cst.Name(new_name))  # noqa: PLW2901
                present.add(new_name)
            args.append(arg)
        added = {**(change.add if touched else {}), **change.defaults}
        for name, value in added.items():
            if name not in present:
                self.scope.note(f"{name}={value} added", change.release)
                args.append(keyword(name, value))
        return with_args(call, args) if len(args) != len(call.args) else call.with_changes(args=args)

    def _value(self, old: cst.BaseExpression, new: str) -> cst.BaseExpression:
        return cst.parse_expression(self.scope.reference(new)) if _is_dotted(new) else quoted_like(old, new)


def accepted(qualified: str | None, scope: Scope) -> frozenset[str]:
    """Return the keywords that the installed callable takes by name; none when it is gone or has no readable signature."""
    signature = scope.installed.signature(qualified) if qualified else None
    return frozenset(parameter.name for parameter in signature or ())


def _is_dotted(value: str) -> bool:
    return all(part.isidentifier() for part in value.split(".")) and "." in value


@cache
def _with_defaults() -> frozenset[str]:
    return frozenset().union(*(change.of for change in changes() if change.defaults))


class Arguments(CodemodRecipe):
    """Renamed, dropped and revalued arguments."""

    name = "changed-argument"
    summary = "A keyword argument was renamed, dropped or takes another value now; the call keeps its meaning."
    since = ""
    source = "the release notes of each, see below"
    order = 30
    confirmed = True
    codemod = _Arguments

    @property
    def words(self) -> frozenset[str]:  # type: ignore[override]
        """The keywords in the table."""
        return _words()


class ArgumentsOfGoneClasses(Arguments):
    """The same before moved symbols are renamed, for rows that speak of the old name of a class."""

    name = "argument-of-renamed-class"
    order = 18

    @property
    def words(self) -> frozenset[str]:  # type: ignore[override]
        """The names of those classes."""
        return frozenset(name.rpartition(".")[2] for name in _with_defaults())


@cache
def _words() -> frozenset[str]:
    return frozenset().union(*(change.keywords for change in changes()))


RECIPES = (Arguments(), ArgumentsOfGoneClasses())
