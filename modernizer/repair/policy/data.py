"""Rules on data: all of it, the real one, and the test part only for testing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from modernizer.repair.policy.assigning import target_names, targets, value
from modernizer.repair.policy.calls import arguments, family, successors
from modernizer.repair.policy.edit import Edit, Finding, line_of
from modernizer.repair.policy.expressions import text, variables
from modernizer.repair.policy.reading import Call, called
from modernizer.repair.policy.roles import speaks_of_test, speaks_of_training

_READ_AS = frozenset(
    {"header", "names", "comment", "na_values", "na_filter", "keep_default_na", "iterator", "skip_blank_lines", "converters"}
)
_SAMPLING = re.compile(
    r"(?:sample|head|tail|nlargest|nsmallest|islice|take|truncate|resample|choice|choices|subsample|batch|thin|downsample"
    r"|dropna|drop_duplicates|prune|limit|get_chunk|SubsetRandomSampler|Subset)$"
)
_SYNTHETIC = re.compile(
    r"numpy\.random\.|random\.|(?:numpy|torch|tensorflow)\.(?:zeros|ones|full|empty|rand\w*|eye|normal)\w*$|torch\.rand"
    r"|tensorflow\.random|scipy\.stats\..*\.rvs|sklearn\.datasets\.make_|faker|keras\.random"
)
_DRAWS = re.compile(
    r"(?:rand|randn|randint|random_sample|rvs|normal|uniform|standard_normal|permutation|shuffle|make_(?:classification|regression|blobs|moons|circles)"
    r"|zeros_like|ones_like|full_like|empty_like|fake\w*|mock\w*|synthetic\w*|dummy\w*)$"
)
_MUTATING = re.compile(
    r"(?:update|extend|append|insert|pop|popitem|clear|remove|fill|sort|reverse|put|itemset|set_params|set_value|load_state_dict"
    r"|setdefault|add|discard|reset_parameters|set_weights|partition|resize|setflags|rename_axis|train|eval|half|requires_grad_)$"
)
_FRESH = frozenset({"False", "None"})


def no_sampling(edit: Edit) -> Iterator[Finding]:
    """No part of the data is taken where all of it was: the score of a sample is another score."""
    for call, name in edit.more(lambda call: call.leaf if _SAMPLING.match(call.leaf) else None):
        if not any(edit.sides.renames.is_renamed(old.leaf, name) for old in edit.gone_calls if old.leaf != name):
            yield Finding(call.line, f"no part of the data may be taken: {name}()")
    for node, name in edit.new_nodes(_slice):
        yield Finding(_line(node), f"no part of the data may be taken: [{name}]")


def _slice(node: ast.AST) -> str | None:
    """Write a slice that leaves something out; its place in a longer index and the form of its bounds don't count."""
    if not isinstance(node, ast.Slice) or (node.lower is None and node.upper is None and node.step is None):
        return None
    return ":".join(text(part) if part is not None else "" for part in (node.lower, node.upper, node.step))


def _line(node: ast.AST) -> int:
    return line_of(node)


def no_synthetic_data(edit: Edit) -> Iterator[Finding]:
    """No random, constant or made-up values take the place of data."""
    for call, name in edit.more(_made_up):
        if not any(_made_up(old) for old in edit.gone_calls):
            yield Finding(call.line, f"no made-up data: {name}")


def _made_up(call: Call) -> str | None:
    if family(call) == "seed":
        return None
    if "." in call.dotted:
        return call.leaf if _SYNTHETIC.match(call.dotted) else None
    return call.leaf if _DRAWS.match(call.leaf) else None


def no_other_data(edit: Edit) -> Iterator[Finding]:
    """No data set is loaded that was not: other data gives another result."""
    for call, name in edit.more(lambda call: call.leaf if family(call) == "load" else None):
        if not any(edit.sides.renames.is_renamed(old.leaf, name) for old in edit.gone_calls if family(old) == "load"):
            yield Finding(call.line, f"no new data may be loaded: {ast.unparse(call.node)[:80]}")
    for pair in successors(edit):
        if pair.new is None or family(pair.old) != "load":
            continue
        given = {name for name, _ in arguments(pair.old.node)}
        for name, one in arguments(pair.new.node):
            if name in _READ_AS and name not in given:
                yield Finding(pair.new.line, f"the data must be read as before: {name}={ast.unparse(one)}")


def no_leak(edit: Edit) -> Iterator[Finding]:
    """Test data stays out of training: names of test data don't come into what makes or feeds training data."""
    for new in edit.new_statements:
        old = next((before for before, after in edit.changed if after is new), None)
        names = target_names(new.node)
        given = value(new.node)
        if given is None or not any(speaks_of_training(name) and not speaks_of_test(name) for name in names):
            continue
        was = value(old.node) if old is not None else None
        more = set(variables(given)) - set(variables(was) if was is not None else ())
        if any(speaks_of_test(name) for name in more if name not in names):
            yield Finding(new.line, f"test data goes into training data: {ast.unparse(new.node)[:80]}")


def targets_stay(edit: Edit) -> Iterator[Finding]:
    """Keep what a statement assigns, and in which order: swapped names swap training and test data."""
    for old, new in edit.changed:
        before, after = targets(old.node), targets(new.node)
        if not before or not after or before == after or not _several(old.node):
            continue
        was, now = _variables(old.node), _variables(new.node)
        if was != now and not _without_unread(was, now, edit):
            yield Finding(new.line, f"the assigned names must stay: {ast.unparse(old.node)[:80]}")


def _without_unread(was: list[str], now: list[str], edit: Edit) -> bool:
    """Tell whether only names went that nothing reads, from a call that gives fewer results now."""
    rest = iter(was)
    gone = set(was) - set(now)
    return bool(now) and all(name in rest for name in now) and not gone & edit.sides.names_read


def _several(node: ast.AST) -> bool:
    return isinstance(node, ast.Assign) and any(isinstance(target, ast.Tuple | ast.List) for target in node.targets)


def _variables(node: ast.AST) -> list[str]:
    found = node.targets if isinstance(node, ast.Assign) else []
    return [child.id for target in found for child in ast.walk(target) if isinstance(child, ast.Name)]


def data_stays(edit: Edit) -> Iterator[Finding]:
    """Give no variable another value by a new statement, other than itself in another form: later code relies on it."""
    old = edit.sides.names_before
    for new in edit.added:
        given = value(new.node)
        again = (target_names(new.node) | _stored_inside(new.node) | _mutated(new.node)) & old
        if again and (given is None or set(variables(given)) != again or not _is_reshaped(given, new.node)):
            yield Finding(new.line, f"a variable gets a new value: {ast.unparse(new.node)[:80]}")
    for one, new in edit.changed:
        more = (_stored(new.node) - _stored(one.node)) & old
        inside = {child.target.id for child in ast.walk(new.node) if isinstance(child, ast.NamedExpr)}
        if more and (inside & more or not more <= set(variables(one.node))):
            yield Finding(new.line, f"a variable gets a new value: {', '.join(sorted(more))}")


def _stored(node: ast.AST) -> set[str]:
    return {child.id for child in ast.walk(node) if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store)}


def _stored_inside(node: ast.AST) -> set[str]:
    """Return the variables that a statement binds or deletes without being an assignment."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return set()
    deleted = {child.id for child in ast.walk(node) if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Del)}
    return deleted | _stored(node)


def _mutated(node: ast.AST) -> set[str]:
    """Return the variables that a call by itself changes."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return set()
    call = node.value
    if isinstance(call.func, ast.Name):
        return set(variables(call)) if re.match(r"numpy\.(?:copyto|put\w*|place|fill_diagonal)$", call.func.id) else set()
    if called(call)[0] == "add" and any(
        isinstance(one, ast.Call) and called(one)[0] in {"Input", "InputLayer"} for one in call.args
    ):
        # What was the first layer's argument.
        return set()
    in_place = any(word.arg == "inplace" for word in call.keywords)
    mutates = isinstance(call.func, ast.Attribute) and _MUTATING.match(call.func.attr)
    return set(variables(call.func)) if in_place or mutates else set()


def _is_reshaped(given: ast.expr, node: ast.AST) -> bool:
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    return target is not None and text(given).replace("Load()", "") == text(target).replace("Store()", "").replace("Load()", "")


def weights_stay(edit: Edit) -> Iterator[Finding]:
    """Keep a pretrained model pretrained: without its weights it starts from chance."""
    for node, name in edit.new_nodes(_untrained):
        yield Finding(_line(node), f"the model loses its weights: {name}")
    old = [call for call in edit.gone_calls if _pretrained(call)]
    for call in old:
        partner = next((new for new in edit.new_calls if new.leaf == call.leaf), None)
        if partner is not None and not _pretrained(partner):
            yield Finding(partner.line, f"{call.leaf}() must keep its weights")


def _untrained(node: ast.AST) -> str | None:
    if isinstance(node, ast.keyword) and node.arg in {"pretrained", "weights", "strict", "init_weights"}:
        written = ast.unparse(node.value)
        return f"{node.arg}={written}" if written in _FRESH else None
    if isinstance(node, ast.keyword) and node.arg in {"skip_mismatch", "ignore_mismatched_sizes"}:
        written = ast.unparse(node.value)
        return f"{node.arg}={written}" if written == "True" else None
    return None


def _pretrained(call: Call) -> bool:
    return any(
        name in {"pretrained", "weights", "encoder_weights"} and isinstance(one, ast.Constant) and ast.unparse(one) not in _FRESH
        for name, one in arguments(call.node)
    )
