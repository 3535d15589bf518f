"""The claims page of the book: all cards, to be filtered; it needs no kernel."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from .card_page import COLOURS, marks
from .cards import ARTICLES, SYSTEMS
from .claim_card import Card
from .words import AS_TOLD, IN_OUR_RUNS, Pick, Text

FILTERS = ("told", "runs", "system", "lesson")
UNSTABLE: Text = ("unstable", "不稳")
OWN: Text = ("our own question", "我们自己的问题")
SURPRISES = (  # what we had not expected, with ten seeds
    "one-vector-per-sense",
    "grammar-meaning-common-sense",
    "ulmfit-tagging",
    "stays-near",
    "joint-loss",
)
# A wide table scrolls in its card; it must not be cut off by a narrow page.
STYLE = """
.claims article { overflow-x: auto; font-size: .85em; margin-bottom: 1.5em; }
.claims th, .claims td { padding: 0 .5em; }
.claims select { max-width: 100%; }
"""
SCRIPT = """
(() => {
  const root = document.currentScript.parentElement;
  const picks = [...root.querySelectorAll("select")];
  const cards = [...root.querySelectorAll("article")];
  const count = root.querySelector("output");
  const filter = () => {
    let shown = 0;
    for (const card of cards) {
      const fits = (pick) =>
        !pick.value || card.dataset[pick.name].split("|").includes(pick.value);
      card.hidden = !picks.every(fits);
      shown += !card.hidden;
    }
    count.textContent = `${shown} / ${cards.length}`;
  };
  picks.forEach((pick) => pick.addEventListener("change", filter));
  root.querySelector("ul")?.addEventListener("click", () => {
    picks.forEach((pick) => (pick.value = ""));
    filter();
  });
  filter();
})();
"""


def page(cards: Sequence[Card], language: str) -> str:
    """Write the page as a piece of HTML; a card links to lessons/LESSON.html."""

    def t(en: str, zh: str) -> str:
        return {"en": en, "zh": zh}[language]

    picks = "".join(pick(name, cards, t) for name in FILTERS)
    articles = "".join(article(card, t) for card in cards)
    return (
        f'<div class="claims"><style>{STYLE}</style>{summary(cards, t)}'
        f"{surprises(cards, t)}<p>{picks} "
        f'<output aria-live="polite"></output></p>{articles}'
        f"<script>{SCRIPT}</script></div>"
    )


def summary(cards: Sequence[Card], t: Pick) -> str:
    """Count both verdicts, in bars whose parts are as long as they are frequent."""
    old = sum(bool(card.stale) for card in cards)
    shaky = sum(card.unstable for card in cards)
    own = sum(not card.as_told for card in cards)
    told = t(
        "As told: is the sentence, as popular accounts put it, what its source says? "
        "From papers and exact facts.",
        "转述：流行的说法和它的出处说的一样吗？依据是论文和确切的事实。",
    )
    ran = t(
        "In our runs: what came out on our small models, by one rule for all. That "
        "nothing can be told is no refutation.",
        "我们的实验：在我们的小模型上结果如何，所有卡片用同一条规则。看不出，不等于推翻。",
    )
    note = t(
        f"{len(cards)} cards, {own} of them questions of our own. Unstable, because a "
        f"seed less or Chinese text would change the outcome: {shaky}. "
        f"Measured before a change of code or checkpoint: {old}.",
        f"共 {len(cards)} 张卡片，其中 {own} 张是我们自己的问题。"
        f"少一个种子或换成中文，结果就变、因而不稳的：{shaky} 张。"
        f"测量之后代码或模型有过改动的：{old} 张。",
    )
    first = counted(AS_TOLD, (card.as_told for card in cards), t)
    second = counted(IN_OUR_RUNS, map(ran_or_not, cards), t)
    return f"<p>{told}</p>{first}<p>{ran}</p>{second}<p>{note}</p>"


def ran_or_not(card: Card) -> str:
    """Return what our runs say; of a card that rests on facts alone nothing."""
    return card.outcome if card.experiments or not card.facts else ""


def counted(words: Mapping[str, str], found: Iterable[str], t: Pick) -> str:
    """Draw how often each word is found."""
    counts = Counter(found)
    parts = "".join(
        f'<span style="flex: {counts[word]}; background: {COLOURS[word]}; '
        f'color: #000; padding: .3em .5em; white-space: nowrap">{counts[word]} '
        f"{t(word, zh)}</span>"
        for word, zh in words.items()
        if counts[word]
    )
    return f'<div style="display: flex; flex-wrap: wrap">{parts}</div>'


def surprises(cards: Sequence[Card], t: Pick) -> str:
    """List the cards to begin with; a click on one sets all filters back."""
    entries = "".join(
        f'<li><a href="#{card.key}">{html.escape(t(*card.claim))}</a> '
        f"{' '.join(marks(card, t))}</li>"
        for card in cards
        if card.key in SURPRISES
    )
    head = t(
        "What we had not expected. Each card says how far its verdicts reach:",
        "没有料到的几条（结论管多宽，卡片上都写着）：",
    )
    return f"<p>{head}</p><ul>{entries}</ul>" if entries else ""


def keys(card: Card, name: str) -> tuple[str, ...]:
    """Return what a card is filed under: its verdicts, its systems or its lesson."""
    shaky = UNSTABLE[:1] * card.unstable
    ran = tuple(filter(None, [ran_or_not(card)]))
    of = {
        "told": (card.as_told or OWN[0],),
        "runs": (*ran, *shaky),
        "system": card.systems,
    }
    return of.get(name, (card.lesson,))


def pick(name: str, cards: Iterable[Card], t: Pick) -> str:
    """Write the menu of one filter, with what occurs among the cards."""
    used = dict.fromkeys(key for card in cards for key in keys(card, name))
    titles = {word: (word, zh) for word, zh in (AS_TOLD | IN_OUR_RUNS).items()}
    titles |= {UNSTABLE[0]: UNSTABLE, OWN[0]: OWN} | SYSTEMS
    label = {
        "told": t("as told", "转述"),
        "runs": t("in our runs", "我们的实验"),
        "system": t("about", "关于"),
        "lesson": t("lesson", "课"),
    }[name]
    options = "".join(
        f'<option value="{html.escape(key)}">'
        f"{html.escape(t(*titles.get(key, (key, key))))}</option>"
        for key in (used if name == "lesson" else sorted(used, key=[*titles].index))
    )
    every = t("all", "全部")
    return (
        f'<label>{label} <select name="{name}"><option value="">{every}</option>'
        f"{options}</select></label> "
    )


def article(card: Card, t: Pick) -> str:
    """Write one card with what it is filed under, who says it, and its lesson."""
    data = " ".join(
        f'data-{name}="{html.escape("|".join(keys(card, name)))}"' for name in FILTERS
    )
    who = ""
    if card.quoted:
        source, text = card.quoted
        who = t(*ARTICLES[source]) + t(": ", "：") + t(*text)
    return (
        f'<article id="{card.key}" {data}>{card.as_html(t)}'
        f"<p>{html.escape(who)} "
        f'<a class="lesson" href="lessons/{card.lesson}.html">'
        f"{t('open the lesson', '打开这一课')}</a></p></article>"
    )
