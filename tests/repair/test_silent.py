from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

START = "import pandas as pd\ndf = pd.DataFrame({'a': [1.0, None, 3.0]})"
LOST = "df['a'].fillna(0, inplace=True)"


def fixed(
    tmp_path: Path, last: str, output: str, *, start: str = START, middle: str = LOST
) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Run the real command on a notebook whose middle cell loses its effect in pandas 3."""
    cells = [
        {"cell_type": "code", "execution_count": n + 1, "metadata": {}, "outputs": [], "source": source.splitlines(keepends=True)}
        for n, source in enumerate((start, middle, last))
    ]
    cells[2]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": [output]}]
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "n.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}, indent=1))
    command = [sys.executable, "-m", "modernizer", "fix", str(repo), "--out", str(tmp_path / "out"), "--model", "none"]
    subprocess.run(command, check=False, capture_output=True, timeout=170)
    data = json.loads((tmp_path / "out" / "results.json").read_text())
    patch = tmp_path / "out" / "patches" / "n.ipynb.patch"
    return data, data["notebooks"][0], patch.read_text() if patch.exists() else ""


@pytest.mark.timeout(180)
def test_a_silent_change_is_undone_when_a_score_shows_it(tmp_path: Path) -> None:
    _, result, patch = fixed(tmp_path, "print('score: %.4f' % df['a'].mean())", "score: 1.3333\n")
    assert result["before"]["verdict"] == "drifted"
    assert result["after"]["verdict"] == "reproduced"
    assert result["repair"]["fixes"][0]["kind"] == "score-calibration"
    assert "+    \"df['a'] = df['a'].fillna(0)\"" in patch


@pytest.mark.timeout(180)
def test_a_silent_change_without_effect_on_a_score_is_only_told(tmp_path: Path) -> None:
    data, result, patch = fixed(tmp_path, "print('score: %.4f' % 1)", "score: 1.0000\n")
    assert result["before"]["verdict"] == "reproduced"
    assert result["repair"] is None
    assert patch == ""
    assert any("cell 1" in note and "copy-on-write" in note for note in data["notes"])


TIMES = """import pandas as pd
df = pd.DataFrame({'when': ['1970-01-01 00:00:04', '1970-01-01 00:00:08'], 'n': [1, 2]})
times = pd.to_datetime(df['when'])"""


@pytest.mark.timeout(180)
def test_assumptions_about_dtypes_are_repaired_when_a_score_shows_that_they_matter(tmp_path: Path) -> None:
    middle = "text = [c for c in df if df[c].dtype == object]\nseconds = times.astype('int64') // 10**9"
    data, result, patch = fixed(
        tmp_path, "print('score: %.4f' % (len(text) + seconds.mean()))", "score: 7.0000\n", start=TIMES, middle=middle
    )
    assert [result["before"]["verdict"], result["after"]["verdict"]] == ["drifted", "reproduced"]
    assert {fix["origin"] for fix in result["repair"]["fixes"]} == {"recipe:pandas-object-dtype", "recipe:pandas-nanoseconds"}
    assert "df[c].dtype in (object, 'str')" in patch
    assert "times.astype('datetime64[ns]').astype('int64') // 10**9" in patch
    assert not any("pandas 3" in note for note in data["notes"])
