"""Keep the last exception of a cell as data: names, messages and frames, read from the traceback itself."""

from __future__ import annotations

import linecache
import os
import sys
import traceback
from typing import Any

_MESSAGE_CHARACTERS = 20_000
_FRAMES = 60
_CAUSES = 8
# %%time and %%prun compile the rest of the cell under names of their own; their line 1 is the cell's line 2.
_MAGIC_FILES = {"<timed exec>", "<timed eval>", "<magic-timeit>"}


class Failures:
    """Watches the shell; ``take`` returns what the last failed cell raised, once."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.last: dict[str, Any] | None = None
        self.error: BaseException | None = None
        self.names: dict[str, tuple[str, int]] = {}
        self.sources: dict[str, str] = {}
        self.leading = 0
        self._name_cells()
        self._watch_displays()
        shell.events.register("post_run_cell", self._ended)

    def take(self) -> dict[str, Any] | None:
        """Return the last failure and forget it."""
        last, self.last = self.last, None
        return last

    def _name_cells(self) -> None:
        """Give every compiled piece of code a file name of its own, so that frames can be mapped back to the request.

        Equal cells share a name otherwise. The folder keeps the prefix by which numba and others recognise a kernel.
        """
        folder = os.path.join("/tmp", f"ipykernel_{os.getpid()}")  # noqa: S108, PTH118 - a name only, nothing is written

        def get_code_name(raw_code: str, transformed_code: str, number: int) -> str:  # noqa: ARG001 - IPython's parameters
            request = self._request()
            outer = self.sources.setdefault(request, raw_code)
            offset = self.leading = _leading_lines(outer)
            if outer != raw_code and outer.rstrip().endswith(raw_code.rstrip()):
                # A cell magic such as %%capture runs the rest of its cell as another cell.
                offset = outer[: outer.rstrip().rindex(raw_code.rstrip())].count("\n")
            name = os.path.join(folder, f"{len(self.names) + 1}.py")  # noqa: PTH118
            self.names[name] = (request, offset)
            return name

        self.shell.compile.get_code_name = get_code_name

    def _request(self) -> str:
        """Return the id of the request that is being executed."""
        parent = self.shell.parent_header
        return str(parent.get("header", parent).get("msg_id", ""))

    def _watch_displays(self) -> None:
        """Note errors that IPython only shows: a repr that raises fails the cell without an exception in its result."""
        show = self.shell.showtraceback

        def showtraceback(exc_tuple: Any = None, *arguments: Any, **keywords: Any) -> Any:
            error = (exc_tuple or sys.exc_info())[1]
            if isinstance(error, BaseException):
                self.last = self._told(error)
            return show(exc_tuple, *arguments, **keywords)

        self.shell.showtraceback = showtraceback

    def _ended(self, result: Any) -> None:
        error = result.error_before_exec or result.error_in_exec
        if error is not None:
            self.last = self._told(error)

    def _told(self, error: BaseException) -> dict[str, Any]:
        self.error = error
        return {
            "name": type(error).__name__,
            "module": type(error).__module__,
            "message": _message(error),
            "frames": self._frames(error),
            "causes": _causes(error),
            "notes": [str(note)[:2000] for note in getattr(error, "__notes__", ())],
        }

    def _frames(self, error: BaseException) -> list[dict[str, Any]]:
        found = [self._frame(f.f_code.co_filename, line, f.f_code.co_name) for f, line in traceback.walk_tb(error.__traceback__)]
        starts = [place for place, frame in enumerate(found) if "request" in frame]
        if starts:
            found = found[starts[0] :]
        if isinstance(error, SyntaxError) and error.lineno:
            # Without a cell's frame the cell itself could not be read, and only IPython's own frames are there.
            found = found if starts else []
            found.append(self._frame(error.filename or "<string>", error.lineno, "<module>", text=error.text or ""))
        if len(found) > _FRAMES:
            found = found[: _FRAMES // 3] + found[-2 * _FRAMES // 3 :]
        return found

    def _frame(self, file: str, line: int, function: str, text: str = "") -> dict[str, Any]:
        frame: dict[str, Any] = {"line": line, "function": function}
        frame["code"] = (text or linecache.getline(file, line)).strip()[:500]
        if file in self.names:
            frame["request"], offset = self.names[file]
            frame["line"] = line + offset
        elif file in _MAGIC_FILES:
            frame["request"] = None
            frame["line"] = line + 1 + self.leading
        elif text and file.startswith("<"):
            # The tokenizer complains about the cell before it has a name.
            frame["request"] = None
        else:
            frame["file"] = file
        return frame


def _leading_lines(source: str) -> int:
    """Count the blank lines at the start of a cell: IPython drops them before it compiles."""
    return source[: len(source) - len(source.lstrip())].count("\n")


def _message(error: BaseException) -> str:
    try:
        return str(error)[:_MESSAGE_CHARACTERS]
    except Exception as failure:  # noqa: BLE001 - a notebook's own __str__ may raise anything
        return f"<unprintable {type(error).__name__}: {type(failure).__name__}>"


def _causes(error: BaseException) -> list[dict[str, str]]:
    """Return name and message of what an exception came from, nearest first, and of a group's members."""
    found: list[dict[str, str]] = []
    seen = {id(error)}
    pending = [error]
    while pending and len(found) < _CAUSES:
        current = pending.pop(0)
        context = None if current.__suppress_context__ else current.__context__
        inner = [current.__cause__ or context, *getattr(current, "exceptions", ())]
        for cause in inner:
            if isinstance(cause, BaseException) and id(cause) not in seen:
                seen.add(id(cause))
                found.append({"name": type(cause).__name__, "message": _message(cause)})
                pending.append(cause)
    return found
