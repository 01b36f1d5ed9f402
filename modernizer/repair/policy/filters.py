"""Rules on filters: nothing that hides errors, bad rows or bad values comes in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from modernizer.repair.policy.edit import Edit, Finding, line_of

_FILTERS = re.compile(
    r"(?:numpy\.(?:seterr\w*|errstate)|warnings\.(?:filterwarnings|simplefilter|catch_warnings|showwarning)|logging\.(?:disable|captureWarnings)"
    r"|numpy\.nan_to_num|tensorflow\.get_logger|sklearn\.set_config|sklearn\.utils\.parallel\.)"
)
# Keyword arguments with the values that let errors, rows or differences pass.
_LENIENT = {
    "errors": {"'ignore'", "'coerce'", "'replace'", "'surrogateescape'"},
    "encoding_errors": {"'ignore'", "'replace'"},
    "on_bad_lines": {"'skip'", "'warn'"},
    "error_bad_lines": {"False"},
    "warn_bad_lines": {"False"},
    "error_score": None,
    "ignore_errors": {"True"},
    "check": {"False"},
    "verify": {"False"},
    "verify_integrity": {"False"},
    "validate": {"False"},
    "force_all_finite": None,
    "ensure_all_finite": None,
    "check_input": {"False"},
    "raise_on_error": {"False"},
    "skip_bad_lines": {"True"},
    "handle_unknown": {"'ignore'"},
}


def errors_stay_strict(edit: Edit) -> Iterator[Finding]:
    """No new setting makes errors, warnings or bad values pass: they would be hidden, not repaired."""
    for call, name in edit.more(lambda call: call.dotted if _FILTERS.match(call.dotted) else None):
        yield Finding(call.line, f"no new filter of errors or warnings: {name}")
    skipped = "error_bad_lines=False" in edit.before.source.replace(" ", "")
    for node, written in edit.new_nodes(_lenient):
        if not (skipped and written.startswith("on_bad_lines")):
            yield Finding(line_of(node), f"errors must not be let pass: {written}")


def _lenient(node: ast.AST) -> str | None:
    if not isinstance(node, ast.keyword) or node.arg not in _LENIENT:
        return None
    written = ast.unparse(node.value)
    values = _LENIENT[node.arg]
    return f"{node.arg}={written}" if written != "'raise'" and (values is None or written in values) else None
