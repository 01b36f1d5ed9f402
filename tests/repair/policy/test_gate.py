"""The gate as a whole: what it lets through by construction, the frame of a notebook, flags, trust and renames."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modernizer.drift.compare import Fact
from modernizer.drift.facts import PlacedFact
from modernizer.notebook import parse_notebook
from modernizer.repair.allowed_renames import allowed_renames
from modernizer.repair.policy import FLAGS, RULES, Review, check
from modernizer.repair.program import Program

LINES = [
    "import numpy as np",
    "from sklearn.svm import SVC",
    "import sklearn.metrics as metrics",
    "%matplotlib inline",
    "!ls data",
    "x = np.array([1, 2, 3])",
    "df = np.loadtxt('a.csv')",
    "model = SVC(C=2, random_state=0).fit(df, x)",
    "for i in range(10):\n    x = x + i",
    "def f(a, b=3):\n    return a * b",
    "try:\n    f(1)\nexcept ValueError:\n    pass",
    "if x.sum() > 2:\n    print('a', f(2))",
    "assert f(1) == 3",
    "print(metrics.accuracy_score(x, model.predict(df)))",
    "import os; os.remove('x')",
    "print 'python 2'",
    "this is prose",
    "df[:5].head()",
    "np.random.seed(3)",
]
RENAMED = {"np": "numpy", "SVC": "Machine", "metrics": "m"}


def program(cells: list[str], *, modules: dict[str, str] | None = None) -> Program:
    node = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source, id=str(n)) for n, source in enumerate(cells)])
    return Program(parse_notebook(nbformat.writes(node).encode(), name="test.ipynb"), modules or {})


CELLS = st.lists(st.lists(st.sampled_from(LINES), max_size=6).map("\n".join), min_size=1, max_size=4)


@settings(max_examples=60)
@given(CELLS)
def test_no_edit_is_no_violation(cells: list[str]) -> None:
    assert check(program(cells), program(cells), recorded=(0.97,)) == Review()


@settings(max_examples=60)
@given(CELLS)
def test_comments_and_blank_lines_are_no_violation(cells: list[str]) -> None:
    spaced = [f"# why\n\n{cell}\n\n# done\n" for cell in cells]
    spaced = [re.sub(r", ", ",  ", cell) if "prose" not in cell and "print '" not in cell else cell for cell in spaced]
    valid = [(old, new) for old, new in zip(cells, spaced, strict=True) if "prose" not in old and "print '" not in old]
    before, after = [old for old, _ in valid], [new for _, new in valid]
    assert check(program(before), program(after)).violations == ()


@settings(max_examples=60)
@given(CELLS)
def test_other_names_of_imports_are_no_violation(cells: list[str]) -> None:
    heading = "import numpy as np\nfrom sklearn.svm import SVC\nimport sklearn.metrics as metrics"
    new_heading = "import numpy\nfrom sklearn.svm import SVC as Machine\nfrom sklearn import metrics as m"
    body = [[line for line in cell.split("\n") if not line.startswith(("import", "from"))] for cell in cells]
    kept = ["\n".join(lines) for lines in body if not any("prose" in line or "print '" in line for line in lines)]
    renamed = [re.sub(r"\b(np|SVC|metrics)\b(?=[.(])", lambda match: RENAMED[match[1]], cell) for cell in kept]
    assert check(program([heading, *kept]), program([new_heading, *renamed])).violations == ()


def test_every_rule_has_a_reason_and_a_case() -> None:
    spec = spec_from_file_location("adversarial", Path(__file__).with_name("test_adversarial.py"))
    assert spec
    assert spec.loader
    adversarial = module_from_spec(spec)
    spec.loader.exec_module(adversarial)
    text = Path(__file__).with_name("test_adversarial.py").read_text(encoding="utf-8")
    assert len(adversarial.TRICKS) >= 40
    assert [rule.name for rule in RULES if f'"{rule.name}"' not in text] == []
    assert all(rule.reason for rule in (*RULES, *FLAGS))


def test_a_removed_cell_is_refused() -> None:
    review = check(program(["x = 1", "y = 2"]), program(["x = 1"]))
    assert [violation.rule for violation in review.violations] == ["cells-stay"]


def test_tags_text_and_kinds_of_cells_stay() -> None:
    before = program(["x = 1", "y = 2"])
    tagged = replace(before.notebook.cells[0], tags=frozenset({"raises-exception"}))
    other = replace(before.notebook.cells[1], kind="markdown")
    after = replace(before, notebook=replace(before.notebook, cells=(tagged, other)))
    assert [(one.rule, one.unit) for one in check(before, after).violations] == [("cells-stay", 0), ("cells-stay", 1)]


def test_a_new_module_is_refused_and_a_changed_one_is_judged() -> None:
    before = program(["import own"], modules={"own.py": "def load(p):\n    return read(p)"})
    added = replace(before, modules={**before.modules, "evil.py": "x = 1"})
    changed = before.replaced({"own.py": "import os\ndef load(p):\n    os.system(p)\n    return read(p)"})
    assert [violation.rule for violation in check(before, added).violations] == ["files-stay"]
    assert ("no-processes", "own.py", 3) in {(one.rule, one.unit, one.line) for one in check(before, changed).violations}


def test_a_recipe_may_drop_by_its_table_and_is_flagged(judge: Callable[..., Any]) -> None:
    before, after = "m.fit(X, y, odd=3)", "m.fit(X, y)"
    assert not judge(before, after).accepted
    review = judge(before, after, trusted=True)
    assert review.accepted
    assert "arguments-stay" in {flag.rule for flag in review.flags}


@pytest.mark.parametrize(
    ("after", "rule"),
    [
        ("x = 0.9731", "no-recorded-score"),
        ("import os\nos.system('id')\nx = f(1)", "no-processes"),
        ("try:\n    x = f(1)\nexcept Exception:\n    pass", "errors-stay-visible"),
        ("f.x.predict = g\nx = f(1)", "libraries-stay"),
        ("x = f(1)\u202e", "nothing-hidden"),
    ],
)
def test_a_recipe_is_refused_too_where_no_table_could_ask_for_it(judge: Callable[..., Any], after: str, rule: str) -> None:
    assert rule in {one.rule for one in judge("x = f(1)", after, recorded=(0.9731,), trusted=True).violations}


def test_renames_from_drift_are_allowed(judge: Callable[..., Any]) -> None:
    old = "import lib\nr = lib.old_score(y, size=3, fast=True)"
    new = "import lib\nr = lib.new_score(y, width=3)"
    renames = {"lib.old_score": "lib.new_score", "lib.old_score(size)": "width", "lib.old_score(fast)": ""}
    assert not judge(old, new).accepted
    assert judge(old, new, renames=renames).violations == ()


def test_the_default_of_then_may_be_written_out(judge: Callable[..., Any]) -> None:
    old, new = "from lib import Means\nk = Means(2)", "from lib import Means\nk = Means(2, n_init=10)"
    facts = [PlacedFact(Fact("lib", "lib.Means", "default-changed", "n_init", "10", "'auto'"), (0,))]
    assert not judge(old, new).accepted
    assert judge(old, new, renames=allowed_renames(facts)).violations == ()
    assert not judge(old, new.replace("10", "1"), renames=allowed_renames(facts)).accepted


@pytest.mark.parametrize(
    ("before", "after", "flag"),
    [
        ("plt.hist(x, bins=10, normed=1)", "plt.hist(x, bins=20)", "changed-numbers"),
        ("plt.style.use('seaborn')", "plt.style.use('seaborn-v0_8')", "changed-strings"),
        ("plt.hist(x, normed=1)", "plt.hist(x, density=1)", "changed-arguments"),
        ("x = np.float(1)", "import scipy\nx = float(1)", "new-packages"),
        ("if d.has_key(k):\n    f(k)", "if k in d:\n    f(k)", "changed-conditions"),
        ("not python at all", "x = 1", "unread-code"),
    ],
)
def test_what_needs_an_eye_is_flagged(judge: Callable[..., Any], before: str, after: str, flag: str) -> None:
    assert flag in {one.rule for one in judge(before, after).flags}


def test_a_violation_reads_as_one_line(judge: Callable[..., Any]) -> None:
    (violation,) = judge("x = f(1)", "y = eval('1')\nx = f(1)").violations
    assert str(violation) == "cell 0, line 1: no code or names made at run time: eval [no-dynamic-code]"
