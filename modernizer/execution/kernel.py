"""Start one kernel behind its launcher, talk to it over private sockets, and end it with all it started."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Empty
from typing import Any

import zmq
import zmq.asyncio
from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from modernizer.environment.model import Environment
from modernizer.errors import ModernizerError
from modernizer.execution import live as live_kernels
from modernizer.execution.child_environment import child_environment
from modernizer.execution.confinement import Confinement
from modernizer.execution.figure_cache import seed_font_list
from modernizer.execution.inert_installers import write_inert_installers
from modernizer.execution.limits import Limits
from modernizer.execution.older_python import source_for
from modernizer.process import kill_group, spawn
from modernizer.sandbox.identity import threads_of_user

INSIDE = Path(__file__).parent / "inside"
SILENT = logging.getLogger("modernizer.kernel")
SILENT.setLevel(logging.CRITICAL + 1)
_SOCKET_FOLDER_LENGTH = 80  # a unix socket's path ends at 108 bytes
_MESSAGE_MARGIN = 16 << 20
_QUEUE = 16
_END_SECONDS = 5.0
_SAID_BYTES = 4000
_THREADS_A_PROCESS = 8


class KernelStartError(Exception):
    """The kernel did not come up; the text says why. Never leaves this folder: it becomes a crashed execution."""


class Kernel:
    """One kernel: started by ``start``, gone after ``close``. ``died`` is done as soon as its process is."""

    def __init__(
        self, environment: Environment, limits: Limits, live: live_kernels.Live, confinement: Confinement | None = None
    ) -> None:
        self.marker = secrets.token_hex(16)
        self.reason = ""
        self._environment = environment
        self._limits = limits
        self._live = live
        self._confinement = confinement
        self._folder = _private_folder()
        self._own = self._folder / "own"
        self._life_line: int | None = None
        self._waiter: threading.Thread | None = None
        self.process: subprocess.Popen[bytes] | None = None
        self.died: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.manager = self._manager()
        self._client: AsyncKernelClient | None = None

    @property
    def own(self) -> Path:
        """Return the folder that is the kernel's own: home, temporary files, sockets."""
        return self._own

    @property
    def client(self) -> AsyncKernelClient:
        """Return the connection to a started kernel."""
        if self._client is None:
            raise RuntimeError("the kernel was not started")
        return self._client

    async def start(self, cwd: Path, import_folders: Sequence[Path], limits: Limits) -> None:
        """Start it in ``cwd`` and wait until it answers. KernelStartError: it died, or takes longer than ``startup``."""
        variables = child_environment(self._environment, self._own, marker=self.marker)
        write_inert_installers(self._own / "bin")
        sandbox = self._confinement.sandbox if self._confinement else None
        seed_font_list(self._environment, Path(variables["MPLCONFIGDIR"]), sandbox=sandbox)
        for source in INSIDE.glob("*.py"):
            text = source_for(source.read_text(encoding="utf-8"), self._environment.python_version)
            (self._folder / "code" / source.name).write_text(text, encoding="utf-8")
        _write(
            self._folder / "code" / "kernel.json",
            {
                "connection_file": str(self._own / "ipc" / "c.json"),
                "pipe": str(self._own / "ipc" / "pipe"),
                "import_folders": [str(folder) for folder in import_folders],
                "output_bytes": limits.output_bytes,
            },
        )
        try:
            _write(self._folder / "launch.json", self._launch())
        except ModernizerError as error:
            raise KernelStartError(f"the kernel can't be started: {error}") from error
        life_line, self._life_line = os.pipe()
        log = (self._folder / "log").open("wb")
        try:
            await self.manager.start_kernel(cwd=str(cwd), env=variables, stdin=life_line, stdout=log, stderr=log)
        except Exception as error:
            raise KernelStartError(f"the kernel can't be started: {error}") from error
        finally:
            os.close(life_line)
            log.close()
        provisioner = self.manager.provisioner
        assert isinstance(provisioner, _Launcher)  # noqa: S101 - set in _manager
        self._watch(provisioner.started)
        self._client = self.manager.client()
        await self._until_ready(limits.startup)

    def interrupt(self) -> None:
        """Send the kernel a KeyboardInterrupt."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGINT)

    def kill(self, reason: str = "") -> None:
        """Kill the kernel and everything below it, daemons too; return when they are gone. The first reason is kept."""
        self.reason = self.reason or reason
        if self.process is None or self._waiter is None:
            return
        if self._waiter.is_alive():
            live_kernels.end(self.process.pid)
            self._waiter.join(_END_SECONDS)
        if self._waiter.is_alive():
            kill_group(self.process.pid)
            self._waiter.join(_END_SECONDS)
        live_kernels.sweep(self.marker)

    async def close(self) -> None:
        """Kill it and give back its sockets and its folder."""
        self.kill()
        if self._life_line is not None:
            os.close(self._life_line)
            self._life_line = None
        if self._client is not None:
            self._client.stop_channels()
        await self.manager.cleanup_resources()
        self.manager.context.destroy(linger=0)
        _remove(self._folder)
        if self._confinement is not None:
            self._confinement.clean()

    def ending(self) -> str:
        """Say how the kernel's process ended."""
        code = None if self.process is None else self.process.returncode
        if code is None:
            return "the kernel does not answer"
        if code < 0:
            hint = ", perhaps for want of memory" if code == -signal.SIGKILL else ""
            return f"the kernel died of {_signal_name(-code)}{hint}"
        return f"the kernel ended by itself with exit status {code}"

    async def ask(self, question: str, *arguments: object, seconds: float) -> Any:  # noqa: ANN401 - JSON data
        """Ask the side channel (inside/kernel_main.py) and return its answer. TimeoutError, LookupError (the error's text)."""
        message = self.client.session.msg("modernizer_request", {"question": question, "arguments": list(arguments)})
        self.client.shell_channel.send(message)
        deadline = time.monotonic() + seconds
        while True:
            reply = await self._reply(deadline - time.monotonic())
            if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                content = reply["content"]
                if "error" in content:
                    raise LookupError(content["error"])
                return json.loads(content["answer"])

    async def _reply(self, seconds: float) -> dict[str, Any]:
        """Return the next message of the shell channel. TimeoutError: none came, or the kernel died."""
        getting = asyncio.ensure_future(self.client.get_shell_msg(timeout=max(seconds, 0.0)))
        waited: set[asyncio.Future[Any]] = {getting, self.died}
        await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        if not getting.done():
            getting.cancel()
            raise TimeoutError("the kernel died")
        try:
            reply: dict[str, Any] = getting.result()
        except Empty:
            raise TimeoutError("the kernel does not answer") from None
        return reply

    def _manager(self) -> AsyncKernelManager:
        context = zmq.asyncio.Context()
        # What a hostile kernel can make us hold: a few messages no larger than all outputs together may be.
        context.setsockopt(zmq.MAXMSGSIZE, self._limits.output_bytes + _MESSAGE_MARGIN)
        context.setsockopt(zmq.RCVHWM, _QUEUE)
        manager = AsyncKernelManager(
            context=context,
            transport="ipc",
            connection_file=str(self._own / "ipc" / "c.json"),
            ip=str(self._own / "ipc" / "k"),
            log=SILENT,
        )
        argv = [sys.executable, "-I", "-S", str(INSIDE / "launcher.py"), str(self._folder / "launch.json")]
        spec = KernelSpec(argv=argv, display_name="Python", language="python")
        manager._kernel_spec = spec  # noqa: SLF001 - the only way to give a kernel that is not installed as a spec
        manager.provisioner = _Launcher(kernel_id=self.marker, kernel_spec=spec, parent=manager)
        manager.provisioner.before = self._hand_over
        return manager

    def _launch(self) -> dict[str, Any]:
        """Return what the launcher is to do."""
        code = self._folder / "code"
        launch: dict[str, Any] = {
            "argv": [str(self._environment.python), str(code / "kernel_main.py"), str(code / "kernel.json")],
            "limits": {"RLIMIT_CORE": 0, "RLIMIT_FSIZE": self._limits.file},
        }
        if self._confinement is not None:
            shared = self._limits.memory
            launch["restrictions"] = self._confinement.restrictions(self._environment, code=code, own=self._own, shared=shared)
            # Holds where the watch is too slow. It counts threads, of the user, or of the user within a namespace.
            own = launch["restrictions"]["uid"] is not None or launch["restrictions"]["namespaces"] == "user"
            others = 0 if own else threads_of_user()
            launch["limits"]["RLIMIT_NPROC"] = others + self._limits.processes * _THREADS_A_PROCESS
        return launch

    def _hand_over(self) -> None:
        if self._confinement is not None:
            self._confinement.hand_over(self._own)

    def _watch(self, process: subprocess.Popen[bytes]) -> None:
        """Wait for the launcher in a thread: its end is known at once and everywhere."""
        loop = asyncio.get_running_loop()
        self.process = process

        def wait() -> None:
            process.wait()
            self._live.discard(process.pid)
            with contextlib.suppress(RuntimeError):  # the loop is closed, nobody listens
                loop.call_soon_threadsafe(self._note_death)

        self._waiter = threading.Thread(target=wait, name="kernel-waiter", daemon=True)
        self._live.add(process.pid, self.marker)
        self._waiter.start()

    def _note_death(self) -> None:
        if not self.died.done():
            self.died.set_result(None)

    async def _until_ready(self, seconds: float) -> None:
        """Wait for an answer on the shell channel and a sign of life on the output channel, whose subscription is slower."""
        self.client.start_channels(hb=False, stdin=False, control=False)
        self.client.allow_stdin = False
        deadline = time.monotonic() + seconds
        heard = False
        while not heard:
            self.client.kernel_info()
            try:
                await self._reply(deadline - time.monotonic())
            except TimeoutError:
                if self.died.done():
                    raise KernelStartError(f"the kernel died at its start: {self._said() or self.ending()}") from None
                raise KernelStartError(f"the kernel did not start within {seconds:g} s") from None
            with contextlib.suppress(Empty):
                await self.client.get_iopub_msg(timeout=0.1)
                heard = True

    def _said(self) -> str:
        """Return the last line the kernel wrote to its standard error."""
        with contextlib.suppress(OSError):
            lines = (self._folder / "log").read_bytes()[-_SAID_BYTES:].decode(errors="replace").strip().splitlines()
            return lines[-1] if lines else ""
        return ""


class _Launcher(LocalProvisioner):
    """Start processes through modernizer.process like everything else."""

    started: subprocess.Popen[bytes]
    before: Callable[[], None]

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:  # noqa: ANN401 - jupyter_client passes it
        streams = {name: kwargs[name] for name in ("stdin", "stdout", "stderr")}
        self.before()
        self.process = self.started = spawn(cmd, cwd=Path(kwargs["cwd"]), env=kwargs["env"], **streams)
        self.pid = self.pgid = self.started.pid
        return self.connection_info


def _private_folder() -> Path:
    """Make a folder only we can enter, with a path short enough for sockets."""
    parent = tempfile.gettempdir()
    folder = Path(tempfile.mkdtemp(prefix="nm-", dir=parent if len(parent) < _SOCKET_FOLDER_LENGTH else "/tmp"))  # noqa: S108
    (folder / "code").mkdir(mode=0o755)
    for name in ("own", "own/ipc", "own/bin"):
        (folder / name).mkdir(mode=0o700)
    return folder


def _write(path: Path, data: dict[str, Any]) -> None:
    path.write_text(json.dumps(data), encoding="utf-8")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
