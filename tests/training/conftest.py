"""Every test of training runs twice: as this machine is, and as if it had a GPU."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True, params=["as it is", "with a GPU"])
def machine(request):
    if request.param == "with a GPU":
        request.getfixturevalue("gpu")
