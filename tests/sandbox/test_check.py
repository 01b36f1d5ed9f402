"""The probe must notice everything that works: each case takes one wall away and plants what it kept from view."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from modernizer.errors import ExitCode
from modernizer.sandbox.check import SandboxError, examine, open_sandbox
from modernizer.sandbox.confinement import Means, Sandbox, find_means

NOTHING = Means(0, seccomp=False, namespaces="none", identities=False)


@pytest.fixture(scope="module")
def means() -> Means:
    return find_means()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("repository/.git/config", "temp/_commands/env", "temp/git-credentials", "event/event.json", "home/.netrc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("planted")
    return tmp_path


@pytest.fixture
def variables(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    with socket.socket(socket.AF_UNIX) as server:
        # A socket's path must be short.
        monkeypatch.chdir(root)
        server.bind("s")
        server.listen()
        yield {
            **os.environ,
            "HOME": str(root / "home"),
            "RUNNER_TEMP": str(root / "temp"),
            "GITHUB_ENV": str(root / "temp" / "_commands" / "env"),
            "GITHUB_EVENT_PATH": str(root / "event" / "event.json"),
            "DOCKER_HOST": f"unix://{root}/s",
        }


def test_with_everything_this_machine_has_nothing_works(means: Means, root: Path, variables: dict[str, str]) -> None:
    report = examine(Sandbox(means, variables), root=root / "repository", cache=root / "cache")
    assert report.failures == ()
    assert report.summary.startswith("on: files by Landlock")


def test_without_any_wall_the_probe_gets_everything(root: Path, variables: dict[str, str]) -> None:
    failures = "\n".join(examine(Sandbox(NOTHING, variables), root=root / "repository", cache=root / "cache").failures)
    for words in (
        "read a file of yours",
        "read what another notebook works on",
        "command a service of this machine",
        "write the runner's command file GITHUB_ENV",
        "read the runner's command file GITHUB_ENV",
        "write among the runner's command files",
        "read the event",
        "write into the runner's temporary folder",
        "git-credentials",
        ".git/config",
        "write into your repository",
        "write into the cache of packages",
        ".netrc",
        # Root without its capabilities may not look into root that has them.
        *(("read our own environment", "read our memory", "trace us") if os.getuid() else ()),
    ):
        assert words in failures


def test_a_run_is_refused_with_what_worked_and_what_to_do(root: Path, variables: dict[str, str]) -> None:
    with pytest.raises(SandboxError) as caught:
        open_sandbox(variables, root=root / "repository", cache=root / "cache", needs_no_network=False, means=NOTHING)
    assert caught.value.exit_code == ExitCode.INTERNAL
    assert "no notebook was run" in caught.value.what
    assert "and 1" in caught.value.what
    assert "--sandbox off" in caught.value.hint
    assert "planted" not in str(caught.value)


def test_install_only_is_refused_where_it_would_not_hold(means: Means, root: Path, variables: dict[str, str]) -> None:
    (root / "s").unlink()
    weak = replace(means, namespaces="none", identities=False, seccomp=False)
    with pytest.raises(SandboxError, match="install-only"):
        open_sandbox(variables, root=root / "repository", cache=root / "cache", needs_no_network=True, means=weak)
    _, report = open_sandbox(variables, root=root / "repository", cache=root / "cache", needs_no_network=False, means=weak)
    assert "internet" not in report.summary


def test_the_probe_leaves_nothing(means: Means, root: Path, variables: dict[str, str]) -> None:
    before = {path for path in root.rglob("*") if "cache" not in path.parts}
    examine(Sandbox(means, variables), root=root / "repository", cache=root / "cache")
    assert {path for path in root.rglob("*") if "cache" not in path.parts} == before
    assert list((root / "cache").iterdir()) == []
