"""Applies a unified diff as models write it: by its lines, whatever its numbers, counts and headers say.

A hunk is looked for by its old lines, exactly at first and then more and more leniently; it must fit at one place only.
Lines of context keep the text they have in the program. An edit that could mean two things is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from modernizer.repair.model.left_out import left_out
from modernizer.repair.model.text_form import Line, header_unit, lines_of
from modernizer.repair.program import Key

_HUNK = re.compile(r"^\s*@@(?:\s*-(?P<line>\d+)(?:,\d+)?(?:\s+\+\d+(?:,\d+)?)?)?\s*(?:@@)?(?P<section>.*)$")
_FILE = re.compile(r"^(?:---|\+\+\+)(?:\s|$)")
_NOISE = re.compile(r"^(?:diff --git |index [0-9a-f]+\.\.|\\ No newline|new file mode|similarity index)")
_NAMED_CELL = re.compile(r"cell[ _#:\[-]*(\d+)", re.IGNORECASE)
_MOST_HUNKS = 40


class DiffRefusedError(Exception):
    """A diff that can't be applied, with a reason that its author can act on."""


@dataclass
class Hunk:
    """One hunk: lines as (mark, text), the unit that a header names and the line number it claims, if any."""

    lines: list[tuple[str, str]] = field(default_factory=list)
    unit: Key | None = None
    claimed: int | None = None

    @property
    def changes(self) -> bool:
        """Tell whether the hunk changes anything."""
        return any(mark != " " for mark, _ in self.lines)


def read_hunks(text: str, units: Iterable[Key]) -> list[Hunk]:
    """Read the hunks of a diff. Lines without a mark are taken for context, headers of cells name the unit."""
    if re.search(r"^\s*@@@", text, re.MULTILINE):
        raise DiffRefusedError("the diff compares three versions; send one of two")
    known = set(units)
    hunks: list[Hunk] = []
    unit: Key | None = None
    current: Hunk | None = None
    for raw in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if _NOISE.match(raw) or raw.strip().startswith("```"):
            continue
        if _FILE.match(raw) and (current is None or not current.changes or _names_file(raw)):
            unit, current = _named(raw, known) or unit, None
            continue
        if (found := _HUNK.match(raw)) and raw.lstrip().startswith("@@"):
            unit = _named(found["section"], known) or unit
            current = Hunk(unit=unit, claimed=int(found["line"]) if found["line"] else None)
            hunks.append(current)
            continue
        mark, line = (raw[0], raw[1:]) if raw[:1] in {"+", "-", " "} else (" ", raw)
        named = header_unit(line)
        if named is not None and named in known:
            if mark != " ":
                raise DiffRefusedError(
                    f"the diff {'adds' if mark == '+' else 'removes'} a cell header; cells must stay as they are"
                )
            # A header in the middle of a hunk starts a hunk of the next cell.
            unit = named
            current = Hunk(unit=unit)
            hunks.append(current)
            continue
        if current is None:
            if not raw.strip():
                continue
            current = Hunk(unit=unit)
            hunks.append(current)
        current.lines.append((mark, line))
    return [hunk for hunk in hunks if hunk.changes]


def apply_diff(text: str, sources: Mapping[Key, str]) -> dict[Key, str]:
    """Return the new sources of the units that a diff changes. Raises DiffRefusedError with the reason."""
    hunks = read_hunks(text, sources)
    if not hunks:
        raise DiffRefusedError("the diff has no line that starts with + or -")
    if len(hunks) > _MOST_HUNKS:
        raise DiffRefusedError(f"the diff has {len(hunks)} hunks; change only what the error needs")
    lines = lines_of(sources)
    replacements: list[tuple[Key, int, int, list[str]]] = []
    for hunk in hunks:
        replacements.extend(_located(hunk, lines))
    for unit, _, _, new in replacements:
        if line := left_out("\n".join(new), sources[unit]):
            raise DiffRefusedError(f"the line {line[:80]!r} stands for code that was left out; write out what changes")
    changes = _replaced(sources, replacements)
    for unit, left in changes.items():
        if not left.strip() and sources[unit].strip():
            raise DiffRefusedError(f"the diff leaves nothing of {f'cell {unit}' if isinstance(unit, int) else unit}")
    return changes


def _names_file(raw: str) -> bool:
    return bool(_NAMED_CELL.search(raw) or re.search(r"[\w/]\.(?:py|ipynb)\b|/dev/null|\ba/|\bb/", raw))


def _named(text: str, known: set[Key]) -> Key | None:
    if (found := _NAMED_CELL.search(text)) and int(found[1]) in known:
        return int(found[1])
    return next((unit for unit in known if isinstance(unit, str) and unit in text), None)


# How lines are compared, from exact to lenient. Each maps a line to what must be equal.
_LEVELS: tuple[Callable[[str], str], ...] = (
    lambda line: line,
    lambda line: line.rstrip(),
    lambda line: "".join(char for char in line.rstrip() if char.isprintable() or char == "\t"),
    lambda line: " ".join(line.split()),
    lambda line: "".join(line.split()).replace('"', "'"),
)


def _located(hunk: Hunk, lines: Sequence[Line]) -> list[tuple[Key, int, int, list[str]]]:
    """Find the one place of a hunk and return what it replaces: (unit, from, to, new lines)."""
    code = [line for line in lines if not line.is_header and (hunk.unit is None or line.unit == hunk.unit)]
    for parts in _variants(hunk.lines):
        for level in _LEVELS:
            found = [_places(part, code, level) for part in parts]
            if not all(found):
                continue
            chosen = [_one(places, hunk, code) for places in found]
            return [_replacement(part, code, at) for part, at in zip(parts, chosen, strict=True)]
    if all(mark == "+" or not text.strip() for mark, text in hunk.lines):
        raise DiffRefusedError("a hunk only adds lines and has no line of context that tells where; give the line above it")
    missing = next((text for mark, text in hunk.lines if mark != "+" and text.strip()), "")
    raise DiffRefusedError(
        f"a hunk does not fit: its old lines do not stand together in the code (from {missing.strip()[:120]!r})"
    )


_Part = list[tuple[str, str]]


def _variants(lines: _Part) -> Iterable[list[_Part]]:
    """Give a hunk as it is, without outer blank lines, with less and less context, and at last as separate changes."""
    yield [lines]
    bare = _without_outer_blanks(lines)
    if bare != lines:
        yield [bare]
    head, tail = _context(bare), _context(bare[::-1])
    for cut in range(1, max(head, tail) + 1):
        shorter = bare[min(cut, head) : len(bare) - min(cut, tail)]
        if any(mark != "+" and text.strip() for mark, text in shorter):
            yield [shorter]
    # Lines that the author left out between two changes.
    parts = _changes(bare)
    if len(parts) > 1:
        yield parts


def _without_outer_blanks(lines: _Part) -> _Part:
    start, end = 0, len(lines)
    while start < end and lines[start][0] == " " and not lines[start][1].strip():
        start += 1
    while end > start and lines[end - 1][0] == " " and not lines[end - 1][1].strip():
        end -= 1
    return lines[start:end]


def _context(lines: Sequence[tuple[str, str]]) -> int:
    return next((index for index, (mark, _) in enumerate(lines) if mark != " "), len(lines))


def _changes(lines: _Part) -> list[_Part]:
    """Split a hunk into its runs of changed lines; a run that only adds takes the line of context above it along."""
    parts: list[_Part] = []
    for index, (mark, text) in enumerate(lines):
        if mark == " ":
            continue
        if not index or lines[index - 1][0] == " ":
            adds = mark == "+" and not any(one == "-" for one, _ in _run(lines[index:]))
            parts.append([lines[index - 1]] if adds and index else [])
        parts[-1].append((mark, text))
    return parts if all(any(mark != "+" for mark, _ in part) for part in parts) else []


def _run(lines: _Part) -> _Part:
    """Return the changed lines before the next line of context."""
    return lines[: next((index for index, (mark, _) in enumerate(lines) if mark == " "), len(lines))]


def _places(part: _Part, code: Sequence[Line], level: Callable[[str], str]) -> list[int]:
    """List where a part's old lines stand one after the other in one unit."""
    old = [level(text) for mark, text in part if mark != "+"]
    if not any(text.strip() for text in old):
        return []
    keys = [level(line.text) for line in code]
    return [
        at
        for at in range(len(code) - len(old) + 1)
        if keys[at : at + len(old)] == old and code[at].unit == code[at + len(old) - 1].unit
    ]


def _one(places: list[int], hunk: Hunk, code: Sequence[Line]) -> int:
    if len(places) == 1:
        return places[0]
    exact = [at for at in places if hunk.unit is not None and hunk.claimed is not None and code[at].place == hunk.claimed - 1]
    if len(exact) == 1:
        return exact[0]
    where = ", ".join(f"cell {code[at].unit} line {code[at].place + 1}" for at in places[:4])
    raise DiffRefusedError(f"a hunk fits at {len(places)} places ({where}); name the cell and give more lines of context")


def _replacement(part: _Part, code: Sequence[Line], at: int) -> tuple[Key, int, int, list[str]]:
    """Return the new lines at a place: context as the program has it, added lines with the program's indentation."""
    matched = iter(code[at:])
    added = iter(_indented(part, code, at))
    new: list[str] = []
    count = 0
    for mark, _ in part:
        if mark == "+":
            new.append(next(added))
            continue
        line = next(matched)
        count += 1
        if mark == " ":
            new.append(line.text)
    first = code[at]
    return first.unit, first.place, first.place + count, new


def _indented(part: _Part, code: Sequence[Line], at: int) -> list[str]:
    """Return the added lines with the indentation that they mean."""
    plain = [text.rstrip() for mark, text in part if mark == "+"]
    shift = _shift(part, code, at)
    shifted = [shift(text) for text in plain]
    old = [
        line.text for (mark, _), line in zip([item for item in part if item[0] != "+"], code[at:], strict=False) if mark == "-"
    ]
    if not old or not _odd(shifted) or any(len(_indent(line)) % 2 for line in old):
        return shifted
    # A blank behind some marks and none behind the others.
    nearer = [line[1:] for line in shifted]
    return next((lines for lines in (plain, nearer) if not _odd(lines) and _indent(lines[0]) == _indent(old[0])), shifted)


def _odd(lines: Sequence[str]) -> bool:
    """Tell whether all lines are indented by an odd number of blanks."""
    return bool(lines) and all(len(_indent(line)) % 2 for line in lines if line.strip())


def _shift(part: _Part, code: Sequence[Line], at: int) -> Callable[[str], str]:
    """Tell how the added lines' indentation must change: as that of the old lines does, which must agree on it."""
    pairs: dict[str, set[tuple[str, str]]] = {"-": set(), " ": set()}
    for (mark, text), line in zip([item for item in part if item[0] != "+"], code[at:], strict=False):
        if text.strip():
            pairs[mark].add((_indent(text), _indent(line.text)))
    seen = pairs["-"] or pairs[" "]
    moved = {pair for pair in seen if pair[0] != pair[1]}
    if not moved:
        return lambda text: text
    deltas = {len(real.expandtabs(4)) - len(wrong.expandtabs(4)) for wrong, real in seen}
    if len(deltas) > 1:
        raise DiffRefusedError("the indentation of a hunk does not fit that of the code; copy the old lines exactly")
    delta = deltas.pop()
    tabs = any("\t" in real for _, real in seen)

    def shifted(text: str) -> str:
        if not text.strip():
            return text
        width = max(0, len(_indent(text).expandtabs(4)) + delta)
        return ("\t" * (width // 4) + " " * (width % 4) if tabs else " " * width) + text.lstrip()

    return shifted


def _indent(text: str) -> str:
    return text[: len(text) - len(text.lstrip())]


def _replaced(sources: Mapping[Key, str], replacements: list[tuple[Key, int, int, list[str]]]) -> dict[Key, str]:
    changed: dict[Key, list[str]] = {}
    last: dict[Key, int] = {}
    for unit, start, end, new in sorted(replacements, key=lambda item: (str(item[0]), item[1]), reverse=True):
        if end > last.get(unit, end):
            raise DiffRefusedError("two hunks change the same lines")
        last[unit] = start
        lines = changed.setdefault(unit, sources[unit].split("\n"))
        carriage = "\r" if lines[start : start + 1] and lines[start].endswith("\r") else ""
        lines[start:end] = [f"{line.rstrip(chr(13))}{carriage}" for line in new]
    result = {unit: "\n".join(lines) for unit, lines in changed.items()}
    return {unit: text for unit, text in result.items() if text != sources[unit]}
