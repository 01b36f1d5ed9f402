"""Names and arguments that may change because the packages changed them: the recipes' tables, and drift facts given."""

from __future__ import annotations

import ast
import tomllib
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources

from modernizer.parsing import parse_expression
from modernizer.repair.recipes.arguments import Change, changes
from modernizer.repair.recipes.moves import moves

# Other names for the same module, so that code reads the same whichever of them it goes through.
_SAME = {
    "tensorflow.keras": "keras",
    "tensorflow.python.keras": "keras",
    "tensorflow.compat.v1": "tensorflow",
    "urllib2": "urllib.request",
    "urllib.urlopen": "urllib.request.urlopen",
    "urllib.urlretrieve": "urllib.request.urlretrieve",
    "cPickle": "pickle",
    "sets.Set": "set",
    "StringIO.StringIO": "io.StringIO",
    "cStringIO.StringIO": "io.StringIO",
    "pylab": "matplotlib.pyplot",
    "scipy.misc.imread": "imageio.imread",
    "imageio.v2.imread": "imageio.imread",
    "imageio.v3.imread": "imageio.imread",
    "matplotlib.pyplot.imread": "imageio.imread",
    "skimage.io.imread": "imageio.imread",
    "statsmodels.formula.api.OLS": "statsmodels.api.OLS",
    "statsmodels.formula.api.Logit": "statsmodels.api.Logit",
}
# Methods and functions whose successor has another name, beyond the tables.
_METHODS = {
    "fit_generator": {"fit"},
    "evaluate_generator": {"evaluate"},
    "predict_generator": {"predict"},
    "predict_classes": {"predict"},
    "from_csv": {"read_csv"},
    "read_table": {"read_csv"},
    "fetch_mldata": {"fetch_openml"},
    "mean_squared_error": {"root_mean_squared_error"},
    "score_samples": {"score_samples", "predict_proba"},
    "xrange": {"range"},
    "imread": {"open"},
    "random_integers": {"randint", "integers"},
    "set_random_seed": {"set_seed"},
    "Convolution1D": {"Conv1D"},
    "Convolution2D": {"Conv2D"},
    "Convolution3D": {"Conv3D"},
}
# Arguments that went with a successor.
_DROPPED = {("mean_squared_error", "squared"), ("from_csv", "encoding")}
_RENAMED = {
    "n_folds": {"n_splits"},
    "n_iter": {"n_splits", "max_iter", "n_iter_no_change"},
    "nb_epoch": {"epochs"},
    "generator": {"x"},
    "fit_params": {"params"},
    "params_distributions": {"param_distributions"},
    "eval_metric": {"eval_metric", "metrics"},
    "date_parser": {"date_format"},
}
# Arguments of one callable that have other names now.
_RENAMED_OF = {
    ("make_scorer", "needs_proba"): "response_method",
    ("make_scorer", "needs_threshold"): "response_method",
    ("LeakyReLU", "alpha"): "negative_slope",
    ("Word2Vec", "size"): "vector_size",
    ("Word2Vec", "iter"): "epochs",
    ("FastText", "size"): "vector_size",
    ("FastText", "iter"): "epochs",
    ("Doc2Vec", "size"): "vector_size",
    ("Doc2Vec", "iter"): "epochs",
}
# Values that are written otherwise now: metrics in Keras' history and callbacks, XGBoost's objective.
_VALUES = {"'acc'": "'accuracy'", "'val_acc'": "'val_accuracy'", "'reg:linear'": "'reg:squarederror'"}
_VALUES_OF = {
    ("make_scorer", "needs_proba", "True"): "'predict_proba'",
    ("make_scorer", "needs_threshold", "True"): "('decision_function', 'predict_proba')",
}
# Arguments without influence on results; a call may lose them when the installed package has them no more.
COSMETIC = frozenset(
    {
        "n_jobs",
        "verbose",
        "copy",
        "copy_x",
        "precompute_distances",
        "pre_dispatch",
        "silent",
        "nthread",
        "refit",
        "iid",
        "workers",
    }
    | {"presort", "use_label_encoder", "low_memory", "memory_map", "engine", "as_recarray", "compact_ints", "use_multiprocessing"}
    | {
        "infer_datetime_format",
        "behaviour",
        "max_queue_size",
        "pickle_safe",
        "nb_worker",
        "volatile",
        "disp",
        "verbose_eval",
        "plot",
        "evals_result",
    }
)


@dataclass(frozen=True)
class Renames:
    """The allowed renames.

    ``given`` maps dotted names to new dotted names; a key ``dotted(argument)`` maps an argument to its new name, or to
    nothing when the argument is gone; ``dotted(argument=)`` to the source of the default that it had.
    """

    given: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _symbols(self) -> Mapping[str, str]:
        return {**moves(), **_SAME, **{old: new for old, new in self.given.items() if "(" not in old}}

    @cached_property
    def _leaves(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for old, new in self._symbols.items():
            found[_leaf(old)].add(_leaf(new))
        for old, news in (*_METHODS.items(), *((row, {new}) for row, new in _renamed_methods().items())):
            found[old] |= news
        return {old: frozenset(news) for old, news in found.items()}

    @cached_property
    def _arguments(self) -> Mapping[tuple[str, str], str]:
        rows = ((key.rstrip(")").split("("), new) for key, new in self.given.items() if "(" in key and "=" not in key)
        # Calls are looked up by the name they go by now.
        return {(_leaf(name), argument): new for (symbol, argument), new in rows for name in (symbol, self.canonical(symbol))}

    @cached_property
    def defaults(self) -> frozenset[tuple[str, str, str]]:
        """The defaults that arguments had: last name of the callable, argument and source of the value."""
        rows = ((key.removesuffix("=)").split("("), old) for key, old in self.given.items() if key.endswith("=)"))
        return frozenset(
            (_leaf(name), argument, _plain(old)) for (symbol, argument), old in rows for name in (symbol, self.canonical(symbol))
        )

    def canonical(self, dotted: str) -> str:
        """Return the name by which both old and new spellings of a symbol go."""
        chain = [dotted]
        while (moved := self._once(chain[-1])) not in chain:
            chain.append(moved)
        # Names that lead to each other are one name.
        return min(chain[chain.index(moved) :]).removeprefix("builtins.")

    def _once(self, dotted: str) -> str:
        head, tail = dotted, ""
        while head:
            if head in self._symbols:
                return self._symbols[head] + tail
            head, _, last = head.rpartition(".")
            tail = f".{last}{tail}"
        return dotted

    def is_renamed(self, old: str, new: str) -> bool:
        """Tell whether a callable's last name may become another."""
        return old == new or new in self._leaves.get(old, ())

    def argument_names(self, callee: str, argument: str) -> Collection[str]:
        """Return the names that an argument of a callable (by its last name) may have now."""
        known = {row.rename[argument] for row in _rows(callee) if argument in row.rename}
        given = self._arguments.get((callee, argument)) or _RENAMED_OF.get((callee, argument))
        return {argument, *known, *_RENAMED.get(argument, ()), *([given] if given else [])}

    def may_drop(self, callee: str, argument: str, value: str) -> bool:
        """Tell whether a callable may lose an argument with this value (as source)."""
        return (
            self._arguments.get((callee, argument)) == ""
            or (callee, argument) in _DROPPED
            or argument in COSMETIC
            or any(argument in row.drop or value in row.drop_values.get(argument, ()) for row in _rows(callee))
        )

    def values(self, callee: str, argument: str, value: str) -> Collection[str]:
        """Return the sources that an argument's value (as source) may have become."""
        found = {_plain(row.values[argument][value]) for row in _rows(callee) if value in row.values.get(argument, {})}
        found |= {_VALUES[value]} if value in _VALUES else set()
        found |= {_VALUES_OF[callee, argument, value]} if (callee, argument, value) in _VALUES_OF else set()
        if argument == "scoring":
            found.add(repr(f"neg_{value.strip(chr(39))}"))
        return found


def _plain(source: str) -> str:
    """Write a value as the rules write it: raw text reads like other text."""
    try:
        return ast.unparse(parse_expression(source))
    except (SyntaxError, ValueError):
        return source


def _leaf(dotted: str) -> str:
    return dotted.rpartition(".")[2]


@cache
def _rows(callee: str) -> tuple[Change, ...]:
    names = {callee, *(_leaf(old) for old, new in moves().items() if _leaf(new) == callee)}
    return tuple(row for row in changes() if names & {*map(_leaf, row.of), *row.methods})


@cache
def _renamed_methods() -> Mapping[str, str]:
    text = resources.files("modernizer.repair.recipes").joinpath("removed_methods.toml").read_text(encoding="utf-8")
    return {row["name"]: row["rename"] for row in tomllib.loads(text)["method"] if "rename" in row}
