"""The badge's own branch: what shields reads, a drawing, the history as JSON lines, and the packages of the last run."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from modernizer.github.branch import File, make_commit, make_tree, point_branch
from modernizer.github.client import Client
from modernizer.github.context import Context
from modernizer.github.history import Entry, entry_of, read_history
from modernizer.github.versions import packages_of
from modernizer.report.badge import Standing, standing
from modernizer.report.paths import BADGE_JSON, BADGE_SVG
from modernizer.report.results import RunResult

BRANCH = "modernizer-badge"
HISTORY = "history.jsonl"
PACKAGES = "packages.json"
_MOST_RUNS = 1_000


@dataclass(frozen=True)
class Earlier:
    """What the branch holds: its commit, empty when there is none yet; its history, oldest first; packages by name."""

    head: str = ""
    tree: str = ""
    history: tuple[Entry, ...] = ()
    packages: Mapping[str, str] = field(default_factory=dict)

    @property
    def last(self) -> Entry | None:
        """Return the last run that judged notebooks."""
        return next((entry for entry in reversed(self.history) if not entry.failed), None)


def read_earlier(client: Client, head: str) -> Earlier:
    """Read the branch; what is not readable any more counts as not there."""
    if not head:
        return Earlier()
    commit = client.get(f"/git/commits/{head}", doing=f"read the branch {BRANCH}", needs="contents: read")
    packages = _json(read_file(client, head, PACKAGES))
    return Earlier(
        head,
        commit["tree"]["sha"],
        read_history(read_file(client, head, HISTORY)),
        {str(name): str(version) for name, version in packages.items()} if isinstance(packages, dict) else {},
    )


def write_badge(client: Client, context: Context, run: RunResult, earlier: Earlier) -> bool:
    """Write the badge of a run of the default branch; return False when it is there already, or that of a newer run."""
    last = earlier.last
    entry = entry_of(run, run_id=context.run_id, schedule=context.schedule or (last.schedule if last else ""))
    if last and (entry == last or entry.ended < last.ended):
        return False
    put_badge(
        client,
        earlier,
        standing(run),
        (*earlier.history, entry),
        {PACKAGES: json.dumps(packages_of(run.environments), indent=1) + "\n"},
    )
    return True


def put_badge(
    client: Client, earlier: Earlier, shown: Standing, history: tuple[Entry, ...], others: Mapping[str, str] | None = None
) -> None:
    """Commit a badge and the history that it stands on."""
    texts = {
        BADGE_JSON: shown.as_json(),
        BADGE_SVG: shown.as_svg(),
        HISTORY: "".join(f"{entry}\n" for entry in history[-_MOST_RUNS:]),
        **(others or {}),
    }
    files = {name: File("100644", text.encode()) for name, text in texts.items()}
    tree = make_tree(client, earlier.tree or None, files)
    # An orphan at first, and without the trailer of repairs: nothing but this function writes here.
    commit = make_commit(client, f"Badge: {shown.message}\n", tree, [earlier.head] if earlier.head else [])
    point_branch(client, BRANCH, commit, exists=bool(earlier.head))


def snippet(context: Context) -> str:
    """Return the line for the README, which shows the badge and leads to the workflow's runs."""
    place = f"{context.server}/{context.repository}"
    return f"[![notebooks]({place}/raw/{BRANCH}/{BADGE_SVG})]({place}/actions)"


def read_file(client: Client, head: str, name: str) -> str:
    """Read a file of a commit of the branch; empty when there is none."""
    found: Any = client.find(f"/contents/{quote(name)}", doing=f"read {name}", needs="contents: read", ref=head)
    if not isinstance(found, dict) or found.get("encoding") != "base64":
        return ""
    return base64.b64decode(found["content"]).decode("utf-8", "replace")


def _json(text: str) -> Any | None:  # noqa: ANN401 - JSON
    try:
        return json.loads(text)
    except ValueError:
        return None
