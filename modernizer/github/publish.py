"""Publishes a checked run on GitHub: a review, or the pull requests with its repairs, the badge, the dashboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from modernizer.artifact import Checked
from modernizer.config import PullRequest as Settings
from modernizer.github.badge_branch import BRANCH as BADGE_BRANCH
from modernizer.github.badge_branch import Earlier, read_earlier, snippet, write_badge
from modernizer.github.badge_check import check_badge
from modernizer.github.branch import branch_heads
from modernizer.github.changes import PER_NOTEBOOK, PREFIX, Change, as_changes, grouped, is_ours, read_base, with_outputs
from modernizer.github.client import Client
from modernizer.github.commands import NotNowError, apply, authorised, react
from modernizer.github.context import Context, read_context
from modernizer.github.dashboard import Ticked, read_dashboard, write_dashboard
from modernizer.github.explain import GitHubError, OvertakenError
from modernizer.github.pull_request import Carried, Desk, carry, moved_files
from modernizer.github.review import Reviewed, Target, review, target_of
from modernizer.github.versions import package_changes, packages_of
from modernizer.report.results import RunResult
from modernizer.report.text import one_line


@dataclass(frozen=True)
class Posted:
    """What a publish did: what became of each branch, what people should know, how many calls it took."""

    carried: tuple[Carried, ...] = ()
    badge: bool = False
    dashboard: str = ""
    notes: tuple[str, ...] = ()
    calls: int = 0

    @property
    def pull_request(self) -> Carried | None:
        """Return the pull request to name where there is room for one."""
        return next((item for item in self.carried if item.number and item.action != "withdrawn"), None)


def connect(token: str, environ: Mapping[str, str]) -> tuple[Client, Context]:
    """Read the runner's variables and connect to the GitHub that they name. Raises UsageError without token or workflow."""
    context = read_context(environ)
    client = Client(token, context.repository, api=context.api)
    if context.branch and not context.default_branch:
        described = client.get("", doing="read the repository", needs="metadata: read")
        context = replace(context, default_branch=str(described["default_branch"]))
    return client, context


def post(
    client: Client, context: Context, checked: Checked, root: Path, settings: Settings, *, folder: Path | None = None
) -> Posted:
    """Bring pull requests, badge and dashboard to what a checked run says. Raises GitHubError with the remedy.

    ``folder`` is the checked output folder, from which executed notebooks are taken when the settings ask for them.
    """
    target = target_of(context)
    if target is not None:
        return _reviewed(client, review(client, context, target, checked, root))
    if context.event == "issue_comment":
        return _commanded(client, context, checked, root)
    if not context.branch or is_ours(context.branch):
        return Posted(notes=("this run is on no branch that takes repairs, so nothing was written to GitHub",))
    run = checked.run
    heads = branch_heads(client, PREFIX)
    earlier = read_earlier(client, heads.get(BADGE_BRANCH, "")) if context.on_default_branch else Earlier()
    ticked = read_dashboard(client) if settings.dashboard and context.on_default_branch else Ticked()
    desk = Desk(
        client,
        context,
        settings,
        run,
        read_base(root, run),
        context.branch,
        heads,
        package_changes(earlier.packages, packages_of(run.environments)),
        checked.held_back,
        ticked.retry,
    )
    notes: list[str] = []
    proposed = as_changes(checked.proposals, run)
    if settings.outputs and folder is not None:
        proposed = [with_outputs(change, folder) for change in proposed]
    changes = _publishable(desk, proposed, ticked, notes)
    groups = grouped(changes, settings.split, context.branch, context.default_branch)
    if context.on_default_branch:
        # Branches of single notebooks that need none any more: their pull requests may have to be closed.
        groups |= {name: [] for name in heads if name.startswith(PER_NOTEBOOK) and name not in groups}
    carried, trouble = _carried(desk, groups)
    written = context.on_default_branch and _badge(client, context, run, earlier, notes)
    address = write_dashboard(client, context, run, ticked, carried) if settings.dashboard and context.on_default_branch else ""
    if trouble is not None:
        # Only now: what a refused pull request has no part in is written all the same.
        raise trouble
    return Posted(carried, written, address, tuple(notes), client.calls)


def _carried(desk: Desk, groups: Mapping[str, Sequence[Change]]) -> tuple[tuple[Carried, ...], GitHubError | None]:
    """Carry every branch; the first refusal is returned, so that it doesn't keep the others."""
    carried: list[Carried] = []
    trouble = None
    for branch, group in groups.items():
        try:
            carried.append(carry(desk, branch, group))
        except GitHubError as error:
            trouble = trouble or error
    return tuple(carried), trouble


def _badge(client: Client, context: Context, run: RunResult, earlier: Earlier, notes: list[str]) -> bool:
    if run.interrupted:
        judged = check_badge(client, context, datetime.now(UTC), failed=True)
        notes.append(f"a run that was cut short writes no badge; {judged.note}")
        return judged.written
    try:
        written = write_badge(client, context, run, earlier)
    except OvertakenError:
        notes.append("the badge was written by another run at the same time")
        return False
    if written and not earlier.head:
        notes.append(f"badge for the README: {snippet(context)}")
    return written


def _commanded(client: Client, context: Context, checked: Checked, root: Path) -> Posted:
    """Do what a comment asks for with the results of the run that it caused."""
    command = authorised(client, context)
    if command is None:
        return Posted(notes=("the comment asks for nothing",), calls=client.calls)
    if command.word == "apply":
        try:
            commit = apply(client, command, checked, root)
        except (NotNowError, OvertakenError):
            react(client, context, "confused")
            raise
        react(client, context, "rocket")
        return Posted(notes=(f"applied to {command.branch} as {commit}",), calls=client.calls)
    target = Target(command.number, command.head, command.foreign)
    return _reviewed(client, review(client, context, target, checked, root))


def _reviewed(client: Client, reviewed: Reviewed) -> Posted:
    said = f"review: {reviewed.suggestions} suggestions, comment {'written' if reviewed.commented else 'as it was'}"
    return Posted(notes=(said, *reviewed.notes), calls=client.calls)


def _publishable(desk: Desk, changes: list[Change], ticked: Ticked, notes: list[str]) -> list[Change]:
    """Leave out what people said to ignore and what changed on the branch since the run."""
    kept = [change for change in changes if change.key not in ticked.ignore]
    # Asked even if there is nothing to propose: what is not of this branch says nothing about it.
    moved = moved_files(desk, all_of_them=bool(kept))
    notes += [
        f"{one_line(change.notebook)}: changed on {desk.base_branch} since the run; the next run looks at it again"
        for change in kept
        if moved & change.files.keys()
    ]
    return [change for change in kept if not moved & change.files.keys()]


def describe_posted(posted: Posted) -> str:
    """Say what was done on GitHub, a line each."""
    lines = []
    for item in posted.carried:
        if item.number:
            lines.append(f"Pull request {item.number} {item.action}: {item.url}")
        lines += [f"  {note}" for note in item.notes]
    if posted.badge:
        lines.append(f"Badge written to the branch {BADGE_BRANCH}.")
    if posted.dashboard:
        lines.append(f"Dashboard: {posted.dashboard}")
    return "\n".join([*lines, *(f"  {note}" for note in posted.notes)])
