from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import pytest

from modernizer.bench import ScratchRun, Task, judged, load_program
from modernizer.config import Config
from modernizer.environment.installed import Installed
from modernizer.environment.model import Environment, Requirements
from modernizer.notebook import read_notebook
from modernizer.repair.loop import Bench, Repaired, repair
from modernizer.repair.recipe import Recipe, Scope, Unit
from modernizer.repair.recipes import all_recipes

FOLDS = "from sklearn.cross_validation import train_test_split\nimport numpy as np"
OLD = "value = np.float(3)\nprint('score: %.1f' % value)"


class Replace:
    """A recipe for tests: replaces a text wherever it stands, in all units or in the failing one only."""

    name: ClassVar[str] = "replace"
    summary: ClassVar[str] = "A text was replaced."
    since: ClassVar[str] = ""
    source: ClassVar[str] = "test"
    words: ClassVar[frozenset[str]] = frozenset()
    order: ClassVar[int] = 50
    confirmed: ClassVar[bool] = False
    at_end: ClassVar[bool] = False

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        del scope
        return unit.source.replace(self.old, self.new)


class Replace2(Replace):
    name: ClassVar[str] = "other"


class Fetch(Replace):
    fetches: ClassVar[str] = "a file"


@pytest.fixture(scope="session")
def installed(kernel_environment: Environment) -> Iterator[Installed]:
    with Installed(kernel_environment.python) as answers:
        yield answers


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    (tmp_path / "repo").mkdir()
    return tmp_path / "repo"


def write(repo: Path, cells: Sequence[str | tuple[str, str]]) -> None:
    """Write a notebook; a cell given as a pair has that stored output."""
    content = []
    for number, cell in enumerate(cells):
        source, output = cell if isinstance(cell, tuple) else (cell, "")
        outputs = [{"output_type": "stream", "name": "stdout", "text": output}] if output else []
        lines = source.splitlines(keepends=True)
        content.append({"cell_type": "code", "execution_count": number + 1, "metadata": {}, "outputs": outputs, "source": lines})
    notebook = {"cells": content, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}
    (repo / "n.ipynb").write_text(json.dumps(notebook, indent=1) + "\n")


def repaired(repo: Path, environment: Environment, installed: Installed, recipes: Sequence[Recipe] | None = None) -> Repaired:
    notebook = read_notebook(repo / "n.ipynb", name="n.ipynb")
    task = Task(repo, notebook, Config().for_notebook("n.ipynb"), Requirements(()))
    original = load_program(notebook, repo)
    judge = judged(task, notebook, environment, lambda: ())
    run = ScratchRun(task, environment, original)
    first = run.run()
    bench = Bench(
        open_run=lambda program: ScratchRun(task, environment, program),
        judge=judge,
        installed=installed,
        recipes=all_recipes() if recipes is None else recipes,
    )
    return repair(original, run, first, judge(original, first), bench)


def sources(result: Repaired) -> list[str]:
    return [cell.source for cell in result.program.notebook.code_cells]


def test_migrations_reach_all_cells_at_once(repo: Path, kernel_environment: Environment, installed: Installed) -> None:
    write(repo, [FOLDS, (OLD, "score: 3.0\n"), "never = lambda: np.float(1)"])
    before = (repo / "n.ipynb").read_bytes()
    result = repaired(repo, kernel_environment, installed)
    assert result.after is not None
    assert result.after.verdict == "reproduced"
    assert result.stopped == "good"
    assert sources(result)[0].startswith("from sklearn.model_selection import train_test_split")
    assert "np.float" not in "".join(sources(result))
    assert result.ledger.executions == 2
    assert (repo / "n.ipynb").read_bytes() == before


def test_local_modules_are_repaired_and_forgotten(repo: Path, kernel_environment: Environment, installed: Installed) -> None:
    (repo / "tools.py").write_text("import numpy as np\n\ndef three():\n    return np.float(3)\n")
    write(repo, ["from tools import three", ("print('score: %.1f' % three())", "score: 3.0\n")])
    result = repaired(repo, kernel_environment, installed)
    assert result.after is not None
    assert result.after.verdict == "reproduced"
    assert result.program.modules["tools.py"] == "import numpy as np\n\ndef three():\n    return float(3)\n"
    assert [fix.files for fix in result.fixes] == [("tools.py",)]
    assert "np.float" in (repo / "tools.py").read_text()


def test_the_repair_goes_on_in_the_live_kernel(repo: Path, kernel_environment: Environment, installed: Installed) -> None:
    write(repo, ["import time\nimport numpy as np\ntime.sleep(1)", "x = np.NaN", "y = np.Inf"])
    result = repaired(repo, kernel_environment, installed)
    assert result.after is not None
    assert result.after.verdict == "ran"
    assert result.ledger.executions == 2
    assert result.ledger.cell_seconds < 1.9, "only the proof may run the first cell again"


@pytest.mark.parametrize(
    ("recipe", "verdict"),
    [
        (Fetch("open('gone.csv')", "1"), "ran"),
        (Fetch("gone.csv')", "gone.csv') "), None),
        (Fetch("open('gone.csv')", "__import__('urllib.request').request.urlopen('http://127.0.0.1:9')"), None),
        (Replace("open('gone.csv')", "1"), None),
    ],
    ids=["fetched", "in-vain", "refused", "fetches-nothing"],
)
def test_what_is_missing_may_be_fetched(
    repo: Path, kernel_environment: Environment, installed: Installed, recipe: Recipe, verdict: str | None
) -> None:
    write(repo, ["x = open('gone.csv')"])
    result = repaired(repo, kernel_environment, installed, [recipe])
    assert (result.after.verdict if result.after else None) == verdict
    assert result.stopped == ("good" if verdict else "blocked")
    assert bool(result.fixes) == bool(verdict)


def test_without_a_fitting_recipe_nothing_changes(repo: Path, kernel_environment: Environment, installed: Installed) -> None:
    write(repo, ["1 / 0"])
    result = repaired(repo, kernel_environment, installed)
    assert (result.stopped, result.after, result.fixes) == ("none-applicable", None, ())
    assert sources(result) == ["1 / 0"]


def test_the_best_state_is_kept_with_a_clean_run(repo: Path, kernel_environment: Environment, installed: Installed) -> None:
    write(repo, ["import numpy as np\nx = np.NaN", "1 / 0"])
    result = repaired(repo, kernel_environment, installed)
    assert result.stopped == "no-progress"
    assert result.after is not None
    assert result.after.verdict == "broken"
    assert result.after.error is not None
    assert result.after.error.cell == 1
    assert sources(result)[0] == "import numpy as np\nx = np.nan"


def test_a_guess_that_makes_it_worse_is_taken_back(repo: Path, kernel_environment: Environment, installed: Installed) -> None:
    write(repo, ["x = 1", "y = x.nothing"])
    result = repaired(repo, kernel_environment, installed, [Replace("x = 1", "x = 1 / 0")])
    assert result.after is None
    assert [(attempt.origin, attempt.outcome) for attempt in result.attempts] == [("recipe:replace", "rolled-back")]
    assert sources(result) == ["x = 1", "y = x.nothing"]


def test_a_guess_without_effect_gives_way_to_another(repo: Path, kernel_environment: Environment, installed: Installed) -> None:
    write(repo, ["class A: right = 1", "A.wrong # here"])
    result = repaired(repo, kernel_environment, installed, [Replace("# here", "# there"), Replace2("A.wrong", "A.right")])
    assert result.after is not None
    assert result.after.verdict == "ran"
    assert sources(result)[1].startswith("A.right")


def test_needless_hunks_are_dropped(repo: Path, kernel_environment: Environment, installed: Installed) -> None:
    cells = ["x = 1", "def unused():\n    return x.wrong", "a = 1\nb = 2\nc = 3\nd = 4", "x.wrong"]
    write(repo, cells)
    result = repaired(repo, kernel_environment, installed, [Replace("x.wrong", "x.real")])
    assert result.after is not None
    assert result.after.verdict == "ran"
    assert sources(result) == [*cells[:3], "x.real"]
    assert result.fixes[0].cells == (3,)


def test_python_2_division_keeps_its_meaning(repo: Path, kernel_environment: Environment, installed: Installed) -> None:
    cells = [
        "import numpy as np\nprint 7 / 2, 7.0 / 2",
        "def half(n):\n    return n / 2\nx = [half(3), half(4)]",
        "y = 9\ny /= 2\nz = np.arange(4) / 2\n%time w = 5 / 2",
        "both = [n / 2 for n in (3, 3.0)]",
    ]
    write(repo, cells)
    result = repaired(repo, kernel_environment, installed)
    assert result.after is not None
    assert result.after.verdict == "ran"
    assert sources(result)[:3] == [
        "import numpy as np\nprint(7 // 2, 7.0 / 2)",
        "def half(n):\n    return n // 2\nx = [half(3), half(4)]",
        "y = 9\ny //= 2\nz = np.arange(4) // 2\n%time w = 5 / 2",
    ]
    assert sources(result)[3] == cells[3]


def test_a_conversion_is_kept_whole_where_only_an_error_told_of_python_2(
    repo: Path, kernel_environment: Environment, installed: Installed
) -> None:
    write(repo, ["squares = map(lambda v: v ** 2, [1, 2])", "range(3)", "total = reduce(max, [1, 2])"])
    result = repaired(repo, kernel_environment, installed)
    assert result.after is not None
    assert result.after.verdict == "ran"
    assert sources(result) == [
        "squares = list(map(lambda v: v ** 2, [1, 2]))",
        "list(range(3))",
        "from functools import reduce\ntotal = reduce(max, [1, 2])",
    ]


def test_a_cell_that_never_ran_is_left_alone(repo: Path, kernel_environment: Environment, installed: Installed) -> None:
    write(repo, ["import numpy as np", "print the mean of x"])
    notebook = json.loads((repo / "n.ipynb").read_text())
    notebook["cells"][1]["execution_count"] = None
    (repo / "n.ipynb").write_text(json.dumps(notebook))
    result = repaired(repo, kernel_environment, installed)
    assert result.after is None
    assert result.attempts == ()
