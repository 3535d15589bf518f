"""What every widget shares: reading its module, and its twin without a kernel."""

from __future__ import annotations

import json
import math
import re
import tomllib
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from course_lib.figures import image_tag

FOLDER = Path(__file__).parent / "page"  # what runs in the browser, and its words
PICTURE_WIDTH = 760  # pixels
IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";\n', re.MULTILINE)

# A page without a kernel: the picture first, for readers without scripts; then the
# same module, which takes the picture's place, unless it fails, with a model that
# lives in the page.
TWIN = """<style>{css}</style>
<div id="{name}">{picture}</div>
<script type="module">
const source = new Blob([{module}], {{ type: "text/javascript" }});
const {{ default: widget, pageModel }} = await import(URL.createObjectURL(source));
const el = document.getElementById("{name}"), picture = [...el.childNodes];
el.replaceChildren();
try {{
  widget.render({{ model: pageModel({state}), el }});
}} catch (error) {{ // the browser is too old
  el.className = "";
  el.replaceChildren(...picture);
  throw error;
}}
</script>"""


def module(name: str) -> str:
    """Read the ES module `name`.js after all that it imports, as one text."""
    return "".join(IMPORT.sub("", read(f"{part}.js")) for part in parts(name))


def style(name: str) -> str:
    """Read the style sheets of the same modules, those that have one."""
    sheets = [f"{part}.css" for part in parts(name)]
    return "".join(read(sheet) for sheet in sheets if (FOLDER / sheet).exists())


def parts(name: str) -> list[str]:
    """List the modules that `name` needs, each after those it imports; `name` last."""
    needs = IMPORT.findall(read(f"{name}.js"))
    found = [part for need in needs for part in parts(need)]
    return list(dict.fromkeys([*found, name]))


def read(name: str) -> str:
    """Read a text file of the page folder."""
    return (FOLDER / name).read_text(encoding="utf-8")


def words(name: str) -> dict[str, Any]:
    """Read what the widget `name` says: {language: {key: text}}."""
    return tomllib.loads(read(f"{name}.toml"))


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


def chance(p: float) -> str:
    """Write a probability as kit.js does: 0.2345 -> 23.5%, 0.00012 -> 0.012%."""
    import numpy as np

    written = np.format_float_positional(
        100 * p, 3 if p >= 0.1 else 2, unique=False, fractional=False, trim="-"
    )
    return f"{written}%" if p else "0"


def percent(share: float) -> str:
    """Write a share as the widgets do: 0.876 -> 88%."""
    return f"{math.floor(100 * share + 0.5)}%"


def is_chinese(text: str) -> bool:
    """Say whether `text` holds a Chinese character."""
    return re.search("[\u4e00-\u9fff]", text) is not None


def split(tokens: Sequence[str], index: int) -> list[str]:
    """Write a sentence in three parts: before the target word, the word, and after."""
    gap = "" if is_chinese("".join(tokens)) else " "
    before, after = gap.join(tokens[:index]), gap.join(tokens[index + 1 :])
    parts = [before and before + gap, tokens[index], after and gap + after]
    tight = r" (?=[.,;:!?%)]|n't\b|'(?:s|re|ve|ll|d|m)\b)"  # do n't -> don't
    return [re.sub(tight, "", part) for part in parts]
