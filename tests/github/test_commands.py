from __future__ import annotations

from dataclasses import replace

import pytest
from forge import REPOSITORY, Refusal
from hosted import World, broken, git, repaired

from modernizer.errors import UsageError
from modernizer.github.commands import authorised, ignore, read_command, retry
from modernizer.github.context import Context
from modernizer.github.explain import GitHubError


def commented(world: World, text: str, *, number: int = 1, on_pull: bool = True) -> Context:
    issue: dict[str, object] = {"number": number} | ({"pull_request": {}} if on_pull else {})
    return world.event("issue_comment", issue=issue, comment={"body": text, "user": {"login": "ada"}})


@pytest.fixture
def reviewed(world: World) -> World:
    """A pull request with a broken notebook that has been reviewed."""
    world.pull({"new.ipynb": broken("new")})
    world.review(world.run(["new.ipynb"]))
    world.forge.permissions["ada"] = "write"
    return world


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/modernize apply a.ipynb", ("apply", "a.ipynb")),
        ("/modernize retry  work/my lab.ipynb \r\nthanks", ("retry", "work/my lab.ipynb")),
        ("/modernize ignore `a.ipynb`", ("ignore", "a.ipynb")),
        ("please /modernize apply a.ipynb", None),
        ("> /modernize apply a.ipynb", None),
        ("/modernize destroy a.ipynb", None),
        ("/modernize apply", None),
        ("/modernize apply\na.ipynb", None),
        ("", None),
    ],
)
def test_only_a_first_line_of_its_own_is_a_command(text: str, expected: tuple[str, str] | None) -> None:
    assert read_command(text) == expected


def test_apply_commits_the_repair_to_the_branch_after_the_commit_that_was_run(reviewed: World) -> None:
    head = git(reviewed.root, "rev-parse", "HEAD")
    context = commented(reviewed, "/modernize apply new.ipynb")
    posted = reviewed.post(reviewed.run(["new.ipynb"]), context=context)
    assert posted.notes[0].startswith("applied to work as ")
    assert reviewed.file("work", "new.ipynb") == repaired(broken("new"))
    assert reviewed.forge.git("rev-parse", "work^") == head
    assert [content for _, content in reviewed.forge.reactions] == ["rocket"]


def test_a_token_that_may_not_react_applies_all_the_same(reviewed: World) -> None:
    words = {"message": "Resource not accessible by integration"}
    reviewed.forge.refusals.append(Refusal("POST", "/reactions$", 403, words))
    posted = reviewed.post(reviewed.run(["new.ipynb"]), context=commented(reviewed, "/modernize apply new.ipynb"))
    assert posted.notes[0].startswith("applied to work as ")


@pytest.mark.parametrize("permission", ["read", "none"])
def test_people_without_write_access_are_refused(reviewed: World, permission: str) -> None:
    reviewed.forge.permissions["ada"] = permission
    with pytest.raises(UsageError, match="may not write"):
        authorised(reviewed.client, commented(reviewed, "/modernize apply new.ipynb"))


def test_a_command_does_not_hold_for_what_was_pushed_after_the_review(reviewed: World) -> None:
    reviewed.add({"new.ipynb": broken("evil")})
    with pytest.raises(UsageError, match="has moved since the last review"):
        authorised(reviewed.client, commented(reviewed, "/modernize apply new.ipynb"))


@pytest.mark.parametrize(("text", "said"), [("retry", "no review to answer"), ("apply", "no review to answer")])
def test_a_pull_request_without_a_review_says_so(world: World, text: str, said: str) -> None:
    world.pull({"fine.ipynb": broken("x")})
    world.forge.permissions["ada"] = "write"
    with pytest.raises(UsageError, match=said):
        authorised(world.client, commented(world, f"/modernize {text} fine.ipynb"))


@pytest.mark.parametrize("action", ["edited", "deleted"])
def test_an_edited_comment_is_no_command(reviewed: World, action: str) -> None:
    context = commented(reviewed, "/modernize apply new.ipynb")
    changed = replace(context, payload={**context.payload, "action": action})
    assert authorised(reviewed.client, changed) is None
    assert reviewed.post(reviewed.run(["new.ipynb"]), context=changed).notes == ("the comment asks for nothing",)


def test_a_push_while_the_repair_is_applied_wins(reviewed: World) -> None:
    checked = reviewed.run(["new.ipynb"])
    reviewed.forge.hooks["git/create-commit"] = lambda: reviewed.push("work", "late.txt", b"x") and None
    with pytest.raises(GitHubError, match="somebody else pushed"):
        reviewed.post(checked, context=commented(reviewed, "/modernize apply new.ipynb"))
    assert reviewed.file("work", "late.txt") == b"x"


def test_the_branch_of_a_fork_is_not_written(reviewed: World) -> None:
    reviewed.forge.pulls[0]["head"]["repo"] = {**reviewed.forge.pulls[0]["head"]["repo"], "full_name": "mallory/notebooks"}
    with pytest.raises(UsageError, match="in a fork"):
        reviewed.post(reviewed.run(["new.ipynb"]), context=commented(reviewed, "/modernize apply new.ipynb"))


def test_an_unknown_notebook_has_no_repair_to_apply(reviewed: World) -> None:
    with pytest.raises(UsageError, match="no proven repair"):
        reviewed.post(reviewed.run(["new.ipynb"]), context=commented(reviewed, "/modernize apply other.ipynb"))
    assert [content for _, content in reviewed.forge.reactions] == ["confused"]


def test_an_ignored_notebook_is_suggested_no_more_until_it_is_retried(reviewed: World) -> None:
    command = authorised(reviewed.client, commented(reviewed, "/modernize ignore new.ipynb"))
    assert command is not None
    assert ignore(reviewed.client, command)
    reviewed.add({"new.ipynb": broken("changed").replace(b"print(", b"print(1, ")})
    reviewed.review(reviewed.run(["new.ipynb"]))
    assert len(reviewed.forge.reviews) == 1
    again = authorised(reviewed.client, commented(reviewed, "/modernize retry new.ipynb"))
    assert again is not None
    assert retry(reviewed.client, again)
    reviewed.post(reviewed.run(["new.ipynb"]), context=commented(reviewed, "/modernize retry new.ipynb"))
    assert len(reviewed.forge.reviews) == 2


def test_comments_on_issues_and_other_events_are_nothing(reviewed: World) -> None:
    assert authorised(reviewed.client, commented(reviewed, "/modernize apply new.ipynb", on_pull=False)) is None
    assert authorised(reviewed.client, commented(reviewed, "nice")) is None
    context = Context(REPOSITORY, "schedule", "main", "main")
    assert authorised(reviewed.client, context) is None
