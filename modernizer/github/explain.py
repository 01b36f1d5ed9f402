"""Turns GitHub's refusals into what is wrong, and what a maintainer can do about it."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from modernizer.errors import ModernizerError
from modernizer.report.text import one_line

# GitHub's own words, what they mean, and the remedy.
_SAID = (
    (
        ("not permitted to create or approve pull requests",),
        "workflows may not create pull requests here",
        "tick 'Allow GitHub Actions to create and approve pull requests' in Settings > Actions > General, or use a GitHub App",
    ),
    (
        ("protected branch", "rule violation", "cannot force-push", "cannot create ref", "push declined"),
        "a rule protects the branch",
        "exempt branches that start with modernizer from the rule, or let the token's owner bypass it",
    ),
    (("archived",), "the repository is archived", "switch the workflow off"),
    (("issues are disabled", "issues has been disabled"), "issues are switched off here", "switch them on, or the dashboard off"),
)


class GitHubError(ModernizerError):
    """GitHub refused or did not answer. ``status`` is that of HTTP, 0 when there was no answer; ``reason`` GitHub's own words."""

    def __init__(self, what: str, *, status: int, reason: str = "", where: str = "", hint: str = "") -> None:
        """Keep what a caller decides by beside the message."""
        super().__init__(what, where=where, hint=hint)
        self.status = status
        self.reason = reason

    @property
    def lost(self) -> bool:
        """Tell whether it is unknown if GitHub did what was asked: its server failed, or the answer did not arrive."""
        return self.status == 0 or self.status >= HTTPStatus.INTERNAL_SERVER_ERROR

    def says(self, *words: str) -> bool:
        """Tell whether GitHub's own words hold one of these."""
        return any(word.lower() in self.reason.lower() for word in words)


class OvertakenError(GitHubError):
    """Somebody else wrote to a branch between our look and our write; nothing was lost, and nothing of ours was written."""


def explain(status: int, data: object, headers: Mapping[str, str], doing: str, needs: str) -> GitHubError:
    """Describe a refused call. ``doing`` says what was tried, ``needs`` names the permission, such as ``contents: write``."""
    reason = _reason(data)
    what, hint = _meaning(status, reason, {name.lower(): value for name, value in headers.items()}, needs)
    said = f"; GitHub says: {one_line(reason, 300)}" if reason and reason not in what else ""
    return GitHubError(f"can't {doing}: {what}{said}", status=status, reason=reason, where="GitHub", hint=hint)


def _meaning(status: int, reason: str, headers: Mapping[str, str], needs: str) -> tuple[str, str]:
    """Return what a refusal means and the remedy."""
    low = reason.lower()
    for words, what, hint in _SAID:
        if any(word in low for word in words):
            return what, hint
    if "rate limit" in low or "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0":
        return "GitHub's rate limit is used up, and waiting for it takes too long", "run the job again later"
    match status:
        case 401:
            return "the token is not valid", "give the step a fresh token, such as token: ${{ github.token }}"
        case 403:
            lacking = headers.get("x-accepted-github-permissions", "").replace("=", ": ") or needs
            return f"the token lacks the permission {lacking}", f"add it to permissions: of the job that publishes ({needs})"
        case 404:
            hint = "check the token's repositories and permissions"
            return f"it is not there, or the token can't see it (it needs {needs})", hint
        case 409 | 422:
            return "GitHub does not take it", ""
        case _:
            return f"status {status}", "run the job again"


def _reason(data: object) -> str:
    """Join the message and the errors of GitHub's answer."""
    if not isinstance(data, Mapping):
        return data.decode(errors="replace")[:500] if isinstance(data, bytes) else ""
    parts = [str(data.get("message", ""))]
    errors: Any = data.get("errors", ())
    for error in errors if isinstance(errors, list) else [errors] if errors else []:
        named = isinstance(error, Mapping)
        parts.append(str(error.get("message") or f"{error.get('field', '')} {error.get('code', '')}" if named else error))
    return "; ".join(part for part in parts if part.strip())
