from __future__ import annotations

import pytest

from modernizer.verdict.sources.variable import read_variable


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        (0.5, 0.5),
        (3, 3.0),
        ([0.5], 0.5),
        ("tensor(0.9300)", 0.93),
        ("tensor(0.25, device='cuda:0', grad_fn=<NllLossBackward0>)", 0.25),
        ("<tf.Tensor: shape=(), dtype=float32, numpy=0.75>", 0.75),
        ("Decimal('0.1')", 0.1),
        (None, None),
        (True, None),
        ([1, 2], None),
        ({"a": 1}, None),
        ("0.9", None),
        ("<module 'numpy' from '/x/1'>", None),
        (10**400, None),
    ],
)
def test_a_scalar_is_a_number_and_nothing_else_is(answer: object, value: float | None) -> None:
    measured = read_variable("v", lambda _: answer)
    assert measured.value == value
    assert bool(measured.note) is (value is None)
