"""Publishes an output folder: checks it as an artifact and says what it proposes. No code of the repository ever runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from modernizer.artifact import Checked, check_artifact
from modernizer.report.results import headline
from modernizer.report.text import one_line


@dataclass(frozen=True)
class PullRequest:
    """The pull request that carries the repairs."""

    number: int
    url: str


@dataclass(frozen=True)
class Published:
    """An output folder that holds."""

    checked: Checked


def publish(folder: Path, root: Path) -> Published:
    """Check an output folder against the commit at ``root``; raises ArtifactError or UsageError when it does not hold."""
    return Published(check_artifact(folder, root))


def describe(published: Published) -> str:
    """Say what was found and what a pull request would change."""
    checked = published.checked
    lines = [f"{headline(checked.run)}."]
    if checked.proposals:
        count = len(checked.proposals)
        lines.append(f"Proposed: {count} repaired {'notebook' if count == 1 else 'notebooks'}")
        for proposal in checked.proposals:
            others = sorted(name for name in proposal.files if name != proposal.notebook)
            lines.append(f"  {one_line(', '.join([proposal.notebook, *others]), 500)}")
    else:
        lines.append("Nothing to propose.")
    lines += [f"  held back: {one_line(text, 500)}" for text in checked.held_back]
    return "\n".join(lines)
