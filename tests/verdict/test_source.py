from __future__ import annotations

import re

import pytest

from modernizer.verdict.source import import_aliases, is_python2, masked, parse, qualified


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("%matplotlib inline\nx = 1", "magic\nx = 1"),
        ("if a:\n    !ls\n    y = 2", "if a:\n    magic\n    y = 2"),
        ("files = !ls", "files = magic"),
        ("!wget a \\\n  b\nx", "magic\nmagic\nx"),
        ("np.mean?\nx", "magic\nx"),
        ("%%time\nx = 1", "magic\nx = 1"),
        ("%%bash\nls", "\n"),
    ],
)
def test_magics_are_masked_line_by_line(source: str, expected: str) -> None:
    assert re.sub(r"_modernizer_magic_\d+_", "magic", masked(source)) == expected


@pytest.mark.parametrize(
    "source", ["x = a \\\n% b", "y = f(\n    a,\n    b)", "s = '''\n%d items\n'''", 's = """\n!not a command\n"""']
)
def test_what_only_looks_like_a_magic_is_left_alone(source: str) -> None:
    assert masked(source) == source


@pytest.mark.parametrize(
    ("source", "python2"),
    [
        ("print 'a'", True),
        ("print 'a' % b, c", True),
        ("exec 'a = 1'", True),
        ("raise ValueError, 'a'", True),
        ("try:\n    pass\nexcept Exception, e:\n    pass", True),
        ("x = 0777", True),
        ("x = ur'a' if a <> b else `b`", True),
        ("%matplotlib inline\nprint a", True),
        ("print('a')", False),
        ("Use reshape to turn data into a 3 by 4 matrix and print it", False),
        ("x = = 1", False),
        ("The answer is 42.", False),
        ("f(x", False),
        ("'''open", False),
    ],
)
def test_python_2_is_told_from_nonsense(source: str, *, python2: bool) -> None:
    assert is_python2(source) is python2


def test_aliases_stand_for_what_was_imported() -> None:
    cells = ["import numpy as np, os.path", "from sklearn.model_selection import KFold as K", "print 'x'\nimport pandas as pd"]
    aliases = import_aliases(cells)
    assert qualified("np.random.rand", aliases) == "numpy.random.rand"
    assert qualified("K", aliases) == "sklearn.model_selection.KFold"
    assert qualified("pd.DataFrame", aliases) == "pandas.DataFrame"
    assert qualified("own.name", aliases) == "own.name"


def test_a_cell_that_is_no_python_parses_to_nothing() -> None:
    assert parse("this is a piece of prose") is None
    assert parse("x = '\\d'") is not None
