"""The converter from Python 2, with calls of map() and filter() kept as they were written."""

from __future__ import annotations

from typing import Any

from fissix.fixer_util import Call, Name, in_special_context
from fissix.fixes.fix_filter import FixFilter
from fissix.fixes.fix_map import FixMap
from fissix.refactor import RefactoringTool


class _Map(FixMap):  # type: ignore[misc]
    def transform(self, node: Any, results: dict[str, Any]) -> Any:  # noqa: ANN401 (fissix has no types)
        """Wrap ``map(lambda …)`` in ``list()`` where a list may be needed, instead of writing a comprehension."""
        return _wrapped(node, results, "map_lambda") or super().transform(node, results)


class _Filter(FixFilter):  # type: ignore[misc]
    def transform(self, node: Any, results: dict[str, Any]) -> Any:  # noqa: ANN401 (as above)
        """Wrap ``filter(lambda …)`` likewise."""
        return _wrapped(node, results, "filter_lambda") or super().transform(node, results)


class Converter(RefactoringTool):  # type: ignore[misc]
    """fissix's tool with these two in place of its own."""

    def get_fixers(self) -> tuple[list[Any], list[Any]]:
        """Return its fixers, those that run before and those that run after a node's children."""
        before, after = super().get_fixers()
        return [self._own(fixer) for fixer in before], [self._own(fixer) for fixer in after]

    def _own(self, fixer: Any) -> Any:  # noqa: ANN401 (as above)
        own = {FixMap: _Map, FixFilter: _Filter}.get(type(fixer))
        return fixer if own is None else own(self.options, self.fixer_log)


def _wrapped(node: Any, results: dict[str, Any], pattern: str) -> Any:  # noqa: ANN401 (as above)
    """Return the call of a lambda inside of ``list()``, itself where any iterable does, None where the fixer's own way is due."""
    if pattern not in results or results.get("extra_trailers"):
        return None
    if in_special_context(node):
        return node
    inner = node.clone()
    inner.prefix = ""
    return Call(Name("list"), [inner], prefix=node.prefix)
