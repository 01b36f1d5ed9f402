from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from modernizer.environment.build import BuildSettings, build
from modernizer.environment.model import Environment, InstallFailure, Requirements

if TYPE_CHECKING:
    from tests.environment.conftest import Index


def ready(settings: BuildSettings, *specs: str) -> Environment:
    built = build(Requirements(specs), settings)
    assert isinstance(built, Environment), built
    return built


def failure(settings: BuildSettings, *specs: str) -> InstallFailure:
    built = build(Requirements(specs), settings)
    assert isinstance(built, InstallFailure), built
    return built


def imported(environment: Environment, code: str) -> str:
    return subprocess.run([environment.python, "-I", "-c", code], check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="module")
def from_configured_index(tmp_path_factory: pytest.TempPathFactory, python: Path) -> tuple[BuildSettings, Environment]:
    settings = BuildSettings(cache_dir=tmp_path_factory.mktemp("cache"), python=python)
    return settings, ready(settings, "packaging", "six", "tomli")


def test_the_configured_index_gives_an_environment_with_what_was_asked_for(
    from_configured_index: tuple[BuildSettings, Environment],
) -> None:
    _, environment = from_configured_index
    assert set(environment.packages) == {"packaging", "six", "tomli"}
    assert imported(environment, "import six, packaging, tomli; print(six.__version__)") == environment.packages["six"]
    assert environment.install_seconds > 0
    assert environment.resolved_on.endswith("T00:00:00Z")
    assert not environment.notes


def test_the_lock_has_hashes_and_no_addresses(from_configured_index: tuple[BuildSettings, Environment]) -> None:
    lock = from_configured_index[1].lock
    assert "six==" in lock
    assert "--hash=sha256:" in lock
    assert "://" not in lock
    assert "index" not in lock


def test_a_warm_set_up_takes_less_than_a_second(from_configured_index: tuple[BuildSettings, Environment]) -> None:
    settings, environment = from_configured_index
    began = time.monotonic()
    again = ready(settings, "packaging", "six", "tomli")
    assert time.monotonic() - began < 1
    assert (again.id, again.lock, again.packages) == (environment.id, environment.lock, environment.packages)


def test_equal_locks_share_an_environment_and_the_day_is_the_cut_off(settings: BuildSettings, index: Index) -> None:
    index.add_wheel("small", "1.0")
    now = datetime(2026, 12, 1, 17, 30, tzinfo=UTC)
    first = ready(replace(settings, now=lambda: now), "small")
    asked = len(index.requests)
    same_day = ready(replace(settings, now=lambda: now + timedelta(hours=3)), "small")
    assert len(index.requests) == asked
    next_day = ready(replace(settings, now=lambda: now + timedelta(days=1)), "small")
    assert len(index.requests) > asked
    assert first.id == same_day.id == next_day.id
    assert (first.resolved_on, next_day.resolved_on) == ("2026-11-28T00:00:00Z", "2026-11-29T00:00:00Z")


def test_a_release_inside_the_cooldown_is_passed_over(settings: BuildSettings, index: Index) -> None:
    index.add_wheel("small", "1.0")
    index.add_wheel("small", "2.0", uploaded=datetime.now(UTC).isoformat())
    assert ready(settings, "small").packages == {"small": "1.0"}
    assert ready(replace(settings, cooldown_days=0), "small").packages == {"small": "2.0"}


def test_an_index_without_upload_times_is_used_without_cooldown_and_says_so(settings: BuildSettings, index: Index) -> None:
    index.has_times = False
    index.add_wheel("small", "1.0")
    environment = ready(settings, "small")
    assert environment.packages == {"small": "1.0"}
    assert environment.notes == ("the index has no upload times: resolved without a cooldown",)
    assert environment.resolved_on > datetime.now(UTC).strftime("%Y-%m-%d")


@pytest.mark.parametrize(
    ("arrange", "reason"),
    [
        (lambda _: None, "the index has no such package"),
        (
            lambda index: index.add_wheel("dead", "1.0", tag="cp27-cp27m-manylinux1_x86_64"),
            "no release that installs on this Python",
        ),
        (lambda index: index.add_sdist("dead", "1.0", metadata_works=False), "no release that installs on this Python"),
        (lambda index: index.add_sdist("dead", "1.0", metadata_works=True), "its source could not be built"),
        (lambda index: index.add_wheel("dead", "1.0", uploaded=datetime.now(UTC).isoformat()), "newer than the cut-off"),
        (lambda index: index.add_wheel("dead", "1.0", requires=("gone",)), "needs gone, which the index doesn't have"),
    ],
    ids=["unknown", "old-python-only", "source-without-metadata", "source-does-not-build", "too-new", "dead-dependency"],
)
def test_a_dead_package_is_left_out_with_a_note(
    settings: BuildSettings, index: Index, arrange: Callable[..., None], reason: str
) -> None:
    index.add_wheel("small", "1.0")
    arrange(index)
    environment = ready(settings, "dead", "small")
    assert environment.packages == {"small": "1.0"}
    assert [note for note in environment.notes if note.startswith("left out: dead: ") and reason in note], environment.notes


def test_packages_that_exclude_each_other_leave_one_out(settings: BuildSettings, index: Index) -> None:
    index.add_wheel("low", "1.0", requires=("shared<2",))
    index.add_wheel("high", "1.0", requires=("shared>=2",))
    index.add_wheel("shared", "1.0")
    index.add_wheel("shared", "2.0")
    environment = ready(settings, "high", "low", "shared")
    assert len({"high", "low"} & set(environment.packages)) == 1
    assert "can't be installed together" in environment.notes[0]


@pytest.mark.parametrize("spec", ["dead==1.0", "ipykernel"])
def test_a_pinned_or_essential_package_that_is_not_to_be_had_fails(settings: BuildSettings, index: Index, spec: str) -> None:
    index.add_wheel("small", "1.0")
    failed = failure(settings, spec, "small")
    assert spec.partition("==")[0] in failed.message
    assert index.url not in failed.message
    assert "127.0.0.1" not in failed.message


def test_a_dead_network_is_named_without_the_host(settings: BuildSettings) -> None:
    dead = replace(settings, env={**settings.env, "UV_DEFAULT_INDEX": "http://user:secret@127.0.0.1:9/simple"})
    failed = failure(dead, "small")
    assert "the configured package index can't be reached" in failed.message
    assert "127.0.0.1" not in failed.message
    assert "secret" not in failed.message


def test_settings_in_the_repository_do_not_choose_the_index(
    settings: BuildSettings, index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.add_wheel("small", "1.0")
    (tmp_path / "uv.toml").write_text("no-index = true\n")
    monkeypatch.chdir(tmp_path)
    assert ready(settings, "small").packages == {"small": "1.0"}


def test_a_failed_install_leaves_no_environment(settings: BuildSettings, index: Index) -> None:
    index.add_wheel("small", "1.0")
    content = index.files["small-1.0-py3-none-any.whl"][1]
    real_answer = index.answer
    # The page tells the right hash, the file is another one.
    index.answer = lambda path: (
        (200, "application/octet-stream", content[:-1] + b"!") if path.endswith(".whl") else real_answer(path)
    )
    assert "can't be installed" in failure(settings, "small").message
    assert not list((settings.cache_dir / "environments").glob("*/"))


def test_a_half_built_environment_is_built_anew(settings: BuildSettings, index: Index) -> None:
    index.add_wheel("small", "1.0")
    first = ready(settings, "small")
    folder = first.python.parent.parent
    next(folder.glob("modernizer-*")).unlink()
    (folder / "left-over").write_text("x")
    next(folder.glob("lib/python*/site-packages/small/__init__.py")).unlink()
    assert imported(ready(settings, "small"), "import small; print(small.VERSION)") == "1.0"
    assert not (folder / "left-over").exists()


def test_builders_at_the_same_time_share_one_build(settings: BuildSettings, index: Index) -> None:
    index.add_wheel("small", "1.0")
    built: list[Environment] = []
    threads = [threading.Thread(target=lambda: built.append(ready(settings, "small"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({environment.id for environment in built}) == 1
    assert len(built) == 4
    assert index.requests.count("/simple/small/") <= 2  # one resolution, one installation


def test_modules_are_compiled_without_tests_and_shared_between_environments(settings: BuildSettings, index: Index) -> None:
    index.add_wheel("small", "1.0")
    index.add_wheel("other", "1.0")
    compiled = [
        next(ready(settings, *specs).python.parent.parent.glob("lib/python*/site-packages"))
        for specs in (("small",), ("other", "small"))
    ]
    first, second = (next((folder / "small" / "__pycache__").iterdir()) for folder in compiled)
    assert first.samefile(second)
    assert not (compiled[0] / "small" / "tests" / "__pycache__").exists()
    # Unchecked: a kernel that may not write loads it whatever the times of the sources are.
    assert first.read_bytes()[4:8] == b"\x01\x00\x00\x00"


def test_what_was_not_used_for_a_month_is_removed(settings: BuildSettings, index: Index) -> None:
    index.add_wheel("small", "1.0")
    index.add_wheel("other", "1.0")
    old = ready(settings, "small").python.parent.parent
    month_ago = time.time() - 31 * 86400
    os.utime(next(old.glob("modernizer-*")), (month_ago, month_ago))
    kept = ready(settings, "other").python.parent.parent
    assert not old.exists()
    assert kept.exists()


def test_an_interpreter_that_does_not_run_is_a_failure_not_an_exception(settings: BuildSettings, tmp_path: Path) -> None:
    assert "does not run" in failure(replace(settings, python=tmp_path / "python3"), "small").message


def test_an_unwritable_cache_is_a_failure_not_an_exception(settings: BuildSettings, index: Index, tmp_path: Path) -> None:
    index.add_wheel("small", "1.0")
    (tmp_path / "file").write_text("")
    assert failure(replace(settings, cache_dir=tmp_path / "file" / "cache"), "small").message
