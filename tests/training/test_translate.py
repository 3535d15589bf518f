"""Seq2seq from end to end: what belongs to a task, what is kept, how it is scored."""

from __future__ import annotations

import pytest
import sacrebleu
import torch

from course_lib.models.seq2seq import EVERYTHING
from course_lib.training import translate
from course_lib.training.translate import SMALL, TranslatorSettings

TASKS = ("rivertown", "vowels")


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path_factory, request):
    """Models are kept from test to test, but not from machine to machine."""
    machine = request.node.callspec.params["machine"]
    folder = tmp_path_factory.getbasetemp() / "translate" / machine
    monkeypatch.setenv("COURSE_CACHE", str(folder))


# -- tasks -----------------------------------------------------------------------------


@pytest.mark.no_gpu
@pytest.mark.parametrize("name", TASKS)
def test_no_sentence_is_in_two_places(name):
    task = translate.prepare(name, SMALL)
    assert [len(task.pairs[s]) for s in ("train", "dev", "test")] == [100, 10, 20]
    in_pairs = [tuple(pair[1]) for of in task.pairs.values() for pair in of]
    assert len(set(in_pairs)) == len(in_pairs)
    for side in range(2):
        read, held = ({tuple(s) for s in of[side]} for of in (task.text, task.held_out))
        assert len(read) and len(held)
        if name == "rivertown" or side == 1:  # "ct" may be a cat or a cut
            assert not read & held
            assert not read & {tuple(p[side]) for p in task.pairs["test"]}


@pytest.mark.no_gpu
def test_rivertowns_texts_are_not_translations_of_each_other():
    task = translate.prepare("rivertown", SMALL)
    [english, chinese] = task.text
    names = {"Maria": "玛丽亚", "Clara": "克拉拉", "Oscar": "奥斯卡", "Leo": "利奥"}
    together = [
        (en in a, zh in b)
        for a, b in zip(english, chinese, strict=True)
        for en, zh in names.items()
        if en in a or zh in b
    ]
    assert together and sum(a and b for a, b in together) < 0.2 * len(together)


@pytest.mark.no_gpu
def test_vowels_are_left_out_and_nothing_else():
    left = translate.without_vowels(
        ["a", "cat", "sat", ";", "i", "see", "u.s.", "aims", "."]
    )
    assert left == ["∅", "ct", "st", ";", "∅", "s", ".s.", "ms", "."]
    for source, target in translate.prepare("vowels", SMALL).pairs["train"]:
        assert len(source) == len(target)


@pytest.mark.no_gpu
def test_every_word_of_the_training_pairs_has_a_number():
    for name in TASKS:
        task = translate.prepare(name, SMALL)
        for pair in task.pairs["train"]:
            for sentence, vocabulary in zip(pair, task.vocabularies, strict=True):
                assert all(word in vocabulary for word in sentence)


@pytest.mark.no_gpu
def test_a_task_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="there are rivertown, vowels"):
        translate.prepare("pinyin")


# -- the stages ------------------------------------------------------------------------


def test_language_models_are_trained_once_and_kept(monkeypatch):
    task = translate.prepare("rivertown", SMALL)
    first = translate.language_models(task, SMALL)
    monkeypatch.setattr(translate, "train", lambda *_, **__: pytest.fail("again"))
    second = translate.language_models(task, SMALL)
    for a, b in zip(first, second, strict=True):
        for name, tensor in a.state_dict().items():
            assert tensor.equal(b.state_dict()[name])
    text, words = task.held_out[1], task.vocabularies[1]
    assert translate.perplexity(first[1], text, words) < len(words) / 2


def test_a_language_model_that_was_interrupted_is_trained_anew(
    ctrl_c_in_step_3, tmp_path, monkeypatch
):
    monkeypatch.setenv("COURSE_CACHE", str(tmp_path / "one"))
    task = translate.prepare("rivertown", SMALL)
    with ctrl_c_in_step_3():
        translate.language_models(task, SMALL)
    again = translate.language_models(task, SMALL)
    monkeypatch.setenv("COURSE_CACHE", str(tmp_path / "other"))
    undisturbed = translate.language_models(task, SMALL)
    for one, other in zip(again, undisturbed, strict=True):
        for a, b in zip(one.parameters(), other.parameters(), strict=True):
            torch.testing.assert_close(a, b)


def test_a_seed_gives_the_same_random_parts_whatever_is_copied():
    task = translate.prepare("rivertown", SMALL)
    models = translate.language_models(task, SMALL)
    full, none = (
        dict(
            translate.begin(
                task, TranslatorSettings(parts=p), models, 3
            ).named_parameters()
        )
        for p in (EVERYTHING, ())
    )
    for name, tensor in full.items():
        assert tensor.equal(none[name]) == (not name.startswith(("source.", "target.")))


def test_fine_tuning_learns_its_pairs():
    task = translate.prepare("rivertown", SMALL)
    models = translate.language_models(task, SMALL)
    way = TranslatorSettings(steps=40)
    model = translate.begin(task, way, models, seed=1)
    run = translate.fine_tune(model, task, 20, 1, way)
    assert run.step == 40
    assert run.losses[-1][1] < run.losses[0][1] - 2


# -- scores ----------------------------------------------------------------------------

RIGHT = [
    ["苹果", "在", "桌子", "上", "。"],
    ["她", "打", "了", "电话", "。"],
    ["他", "打", "了", "球", "。"],
]
FOUND = [["苹果", "在", "椅子", "上", "。"], ["她", "打", "电话", "了", "。"], RIGHT[2]]


@pytest.mark.no_gpu
def test_bleu_is_sacrebleus():
    texts = ["".join(s) for s in FOUND], ["".join(s) for s in RIGHT]
    expected = sacrebleu.corpus_bleu(texts[0], [texts[1]], tokenize="zh").score
    assert translate.bleu(FOUND, RIGHT, characters=True) == expected
    assert translate.bleu(RIGHT, RIGHT, characters=False) == pytest.approx(100)


@pytest.mark.no_gpu
def test_characters_or_words_give_another_bleu():
    by_word = translate.bleu(FOUND, RIGHT, characters=False)
    assert by_word != pytest.approx(translate.bleu(FOUND, RIGHT, characters=True))
    # Characters do not depend on where somebody has cut the words.
    joined = [["".join(s)] for s in RIGHT]
    assert translate.bleu(joined, RIGHT, characters=True) == pytest.approx(100)
    assert translate.bleu(joined, RIGHT, characters=False) < 1


@pytest.mark.no_gpu
def test_token_accuracy_counts_places():
    assert translate.token_accuracy(RIGHT, RIGHT) == 1
    assert translate.token_accuracy([list("abcd")], [list("abxd")]) == 3 / 4
    assert translate.token_accuracy([list("ab")], [list("abcd")]) == 2 / 4
    assert translate.token_accuracy([list("abcd")], [list("ab")]) == 2 / 4
    assert translate.token_accuracy([[]], [list("ab")]) == 0


def test_translations_come_in_the_order_of_their_sources():
    task = translate.prepare("rivertown", SMALL)
    models = translate.language_models(task, SMALL)
    model = translate.begin(task, TranslatorSettings(parts=()), models, seed=1)
    with torch.no_grad():
        for p in model.parameters():
            p.mul_(4)  # so that it says something else to each source
    sources = [pair[0] for pair in task.pairs["test"]]
    together = translate.translate(model, task, sources)
    alone = [translate.translate(model, task, [s])[0] for s in sources[:5]]
    assert together[:5] == alone
    assert len({tuple(s) for s in alone}) > 1
    scores = translate.score(model, task)
    assert set(scores) == {"BLEU", "accuracy"} and 0 <= scores["BLEU"] <= 100
    assert not model.training


@pytest.mark.no_gpu
def test_without_a_network_a_pair_that_was_seen_is_right():
    for name in TASKS:
        task = translate.prepare(name, SMALL)
        scores = translate.compared(
            translate.without_network(task, task.pairs["test"]), task
        )
        few = translate.compared(
            translate.without_network(task, translate.drawn(task, 50, 1)), task
        )
        assert scores["accuracy"] > 80 > few["accuracy"]
        assert len({tuple(p[1]) for p in translate.drawn(task, 50, 1)}) == 50


@pytest.mark.no_gpu
def test_nothing_is_said_on_stderr(capfd):
    # sacrebleu speaks up when a hundred lines end in a full stop of their own.
    translate.bleu([["a", "b", "c", "d", "."]] * 120, [["a", "b", "."]] * 120, False)
    assert capfd.readouterr().err == ""


def test_without_a_word_there_is_no_accuracy():
    with pytest.raises(ValueError, match="no word to compare"):
        translate.token_accuracy([[]], [[]])
