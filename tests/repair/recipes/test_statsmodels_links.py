"""Link functions given as classes, and the Box-Cox transformation asked of fit()."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("sm.families.Binomial(sm.families.links.logit)", "sm.families.Binomial(sm.families.links.logit())"),
        ("sm.families.Gamma(link=sm.families.links.log)", "sm.families.Gamma(link=sm.families.links.log())"),
    ],
)
def test_a_link_becomes_an_object(repair: Callable[..., Any], before: str, after: str) -> None:
    repaired = repair(["import statsmodels.api as sm", f"family = {before}", f"again = {before}"])
    assert repaired.cells[1:] == [f"family = {after}", f"again = {after}"]
    assert repaired.last.failure is None


def test_objects_and_other_calls_stay(rewrite: Callable[..., Any], failure: Callable[..., Any]) -> None:
    source = "import statsmodels.api as sm\nsm.families.Binomial(sm.families.links.logit())\nf(sm.families.links.log)\n"
    broken = failure("TypeError", "Calling Family(..) with a link class is not allowed. Use an instance of a link class instead.")
    assert rewrite(source, recipe="statsmodels-link-object", failure=broken) == source


SMOOTHING = "from statsmodels.tsa.holtwinters import ExponentialSmoothing as Smoothing\n"


def test_a_smoothing_model_is_told_of_its_transformation(repair: Callable[..., Any]) -> None:
    start = "import numpy as np\ny = np.arange(24.0) + np.tile([1, 3, 2, 5], 6)"
    cells = [start, f"{SMOOTHING}m = Smoothing(y, seasonal_periods=4, seasonal='add').fit(use_boxcox=True)"]
    repaired = repair(cells)
    assert repaired.cells[1] == f"{SMOOTHING}m = Smoothing(y, seasonal_periods=4, seasonal='add', use_boxcox=True).fit()"
    assert repaired.value("bool(m.model.params['use_boxcox'])", as_then=False)


@pytest.mark.parametrize(
    "call", ["Smoothing(y, use_boxcox=True).fit()", "model.fit(use_boxcox=True)", "Other(y).fit(use_boxcox=True)"]
)
def test_other_models_stay(rewrite: Callable[..., Any], call: str) -> None:
    assert rewrite(SMOOTHING + call, recipe="statsmodels-boxcox") == SMOOTHING + call
