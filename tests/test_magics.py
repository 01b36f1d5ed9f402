from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modernizer.magics import mask

LINES = st.sampled_from(
    [
        "%matplotlib inline",
        "  %timeit -n 3 f(x)",
        "!ls -l \\",
        "    --all",
        "x = !ls",
        "x = %sql select 1",
        "np.mean?",
        "?print",
        "# why?",
        "a = b % c",
        "     % (a, b))",
        "x != y",
        "text = '''",
        "what is %s?'''",
        "print('100 %')",
        "",
        "%%time",
        "\r",
    ]
)


@given(st.lists(LINES | st.text(max_size=20)).map("\n".join))
def test_unmasking_gives_the_source_back(source: str) -> None:
    masked = mask(source)
    if masked is not None:
        assert masked.unmask(masked.code) == source


@given(st.lists(LINES).map("\n".join))
def test_lines_keep_their_numbers(source: str) -> None:
    masked = mask(source)
    if masked is not None:
        assert masked.code.count("\n") == source.count("\n")


@pytest.mark.parametrize(
    "source",
    [
        "%matplotlib inline\nimport numpy as np",
        "%%time\nx = 1\n",
        "\n%%capture out\nx = 1\n",
        "if x:\n    %time y = f(x)\n    !ls\nelse:\n    files = !ls *.csv\n",
        "!pip install \\\n  numpy \\\n  pandas\nx = 1",
        "x = ('%d'\n     % y)",
        "df.head?\n??df\nlist_of.things[0]?",
        "for i in y:\n    # why is this?\n    pass",
        "a, b = %lsmagic",
        "assert x != y",
        "%time",
        "plt.plot(x)\n;",
        "% matplotlib inline\nx = 1\nif x:\n    %  load_ext autoreload  # again",
        "%%timeit -n 10 setup()\nf()",
    ],
)
def test_python_around_magics_parses(source: str) -> None:
    masked = mask(source)
    assert masked is not None
    ast.parse(masked.code)
    assert masked.unmask(masked.code) == source


@pytest.mark.parametrize("source", ["%%bash\nls", "%%R\nplot(x)", "%%html\n<b>x</b>", "  \n%%javascript\nalert(1)"])
def test_cells_in_other_languages_are_opaque(source: str) -> None:
    assert mask(source) is None


def test_operands_of_a_formatted_text_are_no_magics() -> None:
    source = "print '%s' \\\n    % x\nprint '%s %s' \\\n  % config_of(x)"
    masked = mask(source)
    assert masked is not None
    assert masked.code == source


def test_code_behind_a_timing_magic_stays_visible() -> None:
    masked = mask("%time x = np.float(3)")
    assert masked is not None
    assert "np.float(3)" in masked.code
    assert masked.unmask(masked.code.replace("np.float", "float")) == "%time x = float(3)"
