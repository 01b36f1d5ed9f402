"""Which part of the data a name speaks of."""

from __future__ import annotations

import re

_TEST = re.compile(r"(?:^|_)(?:test|valid|validation|val|holdout|hold_out|eval|te)(?:$|_|\d)|test|valid", re.IGNORECASE)
_TRAIN = re.compile(r"train|(?:^|_)(?:tr|fit)(?:$|_)", re.IGNORECASE)


def speaks_of_test(name: str) -> bool:
    """Tell whether a name speaks of data to test or validate on."""
    return bool(_TEST.search(name))


def speaks_of_training(name: str) -> bool:
    """Tell whether a name speaks of data to train on."""
    return bool(_TRAIN.search(name))
