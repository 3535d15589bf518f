"""The benchmarks at a tiny size: they run, and both sides give the same."""

import importlib
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
sys.path.insert(0, str(FOLDER))  # as `python benchmarks/NAME.py` has it
ONE_SIDED = {
    "growth", "harness", "plain", "scaling", "table", "texts", "threads", "widgets",
}  # fmt: skip
RACES = sorted({path.stem for path in FOLDER.glob("*.py")} - ONE_SIDED)


@pytest.mark.parametrize("machine", ["as it is", "with a GPU"])
@pytest.mark.parametrize("name", RACES)
def test_both_sides_give_the_same(name, machine, request):
    if machine == "with a GPU":
        request.getfixturevalue("gpu")
    harness = importlib.import_module("harness")
    races = importlib.import_module(name).races(tiny=True)
    assert races
    for race in races:
        if not race.skip:
            race.ours()
            harness.check(race)


@pytest.mark.parametrize("name", sorted(ONE_SIDED))
def test_the_others_can_be_imported(name):
    importlib.import_module(name)


@pytest.mark.usefixtures("gpu")
def test_on_a_gpu_the_clock_counts():
    harness, crf = importlib.import_module("harness"), importlib.import_module("crf")
    line = harness.measure(crf.races(tiny=True)[0], rounds=3, seconds=1)
    assert line["ours"] == line["ours_wall"] and line["peer"] == line["peer_wall"]


def test_a_race_whose_outputs_differ_is_not_timed():
    harness = importlib.import_module("harness")
    race = harness.Race("one is wrong", lambda: [1.0, 2.0], lambda: [1.0, 2.1])
    with pytest.raises(AssertionError):
        harness.measure(race, rounds=1, seconds=1)


def test_the_slope_is_the_exponent():
    growth = importlib.import_module("growth")
    sizes = [10, 30, 100, 300]
    assert growth.slope(sizes, [7 * n**2 for n in sizes]) == pytest.approx(2)


def test_the_floor_counts_two_operations_for_each_weight():
    """A product of (3, 5) and (5, 7) has 3 * 5 * 7 multiplications and additions."""
    harness, torch = (
        importlib.import_module("harness"),
        importlib.import_module("torch"),
    )
    product = torch.nn.Linear(5, 7, bias=False)
    _, operations = harness.count_flops(lambda: product(torch.ones(3, 5)))
    assert operations == 2 * 3 * 5 * 7
