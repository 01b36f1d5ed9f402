"""One classifier for each class: when scikit-learn's OneVsRestClassifier computes what a classifier did by itself once."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.recipe import Scope
from modernizer.repair.syntax import argument

ONE_VS_REST = "sklearn.multiclass.OneVsRestClassifier"
# The wrapper has one fitted classifier for each class instead of these.
_LOST = ("coef_", "intercept_", "n_iter_", "loss_function_", "t_", "densify", "sparsify", "get_params", "set_params")
# It would need another name for each parameter, or routes these arguments no further.
_UNREACHED = ("GridSearchCV", "RandomizedSearchCV", "sample_weight")
_TRANSPARENT = frozenset({
    "sklearn.pipeline.Pipeline", "sklearn.pipeline.make_pipeline", "sklearn.model_selection.cross_val_score",
    "sklearn.model_selection.cross_val_predict", "sklearn.model_selection.cross_validate",
    "sklearn.model_selection.learning_curve",
})  # fmt: skip


def refusal(call: cst.Call, holder: str | None, scope: Scope) -> str:
    """Say why a classifier can't be wrapped here; empty when it can. ``holder`` is the call that it is an argument of."""
    if holder and holder not in _TRANSPARENT:
        return f"inside {holder.rpartition('.')[2]} a wrapper is not the same"
    if argument(call, "class_weight") is not None:
        return "class weights mean something else for each class alone"
    used = next((name for name in (*_LOST, *_UNREACHED) if scope.names.mentions(name)), None)
    return f"a wrapper has no {used}" if used else ""
