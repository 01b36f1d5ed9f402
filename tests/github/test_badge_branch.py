from __future__ import annotations

import json

import pytest
from forge import REPOSITORY, Refusal
from hosted import World, broken, notebook

from modernizer.config import PullRequest
from modernizer.github.badge_branch import snippet
from modernizer.github.context import Context
from modernizer.github.explain import GitHubError

BRANCH = "modernizer-badge"


def test_the_badge_lies_on_an_orphan_branch_with_its_history(world: World) -> None:
    posted = world.post()
    assert posted.badge
    assert world.forge.git("rev-list", "--count", BRANCH) == "1"
    names = world.forge.git("ls-tree", "--name-only", BRANCH).splitlines()
    assert names == ["badge.json", "badge.svg", "history.jsonl", "packages.json"]
    shown = json.loads(world.file(BRANCH, "badge.json"))
    assert shown == {"schemaVersion": 1, "label": "notebooks", "message": "1/3 run, 2026-12-01", "color": "red"}
    assert b"1/3 run, 2026-12-01" in world.file(BRANCH, "badge.svg")


def test_the_next_run_adds_a_line_to_the_history(world: World) -> None:
    world.post()
    world.commit({"a.ipynb": notebook("print(1)"), "sub/ö b.ipynb": notebook("print(2)")})
    world.post()
    lines = [json.loads(line) for line in world.file(BRANCH, "history.jsonl").splitlines()]
    assert [line["good"] for line in lines] == [1, 3]
    assert [line["repairable"] for line in lines] == [2, 0]
    assert json.loads(world.file(BRANCH, "badge.json"))["color"] == "green"
    assert world.forge.git("rev-list", "--count", BRANCH) == "2"


def test_the_same_run_is_written_once(world: World) -> None:
    checked = world.run()
    assert world.post(checked).badge
    assert not world.post(checked).badge


def test_no_other_branch_than_the_default_one_writes_the_badge(world: World) -> None:
    world.forge.git("branch", "old", "main")
    posted = world.post(branch="old")
    assert not posted.badge
    assert world.forge.head(BRANCH) == ""
    assert world.forge.pulls[0]["head"]["ref"].startswith("modernizer/repair-on-old-")


def test_the_pull_request_tells_which_packages_changed_since_the_run_before(world: World) -> None:
    world.post(world.run(numpy="2.5.4"))
    world.commit({"c.ipynb": broken("c")})
    world.post(world.run(numpy="2.5.5"))
    assert "| `numpy` | 2.5.4 | 2.5.5 |" in world.forge.pulls[0]["body"]


def test_the_first_time_the_line_for_the_readme_is_told(world: World) -> None:
    posted = world.post()
    context = Context(REPOSITORY, "schedule", "main", "main", server="https://github.example")
    line = "[![notebooks](https://github.example/octo-org/notebooks/raw/modernizer-badge/badge.svg)]"
    assert snippet(context).startswith(line)
    assert any(line in note for note in posted.notes)


def test_a_badge_that_another_run_writes_at_the_same_time_is_left_to_it(world: World) -> None:
    world.post()
    world.commit({"a.ipynb": notebook("print(1)")})
    other = world.forge.git("commit-tree", f"{BRANCH}^{{tree}}", "-p", BRANCH, "-m", "other")

    def overtake() -> None:
        world.forge.hooks["git/create-commit"] = lambda: world.forge.git("update-ref", f"refs/heads/{BRANCH}", other) and None

    world.forge.hooks["git/create-commit"] = overtake
    posted = world.post()
    assert any("another run at the same time" in note for note in posted.notes)
    assert world.forge.head(BRANCH) == other


def test_a_refused_pull_request_keeps_neither_badge_nor_dashboard(world: World) -> None:
    words = {"message": "GitHub Actions is not permitted to create or approve pull requests."}
    world.forge.refusals.append(Refusal("POST", "/pulls$", 403, words))
    with pytest.raises(GitHubError, match="may not create pull requests"):
        world.post(settings=PullRequest(dashboard=True))
    assert world.forge.head(BRANCH)
    assert len(world.forge.issues) == 1
