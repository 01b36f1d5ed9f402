"""The whole job on notebooks recorded in a 2018 environment: the right end for each, patches that git applies."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from modernizer.cli import main
from modernizer.report.results_json import schema

CASES = Path(__file__).parent / "cases"
KEY: dict[str, dict[str, Any]] = json.loads((CASES / "key.json").read_text())


def modernize(*args: str | Path) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(arg) for arg in args])
    return int(ended.value.code or 0)


def git(folder: Path, *args: str) -> str:
    settings = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *settings, *args], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def repository(folder: Path, pattern: str = "*") -> Path:
    """Make a repository of the cases that match."""
    folder.mkdir()
    for file in CASES.glob(pattern):
        if file.name != "key.json":
            shutil.copy(file, folder)
    (folder / ".modernizer.yml").write_text('overrides: [{match: "*.ipynb", as-of: 2018-06-01}]\n')
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "cases")
    return folder


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Repair all cases once; return the repository and the output folder."""
    base = tmp_path_factory.mktemp("cases")
    repo = repository(base / "repo")
    modernize("fix", repo, "--out", base / "out", "--model", "none", "--jobs", "2")
    return repo, base / "out"


def results_of(out: Path) -> dict[str, Mapping[str, Any]]:
    data = json.loads((out / "results.json").read_text())
    return {Path(result["path"]).stem: result for result in data["notebooks"]}


@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", sorted(KEY))
def test_each_case_ends_right(cases: tuple[Path, Path], name: str) -> None:
    repo, out = cases
    key, result = KEY[name], results_of(out)[name]
    final = result["after"] or result["before"]
    assert result["before"]["verdict"] in key["before"]
    assert final["verdict"] in key["after"], (result["before"]["error"], final)
    patch = out / "patches" / f"{name}.ipynb.patch"
    assert patch.exists() == bool(key.get("patched"))
    if key.get("untouched"):
        assert result["repair"] is None or not result["repair"]["fixes"]
    if patch.exists():
        git(repo, "apply", "--check", str(patch))
    if final["verdict"] == "blocked":
        assert result["repair"] is None


def test_the_users_files_are_untouched(cases: tuple[Path, Path]) -> None:
    repo, _ = cases
    assert git(repo, "status", "--porcelain") == ""


def test_a_patch_covers_the_local_module(cases: tuple[Path, Path]) -> None:
    _, out = cases
    patch = (out / "patches" / "c09_local_module.ipynb.patch").read_text()
    assert "+++ b/c09_helpers.py" in patch
    assert "c09_local_module.ipynb" not in patch


def test_the_output_folder_is_whole_and_valid(cases: tuple[Path, Path]) -> None:
    _, out = cases
    jsonschema.validate(json.loads((out / "results.json").read_text()), schema())
    for name in ("report.md", "report.html", "badge.json", "badge.svg", "junit.xml"):
        assert (out / name).stat().st_size > 0
    assert (out / "notebooks" / "c01_old_splitters.ipynb").exists()
    assert list((out / "locks").iterdir())


def test_applied_patches_reproduce_by_themselves(cases: tuple[Path, Path], tmp_path: Path) -> None:
    _, out = cases
    repo = repository(tmp_path / "again", "c0[17]*")
    for patch in (out / "patches").glob("c0[17]*"):
        git(repo, "apply", str(patch))
    assert modernize("check", repo, "--out", tmp_path / "out", "--jobs", "2") == 0
    assert {result["before"]["verdict"] for result in results_of(tmp_path / "out").values()} == {"reproduced"}


def test_write_applies_proven_repairs_only(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo", "c0[17]*")
    shutil.copy(CASES / "c12_unfinished.ipynb", repo)
    before = (repo / "c12_unfinished.ipynb").read_bytes()
    assert modernize("fix", repo, "--write", "--out", tmp_path / "out") == 1
    assert (repo / "c12_unfinished.ipynb").read_bytes() == before
    changed = git(repo, "diff", "--stat")
    assert "c01_old_splitters.ipynb" in changed
    assert "c07_one_dimensional.ipynb" in changed
    assert modernize("check", repo / "c01_old_splitters.ipynb", "--out", tmp_path / "second") == 0
