"""mutants.py, which is not run here, still knows the modules that it breaks."""

from __future__ import annotations

import mutants
import pytest

from course_lib import widgets


@pytest.mark.parametrize("mutant", mutants.MUTANTS, ids=lambda mutant: mutant.id)
def test_each_breakage_fits_its_module(mutant):
    text = (mutants.COURSE / mutant.path).read_text("utf-8")
    assert mutants.broken(mutant, text) != text


def test_each_widget_is_broken_in_three_ways_or_more():
    tried = [mutant.widget for mutant in mutants.MUTANTS]
    makers = set(widgets.__all__) - {"Snapshots", "sense_maps"}
    for name in (name for name in makers if name.islower()):
        assert tried.count(name) >= 3, name


def test_no_breakage_may_touch_the_package_itself(monkeypatch, tmp_path):
    monkeypatch.setattr(mutants, "COURSE", tmp_path)  # without a guard nothing breaks
    with pytest.raises(AssertionError):
        mutants.apply(mutants.MUTANTS[0], tmp_path)
