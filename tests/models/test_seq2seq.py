"""Seq2seq: what attention sees, what is copied, and that the language model is kept."""

from __future__ import annotations

import pytest
import torch

from course_claims.experiments.seq2seq import LastState
from course_lib.models.seq2seq import (
    EVERYTHING,
    LanguageModel,
    Seq2Seq,
    attend,
    greedy,
    initialise,
    nats,
)
from course_lib.text.documents import PAD
from course_lib.text.pairs import PairBatch

V, W, D = 20, 25, 12  # source words, target words, width
BEGIN, END = 1, 2


def model(seed: int = 0, **options) -> Seq2Seq:
    torch.manual_seed(seed)
    return Seq2Seq(V, W, D, **options).eval()


def sentences(n_words: int, lengths: list[int]) -> torch.Tensor:
    """Rows of random words after the begin mark, PAD behind."""
    generator = torch.Generator().manual_seed(3)
    rows = torch.randint(3, n_words, (len(lengths), max(lengths)), generator=generator)
    rows[:, 0] = BEGIN
    behind = torch.arange(max(lengths)) >= torch.tensor(lengths)[:, None]
    return rows.masked_fill(behind, PAD)


SOURCE = sentences(V, [6, 3, 8])
TARGET = sentences(W, [4, 7, 5])


# -- attention -------------------------------------------------------------------------


@torch.no_grad()
def test_attention_weights_add_up_to_one_and_padding_has_none():
    weights = model()(PairBatch(SOURCE, TARGET)).weights  # (B, T, S)
    assert weights.shape == (3, 7, 8)
    torch.testing.assert_close(weights.sum(dim=2), torch.ones(3, 7))
    padding = (SOURCE < 0)[:, None].expand_as(weights)
    assert weights[padding].eq(0).all() and weights[~padding].gt(0).all()


@torch.no_grad()
def test_the_decoders_upper_lstm_decides_where_to_look():
    found = model()
    for parameter in found.decoder_top.parameters():
        parameter.zero_()
    weights = found(PairBatch(SOURCE, TARGET)).weights  # (B, T, S)
    there = (SOURCE >= 0).float()
    alike = (there / there.sum(dim=1, keepdim=True))[:, None].expand_as(weights)
    torch.testing.assert_close(weights, alike)


def test_both_layers_are_averaged_with_the_weights_of_the_last_one():
    q, first, top = torch.randn(1, 2, D), torch.randn(1, 5, D), torch.randn(1, 5, D)
    here = torch.ones(1, 5, dtype=torch.bool)
    context, weights = attend(q, [first, top], here)
    alpha = (q[0] @ top[0].T).softmax(dim=1)  # (2, 5)
    torch.testing.assert_close(weights[0], alpha)
    by_hand = torch.cat([alpha @ first[0], alpha @ top[0]], dim=1)
    torch.testing.assert_close(context[0], by_hand)
    # Another first layer changes what is seen, but not where one looks.
    assert attend(q, [first + 1, top], here)[1].equal(weights)


def test_a_query_along_one_key_looks_only_there():
    keys = torch.eye(5)[None] * 50  # (1, 5, 5)
    context, _ = attend(keys[:, 3:4], [keys], torch.ones(1, 5, dtype=torch.bool))
    torch.testing.assert_close(context[0, 0], keys[0, 3])


@torch.no_grad()
def test_a_batch_gives_what_each_pair_gives_alone():
    seq2seq = model()
    together = seq2seq(PairBatch(SOURCE, TARGET)).logits
    for b in range(3):
        source, target = SOURCE[b][SOURCE[b] >= 0], TARGET[b][TARGET[b] >= 0]
        alone = seq2seq(PairBatch(source[None], target[None])).logits[0]
        torch.testing.assert_close(together[b, : len(target)], alone)


@torch.no_grad()
def test_a_word_depends_on_the_source_and_on_the_words_before_it_only():
    seq2seq = model()
    before = seq2seq(PairBatch(SOURCE, TARGET)).logits
    changed = TARGET.clone()
    changed[:, 3] = 9
    after = seq2seq(PairBatch(SOURCE, changed)).logits
    torch.testing.assert_close(after[:, :3], before[:, :3])
    assert not torch.allclose(after[:, 3], before[:, 3])
    other = SOURCE.clone()
    other[0, 5] = 9 if SOURCE[0, 5] != 9 else 10
    first = seq2seq(PairBatch(other, TARGET)).logits
    assert not torch.allclose(first[0, 0], before[0, 0])  # even the first word
    torch.testing.assert_close(first[1:], before[1:])  # of this pair alone


# -- two language models inside --------------------------------------------------------


def language_models() -> tuple[LanguageModel, LanguageModel]:
    torch.manual_seed(7)
    return LanguageModel(V, D).eval(), LanguageModel(W, D).eval()


@pytest.mark.parametrize(
    "parts", [(), EVERYTHING, ("source.lstm",), ("target.softmax", "target.embedding")]
)
def test_what_is_named_is_copied_and_the_rest_stays_random(parts):
    seq2seq, untouched, (source, target) = model(), model(), language_models()
    origin = initialise(seq2seq, source, target, parts)
    assert list(origin) == [name for name, _ in seq2seq.named_parameters()]
    for name, tensor in seq2seq.named_parameters():
        side, part, *rest = name.split(".")
        if f"{side}.{part}" in parts:
            lm = {"source": source, "target": target}[side]
            assert origin[name] == side
            assert tensor.equal(lm.get_parameter(".".join([part, *rest])))
        else:
            assert origin[name] == "random"
            assert tensor.equal(untouched.get_parameter(name))


def test_a_copy_is_a_copy():
    seq2seq, (source, target) = model(), language_models()
    initialise(seq2seq, source, target)
    with torch.no_grad():
        seq2seq.source.embedding.weight.zero_()
    assert source.embedding.weight.abs().sum() > 0


def test_a_part_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match=r"target\.decoder.*the parts are"):
        initialise(model(), *language_models(), parts=("target.decoder",))


@torch.no_grad()
def test_with_the_residual_and_nothing_from_above_the_decoder_is_the_language_model():
    seq2seq, (source, target) = model(), language_models()
    initialise(seq2seq, source, target)
    seq2seq.output.weight.zero_()
    logits = seq2seq(PairBatch(SOURCE, TARGET)).logits
    assert logits.equal(target(TARGET))
    without = model(residual=False)
    initialise(without, source, target)
    without.output.weight.zero_()
    assert not torch.allclose(without(PairBatch(SOURCE, TARGET)).logits, logits)


def test_the_joint_loss_is_the_sum_of_what_the_two_language_models_say():
    seq2seq = model()
    own = SOURCE[:, :-1], SOURCE[:, 1:].masked_fill(SOURCE[:, 1:] < 0, -100)
    other = TARGET[:, :-1], TARGET[:, 1:].masked_fill(TARGET[:, 1:] < 0, -100)
    batch = PairBatch(*[x[:, :-1] for x in (SOURCE, TARGET)], (*own, *other))
    outputs, losses = seq2seq(batch, other[1])
    assert losses.shape == (1,)
    by_hand = seq2seq.source(*own)[1] + seq2seq.target(*other)[1]
    torch.testing.assert_close(outputs.penalty, by_hand[0])
    torch.testing.assert_close(losses, nats(outputs.logits, other[1]))
    # The layers above the language models hear nothing of it.
    outputs.penalty.backward()
    heard = {n for n, p in seq2seq.named_parameters() if p.grad is not None}
    inside = ("source.", "target.")
    names = [name for name, _ in seq2seq.named_parameters()]
    assert heard == {name for name in names if name.startswith(inside)}
    assert seq2seq(batch._replace(alone=()), other[1])[0].penalty == 0


def test_training_drops_something_out():
    lm, targets = LanguageModel(V, D).train(), SOURCE.masked_fill(SOURCE < 0, -100)
    h = lm.read(SOURCE)[0]
    assert not torch.equal(h, lm.read(SOURCE)[0])
    assert not torch.equal(lm.loss(h, targets), lm.loss(h, targets))
    seq2seq, batch = model().train(), PairBatch(SOURCE, TARGET)
    assert not torch.equal(seq2seq(batch).logits, seq2seq(batch).logits)
    seq2seq.source.dropout.p = 0.0  # what is left is between the encoder's layers
    once, again = (seq2seq.encode(SOURCE).layers for _ in range(2))
    assert torch.equal(once[0], again[0]) and not torch.equal(once[1], again[1])


# -- writing ---------------------------------------------------------------------------


@torch.no_grad()
def test_word_by_word_gives_what_all_words_at_once_give():
    seq2seq = model()
    encoded, states, found = seq2seq.encode(SOURCE), None, []
    for t in range(TARGET.shape[1]):
        decoded = seq2seq.decode(TARGET[:, t : t + 1], encoded, states)
        states = decoded.states
        found.append(decoded.logits)
    at_once = seq2seq.decode(TARGET, encoded).logits
    torch.testing.assert_close(torch.cat(found, dim=1), at_once)


def likely_to_end(seed: int) -> Seq2Seq:
    """A random model whose sentences differ, and end sometimes."""
    seq2seq = model(seed)
    with torch.no_grad():
        for p in seq2seq.parameters():
            p.mul_(4)
        seq2seq.target.softmax.bias[END] += 2
    return seq2seq


@torch.no_grad()
@pytest.mark.parametrize("seed", range(6))
def test_greedy_writes_the_likeliest_word_each_time(seed):
    """As the model says when it reads a source alone, and what is written at once."""
    seq2seq = likely_to_end(seed)
    together = greedy(seq2seq, SOURCE, BEGIN, END, limit=9)
    for row, found in zip(SOURCE, together, strict=True):
        batch = PairBatch(row[row >= 0][None], torch.tensor([[BEGIN, *found]]))
        *best, last = seq2seq(batch).logits[0].argmax(dim=1).tolist()
        assert best == found and END not in found
        assert last == END or len(found) == 9


# -- the classifier of Dai & Le --------------------------------------------------------


@torch.no_grad()
def test_a_classifier_reads_up_to_the_last_word_and_not_the_padding():
    torch.manual_seed(0)
    classifier = LastState(LanguageModel(V, D), 3).eval()
    together = classifier(SOURCE)
    for b, row in enumerate(SOURCE):
        torch.testing.assert_close(together[b], classifier(row[row >= 0][None])[0])
    longer = torch.cat([SOURCE, torch.full((3, 2), PAD)], dim=1)
    torch.testing.assert_close(classifier(longer), together)


def test_the_joint_loss_of_a_classifier_is_the_language_models_own():
    torch.manual_seed(0)
    lm = LanguageModel(V, D, dropout=0.0)
    classifier = LastState(lm, 3, joint=0.5)
    scores, losses = classifier(SOURCE, torch.tensor([0, 1, 2]))
    following = SOURCE[:, 1:].masked_fill(SOURCE[:, 1:] < 0, -100)
    expected = 0.5 * lm(SOURCE[:, :-1], following)[1][0]
    torch.testing.assert_close(scores.penalty, expected)
    assert losses.shape == (1,)
    classifier.joint = 0.0
    assert classifier(SOURCE, torch.tensor([0, 1, 2]))[0].penalty == 0


def test_a_text_without_a_word_has_no_last_state():
    tokens = torch.tensor([[1, 5, 6], [PAD, PAD, PAD]])
    with pytest.raises(ValueError, match="no word to read"):
        LastState(LanguageModel(V), 2)(tokens)
