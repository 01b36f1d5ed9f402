"""What the start-up probe tries: every place where a platform or a person keeps a secret, and the ways to get at ours."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

COMMAND_FILES = ("GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")
OUTSIDE = "192.0.2.1"
"""An address reserved for documentation: nobody has it."""
_HOME = (
    ".netrc", ".git-credentials", ".gitconfig", ".config/git/credentials", ".ssh", ".docker", ".config/gh", ".aws",
    ".config/gcloud", ".azure", ".kube", ".npmrc", ".pypirc", ".gnupg", ".bash_history", ".config/uv", ".cache/huggingface/token",
    ".kaggle",
)  # fmt: skip
_SOCKETS = (
    "/var/run/docker.sock", "/run/docker.sock", "/run/podman/podman.sock", "/run/containerd/containerd.sock",
    "/run/crio/crio.sock", "/run/buildkit/buildkitd.sock", "/run/snapd.socket", "/run/systemd/private",
)  # fmt: skip
_RUNTIME_SOCKETS = ("docker.sock", "podman/podman.sock", "bus", "systemd/private", "gnupg/S.gpg-agent", "keyring/control")
_HOME_SOCKETS = (".docker/run/docker.sock", ".docker/desktop/docker.sock", ".colima/default/docker.sock")
_MANY = 40


@dataclass(frozen=True)
class Attempt:
    """One thing to try: how (a function of ``probe``), at what, and what it would mean."""

    kind: str
    target: str
    meaning: str


def attempts(
    *, variables: Mapping[str, str], root: Path, cache: Path, uv_cache: Path | None, planted: Path, others: Path, pid: int
) -> Iterator[Attempt]:
    """Yield what has to fail. ``planted`` is a secret of ours, ``others`` a file of another notebook, ``pid`` the runner."""
    yield Attempt("read", str(planted), "read a file of yours")
    yield Attempt("read", str(others), "read what another notebook works on")
    for process, name in ((1, "the first process's"), (pid, "our own")):
        yield Attempt("read", f"/proc/{process}/environ", f"read {name} environment")
    yield Attempt("memory", str(pid), "read our memory")
    yield Attempt("trace", str(pid), "trace us")
    yield Attempt("become", "0", "become root")
    for path in _sockets(variables):
        yield Attempt("connect", path, "command a service of this machine")
    yield from _runner(variables)
    for name in ("config", "credentials", "HEAD"):
        yield Attempt("read", str(root / ".git" / name), "read the repository's git folder")
    yield Attempt("write", str(root), "write into your repository")
    for folder in (cache, cache / "environments", uv_cache):
        if folder is not None:
            yield Attempt("write", str(folder), "write into the cache of packages")
    for home in {variables.get("HOME", ""), str(Path("~").expanduser())}:
        for name in _HOME if home.startswith("/") else ():
            yield Attempt("read", f"{home}/{name}", "read credentials in your home")


def network_attempts() -> Iterator[Attempt]:
    """Yield what has to fail without a network at run time."""
    yield Attempt("stream", OUTSIDE, "open connections")
    yield Attempt("datagram", OUTSIDE, "send datagrams")


def _sockets(variables: Mapping[str, str]) -> Iterator[str]:
    yield from _SOCKETS
    if runtime := variables.get("XDG_RUNTIME_DIR"):
        yield from (f"{runtime}/{name}" for name in _RUNTIME_SOCKETS)
    yield from (f"{variables['HOME']}/{name}" for name in _HOME_SOCKETS if variables.get("HOME"))
    for name in ("DOCKER_HOST", "CONTAINER_HOST", "SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS"):
        value = variables.get(name, "").removeprefix("unix:path=").removeprefix("unix://").partition(",")[0]
        if value.startswith("/"):
            yield value


def _runner(variables: Mapping[str, str]) -> Iterator[Attempt]:
    for name in COMMAND_FILES:
        if file := variables.get(name):
            yield Attempt("write", file, f"write the runner's command file {name}")
            yield Attempt("read", file, f"read the runner's command file {name}")
            yield Attempt("write", str(Path(file).parent), "write among the runner's command files")
    if event := variables.get("GITHUB_EVENT_PATH"):
        yield Attempt("read", event, "read the event")
    if temporary := variables.get("RUNNER_TEMP"):
        yield Attempt("write", temporary, "write into the runner's temporary folder")
        for path in itertools.islice(_files(Path(temporary)), _MANY):
            yield Attempt("read", str(path), "read the runner's temporary files")


def _files(folder: Path) -> Iterator[Path]:
    for place, _folders, names in os.walk(folder):
        yield from (Path(place) / name for name in names)
