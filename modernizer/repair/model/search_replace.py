"""Search and replace blocks, as editing tools have taught models to write them, as one diff."""

from __future__ import annotations

import re

_BLOCK = re.compile(
    r"^<{5,9} ?(?:SEARCH|ORIGINAL|HEAD)?[ \t]*\n(?P<old>.*?)^={5,9}[ \t]*\n(?P<new>.*?)^>{5,9} ?(?:REPLACE|UPDATED|\w+)?[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_PLACE = re.compile(r"\bcell[ _#:\[-]*\d+|[\w/.-]+\.py\b", re.IGNORECASE)


def as_diff(text: str) -> str | None:
    """Return the blocks of a text as hunks, each with the cell or file that the words before it name; None without blocks."""
    hunks = []
    end = 0
    place = ""
    for block in _BLOCK.finditer(text):
        before = [found[0] for found in _PLACE.finditer(text[end : block.start()])]
        place = before[-1] if before else place
        end = block.end()
        lines = [f"{mark}{line}" for mark, part in (("-", "old"), ("+", "new")) for line in block[part].split("\n")[:-1]]
        hunks.append("\n".join([f"@@ {place}".rstrip(), *lines]))
    return "\n".join(hunks) or None
