"""The texts of a cell's outputs: what it wrote and what it displayed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_FRAME = re.compile(r"class=\\?[\"']dataframe")


def written(outputs: Sequence[Mapping[str, Any]]) -> str:
    """Return what a cell wrote to standard output, as one text."""
    return "".join(text_of(output.get("text")) for output in outputs if _is_stdout(output))


def displayed(output: Mapping[str, Any]) -> str:
    """Return the plain text of a displayed object; none for data frames, whose layout says nothing about scores."""
    data = output.get("data")
    if not isinstance(data, Mapping) or _FRAME.search(text_of(data.get("text/html"))):
        return ""
    return text_of(data.get("text/plain"))


def text_of(value: object) -> str:
    """Join an output text, which nbformat stores as a string or as a list of lines."""
    return "".join(map(str, value)) if isinstance(value, list | tuple) else value if isinstance(value, str) else ""


def _is_stdout(output: Mapping[str, Any]) -> bool:
    return output.get("output_type") == "stream" and output.get("name", "stdout") == "stdout"
