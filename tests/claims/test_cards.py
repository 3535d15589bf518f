"""Every card of the course can be shown, in both languages, and its rule decides."""

from __future__ import annotations

import re

import numpy as np
import pytest

from course_claims import (
    AS_TOLD,
    IN_OUR_RUNS,
    Card,
    card,
    ledger,
    show_table,
    signed,
    table,
)
from course_claims.cards import ARTICLES, SYSTEMS, all_cards
from course_claims.outcome import CONVENTION, Hypothesis, smallest_detectable
from course_claims.page import SURPRISES, surprises
from course_lib.analysis.statistics import Interval, t_interval

CARDS = all_cards()
UP = (0.9, 1.1, 1.0, 1.2, 0.8)
LANGUAGES = {"en": lambda en, zh: en, "zh": lambda en, zh: zh}
TEXTS = {
    "lesson": "06_elmo_bilm",
    "systems": ("ELMo",),
    "claim": ("A < B", "甲 < 乙"),
    "source": ("an article", "一篇文章"),
    "paper": ("88.7", "88.7（论文）"),
    "why": ("It is so.", "事实如此。"),
}


# -- one card --------------------------------------------------------------------------


def fact(**changes) -> Card:
    facts = {"facts": lambda t: [{"accuracy": 0.5}], "as_told": "false"}
    return Card(key="k", **TEXTS, **facts | changes)


def mean(rows) -> dict[str, Interval]:
    """The one effect of these cards: a mean over what the seeds found."""
    return {"here": t_interval([row["value"] for row in rows if row["model"] == "a"])}


def over_baseline(rows) -> dict[tuple[str, str], Interval]:
    """How far what is compared is above a baseline."""
    values = [row["value"] for row in rows if row["model"] == "b"]
    return {("here", "b"): t_interval(values)}


@pytest.fixture
def measured(monkeypatch, tmp_path):
    """Return a function: a card whose one effect has these values, one a seed.

    base: how far above a baseline something is, with each seed
    """

    def rows(values, first: int, model: str = "a") -> list[dict]:
        kind = {"model": model, "condition": "c", "metric": "m"}
        return [{"seed": s, **kind, "value": v} for s, v in enumerate(values, first)]

    def make(*values: float, again=(), chinese=(), stale=(), base=(), **asked) -> Card:
        kept = {
            "": rows(values, 1) + rows(base, 1, "b"),
            "again": rows(again, ledger.OTHERS[0]),
            "zh": rows(chinese, 1),
        }
        home = tmp_path / str(len(list(tmp_path.iterdir())))  # this card's own
        home.mkdir()
        for name, folder in (("FOLDER", ""), ("AGAIN", "again"), ("CHINESE", "zh")):
            monkeypatch.setattr(ledger, name, home / folder)
            if kept[folder]:
                ledger.write(kept[folder], home / folder / "toss.csv")

        def changed(key, folder=None):
            return list(stale) if folder == ledger.AGAIN else []

        monkeypatch.setattr(ledger, "stale", changed)
        return Card(
            key="k",
            experiments=("toss",),
            effects=mean,
            hypothesis=Hypothesis(25, CONVENTION, **asked),
            names={"here": ("at home", "在家")},
            **TEXTS,
        )

    return make


def test_the_papers_number_and_ours_stand_in_different_cells():
    cells = fact().as_html(LANGUAGES["en"]).split("<td")
    assert sum("88.7" in cell for cell in cells) == 1
    assert sum("0.5" in cell for cell in cells) == 1
    assert not any("88.7" in cell and "0.5" in cell for cell in cells)


def test_what_is_told_and_what_came_out_are_two_verdicts(measured):
    told = fact()
    assert "As told: false" in told.as_html(LANGUAGES["en"])
    assert f"转述：{AS_TOLD['false']}" in told.as_html(LANGUAGES["zh"])
    assert "In our runs" not in told.as_html(LANGUAGES["en"])  # nothing was run
    ours = measured(*UP).as_html(LANGUAGES["en"])
    assert "In our runs: reproduced" in ours
    assert "As told" not in ours  # a question of the course's own
    with pytest.raises(ValueError, match="nonsense"):
        fact(as_told="nonsense")


def test_every_claim_that_somebody_makes_is_compared_with_its_source():
    ours = {key for key, found in CARDS.items() if not found.as_told}
    assert ours == {
        "taglm-states-alone",
        "bytes-in-chinese",
        "tied-or-independent",
        "only-scale",
        "masked-lm-is-cbow-on-little-text",
    }


def test_a_claim_with_html_in_it_is_shown_not_obeyed():
    assert "A &lt; B" in fact().as_html(LANGUAGES["en"])


def test_a_card_needs_a_verdict_and_experiments_need_a_hypothesis():
    with pytest.raises(ValueError, match="measure it"):
        fact(as_told="")
    with pytest.raises(ValueError, match="need effects and a hypothesis"):
        fact(experiments=("toss",))
    with pytest.raises(ValueError, match="need effects and a hypothesis"):
        fact(hypothesis=Hypothesis(1, CONVENTION))


def test_all_seeds_are_pooled(measured):
    """Five seeds cannot tell it, ten can; those of older code do not count."""
    some = (0.1, 1.2, -0.4, 0.9, 0.6)
    assert measured(*some).outcome == "cannot tell"
    assert measured(*some, again=some).outcome == "reproduced"
    assert measured(*some, again=some).seeds == 10
    old = measured(*some, again=some, stale=("code",))
    assert (old.outcome, old.seeds) == ("cannot tell", 5)


def test_a_claim_says_in_which_direction_and_where(measured):
    down = {"claimed": lambda place: -1}
    assert measured(*UP, **down).outcome == "contradicted"
    assert measured(*(-x for x in UP), **down).outcome == "reproduced"
    elsewhere = measured(*UP, claimed={"there": 1}.get)
    assert elsewhere.outcome == "not tried"
    assert "at home (does not count)" in elsewhere.as_html(LANGUAGES["en"])


def test_a_task_counts_only_where_something_is_learned(measured):
    learned = {"learned": over_baseline}
    assert measured(*UP, base=UP, **learned).outcome == "reproduced"
    chance = (0.1, -0.2, 0.1, 0.0, -0.1)
    assert measured(*UP, base=chance, **learned).outcome == "not tried"


def test_what_was_pretrained_once_tells_nothing_however_many_seeds(measured):
    assert measured(*UP, again=UP, once=True).outcome == "cannot tell"


def test_an_outcome_that_hangs_on_one_seed_is_unstable(measured):
    assert measured(*UP).flips == {}
    shaky = measured(1.0, 1.1, 0.9, 1.0, -0.8)
    assert shaky.outcome == "cannot tell" and shaky.flips == {5: "reproduced"}
    assert "without seed 5" in shaky.as_html(LANGUAGES["en"])
    assert "去掉种子 5" in shaky.as_html(LANGUAGES["zh"])


def test_two_halves_say_what_came_again_and_what_neither_could_tell(measured):
    flat = (0.1, -0.2, 0.1, 0.0, -0.1)
    down = tuple(-x for x in UP)
    assert measured(*UP, again=UP).halves == {"here": (1, 1)}
    assert measured(*UP, again=flat).halves == {"here": (1, 0)}
    assert measured(*UP, again=down).halves == {"here": (1, -1)}
    assert measured(*flat, again=flat).halves == {"here": (0, 0)}
    assert measured(*UP).halves == {}  # there is no second half
    assert measured(*[0.7] * 5, again=[0.7] * 5).halves == {}  # nothing is drawn


def test_chinese_text_is_asked_apart(measured):
    same = measured(*UP, chinese=UP)
    assert same.in_chinese == "reproduced" and not same.unstable
    assert "On Chinese text: the same." in same.as_html(LANGUAGES["en"])
    other = measured(*UP, chinese=[-x for x in UP])
    assert other.in_chinese == "contradicted" and other.unstable
    assert other.outcome == "reproduced"  # by the first language, as always
    assert "On Chinese text: contradicted." in other.as_html(LANGUAGES["en"])
    assert other.as_html(LANGUAGES["en"]).count("at home") == 2  # both are drawn


def test_a_card_says_which_effect_it_would_have_found(measured):
    page = measured(0.1, 1.2, -0.4, 0.9, 0.6).as_html(LANGUAGES["en"])
    assert "would matter from 25 on (our convention; difference, points)" in page
    size = smallest_detectable([10, 120, -40, 90, 60])
    assert f"a true effect of {size:.1f} is found in four of five runs" in page


def test_effects_are_drawn_and_told_with_their_interval(measured):
    page = measured(*UP).as_html(LANGUAGES["en"])
    assert "at home" in page
    span = t_interval([100 * x for x in UP])
    assert signed(span) in page
    zero, (low, high), dot = drawn(page)
    assert zero < low < dot < high


def test_what_rounds_to_nothing_has_no_minus():
    assert signed(Interval(-0.04, -1.17, 1.1)) == "+0.0 [-1.2, +1.1]"


def drawn(page: str) -> tuple[float, tuple[float, float], float]:
    """Read where zero, the interval's ends and the dot of a picture are."""
    lines = re.findall(r'x1="([\d.]+)" x2="([\d.]+)"', page)
    (zero, _), (low, high) = (tuple(map(float, ends)) for ends in lines)
    return zero, (low, high), float(re.search(r'cx="([\d.]+)"', page)[1])


def test_a_change_since_the_measurement_is_said(measured, monkeypatch):
    found = measured(*UP)
    monkeypatch.setattr(ledger, "stale", lambda key: ["elmo-en"])
    assert "before a change of: elmo-en" in found.as_html(LANGUAGES["en"])


def test_an_unknown_card_names_its_neighbours():
    with pytest.raises(KeyError, match="layers-pos-wsd"):
        card("layers-pos-wdd")


def test_a_table_shows_heads_and_cells_and_refuses_a_row_too_long(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    show_table(("model", "right, %"), [("a < b", 91), ("GPT", "93.0")])
    cells = re.findall(r"<(t[hd])[^>]*>([^<]*)</t[hd]>", shown[0].data)
    assert cells == [
        *(("th", "model"), ("th", "right, %")),
        *(("td", "a &lt; b"), ("td", "91")),
        *(("td", "GPT"), ("td", "93.0")),
    ]
    assert shown[0].data.count("<tr>") == 3
    with pytest.raises(ValueError):
        show_table(("one",), [("a", "b")])


def test_a_table_without_rows_shows_its_heads(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    show_table(("task", "score"), [])
    assert shown[0].data == "<table><tr><th>task</th><th>score</th></tr></table>"
    assert table([]) == ""


# -- all cards -------------------------------------------------------------------------


@pytest.mark.parametrize("key", CARDS)
def test_a_card_can_be_shown_in_both_languages(key):
    found = CARDS[key]
    for language, t in LANGUAGES.items():
        page = found.as_html(t)
        assert len(t(*found.claim)) > 5
        words = ("转述：", "我们的实验") if language == "zh" else ("As told", "In our")
        assert any(word in page for word in words)
    quoted = (found.quoted[1],) if found.quoted else ()
    for english, chinese in (
        found.claim,
        found.paper,
        found.why,
        found.source,
        *quoted,
    ):
        assert english.isascii() or not re.search("[\u4e00-\u9fff]{8}", english)
        assert english != chinese or not english


def test_no_card_points_to_what_stands_beside_it_in_a_lesson():
    """The claims page shows the card alone."""
    beside = "rule (stands )?above|see section 2;|卡片上方|上面的规则|见第 2 节"
    for key, found in CARDS.items():
        assert not re.search(beside, " ".join((*found.paper, *found.why))), key


@pytest.mark.parametrize("key", CARDS)
def test_what_a_card_names_exists(key):
    found = CARDS[key]
    assert set(found.experiments) <= ledger.experiments().keys()
    assert set(found.systems) <= SYSTEMS.keys() and found.systems
    assert (ledger.DATA.parent / f"source/lessons/{found.lesson}.py").exists()
    assert not found.quoted or found.quoted[0] in ARTICLES


RUN = [key for key, found in CARDS.items() if found.experiments]


@pytest.mark.parametrize("key", RUN)
def test_every_experiment_has_an_outcome(key):
    assert CARDS[key].outcome in IN_OUR_RUNS
    assert set(CARDS[key].flips.values()) <= IN_OUR_RUNS.keys()


@pytest.mark.parametrize("key", RUN)
def test_no_card_calls_a_claim_contradicted_on_a_null_result(key):
    """Ten seeds in every place, as far above 0 as below, and widely spread."""
    found = CARDS[key]
    asked = [p for p in found.differences if found.hypothesis.claimed(p)]
    size = 10 * found.hypothesis.of_interest
    null = dict(enumerate(size * np.array([-3, -2, -1, -1, 0, 0, 1, 1, 2, 3]), 1))
    expected = "cannot tell" if asked else "not tried"
    assert found.outcome_of({place: null for place in asked}) == expected


@pytest.mark.parametrize("key", RUN)
def test_every_place_of_a_card_has_a_name_in_both_languages(key):
    found = CARDS[key]
    assert found.counted.keys() <= found.differences.keys() <= found.names.keys()


def test_every_system_is_on_a_card():
    assert {s for found in CARDS.values() for s in found.systems} == SYSTEMS.keys()


def test_what_the_page_calls_a_surprise_does_not_hang_on_a_seed():
    assert not any(CARDS[key].unstable for key in SURPRISES)


def test_no_surprise_is_announced_where_none_is_shown():
    """A book of some lessons has some of the cards."""
    t, some = LANGUAGES["en"], [CARDS[SURPRISES[0]], CARDS["taglm-name"]]
    assert surprises(some, t).count("<li>") == 1
    assert surprises(some[1:], t) == ""
