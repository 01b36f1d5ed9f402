"""``OneHotEncoder(categorical_features=)``: a transformer of those columns beside the others, in the old order of the result."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.syntax import argument, code, literal, without

_ENCODER = "sklearn.preprocessing.OneHotEncoder"
_GONE = ("categorical_features", "n_values")
# What the encoder has and a transformer of columns has not.
_OF_ENCODER = (
    "active_features_",
    "feature_indices_",
    "n_values_",
    "categories_",
    "inverse_transform",
    "get_feature_names",
    "get_feature_names_out",
)


class _Columns(Codemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802 (LibCST's visitor protocol)
        given = {name: arg for name in _GONE if (arg := argument(original_node, name)) is not None}
        if not given or self.scope.qualified(original_node.func) != _ENCODER or any(arg.star for arg in original_node.args):
            return updated_node
        signature = self.scope.installed.signature(_ENCODER)
        if signature is None or any(parameter.name in _GONE for parameter in signature):
            return updated_node
        if "n_values" in given and literal(given["n_values"].value) not in {"'auto'", "None"}:
            return updated_node
        columns = given.get("categorical_features")
        encoder = without(updated_node, _GONE)
        if columns is None or literal(columns.value) in {"'all'", "None"}:
            self.scope.note("categorical_features='all' and n_values='auto' dropped, which is what is done")
            return encoder
        if any(self.scope.names.mentions(name) for name in _OF_ENCODER):
            return updated_node
        return self._transformer(encoder, columns.value, dense=self._dense(original_node))

    def _transformer(self, encoder: cst.Call, columns: cst.BaseExpression, *, dense: bool) -> cst.BaseExpression:
        """Encode the columns in front of the others, as a sparse matrix unless told otherwise."""
        self.scope.note("OneHotEncoder(categorical_features=) → ColumnTransformer")
        transformer = self.scope.imported("sklearn.compose.ColumnTransformer")
        listed = f"[{code(columns)}]" if isinstance(columns, cst.Integer) else code(columns)
        rest = f'remainder="passthrough", sparse_threshold={0 if dense else 1}'
        return cst.parse_expression(f'{transformer}([("onehot", {code(encoder)}, {listed})], {rest})')

    def _dense(self, call: cst.Call) -> bool:
        sparse = argument(call, "sparse") or argument(call, "sparse_output")
        return sparse is not None and literal(sparse.value) == "False"


class OneHotColumns(CodemodRecipe):
    """One-hot encoding of some columns."""

    name = "sklearn-one-hot-columns"
    summary = "OneHotEncoder encodes all columns; a ColumnTransformer encodes those named and passes the others on."
    since = "scikit-learn 0.22"
    source = "scikit-learn What's New 0.20 (deprecation) and 0.22 (removal)"
    words = frozenset(_GONE)
    order = 28
    confirmed = True
    codemod = _Columns


RECIPES = (OneHotColumns(),)
