from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from modernizer.action.runner_files import RunnerFiles, commands_stopped, mask, outputs
from modernizer.errors import ModernizerError
from modernizer.publish import PullRequest
from modernizer.report.results import NotebookResult, RunResult
from modernizer.verdict.outcome import Outcome, Verdict

ACTION = yaml.safe_load(Path(__file__).parents[2].joinpath("action.yml").read_text(encoding="utf-8"))
_LINES = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=40)


def run_of(*verdicts: Verdict) -> RunResult:
    results = (NotebookResult(f"n{index}.ipynb", None, None, Outcome(verdict)) for index, verdict in enumerate(verdicts))
    return RunResult("2026-12-01T06:00:00Z", "2026-12-01T06:00:01Z", "x", notebooks=tuple(results))


def as_the_runner_reads(text: str) -> dict[str, str]:
    """Read an outputs file as the runner does."""
    read: dict[str, str] = {}
    lines = text.split("\n")
    while lines and (line := lines.pop(0)):
        name, _, delimiter = line.partition("<<")
        end = lines.index(delimiter)
        read[name] = "\n".join(lines[:end])
        del lines[: end + 1]
    return read


def test_the_action_declares_the_outputs_that_are_written() -> None:
    assert set(outputs(run_of("ran"), ".modernizer")) == set(ACTION["outputs"])


def test_outputs_count_and_point_into_the_workspace() -> None:
    written = outputs(run_of("ran", "ran", "broken"), "out", PullRequest(7, "https://example.org/7"))
    assert (written["ran"], written["broken"], written["good"], written["total"], written["repaired"]) == (
        "2",
        "1",
        "2",
        "3",
        "0",
    )
    assert (written["report"], written["results"]) == ("out/report.md", "out/results.json")
    assert (written["pull-request-number"], written["pull-request-url"]) == ("7", "https://example.org/7")
    assert written["badge-message"] == "2/3 run, 2026-12-01"
    assert written["cost-usd"] == "0.0000"
    assert outputs(run_of(), "out")["pull-request-number"] == ""


@given(value=_LINES)
def test_no_value_ends_early_or_names_another_output(value: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    hostile = f"{value}\nEOF\nend-0\nbadge-message<<end-0\nforged\nend-0"
    file = tmp_path_factory.mktemp("out") / "output"
    RunnerFiles(file, None).set_outputs({"report": hostile, "good": "1"})
    assert as_the_runner_reads(file.read_text(encoding="utf-8")) == {"report": hostile, "good": "1"}


def test_a_symbolic_link_in_place_of_the_runners_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("", encoding="utf-8")
    (tmp_path / "output").symlink_to(tmp_path / "target")
    with pytest.raises(ModernizerError, match="runner's file"):
        RunnerFiles(tmp_path / "output", None).set_outputs({"good": "1"})
    assert (tmp_path / "target").read_text(encoding="utf-8") == ""


def test_the_summary_stays_below_what_github_takes(tmp_path: Path) -> None:
    file = tmp_path / "summary"
    file.write_text("x" * 500_000, encoding="utf-8")
    RunnerFiles(None, file).add_summary(run_of(*["broken"] * 5000))
    assert 500_000 < file.stat().st_size <= 1024 * 1024


def test_without_the_runners_files_nothing_is_written() -> None:
    files = RunnerFiles.of({"GITHUB_OUTPUT": ""})
    files.set_outputs({"good": "1"})
    files.add_summary(run_of("ran"))
    assert files == RunnerFiles(None, None)


def test_commands_are_stopped_with_a_token_of_its_own_even_when_the_work_fails() -> None:
    said: list[str] = []
    with pytest.raises(ValueError, match="x"), commands_stopped(said.append):
        raise ValueError("x")
    first, last = said
    token = first.removeprefix("::stop-commands::")
    assert last == f"::{token}::"
    assert len(token) == 64


def test_every_line_of_a_secret_is_masked() -> None:
    said: list[str] = []
    mask(["one\n\n two%0A"], said.append)
    assert said == ["::add-mask::one", "::add-mask:: two%250A"]
