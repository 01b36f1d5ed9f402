"""Hide IPython syntax from Python parsers, reversibly and line for line.

A masked source parses as Python whenever the code around the magics does; unmasking the masked source gives back the
original text exactly, whatever a codemod did to the code in between.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass

from modernizer.parsing import parse_python

# Cell magics whose body is Python; the body of any other (%%bash, %%R, %%html) is opaque.
_PYTHON_CELL_MAGICS = frozenset({
    "time", "timeit", "capture", "prun", "snakeviz", "memit", "mprun", "lprun", "px", "debug", "skip", "heat", "scalene",
    "python", "python3", "pypy",
})  # fmt: skip

_CELL_MAGIC = re.compile(r"\s*%%(\w+)")
# IPython takes a line as magic when it starts with %name or !command, or asks for help with a question mark at an end; a
# semicolon alone keeps the cell from showing its last value.
_LINE_MAGIC = re.compile(
    r"^(?P<indent>[ \t]*)(?P<magic>%{1,2}[A-Za-z_].*|!(?!=).*|\?{1,2}[\w.*]+|[\w.\[\]*%]+\?{1,2}[ \t]*|;[ \t]*)$"
)
_ASSIGNED = re.compile(r"^(?P<head>[ \t]*[A-Za-z_][\w.,\[\]'\" \t]*=[ \t]*)(?P<magic>%[A-Za-z_].*|!(?!=).*)$")
# Line magics whose argument is a Python statement, which recipes should reach.
_TIMED = re.compile(r"^(?P<head>%(?:time|timeit|prun|memit)(?:[ \t]+-\w+(?:[ \t]+\d+)?)*[ \t]+)(?P<code>[^\s-].*)$")
# Before IPython 7 a space might stand behind the percent sign; other names than these may be operands of a formatted text.
_SPACED = r"%[ \t]+(?P<magic>(?:matplotlib|pylab|autoreload)\b(?:[ \t]+[\w#-].*)?|(?:load_ext|reload_ext|config)[ \t]+\w.*)"
SPACED_MAGIC = re.compile(_SPACED)
_SPACED_LINE = re.compile(rf"(?P<indent>[ \t]*)(?P<text>{_SPACED})")
STAND_IN = "_modernizer_magic_"
"""How the names begin that stand for what is not Python."""
_STAND_IN = STAND_IN + "{}_"
_STAND_IN_PATTERN = re.compile(rf"{STAND_IN}(\d+)_(?:; )?")


@dataclass(frozen=True)
class Masked:
    """A source with its IPython syntax replaced by names; ``hidden`` holds the replaced texts in order."""

    code: str
    hidden: tuple[str, ...] = ()

    def unmask(self, code: str) -> str:
        """Put the hidden texts back into ``code``, which may have been changed around them."""
        return _STAND_IN_PATTERN.sub(lambda match: self.hidden[int(match[1])], code)


def plain(source: str, *, also: frozenset[str] = frozenset()) -> str:
    """Return a source for reading only: masked, or blank lines when it is in another language; line numbers stay.

    ``also`` names further cell magics whose body is to be read as Python.
    """
    masked = mask(source, also=also)
    return masked.code if masked else "\n" * source.count("\n")


def mask(source: str, *, also: frozenset[str] = frozenset()) -> Masked | None:
    """Mask a cell's source; None when the whole cell is in another language (``%%bash``, ``%%R``, ``%%html``)."""
    if _is_python(source):
        # Nothing of IPython parses as Python, but a line of a long string may look like a magic.
        return Masked(source)
    hidden: list[str] = []

    def hide(text: str, *, before_code: bool = False) -> str:
        hidden.append(text)
        return _STAND_IN.format(len(hidden) - 1) + ("; " if before_code else "")

    masked = []
    at_top = True
    continued_at: str | None = None
    for line in source.split("\n"):
        text = line.rstrip("\r")
        end = line[len(text) :]
        if continued_at is not None:
            masked.append(continued_at + hide(text) + end)
            # The indentation stands inside the hidden text already, so the token's own must vanish with it.
            hidden[-1] = text.removeprefix(continued_at)
            continued_at = continued_at if text.endswith("\\") else None
            continue
        if at_top and (cell_magic := _CELL_MAGIC.match(text)):
            if cell_magic[1] not in _PYTHON_CELL_MAGICS | also:
                return None
            masked.append(hide(text) + end)
            continue
        at_top = at_top and not text.strip()
        if assigned := _ASSIGNED.match(text):
            masked.append(assigned["head"] + hide(assigned["magic"]) + end)
        elif line_magic := _LINE_MAGIC.match(text):
            timed = _TIMED.match(line_magic["magic"])
            if timed and not text.endswith("\\"):
                masked.append(line_magic["indent"] + hide(timed["head"], before_code=True) + timed["code"] + end)
                continue
            masked.append(line_magic["indent"] + hide(line_magic["magic"]) + end)
            if text.endswith("\\"):
                continued_at = line_magic["indent"]
        elif spaced := _SPACED_LINE.fullmatch(text):
            masked.append(spaced["indent"] + hide(spaced["text"]) + end)
        else:
            masked.append(line)
    return Masked("\n".join(masked), tuple(hidden))


def _is_python(source: str) -> bool:
    with warnings.catch_warnings():
        # Old code is full of invalid escapes; they are the notebook's affair.
        warnings.simplefilter("ignore")
        try:
            parse_python(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True
