"""Demos are chosen by a rule, and show what the text says of them.

Each is run in the quick profile, up to the cell that shows it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import course_lib
from course_lib import data
from course_lib.analysis import senses

pytestmark = pytest.mark.whole

COURSE = Path(__file__).resolve().parents[2]
SCRIPT = """
import json
import sys

import nbformat

path, last, *skipped, asked = sys.argv[1:]
kernel = {}
for cell in nbformat.read(path, 4).cells:
    if cell.cell_type == "code" and cell.id not in skipped:
        exec(cell.source, kernel)
    if cell.id == last:
        break
print()
print(json.dumps(eval(asked, kernel)))
"""


def shown(language: str, lesson: str, last: str, asked: str, *skipped: str):
    """Run a lesson up to a cell, without those to be skipped, and ask its kernel."""
    path = COURSE / "notebooks" / language / f"{lesson}.ipynb"
    here = os.environ | {"COURSE_PROFILE": "quick", "MPLBACKEND": "Agg"}
    here["PYTHONPATH"] = str(COURSE)
    command = [sys.executable, "-W", "ignore", "-c", SCRIPT]
    run = subprocess.run(
        [*command, path, last, *skipped, asked],
        env=here,
        cwd=path.parent,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_01_a_mixture_is_ahead_of_the_network_and_of_the_n_grams(language):
    """The network alone is behind the n-grams in this profile, as its text says."""
    if not data.at_hand({"en": "brown", "zh": "msra"}[language]):
        pytest.skip("the text says it of Brown and MSRA, and they are not here")
    found = shown(language, "01_nnlm", "mixture-table", "[*result.values()]")
    trigram, _, network, mixture = found
    assert mixture < trigram < network < 1.2 * trigram


@pytest.mark.parametrize("language", ["en", "zh"])
def test_02_the_groups_on_the_map_come_together(language):
    if not data.at_hand({"en": "brown", "zh": "msra"}[language]):
        pytest.skip("the words of the groups are those of Brown and MSRA")
    asked = "[[own_group(r[0][0]), own_group(r[0][-1]), len(groups)] for r in {}]"
    asked = asked.format("runs.values()")
    drawn = "window-widget", "cost-picture"  # what only draws
    found = shown(language, "02_word2vec", "train-widget", asked, *drawn)
    for start, end, groups in found:
        assert start <= groups / 4 and end > groups / 2


def test_04_the_lists_are_those_of_the_pair_with_the_median_weight():
    asked = (
        "[[sorted(m['weight'] for b, m in zip(blends, measured) if b.ratio == r),"
        " measured[blends.index(median_pair(r))]['weight']] for r in ((1, 1), (9, 1))]"
    )
    drawn = "owner-map", "owner-table"
    for weights, chosen in shown("en", "04_polysemy", "blend", asked, *drawn):
        assert chosen == weights[len(weights) // 2] and len(weights) % 2


@pytest.mark.parametrize("language", ["en", "zh"])
def test_06_the_opening_word_is_the_sixth_and_reading_twice_parts_the_senses(language):
    """The sixth by layer 2, of the words that have a static vector, too."""
    encoder = course_lib.load(f"elmo-{language}")
    static, sentences = course_lib.load(f"static-{language}"), data.senses(language)
    layers = senses.target_vectors(encoder, sentences)
    scores = {
        word: score["nearest_centroid"]
        for word, score in senses.by_word(layers[2], sentences).items()
        if word in static
    }
    order = sorted(scores, key=scores.get, reverse=True)
    source = (COURSE / "source/lessons/06_elmo_bilm.py").read_text(encoding="utf-8")
    word = order[5]
    assert f'"{word}"' in re.search(r"^word = t\(.*the sixth", source, re.M).group()

    twice = senses.without_place(senses.read_twice(encoder, sentences), sentences)
    alone, cured = (
        senses.macro(senses.by_word(x[2], sentences))["nearest_centroid"]
        for x in (layers, twice)
    )
    assert cured > alone + 0.05  # English .90 and .84, Chinese .86 and .71
    shown = {"en": "bank", "zh": "苹果"}[language]
    assert senses.triples_by_word(twice[2], sentences)[shown] > 0.68
