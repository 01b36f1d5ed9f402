from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from modernizer.execution.outcome import CellError, CellRun
from modernizer.repair.outcome import Fix
from modernizer.report.advice import TODO, link
from modernizer.report.markdown import JOB_SUMMARY_BYTES, render_markdown
from modernizer.report.markdown_escape import cell, code, fence, prose
from modernizer.report.results import NotebookResult, RunResult
from modernizer.report.text import one_line, plain
from modernizer.verdict.outcome import Outcome, Reason

MARKDOWN = MarkdownIt("commonmark").enable("table")
# Text full of what markdown and GitHub give a meaning.
NASTY = st.text("`|\\<>&[]()*_~#@!:/-+=.1 \n\tawhtps$^{}\"'\u202e\x1b;", max_size=40) | st.text(max_size=40)


def tokens(text: str) -> list[Token]:
    return [inner for token in MARKDOWN.parse(text) for inner in ([token, *token.children] if token.children else [token])]


def test_the_report_says_what_happened(run: RunResult) -> None:
    text = render_markdown(run)
    assert "**3 of 9 notebooks end good; 1 repaired, 2 blocked, 1 drifted, 1 timed-out, 1 crashed, 1 broken**" in text
    assert "| `trees/forest.ipynb` | broken | reproduced | `accuracy` 0.9667 → \u2013 → 0.9667 (and 1 more) | 2 |" in text
    assert "[why](<https://scikit-learn.org/stable/whats_new/v0.18.html>)" in text
    assert "-from sklearn.cross_validation import train_test_split" in text
    assert "**What to do:** Put the data where the notebook looks for it" in text
    assert "No solution found: old-package==0.1 needs Python < 3" in text
    assert 'git apply "$OUT"/patches/trees/forest.ipynb.patch' in text
    assert "3 executions, 1 min 32 s in cells, 1 model call, 5,200 tokens in (4,000 cached), 310 out, \\$0.0123" in text
    assert (
        "| `e3f1` | 3.13.9 | numpy 2.5.5, pandas 3.1.1, scikit-learn 1.9.1 and 1 more | 2026-11-28T00:00:00Z | `aaaaaaaaaaaa` |"
        in text
    )


def test_tables_and_blocks_are_whole(run: RunResult) -> None:
    parsed = MARKDOWN.parse(render_markdown(run))
    rows = [token for token in parsed if token.type == "tr_open"]
    assert len(rows) == 10 + 3 + 2 + 3 + 3
    for opened, closed in (("table_open", "table_close"), ("ordered_list_open", "ordered_list_close")):
        assert sum(token.type == opened for token in parsed) == sum(token.type == closed for token in parsed)
    assert all(
        token.content in {"</details>\n", "</details>"} or token.content.startswith("<details><summary>")
        for token in parsed
        if token.type == "html_block"
    )


def test_hostile_text_stays_text(run: RunResult) -> None:
    parsed = tokens(render_markdown(run))
    links = [token.attrs["href"] for token in parsed if token.type == "link_open"]
    assert links == ["https://scikit-learn.org/stable/whats_new/v0.18.html"]
    assert not any(token.type in {"image", "html_inline"} for token in parsed)
    for token in parsed:
        if token.type == "text":
            assert not re.search(r"@\w|#\d|https?://|www\.", token.content)
    assert not any(line.strip().startswith("::") for line in render_markdown(run).splitlines())


@pytest.mark.parametrize(
    ("source", "origin", "linked"),
    [
        ("https://scikit-learn.org/stable/whats_new/v0.18.html#changes", "recipe:x", True),
        ("https://scikit-learn.org/stable/whats_new/v0.18.html", "model:x", False),
        ("https://scikit-learn.org.evil.example/", "recipe:x", False),
        ("https://scikit-learn.org@evil.example/", "recipe:x", False),
        ("https://numpy.org/x)[y](https://evil.example", "recipe:x", False),
        ("javascript:alert(1)", "recipe:x", False),
        ("", "recipe:x", False),
    ],
)
def test_only_pages_of_known_projects_are_linked(source: str, origin: str, linked: bool) -> None:  # noqa: FBT001
    assert (link(Fix("error-repair", origin, (), 1, "", source=source)) is not None) is linked


def test_every_reason_has_an_advice() -> None:
    assert set(TODO) == set(get_args(Reason)) - {""}
    run = RunResult(
        "2026-12-01T06:00:00Z",
        "",
        "",
        notebooks=tuple(NotebookResult(f"{reason}.ipynb", None, None, Outcome("blocked", reason)) for reason in TODO),
    )
    assert render_markdown(run).count("**What to do:**") == len(TODO)


@given(NASTY)
def test_prose_renders_to_its_text_and_nothing_else(text: str) -> None:
    inner = [token for token in tokens(str(prose(text))) if token.type not in {"paragraph_open", "paragraph_close", "inline"}]
    assert {token.type for token in inner} <= {"text"}
    shown = "".join(token.content for token in inner)
    assert re.sub(r"\s+", " ", shown.replace("\u200b", "")).strip() == re.sub(r"\s+", " ", one_line(text, 2000)).strip()
    assert not re.search(r"(?i)@\w|#\w|https?:|www\.", shown)


@given(NASTY)
def test_a_code_span_holds_exactly_the_text(text: str) -> None:
    line = one_line(text)
    inner = [token for token in tokens(f"x {code(text)} y") if token.type == "code_inline"]
    assert [token.content for token in inner] == ([line] if line else [])


@given(NASTY, NASTY)
def test_a_code_span_in_a_table_breaks_no_row(left: str, right: str) -> None:
    parsed = MARKDOWN.parse(f"|a|b|c|\n|---|---|---|\n| {cell(left)} | {cell(right)} | end |\n")
    cells = [parsed[index + 1] for index, token in enumerate(parsed) if token.type == "td_open"]
    assert len(cells) == 3
    assert cells[2].content == "end"
    for item, text in zip(cells, (left, right), strict=False):
        shown = "".join(token.content for token in item.children or ())
        assert shown == one_line(text).replace("\\|", "\\¦")


@given(NASTY, st.sampled_from(["text", "diff"]))
def test_a_fence_holds_exactly_the_text(text: str, language: str) -> None:
    parsed = MARKDOWN.parse(f"before\n\n{fence(text, language)}\n\nafter")
    assert [token.type for token in parsed[3:-3]] == ["fence"]
    assert parsed[3].info == language
    assert parsed[3].content == plain(text).rstrip("\n") + "\n"


def many(run: RunResult, count: int) -> RunResult:
    item = run.notebooks[0]
    return replace(run, notebooks=tuple(replace(item, path=f"folder/notebook-{index}.ipynb") for index in range(count)))


@pytest.mark.parametrize(("count", "limit"), [(2_000, JOB_SUMMARY_BYTES), (300, 65_536), (3_000, 65_536), (50, 6_000)])
def test_a_long_report_is_cut_between_sections(run: RunResult, count: int, limit: int) -> None:
    text = render_markdown(many(run, count), limit=limit)
    assert limit * 0.8 < len(text.encode()) <= limit
    assert text.count("```") % 2 == 0
    assert text.count("<details>") == text.count("</details>")
    assert "in report.html and results.json" in text


def test_what_needs_a_person_is_not_what_is_cut(run: RunResult) -> None:
    sections = re.findall(r"^## `+ ?([^`]+)", render_markdown(run), re.MULTILINE)
    assert sections.index("hostile.ipynb") < sections.index("trees/forest.ipynb") < sections.index("plain.ipynb")


def test_a_long_diff_is_cut_and_said_to_be(run: RunResult) -> None:
    item = run.notebooks[0]
    assert item.repair is not None
    lines = "".join(f'+    "x{index}",\n' for index in range(1000))
    patch = f"--- a/a.ipynb\n+++ b/a.ipynb\n@@ -0,0 +1,1000 @@\n{lines}"
    text = render_markdown(replace(run, notebooks=(replace(item, repair=replace(item.repair, patch=patch)),)))
    assert "602 more lines are in the patch." in text


def test_both_the_first_error_and_the_one_that_stands_are_shown(repaired: NotebookResult) -> None:
    stands = Outcome("broken", error=CellError(4, "AttributeError", "no attribute 'grid_scores_'"))
    text = render_markdown(RunResult("2026-12-01T06:00:00Z", "", "", notebooks=(replace(repaired, after=stands),)))
    assert "**First error:** cell 2, line 1: `ModuleNotFoundError" in text
    assert "**The error that stands after the repair:** cell 4: `AttributeError: no attribute 'grid_scores_'`" in text


def test_an_empty_run_and_one_without_sandbox_are_said_to_be() -> None:
    text = render_markdown(RunResult("2026-12-01T06:00:00Z", "", "modernizer check", sandbox="off", interrupted=True))
    assert "**No notebook was judged**" in text
    assert "The run was interrupted" in text
    assert "The sandbox was switched off" in text


def test_the_slowest_cells_of_a_timed_out_notebook_are_shown() -> None:
    profile = (CellRun(0, "ok", 1.0, 10**8), CellRun(3, "timed-out", 59.0, 2 * 10**9))
    result = NotebookResult("slow.ipynb", None, None, Outcome("timed-out"), profile=profile)
    text = render_markdown(RunResult("", "", "", notebooks=(result,)))
    assert "| cell 3 | 59 s | 2.0 GB | stopped |" in text
    assert "cell 0" not in text
    assert "slowest" not in render_markdown(RunResult("", "", "", notebooks=(replace(result, before=Outcome("ran")),)))
