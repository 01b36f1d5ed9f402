"""Cells that aren't Python 3: Python 2, magics, prose."""

from __future__ import annotations

import re

from modernizer.verdict.diagnosis.case import Case
from modernizer.verdict.outcome import Diagnosis, Kind
from modernizer.verdict.source import cell_magic, is_python2

_PYTHON2_MESSAGES = re.compile(
    r"Missing parentheses in call to '(?:print|exec)'|multiple exception types must be parenthesized"
    r"|leading zeros in decimal integer"
    r"|inconsistent use of tabs",
)
_PYTHON2_NAMES = {
    "xrange": "range",
    "unicode": "str",
    "raw_input": "input",
    "reload": "importlib.reload",
    "basestring": "str",
    "unichr": "chr",
    "long": "int",
    "reduce": "functools.reduce",
    "cmp": "(a > b) - (a < b)",
    "execfile": "exec(open(...).read())",
    "apply": "function(*arguments)",
    "buffer": "memoryview",
    "intern": "sys.intern",
    "file": "open",
    "coerce": "explicit conversion",
}
_DICTIONARY = re.compile(
    r"'(?:dict|OrderedDict|defaultdict|Counter)' object has no attribute '(iteritems|itervalues|iterkeys|has_key|viewitems)'"
)
_VIEWS = re.compile(
    r"'(?:dict_keys|dict_values|dict_items|map|filter|zip|range)' object (?:is not subscriptable|has no attribute '\w+')"
    r"|object of type '(?:map|filter|zip)' has no len|unsupported operand type\(s\) for \+: '(?:dict_\w+|map|range|zip)'",
)
_EXTENSION = re.compile(r"(?:^%|run_line_magic\(['\"])(?:load_ext|reload_ext)(?:\s+|['\"],\s*['\"])([\w.]+)")
_LINE_MAGIC = re.compile(
    r"(?:Line|Cell) magic function [`'\"]?%{1,2}([\w.]+)|([\w.]+): No such magic|No module named '?(rpy2|rmagic)"
)


def syntax(case: Case) -> Diagnosis | None:
    """Tell Python 2 from nonsense; the same for the names and types that only Python 2 had."""
    if case.name in {"SyntaxError", "IndentationError", "TabError"}:
        return _syntax_error(case)
    if case.name == "NameError" and (match := re.search(r"name '(\w+)' is not defined", case.message)):
        replacement = _PYTHON2_NAMES.get(match.group(1))
        if replacement:
            return Diagnosis("syntax-python2", match.group(1), "python", f"{match.group(1)} is Python 2; today {replacement}")
    if match := _DICTIONARY.search(case.message):
        return Diagnosis("syntax-python2", f"dict.{match.group(1)}", "python", f"dict.{match.group(1)} is Python 2")
    if re.search(r"for >>: '(?:builtin_function_or_method|function)'", case.message):
        return Diagnosis("syntax-python2", "print", "python", "print >>file is Python 2; today print(..., file=file)")
    if match := _VIEWS.search(case.message):
        return Diagnosis("syntax-python2", "", "python", f"a list in Python 2 is an iterator or a view today: {case.message}")
    return None


def _syntax_error(case: Case) -> Diagnosis:
    source = case.source
    frame = case.user_frame
    if frame is not None and frame.local and frame.cell is None:
        kind: Kind = "syntax-python2" if _PYTHON2_MESSAGES.search(case.message) else "syntax"
        return Diagnosis(kind, frame.file or "", "python", f"the module {frame.file} isn't Python 3: {case.message}")
    if is_python2(source) or _PYTHON2_MESSAGES.search(case.message):
        return Diagnosis("syntax-python2", _python2_symbol(case), "python", "the cell is written in Python 2")
    if name := _continued_magic(source):
        return Diagnosis("magic", name, "IPython", f"%{name} no longer goes on over several lines")
    return Diagnosis("syntax", "", "python", case.message.splitlines()[0] if case.message else "not valid Python")


def _continued_magic(source: str) -> str:
    """Name the line magic whose bracket closes on a later line."""
    for line in source.splitlines():
        match = re.match(r"\s*%([a-z]\w*)\s", line)
        if match and any(line.count(opening) > line.count(closing) for opening, closing in ("()", "[]", "{}")):
            return match.group(1)
    return ""


def _python2_symbol(case: Case) -> str:
    found = re.search(r"call to '(\w+)'", case.message)
    if found:
        return found.group(1)
    first = re.match(r"(print|exec|raise|except)\b", case.user_line)
    return first.group(1) if first else ""


def magic(case: Case) -> Diagnosis | None:
    """Recognise magics that no longer exist, are written otherwise or whose extension is missing."""
    if "Line magic function `%` not found" in case.message:
        return Diagnosis("magic", "%", "IPython", "a magic has a space behind its percent sign, which IPython 7 takes no more")
    if match := _LINE_MAGIC.search(case.message) or (_LINE_MAGIC.search(case.text) if case.name == "UsageError" else None):
        name = next(group for group in match.groups() if group)
        return Diagnosis("magic", name, "IPython", f"the magic or extension {name} isn't available")
    extension = _EXTENSION.search(case.user_line)
    if extension and case.name in {"ModuleNotFoundError", "ImportError"}:
        name = extension.group(1)
        return Diagnosis("magic", name, name.partition(".")[0], f"the extension {name} isn't available: {case.message}")
    if case.name == "UsageError" or (
        case.user_line.startswith("%") and cell_magic(case.source) == "" and case.library == "IPython"
    ):
        return Diagnosis("magic", case.user_line.lstrip("%").split(" ")[0], "IPython", case.message.strip())
    return None
