"""Categories and labels: what was set in place or given to ``astype`` is made by the named method or type."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.evidence import refused_keyword
from modernizer.repair.expressions import filled, parsed, value_of
from modernizer.repair.receivers import FRAME, SERIES, ReceiverCodemod
from modernizer.repair.recipe import CodemodRecipe, is_chain
from modernizer.repair.syntax import argument, code, keyword_names, string

_CATEGORIES = m.Attribute(attr=m.Name("categories"), value=m.Attribute(attr=m.Name("cat")))
_AXES = {0: "index", "index": "index", "rows": "index", 1: "columns", "columns": "columns"}
_ASTYPE = frozenset({"categories", "ordered"})


class _Categories(ReceiverCodemod):
    def leave_SimpleStatementLine(  # noqa: N802 (LibCST's visitor protocol)
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine:
        pairs = zip(original_node.body, updated_node.body, strict=True)
        return updated_node.with_changes(body=[self._statement(old, new) for old, new in pairs])

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802
        """``x.astype('category', categories=, ordered=)``: a type of its own says that."""
        names = keyword_names(original_node)
        kind = argument(original_node, "dtype", 0)
        refused = refused_keyword(self.scope.failure)
        if not m.matches(original_node.func, m.Attribute(attr=m.Name("astype"))) or not names & _ASTYPE or kind is None:
            return updated_node
        if string(kind.value) != "category" or refused is None or not refused.owner.endswith("astype"):
            return updated_node
        given = [arg for arg in updated_node.args if arg.keyword and arg.keyword.value in _ASTYPE]
        settings = ", ".join(code(arg.with_changes(comma=cst.MaybeSentinel.DEFAULT)).strip() for arg in given)
        self.scope.note("astype('category', …) → astype(CategoricalDtype(…))")
        dtype = cst.parse_expression(f"{self.scope.reference('pandas.CategoricalDtype')}({settings})")
        others = [arg for arg in updated_node.args[1:] if arg not in given]
        return updated_node.with_changes(args=[cst.Arg(dtype), *others])

    def _statement(self, old: cst.BaseSmallStatement, new: cst.BaseSmallStatement) -> cst.BaseSmallStatement:
        if isinstance(old, cst.Assign) and isinstance(new, cst.Assign) and len(old.targets) == 1:
            return self._renamed(old.targets[0].target, new)
        if isinstance(old, cst.Expr) and isinstance(old.value, cst.Call):
            return self._axis_set(old.value) or new
        return new

    def _renamed(self, target: cst.BaseExpression, new: cst.Assign) -> cst.BaseSmallStatement:
        """``x.cat.categories = names``: the values get other names."""
        failure = self.scope.failure
        readonly = failure is not None and "property 'categories' of 'Categorical' object has no setter" in failure.error.message
        if not readonly or not isinstance(target, cst.Attribute) or not m.matches(target, _CATEGORIES):
            return new
        column = cst.ensure_type(target.value, cst.Attribute).value
        if not isinstance(column, cst.Name | cst.Attribute | cst.Subscript) or not is_chain(column):
            return new
        self.scope.note(".cat.categories = names → .cat.rename_categories(names)")
        value = filled("{column}.cat.rename_categories({names})", {"column": column, "names": new.value})
        # Attributes of a frame can be assigned to as well, as they name a column that is there.
        return cst.Assign(targets=[cst.AssignTarget(column)], value=value, semicolon=new.semicolon)

    def _axis_set(self, call: cst.Call) -> cst.BaseSmallStatement | None:
        """``x.set_axis(labels, axis=1, inplace=True)``: the labels are assigned."""
        inplace, labels, axis = argument(call, "inplace"), argument(call, "labels", 0), argument(call, "axis", 1)
        refused = refused_keyword(self.scope.failure)
        if not m.matches(call.func, m.Attribute(attr=m.Name("set_axis"))) or inplace is None or labels is None:
            return None
        if value_of(inplace.value) is not True or refused is None or not refused.owner.endswith("set_axis"):
            return None
        receiver = cst.ensure_type(call.func, cst.Attribute).value
        given = value_of(axis.value) if axis else 0
        name = _AXES.get(given) if isinstance(given, int | str) else None
        if name is None or self.type_of(receiver) not in {FRAME, SERIES, None} or not is_chain(receiver):
            return None
        self.scope.note(f"set_axis(labels, inplace=True) → .{name} = labels")
        target = parsed(f"{code(receiver)}.{name}")
        if not isinstance(target, cst.Attribute):
            return None
        return cst.Assign(targets=[cst.AssignTarget(target)], value=labels.value)


class Categories(CodemodRecipe):
    """Categories and labels set in place."""

    name = "pandas-categories"
    summary = "Categories and labels are no longer set in place or given to astype(); the named method or type does that."
    since = "pandas 2.0"
    source = "pandas What's New 0.25 (astype), 2.0 (set_axis) and 2.1 (categories)"
    words = frozenset({".cat.", "categor", "set_axis"})
    codemod = _Categories


RECIPES = (Categories(),)
