"""Lessons as pages: which outputs are fresh, and what a page needs that they lack."""

from __future__ import annotations

import html
import posixpath
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

import nbformat

from .editions import pick

HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([\w./-]+\.(?:ipynb|md))(#[^) ]*)?\)")
TERM = re.compile(r"\[([^]]*)\]\([^) ]*glossary\.md#(term-\S*) \"([^\"]*)\"\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)

Notebook = nbformat.NotebookNode


def read(path: Path) -> Notebook:
    """Read a notebook as it stands."""
    return nbformat.read(path, as_version=4)


def code(notebook: Notebook) -> list[tuple[str, str]]:
    """List the code with its cells' keys: what outputs depend on, unlike prose."""
    return [(c.id, c.source) for c in notebook.cells if c.cell_type == "code"]


def failed(notebook: Notebook) -> bool:
    """Say whether a cell raised, or was never reached."""
    cells = [c for c in notebook.cells if c.cell_type == "code" and c.source.strip()]
    raised = any(o.output_type == "error" for cell in cells for o in cell.outputs)
    return raised or any(cell.execution_count is None for cell in cells)


def fresh(notebook: Notebook, executed: Path, profile: str | None = None) -> bool:
    """Say whether `executed` holds the outputs of this notebook's code as it stands.

    profile: "full" or "quick" asks for outputs of that profile; a copy that does not
    say which it has is taken to have the right one.
    """
    if not executed.exists():
        return False
    found = read(executed)
    if code(found) != code(notebook) or failed(found):
        return False
    return profile in (None, profile_of(found) or profile)


def profile_of(executed: Notebook) -> str:
    """Return the profile that a copy says it was executed with, or ""."""
    return executed.metadata.get("course", {}).get("profile", "")


def target(stem: str, key: str) -> str:
    """Name a cell's place in both editions: 06_elmo_bilm, map -> lesson-06-map."""
    return f"lesson-{stem[:2]}-{key}"


def heading(text: str) -> str | None:
    """Return the first heading of a Markdown cell."""
    found = HEADING.search(FENCE.sub("", text))
    return found[1] if found else None


def relinked(text: str, language: str, pages: Collection[str]) -> str:
    """Return prose whose links lead from the notebooks' folder to pages of the book.

    What the book has no page for, such as the exercises, is named with its path. Links
    to the glossary have a class of their own, to be seen less than others.
    """

    def to_glossary(match: re.Match) -> str:
        words, term, means = match[1], match[2], html.escape(match[3])
        link = f'class="glossary-link" href="../glossary.html#{term}" title="{means}"'
        return f"<a {link}>{words}</a>"

    def page_of(match: re.Match) -> str:
        words, to, place = match[1], match[2], match[3] or ""
        file = posixpath.normpath(f"notebooks/{language}/{to}")
        name = file.replace(f"notebooks/{language}/", "lessons/", 1)
        name = name.removeprefix(f"docs/{language}/")
        if name in pages:
            return f"[{words}]({posixpath.relpath(name, 'lessons')}{place})"
        return f"{words} (`{file}`)"

    return LINK.sub(page_of, TERM.sub(to_glossary, text))


def page(
    notebook: Notebook,
    executed: Notebook | None,
    stem: str,
    language: str,
    pages: Collection[str] = (),
) -> Notebook:
    """Return the page of a lesson: its prose and code, and the outputs of its copy.

    pages: the names of those in the book, to which its links may lead
    """
    outputs = (
        {c.id: c.outputs for c in executed.cells if "outputs" in c} if executed else {}
    )
    cells = []
    for cell in map(nbformat.from_dict, notebook.cells):  # copies
        if cell.cell_type == "markdown":
            place = (
                f"({target(stem, cell.id)})=\n" if cell.source[:1] not in "<`" else ""
            )
            cell.source = place + relinked(cell.source, language, pages)
        elif cell.cell_type == "code":
            if cell.metadata.get("jupyter", {}).get("source_hidden"):
                cell.metadata["tags"] = ["hide-input"]
            cell.outputs = list(map(clean, joined(outputs.get(cell.id, []))))
        cells.append(cell)
    if notice := notice_of(executed, language):
        cells.insert(1, nbformat.v4.new_markdown_cell(notice, id="outputs-notice"))
    return nbformat.v4.new_notebook(cells=cells, metadata=notebook.metadata)


def notice_of(executed: Notebook | None, language: str) -> str:
    """Say where the outputs come from, if a reader would be misled otherwise."""
    if executed is None:
        text = pick(
            language,
            "This page shows the lesson without outputs: its code has not been "
            "executed since it was last changed. `make book` executes it.",
            "本页没有输出：这一课的代码上次改动之后还没有运行过。"
            "`make book` 会运行它。",
        )
    elif profile_of(executed) == "quick":
        text = pick(
            language,
            "The outputs on this page come from the quick profile: less text, fewer "
            "steps, so that the numbers are rougher than those of a full run.",
            "本页的输出来自精简规模：文本更少，步数更少，数字也就比完整规模粗糙。",
        )
    else:
        return ""
    return f":::{{note}}\n{text}\n:::"


def joined(outputs: list) -> list:
    """Put together what a cell printed piece by piece to one stream.

    A progress bar comes in as many pieces as it was drawn; each would be a line.
    """
    found: list = []
    for output in map(nbformat.from_dict, outputs):
        stream = output.get("name")  # "stdout", "stderr"; None if it was not printed
        if stream and found and found[-1].get("name") == stream:
            found[-1].text += output.text
        else:
            found.append(output)
    return found


def clean(output: Any) -> Any:
    """Return an output as the book shows it.

    Of several forms the page's own stays: a widget's twin, which needs no kernel, and
    code as Markdown, which follows the book's light and dark colours. A progress bar
    that was drawn over itself leaves its last state.
    """
    if output.output_type == "stream":
        output.text = overwritten(output.text)
    data = output.get("data", {})
    if "application/vnd.jupyter.widget-view+json" in data:
        if "text/html" in data:
            output.data = {"text/html": data["text/html"]}
    elif 'class="highlight"' in data.get("text/html", "") and "text/latex" in data:
        code = data["text/plain"].rstrip("\n")
        output.data = {"text/markdown": f"```python\n{code}\n```"}
    return output


def overwritten(text: str) -> str:
    """Leave of each line what stands there at the end: after the last return."""
    lines = text.split("\n")
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)
