"""Every card of the course can be shown, in both languages, and its rule decides."""

from __future__ import annotations

import re

import pytest

from course_claims import VERDICTS, Card, card, ledger, show_table, signed, table
from course_claims.cards import ARTICLES, SYSTEMS, all_cards
from course_claims.claim_card import AS_TOLD
from course_claims.page import SURPRISES, surprises
from course_lib.analysis.statistics import Interval, t_interval

CARDS = all_cards()
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
    facts = {"facts": lambda t: [{"accuracy": 0.5}], "verdict": "wrong"}
    return Card(key="k", **TEXTS, **facts | changes)


def above_zero(rows):
    """A rule: supported if the mean is above 0."""
    return "supported" if sum(row["value"] for row in rows) > 0 else "wrong"


@pytest.fixture
def measured(monkeypatch):
    """Return a function: a card whose one effect has these values, one a seed."""

    def rows(values, first: int) -> list[dict]:
        kind = {"model": "a", "condition": "c", "metric": "m"}
        return [{"seed": s, **kind, "value": v} for s, v in enumerate(values, first)]

    def make(*values: float, again=(), chinese=(), stale=(), effects=None) -> Card:
        kept = {
            ledger.FOLDER: rows(values, 1),
            ledger.AGAIN: rows(again, ledger.OTHERS[0]),
            ledger.CHINESE: rows(chinese, 1),
        }

        def found(key, folder=ledger.FOLDER):
            if not kept[folder]:
                raise FileNotFoundError
            return kept[folder]

        def changed(key, folder=ledger.FOLDER):
            return [] if folder == ledger.FOLDER else list(stale)

        monkeypatch.setattr(ledger, "measured", found)
        monkeypatch.setattr(ledger, "stale", changed)
        return Card(
            key="k",
            experiments=("toss",),
            effects=effects or (lambda rows: {"here": Interval(0.5, 0.25, 0.75)}),
            judge=above_zero,
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
    told = fact(as_told="false")
    assert "As told: false." in told.as_html(LANGUAGES["en"])
    assert f"转述：{AS_TOLD['false']}。" in told.as_html(LANGUAGES["zh"])
    assert "In our runs" not in told.as_html(LANGUAGES["en"])  # nothing was run
    ours = measured(1, 1, 1, 1, 1).as_html(LANGUAGES["en"])
    assert "In our runs, by the card's rule: supported." in ours
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


def test_a_false_fact_was_not_found_by_small_runs():
    """What is known without seeds says the same in both words."""
    same = {"right": "supported", "imprecise": "overstated", "false": "wrong"}
    for key, found in CARDS.items():
        if found.verdict in same.values():
            assert same[found.as_told] == found.verdict, key


def test_a_claim_with_html_in_it_is_shown_not_obeyed():
    assert "A &lt; B" in fact().as_html(LANGUAGES["en"])


def test_a_verdict_is_one_of_five_words_or_comes_from_a_rule():
    with pytest.raises(ValueError, match="nonsense"):
        fact(verdict="nonsense")
    with pytest.raises(ValueError, match="not both"):
        fact(judge=above_zero)
    with pytest.raises(ValueError, match="not both"):
        fact(verdict="")
    with pytest.raises(ValueError, match="needs experiments"):
        fact(verdict="", judge=above_zero)


def test_five_seeds_decide_and_four_do_not(measured):
    assert measured(1, 1, 1, 1).decided() == "untested"
    assert measured(1, 1, 1, 1, 1).decided() == "supported"
    assert measured(-1, -1, -1, -1, -1).decided() == "wrong"


def test_a_verdict_that_hangs_on_one_seed_is_unstable(measured):
    assert measured(1, 1, 1, 1, 1).flips == {}
    shaky = measured(-1, -1, -1, -1, 9)
    assert shaky.flips == {5: "wrong"}
    assert "without seed 5" in shaky.as_html(LANGUAGES["en"])
    assert "去掉种子 5" in shaky.as_html(LANGUAGES["zh"])


def test_five_other_seeds_say_whether_the_verdict_comes_again(measured):
    same = measured(1, 1, 1, 1, 1, again=(2, 2, 2, 2, 2))
    assert same.again == same.decided() == "supported" and not same.unstable
    assert "Five other seeds: the same." in same.as_html(LANGUAGES["en"])
    other = measured(1, 1, 1, 1, 1, again=(-9, 0, 0, 0, 0))
    assert other.decided() == "supported"  # by the first five, as always
    assert other.again == "wrong" and other.unstable
    assert "with five other seeds it is “wrong”" in other.as_html(LANGUAGES["en"])
    assert "换五个种子，结论是“错误”" in other.as_html(LANGUAGES["zh"])


def test_four_other_seeds_or_other_seeds_of_older_code_say_nothing(measured):
    few = measured(1, 1, 1, 1, 1, again=(-1, -1, -1, -1))
    old = measured(1, 1, 1, 1, 1, again=(-1, -1, -1, -1, -1), stale=("code",))
    for card_ in (few, old, measured(1, 1, 1, 1, 1), fact()):
        assert (card_.again, card_.unstable) == ("", False)


def test_other_seeds_that_drew_nothing_confirm_nothing(measured):
    def mean(rows):
        return {"here": t_interval([row["value"] for row in rows])}

    fixed = measured(*[0.7] * 5, again=[0.7] * 5, effects=mean)
    assert (fixed.again, fixed.unstable) == ("", False)
    assert "other seeds" not in fixed.as_html(LANGUAGES["en"])
    for drawn in ((0.7, 0.7, 0.7, 0.7, 0.8), [0.9] * 5):
        assert measured(*[0.7] * 5, again=drawn, effects=mean).again == "supported"


def test_chinese_text_says_whether_the_verdict_is_one_of_english(measured):
    ones = [1] * 5
    same = measured(*ones, chinese=ones)
    assert same.in_chinese == "supported" and not same.unstable
    assert "In Chinese: the same." in same.as_html(LANGUAGES["en"])
    other = measured(*ones, chinese=[-1] * 5)
    assert other.in_chinese == "wrong" and other.unstable
    assert other.decided() == "supported"  # by the first language, as always
    assert "in Chinese it is “wrong”" in other.as_html(LANGUAGES["en"])
    assert "换成中文，结论是“错误”" in other.as_html(LANGUAGES["zh"])
    assert other.as_html(LANGUAGES["en"]).count("at home") == 2  # both are drawn


def test_little_chinese_or_that_of_older_code_says_nothing(measured):
    ones = [1] * 5
    few, old = {"chinese": [-1] * 4}, {"chinese": [-1] * 5, "stale": ("code",)}
    for elsewhere in (few, old, {}):
        card_ = measured(*ones, **elsewhere)
        assert (card_.in_chinese, card_.unstable) == ("", False)
        assert "Chinese" not in card_.as_html(LANGUAGES["en"])


def test_effects_are_drawn_and_told_with_their_interval(measured):
    page = measured(1, 1, 1, 1, 1).as_html(LANGUAGES["en"])
    assert "at home" in page
    assert "+50.0 [+25.0, +75.0]" in page
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
    found = measured(1, 1, 1, 1, 1)
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


@pytest.mark.parametrize("key", [k for k, c in CARDS.items() if c.judge and c.rows])
def test_a_rule_finds_a_verdict_for_what_is_stored(key):
    assert CARDS[key].decided() in VERDICTS
    assert set(CARDS[key].flips.values()) <= VERDICTS.keys()


@pytest.mark.parametrize("key", CARDS)
def test_a_card_is_shown_by_its_lesson(key):
    lesson = ledger.DATA.parent / f"source/lessons/{CARDS[key].lesson}.py"
    assert f'"{key}"' in lesson.read_text(encoding="utf-8")


def test_every_system_is_on_a_card():
    assert {s for found in CARDS.values() for s in found.systems} == SYSTEMS.keys()


def test_what_the_page_calls_a_surprise_does_not_hang_on_the_seeds():
    for key in SURPRISES:
        assert CARDS[key].again == CARDS[key].decided()
        assert not CARDS[key].unstable


def test_no_surprise_is_announced_where_none_is_shown():
    """A book of some lessons has some of the cards."""
    t, some = LANGUAGES["en"], [CARDS[SURPRISES[0]], CARDS["taglm-name"]]
    assert surprises(some, t).count("<li>") == 1
    assert surprises(some[1:], t) == ""
