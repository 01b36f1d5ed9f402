"""GitHub's own OpenAPI description as a judge of requests and answers."""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator
from npm_files import npm_file
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

DESCRIPTION = "urn:github"
# Parameters of a path that hold slashes.
_LONG = {"ref", "path", "basehead"}
# Answers any operation may give, which the description names for few of them.
_GENERAL = {401, 403, 404, 422, 429, 500, 502, 503}
_OPERATIONS = (
    ("get", ""),
    ("get", "/git/matching-refs/{ref}"),
    ("get", "/git/commits/{commit_sha}"),
    ("post", "/git/blobs"),
    ("post", "/git/trees"),
    ("post", "/git/commits"),
    ("post", "/git/refs"),
    ("patch", "/git/refs/{ref}"),
    ("delete", "/git/refs/{ref}"),
    ("get", "/pulls"),
    ("post", "/pulls"),
    ("get", "/pulls/{pull_number}"),
    ("patch", "/pulls/{pull_number}"),
    ("get", "/pulls/{pull_number}/files"),
    ("get", "/pulls/{pull_number}/reviews"),
    ("post", "/pulls/{pull_number}/reviews"),
    ("post", "/issues/{issue_number}/labels"),
    ("get", "/issues/{issue_number}/comments"),
    ("post", "/issues/{issue_number}/comments"),
    ("patch", "/issues/comments/{comment_id}"),
    ("post", "/issues/comments/{comment_id}/reactions"),
    ("get", "/issues"),
    ("post", "/issues"),
    ("patch", "/issues/{issue_number}"),
    ("get", "/compare/{basehead}"),
    ("get", "/contents/{path}"),
    ("get", "/collaborators/{username}/permission"),
)
_ROOT = "/repos/{owner}/{repo}"


class ContractError(AssertionError):
    """A request or an answer is not what GitHub describes."""


@dataclass(frozen=True)
class Operation:
    """One operation of the description."""

    id: str
    pattern: re.Pattern[str]
    method: str
    described: Mapping[str, Any]
    parameters: Mapping[str, Any]


class Contract:
    """The operations that this project uses, with everything they refer to."""

    def __init__(self) -> None:
        """Read the description; the part that is used is kept beside it, as reading the whole takes seconds."""
        self._description = _slim()
        resource = Resource.from_contents(self._description, default_specification=DRAFT202012)
        self._registry: Registry[Any] = Registry().with_resource(DESCRIPTION, resource)
        self._operations = [self._operation(method, _ROOT + path) for method, path in _OPERATIONS]
        self.used: set[str] = set()

    def request(self, method: str, path: str, query: Mapping[str, str], body: object) -> Operation:
        """Find the operation of a request and check its parameters and body."""
        found = [item for item in self._operations if item.method == method.lower() and item.pattern.fullmatch(path)]
        if not found:
            raise ContractError(f"{method} {path} is not described")
        operation = min(found, key=lambda item: item.pattern.pattern.count("(?P<"))
        for name, value in query.items():
            parameter = operation.parameters.get(name)
            if parameter is None:
                raise ContractError(f"{operation.id}: there is no parameter {name}")
            kind = parameter["schema"].get("type")
            self._check(int(value) if kind == "integer" else value, parameter["schema"], f"{operation.id}: {name}")
        described = operation.described.get("requestBody")
        if (body is None) is not (described is None) and not (body is None and not described.get("required")):
            raise ContractError(f"{operation.id}: a body {'is missing' if body is None else 'is not expected'}")
        if described and body is not None:
            schema = described["content"]["application/json"]["schema"]
            self._check(body, schema, f"{operation.id}: body")
            known = set(_properties(schema))
            if isinstance(body, dict) and known and not body.keys() <= known:
                raise ContractError(f"{operation.id}: the body has no {sorted(body.keys() - known)}")
        self.used.add(operation.id)
        return operation

    def response(self, operation: Operation, status: int, body: object) -> None:
        """Check an answer."""
        described = self._followed(operation.described["responses"].get(str(status)))
        if described is None:
            if status not in _GENERAL:
                raise ContractError(f"{operation.id}: {status} is not described")
            described = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/basic-error"}}}}
        schema = described.get("content", {}).get("application/json", {}).get("schema")
        if schema is None and body is not None and status == 204:
            raise ContractError(f"{operation.id}: {status} has no content")
        if schema is not None:
            self._check(body, schema, f"{operation.id}: answer {status}")

    def example(self, operation_id: str, status: int, name: str = "") -> Any:  # noqa: ANN401 - JSON
        """Return a copy of an example answer of the description."""
        operation = next(item for item in self._operations if item.id == operation_id)
        content = self._followed(operation.described["responses"][str(status)])["content"]["application/json"]
        found = self._followed(content["examples"][name] if name else next(iter(content["examples"].values())))
        return copy.deepcopy(found["value"])

    def _operation(self, method: str, path: str) -> Operation:
        described = self._description["paths"][path][method]
        parts = [
            f"(?P<{part[1:-1]}>{'.+' if part[1:-1] in _LONG else '[^/]+'})" if part.startswith("{") else re.escape(part)
            for part in path.split("/")
        ]
        parameters = [self._followed(item) for item in described.get("parameters", ())]
        queries = {item["name"]: item for item in parameters if item["in"] == "query"}
        return Operation(described["operationId"], re.compile("/".join(parts)), method, described, queries)

    def _followed(self, item: Any) -> Any:  # noqa: ANN401 - JSON
        while isinstance(item, dict) and "$ref" in item:
            node: Any = self._description
            for part in item["$ref"].removeprefix(f"{DESCRIPTION}#/").removeprefix("#/").split("/"):
                node = node[part]
            item = node
        return item

    def _check(self, value: object, schema: Mapping[str, Any], where: str) -> None:
        absolute = json.loads(json.dumps(schema).replace('"$ref": "#/', f'"$ref": "{DESCRIPTION}#/'))
        validator = Draft202012Validator(absolute, registry=self._registry)
        for error in validator.iter_errors(value):
            place = "/".join(map(str, error.absolute_path))
            raise ContractError(f"{where}: {place}: {error.message[:300]}")


def _properties(schema: Mapping[str, Any]) -> Iterator[str]:
    yield from schema.get("properties", {})
    for word in ("oneOf", "anyOf", "allOf"):
        for part in schema.get(word, ()):
            yield from _properties(part)


def _slim() -> dict[str, Any]:
    """Return the part of the description that our operations need, with OpenAPI's ``nullable`` as JSON Schema has it."""
    source = npm_file("@octokit/openapi", "generated/api.github.com.json")
    key = hashlib.sha256(repr((2, _OPERATIONS)).encode()).hexdigest()[:12]
    kept = source.with_name(f"used-{key}.json")
    if not kept.exists():
        whole = json.loads(source.read_text(encoding="utf-8"))
        paths: dict[str, Any] = {}
        for method, path in _OPERATIONS:
            paths.setdefault(_ROOT + path, {})[method] = whole["paths"][_ROOT + path][method]
        components: dict[str, Any] = {"schemas": {"basic-error": whole["components"]["schemas"]["basic-error"]}}
        waiting = [*_references(paths), *_references(components)]
        while waiting:
            _, _, kind, name = waiting.pop().split("/", 3)
            if name not in components.setdefault(kind, {}):
                components[kind][name] = whole["components"][kind][name]
                waiting += _references(components[kind][name])
        temporary = kept.with_suffix(".part")
        temporary.write_text(json.dumps(_with_null({"paths": paths, "components": components})), encoding="utf-8")
        temporary.replace(kept)
    slim: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
    return slim


def _references(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from _references(value)
    elif isinstance(node, list):
        for value in node:
            yield from _references(value)


def _with_null(node: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(node, list):
        return [_with_null(item) for item in node]
    if not isinstance(node, dict):
        return node
    changed = {name: _with_null(value) for name, value in node.items()}
    if changed.get("nullable") is True and isinstance(node.get("nullable"), bool):
        del changed["nullable"]
        return {"anyOf": [changed, {"type": "null"}]}
    return changed
