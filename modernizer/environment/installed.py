"""Asks a fresh environment what its packages really contain: the confirmation that a repair is needed and will hold."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from modernizer.process import kill_group, spawn
from modernizer.sandbox.confinement import Sandbox

Kind = Literal["module", "class", "function", "other"]
_PROBE = Path(__file__).with_name("probe.py")
# OPENBLAS_*: some processors need the user's setting to import numpy at all.
_PASSED = ("PATH", "LANG", "LC_ALL", "SSL_CERT_FILE", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "LD_LIBRARY_PATH")


@dataclass(frozen=True)
class Parameter:
    """A parameter of an installed callable: ``kind`` as inspect names it, in lower case; ``default`` a repr, None if required."""

    name: str
    kind: str
    default: str | None


class Installed:
    """What an environment contains, asked of one child process of its interpreter that lives until ``close``.

    The child runs packages' code only, never a notebook's. It starts with the first question and anew after a crash; a
    question that crashes it or takes longer than ``timeout`` seconds has the answer "not there". Threads may share it.
    """

    def __init__(self, python: Path, *, timeout: float = 60.0, sandbox: Sandbox | None = None) -> None:
        """Take the interpreter of the environment; ``timeout`` seconds for a question, imports included."""
        self._sandbox = sandbox
        self._stack = contextlib.ExitStack()
        self._python = python
        self._timeout = timeout
        self._lock = threading.Lock()
        self._known: dict[tuple[str, ...], Any] = {}
        self._child: subprocess.Popen[bytes] | None = None
        self._home = ""

    def __enter__(self) -> Self:
        """Start nothing yet."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """End the child."""
        self.close()

    def resolves(self, dotted: str) -> bool:
        """Tell whether a dotted name can be imported or reached by attributes; a deprecated one can."""
        return self._ask("resolves", dotted) is True

    def kind(self, dotted: str) -> Kind | None:
        """Return what a name is: "function" is anything that can be called and is no class. None when it isn't there."""
        answer: Kind | None = self._ask("kind", dotted)
        return answer

    def signature(self, dotted: str) -> tuple[Parameter, ...] | None:
        """Return the parameters of a callable, a class's without self; None when it isn't there or tells nothing."""
        answer = self._ask("signature", dotted)
        return None if answer is None else tuple(Parameter(*item) for item in answer)

    def version(self, distribution: str) -> str | None:
        """Return the installed version of a distribution."""
        answer: str | None = self._ask("version", distribution)
        return answer

    def submodules(self, dotted: str) -> tuple[str, ...]:
        """Return the names of the modules directly in a package."""
        return tuple(self._ask("submodules", dotted) or ())

    def doc_line(self, dotted: str) -> str | None:
        """Return the first line of an object's docstring."""
        answer: str | None = self._ask("doc_line", dotted)
        return answer

    def identity(self, dotted: str) -> str | None:
        """Return where an object was defined: two names with one identity are the same thing. None for plain values."""
        answer: str | None = self._ask("identity", dotted)
        return answer

    def is_subclass(self, dotted: str, parent: str) -> bool:
        """Tell whether a class derives from another, or is it."""
        return self._ask("is_subclass", dotted, parent) is True

    def close(self) -> None:
        """End the child process; a later question starts another."""
        with self._lock:
            self._stop()

    def _ask(self, question: str, *args: str) -> Any:  # noqa: ANN401 - JSON
        key = (question, *args)
        with self._lock:
            if key not in self._known:
                self._known[key] = self._answer({"ask": question, "args": list(args)})
            return self._known[key]

    def _answer(self, asked: Mapping[str, object]) -> Any:  # noqa: ANN401 - JSON
        child = self._child if self._child is not None and self._child.poll() is None else self._start()
        try:
            assert child.stdin is not None  # noqa: S101 - spawn pipes it
            child.stdin.write(json.dumps(asked).encode() + b"\n")
            child.stdin.flush()
            return json.loads(_read_line(child, self._timeout))["answer"]
        except (OSError, ValueError):
            # Crashed or stuck in some package's import: gone, and the next question gets a new one.
            self._stop()
            return None

    def _start(self) -> subprocess.Popen[bytes]:
        self._stop()
        # Packages write configuration and caches on import; they get a home of their own.
        self._home, prefix = self._confined()
        env = {name: os.environ[name] for name in _PASSED if name in os.environ}
        env |= {
            "HOME": self._home,
            "TMPDIR": self._home,
            "MPLBACKEND": "Agg",
            "MPLCONFIGDIR": self._home,
            "CUDA_VISIBLE_DEVICES": "",
        }
        args = [*prefix, str(self._python), "-I", "-B", "-X", "utf8", str(_PROBE)]
        self._child = spawn(args, cwd=Path(self._home), env=env, stderr=subprocess.DEVNULL)
        return self._child

    def _confined(self) -> tuple[str, list[str]]:
        """Make a home; return it and what goes before the command line to confine the child to it."""
        if self._sandbox is None:
            return self._stack.enter_context(tempfile.TemporaryDirectory(prefix="modernizer-probe-")), []
        room = self._stack.enter_context(self._sandbox.room())
        restrictions = self._sandbox.restrictions(
            python=self._python, read=(_PROBE,), temporary=room.folder, identity=room.identity, network=False
        )
        return str(room.folder), self._sandbox.command(restrictions, [])

    def _stop(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            kill_group(child.pid)
            child.wait()
            for pipe in (child.stdin, child.stdout):
                if pipe is not None:
                    # What a dead child did not read is lost on purpose.
                    with contextlib.suppress(OSError):
                        pipe.close()
        self._stack.close()


def _read_line(child: subprocess.Popen[bytes], seconds: float) -> bytes:
    """Read one line within the time given; OSError when there is none."""
    assert child.stdout is not None  # noqa: S101 - spawn pipes it
    descriptor, line, deadline = child.stdout.fileno(), b"", time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        while not line.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0 or not selector.select(left):
                raise TimeoutError("the probe did not answer")
            chunk = os.read(descriptor, 65536)
            if not chunk:
                raise ConnectionError("the probe is gone")
            line += chunk
    return line
