from __future__ import annotations

from datetime import timedelta

import pytest

from modernizer.github.schedule import longest_gap


@pytest.mark.parametrize(
    ("cron", "days"),
    [
        ("17 5 * * 1", 7),
        ("17 5 * * MON", 7),
        ("0 0 * * 7", 7),
        ("0 6 * * *", 1),
        ("*/15 * * * *", 1),
        ("5 4 * * mon-fri", 3),
        ("30 5 * * 1,3", 5),
        ("0 0 * * 5/2", 5),
        ("0 0 1 * *", 31),
        ("0 3 1 */3 *", 92),
        ("0 0 31 * *", 61),
        ("0 0 1,15 * 1", 7),
        ("0 0 29 FEB *", 1461),
    ],
)
def test_the_longest_time_between_two_runs(cron: str, days: int) -> None:
    assert longest_gap(cron) == timedelta(days=days)


@pytest.mark.parametrize(
    "cron", ["", "@daily", "0 0 * *", "0 0 0 * *", "0 0 30 2 *", "60 * * * *", "0 0 9-3 * *", "0 */0 * * *", "a b c d e"]
)
def test_what_is_no_schedule_has_no_time(cron: str) -> None:
    assert longest_gap(cron) is None
