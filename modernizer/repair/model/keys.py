"""Where the model is and which key opens it: explicit, OPENAI_API_KEY, GitHub Models with the job's token, none.

A key goes to the provider it is for and to no other: an address in a repository's configuration gets the explicit key only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from modernizer.config import Model

OPENAI = "https://api.openai.com/v1"
GITHUB_MODELS = "https://models.github.ai/inference"
EXPLICIT_KEYS = ("INPUT_MODEL-KEY", "MODERNIZER_MODEL_KEY")
OPENAI_KEY = "OPENAI_API_KEY"
JOB_TOKENS = ("INPUT_TOKEN", "GITHUB_TOKEN", "GH_TOKEN")
DEFAULT_MODEL = "gpt-5.2"
NO_KEY = "no-key"
"""What servers get that ask for none, such as llama.cpp, Ollama and vLLM on the user's own machine."""
OFF = "none"


@dataclass(frozen=True)
class Access:
    """A model to ask: its name, the address of its API and the key, which is never shown."""

    model: str
    base_url: str
    key: str = field(repr=False)
    provider: str = ""


def find_access(model: Model, secrets: Mapping[str, str], *, base_url: str | None = None) -> Access | None:
    """Return the model to ask; None when it is turned off or there is no key.

    ``base_url`` is what the user's own environment says (OPENAI_BASE_URL). Without a model's name only a key that was given
    for models is used, never a job's token.
    """
    name = model.name
    if name is not None and name.strip().lower() == OFF:
        return None
    explicit = next((secrets[key] for key in EXPLICIT_KEYS if secrets.get(key)), "")
    if model.base_url is not None:
        url = model.base_url.rstrip("/")
        own = base_url is not None and base_url.rstrip("/") == url
        key = explicit or (secrets.get(OPENAI_KEY, "") if own or url == OPENAI else "")
        token = _job_token(secrets) if url == GITHUB_MODELS else ""
        return Access(name or DEFAULT_MODEL, url, key or token or NO_KEY, "the configured server")
    if explicit or secrets.get(OPENAI_KEY):
        return Access(name or DEFAULT_MODEL, (base_url or OPENAI).rstrip("/"), explicit or secrets[OPENAI_KEY], "OpenAI")
    token = _job_token(secrets)
    if token and name:
        # GitHub Models names models with their maker.
        return Access(name if "/" in name else f"openai/{name}", GITHUB_MODELS, token, "GitHub Models")
    return None


def _job_token(secrets: Mapping[str, str]) -> str:
    return next((secrets[key] for key in JOB_TOKENS if secrets.get(key)), "")
