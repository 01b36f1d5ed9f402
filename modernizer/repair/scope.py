"""What names mean in a program: imports and constructed objects, followed over all cells of a notebook."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

import libcst as cst

from modernizer.repair.program import Key

# What well-known functions return, so that a receiver's type can be proven without running anything.
_RETURNS = {
    "pandas.read_csv": "pandas.DataFrame",
    "pandas.read_table": "pandas.DataFrame",
    "pandas.read_excel": "pandas.DataFrame",
    "pandas.read_json": "pandas.DataFrame",
    "pandas.read_sql": "pandas.DataFrame",
    "pandas.read_hdf": "pandas.DataFrame",
    "pandas.read_parquet": "pandas.DataFrame",
    "pandas.concat": "",
    "pandas.merge": "pandas.DataFrame",
    "pandas.get_dummies": "pandas.DataFrame",
    "pandas.crosstab": "pandas.DataFrame",
    "pandas.pivot_table": "pandas.DataFrame",
    "pandas.date_range": "pandas.DatetimeIndex",
    "pandas.to_datetime": "",
    "seaborn.load_dataset": "pandas.DataFrame",
    "numpy.array": "numpy.ndarray",
    "numpy.zeros": "numpy.ndarray",
    "numpy.ones": "numpy.ndarray",
    "numpy.arange": "numpy.ndarray",
    "numpy.linspace": "numpy.ndarray",
    "matplotlib.pyplot.figure": "matplotlib.figure.Figure",
    "matplotlib.pyplot.gca": "matplotlib.axes.Axes",
    "matplotlib.pyplot.axes": "matplotlib.axes.Axes",
    "matplotlib.pyplot.subplot": "matplotlib.axes.Axes",
}
_SAME_TYPE_METHODS = frozenset(
    {
        "fit",
        "set_params",
        "copy",
        "head",
        "tail",
        "dropna",
        "fillna",
        "drop",
        "rename",
        "sort_values",
        "sort_index",
        "reset_index",
    }
    | {"set_index", "astype", "assign", "query", "sample", "drop_duplicates", "replace", "where", "mask", "loc", "iloc"}
)
PYLAB = frozenset({"pylab", "matplotlib.pylab"})
# What a star import of pylab binds: these modules by name, and the names of those.
PYLAB_MODULES = {
    "np": "numpy",
    "plt": "matplotlib.pyplot",
    "mpl": "matplotlib",
    "mlab": "matplotlib.mlab",
    "cm": "matplotlib.cm",
}
_PYLAB_HOMES = ("matplotlib.pyplot", "numpy", "matplotlib.mlab", "numpy.random", "numpy.linalg", "numpy.fft")
_FRAME, _SERIES = "pandas.DataFrame", "pandas.Series"


@dataclass(frozen=True)
class _Binding:
    """One binding of a name: an import's dotted target, or the expression assigned; neither when it can't be told.

    ``as_module`` tells that an import statement without from bound it.
    """

    imported: str | None = None
    value: cst.BaseExpression | None = None
    as_module: bool = False


class _Collector(cst.CSTVisitor):
    """Collect the bindings of one unit in document order."""

    def __init__(self) -> None:
        self.bindings: dict[str, list[_Binding]] = defaultdict(list)
        self.stars: list[str] = []
        self.mentions: Counter[str] = Counter()

    def visit_Name(self, node: cst.Name) -> None:  # noqa: N802 (LibCST's visitor protocol)
        self.mentions[node.value] += 1

    def visit_Import(self, node: cst.Import) -> None:  # noqa: N802
        for alias in node.names:
            dotted = dotted_name(alias.name) or ""
            if alias.asname and isinstance(alias.asname.name, cst.Name):
                self.bindings[alias.asname.name.value].append(_Binding(imported=dotted, as_module=True))
            else:
                root = dotted.split(".")[0]
                self.bindings[root].append(_Binding(imported=root, as_module=True))

    def visit_ImportFrom(self, node: cst.ImportFrom) -> None:  # noqa: N802
        module = dotted_name(node.module) if node.module else ""
        if node.relative or not module:
            return
        if isinstance(node.names, cst.ImportStar):
            self.stars.append(module)
            return
        for alias in node.names:
            local = alias.asname.name if alias.asname else alias.name
            if isinstance(local, cst.Name) and isinstance(alias.name, cst.Name):
                self.bindings[local.value].append(_Binding(imported=f"{module}.{alias.name.value}"))

    def visit_Assign(self, node: cst.Assign) -> None:  # noqa: N802
        for target in node.targets:
            if isinstance(target.target, cst.Name):
                self.bindings[target.target.value].append(_Binding(value=node.value))
            else:
                self._unknown(target.target)

    def visit_For(self, node: cst.For) -> None:  # noqa: N802
        self._unknown(node.target)

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:  # noqa: N802
        self.bindings[node.name.value].append(_Binding())

    def visit_ClassDef(self, node: cst.ClassDef) -> None:  # noqa: N802
        self.bindings[node.name.value].append(_Binding())

    def visit_Param(self, node: cst.Param) -> None:  # noqa: N802
        self.bindings[node.name.value].append(_Binding())

    def visit_WithItem(self, node: cst.WithItem) -> None:  # noqa: N802
        if node.asname:
            self._unknown(node.asname.name)

    def _unknown(self, target: cst.BaseExpression) -> None:
        if isinstance(target, cst.Name):
            self.bindings[target.value].append(_Binding())
        elif isinstance(target, cst.Tuple | cst.List):
            for element in target.elements:
                self._unknown(element.value)


@dataclass(frozen=True)
class Names:
    """The bindings of a program; cells share one namespace in order, each module has its own."""

    bindings: Mapping[Key, Mapping[str, list[_Binding]]] = field(default_factory=dict)
    star_imports: Mapping[Key, list[str]] = field(default_factory=dict)
    mentioned: Mapping[str, int] = field(default_factory=dict)
    trees: tuple[cst.Module, ...] = ()

    def mentions(self, name: str) -> int:
        """Count how often a name stands anywhere in the program, imports and attributes included."""
        return self.mentioned.get(name, 0)

    def stars(self, unit: Key) -> list[str]:
        """List the modules star-imported where ``unit`` can see them."""
        if not any(self.star_imports.values()):
            return []
        return [module for key in self._ready(unit) for module in self.star_imports.get(key, [])]

    def unbound(self, name: str, unit: Key) -> bool:
        """Tell whether nothing that ``unit`` can see binds a name, so that only a star import or a built-in can give it."""
        return not self._latest(name, unit)

    def imported(self, name: str, unit: Key) -> str | None:
        """Return the dotted target of an imported name as ``unit`` sees it."""
        bindings = self._latest(name, unit)
        targets = [binding.imported for binding in bindings]
        if not bindings:
            return next(filter(None, (self._through(module, name, unit) for module in self.stars(unit))), None)
        if targets[-1] is None or None in targets:
            return None
        module, _, leaf = targets[-1].rpartition(".")
        return self._through(module, leaf, unit) or targets[-1]

    def _through(self, module: str, name: str, unit: Key) -> str | None:
        """Return the package that a module of the repository names so: its ``np`` is known to those who import it from there."""
        key = f"{module.replace('.', '/')}.py"
        bindings = self.bindings.get(key, {}).get(name, []) if module and key != unit else []
        return bindings[-1].imported if bindings and bindings[-1].as_module else None

    def aliases(self) -> dict[str, str]:
        """Return the names that imports give to functions and modules, with what they name: ``rm`` of ``pandas.rolling_mean``."""
        return {
            name: binding.imported
            for names in self.bindings.values()
            for name, bindings in names.items()
            for binding in bindings
            if binding.imported and binding.imported.rpartition(".")[2] != name
        }

    def qualified(self, node: cst.CSTNode | None, unit: Key, *, depth: int = 0) -> str | None:
        """Return the dotted name that an expression denotes through imports, such as ``numpy.float`` for ``np.float``."""
        if depth > 8:  # noqa: PLR2004 (guards against self-referring assignments)
            return None
        if isinstance(node, cst.Name):
            imported = self.imported(node.value, unit)
            if imported:
                return imported
            bindings = self._latest(node.value, unit)
            values = [binding.value for binding in bindings]
            if len(values) == 1 and isinstance(values[0], cst.Attribute):
                return self.qualified(values[0], unit, depth=depth + 1)
            return None
        if isinstance(node, cst.Attribute):
            base = self.qualified(node.value, unit, depth=depth)
            return f"{base}.{node.attr.value}" if base else None
        return None

    def type_of(self, node: cst.CSTNode | None, unit: Key, *, depth: int = 0) -> str | None:
        """Return the dotted class of the object an expression gives, when the program's text proves it."""
        if depth > 8:  # noqa: PLR2004 (guards against self-referring assignments)
            return None
        if isinstance(node, cst.Name):
            bindings = self._latest(node.value, unit)
            types = {self.type_of(binding.value, unit, depth=depth + 1) if binding.value else None for binding in bindings}
            return types.pop() if len(types) == 1 else None
        if isinstance(node, cst.Call):
            return self._type_of_call(node, unit, depth)
        if isinstance(node, cst.Subscript):
            return self._type_of_subscript(node, unit, depth)
        if isinstance(node, cst.List | cst.ListComp):
            return "list"
        if isinstance(node, cst.Dict | cst.DictComp):
            return "dict"
        if isinstance(node, cst.SimpleString | cst.FormattedString | cst.ConcatenatedString):
            return "str"
        return None

    def value(self, name: str, unit: Key) -> cst.BaseExpression | None:
        """Return the expression a name was assigned where ``unit`` sees it, None when there are several or none."""
        bindings = self._latest(name, unit)
        return bindings[0].value if len(bindings) == 1 else None

    def alias(self, dotted: str, unit: Key) -> str | None:
        """Return a local name bound to the module or object ``dotted`` where ``unit`` can see it, such as ``np``."""
        for key in self._ready(unit):
            for name in self.bindings.get(key, {}):
                if self.imported(name, unit) == dotted:
                    return name
        return None

    def _type_of_call(self, node: cst.Call, unit: Key, depth: int) -> str | None:
        callee = self.qualified(node.func, unit)
        if callee:
            if callee in _RETURNS:
                return _RETURNS[callee] or None
            return callee if callee.rpartition(".")[2][:1].isupper() else None
        if isinstance(node.func, cst.Attribute) and node.func.attr.value in _SAME_TYPE_METHODS:
            return self.type_of(node.func.value, unit, depth=depth + 1)
        return None

    def _type_of_subscript(self, node: cst.Subscript, unit: Key, depth: int) -> str | None:
        if self.type_of(node.value, unit, depth=depth + 1) != _FRAME or len(node.slice) != 1:
            return None
        index = node.slice[0].slice
        if isinstance(index, cst.Index):
            if isinstance(index.value, cst.SimpleString):
                return _SERIES
            if isinstance(index.value, cst.List | cst.Comparison):
                return _FRAME
        return None

    def _visible(self, unit: Key) -> list[Key]:
        """List units whose top-level names ``unit`` sees, nearest first: itself, earlier cells backwards, later cells."""
        if isinstance(unit, str):
            return [unit]
        cells = [key for key in self.bindings if isinstance(key, int)]
        earlier = sorted((key for key in cells if key < unit), reverse=True)
        return [unit, *earlier, *sorted(key for key in cells if key > unit)]

    def _ready(self, unit: Key) -> list[Key]:
        """List the units that have run when ``unit`` runs in order, nearest first, and itself."""
        return [key for key in self._visible(unit) if not isinstance(key, int) or not isinstance(unit, int) or key <= unit]

    def _latest(self, name: str, unit: Key) -> list[_Binding]:
        for key in self._visible(unit):
            if found := self.bindings.get(key, {}).get(name):
                return found
        return []


def star_homes(stars: Iterable[str]) -> list[str]:
    """List the modules whose names star imports bring in; pylab gathers several."""
    return [home for module in stars for home in (_PYLAB_HOMES if module in PYLAB else (module,))]


def collect_names(trees: Iterable[tuple[Key, cst.Module]], pylab: Collection[Key] = ()) -> Names:
    """Collect the bindings of all units that parse; ``pylab`` lists those with the magic that star-imports it."""
    bindings: dict[Key, Mapping[str, list[_Binding]]] = {}
    stars: dict[Key, list[str]] = {}
    mentioned: Counter[str] = Counter()
    kept = []
    for key, tree in trees:
        kept.append(tree)
        collector = _Collector()
        tree.visit(collector)
        bindings[key] = collector.bindings
        mentioned += collector.mentions
        stars[key] = [*collector.stars, *(["pylab"] if key in pylab else [])]
    return Names(bindings, stars, mentioned, tuple(kept))


def dotted_name(node: cst.CSTNode | None) -> str | None:
    """Return ``a.b.c`` for a chain of names, else None."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        base = dotted_name(node.value)
        return f"{base}.{node.attr.value}" if base else None
    return None
