from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from modernizer.errors import ModernizerError
from modernizer.process import kill_group, run, spawn

PYTHON = sys.executable


def python(code: str, *args: str) -> list[str]:
    return [PYTHON, "-c", code, *args]


def gone_soon(pid: int) -> bool:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False


def wait_for(path: Path) -> int:
    """Wait until a child has written its number to ``path``."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if path.exists() and path.read_text().endswith("\n"):
            return int(path.read_text())
        time.sleep(0.02)
    raise AssertionError(f"nothing appeared in {path}")


def test_output_code_and_time_come_back() -> None:
    done = run(python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"), timeout=30, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, "out\n", "err\n")
    assert 0 < done.seconds < 30


def test_folder_environment_and_input_are_passed_on(tmp_path: Path) -> None:
    code = "import os, sys; print(os.getcwd(), os.environ.get('A'), os.environ.get('HOME'), sys.stdin.read())"
    done = run(python(code), timeout=30, cwd=tmp_path, env={"A": "1"}, input="é")
    assert done.stdout.split() == [str(tmp_path.resolve()), "1", "None", "é"]


def test_without_input_a_prompt_fails_instead_of_waiting() -> None:
    with pytest.raises(ModernizerError, match="EOFError"):
        run(python("input()"), timeout=30)


def test_arguments_are_never_read_by_a_shell() -> None:
    assert run(python("import sys; print(sys.argv[1:])", "$HOME; echo `id`"), timeout=30).stdout == "['$HOME; echo `id`']\n"
    with pytest.raises(TypeError):
        run("echo one line", timeout=30)


def test_undecodable_output_is_replaced() -> None:
    code = r"import sys; sys.stdout.buffer.write(b'a\xff')"
    assert run(python(code), timeout=30).stdout == "a\ufffd"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import sys; sys.exit('no way')", r"failed with exit code 1: no way \(try this\)$"),
        ("import os; os.kill(os.getpid(), 9)", r"was killed by SIGKILL \(try this\)$"),
        ("import sys; sys.exit('https://user:secret@example.org/x')", r"1: https://example.org/x"),
        ("import sys; sys.exit('x' * 9999 + 'end')", r": \.\.\. x{497}end"),
    ],
)
def test_a_failure_says_what_the_program_said_without_credentials(code: str, message: str) -> None:
    with pytest.raises(ModernizerError, match=message):
        run(python(code), timeout=30, hint="try this")


def test_a_program_that_does_not_exist_is_named_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(ModernizerError, match=r"no-such-program was not found \(install"):
        run(["no-such-program", "--token=secret"], timeout=30)
    with pytest.raises(ModernizerError, match="no such folder"):
        run([PYTHON], timeout=30, cwd=tmp_path / "gone")
    (tmp_path / "text").write_text("x")
    with pytest.raises(ModernizerError, match="text can't be executed"):
        run([str(tmp_path / "text")], timeout=30)


def test_a_timeout_kills_the_children_too_also_those_that_left_the_group(tmp_path: Path) -> None:
    child = "import os, sys, time; open(sys.argv[1], 'w').write(f'{os.getpid()}\\n'); time.sleep(60)"
    parent = (
        "import subprocess, sys, time\n"
        "for name, own in (('member', False), ('stray', True)):\n"
        "    subprocess.Popen([sys.executable, '-c', sys.argv[1], f'{sys.argv[2]}/{name}'], start_new_session=own)\n"
        "time.sleep(60)\n"
    )
    began = time.monotonic()
    with pytest.raises(ModernizerError, match=r"took longer than 3 s and was stopped \(allow it more time\)"):
        run(python(parent, child, str(tmp_path)), timeout=3)
    assert time.monotonic() - began < 15
    assert gone_soon(wait_for(tmp_path / "member"))
    assert gone_soon(wait_for(tmp_path / "stray"))


def test_a_program_that_leaves_a_child_with_its_pipes_still_did_its_work() -> None:
    code = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); print('done')"
    assert run(python(code), timeout=3).stdout == "done\n"


def test_an_interrupt_kills_the_program(tmp_path: Path) -> None:
    script = (
        "import sys; from modernizer.process import run\n"
        "code = \"import os, sys, time; open(sys.argv[1], 'w').write(f'{os.getpid()}\\\\n'); time.sleep(60)\"\n"
        "run([sys.executable, '-c', code, sys.argv[1]], timeout=60)\n"
    )
    outer = spawn(python(script, str(tmp_path / "pid")))
    inner = wait_for(tmp_path / "pid")
    outer.send_signal(signal.SIGINT)
    _, stderr = outer.communicate(timeout=20)
    assert b"KeyboardInterrupt" in stderr
    assert gone_soon(inner)


def test_a_spawned_program_leads_its_own_session_and_talks_over_pipes() -> None:
    with spawn(python("print(input()[::-1])")) as child:
        assert os.getsid(child.pid) == child.pid != os.getsid(0)
        assert child.communicate(b"abc\n", timeout=20)[0] == b"cba\n"


def test_killing_a_group_tells_whether_it_was_there() -> None:
    with spawn(python("import time; time.sleep(60)"), stdin=subprocess.DEVNULL) as child:
        assert kill_group(child.pid)
        assert child.wait(timeout=10) == -signal.SIGKILL
    assert not kill_group(child.pid)


@pytest.mark.parametrize("pid", [0, 1, -1, os.getpid(), os.getpgrp()], ids=["zero", "init", "all", "process", "group"])
def test_our_own_group_is_never_killed(pid: int) -> None:
    with pytest.raises(ValueError, match="not one of ours"):
        kill_group(pid)
