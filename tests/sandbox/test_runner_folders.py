from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from modernizer.sandbox.runner_folders import close_runner_folders


@pytest.fixture
def runner(tmp_path: Path) -> dict[str, str]:
    for name in ("temp/commands/env", "workflow/event.json", "workspace/repository/.git/config", "home/x"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    return {
        "GITHUB_ACTIONS": "true",
        "RUNNER_TEMP": str(tmp_path / "temp"),
        "GITHUB_ENV": str(tmp_path / "temp" / "commands" / "env"),
        "GITHUB_EVENT_PATH": str(tmp_path / "workflow" / "event.json"),
        "HOME": str(tmp_path / "home"),
    }


def closed(tmp_path: Path) -> set[str]:
    return {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_dir() and not path.stat().st_mode & 0o077}


def test_the_runners_folders_are_closed_for_root_on_a_runner_only(tmp_path: Path, runner: dict[str, str]) -> None:
    root = tmp_path / "workspace" / "repository"
    told = close_runner_folders(runner, root=root)
    expected = {"temp", "temp/commands", "workflow", "home", "workspace/repository/.git"} if os.getuid() == 0 else set()
    assert closed(tmp_path) == expected
    assert {str(path.relative_to(tmp_path)) for path in told} == expected
    assert stat.S_IMODE(root.stat().st_mode) & 0o005


@pytest.mark.parametrize("change", [{"GITHUB_ACTIONS": ""}, {"GITHUB_ACTIONS": "false"}])
def test_nothing_is_closed_elsewhere(tmp_path: Path, runner: dict[str, str], change: dict[str, str]) -> None:
    assert close_runner_folders(runner | change, root=tmp_path / "workspace") == ()
    assert closed(tmp_path) == set()


def test_a_folder_that_holds_the_cache_stays_open(tmp_path: Path, runner: dict[str, str]) -> None:
    cache = tmp_path / "home" / ".cache" / "tool"
    close_runner_folders(runner, root=tmp_path / "workspace" / "repository", needed=[cache])
    assert "home" not in closed(tmp_path)


def test_a_folder_the_repository_lies_in_stays_open(tmp_path: Path, runner: dict[str, str]) -> None:
    close_runner_folders(runner | {"RUNNER_TEMP": str(tmp_path)}, root=tmp_path / "workspace" / "repository")
    assert "temp" not in closed(tmp_path)
