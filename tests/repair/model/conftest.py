"""A scripted server that speaks OpenAI's chat completions over real HTTP on loopback, and parts to ask it with."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from modernizer.repair.model.budget import Budget, RunBudget
from modernizer.repair.model.client import ModelClient
from modernizer.repair.model.keys import Access
from modernizer.repair.model.prices import Price

KEY = "sk-test-0123456789abcdefghij"


@dataclass(frozen=True)
class Say:
    """One scripted answer: a text to wrap into a completion, or a raw body; ``hang`` seconds pass before it."""

    text: str | None = ""
    status: int = 200
    body: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    usage: Any = "right"
    finish: str = "stop"
    refusal: str | None = None
    hang: float = 0.0
    die: bool = False


def error(
    status: int, message: str, *, code: str | None = None, param: str | None = None, headers: tuple[tuple[str, str], ...] = ()
) -> Say:
    body = json.dumps({"error": {"message": message, "code": code, "param": param, "type": "error"}})
    return Say(status=status, body=body, headers=headers)


@dataclass
class Server:
    """The server: it answers from its script, then says the last one again; ``script`` may decide by the request."""

    url: str
    script: list[Say | Callable[[dict[str, Any]], Say]] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    stop: Callable[[], None] = lambda: None

    def prompt(self, at: int = -1) -> str:
        """Return the whole text of a request."""
        return "\n".join(message["content"] for message in self.requests[at]["messages"])

    def next(self, request: dict[str, Any]) -> Say:
        at = min(len(self.requests), len(self.script)) - 1
        step = self.script[at]
        return step(request) if callable(step) else step


@pytest.fixture
def server() -> Iterator[Server]:
    started = _start()
    yield started
    started.stop()


def _start() -> Server:
    told = Server("")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            told.requests.append(request)
            told.keys.append(self.headers.get("Authorization", ""))
            say = told.next(request)
            time.sleep(say.hang)
            if say.die:
                self.close_connection = True
                self.connection.close()
                return
            content = (say.body if say.body is not None else _completion(say, request)).encode()
            self.send_response(say.status)
            for name, value in (("Content-Type", "application/json"), ("Content-Length", str(len(content))), *say.headers):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A client that hung up is part of the tests."""

    http = Quiet(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()

    def stop() -> None:
        http.shutdown()
        http.server_close()
        thread.join()

    told.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    told.stop = stop
    return told


def _completion(say: Say, request: dict[str, Any]) -> str:
    prompt = sum(len(message["content"]) for message in request["messages"]) // 4
    usage: Any = {"prompt_tokens": prompt, "completion_tokens": len(say.text or "") // 4 + 1}
    data = {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": request["model"],
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": say.text, "refusal": say.refusal},
                "finish_reason": say.finish,
            }
        ],
    }
    if say.usage != "missing":
        data["usage"] = usage if say.usage == "right" else say.usage
    return json.dumps(data)


def budget_of(*, calls: int = 50, dollars: float = 1.0, price: Price | None = None, deadline: float = float("inf")) -> Budget:
    return Budget(RunBudget(10.0), price or Price(1.0, 2.0), max_calls=calls, max_cost=dollars, deadline=deadline)


@pytest.fixture
def client(server: Server) -> Iterator[ModelClient]:
    opened = ModelClient(Access("test-model", server.url, KEY, "the test"), first_wait=0.01, request_seconds=5)
    yield opened
    opened.close()


def asked(text: str = "hello") -> Sequence[dict[str, str]]:
    return [{"role": "system", "content": "You repair."}, {"role": "user", "content": text}]


@pytest.fixture(scope="session")
def say() -> type[Say]:
    return Say


@pytest.fixture(scope="session")
def say_error() -> Callable[..., Say]:
    return error


@pytest.fixture(scope="session")
def make_budget() -> Callable[..., Budget]:
    return budget_of


@pytest.fixture(scope="session")
def question() -> Callable[..., Sequence[dict[str, str]]]:
    return asked
