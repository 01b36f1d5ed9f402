"""Python 2 notebooks: the whole notebook is converted at once by fissix, the maintained successor of lib2to3."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import libcst as cst
import libcst.matchers as m
from fissix.pgen2.parse import ParseError
from fissix.pgen2.tokenize import TokenError

from modernizer.repair.imports import add_imports
from modernizer.repair.program import Key
from modernizer.repair.recipe import Failure, Scope, Unit
from modernizer.repair.recipes.python2_fixers import Converter
from modernizer.repair.recipes.python2_tidy import tidied

# Fixers that keep the meaning; left out are those of taste (idioms, set_literal, ws_comma) and of packaging (import).
_FIXERS = """
    apply basestring dict except exec execfile filter funcattrs getcwdu has_key imports imports2 input intern isinstance
    itertools itertools_imports long map methodattrs ne next nonzero numliterals operator paren print raise raw_input reduce
    reload repr standarderror sys_exc throw tuple_params types unicode urllib xrange xreadlines zip
""".split()  # noqa: SIM905 (a word list reads better than sixty quoted words)

_PYTHON2_NAMES = """
    xrange unicode raw_input long basestring reduce unichr execfile cmp reload file izip buffer intern StandardError
""".split()  # noqa: SIM905
_PYTHON2_MODULES = """
    urllib2 urlparse StringIO cStringIO cPickle Queue ConfigParser commands HTMLParser Tkinter httplib cookielib copy_reg
    __builtin__ anydbm xmlrpclib SocketServer BaseHTTPServer Cookie sets htmlentitydefs UserDict tkMessageBox thread
""".split()  # noqa: SIM905
_PYTHON2_MESSAGES = re.compile(
    r"'dict' object has no attribute '(?:has_key|iteritems|itervalues|iterkeys)'"
    r"|'(?:dict_keys|dict_values|dict_items|map|filter|zip|range)' object (?:is not subscriptable|has no attribute"
    r"|does not support item)|object of type '(?:map|filter|zip)' has no len|module 'urllib' has no attribute"
    r"|module 'itertools' has no attribute|module 'string' has no attribute|has no attribute 'next'"
    r"|unsupported operand type\(s\) for \+: '(?:dict_keys|dict_values|dict_items|map|filter|zip|range)'"
)
# Imports that fixers add for built-ins which moved, and what needs them.
_ADDED_IMPORTS = {
    "from functools import reduce": re.compile(r"(?<![.\w])reduce\("),
    "import importlib": re.compile(r"(?<![.\w])importlib\."),
    "import sys": re.compile(r"(?<![.\w])sys\.intern\("),
}
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
_CELL = "# modernizer cell {} #"
_CELL_PATTERN = re.compile(r"^# modernizer cell (\d+) #\n", re.MULTILINE)


_FUTURE_PRINT = re.compile(r"^[ \t]*from __future__ import[^\n]*\bprint_function\b", re.MULTILINE)
# Left to itself, input(x) of a notebook that may be Python 3 is what it says.
_CERTAIN_ONLY = frozenset({"print", "input", "exec"})


@dataclass(frozen=True)
class Dialect:
    """What is known of the code's version: certainly Python 2, and with print statements or the function."""

    certain: bool = True
    print_function: bool = False


@cache
def _tool(dialect: Dialect) -> Converter:
    fixers = [name for name in _FIXERS if dialect.certain or name not in _CERTAIN_ONLY]
    names = [f"fissix.fixes.fix_{name}" for name in fixers if not (dialect.print_function and name == "print")]
    return Converter(names, {"print_function": dialect.print_function})


def convert(code: str, dialect: Dialect | None = None) -> str | None:
    """Convert masked Python 2 source to Python 3; None when it is not Python 2 either."""
    if dialect is None:
        dialect = Dialect(print_function=bool(_FUTURE_PRINT.search(code)))
    try:
        # Fixers keep state over a file, which is what carries a renamed import from one cell to the next.
        converted = str(_tool(dialect).refactor_string(code + "\n", "notebook")).removesuffix("\n")
        if _mixes_tabs(converted):
            converted = _INDENT.sub(lambda match: match[0].expandtabs(8), converted)
        cst.parse_module(converted)
    except (ParseError, TokenError, cst.ParserSyntaxError, IndentationError, RecursionError):
        return None
    return tidied(converted, code)


def _mixes_tabs(code: str) -> bool:
    """Tell whether lines are indented in a way that only Python 2 accepts, a tab going on to the next eighth column."""
    if "\t" not in code:
        return False
    try:
        compile(code, "notebook", "exec", dont_inherit=True)
    except TabError:
        return True
    except (SyntaxError, ValueError):
        return False
    return False


class Python2:
    """Python 2 syntax, built-ins, iterators and module names."""

    name: ClassVar[str] = "python-2"
    summary: ClassVar[str] = "The notebook is written in Python 2; every cell now says the same in Python 3."
    since: ClassVar[str] = "Python 3.0"
    source: ClassVar[str] = "What's New In Python 3.0"
    words: ClassVar[frozenset[str]] = frozenset()
    order: ClassVar[int] = 10
    confirmed: ClassVar[bool] = True
    at_end: ClassVar[bool] = False

    def rewrite(self, unit: Unit, scope: Scope) -> str | None:
        """Convert one unit by itself."""
        return self.rewrite_all({unit.key: unit}, scope).get(unit.key)

    def rewrite_all(self, units: Mapping[Key, Unit], scope: Scope) -> dict[Key, str]:
        """Convert all cells together when one is Python 2 for certain, and each such module by itself."""
        cells: dict[Key, Unit] = {key: unit for key, unit in units.items() if isinstance(key, int) and unit.masked}
        changes: dict[Key, str] = {}
        certain = any(_is_python2(unit) for unit in cells.values())
        if certain or _speaks_of_python2(scope.failure):
            future = any(_FUTURE_PRINT.search(unit.source) for unit in cells.values())
            changes |= _converted_together(cells, Dialect(certain, print_function=future or not certain))
        for key, unit in units.items():
            failing_here = scope.failure is not None and scope.failure.unit == key and _speaks_of_python2(scope.failure)
            if isinstance(key, str) and (failing_here or _is_python2(unit)) and unit.masked and (new := convert(unit.source)):
                changes[key] = new
        return changes


def _converted_together(cells: Mapping[Key, Unit], dialect: Dialect) -> dict[Key, str]:
    """Join the cells that parse in either language, convert them as one file and take it apart again."""
    masked_code = {key: unit.masked.code for key, unit in cells.items() if unit.masked}
    codes = {key: code for key, code in masked_code.items() if convert(code, dialect) is not None}
    joined = "".join(f"{_CELL.format(key)}\n{code}\n" for key, code in codes.items())
    converted = convert(joined, dialect)
    parts = _CELL_PATTERN.split(converted)[1:] if converted else []
    together: dict[Key, str] = {int(key): text.removesuffix("\n") for key, text in zip(parts[::2], parts[1::2], strict=True)}
    together = _with_imports(together, codes, converted or "")
    if set(together) != set(codes):
        together = {key: text for key, code in codes.items() if (text := convert(code, dialect))}
    together |= {key: text for key, code in masked_code.items() if key not in codes and (text := _by_itself(cells[key], code))}
    return {
        key: masked.unmask(_as_begun(codes.get(key, ""), text)) for key, text in together.items() if (masked := cells[key].masked)
    }


def _with_imports(together: dict[Key, str], codes: Mapping[Key, str], joined: str) -> dict[Key, str]:
    """Put imports that fixers added behind some import of the joined file into the first cell that needs them."""
    for statement, use in _ADDED_IMPORTS.items():
        line = re.compile(rf"^{re.escape(statement)}(?:\n|\Z)", re.MULTILINE)
        if len(line.findall(joined)) <= sum(len(line.findall(code)) for code in codes.values()):
            continue
        bare = {key: line.sub("", text) if not line.search(codes.get(key, "")) else text for key, text in together.items()}
        first = next((key for key, text in bare.items() if use.search(text)), None)
        if first is not None:
            together = bare | {first: add_imports(cst.parse_module(bare[first]), [statement]).code}
    return together


def _by_itself(unit: Unit, code: str) -> str | None:
    """Convert a cell that only parses in the other dialect of print, such as a cell written for Python 3 already."""
    return None if unit.tree is not None else convert(code, Dialect()) or convert(code, Dialect(print_function=True))


def _as_begun(old: str, new: str) -> str:
    """Take away the empty line that an import in a cell's first line leaves behind when it is dropped."""
    return new if old.startswith("\n") else new.removeprefix("\n")


def _is_python2(unit: Unit) -> bool:
    """Tell whether a unit is valid Python 2 and not Python 3, or prints to a file as only Python 2 can."""
    if unit.tree is not None:
        return bool(m.findall(unit.tree, m.BinaryOperation(left=m.Name("print"), operator=m.RightShift())))
    return unit.masked is not None and convert(unit.masked.code) is not None


def _speaks_of_python2(failure: Failure | None) -> bool:
    if failure is None:
        return False
    name, message = failure.error.name, failure.error.message
    if name == "NameError":
        return any(f"'{known}'" in message for known in _PYTHON2_NAMES)
    if name in {"ModuleNotFoundError", "ImportError"}:
        return any(f"'{known}'" in message for known in _PYTHON2_MODULES)
    return bool(_PYTHON2_MESSAGES.search(message))


RECIPES = (Python2(),)
