"""Resolves a requirement set to exact versions with hashes; one dead package must not block the others."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from modernizer.environment.uv_command import NetworkError, said
from modernizer.environment.workshop import Workshop
from modernizer.errors import ModernizerError
from modernizer.process import Completed

# Without these there is no kernel, so nothing to run a notebook in.
ESSENTIAL = frozenset({"ipykernel"})
_COMPILE_SECONDS = 120.0
# A source distribution says what it needs only after its build backend is installed and run.
_SOURCE_SECONDS = 180.0
_TOTAL_SECONDS = 900.0
_MESSAGE_LIMIT = 600
_NO_UPLOAD_TIME = "is missing an upload date"
_REASONS = (
    ("exclude-newer", "every release is newer than the cut-off date"),
    ("Failed to build", "its source could not be built"),
    ("usable wheels", "it has no release that installs on this Python"),
    ("Wheels are required", "it has no release that installs on this Python"),
    ("Python", "it has no release that installs on this Python"),
)


@dataclass(frozen=True)
class Resolution:
    """A lock with hashes and without addresses of an index; ``sources`` are the distributions to build from source.

    ``cutoff`` is the instant after which releases were left out of account, None when the index can't tell.
    """

    lock: str
    cutoff: str | None
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Question:
    """One resolution asked of uv."""

    python: Path
    workshop: Workshop = field(compare=False)
    cutoff: str | None
    specs: tuple[str, ...]
    sources: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    deadline: float = field(default=0.0, compare=False)
    options: tuple[str, ...] = ()

    def without(self, spec: str, reason: str) -> _Question:
        note = f"left out: {name_of(spec)}: {reason}"
        return replace(self, specs=tuple(other for other in self.specs if other != spec), notes=(*self.notes, note))


def cutoff_instant(now: datetime, cooldown_days: float) -> str | None:
    """Return the last midnight, UTC, that lies the cooldown back: all runs of a day resolve alike. None without cooldown."""
    if cooldown_days <= 0:
        return None
    return (now.astimezone(UTC) - timedelta(days=cooldown_days)).strftime("%Y-%m-%dT00:00:00Z")


def resolve(
    specs: Sequence[str],
    *,
    python: Path,
    cutoff: str | None,
    workshop: Workshop,
    sources: Iterable[str] = (),
    options: tuple[str, ...] = (),
) -> Resolution:
    """Resolve requirements for an interpreter, wheels first.

    A requirement without a version of its own that can't be had for this Python is left out with a note. ModernizerError
    when a pinned or essential one can't be had; NetworkError when the index can't be reached. ``options`` are passed to uv.
    """
    deadline = time.monotonic() + _TOTAL_SECONDS
    question = _Question(python, workshop, cutoff, tuple(specs), frozenset(sources), deadline=deadline, options=options)
    # Each round drops a requirement, allows one source or gives up, so this many are enough.
    for _ in range(2 * len(specs) + 2):
        done = _ask(question)
        if question.cutoff and _NO_UPLOAD_TIME in done.stderr:
            note = "the index has no upload times: resolved without a cooldown"
            question = replace(question, cutoff=None, notes=(*question.notes, note))
        elif done.returncode == 0:
            return Resolution(done.stdout, question.cutoff, tuple(sorted(question.sources)), question.notes)
        else:
            question = _narrowed(question, done)
    raise ModernizerError("the requirements could not be resolved", hint="declare fewer packages")


def name_of(spec: str) -> str:
    """Return the canonical distribution name of a requirement."""
    return canonicalize_name(Requirement(spec).name)


def is_droppable(spec: str) -> bool:
    """Tell whether a requirement may be left out: nobody asked for a version of it, and the kernel runs without it."""
    requirement = Requirement(spec)
    return not requirement.specifier and not requirement.url and canonicalize_name(requirement.name) not in ESSENTIAL


def source_options(sources: Iterable[str]) -> list[str]:
    """Return uv's options that allow wheels only, except for the named distributions."""
    return ["--only-binary", ":all:", *(option for name in sources for option in ("--no-binary", name))]


def _ask(question: _Question) -> Completed:
    if time.monotonic() > question.deadline:
        raise ModernizerError(f"resolving the requirements took longer than {_TOTAL_SECONDS:g} s", hint="declare fewer packages")
    args = ["pip", "compile", "-", "--python", str(question.python), "--generate-hashes", "--no-emit-index-url", "--no-header"]
    args += ["--no-annotate", *source_options(sorted(question.sources))]
    if question.cutoff:
        args += ["--exclude-newer", question.cutoff]
    args += question.options
    seconds = _SOURCE_SECONDS if question.sources else _COMPILE_SECONDS
    text = "\n".join(question.specs)
    return question.workshop.uv(args, timeout=seconds, text=text, builds=bool(question.sources))


def _narrowed(question: _Question, failed: Completed) -> _Question:
    """Change a question that has no answer: allow a source build or leave a requirement out. ModernizerError when stuck."""
    suspects = _suspects(question.specs, failed.stderr)
    for spec in suspects:
        alone = replace(question, specs=(spec,))
        done = _ask(alone)
        if done.returncode == 0:
            continue
        name = name_of(spec)
        if name not in question.sources and _builds(replace(alone, sources=question.sources | {name})):
            return replace(question, sources=question.sources | {name})
        if is_droppable(spec):
            return question.without(spec, _reason(name, done.stderr))
        raise _unresolved(done)
    # Each can be had, but not together: leave out the one whose absence lets the others be resolved.
    droppable = [spec for spec in suspects if is_droppable(spec)]
    for spec in droppable:
        smaller = question.without(spec, "it can't be installed together with the others")
        if _ask(smaller).returncode == 0:
            return smaller
    if not droppable:
        raise _unresolved(failed)
    return question.without(droppable[0], "it can't be installed together with the others")


def _builds(question: _Question) -> bool:
    """Tell whether a requirement can be had from its source within the time given."""
    try:
        return _ask(question).returncode == 0
    except NetworkError:
        raise
    except ModernizerError:
        return False


def _suspects(specs: Sequence[str], stderr: str) -> list[str]:
    """Return the requirements that uv's explanation names, or all when it names none."""
    words = {canonicalize_name(word) for word in re.findall(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?", stderr)}
    return [spec for spec in specs if name_of(spec) in words] or list(specs)


def _reason(name: str, stderr: str) -> str:
    missing = re.search(r"([\w.-]+) was not found in the package registry", stderr)
    if missing:
        return "the index has no such package" if missing[1] == name else f"it needs {missing[1]}, which the index doesn't have"
    return next((reason for sign, reason in _REASONS if sign in stderr), "it can't be resolved")


def _unresolved(done: Completed) -> ModernizerError:
    message = said(done)
    shown = message if len(message) <= _MESSAGE_LIMIT else f"{message[:_MESSAGE_LIMIT]}..."
    return ModernizerError(f"the requirements can't be installed: {shown}", hint="correct the pins, or use 'packages: latest'")
