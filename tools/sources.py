"""Read and check the text sources from which the notebooks are built.

A source is a Python script in jupytext's percent format. A cell's options stand
in its first line; every cell has a key, unique in its file:

    # %% [markdown] key="why" lang="en"
    # # Why a language model?

    # %% [markdown] key="why" lang="zh" follows="0f3a92c1"
    # # 为什么要语言模型？

    # %% key="train"
    model = train(corpus)

A code cell with fold=true is shown closed, with its output; it opens with a click. Use
it where the code only draws: what is taught stays open.

In the code of a lesson `t("layer", "层")` says a text in both languages; an edition
holds the one that it needs (one_language.py).

Prose comes in pairs: the Chinese cell stands directly after the English cell with
the same key, and `follows` is the fingerprint of the English text that it renders.
When the English changes, the Chinese is outdated until somebody revises it.

An assignment's cells may also have a role:

    role="given"               code that students run but do not edit
    role="answer"              code that students write; what they should not see stands
                               between ### BEGIN SOLUTION and ### END SOLUTION
    role="test" points=2       marks the answer; students do not see what stands between
                               ### BEGIN HIDDEN TESTS and ### END HIDDEN TESTS
    role="written" points=3    prose marked by a person; the source holds a model answer
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jupytext
from markdown_it import MarkdownIt

START = 'course_lib.start("en")'
OPTIONS = ("key", "lang", "follows", "fold", "role", "points")
ROLES = ("given", "answer", "test", "written")
LONGEST_RUN_OF_CODE = 3


class SourceError(Exception):
    """Say which cell cannot be built and why."""


class Cell(NamedTuple):
    """One cell of a source: its key, kind ("code" or "markdown"), text and options."""

    key: str
    kind: str
    text: str
    options: dict[str, Any]

    @property
    def language(self) -> str | None:
        return self.options.get("lang")

    @property
    def role(self) -> str | None:
        return self.options.get("role")


# With its default, jupytext takes a heading `# # Why?` for IPython's help on `Why` and
# loses the heading's mark. Sources are plain Python: no magics.
FORMAT = {"extension": ".py", "format_name": "percent", "comment_magics": False}

Problem = tuple[str, str]  # (key of the cell, what is wrong with it)


def fingerprint(text: str) -> str:
    """Return the eight hex digits by which a Chinese cell names its English text."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:8]


def read(path: Path) -> list[Cell]:
    """Return the cells of a source; raise SourceError where no notebook can result."""
    script = jupytext.reads(path.read_text(encoding="utf-8"), fmt=FORMAT)
    cells, taken = [], set()
    for number, found in enumerate(script.cells, start=1):
        options = {k: v for k, v in found.metadata.items() if k != "lines_to_next_cell"}
        key = options.get("key", f"number {number}")
        cell = Cell(key, found.cell_type, found.source, options)
        # A cell without a language stands in both editions and takes both places.
        languages = [cell.language] if cell.language else ["en", "zh"]
        places = {(key, language) for language in languages}
        if message := _obstacle(cell, bool(places & taken)):
            raise SourceError(f"{_place(path)}: cell '{key}': {message}")
        taken |= places
        cells.append(cell)
    return cells


def _place(path: Path) -> str:
    """Name a source from the top of the course, if it is one of the course's."""
    name = path.as_posix()
    return name[max(0, name.rfind("source/")) :]


def _obstacle(cell: Cell, key_is_taken: bool) -> str | None:
    """Return why this cell cannot become part of a notebook, or None."""
    options = cell.options
    if "key" not in options:
        return f'has no key; write key="…" in its first line ({_opening(cell.text)})'
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", str(cell.key)):
        return "a key is made of 1 to 64 letters, digits, - and _"
    if key_is_taken:
        return "this key is taken; every cell (or English-Chinese pair) needs its own"
    if unknown := sorted(options.keys() - set(OPTIONS)):
        return f"unknown option {', '.join(unknown)} (known: {', '.join(OPTIONS)})"
    if cell.language not in (None, "en", "zh"):
        return f'lang="{cell.language}" is neither "en" nor "zh"'
    if cell.kind != "markdown" and (cell.kind != "code" or cell.language):
        return "a cell is prose ([markdown], with a language) or code (without)"
    if cell.role not in {None, *ROLES}:
        return f'role="{cell.role}" is none of {", ".join(ROLES)}'
    marked = cell.role == "test" or (cell.role == "written" and cell.language != "zh")
    if marked != isinstance(options.get("points"), int | float):
        return 'role="test" and role="written" need points=…; no other cell has them'
    return None


def _opening(text: str) -> str:
    """Return the first words of a cell, for a message about a cell without a name."""
    return f"it begins “{text.strip()[:40]}”"


def problems(path: Path) -> list[str]:
    """Return everything that a reader of the course should not meet in this source."""
    try:
        cells = read(path)
    except SourceError as error:
        return [str(error)]
    checks = [
        untranslated,
        broken_emphasis,
        long_runs_of_code,
        absolute_paths,
        figures_without_alt,
    ]
    if path.parent.name == "lessons":
        checks.append(unclear_start)
    found = [problem for check in checks for problem in check(cells)]
    return [f"{_place(path)}: cell '{key}': {message}" for key, message in found]


def outdated(cells: list[Cell]) -> dict[str, str]:
    """Return {key: fingerprint to follow} where the English has changed."""
    english = {cell.key: cell.text for cell in cells if cell.language == "en"}
    chinese = [cell for cell in cells if cell.language == "zh" and cell.key in english]
    due = {cell.key: fingerprint(english[cell.key]) for cell in chinese}
    return {
        cell.key: due[cell.key]
        for cell in chinese
        if cell.options.get("follows") != due[cell.key]
    }


def untranslated(cells: list[Cell]) -> Iterator[Problem]:
    """Find prose that one of the two languages lacks, or has in an old version."""
    neighbours = zip([None, *cells], cells, [*cells[1:], None], strict=False)
    for before, cell, after in neighbours:
        if cell.kind != "markdown":
            continue
        if cell.language is None:
            yield cell.key, 'prose needs lang="en" or lang="zh"'
        if cell.language == "en" and not _twins(cell, after, "zh"):
            yield cell.key, 'no Chinese cell (same key, lang="zh") directly after it'
        if cell.language == "zh" and not _twins(cell, before, "en"):
            yield cell.key, 'no English cell (same key, lang="en") directly before it'
    for key, due in outdated(cells).items():
        yield key, f'the Chinese is outdated: revise it, then restamp (follows="{due}")'


def _twins(cell: Cell, other: Cell | None, language: str) -> bool:
    return other is not None and (other.key, other.language) == (cell.key, language)


def broken_emphasis(cells: list[Cell]) -> Iterator[Problem]:
    """Find prose that Markdown emphasises elsewhere than where its asterisks stand.

    It expects a space beside words: in `*词。*下` the second asterisk closes nothing.
    """
    markdown = MarkdownIt("commonmark").enable("table")
    for cell in cells:
        if cell.kind != "markdown":
            continue
        text = re.sub(r"\$\$.*?\$\$|`+[^`]*`+", "x", cell.text, flags=re.DOTALL)
        text = re.sub(r"\$[^$]+\$", "x", text)
        for block in markdown.parse(text):
            if block.type == "inline":
                meant = re.findall(r"(\*+)(?![\s*])(.+?)\1", block.content, re.DOTALL)
                if [_bare(words) for _, words in meant] != _emphasised(block.children):
                    yield (
                        cell.key,
                        f"emphasis is lost in {block.content[:40]!r} …: put the "
                        "punctuation outside the asterisks, and \\ before each _",
                    )


def _bare(text: str) -> str:
    return re.sub(r"[\s\\]", "", text)


def _emphasised(tokens: list) -> list[str]:
    """List what stands between an opening and the next closing of any emphasis."""
    found, open_at = [], 0
    for i, token in enumerate(tokens):
        if token.type in ("em_open", "strong_open"):
            open_at = i + 1
        elif token.type in ("em_close", "strong_close"):
            found.append(_bare("".join(t.content for t in tokens[open_at:i])))
    return found


def long_runs_of_code(cells: list[Cell]) -> Iterator[Problem]:
    """Find the cell that makes one code cell too many without a word of prose."""
    run = 0
    for cell in cells:
        run = run + 1 if cell.kind == "code" else 0
        if run == LONGEST_RUN_OF_CODE + 1:
            yield cell.key, f"more than {LONGEST_RUN_OF_CODE} code cells without prose"


UNIX_PATH = r"(?<![\w.:/~<>\])}-])/(?:home|Users|root|tmp|var|opt|mnt|usr|etc|srv)/"
OTHER_ROOTS = r"(?<![\w.:/~<>\])}-])/(?:work|workspace|content|kaggle|data|media)/"
WINDOWS_PATH = r"(?<![A-Za-z0-9])[A-Za-z]:(?:\\{1,2}|/(?!/))\w{2,}"
ABSOLUTE_PATH = re.compile(f"{UNIX_PATH}|{OTHER_ROOTS}|{WINDOWS_PATH}|file://")


def absolute_paths(cells: list[Cell]) -> Iterator[Problem]:
    """Find paths that exist on the author's machine only."""
    for cell in cells:
        # In prose `$f:\mathbb{R}$` is mathematics, not a folder on drive f.
        hide = r"\${1,2}[^$]+\${1,2}" if cell.kind == "markdown" else r"(?!)"
        if match := ABSOLUTE_PATH.search(re.sub(hide, "", cell.text)):
            yield cell.key, f"an absolute path: “{match[0]}”; use course_lib.DATA"


SHOW = {"show", "course_lib.show", "plt.show"}
DRAW = {"plt.subplots", "plt.subplot_mosaic", "plt.figure"}


def figures_without_alt(cells: list[Cell]) -> Iterator[Problem]:
    """Find pictures that somebody who cannot see them would know nothing about."""
    for cell in cells:
        if cell.kind == "markdown":
            if re.search(r"!\[\s*\]", cell.text) or _image_tag_without_alt(cell.text):
                yield cell.key, "an image without alt text"
            continue
        try:
            calls = _calls(cell.text)
        except SyntaxError as error:
            yield cell.key, f"not valid Python (line {error.lineno}: {error.msg})"
            continue
        shown = [call for name, call in calls if name in SHOW]
        drawn = [name for name, _ in calls if name in DRAW or name.endswith(".plot")]
        if any(not _has_alt(call) for call in shown) or (drawn and not shown):
            yield cell.key, "a figure without alt text; course_lib.show(figure, alt=…)"


def _image_tag_without_alt(text: str) -> bool:
    tags = re.findall(r"<img\b[^>]*>", text)
    return any(not re.search(r"\balt=[\"'][^\"']", tag) for tag in tags)


def _calls(code: str) -> list[tuple[str, ast.Call]]:
    """Return the calls in a code cell, each with its dotted name."""
    nodes = ast.walk(ast.parse(code))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    return [(ast.unparse(call.func), call) for call in calls]


def _has_alt(call: ast.Call) -> bool:
    values = [keyword.value for keyword in call.keywords if keyword.arg == "alt"]
    return bool(values) and ast.unparse(values[0]) not in ("''", "None")


def unclear_start(cells: list[Cell]) -> Iterator[Problem]:
    """Find a lesson whose language the build cannot switch."""
    places = [cell.text.count(START) for cell in cells if cell.kind == "code"]
    if sum(places) != 1 and cells:
        yield cells[0].key, f"a lesson calls {START} once, in its first code cell"
