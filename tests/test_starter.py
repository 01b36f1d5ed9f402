from __future__ import annotations

from pathlib import Path

import pytest

from modernizer.cli import main
from modernizer.config import load_config
from modernizer.errors import UsageError
from modernizer.starter import PLACEHOLDER, start

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "modernizer" / "starter"
ACTION = f"octo-org/notebook-modernizer@{'a' * 40}"


def test_the_workflows_of_the_package_are_those_of_the_documentation() -> None:
    for file in (ROOT / "docs" / "workflows").glob("*.yml"):
        assert (PACKAGE / file.name).read_bytes() == file.read_bytes()


@pytest.mark.parametrize(
    ("quick", "names"),
    [
        (True, ["notebooks-badge.yml", "notebooks.yml"]),
        (False, ["notebooks-badge.yml", "notebooks-comment.yml", "notebooks-pull-request.yml", "notebooks.yml"]),
    ],
)
def test_workflows_and_a_valid_configuration_are_written(tmp_path: Path, names: list[str], *, quick: bool) -> None:
    started = start(tmp_path, action=ACTION, quick=quick)
    workflows = tmp_path / ".github" / "workflows"
    assert sorted(path.name for path in workflows.iterdir()) == names
    assert all(ACTION in path.read_text(encoding="utf-8") for path in workflows.iterdir())
    assert not any(PLACEHOLDER in path.read_text(encoding="utf-8") for path in workflows.iterdir())
    assert load_config(None, tmp_path).pull_request.draft
    assert started.kept == ()


def test_existing_files_are_kept(tmp_path: Path) -> None:
    (tmp_path / ".github" / "workflows").mkdir(parents=True)
    mine = tmp_path / ".github" / "workflows" / "notebooks.yml"
    mine.write_text("mine", encoding="utf-8")
    (tmp_path / ".modernizer.yaml").write_text("jobs: 1\n", encoding="utf-8")
    started = start(tmp_path, action=ACTION)
    assert mine.read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / ".modernizer.yml").exists()
    assert started.kept == (Path(".github/workflows/notebooks.yml"), Path(".modernizer.yaml"))


def test_a_workflow_folder_that_leads_elsewhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    root = tmp_path / "repository"
    root.mkdir()
    (root / ".github").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="leads out of the repository"):
        start(root, action=ACTION)
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("action", ["", "x", "a/b", "a/b@c d", "a/b@c\nrun: evil"])
def test_what_is_no_action_is_refused(tmp_path: Path, action: str) -> None:
    with pytest.raises(UsageError, match="is no action"):
        start(tmp_path, action=action)


def test_the_command_says_what_it_wrote_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["init", "--quick"])
    assert ended.value.code == 0
    printed = capsys.readouterr().out
    assert "wrote .github/workflows/notebooks.yml" in printed
    assert f"Replace {PLACEHOLDER}" in printed
