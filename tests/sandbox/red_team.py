"""Runs hostile notebooks in sandboxed sessions, one after the other, in one of the worlds, and prints what came of each.

python red_team.py SETTINGS, a JSON file: python (of the kernel's environment), base (a writable folder), plain (no
namespaces, as where the kernel refuses them), short (leave out what is the same in every world).
"""

# ruff: noqa: T201, S108 - a program; the folders everybody may write to are its business
from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import secrets
import socket
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nbformat
import psutil

sys.path.insert(0, str(Path(__file__).parent))
from attacks import ORDINARY, PREAMBLE, QUIET, cell

from modernizer.environment.model import Environment
from modernizer.execution.confinement import Confinement
from modernizer.execution.limits import Limits
from modernizer.execution.scratch import ScratchCopy
from modernizer.execution.session import Session
from modernizer.notebook import parse_notebook
from modernizer.sandbox.check import SandboxError, open_sandbox
from modernizer.sandbox.confinement import Sandbox, find_means
from modernizer.sandbox.credentials import hide_process

DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open('daemon', 'w').write(str(os.getpid()))
        os.closerange(0, 100)
        time.sleep(600)
    os._exit(0)
os.wait()
time.sleep(0.5)
print('DAEMON')
"""
KILL_PARENT = """
import os, signal
for kill, target in ((os.kill, os.getppid()), (os.killpg, os.getpgid(os.getppid()))):
    try:
        kill(target, signal.SIGKILL)
    except OSError:
        pass
"""
FORK_BOMB = """
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
"""
FILL = """
block = b'x' * (1 << 20)
with open('big', 'wb') as file:
    for _ in range(100_000):
        file.write(block)
"""
FLOOD = """
import sys
block = 'x' * (1 << 20) + '\\n'
for _ in range(1100):
    sys.stdout.write(block)
"""
SET_USER_ID = """
import os, shutil
for folder in ('.', '/tmp', '/dev/shm', '/var/tmp'):
    try:
        shutil.copy('/bin/sh', folder + '/shell')
        os.chmod(folder + '/shell', 0o6777)
    except OSError:
        pass
"""
CLOSED = """
import os
os.makedirs('a/b/c')
open('a/b/c/d', 'w')
os.chmod('a/b', 0)
os.chmod('a', 0)
"""
POISON = """
open('lab.py', 'w').write('answer = 666')
import lab
assert lab.answer == 666
"""
LOUD = {
    "kill everything": "import os, signal\nos.kill(-1, signal.SIGKILL)",
    "kill the parent": KILL_PARENT,
    "daemon": DAEMON,
    "fork bomb": FORK_BOMB,
    "fill the disk": FILL,
    "one big file": "with open('big', 'wb') as file:\n    file.truncate(1 << 40)",
    "gigabytes of output": FLOOD,
    "set-user-id files": SET_USER_ID,
    "closed folders": CLOSED,
    "poisoned module": POISON,
}
# The same whatever the world is: played in some of them only.
ANYWHERE = ("one big file", "gigabytes of output", "closed folders", "poisoned module")
AT_ONCE = 3
LIMITS = Limits(cell=40, notebook=60, processes=40, disk=200 << 20, file=1 << 30, output_bytes=4 << 20, memory=2 << 30)


class World:
    """The runner's world with a planted value in every place where a platform puts a secret."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.planted = f"PLANTED-{secrets.token_hex(8)}"
        self.repository = base / "repository"
        self.home = base / "home"
        self.cache = base / "cache"
        self.temporary = base / "runner_temp"
        self.commands = self.temporary / "_runner_file_commands"
        self.event = base / "workflow" / "event.json"
        self.socket = base / "docker.sock"
        for path in (
            self.repository / ".git" / "config",
            self.home / ".netrc",
            self.home / ".ssh" / "id_ed25519",
            self.home / ".docker" / "config.json",
            self.home / ".config" / "gh" / "hosts.yml",
            self.temporary / "git-credentials-1.config",
            self.commands / "set_env",
            self.event,
            self.cache / "secret",
            self.cache / "environments" / "e" / "python",
            self.cache / "uv" / "wheel",
        ):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.planted)
        (self.repository / "lab.py").write_text("answer = 42\n")
        self.variables = {
            **os.environ,
            "HOME": str(self.home),
            "RUNNER_TEMP": str(self.temporary),
            "GITHUB_ENV": str(self.commands / "set_env"),
            "GITHUB_EVENT_PATH": str(self.event),
            "DOCKER_HOST": f"unix://{self.socket}",
            "GITHUB_TOKEN": self.planted,
        }
        for server in (_listen(str(self.socket)), _listen(f"\0modernizer-{os.getpid()}")):
            threading.Thread(target=self._serve, args=(server,), daemon=True).start()
        self.tcp = socket.create_server(("127.0.0.1", 0))

    def _serve(self, server: socket.socket) -> None:
        while True:
            client, _ = server.accept()
            with contextlib.suppress(OSError):
                client.sendall(f"HTTP/1.0 200 OK\r\n\r\n{self.planted}".encode())
            client.close()

    def snapshot(self) -> dict[str, str]:
        """Return the content of everything of the user's."""
        return {
            str(path): f"{oct(path.stat().st_mode)} {path.read_text(errors='replace')}"
            for path in sorted(self.base.rglob("*"))
            if path.is_file()
        }


def _listen(path: str) -> socket.socket:
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    if not path.startswith("\0"):
        Path(path).chmod(0o660)
    server.listen()
    return server


def run(world: World, environment: Environment, sandbox: Sandbox, *sources: str, network: bool = False) -> dict[str, Any]:
    node = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    notebook = parse_notebook(nbformat.writes(node).encode(), name="nb.ipynb")
    began = time.monotonic()
    with ScratchCopy(world.repository, "nb.ipynb", owner=sandbox.identity()) as scratch:
        base = scratch.root.parent
        with Session(environment, scratch, notebook, LIMITS, confinement=Confinement(sandbox, scratch, network)) as session:
            execution = session.run()
            written = {name: (scratch.root / name).read_text() for name in ("daemon",) if (scratch.root / name).exists()}
    return {
        "end": execution.end,
        "reason": execution.reason,
        "texts": [
            "".join(str(output.get("text", "")) for output in execution.outputs.get(i, ()))[:3000] for i in range(len(sources))
        ],
        "error": repr(execution.error),
        "seconds": time.monotonic() - began,
        "scratch left": base.exists(),
        "written": written,
        "owner": scratch.owner,
    }


def left_behind(owner: int | None) -> list[str]:
    """Return what a notebook's user still has: processes and files in folders for everybody."""
    if owner is None:
        return []
    found: list[str] = []
    # What other tests have is gone at any time, and none of it is this user's.
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess):
            if process.uids().real == owner and process.status() != psutil.STATUS_ZOMBIE:
                found.append(str(process.pid))
    for folder in ("/tmp", "/dev/shm", "/var/tmp"):
        for path in Path(folder).iterdir():
            with contextlib.suppress(FileNotFoundError):
                if path.lstat().st_uid == owner:
                    found.append(str(path))
    return found


def main() -> None:
    settings = json.loads(Path(sys.argv[1]).read_text())
    hide_process()
    world = World(Path(settings["base"]))
    environment = Environment("t", Path(settings["python"]), "3", {}, "", "", "")
    site = next(Path(settings["python"]).parent.parent.glob("lib/python*/site-packages"))
    means = find_means()
    if settings["plain"]:
        means = dataclasses.replace(means, namespaces="none")
    refused = ""
    if settings["plain"]:
        # Nothing but the socket's own permissions can keep notebooks of the same user from it.
        try:
            open_sandbox(world.variables, root=world.repository, cache=world.cache, needs_no_network=True, means=means)
        except SandboxError as error:
            refused = str(error)
        world.socket.unlink()
    before = world.snapshot()
    sandbox, report = open_sandbox(world.variables, root=world.repository, cache=world.cache, needs_no_network=True, means=means)
    other = tempfile.mkdtemp(prefix="nm-other-")
    places = {
        "RUNNER": os.getpid(), "SOCKET": str(world.socket), "EVENT": str(world.event), "COMMANDS": str(world.commands),
        "RUNNER_TEMP": str(world.temporary), "REPOSITORY": str(world.repository), "HOME": str(world.home),
        "CACHE": str(world.cache), "SITE": str(site), "PORT": world.tcp.getsockname()[1],
    }  # fmt: skip
    results: dict[str, Any] = {"refused": refused, "means": dataclasses.asdict(means), "summary": report.summary}
    (Path(other) / "repository").mkdir()
    (Path(other) / "repository" / "secret.txt").write_text(world.planted)
    with ScratchCopy(Path(other) / "repository", "x.ipynb", owner=sandbox.identity()) as theirs:
        places["OTHER"] = str(theirs.root)
        preamble = PREAMBLE.format(places="\n".join(f"{name} = {value!r}" for name, value in places.items()))
        quiet = run(world, environment, sandbox, preamble, *map(cell, QUIET.values()))
    results["quiet"] = quiet | {"texts": dict(zip(QUIET, quiet["texts"][1:], strict=True))}
    ordinary = run(world, environment, sandbox, preamble, *map(cell, ORDINARY.values()))
    results["ordinary"] = ordinary | {"texts": dict(zip(ORDINARY, ordinary["texts"][1:], strict=True))}
    names = [name for name in LOUD if name not in ANYWHERE or not settings["short"]]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        results |= zip(names, pool.map(lambda name: run(world, environment, sandbox, "x = 1", LOUD[name]), names), strict=True)
    for name in names:
        results[name]["left"] = left_behind(results[name]["owner"])
    results["next"] = run(world, environment, sandbox, "import lab, sys\nprint(lab.answer, 'sitecustomize' in sys.modules)")
    after = world.snapshot()
    results["changed"] = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    daemon = int(results["daemon"]["written"].get("daemon", 0))
    results["daemon lives"] = psutil.pid_exists(daemon) and psutil.Process(daemon).status() != psutil.STATUS_ZOMBIE
    results["planted"] = world.planted
    print(json.dumps(results))


if __name__ == "__main__":
    main()
