from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from modernizer.errors import NotebookError
from modernizer.notebook import parse_notebook, read_notebook, text_form

Json = dict[str, Any]
HOLE = "@@ the source goes here @@"


def whole_lines(source: str) -> list[str]:
    lines = source.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + [lines[-1]] * bool(lines[-1])


def odd_pieces(source: str) -> list[str]:
    return [source[at : at + 3] for at in range(0, len(source), 3)]


def bare_lines(source: str) -> str | list[str]:
    """As early nbformat 3 writers did: line ends left out, so a line that ends in CR would be misread."""
    lines = source.split("\n")
    return whole_lines(source) if any(line.endswith("\r") for line in lines) else lines


@dataclass(frozen=True)
class Writer:
    """A program that writes notebooks in a style of its own."""

    indent: int | str | None = 1
    ensure_ascii: bool = False
    separators: tuple[str, str] | None = None
    sort_keys: bool = False
    escape_slash: bool = False
    newline: str = "\n"
    final_newline: bool = True
    bom: bool = False
    form: Callable[[str], str | list[str]] = whole_lines
    version: int = 4

    def write(self, sources: list[str], *, hole: int | None = None) -> bytes:
        """Write a notebook; the source of cell ``hole`` is one known string."""
        cells = [self.cell(number, HOLE if number == hole else self.form(source)) for number, source in enumerate(sources)]
        inside: Json = {"cells": cells} if self.version == 4 else {"worksheets": [{"cells": cells[:1]}, {"cells": cells[1:]}]}
        document = {"metadata": {"a/é": [1.50, "\U0001f600"]}, **inside, "nbformat": self.version, "nbformat_minor": 0}
        text = json.dumps(
            document, indent=self.indent, ensure_ascii=self.ensure_ascii, separators=self.separators, sort_keys=self.sort_keys
        )
        text = text.replace("/", r"\/") if self.escape_slash else text
        text = text.replace("\n", self.newline) + self.newline * self.final_newline
        return (("\ufeff" if self.bom else "") + text).encode("utf-8", "surrogatepass")

    def cell(self, number: int, source: str | list[str]) -> Json:
        kind = ["code", "markdown", "raw"][number % 3]
        key = "input" if self.version == 3 and kind == "code" else "source"
        outputs = {"outputs": [{"output_type": "stream", "name": "stdout", "text": ["source", "\n"]}]} if kind == "code" else {}
        return {"cell_type": kind, "metadata": {"source": ["decoy"]}, **outputs, key: source}


CHARACTERS = st.sampled_from(list("ab =#\"'\\/<&\t\n\n\né€\u2028\x0b\x7f\U0001f600"))
SOURCES = st.text(CHARACTERS, max_size=30)
# Shows how the writer treats everything it could be unsure of.
TELLTALE = "a = 'é/\u2028\x0b\x7f\U0001f600€'\nb\n"
STYLES = st.builds(
    Writer,
    indent=st.sampled_from([None, 0, 1, 2, 4, "\t"]),
    ensure_ascii=st.booleans(),
    separators=st.sampled_from([None, (",", ":"), (", ", ": ")]),
    sort_keys=st.booleans(),
    escape_slash=st.booleans(),
    newline=st.sampled_from(["\n", "\r\n"]),
    final_newline=st.booleans(),
    bom=st.booleans(),
    form=st.sampled_from([str, whole_lines]),
    version=st.sampled_from([3, 4]),
)


def sources_of(raw: bytes) -> list[str]:
    return [cell.source for cell in parse_notebook(raw, name="n.ipynb").cells]


@given(writer=STYLES, sources=st.lists(SOURCES, max_size=4))
def test_what_is_read_is_written_back_byte_for_byte(writer: Writer, sources: list[str]) -> None:
    raw = writer.write(sources)
    notebook = parse_notebook(raw, name="n.ipynb")
    assert notebook.to_bytes() == raw
    assert [cell.source for cell in notebook.cells] == sources
    assert notebook.with_sources(dict(enumerate(sources))) is notebook


@given(writer=STYLES, old=SOURCES, new=SOURCES)
@example(writer=Writer(), old="", new="a\nb")
@example(writer=Writer(), old="a\nb", new="")
@example(writer=Writer(indent=None, separators=(",", ":")), old="", new="a\nb")
@example(writer=Writer(separators=(", ", ": ")), old="a", new="a\nb")
def test_an_edited_file_is_what_its_own_writer_would_have_written(writer: Writer, old: str, new: str) -> None:
    before, after = writer.write([TELLTALE, old, TELLTALE]), writer.write([TELLTALE, new, TELLTALE])
    assert parse_notebook(before, name="n.ipynb").with_sources({1: new}).to_bytes() == after


@given(writer=STYLES, form=st.sampled_from([str, whole_lines, odd_pieces]), old=SOURCES, new=SOURCES, cell=st.integers(0, 2))
def test_an_edit_changes_nothing_outside_its_source(
    writer: Writer, form: Callable[[str], str | list[str]], old: str, new: str, cell: int
) -> None:
    writer = Writer(**{**vars(writer), "form": form, "version": 4})
    sources = ["x\ny", "é\n", "z"]
    sources[cell] = old
    before = writer.write(sources)
    edited = parse_notebook(before, name="n.ipynb").with_sources({cell: new})
    head, tail = writer.write(sources, hole=cell).split(json.dumps(HOLE).encode())
    assert before.startswith(head)
    assert edited.raw.startswith(head)
    assert edited.raw.endswith(tail)
    sources[cell] = new
    assert sources_of(edited.raw) == sources
    assert [found.source for found in edited.cells] == sources
    expected, found = json.loads(before.decode("utf-8-sig")), json.loads(edited.raw.decode("utf-8-sig"))
    for document in (expected, found):
        del document["cells"][cell]["source"]
    assert found == expected


@given(old=SOURCES, new=SOURCES)
def test_early_version_3_lists_without_line_ends_stay_readable(old: str, new: str) -> None:
    writer = Writer(version=3, form=bare_lines)
    before = writer.write([old, "x"])
    assert sources_of(before) == [old, "x"]
    edited = parse_notebook(before, name="n.ipynb").with_sources({0: new})
    assert sources_of(edited.raw) == [new, "x"]
    if old.count("\n") and new.count("\n") and not {old[-1], new[-1]} & {"\n"}:
        assert edited.raw == writer.write([new, "x"])


@given(writer=STYLES, sources=st.lists(SOURCES, min_size=3, max_size=3), news=st.lists(SOURCES, min_size=3, max_size=3))
def test_many_cells_edited_at_once_give_the_same_file_as_one_after_the_other(
    writer: Writer, sources: list[str], news: list[str]
) -> None:
    notebook = parse_notebook(writer.write([*sources, TELLTALE]), name="n.ipynb")
    at_once = notebook.with_sources(dict(enumerate(news)))
    one_by_one = notebook
    for index, new in enumerate(news):
        one_by_one = one_by_one.with_sources({index: new})
    assert [cell.source for cell in at_once.cells] == [cell.source for cell in one_by_one.cells] == [*news, TELLTALE]
    assert sources_of(at_once.raw) == sources_of(one_by_one.raw)


def one_cell(source: str, *, before: str = "") -> bytes:
    return f'{{"cells": [{before}{{"cell_type": "code", "source": {source}}}], "nbformat": 4, "nbformat_minor": 4}}'.encode()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(r'"a\u00e9\nb"', "aé\nc", r'"a\u00e9\nc"', id="an unchanged line keeps its escapes"),
        pytest.param(r'"\u0061\nb"', "a\nc", r'"\u0061\nc"', id="even needless ones"),
        pytest.param(r'"\u00E9\nb"', "é\nü", r'"\u00E9\n\u00FC"', id="new escapes have the old ones' case"),
        pytest.param(r'"\ud83d\ude00\nb"', "\U0001f600\n\U0001f601", r'"\ud83d\ude00\n\ud83d\ude01"', id="pairs"),
        pytest.param(r'"a\/b\nc"', "a/b\nd/", r'"a\/b\nd\/"', id="slashes"),
        pytest.param(r'"\u003cb\u003e\nc"', "<b>\n<i>", r'"\u003cb\u003e\n\u003ci\u003e"', id="markup"),
        pytest.param(r'"a\u000ab"', "a\nc\nd", r'"a\u000ac\u000ad"', id="line ends"),
        pytest.param(r'"é\nb"', "é\nü", r'"é\nü"', id="plain characters"),
        pytest.param(r'"a\r\nb\r\n"', "a\r\nc\r\n", r'"a\r\nc\r\n"', id="CRLF inside the source"),
        pytest.param('["a\\n", "b\\nc\\n", "d"]', "a\nb\nc\nD", '["a\\n", "b\\nc\\n", "D"]', id="two lines in one item"),
        pytest.param('["x = ", "1\\n", "y"]', "x = 1\nz", '["x = ", "1\\n", "z"]', id="a line in two items"),
        pytest.param('["x = ", "1\\n", "y"]', "x = 2\ny", '["x = 2\\n", "y"]', id="a changed line in two items"),
        pytest.param('[ "a\\n" ,"b\\n",  "c" ]', "a\nB\nc", '[ "a\\n" ,"B\\n",  "c" ]', id="uneven separators"),
        pytest.param('["a"]', "a\nb", '["a\\n", "b"]', id="a last line gets its line end"),
        pytest.param('["a\\n", "", "b"]', "a\nc", '["a\\n", "", "c"]', id="an empty item"),
        pytest.param('["a"]', "", "[]", id="emptied list"),
        pytest.param('"a"', "", '""', id="emptied string"),
        pytest.param('[\n "a\\n",\n "b"\n]', "b", '[\n "b"\n]', id="first line dropped"),
        pytest.param('[\n "b"\n]', "a\nb", '[\n "a\\n",\n "b"\n]', id="line put first"),
    ],
)
def test_a_changed_source_keeps_the_written_form_of_what_stays(old: str, new: str, expected: str) -> None:
    assert parse_notebook(one_cell(old), name="n.ipynb").with_sources({0: new}).raw == one_cell(expected)


def test_an_empty_string_becomes_a_list_where_all_other_sources_are_lists() -> None:
    other = '{"cell_type": "code", "source": ["x\\n", "y"]}, '
    edited = parse_notebook(one_cell('""', before=other), name="n.ipynb").with_sources({1: "a\nb"})
    assert edited.raw == one_cell('["a\\n", "b"]', before=other)


def test_the_first_source_of_an_indented_file_is_indented_like_the_rest() -> None:
    for writer in (
        Writer(indent=2),
        Writer(indent=2, separators=(", ", ": ")),
        Writer(indent=None),
        Writer(indent="\t", newline="\r\n"),
    ):
        for before in ("", "x"):
            notebook = parse_notebook(writer.write([before]), name="n.ipynb")
            assert notebook.with_sources({0: "a\nb"}).raw == writer.write(["a\nb"])


def test_half_a_surrogate_pair_survives_and_can_be_written() -> None:
    notebook = parse_notebook(one_cell(r'["é\n", "\ud800\n", "b"]'), name="n.ipynb")
    assert notebook.with_sources({0: "é\n\ud800\n\udfff"}).raw == one_cell(r'["é\n", "\ud800\n", "\udfff"]')


def test_of_repeated_keys_the_last_one_counts_and_is_edited() -> None:
    notebook = parse_notebook(one_cell('"first", "source": "last"'), name="n.ipynb")
    assert notebook.cells[0].source == "last"
    assert notebook.with_sources({0: "new"}).raw == one_cell('"first", "source": "new"')


def test_a_cell_that_does_not_exist_cannot_be_edited() -> None:
    with pytest.raises(KeyError, match="no cell 7"):
        parse_notebook(one_cell('"a"'), name="n.ipynb").with_sources({7: "b"})


def test_a_cell_without_source_is_read_as_empty_and_cannot_be_edited() -> None:
    notebook = parse_notebook(b'{"cells": [{"cell_type": "code"}], "nbformat": 4}', name="n.ipynb")
    assert notebook.cells[0].source == ""
    with pytest.raises(NotebookError, match="cell 0: the cell has no source"):
        notebook.with_sources({0: "a"})


MERGE = b'{"cells": [\n<<<<<<< HEAD\n], "nbformat": 4}'


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        pytest.param(b"", "the file is empty", id="empty"),
        pytest.param(b" \n", "the file is empty", id="blank"),
        pytest.param(b'{\n "cells": [}', r"not valid JSON: Expecting value at line 2, column 12", id="corrupt"),
        pytest.param(b'{"cells": [], "nbformat": 4', r"at line 1, column 28", id="cut off"),
        pytest.param(b'{"cells": [], "nbformat": 4}}', r"Extra data at line 1, column 29", id="more after the end"),
        pytest.param(b'{"cells" []}', r"Expecting ':' delimiter", id="no colon"),
        pytest.param(b'{"cells": [{} {}]}', r"Expecting ',' delimiter", id="no comma"),
        pytest.param(b"{cells: []}", r"Expecting property name", id="bare key"),
        pytest.param(b"[" * 200_000, "not readable as JSON", id="nested too deep"),
        pytest.param(b'{"nbformat": ' + b"9" * 5000 + b"}", "not readable as JSON", id="a number with 5000 digits"),
        pytest.param(b'{"cells": ["\xff"], "nbformat": 4}', "not UTF-8", id="not UTF-8"),
        pytest.param('{"cells": []}'.encode("utf-16"), "not UTF-8", id="UTF-16"),
        pytest.param(b"[1, 2]", "JSON, but not a notebook", id="a list"),
        pytest.param(b'{"a": 1}', "JSON, but not a notebook", id="another object"),
        pytest.param(b'{"cells": []}', "has no nbformat version", id="no version"),
        pytest.param(b'{"cells": [], "nbformat": true}', "has no nbformat version", id="version of a wrong type"),
        pytest.param(b'{"worksheets": [], "nbformat": 2}', "nbformat 2 is not supported", id="nbformat 2"),
        pytest.param(b'{"cells": [], "nbformat": 5}', "nbformat 5 is not supported", id="nbformat 5"),
        pytest.param(b'{"nbformat": 4}', "no list of cells", id="no cells"),
        pytest.param(b'{"nbformat": 4, "cells": {}}', "no list of cells", id="cells of a wrong type"),
        pytest.param(b'{"nbformat": 3}', "no list of worksheets", id="no worksheets"),
        pytest.param(b'{"nbformat": 4, "cells": [3]}', "no cell", id="a number for a cell"),
        pytest.param(b'{"nbformat": 4, "cells": [{"source": [1]}]}', "cell 0: the cell's source is not text", id="source type"),
        pytest.param(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git-lfs pointer", id="git-lfs"),
        pytest.param(MERGE, "merge conflicts", id="merge conflict"),
        pytest.param(b"<!DOCTYPE html><html>", "a web page", id="web page"),
    ],
)
def test_a_file_that_is_no_readable_notebook_is_named_with_its_trouble_and_a_remedy(raw: bytes, message: str) -> None:
    with pytest.raises(NotebookError, match=message) as caught:
        parse_notebook(raw, name="some/n.ipynb")
    assert str(caught.value).startswith("some/n.ipynb")
    assert caught.value.hint


def test_a_file_over_the_limit_is_refused_without_reading_it(tmp_path: Path) -> None:
    path = tmp_path / "big.ipynb"
    path.touch()
    os.truncate(path, 200_000_000_000)
    with pytest.raises(NotebookError, match="200,000 MB"):
        read_notebook(path, name="big.ipynb")
    path.write_bytes(one_cell('"a"'))
    with pytest.raises(NotebookError, match="limit"):
        read_notebook(path, name="big.ipynb", max_bytes=10)


def test_a_missing_file_a_folder_and_a_pipe_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(NotebookError, match=r"gone.ipynb: can't read the file: No such file"):
        read_notebook(tmp_path / "gone.ipynb", name="gone.ipynb")
    os.mkfifo(tmp_path / "pipe.ipynb")
    for path in (tmp_path, tmp_path / "pipe.ipynb"):
        with pytest.raises(NotebookError, match="not a regular file"):
            read_notebook(path, name="odd.ipynb")


VERSION_3 = {
    "metadata": {"name": "old", "signature": "x"},
    "nbformat": 3,
    "nbformat_minor": 0,
    "worksheets": [
        {
            "cells": [
                {"cell_type": "heading", "level": 2, "metadata": {}, "source": ["A\n", "title"]},
                {
                    "cell_type": "code",
                    "collapsed": False,
                    "input": ["import x\n", "x.y"],
                    "language": "python",
                    "metadata": {},
                    "outputs": [
                        {"output_type": "stream", "stream": "stderr", "text": ["a\n", "b"]},
                        {"output_type": "pyout", "prompt_number": 7, "text": ["1"], "html": "<b>", "png": "iVB", "metadata": {}},
                        {"output_type": "display_data", "json": '{"a": 1}', "metadata": {}},
                        {"output_type": "pyerr", "ename": "E", "evalue": "v", "traceback": ["t"]},
                    ],
                    "prompt_number": 7,
                },
            ]
        },
        {"cells": [{"cell_type": "markdown", "metadata": {}, "source": "text"}]},
    ],
}


def test_version_3_is_read_as_its_cells_and_outputs_are_today() -> None:
    notebook = parse_notebook(json.dumps(VERSION_3).encode(), name="n.ipynb")
    assert notebook.nbformat == (3, 0)
    assert [(cell.kind, cell.source) for cell in notebook.cells] == [
        ("heading", "A\ntitle"),
        ("code", "import x\nx.y"),
        ("markdown", "text"),
    ]
    assert notebook.language == "python"
    assert notebook.cells[1].execution_count == 7
    assert notebook.cells[1].outputs == (
        {"output_type": "stream", "name": "stderr", "text": "a\nb"},
        {
            "output_type": "execute_result",
            "data": {"text/plain": "1", "text/html": "<b>", "image/png": "iVB"},
            "metadata": {},
            "execution_count": 7,
        },
        {"output_type": "display_data", "data": {"application/json": {"a": 1}}, "metadata": {}},
        {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["t"]},
    )


def test_the_node_to_execute_is_valid_and_has_the_same_cells() -> None:
    notebook = parse_notebook(json.dumps(VERSION_3).encode(), name="n.ipynb")
    node = notebook.to_node()
    nbformat.validate(node)
    assert [(cell.cell_type, cell.source) for cell in node.cells] == [
        ("markdown", "## A title"),
        ("code", "import x\nx.y"),
        ("markdown", "text"),
    ]
    assert node.cells[1].outputs == list(notebook.cells[1].outputs)
    node.cells[1].outputs[0]["text"] = "changed"
    node.cells[1].source = "changed"
    assert notebook.cells[1].outputs[0]["text"] == "a\nb"


def test_odd_metadata_ids_and_tags_do_not_make_the_node_invalid() -> None:
    cells = [
        {"cell_type": "code", "id": "same", "metadata": {"tags": ["a", "a", "b,c"]}, "source": "", "outputs": None},
        {"cell_type": "markdown", "id": "same", "metadata": None, "source": "", "attachments": {"i.png": {"image/png": "x"}}},
        {"cell_type": "raw", "id": "not valid", "source": ["a", "b"]},
        {"cell_type": "from the future", "source": "x"},
        {"cell_type": "code", "execution_count": "*", "source": "", "outputs": [{}, 3, {"output_type": "stream"}]},
    ]
    raw = json.dumps({"cells": cells, "metadata": {"kernelspec": {"name": "k"}, "language_info": 3}, "nbformat": 4}).encode()
    notebook = parse_notebook(raw, name="n.ipynb")
    node = notebook.to_node()
    nbformat.validate(node)
    assert [cell.id for cell in node.cells] == ["same", "cell-1", "cell-2", "cell-3", "cell-4"]
    assert notebook.cells[0].tags == {"a", "b,c"}
    assert notebook.cells[4].execution_count is None
    assert notebook.cells[4].outputs == ({"output_type": "stream", "name": "stdout", "text": ""},)
    assert [cell.index for cell in notebook.code_cells] == [0, 4]


@pytest.mark.parametrize(
    ("metadata", "language", "kernel"),
    [
        ({}, "python", ""),
        ({"kernelspec": {"name": "python3", "language": "Python"}}, "python", "python3"),
        ({"kernelspec": {"name": "ir"}, "language_info": {"name": "R"}}, "r", "ir"),
        ({"kernelspec": {"name": "ir"}}, "r", "ir"),
        ({"kernelspec": {"name": "julia-1.0"}}, "julia", "julia-1.0"),
        ({"kernelspec": {"name": 3}, "language_info": []}, "python", ""),
        ({"language": "Julia"}, "julia", ""),
        ({"kernelspec": {"name": "x"}, "language_info": {"name": "ipython"}}, "python", "x"),
    ],
)
def test_language_and_kernel_come_from_the_metadata(metadata: Json, language: str, kernel: str) -> None:
    raw = json.dumps({"cells": [], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}).encode()
    notebook = parse_notebook(raw, name="n.ipynb")
    assert (notebook.language, notebook.kernel_name) == (language, kernel)


@pytest.mark.parametrize(
    ("metadata", "python2"),
    [
        ({"kernelspec": {"name": "python2"}}, True),
        ({"kernelspec": {"name": "py27"}, "language_info": {"name": "python", "version": "2.7.10"}}, True),
        ({"kernelspec": {"name": "python3"}, "language_info": {"name": "python", "version": "3.5.1"}}, False),
        ({"language_info": {"name": "R", "version": "2.15"}}, False),
        ({}, False),
    ],
)
def test_a_notebook_says_that_python_2_ran_it(metadata: Json, *, python2: bool) -> None:
    raw = json.dumps({"cells": [], "metadata": metadata, "nbformat": 4, "nbformat_minor": 0}).encode()
    assert parse_notebook(raw, name="n.ipynb").is_python2 is python2


def test_a_version_3_notebook_can_name_its_language_in_its_cells_only() -> None:
    cell = {"cell_type": "code", "language": "Ruby", "input": "", "outputs": []}
    raw = json.dumps({"nbformat": 3, "metadata": {}, "worksheets": [{"cells": [cell]}]}).encode()
    assert parse_notebook(raw, name="n.ipynb").language == "ruby"


def test_the_text_form_shows_every_cell_under_its_number_and_kind() -> None:
    notebook = parse_notebook(Writer().write(["a = 1\nb", "# Title\n", ""]), name="n.ipynb")
    assert text_form(notebook) == ("# %% [cell 0] code\na = 1\nb\n\n# %% [cell 1] markdown\n# Title\n\n# %% [cell 2] raw\n")
