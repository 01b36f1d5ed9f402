"""The one place that starts other programs: argument lists only, each in a session of its own, never a shell."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psutil

from modernizer.errors import ModernizerError

_Stream = int | IO[bytes] | None
_MESSAGE_LIMIT = 500
_DRAIN_SECONDS = 2.0


@dataclass(frozen=True)
class Completed:
    """A program that came to its end: exit code (negative: the signal that killed it), its text, wall seconds."""

    returncode: int
    stdout: str
    stderr: str
    seconds: float


def run(
    args: Sequence[str],
    *,
    timeout: float,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    input: str | bytes | None = None,  # noqa: A002 - the name subprocess uses
    check: bool = True,
    hint: str = "",
) -> Completed:
    """Run a program to its end and return what it printed, decoded as UTF-8 with undecodable bytes replaced.

    Without ``input`` its standard input is empty, so a prompt fails instead of waiting. ``env`` replaces the environment.
    ModernizerError: no such program, longer than ``timeout`` seconds (its whole process group is killed) or, with
    ``check``, an exit code other than 0. ``hint`` is what the user should do if it fails.
    """
    began = time.monotonic()
    process = spawn(args, cwd=cwd, env=env, stdin=subprocess.DEVNULL if input is None else subprocess.PIPE)
    try:
        stdout, stderr = process.communicate(input.encode() if isinstance(input, str) else input, timeout=timeout)
    except subprocess.TimeoutExpired:
        # A program that is through but left a child holding its pipes did its work.
        finished = process.poll() is not None
        stdout, stderr = _stop_and_drain(process)
        if not finished:
            raise ModernizerError(
                f"{_program(args)} took longer than {timeout:g} s and was stopped", hint=hint or "allow it more time"
            ) from None
    except BaseException:
        _stop_and_drain(process)
        raise
    text, errors = stdout.decode(errors="replace"), stderr.decode(errors="replace")
    if check and process.returncode != 0:
        raise ModernizerError(f"{_program(args)} {_end(process.returncode)}{_reason(errors or text)}", hint=hint)
    return Completed(process.returncode, text, errors, time.monotonic() - began)


def spawn(
    args: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: _Stream = subprocess.PIPE,
    stdout: _Stream = subprocess.PIPE,
    stderr: _Stream = subprocess.PIPE,
    pass_fds: Iterable[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a long-lived program as the leader of its own session; the caller ends it with ``kill_group``.

    ModernizerError when it can't be started.
    """
    if isinstance(args, str) or not args:
        raise TypeError("args is a non-empty list of arguments, never a command line")
    try:
        return subprocess.Popen(
            list(args),
            cwd=cwd,
            env=None if env is None else dict(env),
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            pass_fds=tuple(pass_fds),
            start_new_session=True,
        )
    except OSError as error:
        raise _start_error(args, cwd, error) from error


def kill_group(pid: int, signum: int = signal.SIGKILL) -> bool:
    """Signal the process group that ``pid`` leads and every descendant that left it; tell whether one was still there."""
    if pid <= 1 or pid in {os.getpid(), os.getpgrp()}:
        raise ValueError(f"process group {pid} is not one of ours")
    strays = _descendants(pid)
    found = False
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signum)
        found = True
    for stray in strays:
        with contextlib.suppress(psutil.Error):
            stray.send_signal(signum)
            found = True
    return found


def _descendants(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return []


def _stop_and_drain(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Kill the group and collect what it wrote; a pipe that something out of reach still holds is given up."""
    kill_group(process.pid)
    try:
        stdout, stderr = process.communicate(timeout=_DRAIN_SECONDS)
    except subprocess.TimeoutExpired as late:
        stdout, stderr = late.stdout or b"", late.stderr or b""
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
        process.wait(timeout=_DRAIN_SECONDS)
    return stdout, stderr


def _program(args: Sequence[str]) -> str:
    """Name a program for messages; arguments stay out, they may hold a secret."""
    return Path(args[0]).name


def _start_error(args: Sequence[str], cwd: Path | None, error: OSError) -> ModernizerError:
    program = _program(args)
    if cwd is not None and not Path(cwd).is_dir():
        return ModernizerError(f"can't start {program}: no such folder", where=str(cwd))
    if error.errno in {errno.ENOENT, errno.ENOTDIR}:
        return ModernizerError(f"{program} was not found", where=args[0], hint=f"install {program} or put it on the PATH")
    if error.errno in {errno.EACCES, errno.ENOEXEC}:
        return ModernizerError(f"{program} can't be executed", where=args[0], hint="check its permissions and its format")
    return ModernizerError(f"can't start {program}: {error.strerror or error}", where=args[0])


def _end(returncode: int) -> str:
    if returncode >= 0:
        return f"failed with exit code {returncode}"
    try:
        return f"was killed by {signal.Signals(-returncode).name}"
    except ValueError:
        return f"was killed by signal {-returncode}"


def _reason(text: str) -> str:
    """Return the end of what a failed program said, without credentials in addresses."""
    said = re.sub(r"(?<=://)[^\s/@]+@", "", text.strip())
    if not said:
        return ""
    return ": " + (said if len(said) <= _MESSAGE_LIMIT else f"... {said[-_MESSAGE_LIMIT:]}")
