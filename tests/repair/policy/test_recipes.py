"""The recipes' own examples pass as trusted edits, so that the gate never refuses what a table has proven."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from modernizer.repair.policy.reading import parse

EXAMPLES = Path(__file__).parents[1] / "recipes"
IMPORTS = "import numpy as np\nimport pandas as pd\nimport matplotlib.pyplot as plt\nimport seaborn as sns\n"


def _pairs() -> Iterator[tuple[str, str]]:
    """Collect pairs of texts in the tables of the recipes' tests that are code and alike."""
    for path in sorted(EXAMPLES.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Tuple(elts=[ast.Constant(value=str() as before), ast.Constant(value=str() as after)]):
                    code = any(mark in before for mark in "([=.") and parse(before)[1] is not None and parse(after)[2]
                    if before != after and code and SequenceMatcher(None, before, after).ratio() > 0.3:
                        yield before, after


def test_examples_of_recipes_are_accepted_as_trusted(judge: Callable[..., Any]) -> None:
    pairs = list(_pairs())
    assert len(pairs) > 200
    refused = []
    for before, after in pairs:
        imports = "" if "import" in before else IMPORTS
        if violations := judge(imports + before, imports + after, trusted=True).violations:
            refused.append((before, after, violations))
    assert refused == []
