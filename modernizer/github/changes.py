"""What a publish would put on GitHub: checked repairs as files with modes, grouped by the branch that carries them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from modernizer.git_objects import run_git
from modernizer.github.branch import File
from modernizer.github.marker import fingerprint, notebook_key
from modernizer.proposal import Proposal
from modernizer.report.paths import notebook_path
from modernizer.report.results import NotebookResult, RunResult

PREFIX = "modernizer"
BRANCH = f"{PREFIX}/repair"
PER_NOTEBOOK = f"{PREFIX}/notebook-"
# More than this nobody reviews, and GitHub shows no more files of a pull request.
MOST = 300
_MOST_OUTPUTS = 20_000_000


@dataclass(frozen=True)
class Change:
    """The repair of one notebook: what it writes, and the names by which a later run knows it again."""

    notebook: str
    key: str
    fingerprint: str
    files: Mapping[str, File]
    result: NotebookResult


@dataclass(frozen=True)
class Base:
    """The commit that was run, as the checkout has it."""

    commit: str
    tree: str
    notebooks: frozenset[str]


def read_base(root: Path, run: RunResult) -> Base:
    """Read the tree and the notebooks of the commit that was run."""
    tree = run_git(["rev-parse", "--verify", f"{run.commit}^{{tree}}"], root, check=True).stdout.strip()
    listed = run_git(["ls-tree", "-r", "-z", "--name-only", "--full-tree", run.commit], root, check=True).stdout.split("\0")
    return Base(run.commit, tree, frozenset(notebook_key(name) for name in listed if name.endswith(".ipynb")))


def as_changes(proposals: Iterable[Proposal], run: RunResult) -> list[Change]:
    """Turn checked proposals into changes; each file keeps the mode that the commit gives it."""
    results = {result.path: result for result in run.notebooks}
    found = []
    for proposal in proposals:
        result = results[proposal.notebook]
        patch = result.repair.patch if result.repair else ""
        files = {name: File(proposal.stored[name].mode, data) for name, data in proposal.files.items()}
        found.append(Change(proposal.notebook, notebook_key(proposal.notebook), fingerprint(proposal, patch), files, result))
    return found


def with_outputs(change: Change, folder: Path) -> Change:
    """Take the executed notebook of an output folder for the patched one, if it differs in outputs and nothing else."""
    file = folder / notebook_path(change.notebook)
    stored = change.files.get(change.notebook)
    if stored is None or not file.is_file() or file.stat().st_size > _MOST_OUTPUTS:
        return change
    executed = file.read_bytes()
    if _without_outputs(executed) != _without_outputs(stored.data):
        return change
    return replace(change, files={**change.files, change.notebook: File(stored.mode, executed)})


def _without_outputs(data: bytes) -> object:
    """Return a notebook without what a run leaves in it: outputs, counts, timing, and which kernel it was."""
    try:
        notebook = json.loads(data)
        for cell in notebook["cells"]:
            for key in ("outputs", "execution_count"):
                cell.pop(key, None)
            cell["source"] = "".join(cell["source"])
            cell["metadata"].pop("execution", None)
        for key in ("language_info", "kernelspec"):
            notebook["metadata"].pop(key, None)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        # Formats before 4 keep their outputs as they are: no two of these objects are equal.
        return object()
    return notebook


def grouped(changes: Sequence[Change], split: Literal["one", "per-notebook"], base: str, default: str) -> dict[str, list[Change]]:
    """Give each change its branch; a base that is not the default branch has branches of its own."""
    suffix = "" if base == default else f"-on-{_slug(base)}"
    if split == "one":
        return {BRANCH + suffix: list(changes)}
    return {f"{PER_NOTEBOOK}{_slug(change.notebook)}{suffix}": [change] for change in changes}


def is_ours(branch: str) -> bool:
    """Tell whether a branch is one that this program makes: to propose repairs of repairs helps nobody."""
    return branch in {BRANCH, f"{PREFIX}-badge"} or branch.startswith((f"{BRANCH}-on-", PER_NOTEBOOK))


def merged_files(changes: Iterable[Change]) -> dict[str, File]:
    """Join the files of changes; that two don't disagree was checked with the artifact."""
    return {name: file for change in changes for name, file in change.files.items()}


def _slug(text: str) -> str:
    """Return a name that is safe in a branch's: letters and digits, and a hash that keeps it unique."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")[:60].lower()
    return f"{plain}-{hashlib.sha256(text.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}".lstrip("-")
