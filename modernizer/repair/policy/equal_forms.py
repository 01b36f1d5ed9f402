"""Removed methods and functions that a short expression stands for: where an edit wrote it, the code before reads so too."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace

from modernizer.parsing import parse_python
from modernizer.repair.policy.expressions import copied, text
from modernizer.repair.policy.reading import Code, called, canonical
from modernizer.repair.recipes.gone_functions import gone_functions
from modernizer.repair.recipes.removed_methods import removed

_MODULES = {"np": "numpy", "pd": "pandas", "nx": "networkx", "html": "html"}
_FIELD = re.compile(r"\{([\w.]+)\}")


@dataclass(frozen=True)
class _Equal:
    """What a call with these arguments means, in several spellings; ``given`` are arguments with the source they must have."""

    parameters: tuple[str, ...]
    forms: tuple[str, ...]
    given: Mapping[str, str] = field(default_factory=dict)


# What is in no table of the recipes: where they ask the live model first, or one form of several is enough for them.
_SQUARED = "{sklearn.metrics.mean_squared_error}({a}, {b})"
_EQUAL = {
    "predict_classes": _Equal(
        ("x",),
        (
            "({self}.predict({x}) > 0.5)",
            *(f"{{self}}.predict({{x}}).argmax({axis})" for axis in ("axis=-1", "axis=1", "-1", "1")),
            *(f"{{np}}.argmax({{self}}.predict({{x}}), {axis})" for axis in ("axis=-1", "axis=1", "-1", "1")),
        ),
    ),
    "sklearn.metrics.mean_squared_error": _Equal(
        ("a", "b", "squared"),
        (f"{{numpy.sqrt}}({_SQUARED})", f"{{math.sqrt}}({_SQUARED})", f"{_SQUARED} ** 0.5", f"{_SQUARED} ** (1 / 2)"),
        {"squared": "False"},
    ),
}


def with_equal_forms(before: Code, after: Code) -> Code:
    """Return the code before, each removed call in it written as the code after writes it by the recipes' tables."""
    if before.tree is None or after.tree is None:
        return before
    removed_calls = [(node, forms) for node in before.nodes if isinstance(node, ast.Call) and (forms := [*_forms(node, before)])]
    if not removed_calls:
        return before
    written = {text(node): node for node in after.nodes if isinstance(node, ast.expr)}
    chosen: dict[int, ast.expr] = {}
    for node, forms in removed_calls:
        found = next((written[meant] for form in forms if (meant := text(form)) in written), None)
        if found is not None and text(node) not in written:
            chosen[id(node)] = found
    if not chosen:
        return before
    tree = _Rewritten(chosen).visit(before.tree)
    return replace(before, tree=tree) if isinstance(tree, ast.Module) else before


class _Rewritten(ast.NodeTransformer):
    """Copy a tree with some nodes replaced."""

    def __init__(self, chosen: Mapping[int, ast.expr]) -> None:
        self._chosen = chosen

    def visit(self, node: ast.AST) -> ast.AST:
        if id(node) in self._chosen:
            return ast.copy_location(deepcopy(self._chosen[id(node)]), node)
        fields = {name: self._copied(value) for name, value in ast.iter_fields(node)}
        return ast.copy_location(type(node)(**fields), node)

    def _copied(self, value: object) -> object:
        if isinstance(value, ast.AST):
            return self.visit(value)
        return [self._copied(item) for item in value] if isinstance(value, list) else value


def _forms(node: ast.Call, code: Code) -> Iterator[ast.expr]:
    """List what today's code writes for a removed call."""
    leaf, dotted = called(node)
    rows: list[tuple[tuple[str, ...], Mapping[str, str]]] = []
    parts: dict[str, ast.expr] = {}
    if dotted in (gone := gone_functions()):
        rows.append((gone[dotted].parameters, gone[dotted].forms))
    elif isinstance(node.func, ast.Attribute):
        parts["self"] = node.func.value
        rows += [(row.parameters, row.forms) for row in removed().get(leaf, ()) if row.called]
    for parameters, forms in rows:
        given = _bound(node, parameters)
        template = forms.get(",".join(name for name in parameters if name in given)) if given is not None else None
        if given is not None and template is not None:
            yield _filled(template, {**parts, **given}, code)
    equal = _EQUAL.get(dotted or leaf)
    given = _bound(node, equal.parameters) if equal else None
    if equal and given is not None and all(ast.unparse(given.get(name, node)) == one for name, one in equal.given.items()):
        yield from (_filled(form, {**parts, **given}, code) for form in equal.forms)


def _bound(node: ast.Call, parameters: tuple[str, ...]) -> dict[str, ast.expr] | None:
    """Give the arguments of a call their names; None when one has no place."""
    if len(node.args) > len(parameters) or any(isinstance(one, ast.Starred) for one in node.args):
        return None
    given = dict(zip(parameters, node.args, strict=False))
    for keyword in node.keywords:
        if keyword.arg not in parameters or keyword.arg in given:
            return None
        given[keyword.arg] = keyword.value
    return given


def _filled(template: str, parts: Mapping[str, ast.expr], code: Code) -> ast.expr:
    """Parse a template, its modules read as the code reads them, and put the parts in."""
    roots: dict[str, str] = {}

    def seat(match: re.Match[str]) -> str:
        name = _MODULES.get(match[1], match[1])
        if match[1] in parts:
            return f"_part_{match[1]}_"
        roots[name.split(".")[0]] = name.split(".")[0]
        return name

    parsed = parse_python(_FIELD.sub(seat, template))
    (statement,) = canonical(parsed, code.renames, roots).body
    tree = statement.value if isinstance(statement, ast.Expr) else statement
    seated: ast.expr = _Seated({f"_part_{name}_": part for name, part in parts.items()}).visit(tree)
    return seated


class _Seated(ast.NodeTransformer):
    def __init__(self, parts: Mapping[str, ast.expr]) -> None:
        self._parts = parts

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return copied(self._parts[node.id]) if node.id in self._parts else node
