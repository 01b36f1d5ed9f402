"""Keys of ``rcParams`` that are gone: the colour cycle, and switches of things that do not exist any more."""

from __future__ import annotations

import libcst as cst

from modernizer.repair.dropping import DroppingCodemod
from modernizer.repair.recipe import CodemodRecipe, Scope
from modernizer.repair.syntax import argument, code, keyword, string, with_args

_CYCLE, _PROPERTIES = "axes.color_cycle", "axes.prop_cycle"
_PARAMETERS = frozenset(
    f"{module}.{name}" for module in ("matplotlib", "matplotlib.pyplot") for name in ("rcParams", "rcParamsDefault")
)
_PREAMBLES = frozenset({"text.latex.preamble", "pgf.preamble", "pdf.preamble"})
_RC = frozenset({"matplotlib.rc", "matplotlib.pyplot.rc"})
# Key and the release that removed it; none of them changes what is drawn today.
_REMOVED = {
    "axes.hold": "3.0",
    "legend.isaxes": "3.0",
    "svg.embed_char_paths": "2.0",
    "svg.image_noscale": "2.2",
    "text.latex.unicode": "3.2",
    "text.latex.preview": "3.5",
    "text.dvipnghack": "3.1",
    "savefig.frameon": "3.3",
    "savefig.jpeg_quality": "3.5",
    "examples.directory": "3.2",
    "plugins.directory": "2.2",
    "backend.qt4": "3.5",
    "backend.qt5": "3.8",
    "verbose.level": "3.3",
    "verbose.fileo": "3.3",
    "nbagg.transparent": "3.1",
    "tk.pythoninspect": "3.1",
    "keymap.all_axes": "3.5",
    "pgf.debug": "3.2",
    "animation.avconv_path": "3.5",
    "animation.avconv_args": "3.5",
    "animation.mencoder_path": "2.2",
    "animation.html_args": "3.5",
}


class _Settings(DroppingCodemod):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._targets: set[cst.CSTNode] = set()
        self._gone_cycle = scope.at_least("matplotlib", "2.2")

    def drops(self, statement: cst.BaseSmallStatement) -> bool:
        if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
            return False
        key = _key(statement.targets[0].target)
        target = statement.targets[0].target
        if key is None or not self._is_removed(key) or not isinstance(target, cst.Subscript):
            return False
        if self.scope.qualified(target.value) not in _PARAMETERS:
            return False
        self.scope.note(f"{key} dropped")
        return True

    def visit_Assign(self, node: cst.Assign) -> None:  # noqa: N802 (LibCST's visitor protocol)
        self._targets |= {target.target for target in node.targets}

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:  # noqa: N802
        if self._gone_cycle and len(original_node.targets) == 1 and _key(original_node.targets[0].target) == _CYCLE:
            return updated_node.with_changes(value=self._cycler(updated_node.value))
        if len(original_node.targets) == 1 and _key(original_node.targets[0].target) in _PREAMBLES:
            return updated_node.with_changes(value=self._joined(updated_node.value))
        return updated_node

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:  # noqa: N802
        if not self._gone_cycle or _key(original_node) != _CYCLE:
            return updated_node
        index = original_node.slice[0].slice
        quoted = index.value if isinstance(index, cst.Index) else None
        renamed = updated_node.with_changes(slice=[_element(quoted)])
        if original_node in self._targets:
            return renamed
        self.scope.note(f"{_CYCLE} → {_PROPERTIES}")
        return cst.parse_expression(f"{code(renamed)}.by_key()['color']")

    def leave_Dict(self, original_node: cst.Dict, updated_node: cst.Dict) -> cst.Dict:  # noqa: N802
        elements: list[cst.BaseDictElement] = []
        for old, new in zip(original_node.elements, updated_node.elements, strict=True):
            key = string(old.key) if isinstance(old, cst.DictElement) else None
            if key == _CYCLE and self._gone_cycle and isinstance(new, cst.DictElement):
                elements.append(new.with_changes(key=_renamed(new.key), value=self._cycler(new.value)))
            elif key is not None and self._is_removed(key):
                self.scope.note(f"{key} dropped")
            elif key in _PREAMBLES and isinstance(new, cst.DictElement):
                elements.append(new.with_changes(value=self._joined(new.value)))
            else:
                elements.append(new)
        if elements and len(elements) < len(updated_node.elements):
            elements[-1] = elements[-1].with_changes(comma=updated_node.elements[-1].comma)
        return updated_node.with_changes(elements=elements)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        if self.scope.qualified(original_node.func) not in _RC:
            return updated_node
        group = argument(original_node, "group", 0)
        prefix = string(group.value) if group else None
        args = []
        for arg in updated_node.args:
            key = f"{prefix}.{arg.keyword.value}" if arg.keyword else ""
            if key == _CYCLE and self._gone_cycle:
                args.append(keyword("prop_cycle", self._cycler(arg.value)).with_changes(comma=arg.comma))
            elif self._is_removed(key):
                self.scope.note(f"{key} dropped")
            elif key in _PREAMBLES:
                args.append(arg.with_changes(value=self._joined(arg.value)))
            else:
                args.append(arg)
        return with_args(updated_node, args)

    def _is_removed(self, key: str) -> bool:
        return key in _REMOVED and self.scope.at_least("matplotlib", _REMOVED[key])

    def _cycler(self, colors: cst.BaseExpression) -> cst.BaseExpression:
        self.scope.note(f"{_CYCLE} → {_PROPERTIES}")
        return cst.parse_expression(f"{self.scope.reference('matplotlib.pyplot.cycler')}(color={code(colors)})")

    def _joined(self, lines: cst.BaseExpression) -> cst.BaseExpression:
        """Return a preamble as one text: a list of lines was joined by line breaks."""
        if not isinstance(lines, cst.List | cst.ListComp) or not self.scope.at_least("matplotlib", "3.5"):
            return lines
        self.scope.note("the lines of a preamble joined")
        if isinstance(lines, cst.List) and len(lines.elements) == 1 and isinstance(lines.elements[0], cst.Element):
            return lines.elements[0].value
        return cst.Call(func=cst.Attribute(value=cst.SimpleString(r"'\n'"), attr=cst.Name("join")), args=[cst.Arg(lines)])


def _key(node: cst.BaseExpression | cst.BaseAssignTargetExpression) -> str | None:
    """Return the text in the brackets of ``something['text']``."""
    if not isinstance(node, cst.Subscript) or len(node.slice) != 1 or not isinstance(index := node.slice[0].slice, cst.Index):
        return None
    return string(index.value)


def _renamed(node: cst.BaseExpression | None) -> cst.BaseExpression:
    quote = node.quote if isinstance(node, cst.SimpleString) else "'"
    return cst.SimpleString(f"{quote}{_PROPERTIES}{quote}")


def _element(quoted: cst.BaseExpression | None) -> cst.SubscriptElement:
    return cst.SubscriptElement(slice=cst.Index(value=_renamed(quoted)))


class Settings(CodemodRecipe):
    """Removed keys of rcParams."""

    name = "matplotlib-settings"
    summary = "A setting of matplotlib is gone: the colour cycle became a property cycle, others have no meaning any more."
    since = "matplotlib 2.2 to 3.8"
    source = "Matplotlib API changes 1.5 (property cycle), 2.2 to 3.8 (removals)"
    words = frozenset({"color_cycle", *_REMOVED, "rc(", "preamble"})
    codemod = _Settings


RECIPES = (Settings(),)
