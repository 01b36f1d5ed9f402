"""Runs uv: with an allow-listed environment, without addresses or credentials in what it says."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import uv

from modernizer.errors import ModernizerError
from modernizer.process import Completed, run

# What uv needs to find its cache, its configuration, the index and a proxy; build backends of sdists run with the same.
_PASSED = frozenset({
    "PATH", "HOME", "USER", "LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
    "XDG_CONFIG_DIRS", "SSL_CERT_FILE", "SSL_CERT_DIR", "SYSTEMROOT", "NETRC",
})  # fmt: skip
_PROXIES = frozenset({"http_proxy", "https_proxy", "all_proxy", "no_proxy"})
_PREFIX = "UV_"
# Settings of a surrounding project or of this process's own environment would change what is built, or where.
_REFUSED = frozenset({
    "UV_PROJECT_ENVIRONMENT", "UV_SYSTEM_PYTHON", "UV_PYTHON", "UV_EXCLUDE_NEWER", "UV_PUBLISH_TOKEN", "UV_PUBLISH_PASSWORD",
    "UV_PUBLISH_USERNAME", "UV_CONSTRAINT", "UV_OVERRIDE", "UV_REQUIRE_HASHES", "UV_TARGET", "UV_GITHUB_TOKEN",
    "UV_BREAK_SYSTEM_PACKAGES", "UV_COMPILE_BYTECODE",
})  # fmt: skip
# Errors that say the index was not reached or did not answer; anything else is about packages.
_NETWORK = re.compile(
    r"error sending request|request failed after|could not connect|client error|connection (?:refused|reset|closed)|dns error"
    r"|operation timed out|network is unreachable|are you offline|HTTP status (?:server|client) error|invalid peer certificate",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\b(?:https?|ssh|git|file)(?:\+\w+)?://[^\s`'\")]+")


class NetworkError(ModernizerError):
    """The configured package index can't be reached or refuses."""


@cache
def uv_program() -> str:
    """Return the uv that is installed with the package."""
    return uv.find_uv_bin()


def uv_environment(source: Mapping[str, str] | None = None) -> dict[str, str]:
    """Select the variables that uv may see."""
    variables = os.environ if source is None else source
    chosen = {
        name: value
        for name, value in variables.items()
        if name in _PASSED or name.lower() in _PROXIES or (name.startswith(_PREFIX) and name not in _REFUSED)
    }
    return {**chosen, "UV_NO_PROGRESS": "1", "UV_PYTHON_DOWNLOADS": chosen.get("UV_PYTHON_DOWNLOADS", "manual"), "NO_COLOR": "1"}


def run_uv(
    args: Sequence[str], *, timeout: float, env: Mapping[str, str], text: str | None = None, prefix: Sequence[str] = ()
) -> Completed:
    """Run uv to its end; ``prefix`` is a command line that runs another.

    NetworkError when the index can't be reached; other failures are in the exit code.
    """
    # uv reads settings, an index among them, from the folder it runs in and those above: never from the repository's.
    done = run([*prefix, uv_program(), *args], cwd=Path(Path.cwd().anchor), env=env, timeout=timeout, input=text, check=False)
    if done.returncode and "Failed to build" not in done.stderr and _NETWORK.search(done.stderr):
        raise NetworkError(
            f"the configured package index can't be reached or refuses: {_last_cause(done.stderr)}",
            hint="check the network, the proxy and uv's index settings, then try again",
        )
    return done


def said(done: Completed) -> str:
    """Return what uv said, without addresses (they may hold credentials), on one line."""
    return " ".join(_ADDRESS.sub("(address)", done.stderr).split())


def _last_cause(stderr: str) -> str:
    causes = [line.strip() for line in _ADDRESS.sub("(address)", stderr).splitlines() if line.strip()]
    told = [line.removeprefix("cause: ") for line in causes if line.startswith("cause: ")] or causes
    return told[-1] if told else "no reason given"
