"""ARMA, ARIMA and AR."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

OLD, NEW = "from statsmodels.tsa.arima_model import ARIMA", "from statsmodels.tsa.arima.model import ARIMA"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "from statsmodels.tsa.arima_model import ARIMA\nfit = ARIMA(y, order=(1, 1, 0)).fit(disp=0)",
            "from statsmodels.tsa.arima.model import ARIMA\nfit = ARIMA(y, order=(1, 1, 0), trend='t').fit()",
        ),
        (
            "from statsmodels.tsa.arima_model import ARIMA\nm = ARIMA(y, (1, 1, 0))\nfit = m.fit(trend='nc', disp=False)",
            "from statsmodels.tsa.arima.model import ARIMA\nm = ARIMA(y, order=(1, 1, 0), trend='n')\nfit = m.fit()",
        ),
        (
            "from statsmodels.tsa.arima_model import ARMA, ARIMA\nfit = ARMA(y, order=(2, 1)).fit()",
            "from statsmodels.tsa.arima.model import ARIMA\nfit = ARIMA(y, order=(2, 0, 1)).fit()",
        ),
        (
            OLD + "\nf = ARIMA(y, (1, 0, 0)).fit()\nf.forecast(3)[0], f.forecast(3)[1]",
            NEW + "\nf = ARIMA(y, order=(1, 0, 0)).fit()\nf.forecast(3), f.get_forecast(3).se_mean",
        ),
        (
            "from statsmodels.tsa.ar_model import AR\nfit = AR(y).fit(maxlag=3)",
            "from statsmodels.tsa.ar_model import AutoReg\nfit = AutoReg(y, lags=3).fit()",
        ),
    ],
)
def test_order_and_trend_go_with_the_data(rewrite: Callable[..., Any], old: str, new: str) -> None:
    assert rewrite(old) == new


@pytest.mark.parametrize(
    "source",
    [
        "from statsmodels.tsa.arima.model import ARIMA\nfit = ARIMA(y, order=(1, 1, 0)).fit()\nfit.forecast(3)[0]",
        "model.fit(disp=0)\nmodel.forecast(3)[0]",
    ],
)
def test_todays_models_and_others_stay(rewrite: Callable[..., Any], source: str) -> None:
    assert rewrite(source) == source


def test_models_fit_and_forecast(repair: Callable[..., Any]) -> None:
    repaired = repair(
        [
            "import numpy as np\nfrom statsmodels.tsa.arima_model import ARIMA\nfrom statsmodels.tsa.ar_model import AR",
            "y = np.cumsum(np.random.RandomState(0).randn(100) + .5)",
            "fit = ARIMA(y, order=(1, 1, 0)).fit(disp=0)\nf, se, ci = fit.forecast(3, alpha=0.1)",
            "model = AR(y)\nar = model.fit(maxlag=2)",
        ]
    )
    assert repaired.value("[len(f), len(se), ci.shape, len(ar.params)]") == [3, 3, [3, 2], 3]
    assert repaired.value("f[2] > f[0] > y[-1] - 2")
