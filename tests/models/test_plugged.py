"""The task model: ELMo goes where it is plugged in, padding nowhere."""

from __future__ import annotations

import pytest
import torch

from course_lib.models import plugged
from course_lib.models.plugged import PLACES, PaddedSentences, Plugged, fit

L, B, T, D, V, M, K = 3, 4, 6, 10, 20, 12, 5


def batch(seed=0, lengths=(6, 3, 1, 5), width=T) -> PaddedSentences:
    """Make sentences of some lengths, padded with 0."""
    generator = torch.Generator().manual_seed(seed)
    mask = torch.arange(width) < torch.tensor(lengths)[:, None]  # (B, T)
    shape = len(lengths), width
    words = torch.randint(1, V, shape, generator=generator) * mask
    marks = torch.randint(1, M, (*shape, 2), generator=generator) * mask[:, :, None]
    layers = torch.randn(L, *shape, D, generator=generator) * mask[:, :, None]
    return PaddedSentences(words, marks, layers, mask)


def model(kind="tagging", place="both", seed=0, **options) -> Plugged:
    torch.manual_seed(seed)
    C = torch.randn(V, 7)
    return Plugged(C, M, K, kind, (L, D), place, H=8, **options).eval()


def examples(kind: str) -> list[PaddedSentences]:
    return [batch(seed) for seed in range(2 if kind == "pair" else 1)]


def test_a_kind_or_a_place_that_there_is_not_is_named():
    for wrong in ({"kind": "tag"}, {"place": "top"}):
        with pytest.raises(ValueError, match="there are the kinds tagging.*places"):
            model(**wrong)


@pytest.mark.parametrize("kind", plugged.KINDS)
@pytest.mark.parametrize("place", PLACES)
def test_scores_come_for_each_word_or_for_each_example(kind, place):
    scores = model(kind, place)(examples(kind))
    assert scores.shape == ((B, T, K) if kind == "tagging" else (B, K))


@pytest.mark.parametrize("kind", plugged.KINDS)
def test_padding_changes_nothing(kind):
    reader, sides = model(kind), examples(kind)
    wider = [
        PaddedSentences(*(torch.cat([x, x[:, :2] * 0], 1) for x in s[:2]), wide, s.mask)
        for s in sides
        for wide in [torch.cat([s.layers, s.layers[:, :, :2] * 0], 2)]
    ]
    wider = [
        s._replace(mask=torch.cat([s.mask, s.mask[:, :2] & False], 1)) for s in wider
    ]
    scores, same = reader(sides), reader(wider)
    if kind == "tagging":
        same = same[:, :T]
        scores, same = scores[sides[0].mask], same[sides[0].mask]
    torch.testing.assert_close(scores, same)


@pytest.mark.parametrize("place", PLACES)
def test_elmo_is_read_where_it_is_plugged_in_and_nowhere_else(place):
    """At the output a word's layers reach its own tag only, at the input every tag."""
    reader, side = model(place=place), batch(lengths=(6,))
    side.layers.requires_grad_()
    reader([side])[0, 2].sum().backward()
    reached = (
        torch.zeros(T)
        if side.layers.grad is None
        else side.layers.grad.norm(dim=(0, 3))
    )
    reached = (reached.flatten() > 0).tolist()
    assert (
        reached
        == {
            "none": [False] * 6,
            "output": [False, False, True, False, False, False],
            "input": [True] * 6,
            "both": [True] * 6,
        }[place]
    )


def test_nothing_but_the_mixes_differs_between_places_of_the_same_width():
    names = {place: {n for n, _ in model(place=place).named_parameters()}
             for place in PLACES}  # fmt: skip
    mixes = {n for n in names["both"] if n.startswith("mixes.")}
    assert all(of - mixes == names["none"] for of in names.values())
    assert len(mixes) == 4 and not names["none"] & mixes


def test_word_vectors_stay_and_a_mark_that_was_never_met_counts_for_nothing():
    reader = model().train()
    before = reader.C.weight.clone()
    optimizer = torch.optim.SGD(
        [p for p in reader.parameters() if p.requires_grad], lr=1.0
    )
    side = batch()
    reader([side], torch.zeros(B, T, dtype=int)).backward()
    optimizer.step()
    assert torch.equal(reader.C.weight, before)
    met = set(side.marks.flatten().tolist()) - {0}
    learned = set(torch.nonzero(reader.marks.weight.norm(dim=1)).flatten().tolist())
    assert learned == met


def test_a_target_of_minus_one_does_not_count():
    reader, side = model(), batch(lengths=(6, 3))
    tags = torch.arange(12).view(2, 6) % K
    masked = tags.masked_fill(~side.mask, -1)
    scores = reader([side])
    kept = torch.nn.functional.cross_entropy(scores[side.mask], tags[side.mask])
    torch.testing.assert_close(reader([side], masked), kept)


def test_the_penalty_is_the_mixes_own_and_without_elmo_there_is_none():
    reader = model(place="both")
    for mix in reader.mixes.values():
        mix.w.data[:] = torch.tensor([1.0, -2.0, 0.5])
    assert reader.penalty(0.1).item() == pytest.approx(2 * 0.1 * 5.25)
    assert model(place="none").penalty(1.0) == 0


def test_training_keeps_the_best_round_and_needs_no_elmo():
    for place in ("none", "input"):
        reader, side = model("classification", place), batch()
        labels = torch.tensor([0, 1, 2, 3])
        told, seen = iter((0.2, 0.9, 0.4)), []

        def score(reader, told=told, seen=seen):
            seen.append({k: v.clone() for k, v in reader.state_dict().items()})
            return next(told)

        best = fit(reader, lambda s=side, y=labels: [([s], y)], score, rounds=3)
        assert best == 0.9
        state = reader.state_dict()
        assert all(torch.equal(state[name], seen[1][name]) for name in state)
        assert not all(torch.equal(state[name], seen[2][name]) for name in state)


def test_the_penalty_is_a_part_of_what_is_lowered():
    """A pull that data cannot give: a softmax does not see what all weights share."""
    reader, side, asked = model("classification", "input"), batch(), set()

    def penalty(lambda_: float) -> torch.Tensor:
        asked.add(lambda_)
        return lambda_ * 1e6 * reader.mixes["input"].w.sum()

    reader.penalty = penalty
    data = [([side], torch.tensor([0, 1, 2, 3]))]
    fit(reader, lambda: data, lambda _: 1.0, rounds=1, lambda_=0.25)
    assert asked == {0.25}
    assert (reader.mixes["input"].w < 0).all()  # they begin at 0
