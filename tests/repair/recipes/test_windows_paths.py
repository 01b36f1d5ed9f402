"""Paths with backslashes, once a missing file proves them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modernizer.repair.recipe import Failure


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (r"os.getcwd() + '\data\ex1.txt'", "os.getcwd() + '/data/ex1.txt'"),
        (r"pd.read_csv('data\\train.csv')", "pd.read_csv('data/train.csv')"),
        (r'pd.read_csv(r"..\data\new file.csv")', 'pd.read_csv(r"../data/new file.csv")'),
        (r"folder = 'data\\raw\\'", "folder = 'data/raw/'"),
        (r"print('a\n'); open('data\\x.txt')", r"print('a\n'); open('data/x.txt')"),
        (r"re.sub(r'\d+\.csv', '', x)", r"re.sub(r'\d+\.csv', '', x)"),
        (r"print('one\ttwo')", r"print('one\ttwo')"),
        (r"open('C:\\Users\\me\\x.txt')", r"open('C:\\Users\\me\\x.txt')"),
    ],
)
def test_paths_get_forward_slashes(rewrite: Callable[..., Any], failure: Callable[..., Failure], before: str, after: str) -> None:
    missing = failure("FileNotFoundError", r"[Errno 2] No such file or directory: '/work\\data\\ex1.txt'")
    assert rewrite(before, recipe="windows-path", failure=missing) == after


def test_other_missing_files_prove_nothing(rewrite: Callable[..., Any], failure: Callable[..., Failure]) -> None:
    cell = r"open('data\\x.txt')"
    missing = failure("FileNotFoundError", "[Errno 2] No such file or directory: 'x.txt'")
    assert rewrite(cell, recipe="windows-path", failure=missing) == cell


def test_the_file_is_found(repair: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "ex1.txt").write_text("7")
    repaired = repair([f"folder = {str(tmp_path)!r}", r"r = open(folder + '\data\ex1.txt').read()"])
    assert repaired.value("r") == "7"
