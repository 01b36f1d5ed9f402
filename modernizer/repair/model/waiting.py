"""Waiting that ends when the run is being stopped."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")
_STEP = 0.2


class StoppedError(Exception):
    """The run is being stopped; what was waited for is given up."""


def wait_unless_stopped(seconds: float, stopping: Callable[[], bool]) -> None:
    """Sleep, but no longer than until the run is being stopped."""
    end = time.monotonic() + seconds
    while not stopping() and (left := end - time.monotonic()) > 0:
        time.sleep(min(_STEP, left))


def done_unless_stopped(call: Callable[[], _T], stopping: Callable[[], bool]) -> _T:
    """Return what ``call`` returns or raise what it raises; StoppedError as soon as the run is being stopped.

    A request that hangs can't be called off from outside, so it is left behind in a thread that holds nothing up.
    """
    results: list[_T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
            errors.append(error)

    thread = threading.Thread(target=run, name="model-call", daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(_STEP)
        if stopping() and thread.is_alive():
            raise StoppedError
    if errors:
        raise errors[0]
    return results[0]
