"""What a student wrote, as HTML that a page may show: the one place that makes it so.

Markdown is read by nbconvert, formulas become MathML (a browser draws it without any
script, offline), and then nh3, a well-kept sanitizer, goes over the finished HTML and
leaves what TAGS and `attribute` allow. Nothing is done to the text after that, since a
later replacement could undo an earlier one. HTML that a student typed is shown as text.

nh3: https://nh3.readthedocs.io; it is called a last time, and on everything.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import latex2mathml.converter
import nbformat
import nh3
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from . import intake
from .plain import PAGE, typed

MARKDOWN = (
    "a blockquote br code dd del dl dt em h1 h2 h3 h4 h5 h6 hr img li ol p pre strong "
    "table tbody td th thead tr ul"
)
MATHML = (
    "math menclose mfrac mi mn mo mover mpadded mroot mrow mspace msqrt mstyle msub "
    "msubsup msup mtable mtd mtext mtr munder munderover"
)
TAGS = {*MARKDOWN.split(), *MATHML.split()}
# What a formula is drawn by; no colour, no address, no name.
DRAWN = (
    "accent columnalign columnspacing display displaystyle fence form linethickness "
    "lspace mathvariant maxsize minsize movablelimits notation rowspacing rspace "
    "stretchy width"
)
LINK = re.compile(r"(?i)(https?://|mailto:)")
PICTURE = re.compile(r"data:image/(png|jpeg);base64,[A-Za-z0-9+/=\s]*")
ATTRIBUTES = {"a": {"href"}, "img": {"src"}} | {
    tag: {*DRAWN.split()} for tag in MATHML.split()
}
# Environments that are written inside a formula, and the same one on its own.
INSIDE = re.compile(r"\\(begin|end)\{(?:aligned|split|equation\*?)\}")


def attribute(tag: str, name: str, value: str) -> str | None:
    """Return the value of an attribute that may stay, else None."""
    allowed = {"href": LINK.match, "src": PICTURE.fullmatch}
    fits = allowed.get(name, re.compile(r"[\w.% +-]{1,40}").fullmatch)
    return value if fits(value) else None


def as_html(text: str, pictures: dict | None = None) -> str:
    """Return Markdown as harmless HTML.

    pictures: attached ones, {name: {"image/png": base64}}, as notebooks keep them
    """
    made = MarkdownWithMath(renderer=Renderer(pictures or {})).render(text)
    return nh3.clean(
        made,
        tags=TAGS,
        attributes=ATTRIBUTES,
        attribute_filter=attribute,
        url_schemes={"http", "https", "mailto", "data"},
        link_rel=None,  # an attribute more; the pages say "no-referrer" themselves
    )


class Renderer(IPythonRenderer):
    """nbconvert's, but HTML stays text and formulas become MathML."""

    def __init__(self, pictures: dict):
        super().__init__(escape=True, exclude_anchor_links=True)
        self.pictures = pictures

    def block_code(self, code: str, info: str | None = None) -> str:
        """Return code without colours: "mermaid" would be a program for the page."""
        return f"<pre><code>{html.escape(code)}</code></pre>\n"

    def block_math(self, body: str) -> str:
        return formula(body, "block")

    def inline_math(self, body: str) -> str:
        return formula(body, "inline")

    def latex_environment(self, name: str, body: str) -> str:
        return formula(f"\\begin{{{name}}}{body}\\end{{{name}}}", "block")

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Return an attached picture; another one is named, and not loaded."""
        name = unquote(url.removeprefix("attachment:"))
        for form, data in self.pictures.get(name, {}).items():
            return f'<img src="data:{form};base64,{html.escape(data)}"> {text}'
        where = html.escape(url[:200])
        return f'{text} (<a href="{html.escape(url)}">{where}</a>)'


def formula(tex: str, display: str) -> str:
    """Return a formula as MathML, or as it was typed if it cannot be read."""
    try:
        made = latex2mathml.converter.convert_to_element(
            INSIDE.sub(r"\\\1{align*}", tex), display=display
        )
        for part in made.iter():  # it writes letters as "&#x00028;"
            part.text = html.unescape(part.text or "")
        return ElementTree.tostring(made, encoding="unicode")
    except Exception:  # whatever else is not TeX
        return f"<code>{html.escape(tex)}</code>"


# The answers of a notebook, beside it, so that they go where it goes

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
SHOWN = f"""<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="referrer" content="no-referrer">
<title>{{title}}</title>
<style>
body {{{{ font: 16px/1.6 system-ui; max-width: 46rem; margin: 1rem auto; }}}}
img {{{{ max-width: 100%; }}}}
section {{{{ border-top: 1px solid #d0d7de; overflow-wrap: anywhere; }}}}
</style>
<h1>{{title}}</h1>
{{sections}}
"""


def render(folder: Path) -> dict[str, int]:
    """Render the texts of a rebuilt submission; return how many each notebook has.

    Beside each notebook go the texts, by the ids of their cells, and PAGE, with all.
    """
    count, sections = {}, []
    for path in sorted(folder.glob("*.ipynb")):
        found = {
            cell.id: as_html(typed(cell.source), cell.get("attachments"))
            for cell in nbformat.read(path, as_version=4).cells
            if intake.is_written(cell)
        }
        intake.write_whole(kept(path), json.dumps(found, ensure_ascii=False))
        count[path.stem] = len(found)
        sections += [f"<section>{text}</section>" for text in found.values()]
    page = SHOWN.format(title=html.escape(folder.name), sections="\n".join(sections))
    intake.write_whole(folder / PAGE, page)
    return count


def forget(folder: Path) -> None:
    """Leave the texts of a submission without HTML: they are shown as they are."""
    for path in [*map(kept, folder.glob("*.ipynb")), folder / PAGE]:
        path.unlink(missing_ok=True)


def kept(path: Path) -> Path:
    """Return the file that keeps the HTML of a notebook's texts."""
    return path.with_suffix(".texts.json")


def rendered(path: Path) -> dict[str, str]:
    """Return the HTML of a notebook's texts; nothing where there is none."""
    file = kept(path)
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
