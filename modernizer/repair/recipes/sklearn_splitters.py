"""Cross-validation splitters that took the data and were iterated; today's take the number of splits and split the data."""

from __future__ import annotations

from dataclasses import dataclass, field

import libcst as cst
import libcst.matchers as m

from modernizer.repair.recipe import Codemod, CodemodRecipe, Scope, is_chain
from modernizer.repair.syntax import argument, code, keyword, keyword_names, named, with_args, without

_OLD, _NEW = "sklearn.cross_validation.", "sklearn.model_selection."


@dataclass(frozen=True)
class _Splitter:
    """How an old splitter was called: ``data`` is its first parameter, ``parameters`` the others in order.

    ``count`` is the new name of the number of splits and ``default`` its old default, None when there is none.
    """

    data: str
    parameters: tuple[str, ...]
    default: str | None = None
    count: str = "n_splits"
    also: frozenset[str] = field(default_factory=frozenset)


_FOLDS = ("n_folds", "shuffle", "random_state")
_SHUFFLES = ("n_iter", "test_size", "train_size", "random_state")
_SPLITTERS = {
    "KFold": _Splitter("n", _FOLDS, "3"),
    "StratifiedKFold": _Splitter("y", _FOLDS, "3"),
    "LabelKFold": _Splitter("labels", ("n_folds",), "3"),
    "GroupKFold": _Splitter("labels", ("n_folds",), "3"),
    "LeaveOneOut": _Splitter("n", ()),
    "LeavePOut": _Splitter("n", ("p",)),
    "LeaveOneLabelOut": _Splitter("labels", ()),
    "LeaveOneGroupOut": _Splitter("labels", ()),
    "LeavePLabelOut": _Splitter("labels", ("p",), count="n_groups"),
    "LeavePGroupsOut": _Splitter("labels", ("p",), count="n_groups"),
    "ShuffleSplit": _Splitter("n", _SHUFFLES, "10"),
    "StratifiedShuffleSplit": _Splitter("y", _SHUFFLES, "10"),
    "LabelShuffleSplit": _Splitter("labels", _SHUFFLES, "5"),
    "GroupShuffleSplit": _Splitter("labels", _SHUFFLES, "5"),
    "PredefinedSplit": _Splitter("", ("test_fold",)),
}
# Older spellings still, gone in 0.17, and the parameters that mean nothing any more.
_RENAMED = {"n_folds": "n_splits", "n_iter": "n_splits", "k": "n_splits", "n_iterations": "n_splits"}
_RENAMED |= {"test_fraction": "test_size", "train_fraction": "train_size"}
_DROPPED = frozenset({"indices"})
_OLD_KEYWORDS = frozenset({*_RENAMED, *_DROPPED, "n", "y", "labels"})


def _splitter(call: cst.Call, scope: Scope) -> _Splitter | None:
    """Return the splitter a call of the old interface makes, None for any other call."""
    qualified = scope.qualified(call.func) or next(iter(scope.gone_from_star(call.func)), "")
    splitter = _SPLITTERS.get(qualified.rpartition(".")[2])
    if splitter is None or any(arg.star for arg in call.args) or not scope.at_least("scikit-learn", "0.20"):
        return None
    if qualified.startswith(_OLD):
        return splitter
    return splitter if qualified.startswith(_NEW) and _speaks_old(call, splitter) else None


def _speaks_old(call: cst.Call, splitter: _Splitter) -> bool:
    """Tell by its arguments that a call means the old interface: its keywords, or more data than numbers of splits."""
    names = keyword_names(call)
    if "n_splits" in names:
        return False
    if splitter.data == "":
        return False
    if names & _OLD_KEYWORDS:
        return True
    positional = sum(arg.keyword is None for arg in call.args)
    if not splitter.parameters:
        return positional == 1
    first = call.args[0].value if call.args else None
    second = argument(call, "", 1)
    if positional < 2 or second is None or m.matches(second.value, m.Name("True") | m.Name("False")):  # noqa: PLR2004 (data, count)
        return False
    counted = splitter.parameters == _FOLDS and isinstance(second.value, cst.Integer)
    return counted or isinstance(first, cst.Call | cst.Attribute | cst.Subscript)


class _Splitters(Codemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._iterated_once: set[cst.CSTNode] = set()

    def visit_For(self, node: cst.For) -> None:  # noqa: N802 (LibCST's visitor protocol)
        self._iterated_once.add(node.iter)

    def visit_CompFor(self, node: cst.CompFor) -> None:  # noqa: N802
        self._iterated_once.add(node.iter)

    def visit_Call(self, node: cst.Call) -> None:  # noqa: N802
        if isinstance(node.func, cst.Name) and node.func.value in {"list", "enumerate"}:
            self._iterated_once.update(arg.value for arg in node.args)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802
        splitter = _splitter(original_node, self.scope)
        if splitter is None:
            return updated_node
        data = argument(updated_node, splitter.data, 0) if splitter.data else None
        if splitter.data and data is None:
            return updated_node
        new = self._modern_call(splitter, updated_node, data)
        name = code(updated_node.func).rpartition(".")[2]
        self.scope.note(f"{name}({splitter.data or 'test_fold'}, …) → list({name}(…).split(…))")
        split = cst.Call(func=cst.Attribute(value=new, attr=cst.Name("split")), args=self._split_args(splitter, data))
        return split if original_node in self._iterated_once else cst.Call(func=cst.Name("list"), args=[cst.Arg(split)])

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:  # noqa: N802
        if original_node.attr.value in {"n_folds", "n_iter"} and isinstance(original_node.value, cst.Name):
            kind = self.scope.names.type_of(original_node.value, self.scope.unit) or ""
            if kind.startswith(_OLD) and kind.rpartition(".")[2] in _SPLITTERS:
                return cst.Call(func=cst.Name("len"), args=[cst.Arg(updated_node.value)])
        return updated_node

    def _modern_call(self, splitter: _Splitter, call: cst.Call, data: cst.Arg | None) -> cst.Call:
        args: list[cst.Arg] = []
        position = 0
        for arg in call.args:
            if arg is data:
                position += arg.keyword is None
                continue
            name = arg.keyword.value if arg.keyword else ""
            if not name:
                offset = position - (1 if splitter.data else 0)
                name = splitter.parameters[offset] if 0 <= offset < len(splitter.parameters) else ""
                position += 1
            if name in _DROPPED or not name:
                continue
            args.append(named(arg, self._renamed(name, splitter)))
        names = {arg.keyword.value for arg in args if arg.keyword}
        if splitter.default and splitter.count not in names:
            args.insert(0, keyword(splitter.count, splitter.default))
        if "train_size" in names and "test_size" not in names:
            # The old default of 0.1 held beside a train size too; today's would be the complement.
            args.append(keyword("test_size", "0.1" if splitter.data != "labels" else "0.2"))
        if splitter.parameters == _FOLDS and not _shuffles(args):
            args = [arg for arg in args if not (arg.keyword and arg.keyword.value == "random_state")]
        return with_args(call, args)

    def _renamed(self, name: str, splitter: _Splitter) -> str:
        return splitter.count if name == "p" and splitter.count != "n_splits" else _RENAMED.get(name, name)

    def _split_args(self, splitter: _Splitter, data: cst.Arg | None) -> list[cst.Arg]:
        if data is None:
            return []
        value = data.value
        if splitter.data == "n":
            return [cst.Arg(_measured(value) or self._zeros(value))]
        zeros = self._zeros(cst.Call(func=cst.Name("len"), args=[cst.Arg(value)]))
        if splitter.data == "labels":
            return [cst.Arg(zeros), keyword("groups", value)]
        return [cst.Arg(zeros), cst.Arg(value)]

    def _zeros(self, size: cst.BaseExpression) -> cst.Call:
        return cst.Call(func=cst.parse_expression(self.scope.reference("numpy.zeros")), args=[cst.Arg(size)])


def _measured(size: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return X for ``len(X)`` and ``X.shape[0]``."""
    if m.matches(size, m.Call(func=m.Name("len"), args=[m.Arg(keyword=None, star="")])):
        measured = size.args[0].value  # type: ignore[attr-defined]
        return measured if is_chain(measured) else None
    first = m.SubscriptElement(slice=m.Index(value=m.Integer(value="0")))
    if m.matches(size, m.Subscript(value=m.Attribute(attr=m.Name("shape")), slice=[first])):
        measured = size.value.value  # type: ignore[attr-defined]
        return measured if is_chain(measured) else None
    return None


def _shuffles(args: list[cst.Arg]) -> bool:
    """Tell whether ``shuffle=`` is given as anything but False."""
    given = next((arg.value for arg in args if arg.keyword and arg.keyword.value == "shuffle"), None)
    return given is not None and not m.matches(given, m.Name("False") | m.Integer(value="0"))


class Splitters(CodemodRecipe):
    """Old cross-validation iterators."""

    name = "sklearn-splitters"
    summary = (
        "Cross-validation splitters take the number of splits now and give the splits by split(); a list of them works as before."
    )
    since = "scikit-learn 0.20"
    source = "scikit-learn What's New 0.18 (deprecation) and 0.20 (removal)"
    words = frozenset({*_SPLITTERS, "n_folds", "n_iter"})
    # Before moved symbols: importing from sklearn.cross_validation is the proof of the old interface.
    order = 15
    confirmed = True
    codemod = _Splitters


class _RandomState(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        qualified = self.scope.qualified(original_node.func)
        if qualified not in {f"{_NEW}KFold", f"{_NEW}StratifiedKFold"} or not self.scope.at_least("scikit-learn", "0.24"):
            return updated_node
        state = argument(original_node, "random_state")
        if state is None or m.matches(state.value, m.Name("None")) or any(arg.star for arg in original_node.args):
            return updated_node
        shuffle = argument(original_node, "shuffle", 1)
        if shuffle is not None and not m.matches(shuffle.value, m.Name("False")):
            return updated_node
        self.scope.note("random_state= dropped")
        return without(updated_node, {"random_state"})


class RandomStateWithoutShuffle(CodemodRecipe):
    """A random state that has no effect is refused now."""

    name = "sklearn-random-state-without-shuffle"
    summary = "KFold refuses a random_state that has no effect because nothing is shuffled."
    since = "scikit-learn 0.24"
    source = "scikit-learn What's New 0.22 (deprecation) and 0.24 (error)"
    words = frozenset({"random_state"})
    order = 31
    confirmed = True
    codemod = _RandomState


RECIPES = (Splitters(), RandomStateWithoutShuffle())
