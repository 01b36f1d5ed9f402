"""The command line: reads options, calls the workflow, maps every end to an exit code.

Each command imports what it runs, so that help, refusals and the light commands answer at once.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, TypeVar

import click
from platformdirs import user_cache_path

from modernizer import __version__
from modernizer.discovery import TOOL_NAME, find_root
from modernizer.errors import ExitCode, ModernizerError, UsageError
from modernizer.sandbox.credentials import hide_process, take_secrets
from modernizer.starter import PLACEHOLDER, start

_F = TypeVar("_F", bound=Callable[..., Any])
_OUT = ".modernizer"

_OPTIONS = (
    click.option("--config", "config_file", type=click.Path(path_type=Path), help="Configuration (default: .modernizer.yml)."),
    click.option("--out", type=click.Path(path_type=Path), default=Path(_OUT), show_default=True, help="Output folder."),
    click.option("--jobs", type=click.IntRange(min=1), help="Notebooks run at the same time."),
    click.option("--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds per notebook."),
    click.option("--python", "python", help="Python version of the fresh environment, such as 3.13."),
    click.option("--packages", type=click.Choice(["latest", "declared"]), help="Today's newest, or what is pinned."),
    click.option("--cooldown", type=click.FloatRange(min=0), help="Days a release must be old to be used."),
    click.option("--model", help="Language model for what recipes can't repair, or 'none'."),
    click.option("--max-fixes", type=click.IntRange(min=0), help="Most model fixes per notebook."),
    click.option("--max-cost", type=click.FloatRange(min=0), help="Most US dollars per notebook."),
    click.option("--repeat", type=click.IntRange(min=1, max=100), help="Runs of a clean notebook, judged together."),
    click.option("--sandbox", type=click.Choice(["on", "off"]), default="on", show_default=True, help="Confine notebook code."),
    click.option("--json", "as_json", is_flag=True, help="Print results.json instead of the table."),
)


def _common(function: _F) -> _F:
    for option in reversed(_OPTIONS):
        function = option(function)
    return click.argument("paths", nargs=-1, type=click.Path(path_type=Path))(function)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="modernizer")
def cli() -> None:
    """Run notebooks in today's packages, repair the broken ones and prove the repair."""


@cli.command()
@_common
@click.option("--as-of", type=click.DateTime(["%Y-%m-%d"]), help="Use the packages and Python current at this date.")
def check(**options: Any) -> int:  # noqa: ANN401 (click's options, as _run names them)
    """Run and judge notebooks; change nothing."""
    return _run("check", **options)


@cli.command()
@_common
@click.option("--write", is_flag=True, help="Apply proven repairs to the notebooks and modules themselves.")
def fix(**options: Any) -> int:  # noqa: ANN401 (as above)
    """Check notebooks, repair the broken ones and prove the repairs; patches land in the output folder."""
    return _run("fix", **options)


@cli.command()
@click.argument("notebook", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--as-of", type=click.DateTime(["%Y-%m-%d"]), help="The notebook's date (default: configuration, first commit).")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Configuration (default: .modernizer.yml).")
@click.option("--python", "python", help="Python version of today, such as 3.13.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of the table.")
def drift(notebook: Path, as_of: datetime | None, config_file: Path | None, python: str | None, *, as_json: bool) -> int:
    """Show what changed in the packages a notebook uses since its date; nothing is run."""
    from modernizer.as_of import find_drift
    from modernizer.report.drift import drift_json, print_drift
    from modernizer.report.terminal import make_console

    found = find_drift(notebook, config_file=config_file, as_of=as_of.date() if as_of else None, python=python)
    if as_json:
        click.echo(json.dumps(drift_json(found), indent=1, ensure_ascii=False))
    else:
        print_drift(found, make_console())
    return ExitCode.GOOD


@cli.command()
@click.argument("notebook", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--as-of", type=click.DateTime(["%Y-%m-%d"]), help="The notebook's date (default: configuration, first commit).")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Configuration (default: .modernizer.yml).")
@click.option("--out", type=click.Path(path_type=Path), default=Path(_OUT), show_default=True, help="Output folder.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds for the notebook.")
@click.option("--python", "python", help="Python version to use instead of one of that time.")
@click.option("--sandbox", type=click.Choice(["on", "off"]), default="on", show_default=True, help="Confine notebook code.")
@click.option("--write", is_flag=True, help="Store the outputs in the notebook itself.")
def record(
    notebook: Path,
    *,
    as_of: datetime | None,
    config_file: Path | None,
    out: Path,
    timeout: float | None,
    python: str | None,
    sandbox: str,
    write: bool,
) -> int:
    """Run a notebook in the packages of its date and store its outputs: the record that is missing."""
    from modernizer.config import load_config
    from modernizer.record import RecordRequest
    from modernizer.record import record as record_notebook

    root = find_root([notebook])
    request = RecordRequest(
        root,
        notebook.absolute(),
        load_config(config_file, root).with_options(timeout=timeout),
        out.absolute(),
        as_of=_past(as_of),
        python=python,
        write=write,
        sandbox=sandbox == "on",
    )
    recorded = record_notebook(request, click.echo)
    if recorded.path is None:
        click.echo(f"not recorded: {recorded.outcome.verdict}: {recorded.outcome.detail}", err=True)
        return ExitCode.NOT_ALL_GOOD
    click.echo(f"recorded as of {recorded.day.isoformat()}, Python {recorded.environment.python_version}: {recorded.path}")
    return ExitCode.GOOD


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path(_OUT))
def report(folder: Path) -> int:
    """Render the reports of an output folder again from its results.json."""
    from modernizer.exit_code import exit_code
    from modernizer.report.write import render_again

    run = render_again(folder)
    click.echo(f"Report: {folder / 'report.md'}")
    return exit_code(run)


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path(_OUT))
@click.option("--github", "on_github", is_flag=True, help="Write pull request, badge and dashboard; needs GITHUB_TOKEN.")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Configuration (default: .modernizer.yml).")
@click.pass_obj
def publish(secrets: Mapping[str, str], folder: Path, config_file: Path | None, *, on_github: bool) -> int:
    """Check an output folder against the commit that is checked out and say what it proposes; nothing is executed."""
    from modernizer.publish import describe
    from modernizer.publish import publish as publish_folder

    root = find_root([])
    published = publish_folder(folder.absolute(), root)
    click.echo(describe(published))
    if on_github:
        from modernizer.config import load_config
        from modernizer.github.publish import connect, describe_posted, post

        client, context = connect(secrets.get("GITHUB_TOKEN", ""), os.environ)
        settings = load_config(config_file, root).pull_request
        posted = post(client, context, published.checked, root, settings, folder=folder.absolute())
        click.echo(describe_posted(posted))
    return ExitCode.GOOD


@cli.command()
@click.option("--markdown", "as_markdown", is_flag=True, help="Print docs/recipes.md.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def recipes(*, as_markdown: bool, as_json: bool) -> int:
    """List the recipes: what each changes, since which release, and by which source."""
    from modernizer.repair.catalogue import listing, markdown
    from modernizer.repair.recipes import all_recipes

    if as_markdown:
        click.echo(markdown(all_recipes()), nl=False)
    elif as_json:
        click.echo(json.dumps(listing(all_recipes()), indent=1, ensure_ascii=False))
    else:
        for item in listing(all_recipes()):
            click.echo(f"{item['name']}: {item['summary']}" + (f" ({item['since']})" if item["since"] else ""))
    return ExitCode.GOOD


@cli.command()
@click.option("--action", default=PLACEHOLDER, show_default=True, help="The action that the workflows use, best at a commit.")
@click.option("--quick", is_flag=True, help="One workflow with one job, for notebooks of your own.")
def init(action: str, *, quick: bool) -> int:
    """Write workflows and a configuration into the repository; files that exist are kept."""
    root = find_root([])
    started = start(root, action=action, quick=quick)
    for word, paths in (("wrote", started.written), ("kept", started.kept)):
        for path in paths:
            click.echo(f"{word:<6}{path}")
    if action == PLACEHOLDER and started.written:
        click.echo(f"Replace {PLACEHOLDER} in the workflows by a release.")
    click.echo("Let workflows create pull requests: Settings > Actions > General > Workflow permissions.")
    return ExitCode.GOOD


@cli.command()
@click.option("--python", "python", help="Python version to look for, such as 3.13.")
def doctor(python: str | None) -> int:
    """Look whether everything needed is there, and print what of the sandbox holds on this machine."""
    from modernizer.doctor import examine_machine

    findings = examine_machine(root=find_root([]), cache=user_cache_path(TOOL_NAME), python=python)
    width = max(len(finding.name) for finding in findings)
    for finding in findings:
        word = "ok" if finding.good else "MISSING" if finding.needed else "no"
        click.echo(f"{word:<8}{finding.name:<{width}}  {finding.detail}")
    return ExitCode.GOOD if all(finding.good or not finding.needed for finding in findings) else ExitCode.INTERNAL


def _run(
    command: str,
    *,
    paths: Sequence[Path],
    config_file: Path | None,
    out: Path,
    as_json: bool,
    sandbox: str = "on",
    write: bool = False,
    as_of: datetime | None = None,
    **typed: Any,  # noqa: ANN401 (as Config.with_options names them)
) -> int:
    from modernizer.config import load_config

    root = find_root(paths)
    config = load_config(config_file, root).with_options(**typed)
    day = _past(as_of)
    from modernizer.exit_code import exit_code
    from modernizer.report.results_json import to_json
    from modernizer.workflow import Request, carry_out

    words = shlex.join(["modernizer", *sys.argv[1:]])
    request = Request(
        command,
        words,
        root,
        tuple(paths),
        config,
        out.absolute(),
        write=write,
        quiet=as_json,
        sandbox=sandbox == "on",
        secrets=click.get_current_context().obj or {},
        as_of=day,
        as_of_python=typed.get("python"),
    )
    result = carry_out(request)
    if as_json:
        click.echo(json.dumps(to_json(result), indent=1, ensure_ascii=False))
    return exit_code(result)


def _past(as_of: datetime | None) -> date | None:
    if as_of is not None and as_of.date() >= datetime.now(UTC).date():
        raise UsageError(f"not a date in the past: {as_of.date().isoformat()}", where="--as-of")
    return as_of.date() if as_of else None


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit with the code that DESIGN section 4 gives to its end."""
    # Before anything else runs: what is started from here on finds no key or token anywhere.
    secrets = take_secrets()
    hide_process()
    try:
        code = cli.main(args=list(args) if args is not None else None, prog_name="modernizer", standalone_mode=False, obj=secrets)
    except click.exceptions.Abort:
        code = ExitCode.INTERRUPTED
    except click.ClickException as error:
        error.show()
        code = ExitCode.USAGE
    except ModernizerError as error:
        click.echo(f"modernizer: error: {error}", err=True)
        code = error.exit_code
    except KeyboardInterrupt:
        click.echo("modernizer: interrupted", err=True)
        code = ExitCode.INTERRUPTED
    sys.exit(int(code or 0))
