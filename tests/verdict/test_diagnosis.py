"""Diagnoses that need a certain notebook, machine or package around the error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from modernizer.execution.outcome import CellError, Frame
from modernizer.notebook import Notebook
from modernizer.verdict.diagnosis import diagnose
from modernizer.verdict.diagnosis.blocked import path_from_upper_folder
from modernizer.verdict.diagnosis.nested import root_cause
from modernizer.verdict.outcome import Diagnosis

Builder = Callable[..., Notebook]
PROSE = "Use reshape to turn data into a 3 by 4 matrix and print it"


def seen(
    notebook: Notebook, name: str, message: str, *, cell: int = 0, files: tuple[str, ...] = (), traceback: str = ""
) -> Diagnosis:
    error = CellError(cell, name, message, line=1, frames=(Frame(line=1, cell=cell),), traceback=traceback)
    return diagnose(error, notebook, installed={}, unknown_imports=("tyop",), list_files=lambda: files)


@pytest.mark.parametrize(
    ("name", "message", "kind"),
    [
        ("AssertionError", "Torch not compiled with CUDA enabled", "needs-gpu"),
        ("RuntimeError", "Found no NVIDIA driver on your system.", "needs-gpu"),
        ("RuntimeError", "No CUDA GPUs are available", "needs-gpu"),
        ("CudaSupportError", "Error at driver init: \n\nCUDA driver library cannot be found.", "needs-gpu"),
        ("CUDARuntimeError", "cudaErrorNoDevice: no CUDA-capable device is detected", "needs-gpu"),
        ("SystemError", "GPU device not found", "needs-gpu"),
        ("gaierror", "[Errno -3] Temporary failure in name resolution", "needs-network"),
        (
            "ConnectionError",
            "HTTPSConnectionPool(host='x.org', port=443): Max retries exceeded with url: / (Caused by X())",
            "needs-network",
        ),
        ("OSError", "[Errno 101] Network is unreachable", "needs-network"),
        ("HTTPError", "HTTP Error 503: Service Unavailable", "needs-network"),
        ("HTTPError", "HTTP Error 404: Not Found", "missing-data"),
        ("OSError", "Connection file '~/.ipython/security/ipcontroller-client.json' not found.", "needs-network"),
        ("LookupError", "\n****\n  Resource \x1b[93mstopwords\x1b[0m not found.", "missing-data"),
        ("OSError", "[E050] Can't find model 'en_core_web_sm'. It doesn't seem to be a Python package", "missing-data"),
        ("OSError", "Could not find kaggle.json. Make sure it's located in /root/.kaggle.", "missing-secret"),
        ("OpenAIError", "The api_key client option must be set either by passing api_key to the client", "missing-secret"),
        ("ValueError", "Invalid API key provided.", "missing-secret"),
        ("ValueError", "Must provide API key or enterprise credentials when creating client.", "missing-secret"),
        ("NoCredentialsError", "Unable to locate credentials", "missing-secret"),
        ("ModuleNotFoundError", "No module named 'kaggle_secrets'", "missing-secret"),
        ("ExecutableNotFound", "failed to execute PosixPath('dot'), they aren't on your PATH", "missing-program"),
        ("InvocationException", "GraphViz's executables not found", "missing-program"),
        ("FileNotFoundError", '[Errno 2] "dot" not found in path.', "missing-program"),
        ("RuntimeError", "Requested MovieWriter (ffmpeg) not available", "missing-program"),
        ("RuntimeError", "Failed to process string with tex because latex could not be found", "missing-program"),
        ("PySparkRuntimeError", "[JAVA_GATEWAY_EXITED] Java gateway process exited.", "missing-program"),
        ("ImportError", "Missing optional dependency 'xlrd'. Install xlrd >= 2.0.1 for xls Excel support", "module-missing"),
        ("StdinNotImplementedError", "raw_input was called, but this frontend does not support input requests.", "needs-input"),
    ],
)  # fmt: skip
def test_the_surroundings_of_a_notebook_are_recognised(notebook: Builder, name: str, message: str, kind: str) -> None:
    assert seen(notebook({"source": "f()", "count": 1}), name, message).kind == kind


def test_a_prose_cell_that_never_ran_is_no_python_2_and_no_repair_case(notebook: Builder) -> None:
    unfinished = notebook("data = 1", PROSE, "print(data)")
    assert seen(unfinished, "SyntaxError", "invalid syntax (x.py, line 1)", cell=1).kind == "never-ran"


def test_a_python_2_cell_that_never_ran_is_python_2(notebook: Builder) -> None:
    assert seen(notebook("print 'a'"), "SyntaxError", "Missing parentheses in call to 'print'").kind == "syntax-python2"


def test_a_removed_api_in_a_cell_that_never_ran_stays_an_api_error(notebook: Builder) -> None:
    book = notebook({"source": "import numpy as np", "count": 1}, "np.float(1)")
    found = seen(book, "AttributeError", "module 'numpy' has no attribute 'float'.", cell=1)
    assert (found.kind, found.symbol) == ("api-removed", "numpy.float")


@pytest.mark.parametrize(
    ("source", "name", "message"),
    [
        ("total = ____ + 1", "NameError", "name '____' is not defined"),
        ("total = ... + 1", "TypeError", "unsupported operand type(s) for +: 'ellipsis' and 'int'"),
        ("raise NotImplementedError", "NotImplementedError", ""),
    ],
)
def test_the_blank_of_an_exercise_never_ran(notebook: Builder, source: str, name: str, message: str) -> None:
    assert seen(notebook("a = 1", source), name, message, cell=1).kind == "never-ran"


def test_an_undefined_name_in_a_skipped_cell_never_ran(notebook: Builder) -> None:
    book = notebook({"source": "a = 1", "count": 1}, "print(solution)")
    assert seen(book, "NameError", "name 'solution' is not defined", cell=1).kind == "never-ran"


@pytest.mark.parametrize(
    ("cells", "cell", "words"),
    [
        (
            ({"source": "a = 1", "count": 1}, "b = 2", {"source": "b", "count": 2}),
            2,
            "cascade: cell 1, which defines b, never ran",
        ),
        (({"source": "print 'x'\nb = 2", "count": 1}, {"source": "b", "count": 2}), 1, "cell 0, which defines b, can't run"),
        (({"source": "b", "count": 2}, {"source": "b = 2", "count": 1}), 0, "another order"),
        (({"source": "b", "count": 2},), 0, "no cell defines b"),
    ],
)
def test_an_undefined_name_says_where_it_should_have_come_from(
    notebook: Builder, cells: tuple[object, ...], cell: int, words: str
) -> None:
    found = seen(notebook(*cells), "NameError", "name 'b' is not defined", cell=cell)
    assert (found.kind, found.symbol) == ("name-undefined", "b")
    assert words in found.detail


@pytest.mark.parametrize(
    ("message", "files", "kind", "words"),
    [
        ("No module named 'helpers'", ("lib/helpers.py",), "module-missing", "lib/helpers.py"),
        ("No module named 'tyop'", (), "module-missing", "never installed on a guess"),
        ("No module named 'yaml'", (), "module-missing", "isn't installed"),
        ("No module named 'imp'", (), "api-removed", "no longer part of Python"),
        ("cannot import name 'draw' from 'helpers' (/x/helpers.py)", ("helpers.py",), "other", "the repository's module"),
    ],
)
def test_a_missing_module_is_local_unknown_or_not_installed(
    notebook: Builder, message: str, files: tuple[str, ...], kind: str, words: str
) -> None:
    found = seen(notebook({"source": "import x", "count": 1}), "ImportError", message, files=files)
    assert found.kind == kind
    assert words in found.detail


def test_a_file_that_lies_elsewhere_in_the_repository_is_no_missing_data(notebook: Builder) -> None:
    book = notebook({"source": "open(r'data\\ex1.txt')", "count": 1})
    found = seen(book, "FileNotFoundError", "[Errno 2] No such file or directory: 'data\\\\ex1.txt'", files=("data/ex1.txt",))
    assert (found.kind, found.symbol) == ("other", "data\\ex1.txt")
    assert "data/ex1.txt" in found.detail


@pytest.mark.parametrize(
    ("path", "home", "moved"),
    [
        ("Data/x 1.csv", "lessons/n.ipynb", "../Data/x 1.csv"),
        ("./Data/x 1.csv", "a/b/n.ipynb", "../../Data/x 1.csv"),
        ("Data/x 1.csv", "a/near/n.ipynb", "../Data/x 1.csv"),
        # A name alone, another spelling, a path from a folder above and one from the root itself tell nothing of a move.
        ("x 1.csv", "lessons/n.ipynb", ""),
        ("data/x 1.csv", "lessons/n.ipynb", ""),
        ("../../Data/x 1.csv", "lessons/n.ipynb", ""),
        ("Data/y.csv", "lessons/n.ipynb", ""),
    ],
)
def test_a_path_from_a_folder_above_tells_that_the_notebook_was_moved(
    notebook: Builder, path: str, home: str, moved: str
) -> None:
    book = replace(notebook({"source": f"open('{path}')", "count": 1}), path=home)
    files = ("Data/x 1.csv", "a/Data/x 1.csv", "old/y.csv") if "near" in home else ("Data/x 1.csv", "old/y.csv")
    found = seen(book, "FileNotFoundError", f"[Errno 2] No such file or directory: '{path}'", files=files)
    assert path_from_upper_folder(found) == moved
    assert found.kind == "other"


def test_a_notebook_that_changes_its_folder_names_paths_from_there(notebook: Builder) -> None:
    book = replace(notebook({"source": "%cd ..\nopen('Data/x.csv')", "count": 1}), path="lessons/n.ipynb")
    found = seen(book, "FileNotFoundError", "[Errno 2] No such file or directory: 'Data/x.csv'", files=("Data/x.csv",))
    assert not path_from_upper_folder(found)


@pytest.mark.parametrize(
    "path", ["/kaggle/input/t.csv", "../input/t.csv", "/content/t.csv", "C:\\\\data\\\\t.csv", "/Users/me/t.csv"]
)
def test_a_path_of_another_machine_points_to_the_data_setting(notebook: Builder, path: str) -> None:
    found = seen(notebook({"source": "f()", "count": 1}), "FileNotFoundError", f"[Errno 2] No such file or directory: '{path}'")
    assert found.kind == "missing-data"
    assert "`data:`" in found.detail


def test_a_pointer_file_behind_a_key_error_is_missing_data(notebook: Builder) -> None:
    book = notebook({"source": "temps = pd.read_csv('temps.csv')\ntemps['actual']", "count": 1})
    traceback = "KeyError: 'actual'\nIndex(['version https://git-lfs.github.com/spec/v1'])"
    found = seen(book, "KeyError", "'actual'", files=("temps.csv", "x.py"), traceback=traceback)
    assert (found.kind, found.symbol) == ("missing-data", "temps.csv")


QUERY = "Execution failed on sql 'SELECT * FROM Player': no such table: Player"


@pytest.mark.parametrize(
    ("source", "files", "missing"),
    [
        ("import sqlite3\nconnection = sqlite3.connect('data/soccer.sqlite')", (), "data/soccer.sqlite"),
        ("from sqlite3 import connect\nconnection = connect('soccer.sqlite')", ("other.csv",), "soccer.sqlite"),
        ("import sqlalchemy as sa\nengine = sa.create_engine('sqlite:///soccer.db')", (), "soccer.db"),
        ("%load_ext sql\n%sql sqlite:///soccer.db", (), "soccer.db"),
        ("import sqlite3\nconnection = sqlite3.connect('soccer.sqlite')", ("data/soccer.sqlite",), ""),
        ("import sqlite3\nconnection = sqlite3.connect('soccer.sqlite')\nframe.to_sql('Player', connection)", (), ""),
        ("import sqlite3\nsqlite3.connect('s.db').execute('create table if not exists Player (x)')", (), ""),
        ("import sqlite3\nsqlite3.connect(':memory:')", (), ""),
        ("import sqlite3\nsqlite3.connect('a.db')\nsqlite3.connect('b.db')", (), ""),
        ("import sqlite3\nsqlite3.connect(path)", (), ""),
    ],
)
def test_a_database_that_was_empty_when_it_was_opened_is_missing_data(
    notebook: Builder, source: str, files: tuple[str, ...], missing: str
) -> None:
    book = notebook({"source": source, "count": 1}, {"source": "frame = pd.read_sql(query, connection)", "count": 2})
    found = seen(book, "DatabaseError", QUERY, cell=1, files=files)
    assert (found.kind, found.symbol) == (("missing-data", missing) if missing else ("other", ""))


FITS_FAILED = """
All the 4 fits failed.
It is very likely that your model is misconfigured.
You can try to debug the error by setting error_score='raise'.

Below are more details about the failures:
--------------------------------------------------------------------------------
3 fits failed with the following error:
Traceback (most recent call last):
  File "/env/lib/python3.13/site-packages/sklearn/model_selection/_validation.py", line 855, in _fit_and_score
    estimator.fit(X_train, y_train, **fit_params)
    ~~~~~~~~~~~~~^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
sklearn.utils.InvalidParameterError: The 'loss' parameter of SGDClassifier must be a str among {'hinge'}. Got 'log'.

--------------------------------------------------------------------------------
1 fits failed with the following error:
Traceback (most recent call last):
  File "/env/lib/python3.13/site-packages/sklearn/base.py", line 1393, in wrapper
ValueError: something else
"""
REMOTE = '''joblib.externals.loky.process_executor._RemoteTraceback:
"""
Traceback (most recent call last):
  File "x.py", line 7, in f
AttributeError: module 'numpy' has no attribute 'product'
"""
'''
CAUSED = """
Traceback (most recent call last):
KeyError: 'OLD'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
RuntimeError
"""


@pytest.mark.parametrize(
    ("name", "message", "traceback", "expected"),
    [
        (
            "ValueError",
            FITS_FAILED,
            "",
            ("InvalidParameterError", "The 'loss' parameter of SGDClassifier must be a str among {'hinge'}. Got 'log'."),
        ),
        ("JoblibException", REMOTE, "", ("AttributeError", "module 'numpy' has no attribute 'product'")),
        ("RuntimeError", "", CAUSED, ("KeyError", "'OLD'")),
        ("urllib.error.URLError", "<urlopen error>", "", ("URLError", "<urlopen error>")),
        ("ValueError", "plain", "", ("ValueError", "plain")),
    ],
)
def test_the_error_inside_a_wrapping_one_counts(name: str, message: str, traceback: str, expected: tuple[str, str]) -> None:
    assert root_cause(CellError(0, name, message, traceback=traceback)) == expected


def test_a_parameter_refused_inside_a_grid_search_is_an_api_signature(notebook: Builder) -> None:
    book = notebook({"source": "from sklearn.linear_model import SGDClassifier\ngrid.fit(X, y)", "count": 1})
    found = seen(book, "ValueError", FITS_FAILED)
    assert (found.kind, found.symbol, found.package) == ("api-signature", "loss", "sklearn")


def test_an_error_in_a_local_module_is_about_that_module_s_line(notebook: Builder) -> None:
    book = notebook({"source": "import helpers", "count": 1})
    frames = (Frame(line=1, cell=0), Frame(line=9, file="helpers.py", local=True, code="    plt.hist(x, normed=True)"))
    error = CellError(0, "AttributeError", "Rectangle.set() got an unexpected keyword argument 'normed'", line=1, frames=frames)
    found = diagnose(error, book, installed={})
    assert (found.kind, found.symbol, found.detail) == ("api-signature", "normed", "plt.hist no longer accepts normed")


def test_an_unknown_error_keeps_its_words(notebook: Builder) -> None:
    found = seen(notebook({"source": "f()", "count": 1}), "SomethingNew", "who knows\nmore")
    assert (found.kind, found.detail) == ("other", "SomethingNew: who knows")
