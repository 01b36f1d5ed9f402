"""``resample(kind=)``, ``base=`` and ``loffset=``, gone: the index, the origin or the result is shifted."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.expressions import filled, value_of
from modernizer.repair.receivers import ReceiverCodemod
from modernizer.repair.recipe import CodemodRecipe, Scope
from modernizer.repair.recipes.pandas_offsets import OFFSETS, PERIODS, translated
from modernizer.repair.syntax import argument, code, keyword, keyword_names, string, with_args, without

_GROUPERS = frozenset({"pandas.Grouper", "pandas.TimeGrouper"})
# What gives one row for each bin, so that shifting the rows is what shifting the labels was.
_REDUCED = frozenset(
    {"sum", "mean", "min", "max", "median", "std", "var", "sem", "first", "last", "ohlc", "count", "size", "prod", "nunique"}
    | {"agg", "aggregate", "ffill", "pad", "bfill", "asfreq"}
)
# A frequency of one unit, with the name of the same period.
_SINGLE = re.compile(r"1?(?P<alias>[A-Za-z]+)(?P<anchor>-[A-Z]{3})?")
_AS_PERIOD = {new: PERIODS.get(old, old) for old, new in OFFSETS.items() if old in {"M", "Q", "A", "H", "T", "S"}}
_AS_PERIOD |= {old: PERIODS.get(old, old) for old in ("M", "Q", "A", "D", "W", "H", "T", "S")} | {
    "Y": "Y",
    "h": "h",
    "min": "min",
    "s": "s",
}
# The labels of bins within groups are a level of the index, which can't be shifted by itself.
_GROUPBY = m.Attribute(attr=m.Name("groupby"))
_TICK = re.compile(r"(?P<number>\d*)(?P<unit>H|h|T|t|min|S|s|L|ms|U|us)")


class _Arguments(ReceiverCodemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._shifted: dict[cst.CSTNode, cst.BaseExpression] = {}

    def visit_Call(self, node: cst.Call) -> None:  # noqa: N802 (LibCST's visitor protocol)
        """Note the shift of labels where a method's result can be shifted."""
        bins = _resampled(node)
        offset = argument(bins, "loffset") if bins is not None else None
        if bins is None or offset is None or not self._gone("loffset") or value_of(offset.value) is None:
            return
        if self._of_pandas(bins) and not m.findall(bins.func, _GROUPBY):
            self._shifted[bins] = offset.value

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802
        if self.scope.qualified(original_node.func) in _GROUPERS:
            return self._based(updated_node, argument(updated_node, "freq", 1))
        bins = _resampled(original_node)
        if bins in self._shifted and bins is not None:
            return self._shift(self._shifted[bins], updated_node)
        if not self._of_pandas(original_node):
            return updated_node
        call = without(updated_node, {"loffset"}) if original_node in self._shifted else updated_node
        call = self._based(call, argument(call, "rule", 0))
        return self._of_kind(original_node, call)

    def _of_pandas(self, call: cst.Call) -> bool:
        func = call.func
        return isinstance(func, cst.Attribute) and func.attr.value == "resample" and self.may_be_of("pandas", func)

    def _shift(self, offset: cst.BaseExpression, call: cst.Call) -> cst.BaseExpression:
        text = string(offset)
        new = translated(text, OFFSETS) if text is not None else None
        self.scope.note("resample(loffset=) → .shift(freq=)")
        return filled("{self}.shift(freq={offset})", {"self": call, "offset": repr(new) if new else offset})

    def _based(self, call: cst.Call, rule: cst.Arg | None) -> cst.Call:
        """``base=2`` of bins of five minutes is an offset of two; longer bins than those of times had none."""
        base = argument(call, "base")
        number, text = value_of(base.value) if base else None, string(rule.value) if rule else None
        if base is None or text is None or not isinstance(number, int) or not self._gone("base"):
            return call
        tick = _TICK.fullmatch(text)
        if tick is None and re.match(r"\d", text):
            return call
        rest = number % int(tick["number"] or 1) if tick else 0
        self.scope.note("base= → offset=" if rest else "base= dropped")
        if not rest or tick is None:
            return without(call, {"base"})
        unit = OFFSETS.get(tick["unit"], tick["unit"])
        new = keyword("offset", repr(f"{rest}{unit}"))
        return with_args(call, [new.with_changes(comma=arg.comma) if arg is base else arg for arg in call.args])

    def _of_kind(self, original: cst.Call, call: cst.Call) -> cst.BaseExpression:
        kind = argument(call, "kind")
        wanted = string(kind.value) if kind else None
        rule = argument(call, "rule", 0)
        if kind is None or rule is None or not isinstance(call.func, cst.Attribute) or not self._gone("kind"):
            return call
        if value_of(kind.value) is None:
            return without(call, {"kind"})
        periods = self._of_periods(original)
        if (wanted, periods) in {("period", True), ("timestamp", False)}:
            self.scope.note("resample(kind=) dropped")
            return without(call, {"kind"})
        if wanted == "timestamp" and periods:
            return self._from_periods(call)
        name = _period(string(rule.value) or "")
        if wanted != "period" or name is None or keyword_names(call) & {"on", "level", "closed", "label", "axis"}:
            return call
        self.scope.note("resample(kind='period') → .to_period().resample()")
        bare = without(call, {"kind", "convention"})
        bare = with_args(
            bare, [arg.with_changes(value=cst.parse_expression(repr(name))) if arg is rule else arg for arg in bare.args]
        )
        return self._called(bare, f"to_period({name!r})")

    def _from_periods(self, call: cst.Call) -> cst.Call:
        convention = argument(call, "convention")
        self.scope.note("resample(kind='timestamp') → .to_timestamp().resample()")
        how = f"how={code(convention.value)}" if convention else ""
        rule = argument(call, "rule", 0)
        new = translated(string(rule.value) or "", OFFSETS) if rule else None
        renamed = [arg.with_changes(value=cst.SimpleString(repr(new))) if new and arg is rule else arg for arg in call.args]
        return self._called(without(call.with_changes(args=renamed), {"kind", "convention"}), f"to_timestamp({how})")

    def _called(self, call: cst.Call, method: str) -> cst.Call:
        """Put a method before ``resample``."""
        if not isinstance(call.func, cst.Attribute):
            return call
        receiver = filled("{self}." + method.replace("{", "{{").replace("}", "}}"), {"self": call.func.value})
        return call.with_changes(func=call.func.with_changes(value=receiver))

    def _of_periods(self, call: cst.Call) -> bool | None:
        receiver = call.func.value if isinstance(call.func, cst.Attribute) else call
        if m.findall(receiver, m.Attribute(attr=m.Name("to_period"))):
            return True
        live = self.describe(receiver) or self.describe_later(receiver)
        if live is None or live.index_type is None:
            return None
        return live.index_type.endswith("PeriodIndex")

    def _gone(self, parameter: str) -> bool:
        signature = self.scope.installed.signature("pandas.DataFrame.resample")
        return signature is not None and all(present.name != parameter for present in signature)


def _resampled(call: cst.Call) -> cst.Call | None:
    """Return the ``resample`` that a call such as ``x.resample(...).mean()`` reduces."""
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value not in _REDUCED:
        return None
    bins = call.func.value
    several = call.args and isinstance(call.args[0].value, cst.List | cst.Dict | cst.Name)
    if several or not isinstance(bins, cst.Call) or not m.matches(bins.func, m.Attribute(attr=m.Name("resample"))):
        # Of several functions and of chosen columns the labels were never shifted.
        return None
    return bins


def _period(rule: str) -> str | None:
    """Return the period of a frequency's single unit, by its old name or its present one."""
    found = _SINGLE.fullmatch(rule)
    name = _AS_PERIOD.get(found["alias"]) if found else None
    return None if found is None or name is None else f"{name}{found['anchor'] or ''}"


class ResampleArguments(CodemodRecipe):
    """resample(kind=, base=, loffset=)."""

    name = "pandas-resample-argument"
    summary = "resample() lost kind=, base= and loffset=; converting the index, offset= and shift(freq=) do what they did."
    since = ""
    source = "pandas What's New 1.1 (deprecation of base and loffset), 2.0 (removal), 2.2 (deprecation of kind) and 3.0 (removal)"
    words = frozenset({"kind", "base", "loffset"})
    order = 45
    confirmed = True
    codemod = _Arguments


RECIPES = (ResampleArguments(),)
