"""Take back what the converter from Python 2 wraps without need, so that its patches stay small."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

# Built-ins that go over their arguments once, whatever kind of iterable these are.
_CONSUMER = m.OneOf(
    *(m.Name(name) for name in ("enumerate", "len", "list", "map", "max", "min", "set", "sorted", "sum", "tuple", "zip"))
)


class _Tidy(cst.CSTTransformer):
    """Take back what the fixers wrap without need: doubled parentheses in print, list() around a loop's iterable."""

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802 (LibCST's visitor protocol)
        del original_node
        if m.matches(updated_node.func, _CONSUMER):
            return updated_node.with_changes(args=[_unlisted(arg) for arg in updated_node.args])
        if m.matches(updated_node, m.Call(func=m.Name("print"), args=[m.Arg(keyword=None, star="")])):
            arg = updated_node.args[0]
            if len(arg.value.lpar) == 1 and not isinstance(arg.value, cst.Tuple | cst.GeneratorExp | cst.Yield):
                return updated_node.with_changes(args=[arg.with_changes(value=arg.value.with_changes(lpar=(), rpar=()))])
        return updated_node

    def leave_ImportAlias(self, original_node: cst.ImportAlias, updated_node: cst.ImportAlias) -> cst.ImportAlias:  # noqa: N802
        del original_node
        same = updated_node.evaluated_alias == updated_node.evaluated_name
        return updated_node.with_changes(asname=None) if same else updated_node

    def leave_For(self, original_node: cst.For, updated_node: cst.For) -> cst.For:  # noqa: N802
        inner = _listed_view(updated_node.iter)
        if inner is None or _mutates(original_node.body):
            return updated_node
        return updated_node.with_changes(iter=inner)

    def leave_CompFor(self, original_node: cst.CompFor, updated_node: cst.CompFor) -> cst.CompFor:  # noqa: N802
        del original_node
        inner = _listed_view(updated_node.iter)
        return updated_node if inner is None else updated_node.with_changes(iter=inner)


def _unlisted(arg: cst.Arg) -> cst.Arg:
    """Take ``list()`` off a range or view that is only gone over once."""
    inner = _listed_view(arg.value)
    if m.matches(arg.value, m.Call(func=m.Name("list"), args=[m.Arg(value=m.Call(func=m.Name("range")))])):
        inner = cst.ensure_type(arg.value, cst.Call).args[0].value
    return arg if inner is None or arg.keyword else arg.with_changes(value=inner)


def _listed_view(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return ``d.items()`` of ``list(d.items())``."""
    view = m.Call(func=m.Attribute(attr=m.OneOf(m.Name("keys"), m.Name("values"), m.Name("items"))), args=[])
    if m.matches(node, m.Call(func=m.Name("list"), args=[m.Arg(value=view)])) and isinstance(node, cst.Call):
        return node.args[0].value
    return None


def _mutates(body: cst.CSTNode) -> bool:
    """Tell whether a loop's body could change the mapping it goes over."""
    method = m.Attribute(attr=m.OneOf(m.Name("pop"), m.Name("popitem"), m.Name("update")))
    return any(m.findall(body, risky) for risky in (m.Del(), method, m.AssignTarget(target=m.Subscript())))


def tidied(code: str) -> str:
    """Return converted code without the wrappings that nothing needs."""
    return cst.parse_module(code).visit(_Tidy()).code
