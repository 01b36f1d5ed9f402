"""The requirement set of a notebook: what is declared, its install lines, then its imports by the maintained table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from modernizer.environment.declared import Declared, find_declared, read_declared
from modernizer.environment.import_names import import_names
from modernizer.environment.imports import Imported, imported_by, provides
from modernizer.environment.install_lines import installs_of
from modernizer.environment.model import Lifted, Requirements
from modernizer.environment.requirement_file import read_requirement_file
from modernizer.errors import UsageError
from modernizer.notebook import Notebook

Packages = Literal["latest", "declared"]
# The kernel itself, and what it needs to show figures without a display.
_KERNEL = "ipykernel"
_FIGURES = {"matplotlib": "matplotlib-inline"}


@dataclass
class _Chosen:
    """Requirements by distribution while they are collected; the same one may stand with several markers."""

    packages: Packages
    specs: dict[str, dict[str, None]] = field(default_factory=dict)
    lifted: dict[Lifted, None] = field(default_factory=dict)

    def add(self, requirement: Requirement, file: str) -> None:
        name = self._name(requirement)
        if self.packages == "latest" and requirement.specifier:
            self.lifted[Lifted(file, name, str(requirement.specifier))] = None
        extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
        marker = f" ; {requirement.marker}" if requirement.marker else ""
        pin = "" if self.packages == "latest" else f" @ {requirement.url}" if requirement.url else str(requirement.specifier)
        self.specs.setdefault(name, {})[f"{name}{extras}{pin}{marker}"] = None

    def add_name(self, name: str) -> None:
        if name not in self.specs:
            self.specs[name] = {name: None}

    def _name(self, requirement: Requirement) -> str:
        real = import_names().real_name(requirement.name)
        return real if self.packages == "latest" else canonicalize_name(requirement.name) if requirement.url else real


def requirements_for(notebook: Notebook, *, root: Path, declared_path: str | None, packages: Packages) -> Requirements:
    """Collect what a notebook needs, in the order of the design; always with the kernel.

    ``declared_path`` is the configuration's file, relative to ``root``. Under ``latest`` pins are lifted. UsageError when a
    declaring file is malformed.
    """
    imported = imported_by(notebook, root=root)
    declared = _declared(notebook, root, declared_path)
    installs = installs_of(cell.source for cell in notebook.code_cells)
    chosen, notes = _Chosen(packages), [*installs.notes]
    origin = "imports"
    if declared is not None:
        origin = declared.origin if declared_path is None else "config"
        kept, passed = _kept(declared, imported, packages)
        notes += [*declared.notes, *passed]
        for requirement in kept:
            chosen.add(requirement, declared.origin)
    for requirement in (*_named_files(notebook, root, installs.files, notes), *installs.requirements):
        if import_names().real_name(requirement.name) not in chosen.specs:
            chosen.add(requirement, notebook.path)
    stated = frozenset(chosen.specs)
    for providers in imported.distributions:
        if not stated & set(providers):
            chosen.add_name(providers[0])
    for name in (*imported.extra, _KERNEL, *(_FIGURES[name] for name in _FIGURES if name in chosen.specs)):
        chosen.add_name(name)
    unknown = tuple(name for name in imported.unmapped if not any(provides(stated_name, name) for stated_name in stated))
    specs = tuple(sorted(spec for alike in chosen.specs.values() for spec in alike))
    return Requirements(specs=specs, origin=origin, unknown=unknown, notes=tuple(notes), lifted=tuple(chosen.lifted))


def _declared(notebook: Notebook, root: Path, declared_path: str | None) -> Declared | None:
    if declared_path is None:
        return find_declared((root / notebook.path).parent, root=root)
    path = root / declared_path
    if not path.is_file():
        raise UsageError("the requirements file does not exist", where=declared_path, hint="correct 'requirements'")
    return read_declared(path, root=root)


def _named_files(notebook: Notebook, root: Path, files: Iterable[str], notes: list[str]) -> Iterable[Requirement]:
    """Yield what the requirements files named by install lines hold; one that is not in the repository is noted."""
    for name in files:
        places = (root / notebook.path).parent / name, root / name
        path = next((place for place in places if place.is_file() and place.resolve().is_relative_to(root.resolve())), None)
        if path is None:
            notes.append(f"an install line names a file that is not in the repository: {name}")
            continue
        for line in read_requirement_file(path, root=root):
            if line.requirement is not None:
                yield line.requirement
            else:
                notes.append(line.note)


def _kept(declared: Declared, imported: Imported, packages: Packages) -> tuple[tuple[Requirement, ...], tuple[str, ...]]:
    """Select the declared requirements to install.

    Lifting the pins of a freeze would ask for today's release of hundreds of packages that nothing here imports, and one
    dead name among them would block the notebook. An address is lifted to the index only under a name that the table
    knows: another project may hold that name there.
    """
    if packages == "declared":
        return declared.requirements, ()
    kept: Mapping[bool, list[Requirement]] = {True: [], False: []}
    notes = []
    for requirement in declared.requirements:
        needed = _is_needed(requirement, imported)
        if requirement.url and not _is_known(requirement):
            notes.append(f"{declared.origin}: not installed from its address: {requirement.name}")
            continue
        kept[needed or not declared.is_freeze].append(requirement)
    if kept[False]:
        notes.append(
            f"{declared.origin}: a list of pins; {len(kept[False])} of them that the notebook doesn't import are left out"
        )
    return tuple(kept[True]), tuple(notes)


def _is_needed(requirement: Requirement, imported: Imported) -> bool:
    name = import_names().real_name(requirement.name)
    mapped = {provider for providers in imported.distributions for provider in providers}
    return name in mapped or name in imported.extra or name == _KERNEL or any(provides(name, top) for top in imported.names)


def _is_known(requirement: Requirement) -> bool:
    name = import_names().real_name(requirement.name)
    return any(name in providers for providers in import_names().providers.values())
