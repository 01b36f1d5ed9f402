"""Answers questions about installed packages; runs by itself in the interpreter of an environment, standard library only.

One JSON object a line: {"ask": question, "args": [...]} in, {"answer": ...} out. Names are dotted, such as numpy.linalg.norm.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import inspect
import json
import os
import pkgutil
import types
import warnings

_REPR_LIMIT = 200


class _Absent:
    """Stands for what does not resolve; None is a value."""


def find(dotted: str) -> object:
    """Import the longest prefix that is a module and follow the rest as attributes; _Absent when that fails."""
    parts = dotted.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:count]))
        except BaseException:  # noqa: BLE001, S112 - third-party code may raise anything on import, SystemExit included
            continue
        try:
            for part in parts[count:]:
                found = getattr(found, part)
        except BaseException:  # noqa: BLE001 - removed names raise what their authors chose
            return _Absent
        return found
    return _Absent


def resolves(dotted: str) -> bool:
    """Tell whether a name is there."""
    return find(dotted) is not _Absent


def kind(dotted: str) -> str | None:
    """Return "module", "class", "function" (anything else that can be called) or "other"."""
    found = find(dotted)
    if found is _Absent:
        return None
    if isinstance(found, types.ModuleType):
        return "module"
    return "class" if isinstance(found, type) else "function" if callable(found) else "other"


def signature(dotted: str) -> list[tuple[str, str, str | None]] | None:
    """Return name, kind and default of each parameter of a callable; None when it has no signature."""
    found = find(dotted)
    if found is _Absent or not callable(found):
        return None
    try:
        parameters = inspect.signature(found).parameters.values()
    except (ValueError, TypeError):
        return None
    return [(item.name, item.kind.name.lower(), _default(item)) for item in parameters]


def version(distribution: str) -> str | None:
    """Return the version of an installed distribution."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def submodules(dotted: str) -> list[str]:
    """Return the names of the modules in a package, without importing them."""
    return sorted({module.name for module in pkgutil.iter_modules(getattr(find(dotted), "__path__", ()))})


def doc_line(dotted: str) -> str | None:
    """Return the first line of a docstring."""
    found = find(dotted)
    text = None if found is _Absent else inspect.getdoc(found)
    return text.strip().partition("\n")[0] if text else None


def identity(dotted: str) -> str | None:
    """Return where an object was defined, as module and qualified name; None for plain values."""
    found = find(dotted)
    if isinstance(found, types.ModuleType):
        return found.__name__
    module, name = getattr(found, "__module__", None), getattr(found, "__qualname__", None)
    return None if found is _Absent or not name else f"{module}.{name}" if module else str(name)


def is_subclass(dotted: str, parent: str) -> bool:
    """Tell whether a class derives from another, or is it."""
    found, above = find(dotted), find(parent)
    return isinstance(found, type) and isinstance(above, type) and _Absent not in {found, above} and issubclass(found, above)


def _default(parameter: inspect.Parameter) -> str | None:
    if parameter.default is inspect.Parameter.empty:
        return None
    try:
        return repr(parameter.default)[:_REPR_LIMIT]
    except Exception:  # noqa: BLE001 - a repr of a third party
        return "..."


_QUESTIONS = {
    answer.__name__: answer for answer in (resolves, kind, signature, version, submodules, doc_line, identity, is_subclass)
}


def main() -> None:
    """Answer until the input ends. What packages print on import goes nowhere."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    warnings.simplefilter("ignore")
    for line in questions:
        asked = json.loads(line)
        try:
            answer = _QUESTIONS[asked["ask"]](*asked["args"])
        except BaseException:  # noqa: BLE001 - an object of a third party that breaks its protocol has no answer
            answer = None
        answers.write(json.dumps({"answer": answer}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
