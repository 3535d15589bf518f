"""How a claim card looks: HTML for a notebook and for the book."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from course_lib.analysis.statistics import Interval

from .words import AS_TOLD, IN_OUR_RUNS, Pick, Rows, Values, spans

if TYPE_CHECKING:
    from .claim_card import Card

# Light enough for black text; the words are written on them as well.
COLOURS = {
    "right": "#9bd8b8",
    "imprecise": "#f0d58c",
    "false": "#f2b39b",
    "opinion": "#c9c3e6",
    "reproduced": "#9bd8b8",
    "contradicted": "#f2b39b",
    "mixed": "#f0d58c",
    "cannot tell": "#d9d9d9",
    "not tried": "#eeeeee",
}
GREY = "color: #595959"


def as_html(card: Card, t: Pick, here: Rows | None = None) -> str:
    """Write a card; the paper's numbers and ours stand in separate columns.

    The sizes of model and data differ too much to compare them as equals.
    """
    texts = (card.claim, card.source, card.paper)
    claim, source, paper = (html.escape(t(*text)) for text in texts)
    heads = (
        t("what the paper measured", "论文测得"),
        t("what we measure", "本课程测得"),
    )
    left = 'style="text-align: left; vertical-align: top"'
    ours = measured(card, t)
    if here:
        ours += f"<p>{t('In this notebook:', '在这本笔记里：')}</p>{table(here)}"
    return (
        f'<table style="max-width: 56em"><caption {left}><b>“{claim}”</b> '
        f"({source})</caption>{line('th', heads)}"
        f"<tr><td {left}>{paper}</td><td {left}>{ours}</td></tr>"
        f"<tr><td {left} colspan=2>{verdicts(card, t)}</td></tr></table>"
    )


def verdicts(card: Card, t: Pick) -> str:
    """Write both verdicts as coloured marks, the reason, and how far to trust it."""
    return t(" ", "").join([" ".join(marks(card, t)), reasons(card, t)])


def reasons(card: Card, t: Pick) -> str:
    """Say why the verdicts are what they are, and how far to trust them."""
    n = card.seeds
    parts = [
        html.escape(t(*card.why)),
        t(f"{n} seed{'s' * (n != 1)}.", f"{n} 个种子。") if n else "",
        *yardsticks(card, t),
        *doubts(card, t),
    ]
    return t(" ", "").join(filter(None, parts))


def marks(card: Card, t: Pick) -> Iterator[str]:
    """Say whether a sentence is what its source says; then, what came out here.

    A paper is not wrong because our model is small.
    """
    if told := card.as_told:
        yield mark(told, t(f"As told: {told}", f"转述：{AS_TOLD[told]}"))
    if card.experiments or not card.facts:
        word = card.outcome
        yield mark(word, t(f"In our runs: {word}", f"我们的实验：{IN_OUR_RUNS[word]}"))


def mark(word: str, text: str) -> str:
    """Write a verdict on its colour."""
    style = f"background: {COLOURS[word]}; color: #000; white-space: nowrap"
    return f'<b style="{style}; padding: .1em .4em; border-radius: .3em">{text}</b>'


def yardsticks(card: Card, t: Pick) -> Iterator[str]:
    """Say which effect would have mattered, and which would have been found."""
    if not card.counted:
        return
    least, unit = card.hypothesis.of_interest, html.escape(t(*card.effect))
    since = html.escape(t(*card.hypothesis.since))
    yield t(
        f"An effect would matter from {least:g} on ({since}; {unit}).",
        f"效应至少要有 {least:g} 才算数（{since}；单位：{unit}）。",
    )
    found = [x for x in card.detectable.values() if math.isfinite(x)]
    if card.outcome in ("cannot tell", "mixed", "contradicted") and max(
        found, default=0
    ):
        low, high = (f"{x:.{card.digits}f}" for x in (min(found), max(found)))
        span = low if low == high else t(f"{low} to {high}", f"{low} 到 {high}")
        yield t(
            f"With these seeds a true effect of {span} is found in four of five runs.",
            f"凭这些种子，真有 {span} 的效应，五次里能查出四次。",
        )


def doubts(card: Card, t: Pick) -> Iterator[str]:
    """Say what else the outcome might be, and what has changed since."""
    unstable = t("<b>Unstable</b>: ", "<b>不稳</b>：")
    if card.flips:
        seed, other = next(iter(card.flips.items()))
        yield unstable + t(
            f"without seed {seed} it would be “{other}”.",
            f"去掉种子 {seed}，就成了“{IN_OUR_RUNS[other]}”。",
        )
    if other := card.in_chinese:
        same = other == card.outcome
        yield t(
            f"On Chinese text: {'the same' if same else other}.",
            f"换成中文：{'相同' if same else IN_OUR_RUNS[other]}。",
        )
    if card.stale:
        changed = html.escape(", ".join(card.stale))
        yield t(
            f"<i>Measured before a change of: {changed}.</i>",
            f"<i>测量之后有改动：{changed}。</i>",
        )


def measured(card: Card, t: Pick) -> str:
    """Write what we measure: effects with their intervals, or facts."""
    if card.facts:
        return table(card.facts(t))
    if card.rows:
        ours = table(card.shown(card.rows, t)) if card.shown else ""
        ours += forest(card, card.differences, card.counted, t)
        if card.chinese:
            found = card.by_seed(card.effects, card.chinese)
            ours += f"<p>{t('on Chinese text:', '换成中文：')}</p>"
            ours += forest(card, found, card.claimed(found, card.chinese), t)
        return ours
    if card.experiments:
        return t("not measured yet", "尚未测量")
    return t("nothing: see below", "没有测，理由见下")


def forest(card: Card, differences: Values, counted: Values, t: Pick) -> str:
    """Draw effects, one a line: a dot, its interval, zero; grey what does not count."""
    found = spans(differences)
    ends = [x for span in found.values() for x in span if math.isfinite(x)] + [0.0]
    low, high = min(ends), max(ends)
    head = f"<tr><th></th><th colspan=2>{html.escape(t(*card.effect))}</th></tr>"
    lines = []
    for place, span in found.items():
        name = html.escape(str(t(*card.names.get(place, (place, place)))))
        grey = "" if place in counted else f"; {GREY}"
        if grey:
            name += t(" (does not count)", "（不计）")
        drawn, digits = bar(span, low, high, card.digits), signed(span, card.digits)
        lines.append(
            f'<tr><td style="text-align: left; min-width: 12em{grey}">{name}</td>'
            f'<td>{drawn}</td><td style="white-space: nowrap{grey}">{digits}</td></tr>'
        )
    return f"<table>{head}{''.join(lines)}</table>"


def signed(span: Interval, digits: int = 1) -> str:
    """Write an effect with its sign: +0.6 [+0.1, +1.1]; one seed has no interval."""
    middle, low, high = (f"{x:+z.{digits}f}" for x in span)  # z: no minus before 0.0
    return middle if math.isnan(span.low) else f"{middle} [{low}, {high}]"


def bar(span: Interval, low: float, high: float, digits: int, width: int = 180) -> str:
    """Draw one interval on the scale from low to high; the thin line is zero."""

    def x(value: float) -> str:
        share = (value - low) / ((high - low) or 1)
        return f"{6 + share * (width - 12):.1f}"

    line = "" if math.isnan(span.low) else (
        f'<line x1="{x(span.low)}" x2="{x(span.high)}" y1="8" y2="8" '
        'stroke="#0072B2" stroke-width="3"/>'
    )  # fmt: skip
    label = f'role="img" aria-label="{signed(span, digits)}"'
    return (
        f'<svg {label} width="{width}" height="16">'
        f'<line x1="{x(0)}" x2="{x(0)}" y1="0" y2="16" stroke="currentColor" '
        f'stroke-width="1"/>{line}'
        f'<circle cx="{x(span.estimate)}" cy="8" r="4.5" fill="#0072B2"/></svg>'
    )


def table(rows: Sequence[dict]) -> str:
    """Write rows with the same columns as an HTML table; nothing if there are none."""
    return grid(rows[0], (row.values() for row in rows)) if rows else ""


def grid(heads: Iterable, rows: Iterable[Iterable]) -> str:
    """Write rows of cells below their heads as an HTML table."""
    lines = [line("th", heads), *(line("td", cells) for cells in rows)]
    return f"<table>{''.join(lines)}</table>"


def show_table(heads: Sequence[str], rows: Iterable[Sequence]) -> None:
    """Display rows of cells below their heads, one cell for each."""
    from IPython.display import HTML, display

    lines = [[cell for _, cell in zip(heads, row, strict=True)] for row in rows]
    display(HTML(grid(heads, lines)))


def line(tag: str, values: Iterable) -> str:
    """Write one line of a table; its cells are `th` (heads) or `td`."""
    texts = (html.escape(str(value)) for value in values)
    style = ' style="white-space: nowrap"' if tag == "td" else ""
    cells = (f"<{tag}{style}>{text}</{tag}>" for text in texts)
    return f"<tr>{''.join(cells)}</tr>"
