from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from modernizer.notebook import Notebook
from modernizer.verdict.preflight import Finding, preflight

Builder = Callable[..., Notebook]
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
PANDAS = "import pandas as pd\n"


def check(
    notebook: Notebook,
    root: Path,
    *,
    data: Mapping[str, str] | None = None,
    sources: Mapping[str, str] | None = None,
    r: str | None = None,
) -> Finding | None:
    return preflight(notebook, root=root, data=data or {}, local_sources=sources or {}, find_program=lambda _: r)


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "there.csv").write_text("a\n1\n")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "moved.csv").write_text("a\n1\n")
    return tmp_path


@pytest.mark.parametrize(
    "source",
    [
        "pd.read_csv('gone.csv')",
        "df = pd.read_csv('/kaggle/input/reviews/train.csv', sep='\\t').dropna()",
        "pd.read_csv('../input/train.csv')",
        "pd.read_csv('C:/Users/me/train.csv')",
        "DATA = 'files/'\ndf = pd.read_csv(DATA + 'gone.csv')",
        "import os\nfolder = 'files'\npd.read_csv(os.path.join(folder, 'gone.csv'))",
        "name = 'gone'\npd.read_csv(f'files/{name}.csv')",
        "from pathlib import Path\npd.read_csv(Path('files') / 'gone.csv')",
        "with open('gone.txt') as file:\n    text = file.read()",
        "text = open('gone.txt', 'rb').read()",
        "import numpy as np\nx = np.load('gone.npy')",
        "x = [1, pd.read_excel(io='gone.xls')]",
        "%matplotlib inline\n!ls\npd.read_csv('gone.csv')",
        "%%time\npd.read_csv('gone.csv')",
        "df = df.rename(columns={}).copy()\npd.read_csv('gone.csv')",
    ],
)
def test_a_certain_read_of_an_absent_file_blocks(notebook: Builder, root: Path, source: str) -> None:
    finding = check(notebook(PANDAS, source), root)
    assert finding is not None
    assert (finding.reason, finding.cell) == ("missing-data", 1)


@pytest.mark.parametrize(
    "source",
    [
        "pd.read_csv('there.csv')",
        "pd.read_csv('./there.csv')",
        "pd.read_csv('data/moved.csv')",  # from the repository's root
        "pd.read_csv(r'..\\old\\moved.csv')",  # it lies elsewhere: broken, not blocked
        "pd.read_csv('https://example.org/gone.csv')",
        "pd.read_csv('s3://bucket/gone.csv')",
        "pd.read_json('{\"a\": [1]}')",
        "try:\n    pd.read_csv('gone.csv')\nexcept OSError:\n    pass",
        "import os\nif os.path.exists('gone.csv'):\n    pd.read_csv('gone.csv')",
        "def load():\n    return pd.read_csv('gone.csv')",
        "for name in names:\n    pd.read_csv('gone.csv')",
        "ready and pd.read_csv('gone.csv')",
        "open('gone.txt', 'w').write('x')",
        "open('gone.txt', mode)",
        "pd.read_csv(path)",
        "pd.read_csv('gone_%d.csv' % 1)",
        "df.to_csv('gone.csv')\npd.read_csv('gone.csv')",
        "import numpy as np\nnp.save('gone', x)\nnp.load('gone.npy')",
        "!wget https://example.org/gone.csv\npd.read_csv('gone.csv')",
        "%%bash\ncurl -O https://example.org/gone.csv",
        "from urllib.request import urlretrieve\nurlretrieve(url, 'gone.csv')\npd.read_csv('gone.csv')",
        "import os\nos.chdir('data')\npd.read_csv('gone.csv')",
        "%cd data\npd.read_csv('gone.csv')",
        "df.to_csv(name)\npd.read_csv('gone.csv')",
        "df.to_csv('part_%d.csv' % 1)\npd.read_csv('part_1.csv')",
        "zip.extractall()\npd.read_csv('gone.csv')",
        "print 'Python 2'\npd.read_csv('gone.csv')",
        "import cv2\ncv2.imread('gone.png')",
        "def read_csv(x):\n    return x\nread_csv('gone.csv')",
        "plt.savefig('gone.png')\nplt.imread('gone.png')",
    ],
)
def test_what_may_succeed_is_left_to_the_run(notebook: Builder, root: Path, source: str) -> None:
    assert check(notebook(PANDAS, source, "pd.read_csv('there.csv')"), root) is None


def test_nothing_after_a_download_is_certain(notebook: Builder, root: Path) -> None:
    assert check(notebook(PANDAS, "!kaggle datasets download x", "pd.read_csv('gone.csv')"), root) is None


def test_a_local_module_that_downloads_makes_reads_uncertain(notebook: Builder, root: Path) -> None:
    book = notebook(PANDAS + "import helpers", "pd.read_csv('gone.csv')")
    downloads = {"work/helpers.py": "import urllib.request\nurllib.request.urlretrieve('u', 'gone.csv')"}
    assert check(book, root, sources=downloads) is None
    assert check(book, root, sources={"work/helpers.py": "def draw(): pass"}) is not None


def test_a_read_that_is_expected_to_fail_does_not_block(notebook: Builder, root: Path) -> None:
    stored = {"output_type": "error", "ename": "FileNotFoundError", "evalue": "", "traceback": []}
    assert check(notebook(PANDAS, {"source": "pd.read_csv('gone.csv')", "outputs": [stored], "count": 2}), root) is None
    assert check(notebook(PANDAS, {"source": "pd.read_csv('gone.csv')", "tags": ["raises-exception"]}), root) is None


def test_the_data_setting_tells_where_old_paths_live_now(notebook: Builder, root: Path) -> None:
    book = notebook(PANDAS, "pd.read_csv('/kaggle/input/set/gone.csv')")
    finding = check(book, root)
    assert finding is not None
    assert "`data:`" in finding.detail
    (root / "data" / "set").mkdir()
    (root / "data" / "set" / "gone.csv").write_text("a\n")
    assert check(book, root, data={"/kaggle/input": "data/"}) is None


def test_a_git_lfs_pointer_blocks(notebook: Builder, root: Path) -> None:
    (root / "work" / "temps.csv").write_text(POINTER)
    finding = check(notebook(PANDAS + "temps = pd.read_csv('temps.csv')"), root)
    assert finding is not None
    assert (finding.reason, finding.cell, finding.line) == ("missing-data", 0, 2)
    assert "git-lfs" in finding.detail


def test_a_pointer_named_in_an_imported_local_module_blocks(notebook: Builder, root: Path) -> None:
    (root / "work" / "temps.csv").write_text(POINTER)
    sources = {"work/helpers.py": "PATH = 'temps.csv'"}
    assert check(notebook("from helpers import PATH"), root, sources=sources) is not None
    assert check(notebook("import numpy"), root, sources=sources) is None


def test_other_kernels_are_not_run(notebook: Builder, root: Path) -> None:
    book = notebook("library(ggplot2)", metadata={"kernelspec": {"name": "ir", "language": "R", "display_name": "R"}})
    finding = check(book, root)
    assert finding is not None
    assert finding.reason == "unsupported-kernel"


def test_cells_for_r_need_r(notebook: Builder, root: Path) -> None:
    book = notebook("import numpy", "x = 1\n%load_ext rpy2.ipython")
    finding = check(book, root)
    assert finding is not None
    assert (finding.reason, finding.cell, finding.line) == ("unsupported-kernel", 1, 2)
    assert check(book, root, r="/usr/bin/R") is None


@pytest.mark.parametrize("source", ["%load solutions/gone.py", "x = 1\n%run -i gone.py", "%load 'solutions\\gone.py'"])
def test_a_script_to_load_that_is_not_there_blocks(notebook: Builder, root: Path, source: str) -> None:
    finding = check(notebook(source), root)
    assert finding is not None
    assert (finding.reason, finding.cell) == ("missing-data", 0)
    assert "gone.py" in finding.detail


@pytest.mark.parametrize(
    "sources",
    [
        ["%load there.py"],
        ["# %load gone.py"],
        ["%load 1-5"],
        ["%load https://example.org/gone.py"],
        ["%%writefile gone.py\nx = 1", "%run gone.py"],
        ["!wget https://example.org/gone.py", "%load gone.py"],
    ],
)
def test_a_script_that_may_be_there_is_left_to_the_run(notebook: Builder, root: Path, sources: list[str]) -> None:
    (root / "work" / "there.py").write_text("x = 1\n")
    assert check(notebook(*sources), root) is None
