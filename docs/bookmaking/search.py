"""Search that finds Chinese without a dictionary.

Chinese has no spaces. A segmenter would cut 一词多义 differently in a sentence and in a
query, and find nothing. Here both are cut in the same way, into overlapping pairs of
characters: a query is found where all of its pairs stand. Latin words stay whole, and
lose their endings as Sphinx's English search has it.

The order of what is found, and its excerpts, are the book's own: see search.js.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from sphinx.search.en import SearchEnglish

from . import glossary

HAN = "\u3400-\u4dbf\u4e00-\u9fff"
RUN = re.compile(rf"[{HAN}]+|[^\W{HAN}]+")

SPLITTER = rf"""
const han = /^[{HAN}]/;
const cut = (run) => (!han.test(run) || run.length < 3) ? [run]
  : Array.from({{ length: run.length - 1 }}, (_, i) => run.slice(i, i + 2));
const splitQuery = (query) =>
  (query.match(/[{HAN}]+|(?:(?![{HAN}])[\p{{L}}\p{{N}}_])+/gu) || []).flatMap(cut);
""".replace("const splitQuery", "var splitQuery")


def pairs(run: str) -> list[str]:
    """Cut a run of Chinese characters into overlapping pairs; one alone stays."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


class SearchBilingual(SearchEnglish):
    """English words as they are; of Chinese each character and each pair."""

    lang = "bilingual"

    def split(self, input: str) -> list[str]:
        words = []
        for run in RUN.findall(input):
            chinese = re.match(f"[{HAN}]", run)
            words += [*pairs(run), *run] if chinese else [run]
        return words


def order() -> str:
    """Write the script that orders results by what the lessons teach."""
    forms = {
        form.lower(): term.lesson
        for term in glossary.read()
        for form in (*term.also, term.zh, term.en)
    }
    taught = json.dumps([*forms.items()], ensure_ascii=False)
    script = Path(__file__).with_name("search.js").read_text("utf-8")
    return f"const taught = {taught};\n{script}"


def setup(app) -> dict:
    """Tell Sphinx about the search."""
    SearchBilingual.js_splitter_code = SPLITTER + order()
    app.add_search_language(SearchBilingual)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
