"""Judges a badge again when no run wrote a new one: grey when the last run is too long ago, or ended without results."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from modernizer.github.badge_branch import BRANCH, Earlier, put_badge, read_earlier, read_file
from modernizer.github.branch import branch_heads
from modernizer.github.client import Client
from modernizer.github.context import Context
from modernizer.github.explain import OvertakenError
from modernizer.github.history import Entry
from modernizer.github.schedule import longest_gap
from modernizer.report.paths import BADGE_JSON

# GitHub starts scheduled runs late and leaves some out when it is busy, and a run takes its time.
GRACE = timedelta(days=2)
# Where no schedule is known: what nobody has run for a month is not known to hold.
UNSCHEDULED = timedelta(days=31)


@dataclass(frozen=True)
class Checked:
    """What the badge says, and what was done about it."""

    message: str
    written: bool
    note: str


def check_badge(
    client: Client, context: Context, now: datetime, *, stale_after: timedelta | None = None, failed: bool = False
) -> Checked:
    """Turn the badge grey if there is a reason to, or back when there is none any more.

    ``failed`` says that the workflow run which asks ended without results; it is ignored when the run has written the badge.
    """
    if not context.on_default_branch:
        return Checked("", written=False, note="the badge is judged on the default branch only")
    earlier = read_earlier(client, branch_heads(client, BRANCH).get(BRANCH, ""))
    last = earlier.last
    if last is None:
        return Checked("", written=False, note="there is no badge yet")
    history = earlier.history
    if failed and not any(entry.run == context.run_id for entry in history if context.run_id):
        history = (*history, Entry(now.isoformat(timespec="seconds"), run=context.run_id, failed=True))
    shown = last.standing(doubt(history, now, stale_after))
    if history == earlier.history and read_file(client, earlier.head, BADGE_JSON) == shown.as_json():
        return Checked(shown.message, written=False, note="the badge holds")
    try:
        put_badge(client, earlier, shown, history)
    except OvertakenError:
        return Checked("", written=False, note="the badge was written by another run at the same time")
    return Checked(shown.message, written=True, note="the badge was judged again")


def doubt(history: tuple[Entry, ...], now: datetime, stale_after: timedelta | None) -> str:
    """Say why the last verdicts may no longer be true; empty when they may be relied on."""
    last = Earlier(history=history).last
    if last is None or now - last.ended > (stale_after or allowed_age(last)):
        return "outdated"
    return "last run failed" if history[-1].failed else ""


def allowed_age(entry: Entry) -> timedelta:
    """Return how old a run may be: its schedule and some grace."""
    return (longest_gap(entry.schedule) or UNSCHEDULED) + GRACE
