"""Compiles an environment's modules once for all environments that share a package.

Kernels may not write into an environment, so without this each one compiles what it imports again: 9 s instead of 2 s for
numpy, pandas, scikit-learn, matplotlib and statsmodels. Compiling everything takes 18 s on two cores; leaving the tests
out 9 s. Requirement sets differ by a package or two, so compiled files are kept by package content and linked into the
next environment, which costs a few tenths of a second.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from modernizer.process import run

_TESTS = re.compile(r"(?:^|/)(?:tests?|_tests|examples|docs?)/")
# Large, and not imported by a kernel unless someone debugs it or saves a PDF.
_SELDOM = frozenset({"debugpy", "fonttools", "pip", "setuptools"})
_COMPILE_SECONDS = 600.0
# The sources were verified by hash and don't change in place, so kernels needn't look at them: unchecked.
# Without site: a package's .pth file is code.
_COMPILE = ("-I", "-S", "-m", "compileall", "-qq", "-j", "0", "--invalidation-mode", "unchecked-hash", "-i", "-")


@dataclass(frozen=True)
class _Package:
    """An installed package: its modules relative to site-packages, and a digest of their content."""

    name: str
    modules: tuple[str, ...]
    digest: str


def compile_modules(site_packages: Path, *, python: Path, store: Path, tag: str, env: Mapping[str, str]) -> None:
    """Put compiled files beside all modules but tests. ``store`` is kept.

    ``python`` is the interpreter without the packages, ``tag`` its cache tag.
    """
    missing = [package for package in _packages(site_packages) if not _link_in(package, site_packages, store, tag)]
    if not missing:
        return
    files = "\n".join(str(site_packages / module) for package in missing for module in package.modules)
    # Some packages ship files for other Pythons; those that don't compile are never imported.
    run([str(python), *_COMPILE], input=files, timeout=_COMPILE_SECONDS, env=env, check=False)
    for package in missing:
        _keep(package, site_packages, store, tag)


def _packages(site_packages: Path) -> Iterator[_Package]:
    for record in sorted(site_packages.glob("*.dist-info/RECORD")):
        name = record.parent.name.partition("-")[0]
        if name in _SELDOM:
            continue
        with record.open(encoding="utf-8", newline="") as rows:
            content = sorted((row[0], row[1]) for row in csv.reader(rows) if len(row) > 1 and _is_module(row[0]))
        if content:
            digest = hashlib.sha256(repr(content).encode()).hexdigest()[:24]
            yield _Package(name, tuple(path for path, _ in content), digest)


def _is_module(path: str) -> bool:
    return path.endswith(".py") and not path.startswith(("..", "/")) and not _TESTS.search(path)


def _link_in(package: _Package, site_packages: Path, store: Path, tag: str) -> bool:
    """Link a package's compiled files from the store; False when it holds none."""
    kept = store / tag / f"{package.name}-{package.digest}"
    if not kept.is_dir():
        return False
    # Its age is how long it has not been used.
    os.utime(kept)
    for module in package.modules:
        compiled = _compiled(module, tag)
        with contextlib.suppress(FileNotFoundError):
            _link(kept / compiled, site_packages / compiled)
    return True


def _keep(package: _Package, site_packages: Path, store: Path, tag: str) -> None:
    """Link a package's compiled files into the store: complete or not at all."""
    (store / tag).mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix="building-", dir=store / tag))
    try:
        for compiled in _existing(site_packages, package.modules, tag):
            _link(site_packages / compiled, building / compiled)
        # Another build may have stored the same meanwhile; its content is equal.
        with contextlib.suppress(OSError):
            building.rename(store / tag / f"{package.name}-{package.digest}")
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _existing(site_packages: Path, modules: Iterable[str], tag: str) -> Iterator[str]:
    return (compiled for module in modules if (site_packages / (compiled := _compiled(module, tag))).is_file())


def _compiled(module: str, tag: str) -> str:
    folder, _, name = module.rpartition("/")
    return f"{folder}/__pycache__/{name.removesuffix('.py')}.{tag}.pyc".removeprefix("/")


def _link(source: Path, target: Path) -> None:
    """Link a file, or copy it where links are not possible."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise
    except FileExistsError:
        return
    except OSError:
        shutil.copy2(source, target)
