"""What a model is told of a failure: as much of what matters as its prompt has room for, and no recorded output or score."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from modernizer.drift.facts import PlacedFact
from modernizer.environment.import_names import import_names
from modernizer.execution.outcome import Frame
from modernizer.repair.model.facts import Installed, Known, caller_of, known_facts
from modernizer.repair.model.reply import estimate_tokens
from modernizer.repair.model.slice import relevant_units, uses_of
from modernizer.repair.model.text_form import header
from modernizer.repair.program import Key, Program
from modernizer.repair.proposer import Situation, Tried

LIMIT = 6_000
"""Tokens of a whole prompt; GitHub Models takes about 8,000 for free."""
WIDEST = 24_000
RUNGS = 3
"""The slice; after a miss the whole code, as far as it fits; after another one the whole code with more room. Then no more."""
_FIXED = 900
_SHARES = {"error": 0.13, "symbols": 0.17, "objects": 0.08, "drift": 0.1, "tried": 0.18, "versions": 0.04}
_LIBRARY_FRAMES = 2
_INSTALLED = re.compile(r"^.*[/\\](?:site|dist)-packages[/\\]")


@dataclass(frozen=True)
class Surroundings:
    """What is known beside the program: the interpreter, the packages, and the drift facts of a program."""

    installed: Installed
    packages: Mapping[str, str] = field(default_factory=dict)
    python: str = ""
    cell_seconds: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Context:
    """The parts of a prompt; ``shown`` are units by their text in it, ``in_part`` those with lines left out.

    ``failing`` is the unit that raised the error, ``caller`` the cell and line that led there, when those are others.
    """

    error: str
    versions: str
    symbols: str
    objects: str
    drift: str
    tried: tuple[Tried, ...]
    shown: Mapping[Key, str]
    in_part: frozenset[Key]
    failing: Key
    caller: tuple[int, int | None] | None = None


def build_context(
    situation: Situation,
    around: Surroundings,
    facts: Sequence[PlacedFact] = (),
    *,
    rung: int = 0,
    limit: int = LIMIT,
    widest: int = WIDEST,
) -> Context:
    """Choose what a prompt says within ``limit`` tokens; a higher rung shows more of the code, the last up to ``widest``."""
    program, failure = situation.program, situation.failure
    known = known_facts(program, failure, around.installed, situation.live)
    limit = min(widest, limit * 4) if rung >= RUNGS - 1 else limit
    room = {name: int(limit * share) for name, share in _SHARES.items()}
    slice_ = relevant_units(program, failure)
    texts = {
        "error": _fitted(_error_lines(situation), room["error"]),
        "versions": _fitted(_versions(program, around), room["versions"]),
        "symbols": _fitted(known.symbols, room["symbols"]),
        "objects": _fitted(known.objects, room["objects"]),
        "drift": _fitted(_drift_lines(facts, slice_, known), room["drift"]),
    }
    tried = _recent(situation.tried, room["tried"])
    used = _FIXED + sum(map(estimate_tokens, texts.values())) + sum(_tokens_of(one) for one in tried)
    order = slice_ if rung == 0 else [*slice_, *_others(program, slice_, failure.error.cell)]
    shown, in_part = _code(program, order, situation, max(400, limit - used))
    return Context(tried=tried, shown=shown, in_part=in_part, failing=failure.unit, caller=caller_of(failure), **texts)


def _error_lines(situation: Situation) -> list[str]:
    error = situation.failure.error
    lines = [f"{error.name}: {_cut(error.message, 1_200)}"]
    frames = [frame for frame in error.frames if frame.cell is not None or frame.local]
    lines += [f"  at {_frame(frame)}" for frame in frames[-4:]]
    if not frames and error.line is not None:
        lines.append(f"  at cell {error.cell}, line {error.line}")
    library = [frame for frame in error.frames if frame.cell is None and not frame.local and frame.file]
    lines += [f"  in {_frame(frame)}" for frame in library[-_LIBRARY_FRAMES:]]
    diagnosis = situation.failure.diagnosis
    if diagnosis.detail:
        lines.append(f"diagnosis: {diagnosis.kind}: {diagnosis.detail[:300]}")
    return lines


def _frame(frame: Frame) -> str:
    place = f"cell {frame.cell}" if frame.cell is not None else _INSTALLED.sub("", frame.file or "")
    function = f" in {frame.function}" if frame.function and not frame.function.startswith("<") else ""
    code = f": {frame.code.strip()[:200]}" if frame.code.strip() else ""
    return f"{place}, line {frame.line}{function}{code}"


def _versions(program: Program, around: Surroundings) -> list[str]:
    """Name the versions of what the program imports."""
    roots = {name for source in program.sources().values() for name in _imported(source)}
    names = {name.lower(): version for name, version in around.packages.items()}
    mapped = {name for root in roots for name in import_names().distributions(root)[:1]} | roots
    found = sorted({name.lower() for name in mapped} & names.keys())
    return [", ".join([f"Python {around.python}", *(f"{name} {names[name]}" for name in found)])]


def _imported(source: str) -> set[str]:
    return set(re.findall(r"^\s*(?:from|import)\s+([A-Za-z_]\w*)", source, re.MULTILINE))


def _drift_lines(facts: Sequence[PlacedFact], slice_: Sequence[Key], known: Known) -> list[str]:
    """Say what changed in the packages since the notebook's date, first for the failing code."""
    rank = {unit: place for place, unit in enumerate(slice_)}
    named = " ".join(known.symbols)

    def relevance(item: PlacedFact) -> tuple[int, int]:
        return int(item.fact.symbol not in named), min((rank.get(place, 10_000) for place in item.places), default=10_000)

    # A default that is only written otherwise, or that speaks of threads and verbosity, explains nothing.
    telling = [item for item in facts if item.fact.kind != "default-changed" or item.fact.matters]
    return list(dict.fromkeys(_fact(item) for item in sorted(telling, key=relevance) if relevance(item) < (1, 10_000)))


def _fact(item: PlacedFact) -> str:
    fact = item.fact
    match fact.kind:
        case "removed":
            return f"{fact.symbol} was removed"
        case "moved":
            return f"{fact.symbol} is now {fact.new}"
        case "keyword-only":
            return f"{fact.symbol}: {fact.parameter} must be given by keyword"
        case "parameter-removed":
            return f"{fact.symbol}: the parameter {fact.parameter} was removed" + (
                f"; its default meant {fact.meant}" if fact.meant else ""
            )
        case "parameter-renamed?":
            return f"{fact.symbol}: the parameter {fact.old} may be called {fact.new} now"
        case "default-changed":
            return f"{fact.symbol}: the default of {fact.parameter} was {fact.meant or fact.old}, is {fact.new}"
        case _:
            return f"{fact.symbol}: {fact.says}"


def _recent(tried: Sequence[Tried], room: int) -> tuple[Tried, ...]:
    """Keep the last edits that fit; an older one keeps at least the reason why it failed."""
    kept: list[Tried] = []
    for one in reversed(tried):
        short = Tried(_cut(one.edit, 1_500), _cut(one.why, 500))
        if _tokens_of(short) > room:
            short = Tried("", short.why)
        if _tokens_of(short) > room:
            break
        room -= _tokens_of(short)
        kept.append(short)
    return tuple(reversed(kept))


def _tokens_of(tried: Tried) -> int:
    return estimate_tokens(tried.edit) + estimate_tokens(tried.why) + 12


def _others(program: Program, slice_: Sequence[Key], failing: int) -> list[Key]:
    rest = [unit for unit in program.sources() if unit not in slice_]
    return sorted(rest, key=lambda unit: (isinstance(unit, str), abs(unit - failing) if isinstance(unit, int) else 0))


def _code(program: Program, order: Sequence[Key], situation: Situation, room: int) -> tuple[dict[Key, str], frozenset[Key]]:
    """Show units in the order of their relevance, whole where they fit, in part where a part does."""
    sources = program.sources()
    shown: dict[Key, str] = {}
    in_part: set[Key] = set()
    needed: set[str] = set()
    for place, unit in enumerate(order):
        source = sources[unit]
        if not source.strip():
            continue
        cost = estimate_tokens(f"{header(unit)}\n{source}\n")
        text = source
        if cost > room:
            line = _line_in(unit, situation)
            text = _window(source, line, room) if line is not None else _binding(source, needed, room)
            cost = estimate_tokens(f"{header(unit)}\n{text}\n")
            if not text or (cost > room and place):
                continue
            in_part.add(unit)
        shown[unit] = text
        room -= cost
        needed |= uses_of(source).all_needs
    ordered = sorted(shown, key=lambda unit: (isinstance(unit, str), unit if isinstance(unit, int) else 0, str(unit)))
    return {unit: shown[unit] for unit in ordered}, frozenset(in_part)


def _line_in(unit: Key, situation: Situation) -> int | None:
    failure = situation.failure
    if unit == failure.unit:
        return failure.line or 1
    frames = [frame.line for frame in failure.error.frames if unit in (frame.cell, frame.file if frame.local else None)]
    return frames[-1] if frames else None


def _window(source: str, line: int, room: int) -> str:
    """Show the lines around one, as many as fit."""
    lines = source.split("\n")
    at = min(max(line - 1, 0), len(lines) - 1)
    low, high = at, at + 1
    tokens = estimate_tokens(lines[at][:4_000])
    while low > 0 or high < len(lines):
        for place in (low - 1, high):
            if 0 <= place < len(lines):
                tokens += estimate_tokens(lines[place] + "\n")
        if tokens > room - 40:
            break
        low, high = max(0, low - 1), min(len(lines), high + 1)
    return "\n".join([*_left_out(low), *lines[low:high], *_left_out(len(lines) - high)])


def _binding(source: str, needed: Iterable[str], room: int) -> str:
    """Show only the lines that speak of the needed names first; empty when they don't fit either."""
    wanted = set(needed)
    lines = source.split("\n")
    kept = [index for index, line in enumerate(lines) if wanted & set(re.findall(r"[A-Za-z_]\w*", line.partition("=")[0]))]
    shown: list[str] = []
    last = -1
    for index in kept:
        shown += [*_left_out(index - last - 1), lines[index]]
        last = index
    text = "\n".join([*shown, *_left_out(len(lines) - last - 1)])
    return text if kept and estimate_tokens(text) < room else ""


def _left_out(count: int) -> list[str]:
    return [f"# [{count} lines not shown]"] if count > 0 else []


def _fitted(lines: Iterable[str], room: int) -> str:
    """Join lines as long as they fit; the first is cut rather than left out."""
    kept: list[str] = []
    for line in lines:
        cost = estimate_tokens(line + "\n")
        if cost > room and not kept:
            kept.append(_cut(line, int(room * 3)))
            break
        if cost > room:
            break
        room -= cost
        kept.append(line)
    return "\n".join(kept)


def _cut(text: str, limit: int) -> str:
    """Cut a text in its middle, as the beginning and the end of messages tell most."""
    if len(text) <= limit:
        return text
    head = limit * 2 // 3
    return f"{text[:head]} […] {text[-(limit - head) :]}"
