"""Take back what the converter from Python 2 wraps without need, so that its patches stay small."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from modernizer.repair.syntax import code

# Built-ins that go over their arguments once, whatever kind of iterable these are.
_CONSUMER = m.OneOf(
    *(m.Name(name) for name in ("all", "any", "enumerate", "frozenset", "len", "list", "map", "max", "min")),
    *(m.Name(name) for name in ("reversed", "set", "sorted", "sum", "tuple", "zip")),
)
_VIEW = m.Name("keys") | m.Name("values") | m.Name("items")
_LISTED_RANGE = m.Call(func=m.Name("list"), args=[m.Arg(value=m.Call(func=m.Name("range")))])
# Matplotlib's functions take any sequence, which views are not, by the name that everybody gives the module.
_PLOTTING = m.Attribute(value=m.Name("plt") | m.Name("pyplot") | m.Name("pylab"))
_ITERATOR = m.Call(func=m.OneOf(*(m.Name(name) for name in ("filter", "map", "range", "zip")), m.Attribute(attr=_VIEW)))


class _Tidy(cst.CSTTransformer):
    """Take back what the fixers wrap without need: doubled parentheses in print, list() around a loop's iterable."""

    def __init__(self, original: str) -> None:
        super().__init__()
        self._original = original

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        del original_node
        if m.matches(updated_node.func, _CONSUMER):
            return updated_node.with_changes(args=[self._unlisted(arg) for arg in updated_node.args])
        if m.matches(updated_node.func, _PLOTTING):
            ranges = [m.matches(arg.value, _LISTED_RANGE) for arg in updated_node.args]
            args = [self._unlisted(arg) if is_range else arg for arg, is_range in zip(updated_node.args, ranges, strict=True)]
            return updated_node.with_changes(args=args)
        if m.matches(updated_node, m.Call(func=m.Name("print"), args=[m.Arg(keyword=None, star="")])):
            arg = updated_node.args[0]
            if len(arg.value.lpar) == 1 and not isinstance(arg.value, cst.Tuple | cst.GeneratorExp | cst.Yield):
                return updated_node.with_changes(args=[arg.with_changes(value=arg.value.with_changes(lpar=(), rpar=()))])
        return updated_node

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:  # noqa: N802
        del original_node
        unpacked = all(m.matches(target.target, m.Tuple() | m.List()) for target in updated_node.targets)
        if not unpacked or not m.matches(updated_node.value, m.Call(func=m.Name("list"), args=[m.Arg(value=_ITERATOR, star="")])):
            return updated_node
        if self._was_written(updated_node.value):
            return updated_node
        return updated_node.with_changes(value=cst.ensure_type(updated_node.value, cst.Call).args[0].value)

    def leave_ImportAlias(self, original_node: cst.ImportAlias, updated_node: cst.ImportAlias) -> cst.ImportAlias:  # noqa: N802
        del original_node
        same = updated_node.evaluated_alias == updated_node.evaluated_name
        return updated_node.with_changes(asname=None) if same else updated_node

    def leave_For(self, original_node: cst.For, updated_node: cst.For) -> cst.For:  # noqa: N802
        inner = self._listed_view(updated_node.iter)
        if inner is None or _mutates(original_node.body):
            return updated_node
        return updated_node.with_changes(iter=inner)

    def leave_CompFor(self, original_node: cst.CompFor, updated_node: cst.CompFor) -> cst.CompFor:  # noqa: N802
        del original_node
        inner = self._listed_view(updated_node.iter)
        return updated_node if inner is None else updated_node.with_changes(iter=inner)

    def _unlisted(self, arg: cst.Arg) -> cst.Arg:
        """Take ``list()`` off a range or view that is only gone over once."""
        inner = self._listed_view(arg.value)
        if m.matches(arg.value, _LISTED_RANGE) and not self._was_written(arg.value):
            inner = cst.ensure_type(arg.value, cst.Call).args[0].value
        return arg if inner is None or arg.keyword else arg.with_changes(value=inner)

    def _listed_view(self, node: cst.BaseExpression) -> cst.BaseExpression | None:
        """Return ``d.items()`` of ``list(d.items())``."""
        view = m.Call(func=m.Attribute(attr=_VIEW), args=[])
        if not m.matches(node, m.Call(func=m.Name("list"), args=[m.Arg(value=view)])) or self._was_written(node):
            return None
        return cst.ensure_type(node, cst.Call).args[0].value

    def _was_written(self, node: cst.BaseExpression) -> bool:
        """Tell whether the author wrote this, not the converter."""
        return code(node) in self._original


def _mutates(body: cst.CSTNode) -> bool:
    """Tell whether a loop's body could change the mapping it goes over."""
    method = m.Attribute(attr=m.OneOf(m.Name("pop"), m.Name("popitem"), m.Name("update")))
    return any(m.findall(body, risky) for risky in (m.Del(), method, m.AssignTarget(target=m.Subscript())))


def tidied(converted: str, original: str) -> str:
    """Return converted code without the wrappings that nothing needs and the author didn't write."""
    return cst.parse_module(converted).visit(_Tidy(original)).code
