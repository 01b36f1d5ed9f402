"""Data sets that scikit-learn has no more, read from where they are published."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

ADDRESS = "http://lib.stat.cmu.edu/datasets/boston"
GONE = "`load_boston` has been removed from scikit-learn since version 1.2."
RECIPE = "sklearn-gone-dataset"
# Numbers made up, in the form of the published file: 22 lines of text, then two lines for each of three tracts.
ROWS = [[10 * tract + column for column in range(14)] for tract in range(3)]
PAGE = "".join(f" About {number}\n" for number in range(22)) + "".join(
    f" {' '.join(map(str, row[:11]))}\n  {' '.join(map(str, row[11:]))}\n" for row in ROWS
)


class Proxy(http.server.BaseHTTPRequestHandler):
    """Answers for the one address, as a proxy does for a site on the network."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == ADDRESS else 404)
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class's name)
        del format, args


@pytest.fixture(scope="module")
def proxy() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def through(proxy: str) -> str:
    return f"import os\nos.environ['http_proxy'] = '{proxy}'"


@pytest.mark.parametrize(
    ("cells", "expression", "value"),
    [
        (
            [
                "from sklearn.datasets import load_iris, load_boston",
                "b = load_boston()",
                "x, y, n = b.data, b.target, b.feature_names",
            ],
            "[x.tolist(), y.tolist(), [n[0], n[-1]]]",
            [[row[:13] for row in ROWS], [row[13] for row in ROWS], ["CRIM", "LSTAT"]],
        ),
        (["from sklearn import datasets", "x, y = datasets.load_boston(return_X_y=True)"], "y.tolist()", [13.0, 23.0, 33.0]),
        (["import sklearn.datasets as d\nb = d.load_boston()", "text = b.DESCR"], "text.splitlines()[21]", " About 21"),
    ],
)
def test_the_published_file_is_read(
    repair: Callable[..., Any], through: str, cells: list[str], expression: str, value: object
) -> None:
    assert repair([through, *cells]).value(expression, as_then=False) == value


def test_a_module_of_the_repository_reads_it_too(repair: Callable[..., Any], through: str) -> None:
    module = "from sklearn.datasets import load_boston\n\nX, y = load_boston(return_X_y=True)\n"
    repaired = repair([through, "from lab import X"], modules={"lab.py": module})
    assert repaired.value("X.shape", as_then=False) == [3, 13]
    assert repaired.modules["lab.py"].startswith(
        "import numpy\nimport pandas\nfrom sklearn.utils import Bunch\n\n\ndef load_boston("
    )


def test_mnist_comes_in_the_order_and_types_it_had(repair: Callable[..., Any]) -> None:
    """Today's loader stands in for its server: labels are text and the images unsorted, as OpenML has them."""
    loader = "lambda *a, **k: Bunch(data=np.arange(8.).reshape(4, 2), target=np.array(list('2011'), dtype=object))"
    cells = [
        f"import numpy as np\nimport sklearn.datasets\nfrom sklearn.utils import Bunch\nsklearn.datasets.fetch_openml = {loader}",
        "from sklearn.datasets import fetch_mldata\nmnist = fetch_mldata('MNIST original', data_home='.')",
    ]
    value = repair(cells).value("[mnist.data.tolist(), mnist.target.tolist(), str(mnist.data.dtype)]", as_then=False)
    assert value == [[[2, 3], [4, 5], [6, 7], [0, 1]], [0.0, 1.0, 1.0, 2.0], "uint8"]


@pytest.mark.parametrize(
    "cell",
    [
        "from sklearn.datasets import load_boston",
        "from sklearn.datasets import load_iris\nload_iris()",
        "from sklearn.datasets import fetch_mldata\nfetch_mldata('leukemia')",
        "from sklearn.datasets import fetch_mldata\nfetch_mldata(name)",
        "from sklearn.datasets import fetch_mldata\nfetch_mldata('MNIST original', transpose_data=False)",
        "from sklearn.datasets import fetch_mldata\nfetch_mldata('MNIST original', 'label')",
    ],
)
def test_what_isnt_needed_or_published_there_stays(rewrite: Callable[..., Any], failure: Callable[..., Any], cell: str) -> None:
    assert rewrite(cell, recipe=RECIPE, failure=failure("ImportError", GONE)) == cell
