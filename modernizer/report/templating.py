"""The jinja2 environment of all reports: whatever a template prints is escaped, an unknown name is an error."""

from __future__ import annotations

from collections.abc import Callable

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from modernizer.report.text import without_places
from modernizer.report.view import arrow, duration, memory


def environment(finalize: Callable[[object], object], *packages: str, **filters: Callable[..., object]) -> Environment:
    """Return an environment for the templates of this package and of others; ``finalize`` sees each printed value first."""
    made = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in ("modernizer.report", *packages)]),
        autoescape=True,
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    shared = {"arrow": arrow, "duration": duration, "memory": memory, "percent": _percent, "without_places": without_places}
    made.filters.update(shared | filters)
    return made


def _percent(share: float) -> str:
    return f"{share:.0%}"
