"""Which language a notebook is written in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def kernel_language(notebook: Mapping[str, Any]) -> str:
    """Return the language of a notebook's kernel in small letters; without any sign of another one it is python.

    Takes the parsed JSON of nbformat 3 or 4, of which nothing is taken for granted.
    """
    metadata = _mapping(notebook.get("metadata"))
    kernelspec = _mapping(metadata.get("kernelspec"))
    for said in (_mapping(metadata.get("language_info")).get("name"), kernelspec.get("language")):
        if isinstance(said, str) and said.strip():
            return _family(said)
    for hint in (kernelspec.get("name"), kernelspec.get("display_name")):
        if isinstance(hint, str) and _family(hint) in _FAMILIES.values():
            return _family(hint)
    for sheet in _list(notebook.get("worksheets")):
        for cell in _list(_mapping(sheet).get("cells")):
            said = _mapping(cell).get("language")
            if isinstance(said, str) and said.strip():
                return _family(said)
    return "python"


_FAMILIES = {
    "python": "python",
    "ipython": "python",
    "xpython": "python",
    "ir": "r",
    "xr": "r",
    "r": "r",
    "julia": "julia",
    "scala": "scala",
    "almond": "scala",
    "bash": "bash",
    "javascript": "javascript",
    "tslab": "typescript",
    "haskell": "haskell",
    "ruby": "ruby",
    "octave": "octave",
    "matlab": "matlab",
    "sagemath": "sage",
    "sos": "sos",
    "xcpp": "c++",
    "sql": "sql",
    "rust": "rust",
    "gophernotes": "go",
    ".net-csharp": "c#",
    ".net-fsharp": "f#",
    ".net-powershell": "powershell",
}


def _family(name: str) -> str:
    """Map ``python3``, ``ir`` or ``julia-1.10`` to the language's name."""
    low = name.strip().lower()
    stem = (low.split() or [""])[0].rstrip("0123456789.").removesuffix("-")
    return _FAMILIES.get(low) or _FAMILIES.get(stem) or low


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()
