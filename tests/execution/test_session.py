from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest

from modernizer.environment.model import Environment
from modernizer.execution.outcome import Execution
from modernizer.execution.scratch import ScratchCopy
from modernizer.execution.session import Session
from modernizer.notebook import Notebook


def text(outputs: Iterable[Mapping[str, Any]]) -> str:
    return "".join(output.get("text", "") or output.get("data", {}).get("text/plain", "") for output in outputs)


def stored_error(name: str) -> list[Any]:
    return [nbformat.v4.new_output("error", ename=name, evalue="stored", traceback=[])]


def test_a_healthy_notebook_finishes_with_outputs_times_and_memory(open_session: Callable[..., Session]) -> None:
    execution = open_session("x = 20", "print('out')\nx + 1", "").run()
    assert execution.end == "finished"
    assert [cell.status for cell in execution.cells] == ["ok", "ok", "ok"]
    assert text(execution.outputs[1]) == "out\n21"
    assert execution.cells_run == 3
    assert execution.cells[0].peak_memory > 10_000_000
    assert 0 < execution.cell_seconds < execution.seconds


def test_the_first_fatal_error_ends_the_run(reused: Callable[..., Execution]) -> None:
    execution = reused("a = 1", "\nb = 2\nraise ValueError('no\\nway')", "print('never')")
    assert execution.end == "error"
    assert [cell.status for cell in execution.cells] == ["ok", "error", "not-run"]
    assert (execution.error.cell, execution.error.line) == (1, 3)
    assert (execution.error.name, execution.error.message) == ("ValueError", "no\nway")
    assert "\x1b" not in execution.error.traceback
    assert 2 not in execution.outputs


@pytest.mark.parametrize(
    ("source", "name", "line"),
    [
        ("x = 1\nprint 'hello'", "SyntaxError", 2),
        ("if True:\n    x = 1\n  y = 2", "IndentationError", 3),
        ("%%time\nx = 1\n1 / 0", "ZeroDivisionError", 3),
        ("%%capture\nx = 1\ny = 2\n1 / 0", "ZeroDivisionError", 4),
        ("x = 1\n!true\n1 / 0", "ZeroDivisionError", 3),
        ("class Bad:\n    def __repr__(self):\n        raise KeyError('shown')\nBad()", "KeyError", 3),
        ("import sys\nsys.exit(3)", "SystemExit", 2),
        ("await undefined_name", "NameError", 1),
        ("%no_such_magic", "UsageError", 1),
        ("\n\n%%time\n1 / 0", "ZeroDivisionError", 4),
        ("f = lambda: 1 / 0\ndef g():\n    f()\ng()", "ZeroDivisionError", 4),
    ],
)
def test_errors_of_every_kind_have_name_and_line(reused: Callable[..., Execution], source: str, name: str, line: int) -> None:
    error = reused("ok = 1", source).error
    assert (error.cell, error.name, error.line) == (1, name, line)


@pytest.mark.parametrize(
    "source",
    [
        # What protobuf says beside an old TensorFlow, and what else looks like an error and ends nothing.
        "import sys\nprint(\"AttributeError: 'MessageFactory' object has no attribute 'GetPrototype'\", file=sys.stderr)",
        "import threading\nthreading.Thread(target=lambda: 1 / 0).start()",
    ],
)
def test_an_error_that_is_only_shown_ends_nothing(reused: Callable[..., Execution], source: str) -> None:
    execution = reused(source, "after = 1")
    assert (execution.end, execution.error, execution.cells_run) == ("finished", None, 2)


def test_frames_tell_cells_local_files_and_libraries_apart(open_session: Callable[..., Session]) -> None:
    session = open_session(
        "import json, tool\ndef outer():\n    return tool.parse('{')",
        "x = 1",
        "outer()",
        files={"tool.py": "import json\n\ndef parse(text):\n    return json.loads(text)\n"},
    )
    error = session.run().error
    first, second, third, *_, last = error.frames
    assert (first.cell, first.line, first.code) == (2, 1, "outer()")
    assert (second.cell, second.line, second.function) == (0, 3, "outer")
    assert (third.file, third.line, third.local) == ("tool.py", 4, True)
    assert last.file.endswith("json/decoder.py")
    assert not last.local
    assert error.line == 1


def test_a_syntax_error_in_a_local_module_points_there(open_session: Callable[..., Session]) -> None:
    error = open_session("x = 1\nimport tool", files={"tool.py": "a = 1\nprint 'x'\n"}).run().error
    assert (error.name, error.line) == ("SyntaxError", 2)
    assert (error.frames[-1].file, error.frames[-1].line, error.frames[-1].code) == ("tool.py", 2, "print 'x'")


def test_nested_causes_are_in_the_traceback(reused: Callable[..., Execution]) -> None:
    source = (
        "try:\n    try:\n        raise KeyError('root cause')\n    except KeyError as e:\n"
        "        raise ValueError('middle') from e\n"
        "except ValueError as e:\n    raise ExceptionGroup('all fits failed', [e, TypeError('member')]) from None"
    )
    error = reused(source).error
    assert error.name == "ExceptionGroup"
    for message in ("middle", "member", "root cause"):
        assert message in error.traceback


def test_equal_cells_are_told_apart(reused: Callable[..., Execution]) -> None:
    source = "count = globals().get('count', 0) + 1\ndef f(n=count):\n    assert n < 2\nf()"
    error = reused(source, source).error
    assert {frame.cell for frame in error.frames} == {1}


def test_it_goes_on_in_the_live_kernel_after_an_edit(
    open_session: Callable[..., Session], notebook_of: Callable[..., Notebook]
) -> None:
    cells = ["import os\npid = os.getpid()\nprint('first')", "broken(", "print(pid == os.getpid())"]
    session = open_session(*cells)
    first = session.run()
    assert first.error.cell == 1
    session.replace(notebook_of(cells[0], "fixed = 1", cells[2]))
    second = session.run(1)
    assert second.end == "finished"
    assert [cell.status for cell in second.cells] == ["ok", "ok", "ok"]
    assert text(second.outputs[0]) == "first\n"
    assert text(second.outputs[2]) == "True\n"
    assert second.error is None
    assert first.end == "error"


def test_an_error_after_going_on_is_mapped_to_the_right_cell(
    open_session: Callable[..., Session], notebook_of: Callable[..., Notebook]
) -> None:
    session = open_session("x = 1", "1 / 0", "def f():\n    return y", "f()")
    session.run()
    session.replace(notebook_of("x = 1", "pass", "def f():\n    return y", "f()"))
    error = session.run(1).error
    assert (error.cell, error.name) == (3, "NameError")
    assert [(frame.cell, frame.line) for frame in error.frames] == [(3, 1), (2, 2)]


def test_restart_starts_from_nothing(open_session: Callable[..., Session]) -> None:
    session = open_session("print('x' in globals())\nx = 1")
    assert text(session.run().outputs[0]) == "False\n"
    assert text(session.run().outputs[0]) == "True\n"
    session.restart()
    assert not session.alive
    assert text(session.run(0).outputs[0]) == "False\n"


def test_a_closed_session_refuses_to_run(open_session: Callable[..., Session]) -> None:
    session = open_session("x = 1")
    session.close()
    session.close()
    with pytest.raises(RuntimeError, match="closed"):
        session.run()


def test_a_raises_exception_tag_lets_any_error_pass(reused: Callable[..., Execution]) -> None:
    execution = reused({"source": "1 / 0", "tags": ["raises-exception"]}, "print('on')")
    assert execution.end == "finished"
    assert [cell.status for cell in execution.cells] == ["allowed-error", "ok"]


@pytest.mark.parametrize(
    ("stored", "end", "status"), [("ZeroDivisionError", "finished", "allowed-error"), ("KeyError", "error", "error")]
)
def test_a_stored_error_lets_only_the_same_error_pass(
    reused: Callable[..., Execution], stored: str, end: str, status: str
) -> None:
    execution = reused({"source": "1 / 0", "outputs": stored_error(stored)}, "print('on')")
    assert (execution.end, execution.cells[0].status) == (end, status)


def test_cells_tagged_skip_execution_are_not_run(reused: Callable[..., Execution]) -> None:
    execution = reused({"source": "1 / 0", "tags": ["skip-execution"]}, "print('on')")
    assert execution.end == "finished"
    assert [cell.status for cell in execution.cells] == ["not-run", "ok"]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("number", 3),
        ("table['a'][0]", 1.5),
        ("table['b']", [1, None]),
        ("array", [1, 2]),
        ("single", 0.5),
        ("thing.attribute", "text"),
        ("items[-1]", True),
        ("items[0:1]", [1]),
        ("missing", None),
        ("thing.missing", None),
    ],
)
def test_ask_returns_plain_values(asked: Session, expression: str, value: object) -> None:
    assert asked.ask(expression) == value


def test_ask_passes_nan_and_gives_other_objects_as_text(asked: Session) -> None:
    assert asked.ask("nan") != asked.ask("nan")
    assert "<__main__.Thing object" in asked.ask("thing")


@pytest.mark.parametrize("expression", ["f()", "x.y()", "a + b", "[x for x in y]", "x[f()]", "lambda: 0", "x = 1", "", "(yield)"])
def test_only_chains_may_be_asked_about(asked: Session, expression: str) -> None:
    with pytest.raises(ValueError, match="chain"):
        asked.ask(expression)
    with pytest.raises(ValueError, match="chain"):
        asked.describe(expression)


def test_describe_knows_frames_series_arrays_and_callables(asked: Session) -> None:
    frame = asked.describe("frame")
    assert frame.is_a("pandas.DataFrame", "pandas.core.frame.DataFrame")
    assert (frame.shape, frame.ndim, frame.length) == ((2, 2), 2, 2)
    assert frame.columns[0] == ("n", "int64")
    assert frame.index_type.endswith("RangeIndex")
    series = asked.describe("frame['n']")
    assert (series.dtype, series.index_dtype, series.ndim) == ("int64", "int64", 1)
    assert asked.describe("array").type_name == "numpy.ndarray"
    assert asked.describe("items").mro == ("list", "object")
    function = asked.describe("function")
    assert [(p.name, p.kind, p.default) for p in function.parameters] == [
        ("a", "positional-or-keyword", None),
        ("b", "keyword-only", "2"),
    ]
    assert asked.describe("np.linalg").name == "numpy.linalg"
    assert asked.describe("Thing").name == "__main__.Thing"
    assert asked.describe("missing") is None


def test_objects_of_the_call_that_failed_are_described(open_session: Callable[..., Session]) -> None:
    session = open_session(
        "def inner(table):\n    first = table[0]\n    return first.nowhere\ndef outer(x):\n    return inner([x])", "outer('a')"
    )
    session.run()
    assert session.describe_local("inner", "table").type_name == "list"
    assert session.describe_local("inner", "first").type_name == "str"
    assert session.describe_local("outer", "x").type_name == "str"
    assert session.describe_local("outer", "table") is None
    assert session.describe_local("missing", "x") is None
    assert session.describe("table") is None
    with pytest.raises(ValueError, match="chain"):
        session.describe_local("inner", "f()")


def test_questions_leave_no_trace(asked: Session) -> None:
    assert asked.ask("names_before") == asked.ask("names_after")
    assert not any("modernizer" in name for name in asked.ask("modules"))


def test_an_object_that_hangs_when_looked_at_gives_no_answer_and_spares_the_kernel(
    open_session: Callable[..., Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("modernizer.execution.session._QUESTION_SECONDS", 1.0)
    session = open_session(
        "import time\nclass Slow:\n    @property\n    def value(self):\n        time.sleep(60)\nslow = Slow()\nx = 5"
    )
    session.run()
    assert session.ask("slow.value") is None
    assert session.ask("x") == 5


@pytest.fixture(scope="module")
def asked(
    kernel_environment: Environment, notebook_of: Callable[..., Notebook], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Session]:
    source = (
        "names_before = sorted(globals())\nimport sys\nimport numpy as np, pandas as pd\nnumber = 3\nnan = float('nan')\n"
        "table = {'a': [1.5], 'b': [1, None]}\narray = np.array([1, 2])\nsingle = np.float32(0.5)\nitems = [1, True]\n"
        "class Thing:\n    attribute = 'text'\nthing = Thing()\nframe = pd.DataFrame({'n': [1, 2], 's': ['a', 'b']})\n"
        "def function(a, *, b=2): ..."
    )
    root = tmp_path_factory.mktemp("asked")
    after = "names_after = [n for n in names_before if n in globals()]\nmodules = sorted(m for m in sys.modules if m[0] in '_m')"
    with ScratchCopy(root, "nb.ipynb") as scratch, Session(kernel_environment, scratch, notebook_of(source, after)) as session:
        assert session.run().end == "finished"
        yield session


def test_a_notebook_can_import_the_debugger_that_the_kernel_leaves_out(reused: Callable[..., Execution]) -> None:
    execution = reused("import importlib.util, sys\nprint('debugpy' in sys.modules, importlib.util.find_spec('debugpy').name)")
    assert text(execution.outputs[0]) == "False debugpy\n"


def test_forgotten_modules_are_read_again(open_session: Callable[..., Session]) -> None:
    session = open_session(
        "import package.tool\nprint(package.tool.VALUE)", files={"package/__init__.py": "", "package/tool.py": "VALUE = 1\n"}
    )
    assert text(session.run().outputs[0]) == "1\n"
    session._scratch.write({"package/tool.py": b"VALUE = 2\n"})
    assert session.forget_modules(["package.tool", "unknown"]) == ("package.tool",)
    assert text(session.run(0).outputs[0]) == "2\n"


def test_local_modules_are_importable_from_notebook_folder_root_and_src(
    kernel_environment: Environment, notebook_of: Callable[..., Notebook], tmp_path: Path
) -> None:
    for name in ("deep/near.py", "at_root.py", "src/in_src.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("OK = True\n")
    notebook = notebook_of("import near, at_root, in_src, os\nprint(os.listdir())")
    with ScratchCopy(tmp_path, "deep/nb.ipynb") as scratch, Session(kernel_environment, scratch, notebook) as session:
        execution = session.run()
    assert "near.py" in text(execution.outputs[0])


def test_an_interpreter_without_ipykernel_is_a_crash_with_its_reason(
    tmp_path: Path, notebook_of: Callable[..., Notebook], kernel_environment: Environment
) -> None:
    for python, words in [
        (Path(sys.executable), "ipykernel"),
        (tmp_path / "missing", "No such file"),
        (Path("/bin/false"), "status 1"),
    ]:
        environment = replace(kernel_environment, python=python, packages={})
        with ScratchCopy(tmp_path, "nb.ipynb") as scratch, Session(environment, scratch, notebook_of("1")) as session:
            execution = session.run()
        assert execution.end == "crashed"
        assert words in execution.reason
        assert [cell.status for cell in execution.cells] == ["not-run"]
