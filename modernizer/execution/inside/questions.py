"""Answer questions about live objects without history, output or new names."""

from __future__ import annotations

import importlib
import inspect
import linecache
import sys
import traceback
from typing import Any

_ITEMS = 1000
_TEXT = 2000
_DEPTH = 6
_COLUMNS = 200


def ask(namespace: dict[str, Any], expression: str) -> Any:
    """Return the value of an expression as JSON data; what has no such form as its repr."""
    return _plain(_evaluate(namespace, expression), _DEPTH)


def describe(namespace: dict[str, Any], expression: str) -> dict[str, Any]:
    """Return what kind of object an expression is: type, size, dtypes, signature."""
    value = _evaluate(namespace, expression)
    kind = type(value)
    about: dict[str, Any] = {
        "type_name": _qualified(kind),
        "mro": [_qualified(parent) for parent in kind.__mro__],
        "name": _own_name(value),
        "length": _length(value),
        "shape": _shape(value),
        "ndim": _ndim(value),
        "dtype": _dtype(value),
        "parameters": _parameters(value),
    }
    if kind.__module__.partition(".")[0] == "pandas" or any(base.__module__.startswith("pandas.") for base in kind.__mro__):
        about.update(_pandas(value))
    return about


def describe_local(error: BaseException | None, function: str, expression: str) -> dict[str, Any]:
    """Return what kind of object an expression was in the innermost call of a function that an error passed through."""
    frames = [] if error is None else [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    inner = next(frame for frame in reversed(frames) if frame.f_code.co_name == function)
    return describe({**inner.f_globals, **inner.f_locals}, expression)


def forget_modules(names: list[str]) -> list[str]:
    """Drop modules and their submodules so that the next import reads them again; return what was dropped."""
    gone = [loaded for loaded in list(sys.modules) if any(loaded == name or loaded.startswith(f"{name}.") for name in names)]
    for name in gone:
        module = sys.modules.pop(name)
        parent, _, child = name.rpartition(".")
        if parent in sys.modules and getattr(sys.modules[parent], child, None) is module:
            delattr(sys.modules[parent], child)
    importlib.invalidate_caches()
    linecache.checkcache()
    return gone


def _evaluate(namespace: dict[str, Any], expression: str) -> Any:
    # A copy, because eval plants __builtins__ in what it is given.
    return eval(expression, dict(namespace))  # noqa: S307 - the runner lets only names, attributes and subscripts through


def _plain(value: Any, depth: int) -> Any:
    if value is None or isinstance(value, (bool, int, float)):
        return _number(value)
    if isinstance(value, str):
        return str(value)[:_TEXT]
    if depth and isinstance(value, dict) and len(value) <= _ITEMS:
        return {str(key)[:_TEXT]: _plain(item, depth - 1) for key, item in value.items()}
    if depth and isinstance(value, (list, tuple, set, frozenset)) and len(value) <= _ITEMS:
        return [_plain(item, depth - 1) for item in value]
    if type(value).__module__.partition(".")[0] == "numpy" and getattr(value, "size", _ITEMS + 1) <= _ITEMS:
        return _plain(value.tolist(), depth - 1) if depth else repr(value)[:_TEXT]
    return repr(value)[:_TEXT]


def _number(value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    return float(value) if isinstance(value, float) else int(value)


def _qualified(kind: type) -> str:
    """Return a class's dotted name, by the shortest package that has it: sklearn.linear_model.Ridge without _ridge."""
    if kind.__module__ == "builtins" or "." in kind.__qualname__:
        return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    parts = kind.__module__.split(".")
    for length in range(1, len(parts) + 1):
        module = ".".join(parts[:length])
        if getattr(sys.modules.get(module), kind.__name__, None) is kind:
            return f"{module}.{kind.__name__}"
    return f"{kind.__module__}.{kind.__qualname__}"


def _own_name(value: Any) -> str:
    """Return the dotted name of a module, class or function; empty for other objects."""
    if inspect.ismodule(value):
        return value.__name__
    if inspect.isclass(value):
        return _qualified(value)
    if callable(value) and isinstance(getattr(value, "__qualname__", None), str):
        module = getattr(value, "__module__", None)
        return f"{module}.{value.__qualname__}" if module else value.__qualname__
    return ""


def _length(value: Any) -> int | None:
    try:
        return None if isinstance(value, type) else len(value)
    except Exception:  # noqa: BLE001 - any object of a notebook may raise anything here
        return None


def _shape(value: Any) -> list[int] | None:
    shape = None if isinstance(value, type) else getattr(value, "shape", None)
    return list(shape) if isinstance(shape, tuple) and all(isinstance(size, int) for size in shape) else None


def _ndim(value: Any) -> int | None:
    ndim = None if isinstance(value, type) else getattr(value, "ndim", None)
    return ndim if isinstance(ndim, int) else None


def _dtype(value: Any) -> str | None:
    dtype = None if isinstance(value, type) else getattr(value, "dtype", None)
    return None if dtype is None else str(dtype)[:200]


def _parameters(value: Any) -> list[dict[str, Any]] | None:
    if not callable(value):
        return None
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return None
    return [
        {
            "name": parameter.name,
            "kind": parameter.kind.name.lower().replace("_", "-"),
            "default": None if parameter.default is parameter.empty else repr(parameter.default)[:200],
        }
        for parameter in signature.parameters.values()
    ]


def _pandas(value: Any) -> dict[str, Any]:
    about: dict[str, Any] = {}
    index = getattr(value, "index", None)
    if index is not None and not callable(index):
        about["index_type"] = _qualified(type(index))
        about["index_dtype"] = _dtype(index)
    dtypes = getattr(value, "dtypes", None)
    if getattr(value, "ndim", None) == 2 and dtypes is not None:  # noqa: PLR2004 - a frame
        about["columns"] = [[str(name)[:200], str(dtype)] for name, dtype in list(dtypes.items())[:_COLUMNS]]
    return about
