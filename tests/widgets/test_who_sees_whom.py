"""WhoSeesWhom: who has read what in a stack, and what models say in the gap."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
import torch

import course_lib
from course_lib.models.bert import BERT, BERTConfig
from course_lib.models.bilm import BiLM, BiLMConfig, Encoder, ProjectedLSTM
from course_lib.models.transformer import Transformer
from course_lib.text.pieces import MARKS, Pieces
from course_lib.text.vocabulary import UNK, Vocabulary
from course_lib.widgets.who_sees_whom import (
    WAYS,
    by_bert,
    by_bilm,
    digits,
    predictors,
    reads,
    who_sees_whom,
)

WORDS = {
    "en": ["they", "sat", "on", "the", "bank", "of", "the", "river"],
    "zh": ["她", "在", "树", "下", "吃", "苹果"],
}
SLOTS = {"en": 4, "zh": 5}


def pieces() -> Pieces:
    """Make pieces in which "苹果" and "river" are spelled in two."""
    whole = {*WORDS["en"], *WORDS["zh"]} - {"river", "苹果"}
    return Pieces([*MARKS, *sorted(whole), "riv", "##er", "苹", "##果"])


def bert() -> tuple[BERT, Pieces]:
    torch.manual_seed(0)
    known = pieces()
    return BERT(BERTConfig(2, 16, 2, context=16), len(known)).eval(), known


def bilm() -> Encoder:
    torch.manual_seed(0)
    words = [UNK, *sorted({*WORDS["en"], *WORDS["zh"]} - {"river"})]
    config = BiLMConfig(cells=8, projection=8, filters=[[1, 8]], cutoffs=[5])
    return Encoder(BiLM(config, len(words)), Vocabulary(words))


def make(language: str = "en", models: bool = True):
    own = (WORDS[language], SLOTS[language])
    if not models:
        return who_sees_whom([own, (["a", "b"], 0)], language=language)
    return who_sees_whom([own], by_bert(*bert()), by_bilm(bilm()), language)


def html_of(widget) -> str:
    return widget._repr_mimebundle_()[0]["text/html"]


# -- who has read what -----------------------------------------------------------------


def gradients(read, T: int = 6, D: int = 8) -> np.ndarray:
    """Find out which state depends on which input. Shape: (T, T) bool."""
    x = torch.randn(1, T, D, requires_grad=True)
    found = []
    for state in read(x)[0]:
        [g] = torch.autograd.grad(state @ torch.randn(len(state)), x, retain_graph=True)
        found.append(g[0].norm(dim=1) > 0)
    return torch.stack(found).numpy()


def test_the_squares_are_those_of_real_stacks():
    torch.manual_seed(0)
    lstm = ProjectedLSTM(8, 8, 8, 3.0)
    for way, read in {
        "left": lambda x: Transformer(2, 8, 2, causal=True).eval()(x)[0],
        "open": lambda x: Transformer(2, 8, 2, causal=False).eval()(x)[0],
        "right": lambda x: lstm(x.flip(1)).flip(1),
    }.items():
        assert np.array_equal(gradients(read), reads(way, 6)), way


@pytest.mark.parametrize("slot", range(6))
def test_only_an_open_stack_has_read_the_answer(slot):
    """The left end of the sentence is 0, so that the answer is at slot + 1."""
    answer, size = slot + 1, 8
    for way in WAYS:
        used = predictors(way, slot)
        read = np.any([reads(side, size)[row] for side, row in used.items()], axis=0)
        if way == "masked":  # its own column holds [MASK], not the answer
            read[answer] = False
        assert read[answer] == (way == "open")
        others = [j for j in range(size) if j != answer]
        assert read[others].all() == (way != "left")
    assert reads("left", size)[predictors("left", slot)["left"]].sum() == slot + 1


# -- what the models say ---------------------------------------------------------------


def test_a_bert_is_asked_with_the_word_hidden():
    """Whatever the word was, the guesses are the same."""
    ask = by_bert(*bert())
    words = WORDS["en"]
    other = [*words[:4], "of", *words[5:]]
    first, second = ask(words)[4], ask(other)[4]
    assert first["words"] == second["words"]
    assert first["p"] != second["p"]
    assert not {w for w, _ in first["words"]} & set(MARKS)


def test_the_guesses_of_a_bert_are_its_softmax_without_marks():
    model, known = bert()
    found = by_bert(model, known)(WORDS["en"])[4]
    row = [known.ids[w] for w in WORDS["en"][:-1]] + known.encode(["river"])
    row[4] = MARKS.index("[MASK]")
    full = [MARKS.index("[CLS]"), *row, MARKS.index("[SEP]")]
    logits = model.logits(model(torch.tensor([full])))[0, 5].detach().double()
    logits[: len(MARKS)] = -torch.inf
    p = logits.softmax(dim=0).numpy()
    assert found["p"] == pytest.approx(p[known.ids["bank"]], rel=1e-3)
    assert found["rank"] == 1 + (p > p[known.ids["bank"]]).sum()
    best = sorted(range(len(p)), key=lambda i: -p[i])[:5]
    assert [w for w, _ in found["words"]] == [known.words[i] for i in best]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_word_of_two_pieces_is_guessed_piece_by_piece(language):
    model, known = bert()
    found = by_bert(model, known)(WORDS[language])[-1]
    chances = [p for _, p in found["words"]]
    assert len(chances) == 5 and chances == sorted(chances, reverse=True)
    assert found["rank"] is None and 0 < found["p"] < 1


def test_a_word_with_an_unknown_letter_has_no_probability():
    found = by_bert(*bert())(["they", "ŋ"])[1]
    assert found["p"] is None and found["rank"] is None


def test_the_halves_of_a_bilm_do_not_see_the_word_and_their_product_adds_up():
    encoder, words = bilm(), WORDS["en"]
    ask = by_bilm(encoder)
    first, second = ask(words), ask([*words[:4], "they", *words[5:]])
    for kind in ("forward", "backward", "product"):
        assert first[kind][4]["words"] == second[kind][4]["words"], kind
        assert len(first[kind]) == len(words)
    assert first["forward"][7]["p"] is None, "river is not in the list"
    V = len(encoder.vocabulary)
    p = {k: np.zeros(V) for k in first}
    own = encoder.vocabulary.ids
    for kind in first:
        for word in own:
            swapped = ask([*words[:4], word, *words[5:]])[kind][4]
            p[kind][own[word]] = swapped["p"]
    assert [x.sum() for x in p.values()] == pytest.approx([1] * 3, abs=1e-3)
    both = p["forward"] * p["backward"]
    np.testing.assert_allclose(p["product"], both / both.sum(), rtol=5e-3)


# -- the widget ------------------------------------------------------------------------


def test_it_opens_at_the_first_sentence_and_its_word():
    for language in ("en", "zh"):
        widget = make(language)
        assert widget.slot == SLOTS[language] and widget.way == "left"
        found = widget.data["sentences"][0]
        assert found["language"] == language
        assert set(found["guesses"]) == {"forward", "backward", "product", "masked"}
        assert all(len(of) == len(found["words"]) for of in found["guesses"].values())


def test_without_models_the_squares_remain():
    widget = make(models=False)
    assert [s["guesses"] for s in widget.data["sentences"]] == [{}, {}]
    assert "svg" in html_of(widget)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_words_of_the_picture_say_the_numbers(language):
    alt = re.search(r'<img alt="([^"]+)"', html_of(make(language)))[1]
    assert WORDS[language][SLOTS[language]] in alt
    assert str(SLOTS[language]) in alt and str(len(WORDS[language]) - 1) in alt


def test_a_slot_beyond_a_shorter_sentence_is_its_last():
    shown = make(models=False)
    shown.sentence = 1  # "a b", while the slot is 4
    picture, _, state = html_of(shown).partition("<script")
    assert "“b”" in picture and '"slot":1' in state


def test_what_does_not_fit_is_named():
    for sentences, language, message in (
        ([(["a"], 0)], "fr", "'fr'.*'en' and 'zh'"),
        ([("a b", 0)], "en", "a list of words"),
        ([(["a"], 1)], "en", r"\['a'\] and 1"),
        ([], "en", "at least one sentence"),
    ):
        with pytest.raises(ValueError, match=message):
            who_sees_whom(sentences, language=language)


def test_probabilities_keep_four_digits():
    assert digits(0.123456) == 0.1235
    assert digits(1.23456e-7) == 1.235e-7


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_courses_own_models_fit_below_300_kb(language):
    halves = by_bilm(course_lib.load(f"elmo-{language}"))
    masked = by_bert(*course_lib.load("bert-en")) if language == "en" else None
    words = (WORDS[language], SLOTS[language])
    widget = who_sees_whom([words] * 3, masked, halves, language)
    assert len(json.dumps(widget.data, ensure_ascii=False).encode()) < 100_000
    assert len(html_of(widget).encode()) < 300_000
    best = max(
        p for _, p in widget.data["sentences"][0]["guesses"]["product"][4]["words"]
    )
    assert 0 < best <= 1
