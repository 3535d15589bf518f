"""A claim card: what is said, what the paper measured, what we measure, a verdict."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from course_lib.analysis.statistics import Interval

from . import ledger

VERDICTS = {
    "supported": "站得住",
    "overstated": "夸大",
    "wrong": "错误",
    "untested": "未检验",
    "opinion": "只是看法",
}
AS_TOLD = {
    "right": "属实",
    "imprecise": "不够准确",
    "false": "不属实",
    "opinion": "见仁见智",
}
Text = tuple[str, str]  # English, Chinese
Rows = list[dict]
Pick = Callable[[str, str], str]  # `t` of a notebook: the text of its edition

POPULAR: Text = ("popular accounts", "流行文章")


@dataclass(frozen=True)
class Card:
    """A claim and its test; every text is a pair, English and Chinese.

    key, lesson     names: "layers-pos-wsd", "08_elmo_layers"
    systems         what it is about: keys of `cards.SYSTEMS`
    claim, source   what is said, and who says it
    as_told         is that what the source says: one of AS_TOLD, from papers and exact
                    facts, no seeds; nothing if the question is the course's own
    quoted          how a popular article puts it, and which: ("S3", "…"); or nothing
    paper           what the paper measured, with its numbers and where they stand
    why             the reason for the verdict, in a sentence or two

    A claim is tested in one of three ways:
    experiments     keys of the ledger; `judge` is the rule, from their rows to a
                    verdict. `effects` turns the rows into what the rule looks at,
                    {place: Interval}, with `names` of the places in two languages;
                    `effect` says what an effect is, and in which unit: `scale` times
                    what `effects` returns. Or `shown` makes a table of the rows,
                    where the rule is not about differences
    facts           rows that can be worked out on the spot: a gradient, a count,
                    arithmetic with the paper's numbers; `verdict` is known
    neither         it is an opinion, or too large for us: `verdict` says which
    """

    key: str
    lesson: str
    systems: tuple[str, ...]
    claim: Text
    paper: Text
    why: Text
    source: Text = POPULAR
    as_told: str = ""
    quoted: tuple[str, Text] | None = None
    experiments: tuple[str, ...] = ()
    effects: Callable[[Rows], Mapping[str, Interval]] | None = None
    judge: Callable[[Rows], str] | None = None
    effect: Text = ("difference, points", "差（百分点）")
    scale: float = 100.0
    digits: int = 1
    names: Mapping[str, Text] = field(default_factory=dict)
    shown: Callable[[Rows, Pick], Rows] | None = None
    facts: Callable[[Pick], Rows] | None = None
    verdict: str = ""

    def __post_init__(self):
        if self.verdict and self.verdict not in VERDICTS:
            known = ", ".join(VERDICTS)
            raise ValueError(f"{self.key}: verdict {self.verdict!r} is none of {known}")
        if self.as_told and self.as_told not in AS_TOLD:
            known = ", ".join(AS_TOLD)
            raise ValueError(f"{self.key}: as_told {self.as_told!r} is none of {known}")
        if bool(self.verdict) == bool(self.judge):
            raise ValueError(f"{self.key}: give a rule (judge) or a verdict, not both")
        if bool(self.judge) != bool(self.experiments and (self.effects or self.shown)):
            raise ValueError(f"{self.key}: a rule needs experiments, and effects")

    # -- what was measured -------------------------------------------------------------

    @cached_property
    def rows(self) -> Rows:
        """All stored rows of the card's experiments; none if one is not measured."""
        try:
            return [row for key in self.experiments for row in ledger.measured(key)]
        except FileNotFoundError:
            return []

    @cached_property
    def seeds(self) -> int:
        """The number of seeds of the experiment that has the fewest."""
        if not self.rows:
            return 0
        of = ({row["seed"] for row in ledger.measured(k)} for k in self.experiments)
        return min(map(len, of))

    @cached_property
    def stale(self) -> list[str]:
        """What has changed since the card's experiments were measured."""
        known = self.experiments if self.rows else ()
        return sorted({change for key in known for change in ledger.stale(key)})

    def decided(self) -> str:
        """Return the verdict, by the rule where there is one."""
        if self.judge is None:
            return self.verdict
        return "untested" if self.seeds < ledger.ENOUGH else self.judge(self.rows)

    @cached_property
    def flips(self) -> dict[int, str]:
        """The seeds without which the verdict would be another one, and which one."""
        if self.judge is None or self.seeds < ledger.ENOUGH:
            return {}
        found, verdict = {}, self.decided()
        for seed in sorted({row["seed"] for row in self.rows}):
            others = [row for row in self.rows if row["seed"] != seed]
            if (other := self.judge(others)) != verdict:
                found[seed] = other
        return found

    @cached_property
    def again(self) -> str:
        """The verdict of the same rule on five other seeds.

        "" if they are not measured, or if a seed draws nothing that the rule looks at.
        """
        rows = self.elsewhere(ledger.AGAIN)
        if not rows or (self.effects and self.same_numbers(rows)):
            return ""
        return self.judge(rows)

    @cached_property
    def chinese(self) -> Rows:
        """What the card's experiments measured on Chinese text instead of English."""
        return self.elsewhere(ledger.CHINESE)

    @property
    def in_chinese(self) -> str:
        """The verdict of the same rule on Chinese text; "" if that is not measured."""
        return self.judge(self.chinese) if self.chinese else ""

    def elsewhere(self, folder: Path) -> Rows:
        """Return the rows that another folder has of all the card's experiments.

        No rows if one has too few seeds there, or is stale.
        """
        if self.judge is None or self.seeds < ledger.ENOUGH:
            return []
        rows = []
        for key in self.experiments:
            try:
                found = ledger.measured(key, folder)
            except FileNotFoundError:
                return []
            few = len({row["seed"] for row in found}) < ledger.ENOUGH
            if few or ledger.stale(key, folder):
                return []
            rows += found
        return rows

    def same_numbers(self, rows: Rows) -> bool:
        """Say whether all effects are the same numbers with every seed, old or new."""
        old, new = self.effects(self.rows), self.effects(rows)
        ends = [(*old[place], *new[place]) for place in old]
        return all(max(of) - min(of) < 1e-9 for of in ends)

    @property
    def unstable(self) -> bool:
        """Whether a seed less, five other seeds or Chinese would change the verdict."""
        others = {self.again, self.in_chinese} - {"", self.decided()}
        return bool(self.flips or others)

    # -- how it is shown ---------------------------------------------------------------

    def show(self, t: Pick, here: Rows | None = None) -> None:
        """Display the card; here: rows that the notebook has just measured."""
        from IPython.display import HTML, display

        display(HTML(self.as_html(t, here)))

    def as_html(self, t: Pick, here: Rows | None = None) -> str:
        """Write the card; the paper's numbers and ours stand in separate columns.

        The sizes of model and data differ too much to compare them as equals.
        """
        texts = (self.claim, self.source, self.paper)
        claim, source, paper = (html.escape(t(*text)) for text in texts)
        heads = (
            t("what the paper measured", "论文测得"),
            t("what we measure", "本课程测得"),
        )
        left = 'style="text-align: left; vertical-align: top"'
        ours = self.measured_html(t)
        if here:
            ours += f"<p>{t('In this notebook:', '在这本笔记里：')}</p>{table(here)}"
        return (
            f'<table style="max-width: 56em"><caption {left}><b>“{claim}”</b> '
            f"({source})</caption>{line('th', heads)}"
            f"<tr><td {left}>{paper}</td><td {left}>{ours}</td></tr>"
            f"<tr><td {left} colspan=2>{self.verdict_html(t)}</td></tr></table>"
        )

    def verdict_html(self, t: Pick) -> str:
        """Write both verdicts, the reason, and how far to trust it."""
        n = self.seeds
        parts = [
            *self.both_verdicts(t),
            html.escape(t(*self.why)),
            t(f"{n} seed{'s' * (n != 1)}.", f"{n} 个种子。") if n else "",
            *self.doubts(t),
        ]
        return t(" ", "").join(filter(None, parts))

    def both_verdicts(self, t: Pick) -> Iterator[str]:
        """Say whether a sentence is what its source says; then, what came out here.

        A paper is not wrong because our model is small.
        """
        word, told = self.decided(), self.as_told
        if told:
            zh = f"<b>转述：{AS_TOLD[told]}。</b>"
            yield t(f"<b>As told: {told}.</b>", zh)
        if self.judge:
            zh = f"<b>我们的实验，按卡片的规则：{VERDICTS[word]}。</b>"
            yield t(f"<b>In our runs, by the card's rule: {word}.</b>", zh)
        elif not told or word == "untested":
            zh = f"<b>我们的实验：{VERDICTS[word]}。</b>"
            yield t(f"<b>In our runs: {word}.</b>", zh)

    def doubts(self, t: Pick) -> Iterator[str]:
        """Say what else the verdict might be, and what has changed since."""
        unstable = t("<b>Unstable</b>: ", "<b>不稳</b>：")
        if self.flips:
            seed, other = next(iter(self.flips.items()))
            yield unstable + t(
                f"without seed {seed} it would be “{other}”.",
                f"去掉种子 {seed}，结论就成了“{VERDICTS[other]}”。",
            )
        for other, (same, where, zh) in {
            "again": ("Five other seeds", "with five other seeds", "换五个种子"),
            "in_chinese": ("In Chinese", "in Chinese", "换成中文"),
        }.items():
            word = getattr(self, other)
            if word == self.decided():
                yield t(f"{same}: the same.", f"{zh}：结论相同。")
            elif word:
                yield unstable + t(
                    f"{where} it is “{word}”.", f"{zh}，结论是“{VERDICTS[word]}”。"
                )
        if self.stale:
            changed = html.escape(", ".join(self.stale))
            yield t(
                f"<i>Measured before a change of: {changed}.</i>",
                f"<i>测量之后有改动：{changed}。</i>",
            )

    def measured_html(self, t: Pick) -> str:
        """Write what we measure: effects with their intervals, or facts."""
        if self.facts:
            return table(self.facts(t))
        if self.rows:
            ours = self.drawn(self.rows, t)
            if self.chinese:
                ours += f"<p>{t('on Chinese text:', '换成中文：')}</p>"
                ours += self.drawn(self.chinese, t)
            return ours
        if self.experiments:
            return t("not measured yet", "尚未测量")
        return t("nothing: see below", "没有测，理由见下")

    def drawn(self, rows: Rows, t: Pick) -> str:
        """Draw what the rule looks at in some rows, or write it as a table."""
        return forest(self, rows, t) if self.effects else table(self.shown(rows, t))


def forest(card: Card, rows: Rows, t: Pick) -> str:
    """Draw a card's effects in some rows, one a line: a dot, its interval, and zero."""
    spans = {}
    for place, effect in card.effects(rows).items():
        name = t(*card.names.get(place, (place, place)))
        spans[name] = Interval(*(card.scale * x for x in effect))
    ends = [x for span in spans.values() for x in span if math.isfinite(x)] + [0.0]
    low, high = min(ends), max(ends)
    head = f"<tr><th></th><th colspan=2>{html.escape(t(*card.effect))}</th></tr>"
    lines = [
        f'<tr><td style="text-align: left; min-width: 12em">{html.escape(place)}</td>'
        f"<td>{bar(span, low, high, card.digits)}</td>"
        f'<td style="white-space: nowrap">{signed(span, card.digits)}</td></tr>'
        for place, span in spans.items()
    ]
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
