"""A repository with broken notebooks that a loopback GitHub hosts, and results as a run leaves them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from forge import REPOSITORY, Forge

from modernizer.artifact import Checked, check_artifact
from modernizer.config import PullRequest
from modernizer.github.client import Client
from modernizer.github.context import Context
from modernizer.github.publish import Posted, post
from modernizer.repair.outcome import Fix, Repair
from modernizer.repair.patch import unified_patch
from modernizer.report.results import EnvironmentRecord, NotebookResult, RunResult
from modernizer.report.write import prepare, write_all
from modernizer.verdict.outcome import Outcome

OLD, NEW = "value = np.float(1)", "value = float(1)"
SETTINGS = (
    "-c",
    "user.name=Ada",
    "-c",
    "user.email=ada@example.org",
    "-c",
    "commit.gpgsign=false",
    "-c",
    "init.defaultBranch=main",
)


def git(folder: Path, *args: str) -> str:
    done = subprocess.run(["git", *SETTINGS, *args], cwd=folder, check=True, capture_output=True)
    return done.stdout.decode("utf-8", "surrogateescape").strip()


def notebook(*lines: str) -> bytes:
    source = [f"{line}\n" for line in lines[:-1]] + [lines[-1]]
    outputs = [{"name": "stdout", "output_type": "stream", "text": ["accuracy: 0.5\n"]}]
    cells = [{"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": outputs, "source": source}]
    return (json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}, indent=1) + "\n").encode()


def broken(name: str) -> bytes:
    return notebook("import numpy as np", f"# {name.encode('ascii', 'replace').decode()}", OLD, "print('accuracy: 0.5')")


def repaired(data: bytes) -> bytes:
    return data.replace(OLD.encode(), NEW.encode())


@dataclass
class World:
    """A checkout, the forge that hosts it and a client of the forge."""

    root: Path
    out: Path
    forge: Forge
    client: Client

    def commit(self, files: Mapping[str, bytes], message: str = "change") -> str:
        """Commit files to the checked out branch and push it."""
        for name, data in files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_bytes(data)
        git(self.root, "add", "-A")
        git(self.root, "commit", "-q", "-m", message)
        git(self.root, "push", "-q", "origin", "HEAD:main")
        return git(self.root, "rev-parse", "HEAD")

    def result(self, name: str, explanation: str = "np.float was an alias of float.") -> NotebookResult:
        """Return what a run finds of a notebook: well, or broken and repaired."""
        before = (self.root / name).read_bytes()
        if OLD.encode() not in before:
            return NotebookResult(name, "e1", None, Outcome("ran", cells_total=1, cells_run=1))
        patch = unified_patch({name: (before, repaired(before))}).decode("utf-8", "surrogateescape")
        fix = Fix("error-repair", "recipe:numpy-aliases", (0,), 1, explanation)
        return NotebookResult(
            name,
            "e1",
            None,
            Outcome("broken", cells_total=1),
            Outcome("ran", cells_total=1),
            Repair((fix,), stopped="good", patch=patch),
        )

    def run(self, names: Sequence[str] = (), *, numpy: str = "2.5.5", results: Sequence[NotebookResult] = ()) -> Checked:
        """Leave the results of a run on the checked out commit, and check them as an artifact."""
        listed = git(self.root, "ls-files", "-z", "*.ipynb").split("\0")
        found = results or [self.result(name) for name in names or [name for name in listed if name]]
        run = RunResult(
            "2026-12-01T06:00:00+00:00",
            "2026-12-01T06:01:00+00:00",
            "modernizer fix",
            (EnvironmentRecord("e1", "3.13.0", {"numpy": numpy}, "a" * 64),),
            tuple(found),
            "landlock",
            git(self.root, "rev-parse", "HEAD"),
        )
        prepare(self.out)
        write_all(self.out, run, executed={}, locks={})
        return check_artifact(self.out, self.root)

    def post(self, checked: Checked | None = None, settings: PullRequest | None = None, branch: str = "main") -> Posted:
        """Publish a run."""
        self.client.calls = 0
        context = Context(REPOSITORY, "schedule", branch, "main", server="https://github.example", run_id="7")
        return post(self.client, context, checked or self.run(), self.root, settings or PullRequest())

    def push(self, branch: str, name: str, data: bytes, who: str = "Ada") -> str:
        """Commit to a branch of the forge as a person does."""
        folder = self.root.parent / f"clone-{os.urandom(4).hex()}"
        git(self.root.parent, "clone", "-q", "-b", branch, str(self.forge.git_dir), str(folder))
        (folder / name).write_bytes(data)
        git(folder, "add", "-A")
        git(folder, "-c", f"user.name={who}", "commit", "-q", "-m", "by hand")
        git(folder, "push", "-q", "origin", f"HEAD:{branch}")
        return git(folder, "rev-parse", "HEAD")

    def merge(self, number: int) -> None:
        """Merge a pull request on the forge and bring the checkout up to date."""
        (pull,) = (item for item in self.forge.pulls if item["number"] == number)
        git(self.root, "fetch", "-q", "origin")
        git(self.root, "merge", "-q", "--no-ff", "-m", "merge", f"origin/{pull['head']['ref']}")
        git(self.root, "push", "-q", "origin", "HEAD:main")
        pull |= {"state": "closed", "merged": True, "merged_at": "2026-12-01T08:00:00Z"}

    def file(self, branch: str, name: str) -> bytes:
        """Return a file of a branch of the forge."""
        done = subprocess.run(
            ["git", "cat-file", "blob", f"refs/heads/{branch}:{name}"], cwd=self.forge.git_dir, check=True, capture_output=True
        )
        return done.stdout
