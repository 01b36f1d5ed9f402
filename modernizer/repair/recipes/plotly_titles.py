"""``titlefont`` and ``titleside`` beside ``title``: parts of the title since plotly 4, and only there since plotly 6."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod
from modernizer.repair.syntax import argument, code, keyword, string, with_args

_PARTS = {"titlefont": "font", "titleside": "side", "titleposition": "position"}
_TITLED = m.Dict() | m.Call(func=m.Name("dict"))


class _Titles(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        del original_node
        parts = [arg for arg in updated_node.args if arg.keyword and arg.keyword.value in _PARTS]
        title = argument(updated_node, "title")
        if not parts or (title is not None and m.matches(title.value, _TITLED)):
            return updated_node
        self.scope.note(f"{', '.join(f'{_name(part)}=' for part in parts)} → title=dict()")
        given = [f"text={code(title.value)}"] if title is not None else []
        given += [f"{_PARTS[_name(part)]}={code(part.value)}" for part in parts]
        new = keyword("title", f"dict({', '.join(given)})")
        place = title or parts[0]
        args = [
            new.with_changes(comma=arg.comma) if arg is place else arg
            for arg in updated_node.args
            if arg is place or arg not in parts
        ]
        return with_args(updated_node, args)

    def leave_Dict(self, original_node: cst.Dict, updated_node: cst.Dict) -> cst.Dict:  # noqa: N802
        del original_node
        found = {string(one.key): one for one in updated_node.elements if isinstance(one, cst.DictElement)}
        parts = {name: found[name] for name in _PARTS if name in found}
        title = found.get("title")
        if not parts or (title is not None and m.matches(title.value, _TITLED)):
            return updated_node
        self.scope.note(f"{', '.join(map(repr, parts))} → 'title': {{}}")
        given = [f"'text': {code(title.value)}"] if title is not None else []
        given += [f"'{_PARTS[name]}': {code(part.value)}" for name, part in parts.items()]
        place = title or next(one for one in updated_node.elements if one in parts.values())
        new = place.with_changes(key=cst.SimpleString("'title'"), value=cst.parse_expression(f"{{{', '.join(given)}}}"))
        elements = [new if one is place else one for one in updated_node.elements if one is place or one not in parts.values()]
        if elements[-1] is not updated_node.elements[-1]:
            elements[-1] = elements[-1].with_changes(comma=updated_node.elements[-1].comma)
        return updated_node.with_changes(elements=elements)


def _name(arg: cst.Arg) -> str:
    return arg.keyword.value if arg.keyword else ""


class Titles(FailureRecipe):
    """Fonts of titles."""

    name = "plotly-title-font"
    summary = "The font, side and position of a title are given within the title."
    since = "plotly 6.0"
    source = "plotly.py change log 3.8 (title.font, title.side) and 6.0 (removal of titlefont and the like)"
    words = frozenset(_PARTS)
    errors = frozenset({"ValueError"})
    message = re.compile("|".join(_PARTS))
    codemod = _Titles


RECIPES = (Titles(),)
