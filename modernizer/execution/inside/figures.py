"""Keep figures inline whatever backend a notebook asks for: there is no display."""

from __future__ import annotations

import importlib.abc
import sys
from typing import Any

INLINE = "module://matplotlib_inline.backend_inline"
# Kernels before ipykernel 6 have the inline backend in themselves.
_FILE_BACKENDS = {
    "agg",
    "cairo",
    "pdf",
    "pgf",
    "ps",
    "svg",
    "template",
    "inline",
    INLINE,
    "module://ipykernel.pylab.backend_inline",
}


def use_inline_figures(shell: Any) -> None:
    """Turn interactive backends asked of IPython or of matplotlib into inline figures and GUI event loops into nothing."""
    enable = shell.enable_matplotlib
    shell.enable_matplotlib = lambda gui=None: enable(_without_display(gui, "inline"))
    shell.enable_gui = lambda *_arguments, **_keywords: None
    sys.meta_path.insert(0, _PatchOnImport({"matplotlib": _patch_use, "matplotlib.pyplot": _patch_switch}))


def _without_display(backend: Any, instead: str) -> Any:
    return backend if isinstance(backend, str) and backend.lower() in _FILE_BACKENDS else instead


def _patch_use(matplotlib: Any) -> None:
    original = matplotlib.use

    def use(backend: Any, *arguments: Any, **keywords: Any) -> Any:
        return original(_without_display(backend, INLINE), *arguments, **keywords)

    matplotlib.use = _dressed(use, original)


def _patch_switch(pyplot: Any) -> None:
    original = pyplot.switch_backend

    def switch_backend(newbackend: Any) -> Any:
        # Before matplotlib 3.1 there is no such thing.
        automatic = getattr(sys.modules["matplotlib"].rcsetup, "_auto_backend_sentinel", None)
        return original(newbackend if newbackend is automatic else _without_display(newbackend, INLINE))

    pyplot.switch_backend = _dressed(switch_backend, original)


def _dressed(function: Any, original: Any) -> Any:
    """Give a replacement the face of what it replaces, so that signatures and help stay true."""
    for name in ("__module__", "__name__", "__qualname__", "__doc__"):
        setattr(function, name, getattr(original, name, None))
    function.__wrapped__ = original
    return function


class _PatchOnImport(importlib.abc.MetaPathFinder):
    """Run a patch right after a named module was imported; costs nothing for modules not named."""

    def __init__(self, patches: dict[str, Any]) -> None:
        self.patches = patches

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        """Find the module as the other finders do, with a loader that patches it afterwards."""
        if fullname not in self.patches:
            return None
        patch = self.patches.pop(fullname)
        for finder in sys.meta_path:
            spec = None if finder is self or not hasattr(finder, "find_spec") else finder.find_spec(fullname, path, target)
            if spec is not None and spec.loader is not None:
                _patch_after_loading(spec.loader, patch)
                return spec
        return None


def _patch_after_loading(loader: Any, patch: Any) -> None:
    load = loader.exec_module

    def exec_module(module: Any) -> None:
        load(module)
        patch(module)

    loader.exec_module = exec_module
