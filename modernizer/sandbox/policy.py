"""What confined programs may reach: one list for everything."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

Namespaces = Literal["none", "root", "user"]

_LIBRARIES = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
_MORE_LIBRARIES = ("/home/linuxbrew/.linuxbrew", "/opt/cuda", "/opt/intel", "/opt/rocm")
# Of /etc only what libraries read; accounts and their passwords' hashes are in files of their own.
_SETTINGS = tuple(
    f"/etc/{name}"
    for name in (
        "alternatives", "bash.bashrc", "ca-certificates", "ca-certificates.conf", "debian_version", "default/locale", "fonts",
        "gai.conf", "group", "host.conf", "hostname", "hosts", "inputrc", "java-17-openjdk", "java-21-openjdk", "ld.so.cache",
        "ld.so.conf", "ld.so.conf.d", "locale.alias", "locale.conf", "localtime", "magic", "mime.types", "nsswitch.conf",
        "OpenCL", "openmpi", "os-release", "papersize", "passwd", "pki/ca-trust", "pki/tls", "profile", "protocols",
        "resolv.conf", "services", "ssl/cert.pem", "ssl/certs", "ssl/openssl.cnf", "terminfo", "texmf", "timezone", "vulkan",
    )
)  # fmt: skip
_KERNEL = ("/proc", "/sys/fs/cgroup", "/sys/devices/system", "/sys/class/drm", "/sys/bus/pci/devices", "/sys/devices/virtual/dmi")
_DEVICES = tuple(f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom"))
_GRAPHICS = ("/dev/nvidia*", "/dev/kfd", "/dev/dri", "/dev/dxg")
_TERMINALS = ("/dev/ptmx", "/dev/pts")
_NAMED_BY = ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "LD_LIBRARY_PATH")
# Where people, services and runners keep what is theirs, and the sockets through which those listen.
_COVERED = ("/home", "/root", "/run", "/tmp", "/var/tmp", "/var/run", "/mnt", "/media", "/srv", "/var/spool", "/github")  # noqa: S108
SHARED_MEMORY = "/dev/shm"  # noqa: S108
TEMPORARY = "/tmp"  # noqa: S108
CODE = str(Path(__file__).resolve().parents[2])
ENTER = str(Path(__file__).resolve().with_name("enter.py"))


@dataclass(frozen=True)
class Restrictions:
    """What one confined program may do; plain data that ``enter.confine`` applies.

    ``read`` may be read and executed, ``write`` changed as well, ``devices`` controlled. ``covers`` are folders hidden
    where ``namespaces`` can be had; ``temporary`` is the private folder that is /tmp there and ``shared`` the size of
    the private /dev/shm in bytes. ``uid`` is the user to become, None to stay who we are. ``network`` is the internet.
    """

    read: tuple[str, ...]
    write: tuple[str, ...]
    devices: tuple[str, ...]
    covers: tuple[str, ...]
    temporary: str
    shared: int
    network: bool
    uid: int | None
    namespaces: Namespaces
    landlock: bool
    seccomp: bool
    code: str = CODE

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return asdict(self)


def system_paths(variables: Mapping[str, str]) -> tuple[str, ...]:
    """Return what every program may read: libraries, their settings, the kernel's tables, certificates that variables name."""
    named = [part for name in _NAMED_BY for part in variables.get(name, "").split(os.pathsep) if part.startswith("/")]
    return with_targets((*_LIBRARIES, *_MORE_LIBRARIES, *_SETTINGS, *_KERNEL, *named))


def devices(*, terminals: bool) -> tuple[str, ...]:
    """Return the devices every program may use: none that stores anything, graphics processors where there are any."""
    graphics = [path for pattern in _GRAPHICS for path in glob.glob(pattern)]  # noqa: PTH207 - absolute patterns
    return (*_DEVICES, *graphics, *(_TERMINALS if terminals else ()))


def interpreter_paths(python: Path) -> tuple[str, ...]:
    """Return the folders that an interpreter, virtual or not, is made of: its own and those its links lead over."""
    folders = []
    link = python
    while True:
        folders.append(_prefix(link))
        if not link.is_symlink():
            break
        link = Path(os.path.normpath(link.parent / link.readlink()))
    folders.append(_prefix(python.resolve()))
    return with_targets(dict.fromkeys(folders))


def covered(variables: Mapping[str, str]) -> tuple[str, ...]:
    """Return the folders to hide where that is possible."""
    named = (variables.get(name, "") for name in ("HOME", "XDG_RUNTIME_DIR", "RUNNER_TEMP", "TMPDIR"))
    paths = [*_COVERED, *(os.path.realpath(path) for path in named if path.startswith("/"))]
    return tuple(dict.fromkeys(path for path in paths if path.count("/") >= 1 and path != "/" and not _is_system(path)))


def with_targets(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the paths that exist, each with what it really is when it is a link."""
    return tuple(dict.fromkeys(form for path in paths if Path(path).exists() for form in (path, os.path.realpath(path))))


def _prefix(python: Path) -> str:
    """Return the folder above an interpreter's ``bin``."""
    return str(python.parent.parent if python.parent.name in {"bin", "Scripts"} else python.parent)


def _is_system(path: str) -> bool:
    return any(f"{folder}/".startswith(f"{path}/") for folder in (*_LIBRARIES, "/etc", "/proc", "/sys", "/dev"))
