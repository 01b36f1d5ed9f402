"""Fonts of plotly's titles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "go.Layout(xaxis=dict(title='b', titlefont=dict(size=3)))",
            "go.Layout(xaxis=dict(title=dict(text='b', font=dict(size=3))))",
        ),
        ("dict(titlefont=f, side='left')", "dict(title=dict(font=f), side='left')"),
        ("{'title': 'b', 'titlefont': {'size': 3}}", "{'title': {'text': 'b', 'font': {'size': 3}}}"),
        ("{'titlefont': f, 'side': 'left'}", "{'title': {'font': f}, 'side': 'left'}"),
        ("dict(title='a', titleside='right', x=1)", "dict(title=dict(text='a', side='right'), x=1)"),
        ("{'titleside': 'top', 'titlefont': f}", "{'title': {'font': f, 'side': 'top'}}"),
        ("dict(title=dict(text='b'), titlefont=f)", "dict(title=dict(text='b'), titlefont=f)"),
        ("dict(tickfont=f)", "dict(tickfont=f)"),
    ],
)
def test_the_font_of_a_plotly_title_is_part_of_it(
    rewrite: Callable[..., Any], failure: Callable[..., Any], before: str, after: str
) -> None:
    refused = failure("ValueError", "Invalid property specified for object of type plotly.graph_objs.layout.XAxis: 'titlefont'")
    assert rewrite(f"layout = {before}", recipe="plotly-title-font", failure=refused) == f"layout = {after}"
    assert rewrite(f"layout = {before}", recipe="plotly-title-font") == f"layout = {before}"
