"""Claim cards: what is said, what the paper measured, what our run measures."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass

from .card import VERDICTS, Card, Text, line, show_table, table

__all__ = ["VERDICTS", "Card", "Claim", "Text", "card", "line", "show_table", "table"]


def card(key: str) -> Card:
    """Return a card of the ledger by its key, such as "layers-pos-wsd".

    Errors: KeyError that names the keys that are most alike.
    """
    from .cards import cards

    return cards(key)[key]


@dataclass(frozen=True)
class Claim:
    """A claim and its test; every text is a pair, English and Chinese.

    said, source:   the claim, and who makes it
    paper:          what the paper measured, with its numbers and where they stand
    run:            repeats the experiment at our size: [{column: value, …}, …]
    verdict, why:   one of VERDICTS, and the reason in a sentence
    """

    key: str
    said: Text
    source: Text
    paper: Text
    run: Callable[[], list[dict]]
    verdict: str
    why: Text

    def __post_init__(self):
        if self.verdict not in VERDICTS:
            known = ", ".join(VERDICTS)
            raise ValueError(f"{self.key}: verdict {self.verdict!r} is none of {known}")

    def show(self, t: Callable[[str, str], str]) -> None:
        """Run the experiment and display the card in the notebook's language."""
        from IPython.display import HTML, display

        display(HTML(self.as_html(t, self.run())))

    def as_html(self, t: Callable[[str, str], str], rows: list[dict]) -> str:
        """Write the card; the paper's numbers and ours stand in separate columns.

        The sizes of model and data differ too much to compare them as equals.
        """
        texts = (self.said, self.source, self.paper, self.why)
        said, source, paper, why = (html.escape(t(*text)) for text in texts)
        heads = (
            t("what the paper measured", "论文测得"),
            t("what we measure", "本次测得"),
        )
        verdict = t(f"Verdict: {self.verdict}.", f"结论：{VERDICTS[self.verdict]}。")
        left = 'style="text-align: left; vertical-align: top"'
        return (
            f'<table style="max-width: 50em"><caption {left}><b>“{said}”</b> '
            f"({source})</caption>{line('th', heads)}"
            f"<tr><td {left}>{paper}</td><td {left}>{table(rows)}</td></tr>"
            f"<tr><td {left} colspan=2><b>{verdict}</b> {why}</td></tr></table>"
        )
