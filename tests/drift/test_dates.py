from __future__ import annotations

import json
import os
import subprocess
from datetime import date
from pathlib import Path

import pytest

from modernizer.drift.dates import notebook_date
from modernizer.notebook import Notebook, parse_notebook

ENV = {
    "PATH": os.environ["PATH"],
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
}


def git(folder: Path, *args: str, day: str = "2018-03-04") -> None:
    instant = f"{day}T12:00:00+0000"
    env = {**ENV, "GIT_AUTHOR_DATE": instant, "GIT_COMMITTER_DATE": instant}
    subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True, env=env)


def notebook(path: str = "n.ipynb", metadata: dict[str, object] | None = None) -> Notebook:
    data = {"cells": [], "metadata": metadata or {}, "nbformat": 4, "nbformat_minor": 2}
    return parse_notebook(json.dumps(data).encode(), name=path)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "first.ipynb").write_bytes(notebook().to_bytes())
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "one")
    git(folder, "mv", "first.ipynb", "n.ipynb")
    git(folder, "commit", "-qm", "two", day="2020-05-06")
    return folder


def test_configuration_comes_first(repo: Path) -> None:
    found = notebook_date(notebook(), root=repo, configured=date(2016, 1, 1))
    assert (found.day, found.origin) == (date(2016, 1, 1), "configuration")


def test_the_first_commit_is_followed_through_renames(repo: Path) -> None:
    found = notebook_date(notebook(), root=repo, configured=None)
    assert (found.day, found.origin) == (date(2018, 3, 4), "first commit")


def test_a_shallow_clone_says_that_the_first_commit_is_missing(repo: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", repo.as_uri(), "shallow")
    found = notebook_date(notebook(), root=tmp_path / "shallow", configured=None)
    assert found.day is None
    assert "shallow" in found.note


def test_a_partial_clone_that_cannot_fetch_more_knows_the_date(repo: Path, tmp_path: Path) -> None:
    (repo / "n.ipynb").write_bytes(notebook(metadata={"title": "changed"}).to_bytes())
    (repo / "other.ipynb").write_bytes(notebook(metadata={"title": "new"}).to_bytes())
    git(repo, "add", ".")
    git(repo, "rm", "-q", "--cached", "n.ipynb")
    git(repo, "commit", "-qm", "three", day="2021-05-06")
    git(repo, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", repo.as_uri(), "partial")
    repo.rename(tmp_path / "gone")
    found = notebook_date(notebook("other.ipynb"), root=tmp_path / "partial", configured=None)
    assert (found.day, found.origin) == (date(2021, 5, 6), "first commit")


def test_a_file_added_within_a_shallow_clone_has_its_date(repo: Path, tmp_path: Path) -> None:
    (repo / "new.ipynb").write_bytes(notebook(metadata={"title": "another"}).to_bytes())
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "three", day="2021-07-08")
    git(tmp_path, "clone", "-q", "--depth", "2", repo.as_uri(), "shallow")
    assert notebook_date(notebook("new.ipynb"), root=tmp_path / "shallow", configured=None).day == date(2021, 7, 8)


@pytest.mark.parametrize(
    ("metadata", "day"),
    [
        ({"date": "2017-02-03"}, date(2017, 2, 3)),
        ({"kaggle": {"date": "2019-01-02T03:04:05"}}, date(2019, 1, 2)),
        ({"date": "yesterday"}, None),
        ({"language_info": {"version": "3.6.1"}}, None),
        ({"kaggle": None}, None),
        ({}, None),
    ],
)
def test_metadata_counts_only_as_a_date(tmp_path: Path, metadata: dict[str, object], day: date | None) -> None:
    found = notebook_date(notebook(metadata=metadata), root=tmp_path, configured=None)
    assert found.day == day
    assert found.origin == ("metadata" if day else "unknown")
