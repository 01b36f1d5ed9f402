from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from modernizer.environment.model import Requirements
from modernizer.environment.requirements import Packages, requirements_for
from modernizer.errors import ModernizerError

if TYPE_CHECKING:
    from tests.environment.conftest import MakeNotebook

Collect = Callable[..., Requirements]
FREEZE = "".join(f"transitive-{number}==1.0\n" for number in range(30)) + "pandas==0.23.0\nlightfm-extra==1.0\nopenpyxl==2.0\n"


@pytest.fixture
def collect(tmp_path: Path, notebook: MakeNotebook) -> Collect:
    def requirements(
        *sources: str, declared_path: str | None = None, packages: Packages = "latest", **files: str
    ) -> Requirements:
        for name, text in files.items():
            (tmp_path / name.replace("__", ".")).write_text(text)
        return requirements_for(notebook(*sources), root=tmp_path, declared_path=declared_path, packages=packages)

    return requirements


def specs(requirements: Requirements) -> set[str]:
    return set(requirements.specs) - {"ipykernel"}


def test_the_kernel_is_always_there_and_the_set_is_sorted(collect: Collect) -> None:
    found = collect("import pandas\nimport matplotlib.pyplot as plt")
    assert found.specs == ("ipykernel", "matplotlib", "matplotlib-inline", "pandas")
    assert found.origin == "imports"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import sklearn, cv2, os, urllib2", {"scikit-learn", "opencv-python-headless"}),
        ("from sklearn.externals import joblib", {"scikit-learn", "joblib"}),
        ("%pylab inline", {"matplotlib", "matplotlib-inline", "numpy"}),
        ("%reload_ext version_information", {"version-information"}),
        ("%load_ext watermark\n%load_ext autoreload\n%load_ext memory_profiler", {"memory-profiler", "watermark"}),
        ("try:\n    import xgboost\nexcept ImportError:\n    xgboost = None", {"xgboost"}),
        ("from google.cloud import storage", {"google-cloud-storage"}),
        ("!pip install six==1.0 'tomli>=1'", {"six", "tomli"}),
        ("import pandas as pd\npd.read_excel('x.xls')", {"pandas", "openpyxl", "xlrd"}),
        ("print 'old'\nimport numpy", {"numpy"}),
        ("!pip install sklearn", {"scikit-learn"}),
    ],
)
def test_imports_and_install_lines_give_the_set(collect: Collect, source: str, expected: set[str]) -> None:
    found = collect(source)
    assert specs(found) == expected
    assert found.unknown == ()


@pytest.mark.parametrize(
    ("source", "unknown"),
    [
        ("import mystery_module", ("mystery_module",)),
        ("from mystery.deep import x\nimport other_mystery", ("mystery", "other_mystery")),
        ("try:\n    import mystery\nexcept ImportError:\n    pass", ()),
        ("from google.colab import drive", ("google",)),
        ("%load_ext mystery_magic", ("mystery_magic",)),
        ("%%writefile made_here.py\nimport numpy\n", ()),
    ],
)
def test_an_unknown_name_is_reported_and_never_installed(collect: Collect, source: str, unknown: tuple[str, ...]) -> None:
    found = collect(source, "import made_here" if "made_here" in source else "")
    assert found.unknown == unknown
    assert specs(found) <= {"numpy"}


def test_modules_of_the_repository_are_not_installed_but_what_they_import_is(collect: Collect) -> None:
    found = collect("import seaborn_helpers, seaborn", seaborn_helpers__py="import plotnine", seaborn__py="")
    assert specs(found) == {"plotnine"}
    assert found.unknown == ()


@pytest.mark.parametrize(
    ("packages", "expected"),
    [
        ("latest", {"numpy", "dask[array]", "six", 'tomli ; python_version < "4"', "scikit-learn", "torch"}),
        ("declared", {"numpy==1.14.0", "dask[array]<2", "six", 'tomli==1.0 ; python_version < "4"', "scikit-learn",
                      "torch @ https://example.invalid/torch.whl", "mine @ https://example.invalid/mine.whl"}),
    ],
)  # fmt: skip
def test_latest_lifts_pins_and_declared_keeps_them(collect: Collect, packages: Packages, expected: set[str]) -> None:
    text = (
        "numpy==1.14.0\ndask[array]<2\nsix\ntomli==1.0; python_version < '4'\nsklearn\n"
        "torch @ https://example.invalid/torch.whl\nmine @ https://example.invalid/mine.whl\n"
    )
    found = collect("import numpy", requirements__txt=text, packages=packages)
    assert specs(found) == expected
    assert found.origin == "requirements.txt"


def test_what_was_asked_for_and_not_held_to_is_told_with_its_file(collect: Collect) -> None:
    files = {"requirements__txt": "sklearn==0.19\npandas\nnumpy>=1.14\n"}
    source = "import sklearn, pandas\n!pip install six==1.0"
    found = collect(source, **files)
    told = {(item.file, item.package, item.pinned) for item in found.lifted}
    assert told == {
        ("requirements.txt", "scikit-learn", "==0.19"),
        ("requirements.txt", "numpy", ">=1.14"),
        ("nb.ipynb", "six", "==1.0"),
    }
    assert collect(source, packages="declared", **files).lifted == ()


def test_imports_that_were_not_declared_are_added(collect: Collect) -> None:
    found = collect("import numpy, seaborn, cv2", requirements__txt="numpy==1.0\nopencv-contrib-python\n")
    assert specs(found) == {"numpy", "seaborn", "opencv-contrib-python"}


def test_a_declared_name_is_not_unknown(collect: Collect) -> None:
    assert collect("import mystery_module", requirements__txt="mystery-module==1.0").unknown == ()


def test_a_freeze_is_cut_to_what_is_needed(collect: Collect) -> None:
    source = "import pandas as pd, lightfm_extra\npd.read_excel('a.xlsx')"
    found = collect(source, requirements__txt=FREEZE)
    assert specs(found) == {"pandas", "lightfm-extra", "openpyxl"}
    assert found.notes == ("requirements.txt: a list of pins; 30 of them that the notebook doesn't import are left out",)
    assert len(collect(source, requirements__txt=FREEZE, packages="declared").specs) == 34


def test_a_list_that_people_keep_is_not_cut(collect: Collect) -> None:
    assert "transitive-7" in collect("import pandas", requirements__txt=FREEZE + "six>=1\n").specs


def test_the_configured_file_comes_first(collect: Collect) -> None:
    found = collect("", requirements__txt="six", other__txt="tomli", declared_path="other.txt")
    assert specs(found) == {"tomli"}
    assert found.origin == "config"


def test_a_configured_file_that_is_missing_is_an_error(collect: Collect) -> None:
    with pytest.raises(ModernizerError, match=r"none.txt: the requirements file does not exist"):
        collect("", declared_path="none.txt")


def test_files_of_install_lines_are_read(collect: Collect) -> None:
    found = collect("!pip install -r extra.txt -r missing.txt", extra__txt="six==1.0\n-e .\n")
    assert specs(found) == {"six"}
    assert found.notes == (
        "extra.txt:2: not installed from its source: .",
        "an install line names a file that is not in the repository: missing.txt",
    )


def test_sets_that_differ_in_notes_only_are_equal(collect: Collect) -> None:
    assert collect("!apt-get install x\nimport six") == collect("import six")
