"""The one place that talks to GitHub: PyGithub's requester with retries, limits of waiting, and refusals explained."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

import requests
from github import Auth, Github, GithubException
from github.GithubRetry import GithubRetry
from github.Requester import Requester

from modernizer.errors import UsageError
from modernizer.github.explain import GitHubError, explain

DEFAULT_API = "https://api.github.com"
# The longest that a job waits for a rate limit to end; GitHub asks for a minute after a secondary one.
MAX_WAIT = 300.0
_PAGE = 100
_MOST_PAGES = 20
_LIMITED = 429
_RETRIED = (_LIMITED, *range(500, 600))
_LONGEST_PAUSE = 60.0


class _Retry(GithubRetry):
    """Waits as long as GitHub asks for, but no longer than a job can."""

    def parse_retry_after(self, retry_after: str) -> float:
        """Return the seconds of a Retry-After header, within the limit."""
        return min(super().parse_retry_after(retry_after), MAX_WAIT)


class Client:
    """Calls on one repository. ``calls`` counts them; nothing but this class knows the token."""

    def __init__(
        self,
        token: str,
        repository: str,
        *,
        api: str = DEFAULT_API,
        retries: int = 5,
        backoff: float = 1.0,
        pause: float = 0.2,
    ) -> None:
        """Connect to ``repository``, as owner/name; ``pause`` is the least number of seconds between two writes."""
        owner, slash, name = repository.partition("/")
        if not token:
            raise UsageError("publishing on GitHub needs a token", where="input token", hint="token: ${{ github.token }}")
        if not (owner and slash and name) or "/" in name:
            raise UsageError(f"{repository!r} is no repository", where="GITHUB_REPOSITORY", hint="expected owner/name")
        self.owner, self.repository = owner, repository
        self.calls = 0
        self._root = f"/repos/{quote(owner)}/{quote(name)}"
        self._retries, self._backoff = retries, backoff

        def requester(**policy: Any) -> Requester:  # noqa: ANN401 - options of urllib3
            retry = _Retry(
                total=retries,
                backoff_factor=backoff,
                backoff_max=_LONGEST_PAUSE,
                allowed_methods={"GET", "POST", "PATCH", "PUT", "DELETE"},
                respect_retry_after_header=True,
                max_rate_limit_wait=MAX_WAIT,
                **policy,
            )
            github = Github(
                auth=Auth.Token(token),
                base_url=api.rstrip("/"),
                retry=retry,
                timeout=30,
                seconds_between_requests=0,
                seconds_between_writes=pause,
                user_agent="notebook-modernizer",
            )
            return github.requester

        self._requester = requester(status_forcelist=list(_RETRIED))
        # What was refused for a rate limit was not done; what ended in an error of the server may have been.
        self._careful = requester(status_forcelist=[_LIMITED], read=0)

    def get(self, path: str, *, doing: str, needs: str, **parameters: str | int) -> Any:  # noqa: ANN401 - JSON
        """Read one thing below the repository."""
        return self._call("GET", path, doing=doing, needs=needs, parameters=parameters)

    def find(self, path: str, *, doing: str, needs: str, **parameters: str | int) -> Any | None:  # noqa: ANN401 - JSON
        """Read one thing, or return None when it is not there."""
        try:
            return self.get(path, doing=doing, needs=needs, **parameters)
        except GitHubError as error:
            if error.status == requests.codes.not_found:
                return None
            raise

    def pages(self, path: str, *, doing: str, needs: str, **parameters: str | int) -> Iterator[Any]:
        """Read a list page by page, a hundred a page and no further than the caller goes."""
        for page in range(1, _MOST_PAGES + 1):
            items = self.get(path, doing=doing, needs=needs, per_page=_PAGE, page=page, **parameters)
            yield from items
            if len(items) < _PAGE:
                return

    def post(self, path: str, body: Mapping[str, Any], *, doing: str, needs: str) -> Any:  # noqa: ANN401 - JSON
        """Create something."""
        return self._call("POST", path, doing=doing, needs=needs, body=body)

    def create(self, path: str, body: Mapping[str, Any], *, doing: str, needs: str, made: Callable[[], Any | None]) -> Any:  # noqa: ANN401 - JSON
        """Create something that nobody wants twice; after a lost answer ``made`` looks whether it is there."""
        attempt = 0
        while True:
            try:
                return self._call("POST", path, doing=doing, needs=needs, body=body, careful=True)
            except GitHubError as error:
                if not error.lost or attempt == self._retries:
                    raise
            attempt += 1
            time.sleep(min(self._backoff * 2**attempt, _LONGEST_PAUSE))
            found = made()
            if found is not None:
                return found

    def patch(self, path: str, body: Mapping[str, Any], *, doing: str, needs: str) -> Any:  # noqa: ANN401 - JSON
        """Change something."""
        return self._call("PATCH", path, doing=doing, needs=needs, body=body)

    def delete(self, path: str, *, doing: str, needs: str) -> None:
        """Remove something."""
        self._call("DELETE", path, doing=doing, needs=needs)

    def _call(
        self,
        verb: str,
        path: str,
        *,
        doing: str,
        needs: str,
        body: Mapping[str, Any] | None = None,
        parameters: Mapping[str, str | int] | None = None,
        careful: bool = False,
    ) -> Any:  # noqa: ANN401 - JSON
        self.calls += 1
        try:
            _, data = (self._careful if careful else self._requester).requestJsonAndCheck(
                verb,
                f"{self._root}{path}",
                parameters=dict(parameters) if parameters else None,
                input=None if body is None else dict(body),
            )
        except GithubException as error:
            raise explain(error.status, error.data, error.headers or {}, doing, needs) from None
        except requests.exceptions.RetryError:
            raise GitHubError(
                f"can't {doing}: errors or a rate limit, again and again",
                status=_LIMITED,
                where="GitHub",
                hint="run the job again later",
            ) from None
        except ValueError:
            data = {"data": ""}
        except requests.exceptions.RequestException as error:
            raise GitHubError(
                f"can't {doing}: no answer ({type(error).__name__})",
                status=0,
                where="GitHub",
                hint="check GITHUB_API_URL and the network",
            ) from None
        # PyGithub's way to hand on a text that is no JSON.
        if isinstance(data, dict) and data.keys() - {"url"} == {"data"}:
            raise GitHubError(
                f"can't {doing}: the answer is not one of GitHub",
                status=0,
                where="GitHub",
                hint="check GITHUB_API_URL and proxies on the way",
            )
        return data
