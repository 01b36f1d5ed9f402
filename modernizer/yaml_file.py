"""Reads a YAML file to plain data and remembers on which line each key and item stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from modernizer.errors import UsageError

Place = tuple[str | int, ...]
MAX_BYTES = 1_000_000
# Aliases can refer to themselves or multiply; a configuration of people is far below both limits.
MAX_NODES = 10_000
MAX_DEPTH = 20


@dataclass(frozen=True)
class YamlFile:
    """The content of a file: plain data with sequences as tuples, the line (from 1) and the raw text of each place."""

    data: Mapping[str, Any]
    lines: Mapping[Place, int]
    raw: Mapping[Place, str] = field(default_factory=dict)

    def line(self, place: Place) -> int:
        """Return the line of a place, or of the nearest place around it."""
        for end in range(len(place), -1, -1):
            if place[:end] in self.lines:
                return self.lines[place[:end]]
        return 1


def read_yaml(path: Path, *, shown: str) -> YamlFile:
    """Read a file whose top level is a mapping; ``shown`` names it in messages. Raises UsageError."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise UsageError("the configuration file does not exist", where=shown) from None
    except OSError as error:
        raise UsageError(f"the configuration file can't be read: {error.strerror}", where=shown) from error
    if len(content) > MAX_BYTES:
        raise UsageError(f"the configuration file is larger than {MAX_BYTES:,} bytes", where=shown)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UsageError("the configuration file is not UTF-8", where=f"{shown}:{line}") from error
    return _Reader(shown).read(text)


class _Reader:
    """Walks the node tree of one document."""

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self.lines: dict[Place, int] = {}
        self.raw: dict[Place, str] = {}
        self.nodes = 0

    def read(self, text: str) -> YamlFile:
        try:
            loader = yaml.SafeLoader(text)
            root = loader.get_single_node()
            if root is None or root.tag == "tag:yaml.org,2002:null":
                return YamlFile({}, {(): 1})
            if not isinstance(root, yaml.MappingNode):
                raise self._error(root, "the configuration must be a mapping of keys to values, such as 'python: \"3.13\"'")
            return YamlFile(self._mapping(loader, root, ()), self.lines, self.raw)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = mark.line + 1 if mark else 1
            raise UsageError(f"not valid YAML: {error.problem or error.context}", where=f"{self.shown}:{line}") from error
        except yaml.reader.ReaderError as error:
            line = text.count("\n", 0, error.position) + 1
            raise UsageError(f"not valid YAML: {error.reason}", where=f"{self.shown}:{line}") from error
        except RecursionError as error:
            raise UsageError("the configuration is nested too deeply", where=self.shown) from error

    def _value(self, loader: yaml.SafeLoader, node: yaml.Node, place: Place) -> Any:  # noqa: ANN401 - YAML holds anything
        self.nodes += 1
        if self.nodes > MAX_NODES or len(place) > MAX_DEPTH:
            raise self._error(node, "the configuration is nested too deeply or too large")
        self.lines.setdefault(place, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(loader, node, place)
        if isinstance(node, yaml.SequenceNode):
            return tuple(self._value(loader, item, (*place, index)) for index, item in enumerate(node.value))
        self.raw[place] = str(node.value)
        try:
            return loader.construct_object(node)
        except (ValueError, OverflowError) as error:
            # PyYAML reads 2018-13-45 as a date and lets datetime's own error out.
            raise self._error(node, f"{node.value!r} is not a valid value: {error}") from error

    def _mapping(self, loader: yaml.SafeLoader, node: yaml.MappingNode, place: Place) -> dict[str, Any]:
        data: dict[str, Any] = {}
        self.lines.setdefault(place, node.start_mark.line + 1)
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise self._error(key_node, "a key must be a plain name")
            key = str(key_node.value)
            line = key_node.start_mark.line + 1
            if key in data:
                first = self.lines[*place, key]
                raise self._error(key_node, f"the key {key!r} stands here for the second time", hint=f"first on line {first}")
            self.lines[*place, key] = line
            data[key] = self._value(loader, value_node, (*place, key))
        return data

    def _error(self, node: yaml.Node, what: str, *, hint: str = "") -> UsageError:
        return UsageError(what, where=f"{self.shown}:{node.start_mark.line + 1}", hint=hint)
