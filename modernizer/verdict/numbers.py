"""Numbers in printed text: their value, the place and the precision they were printed with."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.^@#])(?P<number>[-+\u2212]?(?:\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
    r"|(?<![A-Za-z0-9_.])(?P<special>[-+]?(?:nan|NaN|inf|Inf|infinity))(?![A-Za-z0-9_])",
)
_NOT_AFTER = re.compile(r"\.?[A-Za-z0-9_µ]|\s?:|/\d|-[A-Za-z0-9]|\.\d")
_UNIT = re.compile(
    r"\s*(?:[nmµu]s|s|sec|secs|seconds?|mins?|minutes?|hours?|hrs?|[kKMGT]i?B|bytes|px|it/s|loops?|iterations?|epochs?|samples?|items?|fits?)\b",
)
_WRAPPER = re.compile(r"\b(?:(?:np|numpy)\.)?(?:float|int|uint)\d*\(|\b(?:(?:np|numpy)\.)?array\(|\bu(?=['\"])")
_DTYPE = re.compile(r",\s*dtype=[\w'\"<>.]+")
_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


@dataclass(frozen=True)
class Number:
    """One number of a text: ``start`` and ``end`` are character positions.

    ``resolution`` is half of the last printed digit, 0.005 for ``0.93``; zero for plain integers and numpy's ``1.``: they are
    exact.
    """

    value: float
    resolution: float
    start: int
    end: int
    integer: bool = False


def plain(text: str) -> str:
    """Take the terminal codes and the overwritten parts of progress lines out of a text."""
    text = _ANSI.sub("", text).replace("\r\n", "\n")
    text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    return re.sub(r"[^\n]*\x08", "", text)


def unwrapped(text: str) -> str:
    """Reduce array and scalar reprs of numpy 1 and 2 to brackets and numbers: ``np.float64(0.9)`` to ``(0.9)``."""
    return _WRAPPER.sub(lambda match: "(" if match.group().endswith("(") else "", _DTYPE.sub("", text))


def numbers(text: str) -> list[Number]:
    """List the numbers of a text; parts of names, dates, versions, fractions, addresses and quantities with a unit are none."""
    found: list[Number] = []
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        literal = match.group()
        if match.group("special"):
            found.append(Number(float(literal), 0.0, start, end))
            continue
        if literal.endswith("."):  # the full stop of a sentence, or numpy's "1."
            following = text[end : end + 1]
            if following.isalpha():
                literal, end = literal[:-1], end - 1
        if _NOT_AFTER.match(text, end) or _UNIT.match(text, end) or _continues(text, start):
            continue
        found.append(_number(literal, start, end, percent=text[end : end + 2].lstrip().startswith("%")))
    return found


def _continues(text: str, start: int) -> bool:
    """Tell whether the digits before belong to the same word: the ``30`` of ``10:30``, the ``01`` of ``2016-01-01``."""
    before = text[max(0, start - 2) : start]
    return bool(before[1:]) and before[1] in ":/-,." and before[0].isdigit() and not (before[1] in ",:" and text[start] in "+-")


def _number(literal: str, start: int, end: int, *, percent: bool) -> Number:
    bare = literal.replace(",", "").replace("\u2212", "-")
    mantissa, _, exponent = bare.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    integer = "." not in bare and not exponent
    power = max(-300, min(300, int(exponent or 0) - decimals))  # digits in the hundreds are identifiers, not precision
    exact = mantissa.endswith(".") or (integer and not percent)  # numpy's "1." has all its digits, they are zeros
    resolution = 0.0 if exact else 0.5 * 10.0**power
    return Number(float(bare), resolution, start, end, integer)
