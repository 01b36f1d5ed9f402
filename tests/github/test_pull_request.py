from __future__ import annotations

import re
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from forge import REPOSITORY, TOKEN
from hosted import NEW, OLD, World, broken, git, notebook, repaired

from modernizer.config import PullRequest
from modernizer.github.client import Client
from modernizer.github.context import Context
from modernizer.github.explain import GitHubError, OvertakenError
from modernizer.github.marker import read_marker
from modernizer.github.publish import post
from modernizer.report.results import NotebookResult
from modernizer.verdict.outcome import Outcome

BRANCH = "modernizer/repair"


def test_repairs_become_one_draft_with_labels_whose_commit_changes_only_the_repaired_lines(world: World) -> None:
    posted = world.post()
    (pull,) = world.forge.pulls
    assert posted.pull_request is not None
    assert (posted.pull_request.action, posted.pull_request.number) == ("created", 1)
    assert pull["draft"]
    assert pull["title"] == "Repair 2 notebooks for today's packages"
    assert [label["name"] for label in pull["labels"]] == ["notebooks"]
    diff = world.forge.git("diff", "-U0", "main", BRANCH)
    changed = [line for line in diff.splitlines() if re.match(r"[+-][^+-]", line)]
    assert len(changed) == 4
    assert world.file(BRANCH, "sub/ö b.ipynb") == repaired(broken("b"))
    assert world.forge.git("rev-parse", f"{BRANCH}^") == world.forge.head("main")


def test_the_same_run_again_writes_nothing(world: World) -> None:
    world.post()
    head = world.forge.head(BRANCH)
    world.forge.log.clear()
    posted = world.post()
    assert posted.carried[0].action == "unchanged"
    assert world.forge.head(BRANCH) == head
    assert [line for line in world.forge.log if not line.startswith("GET")] == []


def test_a_later_run_updates_the_pull_request_and_its_branch_in_place(world: World) -> None:
    world.post()
    first = world.forge.head(BRANCH)
    world.commit({"c.ipynb": broken("c")})
    posted = world.post()
    (pull,) = world.forge.pulls
    assert posted.carried[0].action == "updated"
    assert pull["title"] == "Repair 3 notebooks for today's packages"
    assert "c.ipynb" in pull["body"]
    assert world.file(BRANCH, "c.ipynb") == repaired(broken("c"))
    assert world.forge.git("merge-base", first, world.forge.head(BRANCH)) == first
    assert world.forge.git("diff", "--name-only", f"main...{BRANCH}").splitlines() == ["a.ipynb", "c.ipynb", "sub/ö b.ipynb"]


def test_a_title_that_a_person_wrote_stays(world: World) -> None:
    world.post()
    world.forge.pulls[0]["title"] = "Spring cleaning"
    world.commit({"c.ipynb": broken("c")})
    world.post()
    assert world.forge.pulls[0]["title"] == "Spring cleaning"


@pytest.mark.parametrize("how", ["commit", "amend"])
def test_a_branch_that_a_person_pushed_to_is_never_written_again(world: World, how: str) -> None:
    world.post()
    if how == "commit":
        mine = world.push(BRANCH, "notes.txt", b"mine\n")
    else:
        git(world.root, "fetch", "-q", "origin")
        git(world.root, "checkout", "-q", "-b", "work", f"origin/{BRANCH}")
        (world.root / "a.ipynb").write_bytes(notebook("print(2)"))
        git(world.root, "commit", "-q", "--amend", "--no-edit", "-a")
        git(world.root, "push", "-q", "-f", "origin", f"HEAD:{BRANCH}")
        mine = git(world.root, "rev-parse", "HEAD")
        git(world.root, "checkout", "-q", "-")
    world.commit({"c.ipynb": broken("c")})
    posted = world.post()
    assert posted.carried[0].action == "left-alone"
    assert "somebody else committed to modernizer/repair" in posted.carried[0].notes[0]
    assert world.forge.head(BRANCH) == mine


def test_a_push_between_looking_and_writing_wins(world: World) -> None:
    world.post()
    world.commit({"c.ipynb": broken("c")})
    world.forge.hooks["git/create-commit"] = lambda: world.push(BRANCH, "notes.txt", b"mine\n") and None
    with pytest.raises(GitHubError, match="somebody else pushed to it at the same time"):
        world.post()
    assert world.file(BRANCH, "notes.txt") == b"mine\n"


def test_a_change_whose_pull_request_was_closed_is_not_proposed_again(world: World) -> None:
    world.post()
    world.forge.pulls[0]["state"] = "closed"
    posted = world.post()
    assert posted.carried[0].action == "none"
    assert "pull request 1 with this change was closed" in posted.carried[0].notes[0]
    assert len(world.forge.pulls) == 1
    world.commit({"c.ipynb": broken("c")})
    assert world.post().carried[0].action == "created"
    assert world.forge.git("diff", "--name-only", f"main...{BRANCH}").splitlines() == ["c.ipynb"]


def test_the_pull_request_is_closed_when_the_notebooks_hold_without_it_and_may_come_back(world: World) -> None:
    world.post()
    world.commit({"a.ipynb": notebook("print(1)"), "sub/ö b.ipynb": notebook("print(2)")})
    posted = world.post()
    assert posted.carried[0].action == "withdrawn"
    assert world.forge.pulls[0]["state"] == "closed"
    assert "hold without it" in world.forge.comments[0]["body"]
    assert world.forge.head(BRANCH) == ""
    world.commit({"a.ipynb": broken("a"), "sub/ö b.ipynb": broken("b")})
    assert world.post().carried[0].action == "created"


def test_a_repair_that_was_merged_starts_the_next_one_from_the_base(world: World) -> None:
    world.post()
    world.merge(1)
    assert world.post().carried[0].action == "none"
    world.commit({"c.ipynb": broken("c")})
    posted = world.post()
    assert (posted.carried[0].action, posted.carried[0].number) == ("created", 2)
    assert world.forge.git("rev-list", "--count", f"main..{BRANCH}") == "1"


def test_a_run_of_some_notebooks_leaves_the_pull_request_of_others_as_it_is(world: World) -> None:
    world.post()
    head = world.forge.head(BRANCH)
    posted = world.post(world.run(["a.ipynb"]))
    assert "left out 1 of the pull request's notebooks" in posted.carried[0].notes[0]
    assert world.forge.head(BRANCH) == head


def test_a_pull_request_whose_notebooks_are_broken_without_a_repair_stays_open(world: World) -> None:
    world.post()
    hopeless = [NotebookResult(name, "e1", None, Outcome("broken")) for name in ("a.ipynb", "sub/ö b.ipynb")]
    posted = world.post(world.run(results=hopeless))
    assert posted.carried[0].action == "left-alone"
    assert world.forge.pulls[0]["state"] == "open"


def test_one_pull_request_for_each_notebook_when_asked(world: World) -> None:
    posted = world.post(settings=PullRequest(split="per-notebook", draft=False))
    assert [item.action for item in posted.carried] == ["created", "created"]
    names = [pull["head"]["ref"] for pull in world.forge.pulls]
    assert all(re.fullmatch(r"modernizer/notebook-[a-z0-9-]+", name) for name in names)
    assert not any(pull["draft"] for pull in world.forge.pulls)
    world.commit({"a.ipynb": notebook("print(1)")})
    again = world.post(settings=PullRequest(split="per-notebook"))
    assert sorted(item.action for item in again.carried) == ["unchanged", "withdrawn"]


def test_a_notebook_that_changed_on_the_branch_since_the_run_is_left_to_the_next_run(world: World) -> None:
    checked = world.run()
    world.push("main", "a.ipynb", notebook("print(3)"))
    posted = world.post(checked)
    assert "a.ipynb: changed on main since the run" in posted.notes[0]
    assert world.forge.git("diff", "--name-only", f"main...{BRANCH}").splitlines() == ["sub/ö b.ipynb"]


def test_a_branch_whose_history_was_rewritten_stops_the_publish(world: World) -> None:
    checked = world.run()
    git(world.root, "commit", "-q", "--amend", "-m", "other")
    git(world.root, "push", "-q", "-f", "origin", "HEAD:main")
    git(world.root, "reset", "-q", "--hard", checked.run.commit)
    with pytest.raises(GitHubError, match="moved away from the commit that was run"):
        world.post(checked)
    assert world.forge.head(BRANCH) == ""


def test_a_run_of_another_commit_than_the_branch_holds_says_nothing_of_it_even_without_repairs(world: World) -> None:
    git(world.root, "checkout", "-q", "-b", "fork")
    git(world.root, "rm", "-q", "-r", ".")
    (world.root / "fine.ipynb").write_bytes(notebook("print(1)"))
    git(world.root, "add", "-A")
    git(world.root, "commit", "-q", "-m", "elsewhere")
    with pytest.raises(GitHubError, match="moved away from the commit that was run"):
        world.post(settings=PullRequest(dashboard=True))
    assert world.forge.head("modernizer-badge") == ""
    assert world.forge.issues == []


@pytest.mark.parametrize("settings", [PullRequest(), PullRequest(split="per-notebook")])
def test_two_publishes_at_once_make_one_pull_request_and_one_badge(world: World, settings: PullRequest) -> None:
    checked = world.run()
    both = threading.Barrier(2)

    def publish(run_id: str) -> str:
        client = Client(TOKEN, REPOSITORY, api=world.forge.address, retries=0, pause=0)
        context = Context(REPOSITORY, "schedule", "main", "main", run_id=run_id)
        both.wait()
        try:
            post(client, context, checked, world.root, settings)
        except OvertakenError:
            return "overtaken"
        return "done"

    with ThreadPoolExecutor(2) as pool:
        ended = list(pool.map(publish, ("7", "8")))
    assert "done" in ended or settings.split == "per-notebook"
    heads = [pull["head"]["ref"] for pull in world.forge.pulls]
    assert len(heads) == len(set(heads)) == (1 if settings.split == "one" else 2)
    assert all(world.forge.git("rev-list", "--count", f"main..{head}") == "1" for head in heads)
    assert world.forge.git("rev-list", "--count", "modernizer-badge") in {"1", "2"}
    assert {item.action for item in world.post(checked, settings).carried} == {"unchanged"}


def test_a_base_branch_that_was_deleted_stops_the_publish(world: World) -> None:
    checked = world.run()
    world.forge.git("update-ref", "-d", "refs/heads/main")
    with pytest.raises(GitHubError, match="moved away"):
        world.post(checked)
    assert world.forge.pulls == []


def test_a_branch_that_is_deleted_while_it_is_written_is_told(world: World) -> None:
    world.post()
    world.commit({"c.ipynb": broken("c")})
    world.forge.hooks["git/create-commit"] = lambda: world.forge.git("update-ref", "-d", f"refs/heads/{BRANCH}") and None
    with pytest.raises(GitHubError, match="or deleted it"):
        world.post()


def test_a_branch_that_a_person_deleted_declines_nothing_that_was_merged_and_is_made_again(world: World) -> None:
    world.post()
    world.merge(1)
    world.forge.git("update-ref", "-d", f"refs/heads/{BRANCH}")
    world.commit({"c.ipynb": broken("c")})
    assert world.post().carried[0].action == "created"


def test_nothing_is_written_for_a_run_on_no_branch(world: World) -> None:
    assert "no branch" in world.post(branch="").notes[0]
    assert world.forge.log == []


def test_the_body_says_that_checks_will_not_start_only_when_the_default_token_made_it(world: World) -> None:
    world.post()
    assert "start no workflows" in world.forge.pulls[0]["body"]
    world.forge.pulls.clear()
    world.forge.user = "modernizer-app[bot]"
    world.forge.git("update-ref", "-d", f"refs/heads/{BRANCH}")
    world.post()
    assert "start no workflows" not in world.forge.pulls[0]["body"]


def test_the_files_keep_bytes_and_modes(world: World) -> None:
    large = broken("big").replace(b"accuracy: 0.5", b"accuracy: 0.5 " + b"x" * 250_000)
    windows = broken("windows").replace(b"\n", b"\r\n")
    world.commit({"large.ipynb": large, "windows.ipynb": windows, "run.ipynb": broken("run")})
    (world.root / "run.ipynb").chmod(0o755)
    world.commit({})
    world.post()
    assert world.file(BRANCH, "large.ipynb") == repaired(large)
    assert world.file(BRANCH, "windows.ipynb") == repaired(windows)
    assert world.forge.git("ls-tree", BRANCH, "run.ipynb").startswith("100755")
    assert NEW.encode() in world.file(BRANCH, "run.ipynb")


HOSTILE_NAMES = (
    "what is it?.ipynb",
    'say "hi".ipynb',
    "it's.ipynb",
    "a\nb.ipynb",
    "::set-output name=x::y.ipynb",
    "$(touch x)`touch x`.ipynb",
    "-rf.ipynb",
    "<b> @octocat #1.ipynb",
    "tab\tand space .ipynb",
    "übung ☃ 数据.ipynb",
    "deep/er/:/n.ipynb",
    f"{'long' * 60}.ipynb",
)


@pytest.mark.parametrize("settings", [PullRequest(), PullRequest(split="per-notebook"), PullRequest(outputs=True)])
def test_notebooks_of_any_name_are_repaired_and_the_second_run_changes_nothing(world: World, settings: PullRequest) -> None:
    world.commit({name: broken(f"n{index}") for index, name in enumerate(HOSTILE_NAMES)})
    world.post(world.run(HOSTILE_NAMES), settings)
    heads = {pull["head"]["ref"] for pull in world.forge.pulls}
    repaired_files = {}
    for index, name in enumerate(HOSTILE_NAMES):
        repaired_files[name] = repaired(broken(f"n{index}"))
    found = {name: data for head in heads for name, data in changed_files(world, head).items()}
    assert found == repaired_files
    for pull in world.forge.pulls:
        for text in (pull["title"], world.forge.git("log", "-1", "--format=%s", pull["head"]["ref"])):
            assert "\n" not in text
            assert not re.search(r"@\w|#\w", text)
    posted = world.post(world.run(HOSTILE_NAMES), settings)
    assert {item.action for item in posted.carried} == {"unchanged"}


def changed_files(world: World, branch: str) -> dict[str, bytes]:
    """Return the files that a branch changes, with their content."""
    names = [name for name in world.forge.git("diff", "-z", "--name-only", f"main...{branch}").split("\0") if name]
    return {name: world.file(branch, name) for name in names}


def test_a_publish_of_a_hundred_notebooks_takes_few_calls(world: World) -> None:
    world.commit({f"n/{index}.ipynb": broken(str(index)) for index in range(100)})
    assert world.post().calls == 12
    assert world.post().calls == 7
    body = world.forge.pulls[0]["body"]
    assert len(body) < 65_536
    marker = read_marker(body)
    assert marker is not None
    assert len(marker.fingerprints) == 102
    assert "sections do not fit" in body


@pytest.mark.parametrize(("code", "taken"), [(NEW, True), ("value = 'evil'", False)])
def test_executed_outputs_come_along_only_when_asked_and_only_over_the_very_same_code(
    world: World, code: str, *, taken: bool
) -> None:
    checked = world.run(["a.ipynb"])
    executed = broken("a").replace(OLD.encode(), code.encode()).replace(b"accuracy: 0.5\\n", b"accuracy: 0.75\\n")
    place = world.out / "notebooks" / "a.ipynb"
    place.parent.mkdir()
    place.write_bytes(executed)
    world.post(checked, PullRequest(outputs=True))
    assert world.file(BRANCH, "a.ipynb") == (executed if taken else repaired(broken("a")))
    world.forge.pulls.clear()
    world.post(checked)
    assert world.file(BRANCH, "a.ipynb") == repaired(broken("a"))
