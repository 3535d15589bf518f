"""The experiments on BERT: what they draw, and how their rules judge made-up rows."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from course_claims.experiments import bert, tiny_bert
from course_claims.experiments.tiny_bert import (
    ABLATED,
    POLICIES,
    SMALL,
    TWIN,
    UNTRAINED,
    Pretraining,
)
from course_lib import kept
from course_lib.models.bert import segments
from course_lib.text.batches import IGNORE
from course_lib.text.pieces import CLS, SEP, PieceText


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path_factory):
    """Keep what is pre-trained here apart from the course's own."""
    monkeypatch.setenv("COURSE_CACHE", str(tmp_path_factory.mktemp("cache")))


@pytest.mark.parametrize("key", bert.EXPERIMENTS)
def test_every_experiment_runs_in_a_small_version(key, quick):
    rows = quick(key)
    assert len({(r["model"], r["condition"], r["metric"]) for r in rows}) == len(rows)
    for row in rows:
        assert set(row) == {"model", "condition", "metric", "value"}
        assert 0 <= row["value"] <= (1e4 if row["metric"] == "perplexity" else 1)


def test_pretraining_is_done_once_and_kept(monkeypatch):
    setting = tiny_bert.town(SMALL)
    first = tiny_bert.pretrained(setting, SMALL, Pretraining())
    monkeypatch.setattr(tiny_bert, "train", lambda *_, **__: pytest.fail("again"))
    again = tiny_bert.pretrained(setting, SMALL, Pretraining())
    for a, b in zip(first.parameters(), again.parameters(), strict=True):
        assert np.array_equal(a.detach(), b.detach())
    with pytest.raises(pytest.fail.Exception):
        tiny_bert.pretrained(setting, SMALL, Pretraining(start=1))


def test_a_bert_that_was_interrupted_is_trained_anew(ctrl_c_in_step_3):
    setting = tiny_bert.town(SMALL)
    with ctrl_c_in_step_3():
        tiny_bert.pretrained(setting, SMALL, Pretraining())
    assert not list(kept.home().rglob("*.*"))


def test_left_to_right_is_pretrained_as_a_causal_model():
    setting = tiny_bert.town(SMALL)
    for name, way in (POLICIES | ABLATED).items():
        model = tiny_bert.blank(setting, SMALL, way.start, causal=way.masking is None)
        assert model.config.causal == name.startswith("left to right")


def test_a_pretraining_whose_loss_rises_is_an_error(monkeypatch):
    falling, jump = [5.0, 4.0, 3.0, 2.0, 1.9], [5.0, 4.0, 3.0, 2.0, 4.5]
    assert not tiny_bert.loss_rose([x for x in falling for _ in range(8)])
    assert tiny_bert.loss_rose([x for x in jump for _ in range(8)])
    # At rest for most of the way, then with steps far too long: worse than a guess, on
    # any machine. (From such steps at the start, the loss may recover.)
    late = functools.partial(tiny_bert.train, schedule=lambda done: float(done > 0.7))
    monkeypatch.setattr(tiny_bert, "train", late)
    monkeypatch.setattr(tiny_bert, "RATE_OF_READING", 10.0)
    with pytest.raises(RuntimeError, match="needs a lower rate"):
        tiny_bert.pretrained(
            tiny_bert.town(SMALL), SMALL._replace(steps=120), Pretraining()
        )


def right(task: bert.RowTask) -> list:
    """Return what is right, by name: tags that no example has are not numbered."""
    names = {k: name for k, name in enumerate(task.classes)}
    return [
        [names.get(y) for y in of] if isinstance(of, list) else names[of]
        for of in task.right
    ]


@pytest.mark.parametrize("name", ["chunks", "sentiment", "questions", "same document"])
def test_a_task_is_drawn_by_the_seed_and_asked_alike(name):
    setting = tiny_bert.town(SMALL)
    one, again, other = (bert.prepare(setting, name, SMALL, seed) for seed in (1, 1, 2))
    assert one.rows == again.rows and one.targets == again.targets
    assert one.asked == other.asked and right(one) == right(other)
    assert one.rows != other.rows
    assert len(one.asked) == SMALL.asked
    pairs = name in ("questions", "same document")
    for row in one.rows + one.asked:
        assert row[0] == CLS and row[-1] == SEP and len(row) <= tiny_bert.CONTEXT
        assert row.count(SEP) == 1 + pairs


def test_pairs_of_one_document_are_no_neighbours_and_halves_do_not_meet():
    """Pieces are numbered by document and sentence, so that a pair shows its origin."""
    sizes, ids, sentences, documents = [6, 5, 3, 7, 4, 5], [], [0], [0]
    for d, n in enumerate(sizes):
        for s in range(n):
            ids += [1000 * (d + 1) + 10 * s] * 3
            sentences.append(len(ids))
        documents.append(len(sentences) - 1)
    text = PieceText(*map(np.array, (ids, sentences, documents)), n_words=len(ids))
    train, asked = bert.same_document(text, SMALL, seed=1)
    origins = []
    for part in (train, asked):
        labels = {label for _, label in part}
        assert labels == {"same", "different"}
        for row, label in part:
            (a, b) = (row[1], row[row.index(SEP) + 1])
            same = a // 1000 == b // 1000
            assert same == (label == "same")
            assert not (same and abs(a - b) <= 10)
        origins.append({piece // 1000 for row, _ in part for piece in row} - {0})
    assert not origins[0] & origins[1]


def test_a_score_counts_first_pieces_only():
    tags = ["B-NP", "I-NP", "O"]
    right = [[IGNORE, 0, IGNORE, 1, 2, IGNORE]]
    task = bert.RowTask("chunks", tags, [], [], [[]], right)
    assert bert.score(task, [np.array([9, 0, 2, 1, 2, 9])]) == 1
    assert bert.score(task, [np.array([9, 0, 0, 2, 2, 9])]) == 0
    classes = bert.RowTask("pairs", ["a", "b"], [], [], [[]] * 4, [0, 1, 1, 0])
    assert bert.score(classes, [0, 1, 0, 0]) == 0.75


def test_the_layers_side_by_side_and_their_sum():
    x = np.arange(5 * 2 * 3, dtype=float).reshape(5, 2, 3)  # (L+1, N, D)
    last = bert.PICKS["last four side by side"](x)
    assert last.shape == (2, 12)
    assert np.array_equal(last[:, -3:], x[-1]) and np.array_equal(last[:, :3], x[1])
    assert np.array_equal(bert.PICKS["sum of the last four"](x), x[1:].sum(axis=0))


# -- the rules -------------------------------------------------------------------------

NOISE = [0.0, 0.001, -0.001, 0.0005, -0.0005]


def rows_of(
    scores: dict[str, dict[str, float]], nsp: float = 0.8, scale: float = 1.0
) -> list[dict]:
    """Make five seeds of {condition: {model: score}}, with more and more noise."""
    found = []
    for seed, noise in enumerate(NOISE):
        for condition, of in scores.items():
            for k, (model, value) in enumerate(of.items()):
                about = {"seed": seed, "model": model, "condition": condition}
                found.append(
                    about
                    | {"metric": "score", "value": value + (k + 1) * scale * noise}
                )
        about = {
            "seed": seed,
            "model": tiny_bert.STANDARD_BERT,
            "condition": "held out",
        }
        found.append(about | {"metric": "NSP", "value": nsp})
    return found


def table(condition: str, untrained: float = 0.5, twin: float = 0.7, **others: float):
    of = {tiny_bert.STANDARD_BERT: 0.7, TWIN: twin, UNTRAINED: untrained}
    return {condition: of | others}


def masked(condition: str, other: float, **options):
    return table(condition, **options, **dict.fromkeys(POLICIES.keys() - TWINS, other))


TWINS = tiny_bert.TWINS.keys()


def ablated(scores: list[tuple[float, float]]) -> dict:
    found = {}
    for k, (no_nsp, left) in enumerate(scores):
        others = {"no NSP": no_nsp, "left to right, no NSP": left}
        found |= table(f"task{k}, fine-tuned", **others)
    return found


def features(tuned: float, concat: float, last: float, scale=1.0) -> list[dict]:
    of = {"last four side by side": concat, "last": last}
    return [
        *rows_of({"frozen": of}),
        *rows_of({"fine-tuned": {"fine-tuned": tuned}}, scale=scale),
    ]


def test_rows_of_pairs_have_two_segments():
    import torch

    setting = tiny_bert.town(SMALL)
    task = bert.prepare(setting, "questions", SMALL, 1)
    numbers = segments(torch.tensor([task.rows[0]]))[0].tolist()
    cut = task.rows[0].index(SEP)
    assert numbers == [0] * (cut + 1) + [1] * (len(task.rows[0]) - cut - 1)
