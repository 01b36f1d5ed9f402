"""Values that matplotlib made the best of and refuses now: colours in one word, unknown places, one line too many."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import atom, parsed
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import ARRAY, FRAME, ReceiverCodemod
from modernizer.repair.searches import bound
from modernizer.repair.syntax import argument, code, keyword, quoted_like, string, with_args

_LETTERS = re.compile(r"[bgrcmykw]{2,}")
_COLORS = frozenset({"c", "color", "colors", "facecolor", "edgecolor", "facecolors", "edgecolors"})
_NO_COLOR = re.compile(
    r"argument must be a (?:valid )?color(?:,| or) |is not a valid (?:color|value for color)|Invalid RGBA argument: '"
)
_TOO_FEW = re.compile(r"'(?P<name>c)' argument has \d+ elements, which is inconsistent with 'x' and 'y' with size \d+")
_NO_PLACE = re.compile(r"'(?P<place>[^'\n]*)' is not a valid value for loc\b")
_NO_MINOR = re.compile(r"labels=(?:True|False) must be a sequence|takes 1 positional argument but 2 were given")
_TOO_MANY = re.compile(
    r"Dimensions of C \((\d+), (\d+)\) should be one smaller than X\(\2\) and Y\(\1\) while using shading='flat'"
)
_UNKNOWN = re.compile(r"\.set\(\) got an unexpected keyword argument 'frac'")
_MESHES = frozenset({"pcolor", "pcolormesh"})
_FIGURES = ("matplotlib.figure.",)


class _Guesses(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        if self.scope.failure is None or not self.scope.failing(original_node):
            return updated_node
        message, func = self.scope.failure.error.message, original_node.func
        name = func.attr.value if isinstance(func, cst.Attribute) else code(func)
        if _NO_COLOR.search(message):
            return updated_node.with_changes(args=[self._letters(arg) for arg in updated_node.args])
        if name == "scatter" and _TOO_FEW.search(message):
            return self._repeated(updated_node)
        if name == "legend" and (place := _NO_PLACE.search(message)):
            return self._anywhere(original_node, updated_node, place["place"])
        if name in {"set_xticks", "set_yticks"} and _NO_MINOR.search(message):
            return self._minor(updated_node)
        if name in _MESHES and _TOO_MANY.search(message):
            return self._smaller(original_node, updated_node)
        return updated_node

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:  # noqa: N802
        """Take out of the properties of an arrow what had no effect any more."""
        named = original_node.keyword is not None and original_node.keyword.value == "arrowprops"
        if not named or self.scope.failure is None or not _UNKNOWN.search(self.scope.failure.error.message):
            return updated_node
        value = updated_node.value
        if isinstance(value, cst.Dict):
            kept = [one for one in value.elements if not isinstance(one, cst.DictElement) or string(one.key) != "frac"]
            if 0 < len(kept) < len(value.elements):
                self.scope.note("frac dropped")
                kept[-1] = kept[-1].with_changes(comma=value.elements[-1].comma)
                return updated_node.with_changes(value=value.with_changes(elements=kept))
        if isinstance(value, cst.Call) and argument(value, "frac") is not None and m.matches(value.func, m.Name("dict")):
            self.scope.note("frac dropped")
            args = [arg for arg in value.args if not arg.keyword or arg.keyword.value != "frac"]
            return updated_node.with_changes(value=with_args(value, args))
        return updated_node

    def _letters(self, arg: cst.Arg) -> cst.Arg:
        """Write one letter for each colour as a list."""
        letters = string(arg.value)
        if arg.keyword is None or arg.keyword.value not in _COLORS or letters is None or not _LETTERS.fullmatch(letters):
            return arg
        self.scope.note(f"{letters} → one colour a letter")
        return arg.with_changes(value=cst.parse_expression(f"list({code(arg.value)})"))

    def _repeated(self, call: cst.Call) -> cst.Call:
        """Begin again with the colours where there are more points."""
        points, colors = argument(call, "x", 0), argument(call, "c", 3)
        listed = bound(colors.value, self.scope) if colors else None
        named = isinstance(listed, cst.List) and all(isinstance(one.value, cst.SimpleString) for one in listed.elements)
        if points is None or colors is None or not named or not isinstance(points.value, cst.Name | cst.Attribute | cst.List):
            return call
        self.scope.note("colours repeated")
        new = f"{self.scope.reference('numpy.resize')}({code(colors.value)}, len({code(points.value)}))"
        args = [arg.with_changes(value=cst.parse_expression(new)) if arg is colors else arg for arg in call.args]
        return call.with_changes(args=args)

    def _anywhere(self, original: cst.Call, call: cst.Call, place: str) -> cst.Call:
        """Let the legend stand where it fits best, as it did at a place that isn't known."""
        func = original.func
        owner = self.type_of(func.value) if isinstance(func, cst.Attribute) else None
        given = argument(call, "loc")
        if given is None or string(given.value) != place or (owner or "").startswith(_FIGURES):
            return call
        self.scope.note(f"{place} is no place: best")
        args = [arg.with_changes(value=quoted_like(arg.value, "'best'")) if arg is given else arg for arg in call.args]
        return call.with_changes(args=args)

    def _minor(self, call: cst.Call) -> cst.Call:
        """Name the flag that stood where labels stand now."""
        if len(call.args) != 2 or any(arg.keyword or arg.star for arg in call.args):  # noqa: PLR2004 (ticks and the flag)
            return call
        if code(call.args[1].value) not in {"True", "False"}:
            return call
        self.scope.note("minor=")
        return with_args(call, [call.args[0], keyword("minor", call.args[1].value)])

    def _smaller(self, original: cst.Call, call: cst.Call) -> cst.Call:
        """Leave out the last row and column of the values, which were never drawn."""
        positional = [arg for arg in call.args if arg.keyword is None and not arg.star]
        if len(positional) != 3:  # noqa: PLR2004 (X, Y and C)
            return call
        values = positional[2].value
        kind = self.type_of(next(arg.value for arg, new in zip(original.args, call.args, strict=True) if new is positional[2]))
        if kind == FRAME:
            new = f"{atom(values)}.iloc[:-1, :-1]"
        elif kind == ARRAY:
            new = f"{atom(values)}[:-1, :-1]"
        else:
            new = f"{self.scope.reference('numpy.asarray')}({code(values)})[:-1, :-1]"
        self.scope.note("without the last row and column, which were not drawn")
        args = [arg.with_changes(value=parsed(new)) if arg is positional[2] else arg for arg in call.args]
        return call.with_changes(args=args)


class Guesses(FailureRecipe):
    """Values that are refused now."""

    name = "matplotlib-guesses"
    summary = "A value that matplotlib made the best of is refused now; what it was taken for is written out."
    since = "matplotlib 2.1 to 3.8"
    source = "Matplotlib API changes 2.2 and 3.1 to 3.8"
    words = frozenset({*_COLORS, "legend", "set_xticks", "set_yticks", "frac", *_MESHES})
    errors = frozenset({"ValueError", "TypeError", "AttributeError"})
    failing_unit_only = True
    codemod = _Guesses


RECIPES = (Guesses(),)
