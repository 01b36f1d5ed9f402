"""``titlefont`` beside ``title``: the font is a part of the title since plotly 4, and only there since plotly 6."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod
from modernizer.repair.syntax import argument, code, keyword, string, with_args

_FONT = "titlefont"
_TITLED = m.Dict() | m.Call(func=m.Name("dict"))


class _Titles(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        font, title = argument(updated_node, _FONT), argument(updated_node, "title")
        if font is None or (title is not None and m.matches(title.value, _TITLED)):
            return updated_node
        del original_node
        self.scope.note("titlefont= → title=dict(font=)")
        text = f"text={code(title.value)}, " if title is not None else ""
        new = keyword("title", f"dict({text}font={code(font.value)})")
        place = title or font
        args = [
            new.with_changes(comma=arg.comma) if arg is place else arg
            for arg in updated_node.args
            if arg is place or arg is not font
        ]
        return with_args(updated_node, args)

    def leave_Dict(self, original_node: cst.Dict, updated_node: cst.Dict) -> cst.Dict:  # noqa: N802
        del original_node
        found = {string(one.key): one for one in updated_node.elements if isinstance(one, cst.DictElement)}
        font, title = found.get(_FONT), found.get("title")
        if font is None or (title is not None and m.matches(title.value, _TITLED)):
            return updated_node
        self.scope.note("'titlefont' → 'title': {'font'}")
        text = f"'text': {code(title.value)}, " if title is not None else ""
        place = title or font
        new = place.with_changes(
            key=cst.SimpleString("'title'"), value=cst.parse_expression(f"{{{text}'font': {code(font.value)}}}")
        )
        elements = [new if one is place else one for one in updated_node.elements if one is place or one is not font]
        if updated_node.elements and elements[-1] is not updated_node.elements[-1]:
            last = updated_node.elements[-1]
            elements[-1] = elements[-1].with_changes(comma=last.comma)
        return updated_node.with_changes(elements=elements)


class Titles(FailureRecipe):
    """Fonts of titles."""

    name = "plotly-title-font"
    summary = "The font of a title is given within the title."
    since = "plotly 6.0"
    source = "plotly.py change log 4.0 (title.font) and 6.0 (removal of titlefont)"
    words = frozenset({_FONT})
    errors = frozenset({"ValueError"})
    message = re.compile(r"'?titlefont'?")
    codemod = _Titles


RECIPES = (Titles(),)
