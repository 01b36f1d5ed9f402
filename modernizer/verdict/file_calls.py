"""Calls that make files, and the strings that they are given."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from modernizer.verdict.source import cell_magic, dotted
from modernizer.verdict.words import words

_HARMLESS_SHELL = re.compile(
    r"^(?:ls|dir|head|tail|cat|more|less|wc|echo|pwd|pip3?|conda|mamba|apt|apt-get|python3? (?:-V|--version|-m pip)"
    r"|nvidia-smi|date|which|whoami|grep|free|df|du"
    r"|uname|type|lscpu)\b(?![^#]*[>|])",
)
_HARMLESS_MAGICS = words("""
    matplotlib pylab load_ext reload_ext autoreload time timeit config precision pip conda who whos watermark pwd ls pinfo
    prun lprun memit mprun capture xmode pdb debug history hist magic lsmagic pprint colors reset reset_selective env
    doctest_mode automagic
    """)
_JOINERS = frozenset({"os.path.join", "path.join", "join", "Path", "pathlib.Path"})
_CREATORS = re.compile(
    r"^(?:.*\.)?(?:urlretrieve|download\w*|wget|get_file|extractall|unpack_archive|system|popen|Popen|check_call|check_output|getoutput|chdir|symlink"
    r"|copy2|copyfile|copytree|clone_from|mount|kaggle\w*|run_line_magic|run_cell_magic|maybe_download\w*|execfile"
    r"|get_ipython|snapshot_download"
    r"|urlopen|NamedTemporaryFile|mkdtemp|dataset_download\w*)$"
    r"|^(?:os|shutil|subprocess|git|Path|pathlib\.Path)\.(?:rename|replace|move|copy|run|call|link)$"
    r"|^(?:exec|eval|retrieve|fetch_\w+|get_data|load_data|make_data)$",
)
_WRITERS = re.compile(
    r"^(?:.*\.)?(?:to_(?:csv|excel|json|pickle|hdf|parquet|feather|stata|sql|html|latex|file|netcdf|xml|gbq|disk)|save\w*|dump|write_\w+|writeto|export\w*"
    r"|imsave|imwrite|tofile|HDFStore|connect|ExcelWriter|render|touch|makedirs|mkdir)$",
)


def changes_files_by_magic(source: str) -> bool:
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


def writes(node: ast.Call) -> bool:
    """Tell whether a call may create a file: a writer, or ``open`` in any mode that isn't certainly for reading."""
    name = function_name(node)
    if name.rpartition(".")[2] == "open":
        return not opens_for_reading(node)
    return bool(_WRITERS.match(name))


def makes_unknown_files(node: ast.Call, constants: Mapping[str, str]) -> bool:
    """Tell whether a call may create files whose names aren't in the source: a download, a command, a computed name."""
    computed = writes(node) and not any(constant_text(value, constants) for value in _arguments(node))
    return computed or bool(_CREATORS.match(function_name(node)))


def opens_for_reading(node: ast.Call) -> bool:
    """Tell whether a call of some ``open`` certainly reads."""
    modes = [*node.args[1:2]] + [keyword.value for keyword in node.keywords if keyword.arg == "mode"]
    return all(
        isinstance(mode, ast.Constant) and isinstance(mode.value, str) and not set(mode.value) & set("wax+") for mode in modes
    )


def function_name(node: ast.Call) -> str:
    """Spell the function of a call, or only its last part when it is a method of an expression."""
    return dotted(node.func) or (node.func.attr if isinstance(node.func, ast.Attribute) else "")


def _arguments(node: ast.Call) -> list[ast.expr]:
    return [*node.args, *(keyword.value for keyword in node.keywords)]


def constant_text(node: ast.expr, constants: Mapping[str, str]) -> str | None:
    """Work out a string put together from constants by ``+``, f-strings, ``os.path.join`` or ``Path(...) / name``."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.Name(id=name):
            return constants.get(name)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _joined([left, right], "", constants)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _joined([left, right], "/", constants)
        case ast.JoinedStr(values=values):
            plain = [
                value.value if isinstance(value, ast.FormattedValue) and value.format_spec is None else value for value in values
            ]
            return _joined(plain, "", constants)
        case ast.Call(args=args, keywords=[]) if args and dotted(node.func) in _JOINERS:
            return _joined(args, "/", constants)
    return None


def _joined(nodes: Sequence[ast.expr], separator: str, constants: Mapping[str, str]) -> str | None:
    parts: list[str] = []
    for node in nodes:
        part = constant_text(node, constants)
        if part is None:
            return None
        parts.append(part)
    return separator.join([*(part.rstrip(separator) if separator else part for part in parts[:-1]), parts[-1]])


def texts(node: ast.AST, constants: Mapping[str, str]) -> list[str]:
    """List the strings below a node, those behind constant names included."""
    found = [inner.value for inner in ast.walk(node) if isinstance(inner, ast.Constant) and isinstance(inner.value, str)]
    return found + [constants[inner.id] for inner in ast.walk(node) if isinstance(inner, ast.Name) and inner.id in constants]


def file_name(path: str) -> str:
    """Return the last part of a path, whichever way its slashes lean."""
    return path.replace("\\", "/").rpartition("/")[2]
