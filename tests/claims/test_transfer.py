"""The transfer experiments: nothing leaks, all get the same, the rules are kept."""

from __future__ import annotations

import pytest
import torch

from course_claims import digits
from course_claims.experiments import transfer
from course_claims.experiments.transfer import EXPERIMENTS, TAKEN, WAYS
from course_claims.rules import row
from course_lib.data.catalogue import at_hand
from course_lib.models import pair
from course_lib.text.tokenise import TOKENISERS


@pytest.fixture(scope="module")
def task():
    """Prepare a small part of Rivertown's questions, which are always there."""
    return transfer.prepare("rivertown-en-questions", transfer.SMALL)


# -- word vectors ----------------------------------------------------------------------


def test_a_task_is_cut_to_size_and_numbered_by_one_vocabulary(task):
    for split, size in transfer.SMALL.items():
        examples, ready = task.raw[split], task.ready[split]
        assert len(examples) == len(ready.labels) == size
        assert [task.classes[i] for i in ready.labels] == [e.label for e in examples]
        for side, texts in enumerate(ready.texts):
            words = task.vocabulary.decode([i for i in texts[0].tolist() if i])
            assert words == TOKENISERS["en"](examples[0][side])


def test_no_example_stands_in_two_splits(task):
    seen = [set(task.raw[split]) for split in ("train", "dev", "test")]
    assert not seen[0] & seen[1] and not seen[0] & seen[2] and not seen[1] & seen[2]


def test_a_task_that_comes_whole_is_split_to_size():
    if not at_hand("waimai"):
        pytest.skip("waimai is not at hand: set COURSE_DATA")
    found = transfer.prepare("waimai", transfer.SMALL)
    assert {split: len(of) for split, of in found.raw.items()} == transfer.SMALL


@pytest.mark.parametrize(
    ("frozen", "tuned", "taken"),
    [(0.8, 0.7, "frozen"), (0.7, 0.8, "fine-tuned"), (0.8, 0.8, "frozen")],
)
@pytest.mark.parametrize("test", [(0.1, 0.9), (0.9, 0.1)])
def test_the_way_is_chosen_by_dev_alone(frozen, tuned, taken, test):
    """A tie goes to the frozen rows, however the two did on test."""
    ways = {"frozen": (frozen, test[0]), "fine-tuned": (tuned, test[1])}
    assert transfer.better_on_dev(ways | {"random": (0.99, 0.99)}) == ways[taken]


def test_the_ways_differ_in_the_first_layer_only(task):
    vectors = transfer.town_vectors("en", 20_000)
    random, frozen, tuned = (pair.begin(task, w, vectors, seed=7) for w in WAYS)
    for name, value in frozen.state_dict().items():
        assert torch.equal(value, tuned.state_dict()[name])
        assert torch.equal(value, random.state_dict()[name]) == (name != "C.weight")
    learned = [model.C.weight.requires_grad for model in (random, frozen, tuned)]
    assert learned == [True, False, True]
    word = next(w for w in task.vocabulary.words if w in vectors)
    row = frozen.C.weight[task.vocabulary.ids[word]]
    cosine = torch.cosine_similarity(row, torch.tensor(vectors[word]), dim=0)
    assert cosine.item() == pytest.approx(1)


# -- digits ----------------------------------------------------------------------------


def test_the_new_digits_are_new_and_no_image_is_used_twice():
    x, labels, known, new = transfer.digit_split(seed=3)
    rows = [i for part in (known, *new) for i in part]
    assert sorted(rows) == list(range(len(x)))
    assert min(map(len, new)) >= transfer.HELD_OUT + max(transfer.PER_CLASS)
    assert all(set(labels[of].tolist()) == {k} for k, of in enumerate(new))


@pytest.mark.parametrize("way", TAKEN)
def test_layers_are_taken_over_and_frozen_as_the_way_says(way):
    torch.manual_seed(0)
    base = digits.digit_net()
    net = digits.take_over(base, 2, way, seed=5)
    fresh = digits.take_over(base, 0, way, seed=5)
    x = torch.rand(30, 1, 8, 8)
    for k in range(5):
        a, b, c = (each[k].state_dict().values() for each in (net, base, fresh))
        from_base = k < 2 and way != "untrained"
        assert all(map(torch.equal, a, b)) == from_base
        assert all(map(torch.equal, a, c)) != from_base
    before = [p.clone() for p in net.parameters()]
    transfer.train_net(net, x, torch.arange(30) % 5, seed=0, steps=3)
    stayed = [torch.equal(p, q) for p, q in zip(before, net.parameters(), strict=True)]
    frozen = 0 if way == "fine-tuned" else 4  # two layers, weights and biases
    assert stayed == [True] * frozen + [False] * (10 - frozen)


def test_training_a_copy_leaves_the_base_as_it_was():
    torch.manual_seed(0)
    base = digits.digit_net()
    before = [p.clone() for p in base.parameters()]
    net = digits.take_over(base, 4, "fine-tuned", seed=5)
    transfer.train_net(net, torch.rand(9, 1, 8, 8), torch.arange(9) % 5, 0, steps=3)
    assert all(map(torch.equal, before, base.parameters()))


# -- experiments and rules -------------------------------------------------------------


@pytest.mark.parametrize("key", EXPERIMENTS)
def test_an_experiment_repeats_itself_and_tells_accuracies(key, quick):
    rows = quick(key)
    assert rows == EXPERIMENTS[key](seed=1, quick=True)
    assert {r["metric"] for r in rows} == {"accuracy"}
    assert all(0 <= r["value"] <= 1 for r in rows)
    names = [(r["model"], r["condition"]) for r in rows]
    assert len(set(names)) == len(names)
    assert {"majority", "TF-IDF", "linear"} & {r["model"] for r in rows}


def ledger_of(values: dict[tuple[str, str], float]) -> list[dict]:
    """Write rows of three seeds that differ by a hair."""
    return [
        {"seed": seed, **row(model, condition, "accuracy", value + hair)}
        for (model, condition), value in values.items()
        for seed in (1, 2, 3)
        for hair in [(seed % 2) * 1e-4 * len(model)]
    ]


def curves_of(*tasks: tuple[float, float]) -> list[dict]:
    """Write curves of tasks, given how far fine-tuned is ahead at either end."""
    values = {}
    for k, both in enumerate(tasks):
        for n, ahead in zip((40, 4000), both, strict=True):
            values["frozen", f"task{k}: {n}"] = 0.7
            values["fine-tuned", f"task{k}: {n}"] = 0.7 + ahead
    return ledger_of(values)
