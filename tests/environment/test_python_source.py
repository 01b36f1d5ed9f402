from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modernizer.environment.python_source import Import, imports_of, mask_magics


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import numpy as np, pandas", [Import("numpy"), Import("pandas")]),
        ("from sklearn.externals import joblib", [Import("sklearn.externals", ("joblib",))]),
        ("from . import a\nfrom ..b import c", [Import("", ("a",), 1), Import("b", ("c",), 2)]),
        ("def f():\n    import lazy", [Import("lazy")]),
        ("%matplotlib inline\nimport seaborn", [Import("seaborn")]),
        ("!ls -l\nimport seaborn", [Import("seaborn")]),
        ("files = !ls\nimport seaborn", [Import("seaborn")]),
        ("np.sum?\n?np.sum\nimport seaborn", [Import("seaborn")]),
        ("%time import seaborn", [Import("seaborn")]),
        ("%%time\nimport seaborn", [Import("seaborn")]),
        ("%%timeit -n 3\nimport seaborn", [Import("seaborn")]),
        ("%%bash\nimport seaborn", []),
        ("%%html\n<b>from a import b</b>", []),
        ("!pip install a \\\n  b\nimport seaborn", [Import("seaborn")]),
        ("try:\n    import fast\nexcept ImportError:\n    import slow", [
            Import("fast", optional=True), Import("slow", optional=True)]),
        ("try:\n    import fast\nexcept ValueError:\n    pass", [Import("fast")]),
        ("import importlib\nimportlib.import_module('plug.in')", [Import("importlib"), Import("plug.in")]),
        ("print 'old'\nimport urllib2, numpy as np", [Import("urllib2"), Import("numpy")]),
        ("print 'old'\nfrom pylab import *", [Import("pylab", ("*",))]),
        ("print 'old'\ntry:\n    import cPickle\nexcept:\n    import pickle\nimport x", [
            Import("cPickle", optional=True), Import("pickle", optional=True), Import("x")]),
        ("print 'old'\nfrom a.b import (c as d,\n  e)", [Import("a.b", ("c",))]),
        ("print 'old'; import numpy", [Import("numpy")]),
        ("This cell is prose, import nothing of it", []),
        ("'''\nimport inside_text\n'''", []),
        ("", []),
    ],
)  # fmt: skip
def test_imports_are_found_whatever_surrounds_them(source: str, expected: list[Import]) -> None:
    assert list(imports_of(source)) == expected


@given(st.lists(st.sampled_from(["x = 1", "%matplotlib inline", "    !ls", "y?", "if x:", "    %run a.py", "%%time", "é = '%'"])))
def test_masking_keeps_the_number_of_lines(lines: list[str]) -> None:
    source = "\n".join(lines)
    assert mask_magics(source).count("\n") == max(source.count("\n"), 0)


def test_masked_code_inside_a_block_still_parses() -> None:
    ast.parse(mask_magics("for x in y:\n    !echo $x\n    %run a.py\nprint(x)"))


@given(st.text())
def test_no_text_makes_it_fail(source: str) -> None:
    imports_of(source)


def test_valid_code_is_not_changed() -> None:
    source = "text = '''\n%matplotlib inline\n!ls\n'''\n"
    assert mask_magics(source) == source
