from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from forge import REPOSITORY
from hosted import World, broken
from npm_files import npm_file

from modernizer.errors import UsageError
from modernizer.github.commands import authorised
from modernizer.github.context import Context, read_context
from modernizer.github.review import target_of

READ = {
    "pull_request",
    "head",
    "sha",
    "repo",
    "full_name",
    "issue",
    "comment",
    "user",
    "login",
    "number",
    "body",
    "sender",
    "action",
}
EXAMPLES = json.loads(npm_file("@octokit/webhooks-examples", "api.github.com/index.json").read_text(encoding="utf-8"))


def example(name: str, action: str | None = None) -> dict[str, Any]:
    listed = next(item["examples"] for item in EXAMPLES if item["name"] == name)
    found: dict[str, Any] = copy.deepcopy(next(item for item in listed if item.get("action") == action))
    found["repository"] = {**found["repository"], "full_name": REPOSITORY, "default_branch": "main"}
    return found


def context_of(folder: Path, name: str, payload: object, ref: str) -> Context:
    file = folder / "event.json"
    file.write_text(json.dumps(payload), encoding="utf-8")
    named = {"GITHUB_REPOSITORY": REPOSITORY, "GITHUB_EVENT_NAME": name, "GITHUB_EVENT_PATH": str(file), "GITHUB_REF": ref}
    return read_context(named)


def crippled(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Go through copies of a payload that lack one thing that is read, or have null there."""
    for name, value in node.items():
        if name not in READ:
            continue
        yield {key: other for key, other in node.items() if key != name}
        yield {**node, name: None}
        if isinstance(value, dict):
            yield from ({**node, name: inner} for inner in crippled(value))


@pytest.mark.parametrize(
    ("event", "ref", "branch"),
    [
        ("schedule", "refs/heads/main", "main"),
        ("push", "refs/heads/work", "work"),
        ("workflow_dispatch", "refs/heads/main", "main"),
        ("workflow_dispatch", "refs/tags/v1", ""),
        ("workflow_run", "refs/heads/main", "main"),
        ("merge_group", "refs/heads/gh-readonly-queue/main/pr-1-0123", ""),
        ("push", "refs/heads/gh-readonly-queue/main/pr-1-0123", ""),
        ("pull_request", "refs/pull/1/merge", ""),
        ("pull_request_target", "refs/heads/main", ""),
        ("release", "refs/tags/v1", ""),
        ("", "", ""),
    ],
)
def test_repairs_are_only_proposed_for_branches_that_people_work_on(tmp_path: Path, event: str, ref: str, branch: str) -> None:
    assert context_of(tmp_path, event, {}, ref).branch == branch


@pytest.mark.parametrize(
    ("event", "action", "ref"),
    [
        ("merge_group", "checks_requested", "refs/heads/gh-readonly-queue/main/pr-1-0123"),
        ("push", None, "refs/heads/modernizer/repair"),
        ("push", None, "refs/heads/modernizer/repair-on-old-12345678"),
        ("push", None, "refs/heads/modernizer/notebook-a-ipynb-12345678"),
        ("push", None, "refs/heads/modernizer-badge"),
        ("push", None, "refs/tags/v1"),
        ("release", "published", "refs/tags/v1"),
    ],
)
def test_events_on_other_branches_and_on_our_own_write_nothing(
    world: World, tmp_path: Path, event: str, action: str | None, ref: str
) -> None:
    posted = world.post(context=context_of(tmp_path, event, example(event, action), ref))
    assert "nothing was written" in posted.notes[0]
    assert world.forge.log == []


@pytest.mark.parametrize("name", [item["name"] for item in EXAMPLES])
def test_no_event_of_github_is_taken_for_a_command_or_breaks_the_reading(world: World, tmp_path: Path, name: str) -> None:
    for payload in next(item["examples"] for item in EXAMPLES if item["name"] == name):
        context = context_of(tmp_path, name, payload, "refs/heads/main")
        assert authorised(world.client, context) is None
        assert (target_of(context) is not None) == (name.startswith("pull_request") and "pull_request" in payload)
    assert world.forge.log == []


@pytest.mark.parametrize(("event", "action"), [("pull_request", "synchronize"), ("issue_comment", "created")])
def test_a_payload_that_lacks_something_is_no_crash(world: World, tmp_path: Path, event: str, action: str) -> None:
    world.pull({"new.ipynb": broken("new")})
    whole = example(event, action)
    if event == "issue_comment":
        whole["issue"] |= {"number": 1, "pull_request": {}}
        whole["comment"] |= {"body": "/modernize apply new.ipynb"}
    for payload in crippled(whole):
        context = context_of(tmp_path, event, payload, "refs/heads/main")
        target_of(context)
        with suppress(UsageError):
            authorised(world.client, context)


def test_the_head_of_a_deleted_fork_is_foreign(tmp_path: Path) -> None:
    payload = example("pull_request", "synchronize")
    payload["pull_request"]["head"]["repo"] = None
    target = target_of(context_of(tmp_path, "pull_request", payload, "refs/pull/1/merge"))
    assert target is not None
    assert target.foreign


def test_dependabot_is_foreign_although_its_branch_is_here(tmp_path: Path) -> None:
    payload = example("pull_request", "synchronize")
    payload["pull_request"]["head"]["repo"] = {"full_name": REPOSITORY}
    for login, foreign in (("dependabot[bot]", True), ("ada", False)):
        payload["sender"]["login"] = login
        target = target_of(context_of(tmp_path, "pull_request", payload, "refs/pull/1/merge"))
        assert target is not None
        assert target.foreign is foreign


@pytest.mark.parametrize("text", ["[]", "null", "3", '{"repository": []}', '{"pull_request": 3, "issue": "x", "comment": []}'])
def test_an_event_of_another_shape_says_nothing(tmp_path: Path, text: str) -> None:
    for event in ("pull_request", "issue_comment", "push"):
        context = context_of(tmp_path, event, json.loads(text), "refs/heads/main")
        assert context.default_branch == ""
        assert target_of(context) is None
