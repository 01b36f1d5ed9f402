"""Apply recipes to a whole program in one go."""

from __future__ import annotations

import difflib
import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from modernizer.drift.worlds import Worlds
from modernizer.magics import mask
from modernizer.repair.outcome import Fix
from modernizer.repair.program import Key, Program
from modernizer.repair.recipe import Failure, Live, Packages, Recipe, Scope, Unit, WholeProgramRecipe
from modernizer.repair.scope import Names, collect_names

_LOG = logging.getLogger(__name__)
_PYLAB_MAGIC = re.compile(r"^[ \t]*%pylab\b(?!.*--no-import-all)", re.MULTILINE)


@dataclass(frozen=True)
class Surroundings:
    """What recipes decide by beside the program itself."""

    installed: Packages
    failure: Failure | None = None
    live: Live | None = None
    drift: Worlds | None = None


def apply_recipes(program: Program, recipes: Iterable[Recipe], surroundings: Surroundings) -> tuple[Program, tuple[Fix, ...]]:
    """Run each recipe over every unit; return the changed program and a fix for each recipe that changed something.

    A recipe sees the whole program as the recipes before it left it, so a migration reaches all cells and modules at once.
    """
    units = {key: parse_unit(key, source) for key, source in program.sources().items()}
    after, fixes = apply_to_units(units, recipes, surroundings)
    changes = {key: unit.source for key, unit in after.items() if unit.source != units[key].source}
    return program.replaced(changes) if changes else program, fixes


def apply_to_units(
    units: Mapping[Key, Unit], recipes: Iterable[Recipe], surroundings: Surroundings
) -> tuple[dict[Key, Unit], tuple[Fix, ...]]:
    """Run each recipe over every unit; return the units as they are then and the fixes."""
    units = dict(units)
    names, failing = _names(units), _failing_nodes(units, surroundings.failure)
    fixes = []
    for recipe in recipes:
        scope = Scope(
            next(iter(units), 0),
            names,
            surroundings.installed,
            surroundings.failure,
            surroundings.live,
            drift=surroundings.drift,
        )
        try:
            changes = _changes(recipe, units, scope, failing)
        except Exception:  # noqa: BLE001 (a fault of one recipe must not cost the notebook what the others repair)
            _LOG.exception("the recipe %s failed and is left out", recipe.name)
            continue
        if changes:
            fixes.append(_fix(recipe, {key: (units[key].source, new) for key, new in changes.items()}, scope))
            units |= {key: parse_unit(key, source) for key, source in changes.items()}
            names, failing = _names(units), _failing_nodes(units, surroundings.failure)
    return units, tuple(fixes)


def program_names(program: Program) -> tuple[dict[Key, cst.Module], Names]:
    """Parse a program's units and collect what its names mean; units that are no Python are left out."""
    units = {key: parse_unit(key, source) for key, source in program.sources().items()}
    return {key: unit.tree for key, unit in units.items() if unit.tree is not None}, _names(units)


def parse(source: str) -> cst.Module | None:
    """Parse Python source; None when its syntax is not valid."""
    try:
        return cst.parse_module(source)
    except (cst.ParserSyntaxError, RecursionError):
        return None


def parse_unit(key: Key, source: str) -> Unit:
    """Parse one unit's source; one in another language or with invalid syntax has no tree."""
    masked = mask(source)
    return Unit(key, source, masked, parse(masked.code) if masked else None)


def _names(units: dict[Key, Unit]) -> Names:
    pylab = {key for key, unit in units.items() if _PYLAB_MAGIC.search(unit.source)}
    return collect_names(((key, unit.tree) for key, unit in units.items() if unit.tree is not None), pylab)


def _changes(recipe: Recipe, units: dict[Key, Unit], scope: Scope, failing: frozenset[cst.CSTNode]) -> dict[Key, str]:
    """Return the new sources that one recipe gives; what it notes stands in ``scope`` afterwards."""
    if isinstance(recipe, WholeProgramRecipe):
        together = replace(scope, failing_nodes=failing)
        return {key: new for key, new in recipe.rewrite_all(units, together).items() if new != units[key].source}
    changes: dict[Key, str] = {}
    words = recipe.words and recipe.words | _aliased(recipe.words, scope.names)
    for key, unit in units.items():
        if words and not any(word in unit.source for word in words):
            continue
        new = recipe.rewrite(unit, replace(scope, unit=key, failing_nodes=failing, imports=[]))
        if new is not None and new != unit.source:
            changes[key] = new
    return changes


def _aliased(words: frozenset[str], names: Names) -> frozenset[str]:
    """Return the names by which imports bring in what these words name."""
    aliases = names.aliases()
    return frozenset(name for name, target in aliases.items() if any(word in target for word in words))


def _failing_nodes(units: dict[Key, Unit], failure: Failure | None) -> frozenset[cst.CSTNode]:
    unit = units.get(failure.unit) if failure else None
    return _failing(unit, failure) if unit else frozenset()


def _failing(unit: Unit, failure: Failure | None) -> frozenset[cst.CSTNode]:
    """Return the nodes of the innermost statement on the failing line."""
    if failure is None or failure.unit != unit.key or failure.line is None or unit.tree is None:
        return frozenset()
    wrapper = MetadataWrapper(unit.tree, unsafe_skip_copy=True)
    positions = wrapper.resolve(PositionProvider)
    statements: list[tuple[int, cst.CSTNode]] = [
        (position.end.line - position.start.line, node)
        for node, position in positions.items()
        if isinstance(node, cst.SimpleStatementLine | cst.BaseCompoundStatement)
        and position.start.line <= failure.line <= position.end.line
    ]
    if not statements:
        return frozenset()
    innermost = min(statements, key=lambda item: item[0])[1]
    nodes: set[cst.CSTNode] = set()
    pending: list[cst.CSTNode] = [innermost]
    while pending:
        node = pending.pop()
        nodes.add(node)
        pending.extend(child for child in node.children if not isinstance(child, cst.IndentedBlock))
    return frozenset(nodes)


def _fix(recipe: Recipe, changes: dict[Key, tuple[str, str]], scope: Scope) -> Fix:
    return Fix(
        kind="error-repair",
        origin=f"recipe:{recipe.name}",
        cells=tuple(sorted(key for key in changes if isinstance(key, int))),
        files=tuple(sorted(key for key in changes if isinstance(key, str))),
        lines_changed=sum(lines_changed(before, after) for before, after in changes.values()),
        explanation=f"{recipe.summary} ({', '.join(scope.notes)})" if scope.notes else recipe.summary,
        source="; ".join(scope.sources) or (f"{recipe.since}: {recipe.source}" if recipe.since else recipe.source),
    )


def lines_changed(before: str, after: str) -> int:
    """Count the lines that a change adds or replaces, and those it only removes."""
    opcodes = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False).get_opcodes()
    return sum(max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in opcodes if tag != "equal")
