"""A score that a variable of the live kernel holds at the end of a run."""

from __future__ import annotations

import re
from collections.abc import Callable

from modernizer.execution.outcome import Measured
from modernizer.verdict.numbers import numbers, unwrapped

_SCALAR = re.compile(r"(?:tensor|Decimal|Fraction|Array|<tf\.Tensor)\b")


def read_variable(expression: str, ask: Callable[[str], object]) -> Measured:
    """Ask the kernel for the value of a name, attribute or item; scalars of numpy and tensors are numbers too."""
    try:
        answer = ask(expression)
    except ValueError:
        return Measured(None, f"{expression!r} is no name, attribute or item")
    return _number(expression, answer)


def _number(expression: str, answer: object) -> Measured:
    if answer is None:
        return Measured(None, f"{expression} has no value at the end of the run")
    if isinstance(answer, list) and len(answer) == 1:
        return _number(expression, answer[0])
    if isinstance(answer, int | float) and not isinstance(answer, bool):
        try:
            return Measured(float(answer))
        except OverflowError:
            return Measured(None, f"{expression} is too large for a score")
    if isinstance(answer, str) and _SCALAR.match(answer):
        read = numbers(unwrapped(re.sub(r"\b(?:shape|dtype|device|grad_fn|weak_type)=[^,)>]*(?:\([^)]*\))?", "", answer)))
        if len(read) == 1:
            return Measured(read[0].value)
    kinds = {list: "a list", dict: "a mapping", bool: "a truth value", str: "no number"}
    return Measured(None, f"{expression} is {kinds.get(type(answer), 'no number')}, not a number")
