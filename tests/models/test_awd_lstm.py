"""AWD-LSTM: the reference's numbers, and what each kind of dropout leaves alone."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from course_lib.models.awd_lstm import (
    AWDLSTM,
    AWDConfig,
    Remembering,
    activity,
    embedding_dropout,
    generate,
    locked_dropout,
    run_with_dropped_weights,
)
from course_lib.text.batches import IGNORE

V = 30


def small(**changes) -> AWDLSTM:
    torch.manual_seed(0)
    model = AWDLSTM(AWDConfig(**{"embedding": 8, "hidden": 12, **changes}), V)
    torch.nn.init.normal_(model.bias)  # at 0, a softmax without it would look right
    return model


def words(rows: int = 3, steps: int = 9) -> torch.Tensor:
    generator = torch.Generator().manual_seed(1)
    return torch.randint(1, V, (rows, steps), generator=generator)


# -- against fastai's -----------------------------------------------------------------


FIXTURE = Path(os.environ.get("COURSE_DATA", "nowhere"), "../fixtures/awd_lstm")
needs_fixture = pytest.mark.skipif(
    not FIXTURE.exists(), reason="the reference outputs are not at hand"
)


def reference(name: str) -> tuple[AWDLSTM, dict]:
    """Build the model of a fixture from its arrays."""
    found = dict(np.load(FIXTURE / f"{name}.npz"))
    arrays = {key: torch.from_numpy(np.asarray(a)) for key, a in found.items()}
    model = AWDLSTM(AWDConfig(embedding=24, hidden=40, layers=3), 101).eval()
    weights = {"embedding.weight": arrays["emb"]}
    weights["bias"] = arrays.get("dec.bias", torch.zeros(101))
    for depth in range(3):
        for ours in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            theirs = ours.replace("weight", "w").replace("bias", "b")
            weights[f"lstms.{depth}.{ours}_l0"] = arrays[f"l{depth}.{theirs}"]
    model.load_state_dict(weights)
    return model, arrays


@needs_fixture
@torch.no_grad()
def test_three_batches_in_a_row_give_what_fastai_gives():
    """All layers, states and logits; the third batch goes on with two of four rows."""
    model, theirs = reference("awd_lm_eval")
    state = None
    for batch in ("b0", "b1", "b2"):
        ids = theirs[f"{batch}.ids"]
        if state:
            state = [(h[:, : len(ids)], c[:, : len(ids)]) for h, c in state]
            state = [(h.contiguous(), c.contiguous()) for h, c in state]
        reading = model(ids, state=state)
        state = reading.state
        close = {"rtol": 0, "atol": 1e-6}
        for depth, (raw, (h, c)) in enumerate(zip(reading.raw, state, strict=True)):
            torch.testing.assert_close(raw, theirs[f"{batch}.raw{depth}"], **close)
            torch.testing.assert_close(h[0], theirs[f"{batch}.h{depth}"], **close)
            torch.testing.assert_close(c[0], theirs[f"{batch}.c{depth}"], **close)
        logits = model.logits(reading.top)
        torch.testing.assert_close(logits, theirs[f"{batch}.logits"], **close)


# -- the dropouts ----------------------------------------------------------------------


def test_locked_dropout_drops_the_same_features_at_every_step():
    x = torch.ones(4, 20, 50)
    dropped = locked_dropout(x, 0.5)
    assert (dropped == dropped[:, :1]).all()  # one mask a row, for all steps
    assert not (dropped[0] == dropped[1]).all()  # rows have masks of their own
    assert set(dropped.unique().tolist()) == {0.0, 2.0}  # what stays is scaled up


def test_embedding_dropout_drops_whole_words():
    dropped = embedding_dropout(torch.ones(1000, 6), 0.25)
    assert (dropped == dropped[:, :1]).all()
    share = float((dropped[:, 0] == 0).float().mean())
    assert 0.25 - 5 * 0.0137 < share < 0.25 + 5 * 0.0137  # five standard errors
    assert dropped.max() == pytest.approx(1 / 0.75)


def test_dropped_weights_are_missing_at_every_step():
    """The same thinned matrix, given to a plain LSTM, gives the same outputs."""
    lstm = torch.nn.LSTM(5, 7, batch_first=True)
    x = torch.randn(3, 10, 5)
    torch.manual_seed(3)
    found, _ = run_with_dropped_weights(lstm, x, None, 0.5)
    torch.manual_seed(3)
    thinned = F.dropout(lstm.weight_hh_l0, 0.5).detach()
    assert 0 < (thinned == 0).sum() < thinned.numel()
    plain = torch.nn.LSTM(5, 7, batch_first=True)
    plain.load_state_dict({**lstm.state_dict(), "weight_hh_l0": thinned})
    torch.testing.assert_close(found, plain(x)[0])


def test_a_dropped_weight_gets_no_gradient_and_the_weights_stay_as_they_are():
    lstm = torch.nn.LSTM(5, 7, batch_first=True)
    before, x = lstm.weight_hh_l0.detach().clone(), torch.randn(3, 10, 5)
    torch.manual_seed(3)
    out, _ = run_with_dropped_weights(lstm, x, None, 0.5)
    out.pow(2).sum().backward()
    torch.manual_seed(3)
    missing = F.dropout(torch.ones_like(before), 0.5) == 0
    assert (lstm.weight_hh_l0.grad[missing] == 0).all()
    assert (lstm.weight_hh_l0.grad[~missing] != 0).all()
    assert torch.equal(lstm.weight_hh_l0, before)


def test_nothing_is_dropped_in_evaluation():
    model = small().eval()
    once, again = model(words()), model(words())
    assert torch.equal(once.top, again.top)
    assert torch.equal(once.top, once.raw[-1])
    assert once.penalty == 0


def test_with_all_dropouts_at_zero_training_is_evaluation():
    model = small(dropped=0.0)
    training = model.train()(words()).top
    torch.testing.assert_close(training, model.eval()(words()).top)


@pytest.mark.parametrize(
    ("kind", "first"),
    [("word", 0), ("input", 0), ("weight", 0), ("between", 1), ("output", 3)],
)
def test_each_dropout_acts_at_its_own_place_alone(kind, first):
    """Only this one on: what comes before it says the same again, what follows not."""
    off = dict.fromkeys(["word", "input", "weight", "between", "output"], 0.0)
    model = small(**{**off, kind: 0.5}).train()
    one, other = model(words()), model(words())
    pairs = zip([*one.raw, one.top], [*other.raw, other.top], strict=True)
    assert [torch.equal(a, b) for a, b in pairs] == [k < first for k in range(4)]


def test_ar_and_tar_are_what_the_paper_says():
    top, raw = torch.randn(2, 5, 3), torch.randn(2, 5, 3)
    by_hand = 2 * sum(float(v) ** 2 for v in top.flatten()) / 30
    for b in range(2):
        for t in range(4):
            step = raw[b, t + 1] - raw[b, t]
            by_hand += sum(float(v) ** 2 for v in step) / 24
    assert float(activity(top, raw)) == pytest.approx(by_hand, rel=1e-5)
    assert float(activity(top[:, :1], raw[:, :1])) > 0  # one step has no jump
    assert small(alpha=0.0, beta=0.0).train()(words()).penalty == 0


# -- the language model ----------------------------------------------------------------


def test_the_softmax_is_the_table_of_word_vectors():
    model = small().eval()
    top = model(words()).top
    torch.testing.assert_close(
        model.logits(top), top @ model.embedding.weight.T + model.bias
    )
    assert sum(p.shape == (V, 8) for p in model.parameters()) == 1
    untied = small(tied=False)
    assert sum(p.shape == (V, 8) for p in untied.parameters()) == 2
    _, loss = untied(words(), words())
    loss.backward()
    assert untied.separate.grad.abs().sum() > 0


def test_reading_in_two_pieces_is_reading_at_once():
    model = small().eval()
    whole = model(words())
    first = model(words()[:, :4])
    second = model(words()[:, 4:], state=first.state)
    torch.testing.assert_close(whole.top[:, 4:], second.top)


def test_no_output_depends_on_a_later_word():
    model = small().eval()
    changed = words().clone()
    changed[:, 5:] = 7
    assert torch.equal(model(words()).top[:, :5], model(changed).top[:, :5])


def test_the_loss_is_the_mean_surprise_at_the_targets_that_count():
    model = small().eval()
    targets = words().roll(-1, dims=1)
    targets[0, 3:] = IGNORE
    _, loss = model(words(), targets)
    log_p = model.logits(model(words()).top).log_softmax(dim=2)
    by_hand = [
        -float(log_p[b, t, targets[b, t]].detach())
        for b in range(3)
        for t in range(9)
        if targets[b, t] != IGNORE
    ]
    assert loss.item() == pytest.approx(sum(by_hand) / len(by_hand), rel=1e-5)


# -- a memory --------------------------------------------------------------------------


def test_memory_goes_on_between_windows_but_gradients_do_not():
    model = small(dropped=0.0)
    reader = Remembering(model)
    reader.eval()
    reader(words()[:, :4], words()[:, 1:5])
    assert all(not h.requires_grad for h, _ in reader.state)
    second, _ = reader(words()[:, 4:8], words()[:, 5:9])
    torch.testing.assert_close(second.top, model(words()[:, :8]).top[:, 4:])


def test_memory_is_empty_after_a_change_of_mode_and_for_other_rows():
    reader = Remembering(small(dropped=0.0))
    fresh, _ = reader.eval()(words(), words())
    reader(words(), words())
    reader.train()
    again, _ = reader.eval()(words(), words())
    assert torch.equal(fresh.top, again.top)
    two, _ = reader(words()[:2], words()[:2])
    torch.testing.assert_close(two.top, fresh.top[:2])


def test_generated_text_has_the_models_own_words_and_follows_its_state():
    """The one-word continuations have the frequencies that the softmax says."""
    model = small()
    with torch.no_grad():
        model.embedding.weight.mul_(10)
    torch.manual_seed(0)
    found = [generate(model, [3, 5], 1)[0] for _ in range(2000)]
    drawn = np.bincount(found, minlength=V)
    logits = model.eval().logits(model(torch.tensor([[3, 5]])).top[0, -1])
    logits[0] = -torch.inf
    p = logits.softmax(dim=0).detach().numpy()
    error = np.sqrt(p * (1 - p) / 2000) + 1e-9
    assert drawn[0] == 0
    assert (np.abs(drawn / 2000 - p) < 5 * error + 1e-6).all()
    assert len(generate(model, [1], 12)) == 12


def test_at_temperature_0_the_likeliest_word_is_taken():
    model = small().eval()
    logits = model.logits(model(torch.tensor([[3, 5]])).top[0, -1])
    assert generate(model, [3, 5], 1, temperature=0) == [int(logits[1:].argmax()) + 1]


@pytest.mark.parametrize(
    ("ids", "temperature", "complaint"),
    [
        ([], 1.0, "nothing to go on from"),
        (["the", "cat"], 1.0, "words; give their numbers"),
        ([3], -1.0, "temperature is -1"),
        ([3], float("nan"), "temperature is nan"),
    ],
)
def test_what_cannot_be_continued_is_refused(ids, temperature, complaint):
    with pytest.raises(ValueError, match=complaint):
        generate(small(), ids, 2, temperature)
