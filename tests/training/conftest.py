"""Tests of training run twice: as this machine is, and as if it had a GPU.

A test that trains nothing on one, or in another process, is marked `no_gpu`.
"""

from __future__ import annotations

import pytest


def pytest_generate_tests(metafunc):
    machines = ["as it is", "with a GPU"]
    if metafunc.definition.get_closest_marker("no_gpu"):
        machines = machines[:1]
    metafunc.parametrize("machine", machines, indirect=True)


@pytest.fixture(autouse=True)
def machine(request):
    if request.param == "with a GPU":
        request.getfixturevalue("gpu")
