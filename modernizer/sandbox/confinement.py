"""The sandbox of a run: what this machine has to build it from, and the command lines and restrictions made of that."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from modernizer.errors import ModernizerError
from modernizer.process import run
from modernizer.sandbox import landlock, seccomp
from modernizer.sandbox.identity import first_closed, give, new_identity
from modernizer.sandbox.policy import (
    ENTER,
    SHARED_MEMORY,
    TEMPORARY,
    Namespaces,
    Restrictions,
    covered,
    devices,
    interpreter_paths,
    system_paths,
    with_targets,
)

_SHARED_BYTES = 2 << 30
_TRY_SECONDS = 20.0
OFF_HINT = "or type --sandbox off to run everything with all your rights"


@dataclass(frozen=True)
class Means:
    """What this machine offers: Landlock's version (0: none), the filter, namespaces, and whether we can change users."""

    landlock: int
    seccomp: bool
    namespaces: Namespaces
    identities: bool


@dataclass(frozen=True)
class Sandbox:
    """Makes restrictions; one for a whole run. ``variables`` is the environment it is built from."""

    means: Means
    variables: Mapping[str, str]

    def identity(self) -> int | None:
        """Return a user id for one program and what belongs to it; None when we can't change users."""
        return new_identity() if self.means.identities else None

    def restrictions(
        self,
        *,
        python: Path | None = None,
        read: Iterable[Path | str] = (),
        write: Iterable[Path | str] = (),
        temporary: Path,
        identity: int | None,
        network: bool,
        shared: int = _SHARED_BYTES,
    ) -> Restrictions:
        """Allow the system's libraries, an interpreter, ``read`` and, to be changed, ``write`` and ``temporary``.

        ModernizerError: without namespaces another user can't enter a folder on the way.
        """
        means = self.means
        isolated = means.namespaces != "none"
        reads = system_paths(self.variables) + with_targets(map(str, read))
        reads += interpreter_paths(python) if python else ()
        writes = with_targets([*map(str, write), str(temporary)])
        covers = covered(self.variables) if isolated else ()
        if identity is not None:
            # What lies in a folder of the user's own is the user's, now or by the time it is needed.
            entered = (*reads, *(path for path in writes if not any(path.startswith(f"{other}/") for other in writes)))
            closed = dict.fromkeys(folder for path in entered if (folder := first_closed(path)))
            if closed and not isolated:
                raise ModernizerError(
                    "other users can't enter this folder, so notebooks can't be run as one",
                    where=next(iter(closed)),
                    hint="keep Python and the cache (XDG_CACHE_HOME) elsewhere, or open the folder with chmod o+x",
                )
            covers += tuple(closed)
        writes += () if isolated else (SHARED_MEMORY,)
        if identity is not None and not isolated:
            # Everybody may write there; that user's files are its own and are removed with it.
            writes += (TEMPORARY,)
        return Restrictions(
            read=tuple(dict.fromkeys(reads)),
            write=writes,
            devices=devices(terminals=self.has_terminals),
            covers=covers,
            temporary=str(temporary),
            shared=shared,
            network=network,
            uid=identity,
            namespaces=means.namespaces,
            landlock=means.landlock > 0,
            seccomp=means.seccomp,
        )

    @property
    def has_terminals(self) -> bool:
        """Tell whether programs may open terminals: not where the user's own could be among them."""
        return self.means.identities or self.means.namespaces != "none"

    def command(self, restrictions: Restrictions, args: Sequence[str]) -> list[str]:
        """Return the command line that runs a program confined."""
        return [sys.executable, "-I", "-S", ENTER, json.dumps(restrictions.to_json()), *args]

    @contextmanager
    def room(self) -> Iterator[Room]:
        """Make a temporary folder for one confined program, with a user of its own where that is possible."""
        identity = self.identity()
        base = Path(tempfile.mkdtemp(prefix="nm-room-"))
        folder = base / "own"
        try:
            folder.mkdir(mode=0o700)
            if identity is not None:
                base.chmod(0o711)
                give(folder, identity)
            yield Room(folder, identity)
        finally:
            shutil.rmtree(base, ignore_errors=True)
            if identity is not None and self.means.namespaces == "none":
                remove_leftovers(identity)


@dataclass(frozen=True)
class Room:
    """A temporary folder and the user it belongs to; None: ourselves."""

    folder: Path
    identity: int | None


def find_means() -> Means:
    """Find out what this machine offers by trying it."""
    if sys.platform != "linux":
        return Means(0, seccomp=False, namespaces="none", identities=False)
    root = os.getuid() == 0
    identities = root and _works("none", identity=new_identity())
    namespaces: Namespaces = "root" if root else "user"
    if not _works(namespaces, identity=None):
        namespaces = "none"
    has_filter = seccomp.is_known_machine() and _works("none", identity=None, seccomp_filter=True)
    return Means(landlock.abi(), has_filter, namespaces, identities)


def remove_leftovers(identity: int) -> None:
    """Remove what a user that no longer exists left in the folders that everybody may write to."""
    for folder in (TEMPORARY, SHARED_MEMORY):
        with os.scandir(folder) as entries:
            for entry in entries:
                try:
                    if entry.stat(follow_symlinks=False).st_uid != identity:
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        shutil.rmtree(entry.path, ignore_errors=True)
                    else:
                        os.unlink(entry.path)  # noqa: PTH108 - a DirEntry
                except FileNotFoundError:
                    continue


def _works(namespaces: Namespaces, *, identity: int | None, seccomp_filter: bool = False) -> bool:
    """Try a confinement on a program that does nothing."""
    place = tempfile.gettempdir()
    tried = Restrictions((), (), (), (), place, 1 << 20, False, identity, namespaces, False, seccomp_filter)  # noqa: FBT003
    command = [sys.executable, "-I", "-S", ENTER, json.dumps(tried.to_json()), "/bin/sh", "-c", ":"]
    return run(command, timeout=_TRY_SECONDS, env={}, check=False).returncode == 0
