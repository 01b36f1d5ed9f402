"""Building a source distribution runs its code: it must get nowhere, and what it leaves must be ours and harmless."""

from __future__ import annotations

import os
import stat
import sys
import tarfile
from pathlib import Path

import pytest

from modernizer.environment.uv_command import run_uv, uv_environment
from modernizer.environment.workshop import Workshop
from modernizer.sandbox.confinement import Sandbox, find_means

BACKEND = """
import os, subprocess, sys, zipfile

def attempts():
    told = []
    for action in ({actions}):
        try:
            eval(action)
            told.append("WORKED " + action)
        except BaseException as error:
            told.append("FAILED " + type(error).__name__ + " " + action)
    told.append("uid %d" % os.getuid())
    told.append("variables " + " ".join(os.environ))
    return "\\n".join(told)

def build_wheel(folder, config_settings=None, metadata_directory=None):
    info = "evil-1.0.dist-info/"
    with zipfile.ZipFile(os.path.join(folder, "evil-1.0-py3-none-any.whl"), "w") as wheel:
        wheel.writestr("evil.txt", attempts())
        wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: evil\\nVersion: 1.0\\n")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nGenerator: evil\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "RECORD", "")
    return "evil-1.0-py3-none-any.whl"
"""


@pytest.fixture
def base(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / ".netrc").write_text("planted")
    (tmp_path / "cache").mkdir()
    return tmp_path


def sdist(base: Path, target: Path) -> Path:
    actions = [
        f"open({str(base / 'home' / '.netrc')!r}).read()",
        f"open({str(base / 'cache' / 'poison')!r}, 'w')",
        f"open('/proc/{os.getpid()}/environ').read()",
        f"os.kill({os.getpid()}, 0)",
        "open('/etc/shadow').read()",
    ]
    source = base / "evil-1.0"
    source.mkdir()
    (source / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        '[project]\nname = "evil"\nversion = "1.0"\n'
    )
    (source / "backend.py").write_text(BACKEND.replace("{actions}", ", ".join(map(repr, actions)) + ","))
    (source / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    path = target / "evil-1.0.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.add(source, "evil-1.0")
    return path


def test_a_build_gets_nowhere_and_leaves_our_own_files(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_TOKEN", "planted")
    env = uv_environment() | {"HOME": str(base / "home"), "NETRC": str(base / "home" / ".netrc")}
    folder = base / "environment"
    run_uv(["venv", "--quiet", "--python", sys.executable, str(folder)], timeout=60, env=env)
    path = sdist(base, folder)
    workshop = Workshop(Sandbox(find_means(), os.environ), Path(sys.executable), env)
    args = ["pip", "install", "--offline", "--python", str(folder / "bin" / "python"), "--no-deps", "-r", "-"]
    done = workshop.uv(args, timeout=120, text=f"evil @ {path.as_uri()}", builds=False, folder=folder)
    workshop.close()
    assert done.returncode == 0, done.stderr
    told = next(folder.glob("lib/python*/site-packages/evil.txt")).read_text().splitlines()
    assert [line for line in told if line.startswith("WORKED")] == []
    assert len([line for line in told if line.startswith("FAILED")]) == 5
    assert "TOKEN" not in told[-1]
    assert "NETRC" not in told[-1]
    assert (told[-2] == f"uid {os.getuid()}") is (os.getuid() != 0)
    for place in (folder, *folder.rglob("*")):
        about = place.lstat()
        assert about.st_uid == os.getuid(), place
        assert stat.S_ISLNK(about.st_mode) or not about.st_mode & (stat.S_ISUID | stat.S_ISGID | 0o022), place


def test_wheels_need_no_workshop(base: Path) -> None:
    """Resolving and installing wheels runs nothing of theirs and may use the cache."""
    workshop = Workshop(Sandbox(find_means(), os.environ), Path(sys.executable), uv_environment())
    done = workshop.uv(["--version"], timeout=20, text="", builds=False)
    workshop.close()
    assert done.stdout.startswith("uv ")
