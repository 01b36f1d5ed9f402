"""The rendered samples in docs/samples: written anew with MODERNIZER_SAMPLES=write, compared otherwise."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from forge import REPOSITORY

from modernizer.environment.model import Lifted
from modernizer.execution.outcome import CellError
from modernizer.github.body import CHECKS_NOTE, Text, render_body
from modernizer.github.context import Context
from modernizer.github.dashboard import render_dashboard
from modernizer.github.marker import Marker, notebook_key
from modernizer.github.pull_request import Carried
from modernizer.github.review import Sticky, render_review
from modernizer.github.versions import PackageChange
from modernizer.repair.outcome import Fidelity, Fix, Ledger, Repair
from modernizer.report.badge import render_badge_svg, standing
from modernizer.report.results import EnvironmentRecord, NotebookResult, RunResult, Tool
from modernizer.verdict.outcome import Diagnosis, Outcome, Score

SAMPLES = Path(__file__).parents[2] / "docs" / "samples"
TREES = "lessons/trees.ipynb"
PATCH = """\
diff --git a/lessons/trees.ipynb b/lessons/trees.ipynb
--- a/lessons/trees.ipynb
+++ b/lessons/trees.ipynb
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
"""
CONTEXT = Context(REPOSITORY, "schedule", "main", "main", server="https://github.example", run_id="42")


def score(value: float | None, *, agrees: bool) -> Score:
    return Score("accuracy", "output", 0.9667, value, 0.0097, agrees, 7)


def sample() -> RunResult:
    error = CellError(cell=2, name="ModuleNotFoundError", message="No module named 'sklearn.cross_validation'", line=1)
    found = Diagnosis("api-removed", "sklearn.cross_validation", "sklearn", "scikit-learn moved it in 0.18.")
    before = Outcome("broken", "", 9, 2, 1.2, error, found, (score(None, agrees=False),))
    after = Outcome("reproduced", "", 9, 9, 8.4, scores=(score(0.9667, agrees=True),))
    page = "https://scikit-learn.org/stable/whats_new/v0.18.html"
    fixes = (
        Fix("error-repair", "recipe:sklearn-moves", (2,), 1, "cross_validation became model_selection.", source=page),
        Fix("error-repair", "recipe:numpy-aliases", (2,), 1, "np.float was an alias of float."),
    )
    repair = Repair(fixes, (), "good", Fidelity(0.97, 0.99), Ledger(3, 14.0), PATCH)
    missing = Diagnosis("missing-data", "/data/train.csv", "", "The file /data/train.csv is not there.")
    return RunResult(
        "2026-12-01T06:00:00+00:00",
        "2026-12-01T06:05:12+00:00",
        "modernizer fix",
        (EnvironmentRecord("e3f1", "3.13.9", {"numpy": "2.5.5", "scikit-learn": "1.9.1"}, "a" * 64, "2026-11-28T00:00:00Z"),),
        (
            NotebookResult(TREES, "e3f1", "2018-06-01", before, after, repair),
            NotebookResult("lessons/plots.ipynb", "e3f1", None, Outcome("ran", "", 5, 5, 3.0)),
            NotebookResult("kaggle/titanic.ipynb", "e3f1", None, Outcome("blocked", "missing-data", 4, diagnosis=missing)),
        ),
        "Landlock, another user",
        "0123456789abcdef0123456789abcdef01234567",
        tool=Tool(version="VERSION"),
        lifted=(Lifted("requirements.txt", "scikit-learn", "==0.19.1"), Lifted("requirements.txt", "numpy", ">=1.14")),
    )


def pull_request() -> str:
    marker = Marker("0" * 64, {notebook_key(TREES): "0" * 12})
    changes = (PackageChange("scikit-learn", "1.9.0", "1.9.1"),)
    return render_body(
        Text(sample(), [TREES], "modernizer/repair", marker, changes, notes=(CHECKS_NOTE,), run_url=CONTEXT.run_url)
    )


def review() -> str:
    sticky = Sticky(head=sample().commit, suggested={notebook_key(TREES): "0" * 12})
    return render_review(sample(), sticky, {TREES}, CONTEXT)


def review_without_suggestions() -> str:
    return render_review(sample(), Sticky(head=sample().commit), set(), CONTEXT)


def dashboard() -> str:
    return render_dashboard(CONTEXT, sample(), frozenset({notebook_key("kaggle/titanic.ipynb")}), [Carried("created", 12, "")])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pull-request.md", pull_request()),
        ("review.md", review()),
        ("review-without-suggestions.md", review_without_suggestions()),
        ("dashboard.md", dashboard()),
        ("badge.svg", render_badge_svg(sample())),
        ("badge-outdated.svg", replace(standing(sample()), doubt="outdated").as_svg()),
    ],
)
def test_the_samples_in_the_documentation_are_what_is_rendered(name: str, text: str) -> None:
    place = SAMPLES / name
    if os.environ.get("MODERNIZER_SAMPLES") == "write":
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8")
    assert place.read_text(encoding="utf-8") == text, "write them anew: MODERNIZER_SAMPLES=write make test"
