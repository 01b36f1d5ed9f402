"""What `modernizer init` writes into a repository: a configuration and workflows. Existing files are never touched."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from modernizer.config import CONFIG_NAMES
from modernizer.errors import ModernizerError, UsageError

PLACEHOLDER = "OWNER/notebook-modernizer@VERSION"
_WORKFLOWS = Path(".github", "workflows")
_TWO_JOBS = {
    "schedule.yml": "notebooks.yml",
    "pull-request.yml": "notebooks-pull-request.yml",
    "comment.yml": "notebooks-comment.yml",
    "badge.yml": "notebooks-badge.yml",
}
_ONE_JOB = {"quick-start.yml": "notebooks.yml", "badge.yml": "notebooks-badge.yml"}
_ACTION = re.compile(r"(?:[\w.-]+/[\w.-]+|docker://[\w./-]+)@[\w.:/-]+")


@dataclass(frozen=True)
class Started:
    """What was written and what was there already, relative to the repository."""

    written: tuple[Path, ...]
    kept: tuple[Path, ...]


def start(root: Path, *, action: str = PLACEHOLDER, quick: bool = False) -> Started:
    """Write configuration and workflows, each only where nothing of that name is; ``quick`` means one job for everything.

    Raises UsageError for an ``action`` that no workflow could use, ModernizerError when a file can't be written.
    """
    if not _ACTION.fullmatch(action):
        raise UsageError(f"{action[:100]!r} is no action", where="--action", hint=f"expected the form {PLACEHOLDER}")
    texts = {_WORKFLOWS / target: _text(name).replace(PLACEHOLDER, action) for name, target in _named(quick=quick).items()}
    written: list[Path] = []
    kept: list[Path] = []
    if any((root / name).exists() for name in CONFIG_NAMES):
        kept += [Path(name) for name in CONFIG_NAMES if (root / name).exists()]
    else:
        texts[Path(CONFIG_NAMES[0])] = _text("modernizer.yml")
    for path, text in texts.items():
        (written if _write(root, path, text) else kept).append(path)
    return Started(tuple(sorted(written)), tuple(sorted(kept)))


def _named(*, quick: bool) -> dict[str, str]:
    return _ONE_JOB if quick else _TWO_JOBS


def _text(name: str) -> str:
    return (files("modernizer.starter") / name).read_text(encoding="utf-8")


def _write(root: Path, path: Path, text: str) -> bool:
    """Create a file; return False when there is one. A folder that is a link out of the repository is refused."""
    target = root / path
    try:
        if not target.parent.resolve().is_relative_to(root.resolve()):
            raise UsageError("leads out of the repository through a symbolic link", where=str(path.parent))
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        return False
    except OSError as error:
        raise ModernizerError(f"can't be written: {error.strerror}", where=str(path)) from error
    return True
