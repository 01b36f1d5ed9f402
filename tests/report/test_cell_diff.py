from __future__ import annotations

import difflib
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modernizer.report.cell_diff import readable


def patch(before: object, after: object, name: str = "a.ipynb") -> str:
    old, new = (json.dumps(item, indent=1).splitlines(keepends=True) for item in (before, after))
    return "".join(difflib.unified_diff(old, new, f"a/{name}", f"b/{name}"))


def notebook(source: object) -> dict[str, object]:
    return {"cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "source": source}], "nbformat": 4}


def shown(text: str) -> list[str]:
    return [f"{line.sign}{line.text}" for line in readable(text) if line.kind in {"removed", "added", "context"}]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["import a\n", 'print "x"\n', "done"], ["import a\n", 'print("x")\n', "done"]),
        ('import a\nprint "x"\ndone', 'import a\nprint("x")\ndone'),
    ],
)
def test_the_code_is_shown_whether_the_source_is_a_list_or_one_text(before: object, after: object) -> None:
    assert shown(patch(notebook(before), notebook(after))) == [" import a", '-print "x"', '+print("x")', " done"]


def test_the_json_around_is_left_out() -> None:
    assert shown(patch(notebook(["a"]), notebook(["b"]))) == ["-a", "+b"]


def test_the_last_line_of_a_cell_gains_a_line_end_without_being_shown_as_changed_text() -> None:
    assert shown(patch(notebook(["a"]), notebook(["a\n", "b"]))) == ["-a", "+a", "+b"]


def test_other_files_are_shown_as_they_are() -> None:
    text = '--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n "text"\n--- a\n+++ b\n'
    assert [(line.kind, line.text) for line in readable(text)] == [
        ("file", "x.py"),
        ("hunk", ""),
        ("context", '"text"'),
        ("removed", "-- a"),
        ("added", "++ b"),
    ]


@given(
    st.text()
    | st.lists(
        st.sampled_from(
            [
                "@@ -1,3 +1,3 @@",
                "--- a/x",
                "+++ b/x.ipynb",
                '-"a"',
                '+"b\\n",',
                ' "source": "x\\ny"',
                "\\ No newline",
                "@@ -1 +1 @@",
                "",
            ]
        )
    ).map("\n".join)
)
def test_no_patch_is_too_odd_to_be_shown(text: str) -> None:
    for line in readable(text):
        assert "\n" not in replace(line).text
