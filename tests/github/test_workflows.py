from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "docs" / "workflows").glob("*.yml"))
INPUTS = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
OURS = "OWNER/notebook-modernizer@VERSION"
# The project's own, and what they are copies of.
WORKFLOWS = ROOT / ".github" / "workflows"
OWN = {
    "notebooks.yml": "schedule.yml",
    "notebooks-pull-request.yml": "pull-request.yml",
    "notebooks-comment.yml": "comment.yml",
    "notebooks-badge.yml": "badge.yml",
}
LOCAL = ("./", "./.program")
CHECKOUT = {"persist-credentials": False}


def steps(file: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    jobs = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"].values()
    return [(job, step) for job in jobs for step in job["steps"]]


def without_the_checkout_of_the_program(job: dict[str, Any]) -> list[dict[str, Any]]:
    """Name the steps as in the documentation; without ``ref`` the default branch is checked out."""
    kept = []
    for step in job["steps"]:
        given = step.get("with", {})
        if step["uses"] in LOCAL:
            step["uses"] = OURS
            if given.get("paths") == "examples":
                del given["paths"]
        elif given == {"persist-credentials": False, "path": ".program"} or (given, job["name"]) == (CHECKOUT, "badge"):
            continue
        kept.append(step)
    return kept


@pytest.mark.parametrize("file", [*FILES, *(WORKFLOWS / name for name in OWN)], ids=lambda file: file.name)
def test_a_workflow_grants_each_job_only_what_it_names_and_keeps_no_credentials(file: Path) -> None:
    whole = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert whole["permissions"] == {}
    assert "concurrency" in whole
    for job in whole["jobs"].values():
        assert job["permissions"]
        assert job["timeout-minutes"]
    for job, step in steps(file):
        given = step.get("with", {})
        if "checkout" in step["uses"]:
            assert given["persist-credentials"] is False
        if step["uses"] in (OURS, *LOCAL):
            assert given.keys() <= INPUTS.keys()
            writes = "write" in job["permissions"].values()
            assert ("token" in given) == writes
            assert not (writes and given["mode"] == "run")
        else:
            assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", step["uses"])


def test_the_workflows_have_no_findings_once_our_own_action_is_pinned(tmp_path: Path) -> None:
    for file in FILES:
        text = file.read_text(encoding="utf-8").replace(OURS, f"octo-org/notebook-modernizer@{'a' * 40}")
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    tool = Path(sysconfig.get_path("scripts")) / "zizmor"
    done = subprocess.run(
        [tool, "--offline", "--pedantic", "--quiet", *sorted(tmp_path.glob("*.yml"))], check=False, capture_output=True
    )
    assert done.returncode == 0, done.stdout.decode()


@pytest.mark.parametrize(("own", "name"), OWN.items())
def test_our_own_workflows_are_those_of_the_documentation_but_for_where_the_action_comes_from(own: str, name: str) -> None:
    ours = yaml.safe_load((WORKFLOWS / own).read_text(encoding="utf-8"))
    for job in ours["jobs"].values():
        job["steps"] = without_the_checkout_of_the_program(job)
    if ask := ours["jobs"].get("ask"):
        del ask["permissions"]["contents"]
        assert ask["steps"].pop(0)["with"] == CHECKOUT
    assert ours == yaml.safe_load((ROOT / "docs" / "workflows" / name).read_text(encoding="utf-8"))


def test_a_command_runs_only_the_program_of_the_default_branch() -> None:
    jobs = yaml.safe_load((WORKFLOWS / "notebooks-comment.yml").read_text(encoding="utf-8"))["jobs"]
    for job in jobs.values():
        checkout, action = next(pair for pair in itertools.pairwise(job["steps"]) if pair[1]["uses"] in LOCAL)
        assert "ref" not in checkout["with"]
        assert action["uses"] == "./" + checkout["with"].get("path", "")


def test_a_remark_can_t_take_the_place_of_a_command_that_waits() -> None:
    for file in (ROOT / "docs" / "workflows" / "comment.yml", WORKFLOWS / "notebooks-comment.yml"):
        whole = yaml.safe_load(file.read_text(encoding="utf-8"))
        asked = re.search(r"startsWith\(github\.event\.comment\.body, '[^']*'\)", whole["jobs"]["ask"]["if"])
        assert asked
        assert whole["concurrency"]["group"] == (
            f"notebook-commands-${{{{ {asked[0]} && github.event.issue.number || github.run_id }}}}"
        )


def release_step(name: str) -> str:
    [step] = [step for _, step in steps(WORKFLOWS / "release.yml") if step.get("name") == name]
    return str(step["run"])


def test_a_release_names_the_image_by_digest_in_the_action(tmp_path: Path) -> None:
    before = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    shutil.copy(ROOT / "action.yml", tmp_path)
    image = f"ghcr.io/octo-org/notebook-modernizer@sha256:{'0' * 64}"
    script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", release_step("Pin the image")]
    subprocess.run(script, cwd=tmp_path, env={**os.environ, "IMAGE": image}, check=True)
    after = yaml.safe_load((tmp_path / "action.yml").read_text(encoding="utf-8"))
    assert after["runs"].pop("image") == f"docker://{image}"
    assert before["runs"].pop("image") == "Dockerfile"
    assert after == before


def test_what_releases_is_pinned_and_only_the_image_job_can_push_or_sign() -> None:
    whole = yaml.safe_load((WORKFLOWS / "release.yml").read_text(encoding="utf-8"))
    assert whole["permissions"] == {}
    assert {
        name: {key for key, value in job["permissions"].items() if value == "write"} for name, job in whole["jobs"].items()
    } == {
        "image": {"packages", "id-token", "attestations"},
        "tag": {"contents"},
    }
    for _, step in steps(WORKFLOWS / "release.yml"):
        assert "run" in step or re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", step["uses"])
        assert "${{" not in step.get("run", "")
