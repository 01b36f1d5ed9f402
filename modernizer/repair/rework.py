"""Edits for notebooks that did not break: ones that took too long, and ones whose scores are off. Judged by clean runs only."""

from __future__ import annotations

import time
from dataclasses import replace

from modernizer.execution.outcome import CellError, Execution
from modernizer.repair.edits import Desk, Kept, Trial, recorded_scores, try_proposals
from modernizer.repair.loop import Bench, Repaired
from modernizer.repair.outcome import Attempt, Fix, FixKind, Ledger
from modernizer.repair.policy import check
from modernizer.repair.program import Program
from modernizer.repair.proposer import Situation
from modernizer.repair.recipe import Failure
from modernizer.verdict.outcome import Diagnosis, Outcome

_SLOW_CELLS = 5


def reworked(
    original: Program, repaired: Repaired | None, outcome: Outcome, execution: Execution, bench: Bench
) -> Repaired | None:
    """Have a timed-out or drifted notebook edited; kept only when a clean run then reproduces every recorded score.

    Whoever proposes the edits is told where scores are off, never what they are or should be. Scores may come back one after
    the other: an edit after which fewer are off, and none that agreed, is built upon, and all of it is dropped unless the last
    one comes back too. A faster notebook without recorded scores is not proven to compute the same, so its edit stays a
    suggestion among the attempts.
    """
    program = repaired.program if repaired else original
    calibrates = outcome.verdict == "drifted" and bench.drift(program) is not None
    if not bench.proposers or not (calibrates or outcome.verdict == "timed-out"):
        return repaired
    kind: FixKind = "score-calibration" if calibrates else "runtime-reduction"
    executions: list[Execution] = []
    desk = Desk()
    fixes: list[Fix] = []
    best: Kept | None = None
    while best is None or best.outcome.verdict == "drifted":
        now = best.outcome if best else outcome
        failure = _offness(now) if calibrates else _slowness(execution)
        if failure is None:
            break
        situation = Situation(best.program if best else program, failure, kind=kind)
        result = try_proposals(situation, execution, bench.proposers, desk, _trial(now, bench, executions))
        if not isinstance(result, Kept):
            break
        best, execution = result, result.execution
        fixes.append(result.fix)
    state = repaired or Repaired(original, None, None, (), (), "none-applicable", Ledger())
    spent = Ledger(**{name: getattr(state.ledger, name) + getattr(desk.spent, name) for name in vars(desk.spent)})
    spent = replace(
        spent,
        executions=spent.executions + len(executions),
        cell_seconds=spent.cell_seconds + sum(one.cell_seconds for one in executions),
    )
    state = replace(state, attempts=(*state.attempts, *desk.attempts), ledger=spent)
    if best is None:
        return state
    if best.outcome.verdict != "reproduced":
        undone = [Attempt(fix.origin, kind, "rolled-back", "other scores stayed off") for fix in fixes]
        return replace(state, attempts=(*state.attempts, *undone))
    return replace(
        state,
        program=best.program,
        after=best.outcome,
        proof=best.execution,
        fixes=(*state.fixes, *fixes),
        stopped="good",
    )


def _trial(outcome: Outcome, bench: Bench, executions: list[Execution]) -> Trial:
    """Try each edit in a clean run, which is its proof at the same time."""
    recorded = recorded_scores(outcome)

    def clean(program: Program) -> Execution:
        run = bench.open_run(program)
        try:
            execution = run.run()
        finally:
            run.close()
        executions.append(execution)
        return execution

    def accepts(_program: Program, _execution: Execution, found: Outcome) -> bool:
        return found.verdict == "reproduced" or (outcome.verdict == found.verdict == "drifted" and _closer(outcome, found))

    return Trial(
        bench.judge,
        lambda before, after: check(before, after, renames=bench.renames(before), recorded=recorded),
        go_on=clean,
        restart=clean,
        accepts=accepts,
        out_of_time=lambda: time.monotonic() > bench.deadline,
        on_progress=bench.on_progress,
    )


def _closer(before: Outcome, after: Outcome) -> bool:
    """Tell whether fewer scores are off, and all of them were off before."""
    was, now = ({place for place, score in enumerate(one.scores) if score.off} for one in (before, after))
    same = [(score.name, score.cell) for score in before.scores] == [(score.name, score.cell) for score in after.scores]
    return same and now < was


def _slowness(execution: Execution) -> Failure | None:
    """Place the trouble of a run over its time in the cell that was running, and say which cells took the time."""
    ran = [cell for cell in execution.cells if cell.status != "not-run"]
    stopped = next((cell for cell in ran if cell.status == "timed-out"), None)
    slow = sorted(ran, key=lambda cell: cell.seconds, reverse=True)[:_SLOW_CELLS]
    if not slow:
        return None
    place = (stopped or slow[0]).index
    profile = "\n".join(
        f"cell {cell.index}: {cell.seconds:.1f} s{', not finished' if cell.status == 'timed-out' else ''}" for cell in slow
    )
    error = CellError(place, "TimeLimit", f"the notebook did not end in its time. The slowest cells:\n{profile}")
    return Failure(place, None, error, Diagnosis("other"))


def _offness(outcome: Outcome) -> Failure | None:
    """Place the trouble of scores that are off in the first cell that shows one, without any number."""
    off = [score for score in outcome.scores if score.off and score.cell is not None]
    if not off or off[0].cell is None:
        return None
    places = ", ".join(dict.fromkeys(f"{score.name} in cell {score.cell}" for score in off[:6]))
    error = CellError(
        off[0].cell, "ScoreDrift", f"the notebook runs, but computes something else than when it was written: {places}"
    )
    return Failure(off[0].cell, None, error, Diagnosis("other"))
