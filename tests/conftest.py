"""Fixtures for every test folder: a real environment for kernels, built once per user and set of versions."""

from __future__ import annotations

import compileall
import fcntl
import hashlib
import importlib.metadata
import json
import os
import shutil
import signal
import sys
from pathlib import Path

import hypothesis
import platformdirs
import pytest
import uv

import modernizer
from modernizer.environment.model import Environment
from modernizer.process import run

# The programs under test start by the dozen: compiled once, also where the user's environment asks for no compiled files.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
compileall.compile_dir(Path(modernizer.__file__).parent, quiet=2)
# How long an example takes says something about the machine only.
hypothesis.settings.register_profile("tests", deadline=None)
hypothesis.settings.load_profile("tests")
# A job in the background of a shell inherits an ignored SIGINT, which the programs under test would inherit in turn.
signal.signal(signal.SIGINT, signal.default_int_handler)
_PACKAGES = (
    "ipykernel",
    "ipywidgets",
    "lightgbm",
    "matplotlib",
    "numpy",
    "pandas",
    "scikit-learn",
    "seaborn",
    "statsmodels",
    "xgboost-cpu",
)
# What notebooks with neural networks and images use, about 370 MB more to download.
_NETWORK_PACKAGES = ("albumentations", "ipykernel", "pillow", "tensorflow-cpu")
_LIST = """
import importlib.metadata, json
print(json.dumps({d.name.lower(): d.version for d in importlib.metadata.distributions()}))
"""


@pytest.fixture(scope="session")
def kernel_environment() -> Environment:
    """A virtual environment with ipykernel and the usual packages, shared by all runs and workers of this user."""
    return _environment(_PACKAGES, "--compile-bytecode")


@pytest.fixture(scope="session")
def network_environment() -> Environment:
    """As ``kernel_environment``, with TensorFlow, Keras, albumentations and Pillow; most of it is never imported."""
    return _environment(_NETWORK_PACKAGES)


def _environment(names: tuple[str, ...], *options: str) -> Environment:
    version = ".".join(str(part) for part in sys.version_info[:3])
    key = json.dumps([version, importlib.metadata.version("uv"), names])
    cache = Path(platformdirs.user_cache_dir("notebook-modernizer-tests"))
    cache.mkdir(parents=True, exist_ok=True)
    folder = cache / hashlib.sha256(key.encode()).hexdigest()[:16]
    with Path(f"{folder}.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "ready").exists():
            _build(folder, [*options, *names])
    python = folder / "bin" / "python"
    packages = json.loads(run([str(python), "-c", _LIST], timeout=60).stdout)
    return Environment(
        id=folder.name,
        python=python,
        python_version=version,
        packages=packages,
        lock="",
        lock_sha256="",
        resolved_on="",
    )


def _build(folder: Path, wanted: list[str]) -> None:
    """Make the environment; a half-made one of an interrupted run is thrown away."""
    shutil.rmtree(folder, ignore_errors=True)
    tool = uv.find_uv_bin()
    run([tool, "venv", "--python", sys.executable, str(folder)], timeout=60)
    python = str(folder / "bin" / "python")
    run([tool, "pip", "install", "--python", python, *wanted], timeout=600)
    (folder / "ready").touch()
