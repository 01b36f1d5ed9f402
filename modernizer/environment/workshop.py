"""Where source distributions are built: setup scripts are code nobody looked at, so uv runs confined with a cache of its own.

Wheels need no such thing: nothing of them runs when they are resolved and installed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from modernizer.environment.uv_command import run_uv, uv_program
from modernizer.process import Completed
from modernizer.sandbox.confinement import Room, Sandbox
from modernizer.sandbox.identity import give, take_back

_DIRECT = re.compile(r"^\S+ @ ", re.MULTILINE)
# Credentials and folders that are not the build's.
_ERA_SETTINGS = Path(__file__).with_name("era_settings")
_WITHHELD = ("NETRC", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "UV_PYTHON_INSTALL_DIR")


class Workshop:
    """Runs uv for one environment; without a sandbox everything runs as it is. ``close`` removes what builds left."""

    def __init__(self, sandbox: Sandbox | None, python: Path, env: Mapping[str, str]) -> None:
        """Take the interpreter to build with and the variables uv may see."""
        self._sandbox = sandbox
        self._python = python
        self._env = dict(env)
        self._stack = ExitStack()
        self._room: Room | None = None

    def uv(self, args: Sequence[str], *, timeout: float, text: str, builds: bool, folder: Path | None = None) -> Completed:
        """Run uv to its end, confined when it may build something; ``folder`` is the environment it installs into.

        NetworkError when the index can't be reached; other failures are in the exit code.
        """
        if self._sandbox is None or not (builds or _DIRECT.search(text)):
            return run_uv(args, timeout=timeout, env=self._env, text=text)
        if self._room is None:
            self._room = self._stack.enter_context(self._sandbox.room())
        room = self._room
        settings = self._settings()
        restrictions = self._sandbox.restrictions(
            python=self._python,
            read=[uv_program(), _ERA_SETTINGS, *([settings] if settings else [])],
            write=[folder] if folder else [],
            temporary=room.folder,
            identity=room.identity,
            network=True,
        )
        env = {name: value for name, value in self._env.items() if name not in _WITHHELD}
        env |= {"HOME": str(room.folder), "TMPDIR": str(room.folder), "UV_CACHE_DIR": str(room.folder / "uv-cache")}
        env |= {"UV_CONFIG_FILE": str(settings)} if settings else {}
        prefix = self._sandbox.command(restrictions, [])
        if folder is None:
            return run_uv(args, timeout=timeout, env=env, text=text, prefix=prefix)
        if room.identity is not None:
            give(folder, room.identity)
        try:
            return run_uv(args, timeout=timeout, env=env, text=text, prefix=prefix)
        finally:
            take_back(folder)

    def close(self) -> None:
        """Remove the cache of the builds."""
        self._stack.close()

    def _settings(self) -> Path | None:
        """Return the user's uv.toml: it may name the index."""
        if named := self._env.get("UV_CONFIG_FILE"):
            return Path(named)
        base = self._env.get("XDG_CONFIG_HOME") or str(Path(self._env.get("HOME", "/nonexistent")) / ".config")
        path = Path(base) / "uv" / "uv.toml"
        return path if path.is_file() else None
