"""Whatever is wrong outside a notebook's code: a clear message, the right exit code, and the other notebooks still done."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

GOOD = {
    "cells": [{"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": ["x = 1"]}],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 2,
}


def run(*args: str | Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "modernizer", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **(env or {})}, timeout=150)


def notebook(path: Path, source: str = "x = 1") -> Path:
    content = json.loads(json.dumps(GOOD))
    content["cells"][0]["source"] = [source]
    path.write_text(json.dumps(content))
    return path


def verdicts(out: Path) -> dict[str, tuple[str, str]]:
    data = json.loads((out / "results.json").read_text())
    return {Path(result["path"]).name: (result["before"]["verdict"], result["before"]["reason"]) for result in data["notebooks"]}


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    return folder


def test_unreadable_notebooks_cost_only_themselves(repo: Path, tmp_path: Path) -> None:
    notebook(repo / "good.ipynb")
    (repo / "corrupt.ipynb").write_text('{"cells": [')
    (repo / "empty.ipynb").write_text("")
    (repo / "latin.ipynb").write_bytes('{"cells": ["é"]}'.encode("latin-1"))
    with (repo / "huge.ipynb").open("wb") as file:
        file.truncate(100_000_001)
    done = run("check", repo, "--out", tmp_path / "out")
    assert done.returncode == 1
    assert verdicts(tmp_path / "out") == {
        "good.ipynb": ("ran", ""),
        "corrupt.ipynb": ("blocked", "unreadable"),
        "empty.ipynb": ("blocked", "unreadable"),
        "latin.ipynb": ("blocked", "unreadable"),
        "huge.ipynb": ("blocked", "unreadable"),
    }
    for name in ("corrupt", "empty", "latin", "huge"):
        assert f"{name}.ipynb" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("notebook: x", "notebooks"),
        ("jobs: many", "jobs"),
        ("timeout: {cell: -1}", "timeout"),
        ("a: [", ":1:"),
    ],
)
def test_a_wrong_configuration_names_file_and_key(repo: Path, tmp_path: Path, config: str, said: str) -> None:
    notebook(repo / "good.ipynb")
    (repo / ".git").mkdir()
    (repo / ".modernizer.yml").write_text(config)
    done = run("check", repo, "--out", tmp_path / "out")
    assert done.returncode == 2
    assert ".modernizer.yml" in done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_path_and_an_empty_folder_are_usage_errors(repo: Path, tmp_path: Path) -> None:
    missing = run("check", repo / "no.ipynb", "--out", tmp_path / "out")
    empty = run("check", repo, "--out", tmp_path / "out")
    assert (missing.returncode, empty.returncode) == (2, 2)
    assert "no.ipynb" in missing.stderr
    assert "no notebooks found" in empty.stderr


def test_a_full_disk_under_the_output_folder_is_named(repo: Path, tmp_path: Path) -> None:
    notebook(repo / "good.ipynb", "print('x' * 200_000)")
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small], check=False, capture_output=True)
    if mounted.returncode:
        # Without the right to mount, report/'s own tests limit the size of a file instead.
        return
    try:
        (small / "ballast").write_bytes(b"x" * 60_000)
        done = run("fix", repo, "--out", small / "out")
    finally:
        subprocess.run(["umount", small], check=True)
    assert done.returncode == 3
    assert str(small) in done.stderr
    assert "Traceback" not in done.stderr


def test_a_dead_network_blocks_with_the_reason(repo: Path, tmp_path: Path) -> None:
    notebook(repo / "good.ipynb", "import six")
    closed = {"UV_DEFAULT_INDEX": "http://127.0.0.1:9/simple", "UV_INDEX_URL": "http://127.0.0.1:9/simple"}
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "UV_CACHE_DIR": str(tmp_path / "uv")}
    done = run("check", repo, "--out", tmp_path / "out", env=closed | cache)
    assert done.returncode == 1
    assert verdicts(tmp_path / "out") == {"good.ipynb": ("blocked", "install-failed")}
    assert "Traceback" not in done.stdout + done.stderr


def test_a_kernel_that_dies_is_a_crash_and_the_rest_goes_on(repo: Path, tmp_path: Path) -> None:
    notebook(repo / "dies.ipynb", "import os; os._exit(3)")
    notebook(repo / "good.ipynb")
    done = run("check", repo, "--out", tmp_path / "out", "--jobs", "1")
    assert done.returncode == 1
    assert verdicts(tmp_path / "out") == {"dies.ipynb": ("crashed", ""), "good.ipynb": ("ran", "")}


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_readable_results(repo: Path, tmp_path: Path, signum: signal.Signals) -> None:
    notebook(repo / "a_good.ipynb")
    notebook(repo / "b_long.ipynb", "import time; open('started', 'w').close(); time.sleep(600)")
    command = [sys.executable, "-m", "modernizer", "check", str(repo), "--out", str(tmp_path / "out"), "--jobs", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if "run " in line and "b_long" in line:
            break
    time.sleep(3)
    began = time.monotonic()
    process.send_signal(signum)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert time.monotonic() - began < 15
    data = json.loads((tmp_path / "out" / "results.json").read_text())
    assert data["interrupted"] is True
    assert verdicts(tmp_path / "out")["a_good.ipynb"] == ("ran", "")


def test_an_unreadable_folder_is_told_and_the_rest_is_done(repo: Path, tmp_path: Path) -> None:
    notebook(repo / "good.ipynb")
    (repo / "closed").mkdir()
    notebook(repo / "closed" / "inside.ipynb")
    (repo / "closed").chmod(0)
    try:
        done = run("check", repo, "--out", tmp_path / "out")
    finally:
        (repo / "closed").chmod(0o755)
    if os.geteuid() == 0:
        # For root no folder is closed; discovery's own tests drop the rights.
        assert set(verdicts(tmp_path / "out")) == {"good.ipynb", "inside.ipynb"}
    else:
        assert "closed" in done.stdout
        assert set(verdicts(tmp_path / "out")) == {"good.ipynb"}


def test_a_missing_interpreter_is_named(repo: Path, tmp_path: Path) -> None:
    notebook(repo / "good.ipynb")
    done = run("check", repo, "--out", tmp_path / "out", "--python", "3.2")
    assert done.returncode in {1, 2}
    assert "3.2" in done.stdout + done.stderr
    assert shutil.which("python3.2") is None
