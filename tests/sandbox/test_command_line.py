"""The command line in a runner's world: hostile text reaches neither the terminal raw nor the report, secrets nothing."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import nbformat
import pytest

from modernizer.process import Completed, run

COMMANDS = (
    "::set-output name=x::planted-command",
    "::add-mask::x",
    "::error file=x::boo",
    "##[set-env name=A]b",
    "::stop-commands::t",
)
HOSTILE = f"""
for line in {COMMANDS!r}:
    print(line)
raise ValueError('no\\n' + '\\n'.join({COMMANDS!r}) + '\\r::add-path::/evil')
"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with one hostile notebook beside a runner's files that hold planted values."""
    base = tmp_path_factory.mktemp("runner")
    for name in ("repository/.git/config", "temp/commands/env", "temp/commands/output", "event/event.json"):
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        (base / name).write_text("planted-file\n")
    node = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(HOSTILE)])
    nbformat.write(node, base / "repository" / "hostile.ipynb")
    return base


def modernizer(base: Path, *arguments: str) -> Completed:
    env = {
        **os.environ,
        "GITHUB_ACTIONS": "true",
        "RUNNER_TEMP": str(base / "temp"),
        "GITHUB_ENV": str(base / "temp" / "commands" / "env"),
        "GITHUB_OUTPUT": str(base / "temp" / "commands" / "output"),
        "GITHUB_EVENT_PATH": str(base / "event" / "event.json"),
        "GITHUB_TOKEN": "planted-token",
        "OPENAI_API_KEY": "planted-key",
        "INPUT_TOKEN": "planted-input",
    }
    command = [sys.executable, "-m", "modernizer", *arguments]
    return run(command, cwd=base / "repository", env=env, timeout=200, check=False)


@pytest.fixture(scope="module")
def checked(base: Path) -> Completed:
    return modernizer(base, "check", "hostile.ipynb", "--out", str(base / "out"))


def test_the_run_says_that_it_was_sandboxed(base: Path, checked: Completed) -> None:
    assert checked.returncode == 1, checked.stderr
    results = json.loads((base / "out" / "results.json").read_text())
    assert results["sandbox"].startswith("on: files by Landlock")
    assert results["notebooks"][0]["before"]["error"]["name"] == "ValueError"


def test_workflow_commands_of_a_notebook_reach_neither_terminal_nor_report(base: Path, checked: Completed) -> None:
    printed = checked.stdout + checked.stderr
    # The runner takes a line for a command when it starts with :: after white space, or holds ##[ anywhere.
    lines = [line.strip() for line in printed.replace("\r", "\n").split("\n")]
    assert [line for line in lines if line.startswith("::") or "##[" in line] == []
    report = (base / "out" / "report.md").read_text()
    assert [line for line in report.replace("\r", "\n").split("\n") if line.strip().startswith("::")] == []


def test_nothing_planted_was_written_or_printed(base: Path, checked: Completed) -> None:
    written = "".join(path.read_text(errors="replace") for path in (base / "out").rglob("*") if path.is_file())
    for value in ("planted-token", "planted-key", "planted-input", "planted-file"):
        assert value not in checked.stdout + checked.stderr + written
    for name in ("env", "output"):
        assert (base / "temp" / "commands" / name).read_text() == "planted-file\n"


def test_doctor_names_each_property(base: Path) -> None:
    done = modernizer(base, "doctor")
    assert done.returncode == 0, done.stdout + done.stderr
    names = [line[8:].split("  ")[0].strip() for line in done.stdout.splitlines()]
    assert names[0] == "sandbox"
    assert {"sandbox: files by Landlock", "uv", "python", "cache", "package index", "memory", "disk"} <= set(names)
    assert "://" not in done.stdout


def test_the_sandbox_is_off_only_when_typed_and_then_shown(base: Path) -> None:
    done = modernizer(base, "check", "hostile.ipynb", "--out", str(base / "off"), "--sandbox", "off")
    assert done.returncode == 1, done.stderr
    assert json.loads((base / "off" / "results.json").read_text())["sandbox"] == "off"
    assert "sandbox was switched off" in (base / "off" / "report.md").read_text()


def test_no_network_at_run_time_is_never_promised_without_the_sandbox(base: Path, tmp_path: Path) -> None:
    config = tmp_path / "quiet.yml"
    config.write_text("network: install-only\n", encoding="utf-8")
    done = modernizer(base, "check", "hostile.ipynb", "--config", str(config), "--out", str(tmp_path / "out"), "--sandbox", "off")
    assert done.returncode == 2
    assert "hostile.ipynb: 'network: install-only' can't be enforced with --sandbox off" in done.stderr
    assert not (tmp_path / "out").exists()
