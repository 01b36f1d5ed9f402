from __future__ import annotations

import importlib.metadata
import re

import pytest
from packaging.utils import canonicalize_name

from modernizer.environment.import_names import import_names


@pytest.mark.parametrize(
    ("module", "distribution"),
    [
        ("numpy", "numpy"),
        ("sklearn", "scikit-learn"),
        ("sklearn.svm", "scikit-learn"),
        ("cv2", "opencv-python-headless"),
        ("PIL.Image", "pillow"),
        ("bs4", "beautifulsoup4"),
        ("yaml", "pyyaml"),
        ("skimage.io", "scikit-image"),
        ("mpl_toolkits.mplot3d", "matplotlib"),
        ("mpl_toolkits.basemap", "basemap"),
        ("google.cloud.storage", "google-cloud-storage"),
        ("matplotlib_inline", "matplotlib-inline"),
    ],
)
def test_well_known_imports_have_their_distribution(module: str, distribution: str) -> None:
    assert import_names().distributions(module)[0] == distribution


def test_what_nobody_vouches_for_has_none() -> None:
    assert import_names().distributions("helper_functions") == ()
    assert import_names().distributions("google.colab") == ()


@pytest.mark.parametrize("placeholder", ["sklearn", "bs4", "opencv", "skimage", "yaml", "pil", "cv2"])
def test_placeholder_names_of_the_index_are_never_used(placeholder: str) -> None:
    table = import_names()
    rows = [*table.providers.values(), *table.implied.values(), *table.conda.values(), *(needs for _, needs in table.usage)]
    assert placeholder not in {name for row in rows for name in row}
    assert table.real_name(placeholder) != placeholder


@pytest.mark.parametrize("module", ["os", "urllib2", "StringIO", "cPickle", "Queue", "Tkinter", "distutils", "imp", "xml.etree"])
def test_standard_modules_of_both_pythons_are_known(module: str) -> None:
    assert import_names().is_standard(module)


@pytest.mark.parametrize(
    ("module", "needs"),
    [
        ("sklearn.externals.joblib", ("joblib",)),
        ("sklearn.externals.six", ("six",)),
        ("IPython.html.widgets", ("ipywidgets", "ipywidgets")),
        ("pandas.io.data", ("pandas-datareader",)),
        ("numpy.linalg", ()),
    ],
)
def test_old_imports_imply_what_took_them_over(module: str, needs: tuple[str, ...]) -> None:
    assert import_names().needs(module) == needs


@pytest.mark.parametrize(
    ("code", "needs"),
    [
        ("pd.read_excel('a.xlsx')", {"openpyxl"}),
        ("pd.read_excel('a.xls')", {"openpyxl", "xlrd"}),
        ("store = pd.HDFStore('a.h5')", {"tables"}),
        ("pd.read_parquet(path)", {"pyarrow"}),
        ("pd.read_html(url)", {"lxml", "html5lib", "beautifulsoup4"}),
        ("df.style.background_gradient()", {"jinja2"}),
        ("plt.style.use('ggplot')", set()),
        ("df.plot(kind='kde')", {"matplotlib", "scipy"}),
        ("x = read_excellent(1)", set()),
    ],
)
def test_calls_bring_their_optional_dependencies(code: str, needs: set[str]) -> None:
    assert set(import_names().usage_needs(code)) == needs


@pytest.mark.parametrize(
    ("package", "distributions"),
    [("pytorch", ("torch",)), ("pytables", ("tables",)), ("scikit-learn", ("scikit-learn",)), ("libpysal", ("libpysal",)),
     ("cudatoolkit", ()), ("libgcc-ng", ()), ("r-base", ()), ("nodejs", ()), ("python", ())],
)  # fmt: skip
def test_conda_names_are_translated_and_what_is_no_python_is_skipped(package: str, distributions: tuple[str, ...]) -> None:
    assert import_names().from_conda(package) == distributions


def test_every_name_is_one_an_index_can_hold() -> None:
    table = import_names()
    rows = [*table.providers.values(), *table.implied.values(), *table.conda.values(), *(needs for _, needs in table.usage)]
    names = {name for row in rows for name in row}
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)


def test_the_table_agrees_with_the_packages_installed_here() -> None:
    table = import_names()
    installed = importlib.metadata.packages_distributions()
    checked = {module: found for module, found in installed.items() if table.providers.get(module)}
    assert len(checked) > 10
    for module, found in checked.items():
        assert set(map(canonicalize_name, found)) & set(table.providers[module]), module
