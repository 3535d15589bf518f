"""What every widget shares: reading its module, and its twin without a kernel."""

from __future__ import annotations

import json
import re
import uuid
from pathlib import Path
from typing import Any

from course_lib.figures import image_tag

FOLDER = Path(__file__).parent
PICTURE_WIDTH = 760  # pixels

# A page without a kernel: the picture first, for readers without scripts; then the
# same module, which takes the picture's place, with a model that lives in the page.
TWIN = """<style>{css}</style>
<div id="{name}">{picture}</div>
<script type="module">
const source = new Blob([{module}], {{ type: "text/javascript" }});
const {{ default: widget, pageModel }} = await import(URL.createObjectURL(source));
const el = document.getElementById("{name}");
el.replaceChildren();
widget.render({{ model: pageModel({state}), el }});
</script>"""


def module(name: str) -> str:
    """Read the ES module `name`.js with kit.js before it, as one text."""
    own = re.sub(r'import \{[^}]*\} from "\./kit\.js";\n', "", read(f"{name}.js"))
    return read("kit.js") + own


def style(name: str) -> str:
    """Read the style sheet `name`.css with kit.css before it."""
    return read("kit.css") + read(f"{name}.css")


def read(name: str) -> str:
    """Read a text file of this folder."""
    return (FOLDER / name).read_text(encoding="utf-8")


def twin(name: str, state: dict[str, Any], picture: bytes, alt: str) -> str:
    """Write the widget `name` as HTML that needs neither a kernel nor the network.

    `state` holds the values of its traits; `picture` (PNG) and its text `alt` are
    what a reader without scripts gets.
    """
    return TWIN.format(
        css=style(name),
        name=f"{name}-{uuid.uuid4().hex[:12]}",
        picture=image_tag(picture, alt, PICTURE_WIDTH),
        module=script_json(module(name)),
        state=script_json(state),
    )


def add_html(bundle: Any, text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Add `text` as text/html to what a widget's `_repr_mimebundle_` returned."""
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    return {**(data or {}), "text/html": text}, metadata


def script_json(value: Any) -> str:
    """Write `value` as JSON that may stand inside an HTML script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")  # no "</script>" may end the script early
