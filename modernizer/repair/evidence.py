"""What an error's message proves: the class that lacks an attribute, the call that refuses an argument."""

from __future__ import annotations

import re
from dataclasses import dataclass

from modernizer.repair.recipe import Failure

_ATTRIBUTE = re.compile(r"^(?:type object )?'(?P<owner>[\w.]+)' object has no attribute '(?P<name>\w+)'")
_TYPE_ATTRIBUTE = re.compile(r"^type object '(?P<owner>[\w.]+)' has no attribute '(?P<name>\w+)'")
_KEYWORD = re.compile(r"(?P<callee>[\w.]+)\(\) got an unexpected keyword argument '(?P<name>\w+)'")
_POSITIONAL = re.compile(
    r"(?P<callee>[\w.]+)\(\) takes (?:from \d+ to )?\d+ positional arguments? "
    r"but \d+ (?:positional arguments? \(and [^)]*\) )?(?:was|were) given"
)


@dataclass(frozen=True)
class Refused:
    """An attribute or keyword that an owner refuses; ``owner`` is a class name or a callee such as ``DataFrame.drop``."""

    owner: str
    name: str


def missing_attribute(failure: Failure | None) -> Refused | None:
    """Read ``'DataFrame' object has no attribute 'ix'``; the owner is the class name without its module."""
    if failure is None or failure.error.name != "AttributeError":
        return None
    found = _ATTRIBUTE.search(failure.error.message) or _TYPE_ATTRIBUTE.search(failure.error.message)
    return Refused(found["owner"].rpartition(".")[2], found["name"]) if found else None


def refused_keyword(failure: Failure | None) -> Refused | None:
    """Read ``DataFrame.sort_index() got an unexpected keyword argument 'by'``."""
    if failure is None or failure.error.name != "TypeError":
        return None
    found = _KEYWORD.search(failure.error.message)
    return Refused(found["callee"], found["name"]) if found else None


def refused_position(failure: Failure | None) -> str | None:
    """Return the callee of ``DataFrame.drop() takes from 1 to 2 positional arguments but 3 were given``."""
    if failure is None or failure.error.name != "TypeError":
        return None
    found = _POSITIONAL.search(failure.error.message)
    return found["callee"] if found else None


def raised_in(failure: Failure | None, part: str) -> bool:
    """Tell whether the error came out of a library file whose path ends or contains ``part`` (``pandas/core/series.py``)."""
    return failure is not None and any(frame.file is not None and part in frame.file for frame in failure.error.frames)
