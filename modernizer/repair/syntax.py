"""Small pieces of LibCST trees that recipes read and build."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

import libcst as cst

from modernizer.parsing import parse_expression

_TIGHT = cst.AssignEqual(whitespace_before=cst.SimpleWhitespace(""), whitespace_after=cst.SimpleWhitespace(""))


def code(node: cst.CSTNode) -> str:
    """Return a node's source."""
    return cst.Module(body=[]).code_for_node(node)


def literal(node: cst.BaseExpression) -> str:
    """Return a literal's normal spelling (``'ls'`` for any quotes), else its source."""
    source = code(node)
    try:
        return repr(ast.literal_eval(parse_expression(source.strip())))
    except (ValueError, SyntaxError):
        return source


def string(node: cst.CSTNode | None) -> str | None:
    """Return the value of a plain string literal."""
    if not isinstance(node, cst.SimpleString):
        return None
    value = node.evaluated_value
    return value if isinstance(value, str) else None


def quoted_like(old: cst.BaseExpression, new: str) -> cst.BaseExpression:
    """Parse a new value, in the quotes of the old one when both are strings."""
    node = cst.parse_expression(new)
    if isinstance(old, cst.SimpleString) and isinstance(node, cst.SimpleString) and len(old.quote) == 1:
        return cst.SimpleString(f"{old.quote}{node.raw_value}{old.quote}")
    return node


def keyword(name: str, value: str | cst.BaseExpression) -> cst.Arg:
    """Build ``name=value`` without spaces."""
    node = cst.parse_expression(value) if isinstance(value, str) else value
    return cst.Arg(keyword=cst.Name(name), value=node, equal=_TIGHT)


def named(arg: cst.Arg, name: str) -> cst.Arg:
    """Turn a positional argument into a keyword argument."""
    return arg.with_changes(keyword=cst.Name(name), equal=_TIGHT)


def keyword_names(call: cst.Call) -> set[str]:
    """Return the names of a call's keyword arguments."""
    return {arg.keyword.value for arg in call.args if arg.keyword}


def argument(call: cst.Call, name: str, position: int | None = None) -> cst.Arg | None:
    """Find an argument by its keyword, else by its position when the call has no starred arguments."""
    for arg in call.args:
        if arg.keyword and arg.keyword.value == name:
            return arg
    if position is None or any(arg.star for arg in call.args):
        return None
    positional = [arg for arg in call.args if arg.keyword is None]
    return positional[position] if position < len(positional) else None


def with_args(call: cst.Call, args: Sequence[cst.Arg]) -> cst.Call:
    """Return the call with other arguments; a trailing comma stays where there was one and appears only before a comment."""
    new = list(args)
    had_comma = bool(call.args) and call.args[-1].comma is not cst.MaybeSentinel.DEFAULT
    if new and not had_comma and not _is_commented(new[-1].comma):
        new[-1] = new[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    if new and call.args and new[-1] is not call.args[-1]:
        new[-1] = new[-1].with_changes(whitespace_after_arg=call.args[-1].whitespace_after_arg)
        if had_comma:
            new[-1] = new[-1].with_changes(comma=_last_comma(new[-1].comma, call.args[-1].comma))
    return call.with_changes(args=new)


def _is_commented(comma: cst.Comma | cst.MaybeSentinel) -> bool:
    space = comma.whitespace_after if isinstance(comma, cst.Comma) else None
    return isinstance(space, cst.ParenthesizedWhitespace) and space.first_line.comment is not None


def _last_comma(own: cst.Comma | cst.MaybeSentinel, last: cst.Comma | cst.MaybeSentinel) -> cst.Comma | cst.MaybeSentinel:
    """Return a call's last comma behind an argument that keeps the comment beside it."""
    match own, last:
        case (
            cst.Comma(whitespace_after=cst.ParenthesizedWhitespace(first_line=line)),
            cst.Comma(whitespace_after=cst.ParenthesizedWhitespace() as after),
        ) if _is_commented(own):
            return last.with_changes(whitespace_after=after.with_changes(first_line=line))
        case _:
            return last


def without(call: cst.Call, names: Iterable[str]) -> cst.Call:
    """Return the call without these keyword arguments."""
    gone = set(names)
    kept = [arg for arg in call.args if not (arg.keyword and arg.keyword.value in gone)]
    return call if len(kept) == len(call.args) else with_args(call, kept)


def plus(call: cst.Call, **arguments: str) -> cst.Call:
    """Return the call with keyword arguments added behind the others, except those it has."""
    present = keyword_names(call)
    added = [keyword(name, value) for name, value in arguments.items() if name not in present]
    if not added:
        return call
    args = list(call.args)
    stars = [arg for arg in args if arg.star == "**"]
    plain = [arg for arg in args if arg.star != "**"]
    if plain and not stars:
        last = plain[-1]
        if last.comma is cst.MaybeSentinel.DEFAULT:
            plain[-1] = last.with_changes(whitespace_after_arg=cst.SimpleWhitespace(""))
        else:
            # Behind a trailing comma: the new argument goes on the same line, the closing line break stays at the end.
            plain[-1] = last.with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return with_args(call, [*plain, *added, *stars])


def root(node: cst.CSTNode) -> str | None:
    """Return the name that a chain of attributes and subscripts starts with."""
    while isinstance(node, cst.Attribute | cst.Subscript):
        node = node.value
    return node.value if isinstance(node, cst.Name) else None
