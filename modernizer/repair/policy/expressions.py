"""When two expressions say the same: wrappers that only change an object's form are looked through."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

# Methods, attributes and functions that change the form of data (dimensions, container, dtype) and no value.
_METHODS = frozenset(
    {"reshape", "ravel", "flatten", "to_numpy", "as_matrix", "get_values", "astype", "squeeze", "tolist", "toarray", "todense"}
    | {
        "to_frame",
        "copy",
        "item",
        "items",
        "keys",
        "iteritems",
        "itervalues",
        "iterkeys",
        "to_pydatetime",
        "decode",
        "tobytes",
        "view",
    }
)
_ATTRIBUTES = frozenset({"values", "array", "ix", "loc", "iloc", "A", "A1"})
_FUNCTIONS = frozenset(
    {"list", "tuple", "int", "float", "str", "dict", "numpy.asarray", "numpy.array", "numpy.ravel", "numpy.atleast_2d", "iter"}
    | {"numpy.asanyarray", "numpy.ascontiguousarray", "numpy.column_stack", "numpy.squeeze", "numpy.reshape", "bytes", "set"}
    | {"pandas.DataFrame", "pandas.Series", "pandas.to_datetime", "pandas.to_numeric", "pandas.Categorical", "io.StringIO"}
    | {"Variable", "torch.autograd.Variable"}
    | {"numpy.float64", "numpy.int64", "io.BytesIO"}
)


def bare(node: ast.AST) -> ast.AST:
    """Return an expression without wrappers that change an object's form only."""
    found: ast.AST = _Bare().visit(copied(node))
    return found


def text(node: ast.AST) -> str:
    """Write an expression as text, without such wrappers."""
    return ast.dump(bare(node))


def copied(node: ast.AST) -> ast.AST:
    """Copy a tree without its positions."""
    return type(node)(**{name: _copied(value) for name, value in ast.iter_fields(node)})


def _copied(value: object) -> object:
    if isinstance(value, ast.AST):
        return copied(value)
    return [_copied(item) for item in value] if isinstance(value, list) else value


def dotted(node: ast.AST) -> str:
    """Return ``a.b.c`` for a chain of names, else nothing."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (base := dotted(node.value)):
        return f"{base}.{node.attr}"
    return ""


class _Bare(ast.NodeTransformer):
    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        return node.value if node.attr in _ATTRIBUTES and not dotted(node).startswith("numpy.") else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:
            return node.func.value
        if dotted(node.func) in _FUNCTIONS and node.args:
            return node.args[0]
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if any(_is_new_axis(part) for part in parts) and all(_is_new_axis(part) or _is_all(part) for part in parts):
            return node.value
        if isinstance(node.slice, ast.List) and len(node.slice.elts) == 1:
            node.slice = node.slice.elts[0]
        return node

    def visit_List(self, node: ast.List) -> ast.AST:
        self.generic_visit(node)
        # One sample given as [x] is the sample in a list.
        if len(node.elts) == 1 and not isinstance(node.elts[0], ast.Starred) and isinstance(node.ctx, ast.Load):
            return node.elts[0]
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        # A path of Windows is the path with slashes.
        return ast.Constant(node.value.replace("\\", "/")) if isinstance(node.value, str) else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.FloorDiv):
            node.op = ast.Div()
        return node


def _is_new_axis(node: ast.AST) -> bool:
    return dotted(node) == "numpy.newaxis" or (isinstance(node, ast.Constant) and node.value is None)


def _is_all(node: ast.AST) -> bool:
    return isinstance(node, ast.Slice) and node.lower is None and node.upper is None and node.step is None


def variables(node: ast.AST) -> Counter[str]:
    """Count the plain names that an expression reads; imported names have dots and don't count."""
    called = {id(child.func) for child in ast.walk(node) if isinstance(child, ast.Call)}
    return Counter(
        child.id for child in ast.walk(node) if isinstance(child, ast.Name) and "." not in child.id and id(child) not in called
    )


def numbers(node: ast.AST) -> Counter[float]:
    """Count the numeric literals in a tree, booleans left out."""
    return Counter(child.value for child in constants(node) if isinstance(child.value, int | float) and is_number(child.value))


def constants(node: ast.AST) -> Iterator[ast.Constant]:
    """List the literals in a tree."""
    return (child for child in ast.walk(node) if isinstance(child, ast.Constant))


def is_number(value: object) -> bool:
    """Tell whether a literal is a real number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_literal(node: ast.AST | None) -> bool:
    """Tell whether an expression is made of literals only."""
    if node is None:
        return False
    return not any(isinstance(child, ast.Name | ast.Call | ast.Attribute) for child in ast.walk(node))
