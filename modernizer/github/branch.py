"""Branches of ours: commits made of blobs and trees through the API, and how to tell that somebody else has pushed."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from modernizer.github.client import Client
from modernizer.github.explain import GitHubError, OvertakenError
from modernizer.github.marker import Trailer, content_digest, read_trailer

NEEDS = "contents: write"
_PREFIX = "refs/heads/"
# Texts go along in the request for the tree; what is larger, or no text, becomes a blob of its own.
_INLINE = 200_000
_INLINE_ALL = 5_000_000


@dataclass(frozen=True)
class Branch:
    """A branch as GitHub has it. ``trailer`` is None when its last commit is not, or no longer, one that we made."""

    name: str
    head: str
    tree: str
    trailer: Trailer | None


@dataclass(frozen=True)
class File:
    """A file to write: its mode as git has it, and its bytes."""

    mode: str
    data: bytes


def branch_heads(client: Client, prefix: str) -> dict[str, str]:
    """Return the branches whose names start with a prefix, and the commits they point to."""
    refs = client.get(f"/git/matching-refs/heads/{quote(prefix)}", doing="list the branches", needs="contents: read")
    return {str(ref["ref"]).removeprefix(_PREFIX): str(ref["object"]["sha"]) for ref in refs}


def read_branch(client: Client, name: str, head: str) -> Branch:
    """Read the last commit of a branch and decide whether it is ours: a person's commit carries no valid trailer."""
    commit = client.get(f"/git/commits/{head}", doing=f"read the last commit of {name}", needs="contents: read")
    tree = str(commit["tree"]["sha"])
    trailer = read_trailer(str(commit["message"]))
    parents = [parent["sha"] for parent in commit["parents"]]
    ours = trailer is not None and trailer.tree == tree and trailer.base in parents
    return Branch(name, head, tree, trailer if ours else None)


def make_tree(client: Client, base_tree: str | None, files: Mapping[str, File]) -> str:
    """Write files over a tree, or as a tree of their own, and return its id."""
    entries: list[dict[str, Any]] = []
    inline = 0
    for path, file in sorted(files.items()):
        item: dict[str, Any] = {"path": path, "mode": file.mode, "type": "blob"}
        text = _text(file.data)
        if text is not None and len(file.data) <= _INLINE and inline + len(file.data) <= _INLINE_ALL:
            inline += len(file.data)
            item["content"] = text
        else:
            content = {"content": base64.b64encode(file.data).decode(), "encoding": "base64"}
            item["sha"] = client.post("/git/blobs", content, doing="store a file", needs=NEEDS)["sha"]
        entries.append(item)
    body: dict[str, Any] = {"tree": entries} | ({"base_tree": base_tree} if base_tree else {})
    return str(client.post("/git/trees", body, doing="store the changed files", needs=NEEDS)["sha"])


def make_commit(client: Client, message: str, tree: str, parents: list[str]) -> str:
    """Make a commit without naming an author: GitHub then signs it as the token's owner."""
    body = {"message": message, "tree": tree, "parents": parents}
    return str(client.post("/git/commits", body, doing="make a commit", needs=NEEDS)["sha"])


def repair_commit(client: Client, message: str, files: Mapping[str, File], *, base: str, base_tree: str, onto: str | None) -> str:
    """Commit files over the base. With ``onto``, the branch's last commit, the new one comes after it as well as the base."""
    tree = make_tree(client, base_tree, files)
    trailer = Trailer(tree, base, content_digest({name: file.data for name, file in files.items()}))
    return make_commit(client, f"{message}\n\n{trailer}\n", tree, [base] if onto is None else [onto, base])


def point_branch(client: Client, name: str, commit: str, *, exists: bool, force: bool = False) -> None:
    """Make a branch point to a commit. Unless forced, GitHub refuses to lose what was pushed meanwhile."""
    doing = f"write the branch {name}"
    try:
        if exists:
            client.patch(f"/git/refs/heads/{quote(name)}", {"sha": commit, "force": force}, doing=doing, needs=NEEDS)
        else:
            client.post("/git/refs", {"ref": _PREFIX + name, "sha": commit}, doing=doing, needs=NEEDS)
    except GitHubError as error:
        if error.says("already exists") and branch_heads(client, name).get(name) == commit:
            # An answer got lost and the call was repeated: the first one did it.
            return
        if error.says("not a fast forward", "already exists", "does not exist"):
            raise OvertakenError(
                f"can't {doing}: somebody else pushed to it at the same time, or deleted it",
                status=error.status,
                where="GitHub",
                hint="nothing was overwritten; run the job again",
            ) from None
        raise


def delete_branch(client: Client, name: str) -> None:
    """Delete a branch; one that is gone already is no trouble."""
    try:
        client.delete(f"/git/refs/heads/{quote(name)}", doing=f"delete the branch {name}", needs=NEEDS)
    except GitHubError as error:
        if not error.says("does not exist"):
            raise


def _text(data: bytes) -> str | None:
    try:
        return None if b"\0" in data else data.decode("utf-8")
    except UnicodeDecodeError:
        return None
