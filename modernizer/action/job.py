"""The action's modes: run notebooks, publish what a run left, or both; read a comment's command; judge the badge again."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from modernizer.action.inputs import Inputs, command_line, read_config, read_inputs
from modernizer.action.on_event import judge_badge, nothing_to_run, read_comment, select
from modernizer.action.runner_files import RunnerFiles, commands_stopped, mask, outputs
from modernizer.errors import ExitCode, ModernizerError
from modernizer.exit_code import exit_code
from modernizer.github.publish import connect, describe_posted, post
from modernizer.publish import PullRequest, describe, publish
from modernizer.report.annotations import workflow_commands
from modernizer.report.results import RunResult
from modernizer.report.text import one_line
from modernizer.sandbox.credentials import hide_process, take_secrets

_MOST_BYTES = 100_000_000


@dataclass(frozen=True)
class _Ended:
    """How a mode ended."""

    run: RunResult
    pull_request: PullRequest | None = None
    trouble: ModernizerError | None = None
    posted: str = ""


def main() -> None:
    """Do what the step's inputs ask for and exit with the code of DESIGN section 4."""
    # Before anything else runs: what is started from here on finds no key or token anywhere.
    secrets = take_secrets()
    hide_process()
    sys.exit(run_action(os.environ, secrets))


def run_action(environ: Mapping[str, str], secrets: Mapping[str, str]) -> int:
    """Do what the inputs ask for, tell the runner the outputs and return the exit code.

    ``secrets`` are the variables that were taken out of ``environ``.
    """
    files = RunnerFiles.of(environ)
    mask([value for name, value in secrets.items() if name.startswith("INPUT_")], _say)
    try:
        workspace = _workspace(environ)
        inputs = read_inputs({**environ, **secrets}, workspace)
        if inputs.mode == "command":
            with commands_stopped(_say):
                asked = read_comment(environ, secrets, _say)
            files.set_outputs(asked)
            return ExitCode.GOOD
        if inputs.mode == "badge":
            with commands_stopped(_say):
                message = judge_badge(environ, secrets, _say, stale_after=inputs.stale_after, failed=inputs.failed)
            files.set_outputs({"badge-message": message})
            return ExitCode.GOOD
        with commands_stopped(_say):
            ended = _carry_out(inputs, workspace, environ, secrets)
        out = inputs.out.relative_to(workspace).as_posix()
        files.set_outputs(outputs(ended.run, out, ended.pull_request))
        # The job that ran has shown what it found; this one only says what it published.
        told = inputs.mode == "publish" and bool(ended.posted)
        if not told:
            files.add_summary(ended.run)
        files.add_text(ended.posted)
        if ended.trouble:
            raise ended.trouble
    except ModernizerError as error:
        _say(f"::error title=Notebook Modernizer::{one_line(str(error), 1000).replace('%', '%25')}")
        return error.exit_code
    if not told:
        for line in workflow_commands(ended.run, environ, lambda path: _stored(workspace / path)):
            _say(line)
    return exit_code(ended.run, inputs.fail_on)


def _carry_out(inputs: Inputs, workspace: Path, environ: Mapping[str, str], secrets: Mapping[str, str]) -> _Ended:
    if inputs.mode == "publish":
        return _publish(inputs, workspace, environ, secrets)
    try:
        run = _run(inputs, workspace, environ, secrets)
    except ModernizerError:
        if inputs.mode == "all" and secrets.get("INPUT_TOKEN", "").strip():
            _doubt_the_badge(environ, secrets)
        raise
    if inputs.mode == "all" and not run.interrupted:
        return _publish(inputs, workspace, environ, secrets)
    return _Ended(run)


def _run(inputs: Inputs, workspace: Path, environ: Mapping[str, str], secrets: Mapping[str, str]) -> RunResult:
    # What runs notebooks is slow to import; the jobs that publish, read a comment or judge the badge start without it.
    from modernizer.workflow import Request, carry_out  # noqa: PLC0415

    config = read_config(inputs, workspace)
    paths = select(inputs, config, environ, workspace, _say) if inputs.only_changed else inputs.paths
    words = command_line(inputs, paths, workspace)
    if not paths:
        return nothing_to_run(inputs.out, words, workspace)
    request = Request(
        inputs.command,
        words,
        workspace,
        paths,
        config,
        inputs.out,
        write=inputs.write,
        sandbox=inputs.sandbox,
        secrets=secrets,
    )
    try:
        return carry_out(request)
    finally:
        _hand_over(inputs.out, workspace)


def _publish(inputs: Inputs, workspace: Path, environ: Mapping[str, str], secrets: Mapping[str, str]) -> _Ended:
    published = publish(inputs.out, workspace)
    _say(describe(published))
    run = published.checked.run
    token = secrets.get("INPUT_TOKEN", "").strip()
    if not token:
        return _Ended(run)
    try:
        client, context = connect(token, environ)
        settings = read_config(inputs, workspace).pull_request
        posted = post(client, context, published.checked, workspace, settings, folder=inputs.out)
    except ModernizerError as error:
        # What the run found is told all the same.
        return _Ended(run, trouble=error)
    told = describe_posted(posted)
    _say(told)
    made = posted.pull_request
    return _Ended(run, PullRequest(made.number, made.url) if made else None, posted=f"{describe(published)}\n{told}")


def _doubt_the_badge(environ: Mapping[str, str], secrets: Mapping[str, str]) -> None:
    """Let the badge say that this run failed; trouble with that is told beside what it failed of."""
    try:
        judge_badge(environ, secrets, _say, failed=True)
    except ModernizerError as error:
        _say(one_line(str(error), 1000))


def _workspace(environ: Mapping[str, str]) -> Path:
    text = environ.get("GITHUB_WORKSPACE", "")
    if not text or not Path(text).is_dir():
        raise ModernizerError("there is no workspace", where="GITHUB_WORKSPACE", hint="run this as a step of a GitHub workflow")
    return Path(text)


def _stored(path: Path) -> bytes | None:
    """Return the bytes of a notebook, if it is an ordinary file of bearable size."""
    try:
        return path.read_bytes() if path.is_file() and path.stat().st_size <= _MOST_BYTES else None
    except OSError:
        return None


def _hand_over(out: Path, workspace: Path) -> None:
    """Give the output folder to the owner of the workspace: later steps and clean-up don't run as root."""
    if os.geteuid() != 0:
        return
    owner = workspace.stat()
    for place, folders, names in os.walk(out):
        for name in (".", *folders, *names):
            with suppress(FileNotFoundError):
                os.chown(Path(place) / name, owner.st_uid, owner.st_gid, follow_symlinks=False)


def _say(text: str) -> None:
    """Print a line at once; the runner reads standard output."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
