"""The action's inputs: read from INPUT_* variables, checked, and joined with the configuration file."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, TypeVar, cast, get_args

from modernizer.config import Config, load_config
from modernizer.errors import UsageError
from modernizer.exit_code import FailOn

Mode = Literal["run", "publish", "all", "command", "badge"]
Command = Literal["check", "fix"]
Switch = Literal["on", "off"]
_T = TypeVar("_T")
_MOST_PATHS = 20
# As @actions/core reads booleans: the words of YAML's core schema.
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


@dataclass(frozen=True)
class Inputs:
    """What the workflow asks for. ``options`` are those of ``Config.with_options`` that were given."""

    mode: Mode
    command: Command
    paths: tuple[Path, ...]
    config: Path | None
    out: Path
    options: Mapping[str, Any]
    write: bool
    sandbox: bool
    fail_on: FailOn
    only_changed: bool = True
    stale_after: timedelta | None = None
    failed: bool = False


def read_inputs(environ: Mapping[str, str], workspace: Path) -> Inputs:
    """Read and check every input; an empty one counts as not given. Raises UsageError that names the input."""
    values = _Values(environ)
    mode: Mode = values.choice("mode", Mode, "run")
    if mode == "publish" and values.text("model-key"):
        raise UsageError(
            "publishing asks no model", where="input model-key", hint="give the key to the job with mode: run, and only to it"
        )
    config = values.text("config")
    days = values.number("stale-after", float, least=0, most=36_500, above=True)
    return Inputs(
        mode=mode,
        command=values.choice("command", Command, "fix"),
        paths=tuple(_inside(workspace, line, "paths") for line in values.lines("paths")) or (workspace,),
        config=_inside(workspace, config, "config") if config else None,
        out=_inside(workspace, values.text("out") or ".modernizer", "out"),
        options=values.options(),
        write=values.boolean("write", default=False),
        sandbox=values.choice("sandbox", Switch, "on") == "on",
        fail_on=values.choice("fail-on", FailOn, "broken"),
        only_changed=values.boolean("only-changed", default=True),
        stale_after=timedelta(days=days) if days else None,
        failed=values.boolean("failed", default=False),
    )


def read_config(inputs: Inputs, root: Path) -> Config:
    """Load the configuration file and add the inputs where it is silent: what is written in the repository wins."""
    config = load_config(inputs.config, root)
    return config.with_options(**_effective(inputs, config)).model_copy(update={"overrides": config.overrides})


def command_line(inputs: Inputs, paths: Sequence[Path], root: Path) -> str:
    """Return the command that does the same on another machine; many single paths are left to a comment."""
    options = _effective(inputs, load_config(inputs.config, root))
    words = ["modernizer", inputs.command]
    if len(paths) <= _MOST_PATHS:
        names = [path.relative_to(root).as_posix() for path in paths if path != root]
        words += [f"./{name}" if name.startswith("-") else name for name in names]
    if inputs.config:
        words += ["--config", inputs.config.relative_to(root).as_posix()]
    for name, value in options.items():
        words += [f"--{name.replace('_', '-')}", f"{value:g}" if isinstance(value, float) else str(value)]
    words += ["--sandbox", "off"] if not inputs.sandbox else []
    words += ["--write"] if inputs.write else []
    return shlex.join(words) + (f"  # {len(paths)} paths" if len(paths) > _MOST_PATHS else "")


def _effective(inputs: Inputs, config: Config) -> dict[str, Any]:
    """Return the options that the file leaves to the inputs."""
    said = _said(config)
    return {name: value for name, value in inputs.options.items() if name not in said}


def _said(config: Config) -> frozenset[str]:
    """Name the options that the file sets."""
    names = set(config.model_fields_set) - {"timeout", "model"}
    if "notebook" in config.timeout.model_fields_set:
        names.add("timeout")
    names |= {"model" if name == "name" else name for name in config.model.model_fields_set}
    return frozenset(names)


@dataclass(frozen=True)
class _Values:
    """The inputs as text."""

    environ: Mapping[str, str]

    def text(self, name: str) -> str:
        return self.environ.get(f"INPUT_{name.upper()}", "").strip()

    def lines(self, name: str) -> list[str]:
        return [line.strip() for line in self.text(name).splitlines() if line.strip()]

    def choice(self, name: str, words: Any, default: _T) -> _T:  # noqa: ANN401 (a Literal type has no type of its own)
        text = self.text(name)
        if text and text not in get_args(words):
            raise UsageError(f"{text[:100]!r} is none of {', '.join(get_args(words))}", where=f"input {name}")
        return cast("_T", text) if text else default

    def boolean(self, name: str, *, default: bool) -> bool:
        text = self.text(name)
        if text and text not in _BOOLEANS:
            raise UsageError(f"{text[:100]!r} is neither true nor false", where=f"input {name}")
        return _BOOLEANS[text] if text else default

    def number(
        self, name: str, kind: Callable[[str], _T], *, least: float, most: float = math.inf, above: bool = False
    ) -> _T | None:
        text = self.text(name)
        if not text:
            return None
        what = "a whole number" if kind is int else "a number"
        bound = f"{'above' if above else 'of at least'} {least:g}" + (f" and at most {most:g}" if most < math.inf else "")
        try:
            value = kind(text)
            number = float(cast("float", value))
        except ValueError:
            raise UsageError(f"{text[:100]!r} is not {what}", where=f"input {name}") from None
        if not math.isfinite(number) or not least <= number <= most or (above and number == least):
            raise UsageError(f"{text[:100]!r} is not {what} {bound}", where=f"input {name}")
        return value

    def options(self) -> Mapping[str, Any]:
        given = {
            "jobs": self.number("jobs", int, least=1),
            "timeout": self.number("timeout", float, least=0, above=True),
            "cooldown": self.number("cooldown", float, least=0),
            "repeat": self.number("repeat", int, least=1),
            "max_fixes": self.number("max-fixes", int, least=0),
            "max_cost": self.number("max-cost", float, least=0),
            "python": self.text("python") or None,
            "packages": self.choice("packages", Literal["latest", "declared"], cast("str | None", None)),
            "model": self.text("model") or None,
        }
        return {name: value for name, value in given.items() if value is not None}


def _inside(workspace: Path, text: str, name: str) -> Path:
    """Return a path of the workspace; one that leads out of it, a symbolic link's target included, is refused."""
    path = workspace / text
    try:
        inside = path.resolve().is_relative_to(workspace.resolve())
    except (OSError, RuntimeError, ValueError):
        inside = False
    if not inside:
        raise UsageError(
            f"{text[:200]!r} is not inside the workspace", where=f"input {name}", hint="name a path of the repository"
        )
    return path
