"""Drawings of models as SVG: boxes, arrows with shapes written on them, rows of cells.

A drawing stands in source/drawings, a function that takes `t` (English, Chinese) and
returns a `Drawing`; a lesson shows it with `![what is seen](drawing:name)`. It is drawn
when the notebooks are built, so that a reader sees it before anything runs. It brings
its own light paper, and is read on a dark page as well.

Coordinates are in pixels, y grows downwards. Colours mean the same in all drawings:
words blue, states orange, weights that are learned green, losses vermilion, what is
frozen or given grey.

What is drawn in `with d.step(1):`, `with d.step(2):` … comes up in this order, three
times, and then stays; for who wants no motion all of it stands from the first.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

FILLS = {
    "word": "#d6e9f8",
    "state": "#fbe6c2",
    "weight": "#cdeee2",
    "loss": "#f9d7c6",
    "given": "#ebebeb",
    "plain": "#ffffff",
}
EDGES = {
    "word": "#0072B2",
    "state": "#b87400",
    "weight": "#007a5a",
    "loss": "#b04a00",
    "given": "#666666",
    "plain": "#333333",
}
FONT = "font-family=\"'DejaVu Sans', 'Noto Sans SC', 'PingFang SC', sans-serif\""
INK, FAINT = "#222222", "#666666"
SECONDS = 2.4  # for each step of a drawing that moves
Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A rectangle that arrows begin and end at."""

    x: float
    y: float
    width: float
    height: float

    def at(self, side: str, share: float = 0.5) -> Point:
        """Return a point of its edge: top, bottom, left or right, and how far along."""
        along_x, along_y = self.x + share * self.width, self.y + share * self.height
        return {
            "top": (along_x, self.y),
            "bottom": (along_x, self.y + self.height),
            "left": (self.x, along_y),
            "right": (self.x + self.width, along_y),
        }[side]


class Drawing:
    """Shapes on a sheet of paper of a given size."""

    def __init__(self, width: float, height: float):
        self.width, self.height = width, height
        self.shapes: list[str] = []
        self.steps = 0

    def box(
        self, x: float, y: float, width: float, height: float, label: str = "",
        kind: str = "plain", dashed: bool = False, size: float = 13,
    ) -> Box:  # fmt: skip
        """Draw a box with lines of text in its middle; kind: of FILLS."""
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.shapes.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" '
            f'fill="{FILLS[kind]}" stroke="{EDGES[kind]}" stroke-width="1.4"{dash}/>'
        )
        lines = label.split("\n") if label else []
        for k, line in enumerate(lines):
            down = (k - (len(lines) - 1) / 2) * 1.3 * size
            self.text(x + width / 2, y + height / 2 + down, line, size)
        return Box(x, y, width, height)

    def cells(
        self, x: float, y: float, n: int, kind: str = "word", upright: bool = False,
        side: float = 12,
    ) -> Box:  # fmt: skip
        """Draw a vector: n small squares beside each other, or one above the other."""
        for k in range(n):
            at = (x, y + k * side) if upright else (x + k * side, y)
            self.shapes.append(
                f'<rect x="{at[0]:g}" y="{at[1]:g}" width="{side:g}" height="{side:g}" '
                f'fill="{FILLS[kind]}" stroke="{EDGES[kind]}" stroke-width="1"/>'
            )
        return Box(x, y, *((side, n * side) if upright else (n * side, side)))

    def text(
        self, x: float, y: float, label: str, size: float = 13, anchor: str = "middle",
        faint: bool = False, bold: bool = False,
    ) -> None:  # fmt: skip
        """Write a line; y: its middle, anchor: start, middle or end; x_{t}: index t."""
        weight = ' font-weight="bold"' if bold else ""
        self.shapes.append(
            f'<text x="{x:g}" y="{y + 0.35 * size:g}" font-size="{size:g}" {FONT} '
            f'text-anchor="{anchor}" fill="{FAINT if faint else INK}"{weight}>'
            f"{lowered(html.escape(label), size)}</text>"
        )

    def arrow(
        self, start: Point, end: Point, label: str = "", bend: float = 0.0,
        dashed: bool = False, beside: float = 8, size: float = 11, head: bool = True,
    ) -> None:  # fmt: skip
        """Draw an arrow and write on it, mostly a shape.

        bend: how far the middle lies to the left of the straight line, seen from its
        start; beside: how far the label stands from the arrow, to the right
        """
        (x0, y0), (x1, y1) = start, end
        dx, dy = x1 - x0, y1 - y0
        length = (dx * dx + dy * dy) ** 0.5 or 1.0
        left = (dy / length, -dx / length)
        middle = ((x0 + x1) / 2 + bend * left[0], (y0 + y1) / 2 + bend * left[1])
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        tip = ' marker-end="url(#tip)"' if head else ""
        path = f"M {x0:g} {y0:g} Q {2 * middle[0] - (x0 + x1) / 2:g} "
        path += f"{2 * middle[1] - (y0 + y1) / 2:g} {x1:g} {y1:g}"
        self.shapes.append(
            f'<path d="{path}" fill="none" stroke="{INK}" stroke-width="1.3"'
            f"{dash}{tip}/>"
        )
        if label:
            right = abs(dy) >= abs(dx)  # of an upright arrow; else above it
            at = (middle[0] + beside, middle[1]) if right else middle
            up = 0 if right else -beside
            anchor = "start" if right else "middle"
            self.text(at[0], at[1] + up, label, size, anchor, faint=True)

    def node(
        self, x: float, y: float, label: str, kind: str = "plain", radius: float = 13,
        size: float = 14,
    ) -> Box:  # fmt: skip
        """Draw a circle around a point, mostly a sum or a product; kind: of FILLS."""
        self.shapes.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{FILLS[kind]}" '
            f'stroke="{EDGES[kind]}" stroke-width="1.4"/>'
        )
        self.text(x, y, label, size)
        return Box(x - radius, y - radius, 2 * radius, 2 * radius)

    def route(
        self, *points: Point, head: bool = True, dashed: bool = False,
        wide: float = 1.3, color: str = INK,
    ) -> None:  # fmt: skip
        """Draw an arrow through points, straight from each to the next."""
        through = " L ".join(f"{x:g} {y:g}" for x, y in points)
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        tip = ' marker-end="url(#tip)"' if head else ""
        self.shapes.append(
            f'<path d="M {through}" fill="none" stroke="{color}" '
            f'stroke-width="{wide:g}" stroke-linejoin="round"{dash}{tip}/>'
        )

    def frame(self, around: Box, label: str = "", margin: float = 12) -> Box:
        """Draw a dashed frame around a box, its label at the top left."""
        m = margin
        sizes = (around.width + 2 * m, around.height + 2 * m)
        box = self.box(around.x - m, around.y - m, *sizes, dashed=True)
        self.shapes.insert(0, self.shapes.pop())  # behind what it holds
        if label:
            self.text(box.x + 8, box.y - 9, label, 12, "start", faint=True)
        return box

    @contextmanager
    def step(self, number: int) -> Iterator[None]:
        """Let what is drawn within come up as this step, from 1; no `frame` in it."""
        begin, self.steps = len(self.shapes), max(self.steps, number)
        yield
        drawn = self.shapes[begin:]
        self.shapes[begin:] = [f'<g class="step{number}">', *drawn, "</g>"]

    def motion(self) -> str:
        """Return the style that shows one step after the other; nothing if none is."""
        if not self.steps:
            return ""
        rules, n = [], self.steps + 2  # the last step stays for three
        for k in range(1, self.steps + 1):
            hidden, shown = 100 * (k - 1) / n, 100 * (k - 0.7) / n
            rules += [
                f".step{k} {{ animation: step{k} {n * SECONDS:g}s 3 }}",
                f"@keyframes step{k} {{ 0%, {hidden:.1f}% {{ opacity: .12 }} "
                f"{shown:.1f}% {{ opacity: 1 }} }}",
            ]
        still = "[class^=step] { animation: none }"
        rules.append(f"@media (prefers-reduced-motion: reduce) {{ {still} }}")
        return "<style>\n" + "\n".join(rules) + "\n</style>"

    def svg(self) -> str:
        """Return the picture."""
        size = f'width="{self.width:g}" height="{self.height:g}"'
        tip = (
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" '
            'markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" '
            'orient="auto-start-reverse">'
            f'<path d="M 0 0.8 L 8 4 L 0 7.2 z" fill="{INK}"/></marker></defs>'
        )
        paper = f'<rect {size} rx="8" fill="#ffffff"/>'
        view = f'viewBox="0 0 {self.width:g} {self.height:g}"'
        inside = "\n".join(filter(None, [tip, self.motion(), paper, *self.shapes]))
        start = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view}>'
        return f"{start}\n{inside}\n</svg>\n"


def lowered(label: str, size: float) -> str:
    """Return a line of text with the indices in it, x_{t}, small and lowered."""
    small, down = 0.75 * size, 0.25 * size
    index = rf'<tspan font-size="{small:g}" dy="{down:g}">\1</tspan>'
    rest = rf'<tspan dy="{-down:g}">\2</tspan>'  # back up on the line
    return re.sub(r"_\{([^}]*)\}([^_]*)", index + rest, label)
