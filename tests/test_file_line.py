from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modernizer.file_line import line_in_file

V3 = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}}


def v4(source: object, *, indent: int | None = 1) -> bytes:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# title\n", "text"]},
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source},
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}, indent=indent).encode()


@given(st.lists(st.text("ab \\\"'é", max_size=5), min_size=1, max_size=6))
def test_each_line_of_a_list_stands_where_it_is_written(lines: list[str]) -> None:
    source = [f"{line}\n" for line in lines[:-1]] + [lines[-1]]
    raw = v4(source)
    for number, line in enumerate(source, start=1):
        place = line_in_file(raw, 1, number)
        assert place is not None
        assert json.loads(raw.split(b"\n")[place - 1].rstrip(b",")) == line


@pytest.mark.parametrize(
    ("raw", "line", "text"),
    [
        (v4("a\nb\nc"), 3, b'"source": "a\\nb\\nc"'),
        (v4(["a", "b\n", "c"]), 1, b'"a"'),
        (v4(["a", "b\n", "c"]), 2, b'"c"'),
        (v4(["a\nb\n", "c"]), 2, b'"a\\nb\\n"'),
        (v4(["a\n", "b"]), 99, b'"b"'),
        (v4([]), 1, b'"source": []'),
        (v4(["a\n", "b"], indent=None), 2, b'"source"'),
        (b"\xef\xbb\xbf" + v4(["a\n", "b"]), 2, b'"b"'),
        (v4(["a\n", "b"]).replace(b"\n", b"\r\n"), 2, b'"b"'),
    ],
)
def test_every_way_to_store_a_source_is_found(raw: bytes, line: int, text: bytes) -> None:
    place = line_in_file(raw, 1, line)
    assert place is not None
    assert text in raw.split(b"\n")[place - 1]


def test_the_older_format_leaves_the_line_ends_out() -> None:
    cells = [{"cell_type": "code", "input": ["a", "b", "c"], "language": "python", "metadata": {}, "outputs": []}]
    raw = json.dumps({**V3, "worksheets": [{"cells": cells}]}, indent=1).encode()
    place = line_in_file(raw, 0, 2)
    assert place is not None
    assert b'"b"' in raw.split(b"\n")[place - 1]


@pytest.mark.parametrize(("raw", "cell"), [(v4(["a"]), 2), (v4(["a"]), -1), (b"", 0), (b"{}", 0), (b"<html>", 0), (v4(None), 1)])
def test_what_is_not_there_has_no_line(raw: bytes, cell: int) -> None:
    assert line_in_file(raw, cell) is None
