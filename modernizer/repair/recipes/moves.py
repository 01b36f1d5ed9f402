"""Symbols that moved or were renamed without a change of meaning: one table (moves.toml), one codemod."""

from __future__ import annotations

import builtins
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

import libcst as cst

from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope
from modernizer.repair.scope import PYLAB, dotted_name, star_homes

_GUARDS = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "AttributeError"})


@cache
def _releases() -> tuple[Mapping[str, Any], ...]:
    text = resources.files(__package__).joinpath("moves.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["release"])


@cache
def moves() -> dict[str, str]:
    """Return the table: old dotted name to new dotted name (``builtins.`` for built-in names)."""
    return {old: new for release in _releases() for old, new in release["moves"].items()}


@cache
def sources() -> dict[str, str]:
    """Return the release notes that speak of each old name."""
    return {old: release["source"] for release in _releases() for old in release["moves"]}


def new_home(dotted: str, scope: Scope) -> str | None:
    """Return where a gone symbol lives now, confirmed by the installed packages; None when it is not gone or not known."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        old = ".".join(parts[:length])
        if (new := moves().get(old)) is None:
            continue
        target = ".".join([new, *parts[length:]])
        return target if not scope.installed.resolves(dotted) and scope.installed.resolves(target) else None
    home = _public_home(parts, scope) or _numpy_home(parts, scope) or scope.moved(dotted)
    return home if home and scope.installed.resolves(home) and not scope.installed.resolves(dotted) else None


def _moved(dotted: str, scope: Scope) -> str | None:
    """Return the new home and note the move for the report."""
    new = new_home(dotted, scope)
    if new:
        prefixes = (dotted.rsplit(".", drop)[0] for drop in range(dotted.count(".") + 1))
        source = next((sources()[prefix] for prefix in prefixes if prefix in sources()), _facts(dotted, scope))
        scope.note(f"{dotted} → {new.removeprefix('builtins.')}", source)
    return new


def _facts(dotted: str, scope: Scope) -> str:
    """Name the releases whose comparison tells of a move that the table doesn't have."""
    return scope.drift.releases_of(dotted) if scope.drift and scope.moved(dotted) else ""


def _public_home(parts: list[str], scope: Scope) -> str | None:
    """Find a name of a module made private, such as ``sklearn.ensemble.forest.X``, in the package above it."""
    if len(parts) < 4 or parts[0] not in {"sklearn", "scipy", "keras"}:  # noqa: PLR2004 (package.part.private.Name)
        return None
    dotted = ".".join(parts)
    target = ".".join([*parts[:-2], parts[-1]])
    module = ".".join(parts[:-1])
    if scope.installed.resolves(module) or scope.installed.resolves(dotted) or not scope.installed.resolves(target):
        return None
    return target


def _numpy_home(parts: list[str], scope: Scope) -> str | None:
    """Find a name that numpy gave to SciPy (``scipy.isnan``), or to pylab (``pylab.product``)."""
    dotted = ".".join(parts)
    if parts[0] == "scipy" and len(parts) > 1 and not scope.installed.resolves(".".join(parts[:2])):
        return ".".join(["numpy", *parts[1:]])
    module, _, leaf = dotted.rpartition(".")
    if module not in PYLAB or scope.installed.resolves(dotted):
        return None
    return next((moves()[old] for home in star_homes([module]) if (old := f"{home}.{leaf}") in moves()), None)


class _Move(Codemod):
    """Rewrite imports and attribute chains of moved symbols, and the uses of renamed ones."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._guarded = 0

    def visit_Try(self, node: cst.Try) -> None:  # noqa: N802 (LibCST's visitor protocol)
        self._guarded += _guards_imports(node)

    def leave_Try(self, original_node: cst.Try, updated_node: cst.Try) -> cst.Try:  # noqa: N802
        self._guarded -= _guards_imports(original_node)
        return updated_node

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:  # noqa: N802
        del node
        return False

    def visit_Import(self, node: cst.Import) -> bool:  # noqa: N802
        del node
        return False

    def leave_Import(self, original_node: cst.Import, updated_node: cst.Import) -> cst.Import:  # noqa: N802
        if self._guarded:
            return updated_node
        names = []
        for alias in original_node.names:
            old = dotted_name(alias.name)
            new = _moved(old, self.scope) if old else None
            if new is None:
                names.append(alias)
                continue
            # A module of one word is used by that word, which therefore stays.
            keeps_name = alias.asname is None and alias.evaluated_name.count(".") == 0 and "." in new
            names.append(_alias(alias, new, alias.evaluated_name if keeps_name else None))
        return updated_node.with_changes(names=names)

    def leave_SimpleStatementLine(  # noqa: N802
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.SimpleStatementLine]:
        if self._guarded or len(original_node.body) != 1:
            return self._in_place(updated_node)
        statement = updated_node.body[0]
        if not isinstance(statement, cst.ImportFrom):
            return updated_node
        groups = self._groups(statement)
        if groups is None:
            return updated_node
        lines = [updated_node.with_changes(body=[group]) for group in groups]
        lines[1:] = [line.with_changes(leading_lines=()) for line in lines[1:]]
        lines[:-1] = [line.with_changes(trailing_whitespace=cst.TrailingWhitespace()) for line in lines[:-1]]
        return cst.FlattenSentinel(lines)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:  # noqa: N802
        imported = self.scope.names.imported(original_node.value, self.scope.unit)
        if imported is None and not hasattr(builtins, original_node.value):
            return self._from_star(original_node, updated_node)
        if imported is None or not imported.endswith(f".{original_node.value}"):
            return updated_node
        new = _moved(imported, self.scope)
        if new is None or imported in _modules_only(imported, self.scope):
            return updated_node
        leaf = new.rpartition(".")[2]
        return updated_node if leaf == original_node.value else updated_node.with_changes(value=leaf)

    def _from_star(self, original: cst.Name, node: cst.Name) -> cst.BaseExpression:
        """Rename what a star import no longer brings, such as ``NaN`` behind ``from pylab import *``."""
        old = next((dotted for dotted in self.scope.gone_from_star(original) if dotted in moves()), None)
        new = _moved(old, self.scope) if old else None
        if new is None:
            return node
        leaf = cst.Name(new.rpartition(".")[2])
        return leaf if self.scope.qualified(leaf) == new else cst.parse_expression(self.scope.reference(new))

    def visit_Arg(self, node: cst.Arg) -> bool:  # noqa: N802
        # Keywords and attributes are no names of this program; only what they belong to is looked at.
        del node
        return False

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:  # noqa: N802
        return updated_node.with_changes(value=original_node.value.visit(self))

    def visit_Attribute(self, node: cst.Attribute) -> bool:  # noqa: N802
        del node
        return False

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:  # noqa: N802
        updated_node = updated_node.with_changes(value=original_node.value.visit(self))
        qualified = self.scope.qualified(original_node)
        if qualified is None or not (
            qualified in moves() or self.scope.moved(qualified) or _numpy_home(qualified.split("."), self.scope)
        ):
            return updated_node
        new = _moved(qualified, self.scope)
        if new is None:
            return updated_node
        return self._render(qualified, new, original_node)

    def _render(self, old: str, new: str, node: cst.Attribute) -> cst.BaseExpression:
        """Spell ``new`` with the chain's own base where both share it, else by the names in scope."""
        depth = old.count(".")
        base: cst.BaseExpression = node
        while isinstance(base, cst.Attribute):
            base = base.value
            depth -= 1
            shared = ".".join(old.split(".")[: depth + 1])
            target = self.scope.qualified(base) if isinstance(base, cst.Name) else shared
            if target == shared and new.startswith(f"{shared}.") and self._reaches(shared, new):
                return _chain(new.removeprefix(f"{shared}."), base)
            # A name of a moved module stays with the import, which names the module's new place.
            home = new_home(shared, self.scope) if isinstance(base, cst.Name) and shared in moves() else None
            if target == shared and home and new.startswith(f"{home}."):
                return _chain(new.removeprefix(f"{home}."), base)
        return cst.parse_expression(self.scope.reference(new))

    def _reaches(self, shared: str, new: str) -> bool:
        """Tell whether ``new`` can be reached from ``shared`` by attributes alone or through an import rewritten here."""
        return not new.removeprefix(f"{shared}.").startswith("__") and self.scope.installed.resolves(new)

    def _groups(self, statement: cst.ImportFrom) -> list[cst.ImportFrom] | None:
        """Split a from-import by the new homes of its names; None when nothing moved."""
        module = dotted_name(statement.module) if statement.module else None
        if module is None or statement.relative:
            return None
        if isinstance(statement.names, cst.ImportStar):
            new = _moved(module, self.scope)
            return [statement.with_changes(module=_chain(new))] if new else None
        homes: dict[str, list[cst.ImportAlias]] = {}
        plain: list[tuple[str, str | None]] = []
        moved = False
        found = {alias: _moved(f"{module}.{alias.evaluated_name}", self.scope) for alias in statement.names}
        taken = {new.rpartition(".")[0] for new in found.values() if new}
        for alias, moved_to in found.items():
            leaf = alias.evaluated_name
            new = moved_to or self._follows(f"{module}.{leaf}", taken)
            if new is None:
                homes.setdefault(module, []).append(alias)
                continue
            moved = True
            parent, _, new_leaf = new.rpartition(".")
            local = alias.asname.name.value if alias.asname and isinstance(alias.asname.name, cst.Name) else None
            if parent == "builtins":
                continue
            if not parent:
                plain.append((new_leaf, local or (leaf if leaf != new_leaf else None)))
                continue
            keep_name = local is None and leaf != new_leaf and f"{module}.{leaf}" in _modules_only(f"{module}.{leaf}", self.scope)
            renamed = _alias(alias, new_leaf, leaf if keep_name else None)
            if not any(renamed.evaluated_name == other.evaluated_name and not other.asname for other in homes.get(parent, ())):
                homes.setdefault(parent, []).append(renamed)
        if not moved:
            return None
        groups: list[cst.BaseSmallStatement] = []
        for home, aliases in homes.items():
            same = len(homes) == 1 and not plain
            names = aliases if same else [_unparenthesised(alias) for alias in aliases]
            comma = statement.names[-1].comma if same else cst.MaybeSentinel.DEFAULT
            names = [*names[:-1], names[-1].with_changes(comma=comma)]
            change = {"names": names, "module": statement.module if home == module else _chain(home)}
            if not same:
                change |= {"lpar": None, "rpar": None}
            groups.append(statement.with_changes(**change))
        for leaf, local in plain:
            asname = cst.AsName(name=cst.Name(local)) if local else None
            groups.append(cst.Import(names=[cst.ImportAlias(name=cst.Name(leaf), asname=asname)]))
        return groups  # type: ignore[return-value]

    def _follows(self, dotted: str, homes: set[str]) -> str | None:
        """Return the new home of a name that is still at the old one too, when others of its statement move there."""
        new = moves().get(dotted)
        return new if new and new.rpartition(".")[0] in homes and self.scope.installed.resolves(new) else None

    def _in_place(self, line: cst.SimpleStatementLine) -> cst.SimpleStatementLine:
        """Rewrite from-imports that share their line with other statements, when each moves as a whole."""
        if self._guarded:
            return line
        body: list[cst.BaseSmallStatement] = []
        for statement in line.body:
            groups = self._groups(statement) if isinstance(statement, cst.ImportFrom) else None
            if groups:
                body.extend(group.with_changes(semicolon=cst.MaybeSentinel.DEFAULT) for group in groups[:-1])
                body.append(groups[-1].with_changes(semicolon=statement.semicolon))
            else:
                body.append(statement)
        return line.with_changes(body=body)


def _modules_only(dotted: str, scope: Scope) -> set[str]:
    """Return the name itself when it moved as a module: its uses keep the local name through ``as``."""
    new = moves().get(dotted)
    if new is None:
        return set()
    return {dotted} if scope.installed.kind(new) == "module" else set()


def _alias(alias: cst.ImportAlias, name: str, asname: str | None) -> cst.ImportAlias:
    if asname is None:
        return alias.with_changes(name=_chain(name))
    return alias.with_changes(name=_chain(name), asname=cst.AsName(name=cst.Name(asname)))


def _unparenthesised(alias: cst.ImportAlias) -> cst.ImportAlias:
    return alias.with_changes(comma=cst.MaybeSentinel.DEFAULT)


def _chain(dotted: str, base: cst.BaseExpression | None = None) -> cst.Name | cst.Attribute:
    parts = dotted.split(".")
    if base is None:
        node: cst.BaseExpression = cst.Name(parts.pop(0))
    else:
        node = base
    for part in parts:
        node = cst.Attribute(value=node, attr=cst.Name(part))
    return node  # type: ignore[return-value]


def _guards_imports(node: cst.Try) -> bool:
    """Tell whether a try statement chooses between imports by itself, which is then left alone."""
    for handler in node.handlers:
        names = (
            [handler.type] if not isinstance(handler.type, cst.Tuple) else [element.value for element in handler.type.elements]
        )
        if any(name is None or dotted_name(name) in _GUARDS for name in names):
            return any(
                isinstance(small, cst.Import | cst.ImportFrom)
                for line in node.body.body
                if isinstance(line, cst.SimpleStatementLine)
                for small in line.body
            )
    return False


class Moves(CodemodRecipe):
    """Moved and renamed symbols."""

    name = "moved-symbol"
    summary = "A module, class or function moved or was renamed; imports and uses now name its present place."
    since = ""
    source = "the release notes of each, see below"
    order = 20
    confirmed = True
    codemod = _Move


RECIPES = (Moves(),)
