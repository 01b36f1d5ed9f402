"""The loop of the 2026 study as a baseline to compare ours with: the whole notebook in and out, a full run each round.

It has no policy and no proof, and its prompt shows the recorded scores. Nothing but benchmarks and tests may call it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

import jinja2

from modernizer.execution.outcome import Execution
from modernizer.repair.loop import Bench
from modernizer.repair.model.budget import Budget, OutOfBudgetError
from modernizer.repair.model.client import ContextTooLongError, Label, ModelBusyError, ModelClient, ModelGoneError
from modernizer.repair.model.redact import Redactor, delimiter
from modernizer.repair.model.reply import Reply
from modernizer.repair.model.text_form import header, header_unit, text_form
from modernizer.repair.outcome import Ledger
from modernizer.repair.program import Key, Program
from modernizer.verdict.outcome import Outcome, Score

ROUNDS = 16
"""The study's own number of fixes for a notebook."""
_TEMPLATE = "study.v1.j2"
_FENCE_LINE = re.compile(r"^\s*(?:`{3,}|~{3,})[\w+-]*\s*$")
Ended = Literal["good", "rounds", "budget", "no-model"]


@dataclass(frozen=True)
class Studied:
    """The baseline's result: the last program that was run, how it was judged, and what all of it cost.

    ``ledger`` counts every run, the first one too. ``rounds`` are answers asked for; ``why`` says what ended it early.
    """

    program: Program
    outcome: Outcome
    rounds: int
    ended: Ended
    ledger: Ledger
    why: str = ""


@dataclass(frozen=True)
class _Ran:
    """One full run: what it gave up to its first fatal error, all tracebacks, and the seconds in cells."""

    execution: Execution
    tracebacks: tuple[str, ...]
    cell_seconds: float


class _UnusableError(Exception):
    """An answer that is not the whole notebook, and why."""


def study(original: Program, bench: Bench, client: ModelClient, budget: Budget, *, rounds: int = ROUNDS) -> Studied:
    """Run a notebook, send all of it to the model, take all of it back and run it anew, until it is good or rounds end."""
    program, trouble, asked = original, "", 0
    ran = _full_run(program, bench)
    outcome = bench.judge(program, ran.execution)
    executions, cell_seconds = 1, ran.cell_seconds
    ended: Ended = "rounds"
    why = ""
    while not outcome.good and asked < rounds:
        if time.monotonic() >= bench.deadline:
            ended, why = "budget", "the time for this notebook is used up"
            break
        asked += 1
        redactor = Redactor((client.access.key,))
        messages = _messages(program, ran.tracebacks, outcome.scores, trouble, redactor)
        try:
            reply = client.ask(messages, budget, Label(program.notebook.path, "study"))
            program = program.replaced(_whole_notebook(reply, program.sources(), redactor))
        except OutOfBudgetError as error:
            ended, why = "budget", str(error)
            break
        except (ModelGoneError, ModelBusyError, ContextTooLongError) as error:
            ended, why = "no-model", str(error)
            break
        except _UnusableError as error:
            trouble = str(error)
            continue
        trouble = ""
        ran = _full_run(program, bench)
        outcome = bench.judge(program, ran.execution)
        executions, cell_seconds = executions + 1, cell_seconds + ran.cell_seconds
    ledger = replace(budget.ledger, executions=executions, cell_seconds=cell_seconds)
    return Studied(program, outcome, asked, "good" if outcome.good else ended, ledger, why or trouble)


def _full_run(program: Program, bench: Bench) -> _Ran:
    """Run every cell in a new kernel, going on after errors as the study does, and collect their tracebacks."""
    run = bench.open_run(program)
    tracebacks: list[str] = []
    try:
        first = last = run.run()
        while last.error is not None:
            error = last.error
            tracebacks.append(f"{header(error.cell)}\n{error.traceback or f'{error.name}: {error.message}'}")
            last = run.run(error.cell + 1) if last.end == "error" else replace(last, error=None)
    finally:
        run.close()
    if first.end != "finished" and not tracebacks:
        tracebacks.append(first.reason)
    return _Ran(first, tuple(tracebacks), last.cell_seconds)


def _messages(
    program: Program, tracebacks: Sequence[str], scores: Sequence[Score], trouble: str, redactor: Redactor
) -> list[dict[str, str]]:
    hidden = {
        "targets": redactor.hide("\n".join(_target(score) for score in scores if score.recorded is not None)),
        "tracebacks": redactor.hide("\n\n".join(tracebacks)),
        "trouble": redactor.hide(trouble),
        "code": redactor.hide(text_form(program.sources()).rstrip("\n")),
    }
    values = {**hidden, "fence": delimiter(hidden.values())}
    template = _templates().get_template(_TEMPLATE)
    return [
        {"role": role, "content": "".join(template.blocks[role](template.new_context(dict(values)))).strip()}
        for role in ("system", "user")
    ]


def _target(score: Score) -> str:
    now = "none" if score.value is None else f"{score.value:g}"
    return f"{score.name}: target {score.recorded:g} within {score.tolerance:g}, last run {now}"


def _whole_notebook(reply: Reply, sources: Mapping[Key, str], redactor: Redactor) -> dict[Key, str]:
    """Return the units that an answer changes. _UnusableError unless it holds all cells and none that is unknown."""
    if reply.refused:
        raise _UnusableError("the model refused to answer")
    if reply.finish == "length":
        raise _UnusableError("the notebook was cut off at the limit of an answer's length")
    found: dict[Key, list[str]] = {}
    unit: Key | None = None
    for line in redactor.restore(reply.text.replace("\r\n", "\n")).split("\n"):
        named = header_unit(line)
        if named is not None:
            unit = named
            found[unit] = []
        elif _FENCE_LINE.match(line):
            unit = None
        elif unit is not None:
            found[unit].append(line)
    if unknown := [header(key) for key in found if key not in sources]:
        raise _UnusableError(f"there is no {unknown[0]}")
    if missing := [header(key) for key in sources if key not in found]:
        raise _UnusableError(f"{missing[0]} is missing; send the whole notebook")
    given = {key: "\n".join(lines).strip("\n") for key, lines in found.items()}
    return {key: text for key, text in given.items() if text != sources[key].strip("\n")}


@cache
def _templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.PackageLoader("modernizer.repair.model", "prompts"),
        autoescape=jinja2.select_autoescape(()),  # plain text: escaping is the fence's and the redactor's business
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
