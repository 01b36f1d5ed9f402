"""Asks a model: chat completions of any OpenAI-compatible server, over HTTP, within a budget. The one place for model calls."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, Final

import openai

from modernizer.errors import ModernizerError
from modernizer.repair.model.audit import AuditLog
from modernizer.repair.model.budget import Budget
from modernizer.repair.model.cache import AnswerCache
from modernizer.repair.model.keys import Access
from modernizer.repair.model.reply import Reply, estimate_tokens, read_reply
from modernizer.repair.model.waiting import StoppedError, done_unless_stopped, wait_unless_stopped
from modernizer.repair.outcome import Ledger

MAX_OUTPUT: Final = 4_000
"""Tokens an answer may have; GitHub Models gives no more for free."""
LEAST_OUTPUT: Final = 300
"""A shorter answer could hold no edit, so that money for less is not spent."""
_REQUEST_SECONDS = 180.0
_ATTEMPTS = 5
_FIRST_WAIT = 1.0
_MARGIN = 1.2
"""How far a server may count more tokens than we estimate, so that budgets hold."""
_LONGEST_WAIT = 30.0
_TRANSIENT = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
_DROPPABLE = ("temperature", "reasoning_effort", "max_completion_tokens", "max_tokens")
_OVERFLOW = ("context_length", "context length", "maximum context", "context window", "too many tokens", "tokens_limit_reached")
_UNREACHABLE = "the server can't be reached"
_QUOTA = ("insufficient_quota", "exceeded your current quota", "billing", "credit")


class ModelGoneError(ModernizerError):
    """The model can't be had in this run: refused, unknown, without quota or not there. Only recipes go on."""


class ModelBusyError(Exception):
    """No answer within the time there was; later calls may fare better."""


class ContextTooLongError(Exception):
    """The prompt is longer than the server takes."""


class _LostError(Exception):
    """An answer that did not come or came in part only."""


@dataclass(frozen=True)
class Label:
    """What a call is for, for the audit log."""

    notebook: str
    kind: str
    rung: int = 0


@dataclass
class ModelClient:
    """One model for all notebooks of a run. Safe to use from several threads.

    ``stopping`` tells that the run is being stopped: nothing is waited for then. ``first_wait`` seconds after the first
    failure, twice as long after each further one, a request is tried again, unless the server names a time.
    """

    access: Access
    cache: AnswerCache = field(default_factory=AnswerCache)
    audit: AuditLog = field(default_factory=AuditLog)
    stopping: Callable[[], bool] = lambda: False
    request_seconds: float = _REQUEST_SECONDS
    first_wait: float = _FIRST_WAIT
    _gone: str = ""
    _dropped: set[str] = field(default_factory=set)
    _guard: threading.Lock = field(default_factory=threading.Lock)
    _api: openai.OpenAI | None = None

    @property
    def gone(self) -> str:
        """Return why the model can't be had any more; empty while it can."""
        return self._gone

    def ask(self, messages: Sequence[Mapping[str, str]], budget: Budget, label: Label) -> Reply:
        """Return the model's answer and count its cost in the budget.

        Raises ModelGoneError for the rest of the run, ModelBusyError, ContextTooLongError and OutOfBudgetError.
        """
        if self._gone:
            raise ModelGoneError(self._gone)
        sent: list[dict[str, str]] = [dict(message) for message in messages]
        tokens_in = int(_MARGIN * sum(estimate_tokens(message["content"]) + 4 for message in sent))
        # Named before the budget trims the length of the answer: what is asked is the same question then.
        key = self.cache.key({"url": self.access.base_url, "model": self.access.model, "messages": sent, "max": MAX_OUTPUT})
        kept = self.cache.get(key)
        if kept is not None and (reply := read_reply(kept, sent)) is not None and reply.text:
            reply = Reply(reply.text, reply.finish, 0, 0, reply.tokens_in + reply.tokens_out, cached=True)
            budget.count(Ledger(tokens_cached=reply.tokens_cached))
            self._log(label, sent, reply)
            return reply
        body, reply = self._answered(sent, tokens_in, budget, label)
        if reply.text and not reply.refused and reply.finish != "length":
            self.cache.put(key, body)
        return reply

    def _answered(self, messages: list[dict[str, str]], tokens_in: int, budget: Budget, label: Label) -> tuple[str, Reply]:
        """Send a request until it is answered: with fewer parameters, later, or never."""
        wait, failures = self.first_wait, 0
        while True:
            if self.stopping():
                raise ModelBusyError("the run is being stopped")
            limited = bool(self._parameters(0).keys() & {"max_completion_tokens", "max_tokens"})
            # A server that takes no limit may answer at full length, and there must be money for that.
            limit = budget.output_limit(tokens_in, MAX_OUTPUT, least=LEAST_OUTPUT if limited else MAX_OUTPUT)
            parameters = self._parameters(limit)
            asked_for = None
            try:
                return self._once(messages, parameters, tokens_in, budget, label)
            except openai.APIStatusError as error:
                trouble = self._status(error, parameters)
                if not trouble:
                    continue
                asked_for = _retry_after(error)
            except StoppedError:
                raise ModelBusyError("the run is being stopped") from None
            except _LostError as error:
                trouble = str(error)
            except openai.APIConnectionError as error:
                trouble = f"{_UNREACHABLE} ({type(error.__cause__ or error).__name__})"
            except openai.OpenAIError as error:
                trouble = f"{type(error).__name__}: {self._clean(str(error))}"
            self.audit.write({"notebook": label.notebook, "kind": label.kind, "rung": label.rung, "trouble": trouble[:500]})
            failures += 1
            if failures >= _ATTEMPTS and trouble.startswith(_UNREACHABLE):
                raise self._give_up(trouble, "check the address and whether the server runs")
            pause = wait if asked_for is None else asked_for
            if failures >= _ATTEMPTS or pause >= budget.seconds_left:
                raise ModelBusyError(f"{trouble}; given up after {failures} {'try' if failures == 1 else 'tries'}")
            wait_unless_stopped(pause, self.stopping)
            wait = min(_LONGEST_WAIT, wait * 2)

    def _once(
        self, messages: list[dict[str, str]], parameters: Mapping[str, Any], tokens_in: int, budget: Budget, label: Label
    ) -> tuple[str, Reply]:
        """Send one request and count it. What was sent for an answer that got lost is counted as well."""
        limit = parameters.get("max_completion_tokens", parameters.get("max_tokens", MAX_OUTPUT))
        reserved, spent = budget.reserve(tokens_in, limit), 0.0
        budget.count(Ledger(model_calls=1))
        try:
            lost, reply = "the server's answer is no complete JSON", None
            try:
                body = self._send(messages, parameters, min(self.request_seconds, max(1.0, budget.seconds_left)))
                reply = read_reply(body, messages)
            except openai.APITimeoutError:
                body, lost = "", "the server did not answer in time"
            counted = reply or Reply("", tokens_in=tokens_in, estimated=True)
            spent = budget.price.cost(counted.tokens_in, counted.tokens_out, counted.tokens_cached)
            budget.count(
                Ledger(
                    tokens_in=counted.tokens_in,
                    tokens_out=counted.tokens_out,
                    tokens_cached=counted.tokens_cached,
                    cost_usd=spent,
                    calls_estimated=int(counted.estimated or not budget.price.known),
                )
            )
        finally:
            budget.run.settle(reserved, spent)
        if reply is None:
            raise _LostError(lost)
        self._log(label, messages, reply, cost=spent)
        return body, reply

    def _parameters(self, limit: int) -> dict[str, Any]:
        """Return the parameters this server takes, as far as it was found out."""
        with self._guard:
            dropped = set(self._dropped)
        parameters: dict[str, Any] = {}
        if "max_completion_tokens" not in dropped:
            parameters["max_completion_tokens"] = limit
        elif "max_tokens" not in dropped:
            parameters["max_tokens"] = limit
        if "temperature" not in dropped:
            parameters["temperature"] = 0
        elif "reasoning_effort" not in dropped:
            # A model without temperature is one that reasons, and what it thinks counts against the answer's length.
            parameters["reasoning_effort"] = "low"
        return parameters

    def _send(self, messages: list[dict[str, str]], parameters: Mapping[str, Any], seconds: float) -> str:
        completions = self._client().chat.completions.with_raw_response

        def send() -> str:
            return completions.create(
                model=self.access.model,
                messages=messages,  # type: ignore[arg-type]  # dicts of role and content are what its TypedDicts are
                timeout=seconds,
                **parameters,
            ).http_response.text

        return done_unless_stopped(send, self.stopping)

    def _client(self) -> openai.OpenAI:
        with self._guard:
            if self._api is None:
                # Every retry is ours, so that it is counted and ends with the budget.
                self._api = openai.OpenAI(
                    api_key=self.access.key, base_url=self.access.base_url, organization="", project="", max_retries=0
                )
            return self._api

    def close(self) -> None:
        """Close the connections."""
        with self._guard:
            if self._api is not None:
                self._api.close()
                self._api = None

    def _status(self, error: openai.APIStatusError, parameters: Mapping[str, Any]) -> str:
        """Return what is wrong when another try may help, an empty text when a parameter was dropped; raise otherwise."""
        status, text = error.status_code, _said(error)
        lower = text.lower()
        if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or (
            status in {400, 422, 429} and any(word in lower for word in _OVERFLOW)
        ):
            raise ContextTooLongError(text[:300])
        if status in {400, 422}:
            named = [name for name in _DROPPABLE if name in parameters and (error.param == name or name in lower)]
            # A server that wants max_tokens instead names both; the one that was sent is the one to drop.
            if named:
                with self._guard:
                    self._dropped.add(named[0])
                return ""
        if status == HTTPStatus.TOO_MANY_REQUESTS and any(word in lower for word in _QUOTA):
            raise self._give_up(
                f"the quota of {self.access.provider or 'the provider'} is used up: {text[:200]}", "see its billing"
            )
        if status in _TRANSIENT:
            return f"the server answered {status}: {text[:200]}"
        if status in {400, 422} and "model_not_found" not in lower:
            raise ModelBusyError(f"the server refused the request ({status}): {self._clean(text[:200])}")
        remedy = {
            401: "check the key",
            402: "see the provider's billing",
            403: "check the key's rights; a job's token needs `permissions: models: read`",
            404: "check the model's name and base-url",
        }
        raise self._give_up(
            f"the server refused the model {self.access.model!r} ({status}): {text[:200]}", remedy.get(status, "")
        )

    def _give_up(self, what: str, hint: str) -> ModelGoneError:
        said = str(ModelGoneError(self._clean(what), where=self.access.base_url, hint=hint))
        with self._guard:
            self._gone = self._gone or said
        return ModelGoneError(said)

    def _clean(self, text: str) -> str:
        return text.replace(self.access.key, "<key>") if self.access.key else text

    def _log(self, label: Label, messages: Sequence[Mapping[str, str]], reply: Reply, *, cost: float = 0.0) -> None:
        self.audit.write(
            {
                "notebook": label.notebook,
                "kind": label.kind,
                "rung": label.rung,
                "model": self.access.model,
                "messages": [dict(message) for message in messages],
                "answer": reply.text,
                "finish": reply.finish,
                "refused": reply.refused,
                "from_cache": reply.cached,
                "tokens_in": reply.tokens_in,
                "tokens_out": reply.tokens_out,
                "tokens_cached": reply.tokens_cached,
                "estimated": reply.estimated,
                "cost_usd": round(cost, 6),
            }
        )


def _said(error: openai.APIStatusError) -> str:
    """Return a server's own words in one line, whatever form it gave them."""
    body = error.body
    if isinstance(body, Mapping):
        inner = body.get("error", body)
        parts = [inner.get(name) for name in ("code", "message", "param", "type")] if isinstance(inner, Mapping) else [inner]
        return " ".join(str(part) for part in parts if part)
    return " ".join(str(body or error.message or json.dumps(error.status_code)).split())


def _retry_after(error: openai.APIStatusError) -> float | None:
    """Return the seconds a server asks to wait, given as a number or as a date."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = error.response.headers.get(name)
        if not value:
            continue
        try:
            return max(0.0, float(value) * unit)
        except ValueError:
            pass
        try:
            return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
        except ValueError:
            continue
    return None
