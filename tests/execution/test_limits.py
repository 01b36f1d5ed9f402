from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import psutil
import pytest

from modernizer.environment.model import Environment
from modernizer.execution.limits import Limits
from modernizer.execution.live import sweep
from modernizer.execution.outcome import Execution
from modernizer.execution.scratch import ScratchCopy
from modernizer.execution.session import Session
from modernizer.notebook import Notebook


def text(outputs: Iterable[Mapping[str, Any]]) -> str:
    return "".join(output.get("text", "") or output.get("data", {}).get("text/plain", "") for output in outputs)


def gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_a_cell_over_its_time_is_named_and_ends_the_run(open_session: Callable[..., Session]) -> None:
    began = time.monotonic()
    execution = open_session(
        "print('before')", "print('in', flush=True)\nimport time\ntime.sleep(60)", "1", limits=Limits(cell=1.0)
    ).run()
    assert time.monotonic() - began < 15
    assert execution.end == "timed-out"
    assert [cell.status for cell in execution.cells] == ["ok", "timed-out", "not-run"]
    assert "cell 1" in execution.reason
    assert "limit for a cell" in execution.reason
    assert text(execution.outputs[1]) == "in\n"


def test_a_cell_that_ignores_interrupts_is_stopped_too(open_session: Callable[..., Session]) -> None:
    source = "while True:\n    try:\n        sum(range(10**6))\n    except BaseException:\n        pass"
    assert open_session(source, limits=Limits(cell=0.5)).run().end == "timed-out"


def test_the_limits_of_notebook_and_run_hold_over_several_cells(open_session: Callable[..., Session]) -> None:
    naps = ["import time\ntime.sleep(0.4)"] * 5
    execution = open_session(*naps, limits=Limits(notebook=1.0)).run()
    assert execution.end == "timed-out"
    assert "limit for the notebook" in execution.reason
    late = open_session(*naps, limits=Limits(deadline=time.monotonic() - 1)).run()
    assert (late.end, late.cells_run) == ("timed-out", 0)
    assert "whole run" in late.reason


def test_a_timed_out_cell_kills_its_children(open_session: Callable[..., Session]) -> None:
    source = "import subprocess, time\nchild = subprocess.Popen(['sleep', '600'])\nprint(child.pid, flush=True)\ntime.sleep(600)"
    execution = open_session(source, limits=Limits(cell=1.0)).run()
    assert gone(int(text(execution.outputs[0])))


DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        {last}
    os._exit(0)
os.wait()
time.sleep(0.3)
"""


@pytest.mark.parametrize(
    "last",
    [
        "open('daemon', 'w').write(str(os.getpid())); time.sleep(600)",
        "open('daemon', 'w').write(str(os.getpid())); os.execve('/bin/sleep', ['sleep', '600'], {})",
    ],
)
def test_a_daemon_left_behind_dies_with_the_session(open_session: Callable[..., Session], last: str) -> None:
    session = open_session(DAEMON.format(last=last) + "print(open('daemon').read())")
    pid = int(text(session.run().outputs[0]))
    assert not gone(pid)
    session.close()
    assert gone(pid)


def test_the_marker_finds_what_a_killed_launcher_left(open_session: Callable[..., Session]) -> None:
    session = open_session(
        DAEMON.format(last="open('daemon', 'w').write(str(os.getpid())); time.sleep(600)") + "print(open('daemon').read())"
    )
    pid = int(text(session.run().outputs[0]))
    kernel = session._kernel
    os.kill(kernel.process.pid, 9)
    session.close()
    assert gone(pid)
    assert sweep(kernel.marker) == 0


def test_a_fork_bomb_is_stopped(open_session: Callable[..., Session]) -> None:
    source = "import os, time\nfor _ in range(8):\n    os.fork()\ntime.sleep(600)"
    session = open_session(source, limits=Limits(processes=100, cell=20.0))
    began = time.monotonic()
    execution = session.run()
    assert time.monotonic() - began < 15
    assert execution.end == "crashed"
    assert execution.reason.startswith("processes:")
    assert not marked(session)


def marked(session: Session) -> list[int]:
    needle = session._kernel.marker.encode()
    found = []
    for process in psutil.process_iter():
        try:
            if needle in Path("/proc", str(process.pid), "environ").read_bytes():
                found.append(process.pid)
        except OSError:
            continue
    return found


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import os\nos._exit(3)", "exit status 3"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "SIGKILL"),
        ("import ctypes\nctypes.string_at(0)", "SIGSEGV"),
        ("import os\nos.abort()", "SIGABRT"),
    ],
)
def test_a_dead_kernel_is_seen_at_once(open_session: Callable[..., Session], source: str, words: str) -> None:
    session = open_session("x = 1", f"import time\nprint('last words', flush=True)\ntime.sleep(0.3)\n{source}", "print('never')")
    execution = session.run()
    assert execution.end == "crashed"
    assert words in execution.reason
    assert "cell 1" in execution.reason
    assert [cell.status for cell in execution.cells] == ["ok", "error", "not-run"]
    assert execution.cells[1].seconds < 1.5
    assert text(execution.outputs[1]) == "last words\n"
    assert not session.alive


def test_after_a_crash_the_next_run_starts_over(
    open_session: Callable[..., Session], notebook_of: Callable[..., Notebook]
) -> None:
    session = open_session("x = 1", "import os\nos._exit(1)")
    assert session.run().end == "crashed"
    session.replace(notebook_of("x = 1", "print(x)"))
    execution = session.run(1)
    assert execution.end == "finished"
    assert execution.cells_run == 2


def test_memory_over_the_limit_is_a_crash_that_says_so(open_session: Callable[..., Session]) -> None:
    source = "import time\nhog = bytearray(400 << 20)\nhog[::4096] = b'x' * len(hog[::4096])\ntime.sleep(30)"
    execution = open_session("x = 1", source, limits=Limits(memory=300 << 20)).run()
    assert execution.end == "crashed"
    assert execution.reason.startswith("memory: ")
    assert execution.cells[1].status == "error"
    assert execution.cells[1].peak_memory > 300 << 20


def test_memory_of_children_counts(open_session: Callable[..., Session]) -> None:
    source = (
        "import subprocess, sys\nsubprocess.run([sys.executable, '-c', \"x = b'x' * (400 << 20); import time; time.sleep(30)\"])"
    )
    execution = open_session(source, limits=Limits(memory=300 << 20)).run()
    assert execution.reason.startswith("memory: ")


def test_each_cell_has_its_own_peak_memory(open_session: Callable[..., Session]) -> None:
    cells = open_session("a = b'x' * (200 << 20)", "del a", "b = 1").run().cells
    assert cells[0].peak_memory > 200 << 20
    assert cells[2].peak_memory < 150 << 20


@pytest.fixture(scope="module")
def flooded(
    kernel_environment: Environment, notebook_of: Callable[..., Notebook], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Execution]]:
    """Run notebooks one after the other in one kernel with a cap of 2 MiB."""
    root, limits = tmp_path_factory.mktemp("flood"), Limits(output_bytes=2 << 20)
    with ScratchCopy(root, "nb.ipynb") as scratch, Session(kernel_environment, scratch, notebook_of("pass"), limits) as session:

        def run(*cells: str) -> Execution:
            session.replace(notebook_of(*cells))
            return session.run(0)

        yield run


@pytest.mark.parametrize(
    "source",
    [
        "for _ in range(300):\n    print('x' * 1_000_000)",
        "print('x' * 300_000_000)",
        "from IPython.display import display, HTML\nfor _ in range(300):\n    display(HTML('y' * 1_000_000))",
        "for i in range(4500):\n    print(i, flush=True)",
        "!python -c \"print('x' * 3_000_000)\"",
    ],
)
def test_a_flood_of_output_is_cut_with_a_note_and_the_run_goes_on(flooded: Callable[..., Execution], source: str) -> None:
    before = psutil.Process().memory_info().rss
    execution = flooded(source, "print('after')")
    assert execution.end == "finished"
    assert "rest was dropped" in execution.outputs[0][-1]["text"]
    assert len(json.dumps(execution.outputs[0])) < 3 << 20
    assert psutil.Process().memory_info().rss - before < 150 << 20
    assert "after" not in text(execution.outputs[0])


def test_outputs_are_complete_below_the_cap(reused: Callable[..., Execution]) -> None:
    execution = reused("for i in range(3000):\n    print(i, flush=True)", "print('x' * 3_000_000)")
    assert text(execution.outputs[0]) == "".join(f"{i}\n" for i in range(3000))
    assert len(execution.outputs[0]) == 1
    assert text(execution.outputs[1]) == "x" * 3_000_000 + "\n"


def test_a_reader_that_is_busy_loses_nothing(open_session: Callable[..., Session]) -> None:
    session = open_session("again = 'again' in globals()\nfor i in range(12_000 * again):\n    print(i, flush=True)")
    session.run()
    session._loop.call_later(0.1, time.sleep, 4)
    assert text(session.run(0).outputs[0]) == "".join(f"{i}\n" for i in range(12_000))


def test_a_progress_bar_keeps_its_last_state(reused: Callable[..., Execution]) -> None:
    execution = reused("import sys\nfor i in range(5):\n    print(f'\\r{i}/4', end='', flush=True)\nprint()\nprint('end')")
    assert text(execution.outputs[0]) == "4/4\nend\n"


def test_a_huge_exception_message_is_shortened(reused: Callable[..., Execution]) -> None:
    error = reused("raise ValueError('m' * 100_000_000)").error
    assert error.name == "ValueError"
    assert len(error.message) <= 20_000
    assert len(error.traceback) <= 50_000
