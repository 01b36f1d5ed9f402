"""The release workflow's own shell steps, run against a loopback GitHub with a real repository behind it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from forge import REPOSITORY, TOKEN, Forge, Refusal
from hosted import git

ROOT = Path(__file__).parents[2]
JOBS: dict[str, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))["jobs"]
IMAGE = f"ghcr.io/octo-org/notebook-modernizer@sha256:{'0' * 64}"


@dataclass
class Runner:
    """A runner's checkout of the commit that is released."""

    root: Path
    forge: Forge

    def step(self, name: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a step as the runner does: bash with the flags that ``shell: bash`` gives it."""
        (script,) = [step["run"] for job in JOBS.values() for step in job["steps"] if step.get("name") == name]
        environ = {
            "PATH": f"{self.root.parent}:{os.environ['PATH']}",
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_SHA": git(self.root, "rev-parse", "HEAD"),
            "GITHUB_OUTPUT": str(self.root.parent / "output"),
            "GH_ADDRESS": self.forge.address,
            "GH_TOKEN": TOKEN,
            "GH_RELEASES": str(self.root.parent / "releases"),
            "VERSION": "0.1.0",
            "IMAGE": IMAGE,
            **variables,
        }
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        return subprocess.run(command, cwd=self.root, env=environ, capture_output=True, text=True, check=False)

    def release(self, version: str = "0.1.0", **variables: str) -> subprocess.CompletedProcess[str]:
        """Do what the job ``tag`` does, in a fresh checkout as every job has."""
        git(self.root, "checkout", "-q", ".")
        assert self.step("Pin the image").returncode == 0
        return self.step("Tag and release", VERSION=version, **variables)

    @property
    def releases(self) -> list[str]:
        place = self.root.parent / "releases"
        return place.read_text(encoding="utf-8").splitlines() if place.exists() else []


@pytest.fixture
def runner(tmp_path: Path, forge: Forge) -> Runner:
    root = tmp_path / "work"
    git(tmp_path, "init", "-q", str(root))
    (root / "modernizer").mkdir()
    shutil.copy(ROOT / "action.yml", root)
    (root / "modernizer" / "__init__.py").write_text('"""Doc."""\n\n__version__ = "0.1.0"\n', encoding="utf-8")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "first")
    git(root, "push", "-q", str(forge.git_dir), "HEAD:main")
    shim = tmp_path / "gh"
    shim.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S {ROOT}/tests/github/server/gh.py "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    return Runner(root, forge)


def tag(forge: Forge, name: str) -> str:
    return forge.git("for-each-ref", "--format=%(objectname)", f"refs/tags/{name}")


def test_a_release_is_a_commit_whose_action_names_the_image_with_both_tags_on_it(runner: Runner) -> None:
    done = runner.release()
    assert done.returncode == 0, done.stderr
    forge, commit = runner.forge, tag(runner.forge, "v0.1.0")
    assert tag(forge, "v0") == commit
    assert forge.git("rev-parse", f"{commit}^") == forge.head("main")
    assert forge.git("diff", "--name-only", "main", commit) == "action.yml"
    assert yaml.safe_load(forge.git("show", f"{commit}:action.yml"))["runs"]["image"] == f"docker://{IMAGE}"
    assert "image: Dockerfile" in forge.git("show", "main:action.yml")
    assert runner.releases == ["v0.1.0"]


def test_the_next_release_moves_the_tag_of_the_major_version_and_no_other(runner: Runner) -> None:
    runner.release()
    first = tag(runner.forge, "v0.1.0")
    assert runner.release("0.1.1").returncode == 0
    assert (tag(runner.forge, "v0.1.0"), tag(runner.forge, "v0")) == (first, tag(runner.forge, "v0.1.1"))
    assert runner.release("1.0.0").returncode == 0
    assert tag(runner.forge, "v1") == tag(runner.forge, "v1.0.0")
    assert tag(runner.forge, "v0") == tag(runner.forge, "v0.1.1")


def test_a_job_that_is_run_again_goes_on_where_it_stopped(runner: Runner) -> None:
    assert runner.release(GH_NO_RELEASE="1").returncode != 0
    commit = tag(runner.forge, "v0.1.0")
    assert commit
    assert tag(runner.forge, "v0") == ""
    assert runner.release().returncode == 0
    assert (tag(runner.forge, "v0.1.0"), tag(runner.forge, "v0"), runner.releases) == (commit, commit, ["v0.1.0"])
    assert runner.release().returncode == 0
    assert runner.releases == ["v0.1.0"]


def test_the_tag_of_another_release_is_never_taken(runner: Runner) -> None:
    runner.release()
    commit = tag(runner.forge, "v0.1.0")
    git(runner.root, "checkout", "-q", ".")
    assert runner.step("Pin the image", IMAGE=IMAGE.replace("0" * 64, "1" * 64)).returncode == 0
    done = runner.step("Tag and release")
    assert done.returncode == 1
    assert "v0.1.0 is another release" in done.stdout
    assert tag(runner.forge, "v0.1.0") == commit


def test_a_refusal_of_github_stops_before_anything_is_released(runner: Runner) -> None:
    runner.forge.refusals.append(Refusal("POST", "/git/refs$", 403, {"message": "Resource not accessible by integration"}))
    done = runner.release()
    assert done.returncode != 0
    assert "Resource not accessible" in done.stderr
    assert runner.releases == []
    assert tag(runner.forge, "v0") == ""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('__version__ = "0.1.0"', ""),
        ('__version__ = "0.1.0.dev1"', "names no version"),
        ('__version__ = "x"', "names no version"),
    ],
)
def test_the_version_is_that_of_the_package(runner: Runner, line: str, said: str) -> None:
    (runner.root / "modernizer" / "__init__.py").write_text(f"{line}\n", encoding="utf-8")
    done = runner.step("Which version", GITHUB_REPOSITORY="Octo-Org/Notebooks" if not said else REPOSITORY)
    assert (done.returncode != 0) == bool(said), done.stderr
    assert said in done.stdout
    told = (runner.root.parent / "output").read_text(encoding="utf-8") if not said else ""
    assert told == ("" if said else "version=0.1.0\nname=ghcr.io/octo-org/notebooks\n")


def test_a_version_that_is_released_is_refused_and_a_longer_one_is_not(runner: Runner) -> None:
    runner.forge.git("tag", "v0.1.0-rc1", "main")
    assert runner.step("Which version").returncode == 0
    runner.forge.git("tag", "v0.1.0", "main")
    done = runner.step("Which version")
    assert done.returncode == 1
    assert "v0.1.0 is released already" in done.stdout
