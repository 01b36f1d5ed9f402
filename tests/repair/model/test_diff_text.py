from __future__ import annotations

import difflib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modernizer.repair.model.answers import AnswerRefusedError, read_answer
from modernizer.repair.model.diff_text import DiffRefusedError, apply_diff
from modernizer.repair.program import Key

ONE = "import numpy as np\nfrom lib import load\n\ndata = load('x.csv', sep=',')\nrows = len(data)\n"
TWO = "def mean(values):\n    total = 0\n    for value in values:\n        total += value\n"
TWO += "    return total / len(values)\n\nprint mean(data)"
THREE = "a = 1\nb = 2\na = 1\nc = 3"
SOURCES: dict[Key, str] = {0: ONE, 2: TWO, 3: THREE, "tools/io.py": "def load(path):\n    return open(path, 'rU')\n"}
ONE_FIXED = ONE.replace("sep=','", "delimiter=','")
TWO_FIXED = TWO.replace("print mean(data)", "print(mean(data))")

GOOD = """--- a/notebook
+++ b/notebook
@@ -4,3 +4,3 @@ # %% [cell 0] code
{blank}
-data = load('x.csv', sep=',')
+data = load('x.csv', delimiter=',')
 rows = len(data)
""".replace("{blank}", " ")

MALFORMED = {
    "as it should be": GOOD,
    "wrong hunk counts": GOOD.replace("-4,3 +4,3", "-4,17 +4,2"),
    "missing hunk counts": GOOD.replace("-4,3 +4,3", "-4 +4"),
    "no line numbers": GOOD.replace("@@ -4,3 +4,3 @@", "@@"),
    "no numbers, closed": GOOD.replace("@@ -4,3 +4,3 @@", "@@ @@"),
    "line numbers far off": GOOD.replace("-4,3 +4,3", "-400,3 +400,3"),
    "no file header": GOOD.split("\n", 2)[2],
    "no section": GOOD.replace(" # %% [cell 0] code", ""),
    "no hunk header at all": "-data = load('x.csv', sep=',')\n+data = load('x.csv', delimiter=',')\n",
    "git header": f"diff --git a/n.ipynb b/n.ipynb\nindex 1234567..89abcde 100644\n{GOOD}",
    "no newline marker": GOOD + "\\ No newline at end of file\n",
    "CRLF": GOOD.replace("\n", "\r\n"),
    "CR only": GOOD.replace("\n", "\r"),
    "trailing blanks": GOOD.replace("sep=',')", "sep=',')   ").replace("len(data)", "len(data)\t"),
    "blank context without its space": GOOD.replace("\n \n", "\n\n"),
    "context without its space": GOOD.replace("\n rows", "\nrows"),
    "fence inside": f"```diff\n{GOOD}```",
    "whole hunk indented": GOOD.replace("-data", "-    data").replace("+data", "+    data").replace(" rows", "     rows"),
    "blanks inside differ": GOOD.replace("-data = load('x.csv', sep=',')", "-data  =  load('x.csv',sep=',')"),
    "quotes differ in the old line": GOOD.replace("-data = load('x.csv', sep=',')", '-data = load("x.csv", sep=",")'),
    "header as context": GOOD.replace("@@ -4,3 +4,3 @@ # %% [cell 0] code\n", "@@ -1,4 +1,4 @@\n # %% [cell 0] code\n"),
    "header drifted": GOOD.replace("# %% [cell 0] code", "# Cell 0"),
    "header drifted in context": GOOD.replace("@@ -4,3 +4,3 @@ # %% [cell 0] code\n", "@@ @@\n # %% cell 0 (code)\n"),
    "cell in the file header": "--- cell 0\n+++ cell 0\n@@ -4 +4 @@\n" + "\n".join(GOOD.split("\n")[3:]),
    "stale context above": GOOD.replace("\n \n", "\n from lib import other\n"),
    "stale context below": GOOD.replace(" rows = len(data)", " columns = 3"),
    "blank lines around": f"\n\n{GOOD}\n\n\n",
    "too much context at the end": GOOD + " \n \n \n",
    "hidden characters": GOOD.replace(" rows", " rows\u200b"),
    "old line before and after swapped counts": GOOD.replace("-4,3 +4,3", "-0,0 +1,9"),
    "words before the diff": f"Here is the fix:\n\n{GOOD}",
    "hunk header indented": GOOD.replace("@@ -4", "  @@ -4"),
    "timestamps in the header": GOOD.replace("--- a/notebook", "--- a/notebook\t2026-01-01 00:00:00"),
    "wrong cell named in the file only": GOOD.replace("--- a/notebook", "--- a/train.ipynb"),
    "blank behind the mark of the new line": GOOD.replace("+data", "+ data"),
    "blank behind the mark of the old line": GOOD.replace("-data", "- data"),
    "begin patch": f"*** Begin Patch\n*** Update File: notebook\n{GOOD}*** End Patch\n",
    "two files headers": f"--- a/notebook\n+++ b/notebook\n{GOOD}",
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_diff_changes_the_line_it_means(name: str) -> None:
    assert apply_diff(MALFORMED[name], SOURCES) == {0: ONE_FIXED}


INDENTED = {
    "as it should be": "@@ cell 2\n     for value in values:\n-        total += value\n+        total = total + value\n",
    "indentation lost": "@@ cell 2\n-total += value\n+total = total + value",
    "two blanks for four": "@@ cell 2\n   for value in values:\n-    total += value\n+    total = total + value",
    "tabs": "@@ cell 2\n-\t\ttotal += value\n+\t\ttotal = total + value",
    "one space missing in the whole hunk": "@@ cell 2\n-       total += value\n+       total = total + value",
}


@pytest.mark.parametrize("name", INDENTED)
def test_added_lines_get_the_indentation_of_the_code(name: str) -> None:
    assert apply_diff(INDENTED[name], SOURCES) == {2: TWO.replace("total += value", "total = total + value")}


def test_several_hunks_and_units_at_once() -> None:
    text = f"{GOOD}@@ # %% [cell 2] code\n-print mean(data)\n+print(mean(data))\n"
    text += "--- a/tools/io.py\n+++ b/tools/io.py\n@@ -1 +1 @@\n-    return open(path, 'rU')\n+    return open(path)\n"
    changed = apply_diff(text, SOURCES)
    assert changed == {0: ONE_FIXED, 2: TWO_FIXED, "tools/io.py": "def load(path):\n    return open(path)\n"}


def test_one_hunk_over_two_cells_is_split_at_the_header() -> None:
    text = "@@ -1,9 +1,9 @@\n-data = load('x.csv', sep=',')\n+data = load('x.csv', delimiter=',')\n"
    text += " # %% [cell 2] code\n-print mean(data)\n+print(mean(data))\n"
    assert apply_diff(text, SOURCES) == {0: ONE_FIXED, 2: TWO_FIXED}


def test_lines_left_out_between_two_changes() -> None:
    text = "@@ # %% [cell 2] code\n def mean(values):\n-    total = 0\n+    total = 0.0\n ...\n"
    text += "-print mean(data)\n+print(mean(data))\n"
    assert apply_diff(text, SOURCES) == {2: TWO_FIXED.replace("total = 0\n", "total = 0.0\n")}


def test_the_exact_line_number_decides_between_equal_places() -> None:
    assert apply_diff("@@ -3 +3 @@ cell 3\n-a = 1\n+a = 4\n", SOURCES) == {3: "a = 1\nb = 2\na = 4\nc = 3"}


def test_context_decides_between_equal_places() -> None:
    assert apply_diff("@@\n b = 2\n-a = 1\n+a = 4\n", SOURCES) == {3: "a = 1\nb = 2\na = 4\nc = 3"}


def test_an_insertion_needs_context() -> None:
    assert apply_diff("@@ cell 3\n b = 2\n+d = 9\n", SOURCES) == {3: "a = 1\nb = 2\nd = 9\na = 1\nc = 3"}


def test_line_ends_of_the_notebook_stay() -> None:
    assert apply_diff("@@ cell 0\n-b = 2\n+b = 3\n", {0: "a = 1\r\nb = 2\r\nc = 3"}) == {0: "a = 1\r\nb = 3\r\nc = 3"}


_LINE = st.sampled_from(["a = 1", "b = 2", "if a:", "    c = 3", "    d = a + b", "", "print(a)", "# note", "e = [a, b]"])


@given(st.lists(_LINE, min_size=1, max_size=12), st.lists(_LINE, min_size=1, max_size=12))
def test_a_right_diff_gives_the_right_code_or_is_refused(before: list[str], after: list[str]) -> None:
    old, new = "\n".join(before), "\n".join(after)
    text = "\n".join(difflib.unified_diff(before, after, "a/n", "b/n", "", "", 3, ""))
    try:
        changed = apply_diff(text, {5: old})
    except DiffRefusedError:
        return
    assert changed.get(5, old) == new


REFUSED = {
    "two places": ("@@ cell 3\n-a = 1\n+a = 4\n", "fits at 2 places"),
    "nowhere": ("@@ cell 3\n-z = 1\n+z = 4\n", "does not fit"),
    "only added": ("@@ cell 3\n+z = 4\n", "no line of context"),
    "no change": ("@@ cell 3\n a = 1\n", "no line that starts with"),
    "empty": ("", "no line that starts with"),
    "header removed": ("@@\n-# %% [cell 2] code\n", "removes a cell header"),
    "header added": ("@@ cell 3\n c = 3\n+# %% [cell 2] code\n", "adds a cell header"),
    "overlapping": ("@@ cell 3\n-b = 2\n+b = 3\n@@ cell 3\n-b = 2\n+b = 4\n", "change the same lines"),
    "left out": ("@@ cell 3\n-b = 2\n+b = 3\n+# ... rest unchanged\n", "left out"),
    "only dots": ("@@ cell 3\n-b = 2\n+...\n", "left out"),
    "cell emptied": ("@@ cell 3\n-a = 1\n-b = 2\n-a = 1\n-c = 3\n", "leaves nothing of cell 3"),
    "three versions": ("@@@ -1,1 -1,1 +1,1 @@@\n- b = 2\n++b = 3\n", "three versions"),
    "other cell": ("@@ # %% [cell 3] code\n-print mean(data)\n+print(mean(data))\n", "does not fit"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_ambiguous_or_fits_nowhere_is_refused_with_a_reason(name: str) -> None:
    text, reason = REFUSED[name]
    with pytest.raises(DiffRefusedError, match=reason):
        apply_diff(text, SOURCES)


BLOCKS = "<<<<<<< SEARCH\ndata = load('x.csv', sep=',')\n=======\ndata = load('x.csv', delimiter=',')\n>>>>>>> REPLACE\n"
ANSWERS = {
    "diff in a fence": f"The argument was renamed.\n\n```diff\n{GOOD}```\n",
    "tildes": f"Renamed.\n~~~diff\n{GOOD}~~~",
    "fence without a language": f"Renamed.\n```\n{GOOD}```",
    "fence never closed": f"Renamed.\n```diff\n{GOOD}",
    "bare diff": f"Renamed.\n{GOOD}",
    "JSON with a diff": '{"explanation": "Renamed.", "diff": %s}',
    "JSON in a fence": '```json\n{"explanation": "Renamed.", "diff": %s}\n```',
    "JSON behind words": 'Sure! {"explanation": "Renamed.", "patch": %s} Done.',
    "thinking aloud": f"<think>```diff\n-a = 1\n+a = 2\n```</think>Renamed.\n```diff\n{GOOD}```",
    "cell in a fence": f"Renamed.\n```python\n# %% [cell 0] code\n{ONE_FIXED}```",
    "cells in JSON": '{"explanation": "Renamed.", "cells": [{"cell": 0, "source": %s}]}',
    "search and replace": "Renamed.\n{blocks}",
    "search and replace in a fence": "Renamed.\n\ncell 0\n```python\n{blocks}```",
    "search and replace in a cell": "Renamed.\n```python\n# %% [cell 0] code\n{blocks}```",
    "the same diff twice": f"Renamed.\n```diff\n{GOOD}```\nSo:\n```diff\n{GOOD}```",
    "shell in another fence": f"Run\n```bash\npip install lib\n```\nor so\n```diff\n{GOOD}```",
    "cell named above its fence": f"**Cell 0:**\n```python\n{ONE_FIXED}```",
    "prompt above the code": f"```python\n# %% [cell 0] code\nIn [3]:\n{ONE_FIXED}```",
    "HTML escapes": f"```diff\n{GOOD}```".replace("'", "&#39;"),
    "typographic quotes": f"```diff\n{GOOD}```".replace("','", "\u2018,\u2019").replace("'x.csv'", "\u2018x.csv\u2019"),
    "other language": f"Das Argument heißt jetzt anders.\n```diff\n{GOOD}```\nViel Erfolg!",
    "bullets": f"- renamed\n- nothing else\n\n```diff\n{GOOD}```",
    "words behind the diff": f"```diff\n{GOOD}\nThe argument has another name now.\n```",
    "fence in a fence": f"````markdown\n```diff\n{GOOD}```\n````",
    "JSON with raw line ends": '{"explanation": "Renamed \u201csep\u201d.", "diff": "%r"}',
    "JSON with a comma too many": '{"explanation": "Renamed.", "diff": %s,}',
    "JSON as Python writes it": "{'explanation': 'Renamed.', 'diff': %s}",
    "JSON escaped twice": '{"explanation": "Renamed.", "diff": "%d"}',
    "diff and the cell it gives": f"```diff\n{GOOD}```\nThe whole cell:\n```python\n# %% [cell 0] code\n{ONE_FIXED}```",
    "cell under a title": f"### Cell 0 (fixed)\n```python\n{ONE_FIXED}```",
    "JSON inside JSON": '{"answer": {"explanation": "Renamed.", "diff": %s}}',
    "cells as a mapping": '{"explanation": "Renamed.", "cells": {"cell 0": %s}}',
}


@pytest.mark.parametrize("name", ANSWERS)
def test_every_form_of_an_answer_is_read(name: str) -> None:
    text = ANSWERS[name].replace("{blocks}", BLOCKS).replace("%r", GOOD).replace("%d", GOOD.replace("\n", r"\\n"))
    if "%s" in text:
        text = text.replace("%s", json.dumps(ONE_FIXED if "cells" in name else GOOD))
    assert read_answer(text, SOURCES).changes == {0: ONE_FIXED}


UNUSABLE = {
    "empty": ("   ", "empty"),
    "words only": ("You should update the package.", "neither"),
    "truncated JSON": ('{"explanation": "Renamed", "diff": "@@ -1', "ends too early"),
    "unknown cell": ('{"cells": [{"cell": 7, "source": "x"}]}', "was not shown"),
    "emptied cell": ('{"cells": [{"cell": 0, "source": ""}]}', "empties"),
    "same code": ('{"cells": [{"cell": 3, "source": "a = 1\\nb = 2\\na = 1\\nc = 3"}]}', "changes nothing"),
    "partial cell": ('{"cells": [{"cell": 2, "source": "x"}]}', "in part only"),
    "line left out": (f"```python\n# %% [cell 0] code\n{ONE_FIXED.splitlines()[0]}\n...\nrows = len(data)\n```", "left out"),
    "rest left out": ('{"cells": [{"cell": 0, "source": "import numpy as np\\n# rest of the code stays the same"}]}', "left out"),
    "Rest ausgelassen": ("```python\n# %% [cell 3] code\na = 1\nb = 3\n# Rest bleibt unverändert\n```", "left out"),
    "end of the cell missing": ("```python\n# %% [cell 0] code\nimport numpy as np\n```", "had 4 lines"),
    "line numbers": ("```python\n# %% [cell 3] code\n1 | a = 1\n2 | b = 3\n3 | a = 1\n4 | c = 3\n```", "line numbers"),
    "marks of two versions": ("```python\n# %% [cell 3] code\na = 1\n<<<<<<< mine\nb = 3\na = 1\nc = 3\n```", "two versions"),
    "another cell's number": (f"```python\n# %% [cell 3] code\n{ONE_FIXED}```", "is that of cell 0"),
    "another cell's number in JSON": (json.dumps({"cells": [{"cell": 3, "source": ONE_FIXED}]}), "is that of cell 0"),
    "two versions": (
        f"```python\n# %% [cell 0] code\n{ONE_FIXED}```\nand\n```python\n# %% [cell 0] code\n{ONE_FIXED}x = 1\n```",
        "two versions",
    ),
    "alternatives": (
        f"Option 1:\n```diff\n{GOOD}```\nOption 2:\n```diff\n@@ cell 3\n-b = 2\n+b = 3\n```",
        "alternatives",
    ),
    "alternative at another place": (
        f"```diff\n{GOOD}```\nAlternatively:\n```diff\n@@ cell 3\n-b = 2\n+b = 3\n```",
        "alternatives",
    ),
    "alternatives in blocks": (
        f"Option 1\n{BLOCKS}Option 2\n{BLOCKS.replace('delimiter', 'd')}",
        "alternatives",
    ),
    "diff and cell that differ": (
        json.dumps({"diff": GOOD, "cells": [{"cell": 0, "source": ONE.replace("sep=", "d=")}]}),
        "say different things",
    ),
    "fence never closed": ("```python\n# %% [cell 0] code\nimport numpy as np\nfrom lib import load", "not closed"),
    "two cells under one header": (f"```python\n# %% [cell 3] code\n{THREE}\n{TWO_FIXED}\n```", "holds that of cell 2 too"),
    "header of no cell": (f"```python\n# %% [cell one]\n{TWO_FIXED}\n```", "names no cell"),
    "dots for a value": ("```python\n# %% [cell 3] code\na = 1\nb = ...\na = 1\nc = 3\n```", "left out"),
    "body left out": ('{"cells": [{"cell": 3, "source": "a = 1\\nb = 2\\npass  # as before"}]}', "left out"),
    "old and new code": ("Replace\n```python\na = 1\n```\nwith\n```python\na = 2\n```", "neither"),
    "cells of a notebook file": ('{"cells": [{"cell_type": "code", "source": ["a = 1"]}]}', "no number"),
    "declined": ("NO EDIT: the data is gone.", "no edit"),
    "JSON without an edit": ('{"explanation": "nothing to do", "diff": ""}', "no edit"),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_an_unusable_answer_says_why(name: str) -> None:
    text, reason = UNUSABLE[name]
    with pytest.raises(AnswerRefusedError, match=reason):
        read_answer(text, SOURCES, in_part={2} if name == "partial cell" else (), failing=2)


def test_a_block_without_a_header_is_the_failing_cell_when_it_is_like_it() -> None:
    text = f"Fixed:\n```python\n{TWO_FIXED}\n```"
    assert read_answer(text, SOURCES, failing=2).changes == {2: TWO_FIXED}
    for failing in (0, None):
        with pytest.raises(AnswerRefusedError, match="neither"):
            read_answer(text, SOURCES, failing=failing)


def test_a_cut_off_answer_is_told_so() -> None:
    with pytest.raises(AnswerRefusedError, match="cut off"):
        read_answer("The argument was", SOURCES, cut_off=True)
