"""Commands in comments of a pull request: who may give them, what they are bound to, and what they do."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, cast
from urllib.parse import quote

from modernizer.artifact import Checked
from modernizer.errors import UsageError
from modernizer.github.body import harmless
from modernizer.github.branch import make_commit, make_tree, point_branch
from modernizer.github.changes import as_changes, read_base
from modernizer.github.client import Client
from modernizer.github.context import Context, within
from modernizer.github.explain import GitHubError
from modernizer.github.marker import notebook_key
from modernizer.github.review import Sticky, read_sticky, write_sticky
from modernizer.report.text import one_line

Word = Literal["retry", "apply", "ignore"]
Reaction = Literal["eyes", "confused", "rocket"]
_COMMAND = re.compile(r"/modernize[ \t]+(retry|apply|ignore)[ \t]+(\S[^\r\n]*?)[ \t]*(?:\r?\n.*)?", re.DOTALL)
_MAY = frozenset({"write", "admin", "maintain"})
_WHERE = "comment"


@dataclass(frozen=True)
class Command:
    """What somebody with the right to asked for, and the commit of the pull request that they had before them."""

    word: Word
    notebook: str
    number: int
    head: str
    branch: str
    foreign: bool


class NotNowError(UsageError):
    """A command of somebody who may give it, which can't be obeyed as things are."""


def read_command(text: str) -> tuple[Word, str] | None:
    """Read the first line of a comment; other comments are none of our business."""
    found = _COMMAND.fullmatch(text)
    if found is None:
        return None
    return cast("Word", found[1]), found[2].strip("`")


def authorised(client: Client, context: Context) -> Command | None:
    """Return the command of an event, or None when its comment holds none.

    Raises UsageError when the author may not write to the repository, NotNowError when the pull request is not open or its branch
    has moved since our last review: a command holds for what its author could see, not for what was pushed after.
    """
    issue, comment = within(context.payload, "issue"), within(context.payload, "comment")
    found = read_command(str(comment.get("body") or ""))
    created = context.event == "issue_comment" and context.payload.get("action") == "created"
    if found is None or not created or "pull_request" not in issue:
        return None
    login, number = within(comment, "user").get("login"), issue.get("number")
    if not isinstance(login, str) or not isinstance(number, int):
        return None
    granted = client.get(f"/collaborators/{quote(login)}/permission", doing="look up who commented", needs="metadata: read")[
        "permission"
    ]
    if granted not in _MAY:
        raise UsageError(f"{one_line(login, 60)} may not write to this repository", where=_WHERE, hint="ask somebody who may")
    pull = client.get(f"/pulls/{number}", doing="read the pull request", needs="pull-requests: read")
    if pull["state"] != "open":
        raise NotNowError("the pull request is not open", where=_WHERE)
    head = str(pull["head"]["sha"])
    seen = read_sticky(client, number).head
    if not seen:
        raise NotNowError("this pull request has no review to answer", where=_WHERE, hint="wait for its check, then ask again")
    if seen != head:
        raise NotNowError(
            "the branch has moved since the last review",
            where=_WHERE,
            hint="wait for the check of the new commit, then ask again",
        )
    foreign = str(within(pull, "head", "repo").get("full_name")).lower() != context.repository.lower()
    return Command(*found, number, head, str(pull["head"]["ref"]), foreign)


def ignore(client: Client, command: Command) -> bool:
    """Suggest nothing for the notebook any more in this pull request."""
    sticky = read_sticky(client, command.number)
    return _remember(client, command, sticky, replace(sticky, ignored=sticky.ignored | {notebook_key(command.notebook)}))


def retry(client: Client, command: Command) -> bool:
    """Forget what was suggested and ignored of the notebook, so that the next review speaks of it again."""
    sticky = read_sticky(client, command.number)
    key = notebook_key(command.notebook)
    kept = {name: value for name, value in sticky.suggested.items() if name != key}
    return _remember(client, command, sticky, replace(sticky, suggested=kept, ignored=sticky.ignored - {key}))


def apply(client: Client, command: Command, checked: Checked, root: Path) -> str:
    """Commit the notebook's repair to the pull request's branch, after the very commit that was run; return the new commit."""
    if command.foreign:
        raise NotNowError("the branch is in a fork, where this token can't write", where=_WHERE, hint="apply the patch by hand")
    if checked.run.commit != command.head:
        raise NotNowError("the results are of another commit than the pull request's last", where=_WHERE, hint="run it again")
    changes = [item for item in as_changes(checked.proposals, checked.run) if item.notebook == command.notebook]
    if not changes:
        raise NotNowError(f"there is no proven repair of {one_line(command.notebook)}", where=_WHERE)
    tree = make_tree(client, read_base(root, checked.run).tree, changes[0].files)
    commit = make_commit(client, harmless(f"Repair {one_line(command.notebook, 150)} for today's packages"), tree, [command.head])
    point_branch(client, command.branch, commit, exists=True)
    return commit


def react(client: Client, context: Context, content: Reaction) -> bool:
    """Answer the comment with a reaction; a token that may not do that changes nothing else."""
    number = within(context.payload, "comment").get("id")
    if not isinstance(number, int):
        return False
    try:
        client.post(f"/issues/comments/{number}/reactions", {"content": content}, doing="react", needs="pull-requests: write")
    except GitHubError:
        return False
    return True


def _remember(client: Client, command: Command, sticky: Sticky, changed: Sticky) -> bool:
    """Change the hidden mark of our comment and nothing else of it."""
    return write_sticky(client, command.number, sticky, sticky.body.replace(sticky.mark(), changed.mark()))
