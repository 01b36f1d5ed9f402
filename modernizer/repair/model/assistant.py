"""What helps where no recipe does, opened once for all notebooks of a run: the memory, and a model where there is one."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from modernizer.config import Model
from modernizer.drift.facts import PlacedFact
from modernizer.repair.model.audit import AuditLog
from modernizer.repair.model.budget import Budget, RunBudget
from modernizer.repair.model.cache import AnswerCache
from modernizer.repair.model.context import Surroundings
from modernizer.repair.model.files import AUDIT, MEMORY
from modernizer.repair.model.keys import OFF, Access, find_access
from modernizer.repair.model.memory import Memory
from modernizer.repair.model.prices import Price, price_of
from modernizer.repair.program import Program
from modernizer.repair.proposer import Proposer

if TYPE_CHECKING:
    from modernizer.repair.model.client import ModelClient

_CALLS_A_FIX = 4
"""Requests that one answer may take on average, retries and dropped parameters included."""


@dataclass
class Assistant:
    """The memory, and a model with the budget and the price that all notebooks of a run share. No client is no model."""

    settings: Model
    client: ModelClient | None
    memory: Memory
    run: RunBudget
    price: Price
    secrets: Sequence[str] = ()
    report: Callable[[str], object] = str
    _told: set[str] = field(default_factory=set)

    def proposers(
        self,
        notebook: str,
        around: Surroundings,
        *,
        deadline: float = float("inf"),
        facts: Callable[[Program], Sequence[PlacedFact]] = lambda _: (),
    ) -> tuple[Proposer, ...]:
        """Return who proposes edits for one notebook: the memory, then the model."""
        if self.client is None:
            return (self.memory,)
        from modernizer.repair.model.repairer import ModelRepairer  # noqa: PLC0415 - as in open_assistant

        budget = Budget(
            self.run,
            self.price,
            max_calls=self.settings.max_fixes * _CALLS_A_FIX,
            max_cost=self.settings.max_cost,
            deadline=deadline,
            clock=time.monotonic,
        )
        model = ModelRepairer(
            self.client,
            budget,
            around,
            notebook,
            max_fixes=self.settings.max_fixes,
            facts=facts,
            on_gone=self.tell_once,
            secrets=self.secrets,
        )
        return (self.memory, model)

    def tell_once(self, text: str) -> None:
        """Report why the model can't be had, once a run."""
        if text not in self._told:
            self._told.add(text)
            self.report(f"{text}; only recipes repair from here on")

    def close(self) -> None:
        """Close the connections."""
        if self.client is not None:
            self.client.close()


def open_assistant(
    settings: Model,
    secrets: Mapping[str, str],
    *,
    out: Path,
    cache: Path,
    base_url: str | None = None,
    stopping: Callable[[], bool] = lambda: False,
    report: Callable[[str], object] = str,
) -> Assistant:
    """Return the memory of a run with its model, unless that is off or there is no key. Nothing is sent before a repair needs it.

    ``report`` takes notes for the run's report, such as that a model was named but no key found.
    """
    access = find_access(settings, secrets, base_url=base_url)
    memory = Memory(out / MEMORY)
    if access is None or settings.max_fixes == 0:
        if access is None and settings.name is not None and settings.name.strip().lower() != OFF:
            report(f"no key for the model {settings.name}: only recipes repair (docs/models.md says where a key is looked for)")
        return Assistant(settings, None, memory, RunBudget(0.0), Price(0.0, 0.0))
    # The openai package takes as long to import as all else of a run together; without a model it is not needed.
    from modernizer.repair.model.client import ModelClient  # noqa: PLC0415

    known = _values(secrets, access)
    given = settings.price
    price = price_of(access.model, Price(given.input, given.output, given.cached) if given else None)
    if not price.known:
        report(
            f"the price of the model {access.model} is not known: costs are estimated at "
            f"${price.input:g} and ${price.output:g} for a million tokens (model: price: in the configuration)"
        )
    client = ModelClient(access, AnswerCache(cache / "answers"), AuditLog(out / AUDIT, known), stopping=stopping)
    return Assistant(settings, client, memory, RunBudget(settings.max_cost_run), price, known, report)


def _values(secrets: Mapping[str, str], access: Access) -> tuple[str, ...]:
    return tuple({value for value in (*secrets.values(), access.key) if value})
