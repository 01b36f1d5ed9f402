from __future__ import annotations

from pathlib import Path

import pytest

from modernizer.environment.declared import Declared, find_declared, read_declared
from modernizer.errors import ModernizerError


def declare(folder: Path, name: str, text: str | bytes) -> Declared:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    declared = read_declared(path, root=folder)
    assert declared is not None
    return declared


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("numpy\npandas>=1.0,<2  # comment\n\n# six\n", ["numpy", "pandas<2,>=1.0"]),
        ("dask[array]==2.0 ; python_version > '3'\n", ['dask[array]==2.0; python_version > "3"']),
        ("--index-url https://example.invalid/simple\n-f wheels\n--pre\nsix\n", ["six"]),
        ("six==1.16.0 \\\n    --hash=sha256:abc \\\n    --hash=sha256:def\ntomli\n", ["six==1.16.0", "tomli"]),
        ("numpy=1.15.4=py36h1\n_libgcc_mutex=0.1=main\npytorch=1.0\n", ["numpy==1.15.4", "torch==1.0"]),
        ("pkg-resources==0.0.0\nsix\n", ["six"]),
        ("\ufeffsix\n", ["six"]),
        ("six\r\ntomli\r\n", ["six", "tomli"]),
        ("six\n".encode("utf-16"), ["six"]),
        ("", []),
    ],
)
def test_requirements_files_are_read_as_people_write_them(tmp_path: Path, text: str | bytes, expected: list[str]) -> None:
    assert [str(requirement) for requirement in declare(tmp_path, "requirements.txt", text).requirements] == expected


def test_a_name_with_an_address_is_a_requirement(tmp_path: Path) -> None:
    (requirement,) = declare(tmp_path, "requirements.txt", "torch @ https://example.invalid/torch.whl\n").requirements
    assert (requirement.name, requirement.url) == ("torch", "https://example.invalid/torch.whl")


def test_includes_are_followed_once_and_only_inside_the_repository(tmp_path: Path) -> None:
    (tmp_path / "base.txt").write_text("numpy\n-r requirements.txt\n")
    declared = declare(tmp_path, "requirements.txt", "-r base.txt\n--requirement base.txt\nsix\n-r ../../etc/passwd\n")
    assert [requirement.name for requirement in declared.requirements] == ["numpy", "six"]
    assert declared.notes == ("requirements.txt:4: not read, outside the repository: ../../etc/passwd",)


def test_sources_and_addresses_are_noted_without_credentials(tmp_path: Path) -> None:
    text = "-e .\n-e git+https://user:token@example.invalid/a.git#egg=a\nhttps://example.invalid/b.whl\n./c.whl\n"
    notes = declare(tmp_path, "requirements.txt", text).notes
    assert len(notes) == 4
    assert "token" not in " ".join(notes)
    assert notes[3] == "requirements.txt:4: not installed from a path: ./c.whl"


PROJECT = """
[project]
dependencies = ["numpy>=1", "six"]
[project.optional-dependencies]
docs = ["sphinx"]
"""
POETRY = """
[tool.poetry.dependencies]
python = "^3.8"
numpy = "^1.2.3"
six = "*"
a = "~1.2"
b = "1.0"
c = "^0.3"
d = ">=1,<3"
e = {version = "^2", extras = ["x"]}
f = {version = "1", optional = true}
"""
CONDA = """
name: x
channels: [defaults]
dependencies:
  - python=3.6
  - numpy=1.15
  - pandas=0.23.4=py36_0
  - pytorch>=1.0
  - conda-forge::opencv
  - cudatoolkit
  - r-ggplot2
  - libgcc-ng
  - pytables
  - matplotlib-base 3.1
  - librosa
  - pip
  - pip:
    - six==1.0
    - -e .
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PROJECT, ["numpy>=1", "six"]),
        (POETRY, ["numpy<2,>=1.2.3", "six", "a<1.3,>=1.2", "b==1.0", "c<0.4,>=0.3", "d<3,>=1", "e[x]<3,>=2"]),
    ],
)
def test_pyproject_dependencies_are_read(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert [str(requirement) for requirement in declare(tmp_path, "pyproject.toml", text).requirements] == expected


def test_conda_environments_are_read_with_names_of_the_index(tmp_path: Path) -> None:
    declared = declare(tmp_path, "environment.yml", CONDA)
    assert " ".join(map(str, declared.requirements)) == (
        "numpy==1.15.* pandas==0.23.4 torch>=1.0 opencv-python-headless tables matplotlib==3.1 librosa six==1.0"
    )
    assert declared.notes == ("environment.yml:19: not installed from its source: .",)


@pytest.mark.parametrize(
    ("name", "text", "where"),
    [
        ("requirements.txt", "numpy\nthis is not one\n", "requirements.txt:2"),
        ("requirements.txt", "numpy\n\npandas => 1\n", "requirements.txt:3"),
        ("requirements.txt", "-r missing.txt\n", "requirements.txt:1"),
        ("requirements.txt", b"numpy\n\xff\xfa\n", "requirements.txt:2"),
        ("pyproject.toml", "[project]\ndependencies = [\n'a'\n'b'\n]", "pyproject.toml:4"),
        ("pyproject.toml", '[project]\ndependencies = [\n  "numpy",\n  "not one",\n]', "pyproject.toml:4"),
        ("environment.yml", "dependencies:\n  - numpy\n - six\n", "environment.yml:3"),
        ("environment.yml", "dependencies: numpy\n", "environment.yml:1"),
        ("environment.yml", "dependencies:\n  - numpy\n  - 3.5\n", "environment.yml:3"),
    ],
)
def test_a_malformed_file_is_named_with_its_line(tmp_path: Path, name: str, text: str | bytes, where: str) -> None:
    with pytest.raises(ModernizerError) as raised:
        declare(tmp_path, name, text)
    assert raised.value.where == where
    assert raised.value.hint


@pytest.mark.parametrize(
    ("files", "origin"),
    [
        ({"a/b/requirements.txt": "x", "requirements.txt": "y"}, "a/b/requirements.txt"),
        ({"a/environment.yml": "dependencies: [six]", "requirements.txt": "y"}, "a/environment.yml"),
        ({"requirements.txt": "y", "binder/requirements.txt": "x"}, "binder/requirements.txt"),
        ({"a/pyproject.toml": "[tool.ruff]", "requirements.txt": "y"}, "requirements.txt"),
        ({".binder/environment.yml": "dependencies: [six]"}, ".binder/environment.yml"),
        ({}, None),
    ],
)
def test_the_nearest_file_that_declares_something_counts(tmp_path: Path, files: dict[str, str], origin: str | None) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = find_declared(tmp_path / "a" / "b", root=tmp_path)
    assert (found.origin if found else None) == origin


def test_files_above_the_repository_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("six")
    (tmp_path / "repo").mkdir()
    assert find_declared(tmp_path / "repo", root=tmp_path / "repo") is None
