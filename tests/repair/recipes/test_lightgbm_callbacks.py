"""LightGBM's callbacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

HEAD = "import lightgbm as lgb\nmodel = lgb.LGBMRegressor()\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "model.fit(X, y, eval_set=e, early_stopping_rounds=5, verbose=False)",
            "model.fit(X, y, eval_set=e, callbacks=[lgb.early_stopping(5, verbose=False)])",
        ),
        ("model.fit(X, y, verbose=10)", "model.fit(X, y, callbacks=[lgb.log_evaluation(10)])"),
        ("model.fit(X, y, verbose=True)", "model.fit(X, y, callbacks=[lgb.log_evaluation()])"),
        ("model.fit(X, y, verbose=0)", "model.fit(X, y)"),
        ("model.fit(X, y, callbacks=[a], early_stopping_rounds=5)", "model.fit(X, y, callbacks=[a, lgb.early_stopping(5)])"),
        (
            "lgb.train(p, d,\n          early_stopping_rounds=5,\n          verbose_eval=20\n)",
            "lgb.train(p, d,\n          callbacks=[lgb.early_stopping(5), lgb.log_evaluation(20)]\n)",
        ),
        ("lgb.train(p, d, evals_result=r, verbose_eval=False)", "lgb.train(p, d, callbacks=[lgb.record_evaluation(r)])"),
        ("lgb.train(p, d, learning_rates=f)", "lgb.train(p, d, callbacks=[lgb.reset_parameter(learning_rate=f)])"),
        ("lgb.LGBMClassifier(silent=True)", "lgb.LGBMClassifier(verbose=-1)"),
        ("lgb.Dataset(X, y, silent=True)", "lgb.Dataset(X, y)"),
        ("r = lgb.cv(p, d)\nr['l2-mean']", "r = lgb.cv(p, d)\nr['valid l2-mean']"),
        ("lgb.LGBMRegressor('gbdt', 31)", "lgb.LGBMRegressor(boosting_type='gbdt', num_leaves=31)"),
    ],
)
def test_arguments_become_callbacks(rewrite: Callable[..., Any], old: str, new: str) -> None:
    assert rewrite(HEAD + old) == HEAD + new


@pytest.mark.parametrize(
    "source", ["net.fit(X, y, verbose=0)", "model.fit(X, y)", "r = other.cv(p)\nr['l2-mean']", "lgb.LGBMRegressor(verbose=-1)"]
)
def test_other_models_stay(rewrite: Callable[..., Any], source: str) -> None:
    assert rewrite(HEAD + source) == HEAD + source
