"""Claim cards: what is said, what the paper measured, what our run measures."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable
from dataclasses import dataclass

VERDICTS = {
    "supported": "站得住",
    "overstated": "夸大",
    "wrong": "错误",
    "untested": "未检验",
    "opinion": "只是看法",
}
Text = tuple[str, str]  # English, Chinese


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


def table(rows: list[dict]) -> str:
    """Write rows with the same columns as an HTML table."""
    lines = [line("th", rows[0]), *(line("td", row.values()) for row in rows)]
    return f"<table>{''.join(lines)}</table>"


def line(tag: str, values: Iterable) -> str:
    """Write one line of a table; its cells are `th` (heads) or `td`."""
    texts = (html.escape(str(value)) for value in values)
    cells = (f'<{tag} style="white-space: nowrap">{text}</{tag}>' for text in texts)
    return f"<tr>{''.join(cells)}</tr>"
