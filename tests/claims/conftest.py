"""The small version of each experiment, run once for all tests that look at it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path

import pytest

from course_claims import ledger

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """An experiment that is run, small as it is, belongs to the whole."""
    for item in items:
        if HERE in item.path.parents and "quick" in item.fixturenames:
            item.add_marker("whole")


@pytest.fixture(scope="session")
def quick() -> Callable[[str], list[dict]]:
    """Return a function that returns the rows of an experiment's quick version."""
    known: dict[str, list[dict]] = {}

    def rows(key: str) -> list[dict]:
        if key not in known:
            known[key] = ledger.experiments()[key](1, quick=True)
        return copy.deepcopy(known[key])

    rows.known = known
    return rows
