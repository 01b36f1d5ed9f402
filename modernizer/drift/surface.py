"""The API surface of one release: what a dotted name is there, through re-exports and inherited methods."""

from __future__ import annotations

import gzip
import json
import re
import zipfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from modernizer.drift.fetch import COMPILED_LIST
from modernizer.drift.module_surface import ClassSurface, ModuleSurface, Signature, from_json, read_module, to_json
from modernizer.drift.releases import write_atomically

FORMAT = 1
"""Changes when surfaces are written in another shape; older files are then read anew."""
_DEPTH = 30
_SELF_LESS = frozenset({"self", "cls"})

Kind = Literal["module", "class", "function", "name", "outside", "unknown", "gone"]


@dataclass(frozen=True)
class Found:
    """What a dotted name is in a release.

    ``home`` is where it is defined. ``unknown``: it may exist, compiled or made up at run time; ``gone``: it certainly
    doesn't; ``outside``: it is another package's.
    """

    kind: Kind
    home: str = ""
    signature: Signature | None = None

    @property
    def exists(self) -> bool:
        """Tell whether the name is certainly there."""
        return self.kind not in {"unknown", "gone"}


_UNKNOWN, _GONE = Found("unknown"), Found("gone")


class Surface:
    """One release's surface. Modules are read when they are asked for; ``save`` keeps what was read beside the archive."""

    def __init__(self, package: str, version: str, archive: Path) -> None:
        self.package = package
        self.version = version
        self._archive = archive
        self._store = archive.parent.parent / "surfaces" / f"{archive.stem}-{FORMAT}.json.gz"
        self._read = self._load()
        self._changed = False

    @cached_property
    def _zip(self) -> zipfile.ZipFile:
        return zipfile.ZipFile(self._archive)

    @cached_property
    def _files(self) -> dict[str, tuple[str, ...]]:
        """Map dotted module names to their files, source before stub."""
        files: dict[str, list[str]] = {}
        for name in sorted(self._zip.namelist()):
            if name != COMPILED_LIST:
                files.setdefault(name.rpartition(".")[0].replace("/", ".").removesuffix(".__init__"), []).append(name)
        return {module: tuple(sorted(names)) for module, names in files.items()}

    @cached_property
    def _compiled(self) -> frozenset[str]:
        listed = self._zip.read(COMPILED_LIST).decode().split("\n")
        return frozenset(re.sub(r"\.[^/]*$", "", name).replace("/", ".") for name in listed if name)

    def find(self, dotted: str, depth: int = 0) -> Found:
        """Say what a dotted name is."""
        if depth > _DEPTH:
            return _UNKNOWN
        parts = dotted.split(".")
        for length in range(len(parts), 0, -1):
            module = ".".join(parts[:length])
            if module in self._files:
                return self._in_module(module, parts[length:], depth)
            if module in self._compiled:
                return _UNKNOWN
        if not any(name == parts[0] or name.startswith(f"{parts[0]}.") for name in self._files):
            return Found("outside", dotted)
        return _GONE

    def has_module(self, module: str) -> bool:
        """Tell whether the release has a module, as source or compiled."""
        return module in self._files or module in self._compiled

    def module_of(self, dotted: str) -> str:
        """Return the longest part of a dotted name that is a module."""
        while dotted and not self.has_module(dotted):
            dotted = dotted.rpartition(".")[0]
        return dotted

    def moved(self, dotted: str) -> str | None:
        """Return the public name of the only thing elsewhere in the release with the last part of a dotted name."""
        leaf = dotted.rpartition(".")[2]
        root = dotted.partition(".")[0]
        pattern = re.compile(rf"^(?:def|class)\s+{re.escape(leaf)}\b".encode(), re.MULTILINE)
        homes = [
            module
            for module, files in self._files.items()
            if module.split(".")[0] == root and pattern.search(self._zip.read(files[0]))
        ]
        return self.public(f"{homes[0]}.{leaf}") if len(homes) == 1 else None

    def public(self, home: str) -> str | None:
        """Return the shortest name without private parts by which the thing defined at ``home`` can be imported."""
        *modules, leaf = home.split(".")
        for length in range(1, len(modules) + 1):
            name = ".".join([*modules[:length], leaf])
            if any(part.startswith("_") for part in name.split(".")):
                return None
            if self.find(name).home == home:
                return name
        return None

    def save(self) -> None:
        """Keep what was read for the next run."""
        if self._changed:
            data = {name: to_json(surface) for name, surface in self._read.items()}
            write_atomically(self._store, gzip.compress(json.dumps(data).encode(), 5))
            self._changed = False

    def _load(self) -> dict[str, ModuleSurface | None]:
        try:
            return {name: from_json(row) for name, row in json.loads(gzip.decompress(self._store.read_bytes())).items()}
        except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError):
            # No file, or one that was cut short: read anew.
            return {}

    def _surface(self, file: str, module: str) -> ModuleSurface | None:
        if file not in self._read:
            source = self._zip.read(file).decode("utf-8", "replace")
            self._read[file] = read_module(module, file, source)
            self._changed = True
        return self._read[file]

    def _in_module(self, module: str, rest: list[str], depth: int) -> Found:
        if not rest:
            return Found("module", module)
        answer = _GONE
        for file in self._files[module]:
            surface = self._surface(file, module)
            found = self._member(surface, module, rest, depth) if surface else _UNKNOWN
            if found.exists:
                return found
            answer = found if found.kind == "unknown" else answer
        return answer

    def _member(self, surface: ModuleSurface, module: str, rest: list[str], depth: int) -> Found:
        name, *deeper = rest
        home = f"{module}.{name}"
        if name in surface.classes:
            return self._in_class(surface.classes[name], home, deeper, depth)
        if name in surface.functions:
            return Found("function", home, surface.functions[name]) if not deeper else _UNKNOWN
        if name in surface.aliases:
            return self.find(".".join([surface.aliases[name], *deeper]), depth + 1)
        if name in surface.names:
            return Found("name", home) if not deeper else _UNKNOWN
        uncertain = surface.dynamic
        for star in surface.stars:
            found = self.find(".".join([star, *rest]), depth + 1) if star != module else _GONE
            if found.exists and found.kind != "outside":
                return found
            uncertain = uncertain or found.kind in {"unknown", "outside"}
        return _UNKNOWN if uncertain else _GONE

    def _in_class(self, node: ClassSurface, home: str, rest: list[str], depth: int) -> Found:
        if len(rest) > 1:
            return _UNKNOWN
        if not rest:
            made = self._method(node, home, "__init__", depth)
            if made.kind in {"gone", "outside"}:
                made = self._method(node, home, "__new__", depth)
            return Found("class", home, made.signature)
        found = self._method(node, home, rest[0], depth)
        return _UNKNOWN if found.kind == "outside" else found

    def _method(self, node: ClassSurface, home: str, name: str, depth: int) -> Found:
        """Find a method of a class or the bases that it inherits from, without its ``self``."""
        if name in node.methods:
            signature = node.methods[name]
            return Found(
                "function", f"{home}.{name}", signature[1:] if signature and signature[0].name in _SELF_LESS else signature
            )
        if name in node.names:
            return Found("name", f"{home}.{name}")
        answer = _GONE
        for base in node.bases:
            found = self._inherited(base, name, depth + 1)
            if found.exists and found.kind != "outside":
                return found
            answer = found if found.kind != "gone" else answer
        return answer

    def _inherited(self, base: str, name: str, depth: int) -> Found:
        place = self.find(base, depth)
        if place.kind == "outside":
            return _GONE if place.home in {"object", "abc.ABC"} else place
        if place.kind != "class":
            return _UNKNOWN
        module, _, leaf = place.home.rpartition(".")
        for file in self._files.get(module, ()):
            surface = self._surface(file, module)
            if surface and leaf in surface.classes:
                return self._method(surface.classes[leaf], place.home, name, depth)
        return _UNKNOWN
