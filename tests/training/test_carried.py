"""Training a biLM with its state carried on gives what plain reading would give."""

import numpy as np
import pytest
import torch
from tqdm import tqdm

from course_lib.models.bilm import BiLM, BiLMConfig, ProjectedLSTM
from course_lib.models.sampled_softmax import WordSoftmax, inclusion, sampled_loss
from course_lib.text.batches import IGNORE, Batches, Text, read_text
from course_lib.text.characters import char_table
from course_pretraining.carried import RunningText, Training, begin, sampled, widen
from course_pretraining.carried_layer import Layer


def some_documents(n: int = 30) -> list[list[list[str]]]:
    rng = np.random.default_rng(3)
    return [
        [[f"w{w}" for w in rng.integers(40, size=rng.integers(1, 9))] for _ in range(5)]
        for _ in range(n)
    ]


@pytest.fixture
def training() -> Training:
    """A small biLM over 30 documents, in single precision and without dropout."""
    documents = some_documents()
    text = read_text(documents, 16)
    counts = np.array([len(read_text([d], 16).starts) for d in documents])
    words = text.vocabulary(100)
    sizes = {"cells": 12, "projection": 8, "filters": [[1, 4], [2, 4]]}
    torch.manual_seed(0)
    model = BiLM(BiLMConfig(**sizes, samples=999, dropout=0.0), len(words))
    model.token_layer.requires_grad_(False)
    table = torch.from_numpy(char_table(text.words).astype(np.int64))
    running = RunningText(text, counts, words, length=16)
    made = Training([model], [running], [model.token_layer(table)], rows=4)
    made.dtype = torch.float32
    made.text, made.words = text, words
    return made


@pytest.mark.parametrize("clipped", [False, True])
def test_a_layer_is_two_projected_lstms_and_so_is_its_gradient(clipped):
    T, B, Q, D, P = 6, 3, 5, 11, 4
    torch.manual_seed(1)
    pair = [ProjectedLSTM(Q, D, P, 3.0) for _ in range(2)]
    if clipped:  # only h: where c is clipped, the two differ on purpose
        with torch.no_grad():
            for lstm in pair:
                lstm.project.weight *= 40
    parts = [p for lstm in pair for p in lstm.parameters()]
    x = torch.randn(T, 2, B, Q, requires_grad=True)
    keep = (torch.rand(T, 2, B, 1) < 0.7).float()  # elsewhere the states are emptied
    state, weights = (torch.randn(2, B, P), torch.randn(2, B, D)), torch.randn(2, B, P)

    def gradients(outputs):
        return torch.autograd.grad((outputs * weights).sum(), [x, *parts])

    def plain(direction: int) -> torch.Tensor:
        found, last = [], [s[direction] for s in state]
        for word, kept in zip(x[:, direction], keep[:, direction], strict=True):
            lstm, last = pair[direction], [s * kept for s in last]
            h, last = lstm.forward_with_state(word[:, None], last)
            found.append(h[:, 0])
        return torch.stack(found)

    wanted = torch.stack([plain(0), plain(1)], dim=1)  # (T, 2, B, P)
    inputs, past, project = (
        torch.stack([getattr(lstm, name).weight.T for lstm in pair])
        for name in ("from_input", "from_past", "project")
    )
    bias = torch.stack([lstm.from_input.bias for lstm in pair])
    both = torch.cat([inputs, past], dim=1)
    options = (*state, keep, 3.0, torch.float32)
    ours, _ = Layer.apply(x, both, bias, project, *options)
    assert bool((wanted.abs() == 3.0).any()) == clipped
    assert torch.allclose(ours, wanted, atol=1e-5)
    right = gradients(wanted)
    for one, other in zip(gradients(ours), right, strict=True):
        assert torch.allclose(one, other, atol=1e-5, rtol=1e-3)
    # Where the inputs do not learn, the weights learn the same.
    ours, _ = Layer.apply(x.detach(), both, bias, project, *options)
    found = torch.autograd.grad((ours * weights).sum(), parts)
    for one, other in zip(found, right[1:], strict=True):
        assert torch.allclose(one, other, atol=1e-5, rtol=1e-3)


def test_an_epoch_has_every_document_once_and_each_begins_empty(training):
    [running] = training.texts
    ids, empty = running.epoch(np.random.default_rng(0))
    assert len(ids) == running.n_tokens == sum(map(len, running.documents))
    for document in running.documents:
        place, rest = divmod(ids.tobytes().find(document.tobytes()), ids.itemsize)
        assert rest == 0 and empty[0, place] and empty[1, place + len(document) - 1]
    for direction, mark in enumerate((0, 1)):  # `<S>`, `</S>`
        assert (ids[empty[direction]] == mark).all()
        share = empty[direction].sum() / (ids == mark).sum()
        assert 0.2 < share < 0.4  # the first of five sentences, a tenth of the others


def test_rows_run_on_from_step_to_step_and_are_walked_both_ways(training):
    [running] = training.texts
    steps, batches = running.n_tokens // (4 * 16), running.batches(0, 4)
    ids, targets, keep = (
        torch.cat(part).permute(1, 2, 0).numpy()  # (2, B, T) of the whole epoch
        for part in zip(*(next(batches) for _ in range(steps)), strict=True)
    )
    wanted, empty = running.epoch(np.random.default_rng(0))
    n = ids[0].size
    assert (ids[0].ravel() == wanted[:n]).all()
    assert (ids[1] == ids[0][:, ::-1]).all()
    for way in (0, 1):
        follows = running.target_of[ids[way][:, 1:]]  # IGNORE where it is a mark
        assert (targets[way][:, :-1] == follows).all()
        assert not keep[way][:, 0].any()
        walked = empty[way, :n].reshape(4, -1)[:, :: 1 - 2 * way]
        assert (keep[way][:, 1:] == ~walked[:, 1:]).all()


def test_the_loss_from_empty_states_is_the_biLMs_own(training):
    rows = next(training.texts[0].batches(0, 4))[0][:, 0].T.numpy()  # (B, T)
    windows = 16 * np.arange(4), np.full(4, 16)
    text = Text(training.text.words, rows.ravel(), *windows)
    tokens, targets = Batches(text, training.words, rows=4).batch(np.arange(4))
    ids = torch.from_numpy(rows)
    ids, laid_out = (
        torch.stack([x.T, y.flip(1).T], dim=1) for x, y in ((ids, ids), targets)
    )
    keep = torch.ones(16, 2, 4)
    keep[0] = 0
    training.next(ids, laid_out, keep, rate=0.0)
    losses = training.models[0].eval()(tokens, targets)[1]
    n = (targets != IGNORE).sum(dim=(1, 2))
    own = (losses * n).sum() / n.sum()
    assert training.losses[0].item() == pytest.approx(own.item(), rel=1e-4)


def test_a_recorded_step_has_the_same_loss(training):
    states, targets = torch.randn(50, 8), torch.randint(len(training.words), (50,))
    targets[::3] = IGNORE
    plain = training.loss(0, states, targets)
    training.gpu = True
    training.sampling = [(len(training.words), torch.ones(len(training.words)))]
    recorded = training.loss(0, states, targets)
    assert recorded.item() == pytest.approx(plain.item(), rel=5e-3)  # bfloat16


def test_a_text_too_short_for_its_rows_says_so(training):
    with pytest.raises(ValueError, match="tokens are too few for 500 rows of 16"):
        next(training.texts[0].batches(0, 500))


def test_if_all_words_are_drawn_the_sampled_loss_is_exact():
    V, N, P = 20, 50, 6
    torch.manual_seed(0)
    softmax, states = WordSoftmax(P, V, 9), torch.randn(N, P)
    targets = torch.randint(V, (N,))
    exact = -softmax.log_prob(states)[torch.arange(N), targets]
    ours = sampled(softmax, V, torch.ones(V), states, targets)
    assert torch.allclose(ours, exact, atol=0.02)  # bfloat16


def test_a_sample_gives_the_estimate_of_course_lib():
    V, N, P, S = 200, 50, 6, 30
    torch.manual_seed(0)
    softmax, states = WordSoftmax(P, V, S), torch.randn(N, P)
    targets = torch.randint(V, (N,))
    torch.manual_seed(1)  # the same words are drawn
    wanted = sampled_loss(states, targets, softmax.weight, softmax.bias, S)
    torch.manual_seed(1)
    ours = sampled(softmax, S, inclusion(V, S), states, targets).mean()
    assert ours.item() == pytest.approx(wanted.item(), rel=2e-3)  # bfloat16


def test_a_row_goes_on_where_it_ended(training):
    batches = training.texts[0].batches(0, 4)
    stretches = [next(batches)[0], next(batches)[0]]
    keep = torch.ones(16, 2, 4)
    for ids in stretches:  # the states are empty when a training begins
        training.next(ids, torch.full_like(ids, 5), keep, rate=0.0)
    x = training.vectors[0][torch.cat(stretches)]  # (2 T, 2, B, P)
    model = training.models[0]
    for way, stack in enumerate((model.forward_stack, model.backward_stack)):
        wanted = stack[0].forward_with_state(x[:, way].transpose(0, 1))[1]
        for kept, state in zip(training.states[0], wanted, strict=True):
            assert torch.allclose(kept[way], state, atol=1e-5)


def test_a_loss_that_is_no_number_stops_the_training(training):
    with torch.no_grad():
        training.models[0].softmax.weight[0, 0] = float("nan")
    training.next(*next(training.texts[0].batches(0, 4)), rate=0.0)
    with pytest.raises(FloatingPointError, match="no number"):
        training.tell(tqdm(disable=True))


def test_ctrl_c_ends_a_training_and_keeps_what_was_learned(training, capsys):
    [running], [model] = training.texts, training.models
    before = model.softmax.bias.detach().clone()

    def batches(seed, rows):
        every = RunningText.batches(running, seed, rows)
        yield from (next(every) for _ in range(3))
        raise KeyboardInterrupt

    running.batches = batches
    training.run(minutes=60, rate=0.01)
    assert training.steps == 3 and "3 steps" in capsys.readouterr().out
    assert not model.training and not torch.equal(model.softmax.bias, before)


def test_two_models_read_together_learn_what_each_learns_alone():
    """Each has its own text, loss and gradient."""

    def some(seed: int):
        text = read_text(some_documents(seed), 16)
        words = text.vocabulary(100)
        torch.manual_seed(seed)
        sizes = {"cells": 12, "projection": 8, "filters": [[1, 4]], "samples": 999}
        model = BiLM(BiLMConfig(**sizes, dropout=0.0), len(words))
        counts = np.full(seed, 1)
        counts[-1] = len(text.starts) - counts[:-1].sum()
        return *begin(text, counts, model, words), model

    def trained(*seeds: int) -> list[BiLM]:
        texts, vectors, models = zip(*map(some, seeds), strict=True)
        training = Training(list(models), list(texts), list(vectors), rows=4)
        training.dtype = torch.float32
        batches = [text.batches(0, 4) for text in texts]
        for each in (zip(*map(next, batches), strict=True) for _ in range(5)):
            training.next(*(torch.cat(part, dim=1) for part in each), rate=0.01)
        return models

    together, alone = trained(20, 30), (*trained(20), *trained(30))
    for one, other in zip(together, alone, strict=True):
        for p, q in zip(one.parameters(), other.parameters(), strict=True):
            assert torch.allclose(p, q, atol=1e-5)


def test_a_wider_model_begins_with_the_same_states():
    model = BiLM(BiLMConfig(cells=12, projection=8, filters=[[1, 4]], samples=9), 50)
    wide = widen(model, 20).eval()
    text = read_text(some_documents(), 16)
    tokens, _ = Batches(text, text.vocabulary(50), rows=4).batch(np.arange(4))
    assert wide.config.cells == 20
    assert torch.allclose(wide(tokens), model.eval()(tokens), atol=1e-6)
