from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any, Protocol

import pytest

from modernizer.repair.model.audit import AuditLog
from modernizer.repair.model.budget import Budget, OutOfBudgetError
from modernizer.repair.model.cache import AnswerCache
from modernizer.repair.model.client import ContextTooLongError, Label, ModelBusyError, ModelClient, ModelGoneError
from modernizer.repair.model.keys import Access
from modernizer.repair.model.prices import Price
from modernizer.repair.model.reply import Reply

LABEL = Label("n.ipynb", "error-repair")
KEY = "sk-test-0123456789abcdefghij"
Make = Callable[..., Any]


class Server(Protocol):
    url: str
    script: list[Any]
    requests: list[dict[str, Any]]
    keys: list[str]
    stop: Callable[[], None]

    def prompt(self, at: int = -1) -> str: ...


@pytest.fixture
def ask(client: ModelClient, make_budget: Make, question: Make) -> Make:
    """Ask one question; the budget is returned too."""

    def asking(budget: Budget | None = None, text: str = "hello") -> Reply:
        return client.ask(question(text), budget or make_budget(), LABEL)

    return asking


def test_an_answer_is_counted_with_its_price(server: Server, say: Make, make_budget: Make, ask: Make) -> None:
    server.script = [
        say("hi", usage={"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 4}})
    ]
    budget = make_budget(price=Price(1.0, 2.0, 0.5))
    assert ask(budget).text == "hi"
    assert (budget.ledger.tokens_in, budget.ledger.tokens_out, budget.ledger.tokens_cached) == (10, 5, 4)
    assert budget.ledger.cost_usd == pytest.approx((6 * 1 + 4 * 0.5 + 5 * 2) / 1e6)
    assert budget.ledger.calls_estimated == 0
    assert budget.run.spent == pytest.approx(budget.ledger.cost_usd)
    assert server.keys == [f"Bearer {KEY}"]


@pytest.mark.parametrize(
    "usage",
    [
        "missing",
        None,
        {"prompt_tokens": 0, "completion_tokens": 0},
        {"prompt_tokens": 10**9, "completion_tokens": 1},
        "x",
        {"prompt_tokens": -5},
    ],
)
def test_missing_or_wrong_usage_is_estimated_and_marked(
    server: Server, say: Make, make_budget: Make, ask: Make, usage: object
) -> None:
    server.script = [say("an answer of some length " * 20, usage=usage)]
    budget = make_budget()
    ask(budget)
    assert budget.ledger.calls_estimated == 1
    assert 5 < budget.ledger.tokens_in < 100
    assert 100 < budget.ledger.tokens_out < 200


def test_an_unknown_price_is_marked(server: Server, say: Make, make_budget: Make, ask: Make) -> None:
    server.script = [say("hi")]
    budget = make_budget(price=Price(1, 1, known=False))
    ask(budget)
    assert budget.ledger.calls_estimated == 1
    assert budget.ledger.cost_usd > 0


def test_refused_parameters_are_dropped_and_remembered(server: Server, say: Make, say_error: Make, ask: Make) -> None:
    server.script = [
        say_error(400, "Unsupported value: 'temperature' does not support 0 with this model.", param="temperature"),
        say_error(
            400, "Unsupported parameter: 'max_completion_tokens'. Use 'max_tokens' instead.", param="max_completion_tokens"
        ),
        say("hi"),
    ]
    assert ask().text == "hi"
    assert ask(text="again").text == "hi"
    sent = [{name for name in request if name not in {"model", "messages"}} for request in server.requests]
    assert sent == [
        {"temperature", "max_completion_tokens"},
        {"reasoning_effort", "max_completion_tokens"},
        {"reasoning_effort", "max_tokens"},
        {"reasoning_effort", "max_tokens"},
    ]


@pytest.mark.parametrize("form", ["seconds", "milliseconds", "date"])
def test_retry_after_is_kept_to(server: Server, say: Make, say_error: Make, ask: Make, form: str) -> None:
    header = {
        "seconds": ("Retry-After", "1"),
        "milliseconds": ("retry-after-ms", "900"),
        "date": ("Retry-After", format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)),
    }[form]
    server.script = [say_error(429, "slow down", headers=(header,)), say("hi")]
    started = time.monotonic()
    assert ask().text == "hi"
    assert 0.7 < time.monotonic() - started < 4


def test_a_wait_beyond_the_deadline_is_not_begun(server: Server, say_error: Make, make_budget: Make, ask: Make) -> None:
    server.script = [say_error(429, "slow down", headers=(("Retry-After", "3600"),))]
    started = time.monotonic()
    with pytest.raises(ModelBusyError, match="429"):
        ask(make_budget(deadline=time.monotonic() + 5))
    assert time.monotonic() - started < 3


@pytest.mark.parametrize("trouble", ["500", "truncated", "dies", "no choices"])
def test_passing_trouble_is_tried_again_and_counted(
    server: Server, *, say: Make, say_error: Make, make_budget: Make, ask: Make, trouble: str
) -> None:
    first = {
        "500": say_error(503, "overloaded"),
        "truncated": say(body='{"choices": [{"message": {"content": "h'),
        "dies": say(die=True),
        "no choices": say(body="{}"),
    }[trouble]
    server.script = [first, first, say("hi")]
    budget = make_budget()
    assert ask(budget).text == "hi"
    assert budget.ledger.model_calls == 3


def test_trouble_that_does_not_pass_is_given_up(server: Server, say_error: Make, make_budget: Make, ask: Make) -> None:
    server.script = [say_error(500, "broken")]
    budget = make_budget()
    with pytest.raises(ModelBusyError, match="given up after 5 tries"):
        ask(budget)
    assert budget.ledger.model_calls == 5


@pytest.mark.parametrize(
    ("status", "message", "code", "hint"),
    [
        (401, "Incorrect API key provided", None, "check the key"),
        (403, "no access", None, "models: read"),
        (404, "The model does not exist", "model_not_found", "model's name"),
        (429, "You exceeded your current quota", "insufficient_quota", "billing"),
    ],
)
def test_a_refusal_for_good_is_told_and_never_asked_again(
    server: Server, *, say_error: Make, client: ModelClient, ask: Make, status: int, message: str, code: str | None, hint: str
) -> None:
    server.script = [say_error(status, f"{message} for {KEY}", code=code)]
    with pytest.raises(ModelGoneError, match=hint):
        ask()
    with pytest.raises(ModelGoneError):
        ask()
    assert len(server.requests) == 1
    assert KEY not in client.gone


@pytest.mark.parametrize("status", [400, 413, 429])
def test_a_prompt_too_long_is_told_apart(server: Server, say_error: Make, ask: Make, status: int) -> None:
    server.script = [say_error(status, "Request body too large: max 8000 tokens", code="tokens_limit_reached")]
    with pytest.raises(ContextTooLongError):
        ask()


def test_a_server_that_is_not_there_is_given_up_for_the_run(make_budget: Make, question: Make) -> None:
    client = ModelClient(Access("m", "http://127.0.0.1:9/v1", KEY), first_wait=0.01)
    with pytest.raises(ModelGoneError, match="can't be reached"):
        client.ask(question(), make_budget(), LABEL)
    started = time.monotonic()
    with pytest.raises(ModelGoneError):
        client.ask(question(), make_budget(), LABEL)
    assert time.monotonic() - started < 0.1
    client.close()


def test_a_hanging_server_ends_with_the_deadline(server: Server, say: Make, make_budget: Make, ask: Make) -> None:
    server.script = [say("late", hang=4)]
    budget = make_budget(deadline=time.monotonic() + 1.2)
    started = time.monotonic()
    with pytest.raises((ModelBusyError, OutOfBudgetError)):
        ask(budget)
    assert time.monotonic() - started < 3
    assert budget.ledger.tokens_in > 0, "what was sent for a lost answer may be billed"


def test_a_hanging_server_does_not_hold_up_an_interruption(server: Server, say: Make, make_budget: Make, question: Make) -> None:
    server.script = [say("late", hang=4)]
    stopping = threading.Event()
    client = ModelClient(Access("m", server.url, KEY), stopping=stopping.is_set)
    threading.Timer(0.3, stopping.set).start()
    started = time.monotonic()
    with pytest.raises(ModelBusyError, match="stopped"):
        client.ask(question(), make_budget(), LABEL)
    assert time.monotonic() - started < 2
    client.close()


def test_no_call_is_made_that_could_go_over_a_limit(server: Server, say: Make, make_budget: Make, ask: Make) -> None:
    server.script = [say("hi")]
    for budget in (
        make_budget(dollars=0.0001),
        make_budget(calls=0),
        make_budget(deadline=time.monotonic() - 1),
    ):
        with pytest.raises(OutOfBudgetError):
            ask(budget)
    poor = make_budget()
    poor.run.max_cost = 0.0001
    with pytest.raises(OutOfBudgetError, match="the run's"):
        ask(poor)
    assert server.requests == []


def test_little_money_buys_a_short_answer(server: Server, say: Make, make_budget: Make, ask: Make) -> None:
    server.script = [say("hi")]
    ask(make_budget(dollars=0.0012, price=Price(1.0, 2.0)))
    assert 300 <= server.requests[0]["max_completion_tokens"] < 600


def test_a_free_server_is_limited_by_calls_only(server: Server, say: Make, make_budget: Make, ask: Make) -> None:
    server.script = [say("hi")]
    budget = make_budget(price=Price(0, 0), dollars=0.0)
    assert ask(budget).text == "hi"
    assert budget.ledger.cost_usd == 0


def test_refusals_are_told(server: Server, say: Make, make_budget: Make, ask: Make) -> None:
    server.script = [say(None, refusal="I can't help with that.")]
    reply = ask()
    assert reply.refused
    assert reply.text == "I can't help with that."


def test_the_same_question_is_answered_from_disk(
    server: Server, say: Make, make_budget: Make, question: Make, tmp_path: Path
) -> None:
    server.script = [say("one"), say("two")]

    def ask(text: str, model: str = "m") -> tuple[str, Any]:
        client = ModelClient(Access(model, server.url, KEY), AnswerCache(tmp_path))
        budget = make_budget()
        try:
            return client.ask(question(text), budget, LABEL).text, budget.ledger
        finally:
            client.close()

    assert ask("a")[0] == "one"
    text, ledger = ask("a")
    assert text == "one"
    assert (ledger.model_calls, ledger.tokens_in, ledger.cost_usd) == (0, 0, 0)
    assert ledger.tokens_cached > 0
    assert ask("b")[0] == "two"
    assert ask("a", model="other")[0] == "two"
    assert len(server.requests) == 3
    assert KEY not in "".join(path.read_text() for path in tmp_path.rglob("*.json"))


@pytest.mark.parametrize("bad", [{"finish": "length"}, {"text": ""}, {"text": None, "refusal": "no"}])
def test_answers_of_no_use_are_not_kept(
    server: Server, *, say: Make, make_budget: Make, question: Make, tmp_path: Path, bad: dict[str, Any]
) -> None:
    server.script = [say(**{"text": "half", **bad}), say("whole")]
    client = ModelClient(Access("m", server.url, KEY), AnswerCache(tmp_path))
    client.ask(question(), make_budget(), LABEL)
    assert client.ask(question(), make_budget(), LABEL).text == "whole"
    client.close()


def test_a_spoiled_file_in_the_cache_is_asked_for_again(
    server: Server, say: Make, make_budget: Make, question: Make, tmp_path: Path
) -> None:
    server.script = [say("one"), say("two")]
    client = ModelClient(Access("m", server.url, KEY), AnswerCache(tmp_path))
    client.ask(question(), make_budget(), LABEL)
    for path in tmp_path.rglob("*.json"):
        path.write_text('{"choices": [')
    assert client.ask(question(), make_budget(), LABEL).text == "two"
    client.close()


def test_the_audit_log_holds_every_call_without_keys(
    server: Server, *, say: Make, say_error: Make, make_budget: Make, question: Make, tmp_path: Path
) -> None:
    server.script = [say_error(500, "x"), say(f"use {KEY} and hf_abcdefghijklmnopqrstuvwxyz")]
    log = AuditLog(tmp_path / "calls.jsonl", (KEY, "the-job-token"))
    client = ModelClient(Access("m", server.url, KEY), audit=log, first_wait=0.01)
    client.ask(question("the-job-token"), make_budget(), LABEL)
    client.close()
    text = (tmp_path / "calls.jsonl").read_text()
    failed, answered = map(json.loads, text.splitlines())
    assert "500" in failed["trouble"]
    assert answered["notebook"] == "n.ipynb"
    assert answered["messages"][0]["content"] == "You repair."
    for secret in (KEY, "the-job-token", "hf_abcdefghijklmnopqrstuvwxyz"):
        assert secret not in text


def test_a_key_is_never_shown() -> None:
    assert KEY not in repr(Access("m", "u", KEY))
