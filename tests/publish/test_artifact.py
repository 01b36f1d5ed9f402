from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from modernizer import artifact
from modernizer.artifact import ArtifactError, check_artifact
from modernizer.cli import main
from modernizer.errors import ModernizerError, UsageError
from modernizer.repair.model.files import AUDIT
from modernizer.repair.outcome import Fix, Repair
from modernizer.repair.patch import unified_patch
from modernizer.report.results import NotebookResult, RunResult
from modernizer.report.write import prepare, write_all
from modernizer.verdict.outcome import Outcome

NOTEBOOK = "work/ä lab.ipynb"
MODULE = "work/lab_tools.py"


def notebook(source: str, *, output: str = "1\n") -> bytes:
    outputs = [{"name": "stdout", "output_type": "stream", "text": [output]}]
    cells = [{"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": outputs, "source": [source]}]
    return (json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}, indent=1) + "\n").encode()


BEFORE = {NOTEBOOK: notebook("print(np.float(1))"), MODULE: b"import numpy as np\nx = np.float\n"}
AFTER = {NOTEBOOK: notebook("print(float(1))"), MODULE: b"import numpy as np\nx = float\n"}


def git(folder: Path, *args: str) -> str:
    settings = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *settings, *args], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def patch_of(changes: Mapping[str, tuple[bytes, bytes]]) -> str:
    return unified_patch(changes).decode("utf-8", "surrogateescape")


@dataclass(frozen=True)
class Case:
    """A repository, the output folder of a run on it, and that run."""

    root: Path
    out: Path
    run: RunResult

    def write(self, run: RunResult) -> None:
        prepare(self.out)
        write_all(self.out, run, executed={NOTEBOOK: AFTER[NOTEBOOK]}, locks={})

    def with_patch(self, patch: str, after: Outcome = Outcome("ran")) -> None:  # noqa: B008 (frozen)
        """Write a run whose only patch is another one."""
        result = self.run.notebooks[0]
        assert result.repair is not None
        result = replace(result, after=after, repair=replace(result.repair, patch=patch))
        self.write(replace(self.run, notebooks=(result,)))


@pytest.fixture
def case(tmp_path: Path) -> Case:
    root = tmp_path / "repository"
    files = {**BEFORE, ".github/workflows/ci.yml": b"on: push\n", "setup.cfg": b"[x]\n"}
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "first")
    repair = Repair(
        (Fix("error-repair", "recipe:numpy-aliases", (0,), 1, "np.float was float", (MODULE,)),),
        stopped="good",
        patch=patch_of({name: (BEFORE[name], AFTER[name]) for name in BEFORE}),
    )
    result = NotebookResult(NOTEBOOK, None, None, Outcome("broken"), Outcome("ran"), repair)
    run = RunResult(
        "2026-12-01T06:00:00+00:00",
        "2026-12-01T06:01:00+00:00",
        "modernizer fix",
        notebooks=(result,),
        commit=git(root, "rev-parse", "HEAD"),
    )
    made = Case(root, tmp_path / "out", run)
    made.write(run)
    return made


def test_what_a_run_left_is_proposed_with_the_new_content_of_each_file(case: Case) -> None:
    checked = check_artifact(case.out, case.root)
    (proposal,) = checked.proposals
    assert proposal.notebook == NOTEBOOK
    assert set(proposal.files) == {NOTEBOOK, MODULE}
    assert b"print(float(1))" in proposal.files[NOTEBOOK]
    assert proposal.files[MODULE] == b"import numpy as np\nx = float\n"
    assert checked.held_back == ()
    assert (case.root / MODULE).read_bytes() == b"import numpy as np\nx = np.float\n"


def test_the_log_of_calls_to_a_model_belongs_to_a_run(case: Case) -> None:
    (case.out / AUDIT).write_text("{}\n", encoding="utf-8")
    assert len(check_artifact(case.out, case.root).proposals) == 1


def test_a_work_tree_of_another_user_with_hostile_git_settings_is_read_all_the_same(case: Case, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    for name, value in {"core.fsmonitor": f"touch {ran}", "diff.external": f"touch {ran}", "core.hooksPath": "hooks"}.items():
        git(case.root, "config", name, value)
    (case.root / ".gitattributes").write_text("* filter=evil diff=evil\n", encoding="utf-8")
    git(case.root, "config", "filter.evil.smudge", f"touch {ran}")
    if os.geteuid() == 0:
        subprocess.run(["chown", "-R", "12345", case.root], check=True)
    assert len(check_artifact(case.out, case.root).proposals) == 1
    assert not ran.exists()


@pytest.mark.parametrize("name", ["extra.txt", "patches/other.ipynb.patch", "notebooks/x.py", ".hidden", "locks/a.txt"])
def test_a_file_that_the_results_do_not_speak_of_is_refused(case: Case, name: str) -> None:
    (case.out / name).parent.mkdir(exist_ok=True)
    (case.out / name).write_text("x", encoding="utf-8")
    with pytest.raises(ArtifactError, match="says nothing"):
        check_artifact(case.out, case.root)


@pytest.mark.parametrize("name", ["report.md", "results.json", "patches"])
def test_a_symbolic_link_is_refused_before_anything_is_read(case: Case, name: str, tmp_path: Path) -> None:
    (case.out / name).rename(tmp_path / "elsewhere")
    (case.out / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ArtifactError, match="neither a file nor a folder"):
        check_artifact(case.out, case.root)


def test_a_pipe_and_a_folder_that_is_a_link_are_refused(case: Case, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(case.out)
    with pytest.raises(ArtifactError, match="no folder"):
        check_artifact(tmp_path / "link", case.root)
    os.mkfifo(case.out / "junit.xml.2")
    with pytest.raises(ArtifactError, match="neither a file"):
        check_artifact(case.out, case.root)


def test_results_of_another_commit_are_refused(case: Case) -> None:
    git(case.root, "commit", "-q", "--allow-empty", "-m", "second")
    with pytest.raises(ArtifactError, match="is checked out"):
        check_artifact(case.out, case.root)


def test_results_without_a_commit_and_a_folder_without_one_are_refused(case: Case, tmp_path: Path) -> None:
    case.write(replace(case.run, commit=""))
    with pytest.raises(ArtifactError, match="results of no commit"):
        check_artifact(case.out, case.root)
    (tmp_path / "empty").mkdir()
    with pytest.raises(ArtifactError, match="no commit is checked out"):
        check_artifact(case.out, tmp_path / "empty")


@pytest.mark.parametrize(
    ("limit", "value"), [("MAX_FILES", 2), ("MAX_BYTES", 1000), ("MAX_PATCH", 100), ("MAX_RESULTS", 100), ("MAX_NOTEBOOKS", 0)]
)
def test_too_many_and_too_large_files_are_refused(case: Case, limit: str, value: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artifact, limit, value)
    with pytest.raises(ArtifactError, match=r"more than|larger than"):
        check_artifact(case.out, case.root)


def test_results_that_break_the_schema_are_refused(case: Case) -> None:
    data = json.loads((case.out / "results.json").read_text(encoding="utf-8"))
    data["commit"] = "main; rm -rf"
    (case.out / "results.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(UsageError, match="commit"):
        check_artifact(case.out, case.root)


def test_two_results_for_one_notebook_are_refused(case: Case) -> None:
    case.write(replace(case.run, notebooks=case.run.notebooks * 2))
    with pytest.raises(ArtifactError, match="two results"):
        check_artifact(case.out, case.root)


@pytest.mark.parametrize(
    "name",
    [".github/workflows/ci.yml", "setup.cfg", "../outside.py", "/etc/passwd", "work/other.ipynb", ".git/hooks/x.py", "a/../b.py"],
)
def test_a_patch_of_any_other_file_is_refused(case: Case, name: str) -> None:
    fix = replace(case.run.notebooks[0].repair.fixes[0], files=(name,))
    repair = replace(case.run.notebooks[0].repair, fixes=(fix,), patch=patch_of({name: (b"on: push\n", b"on: evil\n")}))
    case.write(replace(case.run, notebooks=(replace(case.run.notebooks[0], repair=repair),)))
    with pytest.raises(ModernizerError, match="in a way that no repair does"):
        check_artifact(case.out, case.root)


@pytest.mark.parametrize(
    "patch",
    [
        f"diff --git a/{MODULE} b/{MODULE}\nold mode 100644\nnew mode 100755\n",
        f"diff --git a/{MODULE} b/{MODULE}\nnew mode 120000\n--- a/{MODULE}\n+++ b/{MODULE}\n@@ -1 +1 @@\n-a\n+b\n",
        f"diff --git a/{MODULE} b/x.py\nsimilarity index 90%\nrename from {MODULE}\nrename to x.py\n",
        f"diff --git a/{MODULE} b/{MODULE}\ndeleted file mode 100644\n--- a/{MODULE}\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
        "diff --git a/new.py b/new.py\nnew file mode 100644\n--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+a\n",
        f"diff --git a/{MODULE} b/{MODULE}\nindex 1..2 100644\nGIT binary patch\nliteral 2\nJcmZQzU|;|M00aO5\n",
        f"--- a/{MODULE}\n+++ b/{MODULE}\n@@ -2 +2 @@\n-x = np.float\n+x = float\n",
        f"diff --git a/{MODULE} b/{MODULE}\n--- a/{MODULE}\n+++ b/setup.cfg\n@@ -2 +2 @@\n-x = np.float\n+x = float\n",
        "not a patch",
        "--- a\n+++ b\n@@ -1,9 +1,9 @@\n-a\n",
    ],
    ids=["mode", "link", "rename", "delete", "create", "binary", "no-header", "two-names", "text", "cut"],
)
def test_a_patch_that_does_more_than_change_lines_is_refused(case: Case, patch: str) -> None:
    case.with_patch(patch)
    with pytest.raises(ModernizerError, match="the patch"):
        check_artifact(case.out, case.root)


def test_a_patch_with_something_between_its_files_is_refused(case: Case) -> None:
    case.with_patch(case.run.notebooks[0].repair.patch + "diff --git a/setup.cfg b/setup.cfg\nold mode 100644\nnew mode 100755\n")
    with pytest.raises(ModernizerError, match="the patch"):
        check_artifact(case.out, case.root)


@pytest.mark.parametrize("old", [b'"1\\n"', b'"metadata": {}', b'"code"'], ids=["output", "metadata", "type"])
def test_a_patch_of_more_than_a_notebooks_code_is_refused(case: Case, old: bytes) -> None:
    before = (case.root / NOTEBOOK).read_bytes()
    new = {b'"1\\n"': b'"2\\n"', b'"metadata": {}': b'"metadata": {"x": 1}', b'"code"': b'"raw"'}[old]
    case.with_patch(patch_of({NOTEBOOK: (before, before.replace(old, new))}))
    with pytest.raises(ModernizerError, match="more than the code"):
        check_artifact(case.out, case.root)


def test_a_module_that_is_a_symbolic_link_in_the_commit_is_refused(case: Case) -> None:
    (case.root / MODULE).unlink()
    (case.root / MODULE).symlink_to("../.github/workflows/ci.yml")
    git(case.root, "add", ".")
    git(case.root, "commit", "-q", "-m", "link")
    case.write(replace(case.run, commit=git(case.root, "rev-parse", "HEAD")))
    with pytest.raises(ModernizerError, match="no regular file"):
        check_artifact(case.out, case.root)


def test_a_patch_that_does_not_apply_is_held_back_with_the_reason(case: Case) -> None:
    case.with_patch(patch_of({MODULE: (b"something else\n", b"changed\n")}))
    checked = check_artifact(case.out, case.root)
    assert checked.proposals == ()
    assert "does not apply" in checked.held_back[0]


def test_a_notebook_of_a_submodule_is_held_back(case: Case) -> None:
    git(case.root, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},part")
    git(case.root, "commit", "-q", "-m", "submodule")
    first = case.run.notebooks[0]
    inside = "part/lab.ipynb"
    repair = replace(first.repair, patch=patch_of({inside: (BEFORE[NOTEBOOK], AFTER[NOTEBOOK])}))
    lab = replace(first, path=inside, repair=repair)
    case.write(replace(case.run, notebooks=(first, lab), commit=git(case.root, "rev-parse", "HEAD")))
    checked = check_artifact(case.out, case.root)
    assert [proposal.notebook for proposal in checked.proposals] == [NOTEBOOK]
    assert checked.held_back == (f"{inside}: {inside} is not in the commit, such as a file of a submodule",)


def test_a_repair_without_proof_is_held_back(case: Case) -> None:
    case.with_patch(case.run.notebooks[0].repair.patch, after=Outcome("broken"))
    assert "not proven" in check_artifact(case.out, case.root).held_back[0]


def test_of_two_repairs_that_disagree_about_a_module_the_second_is_held_back(case: Case) -> None:
    first = case.run.notebooks[0]
    other = b"import numpy as np\nx = int\n"
    repair = replace(first.repair, patch=patch_of({MODULE: (BEFORE[MODULE], other)}))
    second = NotebookResult("work/z.ipynb", None, None, Outcome("broken"), Outcome("ran"), repair)
    case.write(replace(case.run, notebooks=(first, second)))
    checked = check_artifact(case.out, case.root)
    assert [proposal.notebook for proposal in checked.proposals] == [NOTEBOOK]
    assert checked.held_back == ("work/z.ipynb: another notebook repairs the same module differently",)


def test_the_command_says_what_would_be_proposed(
    case: Case, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(case.root)
    with pytest.raises(SystemExit) as ended:
        main(["publish", str(case.out)])
    assert ended.value.code == 0
    printed = capsys.readouterr().out
    assert "Proposed: 1 repaired notebook\n" in printed
    assert f"{NOTEBOOK}, {MODULE}" in printed


def test_the_command_refuses_an_artifact_with_the_reason(
    case: Case, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (case.out / "evil.sh").write_text("x", encoding="utf-8")
    monkeypatch.chdir(case.root)
    with pytest.raises(SystemExit) as ended:
        main(["publish", str(case.out)])
    assert ended.value.code == 2
    assert "evil.sh" in capsys.readouterr().err
