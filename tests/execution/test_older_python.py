from __future__ import annotations

import ast
from pathlib import Path

import pytest

from modernizer.execution.kernel import INSIDE
from modernizer.execution.older_python import source_for

KERNEL_CODE = sorted(path for path in INSIDE.glob("*.py") if path.name != "launcher.py")


@pytest.mark.parametrize("path", KERNEL_CODE, ids=lambda path: path.name)
def test_code_in_the_kernel_is_valid_in_python_3_6(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert source_for(text, "3.7.1") == text
    older = source_for(text, "3.6.15")
    tree = ast.parse(older, feature_version=(3, 6))
    assert "__future__" not in older
    assert not any(isinstance(node, ast.arg) and node.annotation for node in ast.walk(tree))


def test_annotations_go_and_behaviour_stays() -> None:
    text = """
from __future__ import annotations

def f(x: int | None, *y: str, k: int = 2) -> list[int]:
    n: dict[str, int] = {}
    return [x, k, n]
"""
    space: dict[str, object] = {}
    exec(source_for(text, "3.6.1"), space)  # noqa: S102 (the test's own text)
    assert space["f"](1) == [1, 2, {}]  # type: ignore[operator]
