from __future__ import annotations

import itertools
import re
import time
from collections.abc import Mapping
from contextlib import suppress

import pytest
from forge import REPOSITORY, TOKEN, Forge, Raw, Refusal
from hosted import World, broken, notebook

from modernizer.config import PullRequest
from modernizer.errors import UsageError
from modernizer.github.client import Client
from modernizer.github.explain import GitHubError

BRANCH = "modernizer/repair"


def refuse(world: World, method: str, path: str, status: int, message: str, **more: object) -> None:
    headers = more.pop("headers", {})
    assert isinstance(headers, dict)
    world.forge.refusals.append(Refusal(method, path, status, {"message": message, **more}, headers))


@pytest.mark.parametrize(
    ("method", "path", "status", "message", "said", "remedy"),
    [
        (
            "POST",
            "/pulls$",
            403,
            "GitHub Actions is not permitted to create or approve pull requests.",
            "workflows may not create pull requests here",
            "Allow GitHub Actions to create and approve pull requests",
        ),
        (
            "POST",
            "/git/trees",
            403,
            "Resource not accessible by integration",
            "lacks the permission contents: write",
            "permissions:",
        ),
        (
            "POST",
            "/pulls$",
            403,
            "Resource not accessible by integration",
            "lacks the permission pull-requests: write",
            "permissions:",
        ),
        ("POST", "/git/refs", 422, "Repository rule violations found", "a rule protects the branch", "exempt"),
        ("POST", "/git/refs", 403, "Repository was archived so is read-only.", "the repository is archived", "switch"),
        ("GET", "/matching-refs", 404, "Not Found", "the token can't see it", "check the token"),
        ("POST", "/labels", 422, "Validation Failed", "Validation Failed", ""),
    ],
)
def test_a_refusal_says_what_is_wrong_and_what_to_do(
    world: World, *, method: str, path: str, status: int, message: str, said: str, remedy: str
) -> None:
    refuse(world, method, path, status, message)
    with pytest.raises(GitHubError) as raised:
        world.post()
    assert said in str(raised.value)
    assert remedy in raised.value.hint
    assert raised.value.status == status


def test_the_permission_that_github_names_is_told(world: World) -> None:
    headers = {"X-Accepted-GitHub-Permissions": "contents=write,workflows=write"}
    refuse(world, "POST", "/git/commits", 403, "Resource not accessible by personal access token", headers=headers)
    with pytest.raises(GitHubError, match="contents: write,workflows: write"):
        world.post()


def test_when_the_pull_request_can_t_be_opened_the_branch_is_named_with_the_address_to_open_it(world: World) -> None:
    refuse(world, "POST", "/pulls$", 403, "GitHub Actions is not permitted to create or approve pull requests.")
    with pytest.raises(GitHubError) as raised:
        world.post()
    assert "https://github.example/octo-org/notebooks/compare/main...modernizer/repair?expand=1" in raised.value.hint
    world.forge.refusals.clear()
    assert world.post().carried[0].action == "created"


def test_where_drafts_do_not_exist_the_pull_request_is_an_ordinary_one(world: World) -> None:
    message = "Validation Failed"
    errors = [{"message": "Draft pull requests are not supported in this repository."}]
    world.forge.refusals.append(Refusal("POST", "/pulls$", 422, {"message": message, "errors": errors}, times=1))
    posted = world.post()
    assert not world.forge.pulls[0]["draft"]
    assert "no drafts" in posted.carried[0].notes[0]


@pytest.mark.parametrize("status", [403, 429])
def test_a_secondary_rate_limit_is_waited_for_as_long_as_github_asks(world: World, status: int) -> None:
    words = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    world.forge.refusals.append(Refusal("POST", "/git/trees", status, {"message": words}, {"Retry-After": "1"}, times=1))
    began = time.monotonic()
    assert world.post().carried[0].action == "created"
    assert time.monotonic() - began >= 1


def test_a_rate_limit_that_stays_is_told(world: World) -> None:
    words = "You have exceeded a secondary rate limit."
    refuse(world, "POST", "/git/trees", 403, words, headers={"Retry-After": "0"})
    with pytest.raises(GitHubError, match="rate limit"):
        world.post()


def test_an_exhausted_hourly_limit_is_not_waited_for(world: World) -> None:
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(time.time()) + 3000)}
    refuse(world, "POST", "/git/trees", 403, "API rate limit exceeded for installation.", headers=headers)
    with pytest.raises(GitHubError, match="rate limit is used up"):
        world.post()


WRITES = ("/git/trees$", "/git/commits$", "/git/refs$", "/pulls$", "/pulls/1$", "/labels$", "/issues$", "/comments$", "/reviews$")


def lose(world: World, path: str, *, done: bool) -> list[str]:
    """Answer the first write to a path with an error of the server, before or after it was done; return what was lost."""
    real, lost = world.forge.answer, []

    def answer(method: str, asked: str, query: dict[str, str], body: object) -> tuple[int, object, Mapping[str, str]]:
        if method == "GET" or lost or not re.search(path, asked):
            return real(method, asked, query, body)
        lost.append(f"{method} {asked}")
        if done:
            real(method, asked, query, body)
        return 502, {"message": "Bad gateway"}, {}

    world.forge.answer = answer
    return lost


@pytest.mark.parametrize("done", [True, False])
@pytest.mark.parametrize("path", WRITES)
def test_an_error_of_the_server_leaves_nothing_out_and_makes_nothing_twice(world: World, path: str, *, done: bool) -> None:
    lost = lose(world, path, done=done)
    world.post(settings=PullRequest(dashboard=True))
    assert [len(world.forge.pulls), len(world.forge.issues)] == [1, 1]
    assert world.forge.pulls[0]["labels"]
    assert world.forge.git("rev-list", "--count", f"main..{BRANCH}") == "1"
    assert world.forge.head("modernizer-badge")
    world.commit({"a.ipynb": notebook("print(1)"), "sub/ö b.ipynb": notebook("print(2)")})
    assert world.post().carried[0].action == "withdrawn"
    assert len(world.forge.comments) == 1
    world.pull({"new.ipynb": broken("new")})
    world.review(world.run(["new.ipynb"]), number=world.forge.pulls[-1]["number"])
    assert [len(world.forge.reviews), len(world.forge.comments)] == [1, 2]
    assert len(lost) == 1


REFUSALS = (
    (401, "Bad credentials"),
    (403, "Resource not accessible by integration"),
    (404, "Not Found"),
    (422, "Validation Failed"),
    (500, "Server Error"),
)


@pytest.mark.parametrize("at", range(16))
def test_whichever_call_is_refused_is_told_and_the_next_publish_ends_right(world: World, at: int) -> None:
    real, count = world.forge.answer, itertools.count()
    status, message = REFUSALS[at % len(REFUSALS)]

    def answer(method: str, path: str, query: dict[str, str], body: object) -> tuple[int, object, Mapping[str, str]]:
        # Retries included: an error of the server comes three times.
        refused = at <= next(count) < at + (3 if status == 500 else 1)
        return (status, {"message": message}, {}) if refused else real(method, path, query, body)

    world.forge.answer = answer
    with suppress(GitHubError):
        world.post(settings=PullRequest(dashboard=True))
    world.forge.answer = real
    world.post(settings=PullRequest(dashboard=True))
    (pull,) = world.forge.pulls
    assert (pull["state"], pull["draft"]) == ("open", True)
    assert world.forge.git("diff", "--name-only", f"main...{BRANCH}").splitlines() == ["a.ipynb", "sub/ö b.ipynb"]
    assert world.forge.head("modernizer-badge")
    assert len(world.forge.issues) == 1
    assert f"#{pull['number']}" in world.forge.issues[0]["body"]


def test_an_answer_that_is_no_json_is_told(world: World) -> None:
    world.forge.answer = lambda *_: (200, Raw("<html>Sign in</html>"), {})
    with pytest.raises(GitHubError, match="not one of GitHub"):
        world.post()
    world.forge.answer = lambda *_: (200, Raw('[{"ref": '), {})
    with pytest.raises(GitHubError, match="not one of GitHub"):
        world.post()


def test_a_wrong_token_is_told(world: World) -> None:
    world.client = Client("ghp_other", REPOSITORY, api=world.forge.address, retries=0)
    with pytest.raises(GitHubError, match="the token is not valid"):
        world.post()


def test_no_answer_is_told_with_the_variable_to_check(world: World) -> None:
    world.client = Client(TOKEN, REPOSITORY, api="http://127.0.0.1:9/api/v3", retries=0)
    with pytest.raises(GitHubError, match="no answer") as raised:
        world.post()
    assert "GITHUB_API_URL" in raised.value.hint


@pytest.mark.parametrize(("token", "repository"), [("", REPOSITORY), ("x", "no-slash"), ("x", "a/b/c")])
def test_a_missing_token_or_repository_is_a_usage_error(token: str, repository: str) -> None:
    with pytest.raises(UsageError):
        Client(token, repository)


def test_a_dashboard_where_issues_are_off_says_so(world: World, forge: Forge) -> None:
    forge.refusals.append(Refusal("POST", "/issues$", 410, {"message": "Issues are disabled for this repo"}))
    world.commit({"c.ipynb": broken("c")})
    with pytest.raises(GitHubError, match="issues are switched off"):
        world.post(settings=PullRequest(dashboard=True))
