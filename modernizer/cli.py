"""The command line: reads options, calls the workflow, maps every end to an exit code."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from modernizer import __version__
from modernizer.config import load_config
from modernizer.discovery import find_root
from modernizer.errors import ExitCode, ModernizerError
from modernizer.exit_code import exit_code
from modernizer.publish import describe
from modernizer.publish import publish as publish_folder
from modernizer.report.results_json import to_json
from modernizer.report.write import render_again
from modernizer.workflow import Request, carry_out

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
@click.argument("folder", type=click.Path(path_type=Path), default=Path(_OUT))
def report(folder: Path) -> int:
    """Render the reports of an output folder again from its results.json."""
    run = render_again(folder)
    click.echo(f"Report: {folder / 'report.md'}")
    return exit_code(run)


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path(_OUT))
def publish(folder: Path) -> int:
    """Check an output folder against the commit that is checked out and say what it proposes; nothing is executed."""
    published = publish_folder(folder.absolute(), find_root([]))
    click.echo(describe(published))
    return ExitCode.GOOD


def _run(
    command: str,
    *,
    paths: Sequence[Path],
    config_file: Path | None,
    out: Path,
    as_json: bool,
    sandbox: str = "on",
    write: bool = False,
    **typed: Any,  # noqa: ANN401 (as Config.with_options names them)
) -> int:
    root = find_root(paths)
    config = load_config(config_file, root).with_options(**typed)
    words = shlex.join(["modernizer", *sys.argv[1:]])
    request = Request(
        command, words, root, tuple(paths), config, out.absolute(), write=write, quiet=as_json, sandbox=sandbox == "on"
    )
    result = carry_out(request)
    if as_json:
        click.echo(json.dumps(to_json(result), indent=1, ensure_ascii=False))
    return exit_code(result)


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit with the code that DESIGN section 4 gives to its end."""
    try:
        code = cli.main(args=list(args) if args is not None else None, prog_name="modernizer", standalone_mode=False)
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
