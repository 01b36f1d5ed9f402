from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from modernizer.environment.model import Environment
from modernizer.execution.live import Live
from modernizer.execution.session import Session
from modernizer.process import spawn

RUNNER = """
import sys, threading
from pathlib import Path
import nbformat
from modernizer.environment.model import Environment
from modernizer.execution.live import LIVE, stopped_by_signals
from modernizer.execution.scratch import ScratchCopy
from modernizer.execution.session import Session
from modernizer.notebook import parse_notebook

node = nbformat.v4.new_notebook()
source = "import os, subprocess, time\\nchild = subprocess.Popen(['sleep', '600'])\\n"
source += "open(%r + str(os.getpid()), 'w').write(f'{os.getpid()} {child.pid}')\\ntime.sleep(600)"
node.cells = [nbformat.v4.new_code_cell(source % sys.argv[2])]
notebook = parse_notebook(nbformat.writes(node).encode(), name="nb.ipynb")
environment = Environment("t", Path(sys.argv[1]), "3", {}, "", "", "")

def run():
    root = Path(sys.argv[2])
    with ScratchCopy(root, "nb.ipynb") as scratch, Session(environment, scratch, notebook) as session:
        print(f"{session.run().end}\\n", end="", flush=True)

def work():
    threads = [threading.Thread(target=run) for _ in range(int(sys.argv[3]))]
    for thread in threads:
        thread.start()
    if not threads:
        run()
    for thread in threads:
        thread.join()

if sys.argv[4] == "handled":
    with stopped_by_signals():
        work()
    print("stopping", LIVE.stopping, flush=True)
else:
    work()
"""


def start(python: Path, folder: Path, *, threads: int, handled: bool) -> tuple[subprocess.Popen[bytes], list[int]]:
    (folder / "runner.py").write_text(RUNNER)
    arguments = [
        sys.executable,
        str(folder / "runner.py"),
        str(python),
        f"{folder}/out/",
        str(threads),
        "handled" if handled else "plain",
    ]
    (folder / "out").mkdir()
    process = spawn(arguments, cwd=folder)
    wanted = max(threads, 1)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        told = [path.read_text().split() for path in (folder / "out").iterdir()]
        if len(told) == wanted and all(len(pids) == 2 for pids in told):
            return process, [int(pid) for pids in told for pid in pids]
        assert process.poll() is None, process.stderr.read().decode()
        time.sleep(0.05)
    raise AssertionError("the kernels did not start")


def wait_until_gone(pids: list[int]) -> float:
    began = time.monotonic()
    while time.monotonic() - began < 10:
        if not any(psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE for pid in pids):
            break
        time.sleep(0.02)
    return time.monotonic() - began


@pytest.mark.parametrize(("signum", "threads"), [(signal.SIGINT, 0), (signal.SIGTERM, 2)])
def test_a_signal_ends_all_kernels_at_once_and_the_runner_goes_on(
    kernel_environment: Environment, tmp_path: Path, signum: int, threads: int
) -> None:
    process, pids = start(kernel_environment.python, tmp_path, threads=threads, handled=True)
    os.kill(process.pid, signum)
    assert wait_until_gone(pids) < 3
    out, errors = process.communicate(timeout=20)
    assert out.decode().split("\n")[:-1] == ["interrupted"] * max(threads, 1) + ["stopping True"], errors.decode()
    assert process.returncode == 0
    assert b"Traceback" not in errors


def test_an_unhandled_ctrl_c_kills_the_kernel_and_the_runner(kernel_environment: Environment, tmp_path: Path) -> None:
    process, pids = start(kernel_environment.python, tmp_path, threads=0, handled=False)
    os.kill(process.pid, signal.SIGINT)
    assert wait_until_gone(pids) < 3
    process.communicate(timeout=20)
    assert process.returncode != 0


def test_kernels_do_not_outlive_a_runner_that_was_killed(kernel_environment: Environment, tmp_path: Path) -> None:
    process, pids = start(kernel_environment.python, tmp_path, threads=0, handled=True)
    process.kill()
    assert wait_until_gone(pids) < 3
    process.communicate(timeout=20)


def test_kill_all_from_another_thread_interrupts_and_refuses_new_kernels(open_session: Callable[..., Session]) -> None:
    live = Live()
    session = open_session("print('on')", "import time\ntime.sleep(600)", "1", live=live)
    timer = threading.Timer(3.0, live.kill_all)
    timer.start()
    execution = session.run()
    timer.join()
    assert execution.end == "interrupted"
    assert execution.cells[0].status == "ok"
    assert execution.cells[1].status == "not-run"
    assert open_session("1", live=live).run().end == "interrupted"
    assert live.running == 0
    live.reset()
    assert open_session("1", live=live).run().end == "finished"
