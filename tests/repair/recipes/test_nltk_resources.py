"""Resources of nltk that a notebook reads and doesn't have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

RECIPE = "nltk-download"


@pytest.fixture(params=["{}", "'{}'", "\x1b[93m{}\x1b[0m"])
def lacks(request: pytest.FixtureRequest, failure: Callable[..., Any]) -> Callable[..., Any]:
    """Make the error about a resource, in the spellings of several releases."""

    def make(resource: str, unit: int | str = 1) -> Any:  # noqa: ANN401 (a failure)
        spelled = request.param.format(resource)
        asked = f"  >>> import nltk\n  >>> nltk.download('{resource}')\n  "
        return failure(
            "LookupError", f"\n***\n  Resource {spelled} not found.\n  Please use the NLTK Downloader:\n\n{asked}", unit=unit
        )

    return make


@pytest.mark.parametrize(
    ("before", "resource", "after"),
    [
        (
            ["import nltk\nnltk.download('punkt')", "f(x)"],
            "punkt_tab",
            ["import nltk\nnltk.download(['punkt_tab', 'punkt'])", "f(x)"],
        ),
        (
            ["import nltk\nnltk.download(['stopwords', 'tagsets'], quiet=True)", "f(x)"],
            "tagsets_json",
            ["import nltk\nnltk.download(['tagsets_json', 'stopwords', 'tagsets'], quiet=True)", "f(x)"],
        ),
        (
            ["import nltk\nx = 1", "nltk.word_tokenize(text)"],
            "punkt_tab",
            ["import nltk\nnltk.download('punkt_tab')\nx = 1", "nltk.word_tokenize(text)"],
        ),
        (
            ["from nltk.corpus import stopwords", "stopwords.words('english')"],
            "stopwords",
            ["import nltk\nfrom nltk.corpus import stopwords\nnltk.download('stopwords')", "stopwords.words('english')"],
        ),
        (
            ["try:\n    import nltk\nexcept ImportError:\n    pass", "f(x)"],
            "punkt_tab",
            ["try:\n    import nltk\nexcept ImportError:\n    pass", "import nltk\nnltk.download('punkt_tab')\nf(x)"],
        ),
        (["x = 1", "blob.words"], "punkt_tab", ["x = 1", "import nltk\nnltk.download('punkt_tab')\nblob.words"]),
    ],
)
def test_the_resource_is_downloaded_once(
    rewrite: Callable[..., Any], lacks: Callable[..., Any], before: list[str], resource: str, after: list[str]
) -> None:
    assert rewrite(before, recipe=RECIPE, failure=lacks(resource)) == after
    assert rewrite(after, recipe=RECIPE, failure=lacks(resource)) == after


@pytest.mark.parametrize(
    "cell",
    [
        "import nltk\nnltk.download(\n    'punkt_tab')",
        "import nltk\n!python -m nltk.downloader stopwords punkt_tab",
        "nltk = 3",
        "from nltk import word_tokenize as nltk",
    ],
)
def test_a_download_that_failed_or_has_no_name_is_left_out(
    rewrite: Callable[..., Any], lacks: Callable[..., Any], cell: str
) -> None:
    assert rewrite([cell, "f(x)"], recipe=RECIPE, failure=lacks("punkt_tab")) == [cell, "f(x)"]


def test_other_missing_things_are_not_asked_of_nltk(rewrite: Callable[..., Any], failure: Callable[..., Any]) -> None:
    cells = ["import nltk", "codecs.lookup('x')"]
    assert rewrite(cells, recipe=RECIPE, failure=failure("LookupError", "unknown encoding: x", unit=1)) == cells
