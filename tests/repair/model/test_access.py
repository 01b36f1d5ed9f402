from __future__ import annotations

from pathlib import Path

import pytest

from modernizer.config import Config, Model, load_config
from modernizer.repair.model.assistant import open_assistant
from modernizer.repair.model.budget import RunBudget
from modernizer.repair.model.keys import DEFAULT_MODEL, GITHUB_MODELS, NO_KEY, OPENAI, find_access
from modernizer.repair.model.prices import Price, price_of

ALL = {"INPUT_MODEL-KEY": "explicit", "OPENAI_API_KEY": "openai", "INPUT_TOKEN": "job", "GITHUB_TOKEN": "other"}
OWN = "http://localhost:11434/v1"


@pytest.mark.parametrize(
    ("model", "secrets", "expected"),
    [
        (Model(name="none"), ALL, None),
        (Model(name="None"), ALL, None),
        (Model(), {}, None),
        (Model(name="gpt-5.2"), {}, None),
        (Model(), ALL, (DEFAULT_MODEL, OPENAI, "explicit")),
        (Model(), {"OPENAI_API_KEY": "openai"}, (DEFAULT_MODEL, OPENAI, "openai")),
        (Model(name="gpt-4.1"), {"OPENAI_API_KEY": "openai", "GITHUB_TOKEN": "t"}, ("gpt-4.1", OPENAI, "openai")),
        (Model(name="gpt-4.1"), {"GITHUB_TOKEN": "job"}, ("openai/gpt-4.1", GITHUB_MODELS, "job")),
        (Model(name="meta/llama-4"), {"INPUT_TOKEN": "job"}, ("meta/llama-4", GITHUB_MODELS, "job")),
        (Model(), {"GITHUB_TOKEN": "job"}, None),
        (Model(name="qwen", base_url=OWN), ALL, ("qwen", OWN, "explicit")),
        (Model(name="qwen", base_url=OWN), {}, ("qwen", OWN, NO_KEY)),
        (Model(name="x", base_url=GITHUB_MODELS), {"GITHUB_TOKEN": "job"}, ("x", GITHUB_MODELS, "job")),
        (Model(name="x", base_url=OPENAI), {"OPENAI_API_KEY": "openai"}, ("x", OPENAI, "openai")),
    ],
)
def test_keys_are_looked_for_in_order(model: Model, secrets: dict[str, str], expected: tuple[str, str, str] | None) -> None:
    access = find_access(model, secrets)
    assert (access and (access.model, access.base_url, access.key)) == expected


def test_an_address_in_the_repository_gets_no_key_that_is_for_another_provider() -> None:
    secrets = {"OPENAI_API_KEY": "openai", "GITHUB_TOKEN": "job", "INPUT_TOKEN": "job"}
    access = find_access(Model(name="x", base_url="https://elsewhere.example/v1"), secrets)
    assert access is not None
    assert access.key == NO_KEY


def test_the_users_own_address_gets_the_users_own_key() -> None:
    access = find_access(Model(name="x"), {"OPENAI_API_KEY": "openai"}, base_url="http://localhost:1/v1/")
    assert access is not None
    assert (access.base_url, access.key) == ("http://localhost:1/v1", "openai")
    access = find_access(Model(name="x", base_url=OWN), {"OPENAI_API_KEY": "openai"}, base_url=OWN)
    assert access is not None
    assert access.key == "openai"


@pytest.mark.parametrize(
    ("secrets", "name", "said"), [({}, "gpt-5.2", "no key for the model gpt-5.2"), ({}, "none", ""), ({}, None, "")]
)
def test_a_named_model_without_a_key_is_told(tmp_path: Path, secrets: dict[str, str], name: str | None, said: str) -> None:
    notes: list[str] = []
    assert open_assistant(Model(name=name), secrets, out=tmp_path, cache=tmp_path, report=notes.append).client is None
    assert [said in note for note in notes] == ([True] if said else [])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("gpt-5.2", True),
        ("openai/gpt-5.2", True),
        ("gpt-4.1-mini-2025-04-14", True),
        ("openai/gpt-oss-120b:free", True),
        ("GPT-4o", True),
        ("gpt-5.2-mini", False),
        ("llama-9", False),
    ],
)
def test_prices_are_found_by_a_models_name(name: str, known: bool) -> None:  # noqa: FBT001 (a table)
    price = price_of(name)
    assert price.known is known
    assert price.output > 0


def test_the_configurations_price_wins(tmp_path: Path) -> None:
    (tmp_path / ".modernizer.yml").write_text("model: {name: gpt-5.2, price: {input: 0, output: 0}}\n")
    settings = load_config(None, tmp_path).model
    assistant = open_assistant(settings, {"OPENAI_API_KEY": "k"}, out=tmp_path, cache=tmp_path)
    assert assistant.price == Price(0.0, 0.0)
    assert Config().model.price is None


def test_a_cost_counts_cached_input_apart() -> None:
    assert Price(2.0, 8.0, 0.5).cost(1_000_000, 500_000, 400_000) == pytest.approx(0.6 * 2 + 0.4 * 0.5 + 4)
    assert Price(2.0, 8.0).cost(1_000_000, 0, 400_000) == pytest.approx(2.0)


def test_notebooks_share_the_runs_money() -> None:
    run = RunBudget(0.01)
    assert run.reserve(0.006)
    assert not run.reserve(0.006), "what another notebook's call may cost is not there any more"
    run.settle(0.006, 0.001)
    assert run.reserve(0.006)
