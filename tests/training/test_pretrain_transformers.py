"""Pre-training a GPT and a BERT: their cards tell what their weights do."""

from __future__ import annotations

import math
import re
import shutil
import sys

import pytest
import torch

from course_lib import checkpoints
from course_lib.models.bert import BERT, BERTConfig, MaskedPairs
from course_lib.models.gpt import GPT, GPTConfig, generate
from course_lib.text.pieces import START, Pieces, PieceText, Windows
from course_lib.training import loop, parallel, progress
from course_pretraining import pretrain, recipes
from course_pretraining.recipes import RECIPES, Recipe

TEXT = [("rivertown-en", 24_000)]
SIZES = {"layers": 1, "dimension": 16, "heads": 2, "context": 32}
TINY = {
    "gpt-tiny": Recipe(
        "GPT", TEXT, 300, sys.maxsize, 16, GPTConfig(**SIZES, samples=60)
    ),
    "bert-tiny": Recipe("BERT", TEXT, 300, sys.maxsize, 16, BERTConfig(**SIZES)),
}
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Pre-train a tiny GPT and a tiny BERT; return their folders."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pretrain, "RECIPES", TINY)
        patch.setattr(pretrain, "bf16_pays", lambda: False)
        yield {
            name: pretrain.pretrain(name, tmp_path_factory.mktemp(name), 5, epochs=1)
            for name in TINY
        }


def card(folder) -> dict[str, str]:
    return dict(ROW.findall((folder / "README.md").read_text(encoding="utf-8")))


def numbers(text: str) -> list[float]:
    return [float(x.replace(",", "")) for x in re.findall(r"\d[\d,]*\.?\d*", text)]


@pytest.mark.no_gpu
@pytest.mark.parametrize(("name", "kind"), [("gpt-tiny", GPT), ("bert-tiny", BERT)])
def test_the_checkpoint_is_a_model_and_its_pieces(made, name, kind):
    model, pieces = checkpoints.load(made[name])
    assert isinstance(model, kind)
    assert not model.training
    assert model.config == TINY[name].config
    h = model(torch.tensor([pieces.encode(["the", "bank", "closed"])]))
    assert h.isfinite().all()
    assert len(pieces) == 300


@pytest.mark.no_gpu
@pytest.mark.parametrize("name", TINY)
def test_saving_what_was_loaded_changes_no_byte(made, name, tmp_path):
    in_8_bits = name == "gpt-tiny"
    checkpoints.save(*checkpoints.load(made[name]), tmp_path, in_8_bits=in_8_bits)
    for file in ("model.safetensors", "vocabulary.txt", "config.json"):
        assert (tmp_path / file).read_bytes() == (made[name] / file).read_bytes()


def test_the_card_of_a_gpt_has_the_perplexity_of_pieces_and_of_words(made):
    """Bits are the same, however a text is cut: pieces and words share them out."""
    folder = made["gpt-tiny"]
    model, pieces = checkpoints.load(folder)
    _, held_out = recipes.texts(TINY["gpt-tiny"], folder.parent / "text")
    unseen = PieceText.of(held_out, pieces)
    loss = loop.evaluate(model, Windows(unseen, 32, 16, overlap=16)).item()
    a_piece, a_word, ratio = numbers(card(folder)["Held-out perplexity"])[:3]
    assert a_piece == pytest.approx(math.exp(loss), rel=0.01)
    assert math.log(a_word) == pytest.approx(ratio * math.log(a_piece), rel=0.01)
    words = held_out.n_tokens + (held_out.ids == 1).sum() + len(held_out.starts)
    assert ratio == pytest.approx((len(unseen.marked()[0]) - 1) / words, abs=0.001)
    assert a_piece < 300, "no better than guessing evenly"


@pytest.mark.no_gpu
def test_the_card_of_a_gpt_says_what_it_read(made):
    found = card(made["gpt-tiny"])
    assert {"Text", "Model", "Tokens seen", "Training time", "Seed"} <= set(found)
    assert "In small letters; whole documents" in found["Text"]
    assert "(1.00 epochs)" in found["Tokens seen"]
    assert "1 layers of 16, 2 heads, context 32, 300 pieces" in found["Model"]


def test_the_card_of_a_bert_has_both_losses(made):
    folder = made["bert-tiny"]
    model, pieces = checkpoints.load(folder)
    training, held_out = recipes.texts(TINY["bert-tiny"], folder.parent / "text")
    unseen = MaskedPairs(PieceText.of(held_out, pieces), len(pieces), 32, 16)
    masked, follows = loop.evaluate(model, unseen).tolist()
    found = card(folder)
    said = numbers(found["Held-out perplexity"])
    assert said[0] == pytest.approx(math.exp(masked), rel=0.01)
    assert said[1] == pytest.approx(follows, abs=0.01)
    pairs = MaskedPairs(PieceText.of(training, pieces), len(pieces), 32, 16)
    read, epochs, _, _, _, predicted = numbers(found["Tokens seen"])
    assert read == pairs.n_read
    assert epochs == 1.0
    assert predicted / read == pytest.approx(0.15, abs=0.03)  # marks are never masked


@pytest.mark.parametrize("name", TINY)
def test_run_again_it_goes_on_where_it_was(made, name, monkeypatch):
    """Here that is the end, so the second run takes no step and writes the same."""
    monkeypatch.setattr(pretrain, "RECIPES", TINY)
    before = (made[name] / "model.safetensors").read_bytes()
    pretrain.pretrain(name, made[name].parent, 5, epochs=1)
    assert (made[name] / "model.safetensors").read_bytes() == before


class Stopped(Exception):
    pass


@pytest.mark.parametrize("name", TINY)
def test_a_killed_run_goes_on_as_if_nothing_had_happened(
    made, name, tmp_path, monkeypatch
):
    """The same steps, the same masks, the same samples of the softmax."""
    monkeypatch.setattr(pretrain, "RECIPES", TINY)
    monkeypatch.setattr(pretrain, "bf16_pays", lambda: False)
    monkeypatch.setattr(progress, "SAVE_EVERY", 0.0)  # after every step
    kind = {"gpt-tiny": Windows, "bert-tiny": MaskedPairs}[name]
    at, steps = kind.at, []

    def stop_at_ten(self, step, *place):
        steps.append(step)
        if len(steps) == 10:
            raise Stopped
        return at(self, step, *place)

    monkeypatch.setattr(kind, "at", stop_at_ten)
    with pytest.raises(Stopped):
        pretrain.pretrain(name, tmp_path, 1e9, epochs=1)
    pretrain.pretrain(name, tmp_path, 1e9, epochs=1)
    assert steps[9] == steps[10] == 9
    whole, _ = checkpoints.load(made[name])
    again, _ = checkpoints.load(tmp_path / name)
    for one, other in zip(whole.parameters(), again.parameters(), strict=True):
        torch.testing.assert_close(one, other, atol=2e-3, rtol=0)


@pytest.mark.parametrize("name", TINY)
def test_a_second_stretch_begins_where_the_first_ended(
    made, name, tmp_path, monkeypatch
):
    monkeypatch.setattr(pretrain, "RECIPES", TINY)
    start = str(made[name])
    again = card(pretrain.pretrain(name, tmp_path, 1e-6, start=start))
    first = card(made[name])
    seen = [numbers(c["Tokens seen"])[0] for c in (first, again)]
    assert seen[0] < seen[1] < 1.1 * seen[0]
    one, other = (numbers(c["Held-out perplexity"])[0] for c in (first, again))
    assert other == pytest.approx(one, rel=0.03)


def test_of_several_processes_only_the_first_looks_for_pieces(
    made, tmp_path, monkeypatch
):
    """The others wait until it has saved them."""
    saved = made["gpt-tiny"].parent / "pieces.txt"
    monkeypatch.setattr(parallel, "place", lambda: (1, 2))
    monkeypatch.setattr(
        parallel.distributed, "barrier", lambda: shutil.copy(saved, tmp_path)
    )
    monkeypatch.setattr(Pieces, "from_text", lambda *_: pytest.fail("looks as well"))
    model, pieces = pretrain.new_transformer(TINY["gpt-tiny"], None, tmp_path)
    assert len(model.bias) == len(pieces) == 300


def test_pieces_are_saved_whole_or_not_at_all(made, tmp_path, full_disk):
    training, _ = recipes.texts(TINY["gpt-tiny"], made["gpt-tiny"].parent / "text")

    with full_disk(100), pytest.raises(OSError, match=r"No space .* pieces\.txt"):
        pretrain.new_transformer(TINY["gpt-tiny"], training, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.no_gpu
def test_a_gpt_writes_words(made):
    model, pieces = checkpoints.load(made["gpt-tiny"])
    torch.manual_seed(0)
    words = pieces.decode(generate(model, [START], 20))
    assert len(words) > 5
    assert all(isinstance(word, str) for word in words)


@pytest.mark.no_gpu
def test_the_recipes_of_the_course_fit_their_budget():
    """10 MB each, in half precision; the same text and the same pieces for both."""
    for language in ("en", "zh"):
        gpt, bert = (RECIPES[f"{kind}-{language}"] for kind in ("gpt", "bert"))
        assert gpt.corpora == bert.corpora
        assert gpt.vocabulary == bert.vocabulary
        for kind, recipe in ((GPT, gpt), (BERT, bert)):
            model = kind(recipe.config, recipe.vocabulary)
            assert sum(2 * p.numel() for p in model.parameters()) <= 10e6
