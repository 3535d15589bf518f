"""The training loop: it learns, it can be stopped at any moment, it measures fairly.

Run as a program, this file is the training run that a test kills.
"""

import itertools
import math
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from course_lib import data, training
from course_lib.models.awd_lstm import AWDLSTM, AWDConfig, Remembering
from course_lib.models.bilm import BiLM, BiLMConfig
from course_lib.text.batches import IGNORE, Batches, read_text
from course_lib.text.streams import Streams, vocabulary_of
from course_lib.text.vocabulary import UNK, Vocabulary
from course_lib.training import bf16_pays, device, loop, progress
from course_lib.training.loop import evaluate, train, triangle


class Unigram(nn.Module):
    """A language model that knows nothing but how frequent each word is."""

    def __init__(self, vocabulary_size: int):
        super().__init__()
        self.scores = nn.Parameter(torch.zeros(vocabulary_size))

    def forward(self, tokens, targets):
        log_p = self.scores.log_softmax(0)
        losses = [-log_p[y[y != IGNORE]].mean() for y in targets]
        return None, torch.stack(losses)


class Watched(Batches):
    """Batches that note what was asked for, and can do something before a step."""

    def __init__(self, *arguments, before=lambda step: None, **options):
        super().__init__(*arguments, **options)
        self.seen, self.before = [], before

    def batch(self, windows):
        self.before(len(self.seen))
        self.seen.append(windows)
        return super().batch(windows)


def real_text(n_sentences: int = 120):
    """Read sentences that ship with the course, ten a document."""
    sentences = [s.tokens for s in data.senses("en")[:n_sentences]]
    documents = [sentences[i : i + 10] for i in range(0, len(sentences), 10)]
    return read_text(documents, window=40)


def small_bilm(vocabulary_size: int, **options) -> BiLM:
    torch.manual_seed(0)
    sizes = {"cells": 12, "projection": 8, "filters": [[1, 4], [3, 8]], "char_size": 4}
    return BiLM(BiLMConfig(**{**sizes, "dropout": 0.3, **options}), vocabulary_size)


def train_small_bilm(folder, batches: type[Batches] = Batches, **options):
    """Train a small biLM for a fixed number of steps, nearly three epochs."""
    text = real_text()
    vocabulary = text.vocabulary(100)
    model = small_bilm(len(vocabulary))
    batches = batches(text, vocabulary, rows=3, seed=1, **options)
    assert 20 < len(batches) < 30
    run = train(model, batches, epochs=2.8, learning_rate=5e-3, folder=folder)
    return model, run


@pytest.fixture(scope="module")
def undisturbed():
    """Train it once from beginning to end, to compare with; nobody may change it."""
    return train_small_bilm(None)


def parameters(model: nn.Module) -> torch.Tensor:
    return nn.utils.parameters_to_vector(model.parameters()).detach().cpu().clone()


# -- it learns -------------------------------------------------------------------


def test_a_unigram_model_learns_the_frequencies_of_the_words():
    """Its best loss is known: the entropy of the words of the text."""
    text = real_text()
    vocabulary = text.vocabulary(50)
    counts = np.bincount(vocabulary.encode(text.words[i] for i in text.ids if i > 1))
    p = counts / counts.sum()
    entropy = -(p * np.log(p)).sum()
    model, batches = Unigram(len(vocabulary)), Batches(text, vocabulary, rows=8)
    before = evaluate(model, batches)
    assert before.tolist() == pytest.approx([math.log(50)] * 2)
    train(model, batches, epochs=30, learning_rate=0.1)
    after = evaluate(model, batches)
    assert (after > entropy - 1e-6).all(), "less than the entropy cannot be"
    assert (after < entropy + 0.02).all()


def test_a_bilm_learns(undisturbed):
    text = real_text()
    vocabulary = text.vocabulary(100)
    batches = Batches(text, vocabulary, rows=3)
    before = evaluate(small_bilm(len(vocabulary)), batches)
    model, _ = undisturbed
    assert (evaluate(model, batches) < before - 0.5).all()


def test_bfloat16_gives_nearly_the_same_losses():
    text = real_text(40)
    vocabulary = text.vocabulary(100)

    def losses(bf16: bool):
        batches = Batches(text, vocabulary, rows=3)
        model = small_bilm(len(vocabulary), dropout=0.0)
        train(model, batches, epochs=2, learning_rate=5e-3, bf16=bf16)
        return evaluate(model, batches)

    one, other = losses(True), losses(False)
    torch.testing.assert_close(one, other, rtol=0.02, atol=0)
    if device().type == "cpu":  # autocast does not know the pretended GPU
        assert not torch.equal(one, other), "bfloat16 was not used"


class Steep(Unigram):
    """The same, a thousand times as steep."""

    def forward(self, tokens, targets):
        return None, 1000 * super().forward(tokens, targets)[1]


class HalfPace(Batches):
    """Batches of which each is worth half a step."""

    def pace(self, step: int) -> float:
        return 0.5


@pytest.mark.parametrize(("kind", "pace"), [(Batches, 1.0), (HalfPace, 0.5)])
def test_no_step_is_longer_than_its_rate_and_the_pace_of_its_batch(kind, pace):
    text = read_text([[["a", "b", "a"]]])
    batches, model = kind(text, text.vocabulary(3), rows=1), Steep(3)
    assert len(batches) == 1
    before = parameters(model)
    sgd = torch.optim.SGD(model.parameters(), lr=0.5)
    train(model, batches, optimizer=sgd, schedule=lambda progress: 1.0)
    move = float((parameters(model) - before).norm())
    assert move == pytest.approx(0.5 * pace, rel=1e-4)  # the gradient was cut to 1


def test_a_run_counts_its_steps_and_words():
    text = real_text()
    batches = Watched(text, text.vocabulary(100), rows=8)
    run = train(Unigram(100), batches, epochs=2)
    assert run.step == len(batches.seen) == 2 * len(batches)
    assert run.tokens == 2 * text.n_tokens  # once for both directions
    assert run.seconds > 0
    tens = range(10, run.step + 1, 10)
    assert [step for step, _ in run.losses] == [1, *tens]  # a curve has a beginning


def test_each_epoch_sees_every_window_once_in_another_order():
    text = real_text()
    batches = Watched(text, text.vocabulary(100), rows=8)
    train(Unigram(100), batches, epochs=2)
    first, second = (
        np.concatenate(batches.seen[i : i + len(batches)]) for i in (0, len(batches))
    )
    assert sorted(first) == sorted(second) == list(range(len(text.starts)))
    assert first.tolist() != second.tolist()


@pytest.mark.parametrize(
    ("limits", "share"), [({"epochs": 0.5}, 0.5), ({"minutes": 0.0}, 0), ({}, 1)]
)
def test_it_stops_when_the_epochs_or_the_minutes_are_over(limits, share):
    text = real_text()
    batches = Batches(text, text.vocabulary(100), rows=1)
    run = train(Unigram(100), batches, **limits)
    assert run.step == math.ceil(share * len(batches))


def test_the_minutes_end_a_run_of_many_epochs():
    text = real_text(20)
    batches = Batches(text, text.vocabulary(50), rows=8)
    run = train(Unigram(50), batches, epochs=1e6, minutes=0.2 / 60)
    assert 0 < run.step < 1e6
    assert run.seconds >= 0.2


def test_a_run_depends_on_nothing_but_its_seeds(undisturbed):
    again, _ = train_small_bilm(None)
    assert not again.training, "dropout is still on"
    torch.testing.assert_close(parameters(again), parameters(undisturbed[0]))


# -- the learning rate -------------------------------------------------------------


@pytest.mark.no_gpu
def test_the_triangle_rises_fast_and_falls_slowly():
    assert triangle(0.0) == triangle(1.0) == 0.0
    assert triangle(0.05) == 1.0
    assert triangle(0.025) == pytest.approx(0.5)  # half-way up
    assert triangle(0.525) == pytest.approx(0.5)  # half-way down
    assert triangle(0.5, warm_up=0.5) == 1.0


@pytest.mark.no_gpu
@given(st.floats(0, 1), st.floats(0, 1), st.floats(0.01, 0.99))
def test_the_triangle_has_one_top(one, other, warm_up):
    low, high = sorted((one, other))
    rates = triangle(low, warm_up), triangle(high, warm_up)
    assert all(0 <= rate <= 1 for rate in rates)
    if high <= warm_up:
        assert rates[0] <= rates[1]
    if low >= warm_up:
        assert rates[0] >= rates[1]


@pytest.mark.parametrize("n_steps", [1, 2, 40])
def test_every_step_of_a_run_changes_the_model(n_steps):
    """Also the first and the last: the rate is zero only before and after them."""
    text = read_text([[["a", "b", "a"]], [["a", "c"]]])
    model, states = Unigram(4), []
    batches = Watched(
        text, text.vocabulary(4), 2, before=lambda _: states.append(parameters(model))
    )
    train(model, batches, epochs=n_steps)
    states.append(parameters(model))
    moves = [float((b - a).norm()) for a, b in zip(states, states[1:], strict=False)]
    assert len(moves) == n_steps
    assert all(move > 0 for move in moves)
    assert n_steps < 40 or max(moves) in moves[1:4]  # one twentieth of the way


# -- stopped and gone on -------------------------------------------------------------


@pytest.mark.no_gpu  # another process is not told of it
def test_killed_and_run_again_it_ends_as_if_nothing_had_happened(tmp_path, undisturbed):
    """kill -9 while it trains; then the same command once more."""
    command = [sys.executable, __file__, str(tmp_path)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 120
    while not (tmp_path / "state.pt").exists():
        assert process.poll() is None, "it ended before it wrote a state"
        assert time.monotonic() < end, "no state was written in two minutes"
        time.sleep(0.01)
    process.kill()
    assert process.wait() != 0, "it was at its end before the signal came"
    killed = torch.load(tmp_path / "state.pt", weights_only=True)["run"]

    subprocess.run(command, stderr=subprocess.DEVNULL, check=True)
    resumed = torch.load(tmp_path / "state.pt", weights_only=True)
    model, whole = undisturbed
    assert 0 < killed["step"] < whole.step
    run = resumed["run"]
    assert (run["step"], run["tokens"]) == (whole.step, whole.tokens)
    assert np.array(run["losses"]) == pytest.approx(np.array(whole.losses))
    for name, weights in model.state_dict().items():
        torch.testing.assert_close(resumed["model"][name], weights)


def test_a_finished_run_is_not_run_again(tmp_path):
    """Nor does it mind the scrap that a kill leaves while a state is written."""
    text = real_text(30)
    batches = Watched(text, text.vocabulary(50), rows=2)
    model, again = Unigram(50), Unigram(50)
    run = train(model, batches, folder=tmp_path)
    (tmp_path / "state.pt.part").write_bytes(b"PK\x03\x04 half a state")
    batches.before = pytest.fail
    same = train(again, batches, folder=tmp_path)
    assert (same.step, same.losses) == (run.step, run.losses)
    assert torch.equal(parameters(again), parameters(model))


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_a_damaged_state_names_itself_and_the_cure(share, tmp_path):
    text = real_text(30)
    batches, path = Batches(text, text.vocabulary(50), rows=2), tmp_path / "state.pt"
    train(Unigram(50), batches, folder=tmp_path)
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    with pytest.raises(ValueError, match=r"state\.pt is damaged.*delete it to begin"):
        train(Unigram(50), batches, folder=tmp_path)


def test_a_full_disk_keeps_the_state_that_was_there(tmp_path, full_disk):
    text = real_text(30)
    batches, path = Batches(text, text.vocabulary(50), rows=2), tmp_path / "state.pt"
    train(Unigram(50), batches, folder=tmp_path)
    before = path.read_bytes()
    with full_disk(500), pytest.raises(OSError, match=r"No space .* state\.pt takes"):
        train(Unigram(50), batches, epochs=2, folder=tmp_path)
    assert [p.read_bytes() for p in tmp_path.iterdir()] == [before]


def test_the_state_is_written_when_it_is_time(tmp_path, monkeypatch):
    """Every 30 seconds as a rule; here after every step."""
    assert progress.SAVE_EVERY <= 60, "a kill should not lose more than a minute"
    monkeypatch.setattr(progress, "SAVE_EVERY", 0.0)
    steps = []

    def look(step):
        if step:
            state = torch.load(tmp_path / "state.pt", weights_only=True)
            steps.append((step, state["run"]["step"]))

    text = real_text(30)
    batches = Watched(text, text.vocabulary(50), rows=2, before=look)
    train(Unigram(50), batches, folder=tmp_path)
    assert len(steps) > 2
    assert all(done == saved for done, saved in steps)


def test_without_a_folder_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(progress, "SAVE_EVERY", 0.0)
    text = real_text(30)
    train(Unigram(50), Batches(text, text.vocabulary(50), rows=2))
    assert not list(tmp_path.iterdir())


def interrupt(step: int) -> None:
    """Press Ctrl-C in step 30."""
    if step == 30:
        signal.raise_signal(signal.SIGINT)


@pytest.fixture
def ctrl_c():
    """Let Ctrl-C interrupt: what a shell runs in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_stops_the_cell_and_leaves_a_state_to_go_on_from(tmp_path, undisturbed):
    with pytest.raises(KeyboardInterrupt):
        train_small_bilm(tmp_path, batches=Watched, before=interrupt)
    state = torch.load(tmp_path / "state.pt", weights_only=True)
    assert state["run"]["step"] == 30

    resumed, run = train_small_bilm(tmp_path)
    model, whole = undisturbed
    assert run.step == whole.step
    assert np.array(run.losses) == pytest.approx(np.array(whole.losses))
    torch.testing.assert_close(parameters(resumed), parameters(model))


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_within_a_step_waits_for_its_end(tmp_path, undisturbed, monkeypatch):
    """The parameters have moved, the count of steps has not: that is half a step."""
    whole, taken = loop.step, itertools.count(1)

    def press(*given):
        told = whole(*given)
        if next(taken) == 30:
            signal.raise_signal(signal.SIGINT)
        return told

    monkeypatch.setattr(loop, "step", press)
    with pytest.raises(KeyboardInterrupt):
        train_small_bilm(tmp_path)
    resumed, run = train_small_bilm(tmp_path)
    assert run.step == undisturbed[1].step
    torch.testing.assert_close(parameters(resumed), parameters(undisturbed[0]))


def test_other_errors_are_not_swallowed():
    def fail(step):
        raise ZeroDivisionError

    text = real_text(20)
    with pytest.raises(ZeroDivisionError):
        train(Unigram(50), Watched(text, text.vocabulary(50), rows=2, before=fail))


# -- the progress bar does not stop a run ------------------------------------------


def test_a_clock_too_coarse_for_one_step(monkeypatch):
    """Some systems' clocks move every 16 ms: the first steps take no time at all."""
    monkeypatch.setattr(time, "monotonic", lambda: 5.0)
    text = real_text(20)
    run = train(Unigram(50), Batches(text, text.vocabulary(50), rows=2))
    assert run.step > 0
    assert run.seconds == 0


def test_a_run_that_diverges_goes_on():
    """e to the loss may be more than a number can hold; the bar only shows it."""
    text = real_text(20)
    batches = Batches(text, text.vocabulary(50), rows=2)
    run = train(Unigram(50), batches, epochs=3, learning_rate=1e5)
    assert run.step == 3 * len(batches)


# -- it measures fairly ----------------------------------------------------------------


@pytest.mark.parametrize("rows", [1, 3, 1000])
def test_every_word_weighs_the_same_however_the_text_is_batched(rows):
    """Windows of 1 to 12 words: averaging over batches would overweight the short."""
    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(9)]
    documents = [[list(rng.choice(words, n))] for n in range(1, 13)]
    text, vocabulary = read_text(documents), Vocabulary([UNK, *words])
    model = small_bilm(len(vocabulary)).double()
    total = torch.zeros(2, dtype=torch.float64)
    with torch.no_grad():
        model.eval()
        for window in Batches(text, vocabulary, rows=1):
            n = int((window[1][0] != IGNORE).sum())
            total += n * model(*window)[1]
    found = evaluate(model, Batches(text, vocabulary, rows=rows))
    torch.testing.assert_close(found, total / text.n_tokens)


def test_measuring_changes_nothing():
    text = real_text(30)
    vocabulary = text.vocabulary(50)
    model = small_bilm(len(vocabulary), dropout=0.5).train()
    before, batches = parameters(model), Batches(text, vocabulary, rows=4)
    one, other = evaluate(model, batches), evaluate(model, batches)
    assert torch.equal(one, other), "dropout is on"
    assert torch.equal(parameters(model), before)
    assert not one.requires_grad


@pytest.mark.parametrize("training", [True, False])
def test_measuring_gives_back_the_mode_that_it_found(training):
    """A run that is measured on the way goes on with dropout; a frozen part without."""
    text = real_text(30)
    vocabulary = text.vocabulary(50)
    model = small_bilm(len(vocabulary)).train(training)
    model.token_layer.eval()
    evaluate(model, Batches(text, vocabulary, rows=4))
    assert model.training is model.dropout.training is training
    assert not model.token_layer.training


class Noted(Remembering):
    """An AWD-LSTM that notes whether it remembers anything when it is called."""

    def forward(self, tokens, targets):
        self.remembers = [*getattr(self, "remembers", []), self.state is not None]
        return super().forward(tokens, targets)


@pytest.mark.parametrize("measured", [False, True])
def test_a_model_that_remembers_goes_on_from_window_to_window(measured):
    """Its memory is lost only where it has read something else in between."""
    text = read_text([[["a", "b", "c", "a"]] * 200], window=10**9)
    vocabulary = vocabulary_of(text, 6)
    sizes = AWDConfig(embedding=4, hidden=6, layers=2)
    model = Noted(AWDLSTM(sizes, len(vocabulary)))
    streams = Streams(text, vocabulary, rows=2)
    steps = len(streams)
    assert steps > 3

    def look(epoch: int) -> None:
        if measured and epoch == 1:
            evaluate(model, streams)
            assert model.training

    train(model, streams, epochs=2, at_epoch=look)
    calls = model.remembers
    first, second = calls[:steps], calls[-steps:]
    assert first == [False] + [True] * (steps - 1)
    assert second == [not measured] + [True] * (steps - 1)


def test_a_run_that_is_measured_at_every_epoch_is_the_same_run():
    """Whatever `at_epoch` leaves behind, dropout is on when training goes on."""

    def trained(look) -> torch.Tensor:
        text = real_text(30)
        vocabulary = text.vocabulary(50)
        model = small_bilm(len(vocabulary), dropout=0.5)
        batches = Batches(text, vocabulary, rows=4)
        train(model, batches, epochs=3, at_epoch=lambda _: look(model, batches))
        return parameters(model)

    alone = trained(lambda model, batches: None)
    assert torch.equal(trained(evaluate), alone)
    assert torch.equal(trained(lambda model, batches: model.eval()), alone)


def test_held_out_text_is_measured_in_the_training_vocabulary():
    """Words that training never saw count, as <unk>: here they are all of them."""
    vocabulary = real_text().vocabulary(50)
    held_out = read_text([[["qwx", "zzt", "vvk"]]])
    model = Unigram(50)
    with torch.no_grad():
        model.scores[0] = 2.0
    found = evaluate(model, Batches(held_out, vocabulary, rows=1))
    expected = F.cross_entropy(model.scores.detach(), torch.tensor(0))
    assert found.tolist() == pytest.approx([float(expected)] * 2)


@pytest.mark.parametrize("refuses", [False, True])
def test_bfloat16_pays_only_where_an_lstm_can_be_trained_in_it(refuses, monkeypatch):
    """Some processors multiply in it, quickly, and then refuse an LSTM."""

    def forward(self, x):
        if refuses:
            raise RuntimeError("could not create a primitive descriptor for the LSTM")
        return x @ self.weight_ih_l0.T, None

    monkeypatch.setattr(training, "matmul_seconds", lambda dtype, times: dtype.itemsize)
    monkeypatch.setattr(nn.LSTM, "forward", forward)
    before = torch.get_rng_state()
    assert bf16_pays() is not refuses
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.no_gpu
def test_where_bfloat16_is_emulated_one_look_is_enough(monkeypatch):
    """There a product takes 80 times as long, and every fine-tuning asks."""
    looks = []

    def seconds(dtype, times):
        looks.append(dtype)
        return 1.0 if dtype == torch.float32 else 80.0

    monkeypatch.setattr(training, "matmul_seconds", seconds)
    assert not bf16_pays()
    assert looks == [torch.float32, torch.bfloat16]


if __name__ == "__main__":
    progress.SAVE_EVERY = 0.0
    pause = {"batches": Watched, "before": lambda step: time.sleep(0.02)}
    train_small_bilm(Path(sys.argv[1]), **pause)
