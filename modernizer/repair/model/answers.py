"""What a model's answer means: a diff over the text form, or whole replaced cells, as JSON or as plain text."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from modernizer.parsing import parse_expression
from modernizer.repair.model.diff_text import DiffRefusedError, apply_diff
from modernizer.repair.model.search_replace import as_diff
from modernizer.repair.model.text_form import header_unit
from modernizer.repair.model.typing_marks import plainly_typed
from modernizer.repair.model.whole_units import likeness, named, whole
from modernizer.repair.program import Key

_FENCE = re.compile(
    r"^(?P<bars>`{3,}|~{3,})[ \t]*(?P<language>[\w+-]*)[^\n`]*\n(?P<body>.*?)^\s*(?P=bars)[ \t]*$", re.MULTILINE | re.DOTALL
)
_OPEN_FENCE = re.compile(r"^(?:`{3,}|~{3,})[ \t]*[\w+-]*[^\n`]*\n(?P<body>.*)\Z", re.MULTILINE | re.DOTALL)
_DIFF_START = re.compile(r"^(?:diff --git |--- |@@)", re.MULTILINE)
_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_ALTERNATIVES = re.compile(
    r"\b(?:option|alternative|approach|variante?|solution|version|way|möglichkeit)\s*(?:#?\d|[a-c]\b)|\balternativ(?:ely|e|a)?\b"
    r"|^\W*(?:or|oder|ou|o bien)\b\W*(?:$|if you)",
    re.IGNORECASE | re.MULTILINE,
)
_FIELDS = frozenset({"diff", "patch", "cells", "files", "explanation"})
_CUT_OFF = "the answer was cut off at the limit of its length; send a shorter diff of the changed lines only"
_UNDECIDED = "the answer offers alternatives; decide for one"
_LABEL = re.compile(r"\W*(?:\w+ )?cell\s*#?\s*\[?(\d+)\b.{0,40}", re.IGNORECASE)
_COMMA = re.compile(r",(\s*[}\]])")
_LONGEST_EXPLANATION = 300
_ALIKE = 0.6


class AnswerRefusedError(Exception):
    """An answer that can't be used; ``declined`` when the model itself says that it has no edit."""

    def __init__(self, why: str, *, declined: bool = False) -> None:
        super().__init__(why)
        self.declined = declined


@dataclass(frozen=True)
class Answer:
    """The new sources of the units that an answer changes, and its explanation in one sentence."""

    changes: Mapping[Key, str]
    explanation: str = ""


@dataclass(frozen=True)
class _Read:
    """An answer's parts before they are applied."""

    explanation: str = ""
    diff: str = ""
    replaced: Mapping[Key, str] = field(default_factory=dict)


def read_answer(
    text: str,
    sources: Mapping[Key, str],
    *,
    in_part: Collection[Key] = (),
    failing: Key | None = None,
    cut_off: bool = False,
) -> Answer:
    """Return what an answer changes in the shown units. Raises AnswerRefusedError with a reason for its author.

    ``in_part`` are units that were not shown whole, so that they can't be replaced as a whole. A single block of code without
    a header is taken for the ``failing`` unit when it is mostly that unit's text.
    """
    text = _THINKING.sub("", text.replace("\r\n", "\n").replace("\ufeff", "")).strip()
    if not text:
        raise AnswerRefusedError("the answer is empty")
    unclosed = _is_unclosed(text)
    if cut_off and unclosed:
        raise AnswerRefusedError(_CUT_OFF)
    read = _read(text, sources, failing)
    if read is None and cut_off:
        raise AnswerRefusedError(_CUT_OFF)
    if read is None or not (read.diff.strip() or read.replaced):
        declined = read is not None or _declines(text)
        raise AnswerRefusedError(
            f"the model has no edit: {(read.explanation if read else text)[:_LONGEST_EXPLANATION]}"
            if declined
            else "the answer holds neither a unified diff nor replaced cells",
            declined=declined,
        )
    if unknown := [unit for unit in read.replaced if unit not in sources]:
        raise AnswerRefusedError(f"the answer replaces {named(unknown[0])}, which was not shown")
    if partly := [unit for unit in read.replaced if unit in in_part]:
        raise AnswerRefusedError(f"{named(partly[0])} was shown in part only and can't be replaced whole; send a diff")
    if unclosed and read.replaced and not _ends_alike(*list(read.replaced.items())[-1], sources):
        raise AnswerRefusedError("the fence around the code is not closed, so its end may be missing; send a diff")
    changes = _changes(read, sources)
    if not changes:
        raise AnswerRefusedError("the edit changes nothing")
    return Answer(changes, _one_line(read.explanation))


def _read(text: str, sources: Mapping[Key, str], failing: Key | None) -> _Read | None:
    if blocks := as_diff(text):
        if blocks.count("\n@@") and _ALTERNATIVES.search(text):
            raise AnswerRefusedError(_UNDECIDED)
        return _Read(_FENCE.sub("", text), blocks)
    return _read_json(text) or _read_plain(text) or _read_bare(text, sources, failing)


def _changes(read: _Read, sources: Mapping[Key, str]) -> dict[Key, str]:
    """Apply what was read: the diff, and whole units that don't contradict it."""
    try:
        changes = apply_diff(plainly_typed(read.diff, sources), sources) if read.diff.strip() else {}
        given = whole({unit: plainly_typed(source, sources) for unit, source in read.replaced.items()}, sources)
    except DiffRefusedError as error:
        raise AnswerRefusedError(str(error)) from None
    if twice := [unit for unit in changes if unit in given and given[unit] != changes[unit]]:
        raise AnswerRefusedError(f"the diff and the whole text of {named(twice[0])} say different things; send one of them")
    return changes | given


def _read_json(text: str) -> _Read | None:
    """Read a JSON object, alone, in a fence or behind some words; None when there is none."""
    for candidate in (text, *(found["body"] for found in _FENCE.finditer(text)), text[text.find("{") : text.rfind("}") + 1]):
        if not candidate.strip().startswith("{"):
            continue
        data = _loaded(candidate)
        inner = next(iter(data.values()), None) if isinstance(data, dict) and len(data) == 1 else None
        if isinstance(data, dict) and isinstance(inner, dict) and not data.keys() & _FIELDS:
            data = inner
        if isinstance(data, dict) and data.keys() & _FIELDS:
            return _from_json(data)
    if text.startswith("{") and re.match(r'\{\s*"(?:explanation|diff|patch|cells)"', text):
        raise AnswerRefusedError("the answer is JSON that ends too early or is not valid")
    return None


def _loaded(text: str) -> object:
    """Load JSON, with commas too many or quoted as Python quotes; None when it is neither."""
    with suppress(ValueError, RecursionError):
        return json.loads(text, strict=False)
    with suppress(ValueError, RecursionError):
        return json.loads(_COMMA.sub(r"\1", text), strict=False)
    with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
        return ast.literal_eval(parse_expression(text.strip()))
    return None


def _from_json(data: Mapping[str, Any]) -> _Read:
    diff = data.get("diff", data.get("patch", ""))
    if isinstance(diff, list):
        diff = "\n".join(str(line).rstrip("\n") for line in diff)
    if isinstance(diff, str) and "\n" not in diff:
        # Escaped once too often.
        diff = diff.replace("\\n", "\n")
    replaced: dict[Key, str] = {}
    for given in (data.get("cells"), data.get("files")):
        if isinstance(given, Mapping):
            items = list(given.items())
        elif isinstance(given, list):
            items = [
                (_first(item, "cell", "index", "id", "file", "path"), _first(item, "source", "code", "content")) for item in given
            ]
        else:
            continue
        for name, source in items:
            if (unit := _unit(name)) is None or not isinstance(source, str | list):
                raise AnswerRefusedError("a replaced cell has no number or no source")
            _put(replaced, unit, _unfenced(source if isinstance(source, str) else _joined(source)))
    explanation = _first(data, "explanation", "reason", "why")
    return _Read(str(explanation or ""), _unfenced(str(diff or "")), replaced)


def _joined(lines: list[object]) -> str:
    """Join the lines of a source, which may or may not have their ends."""
    texts = [str(line) for line in lines]
    return ("" if any(text.endswith("\n") for text in texts) else "\n").join(texts)


def _put(replaced: dict[Key, str], unit: Key, source: str) -> None:
    if replaced.setdefault(unit, source).strip() != source.strip():
        raise AnswerRefusedError(f"the answer has two versions of {named(unit)}; decide for one")


def _first(data: object, *names: str) -> object:
    if not isinstance(data, Mapping):
        return None
    return next((data[name] for name in names if name in data), None)


def _unit(name: object) -> Key | None:
    if isinstance(name, int) and not isinstance(name, bool):
        return name
    if not isinstance(name, str):
        return None
    if found := re.fullmatch(r"\s*\[?(?:cell)?[ _#:-]*(\d+)\]?\s*", name, re.IGNORECASE):
        return int(found[1])
    return name if name.endswith(".py") else header_unit(name)


def _read_plain(text: str) -> _Read | None:
    """Read fenced or bare text: a diff by its marks, replaced cells by their headers."""
    blocks = list(_FENCE.finditer(text))
    outside = _FENCE.sub("", text)
    bodies = [(block["language"].lower(), block["body"]) for block in blocks]
    if not blocks and (unclosed := _OPEN_FENCE.search(text)):
        bodies = [("", unclosed["body"])]
        outside = text[: unclosed.start()]
    diffs = [body for language, body in bodies if language in {"diff", "patch", "udiff"} or _looks_like_diff(body)]
    if len(bodies) > 1 and _ALTERNATIVES.search(outside):
        raise AnswerRefusedError(_UNDECIDED)
    replaced: dict[Key, str] = {}
    for body in (body for _, body in bodies if body not in diffs):
        for unit, source in _cells_in(body).items():
            _put(replaced, unit, source)
    if diffs or replaced:
        return _Read(outside, "\n".join(dict.fromkeys(diffs)), replaced)
    if (start := _DIFF_START.search(text)) and _looks_like_diff(text[start.start() :]):
        return _Read(text[: start.start()], text[start.start() :])
    replaced = _cells_in(text) if not bodies else {}
    return _Read("", replaced=replaced) if replaced else None


def _is_unclosed(text: str) -> bool:
    return not _FENCE.search(text) and bool(_OPEN_FENCE.search(text))


def _ends_alike(unit: Key, source: str, sources: Mapping[Key, str]) -> bool:
    """Tell whether a unit's last line is the one it had."""
    ends = [one.rstrip().rpartition("\n")[2].strip() for one in (source, sources.get(unit, ""))]
    return ends[0] == ends[1]


def _read_bare(text: str, sources: Mapping[Key, str], failing: Key | None) -> _Read | None:
    """Read code that the line above names, or one block without a name as the failing cell, if it resembles that cell."""
    blocks = list(_FENCE.finditer(text))
    labelled: dict[Key, str] = {}
    for block in blocks:
        label = _LABEL.fullmatch(text[: block.start()].rstrip().rpartition("\n")[2])
        if label and likeness(block["body"], sources.get(int(label[1]), "")) >= _ALIKE:
            _put(labelled, int(label[1]), block["body"])
    if labelled:
        return _Read(_FENCE.sub("", text), replaced=labelled)
    if len(blocks) != 1 or failing is None or failing not in sources:
        return None
    body = blocks[0]["body"]
    alike = [unit for unit, source in sources.items() if likeness(body, source) >= _ALIKE]
    return _Read(_FENCE.sub("", text), replaced={failing: body}) if alike == [failing] else None


def _looks_like_diff(text: str) -> bool:
    marked = [line for line in text.split("\n") if line[:1] in {"+", "-"} and line.rstrip() not in {"---", "+++"}]
    return bool(marked) and bool(_DIFF_START.search(text) or all(line.strip() for line in marked))


def _cells_in(text: str) -> dict[Key, str]:
    """Split a text at its cell headers; what stands before the first one belongs to none."""
    cells: dict[Key, list[str]] = {}
    unit: Key | None = None
    for line in text.split("\n"):
        found = header_unit(line)
        if found is not None:
            unit = found
            cells.setdefault(unit, [])
        elif unit is not None:
            cells[unit].append(line)
    return {unit: "\n".join(lines).strip("\n") for unit, lines in cells.items()}


def _unfenced(text: str) -> str:
    found = _FENCE.search(text)
    return found["body"] if found and text.strip().startswith(found["bars"]) else text


def _declines(text: str) -> bool:
    return bool(re.match(r"(?:no edit|none\b|cannot\b|i can(?:'t|not)\b|sorry|i'm sorry|i am unable)", text.strip().lower()))


def _one_line(text: str) -> str:
    words = " ".join(text.replace("`", "'").split())
    return words if len(words) <= _LONGEST_EXPLANATION else f"{words[: _LONGEST_EXPLANATION - 1]}…"
