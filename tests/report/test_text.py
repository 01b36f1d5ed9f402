from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modernizer.report.text import one_line, plain, without_places


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, ümlaut, 中文, 🎉", "plain text, ümlaut, 中文, 🎉"),
        ("\x1b[0;31mred\x1b[0m", "red"),
        ("\x1b]8;;https://evil.example\x07link\x1b]8;;\x07", "link"),
        ("\x1b]0;title\x1b\\text", "text"),
        ("a\x1bZb", "ab"),
        ("a\x1b", "a\\x1b"),
        ("bell\x07 null\0", "bell\\x07 null\\x00"),
        ("right\u202eleft", "right\\u202eleft"),
        ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("variation\U000e0101", "variation\\U000e0101"),
        ("filler\u3164", "filler\\u3164"),
        ("line\u2028end", "line\\u2028end"),
        ("lone\ud800", "lone\\ud800"),
        ("a\r\nb\rc", "a\nb\\x0dc"),
        ("::error::x", ": :error::x"),
        ("a\n \t::set-output name=x::y", "a\n \t: :set-output name=x::y"),
        ("\u00a0::error::x", "\u00a0: :error::x"),
        ("a ##[error]x", "a # #[error]x"),
        ("a::b", "a::b"),
    ],
)
def test_hidden_characters_are_shown_and_commands_broken_up(text: str, shown: str) -> None:
    assert plain(text) == shown


@given(st.text())
def test_nothing_hidden_is_left_and_a_second_time_changes_nothing(text: str) -> None:
    shown = plain(text)
    assert not any(
        unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} for char in shown if char not in "\n\t"
    )
    assert "##[" not in shown
    assert not any(line.strip().startswith("::") for line in shown.split("\n"))
    assert plain(shown) == shown


@given(st.text(), st.integers(10, 50))
def test_one_line_is_one_line_of_at_most_the_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line.splitlines()) <= 1
    assert len(line) <= limit


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("from 'x' (/home/me/.cache/e/1f/lib/python3.13/site-packages/sklearn/a.py)", "from 'x' (site-packages/sklearn/a.py)"),
        ("File /e/lib64/python3.9/site-packages/a.py:3", "File site-packages/a.py:3"),
        ("open('/kaggle/input/lib/x.csv')", "open('/kaggle/input/lib/x.csv')"),
    ],
)
def test_the_place_of_an_environment_is_left_out(text: str, shown: str) -> None:
    assert without_places(text) == shown


def test_line_ends_are_shown_where_there_is_room_for_one_line() -> None:
    assert one_line("a\nb\tc") == "a ⏎ b c"
