"""What counts as unchanged when a repair is measured."""

from __future__ import annotations

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modernizer.notebook import parse_notebook
from modernizer.repair.fidelity import fidelity
from modernizer.repair.outcome import Fidelity
from modernizer.repair.program import Program

LINES = ["x = f(1)", "%matplotlib inline", "for i in x:\n    g(i)", "print 'two'", "!ls", "%%bash", "# why", "y = a.b(c(d))"]


def program(*cells: str, modules: dict[str, str] | None = None) -> Program:
    node = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    return Program(parse_notebook(nbformat.writes(node).encode(), name="test.ipynb"), modules or {})


@given(st.lists(st.lists(st.sampled_from(LINES), max_size=5).map("\n".join), max_size=4))
def test_an_unchanged_program_has_full_fidelity(cells: list[str]) -> None:
    assert fidelity(program(*cells), program(*cells)) == Fidelity(1.0, 1.0)


@pytest.mark.parametrize(
    ("before", "after", "statements", "calls"),
    [
        ("x = f(1)\ny = g(2)", "x = f(1)\ny = h(2)", 0.5, 0.5),
        ("x = f(1)", "# why\nx  =  f( 1 )", 1.0, 1.0),
        ("x = 1", "x = 1\ny = 2", 1.0, 1.0),
        ("x = 1\ny = 2", "x = 1", 0.5, 1.0),
        ("f(g(x))", "f(h(x))", 0.0, 0.5),
        ("df.a(1).b(2).c(3)", "df.a(9).b(2).c(3)", 0.0, 2 / 3),
        ("f(x)", "list(f(x))", 0.0, 1.0),
        ("for i in range(9):\n    f(i)", "for i in range(3):\n    f(i)", 0.5, 0.5),
        ("if a:\n    x = 1", "if b:\n    x = 1", 0.5, 1.0),
        ("def f(a=1):\n    return a", "def f(a=2):\n    return a", 0.5, 1.0),
        ("try:\n    f()\nexcept ValueError:\n    pass", "try:\n    f()\nexcept Exception:\n    pass", 2 / 3, 1.0),
        ("%matplotlib inline\nx = f(1)", "%time\n%matplotlib inline\nx = f(1)", 1.0, 1.0),
        ("%matplotlib inline\nx = f(1)", "%matplotlib notebook\nx = f(1)", 0.5, 1.0),
        ("print 'a'\nx = 1\ny = f(2)", "print('a')\nx = 1\ny = f(2)", 2 / 3, 1.0),
        ("%%bash\nls\npwd", "%%bash\nls\nid", 2 / 3, 1.0),
        ("x = f(1)", "", 0.0, 0.0),
    ],
)
def test_a_change_counts_once(before: str, after: str, statements: float, calls: float) -> None:
    found = fidelity(program(before), program(after))
    assert (found.statements, found.calls) == (pytest.approx(statements), pytest.approx(calls))


def test_code_that_moves_to_another_cell_still_stands() -> None:
    assert fidelity(program("x = f(1)\ny = 2", "z = 3"), program("x = f(1)", "y = 2\nz = 3")) == Fidelity(1.0, 1.0)


def test_local_modules_count() -> None:
    before, after = ({"own.py": f"x = 1\ny = {value}"} for value in (2, 3))
    assert fidelity(program("z = 3", modules=before), program("z = 3", modules=after)).statements == pytest.approx(2 / 3)
