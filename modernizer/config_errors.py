"""Turns what pydantic found wrong in a configuration into messages with file, line, key, the expected and the given."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from types import NoneType
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from modernizer.errors import UsageError
from modernizer.yaml_file import YamlFile

_EXPECTED = {
    "string_type": "a text",
    "string_too_short": "a text that is not empty",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "mapping_type": "a mapping",
    "model_type": "a mapping",
    "date_type": "a date such as 2018-06-01",
    "too_short": "a list with at least one item",
}
_SHOWN = 60


def usage_error(error: ValidationError, content: YamlFile | None, shown: str, model: type[BaseModel]) -> UsageError:
    """Describe every problem, first line first; ``shown`` names the file or the command line."""
    problems = sorted(
        ((content.line(tuple(item["loc"])) if content else 0, _describe(item, model)) for item in error.errors()),
        key=lambda problem: problem[0],
    )
    places = [f"{shown}:{line}" if line else shown for line, _ in problems]
    rest = "".join(f"\n{place}: {text}" for place, (_, text) in zip(places[1:], problems[1:], strict=True))
    return UsageError(problems[0][1] + rest, where=places[0])


def _describe(item: ErrorDetails, model: type[BaseModel]) -> str:
    place = tuple(item["loc"])
    name = _dotted(place)
    kind = item["type"]
    context: Mapping[str, Any] = item.get("ctx", {})
    if kind == "extra_forbidden":
        known = _known_keys(model, place[:-1])
        nearest = difflib.get_close_matches(str(place[-1]).replace("_", "-"), known, n=1, cutoff=0.5)
        hint = f"did you mean {nearest[0]!r}?" if nearest else f"known here: {', '.join(known)}"
        return f"unknown key {name!r}; {hint}"
    if kind == "missing":
        return f"the key {name!r} is missing"
    if kind == "value_error":
        reason = str(context["error"])
        return f"{name}: {reason}, got {_given(item['input'])}" if reason.startswith("expected") else f"{name}: {reason}"
    if kind == "literal_error":
        expected = str(context["expected"]).replace("'", "")
    elif kind in {"greater_than", "greater_than_equal"}:
        expected = f"more than {context['gt']:g}" if kind == "greater_than" else f"at least {context['ge']:g}"
    else:
        expected = _EXPECTED.get(kind, item["msg"])
    return f"{name}: expected {expected}, got {_given(item['input'])}"


def _dotted(place: tuple[str | int, ...]) -> str:
    """Write a place as people do: ``overrides[0].score[1].name``."""
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _known_keys(model: type[BaseModel], place: tuple[str | int, ...]) -> list[str]:
    """Return the keys that may stand at a place, by following the models' fields."""
    current = model
    for part in place:
        if isinstance(part, int):
            continue
        fields = {field.alias or name: field for name, field in current.model_fields.items()}
        current = _model_in(fields[part].annotation) or current
    return [field.alias or name for name, field in current.model_fields.items()]


def _model_in(annotation: object) -> type[BaseModel] | None:
    """Return the model class inside an annotation such as ``tuple[Override, ...]`` or ``Timeout | None``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _model_in(part))), None)


def _given(value: object) -> str:
    """Name a value in words of the configuration file."""
    match value:
        case NoneType():
            return "nothing"
        case bool():
            return str(value).lower()
        case str():
            return repr(value if len(value) <= _SHOWN else value[:_SHOWN] + "…")
        case Mapping():
            return "a mapping"
        case list() | tuple():
            return "a list" if value else "an empty list"
        case _:
            return str(value)
