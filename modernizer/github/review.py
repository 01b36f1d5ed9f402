"""The review of a pull request: one comment edited in place, and fixes as suggestions where the diff shows their lines."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modernizer.artifact import Checked
from modernizer.git_objects import contents, entries
from modernizer.github.body import BODY_LIMIT
from modernizer.github.changes import Change, as_changes
from modernizer.github.client import Client
from modernizer.github.context import Context, within
from modernizer.github.explain import GitHubError
from modernizer.github.suggestions import Suggestion, suggest
from modernizer.report.markdown import fitting, macros
from modernizer.report.markdown_escape import prose
from modernizer.report.paths import patch_path
from modernizer.report.results import NotebookResult, RunResult, headline
from modernizer.report.text import plain
from modernizer.report.view import view

NEEDS = "pull-requests: write"
# As the workflows of the documentation name it.
ARTIFACT = "notebooks"
# In one review; more than this drown a pull request.
_MOST_SUGGESTIONS = 50
_MARK = re.compile(
    r"<!-- notebook-modernizer review head=([0-9a-f]{40}|[0-9a-f]{64}) suggested=((?:[0-9a-f]{8}:[0-9a-f]{12},?)*) "
    r"ignored=((?:[0-9a-f]{8},?)*) -->"
)
_OURS = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})


@dataclass(frozen=True)
class Target:
    """The pull request under review. ``foreign`` says that the run's token may not write: a fork, or Dependabot."""

    number: int
    head: str
    foreign: bool


@dataclass(frozen=True)
class Sticky:
    """The comment as it stands: its id (0: none yet), the head it speaks of, changes suggested before, and ignored ones."""

    id: int = 0
    body: str = ""
    head: str = ""
    suggested: Mapping[str, str] = field(default_factory=dict)
    ignored: frozenset[str] = field(default_factory=frozenset)

    def mark(self) -> str:
        """Return the hidden mark."""
        suggested = ",".join(f"{key}:{value}" for key, value in sorted(self.suggested.items()))
        return (
            f"<!-- notebook-modernizer review head={self.head} suggested={suggested} ignored={','.join(sorted(self.ignored))} -->"
        )


@dataclass(frozen=True)
class Reviewed:
    """What a review did."""

    suggestions: int = 0
    commented: bool = False
    notes: tuple[str, ...] = ()


def target_of(context: Context) -> Target | None:
    """Return the pull request that an event is about, or None."""
    pull = within(context.payload, "pull_request")
    number, head = pull.get("number"), within(pull, "head").get("sha")
    if not context.event.startswith("pull_request") or not isinstance(number, int) or not isinstance(head, str):
        return None
    # The repository of a head is null when the fork was deleted.
    elsewhere = str(within(pull, "head", "repo").get("full_name")).lower() != context.repository.lower()
    sender = within(context.payload, "sender").get("login")
    return Target(number, head, elsewhere or sender == "dependabot[bot]")


def review(client: Client, context: Context, target: Target, checked: Checked, root: Path) -> Reviewed:
    """Review the pull request. Where the token may not write, nothing is written and that is no error."""
    try:
        return _review(client, context, target, checked, root)
    except GitHubError as error:
        if not target.foreign or error.status not in {403, 404}:
            raise
        note = "the token of this run may not comment (a fork, or Dependabot): see the annotations and the summary"
        return Reviewed(notes=(note,))


def read_sticky(client: Client, number: int) -> Sticky:
    """Find our comment by its hidden mark; one that a stranger wrote is not ours whatever it holds."""
    for comment in client.pages(f"/issues/{number}/comments", doing="read the comments", needs="pull-requests: read"):
        found = list(_MARK.finditer(comment["body"] or ""))
        trusted = within(comment, "user").get("type") == "Bot" or comment["author_association"] in _OURS
        if found and trusted:
            head, suggested, ignored = found[-1].groups()
            pairs = dict(item.split(":") for item in suggested.split(",") if item)
            return Sticky(comment["id"], comment["body"], head, pairs, frozenset(filter(None, ignored.split(","))))
    return Sticky()


def write_sticky(client: Client, number: int, sticky: Sticky, body: str) -> bool:
    """Write the comment if it says something new."""
    if body == sticky.body.replace("\r\n", "\n"):
        return False
    if sticky.id:
        client.patch(f"/issues/comments/{sticky.id}", {"body": body}, doing="edit the comment", needs=NEEDS)
    else:
        place = f"/issues/{number}/comments"
        client.create(place, {"body": body}, doing="comment", needs=NEEDS, made=lambda: read_sticky(client, number).id or None)
    return True


def _review(client: Client, context: Context, target: Target, checked: Checked, root: Path) -> Reviewed:
    sticky = read_sticky(client, target.number)
    run = checked.run
    changes = [change for change in as_changes(checked.proposals, run) if change.key not in sticky.ignored]
    fresh = [change for change in changes if sticky.suggested.get(change.key) != change.fingerprint]
    # Lines of another commit, such as the merge with the base, are not the lines that the diff shows.
    made = _suggestions(client, target, fresh, run, root) if fresh and run.commit == target.head else {}
    notes = []
    if made and not _post(client, target, made):
        notes.append("GitHub did not take the suggestions, so the changes are below instead")
        made = {}
    known = {change.key: change.fingerprint for change in changes if change not in fresh or change.notebook in made}
    if not sticky.id and all(result.before.good for result in run.notebooks):
        return Reviewed(notes=("all notebooks of this pull request hold, so there is no comment",))
    shown = Sticky(sticky.id, sticky.body, run.commit, known, sticky.ignored)
    inline = {change.notebook for change in changes if change.key in known}
    body = render_review(run, shown, inline, context, notes)
    return Reviewed(sum(map(len, made.values())), write_sticky(client, target.number, sticky, body), tuple(notes))


def _suggestions(
    client: Client, target: Target, changes: Sequence[Change], run: RunResult, root: Path
) -> dict[str, list[tuple[Suggestion, Change]]]:
    """Make suggestions for the notebooks whose changed lines all lie inside the pull request's diff."""
    files = client.pages(f"/pulls/{target.number}/files", doing="read the diff", needs="pull-requests: read")
    diffs = {file["filename"]: file.get("patch", "") for file in files}
    made: dict[str, list[tuple[Suggestion, Change]]] = {}
    stored = entries(root, run.commit, [name for change in changes for name in change.files])
    for change in changes:
        before = contents(root, [stored[name] for name in change.files])
        pairs = {name: (data, change.files[name].data) for name, data in zip(change.files, before, strict=True)}
        found = suggest(pairs, diffs)
        if found and sum(map(len, made.values())) + len(found) <= _MOST_SUGGESTIONS:
            made[change.notebook] = [(item, change) for item in found]
    return made


def _post(client: Client, target: Target, made: Mapping[str, Sequence[tuple[Suggestion, Change]]]) -> bool:
    """Post all suggestions as one review, bound to the commit that was run."""
    comments = [
        {**item.place(), "body": f"{_reasons(change)}\n\n{item.block()}"} for items in made.values() for item, change in items
    ]
    body: dict[str, Any] = {"commit_id": target.head, "event": "COMMENT", "comments": comments}
    body["body"] = "Proven repairs; the comment of this review has the details."
    place = f"/pulls/{target.number}/reviews"

    def posted() -> Any | None:  # noqa: ANN401 - GitHub's JSON
        listed = client.pages(place, doing="read the reviews", needs="pull-requests: read")
        return next((item for item in listed if item["body"] == body["body"] and item["commit_id"] == target.head), None)

    try:
        client.create(place, body, doing="post suggestions", needs=NEEDS, made=posted)
    except GitHubError as error:
        if error.status == 422:  # noqa: PLR2004 - HTTP's own number: a line that GitHub does not see in the diff
            return False
        raise
    return True


def _reasons(change: Change) -> str:
    fixes = change.result.repair.fixes if change.result.repair else ()
    return " ".join(dict.fromkeys(str(prose(fix.explanation)) for fix in fixes))[:2_000]


def render_review(run: RunResult, sticky: Sticky, inline: set[str], context: Context, notes: Sequence[str] = ()) -> str:
    """Render the comment below GitHub's limit; ``inline`` are notebooks whose change is suggested in the diff."""
    parts = macros("review.md.j2", "modernizer.github")
    arranged = view(run)
    head = str(parts.head(headline(run), run, context.run_url, list(notes))).strip() + "\n"
    room = BODY_LIMIT - 4_000 - len(head.encode()) - len(sticky.mark())
    rows, room = fitting((str(parts.table_row(item)) for item in arranged.notebooks), room)
    telling = [item for item in arranged.notebooks if not item.result.before.good]
    told = [(item, item.result.path in inline, _steps(item.result, inline, context)) for item in telling]
    sections, _ = fitting((str(parts.details(*one)) for one in told), room)
    left = len(arranged.notebooks) - len(rows) + len(telling) - len(sections)
    more = "\n*Some of it does not fit here; it is in the job's summary.*\n" if left else ""
    body = f"{head}{''.join(rows)}\n{''.join(sections)}{more}\n{parts.tail()}"
    while "\n\n\n" in body:
        body = body.replace("\n\n\n", "\n\n")
    return f"{body.strip()}\n\n{sticky.mark()}\n"


def _steps(result: NotebookResult, inline: set[str], context: Context) -> str:
    """Return the shell lines that bring and apply a change which is no suggestion; empty where there is none to apply."""
    if not result.repaired or not result.repair or not result.repair.patch or result.path in inline or not context.run_url:
        return ""
    folder = f"/tmp/notebooks-{context.run_id}"  # noqa: S108 - on the reader's machine
    host = context.server.partition("://")[2]
    repository = context.repository if host == "github.com" else f"{host}/{context.repository}"
    patch = shlex.quote(plain(f"{folder}/{patch_path(result.path)}"))
    return f"gh run download {context.run_id} --repo {repository} --name {ARTIFACT} --dir {folder}\ngit apply {patch}"
