"""The one kind of exception for expected trouble, and the exit code each kind maps to."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of the command line (DESIGN section 4)."""

    GOOD = 0
    NOT_ALL_GOOD = 1
    USAGE = 2
    INTERNAL = 3
    INTERRUPTED = 130


class ModernizerError(Exception):
    """Expected trouble outside the notebooks: says what is wrong, where, and what to do next.

    A failed notebook is never an exception; it is a verdict.
    """

    exit_code = ExitCode.INTERNAL

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        """Return one line: place, trouble, remedy."""
        text = f"{self.where}: {self.what}" if self.where else self.what
        return f"{text} ({self.hint})" if self.hint else text


class UsageError(ModernizerError):
    """The command line or the configuration is wrong."""

    exit_code = ExitCode.USAGE


class NotebookError(ModernizerError):
    """A notebook file can't be read: corrupt, empty, huge or not UTF-8. The other notebooks go on."""
