"""What a model costs: the shipped table, the configuration's own price, and the assumption for models without one."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

_MILLION = 1_000_000


@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens. ``known`` is False where the price is an assumption of ours."""

    input: float
    output: float
    cached: float | None = None
    known: bool = True

    def cost(self, tokens_in: int, tokens_out: int, tokens_cached: int = 0) -> float:
        """Return dollars; the cached tokens are part of those that went in."""
        cached = min(tokens_cached, tokens_in)
        rate = self.input if self.cached is None else self.cached
        return ((tokens_in - cached) * self.input + cached * rate + tokens_out * self.output) / _MILLION


def price_of(model: str, given: Price | None = None) -> Price:
    """Return the given price, else the table's, else the assumption for unknown models."""
    if given is not None:
        return given
    table, unknown = _table()
    name = model.rpartition("/")[2].lower()
    # gpt-4.1-2025-04-14 and gpt-oss-120b:free are gpt-4.1 and gpt-oss-120b; gpt-4.1-mini is another model.
    found = table.get(name) or table.get(re.sub(r"(?:[-@]\d{4}-?\d{2}-?\d{2}|:[\w.-]+|-latest)$", "", name))
    return found or unknown


@cache
def _table() -> tuple[dict[str, Price], Price]:
    text = resources.files("modernizer.repair.model").joinpath("prices.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return {name: Price(**item) for name, item in data["models"].items()}, Price(**data["unknown"], known=False)
