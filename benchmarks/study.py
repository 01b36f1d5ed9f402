"""Our repair loop beside the 2026 study's, on your notebooks and with your model, as `modernizer fix` would find both.

Usage: python benchmarks/study.py [--model NAME] NOTEBOOK...

The model, its address and its key are looked for as docs/models.md says; both loops have its budget each. The study's loop
shows the model the recorded scores and runs without proof or policy: its verdicts are no results, only something to compare with.
Nothing of the repositories is changed. Needs a sandbox of your own where the notebooks are not yours: none is set up here.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from loops import Side, Workplace, ours, table, theirs
from platformdirs import user_cache_path

from modernizer.config import load_config
from modernizer.discovery import TOOL_NAME, find_root
from modernizer.environment.build import BuildSettings, build
from modernizer.environment.installed import Installed
from modernizer.environment.interpreters import find_python
from modernizer.environment.model import Environment
from modernizer.environment.requirements import requirements_for
from modernizer.notebook import read_notebook
from modernizer.repair.model.assistant import Assistant, open_assistant
from modernizer.sandbox.credentials import take_secrets


def main() -> int:
    """Repair each notebook both ways and print the costs; exit 1 when there is no model or no environment."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model")
    parser.add_argument("notebooks", nargs="+", type=Path, metavar="NOTEBOOK")
    options = parser.parse_args()
    secrets = take_secrets()
    for notebook in options.notebooks:
        root = find_root([notebook.resolve()])
        config = load_config(None, root).with_options(model=options.model)
        with tempfile.TemporaryDirectory() as folder:
            sides = []
            for number, loop in enumerate((ours, theirs)):
                # Each has a cache and a memory of its own, so that neither is helped by the other's answers.
                base = Path(folder) / str(number)
                assistant = open_assistant(
                    config.model, secrets, out=base, cache=base, base_url=os.environ.get("OPENAI_BASE_URL"), report=print
                )
                sides.append(_side(loop, root, notebook.resolve(), assistant))
        print(notebook)
        table(*sides)
    return 0


def _side(loop: Callable[[Workplace, Assistant], Side], root: Path, notebook: Path, assistant: Assistant) -> Side:
    path = notebook.relative_to(root).as_posix()
    settings = load_config(None, root).for_notebook(path)
    requirements = requirements_for(
        read_notebook(notebook, name=path), root=root, declared_path=settings.requirements, packages=settings.packages
    )
    environment = build(requirements, BuildSettings(user_cache_path(TOOL_NAME), find_python(settings.python)))
    if not isinstance(environment, Environment):
        raise SystemExit(f"{path}: no environment: {environment.message}")
    with Installed(environment.python) as installed:
        try:
            return loop(Workplace(root, path, environment, installed), assistant)
        finally:
            assistant.close()


if __name__ == "__main__":
    sys.exit(main())
