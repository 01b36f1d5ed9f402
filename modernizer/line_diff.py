"""Which lines two texts share: the comparison behind source edits and patches."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import TypeVar

Line = TypeVar("Line", str, bytes)
Block = tuple[int, int, int]

# Up to this many pairs of lines the exact search is affordable; above it, difflib's shortcut for frequent lines is needed.
_EXACT_PAIRS = 4_000_000


def matching_blocks(before: Sequence[Line], after: Sequence[Line]) -> list[Block]:
    """List the shared runs as (place in before, place in after, length), in order and never touching each other."""
    shorter = min(len(before), len(after))
    head = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    rest = shorter - head
    tail = next((i for i in range(rest) if before[-1 - i] != after[-1 - i]), rest)
    found = [(0, 0, head)]
    found += _between(before, after, (head, len(before) - tail), (head, len(after) - tail))
    found.append((len(before) - tail, len(after) - tail, tail))
    return _joined(found)


def _between(before: Sequence[Line], after: Sequence[Line], old: tuple[int, int], new: tuple[int, int]) -> list[Block]:
    """Compare two ranges; what the shortcut for frequent lines leaves unmatched is searched again exactly where small enough."""
    (low, high), (start, end) = old, new
    if low == high or start == end:
        return []
    exact = (high - low) * (end - start) <= _EXACT_PAIRS
    matcher = SequenceMatcher(None, before[low:high], after[start:end], autojunk=not exact)
    blocks = [(low + i, start + j, size) for i, j, size in matcher.get_matching_blocks()]
    if exact:
        return blocks
    found: list[Block] = []
    for i, j, size in blocks:
        if (i - low) * (j - start) <= _EXACT_PAIRS:
            found += _between(before, after, (low, i), (start, j))
        found.append((i, j, size))
        low, start = i + size, j + size
    return found


def _joined(blocks: Sequence[Block]) -> list[Block]:
    joined: list[Block] = []
    for i, j, size in blocks:
        if not size:
            continue
        if joined and joined[-1][0] + joined[-1][2] == i and joined[-1][1] + joined[-1][2] == j:
            last = joined.pop()
            joined.append((last[0], last[1], last[2] + size))
        else:
            joined.append((i, j, size))
    return joined
