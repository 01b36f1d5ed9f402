"""What a notebook imports that is not its repository's own, mapped to distributions by the maintained table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import canonicalize_name

from modernizer.environment.import_names import ImportNames, import_names
from modernizer.environment.local_modules import reach
from modernizer.environment.python_source import Import
from modernizer.notebook import Notebook

_EXTENSION = re.compile(r"^\s*%(?:re)?load_ext\s+([\w.]+)", re.MULTILINE)
_PYLAB = re.compile(r"^\s*%(?:pylab|matplotlib)\b", re.MULTILINE)


@dataclass(frozen=True)
class Imported:
    """Foreign imports of a notebook and its local modules.

    ``distributions`` are those the table knows, the one to install first; ``extra`` what else the code needs; ``names``
    all imported top-level names, ``unmapped`` those that must be there and that the table doesn't have.
    """

    distributions: tuple[tuple[str, ...], ...]
    extra: tuple[str, ...]
    names: frozenset[str]
    unmapped: tuple[str, ...]


def imported_by(notebook: Notebook, *, root: Path) -> Imported:
    """Read what a notebook imports, directly and through the repository's modules."""
    table = import_names()
    reached = reach(notebook, root=root)
    foreign = (*reached.foreign, *_by_magic(notebook, table))
    outside = tuple(wanted for wanted in foreign if not _is_provided(wanted, table))
    found = {name: table.distributions(name) for wanted in outside for name in _modules(wanted)}
    needed = {need for wanted in foreign for dotted in wanted.dotted for need in table.needs(dotted)}
    unmapped = {
        name.partition(".")[0] for wanted in outside if not wanted.optional for name in _modules(wanted) if not found[name]
    }
    return Imported(
        distributions=tuple(sorted({providers for providers in found.values() if providers})),
        extra=tuple(sorted(needed | set(table.usage_needs(reached.code)))),
        names=frozenset(wanted.module.partition(".")[0] for wanted in outside),
        unmapped=tuple(sorted(unmapped)),
    )


def provides(distribution: str, name: str) -> bool:
    """Tell whether a declared distribution evidently provides an import that the table doesn't have, by its own name."""
    plain = canonicalize_name(name)
    return canonicalize_name(distribution) in {plain, f"python-{plain}", f"{plain}-python", f"py{plain}", f"py-{plain}"}


def _modules(wanted: Import) -> tuple[str, ...]:
    """Return the dotted names to look up: beneath a namespace such as ``google`` the names taken tell the distribution."""
    table = import_names()
    known = tuple(name for name in wanted.dotted[1:] if table.distributions(name) != table.distributions(wanted.module))
    return known if known and not table.distributions(wanted.module) else (wanted.module, *known)


def _by_magic(notebook: Notebook, table: ImportNames) -> Iterable[Import]:
    """Yield the imports that magics stand for."""
    for cell in notebook.code_cells:
        for name in _EXTENSION.findall(cell.source):
            if name.partition(".")[0] not in table.extensions:
                yield Import(name)
        if _PYLAB.search(cell.source):
            yield from (Import("matplotlib"), Import("numpy"))


def _is_provided(wanted: Import, table: ImportNames) -> bool:
    """Tell whether an import needs nothing installed: the standard library's, or the interpreter's own."""
    return not wanted.module or table.is_standard(wanted.module) or wanted.module.startswith("__")
