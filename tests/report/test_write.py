from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from modernizer.errors import ExitCode, ModernizerError, UsageError
from modernizer.report.paths import notebook_path, patch_path
from modernizer.report.results import NotebookResult, RunResult
from modernizer.report.results_json import to_json
from modernizer.report.write import prepare, read_run, render_again, write_all, write_partial
from modernizer.verdict.outcome import Outcome

REPORTS = {"results.json", "report.md", "report.html", "badge.json", "badge.svg", "junit.xml"}


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def write(out: Path, run: RunResult) -> None:
    prepare(out)
    write_all(out, run, executed={"trees/forest.ipynb": b"{}"}, locks={"e3f1": "numpy==2.5.5\n"})


def test_the_folder_holds_what_the_design_lists(tmp_path: Path, run: RunResult) -> None:
    out = tmp_path / "deep/out"
    write(out, run)
    assert files(out) == REPORTS | {"patches/trees/forest.ipynb.patch", "notebooks/trees/forest.ipynb", "locks/e3f1.txt"}
    assert (
        json.loads((out / "results.json").read_text(encoding="utf-8"))["notebooks"][0]["repair"]["patch"]
        == "patches/trees/forest.ipynb.patch"
    )
    assert (out / "patches/trees/forest.ipynb.patch").read_text(encoding="utf-8").startswith("diff --git a/trees/forest.ipynb")


def test_a_run_can_be_read_and_rendered_again(tmp_path: Path, run: RunResult) -> None:
    write(tmp_path, run)
    written = {name: (tmp_path / name).read_bytes() for name in REPORTS}
    for name in REPORTS - {"results.json"}:
        (tmp_path / name).unlink()
    back = render_again(tmp_path)
    assert to_json(back) == to_json(run)
    assert {name: (tmp_path / name).read_bytes() for name in REPORTS} == written


def test_a_lost_patch_only_leaves_its_diff_out(tmp_path: Path, run: RunResult) -> None:
    write(tmp_path, run)
    shutil.rmtree(tmp_path / "patches")
    render_again(tmp_path)
    assert "trees/forest.ipynb" in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_the_next_run_replaces_the_old_one_and_leaves_other_files_alone(tmp_path: Path, run: RunResult) -> None:
    write(tmp_path, run)
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / "patches/mine.patch").write_text("mine")
    prepare(tmp_path)
    assert files(tmp_path) == {"results.json", "mine.txt", "patches/mine.patch"} - {"results.json"} | {"results.json"} & files(
        tmp_path
    )
    write_all(tmp_path, replace(run, notebooks=run.notebooks[1:]), executed={}, locks={})
    assert files(tmp_path) == REPORTS | {"mine.txt", "patches/mine.patch"}


def test_a_partial_result_is_a_whole_file(tmp_path: Path, run: RunResult) -> None:
    prepare(tmp_path)
    write_partial(tmp_path, replace(run, notebooks=run.notebooks[:1], interrupted=True, finished=""))
    assert files(tmp_path) == {"results.json"}
    back = read_run(tmp_path)
    assert back.interrupted
    assert [item.path for item in back.notebooks] == ["trees/forest.ipynb"]


def test_what_a_killed_run_left_is_cleaned_up(tmp_path: Path, run: RunResult) -> None:
    write(tmp_path, run)
    (tmp_path / ".0123.modernizer-tmp").write_text("half")
    prepare(tmp_path)
    assert not list(tmp_path.glob(".*tmp"))


@pytest.mark.parametrize("name", ["results.json", "report.md", "notebooks/mine.ipynb", "locks/a.txt"])
def test_a_folder_that_holds_our_names_but_is_not_ours_is_refused(tmp_path: Path, name: str) -> None:
    mine = tmp_path / name
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("{}")
    with pytest.raises(UsageError, match="which this program did not write"):
        prepare(tmp_path)
    assert mine.read_text() == "{}"


@pytest.mark.parametrize("name", ["notebooks", "patches", "report.md", "results.json"])
def test_a_symbolic_link_among_our_names_is_refused(tmp_path: Path, run: RunResult, name: str) -> None:
    out = tmp_path / "out"
    write(out, run)
    path = out / name
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    (tmp_path / "elsewhere").mkdir()
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="which this program did not write"):
        prepare(out)


def test_a_link_deeper_down_is_not_written_through(tmp_path: Path, run: RunResult) -> None:
    out = tmp_path / "out"
    write(out, run)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "forest.ipynb").write_text("mine")
    shutil.rmtree(out / "notebooks/trees")
    (out / "notebooks/trees").symlink_to(elsewhere)
    prepare(out)
    with pytest.raises(UsageError, match="symbolic link"):
        write_all(out, run, executed={"trees/forest.ipynb": b"{}"}, locks={})
    assert (elsewhere / "forest.ipynb").read_text() == "mine"


@pytest.mark.parametrize("path", ["../x.ipynb", "/x.ipynb", "a/../../../x.ipynb"])
def test_a_notebook_path_can_not_lead_out(tmp_path: Path, run: RunResult, path: str) -> None:
    out = tmp_path / "deep/out"
    prepare(out)
    with pytest.raises(UsageError, match="leads out"):
        write_all(out, run, executed={path: b"{}"}, locks={})
    assert files(tmp_path) == {f"deep/out/{name}" for name in files(out)}


def test_earlier_results_that_name_files_elsewhere_remove_nothing(tmp_path: Path, run: RunResult) -> None:
    out = tmp_path / "out"
    write(out, run)
    victim = tmp_path / "victim.ipynb"
    victim.write_text("mine")
    data = to_json(run)
    data["notebooks"][0]["path"] = "../../victim.ipynb"
    (out / "results.json").write_text(json.dumps(data))
    prepare(out)
    assert victim.read_text() == "mine"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no results.json"),
        (b"", "not valid JSON"),
        (b'{"schema": 1, "tool"', "not valid JSON"),
        (b"\xff", "not valid JSON"),
        (b'{"schema": NaN}', "not valid JSON: NaN is no JSON number"),
        (b"[" * 100_000, "not valid JSON"),
        (b"{}", "not valid results"),
    ],
)
def test_results_that_can_not_be_read_are_explained(tmp_path: Path, content: bytes | None, message: str) -> None:
    if content is not None:
        (tmp_path / "results.json").write_bytes(content)
    with pytest.raises(UsageError, match=message) as raised:
        render_again(tmp_path)
    assert raised.value.exit_code == ExitCode.USAGE


def test_a_missing_output_folder_is_explained(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no results\.json"):
        read_run(tmp_path / "gone")


@pytest.mark.parametrize("kind", ["file", "link"])
def test_an_output_folder_that_is_none_is_refused(tmp_path: Path, kind: str) -> None:
    out = tmp_path / "out"
    if kind == "file":
        out.write_text("mine")
    else:
        out.symlink_to(tmp_path)
    with pytest.raises(UsageError, match="the output folder is a"):
        prepare(out)


def test_a_name_too_long_for_the_ending_is_shortened_and_stays_unique(tmp_path: Path) -> None:
    names = ["é" * 124 + f"{index}.ipynb" for index in range(2)]
    assert len({patch_path(name) for name in names}) == 2
    run = RunResult(
        "2026-12-01T06:00:00Z", "", "", notebooks=tuple(NotebookResult(name, None, None, Outcome("ran")) for name in names)
    )
    for name in names:
        target = tmp_path / patch_path(name)
        target.parent.mkdir(exist_ok=True)
        target.touch()
    shutil.rmtree(tmp_path / "patches")
    write(tmp_path, run)


@contextmanager
def too_little_room(folder: Path) -> Iterator[str]:
    """Mount a disk of 64 kB where that is allowed, else forbid files above 16 kB; yield the message to expect."""
    folder.mkdir()
    mount = shutil.which("mount") if os.geteuid() == 0 else None
    if mount and subprocess.run([mount, "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)], check=False).returncode == 0:
        try:
            yield "the disk is full (free some space or choose another folder with --out)"
        finally:
            subprocess.run([mount.replace("mount", "umount"), str(folder)], check=True)
        return
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16_384, before[1]))
    try:
        yield "File too large (the limit for file sizes is too low; choose another folder with --out)"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_full_disk_is_explained_and_leaves_nothing_half_written(tmp_path: Path, run: RunResult) -> None:
    with too_little_room(tmp_path / "disk") as message:
        out = tmp_path / "disk/out"
        prepare(out)
        one = replace(run, notebooks=run.notebooks[:1])
        write_partial(out, one)
        with pytest.raises(ModernizerError) as raised:
            write_all(out, one, executed={f"{index}.ipynb": b"x" * 30_000 for index in range(4)}, locks={})
        assert str(raised.value) == f"{out}: the output folder can't be written: {message}"
        assert raised.value.exit_code == ExitCode.INTERNAL
        assert read_run(out).interrupted
        assert not list(out.rglob("*tmp"))


def test_a_folder_that_may_not_be_written_is_explained(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(ModernizerError, match="can't be written"):
        prepare(blocked / "out")


def test_files_follow_the_umask(tmp_path: Path, run: RunResult) -> None:
    before = os.umask(0o022)
    try:
        write(tmp_path, run)
    finally:
        os.umask(before)
    assert {oct((tmp_path / name).stat().st_mode & 0o777) for name in REPORTS} == {"0o644"}


@pytest.mark.parametrize(
    "name",
    ["What is AI?.ipynb", "a:b.ipynb", 'say "hi".ipynb', "a\nb.ipynb", "<x>|*/n.ipynb", "a\\b.ipynb", "?" * 249 + ".ipynb"],
)
def test_names_that_no_artifact_takes_are_stored_under_others(name: str) -> None:
    for path in (patch_path(name), notebook_path(name)):
        assert not set(path) & set('"*:<>?|\\\r\n')
        assert all(len(part.encode()) <= 255 for part in path.split("/"))
    assert (patch_path("ä b/c.ipynb"), notebook_path("ä b/c.ipynb")) == ("patches/ä b/c.ipynb.patch", "notebooks/ä b/c.ipynb")


def test_two_names_that_differ_in_what_is_replaced_stay_apart() -> None:
    assert len({patch_path(name) for name in ("a?.ipynb", "a:.ipynb", "a_.ipynb")}) == 3
