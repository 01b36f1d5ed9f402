"""Notebooks that no recipe repairs, repaired by a scripted model through real kernels."""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest

from modernizer.bench import ScratchRun, Task, judged, load_program
from modernizer.config import Config, Model, ModelPrice
from modernizer.environment.installed import Installed
from modernizer.environment.model import Environment, Requirements
from modernizer.notebook import read_notebook
from modernizer.repair.loop import Bench, Repaired, repair
from modernizer.repair.model.assistant import Assistant, open_assistant
from modernizer.repair.model.context import Surroundings
from modernizer.repair.recipes import all_recipes

Say = Callable[..., Any]


class Server(Protocol):
    url: str
    script: list[Any]
    requests: list[dict[str, Any]]
    keys: list[str]
    stop: Callable[[], None]

    def prompt(self, at: int = -1) -> str: ...


def diff(cell: int, old: str, new: str) -> str:
    return f"The argument is keyword-only now.\n\n```diff\n@@ # %% [cell {cell}] code\n-{old}\n+{new}\n```"


@pytest.fixture(scope="session")
def installed(kernel_environment: Environment) -> Iterator[Installed]:
    with Installed(kernel_environment.python) as answers:
        yield answers


@dataclasses.dataclass
class World:
    """A repository with one notebook, and what repairs it."""

    repo: Path
    environment: Environment
    installed: Installed
    url: str
    notes: list[str] = dataclasses.field(default_factory=list)
    secrets: dict[str, str] = dataclasses.field(default_factory=lambda: {"MODERNIZER_MODEL_KEY": "key-of-the-tests"})

    def write(self, *cells: str | tuple[str, str]) -> None:
        """Write the notebook; a cell given as a pair has that stored output."""
        content = []
        for number, cell in enumerate(cells):
            source, output = cell if isinstance(cell, tuple) else (cell, "")
            outputs = [{"output_type": "stream", "name": "stdout", "text": output}] if output else []
            content.append(
                {
                    "cell_type": "code",
                    "execution_count": number + 1,
                    "metadata": {},
                    "outputs": outputs,
                    "source": source.splitlines(keepends=True),
                }
            )
        notebook = {"cells": content, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}
        (self.repo / "n.ipynb").write_text(json.dumps(notebook, indent=1) + "\n")

    def assistant(self, **settings: object) -> Assistant:
        opened = open_assistant(
            Model.model_validate({"name": "test-model", "base_url": self.url, **settings}),
            self.secrets,
            out=self.repo.parent / "out",
            cache=self.repo.parent / "cache",
            report=self.notes.append,
        )
        if opened.client is not None:
            opened.client.first_wait = 0.01
        return opened

    def repair(self, assistant: Assistant | None = None, *, seconds: float = 60, **settings: object) -> Repaired:
        """Repair the notebook as the command does."""
        assistant = assistant or self.assistant(**settings)
        notebook = read_notebook(self.repo / "n.ipynb", name="n.ipynb")
        task = Task(self.repo, notebook, Config().for_notebook("n.ipynb"), Requirements(()))
        original = load_program(notebook, self.repo)
        judge = judged(task, notebook, self.environment, lambda: ())
        run = ScratchRun(task, self.environment, original)
        first = run.run()
        deadline = time.monotonic() + seconds
        around = Surroundings(self.installed, self.environment.packages, self.environment.python_version)
        bench = Bench(
            open_run=lambda program: ScratchRun(task, self.environment, program),
            judge=judge,
            installed=self.installed,
            recipes=all_recipes(),
            deadline=deadline,
            proposers=assistant.proposers("n.ipynb", around, deadline=deadline),
            on_proven=assistant.memory.learn,
        )
        try:
            return repair(original, run, first, judge(original, first), bench)
        finally:
            assistant.close()


@pytest.fixture
def world(tmp_path: Path, kernel_environment: Environment, installed: Installed, server: Server) -> World:
    (tmp_path / "repo").mkdir()
    return World(tmp_path / "repo", kernel_environment, installed, server.url)


def cells(result: Repaired) -> list[str]:
    return [cell.source for cell in result.program.notebook.code_cells]


OLD, NEW = "y = sorted([3, 1], cmp)", "y = sorted([3, 1])"


def test_a_model_repairs_what_no_recipe_does(world: World, server: Server, say: Say) -> None:
    world.write("x = 3", "y = sorted([3, 1], cmp)\nprint(y)", "z = x + 1")
    server.script = [say(diff(1, "y = sorted([3, 1], cmp)", "y = sorted([3, 1])"))]
    result = world.repair()
    assert result.after is not None, result.attempts
    assert result.after.verdict == "ran"
    assert cells(result) == ["x = 3", "y = sorted([3, 1])\nprint(y)", "z = x + 1"]
    assert [fix.origin for fix in result.fixes] == ["model:test-model"]
    assert result.fixes[0].explanation.startswith("The argument is keyword-only now.")
    assert result.ledger.executions == 2
    assert result.ledger.model_calls == 1
    assert result.ledger.tokens_in > 100
    assert result.ledger.cost_usd > 0


def test_a_chain_of_five_breakages_costs_two_executions(world: World, server: Server, say: Say) -> None:
    world.write("import time\ntime.sleep(0.5)", *(f"v{n} = sorted([{n}, 1], cmp)" for n in range(5)), "print(v4)")
    server.script = [say(diff(n + 1, f"v{n} = sorted([{n}, 1], cmp)", f"v{n} = sorted([{n}, 1])")) for n in range(5)]
    result = world.repair()
    assert result.stopped == "good", result.attempts
    assert result.ledger.executions == 6, "the live kernel went on five times, each time from the failing cell; then the proof"
    assert result.ledger.cell_seconds < 1.5, "the slow first cell ran twice: at first, which is not counted, and in the proof"
    assert result.ledger.model_calls == 5
    assert [fix.cells for fix in result.fixes] == [(1,), (2,), (3,), (4,), (5,)]


def test_right_after_two_failures(world: World, server: Server, say: Say) -> None:
    world.write("x = 3", f"z = 1\n{OLD}\nprint(y)")
    server.script = [
        say(diff(1, OLD, "y = sorted([3, 1], key=cmp)")),
        say(diff(1, OLD, "y = sorted([3, 1], key=len)")),
        say(diff(1, OLD, NEW)),
    ]
    result = world.repair()
    assert result.stopped == "good", result.attempts
    assert cells(result) == ["x = 3", f"z = 1\n{NEW}\nprint(y)"]
    assert [attempt.outcome for attempt in result.attempts[:3]] == ["no-effect", "worse", "accepted"]
    assert "the same error came again: NameError: name 'cmp' is not defined" in server.prompt(1)
    assert "+y = sorted([3, 1], key=cmp)" in server.prompt(1)
    assert "object of type 'int' has no len()" in server.prompt(2)


def test_a_malformed_answer_is_asked_for_once_more(world: World, server: Server, say: Say) -> None:
    world.write("x = 3", OLD)
    server.script = [say("Replace the call."), say(diff(1, OLD, NEW))]
    result = world.repair()
    assert result.stopped == "good", result.attempts
    assert result.ledger.model_calls == 2
    assert "could not be used: the answer holds neither" in server.prompt(1)
    assert [message["role"] for message in server.requests[1]["messages"]] == ["system", "user", "assistant", "user"]


def test_answers_that_stay_malformed_end_the_repair(world: World, server: Server, say: Say) -> None:
    world.write("x = 3", OLD)
    server.script = [say("Replace the call.")]
    result = world.repair()
    assert (result.stopped, result.after) == ("none-applicable", None)
    assert result.ledger.model_calls == 6, "three tries, each asked once more"
    assert {attempt.outcome for attempt in result.attempts} == {"failed"}


HOSTILE = {
    "try": (OLD, "try:\n+    y = sorted([3, 1], cmp)\n+except NameError:\n+    y = None"),
    "shell": (OLD, "!pip install cmp\n+y = sorted([3, 1])"),
    "environment": (OLD, "import os\n+print(os.environ)\n+y = sorted([3, 1])"),
    "emptied": (OLD, ""),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_edit_is_refused_with_the_reason_and_never_run(world: World, server: Server, say: Say, name: str) -> None:
    world.write("x = 3", f"z = 2\n{OLD}")
    server.script = [say(diff(1, *HOSTILE[name])), say(diff(1, OLD, NEW))]
    result = world.repair()
    assert result.stopped == "good", result.attempts
    assert result.attempts[0].outcome == "rejected"
    assert "the policy refuses it: cell 1" in server.prompt(1)
    assert result.ledger.executions == 2
    assert cells(result)[1] == f"z = 2\n{NEW}"


def test_the_same_edit_twice_ends_it(world: World, server: Server, say: Say) -> None:
    world.write("x = 3", OLD)
    server.script = [say(diff(1, OLD, "y = sorted([3, 1], key=cmp)"))]
    result = world.repair()
    assert result.after is None
    assert [attempt.outcome for attempt in result.attempts] == ["no-effect", "rejected"]
    assert len(server.requests) == 2


def test_the_patch_and_the_ledger_survive_the_end_of_the_budget(world: World, server: Server, say: Say) -> None:
    world.write(OLD, "w = sorted([2, 1], cmp)", "v = 1")
    server.script = [say(diff(0, OLD, NEW)), say("no")]
    result = world.repair(max_fixes=1)
    assert result.stopped == "budget"
    assert cells(result)[0] == NEW
    assert result.after is not None
    assert result.after.error is not None
    assert result.after.error.cell == 1
    assert result.ledger.model_calls == 1
    assert result.ledger.cost_usd > 0
    assert result.attempts[-1].why == "1 model answers were tried"


def test_dollars_are_a_hard_limit(world: World, server: Server, say: Say) -> None:
    world.write(OLD, "w = sorted([2, 1], cmp)", "u = sorted([2, 1], cmp)")
    server.script = [say(diff(0, OLD, NEW), usage={"prompt_tokens": 700, "completion_tokens": 100}), say("no")]
    price = {"input": 10.0, "output": 20.0}
    result = world.repair(max_cost=0.025, price=ModelPrice(**price))
    assert result.stopped == "budget"
    assert result.ledger.cost_usd <= 0.025
    assert any("$0.0" in attempt.why for attempt in result.attempts)


def test_without_a_server_only_recipes_repair_and_it_is_said_once(world: World, server: Server) -> None:
    world.write("import numpy as np\nx = np.float(3)", OLD, "w = sorted([2, 1], cmp)")
    server.stop()
    result = world.repair()
    assert cells(result)[0] == "import numpy as np\nx = float(3)"
    assert result.stopped == "no-progress"
    assert len([note for note in world.notes if "can't be reached" in note]) == 1
    assert "only recipes repair from here on" in " ".join(world.notes)


def test_a_wrong_key_is_said_once(world: World, server: Server, say_error: Callable[..., Any]) -> None:
    world.write("x = 3", OLD)
    server.script = [say_error(401, "Incorrect API key provided: key-of-the-tests")]
    result = world.repair()
    assert (result.stopped, result.after) == ("none-applicable", None)
    refused = [note for note in world.notes if "401" in note]
    assert len(refused) == 1
    assert "key-of-the-tests" not in refused[0]


def test_recorded_outputs_and_scores_never_reach_the_prompt(world: World, server: Server, say: Say) -> None:
    world.write(
        ("x = 3\nprint('AUC: 0.9' + '17263')", "AUC: 0.917263\n"), (f"{OLD}\nprint('accuracy:', len(y))", "accuracy: 0.837465\n")
    )
    server.script = [
        say("Replace the call."),
        say("no"),
        say(diff(1, "y = sorted([3, 1], cmp)", "y = sorted([3, 1], key=cmp)")),
        say("no"),
    ]
    world.repair()
    sent = "".join(server.prompt(at) for at in range(len(server.requests)))
    assert "0.917263" not in sent
    assert "0.837465" not in sent
    assert "print('accuracy:', len(y))" in sent


def test_secrets_of_a_cell_are_not_sent_and_survive_the_edit(world: World, server: Server, say: Say) -> None:
    secret = "sk-" + "abcdefghijklmnopqrstuvwxyz012345"
    world.write("x = 3", f"key = '{secret}'\n{OLD}")
    text = f"I kept <hidden-secret-1>.\n@@ cell 1\n key = '<hidden-secret-1>'\n-{OLD}\n+{NEW}\n"
    server.script = [say(text)]
    result = world.repair()
    assert result.stopped == "good", result.attempts
    assert cells(result)[1] == f"key = '{secret}'\n{NEW}"
    assert secret not in server.prompt()
    assert "<hidden-secret-1>" in server.prompt()
    assert secret not in str(result.fixes)
    assert secret not in (world.repo.parent / "out" / "model-calls.jsonl").read_text()


def test_a_needless_change_is_dropped(world: World, server: Server, say: Say) -> None:
    world.write("x = 3", f"a = [1,2]\nb = 1\nc = 1\nd = 1\ne = 1\n{OLD}")
    text = f"Fixed.\n```diff\n@@ cell 1\n-a = [1,2]\n+a = [1, 2]\n b = 1\n@@ cell 1\n-{OLD}\n+{NEW}\n```"
    server.script = [say(text)]
    result = world.repair()
    assert result.stopped == "good", result.attempts
    assert cells(result)[1] == f"a = [1,2]\nb = 1\nc = 1\nd = 1\ne = 1\n{NEW}"


def test_a_proven_edit_is_remembered_for_other_notebooks_and_runs(world: World, server: Server, say: Say) -> None:
    broken = "import math\ny = math.fsumz([1, 2])"
    fixed = "import math\ny = math.fsum([1, 2])"
    server.script = [say(diff(1, broken.split("\n")[1], fixed.split("\n")[1]))]
    world.write("x = 3", broken)
    assert world.repair().stopped == "good"
    world.write("import math", "z = 1", "if z:\n    y = math.fsumz([1, 2])")
    result = world.repair()
    assert result.stopped == "good", result.attempts
    assert cells(result)[2] == "if z:\n    y = math.fsum([1, 2])"
    assert [fix.origin for fix in result.fixes] == ["memory"]
    assert result.ledger.model_calls == 0
    assert len(server.requests) == 1


def test_the_memory_repairs_without_a_model(world: World, server: Server, say: Say) -> None:
    server.script = [say(diff(1, OLD, NEW))]
    world.write("x = 3", OLD)
    assert world.repair().stopped == "good"
    world.write("x = 4", f"for _ in range(2):\n    {OLD}")
    result = world.repair(name="none")
    assert result.stopped == "good", result.attempts
    assert cells(result)[1] == f"for _ in range(2):\n    {NEW}"
    assert len(server.requests) == 1


def test_an_edit_of_several_places_is_remembered_as_a_whole(world: World, server: Server, say: Say) -> None:
    old = ["values = [3, 1]", "y = sorted(values, cmp)\nprint(y)", "if y:\n    values.sort(cmp)"]
    text = (
        "cmp is gone.\n```diff\n@@ # %% [cell 1] code\n-y = sorted(values, cmp)\n+y = sorted(values)\n print(y)\n"
        "@@ # %% [cell 2] code\n-    values.sort(cmp)\n+    values.sort()\n```"
    )
    server.script = [say(text)]
    world.write(*old)
    first = world.repair()
    assert first.stopped == "good", first.attempts
    memory = json.loads((world.repo.parent / "out" / "memory.json").read_text())
    assert [block["after"] for block in memory["lessons"][0]["blocks"]] == ["y = sorted(values)", "values.sort()"]
    world.write("a = 1", *old)
    second = world.repair(name="none")
    assert cells(second)[1:] == cells(first), second.attempts
    assert [fix.origin for fix in second.fixes] == ["memory"]


def test_a_poisoned_memory_passes_the_policy_like_any_edit(world: World, server: Server, say: Say) -> None:
    line = "y = math.fsumz([1, 2])"
    blocks = [{"before": line, "after": "import os\ny = os.environ"}]
    lesson = {"kind": "api-removed", "symbol": "math.fsumz", "error": "AttributeError", "line": line, "blocks": blocks}
    world.write("import math", line)
    out = world.repo.parent / "out"
    out.mkdir()
    (out / "memory.json").write_text(json.dumps({"version": 2, "lessons": [lesson]}))
    server.script = [say("NO EDIT: unknown")]
    result = world.repair()
    assert result.after is None
    assert [attempt.outcome for attempt in result.attempts if attempt.origin == "memory"] == ["rejected"]


def test_the_next_rungs_show_more_of_the_code(world: World, server: Server, say: Say) -> None:
    world.write("unrelated = 'far away'", "base = [3, 1]", "y = sorted(base, cmp)")
    server.script = [
        say(diff(2, "y = sorted(base, cmp)", "y = sorted(base, key=cmp)")),
        say(diff(2, "y = sorted(base, cmp)", "y = sorted(base)")),
    ]
    assert world.repair().stopped == "good"
    assert "base = [3, 1]" in server.prompt(0)
    assert "far away" not in server.prompt(0)
    assert "far away" in server.prompt(1)


def test_a_module_of_the_repository_is_repaired(world: World, server: Server, say: Say) -> None:
    (world.repo / "tools.py").write_text("def order(values):\n    return sorted(values, cmp)\n")
    world.write("from tools import order", "print(order([2, 1]))")
    server.script = [say("--- a/tools.py\n+++ b/tools.py\n@@\n-    return sorted(values, cmp)\n+    return sorted(values)\n")]
    result = world.repair()
    assert result.stopped == "good", result.attempts
    assert result.program.modules["tools.py"] == "def order(values):\n    return sorted(values)\n"
    assert result.fixes[0].files == ("tools.py",)


def test_a_prompt_too_long_for_the_server_is_shortened_once(
    world: World, server: Server, say: Say, say_error: Callable[..., Any]
) -> None:
    world.write(
        "big = [\n" + "\n".join(f"    'line {n} of a long list of texts'," for n in range(300)) + "\n]", "y = sorted(big, cmp)"
    )
    server.script = [say_error(413, "too large"), say(diff(1, "y = sorted(big, cmp)", "y = sorted(big)"))]
    result = world.repair()
    assert result.stopped == "good", result.attempts
    assert len(server.prompt(1)) < 0.7 * len(server.prompt(0))
    assert len(server.prompt(0)) < 6_000 * 3.5


def test_a_server_with_a_small_window_gets_every_rung(
    world: World, server: Server, say: Say, say_error: Callable[..., Any]
) -> None:
    """GitHub Models takes about 8,000 tokens for free: the widest prompt is cut to the usual size, and that is remembered."""

    def small(request: dict[str, Any]) -> object:
        if sum(len(message["content"]) for message in request["messages"]) > 8_000 * 3.5:
            return say_error(413, "Request body too large. Max size: 8000 tokens", code="tokens_limit_reached")
        return say(diff(3, "y = sorted(base, cmp)", f"y = sorted(base, {len(server.requests)})"))

    filler = [f"text_{number} = [\n" + "    'some words on a line',\n" * 700 + "]" for number in (1, 2)]
    world.write("base = [3, 1]", *filler, "y = sorted(base, cmp)", "z = sorted(base, cmp)")
    server.script = [small]
    result = world.repair()
    assert [attempt.outcome for attempt in result.attempts] == ["worse"] * 3, result.attempts
    assert len(server.requests) == 4


def test_a_hanging_server_ends_with_the_notebooks_time(world: World, server: Server, say: Say) -> None:
    world.write("x = 3", OLD)
    server.script = [say("late", hang=20)]
    started = time.monotonic()
    result = world.repair(seconds=8)
    assert result.after is None
    assert time.monotonic() - started < 16
