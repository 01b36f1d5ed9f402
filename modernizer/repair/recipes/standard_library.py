"""Changes of the standard library that are more than a new name."""

from __future__ import annotations

import re

import libcst as cst
import libcst.matchers as m

from modernizer.repair.dropping import DroppingCodemod
from modernizer.repair.expressions import requoted
from modernizer.repair.recipe import Codemod, CodemodRecipe
from modernizer.repair.syntax import argument, string, without

_ARGSPEC = "inspect.getargspec"
_ARGSPEC_FIELDS = 4
_VERSIONS = frozenset({"distutils.version.LooseVersion", "distutils.version.StrictVersion"})
_JSON = frozenset({"json.load", "json.loads", "json.dump", "json.dumps"})
_OPENERS = frozenset({"io.open", "codecs.open"})
_UNIVERSAL_NEWLINES = re.compile(r"invalid mode: '\w*U\w*'")
_NO_ENCODING = re.compile(r"JSON(?:De|En)coder.*unexpected keyword argument 'encoding'")
# Modules that left the standard library, by PEP 594 and with Python 3.10 and 3.12.
_GONE_MODULES = frozenset(
    {"aifc", "asynchat", "asyncore", "audioop", "binhex", "cgi", "cgitb", "chunk", "crypt", "distutils", "formatter", "imghdr"}
    | {"imp", "lib2to3", "macpath", "mailcap", "msilib", "nis", "nntplib", "ossaudiodev", "parser", "pipes", "smtpd", "sndhdr"}
    | {"spwd", "sunau", "symbol", "telnetlib", "uu", "xdrlib"}
)


class _StandardLibrary(Codemod):
    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:  # noqa: N802 (LibCST's protocol)
        unpacked = m.AssignTarget(target=m.Tuple(elements=[m.AtLeastN(n=_ARGSPEC_FIELDS), m.ZeroOrMore()]))
        if not m.matches(original_node, m.Assign(targets=[unpacked])) or not self._is_gone_call(original_node.value, _ARGSPEC):
            return updated_node
        if len(cst.ensure_type(original_node.targets[0].target, cst.Tuple).elements) != _ARGSPEC_FIELDS:
            return updated_node
        # getfullargspec gives three more fields behind the same four.
        first = cst.Slice(lower=None, upper=cst.Integer(str(_ARGSPEC_FIELDS)))
        return updated_node.with_changes(value=cst.Subscript(value=updated_node.value, slice=[cst.SubscriptElement(first)]))

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:  # noqa: N802
        if original_node.attr.value == "keywords" and self._is_gone_call(original_node.value, _ARGSPEC):
            return updated_node.with_changes(attr=cst.Name("varkw"))
        if original_node.attr.value == "version" and self._is_gone_call(original_node.value, *_VERSIONS):
            return updated_node.with_changes(attr=cst.Name("release"))
        return updated_node

    def leave_Comparison(self, original_node: cst.Comparison, updated_node: cst.Comparison) -> cst.Comparison:  # noqa: N802
        """Compare versions with versions: the old classes took a text on the other side."""
        if len(original_node.comparisons) != 1 or not self._is_gone_call(original_node.left, *_VERSIONS):
            return updated_node
        target = updated_node.comparisons[0]
        if string(target.comparator) is None:
            return updated_node
        call = cst.Call(func=cst.ensure_type(updated_node.left, cst.Call).func, args=[cst.Arg(target.comparator)])
        return updated_node.with_changes(comparisons=[target.with_changes(comparator=call)])

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        qualified = self.scope.qualified(original_node.func)
        message = self.scope.failure.message if self.scope.failure else ""
        if qualified in _JSON and _NO_ENCODING.search(message):
            # Python 3 took the argument and ignored it until 3.9.
            return without(updated_node, {"encoding"})
        is_open = qualified in _OPENERS or (qualified is None and m.matches(original_node.func, m.Name("open")))
        if is_open and _UNIVERSAL_NEWLINES.search(message):
            return self._plain_mode(updated_node)
        return updated_node

    def _is_gone_call(self, node: cst.BaseExpression, *names: str) -> bool:
        qualified = self.scope.qualified(node.func) if isinstance(node, cst.Call) else None
        return qualified in names and not self.scope.installed.resolves(qualified or "")

    def _plain_mode(self, call: cst.Call) -> cst.Call:
        mode = argument(call, "mode", 1)
        if mode is None or not isinstance(mode.value, cst.SimpleString) or "U" not in (text := string(mode.value) or ""):
            return call
        plain = text.replace("U", "") or "r"
        self.scope.note(f"mode {text} → {plain}")
        changed = mode.with_changes(value=requoted(mode.value, plain))
        return call.with_changes(args=[changed if arg is mode else arg for arg in call.args])


class _GoneModules(DroppingCodemod):
    def drops(self, statement: cst.BaseSmallStatement) -> bool:
        return isinstance(statement, cst.Import) and all(self._is_gone_and_unused(alias) for alias in statement.names)

    def leave_Import(self, original_node: cst.Import, updated_node: cst.Import) -> cst.Import:  # noqa: N802 (LibCST's protocol)
        kept = [alias for alias in original_node.names if not self._is_gone_and_unused(alias)]
        if not kept or len(kept) == len(original_node.names):
            return updated_node
        return updated_node.with_changes(names=[*kept[:-1], kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)])

    def _is_gone_and_unused(self, alias: cst.ImportAlias) -> bool:
        name = alias.evaluated_name
        local = (alias.evaluated_alias or name).partition(".")[0]
        if name.partition(".")[0] not in _GONE_MODULES or self.scope.installed.resolves(name):
            return False
        unused = self.scope.names.mentions(local) <= 1
        if unused:
            self.scope.note(f"import {name} dropped")
        return unused


class StandardLibrary(CodemodRecipe):
    """Argument specifications, versions, text modes and gone modules."""

    name = "standard-library"
    summary = "Something of the standard library is gone; what gives the same stands in its place."
    since = "Python 3.9 to 3.13"
    source = "What's New In Python, sections Removed"
    words = frozenset({"getargspec", "LooseVersion", "StrictVersion", "encoding", "open"})
    order = 15
    codemod = _StandardLibrary


class GoneModules(CodemodRecipe):
    """Imports of gone modules that nothing uses any more, once other recipes have replaced the uses."""

    name = "gone-standard-module"
    summary = "An import of a module that left the standard library was dropped, as nothing uses it any more."
    since = "Python 3.10 to 3.13"
    source = "PEP 594 and What's New In Python, sections Removed"
    words = frozenset({"import"})
    order = 60
    codemod = _GoneModules


RECIPES = (StandardLibrary(), GoneModules())
