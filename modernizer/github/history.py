"""The history of runs beside the badge, a JSON line each: counts only, nothing that a notebook wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from modernizer.report.badge import Standing, standing
from modernizer.report.results import SEVERITY, RunResult, totals
from modernizer.verdict.outcome import GOOD, Verdict

_CRON = re.compile(r"[\w*,/-]+(?: [\w*,/-]+){4}", re.ASCII)


@dataclass(frozen=True)
class Entry:
    """One run: when it ended, of which commit, how many notebooks have which verdict, and the schedule in force.

    ``failed`` is a run that ended before there were results; it has no verdicts.
    """

    finished: str
    commit: str = ""
    verdicts: Mapping[Verdict, int] = field(default_factory=dict)
    repairable: int = 0
    cost_usd: float = 0.0
    run: str = ""
    schedule: str = ""
    failed: bool = False

    def __str__(self) -> str:
        """Return the line."""
        counted = {
            "notebooks": sum(self.verdicts.values()),
            "good": sum(count for verdict, count in self.verdicts.items() if verdict in GOOD),
            "repairable": self.repairable,
            "verdicts": dict(self.verdicts),
            "cost_usd": self.cost_usd,
        }
        known = {"run": self.run, "schedule": self.schedule}
        return json.dumps(
            {
                "finished": self.finished,
                **({"failed": True} if self.failed else {"commit": self.commit, **counted}),
                **{name: value for name, value in known.items() if value},
            }
        )

    @property
    def ended(self) -> datetime:
        """Return when it ended."""
        instant = datetime.fromisoformat(self.finished)
        return instant if instant.tzinfo else instant.replace(tzinfo=UTC)

    def standing(self, doubt: str = "") -> Standing:
        """Return what its badge tells."""
        return Standing(self.verdicts, self.finished[:10], doubt)


def entry_of(run: RunResult, *, run_id: str, schedule: str) -> Entry:
    """Return the entry of a run that judged notebooks."""
    counted = totals(run.notebooks)
    return Entry(
        run.finished or run.started,
        run.commit,
        standing(run).verdicts,
        counted.repaired,
        round(counted.ledger.cost_usd, 4),
        run_id,
        schedule if _CRON.fullmatch(schedule) else "",
    )


def read_history(text: str) -> tuple[Entry, ...]:
    """Read the lines; those that are damaged are left out."""
    return tuple(entry for entry in map(_read, text.splitlines()) if entry)


def _read(line: str) -> Entry | None:
    try:
        data: dict[str, Any] = json.loads(line)
        verdicts = {name: int(data.get("verdicts", {})[name]) for name in SEVERITY if name in data.get("verdicts", {})}
        entry = Entry(
            str(data["finished"]),
            str(data.get("commit", "")),
            dict(sorted(verdicts.items())),
            int(data.get("repairable", 0)),
            float(data.get("cost_usd", 0.0)),
            str(data.get("run", "")),
            str(data.get("schedule", "")),
            data.get("failed") is True,
        )
        # What is no instant can't be compared with today: this raises.
        instant = entry.ended
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return entry if instant else None
