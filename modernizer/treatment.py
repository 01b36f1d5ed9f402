"""Treat one notebook: hold back what can't run here, run it, judge it, repair it when asked to, prove the repair."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import nbformat

from modernizer.as_of import Past, calibrated, drift_facts
from modernizer.bench import ScratchRun, Task, changed_bytes, judged, load_program
from modernizer.drift.facts import PlacedFact
from modernizer.environment.installed import Installed
from modernizer.environment.model import Environment
from modernizer.execution.outcome import Execution
from modernizer.repair.allowed_renames import allowed_renames
from modernizer.repair.budget import longer_budget
from modernizer.repair.fidelity import fidelity
from modernizer.repair.loop import Bench, Repaired, repair
from modernizer.repair.model.assistant import Assistant
from modernizer.repair.model.context import Surroundings
from modernizer.repair.outcome import Ledger, Repair
from modernizer.repair.patch import unified_patch
from modernizer.repair.program import Program
from modernizer.repair.recipe import FetchingRecipe, Recipe
from modernizer.repair.rework import reworked
from modernizer.repair.runtime import last_execution, reduce_runtime
from modernizer.repair.silent import left_silent, undo_silent
from modernizer.repair.silent_lint import silent_assumptions
from modernizer.repetition import Repetition
from modernizer.report.results import NotebookResult
from modernizer.verdict.judge import blocked_by
from modernizer.verdict.preflight import preflight

REPAIR_EXECUTIONS = 6
"""A repair may take as long as this many executions of the notebook at its limit."""


@dataclass(frozen=True)
class Treated:
    """One notebook's result with the files that come of it: the repaired and run notebook, and all changed files."""

    result: NotebookResult
    executed: bytes | None = None
    changed: tuple[tuple[str, bytes], ...] = ()
    notes: tuple[str, ...] = ()


def hold_back(task: Task) -> NotebookResult | None:
    """Return the result of a notebook that certainly can't run here (data missing, no Python), before anything is spent."""
    program = load_program(task.notebook, task.root)
    settings = task.settings
    finding = preflight(
        task.notebook,
        root=task.root,
        data=settings.data,
        local_sources=program.modules,
        network=settings.network == "allow",
    )
    if finding is None:
        return None
    as_of = task.settings.as_of
    return NotebookResult(task.notebook.path, None, as_of.isoformat() if as_of else None, blocked_by(task.notebook, finding))


def treat(
    task: Task,
    environment: Environment,
    installed: Installed,
    *,
    recipes: Sequence[Recipe] | None,
    assistant: Assistant | None = None,
    list_files: Callable[[], Iterable[str]],
    on_progress: Callable[[str], None],
) -> Treated:
    """Run and judge a notebook; with ``recipes`` repair it when it is broken, with an ``assistant`` by memory and model too."""
    original = load_program(task.notebook, task.root)
    judge = judged(task, task.notebook, environment, list_files)
    run = ScratchRun(task, environment, original)
    try:
        first = run.run()
        if first.end == "finished":
            run.close()
        repetition = Repetition(
            task.settings, lambda program: ScratchRun(task, environment, program), judge, task.deadline, on_progress
        )
        before = repetition.outcome(original, judge(original, first))
        repaired = None
        untouched = Repaired(original, None, None, (), (), "none-applicable", Ledger())
        notes: tuple[str, ...] = ()
        past = Past(task, environment, on_progress)
        if recipes is not None:
            recipes, left_out = _fetching_nothing(recipes, original) if task.settings.network != "allow" else (recipes, ())
            deadline = time.monotonic() + REPAIR_EXECUTIONS * task.settings.timeout.notebook
            bench = Bench(
                open_run=lambda program: ScratchRun(task, environment, program),
                judge=judge,
                installed=installed,
                recipes=recipes,
                deadline=min(deadline, task.deadline or deadline),
                on_progress=on_progress,
                drift=past.worlds,
            )
            if assistant is not None:
                bench = _assisted(bench, assistant, task, environment, installed=installed, past=past)
            if before.verdict in {"broken", "blocked"} and first.end != "finished":
                tried = repair(original, run, first, before, bench)
                repaired = repetition.proof(tried, None) if before.verdict == "broken" or tried.fixes else None
            run.close()
            if last_execution(repaired, first).end == "timed-out":
                faster = reduce_runtime(original, repaired, last_execution(repaired, first), bench)
                repaired = repetition.proof(faster, None)
            if (repaired.after if repaired and repaired.after else before).verdict == "drifted":
                repaired = repetition.proof(undo_silent(original, repaired, before, bench), repaired or untouched)
            final = repaired.after if repaired and repaired.after else before
            notes = left_silent(repaired.program if repaired else original, bench) if final.good else left_out
            if final.verdict == "drifted":
                repaired = repetition.proof(calibrated(original, repaired, bench, past), repaired or untouched)
            final = repaired.after if repaired and repaired.after else before
            if assistant is not None and final.verdict in {"drifted", "timed-out"}:
                edited = reworked(original, repaired, final, last_execution(repaired, first), bench)
                repaired = repetition.proof(edited, repaired or untouched)
    finally:
        run.close()
    as_of = past.day if past.used else task.settings.as_of
    result = NotebookResult(
        task.notebook.path,
        environment.id,
        as_of.isoformat() if as_of else None,
        before,
        repaired.after if repaired else None,
        None,
        first.cells,
    )
    treated = Treated(result) if repaired is None else _with_repair(task, original, result, repaired)
    budget = longer_budget(task.notebook, last_execution(repaired, first), task.settings.timeout.notebook)
    program = repaired.program if repaired else original
    told = silent_assumptions(program, environment.packages) if recipes is not None else ()
    return replace(treated, notes=(*notes, *told, *filter(None, [budget])))


def _fetching_nothing(recipes: Sequence[Recipe], program: Program) -> tuple[tuple[Recipe, ...], tuple[str, ...]]:
    """Return the recipes that need no network, and what those left out would have fetched for the program."""
    left_out = [recipe for recipe in recipes if isinstance(recipe, FetchingRecipe)]
    text = "\n".join(program.sources().values())
    notes = tuple(
        f"with network: allow in the settings, the rule {recipe.name} fetches {recipe.fetches}"
        for recipe in left_out
        if any(word in text for word in recipe.words)
    )
    return tuple(recipe for recipe in recipes if recipe not in left_out), notes


def _assisted(
    bench: Bench, assistant: Assistant, task: Task, environment: Environment, *, installed: Installed, past: Past
) -> Bench:
    """Add the memory and the model to what repairs a notebook."""

    def facts(program: Program) -> Sequence[PlacedFact]:
        return drift_facts(program, past)

    return replace(
        bench,
        proposers=assistant.proposers(
            task.notebook.path,
            Surroundings(installed, environment.packages, environment.python_version),
            deadline=bench.deadline,
            facts=facts,
        ),
        renames=lambda program: allowed_renames(facts(program)),
        on_proven=assistant.memory.learn,
    )


def _with_repair(task: Task, original: Program, result: NotebookResult, repaired: Repaired) -> Treated:
    changes = changed_bytes(original, repaired.program, task.root)
    repair_record = Repair(
        fixes=repaired.fixes,
        attempts=repaired.attempts,
        stopped=repaired.stopped,
        fidelity=fidelity(original, repaired.program),
        ledger=repaired.ledger,
        patch=unified_patch(changes).decode("utf-8", "surrogateescape") if changes else "",
        sources={path: after for path, (_, after) in changes.items()},
    )
    executed = executed_notebook(repaired.program, repaired.proof) if repaired.proof and changes else None
    profile = repaired.proof.cells if repaired.proof else result.profile
    return Treated(
        NotebookResult(result.path, result.environment, result.as_of, result.before, repaired.after, repair_record, profile),
        executed,
        tuple((path, after) for path, (_, after) in changes.items()),
    )


def executed_notebook(program: Program, execution: Execution) -> bytes:
    """Return the notebook as it ran: with the outputs of this execution instead of the stored ones, in nbformat 4."""
    node = program.notebook.to_node()
    count = 0
    for index, cell in enumerate(node.cells):
        if cell.cell_type != "code":
            continue
        ran = index in execution.outputs
        cell.outputs = [nbformat.from_dict(dict(output)) for output in execution.outputs.get(index, ())]  # type: ignore[no-untyped-call]
        count += ran
        cell.execution_count = count if ran else None
    text: str = nbformat.writes(node, version=4)  # type: ignore[no-untyped-call]
    return f"{text}\n".encode()
