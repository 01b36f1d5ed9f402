"""Data sets that scikit-learn has no more, read from where it says they are: only where the network is allowed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

import libcst as cst
import libcst.matchers as m

from modernizer.repair.program import Key
from modernizer.repair.recipe import Scope, Unit
from modernizer.repair.recipes.defined_functions import DefinedFunction, DefinedFunctions
from modernizer.repair.syntax import argument, keyword_names, string

_BOSTON = '''\
def load_boston(return_X_y=False):
    """Load the house prices of Boston from where they are published: two lines for each tract."""
    address = "http://lib.stat.cmu.edu/datasets/boston"
    lines = {pandas}.read_csv(address, sep=r"\\s+", skiprows=22, header=None).values
    data, target = {numpy}.hstack([lines[::2, :], lines[1::2, :2]]), lines[1::2, 2]
    if return_X_y:
        return data, target
    names = "CRIM ZN INDUS CHAS NOX RM AGE DIS RAD TAX PTRATIO B LSTAT".split()
    return Bunch(data=data, target=target, feature_names={numpy}.array(names))
'''
_DESCRIBED = """\
    with urlopen(address) as page:
        description = "".join(line.decode() for line, _ in zip(page, range(22)))
    return Bunch(data=data, target=target, feature_names={numpy}.array(names), DESCR=description)
"""
_MNIST = '''\
def fetch_mldata(dataname="MNIST original", data_home=None):
    """Fetch MNIST as mldata.org had it: labels as numbers, images for training and those for the test each sorted by them."""
    mnist = fetch_openml("mnist_784", version=1, as_frame=False, data_home=data_home)
    labels = mnist.target.astype(float)
    halves = {numpy}.arange(len(labels)) >= 60000
    order = {numpy}.lexsort((labels, halves))
    mnist.data, mnist.target = mnist.data[order].astype("uint8"), labels[order]
    return mnist
'''
# Arguments that the definitions take; only the first one stands at its old place.
_TAKEN = frozenset({"return_X_y", "dataname", "data_home"})
_HOME = "sklearn.datasets"
_FUNCTIONS = (
    DefinedFunction(f"{_HOME}.load_boston", "scikit-learn", "1.2", "load_boston", _BOSTON, ("from sklearn.utils import Bunch",)),
    DefinedFunction(
        f"{_HOME}.fetch_mldata",
        "scikit-learn",
        "0.22",
        "fetch_mldata",
        _MNIST,
        ("from sklearn.datasets import fetch_openml",),
    ),
)


class GoneDatasets(DefinedFunctions):
    """Data sets that are read from elsewhere."""

    name: ClassVar[str] = "sklearn-gone-dataset"
    summary: ClassVar[str] = (
        "scikit-learn has this data set no more; a function in the notebook reads it from where it is published."
    )
    since: ClassVar[str] = ""
    source: ClassVar[str] = (
        "scikit-learn's own error since 1.2 (load_boston), scikit-learn What's New 0.20 and 0.22 (fetch_mldata: fetch_openml)"
    )
    words: ClassVar[frozenset[str]] = frozenset(function.leaf for function in _FUNCTIONS)
    order: ClassVar[int] = 65
    confirmed: ClassVar[bool] = False
    functions: ClassVar[tuple[DefinedFunction, ...]] = _FUNCTIONS
    fetches: ClassVar[str] = "the data set, from lib.stat.cmu.edu or openml.org"

    def meant(self, function: DefinedFunction, units: Mapping[Key, Unit], scope: Scope) -> bool:
        """Tell whether its import failed, the function is called and, of the data sets it had by name, for MNIST alone.

        An import that only moved to where it is needed, or that nothing needs, fails there no more.
        """
        if scope.failure is None or not any(m.matches(node, m.Name(function.leaf)) for node in scope.failing_nodes):
            return False
        calls = list(_calls(function.old, units, scope))
        if not all(keyword_names(call) <= _TAKEN and sum(arg.keyword is None for arg in call.args) <= 1 for call in calls):
            return False
        if function.leaf == "load_boston":
            return bool(calls)
        names = [argument(call, "dataname", 0) for call in calls]
        return bool(calls) and all(name is not None and _is_mnist(name.value) for name in names)

    def for_program(self, function: DefinedFunction, units: Mapping[Key, Unit]) -> DefinedFunction:
        """Read the description too where the program shows it."""
        if function.leaf != "load_boston" or not any("DESCR" in unit.source for unit in units.values()):
            return function
        kept = function.definition.rpartition("    return Bunch")[0]
        return replace(function, definition=kept + _DESCRIBED, imports=(*function.imports, "from urllib.request import urlopen"))


def _calls(old: str, units: Mapping[Key, Unit], scope: Scope) -> Iterator[cst.Call]:
    leaf = old.rpartition(".")[2]
    for key, unit in units.items():
        if unit.tree is None or leaf not in unit.source:
            continue
        own = replace(scope, unit=key)
        for call in m.findall(unit.tree, m.Call()):
            if isinstance(call, cst.Call) and own.qualified(call.func) == old:
                yield call


def _is_mnist(node: cst.BaseExpression) -> bool:
    return (string(node) or "").lower().replace(" ", "-") == "mnist-original"


RECIPES = (GoneDatasets(),)
