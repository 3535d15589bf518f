"""What eyes and screen readers need that a Markdown page does not say."""

from __future__ import annotations

from docutils import nodes

from .glossary import is_chinese


def mark_chinese_emphasis(app, doctree) -> None:
    """Tell emphasised Chinese, which takes dots, from Latin titles in italics."""
    for node in doctree.findall(nodes.emphasis):
        if is_chinese(node.astext()):
            node["classes"].append("han")


def name_folds_by_their_text(app, pagename, templatename, context, doctree) -> None:
    """Drop the English label of folded code: a reader should hear what is written."""
    if "body" in context:
        label = ' aria-label="Toggle hidden content"'
        context["body"] = context["body"].replace(f"<summary{label}>", "<summary>")


def lay_out_parameters(app, pagename, templatename, context, doctree) -> None:
    """Say that a long signature is a layout: its list defines nothing."""
    if "body" in context:
        opening = '<dl>\n<dd><em class="sig-param">'
        marked = opening.replace("<dl>", '<dl role="presentation">')
        context["body"] = context["body"].replace(opening, marked)


def setup(app) -> dict:
    """Connect to Sphinx."""
    app.connect("doctree-read", mark_chinese_emphasis)
    app.connect("html-page-context", name_folds_by_their_text)
    app.connect("html-page-context", lay_out_parameters)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
