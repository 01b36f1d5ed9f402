"""``.values`` of a column of text, which pandas 3 gives as an array of its own kind: numpy's array again."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.receivers import SERIES, ReceiverCodemod
from modernizer.repair.recipe import Failure, Scope, Unit, is_chain
from modernizer.repair.syntax import code

_OWN_ARRAY = re.compile(r"(?:Arrow)?StringArray")
_OWN_FILES = re.compile(r"/pandas/core/arrays/(?:string_|arrow)")


class _TextValues(ReceiverCodemod):
    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        if not m.matches(original_node, m.Attribute(attr=m.Name("values"))) or not self._is_text(original_node.value):
            return updated_node
        self.scope.note(".values of text → .to_numpy()")
        return cst.Call(func=updated_node.with_changes(attr=cst.Name("to_numpy")))

    def _is_text(self, receiver: cst.BaseExpression) -> bool:
        """Tell whether an expression is a column of text in the live kernel, also when the error came out of a local module."""
        failure, live, unit = self.scope.failure, self.scope.live, self.scope.unit
        if failure is None or live is None or not isinstance(unit, int) or unit > failure.error.cell:
            return False
        if not is_chain(receiver) or self.is_local(receiver):
            return False
        about = live.describe(code(receiver))
        return about is not None and about.type_name == SERIES and about.dtype == "str"


def _speaks_of_texts(failure: Failure) -> bool:
    files = (frame.file or "" for frame in failure.error.frames)
    return bool(_OWN_ARRAY.search(failure.error.message)) or any(_OWN_FILES.search(file) for file in files)


class TextValues(FailureRecipe):
    """Arrays of text."""

    name = "pandas-text-values"
    summary = "The values of a column of text are an array of pandas now; to_numpy() gives numpy's array of objects."
    since = "pandas 3.0"
    source = "pandas migration guide for the new string data type: .values returns an extension array"
    words = frozenset({".values"})
    errors = frozenset({"ValueError", "TypeError", "AttributeError", "NotImplementedError", "IndexError"})
    codemod = _TextValues

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Run only where the error came out of such an array or names one."""
        return super().rewrite(unit, scope) if scope.failure is not None and _speaks_of_texts(scope.failure) else None


RECIPES = (TextValues(),)
