"""The README's moving picture: one word's sentences walk through a model's layers.

An SVG that moves by CSS alone, as an <img> may. Light and dark follow the reader's
system; who asked for less motion sees the top layer at rest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

WIDTH, HEIGHT, FIELD = 640, 400, (40, 64, 560, 236)  # field: x, y, width, height
SHAPES = (  # one a sense, as different in form as in colour
    '<circle r="6"/>',
    '<path d="M-5.5-5.5h11v11h-11z"/>',
    '<path d="M0-7.5 7 5.5H-7z"/>',
    '<path d="M0-8 8 0 0 8-8 0z"/>',
)
COLOURS = ("0072b2", "d55e00", "009e73", "cc79a7")  # Okabe and Ito, on white
ON_DARK = ("56b4e9", "e69f00", "2fc79a", "e59ac5")
WORDS = {
    "en": {
        "title": "“{word}” in {n} sentences: one point each",
        "layers": (
            "Layer 0 has read the spelling alone: all on one spot",
            "Layer 1 has read the sentence",
            "Layer 2, on top of layer 1, has read it too",
        ),
        "score": "the nearest sentence has the same sense: {score} %",
        "guess": "always the commoner sense: {majority} %",
    },
    "zh": {
        "title": "含“{word}”的 {n} 个句子，每个点是一句",
        "layers": (
            "第 0 层只看字形，所有的点叠在一处",
            "第 1 层读过整个句子",
            "第 2 层叠在第 1 层上，也读过整个句子",
        ),
        "score": "最近的一句是同一个意思：{score}%",
        "guess": "一律猜更常见的意思：{majority}%",
    },
}
STYLE = """
text {{ font: 15px system-ui, "Noto Sans SC", sans-serif; fill: #1f2328 }}
.back {{ fill: #fff; stroke: #d1d9e0 }}
.quiet {{ fill: #59636e; font-size: 13px }}
.title {{ font-size: 17px; font-weight: 600 }}
{light}
@media (prefers-color-scheme: dark) {{
  text {{ fill: #f0f6fc }}
  .back {{ fill: #0d1117; stroke: #3d444d }}
  .quiet {{ fill: #9198a1 }}
{dark}
}}
.p {{ opacity: .85; transform: translate(var(--c)); animation: walk 14s infinite }}
@keyframes walk {{
  0%, 14% {{ transform: translate(var(--a)) }}
  26%, 46% {{ transform: translate(var(--b)) }}
  58%, 92% {{ transform: translate(var(--c)) }}
  100% {{ transform: translate(var(--a)) }}
}}
.l0, .l1 {{ opacity: 0 }}
.l0 {{ animation: at0 14s infinite }}
.l1 {{ animation: at1 14s infinite }}
.l2 {{ animation: at2 14s infinite }}
@keyframes at0 {{
  0%, 19% {{ opacity: 1 }} 21%, 97% {{ opacity: 0 }} 100% {{ opacity: 1 }}
}}
@keyframes at1 {{
  0%, 20% {{ opacity: 0 }} 22%, 51% {{ opacity: 1 }} 53%, 100% {{ opacity: 0 }}
}}
@keyframes at2 {{
  0%, 52% {{ opacity: 0 }} 54%, 95% {{ opacity: 1 }} 97%, 100% {{ opacity: 0 }}
}}
@media (prefers-reduced-motion: reduce) {{ .p, .l0, .l1, .l2 {{ animation: none }} }}
"""


def moving_map(shown: dict[str, Any], language: str, mark: str) -> str:
    """Write the picture of a word that has three layers.

    shown: as widgets.sense_map.describe gives it; mark: `inputs` of its files
    """
    text, scores = WORDS[language], [100 * s["nearest"] for s in shown["scores"]]
    title = text["title"].format(word=shown["word"], n=len(shown["sense"]))
    guess = text["guess"].format(majority=round(100 * shown["majority"]))
    captions = [
        f'<g class="l{layer}"><text x="24" y="{HEIGHT - 50}">{escape(said)}</text>'
        f'<text x="24" y="{HEIGHT - 24}">'
        f"{escape(text['score'].format(score=round(score)))}</text></g>"
        for layer, (said, score) in enumerate(zip(text["layers"], scores, strict=True))
    ]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" lang="{language}"><title>{escape(shown["alt"])}</title>',
        f"<!-- made by make figures from {mark} -->",
        f"<style>{style(len(shown['senses']))}</style>",
        f'<rect class="back" x=".5" y=".5" width="{WIDTH - 1}" height="{HEIGHT - 1}" '
        'rx="8"/>',
        f'<text class="title" x="24" y="34">{escape(title)}</text>',
        *legend(shown["senses"]),
        *points(shown),
        *captions,
        f'<text class="quiet" x="{WIDTH - 24}" y="{HEIGHT - 50}" '
        f'text-anchor="end">{escape(guess)}</text></svg>',
    ]
    return "\n".join(parts) + "\n"


def style(senses: int) -> str:
    """Return the style sheet for so many senses."""
    light, dark = (
        "\n".join(f".s{n} {{ fill: #{c} }}" for n, c in enumerate(colours[:senses]))
        for colours in (COLOURS, ON_DARK)
    )
    return STYLE.format(light=light, dark=dark)


def legend(senses: Sequence[str]) -> list[str]:
    """Name each sense beside its shape, from the right edge."""
    found, right = [], WIDTH - 24
    for number in reversed(range(len(senses))):
        name = senses[number]
        width = sum(15 if ord(letter) > 0x2E80 else 10 for letter in name)
        found.append(
            f'<g class="s{number}" transform="translate({right - width - 14} 29)">'
            f'{SHAPES[number]}</g><text x="{right - width}" y="34">'
            f"{escape(name)}</text>"
        )
        right -= width + 40
    return found


def points(shown: dict[str, Any]) -> list[str]:
    """Write a point for each sentence, with its place in each layer."""
    frames = np.array(shown["frames"])  # (L+1, N, 2)
    low, high = frames.min(axis=(0, 1)), frames.max(axis=(0, 1))
    x, y, width, height = FIELD
    spread = (frames - low) / (high - low)  # (L+1, N, 2)
    places = (spread * [width, -height] + [x, y + height]).round().astype(int)
    return [
        f'<g class="p s{sense}" style="'
        + ";".join(f"--{'abc'[i]}:{a}px,{b}px" for i, (a, b) in enumerate(walk))
        + f'">{SHAPES[sense]}</g>'
        for sense, walk in zip(shown["sense"], places.swapaxes(0, 1), strict=True)
    ]


def inputs(course: Path, language: str) -> str:
    """Hash what the picture is made of: the sentences, the model, this file."""
    files = [course / f"data/senses/{language}.tsv", Path(__file__)]
    files += sorted((course / f"data/checkpoints/elmo-{language}").glob("[!R]*"))
    found = hashlib.sha256()
    for file in files:
        found.update(file.read_bytes())
    return found.hexdigest()[:12]
