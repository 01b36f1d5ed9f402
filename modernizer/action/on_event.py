"""What an event changes in a job: a pull request runs the notebooks it concerns, a comment may ask for something."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from modernizer.action.inputs import Inputs
from modernizer.config import Config
from modernizer.discovery import discover
from modernizer.git_objects import head_commit
from modernizer.github.badge_check import check_badge
from modernizer.github.commands import NotNowError, authorised, ignore, react, retry
from modernizer.github.context import read_context, within
from modernizer.github.publish import connect
from modernizer.github.selection import changed_files, concerned
from modernizer.report.results import RunResult
from modernizer.report.write import prepare, write_all

Say = Callable[[str], object]


def select(inputs: Inputs, config: Config, environ: Mapping[str, str], workspace: Path, say: Say) -> tuple[Path, ...]:
    """Return the paths to run: of a pull request those notebooks that it concerns, else what the inputs name."""
    if not environ.get("GITHUB_EVENT_NAME", "").startswith("pull_request"):
        return inputs.paths
    base = within(read_context(environ).payload, "pull_request", "base")
    changed = changed_files(workspace, str(base.get("sha", "")))
    if changed is None:
        say("The pull request's base is not in the checkout (fetch-depth: 0 brings it), so every notebook is run.")
        return inputs.paths
    found = discover(workspace, inputs.paths, config, out=inputs.out)
    names = concerned(found, changed, workspace)
    say(f"The pull request concerns {len(names)} of {len(found)} notebooks.")
    return tuple(workspace / name for name in names)


def nothing_to_run(out: Path, words: str, workspace: Path) -> RunResult:
    """Write the results of a run without notebooks, so that later jobs find what they expect."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    note = "this pull request concerns no notebook"
    run = RunResult(now, now, words, commit=head_commit(workspace), notes=(note,))
    prepare(out)
    write_all(out, run, executed={}, locks={})
    return run


def judge_badge(
    environ: Mapping[str, str],
    secrets: Mapping[str, str],
    say: Say,
    *,
    stale_after: timedelta | None = None,
    failed: bool = False,
) -> str:
    """Judge the badge again and return its text, empty when there is none."""
    client, context = connect(secrets.get("INPUT_TOKEN", "").strip(), environ)
    checked = check_badge(client, context, datetime.now(UTC), stale_after=stale_after, failed=failed)
    say(f"{checked.note}: {checked.message}" if checked.message else checked.note)
    return checked.message


def read_comment(environ: Mapping[str, str], secrets: Mapping[str, str], say: Say) -> dict[str, str]:
    """Return the outputs of a comment's command, empty when there is none; what needs no run is done at once.

    Raises UsageError when the author may not give it or the pull request has moved since.
    """
    client, context = connect(secrets.get("INPUT_TOKEN", "").strip(), environ)
    try:
        command = authorised(client, context)
    except NotNowError:
        react(client, context, "confused")
        raise
    if command is None:
        say("The comment asks for nothing.")
        return {"command": "", "notebook": "", "head": ""}
    react(client, context, "eyes")
    if command.word == "ignore":
        ignore(client, command)
    elif command.word == "retry":
        retry(client, command)
    say(f"{command.word} {command.notebook!r} at {command.head}")
    return {"command": command.word, "notebook": command.notebook, "head": command.head}
