"""numpy's gone names and errors of today: the value is the one that older releases gave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import io
import math
import numpy as np
import matplotlib.pyplot as plt
a = np.array([[3, 1], [2, 5]])
one = np.array([2.5])
two = np.array([[4]])
u, w = np.array([1.0, 2.0]), np.array([3.0, 5.0])
n, half = 7, 3.5
mask = np.array([True, False])
powers = np.arange(-2, 2)
axes = [slice(None), 1]
def fit(x):
    return np.array([[x]])"""

_GENFROMTXT = (
    "np.genfromtxt(io.StringIO('A,b\\n1,2'), delimiter=',', names=True, dtype=None, case_sensitive='lower')"
    ".view(np.recarray).a.item()"
)


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("np.asscalar(one)", "one.item()", 2.5),
        ("np.asscalar(a.sum())", "a.sum().item()", 11),
        ("np.asscalar(half)", "np.asarray(half).item()", 3.5),
        ("np.rank(a)", "np.ndim(a)", 2),
        ("np.msort(a)[0].tolist()", "np.sort(a, axis=0)[0].tolist()", [2, 1]),
        ("np.asfarray([1, 2]).tolist()", "np.asarray([1, 2], dtype=float).tolist()", [1.0, 2.0]),
        ("np.cast['f4'](half).dtype.name", "np.asarray(half).astype('f4').dtype.name", "float32"),
        ("np.NINF < 0", "-np.inf < 0", True),
        ("np.int0(3).item()", "np.intp(3).item()", 3),
        ("np.find_common_type([np.float32, np.int64], []).name", "np.result_type(*[np.float32, np.int64]).name", "float64"),
        (
            "np.recfromcsv(io.StringIO('A,b\\n1,2')).a.item()",
            _GENFROMTXT,
            1,
        ),
        ("float(one)", "float(one.item())", 2.5),
        ("int(two)", "int(two.item())", 4),
        ("math.sqrt(two)", "math.sqrt(two.item())", 2.0),
        ("float(fit(1))", "float(np.asarray(fit(1)).item())", 1.0),
        ("len(np.array([[1, 2], [3]]))", "len(np.array([[1, 2], [3]], dtype=object))", 2),
        ("np.sum(i * i for i in range(4))", "sum(i * i for i in range(4))", 14),
        ("np.vstack(np.ones(2) for i in range(2)).shape", "np.vstack([np.ones(2) for i in range(2)]).shape", [2, 2]),
        ("(10 ** powers).tolist()", "(10.0 ** powers).tolist()", [0.01, 0.1, 1.0, 10.0]),
        ("np.power(10, powers).tolist()", "np.power(10.0, powers).tolist()", [0.01, 0.1, 1.0, 10.0]),
        ("(a ** -1)[0, 1]", "(np.asarray(a, dtype=float) ** -1)[0, 1]", 1.0),
        ("(-mask).tolist()", "(~mask).tolist()", [False, True]),
        ("(mask - mask).tolist()", "(mask ^ mask).tolist()", [False, False]),
        ("a[[slice(None), 0]].tolist()", "a[tuple([slice(None), 0])].tolist()", [3, 2]),
        ("a[axes].tolist()", "a[tuple(axes)].tolist()", [1, 5]),
        ("np.percentile(u, 50, interpolation='lower')", "np.percentile(u, 50, method='lower')", 1.0),
        ("np.set_printoptions(threshold=np.nan) is None", "np.set_printoptions(threshold=np.inf) is None", True),
        ("np.where(mask, 'yes', np.nan).tolist()", "np.where(mask, 'yes', 'nan').tolist()", ["yes", "nan"]),
        ("np.where(mask, 0, 'no').tolist()", "np.where(mask, '0', 'no').tolist()", ["0", "no"]),
        (
            "np.cross(u, w)",
            "(np.asarray(u)[..., 0] * np.asarray(w)[..., 1] - np.asarray(u)[..., 1] * np.asarray(w)[..., 0])",
            -1.0,
        ),
        (
            "np.cross([1, 2], w)",
            "(lambda a, b: a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])(np.asarray([1, 2]), np.asarray(w))",
            -1.0,
        ),
        ("np.linspace(0, 1, 3.).tolist()", "np.linspace(0, 1, 3).tolist()", [0.0, 0.5, 1.0]),
        ("np.linspace(0, 1, num=half).size", "np.linspace(0, 1, num=int(half)).size", 3),
        ("np.zeros(n / 2).size", "np.zeros(int(n / 2)).size", 3),
        ("np.zeros((n / 2, 2)).shape", "np.zeros((int(n / 2), 2)).shape", [3, 2]),
        ("np.arange(6).reshape(6 / 2, 2).shape", "np.arange(6).reshape(int(6 / 2), 2).shape", [3, 2]),
        ("np.arange(9)[n / 2]", "np.arange(9)[int(n / 2)]", 3),
        ("np.arange(9)[:n / 2].size", "np.arange(9)[:int(n / 2)].size", 3),
        ("[1, 2, 3][np.floor(1.5)]", "[1, 2, 3][int(np.floor(1.5))]", 2),
        ("list(range(n / 2))", "list(range(int(n / 2)))", [0, 1, 2]),
        ("np.random.normal(size=n / 2).size", "np.random.normal(size=int(n / 2)).size", 3),
    ],
)
def test_the_value_is_the_old_one(repair: Callable[..., Any], before: str, after: str, value: object) -> None:
    repaired = repair([_START, f"r = {before}"])
    # An older Python has an older numpy, which still takes some of these.
    assert repaired.cells[1] == f"r = {after}" or not repaired.explanations
    assert repaired.value("r") == pytest.approx(value)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("plt.arrow(0, 0, one, two)", "plt.arrow(0, 0, one.item(), two.item())"),
        ("z = np.zeros(2)\nz[0] = one", "z = np.zeros(2)\nz[0] = one.item()"),
    ],
)
def test_arrays_of_one_element_give_their_number(repair: Callable[..., Any], before: str, after: str) -> None:
    repaired = repair([_START, before])
    assert repaired.cells[1] == after
    assert repaired.last.failure is None


@pytest.mark.parametrize(
    "cell",
    [
        "r = float(u)",
        "r = np.where(mask, 'a', n)",
        "r = a[['x', 'y']]",
        "r = np.array([[1, 2], 'x'], dtype=float)",
        "r = [1, 2]['0']",
        "r = [1, 2][[slice(None)]]",
        "r = fit(a[9])",
        "r = np.cross([1, 2, 3], u)",
    ],
)
def test_real_mistakes_are_left_alone(repair: Callable[..., Any], cell: str) -> None:
    assert repair([_START, cell]).cells[1] == cell


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("np.in1d(a, [1, 2])", "np.isin(np.ravel(a), [1, 2])", [False, True, True, False]),
        ("np.in1d(u, [1.0])", "np.isin(u, [1.0])", [True, False]),
        ("np.in1d([1, 2], [2], invert=True)", "np.isin([1, 2], [2], invert=True)", [True, False]),
        ("'%.1f' % one", "'%.1f' % one.item()", "2.5"),
        ("'%d' % one", "'%d' % one.item()", "2"),
        ("'%.1f' % np.array([2.5])", "'%.1f' % np.asarray(np.array([2.5])).item()", "2.5"),
        ("'%s %.1f' % (n, one[:1])", "'%s %.1f' % (n, np.asarray(one[:1]).item())", "7 2.5"),
        ("'%.1f %s' % (one, one)", "'%.1f %s' % (one.item(), one)", "2.5 [2.5]"),
        ("'%.1f %d' % (one, n)", "'%.1f %d' % (one.item(), n)", "2.5 7"),
        ("np.hstack(map(np.atleast_1d, [1, 2]))", "np.hstack(list(map(np.atleast_1d, [1, 2])))", [1, 2]),
        ("np.fromstring(b'ab', dtype='u1')", "np.frombuffer(b'ab', dtype='u1').copy()", [97, 98]),
        ("'-' * (n / 2)", "'-' * int(n / 2)", "---"),
    ],
)
def test_further_uses_mean_what_they_meant(repair: Callable[..., Any], before: str, after: str, value: object) -> None:
    repaired = repair([_START, f"r = {before}"])
    assert repaired.cells[1] == f"r = {after}"
    assert repaired.value("r") == value


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("costs = np.zeros(2)\ncosts[0] = fit(3.0)", "costs = np.zeros(2)\ncosts[0] = np.asarray(fit(3.0)).item()"),
        ("costs = np.zeros(2)\ncosts[1] = u @ two * 0 + two", "costs = np.zeros(2)\ncosts[1] = u @ two * 0 + two"),
        ("plt.text(one, one, 'x')\nplt.gcf().canvas.draw()", "plt.text(one.item(), one.item(), 'x')\nplt.gcf().canvas.draw()"),
        (
            "plt.text(one + 0.02, n * -one, 'x')\nplt.gcf().canvas.draw()",
            "plt.text((one + 0.02).item(), (n * -one).item(), 'x')\nplt.gcf().canvas.draw()",
        ),
        (
            "plt.gca().add_patch(plt.Circle((one, one), .5))\nplt.gcf().canvas.draw()",
            "plt.gca().add_patch(plt.Circle((one.item(), one.item()), .5))\nplt.gcf().canvas.draw()",
        ),
        ("q = fit(one)\nplt.text(0, 0, 'x')", "q = fit(one)\nplt.text(0, 0, 'x')"),
    ],
)
def test_arrays_of_one_element_become_numbers_where_they_are_put(repair: Callable[..., Any], before: str, after: str) -> None:
    assert repair([_START, before]).cells[1] == after


@pytest.mark.parametrize("draws", ["plt.gcf().canvas.draw()", "plt.tight_layout()"])
def test_what_a_function_of_another_cell_draws_becomes_a_number_where_it_was_put(repair: Callable[..., Any], draws: str) -> None:
    save = f"def save(name):\n    {draws}"
    repaired = repair([_START, save, "plt.text(one + 0.02, 0.5, 'x')\nsave('x')"])
    assert repaired.cells[1:] == [save, "plt.text((one + 0.02).item(), 0.5, 'x')\nsave('x')"]
