"""Notebooks to read, a package index on loopback with files made here, and settings to build with."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from modernizer.environment.build import BuildSettings
from modernizer.environment.interpreters import find_python
from modernizer.environment.uv_command import uv_environment
from modernizer.notebook import Notebook, parse_notebook

MakeNotebook = Callable[..., Notebook]
OLD = "2020-01-01T00:00:00Z"


@pytest.fixture
def notebook() -> MakeNotebook:
    def make(*sources: str, path: str = "nb.ipynb") -> Notebook:
        cells = [
            {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source} for source in sources
        ]
        raw = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}).encode()
        return parse_notebook(raw, name=path)

    return make


@dataclass
class Index:
    """A simple index that answers as PEP 691 JSON with upload times, or as PEP 503 pages without them."""

    url: str = ""
    has_times: bool = True
    files: dict[str, tuple[str, bytes, str]] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)

    def add_wheel(
        self,
        name: str,
        version: str,
        *,
        requires: tuple[str, ...] = (),
        code: str = "",
        uploaded: str = OLD,
        tag: str = "py3-none-any",
    ) -> None:
        stem = f"{name}-{version}"
        lines = [f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}", *(f"Requires-Dist: {spec}" for spec in requires)]
        members = {
            f"{name}/__init__.py": code or f"VERSION = {version!r}\n",
            f"{name}/tests/test_all.py": "assert True\n",
            f"{stem}.dist-info/METADATA": "\n".join(lines) + "\n",
            f"{stem}.dist-info/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n",
        }
        record = "".join(f"{path},sha256={_record_hash(text)},{len(text)}\n" for path, text in members.items())
        members[f"{stem}.dist-info/RECORD"] = f"{record}{stem}.dist-info/RECORD,,\n"
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w") as archive:
            for path, text in members.items():
                archive.writestr(path, text)
        self.files[f"{stem}-{tag}.whl"] = (name, content.getvalue(), uploaded)

    def add_sdist(self, name: str, version: str, *, metadata_works: bool) -> None:
        """Add a source distribution whose own build backend fails: at once, or only when the wheel is built."""
        metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        backend = (
            "import os\n"
            "def prepare_metadata_for_build_wheel(folder, config_settings=None):\n"
            f"    if not {metadata_works}: raise SystemExit('needs a compiler')\n"
            f"    os.mkdir(os.path.join(folder, '{name}-{version}.dist-info'))\n"
            f"    open(os.path.join(folder, '{name}-{version}.dist-info', 'METADATA'), 'w').write({metadata!r})\n"
            f"    return '{name}-{version}.dist-info'\n"
            "def build_wheel(*args, **kwargs):\n    raise SystemExit('needs a compiler')\n"
        )
        members = {
            "PKG-INFO": metadata,
            "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
            "backend.py": backend,
        }
        content = io.BytesIO()
        with tarfile.open(fileobj=content, mode="w:gz") as archive:
            for path, text in members.items():
                info = tarfile.TarInfo(f"{name}-{version}/{path}")
                info.size = len(text.encode())
                archive.addfile(info, io.BytesIO(text.encode()))
        self.files[f"{name}-{version}.tar.gz"] = (name, content.getvalue(), OLD)

    def answer(self, path: str) -> tuple[int, str, bytes]:
        self.requests.append(path)
        if path.startswith("/files/") and (found := self.files.get(path.rpartition("/")[2])):
            return 200, "application/octet-stream", found[1]
        name = path.strip("/").rpartition("/")[2]
        mine = {file: entry for file, entry in self.files.items() if entry[0].replace("_", "-") == name}
        if not mine:
            return 404, "text/plain", b"no such package"
        if not self.has_times:
            links = "".join(f'<a href="/files/{file}#sha256={_sha(entry[1])}">{file}</a>\n' for file, entry in mine.items())
            return 200, "text/html", f"<!DOCTYPE html><html><body>{links}</body></html>".encode()
        files = [
            {"filename": file, "url": f"/files/{file}", "hashes": {"sha256": _sha(entry[1])}, "upload-time": entry[2]}
            for file, entry in mine.items()
        ]
        page = {"meta": {"api-version": "1.1"}, "name": name, "versions": [], "files": files}
        return 200, "application/vnd.pypi.simple.v1+json", json.dumps(page).encode()


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _record_hash(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


@pytest.fixture
def index() -> Iterator[Index]:
    served = Index()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, kind, content = served.answer(self.path)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(content)

        do_HEAD = do_GET  # noqa: N815 - the name http.server looks for

        def log_message(self, *_: object) -> None:
            """Keep the test output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    served.url = f"http://127.0.0.1:{server.server_address[1]}/simple"
    yield served
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="session")
def python() -> Path:
    return find_python(None)


@pytest.fixture
def settings(tmp_path: Path, python: Path, index: Index) -> BuildSettings:
    """Settings that use the loopback index and caches of their own."""
    env = {name: value for name, value in uv_environment().items() if not name.startswith(("UV_INDEX", "UV_FIND"))}
    env |= {"UV_DEFAULT_INDEX": index.url, "UV_CACHE_DIR": str(tmp_path / "uv"), "UV_HTTP_RETRIES": "0"}
    return BuildSettings(cache_dir=tmp_path / "cache", python=python, env=env)
