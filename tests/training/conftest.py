"""Tests of training run twice: as this machine is, and as if it had a GPU.

A module that trains nothing on one, or in another process, says `NO_GPU = True`.
"""

from __future__ import annotations

import pytest


def pytest_generate_tests(metafunc):
    machines = ["as it is", "with a GPU"]
    if getattr(metafunc.module, "NO_GPU", False):
        machines = machines[:1]
    metafunc.parametrize("machine", machines, indirect=True)


@pytest.fixture(autouse=True)
def machine(request):
    if request.param == "with a GPU":
        request.getfixturevalue("gpu")
