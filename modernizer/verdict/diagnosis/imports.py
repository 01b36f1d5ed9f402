"""Modules and names that can't be imported: gone from Python, from an installed package, or not installed."""

from __future__ import annotations

import re
import sys

from modernizer.verdict.diagnosis.case import Case
from modernizer.verdict.outcome import Diagnosis, Kind
from modernizer.verdict.words import words

_MOVED = re.compile(
    r"(?:[Uu]se|[Pp]lease use|in favou?r of|moved to|renamed to|replaced (?:by|with)) [`'\"]?(?P<new>[A-Za-z_][\w.]*)"
)
_PYTHON2_MODULES = {
    "urllib2": "urllib.request", "urlparse": "urllib.parse", "StringIO": "io", "cStringIO": "io", "cPickle": "pickle",
    "Queue": "queue",
    "ConfigParser": "configparser", "Tkinter": "tkinter", "HTMLParser": "html.parser", "httplib": "http.client",
    "cookielib": "http.cookiejar",
    "SocketServer": "socketserver", "commands": "subprocess", "__builtin__": "builtins", "copy_reg": "copyreg",
    "thread": "_thread",
    "itertools.izip": "zip", "md5": "hashlib", "sets": "set", "exceptions": "builtins", "robotparser": "urllib.robotparser",
}  # fmt: skip
_PYTHON_MOVES = frozenset({"itertools", "urllib", "string", "collections", "types", "cgi", "fractions"})
_GONE_MODULES = words(
    "imp asyncore asynchat smtpd distutils cgi crypt telnetlib pipes nntplib audioop imghdr sndhdr uu xdrlib spwd nis lib2to3"
)


def missing_module(name: str, case: Case) -> Diagnosis:
    """Tell modules that Python or an installed package dropped from those that aren't installed."""
    top, _, rest = name.partition(".")
    if top in _PYTHON2_MODULES:
        return Diagnosis("api-moved", name, "python", f"the module {name} of Python 2 is {_PYTHON2_MODULES[top]} today")
    if top in _GONE_MODULES:
        return Diagnosis("api-removed", name, "python", f"the module {name} is no longer part of Python")
    if rest and top != "google":  # the parent package was found, otherwise it would be the one named
        return Diagnosis("api-removed", name, top, f"the installed {top} has no module {name}")
    if top == "google" and "colab" in case.user_line:
        return Diagnosis("module-missing", "google.colab", "google", "google.colab only exists on Colab")
    return Diagnosis("module-missing", name, top, _why_missing(name, top, case))


def _why_missing(name: str, top: str, case: Case) -> str:
    local = _local_modules(top, case)
    if local:
        return f"{name} is a module of the repository ({local[0]}), but not found from the notebook's folder"
    if top in case.unknown:
        return f"{name} is neither declared nor known; it is never installed on a guess"
    return f"the module {name} isn't installed"


def _local_modules(top: str, case: Case) -> list[str]:
    return sorted(file for file in case.files() if file == f"{top}.py" or file.endswith((f"/{top}.py", f"/{top}/__init__.py")))


def missing_dependency(case: Case) -> Diagnosis:
    """Name the optional dependency that a package asks for."""
    match = re.search(
        r"Missing optional dependency '([\w.-]+)'|Import ([\w.-]+) failed|`Import ([\w.-]+)`|install ([\w.-]+)", case.message
    )
    name = next((group for group in match.groups() if group), "") if match else ""
    return Diagnosis("module-missing", name, case.library, case.message.strip().splitlines()[0])


def gone(symbol: str, case: Case, module: str) -> Diagnosis:
    """Say that an installed module has lost a name, or that the repository's own never had it."""
    package = module.partition(".")[0]
    if symbol in _PYTHON2_MODULES or package in sys.stdlib_module_names:
        return Diagnosis(
            "api-moved" if package in _PYTHON_MOVES else "api-removed", symbol, "python", f"today's Python has no {symbol}"
        )
    if _local_modules(package, case):
        return Diagnosis("other", symbol, package, f"the repository's module {module} has no {symbol.rpartition('.')[2]}")
    return Diagnosis(removed_or_moved(case.message), symbol, package, f"the installed {package or 'package'} has no {symbol}")


def removed_or_moved(message: str) -> Kind:
    """Tell from an error's own words whether there is a new place to go to."""
    moved = _MOVED.search(message)
    return "api-moved" if moved and "." in moved["new"] else "api-removed"
