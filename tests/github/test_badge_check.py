from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from forge import REPOSITORY, TOKEN, Refusal
from hosted import World, git

from modernizer.action.job import run_action
from modernizer.github.badge_check import Checked, check_badge
from modernizer.github.context import Context
from modernizer.github.explain import GitHubError

BRANCH = "modernizer-badge"
RAN = datetime(2026, 12, 1, 6, 1, tzinfo=UTC)
FRESH, OUTDATED, FAILED = "1/3 run, 2026-12-01", "1/3 run, 2026-12-01, outdated", "1/3 run, 2026-12-01, last run failed"


def context(run: str = "7", *, cron: str = "", branch: str = "main") -> Context:
    payload = {"schedule": cron} if cron else {}
    return Context(REPOSITORY, "schedule" if cron else "push", branch, "main", run_id=run, payload=payload)


def later(world: World, days: float, run: str = "8", **more: object) -> Checked:
    return check_badge(world.client, context(run), RAN + timedelta(days=days), **more)  # type: ignore[arg-type]


def badge(world: World) -> tuple[str, str]:
    shown = json.loads(world.file(BRANCH, "badge.json"))
    assert f"<title>notebooks: {shown['message']}</title>".encode() in world.file(BRANCH, "badge.svg")
    return shown["message"], shown["color"]


@pytest.mark.parametrize(
    ("cron", "allowed"), [("17 5 * * 1", 7), ("0 6 * * *", 1), ("0 0 1 * *", 31), ("", 31), ("not a schedule", 31)]
)
def test_a_badge_is_grey_once_its_run_is_older_than_the_schedule_and_two_days(world: World, cron: str, allowed: int) -> None:
    world.post(context=context(cron=cron))
    head = world.forge.head(BRANCH)
    assert later(world, allowed + 1.9) == Checked(FRESH, written=False, note="the badge holds")
    assert world.forge.head(BRANCH) == head
    assert later(world, allowed + 2.1).written
    assert badge(world) == (OUTDATED, "lightgrey")
    head = world.forge.head(BRANCH)
    assert not later(world, allowed + 3).written
    assert world.forge.head(BRANCH) == head


def test_the_days_can_be_named(world: World) -> None:
    world.post(context=context(cron="0 0 1 * *"))
    assert later(world, 5, stale_after=timedelta(days=4)).message == OUTDATED
    assert later(world, 5, stale_after=timedelta(days=6)).message == FRESH
    assert badge(world) == (FRESH, "red")


def test_a_run_by_hand_keeps_the_schedule_in_force(world: World) -> None:
    world.post(context=context(cron="17 5 * * 1"))
    world.commit({"note.txt": b"x"})
    world.post(world.run(), context=context("9"))
    assert later(world, 8.9).message == FRESH
    assert later(world, 9.1).message == OUTDATED


def test_a_run_that_failed_without_results_greys_the_badge_until_the_next_one(world: World) -> None:
    world.post()
    assert later(world, 1, failed=True).written
    assert badge(world) == (FAILED, "lightgrey")
    assert not later(world, 1.1, failed=True).written
    assert later(world, 1.2, "9").message == FAILED
    lines = [json.loads(line) for line in world.file(BRANCH, "history.jsonl").splitlines()]
    assert [line.get("failed", False) for line in lines] == [False, True]
    world.commit({"note.txt": b"x"})
    world.post(context=context("10"))
    assert badge(world) == (FRESH, "red")


def test_a_run_that_wrote_the_badge_and_failed_afterwards_did_not_fail_without_results(world: World) -> None:
    world.post(context=context("7"))
    assert later(world, 0.1, "7", failed=True) == Checked(FRESH, written=False, note="the badge holds")


def test_a_run_that_was_cut_short_counts_as_failed(world: World) -> None:
    world.post()
    world.commit({"note.txt": b"x"})
    posted = world.post(world.run(interrupted=True), context=context("9"))
    assert any("cut short" in note for note in posted.notes)
    assert badge(world) == (FAILED, "lightgrey")


def test_the_badge_of_a_newer_run_is_not_replaced(world: World) -> None:
    older = world.run()
    world.post(world.run(finished="2026-12-02T06:00:00+00:00"))
    assert not world.post(older).badge
    assert badge(world)[0].endswith("2026-12-02")


def test_without_a_badge_and_off_the_default_branch_nothing_is_written(world: World) -> None:
    assert later(world, 99).note == "there is no badge yet"
    world.post()
    assert "default branch only" in check_badge(world.client, context(branch="work"), RAN + timedelta(days=99)).note
    assert badge(world) == (FRESH, "red")


def test_a_damaged_history_is_read_as_far_as_it_goes(world: World) -> None:
    world.post()
    for line in (
        "{",
        "[]",
        '{"finished": "yesterday"}',
        '{"finished": 1}',
        '{"finished": "2026-12-01", "verdicts": {"ran": "x"}}',
    ):
        world.push(BRANCH, "history.jsonl", world.file(BRANCH, "history.jsonl") + f"{line}\n".encode())
    assert later(world, 99).message == OUTDATED


@pytest.mark.parametrize("secret", [TOKEN, ""])
def test_the_action_judges_the_badge_without_a_checkout(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str], secret: str
) -> None:
    world.post(context=context(cron="17 5 * * 1"))
    workspace = tmp_path / "empty"
    workspace.mkdir()
    environ = environment(world, workspace, INPUT_MODE="badge", INPUT_FAILED="true")
    code = run_action(environ, {"INPUT_TOKEN": secret})
    printed = capsys.readouterr().out
    assert code == (0 if secret else 2)
    assert ("the badge was judged again: 1/3 run, 2026-12-01, " in printed) == bool(secret)
    assert ("needs a token" in printed) == (not secret)
    assert badge(world)[1] == ("lightgrey" if secret else "red")


def environment(world: World, workspace: Path, **more: str) -> dict[str, str]:
    event = workspace.parent / "event.json"
    event.write_text(json.dumps({"schedule": "43 4 * * *"}), encoding="utf-8")
    return {
        "GITHUB_WORKSPACE": str(workspace),
        "GITHUB_OUTPUT": str(workspace.parent / "output"),
        "GITHUB_EVENT_NAME": "schedule",
        "GITHUB_EVENT_PATH": str(event),
        "GITHUB_REF": "refs/heads/main",
        "GITHUB_REPOSITORY": REPOSITORY,
        "GITHUB_API_URL": world.forge.address,
        "GITHUB_RUN_ID": "12",
        **more,
    }


def test_a_job_that_does_everything_greys_the_badge_when_its_run_fails(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world.post()
    workspace = tmp_path / "work"
    git(tmp_path, "clone", "-q", str(world.forge.git_dir), str(workspace))
    (workspace / ".modernizer.yml").write_text("jbos: 2\n", encoding="utf-8")
    assert run_action(environment(world, workspace, INPUT_MODE="all"), {"INPUT_TOKEN": TOKEN}) == 2
    assert badge(world) == (FAILED, "lightgrey")
    assert "jobs" in capsys.readouterr().out
    world.forge.refusals.append(Refusal("GET", ".*", 403, {"message": "Resource not accessible by integration"}))
    assert run_action(environment(world, workspace, INPUT_MODE="all"), {"INPUT_TOKEN": TOKEN}) == 2
    assert "lacks the permission" in capsys.readouterr().out


def test_a_token_that_may_not_write_is_told(world: World) -> None:
    world.post()
    world.forge.refusals.append(Refusal("POST", "/git/trees", 403, {"message": "Resource not accessible by integration"}))
    with pytest.raises(GitHubError, match="contents: write"):
        later(world, 99)
