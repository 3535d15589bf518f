"""Maps: one projection for all layers; neighbours in full dimension; ties admitted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.analysis.senses import centroid_hits
from course_lib.widgets.maps import (
    aligned_frames,
    cosine_tables,
    nearest,
    piles,
    sense_axes,
    sense_margins,
)


def share_between(points: np.ndarray, groups: list) -> float:
    """Return the share of the points' variance that lies between the groups."""
    labels = np.array(groups)
    means = np.stack([points[labels == name].mean(axis=0) for name in labels])
    centre = points.mean(axis=0)
    return np.square(means - centre).sum() / np.square(points - centre).sum()


def test_frames_have_a_place_for_each_sentence_at_each_layer(uses):
    layers, *_ = uses
    frames, share = aligned_frames(layers)
    assert frames.shape == (3, 24, 2)
    assert np.abs(frames).max() == pytest.approx(1)
    assert 0 < share < 1


def test_two_dimensional_vectors_lose_nothing(make_uses):
    layers, *_ = make_uses(dimension=2)
    frames, share = aligned_frames(layers)
    assert share == pytest.approx(1)
    size = np.linalg.norm(layers, axis=2).mean(axis=1)
    for layer, frame in enumerate(frames):  # a rotation keeps all distances' ratios
        real = np.linalg.norm(layers[layer][0] - layers[layer], axis=1) / size[layer]
        shown = np.linalg.norm(frame[0] - frame, axis=1)
        np.testing.assert_allclose(shown * real.max(), real * shown.max(), atol=1e-9)


def test_all_layers_share_one_projection(uses):
    """A layer that comes twice is drawn twice at the same place, never re-fitted."""
    layers, *_ = uses
    frames, _ = aligned_frames(layers[[0, 1, 2, 1]])
    np.testing.assert_allclose(frames[1], frames[3])


def test_longer_vectors_do_not_move_the_points(uses):
    layers, *_ = uses
    frames, share = aligned_frames(layers)
    again, same = aligned_frames(layers * np.array([1, 10, 0.1])[:, None, None])
    np.testing.assert_allclose(frames, again, atol=1e-9)
    assert share == pytest.approx(same)


@pytest.mark.parametrize("seed", range(5))
def test_the_picture_shows_senses_not_how_far_the_layers_lie_apart(make_uses, seed):
    """Centred on one common mean instead, the layers' own places fill the map."""
    layers, senses, *_ = make_uses(count=60, seed=seed)
    number = np.repeat([0, 1, 2], 60)  # of each point's layer
    frames, _ = aligned_frames(layers)
    assert share_between(frames.reshape(-1, 2), number) == pytest.approx(0, abs=1e-9)
    assert share_between(frames[-1], senses) > 0.6

    scaled = layers / np.linalg.norm(layers, axis=2).mean(axis=1)[:, None, None]
    pooled = (scaled - scaled.mean(axis=(0, 1))).reshape(-1, layers.shape[2])
    axes = np.linalg.svd(pooled, full_matrices=False)[2]
    assert share_between(pooled @ axes[:2].T, number) > 0.6


def test_layers_without_any_variance_stay_at_one_spot():
    frames, share = aligned_frames(np.ones((2, 5, 4)))
    assert not frames.any() and share == 1


def test_neighbours_are_those_of_the_full_dimension(uses):
    layers, *_ = uses
    for vectors, table in zip(layers[1:], cosine_tables(layers)[1:], strict=True):
        named, ties = nearest(table)
        assert not any(ties)
        for own, found in enumerate(named):
            slow = sorted(
                (-(a := vectors[own]) @ b / np.linalg.norm(a) / np.linalg.norm(b), i)
                for i, b in enumerate(vectors)
                if i != own
            )
            assert [i for i, _ in found] == [i for _, i in slow[:3]]
            assert [c for _, c in found] == pytest.approx(
                [-c for c, _ in slow[:3]], abs=6e-4
            )


def test_equal_vectors_name_no_neighbour_but_count_the_tie(uses):
    layers, *_ = uses
    table = cosine_tables(layers)[0]
    named, ties = nearest(table)
    assert named == [[]] * 24 and ties == [23] * 24
    assert piles(table) == [list(range(24))]


def test_a_tie_behind_a_clear_neighbour_leaves_that_one_named():
    angles = np.array([0.0, 0.1, 0.5, -0.5, 0.5])  # 2, 3 and 4 are equally far from 0
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    named, ties = nearest(cosine_tables(vectors[None])[0])
    assert [i for i, _ in named[0]] == [1] and ties[0] == 3


def test_rounding_makes_no_neighbour_out_of_a_tie(uses):
    """A batch computed in another order differs in the last digits of float32."""
    layers, *_ = uses
    noise = 1 + 1e-6 * np.random.default_rng(0).normal(size=layers[:1].shape)
    _, ties = nearest(cosine_tables(layers[:1] * noise)[0])
    assert ties == [23] * 24


def test_piles_are_the_sets_of_equal_vectors():
    spots = np.eye(3)[[0, 1, 0, 2, 1, 0]]
    assert piles(cosine_tables(spots[None])[0]) == [[0, 2, 5], [1, 4]]


@given(st.integers(0, 10_000))
def test_a_margin_is_negative_just_where_the_nearest_neighbour_is_wrong(seed):
    draw = np.random.default_rng(seed)
    sense = np.array([0, 0, 1, 1, 2, 2, 2])
    table = cosine_tables(draw.normal(size=(1, 7, 3)))[0]
    margins, other = sense_margins(table, sense)
    np.fill_diagonal(table, -2)
    assert ((margins < 0) == (sense[table.argmax(axis=1)] != sense)).all()
    assert (sense[other] != sense).all()


@pytest.mark.parametrize("kinds", [2, 3])
def test_on_the_sense_axes_a_point_lies_where_the_nearest_mean_names_it(kinds):
    """Picture and score agree, for every sentence at every layer."""
    draw = np.random.default_rng(kinds)
    sense = np.arange(30) % kinds
    layers = draw.normal(size=(3, 30, 8)) + draw.normal(size=(kinds, 8))[sense]
    axes = sense_axes(layers, sense)
    assert axes.exact and np.abs(axes.frames).max() == pytest.approx(1)
    for vectors, points in zip(layers, axes.frames, strict=True):
        named = (points @ axes.anchors.T).argmax(axis=1)  # the nearest anchor
        assert ((named == sense) == centroid_hits(vectors, sense)).all()


def test_without_context_the_sense_axes_know_nothing(uses):
    layers, senses, *_ = uses
    sense = np.array([sorted(set(senses)).index(name) for name in senses])
    np.testing.assert_allclose(sense_axes(layers, sense).frames[0], 0, atol=1e-9)
    apart = np.where(sense == 2, 1, sense)  # two senses
    np.testing.assert_allclose(sense_axes(layers, apart).frames[0], 0, atol=1e-6)


def test_four_senses_get_two_axes_and_are_said_not_to_fit(make_uses):
    layers, *_ = make_uses()
    axes = sense_axes(layers, np.arange(24) % 4)
    assert axes.frames.shape == (3, 24, 2) and not axes.exact
