"""scipy.misc.imresize resized by way of 8-bit values; a small function does the same with Pillow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import libcst as cst

from modernizer.repair.definitions import rewrite_and_define
from modernizer.repair.imports import without_names
from modernizer.repair.program import Key
from modernizer.repair.recipe import Codemod, Scope, Unit

_OLD, _FUNCTION = "scipy.misc.imresize", "imresize"
_DEFINITION = '''\
def imresize(arr, size, interp="bilinear", mode=None):
    """Resize an image as scipy.misc.imresize did: a percentage, a fraction or (rows, columns)."""
    arr = {numpy}.asarray(arr)
    if arr.dtype != {numpy}.uint8:
        low, span = arr.min(), (arr.max() - arr.min()) or 1
        arr = ((arr - low) * (255 / span) + 0.5).clip(0, 255).astype({numpy}.uint8)
    image = Image.fromarray(arr) if mode is None else Image.fromarray(arr).convert(mode)
    if not hasattr(size, "__len__"):
        factor = size if isinstance(size, float) else size / 100
        size = tuple(int(length * factor) for length in image.size)
    else:
        size = (size[1], size[0])
    names = {"nearest": 0, "lanczos": 1, "bilinear": 2, "bicubic": 3, "cubic": 3}
    return {numpy}.array(image.resize(size, names[interp]))
'''


class _Imresize(Codemod):
    def leave_SimpleStatementLine(  # noqa: N802 (LibCST's visitor protocol)
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        del original_node
        left = without_names(updated_node, lambda dotted, alias: dotted == _OLD and not alias.asname)
        if left is not updated_node:
            self.scope.note(f"{_OLD} → a function of its own")
        return left

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:  # noqa: N802
        if self.scope.qualified(original_node) != _OLD:
            return updated_node
        self.scope.note(f"{_OLD} → a function of its own")
        return cst.Name(_FUNCTION)


class Imresize:
    """Resized images."""

    name: ClassVar[str] = "scipy-imresize"
    summary: ClassVar[str] = "scipy.misc.imresize is gone; a small function does the same with Pillow."
    since: ClassVar[str] = "scipy 1.3"
    source: ClassVar[str] = "SciPy release notes 1.0 (deprecation) and 1.3 (removal)"
    words: ClassVar[frozenset[str]] = frozenset({_FUNCTION})
    order: ClassVar[int] = 18
    confirmed: ClassVar[bool] = True
    at_end: ClassVar[bool] = False

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Rewrite one unit by itself."""
        return self.rewrite_all({unit.key: unit}, scope).get(unit.key)

    def rewrite_all(self, units: Mapping[Key, Unit], scope: Scope) -> dict[Key, str]:
        """Replace all uses and define the function where the first one stands."""
        concerned = {key: unit for key, unit in units.items() if _FUNCTION in unit.source}
        if not concerned or scope.installed.resolves(_OLD) or not scope.installed.resolves("PIL.Image"):
            return {}
        own = {key: names for key, names in scope.names.bindings.items() if isinstance(key, int) and _FUNCTION in names}
        if any(binding.imported is None for names in own.values() for binding in names[_FUNCTION]):
            return {}
        return rewrite_and_define(concerned, scope, _Imresize, _DEFINITION, ["from PIL import Image"], name=f"{_FUNCTION}.")


RECIPES = (Imresize(),)
