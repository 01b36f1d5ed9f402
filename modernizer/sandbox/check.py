"""Finds out at the start of a run whether the sandbox holds: a probe inside tries, and if anything works we refuse to run."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from modernizer.errors import ModernizerError
from modernizer.process import run
from modernizer.sandbox import landlock
from modernizer.sandbox.attempts import Attempt, attempts, network_attempts
from modernizer.sandbox.confinement import OFF_HINT, Means, Sandbox, find_means

PROBE = Path(__file__).with_name("probe.py")
_PROBE_SECONDS = 60.0
_NAMED = 3
_NETWORK = "internet can be shut off"


@dataclass(frozen=True)
class Property:
    """One thing the sandbox does or, if it does not hold here, why not."""

    name: str
    holds: bool
    detail: str


@dataclass(frozen=True)
class SandboxReport:
    """What holds on this machine; ``failures`` are attempts of the probe that worked, in words."""

    properties: tuple[Property, ...]
    failures: tuple[str, ...]

    @property
    def summary(self) -> str:
        """Say in one line what holds."""
        return "on: " + ", ".join(item.name for item in self.properties if item.holds and item.name != _NETWORK)


class SandboxError(ModernizerError):
    """The sandbox does not hold here, so nothing is run."""


def open_sandbox(
    variables: Mapping[str, str], *, root: Path, cache: Path, needs_no_network: bool, means: Means | None = None
) -> tuple[Sandbox, SandboxReport]:
    """Return the sandbox of a run after the probe failed everywhere; SandboxError with what worked otherwise.

    ``root`` is the repository, ``cache`` where environments are kept. ``needs_no_network``: some notebook may
    not have one. ``means`` are found out unless given.
    """
    sandbox = Sandbox(means or find_means(), dict(variables))
    report = examine(sandbox, root=root, cache=cache)
    if report.failures:
        named = "; ".join(report.failures[:_NAMED])
        more = len(report.failures) - _NAMED
        raise SandboxError(
            f"the sandbox does not hold here, so no notebook was run: notebook code could {named}"
            + (f"; and {more} more" if more > 0 else ""),
            hint=f"run as root in a container, or on a Linux with Landlock; `modernizer doctor` tells more; {OFF_HINT}",
        )
    if needs_no_network and not _holds(report, _NETWORK):
        raise SandboxError("'network: install-only' can't be enforced here", hint=f"use 'network: allow', {OFF_HINT}")
    return sandbox, report


def examine(sandbox: Sandbox, *, root: Path, cache: Path, uv_cache: Path | None = None) -> SandboxReport:
    """Run the probe inside and return what holds. Nothing is raised for what does not."""
    if sys.platform != "linux":
        return SandboxReport((Property("sandbox", holds=False, detail="only Linux has what it is made of"),), ("do anything",))
    cache.mkdir(parents=True, exist_ok=True)
    with _planted(cache) as planted, sandbox.room() as other:
        secret = other.folder / "secret"
        secret.write_text("planted", encoding="utf-8")
        if other.identity is not None:
            os.chown(secret, other.identity, other.identity)
        tried = [
            attempt
            for attempt in attempts(
                variables=sandbox.variables,
                root=root,
                cache=cache,
                uv_cache=uv_cache,
                planted=planted,
                others=secret,
                pid=os.getpid(),
            )
            if attempt.kind not in {"read", "write", "connect"} or os.path.lexists(attempt.target)
        ]
        signalled = Attempt("signal", str(os.getpid()), "send us signals")
        worked = _probe(sandbox, [*tried, signalled], network=True)
        outside = _probe(sandbox, list(network_attempts()), network=False)
    failures = tuple(
        dict.fromkeys(
            f"{attempt.meaning} ({attempt.target})" if attempt.target.startswith("/") else attempt.meaning
            for attempt in worked
            if attempt != signalled
        )
    )
    return SandboxReport(_properties(sandbox.means, signals=signalled not in worked, outside=outside), failures)


def _probe(sandbox: Sandbox, tried: Sequence[Attempt], *, network: bool) -> list[Attempt]:
    """Return the attempts that worked. SandboxError when the probe itself could not be run."""
    with sandbox.room() as room:
        restrictions = sandbox.restrictions(
            python=Path(sys.executable), read=(PROBE,), temporary=room.folder, identity=room.identity, network=network
        )
        done = run(
            sandbox.command(restrictions, [sys.executable, "-I", "-S", str(PROBE)]),
            cwd=Path("/"),
            env={"LANG": "C.UTF-8"},
            input=json.dumps([[attempt.kind, attempt.target] for attempt in tried]),
            timeout=_PROBE_SECONDS,
            check=False,
        )
    try:
        worked = {(kind, target) for kind, target in json.loads(done.stdout)}
    except ValueError:
        said = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise SandboxError(f"the sandbox can't be set up here: {said[0]}", hint=OFF_HINT) from None
    return [attempt for attempt in tried if (attempt.kind, attempt.target) in worked]


@contextlib.contextmanager
def _planted(folder: Path) -> Iterator[Path]:
    """Put a secret where ours would be, for everybody to read as far as permissions go."""
    descriptor, name = tempfile.mkstemp(prefix=".secret-", dir=folder)
    try:
        os.write(descriptor, b"planted")
        os.fchmod(descriptor, 0o644)
        os.close(descriptor)
        yield Path(name)
    finally:
        Path(name).unlink()


def _properties(means: Means, *, signals: bool, outside: Sequence[Attempt]) -> tuple[Property, ...]:
    own = means.namespaces != "none"
    reached = ", ".join(attempt.meaning for attempt in outside)
    version = means.landlock
    return (
        Property("files by Landlock", version > 0, f"version {version} of its rules" if version else "this kernel has none"),
        Property(
            "another user",
            means.identities,
            "an unused id without groups for each notebook" if means.identities else "only root can change users",
        ),
        Property(
            "own namespaces",
            own,
            "homes, sockets and temporary folders are out of sight, /tmp and /dev/shm are private"
            if own
            else "this kernel or container does not allow them; /tmp is shared or closed",
        ),
        Property("system call filter", means.seccomp, "no tracing, mounting, keyrings, io_uring"),
        Property("no new privileges", holds=True, detail="set-user-id programs gain nothing"),
        Property(
            "no signals outside",
            signals,
            "other processes can't be signalled" if signals else f"Landlock {landlock.SCOPE_ABI} or another user is needed",
        ),
        Property(
            _NETWORK,
            not outside,
            "by network: install-only" if not outside else f"notebooks could still {reached}",
        ),
    )


def _holds(report: SandboxReport, name: str) -> bool:
    return any(item.holds for item in report.properties if item.name == name)
