from __future__ import annotations

import json
import re
import shlex

import pytest
from forge import REPOSITORY, Refusal
from hosted import OLD, World, broken, git, notebook, repaired
from hypothesis import given, settings
from hypothesis import strategies as st

from modernizer.github.explain import GitHubError
from modernizer.github.suggestions import Suggestion, apply, suggest

LONG = [f"x{index} = {index}" for index in range(30)]


def taken(world: World, name: str) -> bytes:
    """Apply every suggestion block of the last review to a file, as a person presses the buttons."""
    made = []
    for comment in world.forge.reviews[-1]["comments"]:
        lines = comment["body"].split("```suggestion\n")[1].split("\n```")[0].split("\n")
        made.append(Suggestion(comment["path"], comment.get("start_line", comment["line"]), comment["line"], tuple(lines)))
    return apply((world.root / name).read_bytes(), [item for item in made if item.path == name])


def test_a_repair_inside_the_diff_becomes_suggestions_that_apply_to_the_repaired_notebook(world: World) -> None:
    world.pull({"new.ipynb": broken("new")})
    posted = world.review(world.run(["new.ipynb"]))
    assert "review: 1 suggestions, comment written" in posted.notes
    (review,) = world.forge.reviews
    assert review["event"] == "COMMENT"
    assert review["commit_id"] == git(world.root, "rev-parse", "HEAD")
    assert taken(world, "new.ipynb") == repaired(broken("new"))
    (comment,) = world.forge.comments
    assert "| `new.ipynb` | broken | ran |" in comment["body"]
    assert "<summary><code>new.ipynb</code>: broken → ran, suggested in the diff</summary>" in comment["body"]
    assert "gh run download" not in comment["body"]


def test_a_repair_outside_of_the_diff_is_a_folded_cell_diff(world: World) -> None:
    world.commit({"old.ipynb": notebook(OLD, *LONG, "print('accuracy: 0.5')")})
    world.pull({"old.ipynb": notebook(OLD, *LONG, "print('accuracy: 0.50')")})
    world.review(world.run(["old.ipynb"]))
    assert world.forge.reviews == []
    body = world.forge.comments[0]["body"]
    assert "<details><summary>The changed lines</summary>" in body
    assert "+value = float(1)" in body
    assert "gh run download 7 --repo github.example/octo-org/notebooks --name notebooks --dir /tmp/notebooks-7\n" in body
    (command,) = re.findall("^git apply .*$", body, re.MULTILINE)
    git(world.root, *(part.replace("/tmp/notebooks-7", str(world.out)) for part in shlex.split(command)[1:]))  # noqa: S108
    assert (world.root / "old.ipynb").read_bytes() == repaired(notebook(OLD, *LONG, "print('accuracy: 0.50')"))


def test_the_next_push_edits_the_comment_and_repeats_no_suggestion(world: World) -> None:
    world.pull({"new.ipynb": broken("new")})
    world.review(world.run(["new.ipynb"]))
    head = world.add({"other.txt": b"x\n"})
    world.review(world.run(["new.ipynb"]))
    assert len(world.forge.reviews) == 1
    (comment,) = world.forge.comments
    assert head[:12] in comment["body"]
    world.add({"new.ipynb": broken("changed").replace(b"value =", b"price =")})
    checked = world.run(["new.ipynb"])
    assert checked.proposals == ()
    world.add({"new.ipynb": repaired(broken("new"))})
    world.review(world.run(["new.ipynb"]))
    assert "| `new.ipynb` | ran |" in world.forge.comments[0]["body"]
    assert len(world.forge.comments) == 1


def test_a_review_has_no_more_suggestions_than_people_read(world: World) -> None:
    names = [f"{index:02}.ipynb" for index in range(52)]
    world.pull({name: broken(name) for name in names})
    world.review(world.run(names))
    assert len(world.forge.reviews[0]["comments"]) == 50
    body = world.forge.comments[0]["body"]
    assert re.findall(r"patches/(\S+)\.patch", body) == names[50:]


def test_where_all_is_well_there_is_no_comment(world: World) -> None:
    world.pull({"fine.ipynb": notebook("print(1)")})
    posted = world.review(world.run(["fine.ipynb"]))
    assert world.forge.comments == []
    assert any("so there is no comment" in note for note in posted.notes)


def test_a_comment_of_a_stranger_with_our_mark_is_not_taken_for_ours(world: World) -> None:
    number = world.pull({"new.ipynb": broken("new")})
    world.review(world.run(["new.ipynb"]))
    (ours,) = world.forge.comments
    stranger = {**ours, "id": 99, "user": {**ours["user"], "login": "mallory", "type": "User"}, "on": number}
    world.forge.comments.insert(0, stranger)
    before = dict(stranger)
    world.add({"other.txt": b"x\n"})
    world.review(world.run(["new.ipynb"]))
    assert world.forge.comments[0] == before
    assert world.forge.comments[1]["id"] == ours["id"]


def test_comments_of_people_who_left_github_are_read(world: World) -> None:
    number = world.pull({"new.ipynb": broken("new")})
    world.review(world.run(["new.ipynb"]))
    world.forge.comments.insert(0, {**world.forge.comments[0], "id": 99, "user": None, "on": number})
    world.add({"other.txt": b"x\n"})
    world.review(world.run(["new.ipynb"]))
    assert len(world.forge.comments) == 2


def test_a_fork_without_rights_is_no_error(world: World) -> None:
    world.pull({"new.ipynb": broken("new")})
    words = {"message": "Resource not accessible by integration"}
    world.forge.refusals.append(Refusal("POST", "/(reviews|comments)$", 403, words))
    posted = world.review(world.run(["new.ipynb"]), fork="mallory/notebooks")
    assert any("may not comment" in note for note in posted.notes)
    with pytest.raises(GitHubError, match="lacks the permission"):
        world.review(world.run(["new.ipynb"]))


def test_suggestions_that_github_does_not_take_are_shown_as_a_diff(world: World) -> None:
    world.pull({"new.ipynb": broken("new")})
    world.forge.refusals.append(Refusal("POST", "/reviews$", 422, {"message": "Validation Failed"}))
    world.review(world.run(["new.ipynb"]))
    body = world.forge.comments[0]["body"]
    assert "GitHub did not take the suggestions" in body
    assert "suggested in the diff" not in body


def test_results_of_the_merge_with_the_base_get_no_suggestions(world: World) -> None:
    world.pull({"new.ipynb": broken("new")})
    pull = {"number": 1, "head": {"sha": "1" * 40, "repo": {"full_name": REPOSITORY}}, "base": {"sha": "2" * 40}}
    context = world.event("pull_request", pull_request=pull)
    world.post(world.run(["new.ipynb"]), context=context)
    assert world.forge.reviews == []
    assert len(world.forge.comments) == 1


_LINES = st.lists(st.sampled_from(["a = 1", "b = '`` ```'", 'c = "ä"', "np.float", "", "@x #1"]), min_size=1, max_size=8)


@settings(max_examples=60)
@given(before=_LINES, after=_LINES)
def test_suggestions_apply_to_exactly_the_change_and_each_alone_leaves_a_notebook(before: list[str], after: list[str]) -> None:
    old, new = notebook(*before), notebook(*after)
    shown = "@@ -0,0 +1," + str(old.count(b"\n")) + " @@\n" + "".join(f"+{line}\n" for line in old.decode().splitlines())
    made = suggest({"n.ipynb": (old, new)}, {"n.ipynb": shown.rstrip("\n")})
    if made is not None:
        assert apply(old, made) == new
        for item in made:
            json.loads(apply(old, [item]))


@pytest.mark.parametrize("data", [broken("x").replace(b"\n", b"\r\n"), broken("x").replace(b"x", b"\xff")])
def test_files_that_a_suggestion_would_damage_get_none(data: bytes) -> None:
    shown = "@@ -0,0 +1,40 @@\n" + "".join(f"+{index}\n" for index in range(40))
    assert suggest({"n.ipynb": (data, repaired(data))}, {"n.ipynb": shown.rstrip("\n")}) is None
