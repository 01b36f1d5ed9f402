"""What happened to one symbol between two releases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from modernizer.drift.known import SENTINELS, has_effect, meaning
from modernizer.drift.module_surface import Parameter, Signature
from modernizer.drift.surface import Found, Surface

FactKind = Literal[
    "removed", "moved", "keyword-only", "parameter-removed", "parameter-renamed?", "default-changed", "behaviour-changed"
]
_VARIADIC = frozenset({"VAR_POSITIONAL", "VAR_KEYWORD"})
_POSITIONAL = frozenset({"POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD"})
_COMMON = frozenset({None, "None", "True", "False", "0", "1"})


@dataclass(frozen=True)
class Fact:
    """One change of a symbol. ``old`` and ``new`` are sources of defaults, names of parameters or dotted names.

    ``meant`` is what the old default stood for; ``matters`` tells that today's call computes with another value because of it.
    """

    package: str
    symbol: str
    kind: FactKind
    parameter: str = ""
    old: str = ""
    new: str = ""
    meant: str | None = None
    matters: bool = False
    says: str = ""


@dataclass(frozen=True)
class Comparison:
    """A symbol in both worlds, with all its facts; signatures are None where they can't be seen."""

    symbol: str
    old: Found
    new: Found
    facts: tuple[Fact, ...] = ()


def compare(symbol: str, old: Surface, new: Surface) -> Comparison:
    """Compare what a dotted name is in two releases; a name that one of them has elsewhere is followed there."""
    was, now = old.find(symbol), new.find(symbol)
    if not was.exists and now.exists:
        place = old.moved(now.home)
        was = old.find(place) if place else was
        return Comparison(symbol, was, now, tuple(_parameters(symbol, was, now, old, new)) if place else ())
    if not was.exists or was.kind == "outside":
        return Comparison(symbol, was, now)
    if now.exists:
        return Comparison(symbol, was, now, tuple(_parameters(symbol, was, now, old, new)))
    if now.kind == "unknown" and not _module_gone(was, symbol, old, new):
        return Comparison(symbol, was, now)
    place = new.moved(was.home) if was.kind in {"class", "function"} else None
    if place is None:
        return Comparison(symbol, was, Found("gone"), (Fact(old.package, symbol, "removed"),))
    now = new.find(place)
    moved = Fact(old.package, symbol, "moved", old=symbol, new=place)
    return Comparison(symbol, was, now, (moved, *_parameters(symbol, was, now, old, new)))


def _module_gone(was: Found, symbol: str, old: Surface, new: Surface) -> bool:
    """Tell whether the module that had the name is gone itself, whatever its package makes up at run time."""
    module = symbol if was.kind == "module" else old.module_of(symbol)
    return not new.has_module(module)


def _parameters(symbol: str, was: Found, now: Found, old: Surface, new: Surface) -> Iterator[Fact]:
    if was.signature is None or now.signature is None or was.kind != now.kind:
        return
    package = old.package
    before, after = _named(was.signature), _named(now.signature)
    takes_any = any(parameter.kind == "VAR_KEYWORD" for parameter in now.signature)
    gone = [name for name in before if name not in after]
    renamed = _renamed(was.signature, now.signature, gone)
    for name, parameter in before.items():
        if name in after:
            if parameter.kind in _POSITIONAL and after[name].kind == "KEYWORD_ONLY":
                yield Fact(package, symbol, "keyword-only", name)
            yield from _default(symbol, parameter, after[name], old, new)
        elif name in renamed:
            yield Fact(package, symbol, "parameter-renamed?", name, name, renamed[name])
        elif not takes_any:
            default = parameter.default or ""
            meant = meaning(package, old.version, symbol, name, default) if default else None
            yield Fact(package, symbol, "parameter-removed", name, default, meant=meant)


def _default(symbol: str, was: Parameter, now: Parameter, old: Surface, new: Surface) -> Iterator[Fact]:
    if was.default is None or now.default is None:
        return
    then = meaning(old.package, old.version, symbol, was.name, was.default)
    today = meaning(new.package, new.version, symbol, now.name, now.default)
    if was.default == now.default and then == today:
        return
    matters = then != today and now.default not in SENTINELS and today is not None and has_effect(old.package, was.name)
    if then is not None and today is not None and _number(then) is not None and _number(then) == _number(today):
        # 1e-3 and 0.001 are one value in two spellings.
        if _number(was.default) == _number(now.default):
            return
        matters = False
    yield Fact(old.package, symbol, "default-changed", was.name, was.default, now.default, then, matters)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _named(signature: Signature) -> dict[str, Parameter]:
    return {parameter.name: parameter for parameter in signature if parameter.kind not in _VARIADIC}


def _renamed(was: Signature, now: Signature, gone: list[str]) -> dict[str, str]:
    """Pair parameters that are gone with new ones at the same place with the same default; only where one fits one.

    A default that many parameters have is evidence only when nothing else came or went.
    """
    before, after = list(_named(was).values()), list(_named(now).values())
    known = {parameter.name for parameter in before}
    alone = len(gone) == 1 and sum(parameter.name not in known for parameter in after) == 1
    pairs = {}
    for place, parameter in enumerate(before):
        if parameter.name not in gone or place >= len(after):
            continue
        other = after[place]
        fits = other.name not in known and other.default == parameter.default and other.kind in _POSITIONAL
        if fits and (alone or parameter.default not in _COMMON):
            pairs[parameter.name] = other.name
    return pairs
