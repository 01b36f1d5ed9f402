"""A server's answer as text and token counts, taken with suspicion: fields may be missing or wrong."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_CHARACTERS_A_TOKEN = 3.5
"""Code has about 3.2 to 4 characters a token with the usual tokenizers; other scripts are counted by their UTF-8 bytes."""
_FAR_OFF = 4.0
_MOST_TOKENS = 1_000_000


@dataclass(frozen=True)
class Reply:
    """One answer. ``tokens_cached`` are those of the input that the provider had cached, or all when ``cached`` on our disk."""

    text: str
    finish: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    estimated: bool = False
    refused: bool = False
    cached: bool = False


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text without a tokenizer, rather too many than too few."""
    return math.ceil(len(text.encode("utf-8", "surrogatepass")) / _CHARACTERS_A_TOKEN)


def read_reply(body: str, messages: Sequence[Mapping[str, str]]) -> Reply | None:
    """Read the body of a chat completion; None when it is none, such as JSON that ends too early."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return None
    choices = data.get("choices") if isinstance(data, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return None
    message = choices[0].get("message")
    message = message if isinstance(message, dict) else {}
    text = _text(message.get("content"))
    refusal = message.get("refusal")
    finish = str(choices[0].get("finish_reason") or "")
    asked = sum(estimate_tokens(one["content"]) + 4 for one in messages)
    given = data.get("usage")
    usage = given if isinstance(given, dict) else {}
    tokens_in, tokens_out = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    answered = estimate_tokens(text)
    # Numbers far from what was sent are no count of ours to pay by; hidden reasoning makes the output longer, never shorter.
    wrong_in = tokens_in is None or not asked / _FAR_OFF <= tokens_in <= asked * _FAR_OFF + 1_000
    wrong_out = tokens_out is None or tokens_out < answered / _FAR_OFF or tokens_out > _MOST_TOKENS
    details = usage.get("prompt_tokens_details")
    cached = _count(details.get("cached_tokens")) if isinstance(details, dict) else None
    counted_in = asked if wrong_in or tokens_in is None else tokens_in
    return Reply(
        text=text or (_text(refusal) if refusal else ""),
        finish=finish,
        tokens_in=counted_in,
        tokens_out=answered if wrong_out or tokens_out is None else tokens_out,
        tokens_cached=min(cached or 0, counted_in),
        estimated=wrong_in or wrong_out,
        refused=bool(refusal) or finish == "content_filter",
    )


def _text(content: object) -> str:
    """Return a message's text; some servers give it in parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(_part(part) for part in content)
    return ""


def _part(part: Any) -> str:  # noqa: ANN401 (JSON)
    text = part.get("text") if isinstance(part, dict) else part
    return text if isinstance(text, str) else ""


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
