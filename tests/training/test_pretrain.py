"""Pre-training a checkpoint: its text, what is held out, and what its card says."""

import dataclasses
import itertools
import math
import re
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch

from course_lib import checkpoints, data
from course_lib.data.entries import CATALOGUE
from course_lib.models.awd_lstm import AWDConfig, Remembering
from course_lib.models.bilm import BiLMConfig
from course_lib.text.batches import Batches
from course_lib.text.documents import limited
from course_lib.text.streams import Streams
from course_lib.text.vocabulary import UNK
from course_lib.training import loop
from course_pretraining import pretrain, recipes, vector_start
from course_pretraining.recipes import RECIPES, Recipe

SIZES = {"cells": 12, "projection": 8, "filters": [[1, 4], [3, 8]], "char_size": 4}
CONFIG = BiLMConfig(**SIZES)
TINY = {
    "elmo-tiny": Recipe(
        "biLM", [("rivertown-en", 24_000)], vocabulary=300, rows=16, config=CONFIG
    ),
    "elmo-long-tiny": Recipe(
        "biLM",
        [("rivertown-en", 24_000)],
        vocabulary=300,
        rows=16,
        config=BiLMConfig(**SIZES, samples=50),
        average=10,
    ),
    "static-tiny": Recipe("SGNS", [("rivertown-en", 24_000)], vocabulary=300),
    "awdlstm-tiny": Recipe(
        "AWD-LSTM",
        [("rivertown-en", 24_000)],
        vocabulary=300,
        window=sys.maxsize,
        rows=16,
        config=AWDConfig(embedding=8, hidden=12, dropped=0.5, samples=50),
        backward=True,
    ),
}
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


# -- the text ------------------------------------------------------------------------


def as_sets(documents) -> list[str]:
    return [" ".join(word for sentence in d for word in sentence) for d in documents]


@pytest.mark.no_gpu
def test_every_fiftieth_document_is_held_out_and_no_other():
    recipe = TINY["elmo-tiny"]
    whole = as_sets(limited(data.load("rivertown-en").documents(), 24_000))
    assert len(whole) >= 100
    held_out = as_sets(recipes.documents(recipe, held_out=True))
    training = as_sets(recipes.documents(recipe, held_out=False))
    assert held_out == whole[49::50]
    assert sorted(held_out + training) == sorted(whole)


@pytest.mark.no_gpu
def test_a_limit_stops_at_the_document_that_reaches_it():
    documents = ([["a"] * 4, ["b"] * 3] for _ in itertools.count())
    assert len(list(limited(documents, 15))) == 3  # 7, 14, 21 words
    assert not list(limited([[["a"]]], 0))
    assert len(list(limited([[["a"]]] * 5, math.inf))) == 5


@pytest.mark.no_gpu
def test_the_text_is_read_once_and_kept(tmp_path, monkeypatch):
    first = recipes.texts(TINY["elmo-tiny"], tmp_path)
    monkeypatch.setattr(recipes, "documents", lambda *_: pytest.fail("read again"))
    for one, other in zip(
        first, recipes.texts(TINY["elmo-tiny"], tmp_path), strict=True
    ):
        assert one.words == other.words
        for array in ("ids", "starts", "lengths"):
            assert np.array_equal(getattr(one, array), getattr(other, array))


@pytest.mark.no_gpu
def test_odd_words_are_kept_as_they_are(tmp_path, monkeypatch):
    odd = ["\u2028", "\x85", "a\rb", "苹果", "", " ", "\ufeff"]
    monkeypatch.setattr(recipes, "documents", lambda *_: [[[*odd, "end"]]])
    for text in recipes.texts(TINY["elmo-tiny"], tmp_path):
        assert text.words == ["<S>", "</S>", *odd, "end"]


# -- one folder, one run -------------------------------------------------------------


@pytest.mark.no_gpu
def test_a_folder_that_holds_another_run_is_refused_and_left_alone(tmp_path):
    pretrain.reserve(tmp_path, "elmo-en")
    pretrain.reserve(tmp_path, "elmo-en")  # the same run may go on
    with pytest.raises(ValueError, match="holds a run of elmo-en.*--out"):
        pretrain.reserve(tmp_path, "elmo-zh")
    assert (tmp_path / "recipe.txt").read_text() == "elmo-en\n"


@pytest.mark.no_gpu
def test_a_resumed_run_keeps_the_precision_it_began_with(tmp_path, monkeypatch):
    """It is chosen by a timing, which a busy machine can turn around."""
    monkeypatch.setattr(pretrain, "bf16_pays", lambda: True)
    assert pretrain.precision(tmp_path) == "bfloat16"
    monkeypatch.setattr(pretrain, "bf16_pays", lambda: False)
    assert pretrain.precision(tmp_path) == "bfloat16"


@pytest.mark.no_gpu
def test_a_precision_written_by_hand_may_end_its_line(tmp_path):
    (tmp_path / "precision.txt").write_text("bfloat16\n")
    assert pretrain.precision(tmp_path) == "bfloat16"


# -- the recipes ---------------------------------------------------------------------


@pytest.mark.no_gpu
@pytest.mark.parametrize("name", RECIPES)
def test_the_corpora_of_a_recipe_are_running_text_of_its_language(name):
    for corpus, most in RECIPES[name].corpora:
        entry = CATALOGUE[corpus]
        assert entry.text is not None
        assert entry.language == name.split("-")[1]
        assert most > 0


@pytest.mark.no_gpu
def test_an_unknown_name_is_refused_with_the_names_there_are(tmp_path):
    with pytest.raises(KeyError, match="no recipe 'elmo-fr'.*elmo-en"):
        pretrain.pretrain("elmo-fr", tmp_path, minutes=1)
    assert not list(tmp_path.iterdir())


# -- the whole way -----------------------------------------------------------------


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Pre-train a tiny biLM on the text that ships, and return its folder."""
    out = tmp_path_factory.mktemp("pretrained")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pretrain, "RECIPES", TINY)
        yield pretrain.pretrain("elmo-tiny", out, minutes=5, epochs=1)


@pytest.mark.no_gpu
def test_the_checkpoint_encodes_a_sentence(made):
    encoder = checkpoints.load(made)
    (layers,) = encoder.encode([["The", "bank", "closed", "."]])
    assert layers.shape == (3, 4, 16)
    assert len(encoder.vocabulary) == 300


def test_the_card_says_what_was_measured(made):
    """The perplexities on it are those of the weights that ship, on held-out text."""
    card = dict(ROW.findall((made / "README.md").read_text(encoding="utf-8")))
    assert {"Text", "Tokens seen", "Training time", "Seed", "Machine"} <= set(card)
    assert "python -m course_lib pretrain elmo-tiny" in card["Made by"]
    assert "rivertown-en (first 24,000)" in card["Text"]

    encoder = checkpoints.load(made)
    training, held_out = recipes.texts(TINY["elmo-tiny"], made.parent / "text")
    assert f"{training.n_tokens:,} tokens" in card["Text"]
    assert card["Tokens seen"].startswith(f"{training.n_tokens:,} (1.00 epochs)")
    losses = loop.evaluate(encoder.model, Batches(held_out, encoder.vocabulary, 16))
    said = re.search(
        r"forward ([\d.]+), backward ([\d.]+)", card["Held-out perplexity"]
    )
    assert [float(x) for x in said.groups()] == pytest.approx(
        losses.exp().tolist(), rel=0.01
    )
    assert losses.exp().max() < 300, "no better than guessing evenly"
    unknown = held_out.unknown(encoder.vocabulary)
    assert f"{unknown:.1%} of the held-out words" in card["Held-out perplexity"]


def test_run_again_it_goes_on_where_it_was(made, monkeypatch):
    """Here that is the end, so the second run takes no step and writes the same."""
    monkeypatch.setattr(pretrain, "RECIPES", TINY)
    before = checkpoints.load(made).model.state_dict()
    state = made.parent / "state.pt"
    steps = torch.load(state, weights_only=True)["run"]["step"]
    pretrain.pretrain("elmo-tiny", made.parent, minutes=5, epochs=1)
    assert torch.load(state, weights_only=True)["run"]["step"] == steps
    for name, weights in checkpoints.load(made).model.state_dict().items():
        assert torch.equal(weights, before[name])


def test_a_second_stretch_begins_where_the_first_ended(made, tmp_path, monkeypatch):
    """With next to no step it is the same model; its card counts both stretches."""
    monkeypatch.setattr(pretrain, "RECIPES", TINY)
    again = pretrain.pretrain("elmo-tiny", tmp_path, minutes=1e-6, start=str(made))
    first, second = (
        dict(ROW.findall((folder / "README.md").read_text(encoding="utf-8")))
        for folder in (made, again)
    )
    training, _ = recipes.texts(TINY["elmo-tiny"], made.parent / "text")
    step = int(re.search(r"([\d,]+) of them in", second["Tokens seen"])[1])
    assert second["Tokens seen"].startswith(f"{training.n_tokens + step:,} ")
    assert step < training.n_tokens / 10
    assert f"--weights {made}" in second["Made by"]
    before, after = (
        float(re.search(r"forward ([\d.]+)", card["Held-out perplexity"])[1])
        for card in (first, second)
    )
    assert after == pytest.approx(before, rel=0.02)


def test_a_long_bilm_ships_its_averaged_weights(tmp_path, monkeypatch):
    """And who stops it and goes on with the state has lost nothing."""
    monkeypatch.setattr(pretrain, "RECIPES", TINY)
    limits = {"minutes": 5, "epochs": 1}
    made = pretrain.pretrain("elmo-long-tiny", tmp_path / "a", **limits)
    state = torch.load(tmp_path / "a" / "state.pt", weights_only=True)
    averages = [s["average"] for s in state["optimizer"]["state"].values()]
    shipped = checkpoints.load(str(made)).model
    last = dict(shipped.named_parameters())
    for average, (name, p) in zip(averages, last.items(), strict=True):
        assert torch.equal(p, average.cpu().half().float())
        assert not torch.equal(p, state["model"][name].cpu().half().float())
    again = pretrain.pretrain("elmo-long-tiny", tmp_path / "a", **limits)
    for name, p in checkpoints.load(str(again)).model.named_parameters():
        assert torch.equal(p, last[name])


def test_in_every_stretch_the_token_layer_keeps_the_vectors(tmp_path, monkeypatch):
    long = replace(TINY["elmo-long-tiny"], vectors=True)
    monkeypatch.setattr(pretrain, "RECIPES", TINY | {"elmo-long-tiny": long})
    monkeypatch.setattr(vector_start, "SPELLED", 20)
    monkeypatch.setattr(vector_start, "ALONE", 2)
    limits = {"minutes": 5, "epochs": 0.5}
    first = pretrain.pretrain("elmo-long-tiny", tmp_path / "a", **limits)
    limits["start"] = str(first)
    second = pretrain.pretrain("elmo-long-tiny", tmp_path / "b", **limits)
    one, other = (checkpoints.load(str(f)).model for f in (first, second))
    kept = other.token_layer.state_dict()
    assert all(torch.equal(w, kept[n]) for n, w in one.token_layer.state_dict().items())
    assert not torch.equal(one.softmax.weight, other.softmax.weight)


@pytest.mark.no_gpu
def test_a_start_that_is_not_there_is_named_before_a_text_is_read(
    tmp_path, monkeypatch
):
    """All corpora take minutes; a folder that was reserved would stay behind."""
    monkeypatch.setattr(pretrain, "RECIPES", TINY)
    with pytest.raises(KeyError, match="no checkpoint 'elmo-fr'"):
        pretrain.pretrain("elmo-tiny", tmp_path / "run", minutes=1, start="elmo-fr")
    assert not (tmp_path / "run").exists()


def test_static_vectors_have_no_start(made, tmp_path, monkeypatch):
    monkeypatch.setattr(pretrain, "RECIPES", TINY)
    with pytest.raises(ValueError, match="always begin anew"):
        pretrain.pretrain("static-tiny", tmp_path, minutes=1, start=str(made))


@pytest.mark.parametrize("name", ["awdlstm-tiny", "gpt-tiny"])
def test_a_start_of_another_kind_is_refused(name, made, tmp_path, monkeypatch):
    gpt = Recipe("GPT", TINY["elmo-tiny"].corpora, 300, sys.maxsize)
    monkeypatch.setattr(pretrain, "RECIPES", TINY | {"gpt-tiny": gpt})
    with pytest.raises(ValueError, match="elmo-tiny is no (AWDLSTM|GPT)"):
        pretrain.pretrain(name, tmp_path, minutes=1, start=str(made))


def test_static_vectors_are_words_with_vectors(tmp_path, monkeypatch):
    monkeypatch.setattr(pretrain, "RECIPES", TINY)
    folder = pretrain.pretrain("static-tiny", tmp_path, minutes=5, epochs=1)
    vectors = checkpoints.load(folder)
    assert 100 < len(vectors) <= 300
    assert vectors.vector_size == 100
    assert UNK not in vectors
    assert "bank" in vectors
    assert np.isfinite(vectors["bank"]).all()
    assert "skip-gram" in (folder / "README.md").read_text(encoding="utf-8")


def test_less_than_an_epoch_of_static_vectors_is_one(tmp_path, monkeypatch):
    """gensim reads a text once, or twice …, and refuses to read it 0 times."""
    monkeypatch.setattr(pretrain, "RECIPES", TINY)
    folder = pretrain.pretrain("static-tiny", tmp_path, minutes=5, epochs=0.5)
    card = dict(ROW.findall((folder / "README.md").read_text(encoding="utf-8")))
    assert card["Tokens seen"].startswith("1 pass")


def test_the_card_names_the_device_that_was_used(tmp_path, monkeypatch):
    """COURSE_DEVICE leaves a GPU alone."""
    monkeypatch.setattr(pretrain, "RECIPES", TINY)
    monkeypatch.setenv("COURSE_DEVICE", "cpu")
    folder = pretrain.pretrain("static-tiny", tmp_path, minutes=5, epochs=1)
    card = dict(ROW.findall((folder / "README.md").read_text(encoding="utf-8")))
    assert card["Machine"].endswith(", CPU")


# -- an AWD-LSTM -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def made_awd(tmp_path_factory):
    """Pre-train a tiny backward AWD-LSTM, and return its folder."""
    out = tmp_path_factory.mktemp("pretrained-awd")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pretrain, "RECIPES", TINY)
        yield pretrain.pretrain("awdlstm-tiny", out, minutes=5, epochs=3)


@pytest.mark.no_gpu
def test_an_awd_lstm_is_loaded_with_its_words(made_awd):
    model, vocabulary = checkpoints.load(made_awd)
    assert not model.training
    assert vocabulary.words[:3] == [UNK, "<S>", "</S>"]
    assert len(vocabulary) == len(model.bias) == 300
    assert not any(word.lower() != word for word in vocabulary.words[3:])
    assert model(torch.tensor([vocabulary.encode(["the", "bank"])])).top.shape[2] == 8


def test_the_card_of_an_awd_lstm_has_the_perplexity_of_all_words(made_awd):
    """Sampled in training, never in what is reported; and in reading direction."""
    card = dict(ROW.findall((made_awd / "README.md").read_text(encoding="utf-8")))
    assert "reads backward" in card["Model"]
    assert "(3.0" in card["Tokens seen"] or "(2.9" in card["Tokens seen"]  # of 3 epochs
    model, vocabulary = checkpoints.load(made_awd)
    _, held_out = recipes.texts(TINY["awdlstm-tiny"], made_awd.parent / "text")
    unseen = Streams(held_out, vocabulary, 16, backward=True)
    loss = loop.evaluate(Remembering(model), unseen).item()
    said = float(re.match(r"([\d.]+);", card["Held-out perplexity"])[1])
    assert said == pytest.approx(math.exp(loss), rel=0.01)
    assert said < 300, "no better than guessing evenly"


def test_an_awd_lstm_goes_on_from_a_checkpoint(made_awd, tmp_path, monkeypatch):
    monkeypatch.setattr(pretrain, "RECIPES", TINY)
    again = pretrain.pretrain("awdlstm-tiny", tmp_path, 1e-6, start=str(made_awd))
    first, second = (
        dict(ROW.findall((folder / "README.md").read_text(encoding="utf-8")))
        for folder in (made_awd, again)
    )
    seen = [
        int(re.match(r"[\d,]+", card["Tokens seen"])[0].replace(",", ""))
        for card in (first, second)
    ]
    read = re.search(r"([\d,]+) of them in", second["Tokens seen"])[1]
    step = int(read.replace(",", ""))
    assert seen[1] == seen[0] + step
    assert 0 < step < seen[0] / 10


def test_an_awd_lstm_may_begin_from_one_of_another_text(
    made_awd, tmp_path, monkeypatch
):
    """ULMFiT's stage 2: words of both lists keep their vectors, new ones have the mean.

    The text is Chinese, so that most of its words are new.
    """
    changed = {"corpora": [("rivertown-zh", 24_000)], "start": str(made_awd)}
    recipe = dataclasses.replace(TINY["awdlstm-tiny"], **changed)
    training, _ = recipes.texts(recipe, tmp_path / "text")
    model, words = pretrain.new_awd_lstm(recipe, training, tmp_path)
    before, known = checkpoints.load(made_awd)
    for i, word in enumerate(words.words):
        old = before.embedding.weight
        vector = old[known.ids[word]] if word in known else old.mean(dim=0)
        assert torch.equal(model.embedding.weight[i], vector)
    assert 3 <= sum(word in known for word in words.words) < len(words)

    monkeypatch.setattr(pretrain, "RECIPES", {"stage-two-tiny": recipe})
    folder = pretrain.pretrain("stage-two-tiny", tmp_path, 1e-6)
    card = dict(ROW.findall((folder / "README.md").read_text(encoding="utf-8")))
    assert f"`{made_awd}`" in card["Start"]
