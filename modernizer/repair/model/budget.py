"""What a model may cost: calls, dollars and time for a notebook, dollars for a run. Every limit is hard."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from modernizer.repair.model.prices import Price
from modernizer.repair.outcome import Ledger


class OutOfBudgetError(Exception):
    """A call that would go over a limit, and which one."""


@dataclass
class RunBudget:
    """Dollars for all notebooks of a run together. Safe to use from several threads."""

    max_cost: float
    spent: float = 0.0
    _reserved: float = 0.0
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def affordable(self) -> float:
        """Return the dollars that are neither spent nor reserved."""
        with self._guard:
            return self.max_cost - self.spent - self._reserved

    def reserve(self, dollars: float) -> bool:
        """Set dollars aside for a call; False when there are not that many."""
        with self._guard:
            if self.spent + self._reserved + dollars > self.max_cost:
                return False
            self._reserved += dollars
            return True

    def settle(self, reserved: float, cost: float) -> None:
        """Replace what was set aside by what the call cost."""
        with self._guard:
            self._reserved -= reserved
            self.spent += cost


@dataclass
class Budget:
    """One notebook's limits and its ledger; ``deadline`` is a time of ``clock``."""

    run: RunBudget
    price: Price
    max_calls: int
    max_cost: float
    deadline: float = float("inf")
    clock: Callable[[], float] = time.monotonic
    ledger: Ledger = field(default_factory=Ledger)

    @property
    def seconds_left(self) -> float:
        """Return the time that is left."""
        return self.deadline - self.clock()

    def output_limit(self, tokens_in: int, wanted: int, *, least: int) -> int:
        """Return how many tokens an answer may have so that no limit is broken. OutOfBudgetError when fewer than ``least``."""
        if self.seconds_left <= 0:
            raise OutOfBudgetError("the time for this notebook is used up")
        if self.ledger.model_calls >= self.max_calls:
            raise OutOfBudgetError(f"{self.ledger.model_calls} model calls were made for this notebook")
        for dollars, whose in (
            (self.max_cost - self.ledger.cost_usd, f"this notebook's ${self.max_cost:.2f}"),
            (self.run.affordable(), f"the run's ${self.run.max_cost:.2f}"),
        ):
            left = dollars - self.price.cost(tokens_in, 0)
            allowed = wanted if self.price.output <= 0 and left >= 0 else int(left / self.price.output * 1e6) if left > 0 else 0
            if allowed < least:
                raise OutOfBudgetError(f"another model call could go over {whose}")
            wanted = min(wanted, allowed)
        return wanted

    def reserve(self, tokens_in: int, tokens_out: int) -> float:
        """Set the most that a call can cost aside for the whole run and return it."""
        worst = self.price.cost(tokens_in, tokens_out)
        if not self.run.reserve(worst):
            raise OutOfBudgetError(f"another model call could go over the run's ${self.run.max_cost:.2f}")
        return worst

    def count(self, spent: Ledger) -> None:
        """Add what a call cost."""
        mine = self.ledger
        self.ledger = replace(
            mine,
            model_calls=mine.model_calls + spent.model_calls,
            tokens_in=mine.tokens_in + spent.tokens_in,
            tokens_out=mine.tokens_out + spent.tokens_out,
            tokens_cached=mine.tokens_cached + spent.tokens_cached,
            cost_usd=mine.cost_usd + spent.cost_usd,
            calls_estimated=mine.calls_estimated + spent.calls_estimated,
        )
