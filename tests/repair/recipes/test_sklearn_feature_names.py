"""Names of output columns, as a list where a list is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

HEAD = """\
import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
v = CountVectorizer()
"""
USES = [
    ("v.get_feature_names()", "v.get_feature_names_out().tolist()"),
    ("names = v.get_feature_names() + ['x']", "names = v.get_feature_names_out().tolist() + ['x']"),
    ("v.get_feature_names()[:5]", "v.get_feature_names_out().tolist()[:5]"),
    ("v.get_feature_names()[5]", "v.get_feature_names_out()[5]"),
    ("np.array(v.get_feature_names())", "np.array(v.get_feature_names_out())"),
    ("pd.DataFrame(X, columns=v.get_feature_names())", "pd.DataFrame(X, columns=v.get_feature_names_out())"),
    ("for n in v.get_feature_names(): print(n)", "for n in v.get_feature_names_out(): print(n)"),
    ("len(v.get_feature_names())", "len(v.get_feature_names_out())"),
    ("v.fit(t).get_feature_names(['a'])", "v.fit(t).get_feature_names_out(['a']).tolist()"),
]


@pytest.mark.parametrize(("old", "new"), USES)
def test_a_list_stays_a_list_where_it_matters(rewrite: Callable[..., Any], old: str, new: str) -> None:
    assert rewrite(HEAD + old) == HEAD + new


def test_an_unproven_receiver_waits_for_the_error(rewrite: Callable[..., Any], failure: Callable[..., Any]) -> None:
    source = "def top(t):\n    return t.get_feature_names()"
    missing = failure("AttributeError", "'TfidfVectorizer' object has no attribute 'get_feature_names'")
    assert rewrite(source) == source
    assert rewrite(source, failure=missing) == "def top(t):\n    return t.get_feature_names_out().tolist()"


def test_a_method_of_the_program_itself_stays(rewrite: Callable[..., Any], failure: Callable[..., Any]) -> None:
    source = "class T:\n    def get_feature_names(self):\n        return []\nT().get_feature_names()"
    missing = failure("AttributeError", "'TfidfVectorizer' object has no attribute 'get_feature_names'")
    assert rewrite(source, failure=missing) == source
