from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PYTHON = ".".join(map(str, sys.version_info[:2]))


def recorded(repo: Path, source: str, *options: str) -> subprocess.CompletedProcess[str]:
    cell: dict[str, object] = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": [source]}
    document = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 2}
    (repo / "n.ipynb").write_text(json.dumps(document, indent=1))
    command = [sys.executable, "-m", "modernizer", "record", "n.ipynb", "--python", PYTHON, "--out", "out", *options]
    return subprocess.run(command, cwd=repo, check=False, capture_output=True, text=True, timeout=230)


@pytest.mark.timeout(240)
def test_a_missing_record_is_made_in_the_packages_of_the_date(tmp_path: Path) -> None:
    done = recorded(tmp_path, "import six; print(six.__version__)", "--as-of", "2019-06-01")
    assert done.returncode == 0, done.stderr
    made = json.loads((tmp_path / "out" / "notebooks" / "n.ipynb").read_text())
    assert made["cells"][0]["outputs"][0]["text"] == ["1.12.0\n"]
    assert json.loads((tmp_path / "n.ipynb").read_text())["cells"][0]["outputs"] == []
    done = recorded(tmp_path, "import six; print(six.__version__)", "--as-of", "2019-06-01", "--write")
    assert json.loads((tmp_path / "n.ipynb").read_text()) == made


@pytest.mark.timeout(240)
def test_a_notebook_that_fails_is_not_recorded(tmp_path: Path) -> None:
    done = recorded(tmp_path, "import six; 1 / 0", "--as-of", "2019-06-01", "--write")
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr
    assert json.loads((tmp_path / "n.ipynb").read_text())["cells"][0]["outputs"] == []


@pytest.mark.parametrize(
    ("options", "message"), [((), "date is not known"), (("--as-of", "2999-01-01"), "not a date in the past")]
)
def test_a_record_needs_a_date_in_the_past(tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    done = recorded(tmp_path, "1", *options)
    assert done.returncode == 2
    assert message in done.stderr


@pytest.mark.timeout(240)
def test_a_check_as_of_a_date_runs_in_the_packages_of_that_date(tmp_path: Path) -> None:
    recorded(tmp_path, "import six\nassert six.__version__ == '1.12.0'")
    command = [
        sys.executable,
        "-m",
        "modernizer",
        "check",
        "n.ipynb",
        "--as-of",
        "2019-06-01",
        "--python",
        PYTHON,
        "--out",
        "out",
    ]
    subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, timeout=230)
    data = json.loads((tmp_path / "out" / "results.json").read_text())
    assert data["notebooks"][0]["before"]["verdict"] == "ran"
    assert data["notebooks"][0]["as_of"] == "2019-06-01"
    assert data["environments"][0]["packages"]["six"] == "1.12.0"
