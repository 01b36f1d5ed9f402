"""Link functions given as classes."""

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
