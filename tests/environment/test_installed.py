from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from modernizer.environment.installed import Installed, Parameter

TRICKY = '''"""A package made to be asked about."""
import warnings
print("noise on import")
class Base: "The base."
class Derived(Base):
    def __init__(self, a, *, b=2): ...
def function(x, /, y, *args, z="q", **rest): "Does.\\n\\nMore."
alias = function
value = 3
def __getattr__(name):
    if name == "old":
        warnings.warn("old is deprecated", DeprecationWarning)
        return value
    if name == "gone":
        raise ImportError("gone was removed")
    raise AttributeError(name)
'''


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    for name, text in {
        "tricky/__init__.py": TRICKY,
        "tricky/sub.py": "from tricky import *",
        "crashes.py": "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
        "hangs.py": "import time; time.sleep(60)",
        "leaves.py": "raise SystemExit",
        "reads.py": "import sys, os\ndef facts(line=sys.stdin.readline(), secret='MODERNIZER_SECRET' in os.environ): ...",
        "tricky-1.5.dist-info/METADATA": "Metadata-Version: 2.1\nName: tricky\nVersion: 1.5\n",
    }.items():
        (packages / name).parent.mkdir(exist_ok=True)
        (packages / name).write_text(text)
    return folder / "bin" / "python"


@pytest.fixture(scope="module")
def installed(environment: Path) -> Iterator[Installed]:
    with Installed(environment, timeout=20) as asked:
        yield asked


@pytest.mark.parametrize(
    ("dotted", "expected"),
    [
        ("tricky", True), ("tricky.sub", True), ("tricky.Derived", True), ("tricky.Derived.__init__", True),
        ("tricky.value", True), ("tricky.value.real", True), ("tricky.old", True), ("os.path.join", True),
        ("tricky.gone", False), ("tricky.never", False), ("tricky.sub.never.deep", False), ("nothing", False),
        ("leaves", False), ("", False), ("tricky.", False), ("tricky..sub", False),
    ],
)  # fmt: skip
def test_a_name_resolves_when_it_can_be_reached(installed: Installed, dotted: str, expected: bool) -> None:  # noqa: FBT001
    assert installed.resolves(dotted) is expected


@pytest.mark.parametrize(
    ("dotted", "expected"),
    [
        ("tricky", "module"),
        ("tricky.Base", "class"),
        ("tricky.function", "function"),
        ("tricky.value", "other"),
        ("tricky.no", None),
    ],
)
def test_kinds(installed: Installed, dotted: str, expected: str | None) -> None:
    assert installed.kind(dotted) == expected


def test_signatures(installed: Installed) -> None:
    assert installed.signature("tricky.Derived") == (
        Parameter("a", "positional_or_keyword", None),
        Parameter("b", "keyword_only", "2"),
    )
    found = installed.signature("tricky.function")
    assert found is not None
    assert [(item.name, item.kind, item.default) for item in found] == [
        ("x", "positional_only", None), ("y", "positional_or_keyword", None), ("args", "var_positional", None),
        ("z", "keyword_only", "'q'"), ("rest", "var_keyword", None),
    ]  # fmt: skip
    assert installed.signature("tricky.value") is None
    assert installed.signature("tricky.never") is None


def test_other_facts(installed: Installed) -> None:
    assert installed.version("tricky") == "1.5"
    assert installed.version("nothing") is None
    assert installed.submodules("tricky") == ("sub",)
    assert installed.submodules("nothing") == ()
    assert installed.doc_line("tricky.function") == "Does."
    assert installed.doc_line("tricky.never") is None
    assert installed.identity("tricky.alias") == installed.identity("tricky.sub.function") == "tricky.function"
    assert installed.identity("tricky.sub") == "tricky.sub"
    assert installed.identity("tricky.value") is None
    assert installed.is_subclass("tricky.Derived", "tricky.Base")
    assert not installed.is_subclass("tricky.Base", "tricky.Derived")
    assert not installed.is_subclass("tricky.never", "tricky.Base")


def test_a_crash_is_an_answer_and_the_next_question_works(installed: Installed) -> None:
    assert not installed.resolves("crashes.anything")
    assert installed.resolves("tricky.Base")


def test_a_hanging_import_ends_with_its_time(environment: Path) -> None:
    with Installed(environment, timeout=0.5) as asked:
        assert not asked.resolves("hangs")
        assert asked.resolves("os")


def test_packages_see_neither_our_secrets_nor_our_home_nor_the_questions(
    environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODERNIZER_SECRET", "x")
    with Installed(environment) as asked:
        facts = asked.signature("reads.facts")
        assert facts is not None
        assert {item.name: item.default for item in facts} == {"line": "''", "secret": "False"}
        home = Path(asked._home)
        assert home.is_dir()
    assert not home.exists()


def test_threads_share_it_and_answers_are_remembered(installed: Installed) -> None:
    answers: list[bool] = []
    threads = [threading.Thread(target=lambda: answers.append(installed.resolves("tricky.function"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [True] * 8
    installed.close()
    assert installed.resolves("tricky.function")
    assert installed._child is None
