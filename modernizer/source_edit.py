"""Changes a cell's source inside the notebook's text, so that unchanged lines keep their bytes.

A source is stored as one JSON string or as a list of them, usually one a line. New lines are written the way the file
writes its other ones: separators, indentation and escapes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from modernizer.json_escapes import Encode, written_characters
from modernizer.json_spans import Spanned, array_reader, read_any, space_end, spanned
from modernizer.line_diff import matching_blocks

Join = Callable[[Sequence[str]], str]

_READ_ITEMS = array_reader(spanned(read_any))
_COMMA_AT_LINE_END = re.compile(r",( *)\r?\n")
# How much of a file shows its layout.
_HEAD = 100_000
_LINE_ENDS = frozenset({r"\n", r"\u000a", r"\u000A"})


@dataclass(frozen=True)
class Layout:
    """The text of a list around its items: before the first, between two, after the last."""

    lead: str = ""
    separator: str = ", "
    tail: str = ""


@dataclass(frozen=True)
class Style:
    """What a changed source takes from its file."""

    join: Join
    encode: Encode
    layout: Layout
    prefers_lists: bool = False


@dataclass(frozen=True)
class _Item:
    """One string of a list: its literal, and its place in the old list if it was there."""

    literal: str
    old: int | None = None


def join_lines(items: Sequence[str]) -> str:
    """Join a list of strings as nbformat 4 does."""
    return "".join(items)


def join_lines_of_version_3(items: Sequence[str]) -> str:
    """Join a list of strings as nbformat 3 does: some of its writers left the line ends out."""
    return "".join(items) if items and items[0].endswith(("\n", "\r")) else "\n".join(items)


def changed_value(text: str, source: Spanned, new: str, style: Style) -> str:
    """Return the JSON text of ``source`` after it became ``new``; ``source`` is a string or a list of strings in ``text``."""
    written = text[source.start : source.end]
    if isinstance(source.value, str):
        if not source.value and style.prefers_lists:
            return _list_text(_Old.empty(style), [_Item(line) for line in _lines(_encoded(new, style.encode))])
        tokens = _new_tokens(source.value, written_characters(written[1:-1]), new, style.encode)
        return f'"{"".join(tokens)}"'
    old = _Old.read(text, source, style)
    tokens = _new_tokens(old.text, old.tokens, new, style.encode)
    implied = old.implied_line_ends
    attempts: tuple[Callable[[], list[_Item]], ...] = (
        lambda: list(_kept_and_new(old, new, tokens)),
        lambda: [_Item(literal) for literal in _lines(tokens, implied=implied)],
        lambda: [_Item(literal) for literal in _lines(tokens)],
    )
    for attempt in attempts:
        items = attempt()
        # A list cut at odd places can read differently once a neighbour is gone; then it is cut into plain lines.
        if style.join([json.loads(item.literal) for item in items]) == new:
            break
    return _list_text(old, items)


@dataclass(frozen=True)
class _Old:
    """A list of strings as it stands in the file. ``ends`` and ``tokens`` count characters of the joined text."""

    text: str
    tokens: list[str]
    literals: list[str]
    ends: list[int]
    separators: list[str]
    layout: Layout
    implied_line_ends: bool

    @classmethod
    def empty(cls, style: Style) -> _Old:
        return cls("", [], [], [], [], style.layout, implied_line_ends=False)

    @classmethod
    def read(cls, text: str, source: Spanned, style: Style) -> _Old:
        items: list[Spanned] = _READ_ITEMS(text, source.start)[0]
        if not items:
            return cls.empty(style)
        joined = style.join(source.value)
        implied = joined != "".join(source.value)
        literals = [text[item.start : item.end] for item in items]
        parts = [written_characters(literal[1:-1]) for literal in literals]
        if implied:
            parts = [[*part, style.encode("\n")] for part in parts[:-1]] + parts[-1:]
        lead, tail = text[source.start + 1 : items[0].start], text[items[-1].end : source.end - 1]
        separators = [text[left.end : right.start] for left, right in pairwise(items)]
        between = separators[0] if separators else _separator(lead, style.layout)
        return cls(
            joined,
            [token for part in parts for token in part],
            literals,
            list(accumulate(len(part) for part in parts)),
            separators,
            Layout(lead, between, tail),
            implied,
        )


def _encoded(text: str, encode: Encode) -> list[str]:
    return [encode(character) for character in text]


def _new_tokens(old: str, old_tokens: Sequence[str], new: str, encode: Encode) -> list[str]:
    """Encode ``new`` character by character, reusing the written form of the lines it shares with ``old``."""
    before, after = old.split("\n"), new.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in before)]
    written: dict[int, list[str]] = {}
    for i, j, size in matching_blocks(before, after):
        for step in range(size):
            written[j + step] = list(old_tokens[starts[i + step] : starts[i + step + 1]])
    tokens: list[str] = []
    for number, line in enumerate(after):
        known = written.get(number)
        if known is None:
            known = _encoded(line, encode)
        tokens += known[: len(line)]
        if number < len(after) - 1:
            tokens.append(known[len(line)] if len(known) > len(line) else encode("\n"))
    return tokens


def _kept_and_new(old: _Old, new: str, tokens: Sequence[str]) -> Iterator[_Item]:
    """Keep each old item that lies wholly in lines both texts share; cut what is between them into lines."""
    before, after = old.text.split("\n"), new.split("\n")
    old_starts = [0, *accumulate(len(line) + 1 for line in before)]
    new_starts = [0, *accumulate(len(line) + 1 for line in after)]
    done, number = 0, 0
    for i, j, size in matching_blocks(before, after):
        # The last line has no line end: it is the same line only as long as it stays the last one.
        whole = size - ((i + size == len(before)) != (j + size == len(after)))
        start, end = old_starts[i], min(old_starts[i + whole], len(old.text))
        shift = new_starts[j] - start
        while number < len(old.ends) and old.ends[number] <= end:
            item_start = old.ends[number - 1] if number else 0
            if item_start >= start:
                for literal in _lines(tokens[done : item_start + shift], implied=old.implied_line_ends):
                    yield _Item(literal)
                yield _Item(old.literals[number], number)
                done = old.ends[number] + shift
            number += 1
    for literal in _lines(tokens[done:], implied=old.implied_line_ends):
        yield _Item(literal)


def _lines(tokens: Sequence[str], *, implied: bool = False) -> Iterator[str]:
    """Cut written characters into one literal a line, with or without its line end."""
    line: list[str] = []
    for token in tokens:
        if token in _LINE_ENDS:
            yield f'"{"".join(line)}{"" if implied else token}"'
            line = []
        else:
            line.append(token)
    if line:
        yield f'"{"".join(line)}"'


def _list_text(old: _Old, items: Sequence[_Item]) -> str:
    if not items:
        return "[]"
    separator = old.layout.separator
    parts = [f"[{old.layout.lead}{items[0].literal}"]
    for item in items[1:]:
        if item.old:
            separator = old.separators[item.old - 1]
        parts.append(f"{separator}{item.literal}")
    return "".join(parts) + f"{old.layout.tail}]"


def list_layout(text: str, sources: Sequence[Spanned], *, cell_start: int, document_start: int) -> Layout:
    """Return how the file lays out lists of lines: as its other sources do, else as its indentation implies."""
    comma = _indented_comma(text)
    single: Layout | None = None
    for source in sources:
        if not isinstance(source.value, list) or not source.value:
            continue
        items: list[Spanned] = _READ_ITEMS(text, source.start)[0]
        lead, tail = text[source.start + 1 : items[0].start], text[items[-1].end : source.end - 1]
        if len(items) > 1:
            return Layout(lead, text[items[0].end : items[1].start], tail)
        single = single or Layout(lead, f"{comma}{lead}" if "\n" in lead else _flat_separator(text, source), tail)
    if single:
        return single
    member = text[cell_start + 1 : space_end(text, cell_start + 1)]
    if "\n" in member:
        unit = text[document_start + 1 : space_end(text, document_start + 1)].lstrip("\r\n")
        return Layout(f"{member}{unit}", f"{comma}{member}{unit}", member)
    return Layout("", _flat_separator(text, sources[0]) if sources else ", ", "")


def _separator(lead: str, layout: Layout) -> str:
    """Return what separates the items of a list that has one so far, from what stands before that one."""
    return f",{lead}" if "\n" in lead and layout.lead != lead else layout.separator


def _indented_comma(text: str) -> str:
    """Return the comma at a line's end; writers in Python 2 put a space after it."""
    found = _COMMA_AT_LINE_END.search(text, 0, _HEAD)
    return f",{found[1]}" if found else ","


def _flat_separator(text: str, source: Spanned) -> str:
    """Return the separator of a writer without indentation: it puts a space after commas if it does after colons."""
    return ", " if text[source.start - 1].isspace() else ","
