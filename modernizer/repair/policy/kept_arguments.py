"""Rules on what such calls are given: the same arguments, in the same order, by the names they have now."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from modernizer.repair.policy.calls import arguments, family, said, successors
from modernizer.repair.policy.computations import called_names
from modernizer.repair.policy.edit import Edit, Finding
from modernizer.repair.policy.expressions import bare, constants, numbers, text, variables
from modernizer.repair.policy.reading import Call, shape
from modernizer.repair.policy.renames import Renames

_SPLITTERS = re.compile(r"\w*(?:KFold|ShuffleSplit|LeaveOneOut|LeavePOut|LabelOut|GroupOut|GroupsOut)$")
_READING = re.compile(r"r?[bU]?|rt|Ur|br")
# Keywords by which arguments go that all libraries take first and second.
_PLACES = {"X": 0, "x": 0, "y_true": 0, "labels_true": 0, "y": 1, "y_pred": 1, "y_score": 1, "y_prob": 1, "labels_pred": 1}
_COLUMN_TRANSFORMERS = frozenset({"ColumnTransformer", "make_column_transformer"})
# An argument of a call with its place in it.
_Placed = tuple[int, tuple[str, ast.expr]]


def arguments_stay(edit: Edit) -> Iterator[Finding]:
    """Such a call keeps its explicit arguments in their order, except those that the packages renamed or dropped."""
    for pair in successors(edit):
        if pair.new is not None:
            others = [call for call in edit.new_calls if call is not pair.new]
            yield from _arguments(pair.old, pair.new, edit, others)
    for old, new in edit.kept_calls:
        if not family(old) or text(old.node) == text(new.node):
            continue
        for (_, one), (_, other) in zip(arguments(old.node), arguments(new.node), strict=True):
            came = _more_called(one, edit.read_through(other))
            if came:
                yield Finding(new.line, f"{old.leaf}() must keep its argument {ast.unparse(one)}, without {min(came)}()")


def _more_called(old: ast.expr, new: ast.expr) -> Counter[str]:
    """Tell what more an expression calls, when it is more."""
    lost, came = called_names(old) - called_names(new), called_names(new) - called_names(old)
    return came if came.total() > lost.total() else Counter()


def _arguments(old: Call, new: Call, edit: Edit, others: list[Call]) -> Iterator[Finding]:
    renames = edit.sides.renames
    given = [(name, edit.read_through(value)) for name, value in arguments(new.node)]
    free = list(enumerate(given))
    waiting, places = [], []
    for place, (name, value) in enumerate(arguments(old.node)):
        found = next((one for one in free if _is_same(name, value, one[1], old.leaf, renames)), None)
        if found is None:
            waiting.append((name, value))
        else:
            free.remove(found)
            places.append((_place(name, place), _place(found[1][0], found[0])))
    if _swapped(places):
        yield Finding(new.line, f"{old.leaf}() must keep the order of its arguments: {said(old)}")
    if (sizes := _as_tuple(waiting, free)) is not None:
        waiting = [one for one in waiting if one[0]]
        free.remove(sizes)
    for name, value in waiting:
        written = f"{name}={ast.unparse(value)}" if name else ast.unparse(value)
        if not name and _may_go(old, name, value, renames):
            continue
        partner = next((one for one in free if one[1][0] in renames.argument_names(old.leaf, name)), None)
        if partner is not None and _close(value, partner[1][1], renames):
            free.remove(partner)
        elif partner is not None:
            yield Finding(new.line, f"{old.leaf}() must keep its argument {written}, not {ast.unparse(partner[1][1])}")
        elif not _may_go(old, name, value, renames) and not _moved(name, value, others, edit):
            yield Finding(new.line, f"{old.leaf}() must keep its argument {written}")


def _place(name: str, place: int) -> int | None:
    """Tell where an argument stands; None for a keyword that has no place everywhere."""
    return _PLACES.get(name) if name else place


def _swapped(places: list[tuple[int | None, int | None]]) -> bool:
    known = sorted((was, now) for was, now in places if was is not None and now is not None)
    return any(later[1] < earlier[1] for earlier, later in pairwise(known))


def _as_tuple(waiting: list[tuple[str, ast.expr]], free: list[_Placed]) -> _Placed | None:
    """Find the tuple that numbers given one by one became, such as the size of a kernel."""
    sizes = [text(value) for name, value in waiting if not name and isinstance(value, ast.Constant)]
    if len(sizes) <= 1:
        return None
    return next((one for one in free if isinstance(one[1][1], ast.Tuple) and [*map(text, one[1][1].elts)] == sizes), None)


def _is_same(name: str, value: ast.expr, other: tuple[str, ast.expr], callee: str, renames: Renames) -> bool:
    if name and other[0] and other[0] not in renames.argument_names(callee, name):
        return False
    values = renames.values(callee, name, ast.unparse(value)) if name else ()
    return text(other[1]) == text(value) or ast.unparse(other[1]) in values


def _moved(name: str, value: ast.expr, others: list[Call], edit: Edit) -> bool:
    """Tell whether an argument went to another new call: the model's own, a callback's, or the method of its name."""
    wanted = text(value)
    if isinstance(value, ast.Dict) and name:
        # Parameters of a fit that were given in a dictionary.
        pairs = zip(value.keys, value.values, strict=True)
        items = {(key.value, text(one)) for key, one in pairs if isinstance(key, ast.Constant)}
        if items and any(items <= {(key, text(one)) for key, one in arguments(call.node)} for call in others):
            return True
    word = _letters(name.removesuffix("_rounds"))
    for call in others if name else ():
        if call.leaf in _COLUMN_TRANSFORMERS and name == "categorical_features":
            return any(wanted == text(child) for child in ast.walk(call.node))
        given = [(key, text(edit.read_through(one))) for key, one in arguments(call.node)]
        called = _letters(call.leaf)
        if (name, wanted) in given or (called in {word, f"add{word}"} and wanted in (one for _, one in given)):
            return True
        switched_on = isinstance(value, ast.Constant) and value.value is True
        if word == called and switched_on and isinstance(call.node.func, ast.Attribute):
            return True
    return False


def _letters(name: str) -> str:
    return name.replace("_", "").lower()


def _close(old: ast.expr, new: ast.expr, renames: Renames) -> bool:
    """Tell whether an argument speaks of the same data, numbers and texts, only through other calls."""
    if isinstance(old, ast.Lambda) and isinstance(new, ast.Constant):
        # A function that reads dates, and the format that it read them by.
        return isinstance(new.value, str) and new.value in {one.value for one in constants(old)}
    if isinstance(old, ast.Constant) or isinstance(new, ast.Constant):
        return False
    if isinstance(old, ast.List) and isinstance(new, ast.List) and any(isinstance(one, ast.Call | ast.Name) for one in old.elts):
        # More callbacks, such as early stopping that was an argument.
        return {text(one) for one in old.elts} <= {text(one) for one in new.elts}
    if not variables(old) <= variables(new) or set(variables(new)) - set(variables(old)):
        return False
    if _more_called(old, new) or (isinstance(new, ast.Dict) and not isinstance(old, ast.Dict)):
        return False
    if numbers(old) - numbers(new) or _operators(old) != _operators(new) or shape(bare(old)) == "":
        return False
    was, now = ({repr(one.value) for one in constants(side) if isinstance(one.value, str)} for side in (old, new))
    return all(one in now or now & set(renames.values("", "", one)) for one in was)


def _operators(node: ast.expr) -> list[str]:
    return sorted(type(child).__name__ for child in ast.walk(node) if isinstance(child, ast.operator | ast.unaryop | ast.Slice))


def _may_go(old: Call, name: str, value: ast.expr, renames: Renames) -> bool:
    if old.leaf == "open" and isinstance(value, ast.Constant) and _READING.fullmatch(str(value.value)):
        # Text of Python 2 was read as bytes, or by "U".
        return True
    if _SPLITTERS.match(old.leaf):
        # Splitters took the number of samples or the labels first; a seed without shuffling never had an effect.
        if not name:
            return old.node.args[0] is value
        if name in {"n", "y", "labels", "indices", "p"}:
            return True
        if name == "random_state":
            return not any(key == "shuffle" for key, _ in arguments(old.node)) and old.leaf.endswith("KFold")
    return bool(name) and renames.may_drop(old.leaf, name, ast.unparse(value))
