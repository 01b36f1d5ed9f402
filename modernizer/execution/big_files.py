"""Which large files a run can do without: only those that nothing in the repository could mean."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path, PurePosixPath

LARGE = 64 << 20
_TEXT_SUFFIXES = frozenset({".py", ".ipynb", ".r", ".sh", ".cfg", ".ini", ".json", ".toml", ".txt", ".yaml", ".yml", ".md"})
_TEXT_BYTES = 8 << 20
_TOTAL_BYTES = 256 << 20
_WALKS = (
    "os.walk",
    "rglob",
    "**",
    "scandir",
    "listdir",
    "iterdir",
    "glob",
    "os.sep",
    "%cd",
    "chdir",
    "!ls",
    "!find",
    "!cp",
    "!mv",
)


class Mentions:
    """What the texts of a repository mention. A file is needed unless no text could mean it, so data is never missed.

    A large file may be left out only if it stands neither in the notebook's folder nor in the root, no text names it,
    its stem, its suffix or a folder above it, and no text lists or walks folders.
    """

    def __init__(self, root: Path, notebook: PurePosixPath) -> None:
        self._root = root
        self._notebook = notebook

    def may_need(self, path: Path) -> bool:
        """Tell whether a run could need this file."""
        relative = PurePosixPath(path.relative_to(self._root).as_posix())
        if len(relative.parts) == 1 or relative.parent == self._notebook.parent:
            return True
        texts = self._texts
        if texts is None:
            return True
        words = {relative.name, relative.stem, *relative.parts[:-1], *relative.suffixes, *_WALKS}
        return any(word and word in texts for word in words)

    def name(self, place: str) -> bool:
        """Tell whether any text contains this string."""
        texts = self._texts
        return texts is None or place in texts

    @cached_property
    def _texts(self) -> str | None:
        """Return all texts of the repository as one; None when they are too many to read."""
        texts = []
        total = 0
        for folder, folders, files in os.walk(self._root):
            folders[:] = [name for name in folders if not name.startswith(".") and name != "node_modules"]
            for name in files:
                path = Path(folder, name)
                if path.suffix.lower() not in _TEXT_SUFFIXES or path.is_symlink():
                    continue
                try:
                    content = path.read_bytes() if path.stat().st_size <= _TEXT_BYTES else b""
                except OSError:
                    continue
                total += len(content)
                if total > _TOTAL_BYTES:
                    return None
                texts.append(content.decode("utf-8", errors="replace"))
        return "\n".join(texts)
