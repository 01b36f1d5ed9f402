from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from attacks import ORDINARY, QUIET
from red_team import ANYWHERE, LOUD
from worlds import WORLDS


@pytest.mark.timeout(280)
@pytest.mark.parametrize("world", WORLDS)
def test_hostile_notebooks_fail_or_are_cleaned_up_and_the_run_goes_on(play: Callable[[str], dict[str, Any]], world: str) -> None:
    results = play(world)

    worked = {name: text for name, text in results["quiet"]["texts"].items() if not text.startswith("FAILED")}
    assert not worked, "an attack worked"
    slow = {name: text for name, text in results["quiet"]["texts"].items() if "timed out" in text}
    assert not slow, "not refused, only not answered"
    assert results["quiet"]["texts"].keys() == QUIET.keys()

    broken = {name: text for name, text in results["ordinary"]["texts"].items() if "WORKED" not in text}
    assert not broken, "the sandbox is in the way of honest notebooks"
    assert results["ordinary"]["texts"].keys() == ORDINARY.keys()

    for name in LOUD:
        if name in results:
            ended_well(name, results[name])
        else:
            assert name in ANYWHERE
    assert not results["daemon lives"]

    assert results["next"]["end"] == "finished"
    assert results["next"]["texts"] == ["42 False\n"]
    assert results["changed"] == []
    assert "PLANTED" not in results["printed"]
    if "plain" in world:
        assert "command a service of this machine" in results["refused"]


ENDS = {
    "fork bomb": ("crashed", ("processes: more than", "memory: ")),
    "fill the disk": ("crashed", ("disk: ",)),
    "one big file": ("error", ("cell 1: OSError",)),
}


def ended_well(name: str, result: dict[str, Any]) -> None:
    end, reasons = ENDS.get(name, ("finished", ("",)))
    assert result["end"] == end, (name, result)
    assert result["reason"].startswith(reasons), (name, result)
    assert not result["left"], (name, result)
    assert not result["scratch left"], name
    assert result["seconds"] < 45, name
