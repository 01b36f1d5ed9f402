"""A score that a command computes: run like a kernel in the scratch copy, the last number it prints counts."""

from __future__ import annotations

import shlex
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from modernizer.environment.model import Environment
from modernizer.errors import ModernizerError
from modernizer.execution.child_environment import child_environment
from modernizer.execution.confinement import Confinement
from modernizer.execution.outcome import Measured
from modernizer.execution.scratch import ScratchCopy
from modernizer.process import run
from modernizer.sandbox.policy import Restrictions
from modernizer.verdict.numbers import numbers, plain, unwrapped

_SHARED_BYTES = 1 << 30


def run_command(
    command: str, environment: Environment, scratch: ScratchCopy, confinement: Confinement | None, *, seconds: float
) -> Measured:
    """Run a command (words as a shell splits them, but no shell) in the copy's root with the notebook's Python."""
    base = Path(tempfile.mkdtemp(prefix="nm-score-"))
    own = base / "own"
    try:
        own.mkdir(mode=0o700)
        variables = child_environment(environment, own, marker="score")
        args: Sequence[str] = shlex.split(command)
        if confinement is not None:
            told = confinement.restrictions(environment, code=own, own=own, shared=_SHARED_BYTES)
            confinement.hand_over(own)
            args = confinement.sandbox.command(Restrictions(**told), args)
        done = run(args, timeout=seconds, cwd=scratch.root, env=variables, check=False)
    except (ModernizerError, ValueError) as error:
        return Measured(None, f"the command can't be run: {error}")
    finally:
        shutil.rmtree(base, ignore_errors=True)
    if done.returncode:
        last = (done.stderr or done.stdout).strip().rpartition("\n")[2]
        return Measured(None, f"the command failed with exit code {done.returncode}: {last[:200]}")
    read = numbers(unwrapped(plain(done.stdout)))
    return Measured(read[-1].value) if read else Measured(None, "the command printed no number")
