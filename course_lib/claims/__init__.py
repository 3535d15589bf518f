"""Claim cards: what is said, what the paper measured, what our run measures."""

from __future__ import annotations

import html
from collections.abc import Callable
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
    run:            repeats the experiment at our size; a row for each measurement,
                    as [{column: value, …}, …]
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
        """Run the experiment and display the card in the notebook's language.

        The paper's numbers and ours stand side by side, never in one column: the
        sizes of model and data differ too much to compare them as equals.
        """
        from IPython.display import HTML, display

        display(HTML(self.as_html(t, self.run())))

    def as_html(self, t: Callable[[str, str], str], rows: list[dict]) -> str:
        """Write the card as an HTML table, our measurements as a table inside it."""
        said, source = html.escape(t(*self.said)), html.escape(t(*self.source))
        cells = [
            (t("what the paper measured", "论文测得"), html.escape(t(*self.paper))),
            (t("what our run measures", "本次运行测得"), table(rows)),
        ]
        heads = "".join(f'<th scope="col">{head}</th>' for head, _ in cells)
        left = ' style="text-align: left; vertical-align: top"'
        bodies = "".join(f"<td{left}>{body}</td>" for _, body in cells)
        verdict = t(f"{self.verdict}.", f"{VERDICTS[self.verdict]}。")
        return (
            f'<table style="max-width: 50em"><caption{left}><b>“{said}”</b> '
            f"({source})</caption><thead><tr>{heads}</tr></thead>"
            f"<tbody><tr>{bodies}</tr><tr><td{left} colspan=2><b>"
            f"{t('Verdict: ', '结论：')}{verdict}</b> {html.escape(t(*self.why))}"
            "</td></tr></tbody></table>"
        )


def table(rows: list[dict]) -> str:
    """Write rows with the same columns as an HTML table."""
    heads = "".join(f'<th scope="col">{html.escape(str(key))}</th>' for key in rows[0])
    lines = (
        "".join(f"<td>{html.escape(str(value))}</td>" for value in row.values())
        for row in rows
    )
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
