"""Cheats that a check in the student's own process can refuse; the sandbox of the
grader refuses more (test_tamper.py).
"""

from __future__ import annotations

import builtins
import math

import numpy as np
import pytest
import torch
from known import TASKS, accepted, fingerprint, first_output, load, solution

from course_lib.grading import check, checks


@pytest.mark.parametrize("name", TASKS)
def test_a_constant_fails_visibly(name):
    constant = first_output(name)
    assert not accepted(name, lambda *inputs: constant, hidden=False)


@pytest.mark.parametrize("name", TASKS)
def test_a_table_of_all_visible_inputs_passes_these_and_nothing_else(name):
    table: dict[str, object] = {}
    right = load(solution(name), name)

    def record(*inputs):
        key = fingerprint(inputs)
        table[key] = right(*inputs)
        return table[key]

    def look_up(*inputs):
        return table.get(fingerprint(inputs), 0)

    assert accepted(name, record, hidden=False)
    assert accepted(name, look_up, hidden=False)
    assert not any(accepted(name, look_up, seed) for seed in range(1, 4))


class AlwaysEqual:
    """An object that agrees with whatever it is compared with."""

    dtype, shape, ndim, size = np.dtype(float), (), 0, 1

    def __eq__(self, other):
        return True

    def __sub__(self, other):
        return 0.0

    __rsub__ = __sub__
    __hash__ = None

    def __torch_function__(self, *_):
        return torch.tensor(True)


@pytest.mark.parametrize("name", TASKS)
def test_an_object_that_equals_everything_fails(name):
    assert not accepted(name, lambda *inputs: AlwaysEqual(), hidden=False)


@pytest.fixture
def everything_is_equal(monkeypatch):
    """Replace what libraries compare with, and the error that asserts raise."""
    yes = lambda *_, **__: True  # noqa: E731
    for library, functions in {
        np: ["allclose", "isclose", "array_equal", "all", "any"],
        np.testing: ["assert_allclose", "assert_array_equal", "assert_equal"],
        torch: ["allclose", "equal", "isclose", "all"],
        torch.testing: ["assert_close"],
        math: ["isclose"],
    }.items():
        for function in functions:
            monkeypatch.setattr(library, function, yes)
    monkeypatch.setattr(builtins, "AssertionError", type("Mild", (Exception,), {}))


@pytest.mark.parametrize("name", TASKS)
def test_replaced_comparisons_do_not_help(name, request):
    constant = first_output(name)
    request.getfixturevalue("everything_is_equal")
    assert not accepted(name, lambda *inputs: constant, hidden=False)


def test_a_replaced_assertion_error_does_not_help(everything_is_equal):
    with checks.captured_output(), pytest.raises(checks.WrongAnswer):
        check("06.perplexity", lambda batches: 1.0)
