from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
import threading
from dataclasses import replace

import pytest
from rich.console import Console

from modernizer.report.results import RunResult
from modernizer.report.terminal import make_console, print_summary, progress
from modernizer.verdict.outcome import Outcome

PROGRAM = """
from modernizer.report.terminal import make_console, progress
from modernizer.verdict.outcome import Outcome
with progress(make_console(), 1) as reporter:
    reporter.started("folder/[red]a[/red].ipynb")
    reporter.message("building")
    reporter.finished("folder/[red]a[/red].ipynb", Outcome("broken", seconds=1.5))
"""


def printed(run: RunResult, width: int | None = None) -> str:
    stream = io.StringIO()
    console = (
        make_console(stream) if width is None else Console(file=stream, width=width, markup=False, highlight=False, emoji=False)
    )
    print_summary(run, console, out=".modernizer")
    return stream.getvalue()


def test_the_table_shows_scores_then_and_now(run: RunResult) -> None:
    text = printed(run)
    header = next(line for line in text.splitlines() if "notebook" in line)
    assert header.split() == ["notebook", "before", "after", "score", "then", "score", "now"]
    row = next(line for line in text.splitlines() if "trees/forest.ipynb" in line)
    assert row.split() == ["trees/forest.ipynb", "broken", "reproduced", "accuracy", "0.9667", "0.9667"]
    assert "  data/no_data.ipynb: The file /kaggle/input/train.csv is not there." in text
    assert text.count("missing-data: Put the data where") == 1
    assert "slow.ipynb: cell 2, line 1: CellTimeout: the cell ran for 600 s" in text
    assert "report: .modernizer/report.md, .modernizer/report.html" in text


@pytest.mark.parametrize("width", [1, 2, 5, 20, 40, 71, 72, 80, 200])
def test_no_width_is_too_narrow(run: RunResult, width: int) -> None:
    text = printed(run, width)
    assert "0.9667" in text.replace("\n", "")


def test_a_log_has_no_colours_and_no_bars(run: RunResult) -> None:
    stream = io.StringIO()
    with progress(make_console(stream), 2) as reporter:
        reporter.started("::a.ipynb")
        reporter.finished("::a.ipynb", Outcome("blocked", "missing-data", seconds=75))
    assert stream.getvalue() == "run   : :a.ipynb\ndone  : :a.ipynb: blocked: missing-data, 1 min 15 s (1/2)\n"
    assert "\x1b" not in printed(run)


def test_names_are_not_read_as_markup_or_commands(run: RunResult) -> None:
    odd = replace(run.notebooks[0], path="[red]x[/red] :smile: ::error::\u202e.ipynb")
    for width in (30, 140):
        text = printed(replace(run, notebooks=(odd,)), width)
        assert "[red]x[/red]" in text
        assert ":smile:" in text
        assert "::" not in text


def in_terminal(environ: dict[str, str]) -> str:
    """Run the program with a terminal of its own as its output."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=theirs, stdin=subprocess.DEVNULL, env=os.environ | {"TERM": "xterm"} | environ
    ) as process:
        os.close(theirs)
        text = b""
        try:
            while chunk := os.read(ours, 4096):
                text += chunk
        except OSError:
            # Linux reports the closed end of a terminal as an error.
            pass
        assert process.wait() == 0
    os.close(ours)
    return text.decode()


def test_a_terminal_gets_a_bar() -> None:
    text = in_terminal({})
    assert "1/1" in text
    assert "[red]a[/red].ipynb" in text
    assert "\x1b[31mbroken" in text


def test_no_color_is_honoured() -> None:
    text = in_terminal({"NO_COLOR": "1"})
    assert "broken" in text
    assert "\x1b[31m" not in text


def test_several_threads_may_tell_at_once() -> None:
    stream = io.StringIO()
    with progress(make_console(stream), 40) as reporter:
        threads = [threading.Thread(target=reporter.finished, args=(f"{index}.ipynb", Outcome("ran"))) for index in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    lines = stream.getvalue().splitlines()
    assert len(lines) == 40
    assert {line.rpartition("(")[2] for line in lines} == {f"{number}/40)" for number in range(1, 41)}
