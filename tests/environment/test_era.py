from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from modernizer.environment.build import BuildSettings
from modernizer.environment.era import build_as_of, era_minor, with_undeclared
from modernizer.environment.model import Environment, InstallFailure, Requirements
from modernizer.errors import UsageError


@pytest.mark.parametrize(
    ("day", "minor"),
    [
        (date(2015, 1, 1), (3, 6)),
        (date(2018, 12, 26), (3, 6)),
        (date(2018, 12, 27), (3, 7)),
        (date(2020, 4, 14), (3, 8)),
        (date(2026, 6, 1), (3, 14)),
    ],
)
def test_the_python_of_a_time_is_the_newest_that_was_half_a_year_old(day: date, minor: tuple[int, int]) -> None:
    assert era_minor(day) == minor


def test_what_early_releases_import_and_do_not_declare_is_added() -> None:
    assert with_undeclared(["scikit-learn", "numpy"]) == ("numpy", "scikit-learn", "scipy")
    assert with_undeclared(["six"]) == ("six",)


def test_the_future_is_no_past(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not a date in the past"):
        build_as_of(date(2999, 1, 1), Requirements(("six",)), BuildSettings(tmp_path, Path()), None)


@pytest.mark.timeout(240)
def test_an_environment_of_a_date_has_the_releases_of_that_date_around_a_kernel_of_today(tmp_path: Path) -> None:
    """With the running Python, which every machine has; a pure-Python package needs none of its time."""
    settings = BuildSettings(tmp_path, Path())
    built = build_as_of(date(2019, 6, 1), Requirements(("ipykernel", "six")), settings, "3")
    assert isinstance(built, Environment), built
    assert built.packages["six"] == "1.12.0"
    assert int(built.packages["ipykernel"].split(".")[0]) >= 6
    assert built.resolved_on == "2019-06-02T00:00:00Z"


@pytest.mark.timeout(240)
def test_what_was_not_there_yet_is_said_to_be_missing(tmp_path: Path) -> None:
    settings = BuildSettings(tmp_path, Path())
    failed = build_as_of(date(2019, 6, 1), Requirements(("ipykernel", "six>=1.16")), settings, "3")
    assert isinstance(failed, InstallFailure)
    assert failed.message.startswith("as of 2019-06-01: ")
    assert "Python" in failed.message
