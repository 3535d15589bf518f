"""How Sphinx makes one edition of the book; tools/book.py sets what differs."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "From word vectors to BERT"  # and in Chinese: bookmaking/editions.py
author = ""
extensions = [
    "myst_nb",
    "sphinx.ext.mathjax",
    "bookmaking.search",
    "bookmaking.typography",
]
html_theme = "sphinx_book_theme"
templates_path = ["_templates"]
html_static_path = ["_static"]
html_css_files = ["book.css"]
html_js_files = ["book.js", "progress.js"]
html_favicon = "_static/icon.svg"
html_search_language = "bilingual"
html_copy_source = False  # the notebooks are in the repository, without outputs
html_show_copyright = False
html_use_index = False
html_domain_indices = False
html_theme_options = {
    "article_header_end": [
        "files.html",
        "language.html",
        "article-header-buttons.html",
    ],
    "footer_content_items": [],
    "home_page_in_toc": True,
    "navbar_persistent": [],  # else a second search field above the page
    "show_navbar_depth": 1,
    "show_toc_level": 2,
    "use_download_button": False,
    "use_fullscreen_button": False,
}

# Notebooks were executed before; a page only shows what they left.
nb_execution_mode = "off"
nb_merge_streams = True
nb_render_markdown_format = "myst"  # model cards have tables
nb_ipywidgets_js = {}  # else each page with a widget asks two other machines
nb_mime_priority_overrides = [("html", "text/html", 0)]
myst_enable_extensions = ["amsmath", "attrs_block", "colon_fence", "dollarmath"]
myst_heading_anchors = 3

# MathJax stands in the book. Its menu would load more parts; formulas can be read by
# screen readers without it.
mathjax_path = "tex-svg.js"
mathjax3_config = {"svg": {"fontCache": "global"}, "options": {"enableMenu": False}}

python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries_show_parents = "hide"
python_maximum_signature_line_length = 78
