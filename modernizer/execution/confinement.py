"""What a notebook's kernel may reach: its environment, its scratch copy, its own folders, and the internet or not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modernizer.environment.model import Environment
from modernizer.execution.scratch import ScratchCopy
from modernizer.sandbox.confinement import Sandbox, remove_leftovers
from modernizer.sandbox.identity import give


@dataclass(frozen=True)
class Confinement:
    """The sandbox of one session: kernels run as the owner of the scratch copy, if it has one of its own."""

    sandbox: Sandbox
    scratch: ScratchCopy
    network: bool

    def restrictions(self, environment: Environment, *, code: Path, own: Path, shared: int) -> dict[str, Any]:
        """Return what the launcher applies. ``own`` are the kernel's own folders, ``code`` its program."""
        if self.scratch.owner is not None:
            own.parent.chmod(0o711)
        return self.sandbox.restrictions(
            python=environment.python,
            read=(code, *self.scratch.places),
            write=(own, self.scratch.root),
            temporary=own / "tmp",
            identity=self.scratch.owner,
            network=self.network,
            shared=shared,
        ).to_json()

    def hand_over(self, own: Path) -> None:
        """Give the kernel's own folders to its user."""
        if self.scratch.owner is not None:
            give(own, self.scratch.owner)

    def clean(self) -> None:
        """Remove what the user left in folders shared by everybody."""
        if self.scratch.owner is not None and self.sandbox.means.namespaces == "none":
            remove_leftovers(self.scratch.owner)
