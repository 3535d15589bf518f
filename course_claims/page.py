"""The claims page of the book: all cards, to be filtered; it needs no kernel."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from .card_page import COLOURS, marks, measured, reasons
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
# A sign says the same as the colour, for those who do not tell the colours apart.
SIGNS = {
    "right": "✓",
    "imprecise": "≈",
    "false": "✗",
    "opinion": "○",
    "reproduced": "✓",
    "contradicted": "✗",
    "mixed": "±",
    "cannot tell": "?",
    "not tried": "–",
}
FOLDER = Path(__file__).parent


def page(cards: Sequence[Card], language: str) -> str:
    """Write the page as a piece of HTML; a card links to lessons/LESSON.html."""

    def t(en: str, zh: str) -> str:
        return {"en": en, "zh": zh}[language]

    style, script = (
        (FOLDER / name).read_text("utf-8") for name in ("page.css", "page.js")
    )
    articles = "".join(article(card, t) for card in cards)
    return (
        f'<div class="claims"><style>{style}</style>{summary(cards, t)}'
        f"{surprises(cards, t)}{form(cards, t)}{articles}{pager(t)}"
        f"<script>{script}</script></div>"
    )


def form(cards: Sequence[Card], t: Pick) -> str:
    """Write what narrows the cards down; it is hidden where no script can do so."""
    look = t("Search all texts of the cards", "搜索卡片上的文字")
    some = t(
        "Cards {first} to {last} of {found}", "第 {first}～{last} 张，共 {found} 张"
    )
    none = t("No card fits.", "没有符合条件的卡片。")
    picks = "".join(pick(name, cards, t) for name in FILTERS)
    return (
        f'<form hidden><label class="wide">{look}<input type="search" name="q"></label>'
        f'{picks}<button type="reset">{t("Show all", "全部显示")}</button>'
        f'<output class="wide" aria-live="polite" data-some="{some}" '
        f'data-none="{none}"></output></form>'
    )


def pager(t: Pick) -> str:
    """Write the buttons that lead to other pages of cards; the script numbers them."""
    label, number = t("Pages of cards", "卡片翻页"), t("page {n}", "第 {n} 页")
    before, after = t("previous", "上一页"), t("next", "下一页")
    return (
        f'<nav hidden aria-label="{label}" data-page="{number}">'
        f'<button type="button" data-step="-1">{before}</button><span></span>'
        f'<button type="button" data-step="1">{after}</button></nav>'
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
    first = counted("told", AS_TOLD, (card.as_told for card in cards), t)
    second = counted("runs", IN_OUR_RUNS, (card.ran for card in cards), t)
    return f"<p>{told}</p>{first}<p>{ran}</p>{second}<p>{note}</p>"


def counted(name: str, words: Mapping[str, str], found: Iterable[str], t: Pick) -> str:
    """Draw how often each word is found; a click leaves the cards that have it."""
    counts = Counter(found)
    parts = "".join(
        f'<a href="?{name}={quote(word)}" style="flex: {counts[word]}; '
        f'background: {COLOURS[word]}">{SIGNS[word]} {counts[word]} {t(word, zh)}</a>'
        for word, zh in words.items()
        if counts[word]
    )
    return f'<div class="counts">{parts}</div>'


def surprises(cards: Sequence[Card], t: Pick) -> str:
    """List the cards to begin with, each with its verdicts and a link to it."""
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
    ran = tuple(filter(None, [card.ran]))
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
        f'<label>{label}<select name="{name}"><option value="">{every}</option>'
        f"{options}</select></label>"
    )


def article(card: Card, t: Pick) -> str:
    """Write one card: verdicts, claim, reasons; the numbers are folded."""
    data = " ".join(
        f'data-{name}="{html.escape("|".join(keys(card, name)))}"' for name in FILTERS
    )
    claim, source, paper = (
        html.escape(t(*text)) for text in (card.claim, card.source, card.paper)
    )
    edge = COLOURS[card.as_told or card.outcome]
    folded = t(
        "What the paper measured, and what we did", "论文测得什么，我们又测得什么"
    )
    return (
        f'<article id="{card.key}" {data} style="--verdict: {edge}">'
        f'<p class="verdicts">{" ".join(signs(card, t))} {permalink(card, t)}</p>'
        f"<h2>{t('“', '“')}{claim}{t('”', '”')}</h2>"
        f'<p class="said">{html.escape(who(card, t)) or source}</p>'
        f"<p>{reasons(card, t)}</p><details><summary>"
        f'{folded}</summary><div class="numbers"><div tabindex="0"><h3>'
        f"{t('what the paper measured', '论文测得')}</h3>{paper}</div>"
        f'<div tabindex="0"><h3>{t("what we measure", "本课程测得")}</h3>'
        f"{measured(card, t)}</div></div></details>"
        f'<p><a class="lesson" href="lessons/{card.lesson}.html">'
        f"{t('Open the lesson', '打开这一课')} ({card.lesson})</a></p></article>"
    )


def signs(card: Card, t: Pick) -> Iterator[str]:
    """Write the verdicts, each with its sign on its colour."""
    told, ran = card.as_told, card.ran
    if told:
        yield sign(told, t(f"As told: {told}", f"转述：{AS_TOLD[told]}"))
    else:
        yield f'<b style="background: #eee">{t(*OWN).capitalize()}</b>'
    if ran:
        yield sign(ran, t(f"In our runs: {ran}", f"我们的实验：{IN_OUR_RUNS[ran]}"))


def sign(word: str, text: str) -> str:
    """Write one verdict."""
    mark = f'<span aria-hidden="true">{SIGNS[word]}</span>'
    return f'<b style="background: {COLOURS[word]}">{mark} {text}</b>'


def permalink(card: Card, t: Pick) -> str:
    """Write the link by which others can be sent to this card."""
    label = t("Link to this card", "这张卡片的链接")
    return f'<a class="place" href="#{card.key}" aria-label="{label}">#</a>'


def who(card: Card, t: Pick) -> str:
    """Say which article puts it so, and how; nothing where none is quoted."""
    if not card.quoted:
        return ""
    source, text = card.quoted
    return t(*ARTICLES[source]) + t(": ", "：") + t(*text)
