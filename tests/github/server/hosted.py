"""A repository with broken notebooks that a loopback GitHub hosts, and results as a run leaves them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from forge import REPOSITORY, Forge
from npm_files import npm_file

from modernizer.artifact import Checked, check_artifact
from modernizer.config import PullRequest
from modernizer.github.client import Client
from modernizer.github.context import Context, read_context
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

    def run(
        self,
        names: Sequence[str] = (),
        *,
        numpy: str = "2.5.5",
        results: Sequence[NotebookResult] = (),
        **changes: object,
    ) -> Checked:
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
        run = replace(run, **changes)  # type: ignore[arg-type]
        prepare(self.out)
        write_all(self.out, run, executed={}, locks={})
        return check_artifact(self.out, self.root)

    def post(
        self,
        checked: Checked | None = None,
        settings: PullRequest | None = None,
        branch: str = "main",
        context: Context | None = None,
    ) -> Posted:
        """Publish a run."""
        self.client.calls = 0
        context = context or Context(REPOSITORY, "schedule", branch, "main", server="https://github.example", run_id="7")
        return post(self.client, context, checked or self.run(), self.root, settings or PullRequest(), folder=self.out)

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

    def pull(self, files: Mapping[str, bytes], branch: str = "work") -> int:
        """Open a pull request as a person does and check its branch out."""
        git(self.root, "checkout", "-q", "-B", branch)
        self.add(files)
        user, self.forge.user = self.forge.user, "ada"
        body = {"title": "Work", "head": branch, "base": "main", "body": "", "draft": False}
        number: int = self.client.post("/pulls", body, doing="open", needs="")["number"]
        self.forge.user = user
        return number

    def add(self, files: Mapping[str, bytes]) -> str:
        """Push a commit to the checked out branch; the pull request's head follows."""
        for name, data in files.items():
            (self.root / name).write_bytes(data)
        git(self.root, "add", "-A")
        git(self.root, "commit", "-q", "-m", "work")
        branch = git(self.root, "branch", "--show-current")
        git(self.root, "push", "-q", "origin", f"HEAD:{branch}")
        head = git(self.root, "rev-parse", "HEAD")
        for pull in self.forge.pulls:
            if pull["head"]["ref"] == branch:
                pull["head"]["sha"] = head
        return head

    def event(self, name: str, **changes: object) -> Context:
        """Return the context of an event, made of GitHub's own example of its payload."""
        examples = json.loads(npm_file("@octokit/webhooks-examples", "api.github.com/index.json").read_text(encoding="utf-8"))
        action = "created" if name == "issue_comment" else "synchronize"
        listed = next(item["examples"] for item in examples if item["name"] == name)
        payload = next(item for item in listed if item["action"] == action)
        payload["repository"] |= {"full_name": REPOSITORY, "default_branch": "main"}
        for key, value in changes.items():
            payload[key] = {**payload.get(key, {}), **value} if isinstance(value, dict) else value
        file = self.out.parent / "event.json"
        file.write_text(json.dumps(payload), encoding="utf-8")
        return read_context(
            {
                "GITHUB_REPOSITORY": REPOSITORY,
                "GITHUB_EVENT_NAME": name,
                "GITHUB_EVENT_PATH": str(file),
                "GITHUB_REF": "refs/heads/main" if name == "issue_comment" else "refs/pull/1/merge",
                "GITHUB_SERVER_URL": "https://github.example",
                "GITHUB_RUN_ID": "7",
            }
        )

    def review(self, checked: Checked | None = None, *, fork: str = "", number: int = 1) -> Posted:
        """Publish a run of the checked out pull request."""
        head = {"sha": git(self.root, "rev-parse", "HEAD"), "ref": "work", "repo": {"full_name": fork or REPOSITORY}}
        pull = {"number": number, "head": head, "base": {"sha": self.forge.head("main"), "ref": "main"}}
        context = self.event("pull_request", pull_request=pull)
        return post(self.client, context, checked or self.run(), self.root, PullRequest())

    def file(self, branch: str, name: str) -> bytes:
        """Return a file of a branch of the forge."""
        done = subprocess.run(
            ["git", "cat-file", "blob", f"refs/heads/{branch}:{name}"], cwd=self.forge.git_dir, check=True, capture_output=True
        )
        return done.stdout
