"""GPT: it never looks ahead; its four kinds of inputs are those of the paper."""

from __future__ import annotations

import math

import pytest
import torch
from torch.nn import functional as F

from course_claims.labelled_rows import LabelledRows
from course_lib.models import gpt
from course_lib.models.gpt import (
    GPT,
    GPTClassifier,
    GPTConfig,
    classification,
    entailment,
    generate,
    multiple_choice,
    predict,
    shortened,
    similarity,
)
from course_lib.text.batches import IGNORE
from course_lib.text.pieces import (
    DELIM,
    END,
    EXTRACT,
    MARKS,
    PAD,
    START,
    pad,
)
from course_lib.training.loop import train

V, T = 40, 12
S, D, E = START, DELIM, EXTRACT


def small(**changes) -> GPT:
    torch.manual_seed(0)
    sizes = {"layers": 2, "dimension": 16, "heads": 4, "context": T}
    return GPT(GPTConfig(**{**sizes, **changes}), V)


def pieces(rows: int = 3, steps: int = T) -> torch.Tensor:
    generator = torch.Generator().manual_seed(1)
    return torch.randint(len(MARKS), V, (rows, steps), generator=generator)


# -- a language model ------------------------------------------------------------------


@pytest.mark.parametrize("where", [1, 5, T - 1])
def test_a_later_piece_never_changes_an_earlier_vector(where):
    """Exactly: not by a rounding error."""
    model, tokens = small().eval(), pieces()
    changed = tokens.clone()
    changed[:, where] = (changed[:, where] - len(MARKS) + 1) % (V - len(MARKS))
    changed[:, where] += len(MARKS)
    before, after = model(tokens), model(changed)
    assert torch.equal(before[:, :where], after[:, :where])
    assert not torch.equal(before[:, where], after[:, where])


def leaks(model: GPT) -> bool:
    """Say whether a vector has a gradient from a later piece."""
    x = torch.randn(1, T, 16, requires_grad=True)
    some = torch.randn(16)
    for t in range(T - 1):
        (gradient,) = torch.autograd.grad(model.transformer(x)[0][0, t] @ some, x)
        if (gradient[0, t + 1 :] != 0).any():
            return True
    return False


def test_a_piece_and_its_place_make_an_input():
    model, tokens = small().eval(), pieces()
    x = model.embedding(tokens) + model.position.weight  # (B, T, D): T is the context
    torch.testing.assert_close(model(tokens), model.transformer(x)[0])


def test_the_gradient_finds_a_leak():
    model = small().eval()
    assert not leaks(model)
    model.transformer.causal = False
    assert leaks(model)


def test_the_loss_is_that_of_the_targets():
    model, tokens = small(), pieces()
    torch.nn.init.normal_(model.bias)  # at 0, a softmax without it would look right
    targets = tokens.roll(-1, dims=1)
    targets[0, 3:] = IGNORE
    h, loss = model(tokens, targets)
    expected = F.cross_entropy(model.logits(h).flatten(0, 1), targets.flatten())
    assert loss.shape == (1,)
    torch.testing.assert_close(loss[0], expected)


def test_an_untrained_model_guesses_evenly():
    _, loss = small()(pieces(30), pieces(30).roll(7))
    assert loss.item() == pytest.approx(math.log(V), abs=0.1)


def test_a_sampled_softmax_is_used_in_training_only():
    """With as many samples as pieces it is the whole softmax."""
    tokens = pieces()
    torch.manual_seed(2)
    sampled, whole, few = small(samples=V), small(), small(samples=5)
    for model in (sampled, whole, few):
        model.bias.data = torch.linspace(-1, 1, V)
    torch.testing.assert_close(sampled(tokens, tokens)[1], whole(tokens, tokens)[1])
    assert not torch.equal(few(tokens, tokens)[1], whole(tokens, tokens)[1])
    torch.testing.assert_close(few.eval()(tokens, tokens)[1], whole(tokens, tokens)[1])


def test_it_learns_a_text_by_heart():
    torch.manual_seed(0)
    model, tokens = small(dropout=0.0), pieces(rows=2)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(150):
        optimizer.zero_grad()
        loss = model(tokens[:, :-1], tokens[:, 1:])[1]
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.5 < math.log(V)
    start, rest = tokens[1, :2].tolist(), tokens[1, 2:].tolist()
    assert generate(model, start, len(rest), temperature=0.01) == rest


def test_a_row_that_is_too_long_is_refused():
    with pytest.raises(ValueError, match="13 pieces, but this model has learned 12"):
        small()(pieces(steps=13))


def test_a_row_without_its_batch_is_refused():
    with pytest.raises(ValueError, match=r"give \(B, T\): of a row, row\[None\]"):
        small()(pieces()[0])


def test_generating_goes_on_beyond_the_context_without_strange_marks():
    torch.manual_seed(0)
    found = generate(small(), [START], 3 * T, temperature=5.0)
    assert len(found) == 3 * T
    assert not {i for i in found if i < len(MARKS)} - {START, END}


def test_at_temperature_0_the_likeliest_piece_is_taken():
    model = small().eval()
    row = torch.tensor([[START, 20]])
    logits = model.logits(model(row)[0, -1])
    logits[[i for i in range(len(MARKS)) if i not in (START, END)]] = -torch.inf
    assert generate(model, [START, 20], 1, temperature=0) == [int(logits.argmax())]


@pytest.mark.parametrize(
    ("ids", "temperature", "complaint"),
    [([], 1.0, "nothing to go on from"), ([START], -1.0, "temperature is -1")],
)
def test_what_cannot_be_continued_is_refused(ids, temperature, complaint):
    with pytest.raises(ValueError, match=complaint):
        generate(small(), ids, 2, temperature)


# -- four kinds of inputs --------------------------------------------------------------


def test_classification():
    assert classification([11, 12]) == [[S, 11, 12, E]]


def test_entailment():
    assert entailment([11, 12], [13]) == [[S, 11, 12, D, 13, E]]


def test_similarity_has_both_orders():
    assert similarity([11], [12, 13]) == [[S, 11, D, 12, 13, E], [S, 12, 13, D, 11, E]]


def test_multiple_choice_has_a_row_for_each_answer():
    rows = multiple_choice([10, 11], [[12], [13, 14], [15]])
    assert rows == [
        [S, 10, 11, D, 12, E],
        [S, 10, 11, D, 13, 14, E],
        [S, 10, 11, D, 15, E],
    ]


def test_the_longest_text_is_shortened_first():
    assert shortened([[1, 2, 3, 4, 5], [6, 7]], 5) == [[1, 2, 3], [6, 7]]
    assert shortened([[1, 2], [3]], 5) == [[1, 2], [3]]
    long = [1, 2, 3]
    shortened([long], 1)
    assert long == [1, 2, 3], "the caller's text is left alone"


# -- a task ----------------------------------------------------------------------------


def test_scores_do_not_depend_on_padding():
    model = GPTClassifier(small(), n_classes=3).eval()
    short, long = [[S, 11, E]], [[S, 11, 12, 13, 14, E]]
    together, alone = model(pad([short, long])), model(pad([short]))
    torch.testing.assert_close(together[:1], alone)


def test_similarity_is_symmetric():
    """Exactly what the two orders are for; as an entailment it is not symmetric."""
    model = GPTClassifier(small()).eval()
    one, other = [11, 12, 13], [14, 15]

    def score(write, a, b):
        return model(pad([write(a, b)]))

    for write, alike in ((similarity, True), (entailment, False)):
        scores = score(write, one, other), score(write, other, one)
        assert torch.allclose(*scores, atol=1e-6) == alike


@torch.no_grad()
def test_the_vectors_of_both_orders_are_added():
    model = GPTClassifier(small()).eval()
    torch.nn.init.normal_(model.head.weight)
    one, other = [11, 12, 13], [14, 15]
    both = model(pad([similarity(one, other)]))
    each = [model(pad([entailment(*p)])) for p in ((one, other), (other, one))]
    # The head is linear; its bias, 0 here, would be in both.
    torch.testing.assert_close(both, each[0] + each[1])


def test_a_choice_scores_each_answer_alone():
    """Permuted answers have permuted scores, and there may be any number of them."""
    model = GPTClassifier(small(), choice=True).eval()
    answers = [[11], [12, 13], [14]]
    scores = model(pad([multiple_choice([20, 21], answers)]))
    again = model(pad([multiple_choice([20, 21], answers[::-1])]))
    assert scores.shape == (1, 3)
    torch.testing.assert_close(again, scores.flip(1))


def test_what_is_lowered_is_the_task_and_a_share_of_the_language_model():
    """L3 = L2 + λ L1."""
    model = GPTClassifier(small(), lm_weight=0.25)
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    tokens = pad([classification([11, 12]), classification([13])])
    (logits, penalty), losses = model(tokens, torch.tensor([0, 1]))
    torch.testing.assert_close(losses[0], F.cross_entropy(logits, torch.tensor([0, 1])))
    rows = tokens[:, 0]
    following = rows[:, 1:].masked_fill(rows[:, 1:] == PAD, IGNORE)
    assert (following != IGNORE).sum() == 3 + 2
    expected = model.encoder(rows[:, :-1], following)[1][0]
    torch.testing.assert_close(penalty, 0.25 * expected)


@pytest.mark.parametrize("weight", [0.0, 0.5])
def test_only_in_training_is_there_an_auxiliary_loss(weight):
    model = GPTClassifier(small(), lm_weight=weight)
    batch = pad([classification([11, 12])]), torch.tensor([0])
    assert (model(*batch)[0].penalty > 0) == (weight > 0)
    assert model.eval()(*batch)[0].penalty == 0


def test_a_small_task_is_learned():
    """Is there a piece 20 in the text?"""
    torch.manual_seed(0)
    texts = [row.tolist() for row in pieces(64, 6)]
    for i, text in enumerate(texts):
        text[:] = [21 if piece == 20 else piece for piece in text]
        if i % 2:
            text[i % 6] = 20
    examples, labels = [classification(t) for t in texts], [i % 2 for i in range(64)]
    model = GPTClassifier(small(), lm_weight=0.0)
    train(model, LabelledRows(examples, labels), epochs=20, learning_rate=5e-3)
    probabilities = predict(model, examples, rows=10)
    assert probabilities.shape == (64, 2)
    assert (probabilities.argmax(dim=1) == torch.tensor(labels)).float().mean() > 0.9


def test_the_marks_of_the_inputs_are_the_vocabularys():
    assert [MARKS[i] for i in (S, D, E)] == ["<S>", "<DELIM>", "<EXTRACT>"]
    assert gpt.PAD == 0, "rows are padded with it"


def test_a_row_cut_before_its_extract_is_refused():
    """Without the check its class would be read off at place 0, which has seen <S>."""
    model = GPTClassifier(small()).eval()
    whole, cut_off = [[S, 11, E]], [[S, 11, 12]]
    with pytest.raises(ValueError, match="no <EXTRACT>"):
        model(pad([whole, cut_off]))


def test_no_room_leaves_no_text():
    assert shortened([[1, 2], [3]], -1) == [[], []]
