"""The reads of files that a notebook is certain to make, found in its source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from modernizer.notebook import Cell
from modernizer.verdict.file_calls import (
    changes_files_by_magic,
    constant_text,
    file_name,
    function_name,
    makes_unknown_files,
    opens_for_reading,
    texts,
    writes,
)
from modernizer.verdict.source import dotted, import_aliases, parse, qualified
from modernizer.verdict.words import words

_READERS = words("""
    read_csv read_table read_excel read_json read_pickle read_hdf read_parquet read_feather read_stata read_sas read_spss
    read_fwf from_csv
    ExcelFile loadtxt genfromtxt fromfile recfromcsv loadmat imread read_file csv2rec mimread readsav
    """)
_READERS_OF = {
    "load": ("numpy", "joblib", "sklearn.externals.joblib"),
    "open": ("PIL.Image", "Image"),
    "read": ("scipy.io.wavfile", "wavfile", "soundfile"),
}
_NO_ERROR = frozenset({"cv2.imread", "cv.imread"})  # it returns None
_OPENERS = frozenset({"open", "io.open", "codecs.open", "gzip.open", "bz2.open"})
_PATH_KEYWORDS = words("filepath_or_buffer io path fname file filename path_or_buf filepath filename_or_fp path_or_buffer")
_LONGEST_PATH = 260
_CONDITIONAL = (
    ast.If, ast.For, ast.While, ast.Try, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.IfExp, ast.BoolOp,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.AsyncFor, ast.AsyncWith, ast.Match,
)  # fmt: skip


@dataclass(frozen=True)
class Read:
    """A file that a cell certainly reads: the path as written, the line of the call in the cell."""

    path: str
    cell: int
    line: int


@dataclass
class _State:
    aliases: Mapping[str, str]
    defined: frozenset[str]
    constants: dict[str, str] = field(default_factory=dict)
    mentioned: set[str] = field(default_factory=set)  # file names in calls that may have made the file


def certain_reads(cells: Sequence[Cell], local_modules: Mapping[str, str]) -> Iterator[Read]:
    """Go through the cells in order and give the reads that are certain to happen.

    The search ends where files may appear from nowhere: a download, a shell command, a change of folder, a local module
    that does such a thing, a cell that isn't valid Python 3. Reads under a condition, in a function or behind ``try`` are
    not certain, nor are files whose name an earlier call to something other than a reader mentions. A cell whose stored
    output is an error is expected to fail and skipped.
    """
    sources = [cell.source for cell in cells]
    functions = {
        node.name
        for tree in map(parse, sources)
        if tree
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    state = _State(import_aliases(sources), frozenset(functions))
    for cell in cells:
        if not cell.source.strip():
            continue
        if changes_files_by_magic(cell.source):
            return
        tree = parse(cell.source)
        if tree is None:
            return
        expected_to_fail = "raises-exception" in cell.tags or any(output.get("output_type") == "error" for output in cell.outputs)
        for statement in tree.body:
            if _imports_a_maker(statement, local_modules):
                return
            if not expected_to_fail:
                yield from _reads(statement, cell.index, state)
            if _makes_files(statement, state):
                return
            _learn(statement, state)


def _imports_a_maker(statement: ast.stmt, local_modules: Mapping[str, str]) -> bool:
    """Tell whether a statement imports a module of the repository that downloads or writes files."""
    names = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module or "", *(f"{node.module or ''}.{alias.name}" for alias in node.names)}
    stems = {
        path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): source for path, source in local_modules.items()
    }
    tops = {name.partition(".")[0] for name in names}
    used = [
        source
        for stem, source in stems.items()
        if stem in names or stem.rpartition(".")[2] in tops or stem.partition(".")[0] in tops
    ]
    return any(_source_makes_files(source) for source in used)


def _source_makes_files(source: str) -> bool:
    tree = parse(source)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)] if tree else []
    return tree is None or any(writes(node) or makes_unknown_files(node, {}) for node in calls)


def _makes_files(statement: ast.stmt, state: _State) -> bool:
    """Tell whether a statement calls, or defines a function that calls, something that may create files of unknown names."""
    return any(isinstance(node, ast.Call) and makes_unknown_files(node, state.constants) for node in ast.walk(statement))


def _reads(statement: ast.stmt, cell: int, state: _State) -> Iterator[Read]:
    """Give the certain reads of one statement."""
    for node in unconditional(statement):
        if not isinstance(node, ast.Call) or not _is_reader(node, state):
            continue
        argument = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg in _PATH_KEYWORDS), None)
        path = constant_text(argument, state.constants) if argument is not None else None
        if path and _looks_like_path(path) and not {file_name(path), _stem(path)} & state.mentioned:
            yield Read(path, cell, node.lineno)


def unconditional(node: ast.AST) -> Iterator[ast.AST]:
    """Give the nodes of a statement that are evaluated whenever it runs."""
    if isinstance(node, _CONDITIONAL):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from unconditional(child)


def _is_reader(node: ast.Call, state: _State) -> bool:
    name = qualified(dotted(node.func), dict(state.aliases)) or function_name(node)
    if name in _NO_ERROR or name.partition(".")[0] in state.defined:
        return False
    owner, _, last = name.rpartition(".")
    if name in _OPENERS or name == "builtins.open":
        return opens_for_reading(node)
    if last in _READERS_OF:
        return owner in _READERS_OF[last]
    return last in _READERS and not any(k.arg in {"errors", "error_ok"} for k in node.keywords)


def _looks_like_path(text: str) -> bool:
    plain = 0 < len(text) <= _LONGEST_PATH and not re.search(
        r"[\n{}<>*?|]|^\s*\[|^\w{2,}://|^(?:s3|gs|hdfs|http|https|ftp):", text
    )
    return plain and ("/" in text or "\\" in text or bool(re.search(r"\.\w{1,8}$", text)))


def _stem(path: str) -> str:
    """Take the extension off: ``np.save("numbers", x)`` writes ``numbers.npy``."""
    return file_name(path).rpartition(".")[0]


def _learn(statement: ast.stmt, state: _State) -> None:
    """Note the constants a statement binds and the file names it may have written."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        value = constant_text(statement.value, state.constants)
        if value is not None:
            state.constants[statement.targets[0].id] = value
        else:
            state.constants.pop(statement.targets[0].id, None)
    else:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                state.constants.pop(node.id, None)
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and not _is_reader(node, state):
            state.mentioned |= {file_name(text) for text in texts(node, state.constants)} - {""}
