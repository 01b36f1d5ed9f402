"""What the first fatal error of an execution is and what it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from modernizer.execution.outcome import CellError
from modernizer.notebook import Notebook
from modernizer.verdict.diagnosis.api import api
from modernizer.verdict.diagnosis.blocked import missing_data, missing_secret, needs_gpu, needs_input, needs_network
from modernizer.verdict.diagnosis.case import Case, aliases_of
from modernizer.verdict.diagnosis.nested import root_cause
from modernizer.verdict.diagnosis.syntax import magic, syntax
from modernizer.verdict.diagnosis.values import name_undefined, never_ran, value_semantics
from modernizer.verdict.outcome import Diagnosis

_RULES: tuple[Callable[[Case], Diagnosis | None], ...] = (
    magic,
    syntax,
    needs_input,
    missing_secret,
    needs_gpu,
    needs_network,
    missing_data,
    api,
    name_undefined,
    value_semantics,
)


def _no_files() -> Iterable[str]:
    return ()


def diagnose(
    error: CellError,
    notebook: Notebook,
    *,
    installed: Mapping[str, str],
    unknown_imports: Iterable[str] = (),
    list_files: Callable[[], Iterable[str]] = _no_files,
) -> Diagnosis:
    """Say what an error is about, by the first rule that knows it.

    ``installed`` maps distributions to versions, ``unknown_imports`` are imports that no declaration resolves;
    ``list_files`` gives the repository's files, relative with slashes, and is only called when a file or module is missing.
    """
    name, message = root_cause(error)
    case = Case(
        error=error,
        notebook=notebook,
        name=name,
        message=message,
        aliases=aliases_of(notebook),
        installed=installed,
        unknown=frozenset(unknown_imports),
        files=list_files,
    )
    found = next((diagnosis for rule in _RULES if (diagnosis := rule(case)) is not None), None)
    found = found or Diagnosis("other", "", case.library, _first_line(name, message))
    return never_ran(case, found) or found


def _first_line(name: str, message: str) -> str:
    first = next((line.strip() for line in message.splitlines() if line.strip()), "")
    return f"{name}: {first}" if first else name


__all__ = ["diagnose"]
