"""The real error inside a wrapping one."""

from __future__ import annotations

import re

from modernizer.execution.outcome import CellError

_FITS_FAILED = re.compile(r"All the \d+ fits failed|\d+ fits failed with the following error")
_WORKER = re.compile(r"RemoteTraceback|_RemoteTraceback|JoblibException|TransportableException|Multiprocessing exception")
_RAISED = re.compile(
    r"^(?:[A-Za-z_]\w*\.)*([A-Za-z_]\w*(?:Error|Exception|Warning|Interrupt|Exit|NotFound))\s*: ?(.*)$", re.MULTILINE
)
_END = re.compile(r"\n-{20,}|\n\"\"\"|\n_{20,}|\n\s*\n")
_DIRECT_CAUSE = "The above exception was the direct cause of the following exception"
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def root_cause(error: CellError) -> tuple[str, str]:
    """Give name and message of the error that matters.

    For "All the N fits failed" it stands inside the message, for worker processes in their traceback. An exception
    that a library raised *from* another one keeps its own name, except where it says nothing itself.
    """
    if _FITS_FAILED.search(error.message) and (found := _last_raised(error.message)):
        return found
    if _WORKER.search(error.message) and (found := _last_raised(error.message)):
        return found
    if not error.message.strip() and _DIRECT_CAUSE in (text := _ANSI.sub("", error.traceback)):
        return _last_raised(text.partition(_DIRECT_CAUSE)[0]) or (error.name, error.message)
    return error.name.rpartition(".")[2], error.message


def _last_raised(text: str) -> tuple[str, str] | None:
    """Read the first failure's last line ``Name: message`` with the lines of the message that follow."""
    first = re.split(r"\n-{20,}\n(?=\d+ fits failed)", _ANSI.sub("", text))
    for part in (*first[1:], first[0]):
        found = list(_RAISED.finditer(part))
        if found:
            last = found[-1]
            rest = _END.split(part[last.end() :])[0]
            return last.group(1), (last.group(2) + rest).strip()
    return None
