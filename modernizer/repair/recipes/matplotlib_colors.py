"""Names of colours, colormaps and scalings that matplotlib takes no more, and the colour cycle of one axes."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.expressions import requoted, value_of
from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.recipe import CodemodRecipe
from modernizer.repair.syntax import argument, code, keyword_names, named, string, without

_MAPS = {
    "spectral": "nipy_spectral",
    "spectral_r": "nipy_spectral_r",
    "Vega10": "tab10",
    "Vega20": "tab20",
    "Vega20b": "tab20b",
    "Vega20c": "tab20c",
}
_AXES = ("matplotlib.axes.Axes", "mpl_toolkits.mplot3d.axes3d.Axes3D")
_DICTS = {"normed": "density", "axisbg": "facecolor"}
_PLURAL = (("linewidth", "linewidths"), ("edgecolor", "edgecolors"), ("linestyle", "linestyles"), ("facecolor", "facecolors"))


class _Colors(ReceiverCodemod):
    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        func = original_node.func
        qualified = self.scope.qualified(func)
        name = func.attr.value if isinstance(func, cst.Attribute) else code(func)
        if name == "set_color_cycle" and isinstance(func, cst.Attribute):
            return self._cycle(func, updated_node)
        if name == "get_cmap" and self.scope.at_least("matplotlib", "2.2"):
            return self._colormap(updated_node)
        if name in {"axis", "set_aspect"} and self.scope.at_least("matplotlib", "3.1"):
            return _replaced(updated_node, {"normal": "auto"})
        if name == "scatter" and qualified in {None, "matplotlib.pyplot.scatter"}:
            return self._one_spelling(updated_node)
        if name == "dict" and qualified is None:
            return self._dict_call(updated_node)
        return updated_node

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:  # noqa: N802
        name = original_node.keyword.value if original_node.keyword else ""
        if name == "cmap" and string(updated_node.value) in _MAPS and self.scope.at_least("matplotlib", "2.2"):
            return updated_node.with_changes(value=self._map(updated_node.value))
        if name.endswith(("_kw", "_kws", "_kwargs")) and isinstance(updated_node.value, cst.Dict):
            return updated_node.with_changes(value=self._dict(updated_node.value))
        return updated_node

    def _map(self, node: cst.BaseExpression) -> cst.BaseExpression:
        old = string(node) or ""
        self.scope.note(f"{old} → {_MAPS[old]}")
        return requoted(node, _MAPS[old]) if isinstance(node, cst.SimpleString) else node

    def _colormap(self, call: cst.Call) -> cst.Call:
        if not call.args or string(call.args[0].value) not in _MAPS:
            return call
        return call.with_changes(args=[call.args[0].with_changes(value=self._map(call.args[0].value)), *call.args[1:]])

    def _cycle(self, func: cst.Attribute, call: cst.Call) -> cst.Call:
        """Translate ``set_color_cycle``, whose None went back to the default cycle."""
        if len(call.args) != 1 or not self.lacks(func.value, "set_color_cycle", _AXES, distinctive=True):
            return call
        renamed = call.with_changes(func=cst.ensure_type(call.func, cst.Attribute).with_changes(attr=cst.Name("set_prop_cycle")))
        self.scope.note("set_color_cycle → set_prop_cycle")
        if value_of(call.args[0].value) is None:
            return renamed
        return renamed.with_changes(args=[named(call.args[0], "color")])

    def _one_spelling(self, call: cst.Call) -> cst.Call:
        """Drop the plural of a property given twice: the singular always won."""
        present = keyword_names(call)
        twice = [plural for singular, plural in _PLURAL if {singular, plural} <= present]
        if not twice or not self.scope.at_least("matplotlib", "3.0"):
            return call
        self.scope.note(f"{', '.join(twice)} given twice")
        return without(call, twice)

    def _dict(self, node: cst.Dict) -> cst.Dict:
        """Rename keys in a dict of keyword arguments for another function."""
        elements = [
            element.with_changes(key=self._key(element.key)) if isinstance(element, cst.DictElement) else element
            for element in node.elements
        ]
        return node.with_changes(elements=elements)

    def _key(self, node: cst.BaseExpression) -> cst.BaseExpression:
        old = string(node)
        if old not in _DICTS or not isinstance(node, cst.SimpleString) or not self.scope.at_least("matplotlib", "3.1"):
            return node
        self.scope.note(f"{old} → {_DICTS[old]}")
        return requoted(node, _DICTS[old])

    def _dict_call(self, call: cst.Call) -> cst.Call:
        if not keyword_names(call) & _DICTS.keys() or not self.scope.at_least("matplotlib", "3.1"):
            return call
        args = []
        for arg in call.args:
            new = _DICTS.get(arg.keyword.value) if arg.keyword else None
            args.append(arg.with_changes(keyword=cst.Name(new)) if new else arg)
            if new:
                self.scope.note(f"{code(arg.keyword or arg)}= → {new}=")
        return call.with_changes(args=args)


def _replaced(call: cst.Call, values: dict[str, str]) -> cst.Call:
    first = argument(call, "", 0)
    if first is None or not isinstance(first.value, cst.SimpleString) or (old := string(first.value)) not in values:
        return call
    args = [first.with_changes(value=requoted(first.value, values[old])), *call.args[1:]]
    return call.with_changes(args=args)


class Colors(CodemodRecipe):
    """Colormaps, colour cycles and keyword dictionaries."""

    name = "matplotlib-colors"
    summary = "A colormap, a colour cycle or an option has another name now."
    since = "matplotlib 2.0 to 3.1"
    source = "Matplotlib API changes 1.5, 2.0, 2.2 and 3.1"
    words = frozenset({*_MAPS, *_DICTS, "set_color_cycle", "normal", *(plural for _, plural in _PLURAL)})
    codemod = _Colors


RECIPES = (Colors(),)
