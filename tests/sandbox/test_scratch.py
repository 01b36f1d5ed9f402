"""Scratch copies that belong to another user, and what of them a confined kernel sees."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import nbformat
import pytest

from modernizer.environment.model import Environment
from modernizer.execution.confinement import Confinement
from modernizer.execution.scratch import ScratchCopy
from modernizer.execution.session import Session
from modernizer.notebook import parse_notebook
from modernizer.sandbox.confinement import Sandbox, find_means
from modernizer.sandbox.identity import FIRST, LAST, new_identity


@pytest.fixture
def owner() -> int:
    """A user id that we can give files to."""
    return new_identity() if os.getuid() == 0 else os.getuid()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    (root / "data").mkdir(parents=True)
    (root / "data" / "table.csv").write_text("a,b\n")
    (root / "lab.py").write_text("answer = 42\n")
    return root


def test_identities_are_nobodys_and_given_once() -> None:
    given = [new_identity() for _ in range(50)]
    assert len(set(given)) == 50
    assert all(FIRST <= number <= LAST for number in given)


def test_everything_in_the_copy_belongs_to_the_owner_also_what_is_written_later(repository: Path, owner: int) -> None:
    with ScratchCopy(repository, "nb.ipynb", owner=owner) as scratch:
        scratch.write({"new/folder/file.py": b"x = 1", "lab.py": b"answer = 43"})
        for path in (scratch.root, *scratch.root.rglob("*")):
            assert path.lstat().st_uid == owner, path
        assert scratch.root.stat().st_mode & 0o077 == 0
        assert scratch.root.parent.stat().st_uid == os.getuid()
    assert not scratch._base


def test_a_planted_link_is_not_followed_when_we_write(repository: Path, owner: int, tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_text("mine")
    with ScratchCopy(repository, "nb.ipynb", owner=owner) as scratch:
        (scratch.root / "lab.py").unlink()
        (scratch.root / "lab.py").symlink_to(target)
        scratch.write({"lab.py": b"answer = 43"})
        (scratch.root / "folder").symlink_to(tmp_path)
        with pytest.raises(OSError, match=r"(?i)director|folder|links"):
            scratch.write({"folder/precious": b"theirs"})
    assert target.read_text() == "mine"
    assert target.stat().st_uid == os.getuid()


def test_a_place_for_data_leads_into_the_copy_where_folders_are_hidden(kernel_environment: Environment, repository: Path) -> None:
    place = Path(tempfile.mkdtemp(prefix="nm-place-"))
    place.rmdir()
    source = f"print(open('{place}/input/table.csv').read())"
    node = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    (repository / "nb.ipynb").write_text(nbformat.writes(node))
    notebook = parse_notebook((repository / "nb.ipynb").read_bytes(), name="nb.ipynb")
    sandbox = Sandbox(find_means(), dict(os.environ))
    with (
        ScratchCopy(repository, "nb.ipynb", data={f"{place}/input": "data"}, owner=sandbox.identity()) as scratch,
        Session(kernel_environment, scratch, notebook, confinement=Confinement(sandbox, scratch, network=False)) as session,
    ):
        execution = session.run()
    assert execution.error is None, execution
    assert execution.outputs[0][0]["text"] == "a,b\n\n"
    assert not place.exists()
