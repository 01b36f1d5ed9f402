from __future__ import annotations

import re
import textwrap
from contextlib import suppress
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from modernizer.config import Config, Model, PullRequest, Timeout, default_jobs, load_config
from modernizer.config_values import Tolerance, parse_size, parse_tolerance
from modernizer.errors import ExitCode, UsageError

DESIGN = """\
python: "3.13"
notebooks: ["**/*.ipynb"]
exclude: ["archive/**"]
requirements: requirements.txt   # else found by itself
packages: latest
timeout: {cell: 600, notebook: 600, run: 3600}
memory: 8GB
network: allow
cooldown: 3
jobs: 2
tolerance: 1%
model: {name: gpt-5.2, base-url: "http://localhost:1/v1", max-fixes: 16, max-cost: 1.00, max-cost-run: 10.00}
data: {"/kaggle/input": data/}
overrides:
  - match: titanic.ipynb
    as-of: 2018-06-01
    timeout: {notebook: 1200}
    tolerance: 0.05%
    score:
      - {name: accuracy, from: submission.csv, grader: accuracy, answers: data/answers.csv,
         id: PassengerId, expected: 0.779, tolerance: 1%}
      - {name: auc, from: output, pattern: 'AUC: ([0-9.]+)'}
      - {name: rmse, from: variable, variable: rmse, direction: lower}
      - {name: custom, from: command, command: python grade.py}
"""


def load(root: Path, text: str) -> Config:
    (root / ".modernizer.yml").write_text(text, encoding="utf-8")
    return load_config(None, root)


def test_the_whole_example_of_the_design_is_read(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").touch()
    config = load(tmp_path, DESIGN)
    assert config.python == "3.13"
    assert config.memory == 8_000_000_000
    assert config.tolerance == Tolerance(relative=0.01)
    assert config.model.base_url == "http://localhost:1/v1"
    assert config.data == {"/kaggle/input": "data/"}
    settings = config.for_notebook("titanic.ipynb")
    assert settings.as_of == date(2018, 6, 1)
    assert settings.timeout == Timeout(cell=600, notebook=1200, run=3600)
    assert settings.tolerance == Tolerance(relative=0.0005)
    assert [source.kind for source in settings.score] == ["file", "output", "variable", "command"]
    assert settings.score[0].tolerance == Tolerance(relative=0.01)
    assert config.for_notebook("other/titanic.ipynb").as_of is None


def test_runs_and_rule_may_differ_for_a_notebook(tmp_path: Path) -> None:
    config = load(tmp_path, "repeat: 3\noverrides: [{match: a.ipynb, repeat: 5, rule: study}]\n")
    settings = [config.for_notebook(name) for name in ("a.ipynb", "b.ipynb")]
    assert [(item.repeat, item.rule) for item in settings] == [(5, "study"), (3, "equivalence")]
    assert config.with_options(repeat=2).for_notebook("a.ipynb").repeat == 2


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "---\n", "{}"])
def test_an_empty_file_means_the_defaults(tmp_path: Path, text: str) -> None:
    assert load(tmp_path, text) == Config()


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    config = load_config(None, tmp_path)
    assert config == Config()
    assert (config.packages, config.cooldown, config.network) == ("latest", 3.0, "allow")
    assert (config.timeout.cell_seconds, config.timeout.notebook, config.timeout.run) == (600, 600, 3600)
    assert config.jobs == default_jobs()
    assert 1 <= config.jobs <= 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pythn: '3.13'", ":1: unknown key 'pythn'; did you mean 'python'?"),
        ("jobs: 2\n\nmodel:\n  max_fixes: 3", ":4: unknown key 'model.max_fixes'; did you mean 'max-fixes'?"),
        ("timeout:\n  cel: 3", ":2: unknown key 'timeout.cel'; did you mean 'cell'?"),
        ("timeout: {zzz: 3}", ":1: unknown key 'timeout.zzz'; known here: cell, notebook, run"),
        ("overrides:\n  - match: a\n    asof: 2018-01-01", ":3: unknown key 'overrides[0].asof'; did you mean 'as-of'?"),
        (
            "overrides:\n  - match: a\n    score:\n      - name: x\n        from: output\n        patern: x",
            ":6: unknown key 'overrides[0].score[0].patern'; did you mean 'pattern'?",
        ),
        ("jobs: many", ":1: jobs: expected a whole number, got 'many'"),
        ("jobs: true", ":1: jobs: expected a whole number, got true"),
        ("jobs: 0", ":1: jobs: expected at least 1, got 0"),
        ("\n\ntimeout: 600", ":3: timeout: expected a mapping, got 600"),
        ("timeout: {notebook: 0}", ":1: timeout.notebook: expected more than 0, got 0"),
        ("timeout: {notebook: .nan}", ":1: timeout.notebook: expected a finite number, got nan"),
        ("notebooks: '*.ipynb'", ":1: notebooks: expected a list, got '*.ipynb'"),
        ("notebooks: []", ":1: notebooks: expected a list with at least one item, got an empty list"),
        ("exclude:\n  - ok\n  - a**b", ":3: exclude[1]: 'a**b': '**' must stand alone"),
        ("packages: newest", ":1: packages: expected latest or declared, got 'newest'"),
        ("network: off", ":1: network: expected allow or install-only, got false"),
        ("memory: lots", ":1: memory: expected a size such as 8GB or 512MiB, got 'lots'"),
        ("memory: 8", "memory: 8 is too little for a kernel to start"),
        ("tolerance: 1", None),
        ("tolerance: 100%", ":1: tolerance: expected a percentage below 100%"),
        ("tolerance: -1%", ":1: tolerance: expected a percentage below 100%"),
        ("python: latest", ":1: python: expected a Python version such as \"3.13\", got 'latest'"),
        ("python: '2.7'", "expected a Python version"),
        ("model:", ":1: model: expected a mapping, got nothing"),
        ("data: [a]", ":1: data: expected a mapping, got a list"),
        ("overrides: [{as-of: 2018-01-01}]", ":1: the key 'overrides[0].match' is missing"),
        ("overrides:\n  - match: a\n    as-of: 2018-13-45", ":3: '2018-13-45' is not a valid value: month"),
        (
            "overrides:\n  - match: a\n    as-of: yesterday",
            ":3: overrides[0].as-of: expected a date such as 2018-06-01, got 'yesterday'",
        ),
        ("overrides:\n  - {match: a, score: [{name: x, from: variable}]}", "a score from variable needs the key 'variable'"),
        (
            "overrides:\n  - {match: a, score: [{name: x, from: s.csv, grader: auc}]}",
            "a score from s.csv needs the key 'answers'",
        ),
        (
            "overrides:\n  - {match: a, score: [{name: x, from: output, command: ls}]}",
            "a score from output has no use for the key 'command'",
        ),
        ("overrides:\n  - {match: a, score: [{name: x, from: output, pattern: 'a('}]}", "not a valid regular expression"),
        ("overrides:\n  - {match: a, score: [{name: x, from: output, pattern: 'a'}]}", "exactly one group"),
        (
            "overrides:\n  - {match: a, score: [{name: x, from: s.csv, grader: acc, answers: a}]}",
            "unknown grader 'acc'; there are accuracy, auc",
        ),
        ("overrides:\n  - {match: a, score: [{name: x, from: output}, {name: x, from: tag}]}", "two scores have the name 'x'"),
        ("repeat: 0", ":1: repeat"),
        ("rule: t-test", ":1: rule"),
        ("requirements: gone.txt", ":1: requirements: the file gone.txt does not exist"),
        ("overrides:\n  - match: a\n    requirements: gone.txt", ":3: requirements: the file gone.txt does not exist"),
        ("jobs: 1\njobs: 2", ":2: the key 'jobs' stands here for the second time (first on line 1)"),
        ("timeout: {cell: 1,\n  cell: 2}", ":2: the key 'cell' stands here for the second time"),
        ("- a\n- b", ":1: the configuration must be a mapping"),
        ("just text", ":1: the configuration must be a mapping"),
        ("jobs: 1\nexclude: [a", "not valid YAML"),
        ("jobs: 1\n\tx: 2", ":2: not valid YAML: found character"),
        ("jobs: !!python/object/apply:os.system [ls]", ":1: jobs: expected a whole number, got a list"),
        ("jobs: !!python/name:os.system", ":1: not valid YAML: could not determine a constructor"),
        ("a: 1\n---\nb: 2", "not valid YAML"),
        ("jobs: 1\nx: \x01", ":2: not valid YAML: special characters"),
        ("? [a]\n: 1", ":1: a key must be a plain name"),
        ("data: &a\n  x: *a", "nested too deeply or too large"),
        ("x: " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("x: *nothing", "not valid YAML: found undefined alias"),
    ],
)
def test_trouble_is_explained_with_file_and_line(tmp_path: Path, text: str, message: str | None) -> None:
    if message is None:
        load(tmp_path, text)
        return
    with pytest.raises(UsageError) as raised:
        load(tmp_path, text)
    assert message in str(raised.value)
    assert str(raised.value).startswith(".modernizer.yml")
    assert raised.value.exit_code == ExitCode.USAGE


def test_every_problem_is_listed_in_the_order_of_the_lines(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as raised:
        load(tmp_path, "overrides: [{match: 'a['}]\njobs: x\npythn: 3\n")
    lines = str(raised.value).splitlines()
    assert [line.split(" ")[0] for line in lines] == [".modernizer.yml:1:", ".modernizer.yml:2:", ".modernizer.yml:3:"]


def test_aliases_that_multiply_are_refused_quickly(tmp_path: Path) -> None:
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]\n" for level in range(1, 9)
    )
    with pytest.raises(UsageError, match="nested too deeply or too large"):
        load(tmp_path, bomb)


@pytest.mark.parametrize(("written", "read"), [("3.10", "3.10"), ("'3.10'", "3.10"), ("3.13.1", "3.13.1")])
def test_a_python_version_need_not_be_quoted(tmp_path: Path, written: str, read: str) -> None:
    config = load(tmp_path, f"python: {written}\noverrides:\n  - {{match: a.ipynb, python: {written}}}\n")
    assert config.python == read
    assert config.for_notebook("a.ipynb").python == read


def test_a_byte_order_mark_and_windows_line_ends_are_no_trouble(tmp_path: Path) -> None:
    (tmp_path / ".modernizer.yml").write_bytes(b"\xef\xbb\xbfjobs: 3\r\nmemory: 1GiB\r\n")
    config = load_config(None, tmp_path)
    assert (config.jobs, config.memory) == (3, 1024**3)


def test_a_file_that_is_not_utf8_is_refused_with_the_line(tmp_path: Path) -> None:
    (tmp_path / ".modernizer.yml").write_bytes(b"jobs: 1\nexclude: ['\xe4']\n")
    with pytest.raises(UsageError, match=r"\.modernizer\.yml:2: .* not UTF-8"):
        load_config(None, tmp_path)


def test_a_named_file_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"gone\.yml: the configuration file does not exist"):
        load_config(tmp_path / "gone.yml", tmp_path)


def test_a_folder_is_no_configuration(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="can't be read"):
        load_config(tmp_path, tmp_path)


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="larger than"):
        load(tmp_path, "#" * 1_000_001)


def test_two_files_are_refused_because_only_one_can_hold(tmp_path: Path) -> None:
    (tmp_path / ".modernizer.yaml").write_text("jobs: 1")
    assert load_config(None, tmp_path).jobs == 1
    (tmp_path / ".modernizer.yml").write_text("jobs: 2")
    with pytest.raises(UsageError, match="both"):
        load_config(None, tmp_path)


def test_overrides_are_merged_key_by_key_and_the_last_one_wins(tmp_path: Path) -> None:
    config = load(
        tmp_path,
        """\
timeout: {cell: 10, notebook: 20}
data: {/a: one, /b: two}
overrides:
  - {match: "**/*.ipynb", timeout: {cell: 11}, tolerance: 2%, data: {/b: three}}
  - {match: "x/*.ipynb", timeout: {notebook: 22}, tolerance: 0.5, packages: declared}
  - {match: "y/*.ipynb", memory: 1GB}
""",
    )
    settings = config.for_notebook("x/n.ipynb")
    assert (settings.timeout.cell, settings.timeout.notebook) == (11, 22)
    assert settings.tolerance == Tolerance(absolute=0.5)
    assert settings.data == {"/a": "one", "/b": "three"}
    assert settings.packages == "declared"
    assert settings.memory == 8_000_000_000


def test_what_is_typed_wins_over_the_file_and_its_overrides(tmp_path: Path) -> None:
    config = load(
        tmp_path,
        "jobs: 4\npython: 3.12\ntimeout: {notebook: 50}\nmodel: {name: m, max-fixes: 3}\n"
        "overrides: [{match: a.ipynb, python: 3.11, timeout: {notebook: 70}, memory: 1GB}]\n",
    ).with_options(jobs=1, python="3.13", timeout=90, model="none", max_cost=0)
    settings = config.for_notebook("a.ipynb")
    assert config.jobs == 1
    assert (settings.python, settings.timeout.notebook, settings.timeout.cell_seconds) == ("3.13", 90, 90)
    assert settings.memory == 1_000_000_000
    assert (config.model.name, config.model.max_fixes, config.model.max_cost) == ("none", 3, 0)


def test_without_typed_options_nothing_changes(tmp_path: Path) -> None:
    config = load(tmp_path, "jobs: 4\noverrides: [{match: a.ipynb, timeout: {notebook: 70}}]\n")
    assert config.with_options() == config


def test_a_typed_value_that_is_wrong_is_explained() -> None:
    with pytest.raises(UsageError) as raised:
        Config().with_options(jobs=0, timeout=-1)
    assert "command line: jobs: expected at least 1, got 0" in str(raised.value)
    assert "command line: timeout.notebook: expected more than 0, got -1" in str(raised.value)


def test_a_configuration_can_not_be_changed() -> None:
    with pytest.raises(ValidationError):
        Config().jobs = 2  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "size"),
    [("8GB", 8 * 10**9), ("8 gb", 8 * 10**9), ("8G", 8 * 10**9), ("1.5GiB", 1_610_612_736), ("512MiB", 2**29), (2**30, 2**30)],
)
def test_sizes(text: object, size: int) -> None:
    assert parse_size(text) == size


@given(st.floats(0, 99.9).map(lambda value: round(value, 6)).filter(lambda value: "e" not in repr(value)))
def test_a_percentage_is_a_share_of_the_recorded_value(value: float) -> None:
    assert parse_tolerance(f"{value!r}%") == Tolerance(relative=value / 100)


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode(errors="replace")))
def test_whatever_the_file_holds_there_is_a_configuration_or_a_message(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    root = tmp_path_factory.getbasetemp()
    (root / ".modernizer.yml").write_bytes(content)
    with suppress(UsageError):
        load_config(None, root)


ROOT = Path(__file__).parents[1]


def test_the_example_of_the_readme_is_valid(tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"## Configure it[\s\S]*?\n\n((?:    .*\n)+)", text)
    assert block
    config = load(tmp_path, textwrap.dedent(block[1]))
    assert config.for_notebook("slow/x.ipynb").timeout.notebook == 3600


def test_every_example_of_the_documentation_is_valid(tmp_path: Path) -> None:
    text = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    blocks = re.findall(r"\n\n((?:    .*\n)+)", text)
    assert blocks
    for block in blocks:
        load(tmp_path, textwrap.dedent(block))


def test_the_documentation_lists_every_key() -> None:
    text = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`([a-z-]+(?:\.[a-z-]+)?)`", "\n".join(line.split(" | ")[0] for line in text.splitlines())))
    sections: dict[str, type[BaseModel]] = {"timeout": Timeout, "model": Model, "pull_request": PullRequest}
    keys = {name for name in Config.model_fields if name not in sections}
    keys |= {
        f"{name.replace('_', '-')}.{key.replace('_', '-')}" for name, section in sections.items() for key in section.model_fields
    }
    assert keys <= listed
