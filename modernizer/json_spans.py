"""Reads JSON with the place of chosen values in the text, so that an edit can leave every other byte alone.

The standard decoder reads the values; only the containers on the way to a wanted value are walked here. Each reader
takes the text and where a value begins, and returns the value and where it ends. All raise json.JSONDecodeError.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Reader = Callable[[str, int], tuple[Any, int]]

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")


@dataclass(frozen=True)
class Spanned:
    """A value and the half-open range of the text it was read from."""

    value: Any
    start: int
    end: int


def space_end(text: str, start: int) -> int:
    """Return where the white space that begins at ``start`` ends."""
    match = _SPACE.match(text, start)
    return match.end() if match else start


def read_any(text: str, start: int) -> tuple[Any, int]:
    """Read any value."""
    return _DECODER.raw_decode(text, start)


def spanned(reader: Reader) -> Reader:
    """Make a reader wrap its value in its place in the text."""

    def read(text: str, start: int) -> tuple[Spanned, int]:
        value, end = reader(text, start)
        return Spanned(value, start, end), end

    return read


def object_reader(members: Mapping[str, Reader]) -> Reader:
    """Make a reader of objects that reads the named members in their own way; a repeated key's last value wins."""

    def read(text: str, start: int) -> tuple[Any, int]:
        if not text.startswith("{", start):
            return read_any(text, start)
        found: dict[str, Any] = {}
        at = space_end(text, start + 1)
        if text.startswith("}", at):
            return found, at + 1
        while True:
            if not text.startswith('"', at):
                raise json.JSONDecodeError("Expecting property name enclosed in double quotes", text, at)
            key, at = read_any(text, at)
            at = space_end(text, at)
            if not text.startswith(":", at):
                raise json.JSONDecodeError("Expecting ':' delimiter", text, at)
            found[key], at = members.get(key, read_any)(text, space_end(text, at + 1))
            at = space_end(text, at)
            if text.startswith("}", at):
                return found, at + 1
            at = _past_comma(text, at)

    return read


def array_reader(item: Reader) -> Reader:
    """Make a reader of arrays that reads each item in the given way."""

    def read(text: str, start: int) -> tuple[Any, int]:
        if not text.startswith("[", start):
            return read_any(text, start)
        found: list[Any] = []
        at = space_end(text, start + 1)
        if text.startswith("]", at):
            return found, at + 1
        while True:
            value, at = item(text, at)
            found.append(value)
            at = space_end(text, at)
            if text.startswith("]", at):
                return found, at + 1
            at = _past_comma(text, at)

    return read


def read_document(text: str, start: int, reader: Reader) -> Any:  # noqa: ANN401 - JSON is any value
    """Read a text that is one value with nothing but white space around it."""
    value, end = reader(text, space_end(text, start))
    end = space_end(text, end)
    if end != len(text):
        raise json.JSONDecodeError("Extra data", text, end)
    return value


def _past_comma(text: str, at: int) -> int:
    if not text.startswith(",", at):
        raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
    return space_end(text, at + 1)
