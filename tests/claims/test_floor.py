"""The smaller Rivertown in which perplexities are compared with their floor."""

from __future__ import annotations

import math

import numpy as np
import pytest

from course_claims import scoreboard_table
from course_claims.experiments import floor
from course_lib.worlds import rivertown


@pytest.fixture(scope="module", params=["en", "zh"])
def town(request):
    return floor.SmallTown(request.param)


@pytest.mark.whole
def test_the_smaller_town_says_nothing_that_rivertown_would_not(town):
    whole = rivertown.world(town.language)
    assert len(town.vocabulary()) < len(whole.vocabulary()) / 3
    assert town.vocabulary() <= whole.vocabulary()
    assert town.entropy_per_token() < whole.entropy_per_token()
    drawn = town.documents(3_000, seed=5)
    document = min(drawn, key=lambda d: len(d.sentences))  # a short one is soon summed
    assert -math.inf < whole.log_probability(document) < town.log_probability(document)


def test_its_floor_is_what_its_text_costs_on_average(town):
    entropy, nats, tokens = town.entropy_per_token(), [], []
    for document in town.documents(50_000, seed=7):
        nats.append(-document.log_probability)
        tokens.append(sum(len(s.tokens) for s in document.sentences))
    nats, tokens = np.array(nats), np.array(tokens)
    spread = np.std(nats - entropy * tokens) / np.sqrt(len(nats)) / tokens.mean()
    assert abs(nats.sum() / tokens.sum() - entropy) < 4 * spread
    assert spread < 0.02


def test_no_model_is_below_the_floor_and_each_has_a_line_on_the_board(quick):
    rows = [{"seed": 1, **row} for row in quick("floor")]
    assert {r["model"] for r in rows} == {
        "majority",
        "NNLM",
        "AWD-LSTM",
        "GPT",
        "biLM",
    }
    assert all(r["value"] > 1 for r in rows)
    layers = ("biLM, layer 1", "biLM, layer 2", "biLM, mean of layers", "GPT, block 4")
    lines = [*layers, "majority", "NNLM", "AWD-LSTM, layer 3"]
    placed = scoreboard_table.on_last_layers(rows, [{"model": line} for line in lines])
    assert {r["model"] for r in placed} == {*lines} - {layers[0], layers[2]}
