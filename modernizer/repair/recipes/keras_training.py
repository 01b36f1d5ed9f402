"""Training, prediction and checkpoints of Keras models as they were before Keras 2.6 and 3."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.evidence import missing_attribute
from modernizer.repair.expressions import requoted
from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.recipe import CodemodRecipe, Scope
from modernizer.repair.syntax import argument, code, keyword, keyword_names, literal, named, string, with_args, without

_PREFIXES = ("keras", "tensorflow.keras")
_MODELS = frozenset(
    {f"{prefix}.{name}" for prefix in _PREFIXES for name in ("Sequential", "Model", "models.Sequential", "models.Model")}
    | {"keras.src.models.sequential.Sequential", "keras.src.models.functional.Functional", "keras.src.models.model.Model"}
)
# The old orders of parameters, the first of which became x.
_GENERATORS = {
    "fit_generator": ("fit", "generator steps_per_epoch epochs verbose callbacks validation_data validation_steps class_weight"),
    "evaluate_generator": ("evaluate", "generator steps"),
    "predict_generator": ("predict", "generator steps"),
}
_QUEUE = frozenset({"workers", "use_multiprocessing", "max_queue_size", "max_q_size", "pickle_safe", "nb_worker"})
_RATES = {"SGD": "0.01", "Adagrad": "0.01", "Adadelta": "1.0"}
_OPTIMIZERS = {
    f"{prefix}.optimizers.{name}": name
    for prefix in _PREFIXES
    for name in ("Adam", "SGD", "RMSprop", "Adagrad", "Adadelta", "Adamax", "Nadam")
}
_HISTORY = {"acc": "accuracy", "val_acc": "val_accuracy"}
_MONITORS = frozenset(
    f"{prefix}.callbacks.{name}" for prefix in _PREFIXES for name in ("EarlyStopping", "ModelCheckpoint", "ReduceLROnPlateau")
)
_ENDING = re.compile(r"The filepath provided must end in `(?P<ending>\.keras|\.weights\.h5)`.*?filepath=(?P<path>\S+)", re.DOTALL)


class _KerasTraining(ReceiverCodemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        ending = _ENDING.search(scope.failure.message) if scope.failure else None
        self._refused = ending["path"].strip("'\"") if ending else None
        self._ending = ending["ending"] if ending else ""
        self._renamed_history = scope.failure is not None and bool(re.search(r"KeyError: '(?:val_)?acc'", scope.failure.message))

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's protocol)
        qualified = self.scope.qualified(original_node.func)
        if qualified in _OPTIMIZERS and "decay" in keyword_names(updated_node):
            return self._decaying(qualified, _OPTIMIZERS[qualified], updated_node)
        if qualified in _MONITORS and self._says_accuracy():
            return self._monitoring(updated_node)
        func = original_node.func
        if not isinstance(func, cst.Attribute) or not isinstance(updated_node.func, cst.Attribute):
            return updated_node
        if func.attr.value in _GENERATORS and self.lacks(func.value, func.attr.value, _MODELS, distinctive=True):
            return self._without_generator(func.attr.value, updated_node.func, updated_node)
        if func.attr.value == "predict_classes" and self.lacks(func.value, "predict_classes", _MODELS, distinctive=True):
            return self._classes(updated_node.func, updated_node)
        if func.attr.value == "predict_proba" and self.lacks(func.value, "predict_proba", _MODELS, distinctive=self._is_lost()):
            self.scope.note("predict_proba → predict")
            return updated_node.with_changes(func=updated_node.func.with_changes(attr=cst.Name("predict")))
        return updated_node

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.Subscript:  # noqa: N802
        """Name accuracies in a training history as they are recorded now."""
        index = original_node.slice[0].slice if len(original_node.slice) == 1 else None
        name = string(index.value) if isinstance(index, cst.Index) else None
        if name not in _HISTORY or not self._renamed_history or not isinstance(index, cst.Index):
            return updated_node
        if "history" not in code(original_node.value) and not self.scope.failing(original_node):
            return updated_node
        self.scope.note(f"{name} → {_HISTORY[name]}")
        new = requoted(cst.ensure_type(index.value, cst.SimpleString), _HISTORY[name])
        return updated_node.with_changes(slice=[original_node.slice[0].with_changes(slice=cst.Index(new))])

    def leave_SimpleString(self, original_node: cst.SimpleString, updated_node: cst.SimpleString) -> cst.SimpleString:  # noqa: N802
        """Give a checkpoint the ending its format asks for, wherever its path is written."""
        path = string(original_node)
        if path is None or path != self._refused:
            return updated_node
        stem = re.sub(r"(?:\.weights)?\.(?:hdf5|h5|ckpt|keras)$", "", path)
        self.scope.note(f"{path} → {stem}{self._ending}")
        return requoted(updated_node, f"{stem}{self._ending}")

    def _is_lost(self) -> bool:
        refused = missing_attribute(self.scope.failure)
        return refused is not None and refused.owner in {"Sequential", "Functional"}

    def _without_generator(self, name: str, func: cst.Attribute, call: cst.Call) -> cst.Call:
        new, order = _GENERATORS[name]
        parameters = order.split()
        positional = [arg for arg in call.args if arg.keyword is None and arg.star != "**"]
        if len(positional) > len(parameters) or any(arg.star for arg in positional):
            return call
        args = [named(arg, parameters[place]) if place and arg.keyword is None else arg for place, arg in enumerate(call.args)]
        args = [
            arg.with_changes(keyword=cst.Name("x")) if arg.keyword and arg.keyword.value == "generator" else arg for arg in args
        ]
        self.scope.note(f"{name} → {new}")
        renamed = call.with_changes(func=func.with_changes(attr=cst.Name(new)), args=args)
        return without(renamed, _QUEUE) if self.scope.at_least("keras", "3.0") else renamed

    def _classes(self, func: cst.Attribute, call: cst.Call) -> cst.BaseExpression:
        """Pick the class as predict_classes did: by the largest output, or by one half when there is a single one."""
        texts = [code(tree) for tree in self._outputs()]
        single = any("sigmoid" in text for text in texts)
        if single == any("softmax" in text for text in texts):
            return call
        predict = code(call.with_changes(func=func.with_changes(attr=cst.Name("predict"))))
        self.scope.note("predict_classes → the class of predict")
        if single:
            return cst.parse_expression(f"({predict} > 0.5).astype('int32')")
        return cst.parse_expression(f"{self.scope.reference('numpy.argmax')}({predict}, axis=-1)")

    def _outputs(self) -> list[cst.CSTNode]:
        """List the layers that can be a classifier's last one."""
        found: list[cst.CSTNode] = []
        for tree in self.scope.names.trees:
            found.extend(m.findall(tree, m.Call(func=m.Name("Dense") | m.Attribute(attr=m.Name("Dense")))))
            found.extend(m.findall(tree, m.Call(func=m.Name("Activation") | m.Attribute(attr=m.Name("Activation")))))
        return found

    def _says_accuracy(self) -> bool:
        return self.scope.names.mentions("compile") > 0 and any(
            m.findall(tree, m.Arg(keyword=m.Name("metrics"), value=m.List(elements=[m.Element(m.SimpleString())])))
            and "accuracy" in code(tree)
            for tree in self.scope.names.trees
        )

    def _monitoring(self, call: cst.Call) -> cst.Call:
        monitor = argument(call, "monitor")
        name = string(monitor.value) if monitor else None
        if monitor is None or name not in _HISTORY or not isinstance(monitor.value, cst.SimpleString):
            return call
        self.scope.note(f"{name} → {_HISTORY[name]}")
        new = monitor.with_changes(value=requoted(monitor.value, _HISTORY[name]))
        return call.with_changes(args=[new if arg is monitor else arg for arg in call.args])

    def _decaying(self, qualified: str, name: str, call: cst.Call) -> cst.Call:
        """Turn ``decay`` into the schedule that it was: rate / (1 + decay * step)."""
        decay = argument(call, "decay")
        if decay is None or literal(decay.value) in {"0", "0.0"} or not self.scope.at_least("keras", "2.11"):
            return call
        rate = argument(call, "learning_rate") or argument(call, "lr", 0)
        start = code(rate.value) if rate else _RATES.get(name, "0.001")
        schedule = self.scope.reference(f"{qualified.rpartition('.')[0]}.schedules.InverseTimeDecay")
        value = f"{schedule}({start}, decay_steps=1, decay_rate={code(decay.value)})"
        self.scope.note("decay= → InverseTimeDecay")
        rest = [arg for arg in call.args if arg is not rate and arg is not decay]
        new = keyword("learning_rate", value)
        if rest:
            new = new.with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
        return with_args(call, [*(arg for arg in rest if arg.keyword is None), new, *(arg for arg in rest if arg.keyword)])


class KerasTraining(CodemodRecipe):
    """Generators, classes, histories, decays and checkpoints."""

    name = "keras-training"
    summary = "Keras trains on generators with fit() itself, and records, predicts and saves a little differently now."
    since = "Keras 2.3 to 3.0"
    source = "Keras release notes 2.3, 2.6, 2.11; Keras 3 migration guide"
    words = frozenset({*_GENERATORS, "predict_classes", "predict_proba", "acc", "decay", ".h5", ".hdf5", ".ckpt"})
    order = 28
    codemod = _KerasTraining


RECIPES = (KerasTraining(),)
