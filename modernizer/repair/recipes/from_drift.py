"""Arguments that no table speaks of, from the signatures of the releases then and now."""

from __future__ import annotations

import libcst as cst

from modernizer.drift.compare import Comparison
from modernizer.drift.module_surface import Signature
from modernizer.drift.uses import positional_names
from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope
from modernizer.repair.syntax import named, with_args

_PROPER = frozenset({"POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY"})


class _Arguments(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        symbol = _symbol(original_node, self.scope)
        comparison = self.scope.drift.compare(symbol) if symbol and self.scope.drift else None
        if symbol is None or comparison is None or any(arg.star for arg in original_node.args):
            return updated_node
        if comparison.old.signature is None or comparison.new.signature is None:
            return updated_node
        renamed = {fact.old: fact.new for fact in comparison.facts if fact.kind == "parameter-renamed?"}
        return self._changed(updated_node, symbol, comparison, renamed)

    def _changed(self, call: cst.Call, symbol: str, comparison: Comparison, renamed: dict[str, str]) -> cst.Call:
        """Name the arguments that can't be positional any more by the old order, and rename keywords."""
        before, after = comparison.old.signature or (), comparison.new.signature or ()
        order = positional_names(before)
        fits = _fitting([renamed.get(name, name) for name in order], after)
        known = {parameter.name for parameter in after if parameter.kind in _PROPER}
        leaf = symbol.rpartition(".")[2]
        args = []
        place = 0
        for arg in call.args:
            name = arg.keyword.value if arg.keyword else None
            if name is None:
                if place >= len(order):
                    return call
                given, place = order[place], place + 1
                new = renamed.get(given, given)
                if place <= fits:
                    args.append(arg)
                    continue
                if new not in known:
                    return call
                args.append(named(arg, new))
                self._note(f"{leaf}: {new}= by keyword", symbol)
            elif name in renamed and name not in known:
                args.append(arg.with_changes(keyword=cst.Name(renamed[name])))
                self._note(f"{leaf}: {name}= → {renamed[name]}=", symbol)
            else:
                args.append(arg)
        return with_args(call, args)

    def _note(self, text: str, symbol: str) -> None:
        self.scope.note(text, self.scope.drift.releases_of(symbol) if self.scope.drift else "")


def _symbol(call: cst.Call, scope: Scope) -> str | None:
    """Return the function, class or method that a call calls, by the text or the live object."""
    qualified = scope.qualified(call.func)
    if qualified is None and isinstance(call.func, cst.Attribute):
        of_class = scope.type_of(call.func.value)
        return f"{of_class}.{call.func.attr.value}" if of_class and "." in of_class else None
    return qualified


def _fitting(order: list[str], after: Signature) -> int:
    """Count the leading parameters that a call may still give by position and that stand where they stood."""
    if any(parameter.kind == "VAR_POSITIONAL" for parameter in after):
        return len(order)
    now = positional_names(after)
    return next((place for place, name in enumerate(order) if place >= len(now) or now[place] != name), len(order))


class FromDrift(CodemodRecipe):
    """Arguments by the signatures of both releases."""

    name = "signature-drift"
    summary = "Arguments are given as today's signature takes them; the signature of the notebook's time says what they mean."
    since = ""
    source = "signatures of the releases then and now"
    # After every table.
    order = 80
    codemod = _Arguments


RECIPES = (FromDrift(),)
