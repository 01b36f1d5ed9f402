"""What git knows of a commit: read as data, without the repository's hooks, filters or monitors ever running."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from modernizer.errors import ModernizerError
from modernizer.process import Completed, kill_group, run, spawn

_SECONDS = 120.0
_AT_ONCE = 200
_HINT = "check that the repository is whole"
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_PASSED = ("PATH", "LANG", "SYSTEMROOT")
# A repository's own configuration can name programs. These settings win over it; plumbing commands start nothing else.
_SAFE = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.symlinks": "false",
    "core.attributesFile": os.devnull,
    "protocol.allow": "never",
}


@dataclass(frozen=True)
class Entry:
    """One file of a commit: its mode as git writes it and the id of its content."""

    mode: str
    blob: str

    @property
    def regular(self) -> bool:
        """Tell whether it is an ordinary file: no symbolic link, no submodule."""
        return self.mode in {"100644", "100755"}


def head_commit(root: Path) -> str:
    """Return the id of the commit that is checked out, empty when there is none or no git."""
    try:
        done = run_git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], root)
    except ModernizerError:
        return ""
    found = done.stdout.strip()
    return found if done.returncode == 0 and is_commit_id(found) else ""


def is_commit_id(text: str) -> bool:
    """Tell whether a text is the full id of a commit."""
    return bool(_COMMIT.fullmatch(text))


def entries(root: Path, commit: str, paths: Iterable[str]) -> dict[str, Entry]:
    """Return what a commit holds at paths; what is not there is left out. Folders on the way are real: trees follow no link."""
    wanted = sorted(set(paths))
    found: dict[str, Entry] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        names = wanted[start : start + _AT_ONCE]
        args = ["--literal-pathspecs", "ls-tree", "-z", "--full-tree", commit, "--", *names]
        for line in run_git(args, root, check=True).stdout.split("\0"):
            head, _, name = line.partition("\t")
            if name in names:
                mode, kind, blob = head.split(" ")
                found |= {name: Entry(mode, blob)} if kind == "blob" else {}
    return found


def contents(root: Path, found: Sequence[Entry]) -> list[bytes]:
    """Return the stored bytes of files, without conversion of line ends or other filters."""
    process = spawn(_command(["cat-file", "--batch"]), cwd=root, env=_environment())
    try:
        data, said = process.communicate("".join(f"{item.blob}\n" for item in found).encode(), timeout=_SECONDS)
    except BaseException:
        kill_group(process.pid)
        process.communicate()
        raise
    read, at = [], 0
    for item in found:
        head, _, _ = data[at : at + 200].partition(b"\n")
        size = re.fullmatch(rf"{item.blob} blob (\d+)".encode(), head)
        if process.returncode or not size:
            reason = (said or head).decode(errors="replace").strip()
            raise ModernizerError(f"git can't read a file: {reason}", where=str(root), hint=_HINT)
        at += len(head) + 1
        read.append(data[at : at + int(size[1])])
        at += int(size[1]) + 1
    return read


def run_git(args: Sequence[str], folder: Path, *, check: bool = False, text: bytes | None = None) -> Completed:
    """Run git in a folder with an environment of its own and settings that no repository can override."""
    return run(_command(args), cwd=folder, env=_environment(), timeout=_SECONDS, input=text, check=check, hint=_HINT)


def _command(args: Sequence[str]) -> list[str]:
    # The folder of a job belongs to the runner's user, a container's process to root: git has to be told that this is meant.
    settings = (_SAFE | {"safe.directory": "*"}).items()
    options = [part for name, value in settings for part in ("-c", f"{name}={value}")]
    return ["git", *options, *args]


def _environment() -> dict[str, str]:
    environment = {name: os.environ[name] for name in _PASSED if name in os.environ}
    return environment | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "LC_ALL": "C",
    }
