"""Old code inside a string literal that the failing statement had evaluated: ``eval("df.ix[0]")``.

The error shows that text was evaluated, and the statement which literals it evaluates: those given to ``eval`` itself, for
names of the program, or as what a function or class of the program evaluates. Each is repaired as if it stood there as code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import libcst as cst
import libcst.matchers as m
from libcst.metadata import MetadataWrapper, PositionProvider

from modernizer.repair.apply import Surroundings, apply_to_units, parse_unit
from modernizer.repair.program import Key
from modernizer.repair.recipe import CodemodRecipe, Failure, Recipe, Scope, Unit
from modernizer.repair.syntax import code, string

_STAND_IN = "_evaluated_text_"
# With a namespace of its own the names in a text may mean anything.
_EVAL = m.Call(func=m.Name("eval"), args=[m.Arg(keyword=None, star="")])
_IMPORT = ("import ", "from ")
_MOST_LITERALS = 8


@dataclass(frozen=True)
class _Evaluator:
    """A function or class that evaluates text: its parameters in order, the starred one, and those that it evaluates."""

    parameters: tuple[str, ...]
    starred: str
    evaluated: frozenset[str]

    def literals(self, call: cst.Call) -> Iterator[cst.SimpleString]:
        """Give the literals of a call that are evaluated."""
        for place, arg in enumerate(call.args):
            if arg.star:
                return
            name = self.parameters[place] if place < len(self.parameters) else self.starred
            if (arg.keyword.value if arg.keyword else name) in self.evaluated and isinstance(arg.value, cst.SimpleString):
                yield arg.value


_Evaluators = Mapping[str, _Evaluator]
_BUILT_IN = _Evaluator(("source",), "", frozenset({"source"}))


class EvaluatedText:
    """Text that is evaluated."""

    name = "evaluated-text"
    summary = "The failing statement evaluates a string literal of old code; the recipes for code apply to its text."
    since = ""
    source = "those of the recipes that apply"
    words = frozenset({"eval("})
    order = 95
    confirmed = False
    at_end = False

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Return nothing: the evaluating function may stand in another unit."""
        del unit, scope
        return None

    def rewrite_all(self, units: Mapping[Key, Unit], scope: Scope) -> dict[Key, str]:
        """Return the units with evaluated literals that recipes change."""
        failure = scope.failure
        if failure is None or not _evaluated(failure):
            return {}
        evaluators = dict(_defined_evaluators(units))
        changed = dict(units)
        for key, line in dict.fromkeys(_places(failure)):
            for position in range(_MOST_LITERALS):
                if (new := _repaired(changed, key, line, position, evaluators=evaluators, scope=scope)) is not None:
                    changed[key] = parse_unit(key, new)
        return {key: unit.source for key, unit in changed.items() if unit.source != units[key].source}


def _evaluated(failure: Failure) -> bool:
    """Tell whether the error came out of text: the frame behind a line of the program has no file."""
    own = [frame.cell is not None or frame.local for frame in failure.error.frames]
    return any(
        mine and frame.file == "<string>" and frame.function == "<module>"
        for mine, frame in zip(own, failure.error.frames[1:], strict=False)
    )


def _places(failure: Failure) -> Iterator[tuple[Key, int | None]]:
    """List the lines that led to the error; what a cell shows by its end leaves no line of that cell."""
    for frame in failure.error.frames:
        if frame.cell is not None:
            yield frame.cell, frame.line
    yield failure.error.cell, failure.error.line


def _defined_evaluators(units: Mapping[Key, Unit]) -> Iterator[tuple[str, _Evaluator]]:
    """List the functions and classes of a program that evaluate what they are given."""
    for unit in units.values():
        for found in m.findall(unit.tree, m.FunctionDef() | m.ClassDef()) if unit.tree is not None else ():
            made = m.findall(found, m.FunctionDef(name=m.Name("__init__"))) if isinstance(found, cst.ClassDef) else [found]
            if not isinstance(found, cst.FunctionDef | cst.ClassDef) or not made or not isinstance(made[0], cst.FunctionDef):
                continue
            params, star = made[0].params, made[0].params.star_arg
            names = tuple(param.name.value for param in params.params[isinstance(found, cst.ClassDef) :])
            starred = star.name.value if isinstance(star, cst.Param) else ""
            if evaluated := _evaluated_names(found) & {*names, starred}:
                yield found.name.value, _Evaluator(names, starred, frozenset(evaluated))


def _evaluated_names(defined: cst.FunctionDef | cst.ClassDef) -> set[str]:
    """Return the names in what is evaluated and, step by step, in what loops and assignments take that from."""
    names: set[str] = set()
    taken: list[tuple[cst.CSTNode, cst.CSTNode]] = []
    for found in m.findall(defined, _EVAL | m.For() | m.CompFor() | m.Assign()):
        if isinstance(found, cst.Call):
            names |= _names(found.args[0].value)
        elif isinstance(found, cst.For | cst.CompFor):
            taken.append((found.target, found.iter))
        elif isinstance(found, cst.Assign):
            taken += [(target.target, found.value) for target in found.targets]
    for _ in taken:
        names |= {name for target, source in taken if not names.isdisjoint(_names(target)) for name in _names(source)}
    return names


def _names(node: cst.CSTNode) -> set[str]:
    """Return the names in an expression; of an attribute of the object itself the name of the attribute."""
    return {name.value for name in m.findall(node, m.Name()) if isinstance(name, cst.Name)} - {"self"}


def _repaired(
    units: Mapping[Key, Unit], key: Key, line: int | None, position: int, *, evaluators: _Evaluators, scope: Scope
) -> str | None:
    """Return a unit's source with one literal of the statement on a line repaired; None when nothing applies to it."""
    unit = units.get(key)
    statement = _statement(unit.tree, line) if unit is not None and unit.tree is not None else None
    if unit is None or unit.tree is None or unit.masked is None or statement is None or scope.failure is None:
        return None
    literals = list(_literals(statement, evaluators))
    expression = _expression(literals[position]) if position < len(literals) else None
    if expression is None:
        return None
    as_code = cst.Assign(targets=[cst.AssignTarget(cst.Name(_STAND_IN))], value=expression)
    trial = unit.tree.deep_replace(statement, statement.with_changes(body=[as_code]))
    if not isinstance(trial, cst.Module):
        return None
    tried = parse_unit(key, unit.masked.unmask(trial.code))
    around = Surroundings(scope.installed, replace(scope.failure, unit=key, line=_line(tried)), scope.live, scope.drift)
    after, fixes = apply_to_units({**units, key: tried}, _others(), around)
    tree = after[key].tree
    found = m.findall(tree, m.SimpleStatementLine(body=[m.Assign(targets=[m.AssignTarget(m.Name(_STAND_IN))])])) if tree else []
    if not fixes or len(found) != 1 or tree is None or not _alike(trial.code, tree.code):
        return None
    assign = found[0].body[0]  # type: ignore[attr-defined]
    new = _requoted(literals[position], code(assign.value))
    if new is None:
        return None
    scope.note(f"{literals[position].raw_value} → {new.raw_value}")
    whole = tree.deep_replace(found[0], statement.deep_replace(literals[position], new))
    return unit.masked.unmask(whole.code) if isinstance(whole, cst.Module) else None


def _line(unit: Unit) -> int:
    """Return the line on which the text stands as code."""
    lines = unit.source.split("\n")
    return next(number for number, line in enumerate(lines, start=1) if _STAND_IN in line)


def _others() -> list[Recipe]:
    from modernizer.repair.recipes import all_recipes  # noqa: PLC0415 (that package finds this module itself)

    return [recipe for recipe in all_recipes() if isinstance(recipe, CodemodRecipe) and not recipe.at_end]


def _statement(tree: cst.Module, line: int | None) -> cst.SimpleStatementLine | None:
    """Return the statement on a line, without a line the last one."""
    if line is None:
        last = tree.body[-1] if tree.body else None
        return last if isinstance(last, cst.SimpleStatementLine) and len(last.body) == 1 else None
    positions = MetadataWrapper(tree, unsafe_skip_copy=True).resolve(PositionProvider)
    for node, position in positions.items():
        if isinstance(node, cst.SimpleStatementLine) and position.start.line <= line <= position.end.line:
            return node if len(node.body) == 1 else None
    return None


def _literals(statement: cst.SimpleStatementLine, evaluators: _Evaluators) -> Iterator[cst.SimpleString]:
    for call in m.findall(statement, m.Call(func=m.Name())):
        if isinstance(call, cst.Call) and isinstance(call.func, cst.Name):
            evaluator = _BUILT_IN if m.matches(call, _EVAL) else evaluators.get(call.func.value)
            yield from evaluator.literals(call) if evaluator else ()


def _expression(literal: cst.SimpleString) -> cst.BaseExpression | None:
    """Parse the text of a literal that has no escapes in it; a name by itself is nothing to repair."""
    text = string(literal)
    if text is None or text != literal.raw_value or "\n" in text:
        return None
    try:
        node = cst.parse_expression(text.strip())
    except cst.ParserSyntaxError:
        return None
    return None if isinstance(node, cst.Name) else node


def _requoted(literal: cst.SimpleString, text: str) -> cst.SimpleString | None:
    """Return a literal of the new text; None when it could not stand between quotes as it is."""
    quotes = [quote for quote in (literal.quote, '"', "'") if quote[0] not in text]
    if not quotes or "\n" in text or "\\" in text or text == literal.raw_value.strip():
        return None
    return literal.with_changes(value=f"{literal.prefix}{quotes[0]}{text}{quotes[0]}")


def _alike(before: str, after: str) -> bool:
    """Tell whether two sources differ in imports and the line of the text only."""

    def rest(source: str) -> list[str]:
        return [line for line in source.split("\n") if line.strip() and not line.startswith(_IMPORT) and _STAND_IN not in line]

    return rest(before) == rest(after)


RECIPES = (EvaluatedText(),)
