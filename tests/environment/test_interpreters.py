from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from modernizer.environment.interpreters import PREFERRED, ask, find_python
from modernizer.errors import ModernizerError

HERE = f"{sys.version_info.major}.{sys.version_info.minor}"


def script(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Leave one folder on the PATH, and no pyenv and no uv versions."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setenv("UV_PYTHON_INSTALL_DIR", str(tmp_path / "uv"))
    return tmp_path


def test_the_asked_version_is_found_and_runs() -> None:
    found = ask(find_python(HERE))
    assert found is not None
    assert found.version[:2] == sys.version_info[:2]


def test_without_a_wish_a_suitable_one_is_found() -> None:
    found = ask(find_python(None))
    assert found is not None
    assert found.version[:2] in PREFERRED
    assert not found.is_virtual


def test_a_version_on_the_path_is_found(only: Path) -> None:
    answer = f'echo \'[[3, 12, 7, "final", 0], "CPython", "{only}/bin/python3.12", false]\''
    path = script(only / "bin" / "python3.12", answer)
    assert find_python("3.12") == path
    assert find_python(None) == path


def test_a_pyenv_that_can_not_be_read_is_passed_over(only: Path) -> None:
    (only / "pyenv").write_text("no folder")
    answer = f'echo \'[[3, 12, 7, "final", 0], "CPython", "{only}/bin/python3.12", false]\''
    path = script(only / "bin" / "python3.12", answer)
    assert find_python(None) == path


def test_the_newest_patch_of_pyenv_is_found_and_its_shims_are_passed_over(only: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join((str(only / "pyenv" / "shims"), str(only / "bin"))))
    script(only / "pyenv" / "shims" / "python3.12", "exit 127")
    script(only / "bin" / "python3.12", "echo 'pyenv: python3.12: command not found' >&2; exit 127")
    for patch in (2, 10):
        path = only / "pyenv" / "versions" / f"3.12.{patch}" / "bin" / "python"
        script(path, f'echo \'[[3, 12, {patch}, "final", 0], "CPython", "{path}", false]\'')
    (only / "pyenv" / "versions" / "3.12-dev" / "bin").mkdir(parents=True)
    assert find_python("3.12").parent.parent.name == "3.12.10"
    assert find_python("3.12.2").parent.parent.name == "3.12.2"


def test_a_preview_is_taken_only_when_asked_for(only: Path) -> None:
    preview = script(only / "bin" / "python3.14", f'echo \'[[3, 14, 0, "beta", 1], "CPython", "{only}/bin/python3.14", false]\'')
    assert find_python(None) != preview
    assert find_python("3.14") == preview


@pytest.mark.parametrize("answer", ["exit 1", "echo nonsense", 'echo \'[[3, 12, 1, "final", 0], "PyPy", "x", false]\''])
def test_what_does_not_answer_as_cpython_is_none(tmp_path: Path, answer: str) -> None:
    assert ask(script(tmp_path / "python", answer)) is None


@pytest.mark.parametrize("wanted", ["three", "2.7", "", "3.12; rm", "pypy3.10"])
def test_what_is_no_version_is_a_usage_error(wanted: str) -> None:
    with pytest.raises(ModernizerError, match="not a Python version"):
        find_python(wanted)


def test_a_version_that_can_not_be_had_says_what_to_do(only: Path) -> None:
    with pytest.raises(ModernizerError, match=r"Python 3\.99 is not installed here and could not be fetched.*'python:'"):
        find_python("3.99")
