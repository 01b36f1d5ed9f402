"""One stable branch and one pull request, updated in place: proposed, brought up to date, left to people, withdrawn."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal
from urllib.parse import quote

from modernizer.config import PullRequest as Settings
from modernizer.github.body import CHECKS_NOTE, Text, harmless, render_body, title
from modernizer.github.branch import Branch, File, delete_branch, point_branch, read_branch, repair_commit
from modernizer.github.changes import MOST, Base, Change, merged_files
from modernizer.github.client import Client
from modernizer.github.context import Context, within
from modernizer.github.explain import GitHubError
from modernizer.github.marker import Marker, content_digest, notebook_key, read_marker
from modernizer.github.versions import PackageChange
from modernizer.report.results import RunResult
from modernizer.report.text import one_line

Action = Literal["created", "updated", "unchanged", "withdrawn", "left-alone", "none"]
NEEDS = "pull-requests: write"
ACTIONS_BOT = "github-actions[bot]"
_OUR_TITLE = re.compile(r"Repair (?:\d+ notebooks|.* for today's packages)")
_MOST_COMPARED = 300


@dataclass(frozen=True)
class Carried:
    """What became of one branch: what was done, its pull request if there is one, and what a person should know."""

    action: Action
    number: int = 0
    url: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Desk:
    """What every pull request of a publish needs."""

    client: Client
    context: Context
    settings: Settings
    run: RunResult
    base: Base
    base_branch: str
    heads: Mapping[str, str]
    packages: Sequence[PackageChange] = ()
    held_back: Sequence[str] = ()
    retried: frozenset[str] = field(default_factory=frozenset)


def carry(desk: Desk, branch: str, changes: Sequence[Change]) -> Carried:
    """Bring one branch and its pull request to what the run proposes."""
    pulls = _pulls(desk, branch)
    current = next((pull for pull in pulls if pull["state"] == "open"), None)
    kept, notes = _wanted(desk, changes, pulls)
    if not kept:
        return _withdraw(desk, branch, current, notes)
    existing = read_branch(desk.client, branch, desk.heads[branch]) if branch in desk.heads else None
    if existing and existing.trailer is None:
        return _left_alone(branch, current, notes)
    if current and (missing := _not_run(desk, current)):
        notes.append(f"the run left out {missing} of the pull request's notebooks, so it stays as it is")
        return Carried("left-alone", current["number"], current["html_url"], tuple(notes))
    if current is None:
        return _create(desk, branch, kept, existing, notes)
    return _update(desk, branch, kept, pull=current, existing=existing, notes=notes)


def moved_files(desk: Desk, *, all_of_them: bool = True) -> frozenset[str]:
    """Return the files that the base branch changed since the commit that was run.

    Raises GitHubError when that commit is not in the branch or, if all files are asked for, too much has changed to tell.
    """
    ends = f"{quote(desk.base.commit)}...{quote(desk.base_branch, safe='')}"
    # GitHub answers 404 where the two have no commit in common.
    compared = desk.client.find(f"/compare/{ends}", doing=f"compare with {desk.base_branch}", needs="contents: read")
    if compared and compared["status"] == "identical":
        return frozenset()
    files = compared.get("files", []) if compared else []
    if not compared or compared["status"] != "ahead" or (all_of_them and len(files) >= _MOST_COMPARED):
        raise GitHubError(
            f"the branch {desk.base_branch} has moved away from the commit that was run",
            status=0,
            where="GitHub",
            hint="nothing was written; run the job again on the branch as it is now",
        )
    return frozenset(name for file in files for name in (file["filename"], file.get("previous_filename")) if name)


def _pulls(desk: Desk, branch: str) -> list[Any]:
    """List the pull requests of a branch of this very repository, newest first."""
    found = desk.client.pages(
        "/pulls",
        doing="list the pull requests",
        needs="pull-requests: read",
        head=f"{desk.client.owner}:{branch}",
        base=desk.base_branch,
        state="all",
        sort="created",
        direction="desc",
    )
    # A fork of the same owner would be listed too.
    here = desk.context.repository.lower()
    return [pull for pull in found if str(within(pull, "head", "repo").get("full_name")).lower() == here]


def _wanted(desk: Desk, changes: Sequence[Change], pulls: Sequence[Any]) -> tuple[list[Change], list[str]]:
    """Leave out what a person declined by closing a pull request, and what is too much for one."""
    declined: dict[str, int] = {}
    for pull in pulls:
        marker = read_marker(pull["body"])
        if pull["state"] == "closed" and not pull["merged_at"] and marker and marker.state == "open":
            declined |= {f"{key}:{value}": pull["number"] for key, value in marker.fingerprints.items()}
    kept, notes = [], []
    for change in changes:
        number = declined.get(f"{change.key}:{change.fingerprint}")
        if number and change.key not in desk.retried:
            notes.append(f"{one_line(change.notebook)}: not proposed again, pull request {number} with this change was closed")
        else:
            kept.append(change)
    if len(kept) > MOST:
        notes.append(f"{len(kept) - MOST} more repaired notebooks follow when these {MOST} are merged")
    return kept[:MOST], notes


def _not_run(desk: Desk, pull: Any) -> int:  # noqa: ANN401 - GitHub's JSON
    """Count the notebooks of a pull request that exist but were not part of the run."""
    marker = read_marker(pull["body"])
    seen = {notebook_key(result.path) for result in desk.run.notebooks}
    return sum(key in desk.base.notebooks and key not in seen for key in marker.fingerprints) if marker else 0


def _create(desk: Desk, branch: str, changes: Sequence[Change], existing: Branch | None, notes: list[str]) -> Carried:
    """Make the branch and the pull request."""
    files = merged_files(changes)
    _write(desk, branch, changes, files, existing, onto=None)
    text = _text(desk, branch, changes, files)
    body: dict[str, Any] = {
        "title": title([change.notebook for change in changes]),
        "head": branch,
        "base": desk.base_branch,
        "body": render_body(text),
        "draft": desk.settings.draft,
    }
    pull = _open(desk, body, notes)
    if within(pull, "user").get("login") == ACTIONS_BOT:
        notes.append(CHECKS_NOTE)
        _edit(desk, pull["number"], {"body": render_body(replace(text, notes=(CHECKS_NOTE,)))})
    if desk.settings.labels:
        labels = {"labels": list(desk.settings.labels)}
        desk.client.post(f"/issues/{pull['number']}/labels", labels, doing="add the labels", needs=NEEDS)
    return Carried("created", pull["number"], pull["html_url"], tuple(notes))


def _open(desk: Desk, body: dict[str, Any], notes: list[str]) -> Any:  # noqa: ANN401 - GitHub's JSON
    """Open the pull request, as an ordinary one where the plan has no drafts."""
    doing = "open the pull request"
    try:
        return desk.client.post("/pulls", body, doing=doing, needs=NEEDS)
    except GitHubError as error:
        if body["draft"] and error.says("draft pull requests are not supported"):
            notes.append("this repository has no drafts, so the pull request is an ordinary one")
            return desk.client.post("/pulls", {**body, "draft": False}, doing=doing, needs=NEEDS)
        if error.says("already exists"):
            # An answer got lost and the call was repeated: the first one did it.
            made = next((pull for pull in _pulls(desk, body["head"]) if pull["state"] == "open"), None)
            if made is not None:
                return made
        address = f"{desk.context.server}/{desk.context.repository}/compare/{quote(desk.base_branch)}...{quote(body['head'])}"
        hint = f"{error.hint}; the branch is written, you can open it yourself: {address}?expand=1".removeprefix("; ")
        raise GitHubError(error.what, status=error.status, reason=error.reason, where=error.where, hint=hint) from None


def _update(
    desk: Desk,
    branch: str,
    changes: Sequence[Change],
    *,
    pull: Any,  # noqa: ANN401 - GitHub's JSON
    existing: Branch | None,
    notes: list[str],
) -> Carried:
    """Write a commit after the branch's last one if the files differ, and the text if it does."""
    files = merged_files(changes)
    digest = content_digest({name: file.data for name, file in files.items()})
    same = existing is not None and existing.trailer is not None and existing.trailer.content == digest
    if not same:
        _write(desk, branch, changes, files, existing, onto=existing.head if existing else None)
    remarks = (CHECKS_NOTE,) if within(pull, "user").get("login") == ACTIONS_BOT else ()
    body = render_body(replace(_text(desk, branch, changes, files), notes=remarks))
    wanted = {"body": body}
    fresh = title([change.notebook for change in changes])
    if _OUR_TITLE.fullmatch(pull["title"]) and pull["title"] != fresh:
        wanted["title"] = fresh
    if len(wanted) > 1 or body != (pull["body"] or "").replace("\r\n", "\n"):
        _edit(desk, pull["number"], wanted)
    return Carried("unchanged" if same else "updated", pull["number"], pull["html_url"], tuple(notes))


def _write(
    desk: Desk, branch: str, changes: Sequence[Change], files: Mapping[str, File], existing: Branch | None, *, onto: str | None
) -> None:
    """Commit to the branch. What nobody reviews any more is replaced; the branch of an open pull request only grows."""
    message = _message(changes)
    base = desk.base
    commit = repair_commit(desk.client, message, files, base=base.commit, base_tree=base.tree, onto=onto)
    point_branch(desk.client, branch, commit, exists=existing is not None, force=existing is not None and onto is None)


def _message(changes: Sequence[Change]) -> str:
    lines = [title([change.notebook for change in changes]), ""]
    for change in changes:
        fixes = change.result.repair.fixes if change.result.repair else ()
        lines.append(f"{one_line(change.notebook)}:")
        lines += [f"- {one_line(fix.explanation)}" for fix in fixes[:20]]
    return harmless("\n".join(lines)[:20_000])


def _text(desk: Desk, branch: str, changes: Sequence[Change], files: Mapping[str, File]) -> Text:
    marker = Marker(
        content_digest({name: file.data for name, file in files.items()}), {change.key: change.fingerprint for change in changes}
    )
    return Text(
        desk.run,
        [change.notebook for change in changes],
        branch,
        marker,
        desk.packages,
        desk.held_back,
        run_url=desk.context.run_url,
        outputs=desk.settings.outputs,
    )


def _withdraw(desk: Desk, branch: str, pull: Any, notes: list[str]) -> Carried:  # noqa: ANN401 - GitHub's JSON
    """Close the pull request when all its notebooks hold without it; a branch that people pushed to stays."""
    if pull is None:
        return Carried("none", notes=tuple(notes))
    marker = read_marker(pull["body"])
    fingerprints = marker.fingerprints if marker else {}
    well = {notebook_key(result.path) for result in desk.run.notebooks if result.before.good}
    sick = [key for key in fingerprints if key in desk.base.notebooks and key not in well]
    if marker is None or sick or desk.run.interrupted:
        notes.append("the pull request stays open: its notebooks are not well without it, and this run proposes nothing for them")
        return Carried("left-alone", pull["number"], pull["html_url"], tuple(notes))
    existing = read_branch(desk.client, branch, desk.heads[branch]) if branch in desk.heads else None
    if existing and existing.trailer is None:
        return _left_alone(branch, pull, notes)
    body = (pull["body"] or "").replace(str(marker), str(replace(marker, state="withdrawn")))
    said = {"body": "The notebooks of this pull request hold without it by now, so it is closed and its branch deleted."}
    place = f"/issues/{pull['number']}/comments"

    def made() -> Any | None:  # noqa: ANN401 - GitHub's JSON
        listed = desk.client.pages(place, doing="read the comments", needs="pull-requests: read")
        return next((comment for comment in listed if comment["body"] == said["body"]), None)

    desk.client.create(place, said, doing="say why the pull request is closed", needs=NEEDS, made=made)
    _edit(desk, pull["number"], {"state": "closed", "body": body})
    if existing:
        delete_branch(desk.client, branch)
    return Carried("withdrawn", pull["number"], pull["html_url"], tuple(notes))


def _left_alone(branch: str, pull: Any, notes: list[str]) -> Carried:  # noqa: ANN401 - GitHub's JSON
    notes.append(f"somebody else committed to {branch}, so it was left alone; merge or delete it to get new repairs")
    if pull is None:
        return Carried("left-alone", notes=tuple(notes))
    return Carried("left-alone", pull["number"], pull["html_url"], tuple(notes))


def _edit(desk: Desk, number: int, body: Mapping[str, Any]) -> None:
    desk.client.patch(f"/pulls/{number}", body, doing="edit the pull request", needs=NEEDS)
