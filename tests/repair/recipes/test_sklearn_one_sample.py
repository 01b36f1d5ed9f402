"""A single sample's answer stored in an array, as teaching notebooks draw decision functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_DRAW = """import numpy as np
from sklearn.datasets import make_blobs
from sklearn.svm import SVC
X, y = make_blobs(n_samples=40, centers=2, random_state=0)
clf = SVC(kernel='linear').fit(X, y)

def surface(clf):
    P = np.zeros((2, 2))
    for i in range(2):
        for j in range(2):
            P[i, j] = clf.decision_function([i, j])
    return P"""


def test_one_sample_becomes_a_row_and_its_answer_a_number(repair: Callable[..., Any]) -> None:
    repaired = repair([_DRAW, "P = surface(clf)"])
    assert repaired.last.failure is None
    assert "P[i, j] = clf.decision_function([[i, j]]).item()" in repaired.cells[0]
    assert repaired.value("P.shape") == [2, 2]


def test_a_mixtures_criterion_takes_a_column(repair: Callable[..., Any]) -> None:
    start = "import numpy as np\nfrom sklearn.mixture import GaussianMixture\nx = np.arange(20.)"
    repaired = repair([f"{start}\nm = GaussianMixture(2, random_state=0).fit(x.reshape(-1, 1))", "b = m.bic(x)"])
    assert repaired.cells[1] == "b = m.bic(x.reshape(-1, 1))"
    assert repaired.last.failure is None
