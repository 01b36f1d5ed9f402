"""Recognises the lines of a notebook that install packages: honoured when its environment is built, inert when it runs."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from packaging.requirements import InvalidRequirement, Requirement

from modernizer.environment.import_names import import_names

_PYTHON = r"(?:\{?(?:sys\.executable|sys_executable)\}?|\$\{?sys\.executable\}?|python[\d.]*)"
_PIP = rf"(?:(?:sudo\s+(?:-\w+\s+)*)?{_PYTHON}\s+-m\s+pip|pip[\d.]*|uv\s+pip)"
_CONDA = r"(?:conda|mamba|micromamba)"
_SYSTEM = r"(?:apt-get|apt|aptitude|yum|dnf|apk|brew|port|snap|npm|gem)"
_CHANGES = r"(?:install|uninstall|remove|update|upgrade|create)"
_LEAD = r"^\s*(?:\w+\s*=\s*)?(?P<mark>[!%]{0,2})\s*(?:cd\s+\S+\s*&&\s*)?(?:yes\s*\|\s*)?(?:sudo\s+(?:-\w+\s+)*)?"
_TOOL = rf"(?P<tool>(?P<pip>{_PIP})|(?P<conda>{_CONDA})|(?P<system>{_SYSTEM}))"
_LINE = re.compile(rf"{_LEAD}{_TOOL}(?:\s+-{{1,2}}[\w-]+)*\s+(?P<verb>{_CHANGES})\b(?P<rest>.*)$", re.DOTALL)
_SHELL_CELL = re.compile(r"^\s*%%(?:bash|sh|script|system|!)")
_ENDS = re.compile(r"\s*(?:&&|\|\||;|\||\d?>{1,2}|2>&1|<(?!=)|(?<=\s)#).*$", re.DOTALL)
_CHAINED = re.compile(r"&&|;|\|\|")
# Options of pip and conda that take the next word.
_WITH_VALUE = frozenset({
    "-r", "--requirement", "-c", "--constraint", "--channel", "-i", "--index-url", "--extra-index-url", "-f", "--find-links",
    "-t", "--target", "--prefix", "-p", "-n", "--name", "--root", "--trusted-host", "--proxy", "--timeout", "--no-binary",
    "--only-binary", "--src", "-e", "--editable", "--progress-bar", "--platform", "--abi", "--log", "--python-version",
    "--implementation", "--global-option", "--cache-dir", "--file", "--python",
})  # fmt: skip


@dataclass(frozen=True)
class Installs:
    """What install lines ask for: requirements of the index, requirement files they name, and notes on all else."""

    requirements: tuple[Requirement, ...] = ()
    files: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def is_install_line(line: str) -> bool:
    """Tell whether a line of a code cell changes what is installed: pip, conda or a system's package tool."""
    found = _LINE.match(line.replace("\\\n", " "))
    if not found or line.lstrip().startswith("#"):
        return False
    # Without a mark only IPython's automagic words are commands, and an assignment or a call is Python.
    return bool(found["mark"]) or (bool(found["pip"] or found["conda"]) and not re.match(r"\s*[=(.]", found["rest"]))


def installs_of(sources: Iterable[str]) -> Installs:
    """Collect what the install lines in the code cells ask for. Uninstalling is ignored: the environment is fresh."""
    requirements: dict[str, Requirement] = {}
    files: dict[str, None] = {}
    notes: dict[str, None] = {}
    for line in (line for source in sources for line in _lines(source)):
        found = _LINE.match(line)
        if not found or found["verb"] != "install":
            continue
        words = _words(_ENDS.sub("", _protect(found["rest"])))
        if found["system"]:
            names = " ".join(word for word in words if not word.startswith("-"))
            notes[f"system packages are not installed: {names}"] = None
            continue
        for kind, value in _asked(words, conda=bool(found["conda"])):
            if kind == "file":
                files[value] = None
            elif kind == "note":
                notes[value] = None
            else:
                _add(requirements, notes, value)
    return Installs(tuple(requirements.values()), tuple(files), tuple(notes))


def _lines(source: str) -> Iterator[str]:
    """Yield the install lines of a cell one command a line, continued lines joined."""
    joined = re.sub(r"\\\s*\n", " ", source)
    shell = bool(_SHELL_CELL.match(joined))
    for line in joined.splitlines():
        if line.lstrip().startswith("#") or not (shell or is_install_line(line) or line.lstrip().startswith(("!", "%"))):
            continue
        mark = "" if shell else "!"
        first, *others = _CHAINED.split(_protect(line))
        yield from (first, *(f"{mark}{other}" for other in others))


def _protect(text: str) -> str:
    """Hide shell separators and comparisons that stand inside quotes behind look-alikes without a meaning."""
    return re.sub(r"(['\"])(.*?)\1", lambda quoted: quoted[0].translate(_HIDDEN), text)


_HIDDEN = str.maketrans({">": "\ue000", "<": "\ue001", ";": "\ue002", "|": "\ue003", "&": "\ue004"})
_SHOWN = str.maketrans({"\ue000": ">", "\ue001": "<", "\ue002": ";", "\ue003": "|", "\ue004": "&"})


def _words(rest: str) -> list[str]:
    try:
        return [word.translate(_SHOWN) for word in shlex.split(rest)]
    except ValueError:
        return [word.translate(_SHOWN) for word in rest.split()]


def _asked(words: Iterable[str], *, conda: bool) -> Iterator[tuple[str, str]]:
    """Yield ("file" | "note" | "spec", value) for the words after ``install``."""
    option = ""
    for word in words:
        if option:
            if option in {"-r", "--requirement", "--file"}:
                yield ("file", word)
            elif option in {"-e", "--editable"}:
                yield ("note", f"not installed from its source: {word}")
            option = ""
        elif word.startswith("-"):
            option = word if word in _WITH_VALUE else ""
            if word.startswith(("--requirement=", "--file=")):
                yield ("file", word.partition("=")[2])
        elif any(sign in word for sign in "{}$`*("):
            yield ("note", f"an install line names a package by a variable: {word}")
        elif conda:
            name, _, version = word.rpartition("::")[2].partition("=")
            name = re.split(r"[<>!= ]", name)[0]
            exact = version.strip("=").partition("=")[0]
            yield from (("spec", f"{dist}=={exact}.*" if exact else dist) for dist in import_names().from_conda(name))
        else:
            yield ("spec", word)


def _add(requirements: dict[str, Requirement], notes: dict[str, None], spec: str) -> None:
    if "://" in spec and " @ " not in spec:
        name = re.search(r"#egg=([\w.-]+)", spec)
        notes[f"not installed from its address: {name[1] if name else spec.partition('://')[0] + '://...'}"] = None
        return
    if spec in {".", ".."} or spec.startswith(("./", "../", "/", "~")) or spec.endswith((".whl", ".tar.gz", ".zip")):
        notes[f"not installed from a path: {spec}"] = None
        return
    try:
        requirement = Requirement(spec)
    except InvalidRequirement:
        notes[f"an install line is not understood: {spec[:60]}"] = None
        return
    requirements[import_names().real_name(requirement.name)] = requirement
