"""What the product costs beside its peers, as ratios within one run.

1. ``modernizer check`` on eight healthy notebooks, two jobs, against a plain nbclient loop in two processes in the same
   ready environment: wall time, at most 1.15.
2. Setting an environment up warm against ``python -m venv`` and pip with a warm cache: wall time, at most 0.1.

Usage: python benchmarks/overhead.py [--rounds N]
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import nbformat
from platformdirs import user_cache_path

from modernizer.discovery import TOOL_NAME
from modernizer.environment.build import BuildSettings, build
from modernizer.environment.interpreters import find_python
from modernizer.environment.model import Environment, Requirements

_SPECS = ("ipykernel", "matplotlib", "matplotlib-inline", "numpy", "pandas", "scikit-learn")
_CELLS = (
    "import pandas as pd\nfrom sklearn.datasets import load_digits\nfrom sklearn.ensemble import RandomForestClassifier",
    "%matplotlib inline\nimport matplotlib.pyplot as plt\nX, y = load_digits(return_X_y=True)",
    "frame = pd.DataFrame(X).describe()\nframe",
    "plt.imshow(X[{number}].reshape(8, 8));",
    "model = RandomForestClassifier(n_estimators=120, random_state={number}).fit(X[:1200], y[:1200])",
    "print('accuracy: %.4f' % model.score(X[1200:], y[1200:]))",
)
_PEER = """
import sys, nbformat
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
python, *paths = sys.argv[1:]
class Manager(AsyncKernelManager):
    @property
    def kernel_spec(self):
        return KernelSpec(argv=[python, "-m", "ipykernel_launcher", "-f", "{connection_file}"], language="python")
for path in paths:
    NotebookClient(nbformat.read(path, 4), timeout=300, kernel_manager_class=Manager).execute()
"""


def main() -> int:
    """Measure and print both ratios; exit 1 when one is over its bound."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--rounds", type=int, default=3)
    rounds = arguments.parse_args().rounds
    python = find_python(None)
    settings = BuildSettings(user_cache_path(TOOL_NAME), python)
    environment = build(Requirements(_SPECS), settings)
    if not isinstance(environment, Environment):
        print(f"no environment: {environment.message}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        running = _running(Path(folder), environment, rounds)
        setting_up = _setting_up(Path(folder), python, settings)
    print(json.dumps({"check against nbclient": running, "environment against venv and pip": setting_up}, indent=1))
    return 0 if running["ratio"] <= 1.15 and setting_up["ratio"] <= 0.1 else 1  # noqa: PLR2004 (the bounds above)


def _running(folder: Path, environment: Environment, rounds: int) -> dict[str, float]:
    repository = folder / "repository"
    repository.mkdir()
    paths = [repository / f"n{number}.ipynb" for number in range(8)]
    for number, path in enumerate(paths):
        cells = [nbformat.v4.new_code_cell(cell.format(number=number)) for cell in _CELLS]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    check = [sys.executable, "-m", "modernizer", "check", str(repository), "--jobs", "2", "--out", str(folder / "out")]

    def peer() -> None:
        halves = (paths[::2], paths[1::2])
        commands = [[sys.executable, "-c", _PEER, str(environment.python), *map(str, half)] for half in halves]
        for process in [subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=repository) for command in commands]:
            if process.wait():
                raise SystemExit("the plain loop failed")

    def ours() -> None:
        subprocess.run(check, stdout=subprocess.DEVNULL, check=True)

    ours()
    pairs = [(_seconds(ours), _seconds(peer)) for _ in range(rounds)]
    return {
        "ours_s": round(statistics.median(pair[0] for pair in pairs), 2),
        "peer_s": round(statistics.median(pair[1] for pair in pairs), 2),
        "ratio": round(statistics.median(one / other for one, other in pairs), 3),
    }


def _setting_up(folder: Path, python: Path, settings: BuildSettings) -> dict[str, float]:
    def ours() -> None:
        build(Requirements(_SPECS), settings)

    def peer() -> None:
        place = folder / f"venv{time.monotonic_ns()}"
        subprocess.run([str(python), "-m", "venv", str(place)], check=True)
        command = [str(place / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *_SPECS]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)

    peer()
    one, other = _seconds(ours), _seconds(peer)
    return {"ours_s": round(one, 3), "peer_s": round(other, 2), "ratio": round(one / other, 4)}


def _seconds(work: Callable[[], None]) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began


if __name__ == "__main__":
    sys.exit(main())
