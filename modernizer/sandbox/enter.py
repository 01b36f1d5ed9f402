"""Confine this very process, in the order the kernel needs, and become another program. Standard library only.

As a script: ``python -I -S enter.py RESTRICTIONS PROGRAM ARGUMENT...`` with the restrictions as JSON.
"""

from __future__ import annotations

import os
import sys
from typing import Any, NoReturn

_REFUSED = 126


def confine(restrictions: dict[str, Any]) -> None:
    """Apply what ``policy.Restrictions`` says to this process, which has one thread. OSError when the kernel refuses."""
    from modernizer.sandbox import landlock, namespaces, seccomp  # noqa: PLC0415 - found only once the script set the path
    from modernizer.sandbox.system_calls import give_up_capabilities, give_up_new_privileges  # noqa: PLC0415

    read, write, network = restrictions["read"], restrictions["write"], restrictions["network"]
    isolated = restrictions["namespaces"] != "none"
    os.umask(0o022)
    if isolated:
        where = os.getcwd()
        namespaces.enter(user=restrictions["namespaces"] == "user", network=network)
        namespaces.cover(
            restrictions["covers"],
            read=read,
            write=write,
            temporary=restrictions["temporary"],
            shared=restrictions["shared"],
        )
        os.chdir(where)
    if restrictions["uid"] is not None:
        _become(restrictions["uid"])
    elif os.getuid() == 0:
        give_up_capabilities()
    give_up_new_privileges()
    if restrictions["landlock"]:
        own = ["/dev/shm"] if isolated else []  # noqa: S108 - the private one
        landlock.restrict(read=read, write=[*write, *own], devices=restrictions["devices"], tcp=network or isolated)
    if restrictions["seccomp"]:
        # A user of its own owns nothing outside, and namespaces are read-only outside.
        guarded = isolated or restrictions["uid"] is not None
        seccomp.restrict(internet=network or isolated, permissions=guarded)


def _become(identity: int) -> None:
    """Become another user without any group or capability, for good."""
    os.setgroups([])
    os.setresgid(identity, identity, identity)
    os.setresuid(identity, identity, identity)


def main() -> NoReturn:
    """Confine this process and become the program named on the command line."""
    import json  # noqa: PLC0415 - the launcher has its own

    restrictions, command = json.loads(sys.argv[1]), sys.argv[2:]
    sys.path.append(restrictions["code"])
    try:
        confine(restrictions)
        os.execvpe(command[0], command, os.environ)  # noqa: S606 - the point of the script
    except OSError as error:
        sys.stderr.write(f"can't be started in the sandbox: {os.path.basename(command[0])}: {error.strerror or error}\n")
        sys.stderr.flush()
    finally:
        os._exit(_REFUSED)


if __name__ == "__main__":
    main()
