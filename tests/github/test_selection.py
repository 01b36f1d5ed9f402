from __future__ import annotations

import json
from pathlib import Path

import pytest
from forge import REPOSITORY, TOKEN
from hosted import World, broken, git, notebook

from modernizer.action.job import run_action
from modernizer.discovery import Found
from modernizer.errors import UsageError
from modernizer.github.context import read_context
from modernizer.github.selection import changed_files, concerned

FILES = {
    "plain.ipynb": notebook("print(1)"),
    "user.ipynb": notebook("import tools", "tools.f()"),
    "deep/user.ipynb": notebook("from lib.inner import g"),
    "tools.py": b"import other\n",
    "other.py": b"x = 1\n",
    "lib/__init__.py": b"",
    "lib/inner.py": b"def g(): pass\n",
    "requirements.txt": b"numpy\n",
}


@pytest.fixture
def base(world: World) -> str:
    git(world.root, "rm", "-q", "-r", ".")
    return world.commit(FILES)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("plain.ipynb", ["plain.ipynb"]),
        ("tools.py", ["user.ipynb"]),
        ("other.py", ["user.ipynb"]),
        ("lib/inner.py", ["deep/user.ipynb"]),
        ("README.md", []),
        ("requirements.txt", ["deep/user.ipynb", "plain.ipynb", "user.ipynb"]),
        (".modernizer.yml", ["deep/user.ipynb", "plain.ipynb", "user.ipynb"]),
    ],
)
def test_a_pull_request_concerns_what_it_changes_and_what_imports_that(
    world: World, base: str, changed: str, expected: list[str]
) -> None:
    world.commit({changed: FILES.get(changed, b"") + b"\n"})
    names = changed_files(world.root, base)
    assert names == {changed}
    found = [Found(name) for name in sorted(FILES) if name.endswith(".ipynb")]
    assert concerned(found, names, world.root) == expected


def test_what_the_base_changed_meanwhile_is_not_the_pull_requests(world: World, base: str) -> None:
    git(world.root, "checkout", "-q", "-b", "work")
    world.add({"plain.ipynb": notebook("print(2)")})
    git(world.root, "checkout", "-q", "-B", "main", base)
    moved = world.commit({"other.py": b"x = 2\n"})
    git(world.root, "checkout", "-q", "work")
    assert changed_files(world.root, moved) == {"plain.ipynb"}


@pytest.mark.parametrize("commit", ["", "main", "0" * 40, "--output=x"])
def test_a_base_that_is_not_there_can_not_tell(world: World, base: str, commit: str) -> None:
    assert changed_files(world.root, commit) is None


def variables(world: World, event: str, payload: dict[str, object]) -> dict[str, str]:
    file = world.out.parent / "event.json"
    file.write_text(json.dumps(payload), encoding="utf-8")
    return {
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(world.root),
        "GITHUB_OUTPUT": str(world.out.parent / "output"),
        "GITHUB_EVENT_NAME": event,
        "GITHUB_EVENT_PATH": str(file),
        "GITHUB_REF": "refs/pull/1/merge",
        "GITHUB_REPOSITORY": REPOSITORY,
        "GITHUB_API_URL": world.forge.address,
        "INPUT_SANDBOX": "off",
    }


def test_the_action_runs_nothing_for_a_pull_request_without_notebooks(
    world: World, base: str, capsys: pytest.CaptureFixture[str]
) -> None:
    world.commit({"README.md": b"hello\n"})
    payload = {"pull_request": {"number": 1, "base": {"sha": base}, "head": {"sha": base, "repo": None}}}
    assert run_action(variables(world, "pull_request", payload), {}) == 0
    assert "concerns 0 of 3 notebooks" in capsys.readouterr().out
    results = json.loads((world.root / ".modernizer" / "results.json").read_text(encoding="utf-8"))
    assert results["notebooks"] == []


def test_the_action_reads_a_command_and_tells_it_to_the_next_job(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    world.pull({"new.ipynb": broken("new")})
    world.review(world.run(["new.ipynb"]))
    world.forge.permissions["ada"] = "admin"
    payload = {
        "action": "created",
        "issue": {"number": 1, "pull_request": {}},
        "comment": {"id": 5, "body": "/modernize retry new.ipynb", "user": {"login": "ada"}},
        "repository": {"default_branch": "main"},
    }
    environ = variables(world, "issue_comment", payload) | {"INPUT_MODE": "command"}
    assert run_action(environ, {"INPUT_TOKEN": TOKEN}) == 0
    told = (world.out.parent / "output").read_text(encoding="utf-8")
    assert "\nretry\n" in told
    assert f"\n{git(world.root, 'rev-parse', 'HEAD')}\n" in told
    world.add({"other.txt": b"x"})
    assert run_action(environ, {"INPUT_TOKEN": TOKEN}) == 2
    assert "has moved since the last review" in capsys.readouterr().out
    assert world.forge.reactions == [(5, "eyes"), (5, "confused")]
    world.forge.permissions["ada"] = "read"
    assert run_action(environ, {"INPUT_TOKEN": TOKEN}) == 2
    assert "may not write to this repository" in capsys.readouterr().out
    assert len(world.forge.reactions) == 2


def test_a_context_without_a_workflow_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        read_context({})
    broken_event = tmp_path / "event.json"
    broken_event.write_text("{", encoding="utf-8")
    with pytest.raises(UsageError, match="can't be read"):
        read_context({"GITHUB_REPOSITORY": REPOSITORY, "GITHUB_EVENT_PATH": str(broken_event)})
