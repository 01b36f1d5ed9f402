"""``frame.to_dict('record')``: an abbreviation was enough until pandas 2.0."""

from __future__ import annotations

import re

import libcst as cst

from modernizer.repair.expressions import requoted
from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.syntax import argument, string

# In the order in which they were compared.
_BEGINNINGS = {"d": "dict", "l": "list", "sp": "split", "s": "series", "r": "records", "i": "index"}
_REFUSED = re.compile(r"orient '(?P<orient>\w+)' not understood")


class _Orients(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        func, given = original_node.func, argument(updated_node, "orient", 0)
        if not isinstance(func, cst.Attribute) or func.attr.value != "to_dict" or given is None:
            return updated_node
        if not self.may_be_of("pandas", func):
            return updated_node
        text, failure = string(given.value), self.scope.failure
        refused = _REFUSED.search(failure.error.message) if failure else None
        if refused is None or text is None or not isinstance(given.value, cst.SimpleString) or text != refused["orient"]:
            return updated_node
        whole = next((orient for start, orient in _BEGINNINGS.items() if text.lower().startswith(start)), None)
        if whole is None:
            return updated_node
        self.scope.note(f"to_dict({text!r}) → to_dict({whole!r})")
        new = given.with_changes(value=requoted(given.value, whole))
        return updated_node.with_changes(args=[new if arg is given else arg for arg in updated_node.args])


class Orients(FailureRecipe):
    """Abbreviated orients of to_dict."""

    name = "pandas-orient"
    summary = "The orient of to_dict() is no longer told by its beginning; the whole word is."
    since = "pandas 2.0"
    source = "pandas What's New 1.1 (deprecation of short forms in to_dict) and 2.0 (removal)"
    words = frozenset({"to_dict"})
    errors = frozenset({"ValueError"})
    message = _REFUSED
    codemod = _Orients


RECIPES = (Orients(),)
