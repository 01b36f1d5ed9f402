"""Files as Python 2 opened them: tables in binary mode, pickles in text mode, ``file()``, universal newlines."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.failure_recipe import FailureRecipe
from modernizer.repair.recipe import Codemod, Scope
from modernizer.repair.syntax import argument, string

_TABLES = frozenset({"csv.reader", "csv.writer", "csv.DictReader", "csv.DictWriter"})
_PICKLES = frozenset(
    {f"{module}.{name}" for module in ("pickle", "_pickle", "cPickle") for name in ("load", "dump", "Unpickler")}
)
_BYTES = re.compile(
    r"iterator should return strings, not bytes|a bytes-like object is required, not 'str'"
    r"|write\(\) argument must be str, not bytes|codec can't decode byte|invalid mode: '\w*U"
    r"|name 'file' is not defined|`read` method|must have 'read' and 'readline'|expected bytes, str found"
)


class _Files(Codemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._of_tables: set[cst.CSTNode] = set()
        self._of_pickles: set[cst.CSTNode] = set()

    def visit_Module(self, node: cst.Module) -> None:  # noqa: N802 (LibCST's visitor protocol)
        opened = _opened(node, self.scope)
        for call in m.findall(node, m.Call()):
            if not isinstance(call, cst.Call):
                continue
            kind = self.scope.qualified(call.func)
            found = self._of_tables if kind in _TABLES else self._of_pickles if kind in _PICKLES else None
            if found is None:
                continue
            for arg in call.args[:2]:
                found.update(opened.get(arg.value.value, [])) if isinstance(arg.value, cst.Name) else found.add(arg.value)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        if not _opens(original_node, self.scope):
            return updated_node
        call = updated_node
        if isinstance(call.func, cst.Name) and call.func.value == "file":
            self.scope.note("file() → open()")
            call = call.with_changes(func=cst.Name("open"))
        mode = argument(original_node, "mode", 1)
        old = string(mode.value) if mode is not None else "r"
        new = old and self._mode(old, original_node)
        if mode is None and new == "rb":
            return call.with_changes(args=[*call.args, cst.Arg(cst.SimpleString("'rb'"))])
        if not new or new == old or mode is None or not isinstance(mode.value, cst.SimpleString):
            return call
        self.scope.note(f"open(…, '{old}') → open(…, '{new}')")
        quote = mode.value.quote
        value = cst.SimpleString(f"{quote}{new}{quote}")
        index = original_node.args.index(mode)
        args = [arg.with_changes(value=value) if place == index else arg for place, arg in enumerate(call.args)]
        if original_node in self._of_tables:
            args.append(cst.Arg(keyword=cst.Name("newline"), value=cst.SimpleString("''"), equal=_TIGHT))
        return call.with_changes(args=args)

    def _mode(self, mode: str, call: cst.Call) -> str:
        """Return the mode that a file needs: text for tables, bytes for pickles, no mark of universal newlines."""
        if call in self._of_tables:
            return mode.replace("b", "").replace("U", "") or "r"
        if call in self._of_pickles and "b" not in mode:
            return f"{mode.replace('U', '').replace('t', '') or 'r'}b"
        return mode.replace("U", "") or "r"


_TIGHT = cst.AssignEqual(whitespace_before=cst.SimpleWhitespace(""), whitespace_after=cst.SimpleWhitespace(""))


def _opens(call: cst.CSTNode, scope: Scope) -> bool:
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Name):
        return False
    return call.func.value in {"open", "file"} and scope.names.unbound(call.func.value, scope.unit)


def _opened(tree: cst.Module, scope: Scope) -> dict[str, list[cst.CSTNode]]:
    """Collect the calls that open a file by the names they are bound to."""
    found: dict[str, list[cst.CSTNode]] = {}
    for assign in m.findall(tree, m.Assign(targets=[m.AssignTarget(target=m.Name())], value=m.Call())):
        if isinstance(assign, cst.Assign) and _opens(assign.value, scope):
            found.setdefault(cst.ensure_type(assign.targets[0].target, cst.Name).value, []).append(assign.value)
    for item in m.findall(tree, m.WithItem(asname=m.AsName(name=m.Name()))):
        if isinstance(item, cst.WithItem) and item.asname and _opens(item.item, scope):
            found.setdefault(cst.ensure_type(item.asname.name, cst.Name).value, []).append(item.item)
    return found


class Files(FailureRecipe):
    """Modes of files."""

    name = "python-2-files"
    summary = "Python 3 tells text from bytes: tables are opened as text, pickles as bytes, and file() is open()."
    since = "Python 3.0"
    source = "What's New In Python 3.0; csv and pickle documentation"
    words = frozenset({"open", "file"})
    errors = frozenset({"Error", "TypeError", "UnicodeDecodeError", "NameError", "ValueError"})
    message = _BYTES
    codemod = _Files


RECIPES = (Files(),)
