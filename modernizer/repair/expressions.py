"""Expressions as recipes read and build them: templates, old argument orders, literal values."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

import libcst as cst
import libcst.matchers as m

from modernizer.parsing import parse_expression
from modernizer.repair.syntax import code

_ATOMS = (
    cst.Name
    | cst.Attribute
    | cst.Call
    | cst.Subscript
    | cst.List
    | cst.Dict
    | cst.Set
    | cst.ListComp
    | cst.DictComp
    | cst.SetComp
    | cst.SimpleString
    | cst.FormattedString
)


_OPERATIONS = (
    m.BinaryOperation()
    | m.UnaryOperation()
    | m.BooleanOperation()
    | m.Comparison()
    | m.Attribute()
    | m.Subscript()
    | m.Call()
    | m.IfExp()
)
_COMPOUND = cst.BinaryOperation | cst.UnaryOperation | cst.BooleanOperation | cst.Comparison | cst.IfExp


def atom(node: cst.BaseExpression) -> str:
    """Return an expression's source, in parentheses when a dot or a bracket could not stand behind it."""
    text = code(node)
    return text if isinstance(node, _ATOMS) or node.lpar else f"({text})"


def parsed(source: str) -> cst.BaseExpression:
    """Parse an expression, also one that spans lines and therefore can only stand inside brackets."""
    try:
        return cst.parse_expression(source)
    except cst.ParserSyntaxError:
        node = cst.parse_expression(f"({source})")
        return node.with_changes(lpar=node.lpar[1:], rpar=node.rpar[:-1])


def filled(template: str, parts: Mapping[str, cst.BaseExpression | str]) -> cst.BaseExpression:
    """Fill the ``{name}`` fields of a template with sources, in parentheses where a dot or bracket follows the field."""
    texts = {}
    for name, part in parts.items():
        glued = any(f"{{{name}}}{mark}" in template for mark in ".[")
        texts[name] = part if isinstance(part, str) else atom(part) if glued else code(part)
    return parsed(template.format(**texts))


def bind(args: Sequence[cst.Arg], parameters: Sequence[str]) -> dict[str, cst.BaseExpression] | None:
    """Bind arguments to parameters in their (old) order; None when stars, too many or unknown arguments prevent it."""
    bound: dict[str, cst.BaseExpression] = {}
    for position, arg in enumerate(args):
        if arg.star:
            return None
        name = arg.keyword.value if arg.keyword else (parameters[position] if position < len(parameters) else "")
        if name not in parameters or name in bound:
            return None
        bound[name] = arg.value
    return bound


def operands(tree: cst.CSTNode) -> frozenset[cst.CSTNode]:
    """Collect the expressions of a tree that are parts of operations, where what replaces them may need parentheses."""
    found: set[cst.CSTNode] = set()
    for node in m.findall(tree, _OPERATIONS):
        found.update(child for child in node.children if isinstance(child, cst.BaseExpression))
        if isinstance(node, cst.Comparison):
            found.update(target.comparator for target in node.comparisons)
    return frozenset(found)


def seated(new: cst.BaseExpression, *, operand: bool) -> cst.BaseExpression:
    """Put an expression in parentheses where it becomes part of an operation and is one itself."""
    if not operand or new.lpar or not isinstance(new, _COMPOUND):
        return new
    return new.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def value_of(node: cst.BaseExpression | None) -> object:
    """Return a literal's value; the ellipsis when the expression is no literal."""
    if node is None:
        return ...
    try:
        value: object = ast.literal_eval(parse_expression(code(node).strip()))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return ...
    return value


def requoted(node: cst.SimpleString, text: str) -> cst.SimpleString:
    """Return a string literal with another text (as it stands between the quotes) in the same quotes."""
    return node.with_changes(value=f"{node.prefix}{node.quote}{text}{node.quote}")


def base_name(node: cst.BaseExpression) -> str | None:
    """Return the name at the bottom of a chain of attributes, subscripts and calls."""
    while isinstance(node, cst.Attribute | cst.Subscript | cst.Call):
        node = node.func if isinstance(node, cst.Call) else node.value
    return node.value if isinstance(node, cst.Name) else None
