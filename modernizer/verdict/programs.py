"""Programs beside Python that a notebook runs: which calls start them, and what to install for them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from modernizer.notebook import Cell
from modernizer.verdict.preflight_reads import unconditional
from modernizer.verdict.source import dotted, import_aliases, parse, qualified
from modernizer.verdict.words import words

INSTALL: Mapping[str, str] = {
    "dot": "install Graphviz (the package graphviz of the system, pip has only its interface)",
    "ffmpeg": "install FFmpeg (the package ffmpeg of the system)",
    "java": "install a Java runtime (such as the package default-jre)",
    "latex": "install LaTeX (such as the packages texlive-latex-extra, cm-super and dvipng)",
    "git": "install git",
    "wget": "install wget",
    "curl": "install curl",
}
"""What gives each program, for the hint."""

_CALLS = {
    **dict.fromkeys(
        (
            "xgboost.plot_tree", "lightgbm.plot_tree", "networkx.graphviz_layout", "networkx.drawing.nx_agraph.graphviz_layout",
            "networkx.drawing.nx_pydot.graphviz_layout", "networkx.nx_agraph.graphviz_layout",
            "networkx.nx_pydot.graphviz_layout",
        ),
        "dot",
    ),
    **dict.fromkeys(("pyspark.SparkContext", "pyspark.context.SparkContext", "h2o.init", "tabula.read_pdf"), "java"),
}  # fmt: skip
# Methods of what certain constructors and functions make.
_MADE = {
    **dict.fromkeys(("graphviz.Source", "graphviz.Digraph", "graphviz.Graph"), ("dot", words("render pipe view"))),
    **dict.fromkeys(
        tuple(f"{package}.{name}" for package in ("pydot", "pydotplus", "pydot_ng") for name in ("graph_from_dot_data", "Dot")),
        ("dot", words("create create_png create_svg create_jpg create_pdf write_png write_svg write_jpg write_pdf")),
    ),
    **dict.fromkeys(
        ("matplotlib.animation.FuncAnimation", "matplotlib.animation.ArtistAnimation"), ("ffmpeg", words("to_html5_video"))
    ),
}
_SESSION = re.compile(r"\bSparkSession\b")
_TEX = re.compile(r"text\.usetex['\"]\]?\s*[=:,]\s*True|\busetex\s*=\s*True")
_VIDEO = re.compile(r"\.(?:mp4|avi|mov|mkv|webm)$")
_SHELL = re.compile(r"^[ \t]*!\s*(?P<program>git[ \t]+clone|wget|curl)\b(?P<rest>[^\n|&;]*)$", re.MULTILINE)
_BROUGHT = re.compile(r"^[ \t]*[!%]\s*(?:sudo\s+)?(?:apt|apt-get|brew|conda|mamba|yum|dnf|apk|choco)\b", re.MULTILINE)


@dataclass(frozen=True)
class ProgramUse:
    """A program that a cell certainly starts, with the line of the call in the cell."""

    program: str
    cell: int
    line: int


def certain_programs(cells: Sequence[Cell]) -> Iterator[ProgramUse]:
    """Go through the cells in order and give the programs that they are certain to start and to need.

    A notebook that installs packages of the system itself is left to the run, as are calls under a condition or in a function
    and cells that are expected to fail. A shell line counts when a later cell speaks of what it fetches.
    """
    sources = [cell.source for cell in cells]
    if any(_BROUGHT.search(source) for source in sources):
        return
    aliases = import_aliases(sources)
    made: dict[str, str] = {}
    for position, cell in enumerate(cells):
        if "raises-exception" in cell.tags or any(output.get("output_type") == "error" for output in cell.outputs):
            continue
        yield from _fetched(cell, sources[position:])
        tree = parse(cell.source)
        for statement in tree.body if tree else ():
            for node in unconditional(statement):
                program = _started(node, aliases, made)
                if program:
                    yield ProgramUse(program, cell.index, getattr(node, "lineno", 1))
            _learn(statement, aliases, made)
        if (match := _TEX.search(cell.source)) and tree is not None and "matplotlib" in " ".join(aliases.values()):
            yield ProgramUse("latex", cell.index, cell.source.count("\n", 0, match.start()) + 1)


def _started(node: ast.AST, aliases: dict[str, str], made: Mapping[str, str]) -> str | None:
    """Name the program that one call starts."""
    if not isinstance(node, ast.Call):
        return None
    name = qualified(dotted(node.func), aliases)
    if name in _CALLS:
        return _CALLS[name]
    if not isinstance(node.func, ast.Attribute):
        return None
    if node.func.attr == "getOrCreate" and _SESSION.search(ast.unparse(node.func)):
        return "java"
    owner = _constructor(node.func.value, aliases, made)
    program, methods = _MADE.get(owner, ("", frozenset()))
    if node.func.attr in methods:
        return program
    target = node.args[0] if node.args else None
    saves = program == "ffmpeg" and node.func.attr == "save" and isinstance(target, ast.Constant)
    return "ffmpeg" if saves and _VIDEO.search(str(target.value)) else None  # type: ignore[union-attr]


def _constructor(node: ast.expr, aliases: dict[str, str], made: Mapping[str, str]) -> str:
    """Name what made an object: called right here, or bound to a name before."""
    if isinstance(node, ast.Call):
        return qualified(dotted(node.func), aliases)
    if isinstance(node, ast.Subscript):
        return _constructor(node.value, aliases, made)
    return made.get(node.id, "") if isinstance(node, ast.Name) else ""


def _learn(statement: ast.stmt, aliases: dict[str, str], made: dict[str, str]) -> None:
    if isinstance(statement, ast.Assign):
        targets = [name for target in statement.targets for name in (target.elts if isinstance(target, ast.Tuple) else [target])]
        for target in targets:
            if isinstance(target, ast.Name):
                made[target.id] = _constructor(statement.value, aliases, made)


def _fetched(cell: Cell, sources: Sequence[str]) -> Iterator[ProgramUse]:
    """Give the shell lines of a cell that fetch what this cell or a later one names in its Python."""
    for match in _SHELL.finditer(cell.source):
        address = next((word for word in match["rest"].split() if "://" in word), "").strip("'\"")
        target = re.search(r"(?:-O|-o|--output(?:-document)?)[ =](\S+)", match["rest"])
        name = target[1] if target else PurePosixPath(urlsplit(address).path).name.removesuffix(".git")
        spoken = "\n".join(line for source in sources for line in source.splitlines() if not line.lstrip().startswith("!"))
        if name and re.search(rf"['\"/ ]{re.escape(name)}['\"/\s]", f"{spoken}\n"):
            yield ProgramUse(match["program"].split()[0], cell.index, cell.source.count("\n", 0, match.start()) + 1)
