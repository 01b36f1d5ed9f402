"""Rules on names: nothing that the notebook relies on gets another meaning."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from modernizer.repair.policy.calls import family
from modernizer.repair.policy.edit import Edit, Finding, line_of
from modernizer.repair.policy.expressions import dotted
from modernizer.repair.policy.reading import Call, imported

_BUILTINS = frozenset(name for name in dir(builtins) if not name.startswith("_"))
_PYTHON2 = frozenset({"unicode", "xrange", "raw_input", "basestring", "long", "reduce", "unichr", "file", "cmp"})
# Settings that are made by assigning to a library's attributes.
_SETTINGS = ("pandas.options.", "matplotlib.rcParams", "matplotlib.pyplot.rcParams", "sys.path", "tqdm.")
_PROBE = ast.Call(ast.Name("", ast.Load()), [], [])


def meanings_stay(edit: Edit) -> Iterator[Finding]:
    """No metric, model function or built-in is defined anew: the same call would mean something else."""
    libraries = {name for code in edit.sides.units_before.values() if code.tree for name in imported(code.tree)}
    for node, name in edit.new_nodes(_binds):
        if name in _BUILTINS and name in edit.sides.names_before:
            continue
        if name in _BUILTINS:
            yield Finding(line_of(node), f"the built-in {name} must keep its meaning")
        elif name in libraries and not _still_defined(name, edit):
            yield Finding(line_of(node), f"{name} was imported and must not be defined anew")
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.alias) and name not in _PYTHON2 and _matters(name):
            known = name in edit.sides.names_before or isinstance(node, ast.alias)
            if not isinstance(node, ast.alias):
                reason = "defined already" if known else "a metric's or model function's name"
                yield Finding(line_of(node), f"{name} is {reason} and must not be defined anew")
    yield from _imported_as_another(edit)


def _binds(node: ast.AST) -> str | None:
    match node:
        case ast.Name(ctx=ast.Store()) if "." not in node.id:
            return node.id
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return node.name
        case ast.arg() if node.arg not in {"self", "input", "filter", "type", "format", "id", "max", "min"}:
            return None
    return None


def _still_defined(name: str, edit: Edit) -> bool:
    return name in edit.sides.names_before and name not in {"plt", "np", "pd"} and not _matters(name)


def _matters(name: str) -> bool:
    return family(Call(_PROBE, name, name, "", ())) in {"score", "fit", "split", "load", "build"}


def _imported_as_another(edit: Edit) -> Iterator[Finding]:
    """Find imports that give a name another meaning, such as another metric."""
    canonical = edit.sides.renames.canonical
    for node, module in edit.new_nodes(lambda node: "*" if _is_star(node) else None):
        yield Finding(line_of(node), f"no new import of all names: {module}")
    if edit.before.tree is None or edit.after.tree is None:
        return
    old, new = imported(edit.before.tree), imported(edit.after.tree)
    earlier = {**edit.before.imports, **old}
    for name, target in new.items():
        was = earlier.get(name)
        if was is None or canonical(was) == canonical(target):
            if was is None and name in _BUILTINS and target.rpartition(".")[2] != name:
                yield Finding(0, f"the built-in {name} must keep its meaning")
            continue
        last, before = canonical(target).rpartition(".")[2], canonical(was).rpartition(".")[2]
        if last != before and not edit.sides.renames.is_renamed(before, last) and _differs(was, target):
            yield Finding(0, f"{name} was {was} and can't become {target}")


def _is_star(node: ast.AST) -> bool:
    return isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)


def _differs(was: str, target: str) -> bool:
    return was.partition(".")[0] != target.partition(".")[0] or "datasets" in was.split(".") or _matters(was.rpartition(".")[2])


def libraries_stay(edit: Edit) -> Iterator[Finding]:
    """No attribute of a library is assigned or deleted: a patched library is not the one the notebook is said to work with."""
    for node, name in edit.new_nodes(_patched):
        yield Finding(line_of(node), f"no library may be patched: {name}")


def _patched(node: ast.AST) -> str | None:
    match node:
        case ast.Name(ctx=ast.Store() | ast.Del()) if "." in node.id:
            return None if node.id.startswith(_SETTINGS) else node.id
        case ast.Attribute(ctx=ast.Store() | ast.Del()):
            name = dotted(node)
            if "." in name and name.split(".")[0] in _BUILTINS:
                return name
            return name or node.attr if _matters(node.attr) or node.attr in {"loss", "metrics"} else None
        case ast.Subscript(ctx=ast.Store() | ast.Del()) if dotted(node.value).startswith(("sys.modules", "os.environ")):
            return dotted(node.value)
    return None
