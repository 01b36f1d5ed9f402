"""Old cross-validation splitters give the same folds by today's interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

IMPORT = "from sklearn.cross_validation import {0}\nimport numpy as np\n"
MOVED = "from sklearn.model_selection import {0}\nimport numpy as np\n"

OLD_CALLS = [
    ("KFold", "KFold(n, n_folds=5)", "list(KFold(n_splits=5).split(np.zeros(n)))"),
    ("KFold", "KFold(n, 5)", "list(KFold(n_splits=5).split(np.zeros(n)))"),
    ("KFold", "KFold(n)", "list(KFold(n_splits=3).split(np.zeros(n)))"),
    ("KFold", "KFold(n=len(X), k=4)", "list(KFold(n_splits=4).split(X))"),
    ("KFold", "KFold(X.shape[0], 10, random_state=7)", "list(KFold(n_splits=10).split(X))"),
    (
        "KFold",
        "KFold(len(y), n_folds=5, shuffle=True, random_state=1)",
        "list(KFold(n_splits=5, shuffle=True, random_state=1).split(y))",
    ),
    ("KFold", "KFold(n, n_folds=5, shuffle=False, random_state=1)", "list(KFold(n_splits=5, shuffle=False).split(np.zeros(n)))"),
    ("KFold", "KFold(n, n_folds=5, indices=False)", "list(KFold(n_splits=5).split(np.zeros(n)))"),
    ("StratifiedKFold", "StratifiedKFold(y, n_folds=3)", "list(StratifiedKFold(n_splits=3).split(np.zeros(len(y)), y))"),
    ("StratifiedKFold", "StratifiedKFold(y=y, n_folds=3)", "list(StratifiedKFold(n_splits=3).split(np.zeros(len(y)), y))"),
    ("LeaveOneOut", "LeaveOneOut(n)", "list(LeaveOneOut().split(np.zeros(n)))"),
    ("LeavePOut", "LeavePOut(n, 2)", "list(LeavePOut(p=2).split(np.zeros(n)))"),
    (
        "ShuffleSplit",
        "ShuffleSplit(n, n_iter=4, test_size=.2)",
        "list(ShuffleSplit(n_splits=4, test_size=.2).split(np.zeros(n)))",
    ),
    ("ShuffleSplit", "ShuffleSplit(n)", "list(ShuffleSplit(n_splits=10).split(np.zeros(n)))"),
    (
        "ShuffleSplit",
        "ShuffleSplit(n, train_size=.5)",
        "list(ShuffleSplit(n_splits=10, train_size=.5, test_size=0.1).split(np.zeros(n)))",
    ),
    (
        "StratifiedShuffleSplit",
        "StratifiedShuffleSplit(y, 3, random_state=0)",
        "list(StratifiedShuffleSplit(n_splits=3, random_state=0).split(np.zeros(len(y)), y))",
    ),
    ("PredefinedSplit", "PredefinedSplit(folds)", "list(PredefinedSplit(test_fold=folds).split())"),
]


@pytest.mark.parametrize(("name", "old", "new"), OLD_CALLS)
def test_an_old_splitter_becomes_a_list_of_splits(rewrite: Callable[..., Any], name: str, old: str, new: str) -> None:
    assert rewrite(IMPORT.format(name) + f"folds = {old}") == MOVED.format(name) + f"folds = {new}"


@pytest.mark.parametrize(
    ("old_name", "new_name", "old", "new"),
    [
        (
            "LabelKFold",
            "GroupKFold",
            "LabelKFold(l, n_folds=2)",
            "list(GroupKFold(n_splits=2).split(np.zeros(len(l)), groups=l))",
        ),
        (
            "LeaveOneLabelOut",
            "LeaveOneGroupOut",
            "LeaveOneLabelOut(l)",
            "list(LeaveOneGroupOut().split(np.zeros(len(l)), groups=l))",
        ),
        (
            "LeavePLabelOut",
            "LeavePGroupsOut",
            "LeavePLabelOut(l, p=2)",
            "list(LeavePGroupsOut(n_groups=2).split(np.zeros(len(l)), groups=l))",
        ),
    ],
)
def test_labels_became_groups(rewrite: Callable[..., Any], old_name: str, new_name: str, old: str, new: str) -> None:
    assert rewrite(IMPORT.format(old_name) + f"folds = {old}") == MOVED.format(new_name) + f"folds = {new}"


@pytest.mark.parametrize(
    "modern",
    [
        "KFold(5)",
        "KFold(n_splits=5)",
        "KFold(5, shuffle=True, random_state=1)",
        "StratifiedKFold(n_splits=k, shuffle=shuffle, random_state=1)",
        "ShuffleSplit(n_splits=5, test_size=.2, random_state=0)",
        "LeaveOneOut()",
        "PredefinedSplit(folds)",
        "GroupKFold(3)",
    ],
)
def test_a_splitter_of_todays_interface_stays(rewrite: Callable[..., Any], modern: str) -> None:
    name = modern.split("(", maxsplit=1)[0]
    source = f"from sklearn.model_selection import {name}\nfolds = {modern}"
    assert rewrite(source) == source


def test_a_moved_import_with_old_arguments_is_seen(rewrite: Callable[..., Any]) -> None:
    source = "import numpy as np\nfrom sklearn.model_selection import KFold\nfolds = KFold(n, n_folds=4)"
    assert rewrite(source).endswith("folds = list(KFold(n_splits=4).split(np.zeros(n)))")


def test_a_random_state_without_effect_is_dropped(rewrite: Callable[..., Any]) -> None:
    source = "from sklearn.model_selection import KFold\nfolds = KFold(n_splits=4, random_state=7)"
    assert rewrite(source).endswith("folds = KFold(n_splits=4)")


def test_module_attributes_and_a_folds_attribute_follow(rewrite: Callable[..., Any]) -> None:
    cells = ["from sklearn import cross_validation\nimport numpy as np", "cv = cross_validation.KFold(n, 4)", "print(cv.n_folds)"]
    assert rewrite(cells) == [
        "from sklearn import model_selection as cross_validation\nimport numpy as np",
        "cv = list(cross_validation.KFold(n_splits=4).split(np.zeros(n)))",
        "print(len(cv))",
    ]


def test_numpy_is_imported_where_nothing_names_it(rewrite: Callable[..., Any]) -> None:
    source = "from sklearn.cross_validation import LeaveOneOut\nloo = LeaveOneOut(10)"
    assert "import numpy" in rewrite(source)


def test_the_folds_are_those_of_2018(repair: Callable[..., Any]) -> None:
    """scikit-learn 0.19.1 printed these test folds."""
    repaired = repair(
        [
            "from sklearn.cross_validation import KFold, StratifiedKFold, LeaveOneOut, ShuffleSplit",
            "kf = KFold(6, n_folds=3, shuffle=True, random_state=1)\ntests = [list(test) for train, test in kf]",
            "loo = len(LeaveOneOut(4))\ncount = len(StratifiedKFold([0, 0, 0, 1, 1, 1], 3))",
            "sizes = [len(test) for train, test in ShuffleSplit(20, train_size=0.5, random_state=0)]",
        ]
    )
    assert repaired.value("tests") == [[1, 2], [0, 4], [3, 5]]
    assert repaired.value("[loo, count]") == [4, 3]
    assert repaired.value("sizes") == [2] * 10


def test_cross_val_score_takes_the_list(repair: Callable[..., Any]) -> None:
    repaired = repair(
        [
            "import numpy as np\nfrom sklearn.datasets import load_iris\nfrom sklearn import cross_validation as cv",
            "from sklearn.neighbors import KNeighborsClassifier\nX, y = load_iris(return_X_y=True)",
            "scores = cv.cross_val_score(KNeighborsClassifier(5), X, y, 'accuracy', cv=cv.KFold(len(X), 5))",
        ]
    )
    assert repaired.value("scores.mean()") == pytest.approx(0.9133, abs=1e-4)
