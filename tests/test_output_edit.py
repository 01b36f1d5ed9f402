from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modernizer.errors import NotebookError
from modernizer.notebook import parse_notebook
from modernizer.output_edit import with_outputs

STREAM = {"output_type": "stream", "name": "stdout", "text": "one\ntwo\n"}


def document(*cells: dict[str, Any]) -> dict[str, Any]:
    return {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 2}


def code(source: str, outputs: list[Any] | None = None) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": 7, "metadata": {"k": "é"}, "outputs": outputs or [], "source": [source]}


def test_outputs_are_written_the_way_the_file_is() -> None:
    raw = json.dumps(document(code("a"), {"cell_type": "markdown", "metadata": {}, "source": "t"}, code("b")), indent=1)
    new = with_outputs(parse_notebook(raw.encode(), name="n"), {2: [STREAM]}).to_bytes().decode()
    expected = json.loads(raw)
    stored = {"name": "stdout", "output_type": "stream", "text": ["one\n", "two\n"]}
    expected["cells"][0] |= {"execution_count": None}
    expected["cells"][2] |= {"execution_count": 1, "outputs": [stored]}
    assert new == json.dumps(expected, indent=1)


TEXT = st.text(max_size=20)
RESULTS = st.one_of(
    st.builds(lambda text: {"output_type": "stream", "name": "stdout", "text": text}, TEXT),
    st.builds(
        lambda text, value: {
            "output_type": "execute_result",
            "metadata": {},
            "data": {"text/plain": text, "application/json": value},
            "execution_count": 99,
        },
        TEXT,
        st.recursive(st.none() | st.integers() | TEXT, st.lists, max_leaves=4),
    ),
)


@given(
    st.lists(st.tuples(TEXT, st.lists(RESULTS, max_size=2)), min_size=1, max_size=4),
    st.lists(RESULTS, max_size=3),
    st.sampled_from([None, 1, 2, "\t"]),
    st.booleans(),
)
def test_only_outputs_and_counts_change(cells: Any, outputs: Any, indent: Any, escaped: bool) -> None:  # noqa: ANN401, FBT001 (drawn)
    raw = json.dumps(document(*(code(*cell) for cell in cells)), indent=indent, ensure_ascii=escaped).encode()
    before = parse_notebook(raw, name="n")
    after = with_outputs(before, {0: outputs})
    assert [cell.source for cell in after.cells] == [cell.source for cell in before.cells]
    given_data = [(one.get("text"), one.get("data")) for one in outputs]
    assert [(one.get("text"), one.get("data")) for one in after.cells[0].outputs] == given_data
    assert after.cells[0].execution_count == 1
    assert all(cell.execution_count is None and not cell.outputs for cell in after.cells[1:])
    old, new = json.loads(raw), json.loads(after.to_bytes())
    for one in (*old["cells"], *new["cells"]):
        one["outputs"], one["execution_count"] = [], None
    assert json.dumps(old) == json.dumps(new)
    # What has been stored once is stored again byte for byte.
    assert with_outputs(after, {0: outputs}).to_bytes() == after.to_bytes()


def test_other_formats_are_refused_with_advice() -> None:
    old = {"worksheets": [{"cells": []}], "metadata": {}, "nbformat": 3, "nbformat_minor": 0}
    with pytest.raises(NotebookError, match="nbformat 4"):
        with_outputs(parse_notebook(json.dumps(old).encode(), name="n"), {})
