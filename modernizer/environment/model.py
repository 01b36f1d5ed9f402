"""What a notebook needs and what was built for it: plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Lifted:
    """A version that a file of the repository, or a notebook's install line, asks for and that was not held to."""

    file: str
    package: str
    pinned: str


@dataclass(frozen=True)
class Requirements:
    """A distinct requirement set: PEP 508 strings, sorted; notebooks with equal sets share an environment.

    ``origin`` says where they came from (a file name, "config", "imports"); ``unknown`` are imported top-level names that
    are neither declared, local, standard library nor in the import-name mapping: they are never installed. ``notes`` name
    what was declared and passed over, ``lifted`` the versions that were; neither tells sets apart.
    """

    specs: tuple[str, ...]
    origin: str = "imports"
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=(), compare=False)
    lifted: tuple[Lifted, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Environment:
    """A ready virtual environment. ``python`` is its interpreter; ``resolved_on`` the cut-off instant, ISO 8601 UTC."""

    id: str
    python: Path
    python_version: str
    packages: Mapping[str, str]
    lock: str
    lock_sha256: str
    resolved_on: str
    install_seconds: float = 0.0
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class InstallFailure:
    """An environment that could not be built: notebooks that need it are ``blocked: install-failed``."""

    id: str
    message: str
    notes: tuple[str, ...] = ()
