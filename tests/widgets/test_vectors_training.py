"""VectorsTraining: every number is that of the full dimension, and nothing is faked."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.linalg import orthogonal_procrustes

from course_lib.widgets import Snapshots, VectorsTraining, maps, vectors_training
from course_lib.widgets.kit import percent
from course_lib.widgets.vectors_training import (
    MOST_SNAPSHOTS,
    MOST_WORDS,
    VECTORS_TRAINING,
    chance,
)

GROUPS = {
    "water": ["river", "canoe", "ferry", "brook", "barge", "lake"],
    "money": ["loan", "dollars", "rate", "pay", "debt", "credit"],
    "fruit": ["pears", "plums", "grapes", "cherries", "figs", "dates"],
}
BETWEEN = {"bank": ("water", "money")}
OTHERS = [f"word{i}" for i in range(30)]
SHOWN = [word for members in GROUPS.values() for word in members] + ["bank"]
WORDS = [*OTHERS[:15], "bank", *SHOWN[:-1], *OTHERS[15:]]  # not in the map's order
KIND = {word: kind for kind, name in enumerate(GROUPS) for word in GROUPS[name]}


def made_up_run(
    moments: int = 6, dimension: int = 100, seed: int = 0, lean: float = 0.5
) -> Snapshots:
    """Let random vectors move to their group's centre, "bank" between two centres.

    It grows as word2vec's vectors do: thirty times as long at the end.
    """
    draw = np.random.default_rng(seed)
    start = draw.normal(size=(len(WORDS), dimension))
    centres = 2 * draw.normal(size=(3, dimension))
    goal = draw.normal(size=(len(WORDS), dimension))
    for row, word in enumerate(WORDS):
        if word in KIND:
            goal[row] += centres[KIND[word]]
        elif word == "bank":
            goal[row] += lean * centres[0] + (1 - lean) * centres[1]
    shares = np.linspace(0, 1, moments)
    snapshots = np.stack(
        [(1 + 29 * share) * ((1 - share) * start + share * goal) for share in shares]
    )
    losses = [float("nan"), *np.linspace(3, 1, moments - 1)]
    return Snapshots(snapshots, 1000 * np.arange(moments), losses)


def make(
    run: Snapshots | None = None, between: dict | None = BETWEEN, language="en", **runs
):
    """Make the widget of one made-up run, or of several by name."""
    runs = runs or {"skip-gram": run or made_up_run()}
    groups = GROUPS if between else GROUPS | {"water": [*GROUPS["water"], "bank"]}
    return vectors_training(runs, WORDS, groups, between, language)


def tables(widget: VectorsTraining, method: int = 0) -> dict[str, np.ndarray]:
    """Return what travels to the page, unpacked."""
    run, M = widget.data["runs"][method], len(widget.data["kinds"])
    S, G = len(run["steps"]), len(widget.data["groups"])
    sizes = {"frames": (2, 1000), "cosines": (5, 1000), "means": (G, 1000)}
    sizes["near"] = (5, 1)
    return {
        name: maps.unpack(run[name], scale).reshape(S, M, size)
        for name, (size, scale) in sizes.items()
    }


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    """Return the cosine of two vectors, the slow way."""
    return float(a @ b / np.sqrt(a @ a) / np.sqrt(b @ b))


def between_groups(points: np.ndarray) -> float:
    """Return the share of the points' variance (M, 2) that lies between the groups."""
    kinds = np.array([KIND[word] for word in SHOWN[:-1]])
    points = points[: len(kinds)]
    means = np.stack([points[kinds == kind].mean(axis=0) for kind in kinds])
    centre = points.mean(axis=0)
    return np.square(means - centre).sum() / np.square(points - centre).sum()


def html_of(widget: VectorsTraining) -> str:
    """Return what a page without a kernel gets."""
    return widget._repr_mimebundle_()[0]["text/html"]


def test_nearest_words_are_those_of_the_full_dimension_among_all_candidates():
    run = made_up_run()
    widget = make(run)
    table, words = tables(widget), widget.data["words"]
    for moment in (0, 3, 5):
        vectors = dict(zip(WORDS, run.vectors[moment], strict=True))
        for i, word in enumerate(SHOWN):
            slow = sorted(
                ((cosine(vectors[word], vectors[w]), w) for w in WORDS if w != word),
                reverse=True,
            )[:5]
            named = [words[int(j)] for j in table["near"][moment, i]]
            assert named == [other for _, other in slow]
            expected = [c for c, _ in slow]
            assert table["cosines"][moment, i] == pytest.approx(expected, abs=6e-4)


def test_the_mean_cosine_with_a_group_leaves_the_word_itself_out():
    run = made_up_run()
    means, last = tables(make(run))["means"][-1], run.vectors[-1]
    vectors = dict(zip(WORDS, last, strict=True))
    for i, word in enumerate(SHOWN):
        for kind, members in enumerate(GROUPS.values()):
            others = [w for w in members if w != word]
            slow = np.mean([cosine(vectors[word], vectors[w]) for w in others])
            assert means[i, kind] == pytest.approx(slow, abs=6e-4)


def test_order_is_how_often_the_nearest_word_of_the_map_is_of_the_same_group():
    run = made_up_run()
    order = make(run).data["runs"][0]["order"]
    grouped = SHOWN[:-1]  # a word of several senses has no group to find
    for moment, vectors in enumerate(run.vectors):
        of = dict(zip(WORDS, vectors, strict=True))
        hits = []
        for word in grouped:
            others = [w for w in grouped if w != word]
            best = max(others, key=lambda w: cosine(of[word], of[w]))
            hits.append(KIND[best] == KIND[word])
        assert order[moment] == pytest.approx(np.mean(hits), abs=1e-4)
    assert order[-1] == 1 and order[0] < 0.6


def test_chance_is_what_guessing_gives():
    kinds = [0, 0, 0, 1, 1, 1, 1, 2, 2, -1]
    pairs = [(a, b) for i, a in enumerate(kinds[:-1]) for j, b in enumerate(kinds[:-1])
             if i != j]  # fmt: skip
    assert chance(kinds) == pytest.approx(np.mean([a == b for a, b in pairs]))


def test_equal_vectors_have_no_nearest_words_and_order_is_chance():
    """Nothing is named that only the order of the rows decides."""
    run = made_up_run()
    run.vectors[0] = 1.0
    widget = make(run)
    assert (tables(widget)["near"][0] == -1).all()
    order = widget.data["runs"][0]["order"][0]
    assert order == pytest.approx(widget.data["chance"], abs=1e-4)


@pytest.mark.parametrize("seed", range(5))
def test_a_rotation_fitted_to_the_end_would_fake_order_at_the_start(seed):
    """Why snapshots are not aligned: 19 words turn freely in 100 dimensions.

    Turned to fit the end as well as a rotation can, random vectors look sorted into
    groups. Left on the axes of the training they look random, as they are.
    """
    run = made_up_run(seed=seed)
    rows = [WORDS.index(word) for word in SHOWN]
    start, end = (unit_rows(run.vectors[t][rows]) for t in (0, -1))
    turn, _ = orthogonal_procrustes(start, end)
    frames, _ = maps.aligned_frames(np.stack([start @ turn, end]))
    honest = tables(make(run))["frames"]
    assert between_groups(frames[0]) > 0.6
    assert between_groups(honest[0]) < 0.4
    assert between_groups(honest[-1]) > 0.9


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    """Scale each row to length 1."""
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_one_projection_for_all_snapshots():
    """A snapshot that comes twice is drawn twice at the same place."""
    run = made_up_run()
    again = run._replace(vectors=run.vectors[[0, 1, 3, 3, 4, 5]])
    frames = tables(make(again))["frames"]
    np.testing.assert_array_equal(frames[2], frames[3])


def test_length_does_not_move_the_points():
    """The map shows directions, as the cosine does."""
    run = made_up_run()
    length = np.random.default_rng(0).uniform(0.1, 9, size=(6, len(WORDS), 1))
    longer = run._replace(vectors=run.vectors * length)
    one, two = tables(make(run)), tables(make(longer))
    np.testing.assert_allclose(one["frames"], two["frames"], atol=2e-3)
    np.testing.assert_array_equal(one["near"], two["near"])


def test_a_second_run_is_turned_as_a_sheet_of_paper_is():
    """Its distances are those of its map alone: nothing is fitted to the first run."""
    runs = {"skip-gram": made_up_run(), "CBOW": made_up_run(seed=1)}
    beside = tables(make(**runs), 1)["frames"].reshape(-1, 2)
    alone = tables(make(runs["CBOW"]))["frames"].reshape(-1, 2)
    distances = [np.linalg.norm(x[:, None] - x, axis=2) for x in (beside, alone)]
    np.testing.assert_allclose(*distances, atol=4e-3)


def test_it_starts_at_the_end_with_the_word_of_several_senses():
    widget = make()
    assert widget.moment == 5
    assert widget.data["words"][widget.selected] == "bank"
    assert make(between=None).selected == 0


def test_what_to_try_follows_what_was_measured():
    widget = make()
    run, means = widget.data["runs"][0], tables(widget)["means"]
    start, learn, middle = run["tours"]
    assert start["moments"] == [0] and "0 words read" in start["say"]
    assert percent(run["order"][0]) in start["say"]
    assert learn["moments"] == [0, 5] and percent(run["order"][-1]) in learn["say"]
    assert "Between" in middle["label"]
    for kind in (0, 1):
        assert f"{means[-1, widget.selected, kind]:.2f}" in middle["say"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_word_that_is_not_between_its_senses_is_not_said_to_be(language):
    text = VECTORS_TRAINING[language]
    for lean, label in ((0.5, "middle"), (1.0, "leaning")):
        widget = make(made_up_run(lean=lean), language=language)
        assert widget.data["runs"][0]["tours"][2]["label"] == text[label]


def test_without_words_of_several_senses_it_tells_of_the_oddest_word():
    """Here "bank" is said to be a water word, but lies with money."""
    widget = make(made_up_run(lean=0.0), between=None)
    odd = widget.data["runs"][0]["tours"][2]
    assert odd["label"] == VECTORS_TRAINING["en"]["odd"]
    assert widget.data["words"][odd["selected"]] == "bank" and "“money”" in odd["say"]
    near = make(made_up_run(lean=1.0), between=None).data["runs"][0]["tours"][2]
    assert near["label"] == VECTORS_TRAINING["en"]["edge"]


def test_a_run_that_learned_nothing_is_not_praised():
    run = made_up_run()
    still = run._replace(vectors=np.repeat(run.vectors[:1], 6, axis=0))
    say = make(still).data["runs"][0]["tours"][1]["say"]
    assert "hardly learned" in say


def test_two_groups_are_enough():
    groups = {name: GROUPS[name] for name in ("water", "money")}
    widget = vectors_training({"CBOW": made_up_run()}, WORDS, groups, BETWEEN)
    say = widget.data["runs"][0]["tours"][2]["say"]
    assert "“water”" in say and "“money”" in say


def test_packing_keeps_three_decimals_and_refuses_what_it_cannot_hold():
    values = np.random.default_rng(0).uniform(-1, 1, size=(4, 3))
    again = maps.unpack(maps.pack(values)).reshape(4, 3)
    np.testing.assert_allclose(again, values, atol=5.1e-4)
    with pytest.raises(ValueError, match="too much for 16 bits"):
        maps.pack(np.array([40_000]), 1)


def test_only_words_that_are_named_travel():
    """Two thousand candidates would be a lot to send for five names."""
    widget = make()
    words, near = widget.data["words"], tables(widget)["near"]
    assert words[: len(SHOWN)] == SHOWN
    assert {int(i) for i in near.ravel()} >= set(range(len(SHOWN), len(words)))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_words_of_the_picture_say_the_numbers(language):
    widget = make(
        language=language, **{"skip-gram": made_up_run(), "CBOW": made_up_run(seed=1)}
    )
    alt = widget.data["alt"]
    for run in widget.data["runs"]:
        assert run["name"] in alt
        assert percent(run["order"][0]) in alt and percent(run["order"][-1]) in alt
    mean = tables(widget)["means"][-1, widget.selected, 0]
    assert "bank" in alt and f"{mean:.2f}" in alt


def test_the_largest_map_stays_below_300_kb():
    """Two runs of 25 snapshots and 72 words in six groups, 2000 candidates."""
    draw = np.random.default_rng(0)
    words = [f"word{i}" for i in range(2000)]
    groups = {f"group {g}": words[12 * g : 12 * g + 12] for g in range(6)}
    assert MOST_WORDS == 72 and MOST_SNAPSHOTS == 25
    snapshots = draw.normal(size=(25, 2000, 20)).astype(np.float32)
    run = Snapshots(snapshots, 10**6 * np.arange(25), np.linspace(4, 2, 25))
    widget = vectors_training({"skip-gram": run, "CBOW": run}, words, groups)
    assert len(json.dumps(widget.data, ensure_ascii=False).encode()) < 300_000
    assert len(html_of(widget).encode()) < 300_000


def test_what_does_not_fit_is_named():
    run = made_up_run()
    good = {"runs": {"CBOW": run}, "words": WORDS, "groups": GROUPS, "between": BETWEEN}
    money = GROUPS["money"]
    short, shorter = run._replace(steps=[0, 1]), made_up_run(moments=4)
    wild = run._replace(vectors=np.where(run.vectors > 30, np.nan, run.vectors))
    cases = [
        ({"language": "fr"}, "'fr'.*'en' and 'zh'"),
        ({"groups": {"money": money}}, "1 groups"),
        ({"groups": GROUPS | {"money": [*money, "gold"]}}, "not among `words`.*gold"),
        ({"groups": GROUPS | {"money": [*money, "bank"]}}, "twice.*bank"),
        ({"groups": GROUPS | {"money": ["loan"]}}, "fewer than two words.*money"),
        ({"between": {"bank": ("water", "sport")}}, "two groups.*bank"),
        ({"groups": GROUPS | {"rest": OTHERS * 3}}, "stand twice"),
        ({"runs": {}}, "runs is empty"),
        ({"words": WORDS[:-1]}, r"'CBOW' have shape \(6, 49, 100\).*48 words"),
        ({"runs": {"CBOW": short}}, "6 snapshots, 2 steps"),
        ({"runs": {"CBOW": run._replace(steps=[5, 4, 3, 2, 1, 0])}}, "must rise"),
        ({"runs": {"CBOW": wild}}, "not finite.*lower learning rate"),
        ({"runs": {"CBOW": run, "skip-gram": shorter}}, "different numbers"),
    ]
    for change, message in cases:
        with pytest.raises(ValueError, match=message):
            vectors_training(**(good | change))


def test_too_many_words_are_refused():
    words = [f"word{i}" for i in range(80)]
    groups = {"one": words[:40], "two": words[40:]}
    run = Snapshots(np.ones((2, 80, 4)), [0, 1], [2.0, 1.0])
    with pytest.raises(ValueError, match="80 words on the map; it has room for 72"):
        vectors_training({"CBOW": run}, words, groups)
