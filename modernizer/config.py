"""The configuration: `.modernizer.yml` as frozen models, and what of it holds for one notebook."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from modernizer.config_errors import usage_error
from modernizer.config_values import (
    AsOf,
    Bytes,
    Dollars,
    Glob,
    Grader,
    Network,
    Packages,
    Python,
    Regex,
    Repeat,
    Rule,
    Seconds,
    Text,
    Tolerance,
    Tolerated,
)
from modernizer.errors import UsageError
from modernizer.globs import matches
from modernizer.yaml_file import YamlFile, read_yaml

CONFIG_NAMES = (".modernizer.yml", ".modernizer.yaml")


def default_jobs() -> int:
    """Return the number of CPUs this process may use, at most four."""
    count = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count()
    return max(1, min(4, count or 1))


class _Section(BaseModel):
    """Keys are written with hyphens; unknown ones and silent conversions are refused."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, validate_by_name=True, alias_generator=lambda name: name.replace("_", "-")
    )


class Timeout(_Section):
    """Limits in seconds: one cell (unless given, as long as the notebook may take), one notebook, the whole run."""

    cell: Seconds | None = None
    notebook: Seconds = 600.0
    run: Seconds = 3600.0

    @property
    def cell_seconds(self) -> float:
        """Return the limit of one cell."""
        return min(self.notebook, self.cell or self.notebook)


class ModelPrice(_Section):
    """US dollars for a million tokens; ``cached`` is for input that the provider had cached, as ``input`` unless given."""

    input: Dollars
    output: Dollars
    cached: Dollars | None = None


class Model(_Section):
    """The language model and its budgets; the name ``none`` turns it off, no name leaves the choice to the program."""

    name: Text | None = None
    base_url: Text | None = None
    price: ModelPrice | None = None
    max_fixes: Annotated[int, Field(ge=0)] = 16
    max_cost: Dollars = 1.0
    max_cost_run: Dollars = 10.0


class PullRequest(_Section):
    """What proven repairs become on GitHub: one pull request or one for each notebook, drafts unless said otherwise."""

    split: Literal["one", "per-notebook"] = "one"
    draft: bool = True
    labels: tuple[Text, ...] = ("notebooks",)
    outputs: bool = False
    dashboard: bool = False


_KINDS = frozenset({"output", "variable", "command", "tag", "scrapbook"})


class ScoreSource(_Section):
    """Where one score is read: ``from`` is output, variable, tag, scrapbook, command or the name of a file to be graded."""

    name: Text
    from_: Annotated[str, Field(alias="from", min_length=1)]
    pattern: Regex | None = None
    variable: Text | None = None
    command: Text | None = None
    grader: Grader | None = None
    answers: Text | None = None
    id: Text | None = None
    target: Text | None = None
    expected: Annotated[float, Field(allow_inf_nan=False)] | None = None
    tolerance: Tolerated | None = None
    direction: Literal["higher", "lower"] | None = None

    @property
    def kind(self) -> Literal["output", "variable", "command", "tag", "scrapbook", "file"]:
        """Return what ``from`` speaks of."""
        return self.from_ if self.from_ in _KINDS else "file"  # type: ignore[return-value]

    @model_validator(mode="after")
    def _check_keys(self) -> Self:
        needed = {"variable": {"variable"}, "command": {"command"}, "file": {"grader", "answers"}}.get(self.kind, set())
        allowed = needed | {"file": {"id", "target"}, "output": {"pattern"}}.get(self.kind, set())
        given = {key for key in self.model_fields_set if getattr(self, key) is not None}
        specific = {"pattern", "variable", "command", "grader", "answers", "id", "target"}
        if missing := sorted(needed - given):
            raise ValueError(f"a score from {self.from_} needs the key {missing[0]!r}")
        if surplus := sorted((given & specific) - allowed):
            raise ValueError(f"a score from {self.from_} has no use for the key {surplus[0]!r}")
        return self


class PartialTimeout(_Section):
    """The limits an override may change."""

    cell: Seconds | None = None
    notebook: Seconds | None = None


class Override(_Section):
    """Settings for the notebooks whose path matches; keys that are not given keep the general value."""

    match: Glob
    as_of: AsOf | None = None
    score: tuple[ScoreSource, ...] | None = None
    timeout: PartialTimeout | None = None
    tolerance: Tolerated | None = None
    python: Python | None = None
    requirements: Text | None = None
    packages: Packages | None = None
    memory: Bytes | None = None
    network: Network | None = None
    data: Mapping[Text, Text] | None = None
    repeat: Repeat | None = None
    rule: Rule | None = None

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        names = [source.name for source in self.score or ()]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"two scores have the name {twice[0]!r}")
        return self


@dataclass(frozen=True)
class NotebookSettings:
    """What holds for one notebook after every matching override."""

    python: str | None
    requirements: str | None
    packages: Packages
    timeout: Timeout
    memory: int
    network: Network
    data: Mapping[str, str]
    tolerance: Tolerance
    repeat: int = 1
    rule: Rule = "equivalence"
    as_of: date | None = None
    score: tuple[ScoreSource, ...] = ()


class Config(_Section):
    """The whole configuration; without a file every value is the default."""

    python: Python | None = None
    notebooks: Annotated[tuple[Glob, ...], Field(min_length=1)] = ("**/*.ipynb",)
    exclude: tuple[Glob, ...] = ()
    requirements: Text | None = None
    packages: Packages = "latest"
    timeout: Timeout = Timeout()
    memory: Bytes = 8 * 1000**3
    network: Network = "allow"
    cooldown: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 3.0
    jobs: Annotated[int, Field(ge=1)] = Field(default_factory=default_jobs)
    model: Model = Model()
    data: Mapping[Text, Text] = Field(default_factory=dict)
    tolerance: Tolerated = Tolerance(relative=0.01)
    repeat: Repeat = 1
    rule: Rule = "equivalence"
    pull_request: PullRequest = PullRequest()
    overrides: tuple[Override, ...] = ()

    def for_notebook(self, path: str) -> NotebookSettings:
        """Merge the overrides whose pattern matches the repo-relative path, in their order: the last one wins."""
        values: dict[str, Any] = {key: getattr(self, key) for key in _SHARED} | {"as_of": None, "score": ()}
        for override in self.overrides:
            if not matches(path, override.match):
                continue
            for key in (*_SHARED, "as_of", "score"):
                given = getattr(override, key)
                if given is None:
                    continue
                if key == "timeout":
                    given = values[key].model_copy(update=given.model_dump(exclude_none=True))
                elif key == "data":
                    given = {**values[key], **given}
                values[key] = given
        return NotebookSettings(**values)

    def with_options(
        self,
        *,
        jobs: int | None = None,
        timeout: float | None = None,
        model: str | None = None,
        max_fixes: int | None = None,
        max_cost: float | None = None,
        python: str | None = None,
        packages: str | None = None,
        cooldown: float | None = None,
        repeat: int | None = None,
    ) -> Config:
        """Return the configuration with what was typed on the command line, which wins over the file and its overrides.

        ``timeout`` is the limit per notebook in seconds; a limit per cell stays only where the file names one.
        Raises UsageError for a value that the file could not hold either.
        """
        typed = {"jobs": jobs, "python": python, "packages": packages, "cooldown": cooldown, "repeat": repeat}
        update: dict[str, Any] = {key: value for key, value in typed.items() if value is not None}
        typed_model = {"name": model, "max_fixes": max_fixes, "max_cost": max_cost}
        if model_update := {key: value for key, value in typed_model.items() if value is not None}:
            update["model"] = {**self.model.model_dump(exclude_unset=True), **model_update}
        if timeout is not None:
            update["timeout"] = {**self.timeout.model_dump(exclude_unset=True), "notebook": float(timeout)}
        try:
            checked = type(self).model_validate(update)
        except ValidationError as error:
            raise usage_error(error, None, "command line", type(self)) from None
        changed = {key: getattr(checked, key) for key in update}
        return self.model_copy(update=changed | {"overrides": tuple(_without(item, changed) for item in self.overrides)})


_SHARED = ("python", "requirements", "packages", "timeout", "memory", "network", "data", "tolerance", "repeat", "rule")


def _without(override: Override, typed: Mapping[str, Any]) -> Override:
    """Drop from an override what was typed on the command line."""
    dropped: dict[str, Any] = {key: None for key in ("python", "packages", "repeat") if key in typed}
    if "timeout" in typed and override.timeout is not None:
        dropped["timeout"] = override.timeout.model_copy(update={"notebook": None})
    return override.model_copy(update=dropped)


def load_config(path: Path | None, root: Path) -> Config:
    """Read the named file, or the repository's `.modernizer.yml` if there is one; raise UsageError with file and line.

    Python versions may be written without quotes: `python: 3.10` means 3.10, not the number 3.1.
    """
    if path is None:
        found = [root / name for name in CONFIG_NAMES if (root / name).exists()]
        if len(found) > 1:
            raise UsageError(f"both {CONFIG_NAMES[0]} and {CONFIG_NAMES[1]} exist", where=str(root), hint="keep one of them")
        if not found:
            return Config()
        path = found[0]
        shown = path.name
    else:
        shown = str(path)
    content = read_yaml(path, shown=shown)
    try:
        config = Config.model_validate(_with_python_as_text(content), by_alias=True, by_name=False)
    except ValidationError as error:
        raise usage_error(error, content, shown, Config) from None
    _check_files(config, content, root, shown)
    return config


def _with_python_as_text(content: YamlFile) -> Mapping[str, Any]:
    """Take `python` as it was written where YAML read a number."""
    data = dict(content.data)
    if isinstance(data.get("python"), int | float):
        data["python"] = content.raw["python",]
    overrides = data.get("overrides")
    if isinstance(overrides, tuple):
        data["overrides"] = tuple(
            {**item, "python": content.raw["overrides", index, "python"]}
            if isinstance(item, Mapping) and isinstance(item.get("python"), int | float)
            else item
            for index, item in enumerate(overrides)
        )
    return data


def _check_files(config: Config, content: YamlFile, root: Path, shown: str) -> None:
    """Refuse requirements files that are not there: every environment would silently be another one."""
    named: list[tuple[tuple[str | int, ...], str | None]] = [(("requirements",), config.requirements)]
    named += [(("overrides", index, "requirements"), item.requirements) for index, item in enumerate(config.overrides)]
    for place, name in named:
        if name is not None and not (root / name).is_file():
            raise UsageError(
                f"requirements: the file {name} does not exist",
                where=f"{shown}:{content.line(place)}",
                hint="paths are relative to the repository's root",
            )
