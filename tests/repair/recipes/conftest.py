"""Declared packages, for recipes about packages too heavy to install for a test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest

from modernizer.environment.installed import Parameter


@dataclass(frozen=True)
class Surface:
    """Packages that consist of the names declared (and the modules they stand in), in the versions declared."""

    names: frozenset[str]
    versions: Mapping[str, str]
    signatures: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def resolves(self, dotted: str) -> bool:
        return any(name == dotted or name.startswith(f"{dotted}.") for name in self.names | self.signatures.keys())

    def kind(self, dotted: str) -> str | None:
        if not self.resolves(dotted):
            return None
        if dotted not in self.names | self.signatures.keys():
            return "module"
        return "class" if dotted.rpartition(".")[2][:1].isupper() else "function"

    def signature(self, dotted: str) -> tuple[Parameter, ...] | None:
        names = self.signatures.get(dotted)
        return None if names is None else tuple(Parameter(name, "keyword_only", None) for name in names)

    def version(self, distribution: str) -> str | None:
        return self.versions.get(distribution)

    def is_subclass(self, dotted: str, parent: str) -> bool:
        return dotted == parent


@pytest.fixture(scope="session")
def surface() -> Callable[..., Surface]:
    """Declare packages: ``surface("keras.layers.Dense keras.models.Sequential", keras="3.12", Adam=...)``."""

    def declare(names: str, *, signatures: Mapping[str, tuple[str, ...]] | None = None, **versions: str) -> Surface:
        return Surface(frozenset(names.split()), versions, signatures or {})

    return declare
