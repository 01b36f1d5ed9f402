from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from forge import REPOSITORY, TOKEN
from hosted import World, git, notebook

from modernizer.action.job import run_action

BRANCH = "modernizer/repair"
FIRST = notebook("import numpy as np", "value = np.float(0.5)", "print(f'accuracy: {value}')")
SECOND = notebook("import numpy as np", "print('accuracy:', np.float(0.5))")


@dataclass
class Job:
    """Jobs of a scheduled workflow: one runs the notebooks, one publishes what it left."""

    world: World
    folder: Path
    printed: pytest.CaptureFixture[str]

    def checkout(self, name: str, ref: str) -> Path:
        place = self.folder / name
        shutil.rmtree(place, ignore_errors=True)
        git(self.folder, "clone", "-q", "-b", ref, str(self.world.forge.git_dir), str(place))
        return place

    def act(self, workspace: Path, secrets: Mapping[str, str], **variables: str) -> str:
        event = self.folder / "event.json"
        event.write_text(json.dumps({"schedule": "0 6 * * 1", "workflow": ".github/workflows/notebooks.yml"}), encoding="utf-8")
        environ = {
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": str(workspace),
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "GITHUB_EVENT_NAME": "schedule",
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_REF": "refs/heads/main",
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_API_URL": self.world.forge.address,
            "GITHUB_SERVER_URL": "https://github.example",
            "GITHUB_RUN_ID": "42",
            "INPUT_FAIL-ON": "never",
            **variables,
        }
        (self.folder / "output").unlink(missing_ok=True)
        code = run_action(environ, secrets)
        printed = self.printed.readouterr().out
        assert code == 0, printed
        return printed

    def run(self, ref: str = "main", command: str = "fix") -> Path:
        """Run the notebooks without any token and return the output folder."""
        workspace = self.checkout("run", ref)
        self.act(workspace, {}, INPUT_MODE="run", INPUT_SANDBOX="off", INPUT_COMMAND=command, INPUT_JOBS="1")
        return workspace / ".modernizer"

    def publish(self, artifact: Path) -> str:
        """Publish an artifact in a checkout of its own and return what was printed."""
        workspace = self.checkout("publish", "main")
        shutil.copytree(artifact, workspace / ".modernizer")
        return self.act(workspace, {"INPUT_TOKEN": TOKEN}, INPUT_MODE="publish")

    def verdicts(self, artifact: Path) -> dict[str, str]:
        results = json.loads((artifact / "results.json").read_text(encoding="utf-8"))
        return {item["path"]: (item["after"] or item["before"])["verdict"] for item in results["notebooks"]}


@pytest.mark.timeout(900)
def test_from_a_scheduled_run_to_the_merged_repair_and_its_badge(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    job = Job(world, tmp_path / "runner", capsys)
    job.folder.mkdir()
    git(world.root, "rm", "-q", "-r", ".")
    world.commit({"first.ipynb": FIRST, "requirements.txt": b"numpy==1.14.2\n"})

    # A broken repository becomes a pull request, and what it holds is repaired when it is run again.
    artifact = job.run()
    printed = job.publish(artifact)
    assert "Pull request 1 created" in printed
    assert not re.search("^::(error|warning|notice) ", printed, re.MULTILINE)
    assert "Pull request 1 created" in (job.folder / "summary").read_text(encoding="utf-8")
    assert "pull-request-number<<" in (job.folder / "output").read_text(encoding="utf-8")
    (pull,) = world.forge.pulls
    assert pull["draft"]
    assert "| `requirements.txt` | `numpy==1.14.2` | `2" in pull["body"]
    patch = artifact / "patches" / "first.ipynb.patch"
    applied = job.checkout("applied", "main")
    git(applied, "apply", str(patch))
    assert (applied / "first.ipynb").read_bytes() == world.file(BRANCH, "first.ipynb")
    assert world.forge.git("diff", "--name-only", f"main...{BRANCH}") == "first.ipynb"
    assert job.verdicts(job.run(BRANCH, "check")) == {"first.ipynb": "reproduced"}
    assert json.loads(world.file("modernizer-badge", "badge.json"))["message"].startswith("0/1 ")

    # The next run updates it in place.
    world.commit({"second.ipynb": SECOND})
    artifact = job.run()
    assert "Pull request 1 updated" in job.publish(artifact)
    assert world.forge.git("diff", "--name-only", f"main...{BRANCH}").split() == ["first.ipynb", "second.ipynb"]

    # A person's commit is respected.
    mine = world.push(BRANCH, "CHANGES.md", b"Repaired.\n")
    assert "somebody else committed" in job.publish(artifact)
    assert world.forge.head(BRANCH) == mine

    # Merged, the badge says so, and nothing is proposed any more.
    world.merge(1)
    artifact = job.run()
    assert job.verdicts(artifact) == {"first.ipynb": "reproduced", "second.ipynb": "reproduced"}
    job.publish(artifact)
    assert json.loads(world.file("modernizer-badge", "badge.json"))["message"].startswith("2/2 reproduced")
    assert len(world.forge.pulls) == 1
    history = [json.loads(line) for line in world.file("modernizer-badge", "history.jsonl").splitlines()]
    assert [line["good"] for line in history] == [0, 0, 2]
    assert TOKEN not in "".join(
        path.read_text(encoding="utf-8", errors="replace") for path in artifact.rglob("*") if path.is_file()
    )
