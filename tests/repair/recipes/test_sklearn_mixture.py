"""Gaussian mixtures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def test_scores_are_those_of_2018(repair: Callable[..., Any]) -> None:
    """scikit-learn 0.19.1 gave these numbers for GMM."""
    repaired = repair(
        [
            "from sklearn.datasets import load_iris\nfrom sklearn.mixture import GMM\nX, y = load_iris(return_X_y=True)",
            "gmm = GMM(3, n_iter=50, random_state=0)\ngmm.fit(X)",
            "covars = gmm.covars_\nmean = gmm.score(X).mean()\nlogprob, resp = gmm.score_samples(X)\nbic = gmm.bic(X)",
        ]
    )
    assert repaired.cells[1].startswith("gmm = GaussianMixture(3, max_iter=50, random_state=0, covariance_type='diag')")
    assert repaired.value("covars.shape") == [3, 4]
    assert repaired.value("mean") == pytest.approx(-2.0584, rel=0.01)
    assert repaired.value("resp.shape") == [150, 3]
    assert repaired.value("bic") == pytest.approx(747.8, rel=0.01)


def test_score_of_other_models_stays(rewrite: Callable[..., Any]) -> None:
    source = "from sklearn.mixture import GaussianMixture\ng = GaussianMixture(2)\ng.score(X)\nclf.score(X)\nx.covars_"
    assert rewrite(source) == source
