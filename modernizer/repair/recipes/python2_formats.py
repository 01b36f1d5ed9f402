"""Values that Python 2 wrote as text when ``str.format`` gave them a width, such as arrays and lists."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

import libcst as cst
import libcst.matchers as m

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod

_MESSAGE = re.compile(r"(?:unsupported|non-empty) format string passed to ([\w.]+)\.__format__")
_METHOD = m.Call(func=m.Attribute(value=m.SimpleString(), attr=m.Name("format")))


class _Formats(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        if not m.matches(original_node, _METHOD) or any(arg.star for arg in original_node.args):
            return updated_node
        func = cst.ensure_type(updated_node.func, cst.Attribute)
        template = cst.ensure_type(func.value, cst.SimpleString)
        fields = list(_fields(template.raw_value))
        asked = [name for _, name, spec, conversion in fields if name is not None and spec and not conversion]
        values = {name: value for name in asked if (value := _value(original_node, name)) is not None}
        mixed = {
            name for name, value in values.items() if self._is_refused(value, alone=len(asked) == 1 and self._is_only_call())
        }
        if not mixed or "".join(map(_written, fields)) != template.raw_value:
            return updated_node
        new = [
            (text, name, spec, "s" if name in mixed and spec and not conversion else conversion)
            for text, name, spec, conversion in fields
        ]
        if any(name in mixed and not _fits_text(spec) for _, name, spec, _ in new):
            return updated_node
        self.scope.note("'{:9}'.format(array) → '{!s:9}'.format(array)")
        raw = "".join(map(_written, new))
        literal = template.with_changes(value=f"{template.prefix}{template.quote}{raw}{template.quote}")
        return updated_node.with_changes(func=func.with_changes(value=literal))

    def _is_only_call(self) -> bool:
        return sum(m.matches(node, _METHOD) for node in self.scope.failing_nodes) == 1

    def _is_refused(self, value: cst.BaseExpression, *, alone: bool) -> bool:
        """Tell whether a value is of the type that the error names; the only value with a width need not be asked."""
        failure = self.scope.failure
        found = _MESSAGE.search(failure.error.message) if failure else None
        if found is None:
            return False
        kind = self.scope.type_of(value)
        if kind is None:
            return alone and self.scope.failing(value)
        return kind.rpartition(".")[2] == found[1].rpartition(".")[2]


_Field = tuple[str, str | None, str, str | None]


def _fields(raw: str) -> Iterator[_Field]:
    """Yield text, name, spec and conversion of each field, with automatic numbers spelled out as ``#0``."""
    number = 0
    try:
        for text, name, spec, conversion in string.Formatter().parse(raw):
            if name == "":
                yield text, f"#{number}", spec or "", conversion
                number += 1
            else:
                yield text, name, spec or "", conversion
    except ValueError:
        return


def _written(field: _Field) -> str:
    """Write a field as it stood in the literal."""
    text, name, spec, conversion = field
    text = text.replace("{", "{{").replace("}", "}}")
    if name is None:
        return text
    name = "" if name.startswith("#") else name
    return f"{text}{{{name}{f'!{conversion}' if conversion else ''}{f':{spec}' if spec else ''}}}"


def _fits_text(spec: str) -> bool:
    """Tell whether a text can be formatted so; what only fits numbers failed in Python 2 as well."""
    try:
        format("", spec)
    except ValueError:
        return False
    return True


def _value(call: cst.Call, name: str) -> cst.BaseExpression | None:
    """Return the argument that a field shows; None for one of its attributes or items."""
    place = name.removeprefix("#")
    if place.isdecimal():
        positional = [arg.value for arg in call.args if arg.keyword is None]
        return positional[int(place)] if int(place) < len(positional) else None
    return next((arg.value for arg in call.args if arg.keyword is not None and arg.keyword.value == name), None)


class Formats(FailureRecipe):
    """``'{:9}'.format(array)``."""

    name = "python-2-formats"
    summary = "Python 2 formatted a value that knows no formats as its text; !s says so."
    since = "Python 3.4"
    source = "What's New In Python 3.4 (object.__format__ raises TypeError for a non-empty format string)"
    words = frozenset({"format"})
    errors = frozenset({"TypeError"})
    message = _MESSAGE
    codemod = _Formats


RECIPES = (Formats(),)
