from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hosted import World, broken
from markdown_it import MarkdownIt

from modernizer.environment.model import Lifted
from modernizer.github.body import harmless, title

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
        "2 notebooks that no longer hold",
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
    told = body.partition("asks for other versions")[2].partition("## Environments")[0]
    assert re.findall(r"^\| (.*) \| (.*) \| (.*) \|$", told, re.MULTILINE)[1:] == [
        ("`old/<b>.txt`", "`numpy<2`", "2.5.5"),
        ("`requirements.txt`", "`numpy==1.14.2`", "2.5.5"),
        ("`requirements.txt`", "`numpy?`", "2.5.5"),
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
