"""Matplotlib figures that read well: Chinese without boxes, safe colours, alt text."""

from __future__ import annotations

import base64
import html
import io
from typing import TYPE_CHECKING, Any

from course_lib import DATA

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FONT = DATA / "fonts" / "CourseSansSC-Regular.otf"

# Okabe and Ito (2008), "Color Universal Design": told apart with any colour vision.
# Black is left out because a figure's axes and text are black already, and yellow
# comes last because it is faint on white.
OKABE_ITO = (
    "#0072B2",  # blue
    "#E69F00",  # orange
    "#009E73",  # bluish green
    "#CC79A7",  # reddish purple
    "#D55E00",  # vermilion
    "#56B4E9",  # sky blue
    "#F0E442",  # yellow
)


def course_style(language: str) -> dict[str, Any]:
    """Return the course's matplotlib settings for figures labelled in `language`.

    Within a label that holds a formula matplotlib takes letters from the first font
    alone, so that the Chinese edition has the Chinese font first.
    """
    from matplotlib import cycler

    fonts = {
        "en": ["DejaVu Sans", "Course Sans SC"],
        "zh": ["Course Sans SC", "DejaVu Sans"],
    }
    if language not in fonts:
        raise ValueError(f"language is {language!r}; the course has 'en' and 'zh'")
    return {
        "font.family": fonts[language],
        "axes.prop_cycle": cycler(color=OKABE_ITO),
        "axes.spines.top": False,
        "axes.spines.right": False,
        "legend.frameon": False,
        "figure.figsize": (7.0, 4.0),  # inches: fits a notebook's column
        "figure.dpi": 96,  # one inch = 96 pixels of a browser
        "savefig.dpi": 144,  # sharp on a screen that has more
        "figure.constrained_layout.use": True,  # no label overlaps another
    }


def use_course_style(language: str) -> None:
    """Make every later figure of this process follow the course's style."""
    import matplotlib

    register_font()
    matplotlib.rcParams.update(course_style(language))


def register_font() -> None:
    """Tell matplotlib about the Chinese font that ships with the course."""
    from matplotlib.font_manager import fontManager

    if not FONT.exists():
        raise FileNotFoundError(
            f"the course's font is missing: {FONT}. Fetch the repository again, "
            "or restore this file with: git checkout -- data/fonts"
        )
    if FONT.as_posix() not in {entry.fname for entry in fontManager.ttflist}:
        fontManager.addfont(FONT.as_posix())


def show(figure: Figure, alt: str) -> None:
    """Display `figure` as a picture that a screen reader can read, and close it."""
    import matplotlib.pyplot as plt
    from IPython.display import HTML, display

    if not alt.strip():
        raise ValueError(
            "alt is empty: say in a sentence what the figure shows and what to see "
            "in it, for readers who cannot: show(figure, alt='Perplexity falls …')"
        )
    picture = png(figure)
    dots = int.from_bytes(picture[16:20], "big")  # where a PNG keeps its width
    dpi = plt.rcParams["savefig.dpi"]
    width = round(96 * dots / (figure.dpi if dpi == "figure" else dpi))
    display(HTML(image_tag(picture, alt, width)))
    plt.close(figure)  # else the notebook would show it a second time, without alt


def png(figure: Figure) -> bytes:
    """Draw `figure` as PNG bytes, the same bytes each time.

    The picture is as large as what is drawn: squares leave constrained layout no room
    for their titles, which would be cut off.
    """
    buffer = io.BytesIO()
    figure.savefig(
        buffer, format="png", metadata={"Software": None}, bbox_inches="tight"
    )
    return buffer.getvalue()


def image_tag(picture: bytes, alt: str, width: int) -> str:
    """Write an HTML picture that carries its own data, at most `width` pixels wide."""
    data = base64.b64encode(picture).decode()
    return (
        f'<img alt="{html.escape(alt)}" src="data:image/png;base64,{data}" '
        f'style="width: {width}px; max-width: 100%; background: white">'
    )
