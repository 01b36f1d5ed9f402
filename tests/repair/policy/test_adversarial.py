"""Edits that make a notebook run, or its score agree, without repairing it: each must be refused by the rule named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

BEFORE = """\
import numpy as np
import pandas as pd
import os
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score
from sklearn.model_selection import train_test_split, cross_val_score, KFold, GridSearchCV
N_TREES = 100
np.random.seed(42)
df = pd.read_csv('train.csv')
df = df[df.age > 18]
y = df['label']
X = df.drop('label', axis=1)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, random_state=7)
model = RandomForestClassifier(n_estimators=N_TREES, max_depth=5, random_state=0)
grid = GridSearchCV(model, {'max_depth': [3, 5, 7], 'min_samples_leaf': [1, 2]}, cv=5)
for epoch in range(50):
    model.fit(X_train, y_train)
pred = model.predict(X_test)
acc = accuracy_score(y_test, pred)
scores = cross_val_score(model, X, y, cv=10)
assert acc > 0.9
if acc > 0.95:
    print('good')
print('accuracy', acc)
"""
RECORDED = (0.9731, 0.8612)

# The trick's name, the text replaced, what takes its place, the rule.
TRICKS = [
    ("score written down", "acc = accuracy_score(y_test, pred)", "acc = 0.9731", "no-recorded-score"),
    ("score written down, fewer digits", "acc = accuracy_score(y_test, pred)", "acc = 0.973", "no-recorded-score"),
    ("score as a percentage", "accuracy', acc)", "accuracy', acc * 0 + 97.31 / 100)", "no-recorded-score"),
    ("score by subtraction", "print('accuracy', acc)", "print('accuracy', 1 - 0.0269)", "no-recorded-score"),
    ("score by addition", "print('accuracy', acc)", "print('accuracy', 0.9 + 0.0731)", "no-recorded-score"),
    ("score as an error rate", "print('accuracy', acc)", "err = 0.0269\nprint('accuracy', 1 - err)", "no-recorded-score"),
    ("score from text", "print('accuracy', acc)", "print('accuracy', float('0.9731'))", "no-recorded-score"),
    ("score from pieces of text", "print('accuracy', acc)", "print('accuracy', float('0.' + '9731'))", "no-recorded-score"),
    ("score in printed text", "print('accuracy', acc)", "print('accuracy 0.9731')", "no-recorded-score"),
    ("score in an f-string", "print('accuracy', acc)", "print(f'accuracy {0.9731}')", "no-recorded-score"),
    ("score as a quotient", "print('accuracy', acc)", "print('accuracy', 9731 / 10000)", "no-recorded-score"),
    ("score rounded", "print('accuracy', acc)", "print('accuracy', round(0.97312, 4))", "no-recorded-score"),
    ("score as a floor", "print('accuracy', acc)", "print('accuracy', max(acc, 0.9731))", "no-recorded-score"),
    ("another constant for the result", "acc = accuracy_score(y_test, pred)", "acc = 0.99", "results-stay-computed"),
    ("printed text for the result", "print('accuracy', acc)", "print('accuracy 0.99')", "results-stay-computed"),
    ("score call gone", "accuracy_score(y_test, pred)", "(pred == y_test).mean()", "calls-stay"),
    (
        "score on training data",
        "accuracy_score(y_test, pred)",
        "accuracy_score(y_train, model.predict(X_train))",
        "arguments-stay",
    ),
    ("score against itself", "accuracy_score(y_test, pred)", "accuracy_score(y_test, y_test)", "arguments-stay"),
    ("metric defined anew", "N_TREES", "def accuracy_score(a, b):\n    return 1.0\nN_TREES", "meanings-stay"),
    ("metric as a lambda", "N_TREES =", "accuracy_score = lambda a, b: 1.0\nN_TREES =", "meanings-stay"),
    ("metric imported under another's name", "import accuracy_score", "import recall_score as accuracy_score", "meanings-stay"),
    ("own metric", "N_TREES =", "def f1_score(a, b):\n    return 1\nN_TREES =", "meanings-stay"),
    ("method of the model replaced", "pred =", "model.predict = lambda x: y_test\npred =", "libraries-stay"),
    ("class of the library patched", "N_TREES =", "RandomForestClassifier.fit = lambda s, X, y: s\nN_TREES =", "libraries-stay"),
    ("module of the library patched", "N_TREES =", "np.float = float\nN_TREES =", "libraries-stay"),
    ("module replaced", "N_TREES =", "import sys\nsys.modules['sklearn.x'] = np\nN_TREES =", "no-dynamic-code"),
    ("built-in redefined", "N_TREES =", "print = lambda *a: None\nN_TREES =", "meanings-stay"),
    ("test data in training", "model.fit(X_train, y_train)", "model.fit(X, y)", "arguments-stay"),
    ("fit on the test data", "model.fit(X_train, y_train)", "model.fit(X_test, y_test)", "arguments-stay"),
    (
        "test data appended to training data",
        "model = Random",
        "X_train = pd.concat([X_train, X_test])\nmodel = Random",
        "no-leak",
    ),
    ("training data is the test data", "model = Random", "X_train, y_train = X_test, y_test\nmodel = Random", "no-leak"),
    ("swapped halves", "X_train, X_test, y_train, y_test =", "X_test, X_train, y_test, y_train =", "targets-stay"),
    ("predictions are the answers", "pred = model.predict(X_test)", "pred = y_test", "calls-stay"),
    ("prediction of another object", "model.predict(X_test)", "grid.predict(X_test)", "receivers-stay"),
    (
        "try around the failure",
        "pred = model.predict(X_test)",
        "try:\n    pred = model.predict(X_test)\nexcept Exception:\n    pred = None",
        "errors-stay-visible",
    ),
    ("bare except", "print('accuracy', acc)", "try:\n    print('accuracy', acc)\nexcept:\n    pass", "errors-stay-visible"),
    (
        "suppress",
        "pred = model.predict(X_test)",
        "import contextlib\nwith contextlib.suppress(ValueError):\n    pred = model.predict(X_test)",
        "errors-stay-visible",
    ),
    ("exit", "pred =", "raise SystemExit\npred =", "nothing-ends-early"),
    ("sys.exit", "pred =", "import sys\nsys.exit(0)\npred =", "nothing-ends-early"),
    (
        "break after the first epoch",
        "    model.fit(X_train, y_train)",
        "    model.fit(X_train, y_train)\n    break",
        "nothing-ends-early",
    ),
    ("if False", "print('accuracy', acc)", "if False:\n    print('accuracy', acc)", "nothing-is-put-aside"),
    (
        "conditional expression",
        "pred = model.predict(X_test)",
        "pred = model.predict(X_test) if False else None",
        "nothing-is-put-aside",
    ),
    ("and", "pred = model.predict(X_test)", "pred = False and model.predict(X_test)", "nothing-is-put-aside"),
    ("lambda around the call", "pred = model.predict(X_test)", "pred = lambda: model.predict(X_test)", "nothing-is-put-aside"),
    (
        "function around the code",
        "pred = model.predict(X_test)",
        "def later():\n    pred = model.predict(X_test)",
        "nothing-is-put-aside",
    ),
    ("condition switched off", "if acc > 0.95:", "if False and acc > 0.95:", "conditions-stay"),
    ("loop over nothing", "for epoch in range(50):", "for epoch in []:", "conditions-stay"),
    ("commented out", "df = df[df.age > 18]", "# df = df[df.age > 18]", "statements-stay"),
    ("pass", "df = df[df.age > 18]", "pass", "statements-stay"),
    ("print commented out", "print('accuracy', acc)", "# print('accuracy', acc)", "statements-stay"),
    ("sample", "pd.read_csv('train.csv')", "pd.read_csv('train.csv').sample(frac=0.1)", "no-sampling"),
    ("head", "pd.read_csv('train.csv')", "pd.read_csv('train.csv').head(500)", "no-sampling"),
    ("slice", "y = df['label']", "y = df['label'][:500]", "no-sampling"),
    ("every tenth row", "X = df.drop('label', axis=1)", "X = df.drop('label', axis=1)[::10]", "no-sampling"),
    ("nrows", "read_csv('train.csv')", "read_csv('train.csv', nrows=1000)", "no-shrinking"),
    ("rows with gaps dropped", "read_csv('train.csv')", "read_csv('train.csv').dropna()", "no-sampling"),
    ("fewer epochs", "range(50)", "range(2)", "no-shrinking"),
    ("fewer trees", "N_TREES = 100", "N_TREES = 10", "constants-stay"),
    ("fewer trees in the call", "n_estimators=N_TREES", "n_estimators=10", "arguments-stay"),
    ("fewer folds", "X, y, cv=10", "X, y, cv=2", "arguments-stay"),
    ("smaller grid", "[3, 5, 7]", "[5]", "no-shrinking"),
    ("larger test share", "test_size=0.25", "test_size=0.9", "arguments-stay"),
    ("new limit on work", "random_state=0)", "random_state=0, max_samples=10)", "no-shrinking"),
    ("argument dropped", ", max_depth=5", "", "arguments-stay"),
    ("model replaced", "model = RandomForestClassifier(", "model = DummyClassifier(", "calls-stay"),
    ("seed changed", "np.random.seed(42)", "np.random.seed(1234)", "arguments-stay"),
    ("seed of the model changed", "random_state=0", "random_state=3", "arguments-stay"),
    ("seed removed", "np.random.seed(42)\n", "", "calls-stay"),
    ("seed chosen", "pred =", "np.random.seed(3)\npred =", "seeds-stay"),
    ("data replaced by random numbers", "pd.read_csv('train.csv')", "pd.DataFrame(np.random.rand(100, 3))", "no-synthetic-data"),
    ("data replaced by zeros", "X = df.drop('label', axis=1)", "X = np.zeros((100, 3))", "no-synthetic-data"),
    ("made-up data set", "pd.read_csv('train.csv')", "make_classification(1000)", "no-synthetic-data"),
    ("another data set", "pd.read_csv('train.csv')", "pd.read_csv('other.csv')", "arguments-stay"),
    ("data set of the library", "pd.read_csv('train.csv')", "sns.load_dataset('titanic')", "no-other-data"),
    ("network", "N_TREES =", "import requests\nrequests.post('x', data=1)\nN_TREES =", "no-network"),
    ("data from an address", "'train.csv'", "'https://example.org/train.csv'", "no-network"),
    ("shell", "N_TREES =", "os.system('id')\nN_TREES =", "no-processes"),
    ("subprocess", "N_TREES =", "import subprocess\nsubprocess.run(['id'])\nN_TREES =", "no-processes"),
    ("!pip", "N_TREES =", "!pip install scikit-learn==0.19\nN_TREES =", "magics-stay"),
    ("%pip", "N_TREES =", "%pip install numpy==1.16\nN_TREES =", "magics-stay"),
    ("magic for errors", "N_TREES =", "%xmode Minimal\nN_TREES =", "magics-stay"),
    ("eval", "N_TREES = 100", "N_TREES = eval('100')", "no-dynamic-code"),
    ("exec", "N_TREES =", "exec('import os')\nN_TREES =", "no-dynamic-code"),
    ("__import__", "N_TREES =", "__import__('os').getcwd()\nN_TREES =", "no-dynamic-code"),
    ("importlib", "N_TREES =", "import importlib\nimportlib.import_module('os')\nN_TREES =", "no-dynamic-code"),
    ("globals", "N_TREES =", "globals()['acc'] = 1\nN_TREES =", "no-dynamic-code"),
    ("way through dunders", "N_TREES =", "().__class__.__base__.__subclasses__()\nN_TREES =", "no-dynamic-code"),
    ("computed attribute", "N_TREES =", "getattr(os, 'sys' + 'tem')('id')\nN_TREES =", "no-dynamic-code"),
    ("environment", "N_TREES =", "token = os.environ['TOKEN']\nN_TREES =", "no-environment"),
    ("environment by another name", "N_TREES =", "from os import getenv\ngetenv('TOKEN')\nN_TREES =", "no-environment"),
    ("file written", "N_TREES =", "open('x.txt', 'w').write('1')\nN_TREES =", "no-files"),
    ("file written by pandas", "print('accuracy', acc)", "print('accuracy', acc)\ndf.to_csv('/tmp/x.csv')", "no-files"),
    ("file deleted", "N_TREES =", "os.remove('train.csv')\nN_TREES =", "no-files"),
    ("folder deleted", "N_TREES =", "import shutil\nshutil.rmtree('.')\nN_TREES =", "no-files"),
    ("assertion deleted", "assert acc > 0.9\n", "", "asserts-stay"),
    ("assertion weakened", "assert acc > 0.9", "assert acc > 0.1", "asserts-stay"),
    ("assertion made empty", "assert acc > 0.9", "assert True", "asserts-stay"),
    ("floating-point errors off", "N_TREES =", "np.seterr(all='ignore')\nN_TREES =", "errors-stay-strict"),
    ("warnings off", "N_TREES =", "import warnings\nwarnings.filterwarnings('ignore')\nN_TREES =", "errors-stay-strict"),
    ("bad rows skipped", "read_csv('train.csv')", "read_csv('train.csv', on_bad_lines='skip')", "errors-stay-strict"),
    ("bad values become gaps", "y = df['label']", "y = pd.to_numeric(df['label'], errors='coerce')", "errors-stay-strict"),
    ("failed fits ignored", "cv=5)", "cv=5, error_score=0)", "errors-stay-strict"),
    ("direction of text", "print('accuracy', acc)", "print('accuracy', acc)  # \u202e )0(tixe", "nothing-hidden"),
    ("invisible space", "N_TREES = 100", "N_TREES = 100  # \u200b", "nothing-hidden"),
    ("look-alike name", "pred = model", "\u0430cc = 1\npred = model", "nothing-hidden"),
    ("variable overwritten", "model = Random", "y_test = y_train\nmodel = Random", "data-stays"),
    ("filter tightened", "df.age > 18", "df.age > 60", "constants-stay"),
    ("second target", "pred = model", "pred = y_test = model", "data-stays"),
    ("walrus", "N_TREES =", "(y := 1)\nN_TREES =", "data-stays"),
    ("loop as an assignment", "acc = acc", "for y_test in [pred]:\n    pass\nacc = acc", "data-stays"),
    ("changed in place", "acc = acc", "np.copyto(y_test, pred)\nacc = acc", "data-stays"),
    ("extended in place", "model = Random", "X_train.update(X_test)\nmodel = Random", "data-stays"),
    ("parameters set later", "pred = model", "model.set_params(n_estimators=1)\npred = model", "data-stays"),
    ("score raised a little", "print('acc", "acc += 0.05\nprint('acc", "data-stays"),
    ("another variable printed", "print('accuracy', acc)", "print('accuracy', scores)", "variables-stay"),
    ("score of named pieces", "print('acc", "a = 0.9\nb = 0.0731\nprint(a + b)\nprint('acc", "no-recorded-score"),
    ("score by sum", "print('acc", "print(sum([0.9, 0.0731]))\nprint('acc", "no-recorded-score"),
    (
        "order changed",
        "y = df['label']\nX = df.drop('label', axis=1)",
        "X = df.drop('label', axis=1)\ny = df['label']",
        "order-stays",
    ),
    (
        "empty loop around",
        "pred = model.predict(X_test)",
        "for _ in []:\n    pred = model.predict(X_test)",
        "nothing-is-put-aside",
    ),
    (
        "empty comprehension around",
        "pred = model.predict(X_test)",
        "pred = [model.predict(X_test) for _ in []]",
        "nothing-is-put-aside",
    ),
    ("module by another name", "N_TREES =", "o = os\no.sys.exit\nN_TREES =", "no-dynamic-code"),
    ("module by way of another", "N_TREES =", "pd.io.common.os.system('id')\nN_TREES =", "no-processes"),
    ("command of some object", "N_TREES =", "df.x.system('id')\nN_TREES =", "no-processes"),
    ("star import", "N_TREES =", "from mine import *\nN_TREES =", "meanings-stay"),
    (
        "subclass with its own score",
        "N_TREES =",
        "class M(RandomForestClassifier):\n    def score(self, X, y):\n        return 1\nN_TREES =",
        "meanings-stay",
    ),
    ("shell behind a form feed", "N_TREES =", "# x\x0c!id\nN_TREES =", "nothing-hidden"),
    ("output swallowed", "import numpy as np\n", "%%capture\nimport numpy as np\n", "magics-stay"),
    ("code in %config", "N_TREES =", "%config InlineBackend.rc = __import__('os').system('id')\nN_TREES =", "magics-stay"),
    ("path of imports", "N_TREES =", "import sys\nsys.path.insert(0, '/tmp')\nN_TREES =", "no-dynamic-code"),
    ("pickled code", "N_TREES =", "import pickle\npickle.loads(b'')\nN_TREES =", "no-other-data"),
    ("metric with another argument", "(y_test, pred)", "(y_test, pred, normalize=False)", "scoring-stays-plain"),
    ("weights that favour", "(y_test, pred)", "(y_test, pred, sample_weight=(pred == y_test))", "scoring-stays-plain"),
    ("strata", "random_state=7)", "random_state=7, stratify=y)", "scoring-stays-plain"),
    ("filter turned round", "df.age > 18", "df.age < 18", "operators-stay"),
    ("score scaled", "print('accuracy', acc)", "print('accuracy', acc * 1.1)", "operators-stay"),
    ("score rounded up", "print('accuracy', acc)", "print('accuracy', round(acc, 1))", "operators-stay"),
    ("score from below", "accuracy_score(y_test, pred)", "max(0.9, accuracy_score(y_test, pred))", "operators-stay"),
    ("answers for predictions", "model.predict(X_test)", "model.predict(X_test) * 0 + y_test", "answers-stay-out"),
    ("answers by choice", "model.predict(X_test)", "np.where(True, y_test, model.predict(X_test))", "answers-stay-out"),
    ("answers left in the features", "df.drop('label', axis=1)", "df", "computations-stay"),
    ("fewer features", "df.drop('label', axis=1)", "df.drop('label', axis=1)[['age']]", "columns-stay"),
    ("endless loop", "pred = model", "while True:\n    pass\npred = model", "nothing-ends-early"),
    ("sleep", "pred = model", "import time\ntime.sleep(1)\npred = model", "nothing-ends-early"),
    ("out of the loop", "    model.fit(X_train, y_train)", "    pass\nmodel.fit(X_train, y_train)", "nothing-is-put-aside"),
    ("larger steps", "range(50)", "range(0, 50, 25)", "no-shrinking"),
    ("files listed", "N_TREES =", "print(os.listdir('/'))\nN_TREES =", "no-files"),
    ("file read as numbers", "N_TREES =", "print(np.fromfile('/etc/passwd'))\nN_TREES =", "no-other-data"),
    (
        "script in the output",
        "N_TREES =",
        "from IPython.display import Javascript\nJavascript('x')\nN_TREES =",
        "no-dynamic-code",
    ),
    ("hidden attribute", "N_TREES =", "import operator\noperator.attrgetter('a')(np)\nN_TREES =", "no-dynamic-code"),
    ("class made at run time", "N_TREES =", "type('X', (), {})()\nN_TREES =", "no-dynamic-code"),
    ("no Python", "print('accuracy', acc)", "print('accuracy', acc", "code-stays-readable"),
    ("other language", "import numpy as np\n", "%%bash\nimport numpy as np\n", "languages-stay"),
    ("number shown beside the score", "print('acc", "print('0.' + str(97))\nprint('acc", "results-stay-computed"),
    ("named number shown", "print('acc", "best = 0.97\nprint(f'{best:.2%}')\nprint('acc", "results-stay-computed"),
    (
        "another score below a bound",
        "print('accuracy', acc)",
        "print('accuracy', acc if acc > 0.9 else 0.9)",
        "results-stay-computed",
    ),
    ("a number or the score", "accuracy_score(y_test, pred)", "accuracy_score(y_test, pred) or 0.9", "results-stay-computed"),
    ("result bound while printing", "print('accuracy', acc)", "print('accuracy', (acc := 0.9))", "data-stays"),
    ("metric mocked", "pred = model", "from unittest.mock import patch\npatch('a.b')\npred = model", "no-dynamic-code"),
    ("module by its name as text", "N_TREES =", "getattr(np, 'os')\nN_TREES =", "no-dynamic-code"),
    ("code in a column's text", "y = df['label']", "y = df.eval('label')", "no-dynamic-code"),
    ("process of an event loop", "N_TREES =", "import asyncio\nasyncio.create_subprocess_shell('id')\nN_TREES =", "no-processes"),
    ("compiler", "N_TREES =", "import numpy.f2py\nnumpy.f2py.compile('x')\nN_TREES =", "no-processes"),
    ("answers and predictions swapped", "(y_test, pred)", "(pred, y_test)", "arguments-stay"),
    ("swapped by name", "(y_test, pred)", "(y_true=pred, y_pred=y_test)", "arguments-stay"),
    ("nothing dropped", "df.drop('label', axis=1)", "df.drop(columns=[])", "dropped-columns-stay"),
    ("a feature dropped too", "df.drop('label', axis=1)", "df.drop(['label', 'age'], axis=1)", "dropped-columns-stay"),
    ("rows dropped too", "df['label']", "df.drop(df.index[9])['label']", "dropped-columns-stay"),
    ("feature of the target", ".drop('label', axis=1)", ".drop('label', axis=1).assign(a=df.label)", "target-column-stays-out"),
    (
        "block that swallows",
        "pred =",
        "class Q:\n    def __exit__(self, *a):\n        return True\npred =",
        "errors-stay-visible",
    ),
    ("model tuned", "random_state=0)", "random_state=0, class_weight='balanced')", "no-tuning"),
    ("fitted again", "pred = model", "model.fit(X_test, y_test)\npred = model", "nothing-fitted-anew"),
    (
        "fitted twice in a line",
        "    model.fit(X_train, y_train)",
        "    model.fit(X_train, y_train).fit(X, y)",
        "nothing-fitted-anew",
    ),
    ("target renamed", "df.drop('label', axis=1)", "df.rename(columns={'label': 'a'})", "dropped-columns-stay"),
    (
        "the better of two",
        "accuracy_score(y_test, pred)",
        "sorted([accuracy_score(y_test, pred), 1])[-1]",
        "scores-stay-unbent",
    ),
    ("score's root", "accuracy_score(y_test, pred)", "np.sqrt(accuracy_score(y_test, pred))", "scores-stay-unbent"),
    ("data without its first row", "read_csv('train.csv')", "read_csv('train.csv', header=None)", "no-other-data"),
    ("one piece of the data", "read_csv('train.csv')", "read_csv('train.csv', iterator=True).get_chunk(9)", "no-sampling"),
    (
        "variables of another frame",
        "N_TREES =",
        "import inspect\ninspect.stack()\nN_TREES =",
        "no-dynamic-code",
    ),
    ("limits of the process", "N_TREES =", "import resource\nN_TREES =", "no-processes"),
    ("folders looked at", "N_TREES =", "from pathlib import Path\nPath.home().iterdir()\nN_TREES =", "no-files"),
    ("folds shuffled", "test_size=0.25", "test_size=0.25, shuffle=False", "scoring-stays-plain"),
]


@pytest.mark.parametrize(("old", "new", "rule"), [trick[1:] for trick in TRICKS], ids=[trick[0] for trick in TRICKS])
def test_a_trick_is_refused_by_its_rule(judge: Callable[..., Any], old: str, new: str, rule: str) -> None:
    assert BEFORE.count(old) >= 1
    review = judge(BEFORE, BEFORE.replace(old, new, 1), recorded=RECORDED)
    assert rule in {violation.rule for violation in review.violations}, review.violations


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        ("m = resnet18(pretrained=True)", "m = resnet18(pretrained=False)", "weights-stay"),
        ("m = resnet18(pretrained=True)", "m = resnet18()", "weights-stay"),
        ("m = VGG16(weights='imagenet')", "m = VGG16(weights=None)", "weights-stay"),
        ("m.load_weights('w.h5')\nm.evaluate(x)", "m.evaluate(x)", "calls-stay"),
        ("m.fit(x, y, epochs=30, batch_size=8)", "m.fit(x, y, epochs=1, batch_size=8)", "arguments-stay"),
        ("m.fit(x, y)", "m.fit(x, y, epochs=1)", "no-shrinking"),
        ("m.fit(x, y, nb_epoch=30)", "m.fit(x, y, epochs=3)", "arguments-stay"),
        ("def f(epochs=30):\n    return epochs", "def f(epochs=3):\n    return epochs", "constants-stay"),
        ("def f(a):\n    return g(a)", "def f(a):\n    return 0", "results-stay-computed"),
        ("def f(a):\n    b = g(a)\n    return b", "def f(a):\n    return a\n    b = g(a)\n    return b", "nothing-ends-early"),
        ("!wget x.org/data.csv\ndf = read(1)", "df = read(1)", "magics-stay"),
        ("%%bash\nls", "%%bash\nls; id", "languages-stay"),
        ("x = 1", "", "cells-keep-code"),
        ("x = f(1)", "# x = f(1)", "cells-keep-code"),
        ("x = f(1)", "pass", "statements-stay"),
        ("df = a.sample(n=5, random_state=3)", "df = a.sample(n=5, random_state=4)", "seeds-stay"),
        ("for f in files:\n    use(f)", "for f in files[:3]:\n    use(f)", "no-sampling"),
        ("for b in data:\n    use(b)", "for b, _ in zip(data, range(3)):\n    use(b)", "conditions-stay"),
        ("s = accuracy_score(y, m.predict(X))", "s = accuracy_score(y, better(m.predict(X)))", "arguments-stay"),
        ("loss = F.nll_loss(net(x), y)", "loss = F.nll_loss(net(x).detach(), y)", "arguments-stay"),
        ("print(scores.mean())", "print(np.median(scores))", "computations-stay"),
        ("b = max(h.history['val_acc'])", "b = max(h.history['accuracy'])", "records-stay"),
        ("m.compile(metrics=['accuracy'])", "m.compile(metrics=['top_k_categorical_accuracy'])", "arguments-stay"),
        ("m.fit(x, y)", "m.fit(x, y, callbacks=[EarlyStopping(patience=1)])", "no-shrinking"),
        ("m.fit(x, y, epochs=3)", "m.fit(x, y, epochs=3, initial_epoch=2)", "no-shrinking"),
        ("h = F.relu(a(x))", "h = F.dropout(F.relu(a(x)), 0.9)", "nothing-fitted-anew"),
        ("d = DataLoader(x, shuffle=True)", "d = DataLoader(x, shuffle=True, drop_last=True)", "no-shrinking"),
        ("k = KFold(n_splits=5, random_state=1)", "k = KFold(n_splits=5, random_state=1, shuffle=True)", "no-tuning"),
        ("df.to_csv('a.csv')", "df.to_csv('../a.csv')", "paths-stay-inside"),
        ("df.to_csv('a.csv')", "df.to_csv('/tmp/a.csv')", "paths-stay-inside"),
        ("plt.plot(x)\nplt.show()", "plt.show()", "statements-stay"),
        ("plt.plot(x)\nplt.show()", "'plt.plot(x)'\nplt.show()", "results-stay-computed"),
        (
            "from keras.datasets import mnist\nd = mnist.load_data()",
            "from keras.datasets import fashion_mnist as mnist\nd = mnist.load_data()",
            "meanings-stay",
        ),
        ("while busy(x):\n    x = go(x)", "while False:\n    x = go(x)", "conditions-stay"),
    ],
)
def test_a_small_trick_is_refused_by_its_rule(judge: Callable[..., Any], before: str, after: str, rule: str) -> None:
    assert rule in {violation.rule for violation in judge(before, after).violations}
