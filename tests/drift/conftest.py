"""Small releases of a made-up package, packed as fetched ones are."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from modernizer.drift.fetch import COMPILED_LIST
from modernizer.drift.surface import Surface

Release = Callable[..., Surface]


@pytest.fixture
def release(tmp_path: Path) -> Release:
    """Make a release of a package from ``{file: source}``; ``compiled`` lists files that can't be read."""

    def make(
        files: Mapping[str, str], *, version: str = "1.0", package: str = "scikit-learn", compiled: tuple[str, ...] = ()
    ) -> Surface:
        archive = tmp_path / "sources" / f"{package}-{version}.zip"
        archive.parent.mkdir(exist_ok=True)
        with zipfile.ZipFile(archive, "w") as packed:
            for name, source in files.items():
                packed.writestr(name, source)
            packed.writestr(COMPILED_LIST, "\n".join(compiled))
        return Surface(package, version, archive)

    return make
