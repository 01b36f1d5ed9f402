"""Fixtures: the contract, a loopback GitHub, and a repository that it hosts."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "server"))

from contract import Contract
from forge import REPOSITORY, TOKEN, Forge, serve
from hosted import World, broken, git, notebook

from modernizer.github.client import Client


@pytest.fixture(scope="session")
def contract() -> Contract:
    return Contract()


@pytest.fixture
def forge(tmp_path: Path, contract: Contract) -> Iterator[Forge]:
    folder = tmp_path / "hosted.git"
    git(tmp_path, "init", "-q", "--bare", str(folder))
    made = Forge(folder, contract)
    server = serve(made)
    yield made
    server.shutdown()
    server.server_close()
    assert made.violations == []


@pytest.fixture
def world(tmp_path: Path, forge: Forge) -> World:
    root = tmp_path / "checkout"
    git(tmp_path, "init", "-q", str(root))
    git(root, "remote", "add", "origin", str(forge.git_dir))
    client = Client(TOKEN, REPOSITORY, api=forge.address, retries=2, backoff=0, pause=0)
    made = World(root, tmp_path / "out", forge, client)
    made.commit({"a.ipynb": broken("a"), "sub/ö b.ipynb": broken("b"), "well.ipynb": notebook("print(1)")}, "first")
    return made
