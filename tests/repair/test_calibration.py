"""Score-calibration against the real releases of 2018 and today."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import platformdirs
import pytest

from modernizer.bench import ScratchRun, Task, judged, load_program
from modernizer.config import Config
from modernizer.drift.worlds import Worlds, open_worlds
from modernizer.environment.installed import Installed
from modernizer.environment.model import Environment, Requirements
from modernizer.notebook import read_notebook
from modernizer.repair.calibration import Calibrated, calibrate
from modernizer.repair.loop import Bench
from modernizer.repair.program import Program

DIGITS = """from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC
X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=0)
"""


@pytest.fixture(scope="session")
def installed(kernel_environment: Environment) -> Iterator[Installed]:
    with Installed(kernel_environment.python) as answers:
        yield answers


@pytest.fixture(scope="session")
def worlds(kernel_environment: Environment) -> Worlds:
    python = ".".join(kernel_environment.python_version.split(".")[:2])
    cache = Path(platformdirs.user_cache_dir("notebook-modernizer-tests")) / "drift"
    packages = ("numpy", "scikit-learn")
    opened = open_worlds(packages, date(2018, 6, 1), cache=cache, python=python, now=kernel_environment.packages)
    assert opened.then["scikit-learn"].version == "0.19.1"
    return opened


Try = Callable[..., "Tried"]


class Tried:
    """A calibration with how many runs it made."""

    def __init__(self, result: Calibrated, original: Program) -> None:
        self.result = result
        self.original = original

    @property
    def changes(self) -> dict[int | str, str]:
        program = self.result.program
        return {key: after for key, (_, after) in program.changes_since(self.original).items()} if program else {}

    @property
    def said(self) -> str:
        return " | ".join(f"{attempt.outcome}: {attempt.why}" for attempt in self.result.attempts)


@pytest.fixture
def tried(tmp_path: Path, kernel_environment: Environment, installed: Installed, worlds: Worlds) -> Try:
    """Run cells, given as (source, stored output), and calibrate them when their scores are off."""

    def run(
        cells: Sequence[tuple[str, str]],
        modules: Mapping[str, str] | None = None,
        *,
        tolerance: float = 0.01,
        notes: tuple[str, ...] = (),
    ) -> Tried:
        content = [
            {
                "cell_type": "code",
                "execution_count": number,
                "metadata": {},
                "outputs": [{"output_type": "stream", "name": "stdout", "text": output}] if output else [],
                "source": source,
            }
            for number, (source, output) in enumerate(cells, 1)
        ]
        (tmp_path / "n.ipynb").write_text(json.dumps({"cells": content, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}))
        for name, source in (modules or {}).items():
            (tmp_path / name).write_text(source)
        notebook = read_notebook(tmp_path / "n.ipynb", name="n.ipynb")
        settings = Config().for_notebook("n.ipynb")
        settings = replace(settings, tolerance=settings.tolerance._replace(relative=tolerance))
        task = Task(tmp_path, notebook, settings, Requirements(()))
        original = load_program(notebook, tmp_path)
        bench = Bench(
            open_run=lambda program: ScratchRun(task, kernel_environment, program),
            judge=judged(task, notebook, kernel_environment, lambda: ()),
            installed=installed,
            recipes=(),
        )
        first = bench.open_run(original)
        try:
            outcome = bench.judge(original, first.run())
        finally:
            first.close()
        assert outcome.verdict == "drifted", outcome
        return Tried(calibrate(original, replace(worlds, notes=notes), bench), original)

    return run


def test_the_default_that_did_it_is_restored_and_no_other(tried: Try) -> None:
    done = tried([
        (DIGITS, ""),
        ("forest = RandomForestClassifier(n_estimators=20, random_state=0).fit(X_train, y_train)", ""),
        ("linear = SVC(kernel='linear').fit(X_train, y_train)\nprint('size:', len(linear.support_) > 0)", ""),
        ("model = SVC().fit(X_train, y_train)\nprint('accuracy: %.4f' % model.score(X_test, y_test))", "accuracy: 0.4722\n"),
    ])  # fmt: skip
    assert done.result.outcome.verdict == "reproduced"
    assert done.result.outcome.scores[0].value == pytest.approx(0.4722, abs=5e-5)
    assert list(done.changes) == [3]
    assert "SVC(gamma='auto').fit" in done.changes[3]
    fix = done.result.fix
    assert (fix.kind, fix.origin, fix.cells) == ("score-calibration", "recipe:restore-default", (3,))
    assert "gamma='auto', 'scale' in scikit-learn" in fix.explanation
    assert "scikit-learn 0.19.1" in fix.source


def test_a_forest_gets_its_ten_trees_back(tried: Try) -> None:
    done = tried([
        (DIGITS, ""),
        ("model = RandomForestClassifier(random_state=0)", ""),
        ("model.fit(X_train, y_train)\nprint('accuracy: %.4f' % model.score(X_test, y_test))", "accuracy: 0.9426\n"),
    ])  # fmt: skip
    assert done.changes == {1: "model = RandomForestClassifier(random_state=0, n_estimators=10)"}
    assert done.result.outcome.scores[0].value == pytest.approx(0.9426, abs=5e-5)


def test_liblinear_on_many_classes_is_wrapped(tried: Try) -> None:
    source = (
        "model = LogisticRegression(C=0.01)\nmodel.fit(X_train, y_train)\nprint('accuracy: %.4f' % model.score(X_test, y_test))"
    )
    cells = [
        (DIGITS.replace("test_size=0.3, random_state=0", "test_size=0.5, random_state=2").replace("(X, y", "(X / 16.0, y"), "")
    ]
    done = tried([*cells, (source, "accuracy: 0.8843\n")], tolerance=0.0005)
    assert "OneVsRestClassifier(LogisticRegression(C=0.01, solver='liblinear'))" in done.changes[1]
    assert done.result.outcome.scores[0].value == pytest.approx(0.8843, abs=5e-5)


def test_a_wrapper_is_not_used_where_the_code_reads_what_it_lacks(tried: Try) -> None:
    iris = DIGITS.replace("load_digits", "load_iris")
    source = "model = LogisticRegression().fit(X_train, y_train)\nprint('accuracy: %.4f' % model.score(X_test, y_test))"
    done = tried([(iris, ""), (f"{source}\nmodel.coef_.shape", "accuracy: 0.8000\n")])
    assert done.changes == {}
    assert "a wrapper has no coef_" in done.said


def test_one_seed_for_all_classes_comes_back_in_a_local_module(tried: Try) -> None:
    module = """from sklearn.datasets import load_wine
from sklearn.linear_model import Perceptron
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
def score():
    X, y = load_wine(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=0)
    scaler = StandardScaler().fit(X_train)
    model = Perceptron(max_iter=40, tol=None, eta0=0.1, random_state=0).fit(scaler.transform(X_train), y_train)
    return model.score(scaler.transform(X_test), y_test)
"""
    done = tried([("from wine import score\nprint('accuracy: %.4f' % score())", "accuracy: 0.9815\n")], {"wine.py": module})
    assert done.result.fix.files == ("wine.py",)
    assert "OneVsRestClassifier(Perceptron(max_iter=40, tol=None, eta0=0.1, random_state=0)).fit" in done.changes["wine.py"]


def test_a_score_that_old_defaults_do_not_bring_back_stays_drifted(tried: Try) -> None:
    source = (
        "model = SVC().fit(X_train, y_train)\nKMeans(3, random_state=0)\nprint('accuracy: %.4f' % model.score(X_test, y_test))"
    )
    done = tried([(DIGITS + "from sklearn.cluster import KMeans\n", ""), (source, "accuracy: 0.731313\n")])
    assert done.result.program is None
    assert done.result.fix is None
    assert "still off" in done.said
    assert "KMeans: k-means draws its random numbers in another order" in done.said


def test_nothing_that_a_calibration_says_tells_the_recorded_number(tried: Try) -> None:
    source = "model = SVC().fit(X_train, y_train)\nprint('accuracy: %.6f' % model.score(X_test, y_test))"
    done = tried([(DIGITS, ""), (source, "accuracy: 0.731313\n")])
    assert done.result.executions == 1
    assert "731313" not in repr(done.result)


def test_without_a_changed_default_nothing_is_run(tried: Try) -> None:
    done = tried([("import numpy as np\nprint('score: %.2f' % np.mean([1, 2, 3]))", "score: 7.00\n")])
    assert done.result.executions == 0
    assert "no changed default" in done.said


def test_releases_that_could_not_be_read_are_named_as_a_possible_cause(tried: Try) -> None:
    note = "numpy: the release of that time was published as source only"
    done = tried([("import numpy as np\nprint('score: %.2f' % np.mean([1, 2, 3]))", "score: 7.00\n")], notes=(note,))
    assert done.said.endswith(f"; the cause may lie in what couldn't be compared: {note}")
