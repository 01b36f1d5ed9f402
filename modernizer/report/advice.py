"""What a person can do about a blocked notebook, and what a good verdict did not check."""

from __future__ import annotations

import re

from modernizer.repair.outcome import Fix
from modernizer.report.results import NotebookResult
from modernizer.verdict.outcome import Reason

TODO: dict[Reason, str] = {
    "missing-data": "Put the data where the notebook looks for it, or map its old place under data: in .modernizer.yml. "
    "For git-lfs pointers, fetch the real files with git lfs pull.",
    "missing-secret": "The notebook wants a key or password. None is handed to notebooks; store the data, or exclude it.",
    "needs-network": "The notebook reads from the network, which was off, failed, or no longer has the page. Store what it reads "
    "in the repository, or allow the network with network: allow.",
    "needs-gpu": "The notebook needs a GPU. Run it on a machine that has one, or exclude it.",
    "needs-input": "The notebook waits for somebody to type. Set the value in a cell instead of asking with input().",
    "missing-program": "The notebook starts a program that isn't installed here. Install it where the notebooks run, as said, or "
    "exclude it.",
    "unsupported-kernel": "The notebook is not written in Python. Exclude it.",
    "install-failed": "The packages could not be installed together. Read the installer's message; name the right ones under "
    "requirements: in .modernizer.yml, or choose another python:.",
    "unreadable": "The file is not a valid notebook. Restore it from the history of the repository, or exclude it.",
    "never-ran": "The failing cell was never run when the notebook was saved: an exercise, or prose in a code cell. Finish it, "
    "turn it into text, or tag it raises-exception.",
    "memory": "The kernel ran out of memory. Raise memory: in .modernizer.yml.",
    "infrastructure": "This is no fault of the notebook: the run itself failed here, as said. Mend that and run it again.",
    "interrupted": "The run was stopped before this notebook was done. Run it again.",
}

# Only pages of the packages' own projects become links: a source may come from a results file of unknown origin.
_HOSTS = (
    "docs.python.org",
    "peps.python.org",
    "ipython.org",
    "ipython.readthedocs.io",
    "lightgbm.readthedocs.io",
    "matplotlib.org",
    "networkx.org",
    "numpy.org",
    "pandas.pydata.org",
    "plotly.com",
    "scikit-learn.org",
    "docs.scipy.org",
    "scipy.github.io",
    "seaborn.pydata.org",
    "www.statsmodels.org",
    "www.tensorflow.org",
    "keras.io",
    "xgboost.readthedocs.io",
)
_LINK = re.compile(rf"https://(?:{'|'.join(map(re.escape, _HOSTS))})/[A-Za-z0-9._~/#?=&%+-]*")


def link(fix: Fix) -> str | None:
    """Return the address of the page that explains a recipe's change, if it is one that may be linked."""
    return fix.source if fix.origin.startswith("recipe:") and _LINK.fullmatch(fix.source) else None


def todo(result: NotebookResult) -> str:
    """Say what to do about a notebook that could not be judged, or nothing."""
    return TODO.get(result.final.reason, "")


def not_verified(result: NotebookResult) -> tuple[str, ...]:
    """List what the verdict of a notebook does not vouch for."""
    final = result.final
    found = []
    if final.verdict == "ran":
        found.append("The notebook holds no recorded score, so only that it runs to the end was checked.")
    missing = [score.name for score in final.scores if score.value is None and score.recorded is not None]
    if missing:
        found.append(
            f"{len(missing)} recorded {'score has' if len(missing) == 1 else 'scores have'} no counterpart in the new run."
        )
    if final.cells_run < final.cells_total and final.verdict != "blocked":
        found.append(f"{final.cells_total - final.cells_run} of {final.cells_total} code cells did not come to their end.")
    allowed = sum(cell.status == "allowed-error" for cell in result.profile)
    if allowed:
        found.append(f"{allowed} {'cell raises' if allowed == 1 else 'cells raise'} an exception on purpose, as before.")
    if result.repair and result.repair.fixes and result.after is None:
        found.append("The changes have not been proven in a clean run.")
    if result.repair and result.repair.fixes:
        found.append("Figures and text without numbers are not compared; look at them once.")
    return tuple(found)
