"""Rules on the amount of work: a model learns as long, on as much and as freely as before."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from modernizer.repair.policy.calls import arguments, family, renamed_calls, successors
from modernizer.repair.policy.edit import Edit, Finding
from modernizer.repair.policy.expressions import numbers, text
from modernizer.repair.policy.reading import Call

_SIZES = frozenset(
    {"nrows", "skiprows", "skipfooter", "chunksize", "max_rows", "usecols", "train_size", "subsample", "frac", "max_samples"}
    | {"steps_per_epoch", "validation_steps", "epochs", "nb_epoch", "max_iter", "n_iter", "n_iterations", "iterations", "steps"}
    | {"n_estimators", "num_boost_round", "n_trees", "cv", "n_splits", "n_folds", "n_init", "n_samples", "num_samples", "limit"}
    | {"num_epochs", "n_epochs", "max_steps", "max_depth", "n_repeats", "sample_size", "max_evals", "warm_start"}
    | {
        "drop_last",
        "sampler",
        "batch_sampler",
        "validation_split",
        "validation_freq",
        "max_train_size",
        "num_words",
        "initial_epoch",
    }
    | {"early_stopping_rounds", "early_stopping", "as_frame", "subset", "test_size", "n_candidates"}
)
# How strongly a model learns and of what: an argument that was left at its default.
_TUNING = frozenset(
    {"C", "alpha", "class_weight", "sample_weight", "scale_pos_weight", "l1_ratio", "reg_alpha", "reg_lambda", "weight_decay"}
    | {
        "learning_rate",
        "lr",
        "eta",
        "momentum",
        "dropout",
        "min_samples_leaf",
        "min_samples_split",
        "max_leaf_nodes",
        "num_leaves",
    }
    | {"kernel", "criterion", "hidden_layer_sizes", "colsample_bytree", "min_child_weight", "min_df", "max_df", "max_features"}
    | {"bootstrap", "shuffle", "loss", "booster", "objective", "optimizer", "activation", "tree_method"}
    | {"with_mean", "with_std", "feature_range", "whiten", "fit_intercept", "trainable", "label_smoothing"}
    | {"ngram_range", "stop_words", "n_components", "n_neighbors", "n_clusters", "base_score", "degree", "batch_size"}
)
_STOPS = re.compile(r"early_?stop\w*$|TerminateOn\w+$|\w*StoppingCriteria$", re.IGNORECASE)
_COUNTING = re.compile(r"(?:range|arange|linspace|logspace|geomspace|randint|repeat|tile|random_search)$")


def no_shrinking(edit: Edit) -> Iterator[Finding]:
    """No fewer epochs, folds, trees, rounds, candidates or rows: less work is another result."""
    successor = {id(pair.new): pair.old for pair in (*successors(edit), *renamed_calls(edit)) if pair.new is not None}
    pinned = edit.sides.renames.defaults
    old_sizes = Counter(_size(name, one) for call in edit.before.calls for name, one in arguments(call.node) if name in _SIZES)
    for call in edit.new_calls:
        old = successor.get(id(call))
        given = arguments(old.node) if old is not None else []
        for name, one in arguments(call.node):
            if name not in _SIZES or _was_given(name, one, given) or (call.leaf, name, ast.unparse(one)) in pinned:
                continue
            if old_sizes[_size(name, one)] <= 0:
                yield Finding(call.line, f"no new limit: {name}={ast.unparse(one)}")
            old_sizes[_size(name, one)] -= 1
    yield from _early_stops(edit)
    yield from _shorter_ranges(edit)
    yield from _shorter_lists(edit)


def _was_given(name: str, node: ast.expr, given: list[tuple[str, ast.expr]]) -> bool:
    """Tell whether a call had this value, under another name too; switches are too alike for that."""
    switch = isinstance(node, ast.Constant) and isinstance(node.value, bool)
    return any(text(one) == text(node) and (key == name or not switch) for key, one in given)


def _early_stops(edit: Edit) -> Iterator[Finding]:
    """Find new callbacks that end a training, other than those that were an argument."""
    asked = sum(name.startswith("early_stopping") for call in edit.gone_calls for name, _ in arguments(call.node))
    stops = edit.more(lambda call: "stop" if _STOPS.match(call.leaf) else None)
    for call, _ in stops[asked:]:
        yield Finding(call.line, f"training may not end earlier: {call.leaf}()")


def _size(name: str, node: ast.expr) -> tuple[str, str]:
    return name, text(node)


def _shorter_ranges(edit: Edit) -> Iterator[Finding]:
    for old in (call for call in edit.gone_calls if _COUNTING.match(call.leaf)):
        new = next((call for call in edit.new_calls if edit.sides.renames.is_renamed(old.leaf, call.leaf)), None)
        if new is not None and _lower(old, new):
            yield Finding(new.line, f"no smaller count: {ast.unparse(old.node)} became {ast.unparse(new.node)}")


def _lower(old: Call, new: Call) -> bool:
    was, now = numbers(old.node), numbers(new.node)
    lost, came = was - now, now - was
    if len(new.node.args) > max(len(old.node.args), 2) and new.leaf == "range":
        return True
    return bool(lost) and (not came or sum(came.elements()) < sum(lost.elements()))


def _shorter_lists(edit: Edit) -> Iterator[Finding]:
    """Find lists of literals, such as a parameter grid's, that lost elements."""
    if edit.before.tree is None or edit.after.tree is None:
        return
    before, after = ([one for node in ast.walk(tree) if (one := _elements(node))] for tree in (edit.before.tree, edit.after.tree))
    old, new = (Counter(tuple(sorted(one.elements())) for one in side) for side in (before, after))
    for gone in (old - new).elements():
        for came in new - old:
            if came and not Counter(came) - Counter(gone) and len(came) < len(gone):
                yield Finding(0, "a list of values or candidates lost elements")


def _elements(node: ast.AST) -> Counter[str] | None:
    if isinstance(node, ast.List | ast.Tuple | ast.Set) and len(node.elts) > 0:
        found = Counter(ast.dump(item) for item in node.elts)
        return found if all(isinstance(item, ast.Constant | ast.UnaryOp) for item in node.elts) else None
    if isinstance(node, ast.Dict) and node.keys:
        return Counter(ast.dump(key) for key in node.keys if key is not None)
    return None


def no_tuning(edit: Edit) -> Iterator[Finding]:
    """Give a model no new argument that tunes it, other than the default that it had: a tuned score is not a reproduced one."""
    renames = edit.sides.renames
    moved = {item for call in edit.gone_calls for item in _named_values(call.node)}
    for pair in successors(edit):
        if pair.new is None or family(pair.old) not in {"build", "fit", "split"}:
            continue
        given = arguments(pair.old.node)
        known = {new for name, _ in given if name for new in renames.argument_names(pair.old.leaf, name)}
        for name, one in arguments(pair.new.node):
            pinned = (pair.new.leaf, name, ast.unparse(one)) in renames.defaults or (name, text(one)) in moved
            if name in _TUNING and name not in known and not _was_given(name, one, given) and not pinned:
                yield Finding(pair.new.line, f"{pair.new.leaf}() gets a new argument that tunes it: {name}={ast.unparse(one)}")


def _named_values(node: ast.Call) -> Iterator[tuple[str, str]]:
    """List keyword arguments, and the items of dictionaries that stand for such."""
    for child in ast.walk(node):
        if isinstance(child, ast.keyword) and child.arg:
            yield child.arg, text(child.value)
        elif isinstance(child, ast.Dict):
            pairs = zip(child.keys, child.values, strict=True)
            yield from ((str(key.value), text(one)) for key, one in pairs if isinstance(key, ast.Constant))
