"""Make installing inert at run time: it was honoured when the environment was built, an old pin must not wreck it now."""

from __future__ import annotations

import os
import re
from typing import Any

INERT = "[modernizer] not run, the environment is already built: {}"
_INSTALL = re.compile(
    r"""^\s*(?:\w+=\S*\s+)*(?:sudo\s+(?:-\S+\s+)*)?
    (?:\S*/)?(?:
      (?:python|pypy)[\d.]*(?:\.exe)?['"]?\s+(?:-\w\s+)*-m\s+pip\b
      |(?:uv\s+)?pip[\d.]*\s
      |(?:conda|mamba|micromamba)\s
      |uv\s+add\b
      |easy_install\b
    )""",
    re.VERBOSE,
)
_CHANGES = re.compile(r"\s(?:install|uninstall|remove|update|upgrade|create|add|sync|download|wheel)\b|easy_install")
_SEPARATORS = re.compile(r"(&&|\|\||;|\n)")
_MAGICS = ("pip", "conda", "mamba", "micromamba", "uv")


def tame(shell: Any) -> None:
    """Replace the installing magics and let shell commands through without their installing parts."""
    for name in _MAGICS:
        shell.register_magic_function(_inert_magic(name), magic_kind="line", magic_name=name)
    if not _has_terminals():
        shell.system = shell.system_piped = shell.system_raw
    for name in ("system", "system_raw", "system_piped", "getoutput"):
        if hasattr(shell, name):
            setattr(shell, name, _without_installing(getattr(shell, name), shell))


def _has_terminals() -> bool:
    """Tell whether shell commands can have a terminal: confined kernels of the user's own may have none."""
    try:
        ends = os.openpty()
    except OSError:
        return False
    for end in ends:
        os.close(end)
    return True


def _inert_magic(name: str) -> Any:
    def magic(line: str) -> None:
        print(INERT.format(f"%{name} {line}"[:200]))  # noqa: T201 - the cell's output

    return magic


def _without_installing(run: Any, shell: Any) -> Any:
    def run_rest(command: str, *arguments: Any, **keywords: Any) -> Any:
        # IPython expands {names} inside, too late to see what `!{sys.executable} -m pip` is. Done here, with the caller's
        # frame, and not again there.
        expanded = shell.var_expand(command, depth=keywords.get("depth", 0) + 1)
        kept, dropped = split_installing(expanded)
        for part in dropped:
            print(INERT.format(part[:200]))  # noqa: T201 - the cell's output
        shell.var_expand = lambda text, depth=0, formatter=None: text  # noqa: ARG005 - the method's own parameters
        try:
            return run(kept or ":", *arguments, **keywords)
        finally:
            del shell.var_expand

    return run_rest


def split_installing(command: str) -> tuple[str, list[str]]:
    """Return a shell command with its installing parts replaced by ``:`` (empty if nothing else is left), and those parts."""
    parts = _SEPARATORS.split(command)
    dropped = []
    rest = False
    for place in range(0, len(parts), 2):
        part = parts[place]
        if _INSTALL.match(part) and _CHANGES.search(part):
            dropped.append(part.strip())
            parts[place] = " : "
        elif part.strip():
            rest = True
    return ("".join(parts) if rest else ""), dropped
