"""Arguments that were renamed, dropped or take other values now: one table (arguments.toml), one codemod."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

import libcst as cst

from modernizer.repair.recipe import Codemod, CodemodRecipe


@dataclass(frozen=True)
class Change:
    """One row: what changed in the arguments of some callables since a release.

    ``of`` are dotted names of classes and functions; ``methods`` are method names whose receiver's class isn't looked at,
    only for arguments that no other method of that name takes. ``rename``, ``drop``, ``add`` and ``values`` speak of
    keyword arguments; the values are Python source. ``add`` applies with a rename or drop that fired.
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
        )
        for row in tomllib.loads(text)["change"]
    )


class _Arguments(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        given = {arg.keyword.value for arg in original_node.args if arg.keyword}
        if not given:
            return updated_node
        for change in changes():
            if given & change.keywords and self._concerns(change, original_node.func):
                updated_node = self._changed(change, updated_node)
        return updated_node

    def _concerns(self, change: Change, func: cst.BaseExpression) -> bool:
        if not self.scope.at_least(change.package, change.version):
            return False
        if isinstance(func, cst.Attribute) and func.attr.value in change.methods:
            return True
        qualified = self.scope.qualified(func)
        return qualified is not None and qualified in change.of

    def _changed(self, change: Change, call: cst.Call) -> cst.Call:
        args: list[cst.Arg] = []
        present = {arg.keyword.value for arg in call.args if arg.keyword}
        touched = False
        for arg in call.args:
            keyword = arg.keyword.value if arg.keyword else ""
            if keyword in change.drop or _literal(arg.value) in change.drop_values.get(keyword, ()):
                touched = True
                self.scope.note(f"{keyword}= dropped")
                continue
            new_value = change.values.get(keyword, {}).get(_literal(arg.value))
            if new_value is not None:
                self.scope.note(f"{keyword}={_literal(arg.value)} → {new_value}")
                value = _quoted_like(arg.value, new_value)
                arg = arg.with_changes(value=value)  # noqa: PLW2901 (the same argument, step by step)
            new_name = change.rename.get(keyword)
            if new_name is not None and new_name not in present:
                touched = True
                self.scope.note(f"{keyword}= → {new_name}=")
                arg = arg.with_changes(keyword=cst.Name(new_name))  # noqa: PLW2901
            args.append(arg)
        if touched:
            args.extend(_keyword(name, value) for name, value in change.add.items() if name not in present)
        if args and len(args) < len(call.args) and args[-1].comma is not cst.MaybeSentinel.DEFAULT and _had_no_trailing_comma(call):
            args[-1] = args[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return call.with_changes(args=args)


def _had_no_trailing_comma(call: cst.Call) -> bool:
    return call.args[-1].comma is cst.MaybeSentinel.DEFAULT


def _keyword(name: str, value: str) -> cst.Arg:
    equal = cst.AssignEqual(whitespace_before=cst.SimpleWhitespace(""), whitespace_after=cst.SimpleWhitespace(""))
    return cst.Arg(keyword=cst.Name(name), value=cst.parse_expression(value), equal=equal)


def _literal(node: cst.BaseExpression) -> str:
    """Return a literal's normal spelling (``'ls'`` for any quotes), else its source."""
    source = cst.Module(body=[]).code_for_node(node)
    try:
        return repr(ast.literal_eval(source))
    except (ValueError, SyntaxError):
        return source


def _quoted_like(old: cst.BaseExpression, new: str) -> cst.BaseExpression:
    """Parse the new value, in the quotes of the old one when both are strings."""
    node = cst.parse_expression(new)
    if isinstance(old, cst.SimpleString) and isinstance(node, cst.SimpleString) and len(old.quote) == 1:
        return cst.SimpleString(f"{old.quote}{node.raw_value}{old.quote}")
    return node


class Arguments(CodemodRecipe):
    """Renamed, dropped and revalued arguments."""

    name = "changed-argument"
    summary = "A keyword argument was renamed, dropped or takes another value now; the call keeps its meaning."
    since = ""
    source = "release notes named in arguments.toml"
    order = 30
    confirmed = True
    codemod = _Arguments

    @property
    def words(self) -> frozenset[str]:  # type: ignore[override]
        """The keywords in the table."""
        return _words()


@cache
def _words() -> frozenset[str]:
    return frozenset().union(*(change.keywords for change in changes()))


RECIPES = (Arguments(),)


