from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from modernizer.errors import ModernizerError
from modernizer.execution.scratch import ScratchCopy
from modernizer.process import run


def lay_out(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"content of {name}")


def files(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if not path.is_dir()}


def test_it_copies_the_repository_without_what_no_notebook_needs(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    lay_out(
        root,
        "deep/nb.ipynb",
        "data/train.csv",
        ".hidden/config",
        ".git/config",
        "env/pyvenv.cfg",
        "env/lib/x.py",
        "conda/conda-meta/history",
        "node_modules/a.js",
        "deep/__pycache__/a.pyc",
        "deep/.ipynb_checkpoints/nb.ipynb",
        ".modernizer/results.json",
    )
    with ScratchCopy(root, "deep/nb.ipynb", exclude=[root / ".modernizer"]) as scratch:
        assert files(scratch.root) == {"deep/nb.ipynb", "data/train.csv", ".hidden/config"}
        assert scratch.folder == scratch.root / "deep"
        assert scratch.root.name == "repo"
        place = scratch.root
    assert not place.exists()
    assert not place.parent.exists()


def test_changed_files_replace_the_users_and_new_ones_are_added(tmp_path: Path) -> None:
    lay_out(tmp_path, "nb.ipynb", "tool.py")
    with ScratchCopy(tmp_path, "nb.ipynb", {"tool.py": b"new", "made/up.py": b"added"}) as scratch:
        assert (scratch.root / "tool.py").read_bytes() == b"new"
        assert (scratch.root / "made/up.py").read_bytes() == b"added"
        before = (scratch.root / "tool.py").stat().st_mtime
        scratch.write({"tool.py": b"own"})
        assert (scratch.root / "tool.py").stat().st_mtime >= before + 2
    assert (tmp_path / "tool.py").read_text() == "content of tool.py"


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", ""])
def test_nothing_is_written_outside(tmp_path: Path, name: str) -> None:
    with ScratchCopy(tmp_path, "nb.ipynb") as scratch, pytest.raises(ValueError, match="inside"):
        scratch.write({name: b"x"})


def test_writing_never_follows_a_planted_link(tmp_path: Path) -> None:
    root, outside = tmp_path / "repo", tmp_path / "outside"
    lay_out(root, "tool.py", "package/tool.py")
    lay_out(outside, "victim.py")
    with ScratchCopy(root, "nb.ipynb") as scratch:
        (scratch.root / "tool.py").unlink()
        (scratch.root / "tool.py").symlink_to(outside / "victim.py")
        scratch.write({"tool.py": b"new"})
        assert not (scratch.root / "tool.py").is_symlink()
        (scratch.root / "package/tool.py").unlink()
        (scratch.root / "package").rmdir()
        (scratch.root / "package").symlink_to(outside)
        with pytest.raises(OSError, match=r"symbolic|directory"):
            scratch.write({"package/victim.py": b"new"})
    assert (outside / "victim.py").read_text() == "content of victim.py"


def test_the_users_files_are_never_written_through(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    lay_out(root, "a.csv", "sub/b.csv")
    (root / "link.csv").symlink_to("a.csv")
    (root / "absolute.csv").symlink_to(root / "a.csv")
    (root / "folder").symlink_to("sub", target_is_directory=True)
    os.link(root / "a.csv", root / "hard.csv")
    with ScratchCopy(root, "nb.ipynb") as scratch:
        for name in ("a.csv", "link.csv", "absolute.csv", "hard.csv", "folder/b.csv"):
            with (scratch.root / name).open("a") as file:
                file.write("changed")
        assert (scratch.root / "link.csv").is_symlink()
    assert (root / "a.csv").read_text() == "content of a.csv"
    assert (root / "sub/b.csv").read_text() == "content of sub/b.csv"


def test_links_out_of_the_repository_are_left_out_with_a_note(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    lay_out(root, "a.csv")
    lay_out(tmp_path, "secret")
    (root / "out").symlink_to("../secret")
    (root / "etc").symlink_to("/etc", target_is_directory=True)
    (root / "loop").symlink_to("loop")
    (root / "dangling").symlink_to("nowhere")
    with ScratchCopy(root, "nb.ipynb") as scratch:
        assert not (scratch.root / "out").is_symlink()
        assert not (scratch.root / "etc").is_symlink()
        assert {note.split()[0] for note in scratch.notes} >= {"out", "etc"}


def test_permissions_and_times_survive_and_special_files_do_not_stop_it(tmp_path: Path) -> None:
    lay_out(tmp_path, "script.sh", "read_only.csv", "empty")
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "script.sh").chmod(0o755)
    (tmp_path / "read_only.csv").chmod(0o444)
    os.utime(tmp_path / "script.sh", (1e9, 1e9))
    os.mkfifo(tmp_path / "pipe")
    with ScratchCopy(tmp_path, "nb.ipynb") as scratch:
        about = (scratch.root / "script.sh").stat()
        assert stat.S_IMODE(about.st_mode) == 0o755
        assert about.st_mtime == 1e9
        (scratch.root / "read_only.csv").open("a").close()
        assert "pipe is a device or socket and was left out" in scratch.notes
        assert (scratch.root / "empty").read_bytes() == b""


@pytest.mark.parametrize(
    ("source", "copied"),
    [
        ("x = 1", False),
        ("open('models/huge.bin')", True),
        ("load('huge')", True),
        ("open(folder + '/' + name + '.bin')", True),
        ("folder = 'models'", True),
        ("for name in os.walk('..'): pass", True),
        ("Path('.').rglob('*')", True),
    ],
)
def test_a_large_file_is_left_out_only_if_nothing_could_mean_it(tmp_path: Path, source: str, copied: object) -> None:
    lay_out(tmp_path, "nb.ipynb", "models/small.dat")
    (tmp_path / "tool.py").write_text(source)
    (tmp_path / "models/huge.bin").write_bytes(b"x" * 2000)
    with ScratchCopy(tmp_path, "nb.ipynb", large=1000) as scratch:
        assert (scratch.root / "models/huge.bin").exists() is copied
        assert scratch.skipped == ([] if copied else ["models/huge.bin"])
        assert bool(scratch.notes) is not copied


def test_large_files_beside_the_notebook_are_always_copied(tmp_path: Path) -> None:
    for name in ("root.bin", "deep/near.bin"):
        lay_out(tmp_path, name)
        (tmp_path / name).write_bytes(b"x" * 2000)
    with ScratchCopy(tmp_path, "deep/nb.ipynb", large=1000) as scratch:
        assert files(scratch.root) == {"root.bin", "deep/near.bin"}


def test_it_is_removed_after_an_error_and_whatever_permissions_were_left(tmp_path: Path) -> None:
    lay_out(tmp_path, "nb.ipynb", "sub/a")
    scratch = ScratchCopy(tmp_path, "nb.ipynb")
    places = []

    def work() -> None:
        with scratch:
            places.append(scratch.root)
            (scratch.root / "sub").chmod(0)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        work()
    assert not places[0].exists()


def test_a_full_disk_is_a_clear_error_and_leaves_nothing(tmp_path: Path) -> None:
    place, root = tmp_path / "small", tmp_path / "repo"
    place.mkdir()
    lay_out(root, "nb.ipynb")
    (root / "data.csv").write_bytes(os.urandom(3 << 20))
    mounted = run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], timeout=10, check=False)
    if mounted.returncode:
        # Without the right to mount: a limit on the size of files fails the same way.
        place = Path("/dev/full")
    try:
        with pytest.raises(ModernizerError) as caught, ScratchCopy(root, "nb.ipynb", place=place):
            pass
        assert str(place) in str(caught.value)
        if not mounted.returncode:
            assert "no space left" in str(caught.value)
            assert list(place.iterdir()) == []
    finally:
        run(["umount", str(place)], timeout=10, check=False)


def test_old_absolute_places_lead_into_the_copy_and_are_removed(tmp_path: Path) -> None:
    root, old = tmp_path / "repo", tmp_path / "kaggle/input"
    lay_out(root, "data/train.csv")
    (root / "tool.py").write_text(f"open('{old}/train.csv')")
    with ScratchCopy(root, "nb.ipynb", data={str(old): "data/"}) as scratch:
        assert (old / "train.csv").read_text() == "content of data/train.csv"
        assert old.resolve() == scratch.root / "data"
    assert not (tmp_path / "kaggle").exists()
    with ScratchCopy(root, "nb.ipynb", data={str(old): "../outside"}) as scratch:
        assert not old.exists()
        assert "not an absolute place" in scratch.notes[0]


def test_a_place_that_exists_is_left_alone(tmp_path: Path) -> None:
    root, old = tmp_path / "repo", tmp_path / "kaggle"
    lay_out(root, "data/a")
    lay_out(old, "mine")
    (root / "tool.py").write_text(str(old))
    with ScratchCopy(root, "nb.ipynb", data={str(old): "data"}):
        assert files(old) == {"mine"}
    assert files(old) == {"mine"}
