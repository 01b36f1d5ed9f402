"""Recipes on small programs, beside a real interpreter with today's packages that confirms, fails and proves."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

import nbformat
import platformdirs
import pytest

from modernizer.environment.build import BuildSettings
from modernizer.environment.era import build_as_of
from modernizer.environment.installed import Installed
from modernizer.environment.interpreters import find_python
from modernizer.environment.model import Environment, Requirements
from modernizer.errors import ModernizerError
from modernizer.execution.outcome import CellError, Frame
from modernizer.notebook import parse_notebook
from modernizer.repair.apply import Surroundings, apply_recipes
from modernizer.repair.failure import place
from modernizer.repair.program import Key, Program
from modernizer.repair.recipe import Failure, Live, Packages, Recipe
from modernizer.repair.recipes import all_recipes
from modernizer.verdict.outcome import Diagnosis

# The oldest releases that a Python has wheels for, the oldest Python first: what the code before a repair runs in.
_ERAS = {
    "3.8": date(2020, 1, 20),
    "3.9": date(2021, 3, 1),
    "3.10": date(2022, 3, 1),
    "3.11": date(2023, 1, 10),
    "3": date(2025, 3, 1),
}
_ERA_PACKAGES = ("matplotlib", "networkx", "numpy", "pandas", "scikit-learn", "scipy", "seaborn", "statsmodels")

# The other side: answers one JSON question a line; each program runs in its own namespace, figures and prints go nowhere.
_SERVER = r"""
import contextlib, importlib, io, json, linecache, os, sys, traceback, types, warnings
os.environ.setdefault("MPLBACKEND", "agg")
os.environ.update({"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "NO_ALBUMENTATIONS_UPDATE": "1"})
warnings.simplefilter("ignore")
channel = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
spaces, errors = {}, {}

def find(dotted):
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except Exception:
            continue
        for part in parts[length:]:
            found = getattr(found, part)
        return found
    raise AttributeError(dotted)

def resolves(dotted):
    try:
        find(dotted)
    except Exception:
        return False
    return True

def public(kind):
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    parts = name.split(".")
    for length in range(1, len(parts)):
        short = ".".join([*parts[:length], parts[-1]])
        if resolves(short) and find(short) is kind:
            return short
    return name

def describe_local(space, function, expression):
    frames = [frame for frame, _ in traceback.walk_tb(errors[space].__traceback__)] if space in errors else []
    inner = next((frame for frame in reversed(frames) if frame.f_code.co_name == function), None)
    return inner and describe(space, expression, {**inner.f_globals, **inner.f_locals})

def describe(space, expression, names=None):
    try:
        value = eval(expression, names or spaces[space])
    except Exception:
        return None
    about = {"type_name": public(type(value)), "mro": [public(base) for base in type(value).__mro__]}
    index = getattr(value, "index", None)
    if type(value).__module__.startswith("pandas") and index is not None and not callable(index):
        about |= {"index_type": public(type(index)), "index_dtype": str(index.dtype)}
        if getattr(value, "ndim", 0) == 2:
            about["column_dtypes"] = {str(name): str(dtype) for name, dtype in value.dtypes.items()}
    dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    about["dtype"] = None if dtype is None else str(dtype)
    about["shape"] = list(shape) if isinstance(shape, tuple) else None
    try:
        about["length"] = len(value)
    except Exception:
        about["length"] = None
    return about

def run(space, cells, modules, folder):
    errors.clear()
    namespace = spaces[space] = {"__name__": "__main__"}
    for name in modules:
        sys.modules.pop(name, None)
    importlib.invalidate_caches()
    linecache.checkcache()
    sys.path[:] = [folder, *(path for path in sys.path if not path.startswith(os.path.dirname(folder)))]
    printed = io.StringIO()
    for index, source in enumerate(cells):
        name = f"<cell {index}>"
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(source, name, "exec"), namespace)
        except Exception as error:
            errors[space] = error
            frames = traceback.extract_tb(error.__traceback__)
            lines = [frame.lineno for frame in frames if frame.filename == name]
            return {"cell": index, "line": lines[-1] if lines else getattr(error, "lineno", None), "name": type(error).__name__,
                    "message": str(error), "traceback": traceback.format_exc(), "printed": printed.getvalue(),
                    "frames": [[frame.filename, frame.lineno, frame.name, frame.line or ""] for frame in frames]}
        finally:
            if "matplotlib.pyplot" in sys.modules:
                sys.modules["matplotlib.pyplot"].close("all")
    return {"printed": printed.getvalue()}

def plain(value):
    if hasattr(value, "to_dict") and hasattr(value, "values") and not isinstance(value, dict):
        value = value.to_dict() if getattr(value, "ndim", 1) == 1 else value.to_dict("list")
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)

def value(space, expression):
    return plain(eval(expression, spaces[space]))

for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = {"answer": globals()[request[0]](*request[1:])}
    except Exception:
        answer = {"trouble": traceback.format_exc()}
    channel.write(json.dumps(answer) + "\n")
    channel.flush()
"""


@dataclass(frozen=True)
class Described:
    """A live object as the interpreter describes it."""

    type_name: str
    mro: tuple[str, ...] = ()
    index_type: str | None = None
    index_dtype: str | None = None
    column_dtypes: Mapping[str, str] | None = None
    dtype: str | None = None
    shape: tuple[int, ...] | None = None
    length: int | None = None


class Interpreter:
    """The Python of an environment with today's packages, which runs cells in namespaces of their own."""

    def __init__(self, python: Path, folder: Path | None = None) -> None:
        command = [python, "-c", _SERVER]
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *question: object) -> Any:  # noqa: ANN401 (JSON data)
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert "trouble" not in answer, answer["trouble"]
        return answer["answer"]

    def close(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait(timeout=30)
        self.process.stdout.close()


@dataclass(frozen=True)
class Run:
    """One execution of cells in their own namespace: what was printed, the failure if any, and the objects it left."""

    interpreter: Interpreter
    space: str
    printed: str
    failure: Failure | None

    def describe(self, expression: str) -> Described | None:
        return _described(self.interpreter.ask("describe", self.space, expression))

    def describe_local(self, function: str, expression: str) -> Described | None:
        return _described(self.interpreter.ask("describe_local", self.space, function, expression))

    def divisions(self) -> tuple[()]:
        """Return no divisions: this interpreter never runs Python 2's."""
        return ()

    def value(self, expression: str) -> Any:  # noqa: ANN401 (JSON data)
        """Return the value of an expression as plain data (arrays and tuples as lists, other objects as their repr)."""
        return self.interpreter.ask("value", self.space, expression)


def _described(found: dict[str, Any] | None) -> Described | None:
    if found is None:
        return None
    shape = tuple(found.pop("shape") or ()) or None
    return Described(**found | {"mro": tuple(found["mro"]), "shape": shape})


@dataclass(frozen=True)
class Repaired:
    """A program after rounds of running and applying recipes until it ran clean or no recipe changed anything."""

    cells: list[str]
    modules: Mapping[str, str]
    last: Run
    explanations: list[str] = field(default_factory=list)
    run_then: Callable[[], Run] | None = None

    @cached_property
    def source(self) -> str:
        return "\n".join(self.cells)

    @cached_property
    def then(self) -> Run | None:
        """The code as it was, run in the packages of its time; None when it fails there as well."""
        ended = self.run_then() if self.run_then else None
        return ended if ended is not None and ended.failure is None else None

    def value(self, expression: str, *, as_then: bool = True) -> Any:  # noqa: ANN401 (JSON data)
        """Return a value after the repair; where the code as it was runs in the packages of its time, it is the same there."""
        assert self.last.failure is None, f"{self.last.failure}\n{self.source}"
        now = self.last.value(expression)
        if as_then and self.then is not None:
            then = self.then.value(expression)
            assert _same(then, now), f"{expression} was {then}, is {now}"
        return now


def _same(then: object, now: object) -> bool:
    """Compare plain data of two releases; solvers that stop at a tolerance may stop elsewhere."""
    if isinstance(then, list) and isinstance(now, list):
        return len(then) == len(now) and all(map(_same, then, now))
    if isinstance(then, dict) and isinstance(now, dict):
        return then.keys() == now.keys() and all(_same(then[key], now[key]) for key in then)
    if isinstance(then, float) or isinstance(now, float):
        return bool(then == pytest.approx(now, rel=1e-3, abs=1e-12, nan_ok=True))
    return then == now


def program_of(cells: Sequence[str], modules: Mapping[str, str] | None = None) -> Program:
    node = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    return Program(parse_notebook(nbformat.writes(node).encode(), name="test.ipynb"), dict(modules or {}))


def cells_of(program: Program) -> list[str]:
    return [cell.source for cell in program.notebook.code_cells]


@pytest.fixture(scope="session")
def program() -> Callable[..., Program]:
    """Make a program of cells and modules."""
    return program_of


@pytest.fixture(autouse=True)
def _no_recipe_fails(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """A recipe that raises is left out of a repair, but no test passes with one."""
    yield
    failed = [record.getMessage() for record in caplog.get_records("call") if record.name == "modernizer.repair.apply"]
    assert not failed, failed


@pytest.fixture(scope="session")
def kernel_python(kernel_environment: Environment) -> Path:
    """The interpreter of an environment with today's packages, or the one of MODERNIZER_TEST_PYTHON."""
    return Path(os.environ.get("MODERNIZER_TEST_PYTHON") or kernel_environment.python)


@pytest.fixture(scope="session")
def installed(kernel_python: Path) -> Iterator[Installed]:
    """The installed packages as recipes may ask about them."""
    with Installed(kernel_python) as packages:
        yield packages


@pytest.fixture(scope="session")
def interpreter(kernel_python: Path) -> Iterator[Interpreter]:
    """A running interpreter with those packages."""
    started = Interpreter(kernel_python)
    yield started
    started.close()


@pytest.fixture(scope="session")
def run(interpreter: Interpreter, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Run]:
    """Run cells (a string or a list) in a fresh namespace; ``modules`` maps file names to source."""
    return _runner(interpreter, tmp_path_factory)


@pytest.fixture(scope="session")
def run_then(era: Interpreter, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Run]:
    """As ``run``, in the packages of the past."""
    return _runner(era, tmp_path_factory)


@pytest.fixture(scope="session")
def era() -> Iterator[Interpreter]:
    """A running interpreter with the packages of a date, as old as the Pythons of this machine can have from wheels."""
    folder = platformdirs.user_cache_path("notebook-modernizer-tests") / "era"
    day, python = next((day, minor) for minor, day in _ERAS.items() if _has(minor))
    built = build_as_of(day, Requirements(_ERA_PACKAGES), BuildSettings(folder, Path()), python)
    assert isinstance(built, Environment), built
    started = Interpreter(built.python)
    yield started
    started.close()


def _has(minor: str) -> bool:
    try:
        find_python(minor)
    except ModernizerError:
        return False
    return True


def _runner(interpreter: Interpreter, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Run]:
    count = iter(range(1_000_000))

    def run_cells(cells: str | Sequence[str], *, modules: Mapping[str, str] | None = None) -> Run:
        sources = [cells] if isinstance(cells, str) else list(cells)
        space = f"space{next(count)}"
        folder = tmp_path_factory.mktemp(space)
        for path, source in (modules or {}).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(source, encoding="utf-8")
        names = [path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in modules or {}]
        ended = interpreter.ask("run", space, sources, names, str(folder))
        return Run(
            interpreter,
            space,
            ended["printed"],
            _failure(ended, program_of(sources, modules), folder) if "cell" in ended else None,
        )

    return run_cells


def _failure(ended: Mapping[str, Any], program: Program, folder: Path) -> Failure:
    frames = []
    for file, line, function, code in ended["frames"]:
        if file.startswith("<cell "):
            frames.append(Frame(line=line, function=function, cell=int(file[6:-1]), code=code))
        elif Path(file).is_relative_to(folder):
            frames.append(Frame(line=line, function=function, file=str(Path(file).relative_to(folder)), local=True, code=code))
        elif Path(file).is_absolute() or function == "<module>":
            frames.append(Frame(line=line, function=function, file=file, code=code))
    error = CellError(ended["cell"], ended["name"], ended["message"], ended["line"], tuple(frames), ended["traceback"])
    return place(error, Diagnosis("other"), program)


@pytest.fixture(scope="session")
def rewrite(installed: Installed) -> Callable[..., Any]:
    """Apply recipes to a program once and return its cells, a string for a string, a list for a list.

    ``recipe`` is one recipe, its name, or None for all; with ``modules`` (paths to sources) the result is (cells, modules).
    """

    def rewrite_program(
        cells: str | Sequence[str],
        *,
        recipe: Recipe | str | None = None,
        failure: Failure | None = None,
        live: Live | None = None,
        modules: Mapping[str, str] | None = None,
        packages: Packages | None = None,
    ) -> Any:  # noqa: ANN401 (as many cells as were given)
        sources = [cells] if isinstance(cells, str) else list(cells)
        chosen: list[Recipe] = [one for one in all_recipes() if recipe is None or one is recipe or one.name == recipe]
        assert chosen, f"no such recipe: {recipe}"
        surroundings = Surroundings(packages or installed, failure, live)
        program, _ = apply_recipes(program_of(sources, modules), chosen, surroundings)
        after: Any = cells_of(program)[0] if isinstance(cells, str) else cells_of(program)
        return after if modules is None else (after, dict(program.modules))

    return rewrite_program


@pytest.fixture(scope="session")
def failure() -> Callable[..., Failure]:
    """Make a failure from its message: ``failure("KeyError", "0", unit=1, line=2)``."""

    def make(
        name: str, message: str, *, unit: Key = 0, line: int = 1, traceback: str = "", diagnosis: Diagnosis | None = None
    ) -> Failure:
        cell = unit if isinstance(unit, int) else 0
        return Failure(unit, line, CellError(cell, name, message, line, (), traceback), diagnosis or Diagnosis("other"))

    return make


@pytest.fixture(scope="session")
def repair(run: Callable[..., Run], run_then: Callable[..., Run], installed: Installed) -> Callable[..., Repaired]:
    """Run cells, apply all recipes to the real failure, and again, as the repair loop does, until nothing more helps."""
    return _repairing(run, installed, run_then)


@pytest.fixture(scope="session")
def network_packages(network_environment: Environment) -> Iterator[Installed]:
    """TensorFlow, Keras, albumentations and Pillow as recipes may ask about them."""
    with Installed(network_environment.python, timeout=120) as packages:
        yield packages


@pytest.fixture(scope="session")
def repair_network(
    network_environment: Environment, network_packages: Installed, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Repaired]]:
    """As ``repair``, with TensorFlow, Keras, albumentations and Pillow."""
    started = Interpreter(network_environment.python, tmp_path_factory.mktemp("networks"))
    yield _repairing(_runner(started, tmp_path_factory), network_packages)
    started.close()


def _repairing(
    run: Callable[..., Run], installed: Installed, run_then: Callable[..., Run] | None = None
) -> Callable[..., Repaired]:
    def repair_program(cells: str | Sequence[str], *, modules: Mapping[str, str] | None = None, rounds: int = 12) -> Repaired:
        program = program_of([cells] if isinstance(cells, str) else cells, modules)
        explanations: list[str] = []
        ended = run(cells_of(program), modules=program.modules)
        while ended.failure is not None and rounds:
            changed, fixes = apply_recipes(program, all_recipes(), Surroundings(installed, ended.failure, ended))
            if not fixes:
                break
            explanations += [fix.explanation for fix in fixes]
            program = changed
            ended = run(cells_of(program), modules=program.modules)
            rounds -= 1
        then = (lambda: run_then(cells, modules=modules)) if run_then else None
        return Repaired(cells_of(program), program.modules, ended, explanations, then)

    return repair_program
