"""The nearest rows, against a slow loop."""

from __future__ import annotations

import numpy as np
import pytest

from course_lib.analysis.neighbours import nearest


def test_the_nearest_rows_are_those_of_a_slow_loop():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(30, 5)) * rng.uniform(0.1, 10, size=(30, 1))
    query = 3 * rng.normal(size=5)
    cosines = [v @ query / np.linalg.norm(v) / np.linalg.norm(query) for v in vectors]
    slow = sorted(range(30), key=lambda i: -cosines[i])[:7]
    found = nearest(vectors, query, k=7)
    assert [i for i, _ in found] == slow
    assert [c for _, c in found] == pytest.approx([cosines[i] for i in slow])


def test_a_row_finds_itself_and_ties_stay_in_their_order():
    vectors = np.eye(4)[[0, 1, 0, 2]]
    found = nearest(vectors, 5 * vectors[0], k=3)
    assert [i for i, _ in found] == [0, 2, 1]
    assert [c for _, c in found] == pytest.approx([1, 1, 0])
