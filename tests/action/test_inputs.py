from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from modernizer.action.inputs import command_line, read_config, read_inputs
from modernizer.errors import ExitCode, UsageError

ACTION = yaml.safe_load(Path(__file__).parents[2].joinpath("action.yml").read_text(encoding="utf-8"))


def variables(**inputs: str) -> dict[str, str]:
    """As the runner hands inputs over: upper case, hyphens kept, defaults of action.yml filled in, others empty."""
    given = {name: str(item.get("default", "")) for name, item in ACTION["inputs"].items()}
    given |= {name.replace("_", "-"): value for name, value in inputs.items()}
    return {f"INPUT_{name.upper()}": value for name, value in given.items()}


def test_the_defaults_of_the_action_are_those_of_the_code(tmp_path: Path) -> None:
    read = read_inputs(variables(), tmp_path)
    assert read == read_inputs({}, tmp_path)
    assert (read.mode, read.command, read.fail_on, read.write, read.sandbox) == ("run", "fix", "broken", False, True)
    assert read.paths == (tmp_path,)
    assert read.out == tmp_path / ".modernizer"
    assert read.options == {}


def test_every_input_is_read(tmp_path: Path) -> None:
    read = read_inputs(
        variables(
            mode="all",
            command="check",
            paths="a b.ipynb\n\n  work \n",
            config="conf/m.yml",
            out="out",
            jobs="2",
            timeout="90.5",
            python="3.13",
            packages="declared",
            cooldown="0",
            repeat="3",
            model="none",
            max_fixes="0",
            max_cost="0.5",
            write="True",
            sandbox="off",
            fail_on="never",
            stale_after="1.5",
            failed="true",
        ),
        tmp_path,
    )
    assert (read.stale_after, read.failed) == (timedelta(days=1.5), True)
    assert read.paths == (tmp_path / "a b.ipynb", tmp_path / "work")
    assert (read.config, read.out) == (tmp_path / "conf/m.yml", tmp_path / "out")
    assert (read.mode, read.command, read.write, read.sandbox, read.fail_on) == ("all", "check", True, False, "never")
    assert read.options == {
        "jobs": 2,
        "timeout": 90.5,
        "python": "3.13",
        "packages": "declared",
        "cooldown": 0.0,
        "repeat": 3,
        "model": "none",
        "max_fixes": 0,
        "max_cost": 0.5,
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mode", "deploy"),
        ("command", "report"),
        ("write", "yes"),
        ("sandbox", "true"),
        ("fail_on", "blocked"),
        ("jobs", "0"),
        ("jobs", "two"),
        ("jobs", "1.5"),
        ("timeout", "0"),
        ("timeout", "nan"),
        ("timeout", "inf"),
        ("cooldown", "-1"),
        ("max_fixes", "-1"),
        ("max_cost", "$1"),
        ("packages", "newest"),
        ("paths", "../elsewhere"),
        ("paths", "ok\n/etc"),
        ("config", "/etc/passwd"),
        ("out", "/elsewhere/out"),
        ("out", ".."),
        ("stale_after", "0"),
        ("stale_after", "1e9"),
        ("stale_after", "week"),
        ("failed", "maybe"),
    ],
)
def test_a_wrong_value_is_refused_with_the_name_of_the_input(name: str, value: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        read_inputs(variables(**{name: value}), tmp_path)
    assert refused.value.where == f"input {name.replace('_', '-')}"
    assert refused.value.exit_code is ExitCode.USAGE


def test_an_output_folder_behind_a_symbolic_link_is_refused(tmp_path: Path) -> None:
    workspace, outside = tmp_path / "workspace", tmp_path / "outside"
    workspace.mkdir()
    outside.mkdir()
    (workspace / "link").symlink_to(outside)
    with pytest.raises(UsageError, match="not inside the workspace"):
        read_inputs(variables(out="link/out"), workspace)


def test_publishing_takes_no_model_key(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="model-key: publishing asks no model") as refused:
        read_inputs(variables(mode="publish", model_key="sk-123456"), tmp_path)
    assert "sk-123456" not in str(refused.value)


@pytest.mark.parametrize(
    ("file", "inputs", "paths", "expected"),
    [
        ("", {}, [], "modernizer fix"),
        ("", {"command": "check"}, ["a b.ipynb", "-x.ipynb"], "modernizer check 'a b.ipynb' ./-x.ipynb"),
        ("jobs: 1", {"jobs": "3", "timeout": "90.5", "sandbox": "off"}, [], "modernizer fix --timeout 90.5 --sandbox off"),
        ("", {"max_fixes": "2", "cooldown": "7", "write": "true"}, [], "modernizer fix --cooldown 7 --max-fixes 2 --write"),
        ("", {}, [f"{index}.ipynb" for index in range(21)], "modernizer fix  # 21 paths"),
    ],
)
def test_the_report_names_a_command_that_can_be_typed(
    file: str, inputs: dict[str, str], paths: list[str], expected: str, tmp_path: Path
) -> None:
    (tmp_path / ".modernizer.yml").write_text(file, encoding="utf-8")
    read = read_inputs(variables(**inputs), tmp_path)
    assert command_line(read, [tmp_path / path for path in paths] or [tmp_path], tmp_path) == expected


@pytest.mark.parametrize(
    ("file", "inputs", "expected"),
    [
        ("jobs: 1", {"jobs": "3", "cooldown": "9"}, {"jobs": 1, "cooldown": 9.0}),
        ("timeout: {notebook: 5}", {"timeout": "60"}, {"timeout.notebook": 5.0}),
        ("timeout: {run: 5}", {"timeout": "60"}, {"timeout.notebook": 60.0, "timeout.run": 5.0}),
        ("model: {max-fixes: 1}", {"max_fixes": "5", "model": "none"}, {"model.max_fixes": 1, "model.name": "none"}),
        ("model: {name: none}", {"max_cost": "2", "model": "gpt"}, {"model.max_cost": 2.0, "model.name": "none"}),
        ("packages: declared", {"packages": "latest"}, {"packages": "declared"}),
        ("exclude: [x]", {"python": "3.12"}, {"python": "3.12", "exclude": ("x",)}),
    ],
)
def test_the_configuration_file_wins_where_both_speak(
    file: str, inputs: dict[str, str], expected: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / ".modernizer.yml").write_text(file, encoding="utf-8")
    config = read_config(read_inputs(variables(**inputs), tmp_path), tmp_path)
    for name, value in expected.items():
        found: Any = config
        for part in name.split("."):
            found = getattr(found, part)
        assert found == value


def test_overrides_of_the_file_win_over_inputs_as_well(tmp_path: Path) -> None:
    (tmp_path / ".modernizer.yml").write_text('overrides: [{match: a.ipynb, python: "3.12"}]', encoding="utf-8")
    config = read_config(read_inputs(variables(python="3.13"), tmp_path), tmp_path)
    assert config.for_notebook("a.ipynb").python == "3.12"
    assert config.for_notebook("b.ipynb").python == "3.13"
