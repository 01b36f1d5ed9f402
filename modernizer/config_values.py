"""The kinds of values the configuration holds, each with its check and the message for a wrong one."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, BeforeValidator, Field

from modernizer.globs import check_pattern

MIN_MEMORY = 128 * 1024**2
_UNITS = {"": 1, "B": 1, "K": 1000, "M": 1000**2, "G": 1000**3, "T": 1000**4}
_UNITS |= {f"{unit}B": size for unit, size in list(_UNITS.items()) if unit not in {"", "B"}}
_UNITS |= {"KIB": 1024, "MIB": 1024**2, "GIB": 1024**3, "TIB": 1024**4}


GRADERS = (
    "accuracy", "auc", "dice", "f1", "f1-macro", "f1-weighted", "log-loss", "mae", "mse", "quadratic-kappa", "r2", "rmse",
    "rmsle",
)  # fmt: skip
MAP_AT = re.compile(r"map@([1-9]\d{0,2})")
SCIKIT_LEARN = "sklearn.metrics."


class Tolerance(NamedTuple):
    """How far a score may be off: a share of the recorded value, a distance in the score's own unit, or the larger of both."""

    relative: float = 0.0
    absolute: float = 0.0


def parse_size(value: object) -> int:
    """Read a memory size such as ``8GB``, ``512 MiB`` or a number of bytes; raise ValueError for anything else."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", str(value))
    if isinstance(value, bool) or not isinstance(value, str | int) or not found or found[2].upper() not in _UNITS:
        raise ValueError("expected a size such as 8GB or 512MiB")
    size = int(float(found[1]) * _UNITS[found[2].upper()])
    if size < MIN_MEMORY:
        raise ValueError(f"{value} is too little for a kernel to start: expected at least 128MiB")
    return size


def parse_tolerance(value: object) -> Tolerance:
    """Read ``1%`` (of the recorded value) or a plain number (a distance in the score's own unit)."""
    if isinstance(value, Tolerance):
        return value
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?|\.\d+)\s*%\s*", value) if isinstance(value, str) else None
    if found and float(found[1]) < 100:  # noqa: PLR2004 - a hundred per cent and more would accept anything
        return Tolerance(relative=float(found[1]) / 100)
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf"):
        return Tolerance(absolute=float(value))
    raise ValueError("expected a percentage below 100% such as 1%, or a distance such as 0.005")


def _parse_date(value: object) -> object:
    """Let a quoted date through as the date it is."""
    try:
        return date.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        raise ValueError("expected a date such as 2018-06-01") from None


def _check_python(value: str) -> str:
    if not re.fullmatch(r"3\.\d+(\.\d+)?", value):
        raise ValueError('expected a Python version such as "3.13"')
    return value


def _check_regex(value: str) -> str:
    try:
        groups = re.compile(value).groups
    except re.error as error:
        raise ValueError(f"not a valid regular expression: {error}") from None
    if groups != 1:
        raise ValueError(f"the pattern must hold exactly one group, the number, such as 'AUC: ([0-9.]+)'; it holds {groups}")
    return value


def _check_grader(value: str) -> str:
    if value in GRADERS or MAP_AT.fullmatch(value) or re.fullmatch(re.escape(SCIKIT_LEARN) + r"\w+", value):
        return value
    raise ValueError(f"unknown grader {value!r}; there are {', '.join(GRADERS)}, map@K and {SCIKIT_LEARN}NAME")


Glob = Annotated[str, AfterValidator(check_pattern)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Text = Annotated[str, Field(min_length=1)]
Python = Annotated[str, AfterValidator(_check_python)]
Bytes = Annotated[int, BeforeValidator(parse_size)]
Tolerated = Annotated[Tolerance, BeforeValidator(parse_tolerance)]
AsOf = Annotated[date, BeforeValidator(_parse_date)]
Regex = Annotated[str, AfterValidator(_check_regex)]
Grader = Annotated[str, AfterValidator(_check_grader)]
Repeat = Annotated[int, Field(ge=1, le=100)]
Rule = Literal["equivalence", "study"]
Packages = Literal["latest", "declared"]
Network = Literal["allow", "install-only"]
