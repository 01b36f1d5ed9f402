"""The whole command with a model: `modernizer fix --model NAME` on a repository, against a scripted server."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import jsonschema
import pytest

from modernizer.cli import main
from modernizer.report.results_json import schema

KEY = "sk-the-key-of-these-tests-0123456789"
BROKEN, FIXED = "y = sorted([3, 1], cmp)", "y = sorted([3, 1])"
Say = Callable[..., Any]


class Server(Protocol):
    url: str
    script: list[Any]
    requests: list[dict[str, Any]]
    keys: list[str]
    stop: Callable[[], None]


def repository(folder: Path, url: str, *cells: str) -> Path:
    folder.mkdir()
    content = [
        {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": source.splitlines(keepends=True)}
        for source in cells
    ]
    notebook = {"cells": content, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}
    (folder / "n.ipynb").write_text(json.dumps(notebook, indent=1) + "\n")
    (folder / ".modernizer.yml").write_text(f"model: {{base-url: '{url}', price: {{input: 1.0, output: 4.0}}}}\n")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return folder


def fix(repo: Path, *args: str) -> tuple[int, dict[str, Any]]:
    out = repo.parent / "out"
    with pytest.raises(SystemExit) as ended:
        main(["fix", str(repo), "--out", str(out), "--sandbox", "off", "--jobs", "1", *args])
    data: dict[str, Any] = json.loads((out / "results.json").read_text())
    jsonschema.validate(data, schema())
    return int(ended.value.code or 0), data


@pytest.fixture(autouse=True)
def _own_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep answers of a model per test; environments stay in the shared cache."""
    monkeypatch.setattr("modernizer.repair.model.cache.AnswerCache.get", lambda *_: None)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "GITHUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MODERNIZER_MODEL_KEY", KEY)


def said(cell: int, old: str = BROKEN, new: str = FIXED) -> str:
    return f"cmp is Python 2.\n```diff\n@@ # %% [cell {cell}] code\n-{old}\n+{new}\n```"


def test_fix_with_a_model_repairs_proves_and_reports(tmp_path: Path, server: Server, say: Say) -> None:
    server.script = [say(said(0))]
    repo = repository(tmp_path / "repo", server.url, BROKEN, "z = 1")
    code, data = fix(repo, "--model", "test-model")
    assert code == 0
    repair = data["notebooks"][0]["repair"]
    assert [one["origin"] for one in repair["fixes"]] == ["model:test-model"]
    assert repair["ledger"]["model_calls"] == 1
    assert 0 < repair["ledger"]["cost_usd"] < 0.05
    out = tmp_path / "out"
    subprocess.run(["git", "apply", "--check", str(out / "patches" / "n.ipynb.patch")], cwd=repo, check=True)
    assert server.keys == [f"Bearer {KEY}"]
    assert (out / "memory.json").exists()
    for path in out.rglob("*"):
        assert not path.is_file() or KEY not in path.read_text(errors="replace"), path


def test_the_cost_cap_stops_a_repair_and_keeps_what_it_has(tmp_path: Path, server: Server, say: Say) -> None:
    def wordy(n: int) -> Callable[[dict[str, Any]], Any]:
        """Answer at length, as far as the request allows."""
        tokens = {"prompt_tokens": 500}
        return lambda request: say(said(n), usage={**tokens, "completion_tokens": min(3_000, request["max_completion_tokens"])})

    server.script = [wordy(n) for n in range(9)]
    repo = repository(tmp_path / "repo", server.url, *[BROKEN] * 9)
    code, data = fix(repo, "--model", "test-model", "--max-cost", "0.05")
    assert code == 1
    repair = data["notebooks"][0]["repair"]
    assert repair["stopped"] == "budget"
    assert 0.03 < repair["ledger"]["cost_usd"] <= 0.05
    assert len(repair["fixes"]) == repair["ledger"]["model_calls"] == 4
    assert data["notebooks"][0]["after"]["error"]["cell"] == 4


def test_with_model_none_nothing_is_sent(tmp_path: Path, server: Server, say: Say) -> None:
    server.script = [say(said(0))]
    repo = repository(tmp_path / "repo", server.url, BROKEN)
    code, data = fix(repo, "--model", "none")
    assert (code, server.requests) == (1, [])
    assert data["notebooks"][0]["repair"]["stopped"] == "none-applicable"
    assert not {"memory.json", "model-calls.jsonl"} & {path.name for path in (tmp_path / "out").iterdir()}


def test_blocked_notebooks_cost_nothing(tmp_path: Path, server: Server, say: Say) -> None:
    server.script = [say(said(0))]
    repo = repository(tmp_path / "repo", server.url, "text = open('/kaggle/input/missing/train.csv').read()")
    _, data = fix(repo, "--model", "test-model")
    assert data["notebooks"][0]["before"]["verdict"] == "blocked"
    assert server.requests == []


def test_a_server_that_refuses_the_key_is_a_note_of_the_report(tmp_path: Path, server: Server, say_error: Say) -> None:
    server.script = [say_error(401, f"Incorrect API key provided: {KEY}")]
    repo = repository(tmp_path / "repo", server.url, BROKEN)
    code, data = fix(repo, "--model", "test-model")
    assert code == 1
    assert [note for note in data["notes"] if "check the key" in note and KEY not in note]
