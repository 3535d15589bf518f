"""The claims page of the book: all cards, to be filtered; it needs no kernel."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Sequence

from .cards import ARTICLES, SYSTEMS
from .claim_card import VERDICTS, Card, Pick, Text

FILTERS = ("verdict", "system", "lesson")
UNSTABLE: Text = ("unstable", "不稳")
SURPRISES = (  # what we had not expected, and five other seeds say as well
    "one-vector-per-sense",
    "grammar-meaning-common-sense",
    "ulmfit-tagging",
    "decoder-matters-more",
    "gpt-lstm",
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
    """Count the verdicts in a bar whose parts are as long as they are frequent."""
    counted = Counter(card.decided() for card in cards)
    colours = dict(zip(VERDICTS, COLOURS, strict=True))
    parts = "".join(
        f'<span style="flex: {counted[v]}; background: {colours[v]}; color: #000; '
        f'padding: .3em .5em; white-space: nowrap">{counted[v]} {t(v, VERDICTS[v])}'
        "</span>"
        for v in VERDICTS
        if counted[v]
    )
    shaky = sum(card.unstable for card in cards)
    old = sum(bool(card.stale) for card in cards)
    again = [card for card in cards if card.again]
    same = sum(card.again == card.decided() for card in again)
    chinese = [card for card in cards if card.in_chinese]
    alike = sum(card.in_chinese == card.decided() for card in chinese)
    note = t(
        f"{len(cards)} cards. Measured again with five other seeds: {len(again)}; the "
        f"verdict was the same for {same}. Measured in English, then on Chinese text: "
        f"{len(chinese)}; the same for {alike}. Unstable, because a seed less, other "
        f"seeds or Chinese would change the verdict: {shaky}. "
        f"Measured before a change of code or checkpoint: {old}.",
        f"共 {len(cards)} 张卡片。换五个种子重做过的：{len(again)} 张，"
        f"其中 {same} 张结论相同。原用英文、换成中文再测的：{len(chinese)} 张，"
        f"其中 {alike} 张结论相同。少一个种子、换一批种子或换成中文结论就变、"
        f"因而不稳的：{shaky} 张。"
        f"测量之后代码或模型有过改动的：{old} 张。",
    )
    bar = f'<div style="display: flex; flex-wrap: wrap">{parts}</div>'
    return f"{bar}<p>{note}</p>"


def surprises(cards: Sequence[Card], t: Pick) -> str:
    """List the cards to begin with; a click on one sets all filters back."""
    entries = "".join(
        f'<li><a href="#{card.key}">{html.escape(t(*card.claim))}</a> '
        f"<b>{t(word, VERDICTS[word])}</b></li>"
        for card in cards
        if card.key in SURPRISES
        for word in [card.decided()]
    )
    head = t(
        "What we had not expected. Each card says how far its verdict reaches:",
        "没有料到的几条（结论管多宽，卡片上都写着）：",
    )
    return f"<p>{head}</p><ul>{entries}</ul>" if entries else ""


# Light enough for black text; the words are written on them as well.
COLOURS = ("#9bd8b8", "#f0d58c", "#f2b39b", "#d9d9d9", "#c9c3e6")


def keys(card: Card, name: str) -> tuple[str, ...]:
    """Return what a card is filed under: its verdict, its systems or its lesson."""
    shaky = UNSTABLE[:1] * card.unstable
    of = {"verdict": (card.decided(), *shaky), "system": card.systems}
    return of.get(name, (card.lesson,))


def pick(name: str, cards: Iterable[Card], t: Pick) -> str:
    """Write the menu of one filter, with what occurs among the cards."""
    used = dict.fromkeys(key for card in cards for key in keys(card, name))
    titles = {v: (v, zh) for v, zh in VERDICTS.items()}
    titles |= {UNSTABLE[0]: UNSTABLE} | SYSTEMS
    label = {
        "verdict": t("verdict", "结论"),
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
