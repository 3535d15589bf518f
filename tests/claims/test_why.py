"""The experiments of lesson 11: what is drawn, what is watched, what follows."""

from __future__ import annotations

import numpy as np
import pytest

from course_claims.experiments import better_start, frozen_states, why
from course_claims.experiments.why import (
    REAL,
    UNTRAINED,
)
from course_lib.training.curves import Plan, Point


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory):
    """Keep the encoders of these tests out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURSE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


# -- the setting -----------------------------------------------------------------------


def test_no_test_document_was_read_in_pre_training():
    setting = why.town("en")

    def flat(document):
        return " ".join(word for sentence in document for word in sentence)

    read = " ".join(map(flat, setting.text))
    openings = [flat(document)[:150] for document in setting.topics["test"][0][:100]]
    assert not any(opening in read for opening in openings)


def test_labels_are_drawn_evenly_and_validation_texts_are_others():
    setting = why.town("en")
    chosen, others = why.drawn(setting, 24, seed=1)
    assert set(np.bincount(setting.topics["train"][1][chosen])) == {2}
    assert len(others) == 200
    assert not set(chosen) & set(others)
    assert np.array_equal(why.drawn(setting, 12, seed=1)[0], chosen[:12])
    assert not np.array_equal(why.drawn(setting, 24, seed=2)[0], chosen)


def test_a_text_begins_where_its_document_begins_and_has_so_many_words():
    document = [["a", "b", "c"], ["d", "e"], ["f"]]
    assert why.opening(document, words=4) == [["a", "b", "c"], ["d"]]
    assert why.opening(document, words=9) == document


# -- fine-tuning, watched --------------------------------------------------------------


def test_everything_is_equal_but_the_start_and_it_is_watched_when_it_should_be():
    setting = why.town("en")
    models = why.encoders(setting, 1, (REAL, UNTRAINED))
    how = Plan(steps=6, marks=(0, 3))
    runs = {k: better_start.follow(setting, m, 24, 1, how) for k, m in models.items()}
    for points, _ in runs.values():
        assert [p.step for p in points] == [0, 4, 6]  # 2 steps an epoch
    again, _ = better_start.follow(setting, models[REAL], 24, 1, how)
    assert again == runs[REAL][0]


def test_a_frozen_encoder_stays_and_the_given_one_is_never_changed():
    setting = why.town("en")
    model = why.encoders(setting, 1, (REAL,))[REAL]
    before = model.embedding.weight.detach().clone()
    for frozen in (True, False):
        how = Plan(steps=4, frozen=frozen)
        _, found = better_start.follow(setting, model, 24, 1, how)
        same = bool((found.encoder.embedding.weight == before).all())
        assert same == frozen
    assert (model.embedding.weight == before).all()


def points(*losses: tuple[float, float]) -> list[Point]:
    return [Point(10 * k, a, b, 0.0, k / 10) for k, (a, b) in enumerate(losses)]


def test_the_loss_at_a_level_lies_on_the_line_between_two_looks():
    found = points((1.0, 2.0), (0.6, 1.0), (0.2, 1.4))
    assert better_start.at_level(found, 0.8) == pytest.approx(1.5)
    assert better_start.at_level(found, 0.4) == pytest.approx(1.2)
    assert better_start.at_level(found, 0.1) == 1.4  # never so low: its lowest


def test_steps_to_a_target_are_those_of_the_first_look_that_has_it():
    found = points((1, 1), (1, 1), (1, 1))
    assert better_start.steps_to(found, 0.1) == 10
    assert better_start.steps_to(found, 0.3) == 40  # never


def test_an_encoder_that_was_interrupted_is_trained_anew(
    ctrl_c_in_step_3, tmp_path, monkeypatch
):
    monkeypatch.setenv("COURSE_CACHE", str(tmp_path))
    setting = why.town("en")
    with ctrl_c_in_step_3():
        why.pretrained(setting, setting.text)
    assert not list(tmp_path.rglob("*.*"))


# -- frozen vectors --------------------------------------------------------------------


def test_a_state_depends_on_the_words_so_far_and_on_no_neighbour_in_the_batch():
    setting = why.town("en")
    model = why.encoders(setting, 1, (REAL,))[REAL]
    long = ["the", "bank", "by", "the", "river"]
    together = frozen_states.states(model, setting.vocabulary, [long, long[:2]])
    [alone] = frozen_states.states(model, setting.vocabulary, [long[:2]])
    np.testing.assert_allclose(together[0][:2], alone, atol=1e-6)
    np.testing.assert_allclose(together[1], alone, atol=1e-6)
    assert together[0].shape == (5, 32 + 16)


def test_one_long_text_does_not_make_the_others_as_long(monkeypatch):
    setting = why.town("en")
    model = why.encoders(setting, 1, (REAL,))[REAL]
    read, forward = [], model.forward
    monkeypatch.setattr(
        model, "forward", lambda ids: read.append(ids.numel()) or forward(ids)
    )
    found = frozen_states.states(
        model, setting.vocabulary, [["bank"], ["bank"] * 3000, *[["river"]] * 98]
    )
    assert [len(x) for x in found] == [1, 3000, *[1] * 98]
    assert sum(read) < 4000


def test_half_of_the_sentences_of_the_second_task_are_exchanged_and_none_is_shared():
    task = why.exchange_task(why.town("en"))
    (train, labels), (test, _) = (task.topics[k] for k in ("train", "test"))
    assert 0.4 < labels.mean() < 0.6
    assert all(len(document) == 1 for document in train)
    seen = {tuple(sorted(sentence)) for [sentence] in train}
    assert np.mean([tuple(sorted(s)) in seen for [s] in test]) < 0.1


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_reader_made_for_the_designed_questions_is_never_wrong(language):
    setting = why.town(language)
    for make in (frozen_states.opening_word, frozen_states.even_letters):
        texts, labels, clues = make(setting, seed=1)
        half = len(texts) // 2
        reader = frozen_states.TfIdf(
            clues[:half], [str(y) for y in labels[:half]], "en"
        )
        right = reader.predict(clues[half:]) == labels[half:].astype(str)
        assert right.mean() > 0.97
    asked = [word for [word] in texts]
    assert len(set(asked)) == len(asked)  # none of the test words was in training


# -- the experiments -------------------------------------------------------------------


@pytest.mark.parametrize("key", better_start.EXPERIMENTS | frozen_states.EXPERIMENTS)
def test_every_experiment_runs_in_a_small_version(key, quick):
    rows = quick(key)
    assert len({(r["model"], r["condition"], r["metric"]) for r in rows}) == len(rows)
    for row in rows:
        assert set(row) == {"model", "condition", "metric", "value"}
        limit = 1 if "accuracy" in row["metric"] else 1e3
        assert 0 <= row["value"] <= limit


# -- the rules -------------------------------------------------------------------------

NOISE = [0.00, 0.01, -0.01, 0.005, -0.005]


def measured(model: str, condition: str, metric: str, value: float, scale=1.0):
    about = {"model": model, "condition": condition, "metric": metric}
    return [
        {**about, "seed": s, "value": value + scale * n} for s, n in enumerate(NOISE)
    ]
