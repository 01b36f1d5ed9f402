"""Where a workflow runs: the repository, the event and the branch, from the runner's variables and the event's file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modernizer.errors import UsageError
from modernizer.github.client import DEFAULT_API

_HEADS = "refs/heads/"
_QUEUE = "refs/heads/gh-readonly-queue/"
_MAX_EVENT = 30_000_000


@dataclass(frozen=True)
class Context:
    """What the platform says of a run. ``branch`` is empty when it runs on no branch of the repository, as for pull requests."""

    repository: str
    event: str
    branch: str
    default_branch: str
    server: str = "https://github.com"
    api: str = DEFAULT_API
    run_id: str = ""
    payload: Mapping[str, Any] = field(default_factory=dict)

    @property
    def on_default_branch(self) -> bool:
        """Tell whether the run is on the tip's side of the default branch."""
        return bool(self.branch) and self.branch == self.default_branch

    @property
    def schedule(self) -> str:
        """Return the line of the schedule that started the run, in cron's syntax; empty when it was started otherwise."""
        return str(self.payload.get("schedule") or "") if self.event == "schedule" else ""

    @property
    def run_url(self) -> str:
        """Return the address of the workflow run, empty outside of one."""
        return f"{self.server}/{self.repository}/actions/runs/{self.run_id}" if self.run_id.isdigit() else ""


def within(data: object, *names: str) -> Mapping[str, Any]:
    """Return an object inside of GitHub's JSON; an empty one where it is missing or null, as the user who left GitHub is."""
    for name in names:
        data = data.get(name) if isinstance(data, Mapping) else None
    return data if isinstance(data, Mapping) else {}


def read_context(environ: Mapping[str, str]) -> Context:
    """Read the runner's variables and the event. Raises UsageError outside of a workflow."""
    repository = environ.get("GITHUB_REPOSITORY", "")
    if not repository:
        raise UsageError("no repository is named", where="GITHUB_REPOSITORY", hint="publish on GitHub inside a workflow")
    payload = _payload(environ.get("GITHUB_EVENT_PATH", ""))
    event = environ.get("GITHUB_EVENT_NAME", "")
    ref = environ.get("GITHUB_REF", "")
    # A scheduled run's event names no repository; it always runs on the default branch.
    default = within(payload, "repository").get("default_branch") or ""
    # Neither a pull request's merge with its base nor a merge queue's trial is a branch that anybody works on.
    passing = event.startswith("pull_request") or event == "merge_group" or ref.startswith(_QUEUE)
    branch = ref.removeprefix(_HEADS) if ref.startswith(_HEADS) and not passing else ""
    return Context(
        repository=repository,
        event=event,
        branch=branch,
        default_branch=str(default) or (branch if event == "schedule" else ""),
        server=environ.get("GITHUB_SERVER_URL", "https://github.com").rstrip("/"),
        api=environ.get("GITHUB_API_URL", DEFAULT_API).rstrip("/"),
        run_id=environ.get("GITHUB_RUN_ID", ""),
        payload=payload,
    )


def _payload(path: str) -> Mapping[str, Any]:
    """Read the event's file; without one there is nothing to know."""
    if not path:
        return {}
    try:
        file = Path(path)
        if file.stat().st_size > _MAX_EVENT:
            raise UsageError(f"larger than {_MAX_EVENT:,} bytes", where=path)
        found = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(f"the event can't be read: {type(error).__name__}", where=path) from None
    return found if isinstance(found, dict) else {}
