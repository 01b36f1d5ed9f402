"""Rules on the calls that make the result: loading, splitting, building, fitting, predicting and scoring stay as they are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from modernizer.repair.policy.edit import Edit, Finding
from modernizer.repair.policy.expressions import text, variables
from modernizer.repair.policy.reading import Call
from modernizer.repair.policy.renames import Renames

_LOADING = re.compile(
    r"(?:read_(?!file)\w+|load\w*|fetch_\w+|from_csv|genfromtxt|imread|urlopen|urlretrieve|open|image_dataset_from_directory"
    r"|flow_from_\w+|ImageFolder|DataLoader|get_data|restore|fromfile|memmap)$"
)
_SPLITTING = re.compile(r"(?:train_test_split|\w*(?:KFold|Split|OneOut|POut|OneGroupOut|PGroupsOut)|random_split|check_cv)$")
_FITTING = re.compile(
    r"(?:fit\w*|partial_fit|train|train_on_batch|cv|compile|predict\w*|decision_function|transform|inverse_transform|backward"
    r"|cross_val\w*|learning_curve|validation_curve|permutation_test_score|evaluate\w*|kneighbors)$"
)
_TRAINING = re.compile(r"(?:partial_)?fit(?:_transform|_predict|_resample|_generator)?$|train(?:_on_batch)?$|backward$")
_LAYERS = re.compile(
    r"\w*[Dd]ropout\w*$|GaussianNoise|\w*Pool(?:ing)?[123]D?d?$|BatchNorm\w*$|(?:Dense|Linear|LSTM|GRU|Conv\w+)$"
)
_SCORING = re.compile(
    r"(?:score|accuracy|auc|make_scorer|\w+_(?:score|error|loss|report|confusion_matrix|curve|distance)|confusion_matrix|mse|mae|rmse|r2|silhouette_samples"
    r"|pairwise_distances|corrcoef)$"
)
_SEEDING = re.compile(r"(?:seed|set_seed|set_random_seed|manual_seed\w*|RandomState|default_rng|seed_everything)$")
_LEARNING = re.compile(
    r"(?:sklearn|xgboost|lightgbm|catboost|keras|tensorflow|torch|torchvision|statsmodels|imblearn|mlxtend|gensim|surprise)\."
)
_MODEL = re.compile(
    r"[A-Z]\w*(?:Classifier|Regressor|Regression|Clustering|Means|CV|Model|Net|Forest|Scaler|Encoder|Imputer|Vectorizer|PCA|NB|SVC"
    r"|SVR|Lasso|Ridge)$"
)
# Classes of learning packages that are no models.
# Names that also belong to files, text and plots, where an argument alone tells them apart.
_FRAMES = frozenset({"Session", "InteractiveSession", "Graph", "ConfigProto", "GPUOptions", "Variable", "Tensor"})
_PLAIN = frozenset({"open", "load", "loads", "cv", "restore", "train", "split"})
# Packages whose functions of the same name do the same.
_SAME_READERS = frozenset({"load", "loads", "comb", "imread"})


def family(call: Call) -> str | None:
    """Tell what a call does for the result: ``load``, ``split``, ``build``, ``fit``, ``score`` or ``seed``; None for others."""
    leaf = call.leaf
    if leaf in {"loads", "loadtxt"} and not call.dotted:
        return None
    if call.dotted.startswith(("matplotlib.", "seaborn.")) and leaf != "load_dataset":
        return "load" if leaf == "imread" else None
    if leaf.startswith("plot_"):
        return None
    for name, pattern in _FAMILIES:
        if pattern.match(leaf):
            return name
    if leaf[:1].isupper() and leaf not in _FRAMES and (_LEARNING.match(call.dotted) or _MODEL.match(leaf)):
        return "build"
    return None


_FAMILIES = (("load", _LOADING), ("split", _SPLITTING), ("seed", _SEEDING), ("score", _SCORING), ("fit", _FITTING))


@dataclass(frozen=True)
class Became:
    """A call of the original and what it became, None when nothing stands for it."""

    old: Call
    new: Call | None


def successors(edit: Edit) -> tuple[Became, ...]:
    """Find what every changed call of these families became."""
    return tuple(_paired(edit, [call for call in edit.gone_calls if family(call)]))


def renamed_calls(edit: Edit) -> tuple[Became, ...]:
    """Find what every other changed call became."""
    return tuple(_paired(edit, [call for call in edit.gone_calls if not family(call)]))


def _paired(edit: Edit, gone: list[Call]) -> Iterator[Became]:
    free = list(edit.new_calls)
    for old in gone:
        candidates = [new for new in free if _compatible(old, new, edit.sides.renames)]
        best = max(candidates, key=lambda new: _likeness(old, new), default=None)
        if best is not None:
            free.remove(best)
        yield Became(old, best)


def _compatible(old: Call, new: Call, renames: Renames) -> bool:
    if not renames.is_renamed(old.leaf, new.leaf):
        return False
    if old.leaf != new.leaf or not old.dotted or not new.dotted or old.dotted == new.dotted:
        return True
    if "." not in old.dotted or "." not in new.dotted:
        # A function of the library that became one of the notebook's own is another function.
        return "." not in old.dotted
    return old.dotted.split(".")[0] == new.dotted.split(".")[0] or old.leaf in _SAME_READERS


def _likeness(old: Call, new: Call) -> tuple[int, int, int]:
    mine, other = ({text(value) for _, value in arguments(call.node)} for call in (old, new))
    return (len(mine & other), int(old.leaf == new.leaf), -abs(old.line - new.line))


def arguments(node: ast.Call) -> list[tuple[str, ast.expr]]:
    """List a call's arguments with their names, positional ones with none."""
    return [("", arg) for arg in node.args] + [(keyword.arg or "**", keyword.value) for keyword in node.keywords]


def calls_stay(edit: Edit) -> Iterator[Finding]:
    """Keep the calls that load data, split, build, fit, predict, score and seed, or what the packages call them now."""
    for pair in successors(edit):
        if pair.new is None:
            yield Finding(0, f"the call that {_DOES[family(pair.old) or 'fit']} is gone or another: {said(pair.old)}")


def nothing_fitted_anew(edit: Edit) -> Iterator[Finding]:
    """No model is fitted once more and no layer comes in: what was learned would be another thing."""
    for call, _ in edit.more(lambda call: "fit" if _TRAINING.match(call.leaf) and call.node.args else None):
        yield Finding(call.line, f"nothing more may be fitted: {said(call)}")
    asked = {name for call in edit.gone_calls for name, _ in arguments(call.node)}
    for call, _ in edit.more(lambda call: "layer" if _LAYERS.match(call.leaf) else None):
        if not any(name and name in call.leaf.lower() for name in asked):
            yield Finding(call.line, f"no new layer: {said(call)}")


_DOES = {
    "load": "loads data",
    "split": "splits data",
    "build": "builds the model",
    "fit": "fits or predicts",
    "score": "scores",
    "seed": "seeds",
}


def said(call: Call) -> str:
    """Write a call as a finding shows it."""
    written = ast.unparse(call.node)
    return written if len(written) <= 80 else f"{written[:77]}..."  # noqa: PLR2004 (one line of a message)


def receivers_stay(edit: Edit) -> Iterator[Finding]:
    """Such a method is called on the same object: another model's score is another score."""
    for pair in successors(edit):
        if pair.new is None or not isinstance(pair.old.node.func, ast.Attribute):
            continue
        old = pair.old.node.func.value
        if isinstance(pair.new.node.func, ast.Attribute) and _other(old, pair.new.node.func.value):
            yield Finding(pair.new.line, f"{pair.old.leaf}() must be called on {ast.unparse(old)}")


def _other(old: ast.expr, new: ast.expr) -> bool:
    names = set(variables(old))
    return bool(names) and not names & set(variables(new))


def seeds_stay(edit: Edit) -> Iterator[Finding]:
    """Seeds stay and none comes in: the score of a chosen seed is a chosen score."""
    for pair in renamed_calls(edit):
        kept = {(name, text(value)) for name, value in arguments(pair.new.node)} if pair.new else set()
        for name, value in arguments(pair.old.node):
            if name in {"random_state", "seed", "random_seed"} and (name, text(value)) not in kept:
                yield Finding(pair.new.line if pair.new else 0, f"the seed {name}={ast.unparse(value)} must stay")
    for call, name in edit.more(lambda call: call.leaf if family(call) == "seed" else None):
        if not any(edit.sides.renames.is_renamed(old.leaf, name) for old in edit.gone_calls):
            yield Finding(call.line, f"no new seed: {said(call)}")
