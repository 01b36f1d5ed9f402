"""Rules on effects: a repair brings in nothing that reaches outside the notebook."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from modernizer.repair.policy.edit import Edit, Finding, line_of
from modernizer.repair.policy.expressions import dotted
from modernizer.repair.policy.reading import Call

_NETWORK = re.compile(
    r"(?:requests|urllib|urllib3|httplib|http|socket|socketserver|ftplib|smtplib|poplib|imaplib|telnetlib|xmlrpc|aiohttp|httpx|ssl"
    r"|websocket|websockets|paramiko|boto3|botocore|wget|gdown|kaggle|kagglehub|huggingface_hub|google\.cloud|pycurl|fsspec|s3fs"
    r"|wandb|mlflow|webbrowser|asyncio\.open_connection|selenium|openai|github|git)(?:\.|$)"
)
_PROCESSES = re.compile(
    r"(?:subprocess|pty|commands|sh|pexpect|multiprocessing|ctypes|cffi|pip|ensurepip|venv|resource|mmap|fcntl|termios|select)(?:\.|$)"
    r"|(?:os|posix|nt)\.(?:system|popen\w*|exec\w+|spawn\w+|fork\w*|kill\w*|posix_spawn\w*|startfile)$|signal\."
    r"|importlib\.metadata\.|asyncio\.(?:create_)?subprocess|numpy\.(?:f2py|distutils)|distutils\.|setuptools|torch\.utils\.cpp_extension|(?:IPython\.)?get_ipython$"
)
_RUNNING = re.compile(
    r"(?:system|popen|Popen|check_output|check_call|getoutput|getstatusoutput|(?:create_)?subprocess_\w+|run_\w*magic|run_cell\w*|execv\w*)$"
)
_DYNAMIC = re.compile(
    r"(?:eval|exec|compile|execfile|__import__|globals|locals|vars|setattr|delattr|breakpoint|input)$|importlib\.(?!reload$)"
    r"|(?:atexit|threading|_thread|builtins|__builtin__|marshal|code|codeop|runpy|imp|mock|unittest|pytest|pandas\.eval|numexpr|types\.CodeType|types\.FunctionType|gc|inspect\.(?:currentframe|stack|trace|get\w+frames)|sys\._\w+)"
    r"(?:\.|$)|sys\.(?:path|settrace|setprofile|modules|meta_path|path_hooks|addaudithook)"
)
_ENVIRONMENT = re.compile(
    r"os\.(?:environ\w*|getenv\w*|putenv|unsetenv)(?:\.|$)|os\.(?:getlogin|uname)$|getpass\.|dotenv\.|keyring\.|platform\.node"
    r"|google\.colab"
)
_FILES = re.compile(
    r"os\.(?:remove\w*|unlink|rmdir|rename\w*|replace|truncate|chmod|chown|link|symlink|mkfifo|chdir|chroot|makedirs|mkdir)$"
    r"|shutil\.(?!get_terminal_size)|tempfile\.|(?:numpy|joblib|torch|pickle)\.(?:save\w*|dump)$|imageio\.imwrite|scipy\.io\.savemat"
)
_READING = re.compile(
    r"os\.(?!path\b|getcwd|sep$|linesep$|name$|errno)\w|glob\.|sqlite3\.|logging\.(?:basicConfig|FileHandler|handlers)|shelve\.|dbm\."
    r"|zipfile\.|tarfile\."
)
_SHOWN = re.compile(
    r"IPython\.(?:core\.)?display\.(?:Javascript|HTML|IFrame|display_\w+|publish_display_data)$|operator\.\w+(?:getter|caller)$"
)
_WRITING = re.compile(
    r"(?:unlink|rmdir|rmtree|write_text|write_bytes|touch|symlink_to|hardlink_to|mkdir|savefig|imsave|imwrite|save|dump|tofile|savetxt"
    r"|to_(?:csv|excel|pickle|parquet|hdf|sql|feather|json|html|stata|gbq)|save_model|save_weights|writelines|write)$"
)
_OUTSIDE = re.compile(r"^(?:~|/[A-Za-z][\w.-]*/[\w.-]|[A-Za-z]:[\\/]\w)|(?:^|[\\/])\.\.(?:[\\/]|$)")
_LOOKING = re.compile(r"(?:home|cwd|iterdir|rglob|expanduser|scandir|listdir)$")
_DUNDERS = re.compile(
    r"__(?!init__|name__|version__|file__|doc__|len__|class__$)\w+__$|(?:f_(?:globals|locals|back|builtins|code)|gi_frame|cr_frame|tb_frame|co_\w+)$"
)


def _imports_and_uses(edit: Edit, pattern: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """List new imports and new uses of names that match."""

    def name_of(node: ast.AST) -> str | None:
        if isinstance(node, ast.alias):
            name = edit.sides.renames.canonical(node.name)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            return next((name for name in map(edit.sides.renames.canonical, names) if pattern.match(name)), None)
        elif isinstance(node, ast.Name):
            name = node.id
        else:
            return None
        if isinstance(node, ast.Name) and name in _POWERFUL and pattern is _DYNAMIC:
            return name
        return name if _matches(pattern, name) and ("." in name or isinstance(node, ast.alias) or name in _BARE) else None

    shown = edit.before.source if edit.before.tree is None else ""
    found = edit.new_nodes(name_of)
    units = edit.sides.units_before.values() if found else ()
    known = {name for code in units for name in map(name_of, code.nodes) if name is not None}
    for node, name in found:
        # An import of what was used already, or of the module that it moved to.
        plain_move = isinstance(node, ast.alias | ast.ImportFrom) and any(f"{one}.".startswith(f"{name}.") for one in known)
        if not plain_move and name.rpartition(".")[2] not in shown:
            yield line_of(node), name


def _matches(pattern: re.Pattern[str], name: str) -> bool:
    """Match a dotted name, and what it names by way of another module: pandas.io.common.os.system is os.system."""
    parts = name.split(".")
    return bool(pattern.match(name)) or any(pattern.match(".".join(parts[start:])) for start in range(1, len(parts) - 1))


# Modules that may not be handed on as values, where no rule could follow them.
_POWERFUL = frozenset({"os", "sys", "subprocess", "shutil", "builtins", "importlib", "socket", "ctypes", "posix"})
_BARE = frozenset(
    {
        "eval",
        "exec",
        "compile",
        "execfile",
        "__import__",
        "globals",
        "locals",
        "vars",
        "setattr",
        "delattr",
        "breakpoint",
        "input",
    }
    | {"get_ipython", "builtins"}
)


def no_network(edit: Edit) -> Iterator[Finding]:
    """No new network access: data must not leave, and a repair must not depend on what a server says."""
    for line, name in _imports_and_uses(edit, _NETWORK):
        yield Finding(line, f"no new network access: {name}")
    for node, url in edit.new_nodes(_address):
        yield Finding(line_of(node), f"no new address: {url}")


def _address(node: ast.AST) -> str | None:
    found = isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(r"\b\w+://\S+|^\\\\\\\\\w", node.value)
    return str(node.value) if found and isinstance(node, ast.Constant) else None


def no_processes(edit: Edit) -> Iterator[Finding]:
    """No new process, shell command or foreign library: they leave the reach of every other rule."""
    for line, name in _imports_and_uses(edit, _PROCESSES):
        yield Finding(line, f"no new process or shell: {name}")
    for call, name in edit.more(lambda call: call.leaf if _RUNNING.match(call.leaf) else None):
        yield Finding(call.line, f"no new process or shell: {name}()")


def no_dynamic_code(edit: Edit) -> Iterator[Finding]:
    """No code made at run time and no way around names: what runs must stand in the diff."""
    for line, name in _imports_and_uses(edit, _DYNAMIC):
        yield Finding(line, f"no code or names made at run time: {name}")
    for line, name in _imports_and_uses(edit, _SHOWN):
        yield Finding(line, f"no new active output or hidden access: {name}")
    for node, name in edit.new_nodes(_dunder):
        yield Finding(line_of(node), f"no special attribute: {name}")
    for call, name in edit.more(_evaluates):
        yield Finding(call.line, f"no code in text: {name}()")
    for call, _ in edit.more(_getattr):
        yield Finding(call.line, "getattr() takes a name that is written out, and type() one argument")


def _dunder(node: ast.AST) -> str | None:
    if isinstance(node, ast.Attribute):
        return node.attr if _DUNDERS.match(node.attr) or node.attr == "__class__" else None
    if isinstance(node, ast.Name):
        last = node.id.rpartition(".")[2]
        return last if _DUNDERS.match(last) else None
    return None


def _evaluates(call: Call) -> str | None:
    """Find methods that run code given as text; a graph's tensors are evaluated by dictionaries."""
    method = isinstance(call.node.func, ast.Attribute) and call.leaf in {"eval", "evaluate_expression", "query"}
    return call.leaf if method and call.node.args and not isinstance(call.node.args[0], ast.Dict) else None


def _getattr(call: Call) -> str | None:
    name = call.node.args[1] if len(call.node.args) > 1 else None
    named = isinstance(name, ast.Constant) and name.value not in _POWERFUL | _BARE and not str(name.value).startswith("__")
    made = call.dotted == "type" and len(call.node.args) > 1
    return call.dotted if made or (call.dotted == "getattr" and not named) else None


def no_environment(edit: Edit) -> Iterator[Finding]:
    """No new look at environment variables or accounts: that is where secrets are."""
    for line, name in _imports_and_uses(edit, _ENVIRONMENT):
        yield Finding(line, f"no new look at the environment: {name}")


def no_files(edit: Edit) -> Iterator[Finding]:
    """No file is written, moved or deleted that was not before."""
    for line, name in _imports_and_uses(edit, _FILES):
        yield Finding(line, f"no file may be written, moved or deleted: {name}")
    for line, name in _imports_and_uses(edit, _READING):
        yield Finding(line, f"no new use of files and the system: {name}")
    for call, name in edit.more(lambda call: call.leaf if _LOOKING.match(call.leaf) else None):
        yield Finding(call.line, f"no new look at folders: {name}()")
    for call, name in edit.more(_writes):
        if not any(edit.sides.renames.is_renamed(old.leaf, name) or _writes(old) == name for old in edit.gone_calls):
            yield Finding(call.line, f"no file may be written or deleted: {ast.unparse(call.node)[:80]}")


def paths_stay_inside(edit: Edit) -> Iterator[Finding]:
    """No new path leads out of the notebook's folder: what is there is not the notebook's, and what it writes there is lost."""
    known = {_path(node.value) for node in edit.before.nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    for node, path in edit.new_nodes(_outside):
        if _path(path) not in known:
            yield Finding(line_of(node), f"no new path out of the notebook's folder: {path}")


def _outside(node: ast.AST) -> str | None:
    found = isinstance(node, ast.Constant) and isinstance(node.value, str) and _OUTSIDE.search(node.value)
    return str(node.value) if found and isinstance(node, ast.Constant) else None


def _path(text: str) -> str:
    return text.replace("\\", "/")


def _writes(call: Call) -> str | None:
    if call.leaf == "open" and call.dotted in {"open", "io.open", "codecs.open", ""}:
        modes = [*call.node.args[1:2], *call.node.args[: 1 if not call.dotted else 0]]
        modes += [word.value for word in call.node.keywords if word.arg == "mode"]
        written = any(
            isinstance(mode, ast.Constant) and re.fullmatch(r"[rwaxbt+U]*[wax+][rwaxbt+U]*", str(mode.value)) for mode in modes
        )
        return "open" if written or any(not isinstance(mode, ast.Constant) for mode in modes[:1] if call.dotted) else None
    if call.dotted and dotted(call.node.func).startswith(("sys.stdout", "sys.stderr")):
        return None
    # A method of these names may write; without arguments to_json() and the like give text.
    return call.leaf if _WRITING.match(call.leaf) and (call.node.args or call.node.keywords or call.leaf == "unlink") else None
