"""Examples held out: none in two splits, the same every time, sizes kept."""

from __future__ import annotations

import os
import subprocess
import sys

from course_lib.data.held_out import hold_out

WORDS = [f"word {i}" for i in range(100)]


def test_what_comes_whole_is_cut_into_parts_without_overlap():
    found = hold_out({"all": WORDS}, {"dev": 10, "test": 20})
    assert {split: len(of) for split, of in found.items()} == {
        "dev": 10, "test": 20, "train": 70,
    }  # fmt: skip
    assert sorted(found["dev"] + found["test"] + found["train"]) == sorted(WORDS)
    assert found["test"] != WORDS[10:30]  # not in the order in which they came


def test_a_split_that_is_there_is_kept_and_a_missing_one_comes_off_train():
    splits = {"train": WORDS[:60], "test": WORDS[60:]}
    found = hold_out(splits, {"dev": 10, "test": 20})
    assert set(found["test"]) == set(WORDS[60:])
    assert set(found["dev"]) | set(found["train"]) == set(WORDS[:60])
    assert len(found["dev"]) == 10


def test_what_does_not_fit_is_in_no_split():
    found = hold_out({"all": WORDS}, {"test": 5}, fits=lambda word: len(word) == 6)
    assert len(found["test"]) == 5 and len(found["train"]) == 5


def test_it_is_the_same_every_time():
    """Also where Python orders the strings of a set in another way."""
    script = (
        "from course_lib.data.held_out import hold_out\n"
        f"print(hold_out({{'all': {WORDS}}}, {{'test': 20}})['test'])"
    )
    expected = str(hold_out({"all": WORDS}, {"test": 20})["test"])
    for salt in ("1", "2"):
        salted = os.environ | {"PYTHONHASHSEED": salt}
        command = [sys.executable, "-c", script]
        told = subprocess.run(command, env=salted, capture_output=True, text=True)
        assert told.stdout.strip() == expected, told.stderr
