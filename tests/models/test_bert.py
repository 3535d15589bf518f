"""BERT: what is masked, which pairs are drawn, and who sees what."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from scipy import stats
from torch.nn import functional as F

from course_lib.models.bert import (
    BERT,
    BERTConfig,
    Classifier,
    MaskedPairs,
    Masking,
    SpanFinder,
    TokenClassifier,
    best_span,
    cut_to_fit,
    draw_pairs,
    join,
    mask_pieces,
    segments,
)
from course_lib.text.batches import IGNORE
from course_lib.text.pieces import CLS, MARKS, MASK, PAD, SEP, UNK, PieceText

V, T = 50, 12
FIRST = len(MARKS)


def small(**changes) -> BERT:
    torch.manual_seed(0)
    sizes = {"layers": 2, "dimension": 16, "heads": 4, "context": T}
    return BERT(BERTConfig(**{**sizes, **changes}), V)


def rows(n: int = 3) -> torch.Tensor:
    """Return rows [CLS] A [SEP] B [SEP], the last one padded. Shape: (n, T)."""
    rng = np.random.default_rng(1)
    a, b = (rng.integers(FIRST, V, (n, size)).tolist() for size in (4, T - 7))
    found = [join(*pair) for pair in zip(a, b, strict=True)]
    found[-1][-2:] = [PAD, PAD]
    found[-1][-3] = SEP
    found = torch.tensor([row + [PAD] * (T - len(row)) for row in found])
    return found


def numbered_text(
    lengths=((4, 5, 3, 6), (7, 2, 4), (5,), (3, 3, 3, 3, 9)),
) -> PieceText:
    """Return a text whose pieces are all different: 1000 d + place in document d."""
    ids, sentences, documents = [], [0], [0]
    for d, document in enumerate(lengths, start=1):
        for n in document:
            place = len(ids) - sentences[documents[-1]]
            ids += range(1000 * d + place, 1000 * d + place + n)
            sentences.append(len(ids))
        documents.append(len(sentences) - 1)
    arrays = (np.array(x) for x in (ids, sentences, documents))
    return PieceText(*arrays, n_words=len(ids))


# -- what is hidden --------------------------------------------------------------------


def hidden(how: Masking, n: int = 200_000):
    rng = np.random.default_rng(0)
    tokens = rng.integers(0, V, (n // 100, 100))
    return tokens, *mask_pieces(tokens, V, rng, how)


POLICIES = [Masking(), Masking(0.3, 1.0, 0.0), Masking(0.15, 0.0, 1.0), Masking(0.5, 0)]


@pytest.mark.parametrize("how", POLICIES)
def test_the_shares_are_those_of_the_policy(how):
    """A χ² test over: masked, another piece, kept, not chosen. It may fail by chance
    once in a million, but the seed is fixed."""
    tokens, read, targets = hidden(how)
    words = tokens >= FIRST
    chosen = targets != IGNORE
    counts = [
        (chosen & (read == MASK)).sum(),
        (chosen & (read != MASK) & (read != tokens)).sum(),
        (chosen & (read == tokens)).sum(),
        (words & ~chosen).sum(),
    ]
    # One in V - 9 of the random pieces is the one that stood there.
    same = how.share * how.random / (V - FIRST)
    keep = 1 - how.mask - how.random
    shares = [how.share * how.mask, how.share * how.random - same]
    shares += [how.share * keep + same, 1 - how.share]
    expected = np.array(shares) * words.sum()
    at_all = expected > 0
    assert np.array(counts)[~at_all].sum() == 0
    p = stats.chisquare(np.array(counts)[at_all], expected[at_all]).pvalue
    assert p > 1e-6


def test_marks_are_never_chosen_and_never_put_in():
    tokens, read, targets = hidden(Masking(0.9, 0.3, 0.6))
    marks = tokens < FIRST
    assert (targets[marks] == IGNORE).all()
    assert (read[marks] == tokens[marks]).all()
    new = read[~marks & (read != tokens)]
    assert set(np.unique(new)) <= {MASK, *range(FIRST, V)}


def test_a_target_is_what_stood_there_and_the_rest_is_left_alone():
    tokens, read, targets = hidden(Masking())
    chosen = targets != IGNORE
    assert (targets[chosen] == tokens[chosen]).all()
    assert (read[~chosen] == tokens[~chosen]).all()


def test_a_random_piece_may_be_any():
    tokens, read, targets = hidden(Masking(1.0, 0.0, 1.0))
    drawn = read[tokens >= FIRST]
    counts = np.bincount(drawn, minlength=V)[FIRST:]
    assert stats.chisquare(counts).pvalue > 1e-6


# -- pairs -----------------------------------------------------------------------------


def test_rows_and_their_segments():
    row = join([11, 12], [13])
    assert row == [CLS, 11, 12, SEP, 13, SEP]
    padded = torch.tensor([[*row, PAD]])
    assert segments(padded).tolist() == [[0, 0, 0, 0, 1, 1, 1]]
    assert join([11]) == [CLS, 11, SEP]
    assert segments(torch.tensor([join([11])])).tolist() == [[0, 0, 0]]


def parts(row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Take a row apart into its two segments."""
    one, other, _ = np.split(row, np.flatnonzero(row == SEP))
    assert row[0] == CLS
    assert row[-1] == SEP
    return one[1:], other[1:]


@pytest.fixture(scope="module")
def drawn():
    rng = np.random.default_rng(0)
    return [pair for _ in range(300) for pair in draw_pairs(numbered_text(), 14, rng)]


def test_a_segment_lies_in_one_document_without_gaps(drawn):
    for row, _ in drawn:
        for part in parts(row):
            assert len(part) > 0
            assert len(set(part // 1000)) == 1
            assert (np.diff(part) == 1).all()


def test_what_follows_follows_and_what_does_not_is_from_another_document(drawn):
    for row, follows in drawn:
        one, other = parts(row)
        if follows:
            assert other[0] == one[-1] + 1, "the very next piece"
        else:
            assert other[0] // 1000 != one[0] // 1000


def test_segments_begin_and_end_where_sentences_do(drawn):
    """Where they meet; the far ends may be cut."""
    text = numbered_text()
    begins = set(text.ids[text.sentences[:-1]])
    ends = set(text.ids[text.sentences[1:] - 1])
    for row, _ in drawn:
        one, other = parts(row)
        assert one[-1] in ends
        assert other[0] in begins


def test_half_of_the_pairs_follow(drawn):
    follows = sum(label for _, label in drawn)
    assert stats.binomtest(follows, len(drawn)).pvalue > 1e-6


def test_rows_fit_into_the_context(drawn):
    lengths = {len(row) for row, _ in drawn}
    assert max(lengths) == 14


def test_the_length_does_not_tell_the_answer():
    """Documents of very different lengths; the rows of both classes are alike."""
    rng = np.random.default_rng(3)
    lengths = [rng.integers(2, 12, size=rng.integers(2, 40)) for _ in range(300)]
    pairs = draw_pairs(numbered_text(lengths), 40, rng)
    by_class = [[row for row, label in pairs if label == c] for c in (0, 1)]
    for measure in (len, lambda row: int(np.flatnonzero(row == SEP)[0])):
        means = [np.mean([measure(row) for row in found]) for found in by_class]
        assert abs(means[0] - means[1]) < 0.03 * means[0]


def test_only_the_far_ends_are_cut():
    one, other = np.arange(10), np.arange(10, 30)
    assert [x.tolist() for x in cut_to_fit(one, other, 12)] == [
        [4, 5, 6, 7, 8, 9],
        [10, 11, 12, 13, 14, 15],
    ]
    short, long = cut_to_fit(one[:3], other, 12)
    assert (len(short), len(long)) == (3, 9)
    short, long = cut_to_fit(other, one[:3], 12)
    assert (len(short), len(long)) == (9, 3)
    whole = cut_to_fit(one, other, 99)
    assert [len(x) for x in whole] == [10, 20]


def test_a_text_needs_two_documents():
    with pytest.raises(ValueError, match="second document"):
        text = numbered_text([(2,) * 40])
        draw_pairs(text, 9, np.random.default_rng(0))


# -- batches ---------------------------------------------------------------------------


def town(**options) -> MaskedPairs:
    text = numbered_text()
    text.ids = FIRST + text.ids % (V - FIRST)
    return MaskedPairs(text, V, T, **{"rows": 3, "seed": 1, **options})


def test_a_step_can_be_repeated_and_the_next_epoch_is_new():
    batches, again = town(), town()
    for step in (0, 1, len(batches)):
        for one, other in zip(batches.at(step), again.at(step), strict=True):
            assert torch.equal(one, other)
    first, later = batches.at(0)[0], batches.at(len(batches))[0]
    assert first.shape != later.shape or not torch.equal(first, later)


def test_targets_are_a_piece_and_a_label():
    tokens, targets = town().at(0)
    assert targets.shape == (2, *tokens.shape)
    assert set(targets[1, :, 0].tolist()) <= {0, 1}
    assert (targets[1, :, 1:] == IGNORE).all()
    no_nsp = town(next_sentence=False).at(0)[1]
    assert no_nsp.shape == (1, *tokens.shape)


def test_left_to_right_predicts_the_next_piece_and_hides_nothing():
    tokens, targets = town(masking=None).at(0)
    assert MASK not in tokens
    following = torch.where(tokens[:, 1:] < FIRST, IGNORE, tokens[:, 1:])
    assert torch.equal(targets[0, :, :-1], following)


def test_a_pass_has_every_pair_once():
    batches = town(masking=Masking(share=0.0))
    seen = [row[row != PAD].tolist() for tokens, _ in batches for row in tokens]
    expected = [row.tolist() for row, _ in batches.epoch(0)]
    assert sorted(seen) == sorted(expected)
    assert batches.n_read == sum(map(len, expected))


# -- the model -------------------------------------------------------------------------


def test_three_parts_make_an_input():
    model, tokens = small().eval(), rows()
    x = model.token(tokens) + model.position.weight[:T]
    x = x + model.segment.weight[segments(tokens)]
    torch.testing.assert_close(model.embed(tokens), model.norm(x))


@pytest.mark.parametrize("causal", [False, True])
def test_only_a_causal_one_is_blind_to_what_follows(causal):
    model, tokens = small(causal=causal).eval(), rows()
    changed = tokens.clone()
    changed[0, 8] = FIRST + (changed[0, 8] - FIRST + 1) % (V - FIRST)
    alike = torch.isclose(model(tokens)[0], model(changed)[0]).all(dim=1)  # (T,)
    assert alike[:8].all() == causal
    assert not alike[8:].any()


def test_padding_changes_nothing():
    model, tokens = small().eval(), rows()
    n = int((tokens[-1] != PAD).sum())
    alone = model(tokens[-1:, :n])
    torch.testing.assert_close(model(tokens)[-1:, :n], alone, atol=1e-6, rtol=1e-5)


def test_the_losses_are_those_of_masked_pieces_and_of_pairs():
    model, batches = small().eval(), town()
    torch.nn.init.normal_(model.bias)  # at 0, a softmax without it would look right
    tokens, targets = batches.at(1)
    h, losses = model(tokens, targets)
    scores = model.logits(h).flatten(0, 1)
    torch.testing.assert_close(losses[0], F.cross_entropy(scores, targets[0].flatten()))
    follows = model.follows(torch.tanh(model.pooler(h[:, 0])))
    torch.testing.assert_close(losses[1], F.cross_entropy(follows, targets[1, :, 0]))
    only = model(tokens, targets[:1])[1]
    assert torch.equal(only, losses[:1])


def test_a_batch_without_a_masked_piece_is_no_error():
    model, tokens = small(), rows()
    loss = model(tokens, torch.full((1, *tokens.shape), IGNORE))[1]
    assert loss.tolist() == [0.0]


def test_an_untrained_model_guesses_evenly():
    tokens, targets = town(rows=10**6, masking=Masking(1.0)).at(0)
    masked, follows = small()(tokens, targets)[1].tolist()
    assert masked == pytest.approx(math.log(V), abs=0.2)
    assert follows == pytest.approx(math.log(2), abs=0.2)


def test_a_row_that_is_too_long_is_refused():
    with pytest.raises(ValueError, match="13 pieces, but this model has learned 12"):
        small()(torch.full((1, 13), FIRST))


# -- heads -----------------------------------------------------------------------------


@pytest.mark.parametrize("causal", [False, True])
def test_a_causal_model_is_asked_at_the_end(causal):
    """At [CLS] it has seen nothing: every text would have the same class."""
    model = Classifier(small(causal=causal), n_classes=3).eval()
    one, other = torch.tensor([join([11, 12])]), torch.tensor([join([13, 14])])
    assert not torch.allclose(model(one), model(other))


def test_the_class_is_read_with_or_without_an_axis_for_rows():
    model, tokens = Classifier(small()).eval(), rows()
    assert torch.equal(model(tokens[:, None]), model(tokens))
    _, losses = model(tokens, torch.tensor([0, 1, 0]))
    assert losses.shape == (1,)


def test_tags_are_scored_for_every_piece_and_counted_where_asked():
    model, tokens = TokenClassifier(small(), n_tags=4).eval(), rows()
    targets = torch.full_like(tokens, IGNORE)
    targets[:, 1], targets[0, 3] = 2, 1
    scores, losses = model(tokens, targets)
    asked = targets != IGNORE
    expected = F.cross_entropy(scores.logits[asked], targets[asked])
    torch.testing.assert_close(losses[0], expected)
    assert model(tokens).shape == (3, T, 4)


def test_a_span_lies_in_the_second_segment():
    tokens = rows()
    logits = SpanFinder(small()).eval()(tokens)
    possible = (segments(tokens) == 1) & (tokens >= FIRST)
    assert torch.equal(logits.isfinite(), possible[:, None].expand(-1, 2, -1))
    spans = best_span(logits)
    for b, (begin, end) in enumerate(spans.tolist()):
        assert possible[b, begin]
        assert possible[b, end]


def test_an_end_that_is_ignored_may_stand_anywhere():
    tokens = torch.tensor([join([FIRST, FIRST], [FIRST, FIRST, FIRST])])
    model = SpanFinder(small())
    assert model(tokens, torch.tensor([[5, IGNORE]]))[1].isfinite().all()
    with pytest.raises(ValueError, match="ends before it begins"):
        model(tokens, torch.tensor([[5, 4]]))


def test_an_answer_may_begin_with_an_unknown_piece():
    tokens = torch.tensor([join([FIRST, FIRST], [UNK, FIRST, FIRST])])
    scores, losses = SpanFinder(small())(tokens, torch.tensor([[4, 6]]))
    assert losses.isfinite().all()
    assert scores.logits[0, 0].isfinite().nonzero().flatten().tolist() == [4, 5, 6]


def test_the_best_span_has_an_end_behind_its_begin():
    begin = torch.tensor([[0.0, 1.0, 5.0, 0.0]])
    end = torch.tensor([[9.0, 0.0, 1.0, 2.0]])
    logits = torch.stack([begin, end], dim=1)
    assert best_span(logits).tolist() == [[0, 0]]
    logits[0, 1, 0] = 0.0
    assert best_span(logits).tolist() == [[2, 3]]
    assert best_span(logits, longest=1).tolist() == [[2, 2]]


def test_a_span_is_learned():
    """The answer is the run of pieces 20 behind the question."""
    rng = np.random.default_rng(0)
    tokens, targets = [], []
    for _ in range(60):
        text = rng.integers(FIRST, 19, 7)
        begin, size = rng.integers(0, 5), rng.integers(1, 3)
        text[begin : begin + size] = 20
        tokens.append(join([11], text.tolist()))
        targets.append([3 + begin, 3 + begin + size - 1])
    tokens, targets = torch.tensor(tokens), torch.tensor(targets)
    model = SpanFinder(small())
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _ in range(150):
        optimizer.zero_grad()
        model(tokens, targets)[1].backward()
        optimizer.step()
    found = best_span(model.eval()(tokens))
    assert (found == targets).all(dim=1).float().mean() > 0.9


@pytest.mark.parametrize("span", [(1, 5), (4, 7), (6, 5), (5, 99), (-1, 5)])
def test_a_span_that_is_not_in_the_paragraph_is_refused(span):
    """In the question, on a mark, from end to begin, behind the row, before it."""
    tokens = torch.tensor([join([FIRST, FIRST], [FIRST, FIRST, FIRST])])
    with pytest.raises(ValueError, match="outside its paragraph"):
        SpanFinder(small())(tokens, torch.tensor([span]))


def test_where_there_is_no_paragraph_there_is_no_best_span():
    tokens = torch.tensor([join([FIRST, FIRST])])
    with pytest.raises(ValueError, match="no paragraph"):
        best_span(SpanFinder(small()).eval()(tokens))


def test_pieces_that_are_only_marks_cannot_be_masked():
    with pytest.raises(ValueError, match="nothing but marks"):
        mask_pieces(np.array([[CLS, SEP]]), len(MARKS), np.random.default_rng(0))
