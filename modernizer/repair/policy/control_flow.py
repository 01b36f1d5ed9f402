"""Rules on the flow: what ran before the edit still runs, and an error still shows."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from modernizer.repair.policy.calls import family, successors
from modernizer.repair.policy.edit import Edit, Finding, line_of
from modernizer.repair.policy.expressions import dotted, is_literal, numbers, text, variables
from modernizer.repair.policy.reading import STAND_IN, Call, Statement, called

_IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError"})
_REPEATING = {"a loop", "a comprehension", "a lambda"}
_EXITS = re.compile(r"(?:sys\.exit|exit|quit|os\._exit|os\.abort|time\.sleep)$")
_SUPPRESS = re.compile(r"(?:contextlib\.)?(?:suppress|ExitStack|redirect_\w+)$|pytest\.raises|warnings\.catch_warnings")
# What draws stays; what sets up how it looks may go.
_DRAWING = re.compile(
    r"(?:plot\w*|\w*plot|hist\w*|scatter\w*|barh?|imshow|matshow|pie|contourf?|heatmap|clustermap|errorbar|fill\w*|stem|step|quiver"
    r"|pcolor\w*|hexbin|specgram|text|annotate|savefig|iplot|display|pairplot|stackplot|axhline|axvline|vlines|hlines)$"
)
# Statements without influence on results, which an edit may remove: settings of figures and display.
_COSMETIC = re.compile(
    r"hold$|(?:matplotlib|seaborn|IPython|bokeh|plotly|altair|mpld3|pylab|warnings|ipywidgets)\b|pandas\.(?:set_option|options|plotting)|print$"
    r"|tensorflow\.logging|reload$|display$|importlib\.reload|numpy\.set_printoptions|sys\.(?:path|setdefaultencoding)"
)


def errors_stay_visible(edit: Edit) -> Iterator[Finding]:
    """No error is swallowed: a failure that is caught is still a failure. Trying an import in two places is fine."""
    for node, _ in edit.new_nodes(_swallows):
        yield Finding(line_of(node), "no error may be caught or suppressed")
    for node, name in edit.new_nodes(_leaving):
        yield Finding(line_of(node), f"no error may be caught where a block ends: {name}()")
    for call, name in edit.more(lambda call: call.dotted if _SUPPRESS.match(call.dotted) else None):
        yield Finding(call.line, f"no error or warning may be suppressed: {name}")


def _swallows(node: ast.AST) -> str | None:
    if not isinstance(node, ast.ExceptHandler):
        return None
    caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    names = {dotted(one) if one is not None else "" for one in caught}
    if names <= _IMPORT_ERRORS and all(isinstance(line, ast.Import | ast.ImportFrom) for line in node.body):
        return None
    return ",".join(sorted(names))


def _leaving(node: ast.AST) -> str | None:
    defined = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in {"__exit__", "__aexit__"}
    return node.name if defined and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else None


def nothing_ends_early(edit: Edit) -> Iterator[Finding]:
    """No new exit, return, break, continue or raise: what comes behind it would not run."""
    new_functions = _new_functions(edit)
    allowed = {id(child) for function in new_functions for child in ast.walk(function)}
    for node, name in edit.new_nodes(_leaves):
        if id(node) not in allowed:
            yield Finding(line_of(node), f"nothing may end the code early: {name}")


def _new_functions(edit: Edit) -> list[ast.AST]:
    old = edit.sides.names_before
    nodes = ast.walk(edit.after.tree) if edit.after.tree else iter(())
    return [
        node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name not in old
    ]


def _leaves(node: ast.AST) -> str | None:
    match node:
        case ast.Return() | ast.Break() | ast.Continue() | ast.Raise():
            return type(node).__name__.lower()
        case ast.Call() if _EXITS.match(dotted(node.func)):
            return "exit"
        case ast.While():
            return "a new while"
        case ast.Name() if node.id in {"SystemExit", "KeyboardInterrupt"}:
            return node.id
    return None


def nothing_is_put_aside(edit: Edit) -> Iterator[Finding]:
    """Original code is not put under a condition, a try, a function or a lambda: there it may never run."""
    seen: set[int] = set()
    pairs: list[tuple[Call | Statement, Call | Statement]] = [*edit.kept, *edit.kept_calls]
    pairs += [(old, new) for old, new in edit.changed]
    pairs += [(pair.old, pair.new) for pair in successors(edit) if pair.new is not None]
    for old, new in pairs:
        more = Counter(new.around) - Counter(old.around)
        less = Counter(old.around) - Counter(new.around)
        # A loop, a comprehension and a mapped lambda may take each other's place.
        aside = [one for one in more if not (one in _REPEATING and _REPEATING & less.keys())]
        if not aside and "a loop" in less and not _REPEATING & more.keys():
            aside = ["no loop"]
        if aside and new.line not in seen and not isinstance(new.node, ast.Return):
            seen.add(new.line)
            yield Finding(new.line, f"original code now stands in {aside[0]}, where it may not run as before")


def conditions_stay(edit: Edit) -> Iterator[Finding]:
    """Keep what a condition or loop depends on; no constant, count, ``not``, ``and`` or ``or`` comes in: code might not run."""
    for old, new in edit.changed:
        if not isinstance(old.node, ast.If | ast.While | ast.For) or type(old.node) is not type(new.node):
            continue
        before, after = (_condition(one.node) for one in (old, new))
        if text(before) == text(after):
            continue
        lost = set(variables(before)) - set(variables(after))
        fixed = _switches(after) - _switches(before)
        limited = isinstance(new.node, ast.For) and numbers(edit.read_through(after)) - numbers(before)
        if lost or fixed or limited or (is_literal(after) and not is_literal(before)):
            yield Finding(new.line, f"the condition or loop over {ast.unparse(before)} must stay")


def _condition(node: ast.AST) -> ast.expr:
    if isinstance(node, ast.If | ast.While):
        return node.test
    return node.iter if isinstance(node, ast.For) else ast.Constant(None)


def _switches(node: ast.expr) -> Counter[str]:
    found: Counter[str] = Counter()
    for child in ast.walk(node):
        if isinstance(child, ast.Constant) and (child.value is None or isinstance(child.value, bool)):
            found[repr(child.value)] += 1
        elif isinstance(child, ast.Not | ast.And | ast.Or):
            found[type(child).__name__] += 1
    return found


def statements_stay(edit: Edit) -> Iterator[Finding]:
    """No statement goes, by deletion, commenting out or ``pass``; settings of figures and display may."""
    if edit.before.tree is None:
        yield from _words_stay(edit)
        return
    for old in edit.removed:
        if not _may_go(old, edit):
            yield Finding(0, f"a statement is gone: {_short(old.node)}")


def _may_go(old: Statement, edit: Edit) -> bool:
    node = old.node
    if isinstance(node, ast.Pass | ast.Global | ast.Nonlocal | ast.With):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant | ast.Name):
        return isinstance(node.value, ast.Constant) or not node.value.id.isidentifier()
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and _same_names(node.targets[0], node.value):
        return True
    if STAND_IN.match(getattr(node, "id", "")):
        return True
    return _is_cosmetic(node) or _is_absorbed(node, edit)


def _same_names(target: ast.expr, given: ast.expr) -> bool:
    """Tell whether a statement gives names the values they have, in another form."""
    return text(target).replace("Store()", "Load()") == text(given)


def _is_cosmetic(node: ast.AST) -> bool:
    """Tell whether a statement only sets up figures, or is one plot's."""
    match node:
        case ast.Expr(value=ast.Call() as call):
            root = call.func
            while isinstance(root, ast.Attribute | ast.Subscript | ast.Call):
                root = root.func if isinstance(root, ast.Call) else root.value
            if _DRAWING.match(called(call)[0]):
                return False
            plotted = isinstance(root, ast.Name) and root.id in {"plt", "ax", "fig", "axes", "sns"}
            return plotted or bool(isinstance(root, ast.Name) and _COSMETIC.match(root.id) and root.id != "print")
        case ast.Assign(targets=[target]):
            while isinstance(target, ast.Attribute | ast.Subscript):
                target = target.value
            return isinstance(target, ast.Name) and "." in target.id and bool(_COSMETIC.match(target.id))
    return False


def _is_absorbed(node: ast.AST, edit: Edit) -> bool:
    """Tell whether everything a statement named stands in statements that came in its place."""
    wanted = _words(node)
    came = Counter(word for new in edit.new_statements for word in _words(new.node))
    # A list sorted in place may be one that sorted() gives.
    came["sort"] += came["sorted"]
    return bool(wanted) and not wanted - came


def _words(node: ast.AST) -> Counter[str]:
    words = (getattr(child, "id", None) or getattr(child, "attr", None) for child in ast.walk(node))
    return Counter(word.rpartition(".")[2] for word in words if isinstance(word, str))


def _words_stay(edit: Edit) -> Iterator[Finding]:
    """Compare the words of code that no parser understands."""
    old, new = (Counter(re.findall(r"\w+", re.sub(r"#.*", "", code.source))) for code in (edit.before, edit.after))
    lost = old - new
    if lost.total() > max(3, 0.2 * old.total()):
        yield Finding(0, f"too much is gone of code that was not valid: {', '.join(list(lost)[:5])}")
    called = {name for name in re.findall(r"(\w+)\s*\(", edit.before.source) if name in lost}
    probe = ast.Call(ast.Name("", ast.Load()), [], [])
    for name in sorted(called):
        if family(Call(probe, name, name, "", ())) and not any(edit.sides.renames.is_renamed(name, other) for other in new):
            yield Finding(0, f"the call of {name}() is gone")


def order_stays(edit: Edit) -> Iterator[Finding]:
    """Statements stay in their order: what is seeded, split or scaled first decides what comes out."""
    once = [Counter(one.shape for one in code.statements) for code in (edit.before, edit.after)]
    place = {id(one): index for code in (edit.before, edit.after) for index, one in enumerate(code.statements)}
    pairs = [(old, new) for old, new in edit.kept if all(count[old.shape] == 1 for count in once) and not _is_cosmetic(old.node)]
    pairs.sort(key=lambda pair: place[id(pair[0])])
    for (_, earlier), (_, later) in pairwise(pairs):
        if place[id(later)] < place[id(earlier)]:
            yield Finding(later.line, f"this stood behind another statement: {_short(later.node)}")


def asserts_stay(edit: Edit) -> Iterator[Finding]:
    """Keep assertions as they are: they are the author's own check of the result."""
    changed = {id(old): new for old, new in edit.changed}
    for old in edit.before.statements:
        if not isinstance(old.node, ast.Assert):
            continue
        new = changed.get(id(old))
        if new is not None and not (isinstance(new.node, ast.Assert) and text(old.node.test) == text(new.node.test)):
            yield Finding(new.line, f"an assertion changed: {_short(old.node)}")
        elif any(one is old for one in edit.removed):
            yield Finding(0, f"an assertion is gone: {_short(old.node)}")


def _short(node: ast.AST) -> str:
    written = ast.unparse(ast.fix_missing_locations(node)).splitlines()[0]
    return written if len(written) <= 80 else f"{written[:77]}..."  # noqa: PLR2004 (one line of a message)
