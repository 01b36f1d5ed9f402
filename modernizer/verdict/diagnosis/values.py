"""Errors about names and values: undefined names, values that today's libraries are stricter about, cells that never ran."""

from __future__ import annotations

import ast
import re

from modernizer.notebook import Cell, Notebook
from modernizer.verdict.diagnosis.case import Case
from modernizer.verdict.outcome import Diagnosis
from modernizer.verdict.source import masked, parse
from modernizer.verdict.words import words

_UNDEFINED = re.compile(r"(?:name|free variable|local variable|cannot access local variable) '(\w+)'")
_BLANK = re.compile(r"'ellipsis'|\bellipsis\b|'NoneType'|name '(?:_{2,}|FILL\w*|TODO|YOUR\w*|None_)'|NotImplementedError")
_STRICT = re.compile(
    r"Expected 2D array|Expected a 2-?dimensional|Cannot perform reduction|with (?:string|str|object) dtype"
    r"|could not convert string to float"
    r"|only 0-dimensional arrays|only (?:length-1|size-1|integer|integers)|inhomogeneous"
    r"|setting an array element with a sequence|Invalid value .* for dtype"
    r"|incompatible dtype|cannot be interpreted as an integer|Integers to negative integer powers"
    r"|not supported between instances|unhashable type"
    r"|dimension|shapes? |Length mismatch|Length of values|ambiguous|not supported for the input types"
    r"|unsupported operand type|agg function failed"
    r"|does not support (?:reduction|operation)|Cannot cast|cannot convert|read-only|doesn't match format"
    r"|num must be an integer|expected a sequence of integers"
    r"|does not support|not in index|must be (?:an? )?(?:int|integer|str|real number|numeric)|datetime64"
    r"|bytes-like object is required|Input X? ?contains NaN|contains infinity|Found input variables",
)
_PYTHON2_VALUE = re.compile(
    r"'[<>]=?' not supported between instances of .*|'float' object cannot be interpreted as an integer"
    r"|a bytes-like object is required, not 'str'"
    r"|list indices must be integers or slices, not float|write\(\) argument must be str, not bytes|cannot concat \w+ to bytes",
)
_STRICT_NAMES = words(
    """
    TypeError ValueError IndexError KeyError InvalidIndexError NotFittedError LinAlgError UFuncTypeError SpecificationError
    DTypePromotionError
    OutOfBoundsDatetime _UFuncNoLoopError AxisError
    """,
)


def name_undefined(case: Case) -> Diagnosis | None:
    """Tell an undefined name from a cascade: a name bound in a cell that came later, was skipped or never ran."""
    if case.name not in {"NameError", "UnboundLocalError"} or not (match := _UNDEFINED.search(case.message)):
        return None
    name = match.group(1)
    binding = next((cell for cell in case.notebook.code_cells if _binds(cell, name)), None)
    if binding is None:
        detail = f"no cell defines {name}"
    elif binding.index > case.error.cell:
        detail = f"{name} is only defined later, in cell {binding.index}: the cells were run in another order"
    elif binding.execution_count is None and not binding.outputs and ran_before(case.notebook):
        detail = f"a cascade: cell {binding.index}, which defines {name}, never ran"
    elif parse(binding.source) is None:
        detail = f"a cascade: cell {binding.index}, which defines {name}, can't run"
    else:
        detail = f"{name} is defined in cell {binding.index}, but not when cell {case.error.cell} runs"
    return Diagnosis("name-undefined", name, "", detail)


def _binds(cell: Cell, name: str) -> bool:
    tree = parse(cell.source)
    if tree is None:
        return bool(
            re.search(
                rf"^\s*(?:(?:def|class)\s+{name}\b|{name}\s*=[^=]|(?:from|import)\b.*\b{name}\b)",
                masked(cell.source),
                re.MULTILINE,
            )
        )
    return any(
        (isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store))
        or (isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name)
        or (isinstance(node, ast.alias) and (node.asname or node.name.partition(".")[0]) == name)
        for node in ast.walk(tree)
    )


def value_semantics(case: Case) -> Diagnosis | None:
    """Recognise a value that the libraries of the notebook's time let through and today's refuse."""
    if case.name == "TypeError" and not case.library and (match := _PYTHON2_VALUE.search(case.message)):
        symbol = "python-2" if case.notebook.is_python2 else ""
        return Diagnosis("value-semantics", symbol, "python", f"Python 2 let it through: {match.group()}")
    package = case.library
    indexed = case.name == "KeyError" and re.fullmatch(r"-?\d+", case.message.strip("'\" "))
    strict = case.name in _STRICT_NAMES and (_STRICT.search(case.message) or indexed)
    if not strict or (not package and not _uses_arrays(case)):
        return None
    what = f"position {case.message} of a Series is looked up as a label" if indexed else case.message.strip().splitlines()[0]
    return Diagnosis("value-semantics", _subject(case), package or _guess(case), what)


def _subject(case: Case) -> str:
    """Name the outermost call of the failing statement that doesn't only show a value, if there is one."""
    calls = case.calls()
    return next((call for call in calls if call not in {"print", "display", "len", "list"}), next(iter(calls), ""))


def _uses_arrays(case: Case) -> bool:
    return bool(_guess(case))


def _guess(case: Case) -> str:
    tops = {full.partition(".")[0] for full in case.aliases.values()}
    if case.name == "KeyError":
        return "pandas" if "pandas" in tops else ""
    return next((top for top in ("numpy", "pandas", "sklearn", "matplotlib") if top in tops), "")


def ran_before(notebook: Notebook) -> bool:
    """Tell whether any code cell of a notebook has been run when it was saved."""
    return any(cell.execution_count is not None or cell.outputs for cell in notebook.code_cells)


def never_ran(case: Case, found: Diagnosis) -> Diagnosis | None:
    """Replace the diagnosis of a cell that was never run and can't be: prose, the blanks of an exercise.

    Where other cells did run, every error that isn't about an API or the surroundings counts; where none did (cleared
    outputs), only what can never have run: a cell that is no Python of any age, a blank to fill in.
    """
    cell = case.cell
    if cell is None or cell.execution_count is not None or cell.outputs:
        return None
    blank = bool(_BLANK.search(f"{case.name} {case.message}")) and bool(
        re.search(r"_{3,}|\.\.\.|\bNone\b|NotImplementedError|FILL|TODO|YOUR", case.source)
    )
    unfinished = found.kind == "syntax" or blank
    if unfinished or (ran_before(case.notebook) and found.kind in {"other", "name-undefined"}):
        return Diagnosis(
            "never-ran", found.symbol, "", "the cell was never run when the notebook was saved: prose, or an exercise left open"
        )
    return None
