"""What is allowed and yet worth a look: shown in the report, never refused."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from modernizer.repair.policy.calls import arguments, renamed_calls, successors
from modernizer.repair.policy.edit import Edit, Finding
from modernizer.repair.policy.expressions import constants, numbers
from modernizer.repair.policy.reading import imported


def changed_numbers(edit: Edit) -> Iterator[Finding]:
    """Numeric literals that went or came."""
    if edit.before.tree is None or edit.after.tree is None:
        return
    was, now = numbers(edit.before.tree), numbers(edit.after.tree)
    gone, came = (sorted((one - other).elements()) for one, other in ((was, now), (now, was)))
    if gone or came:
        yield Finding(0, f"numbers changed: {_listed(gone)} → {_listed(came)}")


def _listed(values: list[float]) -> str:
    return ", ".join(map(str, values[:8])) or "none"


def changed_strings(edit: Edit) -> Iterator[Finding]:
    """Tell string literals that became others."""
    if edit.before.tree is None or edit.after.tree is None:
        return
    was, now = (
        Counter(one.value for one in constants(tree) if isinstance(one.value, str))
        for tree in (edit.before.tree, edit.after.tree)
    )
    gone, came = ([text[:40] for text in (one - other)] for one, other in ((was, now), (now, was)))
    if gone or came:
        shown = [", ".join(map(repr, texts[:5])) or "none" for texts in (gone, came)]
        yield Finding(0, f"text changed: {shown[0]} → {shown[1]}")


def changed_arguments(edit: Edit) -> Iterator[Finding]:
    """Keyword arguments that a call lost or got."""
    for pair in (*successors(edit), *renamed_calls(edit)):
        if pair.new is None:
            continue
        was, now = ([name for name, _ in arguments(call.node) if name] for call in (pair.old, pair.new))
        for name in sorted(set(was) - set(now)):
            yield Finding(pair.new.line, f"{pair.new.leaf}() lost {name}=")
        for name in sorted(set(now) - set(was)):
            yield Finding(pair.new.line, f"{pair.new.leaf}() got {name}=")


def new_packages(edit: Edit) -> Iterator[Finding]:
    """Tell packages that the program didn't use."""
    if edit.after.tree is None:
        return
    old = {name.split(".")[0] for code in edit.sides.units_before.values() if code.tree for name in imported(code.tree).values()}
    for package in sorted({name.split(".")[0] for name in imported(edit.after.tree).values()} - old):
        yield Finding(0, f"new import of {package}")


def changed_conditions(edit: Edit) -> Iterator[Finding]:
    """Conditions and loops that read differently."""
    for old, new in edit.changed:
        if isinstance(old.node, ast.If | ast.While | ast.For):
            yield Finding(new.line, "a condition or loop reads differently")


def unread_code(edit: Edit) -> Iterator[Finding]:
    """Code that could not be read before the edit, which rules saw only in part."""
    if edit.before.masked is not None and edit.before.tree is None:
        yield Finding(0, "the code before the edit is not valid; rules compared its words only")
