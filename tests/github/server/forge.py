"""A GitHub on loopback: pull requests and issues in memory, commits in a real bare repository, every answer checked."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from contract import Contract, ContractError

OWNER, NAME = "octo-org", "notebooks"
REPOSITORY = f"{OWNER}/{NAME}"
BOT = "github-actions[bot]"
TOKEN = "ghs_loopback"  # noqa: S105 - opens nothing but this server
_LIMIT = 65_536
_Answer = tuple[int, Any]


class Raw(str):
    """An answer that is sent as it is."""

    __slots__ = ()


class _RefusedError(Exception):
    def __init__(self, status: int, message: str, **more: object) -> None:
        super().__init__(message)
        self.status = status
        self.data = {"message": message, "documentation_url": "", "status": str(status), **more}


@dataclass(frozen=True)
class Asked:
    """A request: what the path names, the query and the body."""

    named: Mapping[str, str]
    query: Mapping[str, str]
    body: Any


@dataclass
class Refusal:
    """Answers instead of the server's own: for requests that match, so many times."""

    method: str
    path: str
    status: int
    data: Mapping[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)
    times: int = 1_000


@dataclass
class Forge:
    """The server's state. ``log`` holds every request as method and path; ``violations`` what was not as described."""

    git_dir: Path
    contract: Contract
    user: str = BOT
    address: str = ""
    pulls: list[dict[str, Any]] = field(default_factory=list)
    issues: list[dict[str, Any]] = field(default_factory=list)
    comments: list[dict[str, Any]] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    permissions: dict[str, str] = field(default_factory=dict)
    reviews: list[dict[str, Any]] = field(default_factory=list)
    reactions: list[tuple[int, str]] = field(default_factory=list)
    hooks: dict[str, Callable[[], None]] = field(default_factory=dict)
    one_at_a_time: threading.RLock = field(default_factory=threading.RLock)

    def git(self, *args: str, text: bytes | None = None, env: Mapping[str, str] | None = None) -> str:
        """Run git in the bare repository."""
        done = subprocess.run(
            ["git", "-c", "core.quotePath=false", *args],
            cwd=self.git_dir,
            input=text,
            capture_output=True,
            env=os.environ | dict(env or {}),
            check=False,
        )
        if done.returncode:
            raise _RefusedError(422, done.stderr.decode(errors="replace").strip() or f"git {args[0]} failed")
        return done.stdout.decode("utf-8", "surrogateescape").strip("\n")

    def head(self, branch: str) -> str:
        """Return the commit of a branch, empty when there is none."""
        return self.git("for-each-ref", "--format=%(objectname)", f"refs/heads/{branch}")

    def number(self) -> int:
        """Return the next number of an issue or pull request."""
        return len(self.pulls) + len(self.issues) + 1

    def answer(self, method: str, path: str, query: dict[str, str], body: object) -> tuple[int, Any, Mapping[str, str]]:
        """Answer one request; what is not described is noted and answered with 418, which nobody retries."""
        self.log.append(f"{method} {path}")
        for refusal in self.refusals:
            if refusal.times > 0 and refusal.method == method and re.search(refusal.path, path):
                refusal.times -= 1
                return refusal.status, dict(refusal.data), refusal.headers
        try:
            operation = self.contract.request(method, path, query, body)
            hook = self.hooks.pop(operation.id, None)
            if hook:
                hook()
            found = operation.pattern.fullmatch(path)
            assert found
            named = {name: unquote(value) for name, value in found.groupdict().items()}
            try:
                status, data = _ROUTES[operation.id](self, Asked(named, query, body))
            except _RefusedError as error:
                status, data = error.status, error.data
            self.contract.response(operation, status, data)
        except ContractError as error:
            self.violations.append(str(error))
            return 418, {"message": str(error)}, {}
        return status, data, {}


def _ref(forge: Forge, name: str, commit: str) -> dict[str, Any]:
    example = forge.contract.example("git/create-ref", 201)
    return {**example, "ref": name, "object": {**example["object"], "sha": commit, "type": "commit"}}


def _repository(forge: Forge, _asked: Asked) -> _Answer:
    return 200, {**forge.contract.example("repos/get", 200), "full_name": REPOSITORY, "default_branch": "main"}


def _matching(forge: Forge, asked: Asked) -> _Answer:
    listed = forge.git("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    refs = [line.split(" ") for line in listed]
    return 200, [_ref(forge, name, commit) for name, commit in refs if name.startswith(f"refs/{asked.named['ref']}")]


def _commit(forge: Forge, commit: str, example: str, status: int) -> dict[str, Any]:
    base = forge.contract.example(example, status)
    shown = forge.git("log", "-1", "--format=%T%x00%P%x00%B", commit).split("\0")
    parent = {"url": "https://example.org", "html_url": "https://example.org"}
    parents = [{**parent, "sha": sha} for sha in shown[1].split()]
    return {**base, "sha": commit, "tree": {**base["tree"], "sha": shown[0]}, "message": shown[2], "parents": parents}


def _get_commit(forge: Forge, asked: Asked) -> _Answer:
    return 200, _commit(forge, asked.named["commit_sha"], "git/get-commit", 200)


def _blob(forge: Forge, asked: Asked) -> _Answer:
    data = base64.b64decode(asked.body["content"]) if asked.body["encoding"] == "base64" else asked.body["content"].encode()
    sha = forge.git("hash-object", "-w", "--stdin", text=data)
    return 201, {**forge.contract.example("git/create-blob", 201), "sha": sha}


def _tree(forge: Forge, asked: Asked) -> _Answer:
    env = {"GIT_INDEX_FILE": str(forge.git_dir / f"index-{threading.get_ident()}")}
    Path(env["GIT_INDEX_FILE"]).unlink(missing_ok=True)
    if asked.body.get("base_tree"):
        forge.git("read-tree", asked.body["base_tree"], env=env)
    lines = []
    for entry in asked.body["tree"]:
        if ("content" in entry) is ("sha" in entry):
            raise _RefusedError(422, "Must supply either tree.sha or tree.content", errors=[])
        sha = entry.get("sha") or forge.git("hash-object", "-w", "--stdin", text=entry["content"].encode())
        lines.append(f"{entry['mode']} {sha}\t{entry['path']}\0")
    forge.git("update-index", "-z", "--add", "--index-info", text="".join(lines).encode(), env=env)
    sha = forge.git("write-tree", env=env)
    Path(env["GIT_INDEX_FILE"]).unlink()
    return 201, {**forge.contract.example("git/create-tree", 201), "sha": sha}


def _make_commit(forge: Forge, asked: Asked) -> _Answer:
    parents = [part for parent in asked.body["parents"] for part in ("-p", parent)]
    who = {f"GIT_{role}_{kind}": forge.user for role in ("AUTHOR", "COMMITTER") for kind in ("NAME", "EMAIL")}
    sha = forge.git("commit-tree", asked.body["tree"], *parents, text=asked.body["message"].encode(), env=who)
    return 201, _commit(forge, sha, "git/create-commit", 201)


def _points_to(forge: Forge, name: str) -> str:
    return forge.git("for-each-ref", "--format=%(objectname)", name)


def _make_ref(forge: Forge, asked: Asked) -> _Answer:
    name = asked.body["ref"]
    if _points_to(forge, name):
        raise _RefusedError(422, "Reference already exists")
    forge.git("update-ref", name, asked.body["sha"], "0" * 40)
    return 201, _ref(forge, name, asked.body["sha"])


def _move_ref(forge: Forge, asked: Asked) -> _Answer:
    name = f"refs/{asked.named['ref']}"
    old = _points_to(forge, name)
    if not old:
        raise _RefusedError(422, "Reference does not exist")
    if not asked.body.get("force") and forge.git("merge-base", old, asked.body["sha"]) != old:
        raise _RefusedError(422, "Update is not a fast forward")
    forge.git("update-ref", name, asked.body["sha"], old)
    for pull in forge.pulls:
        if pull["state"] == "open" and f"heads/{pull['head']['ref']}" == asked.named["ref"]:
            pull["head"]["sha"] = asked.body["sha"]
    return 200, _ref(forge, name, asked.body["sha"])


def _delete_ref(forge: Forge, asked: Asked) -> _Answer:
    if not forge.head(asked.named["ref"].removeprefix("heads/")):
        raise _RefusedError(422, "Reference does not exist")
    forge.git("update-ref", "-d", f"refs/{asked.named['ref']}")
    return 204, None


def _compare(forge: Forge, asked: Asked) -> _Answer:
    base, _, head = asked.named["basehead"].partition("...")
    head = forge.head(head)
    try:
        fork = forge.git("merge-base", base, head)
    except _RefusedError:
        raise _RefusedError(404, f"No common ancestor between {base} and {head}.") from None
    status = "identical" if base == head else "ahead" if fork == base else "behind" if fork == head else "diverged"
    example = forge.contract.example("repos/compare-commits-with-basehead", 200)
    changed = forge.git("diff", "--name-only", fork, head).splitlines()
    files = [{**example["files"][0], "filename": name} for name in changed]
    return 200, {**example, "status": status, "files": files}


def _contents(forge: Forge, asked: Asked) -> _Answer:
    try:
        data = subprocess.run(
            ["git", "cat-file", "blob", f"{asked.query['ref']}:{asked.named['path']}"],
            cwd=forge.git_dir,
            check=True,
            capture_output=True,
        ).stdout
    except subprocess.CalledProcessError:
        raise _RefusedError(404, "Not Found") from None
    example = forge.contract.example("repos/get-content", 200, "response-if-content-is-a-file")
    return 200, {**example, "path": asked.named["path"], "content": base64.encodebytes(data).decode(), "encoding": "base64"}


def _list_pulls(forge: Forge, asked: Asked) -> _Answer:
    state = asked.query.get("state", "open")
    simple = forge.contract.example("pulls/list", 200)[0]
    found = [
        {**simple, **{name: pull[name] for name in pull if name in simple or name == "draft"}}
        for pull in reversed(forge.pulls)
        if state in {"all", pull["state"]}
        and asked.query.get("head", pull["head"]["label"]) == pull["head"]["label"]
        and asked.query.get("base", pull["base"]["ref"]) == pull["base"]["ref"]
    ]
    return 200, _page(found, asked.query)


def _make_pull(forge: Forge, asked: Asked) -> _Answer:
    if not forge.head(asked.body["head"]):
        raise _invalid("head is invalid")
    if any(pull["state"] == "open" and pull["head"]["ref"] == asked.body["head"] for pull in forge.pulls):
        raise _invalid(f"A pull request already exists for {OWNER}:{asked.body['head']}.")
    _check_length(asked.body)
    example = forge.contract.example("pulls/create", 201)
    number = forge.number()
    repo = {**example["head"]["repo"], "full_name": REPOSITORY}
    head = {
        **example["head"],
        "ref": asked.body["head"],
        "label": f"{OWNER}:{asked.body['head']}",
        "sha": forge.head(asked.body["head"]),
    }
    pull = {
        **example,
        "number": number,
        "state": "open",
        "title": asked.body["title"],
        "body": asked.body["body"],
        "draft": asked.body.get("draft", False),
        "user": {**example["user"], "login": forge.user},
        "html_url": f"https://github.example/{REPOSITORY}/pull/{number}",
        "labels": [],
        "requested_teams": [],  # the description's own example lacks what its schema requires
        "requested_reviewers": [],
        "merged": False,
        "merged_at": None,
        "closed_at": None,
        "head": {**head, "repo": repo},
        "base": {**example["base"], "ref": asked.body["base"], "repo": repo},
    }
    forge.pulls.append(pull)
    return 201, pull


def _edit_pull(forge: Forge, asked: Asked) -> _Answer:
    _check_length(asked.body)
    pull = _numbered(forge.pulls, asked.named["pull_number"])
    pull.update(asked.body)
    return 200, pull


def _get_pull(forge: Forge, asked: Asked) -> _Answer:
    return 200, _numbered(forge.pulls, asked.named["pull_number"])


def _label(forge: Forge, asked: Asked) -> _Answer:
    example = forge.contract.example("issues/add-labels", 200)[0]
    labels = [{**example, "name": name} for name in asked.body["labels"]]
    _numbered([*forge.pulls, *forge.issues], asked.named["issue_number"])["labels"] = labels
    return 200, labels


def _make_comment(forge: Forge, asked: Asked) -> _Answer:
    _check_length(asked.body)
    example = forge.contract.example("issues/create-comment", 201)
    user = {**example["user"], "login": forge.user, "type": "Bot" if forge.user.endswith("[bot]") else "User"}
    comment = {**example, "id": len(forge.comments) + 1, "body": asked.body["body"], "user": user, "author_association": "NONE"}
    forge.comments.append({**comment, "on": int(asked.named["issue_number"])})
    return 201, comment


def _list_comments(forge: Forge, asked: Asked) -> _Answer:
    found = [
        {name: value for name, value in comment.items() if name != "on"}
        for comment in forge.comments
        if comment["on"] == int(asked.named["issue_number"])
    ]
    return 200, _page(found, asked.query)


def _edit_comment(forge: Forge, asked: Asked) -> _Answer:
    _check_length(asked.body)
    comment = next(item for item in forge.comments if item["id"] == int(asked.named["comment_id"]))
    comment["body"] = asked.body["body"]
    return 200, {name: value for name, value in comment.items() if name != "on"}


def _react(forge: Forge, asked: Asked) -> _Answer:
    forge.reactions.append((int(asked.named["comment_id"]), asked.body["content"]))
    return 201, {**forge.contract.example("reactions/create-for-issue-comment", 201), "content": asked.body["content"]}


def _list_issues(forge: Forge, asked: Asked) -> _Answer:
    wanted = asked.query.get("labels")
    found = [item for item in forge.issues if not wanted or any(label["name"] == wanted for label in item["labels"])]
    return 200, _page(found, asked.query)


def _make_issue(forge: Forge, asked: Asked) -> _Answer:
    _check_length(asked.body)
    example = forge.contract.example("issues/create", 201)
    number = forge.number()
    labels = [{**example["labels"][0], "name": name} for name in asked.body.get("labels", ())]
    address = f"https://github.example/{REPOSITORY}/issues/{number}"
    issue = {
        **example,
        "number": number,
        "title": asked.body["title"],
        "body": asked.body["body"],
        "labels": labels,
        "html_url": address,
    }
    issue.pop("pull_request", None)
    forge.issues.append(issue)
    return 201, issue


def _edit_issue(forge: Forge, asked: Asked) -> _Answer:
    _check_length(asked.body)
    issue = _numbered(forge.issues, asked.named["issue_number"])
    issue.update(asked.body)
    return 200, issue


def hunks(forge: Forge, pull: Mapping[str, Any], name: str) -> str:
    """Return what GitHub shows of a file in a pull request: its hunks."""
    ends = f"{pull['base']['ref']}...{pull['head']['sha']}"
    return forge.git("diff", "--no-renames", ends, "--", name).partition("\n@@")[2].join(["@@", ""])


def _list_files(forge: Forge, asked: Asked) -> _Answer:
    pull = _numbered(forge.pulls, asked.named["pull_number"])
    example = forge.contract.example("pulls/list-files", 200)[0]
    ends = f"{pull['base']['ref']}...{pull['head']['sha']}"
    names = forge.git("diff", "--name-only", "--no-renames", ends).splitlines()
    return 200, _page([{**example, "filename": name, "patch": hunks(forge, pull, name)} for name in names], asked.query)


def _make_review(forge: Forge, asked: Asked) -> _Answer:
    pull = _numbered(forge.pulls, asked.named["pull_number"])
    if asked.body.get("commit_id", pull["head"]["sha"]) != pull["head"]["sha"]:
        raise _invalid("commit_id is not part of the pull request")
    for comment in asked.body["comments"]:
        starts = re.finditer(r"(?m)^@@ -\S+ \+(\d+)(?:,(\d+))? @@", hunks(forge, pull, comment["path"]))
        shown = [range(int(found[1]), int(found[1]) + int(found[2] or 1)) for found in starts]
        lines = (comment.get("start_line", comment["line"]), comment["line"])
        if not any(all(line in place for line in lines) for place in shown):
            raise _invalid("line must be part of the diff")
    forge.reviews.append(asked.body)
    return 200, forge.contract.example("pulls/create-review", 200)


def _list_reviews(forge: Forge, asked: Asked) -> _Answer:
    example = forge.contract.example("pulls/list-reviews", 200)[0]
    found = [{**example, "body": review["body"], "commit_id": review["commit_id"]} for review in forge.reviews]
    return 200, _page(found, asked.query)


def _permission(forge: Forge, asked: Asked) -> _Answer:
    example = forge.contract.example("repos/get-collaborator-permission-level", 200)
    # The description's own example of a user lacks what its schema requires.
    return 200, {**example, "permission": forge.permissions.get(asked.named["username"], "read"), "user": None}


def _numbered(items: list[dict[str, Any]], number: str) -> dict[str, Any]:
    found = [item for item in items if item["number"] == int(number)]
    if not found:
        raise _RefusedError(404, "Not Found")
    return found[0]


def _page(items: list[Any], query: Mapping[str, str]) -> list[Any]:
    size, page = int(query.get("per_page", "30")), int(query.get("page", "1"))
    return items[(page - 1) * size : page * size]


def _invalid(message: str) -> _RefusedError:
    return _RefusedError(422, "Validation Failed", errors=[{"resource": "PullRequest", "code": "custom", "message": message}])


def _check_length(body: Mapping[str, Any]) -> None:
    if len(body.get("body") or "") > _LIMIT:
        raise _invalid(f"body is too long (maximum is {_LIMIT} characters)")


_ROUTES: Mapping[str, Callable[[Forge, Asked], _Answer]] = {
    "repos/get": _repository,
    "git/list-matching-refs": _matching,
    "git/get-commit": _get_commit,
    "git/create-blob": _blob,
    "git/create-tree": _tree,
    "git/create-commit": _make_commit,
    "git/create-ref": _make_ref,
    "git/update-ref": _move_ref,
    "git/delete-ref": _delete_ref,
    "repos/compare-commits-with-basehead": _compare,
    "repos/get-content": _contents,
    "pulls/list": _list_pulls,
    "pulls/create": _make_pull,
    "pulls/update": _edit_pull,
    "pulls/get": _get_pull,
    "pulls/list-files": _list_files,
    "pulls/create-review": _make_review,
    "pulls/list-reviews": _list_reviews,
    "issues/add-labels": _label,
    "issues/create-comment": _make_comment,
    "issues/list-comments": _list_comments,
    "issues/update-comment": _edit_comment,
    "reactions/create-for-issue-comment": _react,
    "issues/list-for-repo": _list_issues,
    "issues/create": _make_issue,
    "issues/update": _edit_issue,
    "repos/get-collaborator-permission-level": _permission,
}


def serve(forge: Forge) -> ThreadingHTTPServer:
    """Start the server on a free port of loopback, under a path as GitHub Enterprise has it."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _handle(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            data = self.rfile.read(size)
            parts = urlsplit(self.path)
            if self.headers.get("Authorization") != f"token {TOKEN}":
                self._send(401, {"message": "Bad credentials"}, {})
                return
            body = json.loads(data) if data and data != b"null" else None
            path = parts.path.removeprefix("/api/v3")
            with forge.one_at_a_time:
                answered = forge.answer(self.command, path, dict(parse_qsl(parts.query)), body)
            self._send(*answered)

        do_GET = do_POST = do_PATCH = do_DELETE = _handle  # noqa: N815 - names of the standard library

        def _send(self, status: int, data: object, headers: Mapping[str, str]) -> None:
            text = b"" if data is None else data.encode() if isinstance(data, Raw) else json.dumps(data).encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json; charset=utf-8")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the standard library names it
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    forge.address = f"http://127.0.0.1:{server.server_address[1]}/api/v3"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
