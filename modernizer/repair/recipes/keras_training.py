"""Training and prediction of Keras models as they were before Keras 2.6."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.evidence import missing_attribute
from modernizer.repair.expressions import atom
from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.recipe import CodemodRecipe
from modernizer.repair.syntax import argument, code, keyword, keyword_names, literal, named, with_args, without

_PREFIXES = ("keras", "tensorflow.keras")
_MODELS = frozenset(
    {f"{prefix}.{name}" for prefix in _PREFIXES for name in ("Sequential", "Model", "models.Sequential", "models.Model")}
    | {f"keras.src.models.{name}" for name in ("sequential.Sequential", "functional.Functional", "model.Model")}
)
# The old orders of parameters, the first of which became x.
_GENERATORS = {
    "fit_generator": ("fit", "generator steps_per_epoch epochs verbose callbacks validation_data validation_steps class_weight"),
    "evaluate_generator": ("evaluate", "generator steps"),
    "predict_generator": ("predict", "generator steps"),
}
# Keras 1 counted samples, which the iterators over images turn into batches by their size.
_SAMPLES = {"samples_per_epoch": "steps_per_epoch", "nb_val_samples": "validation_steps", "val_samples": "steps"}
_FLOWS = frozenset({"flow", "flow_from_directory", "flow_from_dataframe"})
_QUEUE = frozenset({"workers", "use_multiprocessing", "max_queue_size", "max_q_size", "pickle_safe", "nb_worker"})
_RATES = {"SGD": "0.01", "Adam": "0.001", "RMSprop": "0.001"}  # defaults that no release changed
_OPTIMIZERS = {
    f"{prefix}.optimizers.{name}": name
    for prefix in _PREFIXES
    for name in ("Adam", "SGD", "RMSprop", "Adagrad", "Adadelta", "Adamax", "Nadam")
}
_SETTERS_OF_VALUES = frozenset(f"{prefix}.backend.set_value" for prefix in _PREFIXES)
_SETTERS = ("ReduceLROnPlateau", "LearningRateScheduler")
_DENSE = m.Call(func=m.Name("Dense") | m.Attribute(attr=m.Name("Dense")))
_ACTIVATION = m.Call(func=m.Name("Activation") | m.Attribute(attr=m.Name("Activation")))
_RATE = m.Attribute(value=m.Attribute(attr=m.Name("optimizer")), attr=m.Name("lr") | m.Name("learning_rate"))
# What predict_classes did, where the width of the output is only known when it runs.
_CLASSES = "(lambda p: p.argmax(axis=-1) if p.shape[-1] > 1 else (p > 0.5).astype('int32'))"


class _KerasTraining(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's protocol)
        qualified = self.scope.qualified(original_node.func)
        if qualified in _OPTIMIZERS and "decay" in keyword_names(updated_node):
            return self._decaying(qualified, _OPTIMIZERS[qualified], updated_node)
        if qualified in _SETTERS_OF_VALUES and len(updated_node.args) == 2:  # noqa: PLR2004 (variable, value)
            return self._set(original_node, updated_node)
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

    def _set(self, original: cst.Call, call: cst.Call) -> cst.BaseExpression:
        """Set the rate of an optimizer, which the function of that name takes for a variable of another kind."""
        variable, value = (arg.value for arg in call.args)
        if not m.matches(original.args[0].value, _RATE) or not self.scope.at_least("keras", "3.0"):
            return call
        self.scope.note("set_value(optimizer.lr, …) → optimizer.learning_rate.assign(…)")
        return cst.parse_expression(f"{code(variable)}.assign({code(value)})")

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:  # noqa: N802
        """Name the rate of a model's optimizer as Keras 3 does, where setting ``lr`` would go unnoticed."""
        if (
            not m.matches(original_node, _RATE)
            or not self.scope.names.mentions("keras")
            or not self.scope.at_least("keras", "3.0")
        ):
            return updated_node
        self.scope.note("optimizer.lr → optimizer.learning_rate")
        return updated_node.with_changes(attr=cst.Name("learning_rate"))

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
        counted = self._in_batches(call, args)
        if counted is None:
            return call
        args = [
            arg.with_changes(keyword=cst.Name("x")) if arg.keyword and arg.keyword.value == "generator" else arg
            for arg in counted
        ]
        self.scope.note(f"{name} → {new}")
        renamed = call.with_changes(func=func.with_changes(attr=cst.Name(new)), args=args)
        return without(renamed, _QUEUE) if self.scope.at_least("keras", "3.0") else renamed

    def _in_batches(self, call: cst.Call, args: list[cst.Arg]) -> list[cst.Arg] | None:
        """Count batches where samples are counted; None when the size of a batch can't be told."""
        feeds = {
            "samples_per_epoch": argument(call, "generator", 0),
            "val_samples": argument(call, "generator", 0),
            "nb_val_samples": argument(call, "validation_data"),
        }
        counted = []
        for arg in args:
            name = arg.keyword.value if arg.keyword else ""
            feed = feeds.get(name)
            if name not in _SAMPLES:
                counted.append(arg)
            elif name == "nb_val_samples" and feed is not None and isinstance(feed.value, cst.Tuple):
                self.scope.note("nb_val_samples= dropped")  # it was without effect beside arrays
            elif feed is not None and self._has_batches(feed.value):
                count = code(arg.value) if isinstance(arg.value, cst.Integer) else atom(arg.value)
                batches = f"-(-{count} // {code(feed.value)}.batch_size)"
                self.scope.note(f"{name}= → {_SAMPLES[name]}=")
                counted.append(arg.with_changes(keyword=cst.Name(_SAMPLES[name]), value=cst.parse_expression(batches)))
            else:
                return None
        return counted

    def _has_batches(self, feed: cst.BaseExpression) -> bool:
        """Tell whether an expression is the name of an iterator over images, which knows the size of its batches."""
        made = self.scope.names.value(feed.value, self.scope.unit) if isinstance(feed, cst.Name) else None
        return isinstance(made, cst.Call) and isinstance(made.func, cst.Attribute) and made.func.attr.value in _FLOWS

    def _classes(self, func: cst.Attribute, call: cst.Call) -> cst.BaseExpression:
        """Pick the class as predict_classes did: by the largest output, or by one half when there is a single one."""
        predict = code(call.with_changes(func=func.with_changes(attr=cst.Name("predict"))))
        self.scope.note("predict_classes → the class of predict")
        width = self._width()
        if width == "one":
            return cst.parse_expression(f"({predict} > 0.5).astype('int32')")
        if width == "many":
            return cst.parse_expression(f"{self.scope.reference('numpy.argmax')}({predict}, axis=-1)")
        return cst.parse_expression(f"{_CLASSES}({predict})")

    def _width(self) -> str:
        """Tell from the layers whether classifiers here give one output or many; empty when they differ or it isn't shown."""
        dense = [node for tree in self.scope.names.trees for node in m.findall(tree, _DENSE)]
        texts = [code(node) for tree in self.scope.names.trees for node in m.findall(tree, _DENSE | _ACTIVATION)]
        units = {
            literal(first.value)
            for node in dense
            if isinstance(node, cst.Call) and (first := argument(node, "units", 0) or argument(node, "output_dim"))
        }
        soft, sharp = any("softmax" in text for text in texts), [text for text in texts if "sigmoid" in text]
        if soft and not sharp and "1" not in units:
            return "many"
        alone = [code(node) for node in dense if isinstance(node, cst.Call) and _units(node) == "1"]
        return "one" if sharp and not soft and alone and set(sharp) <= {*alone} else ""

    def _decaying(self, qualified: str, name: str, call: cst.Call) -> cst.Call:
        """Turn ``decay`` into the schedule that it was: rate / (1 + decay * step).

        tf.keras counted the steps before; Keras 2.2 in its place also the step just taken, a difference of one step.
        """
        decay = argument(call, "decay")
        if decay is None or literal(decay.value) in {"0", "0.0"} or not self.scope.at_least("keras", "2.11"):
            return call
        if any(self.scope.names.mentions(setter) for setter in _SETTERS):
            return call  # a rate that follows a schedule can't be set from outside
        rate = argument(call, "learning_rate") or argument(call, "lr", 0)
        start = code(rate.value) if rate else _RATES.get(name)
        if start is None:
            return call
        schedule = self.scope.reference(f"{qualified.rpartition('.')[0]}.schedules.InverseTimeDecay")
        value = f"{schedule}({start}, decay_steps=1, decay_rate={code(decay.value)})"
        self.scope.note("decay= → InverseTimeDecay")
        rest = [arg for arg in call.args if arg is not rate and arg is not decay]
        new = keyword("learning_rate", value)
        if rest:
            new = new.with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
        return with_args(call, [*(arg for arg in rest if arg.keyword is None), new, *(arg for arg in rest if arg.keyword)])


def _units(call: cst.Call) -> str:
    first = argument(call, "units", 0) or argument(call, "output_dim")
    return literal(first.value) if first else ""


class KerasTraining(CodemodRecipe):
    """Generators, classes and decays."""

    name = "keras-training"
    summary = "Keras trains on generators with fit(), gives probabilities only and decays rates by schedules now."
    since = "Keras 2.3 to 3.0"
    source = "Keras release notes 2.3, 2.6, 2.11; Keras 3 migration guide"
    words = frozenset({*_GENERATORS, "predict_classes", "predict_proba", "decay", ".optimizer.l"})
    order = 28
    confirmed = True
    codemod = _KerasTraining


RECIPES = (KerasTraining(),)
