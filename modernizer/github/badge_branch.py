"""The badge's own branch: what shields reads, a drawing, the history as JSON lines, and the packages of the last run."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from modernizer.github.body import packages_of
from modernizer.github.branch import File, make_commit, make_tree, point_branch
from modernizer.github.client import Client
from modernizer.github.context import Context
from modernizer.report.badge import badge_message, badge_outcomes, render_badge_json, render_badge_svg
from modernizer.report.paths import BADGE_JSON, BADGE_SVG
from modernizer.report.results import RunResult, totals

BRANCH = "modernizer-badge"
HISTORY = "history.jsonl"
PACKAGES = "packages.json"
_MOST_RUNS = 1_000


@dataclass(frozen=True)
class Earlier:
    """What the branch holds: its commit, empty when there is none yet; the lines of its history; packages by name."""

    head: str = ""
    tree: str = ""
    history: tuple[str, ...] = ()
    packages: Mapping[str, str] = field(default_factory=dict)


def read_earlier(client: Client, head: str) -> Earlier:
    """Read the branch; what is not readable any more counts as not there."""
    if not head:
        return Earlier()
    commit = client.get(f"/git/commits/{head}", doing=f"read the branch {BRANCH}", needs="contents: read")
    lines = [line for line in _file(client, head, HISTORY).splitlines() if _json(line) is not None]
    packages = _json(_file(client, head, PACKAGES))
    return Earlier(
        head,
        commit["tree"]["sha"],
        tuple(lines),
        {str(name): str(version) for name, version in packages.items()} if isinstance(packages, dict) else {},
    )


def write_badge(client: Client, run: RunResult, earlier: Earlier) -> bool:
    """Write the badge of a run of the default branch; return False when it is there already."""
    line = history_line(run)
    if earlier.history and earlier.history[-1] == line:
        return False
    texts = {
        BADGE_JSON: render_badge_json(run),
        BADGE_SVG: render_badge_svg(run),
        HISTORY: "".join(f"{item}\n" for item in [*earlier.history, line][-_MOST_RUNS:]),
        PACKAGES: json.dumps(packages_of(run), indent=1) + "\n",
    }
    files = {name: File("100644", text.encode()) for name, text in texts.items()}
    tree = make_tree(client, earlier.tree or None, files)
    # An orphan at first, and without the trailer of repairs: nothing but this function writes here.
    commit = make_commit(client, f"Badge: {badge_message(run)}\n", tree, [earlier.head] if earlier.head else [])
    point_branch(client, BRANCH, commit, exists=bool(earlier.head))
    return True


def history_line(run: RunResult) -> str:
    """Return one run as a line: counts only, nothing that a notebook wrote."""
    outcomes = badge_outcomes(run)
    counted = totals(run.notebooks)
    verdicts = [outcome.verdict for outcome in outcomes]
    record = {
        "finished": run.finished or run.started,
        "commit": run.commit,
        "notebooks": len(outcomes),
        "good": sum(outcome.good for outcome in outcomes),
        "repairable": counted.repaired,
        "verdicts": {verdict: verdicts.count(verdict) for verdict in sorted(set(verdicts))},
        "cost_usd": round(counted.ledger.cost_usd, 4),
    }
    return json.dumps(record)


def snippet(context: Context) -> str:
    """Return the line for the README, which shows the badge and leads to the workflow's runs."""
    place = f"{context.server}/{context.repository}"
    return f"[![notebooks]({place}/raw/{BRANCH}/{BADGE_SVG})]({place}/actions)"


def _file(client: Client, head: str, name: str) -> str:
    found: Any = client.find(f"/contents/{quote(name)}", doing=f"read {name}", needs="contents: read", ref=head)
    if not isinstance(found, dict) or found.get("encoding") != "base64":
        return ""
    return base64.b64decode(found["content"]).decode("utf-8", "replace")


def _json(text: str) -> Any | None:  # noqa: ANN401 - JSON
    try:
        return json.loads(text)
    except ValueError:
        return None
