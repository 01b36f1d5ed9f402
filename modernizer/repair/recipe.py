"""What a recipe is: a deterministic change for a known API change, and the view of the program that it decides by."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, runtime_checkable

import libcst as cst
from packaging.version import InvalidVersion, Version

from modernizer.drift.worlds import Worlds
from modernizer.execution.live_object import Division
from modernizer.execution.outcome import CellError
from modernizer.magics import Masked
from modernizer.repair.imports import add_imports
from modernizer.repair.program import Key
from modernizer.repair.scope import PYLAB, PYLAB_MODULES, Names, star_homes
from modernizer.verdict.outcome import Diagnosis

# Other distributions of the same package.
_VARIANTS = {"tensorflow": ("tensorflow-cpu", "tf-nightly", "tensorflow-macos"), "xgboost": ("xgboost-cpu",)}


class Parameter(Protocol):
    """One parameter of an installed callable, as ``inspect`` names its parts."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def kind(self) -> str:
        """Its kind, such as ``KEYWORD_ONLY``."""


class Packages(Protocol):
    """What recipes may ask about the installed packages; ``modernizer.environment.installed.Installed`` answers."""

    def resolves(self, dotted: str) -> bool:
        """Tell whether the dotted name exists."""

    def kind(self, dotted: str) -> str | None:
        """Return ``module``, ``class``, ``function`` or ``other``; None when the name does not exist."""

    def signature(self, dotted: str) -> tuple[Parameter, ...] | None:
        """Return a callable's parameters, None when it has no readable signature."""

    def version(self, distribution: str) -> str | None:
        """Return a distribution's installed version."""


class LiveObject(Protocol):
    """An object in the live kernel, as far as recipes ask about it."""

    @property
    def type_name(self) -> str:
        """Its class as a dotted name, public spelling, such as ``pandas.DataFrame``."""

    @property
    def mro(self) -> tuple[str, ...]:
        """Dotted names of its class and all base classes."""

    @property
    def index_type(self) -> str | None:
        """The class of a pandas object's index, such as ``pandas.RangeIndex``."""

    @property
    def index_dtype(self) -> str | None:
        """The dtype of a pandas object's index, such as ``int64`` or ``str``."""

    @property
    def column_dtypes(self) -> Mapping[str, str] | None:
        """The dtypes of a data frame's columns by ``str(label)``."""

    @property
    def dtype(self) -> str | None:
        """The dtype of an array or series."""

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape of an array, series or frame."""

    @property
    def length(self) -> int | None:
        """Its ``len()``."""


class Live(Protocol):
    """The live kernel, stopped at the failing cell or at the end."""

    def divisions(self) -> tuple[Division, ...]:
        """Return the divisions that a kernel observed which runs Python 2's; none in others."""

    def describe(self, expression: str) -> LiveObject | None:
        """Describe the object that a chain of names, attributes and subscripts denotes; None when there is none."""


@runtime_checkable
class LiveCalls(Protocol):
    """A live kernel that still knows the calls which its last error came out of."""

    def describe_local(self, function: str, expression: str) -> LiveObject | None:
        """Describe the object that an expression denoted in the innermost call of a function; None when there is none."""


@dataclass(frozen=True)
class Failure:
    """The first fatal error, placed in the unit of code where the user's own line stands."""

    unit: Key
    line: int | None
    error: CellError
    diagnosis: Diagnosis

    @property
    def message(self) -> str:
        """The exception's name and message with those of the exceptions behind it."""
        return f"{self.error.name}: {self.error.message}\n{self.error.traceback}"


@dataclass(frozen=True)
class Unit:
    """One cell or module: its source, and its parsed form when its language is Python and its syntax valid."""

    key: Key
    source: str
    masked: Masked | None
    tree: cst.Module | None


@dataclass
class Scope:
    """One unit's view: what its names mean, what is installed, what failed.

    ``imports`` collects import statements to add to the unit; ``notes`` what was changed and ``sources`` the release notes
    that say so, both shared by all units of a recipe. ``drift`` are the notebook's two worlds, where recipes may ask them.
    """

    unit: Key
    names: Names
    installed: Packages
    failure: Failure | None = None
    live: Live | None = None
    failing_nodes: frozenset[cst.CSTNode] = frozenset()
    imports: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    drift: Worlds | None = None

    def moved(self, dotted: str) -> str | None:
        """Return where the drift facts say that a gone symbol lives now: the only thing of its name in today's release."""
        comparison = self.drift.compare(dotted) if self.drift else None
        return next((fact.new for fact in comparison.facts if fact.kind == "moved"), None) if comparison else None

    def qualified(self, node: cst.CSTNode | None) -> str | None:
        """Return the dotted name an expression denotes through the program's imports, star imports included."""
        return self.names.qualified(node, self.unit) or self._from_star(node)

    def gone_from_star(self, node: cst.CSTNode | None) -> tuple[str, ...]:
        """List what an unbound name may have denoted through star imports, for names that their modules have no more."""
        if not isinstance(node, cst.Name) or self._from_star(node) is not None or not self.names.unbound(node.value, self.unit):
            return ()
        return tuple(f"{home}.{node.value}" for home in star_homes(self.names.stars(self.unit)))

    def _from_star(self, node: cst.CSTNode | None) -> str | None:
        if isinstance(node, cst.Attribute):
            base = self._from_star(node.value)
            return f"{base}.{node.attr.value}" if base else None
        stars = self.names.stars(self.unit)
        if not stars or not isinstance(node, cst.Name) or hasattr(builtins, node.value):
            return None
        if not self.names.unbound(node.value, self.unit):
            return None
        if node.value in PYLAB_MODULES and any(module in PYLAB for module in stars):
            return PYLAB_MODULES[node.value]
        candidates = (f"{home}.{node.value}" for home in star_homes(stars))
        return next((dotted for dotted in candidates if self.installed.resolves(dotted)), None)

    def type_of(self, node: cst.BaseExpression) -> str | None:
        """Return the class of the object an expression gives: proven by the text, else asked of the live kernel."""
        return self.names.type_of(node, self.unit) or self.live_type(node)

    def live_type(self, node: cst.BaseExpression) -> str | None:
        """Return the class of an object in the live kernel; None when the expression is no plain chain or unknown."""
        described = self.describe(node)
        return described.type_name if described else None

    def describe(self, node: cst.BaseExpression) -> LiveObject | None:
        """Describe an object of the live kernel; only for cells up to the one that ran last, whose names are bound by then."""
        if self.live is None or self.failure is None or not isinstance(self.unit, int):
            return None
        if self.unit > self.failure.error.cell or not is_chain(node):
            return None
        return self.live.describe(cst.Module(body=[]).code_for_node(node))

    def describe_local(self, node: cst.BaseExpression) -> LiveObject | None:
        """Describe an object of the failing function; only where the error's last line of the program stands in one."""
        failure = self.failure
        if not isinstance(self.live, LiveCalls) or failure is None or failure.unit != self.unit or not is_chain(node):
            return None
        frame = next((frame for frame in reversed(failure.error.frames) if frame.cell is not None or frame.local), None)
        if frame is None or frame.function == "<module>":
            return None
        return self.live.describe_local(frame.function, cst.Module(body=[]).code_for_node(node))

    def failing(self, node: cst.CSTNode) -> bool:
        """Tell whether the (original) node stands on the failing statement."""
        return node in self.failing_nodes

    def alias(self, dotted: str) -> str | None:
        """Return a local name for a module or object, such as ``np`` for ``numpy``."""
        local = self.names.alias(dotted, self.unit)
        if local is None and any(module in PYLAB for module in self.names.stars(self.unit)):
            given = (name for name, module in PYLAB_MODULES.items() if module == dotted)
            local = next((name for name in given if self.names.unbound(name, self.unit)), None)
        return local

    def reference(self, dotted: str) -> str:
        """Return an expression for an installed dotted name by the names in scope, asking for an import when none has it."""
        root, _, rest = dotted.partition(".")
        if root == "builtins":
            return rest
        parts = dotted.split(".")
        for length in range(len(parts), 0, -1):
            local = self.alias(".".join(parts[:length]))
            if local:
                return ".".join([local, *parts[length:]])
        module = dotted.rpartition(".")[0] or dotted
        self.want_import(f"import {module}")
        return dotted

    def imported(self, dotted: str) -> str:
        """As ``reference``, but a class or function that nothing names yet is imported by its own name."""
        parent, _, leaf = dotted.rpartition(".")
        if self.alias(dotted) or self.alias(parent) or not parent or self.names.mentions(leaf):
            return self.reference(dotted)
        self.want_import(f"from {parent} import {leaf}")
        return leaf

    def note(self, text: str, source: str = "") -> None:
        """Say in a few words what was changed (``numpy.float → float``), and by which release notes; the report lists it once."""
        if text not in self.notes:
            self.notes.append(text)
        if source and source not in self.sources:
            self.sources.append(source)

    def want_import(self, statement: str) -> None:
        """Ask for an import statement to be added to this unit."""
        if statement not in self.imports:
            self.imports.append(statement)

    def at_least(self, distribution: str, version: str) -> bool:
        """Tell whether a distribution is installed in this version or a newer one."""
        names = (distribution, *_VARIANTS.get(distribution, ()))
        installed = next((found for name in names if (found := self.installed.version(name))), None)
        try:
            return installed is not None and Version(installed) >= Version(version)
        except InvalidVersion:
            return False


class Recipe(Protocol):
    """A named change.

    ``words`` is a cheap filter: the recipe is not tried on units that contain none of them. ``confirmed`` tells that every
    place it changes is needed by the installed packages alone, whether it was seen to fail or not. A recipe ``at_end`` runs
    once, when the end is reached, to settle what only a whole run can show.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    since: ClassVar[str]
    source: ClassVar[str]
    words: ClassVar[frozenset[str]]
    order: ClassVar[int]
    confirmed: ClassVar[bool]
    at_end: ClassVar[bool]

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Return the unit's new source, or None when the recipe does not apply to it."""


class Codemod(cst.CSTTransformer):
    """A LibCST transformer that decides by a scope."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope


@runtime_checkable
class WholeProgramRecipe(Protocol):
    """A recipe that must see all units together, such as a change of the language's version."""

    def rewrite_all(self, units: Mapping[Key, Unit], scope: Scope) -> dict[Key, str]:
        """Return the new sources of the units that it changes."""


@runtime_checkable
class FetchingRecipe(Protocol):
    """A recipe that lets a notebook fetch what it lacks: used only where the network is allowed, also when that blocks it."""

    fetches: ClassVar[str]
    """What is fetched, and from where."""


class CodemodRecipe:
    """A recipe made of one LibCST transformer over the masked source."""

    name: ClassVar[str]
    summary: ClassVar[str]
    since: ClassVar[str]
    source: ClassVar[str]
    words: ClassVar[frozenset[str]] = frozenset()
    order: ClassVar[int] = 50
    confirmed: ClassVar[bool] = False
    at_end: ClassVar[bool] = False
    codemod: ClassVar[type[Codemod]]

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Run the transformer; None when it changed nothing."""
        if unit.tree is None or unit.masked is None:
            return None
        changed = unit.tree.visit(self.codemod(scope))
        if scope.imports:
            changed = add_imports(changed, scope.imports)
        code = unit.masked.unmask(changed.code)
        return None if code == unit.source else code


def is_chain(node: cst.CSTNode) -> bool:
    """Tell whether an expression is a chain of names, attributes and literal subscripts, which is harmless to look at."""
    if isinstance(node, cst.Name):
        return True
    if isinstance(node, cst.Attribute):
        return is_chain(node.value)
    if isinstance(node, cst.Subscript):
        index = node.slice[0].slice if len(node.slice) == 1 else None
        return is_chain(node.value) and isinstance(index, cst.Index) and isinstance(index.value, cst.SimpleString | cst.Integer)
    return False
