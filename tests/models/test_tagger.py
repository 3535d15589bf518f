"""The tagger: what each place of the features lets them reach; batches; training."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_lib.analysis.influence import influence
from course_lib.analysis.tagging import span_f1
from course_lib.models import tagger as tg
from course_lib.models.tagger import PLACES, BiLSTM, TaggedSentences, Tagger, fit
from course_lib.text.examples import Tagged
from course_lib.text.vocabulary import Vocabulary

TAGS = ["O", "B-NP", "I-NP", "B-VP"]
WORDS = Vocabulary(["<unk>", "the", "old", "bank", "closed", "they", "banks"])
SHORT, LONG = (
    ["they", "closed"],
    ["the", "old", "bank", "closed", "the", "old", "banks"],
)
F = 5


def a_tagger(place: str = "after first", n_features: int = F) -> Tagger:
    torch.manual_seed(0)
    C = torch.randn(len(WORDS), 8)
    return Tagger(WORDS, C, TAGS, n_features, place, hidden=6).eval()


def some_features(*sentences) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.normal(size=(len(s), F)).astype(np.float16) for s in sentences]


def score(tagger: Tagger, sentences, features) -> torch.Tensor:
    return tagger(sentences, tg.stack(features, sentences))[0].detach()


# -- where the features go -------------------------------------------------------------


def reach(place: str) -> torch.Tensor:
    """Return how strongly scores depend on features elsewhere. Shape: (T, T)."""
    tagger = a_tagger(place)
    (features,) = some_features(LONG)
    x = torch.from_numpy(features).float()[None]  # (1, T, F)
    return influence(lambda x: tagger([LONG], x)[0], x)


@pytest.mark.parametrize("place", ["input", "after first"])
def test_below_an_lstm_features_reach_every_position(place):
    assert (reach(place) > 0).all()


@pytest.mark.parametrize("place", ["after second", "alone"])
def test_above_both_lstms_features_reach_their_own_position_only(place):
    assert torch.equal(reach(place) > 0, torch.eye(len(LONG), dtype=torch.bool))


@pytest.mark.parametrize("place", PLACES[:3])
def test_only_the_layer_above_the_place_is_wider(place):
    with_them, without = a_tagger(place), a_tagger(place, n_features=0)
    grown = {
        name
        for name, p in with_them.named_parameters()
        if p.shape != dict(without.named_parameters())[name].shape
    }
    above = {
        "input": {"first.right.weight_ih_l0", "first.left.weight_ih_l0"},
        "after first": {"second.right.weight_ih_l0", "second.left.weight_ih_l0"},
        "after second": {"dense.weight"},
    }
    assert grown == above[place]


def test_alone_the_features_decide_and_the_words_do_not():
    features = some_features(LONG)
    other = ["they"] * len(LONG)
    tagger = a_tagger("alone")
    assert torch.equal(*(score(tagger, [s], features) for s in (LONG, other)))


def test_a_tagger_without_features_reads_the_words():
    tagger = a_tagger(n_features=0)
    a, b = (score(tagger, [[w, "bank"]], None) for w in ("the", "they"))
    assert not torch.allclose(a, b)


def test_a_place_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="after second"):
        a_tagger("on top")
    with pytest.raises(ValueError, match="nothing to tag from"):
        a_tagger("alone", n_features=0)


def test_features_are_asked_for_when_the_tagger_was_built_for_them():
    with pytest.raises(ValueError, match="features"):
        a_tagger()([LONG])
    with pytest.raises(ValueError, match="features"):
        a_tagger(n_features=0)([LONG], tg.stack(some_features(LONG), [LONG]))


# -- words and batches -----------------------------------------------------------------


def test_features_of_other_sentences_are_refused():
    with pytest.raises(ValueError, match=r"\[4, 1\] words with features for \[1, 4\]"):
        tg.stack([np.zeros((1, F)), np.zeros((4, F))], [["a"] * 4, ["a"]])


def test_an_unknown_word_is_told_from_another_by_its_characters():
    tagger = a_tagger(n_features=0)
    a, b = (score(tagger, [[w]], None) for w in ("Rockwell", "signed"))
    assert not torch.allclose(a, b)


@pytest.mark.parametrize("place", PLACES)
def test_a_sentence_has_the_same_scores_in_any_batch(place):
    tagger, features = a_tagger(place), some_features(SHORT, LONG)
    together = score(tagger, [SHORT, LONG], features)
    for i, s in enumerate((SHORT, LONG)):
        alone = score(tagger, [s], features[i : i + 1])[0]
        assert torch.allclose(together[i, : len(s)], alone, atol=1e-6)


def test_each_half_of_a_bilstm_reads_in_its_own_direction():
    torch.manual_seed(0)
    lstm, x = BiLSTM(3, 4), torch.randn(1, 5, 3)
    for half, part in ((slice(0, 4), torch.tril), (slice(4, 8), torch.triu)):
        seen = influence(lambda x, half=half: lstm(x, torch.tensor([5]))[:, :, half], x)
        assert torch.equal(seen > 0, part(torch.ones(5, 5)) > 0)


def test_tags_come_in_the_order_of_the_sentences():
    sentences = [LONG, SHORT, LONG[:3], SHORT]
    data = TaggedSentences([Tagged(s, ["O"] * len(s)) for s in sentences])
    found = a_tagger(n_features=0).tag(data)
    assert [len(tags) for tags in found] == [len(s) for s in sentences]
    assert found[1] == found[3]


# -- training --------------------------------------------------------------------------


def test_training_drops_something_out():
    tagger = a_tagger(n_features=0).train()
    assert not torch.equal(score(tagger, [LONG], None), score(tagger, [LONG], None))


def test_a_seed_makes_the_order_of_the_batches():
    data = TaggedSentences(
        [Tagged([f"w{i}"], ["O"]) for i in range(100)]
    )  # four batches

    def read(seed: int) -> list[list[str]]:
        batches = tg.shuffled(data, seed)
        return [[x.tokens[0] for x in next(batches).examples] for _ in range(8)]

    assert read(3) == read(3) != read(4)
    once = [word for batch in read(3)[:4] for word in batch]
    assert sorted(once) == sorted(x.tokens[0] for x in data.examples)


def a_task() -> TaggedSentences:
    noun = Tagged(LONG, ["B-NP", "I-NP", "I-NP", "B-VP", "B-NP", "I-NP", "I-NP"])
    return TaggedSentences([noun, Tagged(SHORT, ["B-NP", "B-VP"])])


@pytest.fixture
def large_steps(monkeypatch):
    monkeypatch.setattr(tg, "RATE", 3e-2)


def test_it_learns_two_sentences_by_heart(large_steps):
    tagger = a_tagger(n_features=0)
    scores = fit(tagger, a_task(), a_task(), 0, span_f1, 60)
    assert max(scores) == 1 and len(scores) == 6


def test_it_learns_from_features_alone_what_they_say(large_steps):
    task = a_task()
    hot = np.tile(5 * np.eye(len(TAGS)), 4)  # four times, because dropout hides some
    rows = [[TAGS.index(tag) for tag in x.tags] for x in task.examples]
    task = task._replace(features=[hot[row] for row in rows])
    tagger = a_tagger("alone", n_features=hot.shape[1])
    fit(tagger, task, task, 0, span_f1, 60)
    assert tagger.tag(task) == [x.tags for x in task.examples]


def test_the_scores_of_pairs_of_tags_learn_ten_times_as_fast(steps_of_optimisers):
    tagger = a_tagger(n_features=0)
    fit(tagger, a_task(), a_task(), 0, span_f1, 6)
    others, crf = steps_of_optimisers[:2]
    assert crf["lr"] == pytest.approx(10 * others["lr"])
    ours = {id(p) for p in tagger.crf.parameters()}
    assert {id(p) for p in crf["params"]} == ours


def test_the_best_parameters_on_dev_are_kept(large_steps):
    told = iter([0.1, 0.5, 0.3, 0.5, 0.2, 0.4])
    seen = []

    def measure(gold, guessed) -> float:
        seen.append({k: v.clone() for k, v in tagger.state_dict().items()})
        return next(told)

    tagger = a_tagger(n_features=0)
    fit(tagger, a_task(), a_task(), 0, measure, 60)
    kept = tagger.state_dict()
    assert all(torch.equal(kept[name], seen[1][name]) for name in kept)


def test_the_same_seed_gives_the_same_tagger(large_steps):
    found = []
    for _ in range(2):
        tagger = a_tagger(n_features=0)
        torch.manual_seed(3)
        fit(tagger, a_task(), a_task(), 3, span_f1, 60)
        found.append(score(tagger, [LONG], None))
    assert torch.equal(*found)


def test_a_tag_that_training_lacks_is_no_error_on_dev(large_steps):
    dev = TaggedSentences([Tagged(["they"], ["B-XX"])])
    scores = fit(a_tagger(n_features=0), a_task(), dev, 0, span_f1, 60)
    assert scores == [0.0] * 6


def test_a_sentence_without_a_tag_for_each_token_is_refused():
    """Padding would pass for the tag that is missing."""
    sentences = [Tagged(["the", "bank"], ["B-NP"]), Tagged(["they"], ["B-NP"])]
    with pytest.raises(ValueError, match="sentence 0 has 2 tokens and 1 tags"):
        a_tagger(n_features=0).loss(TaggedSentences(sentences))


@pytest.mark.parametrize(
    ("examples", "steps"), [([], 60), ([Tagged(["the"], ["O"])], 0)]
)
def test_nothing_to_learn_from_is_no_endless_search(examples, steps):
    data = TaggedSentences(examples)
    with pytest.raises(ValueError, match="a sentence to learn from"):
        fit(a_tagger(n_features=0), data, data, 0, span_f1, steps)
