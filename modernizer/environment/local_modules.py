"""Finds the repository's own modules that a notebook imports: importable as they are, never installed."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from modernizer.environment.import_names import import_names
from modernizer.environment.python_source import Import, imports_of, mask_magics
from modernizer.notebook import Notebook

# A helper of people is far below both; generated code and vendored trees are not worth the reading.
MAX_FILES = 500
MAX_BYTES = 2_000_000
_ADDED_PATH = re.compile(r"sys\.path\.(?:append|insert)\([^'\"\n]*['\"]([^'\"\n]+)['\"]")
_PACKAGING = ("setup.py", "setup.cfg", "pyproject.toml")
_WRITTEN = re.compile(r"^\s*%%(?:writefile|file)\s+(?:-a\s+)?['\"]?([\w./-]+)\.py\b")
_RUN = re.compile(r"^\s*%(?:run|load)\s+(?:-\w\s+)*['\"]?([\w./\\ -]+?(?:\.py|\.ipynb)?)['\"]?\s*(?:$|\s--?\w.*$)", re.MULTILINE)


@dataclass(frozen=True)
class Reached:
    """What a notebook's code reaches: its foreign imports, the repository's files it imports, and all code read."""

    foreign: tuple[Import, ...]
    files: tuple[Path, ...]
    code: str


def local_modules(notebook: Notebook, *, root: Path) -> tuple[str, ...]:
    """Return the .py files of the repository that a notebook imports or runs, directly or not, relative to ``root``."""
    reached = reach(notebook, root=root)
    return tuple(sorted(file.relative_to(root.resolve()).as_posix() for file in reached.files if file.suffix == ".py"))


def search_folders(notebook: Notebook, *, root: Path) -> tuple[Path, ...]:
    """Return the folders whose modules are importable: the notebook's, literal ``sys.path`` additions, parents, ``src``."""
    root = root.resolve()
    home = (root / notebook.path).parent
    parents = (parent for parent in home.parents if parent.is_relative_to(root))
    folders = (home, *_added(notebook, home), *parents, root / "src")
    return tuple(dict.fromkeys(folder for folder in folders if folder.is_relative_to(root) and folder.is_dir()))


def _added(notebook: Notebook, home: Path) -> tuple[Path, ...]:
    """Return the folders that a notebook adds to ``sys.path`` by literal names."""
    return tuple((home / path).resolve() for cell in notebook.code_cells for path in _ADDED_PATH.findall(cell.source))


def reach(notebook: Notebook, *, root: Path) -> Reached:
    """Follow a notebook's imports through the repository's own modules."""
    root = root.resolve()
    folders = search_folders(notebook, root=root)
    home = (root / notebook.path).parent
    upper = frozenset(home.parents).difference(_added(notebook, home))
    # A module that the notebook writes itself exists only while it runs.
    written = {Path(name).name for cell in notebook.code_cells for name in _WRITTEN.findall(cell.source)}
    foreign: dict[Import, None] = {}
    code: list[str] = []
    seen: dict[Path, None] = {}
    queue: list[tuple[str, Path | None]] = [(cell.source, None) for cell in notebook.code_cells]
    while queue:
        source, file = queue.pop(0)
        code.append(mask_magics(source))
        found = list(_run_files(source, folders[:1]))
        for wanted in imports_of(source):
            files = list(_files_of(wanted, file, folders, upper))
            found += files
            if not files and wanted.level == 0 and wanted.module.partition(".")[0] not in written:
                foreign[wanted] = None
        # Links out of the repository are not followed.
        for path in (real for path in found if (real := path.resolve()).is_relative_to(root)):
            if path not in seen and len(seen) < MAX_FILES:
                seen[path] = None
                queue += [(text, path) for text in _sources(path)]
    return Reached(tuple(foreign), tuple(seen), "\n".join(code))


def _files_of(wanted: Import, importer: Path | None, folders: Sequence[Path], upper: Collection[Path]) -> Iterator[Path]:
    """Yield the repository's files that an import loads; none when it isn't the repository's."""
    if wanted.level:
        if importer is not None and wanted.level <= len(importer.parents):
            yield from _loaded(importer.parents[wanted.level - 1], wanted)
        return
    top = wanted.module.partition(".")[0]
    beside = (importer.parent,) if importer is not None else ()
    # The standard library wins over everything but a file beside the notebook or the importer.
    places = (*beside, *(folders[:1] if top in sys.stdlib_module_names else folders))
    folder = next((place for place in places if _is_module(place, top)), None)
    if folder is not None and not (folder in upper and folder not in beside and _is_topic(folder, top)):
        yield from _loaded(folder, wanted)


def _is_topic(folder: Path, top: str) -> bool:
    """Tell whether ``pandas/`` above a notebook is a chapter about the package: the repository doesn't package it itself.

    An upper folder is on the path behind the installed packages, so the package of that name is what the notebook imports.
    """
    return bool(import_names().distributions(top)) and not any((folder / name).is_file() for name in _PACKAGING)


def _is_module(folder: Path, top: str) -> bool:
    if (folder / f"{top}.py").is_file() or (folder / top / "__init__.py").is_file():
        return True
    # A plain folder is a namespace package, but an installed package of that name would win: `data/` or `keras/` is not one.
    plain = folder / top
    return plain.is_dir() and not import_names().distributions(top) and any(plain.glob("*.py"))


def _loaded(folder: Path, wanted: Import) -> Iterator[Path]:
    """Yield the files along the dotted path of an import, and those of the names it takes that are modules."""
    if wanted.level and (folder / "__init__.py").is_file():
        yield folder / "__init__.py"
    for dotted in wanted.dotted:
        place = folder
        for part in filter(None, dotted.split(".")):
            place /= part
            yield from (file for file in (place.with_name(f"{part}.py"), place / "__init__.py") if file.is_file())


def _run_files(source: str, folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the scripts and notebooks that ``%run`` lines name, relative to the notebook's folder."""
    for name in _RUN.findall(source):
        spellings = (name,) if Path(name).suffix in {".py", ".ipynb"} else (f"{name}.py", f"{name}.ipynb")
        files = (folder / spelling.replace("\\", "/") for folder in folders for spelling in spellings)
        found = next((file for file in files if file.is_file()), None)
        if found is not None:
            yield found


def _sources(path: Path) -> Iterator[str]:
    """Yield the code of a .py file, or of the code cells of an .ipynb that the notebook runs."""
    try:
        if path.stat().st_size > MAX_BYTES:
            return
        text = path.read_bytes().decode("utf-8", errors="replace")
    except OSError:
        return
    if path.suffix != ".ipynb":
        yield text
        return
    try:
        cells = json.loads(text)["cells"]
        yield from ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    except (ValueError, KeyError, TypeError):
        # A notebook that can't be read fails by itself when it is run; it needs nothing here.
        return
