from __future__ import annotations

import re
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


def steps(file: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    jobs = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"].values()
    return [(job, step) for job in jobs for step in job["steps"]]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_workflow_to_copy_grants_each_job_only_what_it_names_and_keeps_no_credentials(file: Path) -> None:
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
        if step["uses"] == OURS:
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
