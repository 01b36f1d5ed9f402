"""The gate that every edit passes: rules on a program before and after."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from modernizer.repair.policy import (
    calls,
    cells,
    computations,
    control_flow,
    data,
    definitions,
    effects,
    filters,
    flags,
    kept_arguments,
    labels,
    limits,
    literals,
    results,
)
from modernizer.repair.policy.edit import Edit, Finding, Sides
from modernizer.repair.policy.equal_forms import with_equal_forms
from modernizer.repair.policy.reading import Code, imported, parse, read
from modernizer.repair.policy.renames import Renames
from modernizer.repair.policy.review import Flag, Review, Violation
from modernizer.repair.program import Key, Program

_NO_RENAMES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Rule:
    """A rule on one unit. What breaks a rule that isn't ``for_recipes`` is a flag when a recipe made the edit."""

    find: Callable[[Edit], Iterator[Finding]]
    for_recipes: bool = True

    @property
    def name(self) -> str:
        """The name that reports and tests use."""
        return self.find.__name__.replace("_", "-")

    @property
    def reason(self) -> str:
        """Why the rule is there."""
        return " ".join((self.find.__doc__ or "").split())


RULES = (
    Rule(cells.cells_keep_code, for_recipes=False),
    Rule(cells.code_stays_readable),
    Rule(cells.languages_stay),
    Rule(cells.magics_stay, for_recipes=False),
    Rule(cells.nothing_hidden),
    Rule(calls.calls_stay, for_recipes=False),
    Rule(calls.nothing_fitted_anew, for_recipes=False),
    Rule(calls.receivers_stay, for_recipes=False),
    Rule(kept_arguments.arguments_stay, for_recipes=False),
    Rule(calls.seeds_stay),
    Rule(literals.no_recorded_score),
    Rule(literals.constants_stay, for_recipes=False),
    Rule(literals.variables_stay, for_recipes=False),
    Rule(computations.operators_stay, for_recipes=False),
    Rule(computations.computations_stay, for_recipes=False),
    Rule(computations.scoring_stays_plain, for_recipes=False),
    Rule(computations.answers_stay_out, for_recipes=False),
    Rule(labels.columns_stay, for_recipes=False),
    Rule(labels.dropped_columns_stay, for_recipes=False),
    Rule(labels.records_stay, for_recipes=False),
    Rule(labels.target_column_stays_out, for_recipes=False),
    Rule(results.results_stay_computed, for_recipes=False),
    Rule(results.scores_stay_unbent, for_recipes=False),
    Rule(effects.no_network, for_recipes=False),
    Rule(effects.no_processes),
    Rule(effects.no_dynamic_code),
    Rule(effects.no_environment),
    Rule(effects.no_files, for_recipes=False),
    Rule(effects.paths_stay_inside, for_recipes=False),
    Rule(control_flow.errors_stay_visible),
    Rule(control_flow.nothing_ends_early, for_recipes=False),
    Rule(control_flow.nothing_is_put_aside, for_recipes=False),
    Rule(control_flow.conditions_stay, for_recipes=False),
    Rule(control_flow.statements_stay, for_recipes=False),
    Rule(control_flow.order_stays, for_recipes=False),
    Rule(control_flow.asserts_stay, for_recipes=False),
    Rule(data.no_sampling, for_recipes=False),
    Rule(limits.no_shrinking, for_recipes=False),
    Rule(limits.no_tuning, for_recipes=False),
    Rule(data.no_synthetic_data, for_recipes=False),
    Rule(data.no_other_data, for_recipes=False),
    Rule(data.no_leak),
    Rule(data.targets_stay),
    Rule(data.data_stays, for_recipes=False),
    Rule(data.weights_stay),
    Rule(definitions.meanings_stay, for_recipes=False),
    Rule(definitions.libraries_stay),
    Rule(filters.errors_stay_strict, for_recipes=False),
)
FLAGS = (
    Rule(flags.changed_numbers),
    Rule(flags.changed_strings),
    Rule(flags.changed_arguments),
    Rule(flags.new_packages),
    Rule(flags.changed_conditions),
    Rule(flags.unread_code),
)


def check(
    before: Program,
    after: Program,
    *,
    renames: Mapping[str, str] = _NO_RENAMES,
    recorded: Collection[float] = (),
    trusted: bool = False,
) -> Review:
    """Judge an edit.

    ``renames`` are renames known from drift facts, added to the recipes' tables: dotted name to dotted name, and
    ``dotted(argument)`` to the argument's new name or to nothing, ``dotted(argument=)`` to its old default, which an edit may
    write out. ``recorded`` are the notebook's recorded scores.
    A ``trusted`` edit is a recipe's: what it does to calls and statements by its table is flagged, not refused.
    """
    violations = [
        Violation(find.__name__.replace("_", "-"), key, finding.line, finding.detail)
        for find in (cells.cells_stay, cells.files_stay)
        for key, finding in find(before, after)
    ]
    flagged: list[Flag] = []
    for edit in _edits(before, after, Renames(dict(renames)), recorded):
        for rule in RULES:
            for finding in rule.find(edit):
                if trusted and not rule.for_recipes:
                    flagged.append(Flag(rule.name, edit.key, finding.line, finding.detail))
                else:
                    violations.append(Violation(rule.name, edit.key, finding.line, finding.detail))
        flagged += [Flag(rule.name, edit.key, finding.line, finding.detail) for rule in FLAGS for finding in rule.find(edit)]
    return Review(tuple(dict.fromkeys(violations)), tuple(dict.fromkeys(flagged)))


def _edits(before: Program, after: Program, renames: Renames, recorded: Collection[float]) -> Iterator[Edit]:
    old, new = before.sources(), after.sources()
    changed = [key for key, source in new.items() if key in old and old[key] != source]
    if not changed:
        return
    units_before, units_after = _read(old, renames), _read(new, renames)
    units_before |= {key: with_equal_forms(units_before[key], units_after[key]) for key in changed}
    sides = Sides(before, after, units_before, units_after, renames, recorded)
    for key in changed:
        yield Edit(key, sides.units_before[key], sides.units_after[key], sides)


def _read(sources: Mapping[Key, str], renames: Renames) -> dict[Key, Code]:
    """Read all units; cells share their imports, a module has its own."""
    shared: dict[str, str] = {}
    for key, source in sources.items():
        if isinstance(key, int):
            shared |= imported(parse(source)[1] or ast.Module([], []))
    return {key: read(source, renames, shared if isinstance(key, int) else {}) for key, source in sources.items()}
