"""Errors about the API of installed packages: gone, moved, other parameters."""

from __future__ import annotations

import re

from modernizer.verdict.diagnosis.case import Case
from modernizer.verdict.diagnosis.imports import gone, missing_dependency, missing_module, removed_or_moved
from modernizer.verdict.outcome import Diagnosis
from modernizer.verdict.words import words

_NO_MODULE = re.compile(r"No module named '?([\w.]+)'?")
_NO_NAME = re.compile(
    r"cannot import name '([\w.]+)' from (?:partially initialized module )?'([\w.]+)'|cannot import name '?([\w.]+)'?$"
)
_MODULE_ATTRIBUTE = re.compile(r"[Mm]odule '([\w.]+)' has no attribute '(\w+)'")
_OBJECT_ATTRIBUTE = re.compile(r"(?:'(\w+)' object|type object '(\w+)') has no attribute '(\w+)'")
_REMOVED = re.compile(
    r"`?(?P<name>[A-Za-z_][\w.]*)`? (?:was|has been|have been|is|are) (?:removed|dropped|discontinued)"
    r"|(?:has|have)\s+been removed"
    r"|is no longer (?:supported|available)|was removed in|no longer supported for offsets|nested renamer is not supported",
)
_KEYWORD = re.compile(r"(?:(?P<function>[\w.]+)\(\) )?got an unexpected keyword argument '(?P<name>\w+)'")
_UNKNOWN_PROPERTY = re.compile(
    r"[Uu]nknown property (\w+)|keyword (?:grid_)?(\w+) is not recognized|no property named '(\w+)'"
    r"|Unrecognized keyword argument.*?'(\w+)'"
)
_POSITIONAL = re.compile(
    r"(?:(?P<function>[\w.]+)\(\) )?(?:takes (?:from \d+ to )?\d+ positional arguments? but \d+|too many positional arguments"
    r"|missing (?:\d+|a) required (?:positional |keyword-only )?arguments?|got multiple values for (?:keyword )?argument"
    r"|missing a required argument)",
)
_PARAMETER = re.compile(r"The '(\w+)' parameter of ([\w.]+) must be")
_OPTION = re.compile(r"No such keys?\(?s?\)?: '([\w.]+)'|'([\w.-]+)' is not a valid (?:package style|rc param|option)")
_CHOICE = re.compile(
    r"Solver \w+ supports only|solver does not support multiclass|[Uu]nsupported set of arguments"
    r"|is not a valid scoring value|Invalid frequency: (\w+)"
    r"|is not a valid package style|must be (?:a color|one of)"
    r"|is not (?:in list of|among) (?:valid|supported)|is not supported for|Unable to avoid copy|Use np\.sum\(np\.fromiter",
)
_BUILTIN_TYPES = words("str int float list tuple dict set bytes NoneType bool function generator module method")


def api(case: Case) -> Diagnosis | None:
    """Find out which symbol of which package an error is about."""
    return _import_error(case) or _attribute(case) or _call(case) or _announced(case)


def _import_error(case: Case) -> Diagnosis | None:
    if case.name not in {"ImportError", "ModuleNotFoundError"}:
        return None
    if match := _NO_NAME.search(case.message):
        name, module, alone = match.groups()
        return gone(f"{module}.{name}" if module else alone, case, module or case.library)
    if match := _NO_MODULE.search(case.message):
        return missing_module(match.group(1), case)
    if re.search(
        r"(?:Missing optional dependency|Import|requires?|install) [`'\"]?([\w.-]+)", case.message
    ) and not _REMOVED.search(case.message):
        return missing_dependency(case)
    return _announced(case)


def _attribute(case: Case) -> Diagnosis | None:
    if case.name == "AttributeError" and (match := _MODULE_ATTRIBUTE.search(case.message)):
        module, name = match.groups()
        return gone(f"{module}.{name}", case, module)
    match = _OBJECT_ATTRIBUTE.search(case.message) if case.name == "AttributeError" else None
    if match is None:
        return None
    owner, name = match.group(1) or match.group(2), match.group(3)
    if owner in _BUILTIN_TYPES or _defines(case, owner):
        return None
    package = case.library or _class_package(owner, case)
    return (
        Diagnosis("api-removed", f"{owner}.{name}", package, f"{owner} has no attribute {name} in the installed version")
        if package
        else None
    )


def _defines(case: Case, name: str) -> bool:
    """Tell whether the notebook itself defines a class or function of this name."""
    pattern = re.compile(rf"^\s*(?:class|def)\s+{re.escape(name)}\b", re.MULTILINE)
    return any(pattern.search(cell.source) for cell in case.notebook.code_cells)


_CLASSES_OF = {
    "pandas": """
        DataFrame Series Index DatetimeIndex Timestamp GroupBy DataFrameGroupBy SeriesGroupBy Categorical StringMethods
        DatetimeProperties NDFrame Rolling
    """,
    "matplotlib": "Figure FigureBase Axes AxesSubplot Axes3D Legend",
    "numpy": "ndarray",
    "networkx": "Graph DiGraph",
    "seaborn": "FacetGrid",
    "IPython": "InteractiveShell",
}
_CLASSES = {name: package for package, names in _CLASSES_OF.items() for name in words(names)}


def _imported_from(owner: str, case: Case) -> str:
    """Name the package that a class is taken from anywhere in the notebook: ``lgb.LGBMRegressor`` gives lightgbm."""
    pattern = re.compile(rf"\b(\w+)(?:\.\w+)*\.{re.escape(owner)}\b")
    heads = [head for cell in case.notebook.code_cells for head in pattern.findall(cell.source) if head in case.aliases]
    return case.aliases[heads[0]].partition(".")[0] if heads else ""


def _class_package(owner: str, case: Case) -> str:
    if owner in case.aliases:
        return case.aliases[owner].partition(".")[0]
    tops = sorted({full.partition(".")[0] for full in case.aliases.values()})
    known = _CLASSES.get(owner) or _imported_from(owner, case)
    if known:
        return known
    return "sklearn" if "sklearn" in tops and re.match(r"[A-Z]\w+$", owner) else ""


def _call(case: Case) -> Diagnosis | None:
    if case.name not in {"TypeError", "AttributeError", "ValueError", "InvalidParameterError"}:
        return None
    if match := _PARAMETER.search(case.message):
        name, owner = match.groups()
        return Diagnosis("api-signature", name, _owner_package(case, owner), case.message.strip().splitlines()[0])
    return _keyword(case) or _positional(case)


def _keyword(case: Case) -> Diagnosis | None:
    """Find the call that passed a keyword, which isn't always the function that refused it."""
    match = _KEYWORD.search(case.message) or _UNKNOWN_PROPERTY.search(case.message)
    if match is None:
        return None
    groups = match.groupdict()
    name = groups.get("name") or next(group for group in match.groups() if group)
    refused_by = groups.get("function") or ""
    if _is_own(case, refused_by):
        return None
    owner = case.keyword_owner(name) or refused_by
    where = f"{owner} no longer accepts {name}" if owner else f"{name} is no longer accepted"
    package = _owner_package(case, owner) or _owner_package(case, refused_by)
    return Diagnosis("api-signature", name, package, where)


def _positional(case: Case) -> Diagnosis | None:
    match = _POSITIONAL.search(case.message)
    if match is None or _is_own(case, match["function"] or ""):
        return None
    owner = match["function"] or ""
    full = case.called(owner) if owner else next(iter(case.calls()), "")
    symbol = full if full and (not owner or case.is_imported(full)) else owner
    return Diagnosis("api-signature", symbol, _owner_package(case, symbol), case.message.strip().splitlines()[0])


def _is_own(case: Case, function: str) -> bool:
    """Tell whether the refusing function is the notebook's own: then its API didn't change."""
    head, _, last = function.removesuffix(".__init__").rpartition(".")
    return bool(function) and not case.library and (_defines(case, head.rpartition(".")[2] or last) or _defines(case, last))


def _owner_package(case: Case, owner: str) -> str:
    full = owner if "." in owner else case.called(owner) or owner
    full = case.qualified(full)
    if case.is_imported(full):
        return full.partition(".")[0]
    if case.library and case.library not in {"joblib", "decorator"}:
        return case.library
    return _class_package(full.partition(".")[0], case) or next(
        (call.partition(".")[0] for call in case.calls() if case.is_imported(call)), ""
    )


def _announced(case: Case) -> Diagnosis | None:
    """Read errors whose own text says that something is gone or that a value is no longer accepted."""
    if match := _OPTION.search(case.message):
        name = next(group for group in match.groups() if group)
        package = case.library or ("matplotlib" if "style" in case.message else "pandas")
        return Diagnosis("api-removed", name, package, f"{name} is not known to the installed {package}")
    if match := _CHOICE.search(case.message):
        owner = next(iter(case.calls()), "")
        return Diagnosis(
            "api-signature", match.group(1) or owner, _owner_package(case, owner), case.message.strip().splitlines()[0]
        )
    if match := _REMOVED.search(case.message):
        text = " ".join(case.message.split())
        symbol = _removed_symbol(case, match)
        return Diagnosis(removed_or_moved(text), symbol, _owner_package(case, symbol), text[:200])
    if case.name == "KeyError" and (case.library == "matplotlib" or "rcParams" in case.user_line):
        name = case.message.strip("'\"")
        return Diagnosis("api-removed", name, "matplotlib", f"matplotlib has no setting {name}")
    return None


def _removed_symbol(case: Case, match: re.Match[str]) -> str:
    name = match.groupdict().get("name") or ""
    name = name if name not in {"which", "It", "it", "and", "This", "this"} else ""
    named = re.search(r"`([A-Za-z_][\w.]*)`", case.message)
    if not name and named:
        name = named.group(1)
    if not name:
        name = next(iter(re.findall(r"\b[a-z_]+(?:\.[A-Za-z_]\w*)+", case.message)), "") or next(iter(case.calls()), "")
    imported = (
        re.search(r"from\s+([\w.]+)\s+import\b.*\b" + re.escape(name) + r"\b", case.source) if name and "." not in name else None
    )
    return f"{imported.group(1)}.{name}" if imported else case.qualified(name)
