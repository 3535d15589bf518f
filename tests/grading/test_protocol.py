"""The capstone's protocol: what it hides, what it refuses, and what it notices."""

from __future__ import annotations

import numpy as np
import pytest

from course_lib import data
from course_lib.analysis.protocol import (
    BASELINE,
    Event,
    ProtocolBroken,
    Report,
    Study,
    broken,
    decide,
    tf_idf,
)
from course_lib.analysis.statistics import Interval, t_interval
from course_lib.grading import library
from course_lib.text.examples import Example

tasks_15 = library.own(library.file_of("checks", "15"))
TOWN = data.load("rivertown-en-sentiment")


def study(**options) -> Study:
    train, test = TOWN.split("train")[:400], TOWN.split("test")[:80]
    return Study(train, test, "en", **({"labels": 40, "seconds": 30} | options))


def commonest(labelled, loose, texts, seed):
    labels = [example.label for example in labelled]
    return [max(sorted(set(labels)), key=labels.count)] * len(texts)


def done(seeds=range(5), **options) -> tuple[Study, dict]:
    """Do a whole study by the book."""
    of = study(**options)
    for seed in seeds:
        of.dev(BASELINE, tf_idf("en"), seed)
        of.dev("commonest", commonest, seed)
    of.choose("commonest")
    return of, of.open_test()


def honest(right: dict) -> Report:
    scores = {name: hits.mean(axis=1) for name, hits in right.items()}
    gain = t_interval(scores["commonest"] - scores[BASELINE])
    return Report("commonest", gain, decide(gain))


def test_a_study_by_the_book_breaks_no_rule():
    of, right = done()
    assert of.report(honest(right)) == []
    assert right["commonest"].shape == right[BASELINE].shape == (5, 80)


def test_a_method_never_sees_a_label_that_it_is_asked_for():
    seen = []

    def spy(labelled, loose, texts, seed):
        seen.append((labelled, loose, texts))
        return commonest(labelled, loose, texts, seed)

    of = study()
    of.dev("spy", spy, 0)
    of.choose("spy")
    of.open_test()
    (dev, loose, asked), (everything, _, test) = seen
    assert len(dev) == 32 and len(asked) == 8 and len(everything) == 40
    assert not {e.text for e in dev} & set(asked)
    assert {e.text for e in dev} | set(asked) == {e.text for e in everything}
    assert all(isinstance(text, str) for text in [*asked, *loose, *test])
    assert len(loose) == 360 and len(test) == 80


def test_a_seed_draws_the_same_labels_for_everyone_and_another_seed_others():
    of = study()
    assert of.draw(3) == of.draw(3) == study().draw(3)
    assert of.draw(3) != of.draw(4)
    of.dev(BASELINE, tf_idf("en"), 3)
    of.dev("commonest", commonest, 3)
    assert of.log[0].labels == of.log[1].labels


def test_the_test_set_is_closed_before_the_choice_and_after_the_first_look():
    of = study()
    of.dev("commonest", commonest, 0)
    with pytest.raises(ProtocolBroken, match="after exactly one"):
        of.open_test()
    with pytest.raises(ProtocolBroken, match="has not been tried"):
        of.choose("something else")
    of.choose("commonest")
    of.open_test()
    with pytest.raises(ProtocolBroken, match="opened already"):
        of.open_test()
    with pytest.raises(ProtocolBroken, match="chosen with it"):
        of.dev("commonest", commonest, 1)


def test_a_report_before_the_test_or_of_another_method_is_refused():
    gain = Report("commonest", Interval(0.0, 0.0, 0.0), "undecided")
    with pytest.raises(ProtocolBroken, match=r"open_test\(\) comes first"):
        study().report(gain)
    of, _ = done(seeds=range(1))
    with pytest.raises(ProtocolBroken, match="open_test") as refused:
        of.report(gain._replace(method="mine2"))
    assert "选定的方法" in str(refused.value)


def test_a_method_that_fails_on_the_test_set_does_not_cost_the_study():
    of, calls = study(), []

    def fragile(labelled, loose, texts, seed):
        calls.append(seed)
        if len(calls) == 4:  # the second seed of the test
            raise ZeroDivisionError("a typo")
        return commonest(labelled, loose, texts, seed)

    for seed in range(2):
        of.dev("fragile", fragile, seed)
    of.choose("fragile")
    with pytest.raises(ZeroDivisionError):
        of.open_test()
    assert [event.what for event in of.log] == ["dev", "dev", "choose"]
    assert of.open_test()["fragile"].shape == (2, 80)


def test_a_second_choice_keeps_the_test_set_closed():
    of = study()
    of.dev("commonest", commonest, 0)
    of.dev(BASELINE, tf_idf("en"), 0)
    of.choose("commonest")
    of.choose(BASELINE)
    with pytest.raises(ProtocolBroken, match="2 choices"):
        of.open_test()


def test_a_method_cannot_be_exchanged_behind_its_name():
    of = study()
    of.dev("mine", commonest, 0)
    with pytest.raises(ProtocolBroken, match="another method called 'mine'"):
        of.dev("mine", tf_idf("en"), 1)


def test_an_answer_of_the_wrong_length_is_no_score():
    with pytest.raises(ValueError, match="mine gave 1 labels for 8 texts"):
        study().dev("mine", lambda labelled, loose, texts, seed: ["pos"], 0)


def test_four_seeds_and_a_small_budget_are_noticed():
    of, right = done(seeds=range(4), seconds=0.0)
    assert of.report(honest(right)) == ["seeds", "budget"]


def test_a_wrong_interval_and_a_bold_decision_are_noticed():
    of, right = done()
    true = honest(right)
    shifted = Interval(*(end + 0.01 for end in true.gain))
    assert of.report(true._replace(gain=shifted)) == ["interval"]
    other = "adopt" if true.decision != "adopt" else "keep"
    assert of.report(true._replace(decision=other)) == ["decision"]
    scores = {name: hits.mean(axis=1) for name, hits in right.items()}
    half = np.hypot(*(1.96 * s.std() / np.sqrt(5) for s in scores.values()))
    unpaired = Interval(true.gain[0], true.gain[0] - half, true.gain[0] + half)
    assert "interval" in of.report(true._replace(gain=unpaired))


@pytest.mark.parametrize(
    ("gain", "decision"),
    [((0.02, 0.01, 0.03), "adopt"), ((-0.02, -0.03, -0.01), "keep"),
     ((0.02, -0.01, 0.05), "undecided")],
)  # fmt: skip
def test_the_interval_decides(gain, decision):
    assert decide(Interval(*gain)) == decision


def test_the_rules_are_those_of_exercise_15():
    # The exercise's own reader of logs, which shares no code, finds the same.
    rng = np.random.default_rng(0)
    for _ in range(20):
        for (log, budget), flags in tasks_15.logs(rng):
            found = broken([Event(*event) for event in log], budget)
            assert found == [
                name for name, flag in zip(tasks_15.ORDER, flags, strict=True) if flag
            ]


def test_a_third_method_on_the_test_set_is_noticed():
    log = [Event(*event) for event in tasks_15.EXAMPLE]
    assert broken(log, 10.0) == []
    assert broken([*log, Event("test", "third", 0, 70, 1.0)], 10.0) == ["once"]
    assert broken([e for e in log if e.what != "choose"], 10.0) != []


def test_duplicate_texts_in_the_pool_do_no_harm():
    twins = [Example("good old bread", "pos"), Example("bad old bread", "neg")] * 60
    of = Study(twins, twins[:20], "en", labels=20)
    assert of.dev(BASELINE, tf_idf("en"), 0) == 1.0


@pytest.mark.parametrize("labels", [2, 0, 401])
def test_a_study_of_too_few_labels_or_of_more_than_there_are_is_refused(labels):
    """With two, dev would be no text, and its score no number."""
    with pytest.raises(
        ValueError,
        match=f"^{labels} labels from a pool of 400 examples; draw 3 or more",
    ):
        study(labels=labels)


def test_a_text_that_no_file_could_hold_is_drawn_like_any_other():
    odd = [Example(f"bread \ud800 {i}", "pos" if i % 2 else "neg") for i in range(20)]
    of = Study(odd, odd[:4], "en", labels=10)
    of.dev("commonest", commonest, 0)
    assert of.log[-1].method == "commonest"
