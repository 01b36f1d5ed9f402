"""Rules on the program's frame: which cells and files there are, and what language they speak."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from modernizer.notebook import Cell
from modernizer.repair.policy.edit import Edit, Finding
from modernizer.repair.program import Key, Program

# Magics that bring in data or code; the others set up the display or packages.
_LOADING = re.compile(
    r"%(?:run|load|sql|store|fetch)\b|!.*\b(?:wget|curl|kaggle|unzip|tar|gsutil|aws|git|cp|gdown)\b|%{1,2}bash|%%"
)
# Magics that a repair may add or change: what figures and reloading look like.
_DISPLAY = re.compile(r"%(?:matplotlib(?:\s+\w+)?|config\s+InlineBackend\.\w+\s*=\s*['\"\w{}\[\], ]+|autoreload\s+\d)\s*$")
_HIDDEN = frozenset({"Cf", "Co", "Cn", "Cs", "Zl", "Zp"})
_WORD = re.compile(r"[^\W\d]\w*")


def cells_stay(before: Program, after: Program) -> Iterator[tuple[Key, Finding]]:
    """No cell is removed, added, moved or changed other than in its code: a repair is a change of code, not of the document."""
    old, new = before.notebook, after.notebook
    if len(old.cells) != len(new.cells):
        yield old.path, Finding(0, f"the notebook had {len(old.cells)} cells and has {len(new.cells)}")
        return
    for one, other in zip(old.cells, new.cells, strict=True):
        if _frame(one) != _frame(other):
            yield one.index, Finding(0, "only the source of code cells may change")
    if old.metadata != new.metadata or old.path != new.path:
        yield old.path, Finding(0, "the notebook's metadata and path stay")


def _frame(cell: Cell) -> Cell:
    return replace(cell, source="") if cell.kind == "code" else cell


def files_stay(before: Program, after: Program) -> Iterator[tuple[Key, Finding]]:
    """No module is added or removed: a new file would be code that nobody asked for."""
    for path in sorted(before.modules.keys() ^ after.modules.keys()):
        yield path, Finding(0, "no module may be added or removed")


def cells_keep_code(edit: Edit) -> Iterator[Finding]:
    """No cell is emptied: code that is gone can't fail, and can't compute either."""
    if edit.before.source.strip() and (not edit.after.source.strip() or (edit.after.tree and not edit.after.tree.body)):
        yield Finding(0, "the cell has no code left")


def code_stays_readable(edit: Edit) -> Iterator[Finding]:
    """Give valid Python: what can't be read can't be judged, and would not run."""
    if edit.after.masked is not None and not edit.after.valid:
        yield Finding(0, "the code is not valid Python 3 after the edit")


def languages_stay(edit: Edit) -> Iterator[Finding]:
    """Cells in another language stay, and no Python cell becomes one: rules can't see into them."""
    if edit.before.masked is None or edit.after.masked is None:
        yield Finding(1, "a cell in another language can't be edited, nor can a cell become one")


def magics_stay(edit: Edit) -> Iterator[Finding]:
    """No shell command or magic comes in, and none that loads data or code goes: they act outside the notebook's Python."""
    old, new = (Counter(code.masked.hidden if code.masked else ()) for code in (edit.before, edit.after))
    for text in new - old:
        if not _DISPLAY.match(text):
            yield Finding(_line_with(edit.after.source, text), f"no new magic or shell command: {text.strip()}")
    for text in old - new:
        if _LOADING.match(text.strip()):
            yield Finding(0, f"this brings in data or code and must stay: {text.strip()}")


def nothing_hidden(edit: Edit) -> Iterator[Finding]:
    """No invisible or direction-changing characters and no look-alike names: a reviewer must see what runs."""
    new = Counter(edit.after.source) - Counter(edit.before.source)
    for character in new:
        control = unicodedata.category(character) == "Cc" and character not in "\n\r\t"
        if control or unicodedata.category(character) in _HIDDEN:
            name = unicodedata.name(character, f"U+{ord(character):04X}")
            yield Finding(_line_with(edit.after.source, character), f"hidden character: {name}")
    if edit.after.masked is None:
        return
    known = set(_WORD.findall(edit.before.source))
    for node, name in edit.new_nodes(lambda node: next((text for text in _identifiers(node) if not text.isascii()), None)):
        if name not in known:
            yield Finding(getattr(node, "lineno", 0), f"a new name with other than ASCII letters: {name!a}")


def _identifiers(node: object) -> Iterator[str]:
    for field in ("id", "attr", "name", "arg"):
        if isinstance(text := getattr(node, field, None), str) and not text.startswith(("%", "!", "?")):
            yield text


def _line_with(source: str, text: str) -> int:
    place = source.find(text)
    return source.count("\n", 0, place) + 1 if place >= 0 else 0
