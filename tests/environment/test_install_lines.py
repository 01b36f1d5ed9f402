from __future__ import annotations

import pytest

from modernizer.environment.install_lines import installs_of, is_install_line


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("!pip install six", ["six"]),
        ("%pip install -q six tomli", ["six", "tomli"]),
        ("pip install six", ["six"]),
        ("!pip3 install --upgrade 'pandas>=1.0' numpy==1.14", ["pandas>=1.0", "numpy==1.14"]),
        ("!{sys.executable} -m pip install six", ["six"]),
        ("!python -m pip install -U six[extra]", ["six[extra]"]),
        ("!sudo pip install six", ["six"]),
        ("!uv pip install six", ["six"]),
        ("!conda install -y -c conda-forge pytorch pandas=0.25", ["torch", "pandas==0.25.*"]),
        ("!conda install --yes cudatoolkit conda-forge::six", ["six"]),
        ("%conda install six", ["six"]),
        ("!pip install six > /dev/null 2>&1", ["six"]),
        ("!pip install six && pip install tomli", ["six", "tomli"]),
        ("!pip install six | tail -1", ["six"]),
        ("!pip install -q six  # for Python 2", ["six"]),
        ('!pip install "six>=1,<2"', ["six<2,>=1"]),
        ("!pip install six \\\n    tomli", ["six", "tomli"]),
        ("%%bash\npip install six\necho done", ["six"]),
        ("!pip install -i https://example.invalid/simple six", ["six"]),
        ("!pip uninstall -y six", []),
        ("# !pip install six", []),
        ("!echo pip install six", []),
        ("print('pip install six')", []),
        ("pip = install_six(3)", []),
    ],
)
def test_what_an_install_line_asks_for(line: str, expected: list[str]) -> None:
    assert [str(requirement) for requirement in installs_of([line]).requirements] == expected


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("!pip install git+https://example.invalid/a/b.git#egg=thing", "not installed from its address: thing"),
        ("!pip install -e .", "not installed from its source: ."),
        ("!pip install .", "not installed from a path: ."),
        ("!pip install ./pkg.whl", "not installed from a path: ./pkg.whl"),
        ("!pip install {name}", "an install line names a package by a variable: {name}"),
        ("!pip install pandas=1.0", "an install line is not understood: pandas=1.0"),
        ("!apt-get install -y graphviz", "system packages are not installed: graphviz"),
        ("!sudo apt install -qq swig", "system packages are not installed: swig"),
    ],
)
def test_what_is_not_installed_is_noted(line: str, note: str) -> None:
    assert installs_of([line]) == type(installs_of([]))(notes=(note,))


def test_requirement_files_are_named() -> None:
    assert installs_of(["!pip install -r requirements.txt\n!pip install --requirement=more.txt"]).files == (
        "requirements.txt",
        "more.txt",
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("!pip install six", True),
        ("  !pip install six", True),
        ("%pip install six", True),
        ("!!pip install six", True),
        ("pip install six", True),
        ("conda install six", True),
        ("out = !pip install six", True),
        ("!pip uninstall -y six", True),
        ("!pip -q install six", True),
        ("!conda update --all", True),
        ("!apt-get update", True),
        ("!cd x && pip install .", True),
        ("!pip list", False),
        ("!pip freeze > requirements.txt", False),
        ("!ls", False),
        ("# !pip install six", False),
        ("pip = 3", False),
        ("apt update", False),
        ("install(pip)", False),
        ("import pip", False),
    ],
)
def test_lines_that_change_what_is_installed_are_recognised(line: str, expected: bool) -> None:  # noqa: FBT001
    assert is_install_line(line) is expected
