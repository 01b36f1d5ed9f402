"""Labels as they stand in files: ``1``, ``1.0`` and ``True`` are one label."""

from __future__ import annotations

Label = float | str
_WORDS = {"true": 1.0, "false": 0.0}


def label(text: str) -> Label:
    """Return what a field stands for: a number where it is one, else the text."""
    text = text.strip()
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        value = float(text)
    except ValueError:
        return text
    return text if value != value else value  # noqa: PLR0124 - NaN equals nothing, its text does


def in_order(labels: set[Label]) -> list[Label]:
    """Sort labels: numbers by size, then texts."""
    return sorted(labels, key=lambda item: (isinstance(item, str), item if isinstance(item, float) else 0.0, str(item)))
