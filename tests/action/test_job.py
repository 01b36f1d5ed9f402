from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from modernizer.report.results import NotebookResult, RunResult
from modernizer.report.write import prepare, write_all
from modernizer.verdict.outcome import Outcome

ENTRYPOINT = Path(__file__).parents[2] / "entrypoint.py"


def git(folder: Path, *args: str) -> str:
    settings = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", *settings, *args], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "a.ipynb").write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}\n', encoding="utf-8")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    return folder


def act(workspace: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Start the action as the image does."""
    environ = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(workspace.parent),
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(workspace),
        "GITHUB_OUTPUT": str(workspace.parent / "output"),
        "GITHUB_STEP_SUMMARY": str(workspace.parent / "summary"),
        **variables,
    }
    command = [sys.executable, "-I", "-B", str(ENTRYPOINT)]
    return subprocess.run(command, env=environ, cwd=workspace, capture_output=True, text=True, timeout=60, check=False)


def leave_results(workspace: Path, verdict: str, commit: str | None = None) -> None:
    result = NotebookResult("a.ipynb", None, None, Outcome(verdict))  # type: ignore[arg-type]
    run = RunResult(
        "2026-12-01T06:00:00+00:00",
        "2026-12-01T06:00:01+00:00",
        "x",
        notebooks=(result,),
        commit=commit or git(workspace, "rev-parse", "HEAD"),
    )
    prepare(workspace / ".modernizer")
    write_all(workspace / ".modernizer", run, executed={}, locks={})


@pytest.mark.parametrize(("verdict", "code"), [("ran", 0), ("blocked", 0), ("broken", 1)])
def test_publish_reports_an_output_folder(workspace: Path, verdict: str, code: int) -> None:
    leave_results(workspace, verdict)
    done = act(workspace, INPUT_MODE="publish")
    assert done.returncode == code, done.stdout
    assert "Nothing to propose." in done.stdout
    assert f"{verdict}<<" in (workspace.parent / "output").read_text(encoding="utf-8")
    assert "# Notebook report" in (workspace.parent / "summary").read_text(encoding="utf-8")
    assert ("::error file=a.ipynb" in done.stdout) == (verdict == "broken")


def test_publish_refuses_results_of_another_commit_and_sets_no_outputs(workspace: Path) -> None:
    leave_results(workspace, "ran", commit="0" * 40)
    done = act(workspace, INPUT_MODE="publish")
    assert done.returncode == 2
    assert "::error title=Notebook Modernizer::" in done.stdout
    assert "is checked out" in done.stdout
    assert not (workspace.parent / "output").exists()


def test_secrets_are_masked_first_and_shown_nowhere_else(workspace: Path) -> None:
    leave_results(workspace, "ran")
    tokens = {"INPUT_TOKEN": "planted-1", "GITHUB_TOKEN": "planted-2"}
    done = act(workspace, INPUT_MODE="publish", GITHUB_REPOSITORY="o/r", **tokens)
    lines = done.stdout.splitlines()
    assert lines[0] == "::add-mask::planted-1"
    assert not any("planted" in line for line in lines[1:])
    assert done.returncode == 0
    assert "planted" not in json.dumps(
        [path.read_text(encoding="utf-8") for path in workspace.parent.iterdir() if path.is_file()]
    )


def test_a_wrong_input_is_an_error_annotation_and_exit_code_2(workspace: Path) -> None:
    done = act(workspace, INPUT_JOBS="many")
    assert done.returncode == 2
    assert "::error title=Notebook Modernizer::input jobs: 'many' is not a whole number" in done.stdout
    assert done.stderr == ""


def test_a_model_key_is_refused_by_publish_without_being_shown(workspace: Path) -> None:
    done = act(workspace, **{"INPUT_MODE": "publish", "INPUT_MODEL-KEY": "planted"})
    assert done.returncode == 2
    assert "input model-key" in done.stdout
    assert done.stdout.count("planted") == 1


def test_a_module_of_the_workspace_is_not_imported(workspace: Path) -> None:
    leave_results(workspace, "ran")
    for name in ("json.py", "modernizer.py", "sitecustomize.py"):
        (workspace / name).write_text("raise SystemExit(77)\n", encoding="utf-8")
    assert act(workspace, INPUT_MODE="publish", PYTHONPATH=str(workspace)).returncode == 0


def test_outside_a_workflow_it_says_so(tmp_path: Path) -> None:
    done = act(tmp_path, GITHUB_WORKSPACE="")
    assert done.returncode == 3
    assert "run this as a step of a GitHub workflow" in done.stdout
