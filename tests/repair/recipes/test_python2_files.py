"""Files as Python 2 opened them, and samples of sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_START = """import csv, pickle, random
import os, tempfile
folder = tempfile.mkdtemp()
table, dump = (os.path.join(folder, name) for name in 'td')"""


@pytest.mark.parametrize(
    ("before", "after", "expression", "value"),
    [
        (
            "with open(table, 'wb') as f:\n    csv.writer(f).writerow(['a', 'b'])\nr = open(table).read()",
            "with open(table, 'w', newline='') as f:\n    csv.writer(f).writerow(['a', 'b'])\nr = open(table).read()",
            "r.strip()",
            "a,b",
        ),
        (
            "n = open(table, 'w').write('a,b')\nr = list(csv.reader(open(table, 'rb')))",
            "n = open(table, 'w').write('a,b')\nr = list(csv.reader(open(table, 'r', newline='')))",
            "r",
            [["a", "b"]],
        ),
        (
            "f = open(dump, 'w')\npickle.dump([1], f)\nf.close()\nr = pickle.load(open(dump))",
            "f = open(dump, 'wb')\npickle.dump([1], f)\nf.close()\nr = pickle.load(open(dump, 'rb'))",
            "r",
            [1],
        ),
        (
            "n = file(table, 'w').write('x')\nr = open(table, 'rU').read()",
            "n = open(table, 'w').write('x')\nr = open(table, 'r').read()",
            "r",
            "x",
        ),
        ("r = random.sample({7}, 1)", "r = random.sample(tuple({7}), 1)", "r", [7]),
        ("r = random.sample({'k': 1}.keys(), 1)", "r = random.sample(tuple({'k': 1}.keys()), 1)", "r", ["k"]),
    ],
)
def test_files_are_opened_as_they_are_used(
    repair: Callable[..., Any], before: str, after: str, expression: str, value: object
) -> None:
    repaired = repair([_START, before])
    assert repaired.cells[1] == after
    assert repaired.value(expression) == value


@pytest.mark.parametrize("cell", ["r = open(table, 'rb').read() + 'x'", "r = 'a'.encode() + 'b'", "r = random.sample([1, 2], 3)"])
def test_bytes_that_are_no_table_stay(repair: Callable[..., Any], cell: str) -> None:
    cells = [_START, "n = open(table, 'w').write('x')", cell]
    assert repair(cells).cells == cells
