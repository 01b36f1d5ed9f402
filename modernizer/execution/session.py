"""Run a notebook's cells in a live kernel: from any cell, on after an edit, within limits, whatever the cells do."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from modernizer.environment.model import Environment
from modernizer.execution.confinement import Confinement
from modernizer.execution.disk import DiskWatch
from modernizer.execution.failure import cell_error
from modernizer.execution.kernel import Kernel, KernelStartError
from modernizer.execution.limits import Limits
from modernizer.execution.live import LIVE, Live
from modernizer.execution.live_object import Division, LiveObject, is_harmless, live_object
from modernizer.execution.memory import MemoryWatch
from modernizer.execution.outcome import CellError, CellRun, CellStatus, End, Execution
from modernizer.execution.recorder import Recorder, plain_outputs
from modernizer.execution.scratch import ScratchCopy
from modernizer.notebook import Notebook

_T = TypeVar("_T")
_QUESTION_SECONDS = 5.0
_AFTER_DEATH_SECONDS = 0.05
_LEAST_SECONDS = 0.001


@dataclass
class _Progress:
    """What a notebook has come to since its kernel was started."""

    runs: dict[int, CellRun] = field(default_factory=dict)
    requests: dict[str, int] = field(default_factory=dict)
    error: CellError | None = None
    end: End = "finished"
    reason: str = ""
    seconds: float = 0.0


class Session:
    """One notebook in one kernel at a time. The kernel starts with the first ``run``; ``close`` ends everything.

    A session may be made in any thread and must be used by one thread at a time. Nothing a notebook does is an
    exception here: a kernel that can't start, dies, hangs or eats the memory gives an Execution that says so. Without
    ``confinement`` a kernel has all our rights.
    """

    def __init__(
        self,
        environment: Environment,
        scratch: ScratchCopy,
        notebook: Notebook,
        limits: Limits | None = None,
        *,
        confinement: Confinement | None = None,
        live: Live = LIVE,
    ) -> None:
        self._environment = environment
        self._scratch = scratch
        self._confinement = confinement
        self._limits = limits or Limits()
        self._live = live
        self._loop = asyncio.new_event_loop()
        self._kernel: Kernel | None = None
        self._recorder: Recorder | None = None
        self._memory: MemoryWatch | None = None
        self._disk: DiskWatch | None = None
        self._progress = _Progress()
        self._node: NotebookNode = notebook.to_node()
        self._stored_errors = _stored_errors(self._node)
        self._observes_divisions = False

    def __enter__(self) -> Self:
        """Return the session; its kernel starts when it is needed."""
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        """Close it."""
        self.close()

    @property
    def alive(self) -> bool:
        """Tell whether there is a kernel to continue in."""
        return self._kernel is not None and not self._kernel.died.done() and not self._kernel.reason

    def run(self, from_cell: int = 0) -> Execution:
        """Run the code cells from this one on to the first fatal error and return the whole notebook's execution so far.

        Cells before it keep their results. Without a live kernel everything runs from the first cell on in a new one.
        """
        if not self.alive:
            self.restart()
            from_cell = 0
        try:
            self._do(self._run(from_cell))
        except BaseException:
            self.close()
            raise
        return self._execution()

    def replace(self, notebook: Notebook) -> None:
        """Take the sources of an edited notebook (same cells, same indices); results so far are kept."""
        node: NotebookNode = notebook.to_node()
        self._stored_errors = _stored_errors(node)
        for index in self._progress.runs.keys() & set(range(len(node.cells))):
            node.cells[index].outputs = self._node.cells[index].outputs
        self._node = node
        if self._recorder is not None:
            self._recorder.nb = node

    def restart(self) -> None:
        """End the kernel, if there is one, and forget all results; the next run starts a new one."""
        if self._kernel is not None:
            self._do(self._kernel.close())
        self._kernel = self._recorder = self._memory = None
        self._progress = _Progress()

    def forget_modules(self, names: Sequence[str]) -> tuple[str, ...]:
        """Make the kernel read these modules and their submodules anew at their next import; return those it had loaded."""
        return tuple(self._question("forget", list(names)) or ())

    def ask(self, expression: str) -> object:
        """Return the value of a chain of names, attributes and subscripts as JSON data, else its repr; None if there is none.

        Nothing is printed, displayed or kept. Other expressions are a ValueError.
        """
        self._check(expression)
        answer: object = self._question("ask", expression)
        return answer

    def describe(self, expression: str) -> LiveObject | None:
        """Return what kind of object such an expression is; None if it has no value. Other expressions are a ValueError."""
        self._check(expression)
        told = self._question("describe", expression)
        return None if told is None else live_object(told)

    def describe_local(self, function: str, expression: str) -> LiveObject | None:
        """Return what kind of object an expression was in the call of a function that the last error came out of; else None."""
        self._check(expression)
        told = self._question("describe_local", function, expression)
        return None if told is None else live_object(told)

    def observe_divisions(self) -> None:
        """From now on, also after a restart, divide as Python 2 did and note what is divided where."""
        self._observes_divisions = True
        self._question("observe_divisions")

    def divisions(self) -> tuple[Division, ...]:
        """Return the divisions observed in this kernel, in the cells as they ran last."""
        last = {cell: request for request, cell in self._progress.requests.items()}
        cells = {request: cell for cell, request in last.items()}
        rows = self._question("divisions") or ()
        return tuple(Division(cells[request], *row) for request, *row in rows if request in cells)

    def close(self) -> None:
        """Kill the kernel with everything it started. The session can't be used afterwards."""
        if self._loop.is_closed():
            return
        for task in (tasks := asyncio.all_tasks(self._loop)):
            task.cancel()
        # What an interruption cut short must end before its loop does.
        self._do(_all_ended(tasks))
        self.restart()
        self._do(self._loop.shutdown_asyncgens())
        self._loop.close()

    def _do(self, work: Coroutine[Any, Any, _T]) -> _T:
        if self._loop.is_closed():
            work.close()
            raise RuntimeError("the session is closed")
        return self._loop.run_until_complete(work)

    def _check(self, expression: str) -> None:
        if not is_harmless(expression):
            raise ValueError(f"not a chain of names, attributes and subscripts: {expression[:200]!r}")

    def _question(self, question: str, *arguments: object) -> Any:  # noqa: ANN401 - JSON data
        return self._do(self._asked(question, *arguments)) if self.alive else None

    async def _asked(self, question: str, *arguments: object) -> Any:  # noqa: ANN401 - JSON data
        """Ask the kernel; an object that takes too long to look at is interrupted, a kernel that ignores that is killed."""
        kernel = self._kernel
        if kernel is None:
            return None
        with contextlib.suppress(LookupError):
            try:
                return await kernel.ask(question, *arguments, seconds=_QUESTION_SECONDS)
            except TimeoutError:
                kernel.interrupt()
            try:
                await kernel.ask("forget", [], seconds=_QUESTION_SECONDS)
            except TimeoutError:
                kernel.kill("the kernel does not answer")
        return None

    async def _start(self) -> None:
        self._kernel = kernel = Kernel(self._environment, self._limits, self._live, self._confinement)
        await kernel.start(self._scratch.folder, _import_folders(self._scratch.root), self._limits)
        assert kernel.process is not None  # noqa: S101 - it has just answered
        self._disk = DiskWatch((self._scratch.root, kernel.own), limit=self._limits.disk)
        self._memory = MemoryWatch(kernel.process.pid, memory=self._limits.memory, processes=self._limits.processes)
        self._recorder = recorder = Recorder(
            self._node,
            kernel.manager,
            kernel.client,
            cap=self._limits.output_bytes,
            timeout=lambda _cell: self._time_left()[0],
        )
        if self._observes_divisions:
            await self._asked("observe_divisions")
        # What the dying kernel sent is still on its way.
        kernel.died.add_done_callback(lambda _: self._loop.call_later(_AFTER_DEATH_SECONDS, recorder.give_up))

    async def _run(self, first: int) -> None:
        progress = self._progress
        progress.runs = {index: run for index, run in progress.runs.items() if index < first}
        progress.end, progress.reason, progress.error = "finished", "", None
        began = time.monotonic()
        try:
            if self._live.stopping:
                self._end("interrupted", "interrupted before it started")
                return
            if self._kernel is None:
                await self._start()
            await self._run_cells(first)
        except KernelStartError as error:
            self._lost_kernel(str(error))
        finally:
            progress.seconds += time.monotonic() - began

    async def _run_cells(self, first: int) -> None:
        if self._recorder is None or self._memory is None or self._disk is None or self._kernel is None:
            return
        self._recorder.forget_from(first)
        watching = [asyncio.ensure_future(watch.watch(self._kernel.kill)) for watch in (self._memory, self._disk)]
        try:
            for index, cell in enumerate(self._node.cells):
                if (
                    index >= first
                    and cell.cell_type == "code"
                    and not await self._run_cell(index, cell, self._recorder, self._memory)
                ):
                    break
        finally:
            for watch in watching:
                watch.cancel()

    async def _run_cell(self, index: int, cell: NotebookNode, recorder: Recorder, memory: MemoryWatch) -> bool:
        """Run one cell; tell whether the notebook goes on."""
        if "skip-execution" in cell.metadata.get("tags", ()):
            return True
        cell.outputs = []
        if not cell.source.strip():
            self._progress.runs[index] = CellRun(index, "ok")
            return True
        left, limit = self._time_left()
        if left <= _LEAST_SECONDS:
            self._end("timed-out", f"cell {index} was not started: {limit}")
            return False
        began = time.monotonic()
        memory.begin()
        status: CellStatus = "error"
        try:
            if not self.alive:
                raise DeadKernelError  # noqa: TRY301 - the same end as when it dies in the cell
            await recorder.record(index)
            status = await self._judge(index, cell, recorder)
        except CellTimeoutError:
            status = "timed-out"
            if self._kernel is not None:
                self._kernel.kill("timed out")
            self._end("timed-out", f"cell {index} was stopped: {limit}")
        except DeadKernelError:
            status = "not-run" if self._live.stopping else "error"
            self._lost_kernel(f"cell {index}: ")
        memory.note()
        self._progress.runs[index] = CellRun(index, status, time.monotonic() - began, memory.peak)
        return status in {"ok", "allowed-error"}

    async def _judge(self, index: int, cell: NotebookNode, recorder: Recorder) -> CellStatus:
        """Decide what a finished cell's reply means; a fatal error becomes the execution's error."""
        reply = recorder.reply
        self._progress.requests[recorder.request] = index
        shown = next((output for output in cell.outputs if output.output_type == "error"), None)
        if reply.get("status") == "ok" and shown is not None:
            # %%capture, %run and the drawing of figures show an exception and go on: the cell raised all the same.
            reply = shown
        elif reply.get("status") == "ok":
            return "ok"
        elif reply.get("status") != "error":
            raise DeadKernelError
        report = await self._asked("failure")
        error = cell_error(index, report, reply, requests=self._progress.requests, root=self._scratch.root)
        if "raises-exception" in cell.metadata.get("tags", ()) or error.name in self._stored_errors.get(index, ()):
            return "allowed-error"
        self._progress.error = error
        self._end("error", f"cell {index}: {error.name}")
        return "error"

    def _lost_kernel(self, text: str) -> None:
        """End the execution because there is no kernel any more, and say why as well as can be known."""
        kernel = self._kernel
        if kernel is not None:
            kernel.kill()
            if text.endswith(": "):
                text = kernel.reason or text + kernel.ending()
            kernel.reason = kernel.reason or text
        if self._live.stopping:
            self._end("interrupted", "interrupted")
        else:
            self._end("crashed", text)

    def _end(self, end: End, reason: str) -> None:
        self._progress.end, self._progress.reason = end, reason

    def _time_left(self) -> tuple[float, str]:
        """Return the seconds the next cell has, and the limit that says so."""
        limits = self._limits
        spent = sum(run.seconds for run in self._progress.runs.values())
        left = [
            (limits.cell, f"longer than {limits.cell:g} s, the limit for a cell"),
            (limits.notebook - spent, f"longer than {limits.notebook:g} s, the limit for the notebook"),
        ]
        if limits.deadline is not None:
            left.append((limits.deadline - time.monotonic(), "the time for the whole run is over"))
        seconds, text = min(left)
        return max(seconds, _LEAST_SECONDS), text

    def _execution(self) -> Execution:
        progress, cells = self._progress, self._node.cells
        code = [index for index, cell in enumerate(cells) if cell.cell_type == "code"]
        return Execution(
            end=progress.end,
            cells=tuple(progress.runs.get(index, CellRun(index, "not-run")) for index in code),
            error=progress.error,
            reason=progress.reason,
            seconds=progress.seconds,
            outputs={index: plain_outputs(cells[index].outputs) for index in sorted(progress.runs)},
        )


async def _all_ended(tasks: Iterable[asyncio.Task[Any]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)


def _stored_errors(node: NotebookNode) -> dict[int, frozenset[str]]:
    """Return, for each cell, the names of the exceptions that its stored outputs show: those are intended."""
    return {
        index: frozenset(output.get("ename", "") for output in cell.outputs if output.output_type == "error")
        for index, cell in enumerate(node.cells)
        if cell.cell_type == "code"
    }


def _import_folders(root: Path) -> tuple[Path, ...]:
    """Return where local modules may be besides the notebook's own folder, which IPython puts first."""
    return root, root / "src"
