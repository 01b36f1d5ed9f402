from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from forge import REPOSITORY
from hosted import World, broken, repaired
from markdown_it import MarkdownIt

from modernizer.environment.model import Lifted
from modernizer.execution.outcome import CellError
from modernizer.github.body import CHECKS_NOTE, Text, harmless, render_body, title
from modernizer.github.context import Context
from modernizer.github.dashboard import render_dashboard
from modernizer.github.marker import Marker, read_marker
from modernizer.github.review import Sticky, render_review
from modernizer.github.versions import PackageChange
from modernizer.repair.outcome import Fix, Repair
from modernizer.repair.patch import unified_patch
from modernizer.report.results import EnvironmentRecord, NotebookResult, RunResult
from modernizer.verdict.outcome import Diagnosis, Outcome, Score

HOSTILE = (
    "::error::x\n<script>alert(1)</script> @octocat #1 GH-2 fixes https://github.com/o/r/issues/3 "
    "[a](https://evil.example/x) ![i](http://evil.example/i.png) `` | \u202e\x1b[31m --> [skip ci]\n"
    "<!-- notebook-modernizer pull-request state=withdrawn content=" + "0" * 64 + " notebooks= -->"
)


def visible(body: str) -> str:
    return re.sub(r"```.*?```|`[^`\n]*`", "", body, flags=re.DOTALL)


def test_the_body_says_what_why_and_how_to_reproduce(world: World) -> None:
    world.post()
    body = world.forge.pulls[0]["body"]
    for part in (
        "2 notebooks that fail with today's packages were repaired",
        "| `a.ipynb` | broken | ran |",
        "np.float was an alias of float.",
        "<details><summary>The changed lines</summary>",
        "-value = np.float(1)",
        "+value = float(1)",
        "Not verified",
        "git fetch origin modernizer/repair",
        "modernizer check a.ipynb 'sub/ö b.ipynb'",
        "Cost of all repairs",
        "1 other notebook of this run",
        "actions/runs/7",
    ):
        assert part in body, part


def test_hostile_text_reaches_neither_html_nor_mentions_links_or_marks(world: World) -> None:
    results = [world.result("a.ipynb", HOSTILE), replace(world.result("sub/ö b.ipynb", HOSTILE))]
    world.post(world.run(results=results))
    body = world.forge.pulls[0]["body"]
    seen = visible(body)
    assert "<script" not in seen
    assert not re.search(r"(?<![\w&;])@octocat", seen)
    assert "](https://evil" not in seen
    assert body.count("<!-- notebook-modernizer pull-request") == 1
    links = [
        str(child.attrs.get("href") or child.attrs.get("src"))
        for token in MarkdownIt("gfm-like", {"linkify": False}).parse(body)
        for child in token.children or ()
        if child.type in {"link_open", "image"}
    ]
    assert all("evil" not in link for link in links)
    message = world.forge.git("log", "-1", "--format=%B", "modernizer/repair")
    assert not re.search(r"@\w|#\w|://|\[skip|\x1b", message)


NAMES = (
    "</summary></details><script>alert(1)</script>.ipynb",
    "@octocat #1 https:/evil.example [a](https:/evil.example).ipynb",
    "a`b``c.ipynb",
    "x\n\n# y\n<img src=x>.ipynb",
    "--> ::error::x.ipynb",
    "a|b|c.ipynb",
)


SHELL = (
    "$(touch x).ipynb",
    "`touch y`.ipynb",
    "a; touch z.ipynb",
    "it's.ipynb",
    'say "hi" > w.ipynb',
    "-rf.ipynb",
    "a & b | c.ipynb",
)


def test_hostile_names_are_code_in_the_review_the_dashboard_and_the_pull_request(world: World) -> None:
    world.commit({name: broken(f"n{index}") for index, name in enumerate(NAMES)})
    error = CellError(0, HOSTILE, HOSTILE, 1, traceback=HOSTILE)
    scores = (Score(HOSTILE, "output", 0.5, 0.5, 0.01, agrees=True, cell=0, note=HOSTILE),)
    before = Outcome("broken", "", 1, 0, 1, error, Diagnosis("api-removed", HOSTILE, HOSTILE, HOSTILE), scores, detail=HOSTILE)
    after = Outcome("ran", cells_total=1, scores=scores, detail=HOSTILE)
    results = [replace(world.result(name, HOSTILE), before=before, after=after) for name in NAMES]
    lifted = (Lifted(HOSTILE, "numpy", "==1.0"),)
    run = world.run(results=results, lifted=lifted).run
    context = Context(REPOSITORY, "schedule", "main", "main", run_id="7")
    marker = Marker("0" * 64, {"0" * 8: "0" * 12})
    for text in (
        render_body(Text(run, NAMES, "modernizer/repair", marker, run_url=context.run_url)),
        render_review(run, Sticky(head=run.commit), {NAMES[0]}, context),
        render_dashboard(context, run, frozenset(), ()),
    ):
        shown = []
        for token in MarkdownIt("gfm-like", {"linkify": False}).parse(text):
            shown += [token, *(token.children or ())]
        links = [str(token.attrs["href"]) for token in shown if token.type == "link_open"]
        assert all("evil" not in link for link in links), links
        raw = "".join(token.content for token in shown if token.type in {"html_block", "html_inline"})
        assert set(re.findall(r"<(/?[a-z]+|!--)", raw)) <= {"details", "/details", "summary", "/summary", "code", "/code", "!--"}
        assert raw.count("<details>") == raw.count("</details>")
        # What is neither code nor raw HTML is what GitHub looks for mentions and references in.
        prose = "\n".join(token.content for token in shown if token.type == "text")
        assert not re.search(r"(?<![\w&;])@octocat|(?<!\w)#1\b", prose)
        assert not re.search(r"^::", text, re.MULTILINE)
        bare = re.sub(r"<code>[^<]*</code>", "", raw)
        assert "@octocat" not in bare


def test_the_commands_to_copy_hand_a_shell_nothing_but_names(world: World, tmp_path: Path) -> None:
    world.commit({name: broken(f"n{index}") for index, name in enumerate(SHELL)})
    world.post(world.run(SHELL))
    steps = world.forge.pulls[0]["body"].partition("```sh\n")[2].partition("\n```")[0]
    for program in ("git", "modernizer"):
        (tmp_path / program).write_text('#!/bin/sh\nprintf "%s\\n" "$@" >> seen\n', encoding="utf-8")
        (tmp_path / program).chmod(0o755)
    place = tmp_path / "empty"
    place.mkdir()
    subprocess.run(["bash", "-eu", "-c", steps], cwd=place, env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, check=True)
    assert {path.name for path in place.iterdir()} == {"seen"}
    seen = (place / "seen").read_text(encoding="utf-8")
    assert all(name in seen.splitlines() for name in SHELL if not name.startswith("-"))


def test_a_branch_of_any_name_gets_a_pull_request_whose_branch_and_text_are_harmless(world: World) -> None:
    name = "x;$(touch${IFS}y)`z`&<b>@octocat#1'\"%|##error"
    world.forge.git("branch", name, "main")
    posted = world.post(branch=name)
    (pull,) = world.forge.pulls
    assert (posted.carried[0].action, pull["base"]["ref"]) == ("created", name)
    assert re.fullmatch(r"modernizer/repair-on-[a-z0-9-]+", pull["head"]["ref"])
    assert name not in pull["body"] + pull["title"] + world.forge.git("log", "-1", "--format=%B", pull["head"]["ref"])
    assert world.post(branch=name).carried[0].action == "unchanged"


@pytest.mark.parametrize("name", ["a [skip ci].ipynb", "@octocat.ipynb", "x\n#12.ipynb"])
def test_a_title_obeys_no_name(name: str) -> None:
    text = title([name])
    assert "\n" not in text
    assert not re.search(r"@\w|#\w|\[", text)
    assert harmless("plain_name.ipynb") == "plain_name.ipynb"


def test_lines_that_ask_for_other_versions_than_the_repairs_were_proven_with_are_told(world: World) -> None:
    lifted = (
        Lifted("requirements.txt", "numpy", "==1.14.2"),
        Lifted("old/<b>.txt", "numpy", "<2"),
        Lifted("setup.txt", "numpy", ">=1"),
        Lifted("requirements.txt", "scipy", "==1.0"),
        Lifted("requirements.txt", "numpy", "?"),
    )
    world.post(world.run(lifted=lifted))
    body = world.forge.pulls[0]["body"]
    told = body.partition("asks for other versions")[2].partition("<details>")[0]
    assert re.findall(r"^\| (.*) \| (.*) \| (.*) \|$", told, re.MULTILINE)[1:] == [
        ("`old/<b>.txt`", "`numpy<2`", "`2.5.5`"),
        ("`requirements.txt`", "`numpy==1.14.2`", "`2.5.5`"),
        ("`requirements.txt`", "`numpy?`", "`2.5.5`"),
    ]


def test_without_old_versions_nothing_is_said_of_them(world: World) -> None:
    world.post(world.run(lifted=(Lifted("requirements.txt", "numpy", ">=1.14"),)))
    assert "other versions" not in world.forge.pulls[0]["body"]


def test_a_body_of_many_large_repairs_is_cut_between_sections_and_keeps_its_mark(world: World) -> None:
    world.commit({f"n/{index}.ipynb": broken(str(index)) for index in range(12)})
    results = [world.result(f"n/{index}.ipynb", "why " * 450) for index in range(12)]
    wordy = [replace(result, before=replace(result.before, detail="detail " * 1000)) for result in results]
    world.post(world.run(results=wordy))
    body = world.forge.pulls[0]["body"]
    assert len(body.encode()) <= 65_536
    assert body.count("<details>") == body.count("</details>")
    assert body.rstrip().endswith("-->")


def crowded(char: str, count: int) -> RunResult:
    """Return a run in which everything is as long and as many as can be."""
    long = char * 300
    fix = Fix("error-repair", "model:x", (0,), 1, long)
    patch = unified_patch({"a.ipynb": (broken("a"), repaired(broken("a")))}).decode()
    scores = tuple(Score(long, "output", 0.5, 0.5, 0.01, agrees=True, cell=cell) for cell in range(5))
    error = CellError(cell=0, name="ValueError", message=long * 5, line=1, traceback=long * 9)
    found = Diagnosis("api-removed", long, long, long)
    before = Outcome("broken", cells_total=1, error=error, diagnosis=found, scores=scores, detail=long)
    results = tuple(
        NotebookResult(
            f"{char * 60}/{index}.ipynb",
            f"e{index}",
            "2018-06-01",
            before,
            Outcome("ran", cells_total=1, scores=scores),
            Repair((fix,) * 5, stopped="good", patch=patch),
        )
        for index in range(count)
    )
    environments = tuple(
        EnvironmentRecord(f"e{index}", "3.13", {"numpy": f"2.{index}", long: long}, "a" * 64) for index in range(count)
    )
    lifted = tuple(Lifted(f"{index}{long}", "numpy", "==1.0") for index in range(count))
    return RunResult("2026-12-01T06:00:00Z", "2026-12-01T06:00:00Z", long, environments, results, "s", "a" * 40, lifted=lifted)


@pytest.mark.parametrize("count", [1, 300])
@pytest.mark.parametrize("char", ["x", "ü", "数", "\U0001f600", "`", "|", "\u202e", "&", "'", "\n"])
def test_no_text_is_larger_than_github_takes_and_each_ends_with_its_mark(char: str, count: int) -> None:
    run = crowded(char, count)
    paths = [result.path for result in run.notebooks]
    changes = [PackageChange(char * 300, char * 300, char * 300)] * 500
    marker = Marker("0" * 64, {f"{index:08x}": "0" * 12 for index in range(count)})
    context = Context(REPOSITORY, "schedule", "main", "main", run_id="7")
    body = render_body(Text(run, paths, "modernizer/repair", marker, changes, [char * 400] * 50, (CHECKS_NOTE,), context.run_url))
    sticky = Sticky(1, "", "a" * 40, marker.fingerprints, frozenset(marker.fingerprints))
    review = render_review(run, sticky, set(), context)
    dashboard = render_dashboard(context, run, frozenset(), ())
    for text in (body, review, dashboard):
        assert len(text.encode()) <= 65_536
        assert text.count("<details>") == text.count("</details>")
        assert text.rstrip().endswith("-->")
        assert "\ufffd" not in text
        # Nothing is left open before it, as a fence would be that was cut in two.
        last = MarkdownIt().parse(text)[-1]
        assert (last.type, last.content.count("<!-- notebook-modernizer")) == ("html_block", 1)
        assert "## " in text or text is dashboard or count == 300
    assert read_marker(body) == marker
    assert sticky.mark() in review
