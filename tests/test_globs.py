from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from modernizer.globs import check_pattern, covers, first_cover, matches


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("**/*.ipynb", "a.ipynb", True),
        ("**/*.ipynb", "a/b/c.ipynb", True),
        ("*.ipynb", "a.ipynb", True),
        ("*.ipynb", "a/b.ipynb", False),
        ("./*.ipynb", "a.ipynb", True),
        ("a/**", "a/b/c.ipynb", True),
        ("a/**", "a", False),
        ("a/**/b.ipynb", "a/b.ipynb", True),
        ("a/**/b.ipynb", "a/x/y/b.ipynb", True),
        ("a/**/b.ipynb", "ab/b.ipynb", False),
        ("**", "a/b", True),
        ("ch0?.ipynb", "ch01.ipynb", True),
        ("a?b", "a/b", False),
        ("ch[0-9].ipynb", "ch7.ipynb", True),
        ("ch[!0-9].ipynb", "ch7.ipynb", False),
        ("ch[!0-9].ipynb", "chx.ipynb", True),
        ("a[!x]b", "a/b", False),
        ("[[]draft] x.ipynb", "[draft] x.ipynb", True),
        ("[]]x", "]x", True),
        ("a.ipynb", "aXipynb", False),
        ("A.ipynb", "a.ipynb", False),
        ("a+(b).ipynb", "a+(b).ipynb", True),
        ("[^a].ipynb", "^.ipynb", True),
        ("ä/*.ipynb", "ä/ö.ipynb", True),
        ("*", "with\nnewline", True),
    ],
)
def test_a_pattern_is_matched_against_the_whole_path(pattern: str, path: str, expected: bool) -> None:  # noqa: FBT001
    assert matches(path, pattern) is expected


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("", "empty"),
        ("/", "empty"),
        ("/a/*.ipynb", "relative"),
        ("../*.ipynb", "can't leave"),
        ("a/../b", "can't leave"),
        ("a\\b", "backslash"),
        ("a**b", "stand alone"),
        ("***", "stand alone"),
        ("a[bc", "never closed"),
        ("[z-a]", "backwards"),
    ],
)
def test_a_wrong_pattern_is_refused_with_the_reason(pattern: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        check_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("archive", "archive/a.ipynb", True),
        ("archive/", "archive/deep/a.ipynb", True),
        ("archive/**", "archive/a.ipynb", True),
        ("archive", "my/archive/a.ipynb", False),
        ("**/archive", "my/archive/a.ipynb", True),
        ("archive", "archives/a.ipynb", False),
    ],
)
def test_an_exclude_covers_what_lies_in_a_matching_folder(pattern: str, path: str, expected: bool) -> None:  # noqa: FBT001
    assert covers(path, pattern) is expected


def test_the_first_covering_pattern_is_named() -> None:
    assert first_cover("a/b.ipynb", ("x", "a", "a/b.ipynb")) == "a"
    assert first_cover("a/b.ipynb", ("x",)) is None


@given(
    st.text(st.characters(exclude_characters="/\\*?[\0", exclude_categories=["Cs"]), min_size=1).filter(
        lambda text: text not in {".", ".."}
    )
)
def test_a_name_without_signs_matches_itself_alone(name: str) -> None:
    assert matches(name, name)
    assert not matches(name + "x", name)


@example("[---]", "-")
@example("[a&&b]", "&")
@given(st.text("ab/*?[]!-^.&|~", max_size=12), st.text("ab/-^.&|~]", min_size=1, max_size=8))
def test_every_accepted_pattern_can_be_matched(pattern: str, path: str) -> None:
    try:
        check_pattern(pattern)
    except ValueError:
        return
    except re.error as error:  # pragma: no cover - what this test is for
        pytest.fail(f"{pattern!r} became a wrong regular expression: {error}")
    matches(path, pattern)
