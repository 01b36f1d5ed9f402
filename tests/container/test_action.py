"""The action in its image, as GitHub's runner starts it, on a repository of broken and hostile notebooks."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
import psutil
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "sandbox"))
from attacks import PREAMBLE, QUIET

pytestmark = pytest.mark.timeout(1200)  # a cold start makes a Debian and builds the image
RUNNER_USER = 1001
DAEMON_SECONDS = "98765.5"
_VALUES = (
    "INPUT_TOKEN", "INPUT_MODEL-KEY", "GITHUB_TOKEN", "ACTIONS_RUNTIME_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "OPENAI_API_KEY",
    "checkout", "git", "event", "home", "socket", "state",
)  # fmt: skip


@dataclass
class World:
    """What the runner lays out on the machine, with a planted value in each place where a platform puts one."""

    base: Path
    planted: dict[str, str] = field(default_factory=lambda: {name: f"planted-{secrets.token_hex(12)}" for name in _VALUES})
    connections: list[str] = field(default_factory=list)

    @property
    def workspace(self) -> Path:
        return self.base / "work" / "repository" / "repository"

    @property
    def temporary(self) -> Path:
        return self.base / "work" / "_temp"

    @property
    def commands(self) -> Path:
        return self.temporary / "_runner_file_commands"

    @property
    def out(self) -> Path:
        return self.workspace / ".modernizer"

    def volumes(self) -> list[str]:
        places = {
            # /var/run leads there; a mount behind a link is lost.
            self.base / "docker.sock": "/run/docker.sock",
            self.temporary: "/github/runner_temp",
            self.temporary / "_github_home": "/github/home",
            self.temporary / "_github_workflow": "/github/workflow",
            self.commands: "/github/file_commands",
            self.workspace: "/github/workspace",
            self.base.parent / "cache": "/var/cache/modernizer",
        }
        return [part for host, inside in places.items() for part in ("--volume", f"{host}:{inside}")]

    def variables(self, commit: str, inputs: Mapping[str, str]) -> dict[str, str]:
        return {
            "CI": "true",
            "HOME": "/github/home",
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": "/github/workspace",
            "GITHUB_EVENT_PATH": "/github/workflow/event.json",
            "GITHUB_EVENT_NAME": "schedule",
            "GITHUB_SHA": commit,
            "GITHUB_REPOSITORY": "octo/notebooks",
            **{
                variable: f"/github/file_commands/{name}_1"
                for variable, name in {
                    "GITHUB_ENV": "set_env",
                    "GITHUB_OUTPUT": "set_output",
                    "GITHUB_PATH": "add_path",
                    "GITHUB_STATE": "save_state",
                    "GITHUB_STEP_SUMMARY": "step_summary",
                }.items()
            },
            "RUNNER_TEMP": "/github/runner_temp",
            **{name: value for name, value in self.planted.items() if name.isupper()},
            **{f"INPUT_{name.upper()}": value for name, value in inputs.items()},
        }

    def write(self, path: Path, text: str, mode: int = 0o644) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)

    def lay_out(self, notebooks: Mapping[str, str]) -> str:
        """Write everything and return the commit that is checked out."""
        (self.base.parent / "cache").mkdir(exist_ok=True)
        for name, source in notebooks.items():
            self.write(self.workspace / name, source)
        self.write(self.workspace / "lab.py", "answer = 42\n")
        self.write(self.workspace / ".modernizer.yml", CONFIGURATION)
        git(self.workspace, "init", "-q")
        git(self.workspace, "add", ".")
        git(self.workspace, "commit", "-q", "-m", "Notebooks")
        git(self.workspace, "config", "http.extraheader", f"AUTHORIZATION: basic {self.planted['git']}")
        self.write(self.temporary / "git-credentials-1.config", self.planted["checkout"])
        self.write(self.temporary / "_github_home" / ".netrc", self.planted["home"])
        self.write(self.temporary / "_github_workflow" / "event.json", json.dumps({"secret": self.planted["event"]}))
        for name in ("set_env_1", "set_output_1", "add_path_1", "step_summary_1"):
            self.write(self.commands / name, "", 0o666)
        self.write(self.commands / "save_state_1", self.planted["state"], 0o666)
        self.commands.chmod(0o777)
        self.temporary.chmod(0o755)
        for place, folders, names in os.walk(self.base / "work"):
            for name in (".", *folders, *names):
                os.chown(Path(place) / name, RUNNER_USER, RUNNER_USER, follow_symlinks=False)
        threading.Thread(target=self._serve, args=(listening(self.base / "docker.sock"),), daemon=True).start()
        return git(self.workspace, "rev-parse", "HEAD")

    def _serve(self, server: socket.socket) -> None:
        while True:
            client, _ = server.accept()
            self.connections.append("connected")
            with client, contextlib.suppress(OSError):
                client.sendall(f"HTTP/1.0 200 OK\r\n\r\n{self.planted['socket']}".encode())


@dataclass(frozen=True)
class Ended:
    """A step that ended: its exit code, its log, and files of the container or the cache that hold something planted."""

    code: int
    log: str
    leaked: tuple[str, ...]

    def lines(self) -> list[str]:
        return self.log.splitlines()


# Keys are planted, so no model may be asked.
CONFIGURATION = """\
jobs: 2
model: {name: none}
overrides:
  - {match: quiet.ipynb, network: install-only}
  - {match: bomb.ipynb, timeout: {notebook: 12}}
"""
_PLACES = {
    "RUNNER": 1,
    "SOCKET": "/var/run/docker.sock",
    "EVENT": "/github/workflow/event.json",
    "COMMANDS": "/github/file_commands",
    "RUNNER_TEMP": "/github/runner_temp",
    "REPOSITORY": "/github/workspace",
    "HOME": "/github/home",
    "CACHE": "/var/cache/modernizer/notebook-modernizer",
    "OTHER": "/tmp/other",  # noqa: S108
    "PORT": 9,
}
_FIND = """
import sysconfig
SITE = sysconfig.get_path('purelib')
for name in os.listdir('/proc'):
    try:
        words = open(f'/proc/{name}/cmdline', 'rb').read() if name.isdigit() else b''
    except OSError:
        continue
    if b'/opt/modernizer/entrypoint.py' in words:
        RUNNER = int(name)
worked = []
"""
_DAEMON = f"""
import subprocess
child = subprocess.Popen(['sleep', '{DAEMON_SECONDS}'], start_new_session=True)
print('left', child.pid)
"""
_PARENT = """
import os, signal
for target in (os.getppid(), 1):
    try:
        os.kill(target, signal.SIGKILL)
    except OSError as error:
        print(error)
"""
_COMMANDS = r"""
import sys
for line in ('::set-env name=LD_PRELOAD::/x', '::add-path::/evil', '::error::forged', '##[error]forged'):
    print(line, flush=True)
    print('\r' + line, file=sys.stderr, flush=True)
raise RuntimeError('\n::error::forged\n::add-path::/evil')
"""
_BOMB = "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass"
_POISON = "open('lab.py', 'w').write('answer = 666')\nopen('sitecustomize.py', 'w').write('raise SystemExit(1)')"


def repository() -> dict[str, str]:
    return {
        "python2.ipynb": notebook("x = 3\nprint 'three:', x"),
        "healthy.ipynb": notebook("import lab\nassert lab.answer == 42"),
        "quiet.ipynb": attacking(QUIET),
        "commands.ipynb": notebook(_COMMANDS),
        "daemon.ipynb": notebook(_DAEMON),
        "parent.ipynb": notebook(_PARENT),
        "bomb.ipynb": notebook(_BOMB),
        "a_poison.ipynb": notebook(_POISON),
    }


def attacking(attacks: Mapping[str, str]) -> str:
    """A notebook that tries every attack and fails at its end when one of them worked."""
    places = "\n".join(f"{name} = {value!r}" for name, value in _PLACES.items())
    attempts = [attempt(name, body) for name, body in attacks.items()]
    return notebook(PREAMBLE.format(places=places) + _FIND, *attempts, "assert not worked, worked")


def attempt(name: str, body: str) -> str:
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"def attempt():\n{lines}\ntry:\n    attempt()\nexcept BaseException:\n    pass\nelse:\n    worked.append({name!r})"


def notebook(*sources: str) -> str:
    node = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    return nbformat.writes(node, indent=1) + "\n"


def git(folder: Path, *args: str) -> str:
    settings = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false", "-c", "safe.directory=*")
    return subprocess.run(["git", *settings, *args], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def listening(path: Path) -> socket.socket:
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    path.chmod(0o660)
    server.listen()
    return server


def start(buildah: Any, image: str, world: World, commit: str, **inputs: str) -> Ended:  # noqa: ANN401 (a fixture of conftest)
    """Run the entrypoint in a new container, as a step does."""
    command = settings_of(buildah, image)["Entrypoint"]
    container = buildah("from", image)
    variables = world.variables(commit, inputs)
    try:
        given = [part for name, value in variables.items() for part in ("--env", f"{name}={value}")]
        done = buildah.try_("run", "--workingdir", "/github/workspace", *world.volumes(), *given, container, "--", *command)
        folder = Path(buildah("mount", container))
        held = holding(world.planted.values(), folder, world.base.parent / "cache")
    finally:
        buildah("rm", container)
    return Ended(done.returncode, done.stdout + done.stderr, held)


def settings_of(buildah: Any, image: str) -> dict[str, Any]:  # noqa: ANN401 (as above)
    content: dict[str, Any] = json.loads(buildah("inspect", "--type", "image", image))["OCIv1"]["config"]
    return content


def holding(values: Iterable[str], *folders: Path) -> tuple[str, ...]:
    """Return the files below the folders that hold one of the values."""
    patterns = [part for value in values for part in ("-e", value)]
    command = ["grep", "-rlaF", "--devices=skip", *patterns, *map(str, folders)]
    return tuple(subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines())


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that other users may enter, for the runners of these tests and the cache they share."""
    folder = tmp_path_factory.mktemp("runner")
    for place in (folder, folder.parent, folder.parent.parent):
        place.chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def world(machine: Path) -> World:
    return World(machine / "hostile")


@pytest.fixture(scope="module")
def commit(world: World) -> str:
    return world.lay_out(repository())


@pytest.fixture(scope="module")
def ran(buildah: Any, image: str, world: World, commit: str) -> Ended:  # noqa: ANN401 (as above)
    """The notebooks after one step with mode: run."""
    return start(buildah, image, world, commit, mode="run")


@pytest.fixture(scope="module")
def results(ran: Ended, world: World) -> dict[str, Any]:
    assert (world.out / "results.json").exists(), ran.log[-3000:]
    content: dict[str, Any] = json.loads((world.out / "results.json").read_text(encoding="utf-8"))
    return content


def ends(results: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for item in results["notebooks"]:
        yield item["path"], (item["after"] or item["before"])["verdict"]


def test_every_notebook_has_its_verdict_and_nothing_hostile_worked(ran: Ended, results: dict[str, Any]) -> None:
    found = dict(ends(results))
    assert found.pop("bomb.ipynb") in {"timed-out", "crashed", "broken"}
    assert found.pop("parent.ipynb") in {"ran", "crashed"}
    quiet = next(item for item in results["notebooks"] if item["path"] == "quiet.ipynb")
    assert found.pop("quiet.ipynb") == "ran", quiet["before"]
    assert found == {
        "a_poison.ipynb": "ran",
        "commands.ipynb": "broken",
        "daemon.ipynb": "ran",
        "healthy.ipynb": "ran",
        "python2.ipynb": "ran",
    }
    assert ran.code == 1
    assert results["sandbox"].startswith("on: ")


def test_a_broken_notebook_is_repaired_with_a_patch_for_the_commit(results: dict[str, Any], world: World, commit: str) -> None:
    assert results["commit"] == commit
    patch = (world.out / "patches" / "python2.ipynb.patch").read_text(encoding="utf-8")
    assert "print('three:', x)" in patch
    git(world.workspace, "apply", "--check", str(world.out / "patches" / "python2.ipynb.patch"))


def test_the_outputs_and_the_summary_are_written_for_the_runner(results: dict[str, Any], world: World) -> None:
    text = (world.commands / "set_output_1").read_text(encoding="utf-8").splitlines()
    values = {line.partition("<<")[0]: text[index + 1] for index, line in enumerate(text) if "<<end-" in line}
    assert values["total"] == str(len(results["notebooks"]))
    assert values["repaired"] == "1"
    assert values["report"] == ".modernizer/report.md"
    assert values["pull-request-number"] == ""
    assert "# Notebook report" in (world.commands / "step_summary_1").read_text(encoding="utf-8")
    assert (world.out / "report.md").stat().st_uid == RUNNER_USER


def test_nothing_of_the_runner_was_changed(ran: Ended, world: World) -> None:
    for name in ("set_env_1", "add_path_1"):
        assert (world.commands / name).read_text(encoding="utf-8") == ""
    assert (world.commands / "save_state_1").read_text(encoding="utf-8") == world.planted["state"]
    assert sorted(path.name for path in world.commands.iterdir()) == [
        "add_path_1",
        "save_state_1",
        "set_env_1",
        "set_output_1",
        "step_summary_1",
    ]
    assert git(world.workspace, "status", "--porcelain", "--ignored") == "?? .modernizer/"
    assert sorted(path.name for path in (world.temporary / "_github_home").iterdir()) == [".netrc"]
    assert world.connections == []


def test_nothing_planted_was_printed_or_written(ran: Ended, world: World) -> None:
    log = "\n".join(line for line in ran.lines() if not line.startswith("::add-mask::"))
    written = "".join(path.read_text(encoding="utf-8", errors="replace") for path in world.out.rglob("*") if path.is_file())
    outputs = "".join((world.commands / name).read_text(encoding="utf-8") for name in ("set_output_1", "step_summary_1"))
    assert [name for name, value in world.planted.items() if value in log + written + outputs] == []
    assert ran.leaked == ()


def test_no_notebook_gives_the_runner_commands(ran: Ended) -> None:
    stopped = False
    obeyed = []
    for line in ran.lines():
        if line.startswith("::stop-commands::"):
            stopped, token = True, line.removeprefix("::stop-commands::")
        elif stopped and line == f"::{token}::":
            stopped = False
        elif not stopped and (line.lstrip().startswith("::") or "##[" in line):
            obeyed.append(line)
    assert not stopped
    assert [
        line
        for line in obeyed
        if not line.startswith(("::add-mask::planted", "::error file=", "::warning file=", "::notice file="))
    ] == []
    assert not any("forged" in line and "file=commands.ipynb" not in line for line in obeyed)


def test_what_a_notebook_left_running_is_gone(ran: Ended) -> None:
    assert [
        process.pid for process in psutil.process_iter(["cmdline"]) if DAEMON_SECONDS in (process.info["cmdline"] or ())
    ] == []


def test_the_next_job_publishes_what_was_left_without_running_anything(
    buildah: Any,  # noqa: ANN401 (a fixture of conftest)
    image: str,
    world: World,
    commit: str,
    results: dict[str, Any],
) -> None:
    world.planted.pop("INPUT_MODEL-KEY")
    done = start(buildah, image, world, commit, mode="publish", **{"fail-on": "never"})
    assert done.code == 0, done.log
    assert "Proposed: 1 repaired notebook" in done.log
    assert "python2.ipynb" in done.log
    (world.out / "extra.sh").write_text("x", encoding="utf-8")
    refused = start(buildah, image, world, commit, mode="publish")
    assert refused.code == 2
    assert "extra.sh" in refused.log


def test_one_job_runs_and_publishes(buildah: Any, image: str, machine: Path) -> None:  # noqa: ANN401 (a fixture of conftest)
    world = World(machine / "all")
    files = repository()
    commit = world.lay_out({name: files[name] for name in ("python2.ipynb", "healthy.ipynb", "quiet.ipynb")})
    paths = {"paths": "python2.ipynb\nhealthy.ipynb"}
    done = start(buildah, image, world, commit, mode="all", write="true", **paths)
    assert done.code == 0, done.log
    assert "Proposed: 1 repaired notebook\n  python2.ipynb" in done.log
    assert git(world.workspace, "diff", "--name-only") == "python2.ipynb"
    assert world.connections == []
    assert done.leaked == ()


def test_without_the_sandbox_the_same_attacks_work_and_the_report_says_so(
    buildah: Any,  # noqa: ANN401 (a fixture of conftest)
    image: str,
    machine: Path,
) -> None:
    world = World(machine / "off")
    names = ("docker socket", "event payload", "write GITHUB_ENV", "runner's credentials", "git folder")
    commit = world.lay_out({"attacks.ipynb": attacking({name: QUIET[name].replace("/set_env", "/set_env_1") for name in names})})
    done = start(buildah, image, world, commit, sandbox="off")
    assert done.code == 1, done.log
    (result,) = json.loads((world.out / "results.json").read_text(encoding="utf-8"))["notebooks"]
    assert [name for name in names if name not in result["before"]["error"]["message"]] == []
    assert world.connections != []
    assert "The sandbox was switched off" in (world.out / "report.md").read_text(encoding="utf-8")


def test_the_search_for_planted_values_finds_them(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "binary").write_bytes(b"\0\xffplanted-2\0")
    assert holding(["planted-1", "planted-2"], tmp_path) == (str(tmp_path / "a" / "binary"),)


def test_the_image_holds_no_compiler_and_says_what_it_is(buildah: Any, image: str) -> None:  # noqa: ANN401 (as above)
    container = buildah("from", image)
    try:
        folder = Path(buildah("mount", container))
        assert [name for name in ("gcc", "cc", "g++", "make", "pip") if (folder / "usr/bin" / name).exists()] == []
        assert [name for name in ("uv", "python") if not os.path.lexists(folder / "opt/modernizer/bin" / name)] == []
        assert not list(folder.glob("opt/modernizer/lib/python3*/site-packages/__editable__*"))
    finally:
        buildah("rm", container)
    labels = settings_of(buildah, image)["Labels"]
    assert labels["org.opencontainers.image.licenses"] == "Apache-2.0"
