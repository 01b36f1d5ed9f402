from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from modernizer.config import Config
from modernizer.discovery import Found, discover, find_root
from modernizer.errors import UsageError


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    for name in ("b.ipynb", "a.ipynb", "deep/er/c.ipynb", "archive/old.ipynb", "notes.txt", "script.py"):
        touch(root, name)
    return root


def touch(root: Path, name: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}")
    return path


def paths(found: list[Found]) -> list[str]:
    return [item.path for item in found]


def test_all_notebooks_of_the_repository_are_found_in_order(repo: Path) -> None:
    assert paths(discover(repo, [], Config())) == ["a.ipynb", "archive/old.ipynb", "b.ipynb", "deep/er/c.ipynb"]


def test_globs_choose_and_excludes_leave_out(repo: Path) -> None:
    config = Config(notebooks=("*.ipynb", "archive/**"), exclude=("b.ipynb", "archive"))
    assert paths(discover(repo, [], config)) == ["a.ipynb"]


def test_a_file_that_is_named_itself_is_taken_whatever_the_excludes_say(repo: Path) -> None:
    config = Config(exclude=("archive/**",))
    assert discover(repo, [repo / "archive/old.ipynb"], config) == [Found("archive/old.ipynb", named=True)]


def test_a_folder_restricts_the_search(repo: Path) -> None:
    assert paths(discover(repo, [repo / "deep", repo / "a.ipynb"], Config())) == ["a.ipynb", "deep/er/c.ipynb"]


def test_paths_are_relative_to_the_current_folder(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repo / "deep")
    assert paths(discover(repo, [Path("er"), Path("../a.ipynb")], Config())) == ["a.ipynb", "deep/er/c.ipynb"]


@pytest.mark.parametrize(
    "name",
    [
        ".ipynb_checkpoints/a-checkpoint.ipynb",
        "deep/.ipynb_checkpoints/a-checkpoint.ipynb",
        ".git/x.ipynb",
        ".tox/x.ipynb",
        "node_modules/pkg/x.ipynb",
        "env/lib/python3.13/site-packages/pkg/x.ipynb",
        ".modernizer/notebooks/a.ipynb",
    ],
)
def test_folders_of_tools_are_not_searched(repo: Path, name: str) -> None:
    touch(repo, name)
    assert len(discover(repo, [], Config())) == 4


@pytest.mark.parametrize("mark", ["pyvenv.cfg", "conda-meta/history"])
def test_virtual_environments_are_recognised_by_what_they_hold(repo: Path, mark: str) -> None:
    touch(repo, f"my-env/{mark}")
    touch(repo, "my-env/share/x.ipynb")
    assert len(discover(repo, [], Config())) == 4


def test_the_output_folder_is_not_searched_nor_an_earlier_one(repo: Path) -> None:
    touch(repo, "out/notebooks/a.ipynb")
    touch(repo, "earlier/notebooks/a.ipynb")
    (repo / "earlier/results.json").write_text('{"schema": 1, "tool": {"name": "notebook-modernizer"}}')
    touch(repo, "data/results.json")
    touch(repo, "data/x.ipynb")
    found = paths(discover(repo, [], Config(), out=repo / "out"))
    assert found == ["a.ipynb", "archive/old.ipynb", "b.ipynb", "data/x.ipynb", "deep/er/c.ipynb"]


def test_an_output_folder_around_the_repository_hides_nothing(repo: Path) -> None:
    assert len(discover(repo, [], Config(), out=repo)) == 4


def test_symbolic_links_out_of_the_repository_are_not_followed(repo: Path) -> None:
    outside = touch(repo.parent, "outside/secret.ipynb")
    (repo / "link").symlink_to(outside.parent)
    (repo / "link.ipynb").symlink_to(outside)
    (repo / "dangling.ipynb").symlink_to("nowhere")
    assert len(discover(repo, [], Config())) == 4
    with pytest.raises(UsageError, match="outside the repository"):
        discover(repo, [repo / "link.ipynb"], Config())


def test_a_file_reached_by_several_ways_is_found_once(repo: Path) -> None:
    (repo / "deep/loop").symlink_to(repo)
    (repo / "alias.ipynb").symlink_to("a.ipynb")
    (repo / "into-git").symlink_to(".git")
    touch(repo, ".git/x.ipynb")
    assert paths(discover(repo, [repo, repo / "deep", repo / "alias.ipynb"], Config())) == [
        "a.ipynb",
        "archive/old.ipynb",
        "b.ipynb",
        "deep/er/c.ipynb",
    ]


def test_only_files_count(repo: Path) -> None:
    (repo / "folder.ipynb").mkdir()
    os.mkfifo(repo / "pipe.ipynb")
    assert len(discover(repo, [], Config())) == 4


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("gone.ipynb", "gone.ipynb: the path does not exist"),
        ("gone", "the path does not exist"),
        ("notes.txt", "the file is not a notebook"),
        ("script.py", "the file is not a notebook"),
        ("..", "the path is outside the repository"),
        ("x" * 300, "can't be read: File name too long"),
    ],
)
def test_a_path_that_can_not_be_meant_is_refused(repo: Path, name: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        discover(repo, [repo / name], Config())


def test_nothing_found_says_what_was_looked_for(tmp_path: Path) -> None:
    touch(tmp_path, "archive/a.ipynb")
    with pytest.raises(UsageError) as raised:
        discover(tmp_path, [], Config(notebooks=("docs/*.ipynb", "archive/*"), exclude=("archive",)))
    assert "no notebooks found; looked for docs/*.ipynb, archive/*" in str(raised.value)
    assert "1 excluded by 'archive'" in str(raised.value)


def test_an_output_folder_that_hides_everything_is_named(tmp_path: Path) -> None:
    touch(tmp_path, "examples/a.ipynb")
    with pytest.raises(UsageError, match="the output folder examples is not searched"):
        discover(tmp_path, [], Config(), out=tmp_path / "examples")


def test_a_file_name_that_is_not_utf8_is_a_problem_and_the_others_are_found(repo: Path) -> None:
    Path(os.fsdecode(os.fsencode(repo) + b"/bad\xff.ipynb")).write_text("{}")
    problems: list[str] = []
    assert len(discover(repo, [], Config(), report_problem=problems.append)) == 4
    assert problems == ["bad\\udcff.ipynb: the file name is not valid UTF-8"]


def test_a_file_name_with_a_backslash_which_results_can_not_hold_is_a_problem(repo: Path) -> None:
    touch(repo, "a\\b.ipynb")
    problems: list[str] = []
    assert len(discover(repo, [], Config(), report_problem=problems.append)) == 4
    assert "holds a backslash" in problems[0]


@contextmanager
def as_nobody() -> Iterator[None]:
    """Root reads everything; give up that right for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("mode", [0o000, 0o400])
def test_an_unreadable_folder_is_told_and_the_others_are_searched(mode: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        touch(root, "a.ipynb")
        touch(root, "closed/b.ipynb")
        if os.geteuid() == 0:
            os.chown(root / "closed", 65534, 65534)
        (root / "closed").chmod(mode)
        problems: list[str] = []
        try:
            with as_nobody():
                found = discover(root, [], Config(), report_problem=problems.append)
                with pytest.raises(UsageError, match="can't be read: Permission denied"):
                    discover(root, [root / "closed"], Config(), report_problem=problems.append)
        finally:
            (root / "closed").chmod(0o755)
    assert paths(found) == ["a.ipynb"]
    assert "closed" in problems[0]
    assert "Permission denied" in problems[0]


@pytest.mark.parametrize("git", ["folder", "file"])
def test_the_root_is_the_top_of_the_work_tree(repo: Path, git: str) -> None:
    if git == "folder":
        (repo / ".git").mkdir()
    else:
        (repo / ".git").write_text("gitdir: elsewhere")
    assert find_root([repo / "deep/er/c.ipynb"]) == repo.resolve()
    assert find_root([repo / "deep", repo / "a.ipynb"]) == repo.resolve()


def test_without_git_the_root_is_the_folder_the_paths_share(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = repo.resolve()
    assert find_root([repo / "deep/er/c.ipynb"]) == real / "deep/er"
    assert find_root([repo / "deep/er/c.ipynb", repo / "archive"]) == real
    monkeypatch.chdir(repo)
    assert find_root([]) == real


def test_paths_that_share_nothing_have_no_root(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="share no folder"):
        find_root([tmp_path, Path("/usr")])
