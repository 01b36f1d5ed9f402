"""The reads of files that a notebook is certain to make, found in its source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from modernizer.notebook import Cell
from modernizer.verdict.source import cell_magic, dotted, import_aliases, parse, qualified

_READERS = frozenset(
    """
    read_csv read_table read_excel read_json read_pickle read_hdf read_parquet read_feather read_stata read_sas read_spss read_fwf from_csv
    ExcelFile loadtxt genfromtxt fromfile recfromcsv loadmat imread read_file csv2rec mimread readsav
    """.split(),
)
_READERS_OF = {
    "load": ("numpy", "joblib", "sklearn.externals.joblib"),
    "open": ("PIL.Image", "Image"),
    "read": ("scipy.io.wavfile", "wavfile", "soundfile"),
}
_NO_ERROR = frozenset({"cv2.imread", "cv.imread"})  # it returns None
_OPENERS = frozenset({"open", "io.open", "codecs.open", "gzip.open", "bz2.open"})
_PATH_KEYWORDS = frozenset(
    {
        "filepath_or_buffer",
        "io",
        "path",
        "fname",
        "file",
        "filename",
        "path_or_buf",
        "filepath",
        "filename_or_fp",
        "path_or_buffer",
    }
)
_HARMLESS_SHELL = re.compile(
    r"^(?:ls|dir|head|tail|cat|more|less|wc|echo|pwd|pip3?|conda|mamba|apt|apt-get|python3? (?:-V|--version|-m pip)|nvidia-smi|date|which|whoami|grep|free|df|du"
    r"|uname|type|lscpu)\b(?![^#]*[>|])",
)
_HARMLESS_MAGICS = frozenset(
    """
    matplotlib pylab load_ext reload_ext autoreload time timeit config precision pip conda who whos watermark pwd ls pinfo
    prun lprun memit mprun capture xmode pdb debug history hist magic lsmagic pprint colors reset reset_selective env doctest_mode automagic
    """.split(),
)
_CREATORS = re.compile(
    r"^(?:.*\.)?(?:urlretrieve|download\w*|wget|get_file|extractall|unpack_archive|system|popen|Popen|check_call|check_output|getoutput|chdir|symlink"
    r"|copy2|copyfile|copytree|clone_from|mount|kaggle\w*|run_line_magic|run_cell_magic|maybe_download\w*|execfile|get_ipython|snapshot_download"
    r"|urlopen|NamedTemporaryFile|mkdtemp|dataset_download\w*)$"
    r"|^(?:os|shutil|subprocess|git|Path|pathlib\.Path)\.(?:rename|replace|move|copy|run|call|link)$|^(?:exec|eval|retrieve|fetch_\w+|get_data|load_data|make_data)$",
)
_WRITERS = re.compile(
    r"^(?:.*\.)?(?:to_(?:csv|excel|json|pickle|hdf|parquet|feather|stata|sql|html|latex|file|netcdf|xml|gbq|disk)|save\w*|dump|write_\w+|writeto|export\w*"
    r"|imsave|imwrite|tofile|HDFStore|connect|ExcelWriter|render|touch|makedirs|mkdir)$",
)
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
        if _changes_files_by_magic(cell.source):
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


def _changes_files_by_magic(source: str) -> bool:
    """Tell whether a cell holds a magic or shell line that may create files or change the folder."""
    magic = cell_magic(source)
    if magic and magic not in _HARMLESS_MAGICS | {"html", "javascript", "js", "latex", "markdown", "svg", "HTML"}:
        return True
    for line in source.splitlines():
        text = line.strip()
        if match := re.match(r"(?:[\w, ]+=\s*)?!{1,2}\s*(.*)", text):
            if not _HARMLESS_SHELL.match(match.group(1)):
                return True
        elif (
            (match := re.match(r"(?:[\w, ]+=\s*)?%{1,2}\s*(\w+)", text))
            and match.group(1) not in _HARMLESS_MAGICS
            and text[0] == "%"
        ):
            return True
    return False


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
    return tree is None or any(isinstance(node, ast.Call) and _creates(node) for node in ast.walk(tree))


def _makes_files(statement: ast.stmt, state: _State) -> bool:
    """Tell whether a statement calls, or defines a function that calls, something that may create files of unknown names."""
    for node in ast.walk(statement):
        if not isinstance(node, ast.Call):
            continue
        name = _function(node)
        if _CREATORS.match(name):
            return True
        if _writes(node) and not any(_constant(value, state.constants) for value in _arguments(node)):
            return True
    return False


def _arguments(node: ast.Call) -> list[ast.expr]:
    return [*node.args, *(keyword.value for keyword in node.keywords)]


def _creates(node: ast.Call) -> bool:
    return bool(_CREATORS.match(_function(node))) or _writes(node)


def _function(node: ast.Call) -> str:
    return dotted(node.func) or (node.func.attr if isinstance(node.func, ast.Attribute) else "")


def _writes(node: ast.Call) -> bool:
    name = _function(node)
    if name.rpartition(".")[2] == "open":
        return not _opens_for_reading(node)
    return bool(_WRITERS.match(name))


def _opens_for_reading(node: ast.Call) -> bool:
    modes = [argument for argument in node.args[1:2]] + [keyword.value for keyword in node.keywords if keyword.arg == "mode"]
    return all(
        isinstance(mode, ast.Constant) and isinstance(mode.value, str) and not set(mode.value) & set("wax+") for mode in modes
    )


def _reads(statement: ast.stmt, cell: int, state: _State) -> Iterator[Read]:
    """Give the certain reads of one statement."""
    for node in _unconditional(statement):
        if not isinstance(node, ast.Call) or not _is_reader(node, state):
            continue
        argument = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg in _PATH_KEYWORDS), None)
        path = _constant(argument, state.constants) if argument is not None else None
        if path and _looks_like_path(path) and not {_file_name(path), _stem(path)} & state.mentioned:
            yield Read(path, cell, node.lineno)


def _unconditional(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, _CONDITIONAL):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _unconditional(child)


def _is_reader(node: ast.Call, state: _State) -> bool:
    name = qualified(dotted(node.func), dict(state.aliases)) or _function(node)
    if name in _NO_ERROR or name.partition(".")[0] in state.defined:
        return False
    owner, _, last = name.rpartition(".")
    if name in _OPENERS or (last == "open" and name in {"builtins.open"}):
        return _opens_for_reading(node)
    if last in _READERS_OF:
        return owner in _READERS_OF[last]
    return last in _READERS and not any(k.arg in {"errors", "error_ok"} for k in node.keywords)


def _constant(node: ast.expr, constants: Mapping[str, str]) -> str | None:
    """Work out a string put together from constants: literals, names, ``+``, f-strings, ``os.path.join`` and ``Path(...) / name``."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.Name(id=name):
            return constants.get(name)
        case ast.BinOp(left=left, op=ast.Add() | ast.Div() as operator, right=right):
            first, second = _constant(left, constants), _constant(right, constants)
            if first is None or second is None:
                return None
            return first + second if isinstance(operator, ast.Add) else f"{first.rstrip('/')}/{second}"
        case ast.JoinedStr(values=values):
            parts = [
                _constant(v.value if isinstance(v, ast.FormattedValue) and v.format_spec is None else v, constants)
                for v in values
            ]
            return "".join(part for part in parts if part is not None) if None not in parts else None
        case ast.Call(args=args, keywords=[]) if args and dotted(node.func) in {
            "os.path.join",
            "path.join",
            "join",
            "Path",
            "pathlib.Path",
        }:
            joined = [_constant(argument, constants) for argument in args]
            return (
                "/".join(str(part).rstrip("/") for part in joined[:-1]) + ("/" if joined[1:] else "") + str(joined[-1])
                if None not in joined
                else None
            )
    return None


def _texts(node: ast.AST, constants: Mapping[str, str]) -> list[str]:
    found = [inner.value for inner in ast.walk(node) if isinstance(inner, ast.Constant) and isinstance(inner.value, str)]
    return found + [constants[inner.id] for inner in ast.walk(node) if isinstance(inner, ast.Name) and inner.id in constants]


def _looks_like_path(text: str) -> bool:
    plain = 0 < len(text) < 260 and not re.search(r"[\n{}<>*?|]|^\s*\[|^\w{2,}://|^(?:s3|gs|hdfs|http|https|ftp):", text)  # noqa: PLR2004 - longest path name on Windows
    return plain and ("/" in text or "\\" in text or bool(re.search(r"\.\w{1,8}$", text)))


def _file_name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _stem(path: str) -> str:
    """Take the extension off: ``np.save("numbers", x)`` writes ``numbers.npy``."""
    return _file_name(path).rpartition(".")[0]


def _learn(statement: ast.stmt, state: _State) -> None:
    """Note the constants a statement binds and the file names it may have written."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        value = _constant(statement.value, state.constants)
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
            state.mentioned |= {_file_name(text) for text in _texts(node, state.constants)} - {""}
