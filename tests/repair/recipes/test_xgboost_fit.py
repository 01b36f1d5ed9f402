"""Arguments of XGBoost's fit and predict."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

HEAD = "import xgboost as xgb\nmodel = xgb.XGBRegressor(n_estimators=5)\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "model.fit(X, y, eval_set=e, eval_metric='rmse', early_stopping_rounds=5, verbose=False)",
            "model.set_params(early_stopping_rounds=5, eval_metric='rmse').fit(X, y, eval_set=e, verbose=False)",
        ),
        (
            "xgb.XGBClassifier(max_depth=3).fit(X, y, eval_metric='auc')",
            "xgb.XGBClassifier(max_depth=3, eval_metric='auc').fit(X, y)",
        ),
        (
            "model.predict(X, ntree_limit=model.best_ntree_limit)",
            "model.predict(X, iteration_range=(0, model.best_iteration + 1))",
        ),
        ("model.predict(X, ntree_limit=0)", "model.predict(X)"),
        ("model.booster()", "model.get_booster()"),
        ("xgb.DMatrix(X, y, -999)", "xgb.DMatrix(X, y, missing=-999)"),
    ],
)
def test_arguments_move_to_the_model_or_change_form(rewrite: Callable[..., Any], old: str, new: str) -> None:
    assert rewrite(HEAD + old) == HEAD + new


@pytest.mark.parametrize(
    "source", ["net.fit(X, y, callbacks=[c])", "model.fit(X, y, verbose=False)", "model.set_params(booster='dart')"]
)
def test_other_models_stay(rewrite: Callable[..., Any], source: str) -> None:
    assert rewrite(HEAD + source) == HEAD + source


def test_early_stopping_stops_again(repair: Callable[..., Any]) -> None:
    repaired = repair(
        [
            "import xgboost as xgb\nfrom sklearn.datasets import load_diabetes\nX, y = load_diabetes(return_X_y=True)",
            "held_out = [(X[300:], y[300:])]\nmodel = xgb.XGBRegressor(n_estimators=200, n_jobs=1)",
            "model.fit(X[:300], y[:300], eval_set=held_out, eval_metric='rmse', early_stopping_rounds=5, verbose=False)",
            "predicted = model.predict(X, ntree_limit=model.best_ntree_limit)",
        ]
    )
    assert repaired.value("predicted.shape") == [442]
    assert repaired.value("model.best_iteration") < 50
