"""Our repair loop and the 2026 study's on one notebook with one model: what each of them took, side by side."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from modernizer.bench import ScratchRun, Task, judged, load_program
from modernizer.config import load_config
from modernizer.environment.installed import Installed
from modernizer.environment.model import Environment, Requirements
from modernizer.notebook import read_notebook
from modernizer.repair.loop import Bench, repair
from modernizer.repair.model.assistant import Assistant
from modernizer.repair.model.budget import Budget
from modernizer.repair.model.context import Surroundings
from modernizer.repair.model.study import study
from modernizer.repair.outcome import Ledger
from modernizer.repair.program import Program
from modernizer.repair.recipes import all_recipes


@dataclass(frozen=True)
class Side:
    """What one loop took, the run that found the notebook broken included, and the part of its cell-seconds after that run."""

    verdict: str
    ledger: Ledger
    fresh_kernels: int
    repair_seconds: float


class Workplace:
    """One notebook with what both loops work with; counts the fresh kernels."""

    def __init__(self, root: Path, path: str, environment: Environment, installed: Installed) -> None:
        notebook = read_notebook(root / path, name=path)
        task = Task(root, notebook, load_config(None, root).for_notebook(path), Requirements(()))
        self.fresh_kernels = 0
        self.path = path
        self.program = load_program(notebook, root)

        def open_run(program: Program) -> ScratchRun:
            self.fresh_kernels += 1
            return ScratchRun(task, environment, program)

        self.open_run = open_run
        self.around = Surroundings(installed, environment.packages, environment.python_version)
        self.bench = Bench(
            open_run=open_run,
            judge=judged(task, notebook, environment, lambda: ()),
            installed=installed,
            recipes=all_recipes(),
        )


def ours(place: Workplace, assistant: Assistant) -> Side:
    """Repair in our loop: recipes, memory, model, on in the live kernel, one proof."""
    bench = replace(place.bench, proposers=assistant.proposers(place.path, place.around))
    run = place.open_run(place.program)
    first = run.run()
    judged_first = bench.judge(place.program, first)
    if judged_first.verdict != "broken":
        run.close()
        cost = Ledger(executions=1, cell_seconds=first.cell_seconds)
        return Side(judged_first.verdict, cost, place.fresh_kernels, 0.0)
    result = repair(place.program, run, first, judged_first, bench)
    cost = result.ledger
    whole = replace(cost, executions=cost.executions + 1, cell_seconds=cost.cell_seconds + first.cell_seconds)
    return Side(result.after.verdict if result.after else "broken", whole, place.fresh_kernels, cost.cell_seconds)


def theirs(place: Workplace, assistant: Assistant) -> Side:
    """Repair in the study's loop: the whole notebook in and out, a full run each round, the scores shown."""
    if assistant.client is None:
        raise SystemExit("there is no model: see docs/models.md for where a key is looked for")
    budget = Budget(assistant.run, assistant.price, max_calls=100, max_cost=assistant.settings.max_cost)
    result = study(place.program, place.bench, assistant.client, budget)
    cost = result.ledger
    # Its runs are all alike; the first one is not part of the repair.
    repairing = cost.cell_seconds * (cost.executions - 1) / cost.executions
    return Side(result.outcome.verdict, cost, place.fresh_kernels, repairing)


def table(
    one: Side, other: Side, *, seconds: float | None = None, repair_seconds: float | None = None, tokens: float | None = None
) -> list[str]:
    """Print the costs with their ratios and bounds; return the names of the bounds that are missed."""
    rows: list[tuple[str, float, float, float | None]] = [
        ("executions", one.ledger.executions, other.ledger.executions, None),
        ("fresh kernels", one.fresh_kernels, other.fresh_kernels, None),
        ("cell-seconds", one.ledger.cell_seconds, other.ledger.cell_seconds, seconds),
        ("cell-seconds after the first run", one.repair_seconds, other.repair_seconds, repair_seconds),
        ("model calls", one.ledger.model_calls, other.ledger.model_calls, None),
        ("prompt tokens", one.ledger.tokens_in, other.ledger.tokens_in, None),
        ("completion tokens", one.ledger.tokens_out, other.ledger.tokens_out, None),
        ("tokens", _tokens(one.ledger), _tokens(other.ledger), tokens),
        ("US dollars", one.ledger.cost_usd, other.ledger.cost_usd, None),
    ]
    print(f"{'':32}{'ours':>12}{'study':>12}{'ratio':>9}{'at most':>9}")
    print(f"{'verdict':32}{one.verdict:>12}{other.verdict:>12}")
    for name, mine, theirs_, bound in rows:
        digits = 0 if isinstance(mine, int) else 4 if theirs_ < 1 else 2
        ratio = f"{mine / theirs_:9.3f}" if theirs_ else f"{'':9}"
        print(f"{name:32}{mine:12.{digits}f}{theirs_:12.{digits}f}{ratio}{'' if bound is None else f'{bound:9.3f}'}")
    return [name for name, mine, theirs_, bound in rows if bound is not None and mine > bound * theirs_]


def _tokens(ledger: Ledger) -> int:
    return ledger.tokens_in + ledger.tokens_out
