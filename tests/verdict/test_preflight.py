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
    programs: str | None = "/usr/bin/program",
    network: bool = True,
) -> Finding | None:
    return preflight(
        notebook,
        root=root,
        data=data or {},
        local_sources=sources or {},
        network=network,
        find_program=lambda name: r if name == "R" else programs,
        corpora=[root / "nltk_data"],
    )


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
        "pd.read_csv('work\\there.csv')",  # a tab, for Windows a folder
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


@pytest.mark.parametrize(
    ("cells", "program", "place"),
    [
        (["import graphviz", "g = graphviz.Source('digraph {}')\ng.render('tree')"], "dot", (1, 2)),
        (["import pydotplus", "g = pydotplus.graph_from_dot_data(text)\ng.write_png('a.png')"], "dot", (1, 2)),
        (["import pydot", "(g,) = pydot.graph_from_dot_data(text)\ng.create_png()"], "dot", (1, 2)),
        (["import pydot\npydot.graph_from_dot_data(text)[0].write_png('a.png')"], "dot", (0, 2)),
        (["import networkx as nx\npos = nx.nx_agraph.graphviz_layout(g)"], "dot", (0, 2)),
        (["import xgboost as xgb", "xgb.plot_tree(model)"], "dot", (1, 1)),
        (["from matplotlib import animation", "a = animation.FuncAnimation(f, g)\nHTML(a.to_html5_video())"], "ffmpeg", (1, 2)),
        (["from matplotlib.animation import FuncAnimation", "a = FuncAnimation(f, g)", "a.save('a.mp4')"], "ffmpeg", (2, 1)),
        (["from pyspark.sql import SparkSession", "spark = SparkSession.builder.appName('a').getOrCreate()"], "java", (1, 1)),
        (["from pyspark import SparkContext\nsc = SparkContext()"], "java", (0, 2)),
        (["import matplotlib.pyplot as plt\nplt.rc('text', usetex=True)"], "latex", (0, 2)),
        (["import matplotlib.pyplot as plt", "plt.rcParams['text.usetex'] = True"], "latex", (1, 1)),
        (["!wget https://example.org/files/gone.csv", "pd.read_csv('gone.csv')"], "wget", (0, 1)),
        (["!curl https://example.org/1 -o gone.csv\nopen('gone.csv')"], "curl", (0, 1)),
        (["x = 1", "!git clone https://example.org/some/tools.git\n%cd tools"], "git", (1, 1)),
    ],
)
def test_a_program_that_is_certainly_started_and_missing_blocks(
    notebook: Builder, root: Path, cells: list[str], program: str, place: tuple[int, int]
) -> None:
    finding = check(notebook(*cells), root, programs=None)
    assert finding is not None
    assert (finding.reason, (finding.cell, finding.line)) == ("missing-program", place)
    assert finding.detail.startswith(f"the program {program} isn't installed: install ")
    found = check(notebook(*cells), root)
    assert found is None or found.reason != "missing-program"


@pytest.mark.parametrize(
    "cells",
    [
        ["import graphviz", "graphviz.Source('digraph {}')"],  # shown by itself: a message, no error
        ["env.render()"],
        ["import graphviz", "def draw():\n    graphviz.Source('a').render('b')"],
        ["import graphviz", "try:\n    graphviz.Source('a').render('b')\nexcept Exception:\n    pass"],
        ["import graphviz", {"source": "graphviz.Source('a').render('b')", "tags": ["raises-exception"]}],
        ["!apt-get install -y graphviz", "import graphviz\ngraphviz.Source('a').render('b')"],
        ["from matplotlib import animation", "a = animation.FuncAnimation(f, g)\na.save('a.gif')\na.to_jshtml()"],
        ["model.save('a.mp4')"],
        ["import matplotlib.pyplot as plt\nplt.rc('text', usetex=False)"],
        ["!wget https://example.org/files/gone.csv", "x = 1"],
        ["!wget https://example.org/a.csv || true\nopen('a.csv')"],
        ["!git status", "x = 'status'"],
    ],
)
def test_a_program_that_may_not_be_needed_is_left_to_the_run(notebook: Builder, root: Path, cells: list[str]) -> None:
    assert check(notebook(*cells), root, programs=None) is None


NLTK = """import nltk
from nltk.corpus import stopwords
from nltk.stem import WordNetLemmatizer
from nltk import word_tokenize as cut"""


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("stops = set(stopwords.words('english'))", "stopwords"),
        ("tokens = nltk.word_tokenize(text)", "punkt_tab"),
        ("tokens = cut(text)", "punkt_tab"),
        ("tags = nltk.pos_tag(tokens)", "averaged_perceptron_tagger_eng"),
        ("text = nltk.corpus.gutenberg.raw('austen-emma.txt')", "gutenberg"),
        ("w = WordNetLemmatizer()\nw.lemmatize('cats')", "wordnet"),
        ("from nltk.sentiment.vader import SentimentIntensityAnalyzer\ns = SentimentIntensityAnalyzer()", "vader_lexicon"),
    ],
)
def test_a_corpus_without_a_network_blocks_unless_it_is_installed(notebook: Builder, root: Path, source: str, name: str) -> None:
    book = notebook(NLTK, source)
    finding = check(book, root, network=False)
    assert finding is not None
    assert (finding.reason, finding.cell) == ("needs-network", 1)
    assert f"nltk.download('{name}')" in finding.detail
    assert check(book, root) is None  # with a network the run tells
    for place in ("corpora", "tokenizers", "taggers", "sentiment"):
        (root / "nltk_data" / place).mkdir(parents=True)
        (root / "nltk_data" / place / f"{name}.zip").touch()
    assert check(book, root, network=False) is None


@pytest.mark.parametrize(
    "cells",
    [
        [NLTK, "nltk.data.path.append('data')\nstopwords.words('english')"],
        [NLTK, "def clean(text):\n    return [w for w in text if w not in stopwords.words('english')]"],
        [NLTK, "nltk.download('stopwords')\nstopwords.words('english')"],
        [NLTK, "tokens = nltk.wordpunct_tokenize(text)"],
        ["from words import stopwords", "stopwords.words('english')"],
    ],
)
def test_a_corpus_that_may_be_had_is_left_to_the_run(notebook: Builder, root: Path, cells: list[str]) -> None:
    assert check(notebook(*cells), root, network=False) is None
