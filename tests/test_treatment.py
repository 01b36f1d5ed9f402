"""What a notebook's settings allow its repair."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from modernizer.bench import Task
from modernizer.config import Config
from modernizer.environment.installed import Installed
from modernizer.environment.model import Environment, Requirements
from modernizer.notebook import parse_notebook
from modernizer.repair.recipes import all_recipes
from modernizer.treatment import treat

GONE = "from sklearn.datasets import load_boston\nx = load_boston().data"
HINT = (
    "with network: allow in the settings, the rule sklearn-gone-dataset fetches the data set, from lib.stat.cmu.edu or openml.org"
)


@pytest.mark.parametrize(("cell", "notes"), [(GONE, (HINT,)), ("1 / 0", ())])
def test_without_a_network_nothing_is_fetched_and_the_option_is_named(
    tmp_path: Path, kernel_environment: Environment, cell: str, notes: tuple[str, ...]
) -> None:
    code: dict[str, object] = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": cell}
    content = json.dumps({"cells": [code], "metadata": {}, "nbformat": 4, "nbformat_minor": 2})
    notebook = parse_notebook(content.encode(), name="test.ipynb")
    (tmp_path / "test.ipynb").write_bytes(notebook.to_bytes())
    task = Task(tmp_path, notebook, Config(network="install-only").for_notebook("test.ipynb"), Requirements(()))
    with Installed(kernel_environment.python) as installed:
        treated = treat(
            task, kernel_environment, installed, recipes=all_recipes(), list_files=lambda: (), on_progress=lambda _: None
        )
    assert treated.result.before.verdict == "broken"
    assert (treated.notes, treated.changed) == (notes, ())
