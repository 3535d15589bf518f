"""Cheats that a check in the student's own process can refuse; the sandbox of the
grader refuses more (test_tamper.py).
"""

from __future__ import annotations

import builtins
import math

import numpy as np
import pytest
import torch
from known import TASKS, fingerprint, first_output, judge, load, solution

from course_lib.grading import check, checks


@pytest.mark.parametrize("name", TASKS)
def test_a_constant_fails_visibly(name):
    constant = first_output(name)
    assert judge(name, lambda *inputs: constant, hidden=False) is not None


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

    assert judge(name, record, hidden=False) is None
    assert judge(name, look_up, hidden=False) is None
    assert all(judge(name, look_up, seed) is not None for seed in range(1, 4))


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
    assert judge(name, lambda *inputs: AlwaysEqual(), hidden=False) is not None


@pytest.mark.parametrize("name", TASKS)
def test_replaced_comparisons_and_asserts_do_not_help(name, monkeypatch):
    constant = first_output(name)
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
    with checks.overheard(), pytest.raises(checks.WrongAnswer):
        check(name, lambda *inputs: constant)
