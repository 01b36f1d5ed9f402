"""Brings stored outputs of nbformat 3 and 4 into the shapes of nbformat 4, with joined text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from modernizer.source_edit import Join

_MIME_OF_VERSION_3 = {
    "text": "text/plain",
    "html": "text/html",
    "svg": "image/svg+xml",
    "png": "image/png",
    "jpeg": "image/jpeg",
    "latex": "text/latex",
    "json": "application/json",
    "javascript": "application/javascript",
    "pdf": "application/pdf",
}
_NOT_DATA_IN_VERSION_3 = frozenset({"output_type", "metadata", "prompt_number", "execution_count", "data", "collapsed"})
_RICH = {"pyout": "execute_result", "execute_result": "execute_result", "display_data": "display_data"}


def normalised_outputs(outputs: Any, join: Join) -> tuple[Mapping[str, Any], ...]:  # noqa: ANN401 - unchecked JSON
    """Return a cell's outputs in nbformat 4 shapes; entries that are no outputs at all are left out."""
    if not isinstance(outputs, list):
        return ()
    return tuple(_normalised(output, join) for output in outputs if isinstance(output, Mapping) and output.get("output_type"))


def count(value: Any) -> int | None:  # noqa: ANN401 - unchecked JSON
    """Return an execution count, None for anything that isn't one."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def mapping(value: Any) -> Mapping[str, Any]:  # noqa: ANN401 - unchecked JSON
    """Return a JSON object, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def _normalised(output: Mapping[str, Any], join: Join) -> Mapping[str, Any]:
    kind = output["output_type"]
    if kind == "stream":
        name = output.get("name") or output.get("stream") or "stdout"
        return {"output_type": "stream", "name": str(name), "text": _text(output.get("text", ""), join)}
    if kind in {"pyerr", "error"}:
        return {
            "output_type": "error",
            "ename": _text(output.get("ename", ""), join),
            "evalue": _text(output.get("evalue", ""), join),
            "traceback": [str(line) for line in _items(output.get("traceback"))],
        }
    if kind in _RICH:
        shown: dict[str, Any] = {
            "output_type": _RICH[kind],
            "metadata": mapping(output.get("metadata")),
            "data": _data(output, join),
        }
        if shown["output_type"] == "execute_result":
            shown["execution_count"] = count(output.get("execution_count", output.get("prompt_number")))
        return shown
    return dict(output)


def _data(output: Mapping[str, Any], join: Join) -> dict[str, Any]:
    if isinstance(output.get("data"), dict):
        return {mime: value if _is_json(mime) else _text(value, join) for mime, value in output["data"].items()}
    found: dict[str, Any] = {}
    for key, value in output.items():
        if key in _NOT_DATA_IN_VERSION_3:
            continue
        text = _text(value, join)
        if key == "json":
            try:
                found[_MIME_OF_VERSION_3[key]] = json.loads(text)
            except ValueError:
                found["text/plain"] = found.get("text/plain", text)
        else:
            found[_MIME_OF_VERSION_3.get(key, key)] = text
    return found


def _is_json(mime: str) -> bool:
    return mime == "application/json" or (mime.startswith("application/") and mime.endswith("+json"))


def _items(value: Any) -> Sequence[Any]:  # noqa: ANN401 - unchecked JSON
    return value if isinstance(value, list) else [value] if isinstance(value, str) else []


def _text(value: Any, join: Join) -> str:  # noqa: ANN401 - unchecked JSON
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return join(value)
    return "" if value is None else json.dumps(value)
