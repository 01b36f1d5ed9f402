"""The real image, built with buildah on a Debian made by debootstrap, and the world that GitHub's runner lays out around it.

The base is kept in the user's cache folder; images are kept in a storage of their own beside it.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import platformdirs
import pytest

# Images are built and run as root of a Linux machine, as in .ci/run; elsewhere these tests do not exist.
collect_ignore = [] if sys.platform == "linux" and os.geteuid() == 0 else ["test_action.py"]
ROOT = Path(__file__).parents[2]
SUITE = "trixie"
BASE = "localhost/notebook-modernizer-test-base"
IMAGE = "localhost/notebook-modernizer-test"
# What this machine needs to reach its package index, wherever that is; an image for users holds none of it.
_SETTINGS = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pip.conf", "/etc/uv/uv.toml")
_VARIABLES = (
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "PIP_INDEX_URL",
    "UV_INDEX_URL",
    "UV_DEFAULT_INDEX",
    "http_proxy",
    "https_proxy",
    "no_proxy",
)


class Buildah:
    """Runs buildah with a storage of the tests' own."""

    def __init__(self, storage: Path) -> None:
        self._options = ["--root", str(storage / "storage"), "--runroot", str(storage / "run")]

    def __call__(self, *args: str, timeout: float = 600) -> str:
        done = self.try_(*args, timeout=timeout)
        assert done.returncode == 0, f"buildah {args[0]}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
        return done.stdout.strip()

    def try_(self, *args: str, timeout: float = 600) -> subprocess.CompletedProcess[str]:
        command = ["buildah", *self._options, *args]
        environ = {**os.environ, "BUILDAH_ISOLATION": "chroot"}
        return subprocess.run(command, env=environ, capture_output=True, text=True, timeout=timeout, check=False)


@pytest.fixture(scope="session")
def buildah() -> Buildah:
    missing = [name for name in ("buildah", "debootstrap") if shutil.which(name) is None]
    assert not missing, f"install {' and '.join(missing)}, as .ci/run does"
    cache = _cache()
    tool = Buildah(cache)
    with _locked(cache):
        _base(tool, cache)
    return tool


def _base(buildah: Buildah, cache: Path) -> None:
    """Make the base image once for each version of what it is made from."""
    settings = [Path(name) for name in _SETTINGS if Path(name).is_file()]
    variables = {name: os.environ[name] for name in _VARIABLES if name in os.environ}
    digest = hashlib.sha256(repr((SUITE, [path.read_bytes() for path in settings], variables)).encode()).hexdigest()[:16]
    if buildah.try_("inspect", "--type", "image", f"{BASE}:{digest}").returncode:
        folder = cache / "base"
        shutil.rmtree(folder, ignore_errors=True)
        include = "--include=ca-certificates,python3,python3-venv"
        _run(["debootstrap", "--variant=minbase", include, SUITE, str(folder)])
        shutil.rmtree(folder / "var/cache/apt")
        shutil.rmtree(folder / "var/lib/apt/lists")
        container = buildah("from", "scratch")
        buildah("copy", "--quiet", container, str(folder), "/")
        for path in settings:
            buildah("copy", "--quiet", container, str(path), str(path))
        for name, value in variables.items():
            buildah("config", "--env", f"{name}={value}", container)
        buildah("commit", "--quiet", "--rm", container, f"{BASE}:{digest}")
        shutil.rmtree(folder)
    buildah("tag", f"{BASE}:{digest}", f"{BASE}:latest")


@pytest.fixture(scope="session")
def image(buildah: Buildah) -> str:
    """The image of the Dockerfile as it stands; layers that did not change come from the run before."""
    with _locked(_cache()):
        buildah("build", "--layers", "--build-arg", f"BASE_IMAGE={BASE}:latest", "--tag", IMAGE, str(ROOT), timeout=900)
    return IMAGE


def _cache() -> Path:
    folder = Path(platformdirs.user_cache_dir("notebook-modernizer-tests")) / "container"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def _locked(cache: Path) -> Iterator[None]:
    """Keep other test processes of this user away while something is built."""
    with (cache / "lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, f"{command[0]}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
