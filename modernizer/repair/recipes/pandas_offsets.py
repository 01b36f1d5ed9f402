"""Frequency aliases that pandas 3 refuses: ``M`` is ``ME`` for offsets, ``A`` is ``YE`` (``Y`` for periods), ``H`` is ``h``."""

from __future__ import annotations

import re
from collections.abc import Mapping

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import requoted
from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.recipe import CodemodRecipe, Scope
from modernizer.repair.syntax import string


def _table(pairs: str) -> dict[str, str]:
    return dict(pair.split() for pair in pairs.split(", "))


# Old alias and new one; small letters were taken for large ones.
_TIMES = _table("H h, T min, S s, L ms, U us, N ns, t min, l ms, u us, n ns")
OFFSETS = _TIMES | _table(
    "M ME, BM BME, SM SME, CBM CBME, Q QE, BQ BQE, A YE, Y YE, BA BYE, BY BYE, AS YS, BAS BYS, BH bh, CBH cbh, "
    "m ME, q QE, a YE, y YE, bm BME, bq BQE"
)
PERIODS = _TIMES | _table("A Y, a Y, BA Y")
_UNITS = _table("T min, S s, L ms, U us, N ns")
_PART = re.compile(r"(?P<number>[+-]?\d*\.?\d*\s*)(?P<alias>[A-Za-z]+)(?P<anchor>-[A-Za-z]{3})?")
# Where a frequency stands: its keyword and its position, by function or by method.
_OFFSET_FUNCTIONS = {
    **dict.fromkeys(("pandas.date_range", "pandas.bdate_range", "pandas.timedelta_range", "pandas.interval_range"), ("freq", 3)),
    **dict.fromkeys(("pandas.Grouper", "pandas.DatetimeIndex", "pandas.TimedeltaIndex"), ("freq", None)),
    **dict.fromkeys(("pandas.TimeGrouper", "pandas.tseries.frequencies.to_offset"), ("freq", 0)),
}
_PERIOD_FUNCTIONS = {"pandas.period_range": ("freq", 3), "pandas.Period": ("freq", 1), "pandas.PeriodIndex": ("freq", None)}
_UNIT_FUNCTIONS = dict.fromkeys(("pandas.to_timedelta", "pandas.to_datetime", "pandas.Timedelta"), ("unit", None))
_METHODS = {
    "resample": ("rule", 0),
    "rolling": ("window", 0),
    "pct_change": ("freq", None),
    **dict.fromkeys(("asfreq", "floor", "ceil", "round"), ("freq", 0)),
    **dict.fromkeys(("shift", "tshift"), ("freq", 1)),
}
_MAYBE_PERIODS = frozenset({"resample", "asfreq", "shift", "tshift", "pct_change"})
_PERIOD_METHODS = {"to_period": ("freq", 0), "to_timestamp": ("freq", 0)}


def translated(alias: str, table: Mapping[str, str]) -> str | None:
    """Translate a frequency string part by part (``2H30T``, ``Q-NOV``); None when it needs no change or is none."""
    parts = list(_PART.finditer(alias.strip()))
    if not parts or "".join(part[0] for part in parts) != alias.strip():
        return None
    new = "".join(f"{part['number']}{table.get(part['alias'], part['alias'])}{part['anchor'] or ''}" for part in parts)
    return None if new == alias.strip() else new


class _Offsets(ReceiverCodemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._variables: dict[str, Mapping[str, str]] = {}

    def visit_Module(self, node: cst.Module) -> None:  # noqa: N802 (LibCST's visitor protocol)
        for call in m.findall(node, m.Call()):
            if isinstance(call, cst.Call) and (place := self._place(call)) is not None:
                table, position = place
                value = call.args[position].value
                if isinstance(value, cst.Name):
                    self._variables[value.value] = table

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        place = self._place(original_node)
        if place is None:
            return updated_node
        table, position = place
        arg = updated_node.args[position]
        new = self._literal(arg.value, table)
        if new is None:
            return updated_node
        args = list(updated_node.args)
        args[position] = arg.with_changes(value=new)
        return updated_node.with_changes(args=args)

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:  # noqa: N802
        del original_node
        names = [target.target.value for target in updated_node.targets if isinstance(target.target, cst.Name)]
        table = next((self._variables[name] for name in names if name in self._variables), None)
        new = None if table is None else self._literal(updated_node.value, table)
        return updated_node if new is None else updated_node.with_changes(value=new)

    def _literal(self, node: cst.BaseExpression, table: Mapping[str, str]) -> cst.BaseExpression | None:
        text = string(node)
        new = None if text is None else translated(text, table)
        if new is None or not isinstance(node, cst.SimpleString):
            return None
        self.scope.note(f"{text!r} → {new!r}")
        return requoted(node, new)

    def _place(self, call: cst.Call) -> tuple[Mapping[str, str], int] | None:
        """Find where a call takes a frequency and which aliases hold there; None when it takes none or that isn't known."""
        if not self.scope.at_least("pandas", "3.0"):
            return None
        qualified = self.scope.qualified(call.func) or ""
        for functions, table in ((_OFFSET_FUNCTIONS, OFFSETS), (_PERIOD_FUNCTIONS, PERIODS), (_UNIT_FUNCTIONS, _UNITS)):
            if qualified in functions:
                return _found(call, *functions[qualified], table)
        if qualified or not isinstance(call.func, cst.Attribute):
            return None
        name = call.func.attr.value
        if name in _PERIOD_METHODS:
            return _found(call, *_PERIOD_METHODS[name], PERIODS)
        if name not in _METHODS or (place := _found(call, *_METHODS[name], OFFSETS)) is None:
            return None
        if name not in _MAYBE_PERIODS:
            return place
        periods = self._of_periods(call)
        return None if periods is None else (PERIODS if periods else OFFSETS, place[1])

    def _of_periods(self, call: cst.Call) -> bool | None:
        """Tell whether a method's receiver goes by periods: by its text, the live index, or the error's advice."""
        receiver = call.func.value if isinstance(call.func, cst.Attribute) else call
        if m.findall(receiver, m.Attribute(attr=m.Name("to_period"))):
            return True
        kind = self.scope.names.type_of(receiver, self.scope.unit) or ""
        live = self.describe(receiver) or self.describe_later(receiver)
        if live is not None:
            kind = live.index_type or live.type_name
        if kind.endswith("PeriodIndex"):
            return True
        if kind.endswith("Index") or m.findall(receiver, m.Call(func=m.Attribute(attr=m.Name("set_index")))):
            return False
        if self.scope.failure is not None and self.scope.failing(call) and "Invalid frequency" in self.scope.failure.message:
            return "KeyError(" in self.scope.failure.error.message
        return None


def _found(call: cst.Call, keyword: str, position: int | None, table: Mapping[str, str]) -> tuple[Mapping[str, str], int] | None:
    for index, arg in enumerate(call.args):
        if arg.star:
            return None
        if (arg.keyword is not None and arg.keyword.value == keyword) or (arg.keyword is None and index == position):
            return table, index
    return None


class Offsets(CodemodRecipe):
    """Offset aliases."""

    name = "pandas-offset-alias"
    summary = "A frequency alias was renamed; the new one means the same frequency."
    since = "pandas 3.0"
    source = "pandas What's New 2.2 (deprecation) and 3.0 (enforced)"
    words = frozenset({"freq", "rule", "unit", *_METHODS, *_PERIOD_METHODS, "Grouper", "_range", "Period", "to_offset"})
    codemod = _Offsets


RECIPES = (Offsets(),)
