"""The environment of a kernel, built from an allow-list: nothing secret gets in because nothing unnamed gets in."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from modernizer.environment.model import Environment

MARKER = "MODERNIZER_KERNEL"
_KEPT = frozenset(
    {
        "LANG",
        "LANGUAGE",
        "LD_LIBRARY_PATH",
        "TZ",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "NO_PROXY",
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "no_proxy",
        "CURL_CA_BUNDLE",
        "REQUESTS_CA_BUNDLE",
        "SSL_CERT_DIR",
        "SSL_CERT_FILE",
        "CUDA_VISIBLE_DEVICES",
        "LOKY_MAX_CPU_COUNT",
        "MKL_NUM_THREADS",
        "NUMBA_NUM_THREADS",
        "NUMEXPR_MAX_THREADS",
        "NUMEXPR_NUM_THREADS",
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "POLARS_MAX_THREADS",
        "VECLIB_MAXIMUM_THREADS",
        "PYTHONHASHSEED",
    }
)
_PRIVATE = {
    "HOME": "home",
    "TMPDIR": "tmp",
    "XDG_CACHE_HOME": "home/.cache",
    "XDG_CONFIG_HOME": "home/.config",
    "XDG_DATA_HOME": "home/.local/share",
    "XDG_STATE_HOME": "home/.local/state",
    "XDG_RUNTIME_DIR": "run",
    "IPYTHONDIR": "home/.ipython",
    "JUPYTER_CONFIG_DIR": "home/.jupyter",
    "JUPYTER_DATA_DIR": "home/.local/share/jupyter",
    "JUPYTER_RUNTIME_DIR": "run",
    "MPLCONFIGDIR": "home/.config/matplotlib",
}
_USER = "notebook"


def child_environment(
    environment: Environment, private: Path, *, marker: str, source: Mapping[str, str] = os.environ
) -> dict[str, str]:
    """Return the variables of a kernel whose own files live below ``private``; those folders are made.

    Of ``source`` only the allow-list is taken, and of it no proxy address that carries credentials. ``marker`` is a
    random word by which every process of this kernel can be recognised.
    """
    kept = {name: value for name, value in source.items() if _allowed(name, value)}
    kept.setdefault("LANG", "C.UTF-8")
    bin_folder = environment.python.parent
    folders = [str(private / "bin"), str(bin_folder), source.get("PATH", os.defpath)]
    own = {name: str(private / place) for name, place in _PRIVATE.items()}
    for place in own.values():
        Path(place).mkdir(mode=0o700, parents=True, exist_ok=True)
    return {
        **kept,
        **own,
        "PATH": os.pathsep.join(folders),
        "VIRTUAL_ENV": str(bin_folder.parent),
        "USER": _USER,
        "LOGNAME": _USER,
        "SHELL": "/bin/sh",
        "PYTHONNOUSERSITE": "1",
        MARKER: marker,
    }


def _allowed(name: str, value: str) -> bool:
    if name.lower().endswith("_proxy") and "@" in value:
        return False
    return name in _KEPT or name.startswith("LC_")
