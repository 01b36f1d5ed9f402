"""What is certain to block a notebook, found before any run."""

from __future__ import annotations

import ast
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from modernizer.notebook import Notebook
from modernizer.verdict.corpora import certain_corpora
from modernizer.verdict.outcome import Reason
from modernizer.verdict.paths import is_foreign, is_pointer, normal
from modernizer.verdict.preflight_reads import certain_reads
from modernizer.verdict.programs import INSTALL, certain_programs
from modernizer.verdict.source import parse

_PYTHON = frozenset({"python", "ipython", "python2", "python3", ""})
_SKIPPED_FOLDERS = frozenset({".git", "node_modules", "__pycache__", ".venv", "venv", ".ipynb_checkpoints", ".modernizer"})
_R_MAGIC = re.compile(r"^[ \t]*%(?:load_ext|reload_ext)\s+(?:rpy2(?:\.ipython)?|rmagic)\b", re.MULTILINE)
_LOADED = re.compile(
    r"^[ \t]*%(?:load|loadpy|run)[ \t]+(?:-\w+[ \t]+)*['\"]?(?P<path>[\w./\\ -]+\.(?:py|ipynb|txt))['\"]?[ \t]*\r?$", re.MULTILINE
)
# Where nltk looks by itself, as far as a notebook may read there.
_CORPORA = tuple(Path(folder) / "nltk_data" for folder in ("/usr/local/share", "/usr/share", "/usr/local/lib", "/usr/lib"))
_DATA_HINT = "tell where it lives now with the `data:` setting"


@dataclass(frozen=True)
class Finding:
    """Why a notebook can't be judged here: ``cell`` and ``line`` (from 1) say where, ``detail`` is one sentence."""

    reason: Reason
    cell: int | None
    line: int | None
    detail: str


def preflight(
    notebook: Notebook,
    *,
    root: Path,
    data: Mapping[str, str],
    local_sources: Mapping[str, str],
    network: bool = True,
    find_program: Callable[[str], str | None] = shutil.which,
    corpora: Sequence[Path] = _CORPORA,
) -> Finding | None:
    """Return the first certain reason why the notebook can't run here, or None.

    ``root`` is the repository, ``data`` maps old absolute folders to today's (relative to the root or absolute),
    ``local_sources`` gives the text of the repository's modules by path, ``network`` tells whether the notebook may use it and
    ``corpora`` where nltk looks for its data. Anything doubtful is left to the run.
    """
    if notebook.language not in _PYTHON:
        return Finding("unsupported-kernel", None, None, f"the notebook's kernel language is {notebook.language}, not Python")
    return (
        _without_r(notebook, find_program)
        or _pointers(notebook, root, local_sources)
        or _missing(notebook, root, data, local_sources)
        or _unloadable(notebook, root)
        or _without_program(notebook, find_program)
        or (None if network else _without_corpus(notebook, corpora))
    )


def _without_r(notebook: Notebook, find_program: Callable[[str], str | None]) -> Finding | None:
    """Find the extension that talks to R, on a machine that has none."""
    for cell in notebook.code_cells:
        if (match := _R_MAGIC.search(cell.source)) and not find_program("R"):
            line = cell.source.count("\n", 0, match.start()) + 1
            return Finding("unsupported-kernel", cell.index, line, "the notebook hands cells to R, which isn't installed")
    return None


def _without_program(notebook: Notebook, find_program: Callable[[str], str | None]) -> Finding | None:
    """Find the first program beside Python that is certainly started and not installed."""
    for use in certain_programs(notebook.code_cells):
        if not find_program(use.program):
            return Finding(
                "missing-program", use.cell, use.line, f"the program {use.program} isn't installed: {INSTALL[use.program]}"
            )
    return None


def _without_corpus(notebook: Notebook, folders: Sequence[Path]) -> Finding | None:
    """Find the first corpus of nltk that is certainly read and neither installed nor, without a network, to be had."""
    for corpus in certain_corpora(notebook.code_cells):
        places = [folder / corpus.place for folder in folders]
        if not any(place.exists() or place.with_suffix(".zip").exists() for place in places):
            hint = f"allow the network and call nltk.download({corpus.name!r}), or put it into {folders[0]}"
            return Finding("needs-network", corpus.cell, corpus.line, f"nltk's {corpus.name} isn't installed: {hint}")
    return None


def _unloadable(notebook: Notebook, root: Path) -> Finding | None:
    """Find ``%load`` and ``%run`` of a file that isn't there and that no cell speaks of before, to write or fetch it."""
    folder = root / Path(notebook.path).parent
    before = ""
    for cell in notebook.code_cells:
        may_fail = "raises-exception" in cell.tags or any(output.get("output_type") == "error" for output in cell.outputs)
        for match in _LOADED.finditer(cell.source) if not may_fail else ():
            path = match["path"].replace("\\", "/")
            known = Path(path).name in before or (folder / path).exists() or (root / path).exists()
            if not known and not os.path.isabs(path):  # noqa: PTH117 - a text of the notebook, no path of ours
                line = cell.source.count("\n", 0, match.start()) + 1
                return Finding("missing-data", cell.index, line, f"{path} isn't in the repository")
        before += cell.source
    return None


def _pointers(notebook: Notebook, root: Path, local_sources: Mapping[str, str]) -> Finding | None:
    """Find the first git-lfs pointer among the files that the notebook, or a local module it imports, names in a string."""
    folder = root / Path(notebook.path).parent
    for cell in notebook.code_cells:
        for line, text in _strings(cell.source):
            if not Path(text).is_absolute() and (is_pointer(folder / normal(text)) or is_pointer(root / normal(text))):
                return Finding(
                    "missing-data", cell.index, line, f"{normal(text)} is a git-lfs pointer, not the data: run `git lfs pull`"
                )
    source = "\n".join(cell.source for cell in notebook.code_cells)
    for path, module in local_sources.items():
        stem = path.removesuffix(".py").rpartition("/")[2]
        if not re.search(rf"\b(?:import|from)\b[^\n]*\b{re.escape(stem)}\b", source):
            continue
        for _, text in _strings(module):
            if is_pointer(root / Path(path).parent / normal(text)) or is_pointer(folder / normal(text)):
                return Finding(
                    "missing-data", None, None, f"{normal(text)}, named in {path}, is a git-lfs pointer: run `git lfs pull`"
                )
    return None


def _strings(source: str) -> Iterator[tuple[int, str]]:
    """Give the string literals that may name a file, with their lines; of Python 2 cells those on one line."""
    tree = parse(source)
    if tree is not None:
        found = [
            (node.lineno, node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
    else:
        found = [
            (number, text)
            for number, line in enumerate(source.splitlines(), 1)
            for text in re.findall(r"['\"]([^'\"]+)['\"]", line)
        ]
    return (
        (line, text)
        for line, text in found
        if re.fullmatch(r"[^\n\0<>*?|]{1,255}", text) and re.search(r"\.\w{1,8}$", text) and "://" not in text
    )


def _missing(notebook: Notebook, root: Path, data: Mapping[str, str], local_sources: Mapping[str, str]) -> Finding | None:
    """Find the first file that is certainly read and that the repository doesn't hold anywhere."""
    names: set[str] | None = None
    for read in certain_reads(notebook.code_cells, local_sources):
        if _exists(read.path, notebook, root, data):
            continue
        names = names if names is not None else _file_names(root)
        name = normal(read.path).rstrip("/").rpartition("/")[2].lower()
        if name in names:
            continue  # the data is there under another path: broken, and repairable
        hint = f"; {_DATA_HINT}" if is_foreign(read.path) or normal(read.path).startswith("..") else ""
        return Finding("missing-data", read.cell, read.line, f"{read.path} isn't in the repository{hint}")
    return None


def _exists(path: str, notebook: Notebook, root: Path, data: Mapping[str, str]) -> bool:
    wanted = normal(path)
    places = [root / Path(notebook.path).parent / wanted, root / wanted.lstrip("/")]
    places += [Path(wanted).expanduser()] if wanted.startswith("~") or Path(wanted).is_absolute() else []
    for old, new in data.items():
        prefix = normal(old).rstrip("/")
        if wanted == prefix or wanted.startswith(f"{prefix}/"):
            places.append(root / new / wanted[len(prefix) :].lstrip("/"))
    return any(os.path.lexists(place) for place in places)


def _file_names(root: Path) -> set[str]:
    """Collect the lower-case names of all files and folders of the repository."""
    names: set[str] = set()
    for _, folders, files in os.walk(root):
        folders[:] = [folder for folder in folders if folder not in _SKIPPED_FOLDERS]
        names |= {name.lower() for name in (*folders, *files)}
    return names
