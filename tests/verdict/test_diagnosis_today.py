"""What today's packages really say, raised in a real kernel and diagnosed."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from modernizer.environment.model import Environment
from modernizer.execution.outcome import CellError
from modernizer.execution.scratch import ScratchCopy
from modernizer.execution.session import Session
from modernizer.notebook import Notebook, parse_notebook
from modernizer.verdict.diagnosis import diagnose

IMPORTS = """
import numpy as np, pandas as pd, matplotlib.pyplot as plt, seaborn as sns
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, KFold
X, y = [[1], [2], [3], [4]], [0, 1, 0, 1]
frame = pd.DataFrame({'a': [1.0, 2.0], 'b': ['x', 'y']})
"""

CASES = [
    ("from sklearn.cross_validation import StratifiedKFold", "api-removed", "sklearn.cross_validation", "sklearn"),
    ("from sklearn import cross_validation", "api-removed", "sklearn.cross_validation", "sklearn"),
    ("from sklearn.preprocessing import Imputer", "api-removed", "sklearn.preprocessing.Imputer", "sklearn"),
    ("from sklearn.datasets import load_boston", "api-removed", "sklearn.datasets.load_boston", "sklearn"),
    ("from sklearn.datasets import fetch_mldata", "api-removed", "sklearn.datasets.fetch_mldata", "sklearn"),
    ("from pandas.tools.plotting import scatter_matrix", "api-removed", "pandas.tools", "pandas"),
    ("from IPython.html.widgets import interact", "api-removed", "IPython.html", "IPython"),
    ("import urllib2", "api-moved", "urllib2", "python"),
    ("from itertools import izip", "api-moved", "itertools.izip", "python"),
    ("import surely_not_a_module", "module-missing", "surely_not_a_module", "surely_not_a_module"),
    ("np.float(1)", "api-removed", "numpy.float", "numpy"),
    ("np.Inf", "api-moved", "numpy.Inf", "numpy"),
    ("pd.scatter_matrix(frame)", "api-removed", "pandas.scatter_matrix", "pandas"),
    ("frame.ix[0]", "api-removed", "DataFrame.ix", "pandas"),
    ("frame.as_matrix()", "api-removed", "DataFrame.as_matrix", "pandas"),
    ("pd.DataFrame.from_csv('x')", "api-removed", "DataFrame.from_csv", "pandas"),
    ("plt.cm.get_cmap('plasma')", "api-removed", "matplotlib.cm.get_cmap", "matplotlib"),
    ("plt.style.use('seaborn')", "api-removed", "seaborn", "matplotlib"),
    ("plt.style.use('seaborn-white')", "api-removed", "seaborn-white", "matplotlib"),
    ("sns.factorplot(x='a', y='a', data=frame)", "api-removed", "seaborn.factorplot", "seaborn"),
    ("import time\ntime.clock()", "api-removed", "time.clock", "python"),
    ("plt.hist([1, 2], normed=True)", "api-signature", "normed", "matplotlib"),
    ("plt.subplots()[1].grid(b=True)", "api-signature", "b", "matplotlib"),
    ("sns.boxplot('a', 'b', data=frame)", "api-signature", "seaborn.boxplot", "seaborn"),
    ("KFold(10, n_folds=5)", "api-signature", "n_folds", "sklearn"),
    ("KFold(10, 5, True)", "api-signature", "sklearn.model_selection.KFold", "sklearn"),
    ("LinearRegression(normalize=True)", "api-signature", "normalize", "sklearn"),
    ("RandomForestClassifier(max_features='auto').fit(X, y)", "api-signature", "max_features", "sklearn"),
    (
        "GridSearchCV(RandomForestClassifier(max_features='auto'), {'max_depth': [2]}, cv=2).fit(X, y)",
        "api-signature",
        "max_features",
        "sklearn",
    ),
    ("frame.drop('a', 1)", "api-signature", "DataFrame.drop", "pandas"),
    ("frame.fillna(method='ffill')", "api-signature", "method", "pandas"),
    ("pd.date_range('2016-01-01', periods=3, freq='M')", "api-signature", "M", "pandas"),
    ("frame.mean()", "value-semantics", "", "pandas"),
    ("frame.corr()", "value-semantics", "", "pandas"),
    ("pd.Series([1, 2], index=['a', 'b'])[0]", "value-semantics", "pandas.Series", "pandas"),
    ("frame.loc[0, 'a'] = 'text'", "value-semantics", "", "pandas"),
    ("LinearRegression().fit([1, 2], [1, 2])", "value-semantics", "sklearn.linear_model.LinearRegression", "sklearn"),
    ("int(np.array([1]))", "value-semantics", "int", "numpy"),
    ("np.zeros(24).reshape(4, 24 / 4)", "value-semantics", "", "python"),
    ("sorted(['a', 1])", "value-semantics", "", "python"),
    ("pd.read_csv('nope.csv')", "missing-data", "nope.csv", ""),
    ("np.loadtxt('nope.txt')", "missing-data", "nope.txt", ""),
    ("open('/kaggle/input/train.csv')", "missing-data", "/kaggle/input/train.csv", ""),
    ("open(r'C:\\Users\\me\\x.csv')", "missing-data", "C:\\Users\\me\\x.csv", ""),
    ("import subprocess\nsubprocess.check_call(['no-such-program'])", "missing-program", "no-such-program", ""),
    (
        "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9/x')",
        "needs-network",
        "urllib.request.urlopen",
        "urllib",
    ),
    ("import os\nos.environ['OPENAI_API_KEY']", "missing-secret", "OPENAI_API_KEY", ""),
    ("import os\nos.environ['DATA_FOLDER']", "other", "", ""),
    ("input('name? ')", "needs-input", "input", "python"),
    ("import getpass\ngetpass.getpass()", "needs-input", "input", "python"),
    ("print 'text'", "syntax-python2", "print", "python"),
    ("try:\n    pass\nexcept Exception, e:\n    pass", "syntax-python2", "except", "python"),
    ("import sys\nprint >>sys.stdout, 'text'", "syntax-python2", "print", "python"),
    ("xrange(3)", "syntax-python2", "xrange", "python"),
    ("{}.iteritems()", "syntax-python2", "dict.iteritems", "python"),
    ("{'a': 1}.keys()[0]", "syntax-python2", "", "python"),
    ("x = = 1", "syntax", "", "python"),
    ("%timeit -n1 -r1 sum(x for x in range(3),\n    start=1)", "magic", "timeit", "IPython"),
    ("% matplotlib inline", "magic", "%", "IPython"),
    ("%no_such_magic", "magic", "no_such_magic", "IPython"),
    ("%load_ext no_such_extension", "magic", "no_such_extension", "no_such_extension"),
    ("undefined_name + 1", "name-undefined", "undefined_name", ""),
    ("def own(a):\n    return a\nown(1, 2)", "other", "", ""),
    ("class Own:\n    pass\nOwn().missing", "other", "", ""),
    ("{}['key']", "other", "", ""),
    ("1 / 0", "other", "", ""),
]


@pytest.fixture(scope="module")
def errors(kernel_environment: Environment) -> tuple[Notebook, Mapping[str, CellError]]:
    """Run every case in one kernel, each from the cell after the failing one."""
    sources = [IMPORTS, *(source for source, *_ in CASES)]
    cells = [
        {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": 1 + number}
        for number, source in enumerate(sources)
    ]
    raw = json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}).encode()
    notebook = parse_notebook(raw, name="n.ipynb")
    found: dict[str, CellError] = {}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "n.ipynb").write_bytes(raw)
        with ScratchCopy(root, "n.ipynb") as scratch, Session(kernel_environment, scratch, notebook) as session:
            first = 0
            while first < len(sources):
                error = session.run(first).error
                if error is None:
                    break
                found[sources[error.cell]] = error
                first = error.cell + 1
    return notebook, found


@pytest.mark.parametrize(
    ("source", "kind", "symbol", "package"), CASES, ids=[source.splitlines()[-1][:50] for source, *_ in CASES]
)
def test_todays_errors_are_understood(
    errors: tuple[Notebook, Mapping[str, CellError]], source: str, kind: str, symbol: str, package: str
) -> None:
    notebook, found = errors
    diagnosis = diagnose(found[source], notebook, installed={})
    assert diagnosis.kind == kind, found[source].message
    assert not symbol or diagnosis.symbol == symbol
    assert not package or diagnosis.package == package
    assert diagnosis.detail


@pytest.mark.parametrize(("kernel", "symbol"), [("python2", "python-2"), ("python3", "")])
def test_only_a_notebook_of_python_2_was_let_compare_kinds(
    errors: tuple[Notebook, Mapping[str, CellError]], kernel: str, symbol: str
) -> None:
    notebook, found = errors
    said = replace(notebook, metadata={"kernelspec": {"name": kernel}})
    assert diagnose(found["sorted(['a', 1])"], said, installed={}).symbol == symbol
