"""The worlds: each runs all hostile notebooks once, in a process of its own, and a test looks at what came of them."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from modernizer.environment.model import Environment
from modernizer.process import run
from modernizer.sandbox.policy import CODE, interpreter_paths

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))


@pytest.fixture(scope="session")
def base() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="modernizer-red-team-", dir="/var/tmp"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def play(kernel_environment: Environment, base: Path) -> Callable[[str], dict[str, Any]]:
    """Run all hostile notebooks in a world and return what came of them."""
    return lambda world: _play(world, kernel_environment.python, base)


def _play(world: str, python: Path, base: Path) -> dict[str, Any]:
    folder = base / world.replace(" ", "-")
    folder.mkdir()
    settings = folder.with_suffix(".json")
    settings.write_text(
        json.dumps({"base": str(folder), "python": str(python), "plain": "plain" in world, "short": "user" in world})
    )
    command = [sys.executable, str(HERE / "red_team.py"), str(settings)]
    if world not in {"root", "here", "plain here"}:
        user = "user" in world
        if user:
            os.chown(folder, 61100, 61100)
        paths = dict.fromkeys((*interpreter_paths(Path(sys.executable)), *interpreter_paths(python), CODE))
        outer = [sys.executable, "-I", "-S", str(HERE / "world.py"), "user" if user else "container", CODE]
        command = [*outer, ",".join(paths), str(folder), *command]
    env = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(folder)}
    done = run(command, cwd=folder, env=env, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    result: dict[str, Any] = json.loads(done.stdout)
    result["printed"] = done.stdout.replace(result.pop("planted"), "", 1) + done.stderr
    return result
