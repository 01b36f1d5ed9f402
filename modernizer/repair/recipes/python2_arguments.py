"""Arguments of Python 2's built-in functions that are gone: comparisons to sort by, characters that translate() deletes."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import filled, parsed
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.recipe import is_chain
from modernizer.repair.syntax import argument, code, keyword, literal

_SORT = re.compile(
    r"sort(?:ed)?\(\) got an unexpected keyword argument 'cmp'|'cmp' is an invalid keyword argument for sort"
    r"|sort\(\) takes no positional arguments|sorted expected 1 argument"
)
_TRANSLATE = re.compile(r"translate\(\) takes exactly one argument \(2 given\)")
_CMP = re.compile(r"name 'cmp' is not defined")
_LISTS = frozenset({"list", "builtins.list"})
_TEXTS = frozenset({"str", "builtins.str"})
_PLAIN = m.Call(func=m.Name("len") | m.Name("int") | m.Name("float") | m.Name("str") | m.Name("abs"))


class _Arguments(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's protocol)
        message = self.scope.failure.error.message if self.scope.failure else ""
        func = original_node.func
        name = func.attr.value if isinstance(func, cst.Attribute) else code(func)
        if (
            _CMP.search(message)
            and name == "cmp"
            and isinstance(func, cst.Name)
            and self.scope.names.unbound("cmp", self.scope.unit)
        ):
            return self._compared(updated_node)
        if _SORT.search(message) and self._sorts(func):
            return self._by_key(original_node, updated_node, 0 if name == "sort" else 1)
        if _TRANSLATE.search(message) and name == "translate" and isinstance(func, cst.Attribute):
            text = self.type_of(func.value) in _TEXTS or self.scope.failing(original_node)
            return self._without(updated_node) if text else updated_node
        return updated_node

    def _sorts(self, func: cst.BaseExpression) -> bool:
        """Tell whether a call is one of the built-in function or of a list's method."""
        if isinstance(func, cst.Name):
            return func.value == "sorted" and self.scope.names.unbound("sorted", self.scope.unit)
        return isinstance(func, cst.Attribute) and func.attr.value == "sort" and self.type_of(func.value) in {None, *_LISTS}

    def _by_key(self, original: cst.Call, call: cst.Call, place: int) -> cst.Call:
        """Turn the comparison into a key; one that stands by its place is only known where sorting failed."""
        given = argument(call, "cmp")
        positional = [arg for arg in call.args if arg.keyword is None and not arg.star]
        if given is None and self.scope.failing(original) and len(positional) == place + 1:
            given = positional[place]
        if given is None or argument(call, "key") is not None:
            return call
        self.scope.note("cmp= → key=functools.cmp_to_key()")
        key = filled("{to_key}({function})", {"to_key": self.scope.reference("functools.cmp_to_key"), "function": given.value})
        args = [keyword("key", key).with_changes(comma=arg.comma) if arg is given else arg for arg in call.args]
        return call.with_changes(args=args)

    def _compared(self, call: cst.Call) -> cst.BaseExpression:
        """Write out ``cmp(a, b)``: what is computed at length is computed once."""
        if len(call.args) != 2 or any(arg.keyword or arg.star for arg in call.args):  # noqa: PLR2004 (the two compared)
            return call
        self.scope.note("cmp(a, b) → (a > b) - (a < b)")
        values = [arg.value for arg in call.args]
        if all(is_chain(value) or m.matches(value, _PLAIN | m.Subscript() | m.Integer() | m.Float()) for value in values):
            a, b = map(code, values)
            return parsed(f"(({a} > {b}) - ({a} < {b}))")
        return parsed(f"(lambda a, b: (a > b) - (a < b))({', '.join(map(code, values))})")

    def _without(self, call: cst.Call) -> cst.Call:
        """Give one table, in which the characters to delete are nothing."""
        if len(call.args) != 2 or any(arg.keyword or arg.star for arg in call.args):  # noqa: PLR2004 (table and characters)
            return call
        table, characters = call.args
        if isinstance(characters.value, cst.SimpleString) and "b" in characters.value.prefix.lower():
            return call
        gone = f"str.maketrans('', '', {code(characters.value)})"
        self.scope.note("translate(table, characters) → translate(one table)")
        if literal(table.value) != "None" and code(table.value).replace('"', "'") != "str.maketrans('', '')":
            gone = f"{{**{code(table.value)}, **{gone}}}"
        return call.with_changes(args=[cst.Arg(cst.parse_expression(gone))])


class Arguments(FailureRecipe):
    """Arguments of built-in functions."""

    name = "python2-arguments"
    summary = "Sorting takes a key and translate() one table; the comparison or the characters of Python 2 were made into that."
    since = "Python 3.0"
    source = "What's New In Python 3.0 (cmp), documentation of str.maketrans"
    words = frozenset({"sort", "translate", "cmp"})
    errors = frozenset({"TypeError", "NameError"})
    message = re.compile(f"{_SORT.pattern}|{_TRANSLATE.pattern}|{_CMP.pattern}")
    codemod = _Arguments


RECIPES = (Arguments(),)
