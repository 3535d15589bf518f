"""Seq2SeqBuilder: whose tensors are whose, what was measured, what the paper says."""

from __future__ import annotations

import re

import pytest

from course_claims.experiments import seq2seq as claims
from course_lib.models.seq2seq import EVERYTHING, LanguageModel, Seq2Seq, initialise
from course_lib.widgets.seq2seq_builder import (
    BASELINE,
    counted,
    seq2seq_builder,
    tensors,
)

ROWS = [*claims.ABLATION, BASELINE]


def made_up(seeds=(1, 2, 3), tasks=("rivertown, 1000 pairs", "vowels, 300 pairs")):
    """Return what the ablation might have measured: each row 2 below the one before."""
    return [
        {"seed": seed, "model": row, "condition": task, "metric": metric, "value": v}
        for seed in seeds
        for task in tasks
        for k, row in enumerate(ROWS)
        for metric, v in (("BLEU", 40 - 2 * k + seed), ("accuracy", 90.0))
    ]


def make(ablation=(), pairs=(), language="en"):
    """Make the widget of a small model and of what the two experiments measured."""
    rows = {"seq2seq_ablation": [*ablation], "seq2seq_pairs": [*pairs]}
    model = Seq2Seq(11, 13, width=4)
    return seq2seq_builder(model, rows, claims.ABLATION, language)


def html_of(widget) -> str:
    return widget._repr_mimebundle_()[0]["text/html"]


# -- tensors ---------------------------------------------------------------------------


@pytest.mark.parametrize("both", [False, True])
def test_names_and_shapes_are_those_of_the_real_model(both):
    model = Seq2Seq(11, 13, width=4, both_layers=both)
    found = {one["name"]: tuple(one["shapes"][both]) for one in tensors(model)}
    real = {name: tuple(p.shape) for name, p in model.named_parameters()}
    assert found == real


@pytest.mark.parametrize("parts", [EVERYTHING, EVERYTHING[:3], EVERYTHING[4:5], ()])
def test_a_part_fills_exactly_what_initialise_copies(parts):
    model, lms = Seq2Seq(11, 13, 4), (LanguageModel(11, 4), LanguageModel(13, 4))
    copied = initialise(model, *lms, parts=parts)
    for one in tensors(model):
        expected = one["part"].split(".")[0] if one["part"] in parts else "random"
        assert copied[one["name"]] == expected


def test_parameters_add_up_to_the_models():
    model = Seq2Seq(11, 13, width=4)
    said = counted(tensors(model))
    three = [int(said[f"{kind}_p"]) for kind in ("source", "target", "random")]
    assert sum(three) == sum(p.numel() for p in model.parameters())
    assert three[:2] == [
        sum(p.numel() for p in lm.parameters()) for lm in (model.source, model.target)
    ]


def test_the_models_own_values_are_left_alone():
    model = Seq2Seq(11, 13, width=4)
    before = {name: p.clone() for name, p in model.named_parameters()}
    seq2seq_builder(model, {}, claims.ABLATION)
    assert all(p.equal(before[name]) for name, p in model.named_parameters())


# -- what was measured, and what the paper says ----------------------------------------


def test_without_rows_no_number_is_made_up():
    widget = make()
    assert widget.data["runs"] == {} and widget.data["tasks"] == []
    assert "not measured yet" in widget.data["alt"]


def test_values_are_means_with_intervals_within_seeds():
    runs = make(made_up()).data["runs"]["rivertown, 1000 pairs"]
    assert list(runs) == ROWS
    assert runs["full"]["bleu"] == [42, 39.52, 44.48, 3] and runs["full"]["gap"] is None
    # Every seed lies the same distance below, so that the interval is a point.
    assert runs["neither"]["gap"] == [-14, -14, -14, 3]


def test_one_seed_has_no_interval():
    rows = made_up(seeds=(7,), tasks=("vowels, 300 pairs",))
    runs = make(rows).data["runs"]["vowels, 300 pairs"]
    assert runs["neither"] == {"bleu": [33, None, None, 1], "gap": [-14, None, None, 1]}


def test_other_amounts_of_pairs_are_tasks_of_their_own():
    rows = [r for r in made_up(tasks=("rivertown, 300 pairs",))]
    rows = [r for r in rows if r["model"] in ("full", "no pre-training")]
    data = make(made_up(), rows).data
    names = [name for _, name in data["tasks"]]
    assert names[0] == "Rivertown, 1000 pairs" and names[-1] == "Rivertown, 300 pairs"
    assert set(data["runs"]["rivertown, 300 pairs"]) == {"full", "no pre-training"}


def test_a_row_that_is_not_of_the_ablation_is_named():
    rows = [{**row, "model": "magic"} for row in made_up()]
    with pytest.raises(ValueError, match="'magic'.*no rows of the ablation"):
        make(rows)


def test_each_row_sets_the_drawing_as_the_experiment_was_run():
    rows = make().data["rows"]
    for key, way in claims.ABLATION.items():
        assert rows[key]["parts"] == list(way.parts)
        assert rows[key]["joint"] == way.joint
        assert rows[key]["residual"] == rows[key]["both_layers"] == way.extras


def test_the_papers_figures_are_its_own():
    """Ramachandran et al. 2017, section 3.1; see the notes of the lesson's cards."""
    said = {row["row"]: row["bleu"] for row in make().data["paper"] if row["row"]}
    assert said == {
        "full": "0",
        "only the decoder": "−1.0",
        "only the encoder": "−1.6",
        "without softmax": "−1.6",
        "no pre-training": "−2.0",
        "without LM loss": "as bad as no pre-training with the joint loss",
    }
    assert len(claims_cards()) == 2
    for card in claims_cards():
        for value in re.findall(r"−\d\.\d", card.paper[0]):
            assert value in said.values()


def claims_cards() -> list:
    """Return the lesson's cards that quote the same ablation."""
    from course_claims.cards.seq2seq import CARDS

    return [c for c in CARDS if c.key in ("decoder-matters-more", "softmax-matters")]


# -- the widget ------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_words_of_the_picture_say_the_numbers(language):
    widget = make(made_up(), language=language)
    alt = re.search(r'<img alt="([^"]+)"', html_of(widget))[1]
    lm = LanguageModel(11, 4)
    assert f"{sum(p.numel() for p in lm.parameters()):,}" in alt and "42.0" in alt
