"""What this program writes into pull requests and commits to know its own again: hidden marks that hold hex digits only."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from modernizer.proposal import Proposal

State = Literal["open", "withdrawn"]
_MARK = re.compile(
    r"<!-- notebook-modernizer pull-request state=(open|withdrawn) content=([0-9a-f]{64}) "
    r"notebooks=((?:[0-9a-f]{8}:[0-9a-f]{12},?)*) -->"
)
_ID = "([0-9a-f]{40}|[0-9a-f]{64})"
_TRAILER = re.compile(rf"^Notebook-Modernizer: tree={_ID} base={_ID} content=([0-9a-f]{{64}})$", re.MULTILINE)


@dataclass(frozen=True)
class Marker:
    """The mark of a pull request: its state, a digest of every file and, by notebook, a fingerprint of the change."""

    content: str
    fingerprints: Mapping[str, str]
    state: State = "open"

    def __str__(self) -> str:
        """Return the hidden comment."""
        listed = ",".join(f"{key}:{value}" for key, value in sorted(self.fingerprints.items()))
        return f"<!-- notebook-modernizer pull-request state={self.state} content={self.content} notebooks={listed} -->"


@dataclass(frozen=True)
class Trailer:
    """The last line of a commit's message: what tree on which base we made. A changed commit no longer agrees with it."""

    tree: str
    base: str
    content: str

    def __str__(self) -> str:
        """Return the line."""
        return f"Notebook-Modernizer: tree={self.tree} base={self.base} content={self.content}"


def read_marker(body: str | None) -> Marker | None:
    """Find the mark in the text of a pull request; the last one counts, as ours stands at the end."""
    found = list(_MARK.finditer(body or ""))
    if not found:
        return None
    state, content, listed = found[-1].groups()
    fingerprints = dict(item.split(":") for item in listed.split(",") if item)
    return Marker(content, fingerprints, "open" if state == "open" else "withdrawn")


def read_trailer(message: str) -> Trailer | None:
    """Find the line in the message of a commit."""
    found = list(_TRAILER.finditer(message))
    return Trailer(*found[-1].groups()) if found else None


def notebook_key(path: str) -> str:
    """Return the short name of a notebook in marks."""
    return _digest(path.encode("utf-8", "surrogateescape"))[:8]


def content_digest(files: Mapping[str, bytes]) -> str:
    """Digest files by path and content."""
    parts = [f"{_digest(name.encode('utf-8', 'surrogateescape'))} {_digest(data)}" for name, data in sorted(files.items())]
    return _digest("\n".join(parts).encode())


def fingerprint(proposal: Proposal, patch: str) -> str:
    """Digest what a repair changes: the lines removed and added, whatever stands around them and wherever they are."""
    changed = [line for line in patch.split("\n") if line[:1] in {"+", "-"} and not line.startswith(("+++ ", "--- "))]
    text = "\n".join([proposal.notebook, *sorted(proposal.files), *changed])
    return _digest(text.encode("utf-8", "surrogateescape"))[:12]


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
