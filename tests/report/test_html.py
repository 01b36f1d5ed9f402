from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

import pytest

from modernizer.report.html import render_html
from modernizer.report.results import RunResult

VOID = {"meta", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    """Collects tags, addresses and text; complains about tags that don't match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_is_well_formed_and_says_what_happened(run: RunResult) -> None:
    page = Page(render_html(run))
    assert page.open == []
    assert page.tags.count("section") == 9 + 2
    for part in (
        "3 of 9 notebooks end good",
        "-from sklearn.cross_validation",
        "+from sklearn.model_selection",
        "What to do:",
        "numpy==2.5.5",
    ):
        assert part in page.text


def test_the_page_needs_nothing_from_elsewhere_and_runs_nothing(run: RunResult) -> None:
    text = render_html(run)
    page = Page(text)
    assert not {"script", "img", "link", "iframe", "object", "form", "base"} & set(page.tags)
    assert not any(name.startswith("on") or name in {"src", "style"} for _, name, _ in page.attributes)
    assert "url(" not in text
    assert ("meta", "content", "default-src 'none'; style-src 'unsafe-inline'") in page.attributes
    links = {value for _, name, value in page.attributes if name == "href" and not value.startswith("#")}
    assert links == {"https://scikit-learn.org/stable/whats_new/v0.18.html"}


def test_hostile_text_is_shown_as_it_is(run: RunResult) -> None:
    page = Page(render_html(run))
    assert "<script>alert(1)</script> @octocat" in page.text
    assert "\\u202e" in page.text
    assert "\u202e" not in page.text


def test_the_links_of_the_table_lead_to_the_sections(run: RunResult) -> None:
    page = Page(render_html(run))
    anchors = [value[1:] for _, name, value in page.attributes if name == "href" and value.startswith("#")]
    assert len(anchors) == 9
    assert set(anchors) <= {value for _, name, value in page.attributes if name == "id"}


@pytest.mark.parametrize("sandbox", ["off", ""])
def test_an_empty_run_has_a_page(run: RunResult, sandbox: str) -> None:
    page = Page(render_html(replace(run, notebooks=(), environments=(), interrupted=True, sandbox=sandbox)))
    assert "No notebook was judged" in page.text
    assert ("The sandbox was switched off" in page.text) is (sandbox == "off")
