from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from modernizer.notebook import parse_notebook
from modernizer.repair.patch import cell_diff, unified_patch

Changes = Mapping[str, tuple[bytes, bytes]]


def git(root: Path, *args: str, stdin: bytes = b"") -> bytes:
    settings = ("-c", "core.autocrlf=false", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "core.quotePath=true")
    done = subprocess.run(["git", *settings, *args], cwd=root, input=stdin, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def repository(root: Path, changes: Changes) -> None:
    git(root, "init", "-q")
    for path, (before, _) in changes.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(before)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "before")


def assert_applies(root: Path, changes: Changes) -> None:
    repository(root, changes)
    git(root, "apply", "--allow-empty", "-", stdin=unified_patch(changes))
    for path, (_, after) in changes.items():
        assert (root / path).read_bytes() == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(b"a\nb\nc\n", b"a\nB\nc\n", id="one line"),
        pytest.param(b"a\nb", b"a\nc", id="no line end at the end"),
        pytest.param(b"a\nb", b"a\nb\n", id="line end added"),
        pytest.param(b"a\nb\n", b"a\nb", id="line end dropped"),
        pytest.param(b"a\nb", b"A\nb", id="last line without line end as context"),
        pytest.param(b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n", id="CRLF"),
        pytest.param(b"a\r\nb\n", b"a\nb\r\n", id="mixed line ends"),
        pytest.param(b"a\rb\rc\n", b"a\rB\rc\n", id="bare CR is no line end"),
        pytest.param("é\u2028\x0b\x0cx\ny\n".encode(), "é\u2028\x0b\x0cX\ny\n".encode(), id="other separators are no line ends"),
        pytest.param(b"\xff\xfe\na\n", b"\xff\xfe\nb\n", id="not UTF-8"),
        pytest.param(b"\xef\xbb\xbfa\n", b"\xef\xbb\xbfb\n", id="BOM"),
        pytest.param(b"", b"a\nb", id="was empty"),
        pytest.param(b"a\n" * 30, b"a\n" * 15 + b"b\n" + b"a\n" * 15, id="one among equals"),
        pytest.param(b"-- a\n++ b\n", b"-- c\n++ d\n", id="lines that look like headers"),
        pytest.param(
            b"".join(b"%d\n" % i for i in range(99)), b"".join(b"%d\n" % (i or 100) for i in range(100)), id="both ends"
        ),
    ],
)
def test_git_applies_the_patch_of_every_kind_of_line_end(tmp_path: Path, before: bytes, after: bytes) -> None:
    assert_applies(tmp_path, {"a.py": (before, after)})


@pytest.mark.parametrize(
    "path",
    [
        "a.py",
        "with space.ipynb",
        "dir with space/x.py",
        "é/ü.ipynb",
        "é and space.py",
        'quo"te.py',
        "back\\slash.py",
        "tab\t.py",
        "-dash.py",
    ],
)
def test_names_are_written_and_read_as_git_does(tmp_path: Path, path: str) -> None:
    changes = {path: (b"a\n", b"b\n")}
    assert_applies(tmp_path, changes)
    from_git = git(tmp_path, "diff", "--no-color", "--no-ext-diff", "--src-prefix=a/", "--dst-prefix=b/")
    assert [line for line in from_git.split(b"\n") if not line.startswith(b"index ")] == unified_patch(changes).split(b"\n")


LINES = st.lists(st.sampled_from([b"a", b"b", b"", b"c\r", b"\xc3\xa9", b" ", b"-", b"+", b"\\"]), max_size=25).map(b"\n".join)


@settings(max_examples=60)
@given(first=st.tuples(LINES, LINES.filter(bool)), second=st.tuples(LINES, LINES.filter(bool)))
@example(first=(b"a", b"a"), second=(b"a", b"a"))
def test_git_applies_every_patch(first: tuple[bytes, bytes], second: tuple[bytes, bytes]) -> None:
    with TemporaryDirectory() as root:
        assert_applies(Path(root), {"n 1.ipynb": first, "é/b.py": second})


def test_files_are_sorted_and_unchanged_ones_left_out() -> None:
    changes = {"b.py": (b"1\n", b"2\n"), "c.py": (b"1\n", b"1\n"), "a.py": (b"1\n", b"2\n")}
    patch = unified_patch(changes)
    assert patch == unified_patch(dict(reversed(changes.items())))
    assert [line for line in patch.split(b"\n") if line.startswith(b"+++")] == [b"+++ b/a.py", b"+++ b/b.py"]
    assert unified_patch({"c.py": (b"1\n", b"1\n")}) == b""


def test_the_patch_of_a_large_notebook_holds_the_edited_lines_only(tmp_path: Path) -> None:
    outputs = [{"output_type": "stream", "name": "stdout", "text": ["0\n"] * 3000}]
    cells: list[dict[str, object]] = [
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": outputs,
            "source": ["a\n", "\n", "b\n", "\n", "c"],
        }
        for _ in range(10)
    ]
    raw = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}, indent=1).encode()
    edited = parse_notebook(raw, name="n.ipynb").with_sources({0: "A\n\nB\n\nC", 5: "a\n\nnew\nb\n\nc", 9: "a\n\nc"}).raw
    changes = {"n.ipynb": (raw, edited)}
    assert_applies(tmp_path, changes)
    marked = [line for line in unified_patch(changes).split(b"\n")[3:] if line[:1] in {b"-", b"+"}]
    assert len(marked) == 3 + 3 + 1 + 2


def test_a_cell_diff_shows_the_changed_lines_with_their_surroundings() -> None:
    before = "\n".join(f"line {number}" for number in range(10))
    assert cell_diff(before, before.replace("line 5", "line five"), context=1) == (
        "@@ -5,3 +5,3 @@\n line 4\n-line 5\n+line five\n line 6\n"
    )
    assert cell_diff("a", "b", name="cell 3") == "--- cell 3\n+++ cell 3\n@@ -1 +1 @@\n-a\n+b\n"
    assert cell_diff("", "b") == "@@ -0,0 +1 @@\n+b\n"
    assert cell_diff("a", "a", name="cell 3") == ""
