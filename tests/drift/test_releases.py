"""Releases by date and their sources, from the configured index and from one on loopback."""

from __future__ import annotations

import base64
import hashlib
import threading
import zipfile
from collections.abc import Iterator
from datetime import date
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from modernizer.drift.fetch import COMPILED_LIST, fetch
from modernizer.drift.releases import python_at, releases_at
from modernizer.environment.uv_command import NetworkError, uv_environment

DAY = date(2018, 6, 1)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the name http.server uses)
        """Say nothing."""


@pytest.fixture
def index(tmp_path: Path) -> Iterator[tuple[Path, dict[str, str]]]:
    """An index without upload times: the folder it serves and the environment that names it."""
    folder = tmp_path / "index"
    folder.mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}"
    env = {**uv_environment({"PATH": "/usr/bin:/bin"}), "UV_DEFAULT_INDEX": address, "UV_CACHE_DIR": str(tmp_path / "uv")}
    yield folder, env
    server.shutdown()
    thread.join()
    server.server_close()


def add_wheel(folder: Path, name: str, version: str, files: dict[str, str]) -> None:
    stem = f"{name}-{version}"
    members = files | {
        f"{stem}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{stem}.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    hashes = {
        path: base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=") for path, text in members.items()
    }
    record = "".join(f"{path},sha256={hashes[path].decode()},{len(text.encode())}\n" for path, text in members.items())
    (folder / name).mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / name / f"{stem}-py3-none-any.whl", "w") as wheel:
        for path, text in members.items():
            wheel.writestr(path, text)
        wheel.writestr(f"{stem}.dist-info/RECORD", f"{record}{stem}.dist-info/RECORD,,\n")


@pytest.mark.parametrize(
    ("day", "python"),
    [
        (date(2010, 1, 1), "3.4"),
        (date(2018, 6, 1), "3.6"),
        (date(2018, 7, 1), "3.6"),
        (date(2019, 6, 27), "3.7"),
        (date(2026, 12, 1), "3.14"),
    ],
)
def test_packages_of_a_time_ran_on_the_python_of_the_year_before(day: date, python: str) -> None:
    assert python_at(day) == python


def test_releases_of_a_day_are_found_and_kept(tmp_path: Path) -> None:
    found = releases_at(["scikit-learn", "seaborn"], DAY, cache=tmp_path, env=uv_environment())
    assert found.versions == {"scikit-learn": "0.19.1"}
    assert found.notes == ("seaborn: the release of that time was published as source only",)
    nowhere = {"UV_OFFLINE": "1", "UV_CACHE_DIR": str(tmp_path / "empty"), "PATH": "/usr/bin:/bin"}
    assert releases_at(["scikit-learn", "seaborn"], DAY, cache=tmp_path, env=nowhere) == found


def test_an_index_without_upload_times_gives_no_releases_of_a_day(tmp_path: Path, index: tuple[Path, dict[str, str]]) -> None:
    folder, env = index
    add_wheel(folder, "carts", "1.0", {"carts/__init__.py": ""})
    found = releases_at(["carts"], DAY, cache=tmp_path / "cache", env=env)
    assert found.versions == {}
    assert found.notes == ("carts: the index has no upload times",)
    add_wheel(folder, "carts", "1.1", {"carts/__init__.py": ""})
    newest = releases_at(["carts"], None, cache=tmp_path / "cache", env={**env, "UV_NO_CACHE": "1"}, python="3.13")
    assert newest.versions == {"carts": "1.1"}


def test_an_index_that_is_not_there_is_an_error_of_the_network(tmp_path: Path) -> None:
    env = {**uv_environment({"PATH": "/usr/bin:/bin"}), "UV_DEFAULT_INDEX": "http://127.0.0.1:9", "UV_HTTP_RETRIES": "0"}
    with pytest.raises(NetworkError):
        releases_at(["carts"], DAY, cache=tmp_path, env={**env, "UV_CACHE_DIR": str(tmp_path / "uv")})


def test_sources_are_unpacked_without_running_anything(tmp_path: Path, index: tuple[Path, dict[str, str]]) -> None:
    folder, env = index
    ran = tmp_path / "ran"
    add_wheel(
        folder,
        "carts",
        "1.0",
        {
            "carts/__init__.py": f"open({str(ran)!r}, 'w')\n",
            "carts/_fast.cpython-36m-x86_64-linux-gnu.so": "",
            "carts/data.csv": "1,2\n",
            "carts/tests/test_all.py": "assert False\n",
            "carts.pth": f"import pathlib; pathlib.Path({str(ran)!r}).touch()\n",
        },
    )
    archives = fetch({"carts": "1.0", "wheels": "2.0"}, python="3.6", cache=tmp_path / "cache", env=env)
    assert list(archives) == ["carts"]
    with zipfile.ZipFile(archives["carts"]) as packed:
        assert sorted(packed.namelist()) == ["carts/__init__.py", COMPILED_LIST]
        assert packed.read(COMPILED_LIST) == b"carts/_fast.cpython-36m-x86_64-linux-gnu.so"
    assert not ran.exists()
