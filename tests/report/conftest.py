"""A run that shows every verdict, with hostile text wherever notebooks can put some."""

from __future__ import annotations

import pytest

from modernizer.environment.model import Lifted
from modernizer.execution.outcome import CellError, CellRun
from modernizer.repair.outcome import Attempt, Fidelity, Fix, Ledger, Repair
from modernizer.report.results import EnvironmentRecord, NotebookResult, RunResult
from modernizer.verdict.outcome import Diagnosis, Outcome, Score

PATCH = """\
diff --git a/trees/forest.ipynb b/trees/forest.ipynb
--- a/trees/forest.ipynb
+++ b/trees/forest.ipynb
@@ -10,9 +10,9 @@
    "metadata": {},
    "outputs": [],
    "source": [
-    "from sklearn.cross_validation import train_test_split\\n",
+    "from sklearn.model_selection import train_test_split\\n",
     "import numpy as np\\n",
-    "y = y.astype(np.float)"
+    "y = y.astype(float)"
    ]
   },
   {
diff --git a/trees/fig_code.py b/trees/fig_code.py
--- a/trees/fig_code.py
+++ b/trees/fig_code.py
@@ -1,2 +1,2 @@
 import numpy as np
--- np.float
+++ float
"""
TRACEBACK = """\
\x1b[0;31m---------------------------------------------------------------------------\x1b[0m
\x1b[0;31mModuleNotFoundError\x1b[0m                       Traceback (most recent call last)
Cell \x1b[0;32mIn[2], line 1\x1b[0m
\x1b[0;32m----> 1\x1b[0m from sklearn.cross_validation import train_test_split
\x1b[0;31mModuleNotFoundError\x1b[0m: No module named 'sklearn.cross_validation'
"""
HOSTILE = (
    "::error::x\n<script>alert(1)</script> @octocat #1 "
    "[a](https://evil.example/x) ![i](http://evil.example/i.png) `` | \u202e\x1b[31m"
)


def error(
    name: str = "ModuleNotFoundError", message: str = "No module named 'sklearn.cross_validation'", cell: int = 2
) -> CellError:
    return CellError(cell=cell, name=name, message=message, line=1, traceback=TRACEBACK)


def score(name: str, recorded: float, value: float | None, *, agrees: bool, cell: int | None = 7) -> Score:
    return Score(
        name=name,
        source="output",
        recorded=recorded,
        value=value,
        tolerance=abs(recorded) / 100,
        agrees=agrees,
        cell=cell,
    )


REPAIRED = NotebookResult(
    path="trees/forest.ipynb",
    environment="e3f1",
    as_of="2018-06-01",
    before=Outcome(
        "broken",
        cells_total=9,
        cells_run=2,
        seconds=1.25,
        error=error(),
        diagnosis=Diagnosis(
            "api-removed", "sklearn.cross_validation", "sklearn", "scikit-learn moved it to sklearn.model_selection in 0.18."
        ),
        scores=(score("accuracy", 0.9667, None, agrees=False), score("rmse", 61.48, None, agrees=False, cell=8)),
    ),
    after=Outcome(
        "reproduced",
        cells_total=9,
        cells_run=9,
        seconds=83.5,
        scores=(score("accuracy", 0.9667, 0.9667, agrees=True), score("rmse", 61.48, 61.70, agrees=True, cell=8)),
    ),
    repair=Repair(
        fixes=(
            Fix(
                "error-repair",
                "recipe:sklearn-moves",
                (2, 5),
                2,
                "sklearn.cross_validation was merged into sklearn.model_selection.",
                ("trees/fig_code.py",),
                "https://scikit-learn.org/stable/whats_new/v0.18.html",
            ),
            Fix(
                "error-repair",
                "recipe:numpy-aliases",
                (5,),
                1,
                "np.float was an alias of float.",
                source="https://evil.example/x",
            ),
        ),
        attempts=(
            Attempt("recipe:sklearn-moves", "error-repair", "accepted"),
            Attempt("recipe:numpy-aliases", "error-repair", "accepted"),
            Attempt("model:some-model", "error-repair", "rejected", "a seed was changed " + HOSTILE),
        ),
        stopped="good",
        fidelity=Fidelity(0.97, 0.99),
        ledger=Ledger(3, 92.5, 1, 5200, 310, 4000, 0.0123),
        patch=PATCH,
    ),
    profile=(CellRun(0, "ok", 1.5, 150_000_000), CellRun(2, "allowed-error", 0.1, 150_000_000)),
)


def sample() -> RunResult:
    return RunResult(
        started="2026-12-01T06:00:00Z",
        finished="2026-12-01T06:05:12.5+00:00",
        command="modernizer fix examples/",
        environments=(
            EnvironmentRecord(
                "e3f1",
                "3.13.9",
                {"numpy": "2.5.5", "pandas": "3.1.1", "scikit-learn": "1.9.1", "six": "1.17.0"},
                "a" * 64,
                "2026-11-28T00:00:00Z",
                6.2,
            ),
            EnvironmentRecord(
                "bad0", failure="No solution found: old-package==0.1 needs Python < 3", notes=("the index has no upload times",)
            ),
        ),
        notebooks=(
            REPAIRED,
            NotebookResult(
                "healthy.ipynb",
                "e3f1",
                None,
                Outcome("reproduced", cells_total=3, cells_run=3, seconds=2, scores=(score("auc", 0.91, 0.91, agrees=True),)),
            ),
            NotebookResult("plain.ipynb", "e3f1", None, Outcome("ran", cells_total=3, cells_run=3, seconds=2)),
            NotebookResult(
                "drifted | odd `name` @octocat.ipynb",
                "e3f1",
                None,
                Outcome(
                    "drifted",
                    cells_total=3,
                    cells_run=3,
                    seconds=2,
                    scores=(score("loss", 0.5, 0.7, agrees=False), score("r2", float("nan"), float("inf"), agrees=False)),
                ),
            ),
            NotebookResult(
                "hostile.ipynb",
                "e3f1",
                None,
                Outcome(
                    "broken",
                    cells_total=3,
                    cells_run=1,
                    seconds=2,
                    error=error(HOSTILE, HOSTILE),
                    diagnosis=Diagnosis("other", HOSTILE, "", HOSTILE),
                    detail=HOSTILE,
                ),
                repair=Repair(
                    attempts=(Attempt("model:x", "error-repair", "failed", HOSTILE),),
                    stopped="no-progress",
                    ledger=Ledger(1, 2.0),
                ),
            ),
            NotebookResult(
                "slow.ipynb",
                "e3f1",
                None,
                Outcome(
                    "timed-out", cells_total=3, cells_run=2, seconds=600, error=error("CellTimeout", "the cell ran for 600 s")
                ),
            ),
            NotebookResult("hungry.ipynb", "e3f1", None, Outcome("crashed", "memory", cells_total=3, cells_run=2, seconds=9)),
            NotebookResult(
                "data/no_data.ipynb",
                "e3f1",
                None,
                Outcome(
                    "blocked",
                    "missing-data",
                    cells_total=3,
                    diagnosis=Diagnosis(
                        "missing-data", "/kaggle/input/train.csv", "", "The file /kaggle/input/train.csv is not there."
                    ),
                ),
            ),
            NotebookResult("no_env.ipynb", "bad0", None, Outcome("blocked", "install-failed", detail="No solution found")),
        ),
        sandbox="landlock, another user",
        notes=("the index has no upload times, so the cooldown was not applied",),
        lifted=(Lifted("requirements.txt", "numpy", "==1.14.2"),),
    )


@pytest.fixture
def run() -> RunResult:
    return sample()


@pytest.fixture
def repaired() -> NotebookResult:
    return REPAIRED


@pytest.fixture
def hostile() -> str:
    return HOSTILE
