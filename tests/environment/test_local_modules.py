from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from modernizer.environment.local_modules import local_modules, search_folders

if TYPE_CHECKING:
    from tests.environment.conftest import MakeNotebook


def lay(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name.replace("__SLASH__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize(
    ("source", "files", "expected"),
    [
        ("import helper", {"work/helper.py": ""}, ["work/helper.py"]),
        ("import helper", {"helper.py": ""}, ["helper.py"]),
        ("import helper", {"src/helper.py": ""}, ["src/helper.py"]),
        ("from fig_code import plot", {"work/fig_code/__init__.py": "from .figures import plot", "work/fig_code/figures.py": ""},
         ["work/fig_code/__init__.py", "work/fig_code/figures.py"]),
        ("from pkg.sub import thing", {"work/pkg/__init__.py": "", "work/pkg/sub.py": "", "work/pkg/other.py": ""},
         ["work/pkg/__init__.py", "work/pkg/sub.py"]),
        ("from pkg import sub", {"work/pkg/sub.py": "import helper", "work/helper.py": ""},
         ["work/helper.py", "work/pkg/sub.py"]),
        ("import a", {"work/a.py": "import b", "work/b.py": "import a"}, ["work/a.py", "work/b.py"]),
        ("print 'old'\nimport helper", {"work/helper.py": "print 'old'\nimport deeper", "work/deeper.py": ""},
         ["work/deeper.py", "work/helper.py"]),
        ("%run tools.py", {"work/tools.py": ""}, ["work/tools.py"]),
        ("%run -i tools", {"work/tools.py": ""}, ["work/tools.py"]),
        ("import sys\nsys.path.append('../lib')\nimport helper", {"lib/helper.py": ""}, ["lib/helper.py"]),
        ("import random", {"random.py": ""}, []),
        ("import code", {"work/code.py": ""}, ["work/code.py"]),
        ("import keras", {"work/keras/notes.py": ""}, []),
        ("import numpy", {"work/other.py": ""}, []),
        # A chapter's folder above the notebook is no package, the repository's own package is one.
        ("import numpy", {"numpy/__init__.py": ""}, []),
        ("import numpy", {"work/numpy/__init__.py": ""}, ["work/numpy/__init__.py"]),
        ("import numpy", {"numpy/__init__.py": "", "setup.py": ""}, ["numpy/__init__.py"]),
        ("import sys\nsys.path.insert(0, '..')\nimport numpy", {"numpy/__init__.py": ""}, ["numpy/__init__.py"]),
    ],
)  # fmt: skip
def test_the_modules_a_notebook_reaches_are_found(
    tmp_path: Path, notebook: MakeNotebook, source: str, files: dict[str, str], expected: list[str]
) -> None:
    lay(tmp_path, **files)
    (tmp_path / "work").mkdir(exist_ok=True)
    assert list(local_modules(notebook(source, path="work/nb.ipynb"), root=tmp_path)) == expected


def test_the_code_of_a_notebook_that_is_run_is_read_too(tmp_path: Path, notebook: MakeNotebook) -> None:
    lay(tmp_path, **{"helper.py": ""})
    cells = [{"cell_type": "code", "source": ["import ", "helper"]}, {"cell_type": "markdown", "source": "import nothing"}]
    (tmp_path / "other.ipynb").write_text(json.dumps({"cells": cells}))
    (tmp_path / "corrupt.ipynb").write_text("{")
    assert local_modules(notebook("%run other.ipynb\n%run corrupt.ipynb"), root=tmp_path) == ("helper.py",)


def test_a_link_out_of_the_repository_is_not_followed(tmp_path: Path, notebook: MakeNotebook) -> None:
    lay(tmp_path, **{"outside/helper.py": "", "repo/own.py": ""})
    (tmp_path / "repo" / "helper.py").symlink_to(tmp_path / "outside" / "helper.py")
    assert local_modules(notebook("import helper, own\n%run ../outside/helper.py"), root=tmp_path / "repo") == ("own.py",)


def test_the_search_goes_from_the_notebook_up_and_never_out(tmp_path: Path, notebook: MakeNotebook) -> None:
    lay(tmp_path, **{"repo/a/b/x.py": "", "repo/src/y.py": "", "repo/lib/z.py": ""})
    root = tmp_path / "repo"
    code = "sys.path.insert(0, '../../lib')\nsys.path.append('../../..')\nsys.path.append('/usr/lib')"
    assert search_folders(notebook(code, path="a/b/nb.ipynb"), root=root) == (
        root / "a" / "b", root / "lib", root / "a", root, root / "src",
    )  # fmt: skip
