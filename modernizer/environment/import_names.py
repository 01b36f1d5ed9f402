"""The maintained table from imports and conda names to distributions, and what it implies; nothing is ever guessed from it."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from packaging.utils import canonicalize_name

_CONDA_NAME = re.compile(r"[a-z0-9_][a-z0-9._-]*", re.IGNORECASE)


@dataclass(frozen=True)
class ImportNames:
    """The table in import_names.toml. Distribution names are canonical; ``providers`` has the one to install first."""

    providers: Mapping[str, tuple[str, ...]]
    implied: Mapping[str, tuple[str, ...]]
    usage: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]
    replaced: Mapping[str, str]
    conda: Mapping[str, tuple[str, ...]]
    conda_prefixes: tuple[str, ...]
    conda_exceptions: frozenset[str]
    standard: frozenset[str]
    extensions: frozenset[str]

    def distributions(self, module: str) -> tuple[str, ...]:
        """Return the distributions that provide a dotted module, the one to install first; empty when none is known."""
        for name in _prefixes(module):
            if name in self.providers:
                return self.providers[name]
        return ()

    def needs(self, module: str) -> tuple[str, ...]:
        """Return what a dotted module needs besides the distribution that provides it."""
        return tuple(need for name in _prefixes(module) for need in self.implied.get(name, ()))

    def usage_needs(self, code: str) -> tuple[str, ...]:
        """Return the optional dependencies of calls in a piece of code, such as openpyxl for read_excel."""
        return tuple(need for call, needs in self.usage if call.search(code) for need in needs)

    def is_standard(self, module: str) -> bool:
        """Tell whether a module is of the standard library of Python 3 or 2."""
        return module.partition(".")[0] in self.standard

    def from_conda(self, name: str) -> tuple[str, ...]:
        """Return the distributions for a conda package: none when it is no Python package."""
        name = name.lower()
        if name in self.conda:
            return self.conda[name]
        outside = name.startswith(self.conda_prefixes) and name not in self.conda_exceptions
        return () if outside or not _CONDA_NAME.fullmatch(name) else (canonicalize_name(name),)

    def real_name(self, distribution: str) -> str:
        """Return the canonical name to use for a declared distribution: never a placeholder such as ``sklearn``."""
        name = canonicalize_name(distribution)
        return self.replaced.get(name, name)


@cache
def import_names() -> ImportNames:
    """Read the table that is shipped with the package."""
    table = tomllib.loads(resources.files(__package__ or "").joinpath("import_names.toml").read_text(encoding="utf-8"))
    providers = _canonical({name: [name] for name in table["same"]}) | _canonical(table["different"])
    return ImportNames(
        providers=providers,
        implied=_canonical(table["implied"]),
        usage=tuple((re.compile(row["call"]), tuple(map(canonicalize_name, row["needs"]))) for row in table["usage"]),
        replaced={canonicalize_name(old): canonicalize_name(new) for old, new in table["replaced"].items()},
        conda=_canonical(table["conda"]),
        conda_prefixes=tuple(table["conda_skipped"]["prefixes"]),
        conda_exceptions=frozenset(table["conda_skipped"]["exceptions"]),
        standard=frozenset(table["python2"]["names"]) | sys.stdlib_module_names,
        extensions=frozenset(table["extensions"]["builtin"]),
    )


def _canonical(rows: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(map(canonicalize_name, distributions)) for name, distributions in rows.items()}


def _prefixes(module: str) -> Iterator[str]:
    """Yield a dotted name and its parents, the longest first."""
    while module:
        yield module
        module = module.rpartition(".")[0]
