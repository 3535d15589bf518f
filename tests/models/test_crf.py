"""The CRF against brute force: every tag sequence written out, scored and added up."""

from __future__ import annotations

import itertools
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.models.crf import CRF

K = 3


def a_crf(seed: int = 0, n_tags: int = K) -> CRF:
    """Return a CRF in double precision whose scores are drawn."""
    generator = torch.Generator().manual_seed(seed)
    crf = CRF(n_tags).double()
    for parameter in crf.parameters():
        parameter.data.normal_(generator=generator)
    return crf


def a_sentence(T: int, seed: int = 0) -> torch.Tensor:
    """Return the scores of one sentence, (1, T, K)."""
    generator = torch.Generator().manual_seed(100 + seed)
    return torch.randn(1, T, K, generator=generator, dtype=torch.float64)


def every(T: int) -> list[tuple[int, ...]]:
    """Return all K ** T tag sequences."""
    return list(itertools.product(range(K), repeat=T))


def slow_score(crf: CRF, scores: torch.Tensor, tags) -> float:
    """Add up the score of one sequence, term by term. Shape: scores (T, K)."""
    A = crf.transitions
    total = crf.start[tags[0]] + crf.end[tags[-1]]
    for t, tag in enumerate(tags):
        total = total + scores[t, tag]
        if t > 0:
            total = total + A[tags[t - 1], tag]
    return total.item()


def ones(scores: torch.Tensor) -> torch.Tensor:
    """Return the mask of a batch without padding."""
    return torch.ones(scores.shape[:2], dtype=torch.bool)


def loss(crf: CRF, scores: torch.Tensor, tags) -> float:
    """Return -log p(tags) of one sentence."""
    return crf(scores, torch.tensor([tags]), ones(scores)).item()


# -- brute force -----------------------------------------------------------------------


@settings(deadline=None, max_examples=25)
@given(T=st.integers(1, 5), seed=st.integers(0, 1000))
def test_the_forward_algorithm_adds_up_all_sequences(T, seed):
    crf, scores = a_crf(seed), a_sentence(T, seed)
    exact = math.log(sum(math.exp(slow_score(crf, scores[0], y)) for y in every(T)))
    assert crf.partition(scores, ones(scores)).item() == pytest.approx(exact)


@settings(deadline=None, max_examples=25)
@given(T=st.integers(1, 5), seed=st.integers(0, 1000))
def test_viterbi_finds_the_best_of_all_sequences(T, seed):
    crf, scores = a_crf(seed), a_sentence(T, seed)
    best = max(every(T), key=lambda y: slow_score(crf, scores[0], y))
    assert crf.decode(scores, ones(scores)) == [[*best]]


def test_the_score_of_a_sequence_is_the_sum_of_its_terms():
    crf, scores = a_crf(), a_sentence(4)
    for y in every(4):
        found = crf.score(scores, torch.tensor([y]), ones(scores))
        assert found.item() == pytest.approx(slow_score(crf, scores[0], y))


@pytest.mark.parametrize("T", [1, 2, 4])
def test_the_probabilities_of_all_sequences_sum_to_one(T):
    crf, scores = a_crf(), a_sentence(T)
    total = sum(math.exp(-loss(crf, scores, y)) for y in every(T))
    assert total == pytest.approx(1)


def test_the_loss_is_the_mean_over_sentences():
    crf, one, other = a_crf(), a_sentence(3, 1), a_sentence(3, 2)
    tags = torch.tensor([[0, 1, 2], [2, 2, 0]])
    both = torch.cat([one, other])
    each = [loss(crf, one, [0, 1, 2]), loss(crf, other, [2, 2, 0])]
    assert crf(both, tags, ones(both)).item() == pytest.approx(sum(each) / 2)


# -- what a CRF knows that a softmax at each position does not -------------------------


def test_without_transitions_it_is_a_softmax_at_each_position():
    crf, scores = CRF(K).double(), a_sentence(5)
    tags = torch.tensor([[0, 2, 1, 1, 0]])
    p = scores.log_softmax(2).gather(2, tags[:, :, None]).sum()
    assert crf(scores, tags, ones(scores)).item() == pytest.approx(-p.item())
    assert crf.decode(scores, ones(scores)) == scores.argmax(2).tolist()


def test_a_pair_that_is_forbidden_is_never_chosen():
    crf, scores = a_crf(), 3 * a_sentence(12)
    crf.transitions.data[0, 2] = -1e4
    scores[0, ::2, 0], scores[0, 1::2, 2] = 9, 9  # the words alone would say 0 2 0 2 …
    (path,) = crf.decode(scores, ones(scores))
    assert (0, 2) not in set(itertools.pairwise(path))
    assert math.isfinite(crf.partition(scores, ones(scores)).item())


def test_transitions_have_a_direction():
    crf = CRF(K).double()
    crf.transitions.data[0, 1] = 5.0  # from 0 to 1, not from 1 to 0
    scores = torch.zeros(1, 2, K, dtype=torch.float64)
    assert crf.decode(scores, ones(scores)) == [[0, 1]]


def test_a_long_sentence_does_not_overflow():
    crf, scores = CRF(K), torch.full((1, 1000, K), 50.0)
    found = crf.partition(scores, ones(scores)).item()
    assert found == pytest.approx(1000 * (50 + math.log(K)), rel=1e-4)


# -- padding ---------------------------------------------------------------------------


@pytest.mark.parametrize("junk", [0.0, 7.0, -1e9, math.inf])
def test_padding_changes_nothing_whatever_it_holds(junk):
    crf = a_crf()
    short, long = a_sentence(3, 1), a_sentence(6, 2)
    padded = torch.full((2, 6, K), junk, dtype=torch.float64)
    padded[0, :3], padded[1] = short[0], long[0]
    mask = torch.arange(6) < torch.tensor([[3], [6]])
    alone = [crf.partition(x, ones(x)).item() for x in (short, long)]
    assert crf.partition(padded, mask).tolist() == pytest.approx(alone)
    paths = [crf.decode(x, ones(x))[0] for x in (short, long)]
    assert crf.decode(padded, mask) == paths
    tags = torch.tensor([[1, 0, 2, 1, 1, 1], [0, 1, 2, 0, 1, 2]])
    losses = [loss(crf, short, [1, 0, 2]), loss(crf, long, [0, 1, 2, 0, 1, 2])]
    assert crf(padded, tags, mask).item() == pytest.approx(sum(losses) / 2)


def test_tags_of_padding_do_not_count_nor_have_a_gradient():
    crf = a_crf()
    scores = torch.cat([a_sentence(3), a_sentence(2, 9)], 1).requires_grad_()
    mask = torch.tensor([[True, True, True, False, False]])
    losses = []
    for junk in (0, 2, -100):
        tags = torch.tensor([[1, 0, 2, junk, junk]])
        losses.append(crf(scores, tags, mask).item())
    assert losses == [losses[0]] * 3
    crf(scores, tags, mask).backward()
    assert not scores.grad[0, 3:].any() and scores.grad[0, :3].all()


@pytest.mark.parametrize(
    "mask", [[[False, True]], [[False, False]], [[1, 1]], [[True, True, True]]]
)
def test_a_mask_that_cannot_be_is_refused(mask):
    scores = a_sentence(2)
    with pytest.raises(ValueError, match="mask"):
        a_crf().partition(scores, torch.tensor(mask))


def test_tags_of_another_shape_are_refused():
    scores, tags, mask = a_sentence(2), torch.zeros(1, 1, dtype=int), torch.ones(1, 2)
    with pytest.raises(ValueError, match=r"tags \(1, 1\), but mask \(1, 2\)"):
        a_crf().score(scores, tags, mask.bool())


# -- learning --------------------------------------------------------------------------


def test_the_gradient_is_what_is_expected_less_what_was_observed():
    crf, T = a_crf(), 4
    scores, tags = a_sentence(T).requires_grad_(), [0, 0, 2, 1]
    crf(scores, torch.tensor([tags]), ones(scores)).backward()
    p = {y: math.exp(-loss(crf, scores.detach(), y)) for y in every(T)}

    def counts(y) -> tuple[torch.Tensor, torch.Tensor]:
        """Count the tags at each position, (T, K), and the pairs of tags, (K, K)."""
        pairs = torch.zeros(K, K, dtype=torch.float64)
        for a, b in itertools.pairwise(y):
            pairs[a, b] += 1
        return torch.eye(K, dtype=torch.float64)[[*y]], pairs

    for which, grad in enumerate((scores.grad[0], crf.transitions.grad)):
        expected = sum(p[y] * counts(y)[which] for y in every(T))
        assert torch.allclose(grad, expected - counts(tags)[which])


def test_marginals_are_sums_over_the_sequences_with_a_tag():
    crf, scores = a_crf(), a_sentence(4)
    found = crf.marginals(scores, ones(scores))
    exact = torch.zeros(4, K, dtype=torch.float64)
    for y in every(4):
        exact[range(4), y] += math.exp(-loss(crf, scores, y))
    assert torch.allclose(found[0], exact)


def test_it_learns_an_order_that_the_words_do_not_show():
    """The words say where tag 0 stands; that 1, 2, 3 follow in order is for the CRF."""
    torch.manual_seed(0)
    crf = CRF(4)
    tags = torch.tensor([[0, 1, 0, 1, 2, 3, 0, 1, 2, 3]])
    zero = (tags == 0)[:, :, None]  # (1, 10, 1)
    scores = torch.where(
        zero, torch.tensor([5.0, 0, 0, 0]), torch.tensor([0.0, 5, 5, 5])
    )
    optimizer = torch.optim.Adam(crf.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        crf(scores, tags, ones(scores)).backward()
        optimizer.step()
    assert crf.decode(scores, ones(scores)) == tags.tolist()
