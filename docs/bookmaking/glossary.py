"""The glossary: one file for both languages, its page, and what finds its terms."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

from .editions import pick

FILE = Path(__file__).resolve().parents[1] / "glossary.toml"


class Term(NamedTuple):
    """A term of the course in both languages.

    lesson: where it is introduced, "01"; also: other forms that mean the same, in
    either language; avoid: Chinese renderings that the course does not use
    """

    en: str
    zh: str
    lesson: str
    means: str
    zh_means: str
    also: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()

    @property
    def target(self) -> str:
        return "term-" + re.sub(r"[^a-z0-9]+", "-", self.en.lower()).strip("-")

    def forms(self, language: str) -> list[str]:
        """List what may stand for the term in the text of one edition."""
        name = pick(language, self.en, self.zh)
        chinese = language == "zh"
        return [name, *(form for form in self.also if is_chinese(form) == chinese)]


def is_chinese(text: str) -> bool:
    """Say whether a text holds a Chinese character."""
    return re.search("[\u4e00-\u9fff]", text) is not None


def read(path: Path = FILE) -> list[Term]:
    """Read the terms; the file says what each field is for."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["term"]
    lists = ("also", "avoid")
    return [Term(**row | {k: tuple(row.get(k, ())) for k in lists}) for row in rows]


def page(terms: list[Term], language: str, stems: list[str]) -> str:
    """Write the page: its own language first in each entry, the other one after it."""
    lines = [
        pick(language, "# Glossary", "# 术语表"),
        "",
        pick(
            language,
            "The course's terms in both languages. Where a lesson first uses one, it "
            "is linked to its entry here.",
            "本课程的术语，中英对照，按拼音排列。每一课里第一次出现的术语都链接到这里。",
        ),
        "",
    ]
    # The GBK code orders the common characters by their sound.
    order = pick(language, "lower", "gbk")
    terms = sorted(terms, key=lambda term: sort_key(term, order))
    for term in terms:
        lines += entry(term, language, stems)
    return "\n".join(lines)


def sort_key(term: Term, order: str):
    """Return what a term is sorted by: English letters, or the sound of the Chinese."""
    return term.en.lower() if order == "lower" else term.zh.lower().encode("gbk")


def entry(term: Term, language: str, stems: list[str]) -> list[str]:
    """Write one term: a paragraph with the name to which links lead."""
    names = (term.en, term.zh) if language == "en" else (term.zh, term.en)
    texts = (term.means, term.zh_means)[:: 1 if language == "en" else -1]
    stem = next((stem for stem in stems if stem.startswith(term.lesson)), None)
    word = pick(language, "Lesson ", "第 ") + term.lesson + pick(language, "", " 课")
    where = f"[{word}](lessons/{stem}.ipynb)" if stem else word
    title = f"**{names[0]}**" + (f" · {names[1]}" if names[0] != names[1] else "")
    return [
        f"{{#{term.target} .glossary-entry}}",
        f"{title} ({where})\\",
        f"{texts[0]}\\",
        texts[1],
        "",
    ]


def pattern(terms: list[Term], language: str) -> tuple[re.Pattern, dict[str, Term]]:
    """Return what finds any term in a text, longest first, and whose each form is."""
    owner = {}
    for term in terms:
        for form in term.forms(language):
            for word in plurals(form) if language == "en" else [form]:
                owner.setdefault(word, term)
    ordered = sorted(owner, key=len, reverse=True)
    return re.compile("|".join(map(expression, ordered))), owner


def plurals(form: str) -> list[str]:
    """Give an English form with its regular plural."""
    if form.endswith("y") and form[-2:-1] not in "aeiou":
        return [form, form[:-1] + "ies"]
    return [form] if form.endswith("s") else [form, form + "s"]


def expression(form: str) -> str:
    """Write a form as a regular expression: whole words, any white space, any case.

    Names with capitals (CRF, GloVe) are only found as they are written.
    """
    text = r"\s+".join(map(re.escape, form.split()))
    if form == form.lower() and not is_chinese(form):
        text = f"(?i:{text})"
    left = r"(?<![A-Za-z0-9_-])" if form[0].isascii() else ""
    right = r"(?![A-Za-z0-9_-])" if form[-1].isascii() else ""
    return f"{left}{text}{right}"


def owner_of(match: str, owner: dict[str, Term]) -> Term:
    """Return the term that a found piece of text stands for."""
    text = " ".join(match.split())
    return owner[text] if text in owner else owner[text.lower()]
