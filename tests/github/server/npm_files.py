"""Single files of npm packages, at the version and with the digest of packages.json, kept in the user's cache."""

from __future__ import annotations

import base64
import fcntl
import hashlib
import json
import tarfile
import tempfile
from pathlib import Path

import platformdirs

from modernizer.process import run


def npm_file(package: str, name: str) -> Path:
    """Return a file of a package, downloading the package with npm the first time; its digest must be the pinned one."""
    pinned = json.loads(Path(__file__).with_name("packages.json").read_text(encoding="utf-8"))[package]
    key = hashlib.sha256(f"{package} {pinned['integrity']}".encode()).hexdigest()[:16]
    folder = Path(platformdirs.user_cache_dir("notebook-modernizer-tests")) / f"npm-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / Path(name).name
    with (folder / "lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not target.exists():
            _download(package, pinned["version"], pinned["integrity"], name, target)
    return target


def _download(package: str, version: str, integrity: str, name: str, target: Path) -> None:
    with tempfile.TemporaryDirectory() as place:
        run(["npm", "pack", "--silent", f"{package}@{version}"], timeout=300, cwd=Path(place))
        (archive,) = Path(place).glob("*.tgz")
        digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
        if integrity != f"sha512-{digest}":
            raise ValueError(f"{package} {version} is not the pinned file")
        with tarfile.open(archive) as opened:
            member = opened.extractfile(f"package/{name}")
            assert member is not None
            temporary = target.with_suffix(".part")
            temporary.write_bytes(member.read())
        temporary.replace(target)
