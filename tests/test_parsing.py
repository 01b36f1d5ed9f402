from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator

import pytest

from modernizer.parsing import parse_expression, parse_python

DEEP = "\n".join(f"def f{number}(a):\n    return {'(' * 40}a + 1{')' * 40}\n" for number in range(60))


@pytest.fixture
def _threads_change_often() -> Iterator[None]:
    """Have the collector run Python code, in which threads change, while a tree is built."""

    def work(*_: object) -> None:
        sum(range(300))

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    gc.callbacks.append(work)
    yield
    gc.callbacks.remove(work)
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_threads_change_often")
def test_several_threads_may_parse_at_once() -> None:
    """CPython before 3.11.8 and 3.12.2 gives a SystemError here when nothing keeps them apart."""
    failed: list[BaseException] = []

    def work() -> None:
        for _ in range(40):
            try:
                parse_python(DEEP)
                parse_expression("a + (b * c)")
            except SystemError as error:
                failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
