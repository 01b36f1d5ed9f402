"""Small repositories with one notebook, run in real kernels."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import nbformat
import pytest

from modernizer.environment.model import Environment
from modernizer.execution.limits import Limits
from modernizer.execution.live import Live
from modernizer.execution.outcome import Execution
from modernizer.execution.scratch import ScratchCopy
from modernizer.execution.session import Session
from modernizer.notebook import Notebook, parse_notebook


def build(*cells: str | dict[str, Any]) -> Notebook:
    """Make a notebook of code cells: sources, or dicts with source, tags and stored outputs."""
    node = nbformat.v4.new_notebook()
    for number, cell in enumerate(cells):
        about: dict[str, Any] = {"source": cell} if isinstance(cell, str) else dict(cell)
        metadata = {"tags": about.pop("tags")} if "tags" in about else {}
        node.cells.append(nbformat.v4.new_code_cell(metadata=metadata, id=f"cell-{number}", **about))
    return parse_notebook(nbformat.writes(node).encode(), name="nb.ipynb")


class Open(Protocol):
    def __call__(
        self,
        *cells: str | dict[str, Any],
        limits: Limits | None = None,
        files: Mapping[str, str] | None = None,
        live: Live | None = None,
    ) -> Session: ...


@pytest.fixture(scope="session")
def notebook_of() -> Callable[..., Notebook]:
    return build


@pytest.fixture
def open_session(kernel_environment: Environment, tmp_path: Path) -> Iterator[Open]:
    """Open sessions on notebooks in a fresh repository; all are closed and their scratch copies removed."""
    with ExitStack() as stack:

        def opened(
            *cells: str | dict[str, Any],
            limits: Limits | None = None,
            files: Mapping[str, str] | None = None,
            live: Live | None = None,
        ) -> Session:
            root = Path(tempfile.mkdtemp(dir=tmp_path))
            for name, content in (files or {}).items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(content)
            scratch = stack.enter_context(ScratchCopy(root, "nb.ipynb"))
            return stack.enter_context(Session(kernel_environment, scratch, build(*cells), limits, live=live or Live()))

        yield opened


@pytest.fixture(scope="session")
def reused(kernel_environment: Environment, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Execution]]:
    """Run notebooks one after the other in one kernel, for tests that need no fresh one."""
    root = tmp_path_factory.mktemp("reused")
    with ScratchCopy(root, "nb.ipynb") as scratch, Session(kernel_environment, scratch, build("pass"), live=Live()) as session:

        def run(*cells: str | dict[str, Any]) -> Execution:
            session.replace(build(*cells))
            return session.run(0)

        yield run
