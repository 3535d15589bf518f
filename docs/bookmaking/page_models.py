"""A biLM as files that a page of the book loads by itself, with no kernel.

A page opened from file:// may not fetch; it may add script elements. So each file is a
script that puts one text into `coursePieces`, and a bar can move with every piece.
`widgets/page/bilm.js` computes with what is in them.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

from course_lib.data.senses import sense_name
from course_lib.widgets.in_page import halves, mark, marked, sizes, tensors
from course_lib.widgets.kit import script_json

if TYPE_CHECKING:
    from course_lib.models.bilm import Encoder
    from course_lib.widgets.probe import Probe, Probes

PIECE = 750_000  # bytes of weights in a file, a megabyte as base64
STATES = "BMES"  # of a character: begin, middle, end of a word, or a word alone


def files(encoder: Encoder) -> dict[str, str]:
    """Return {file name: script} of a model: `model.js` first, then its weights."""
    weights = tensors(encoder)
    whole = b"".join(halves(weight.numpy()) for weight in weights.values())
    pieces = [whole[start : start + PIECE] for start in range(0, len(whole), PIECE)]
    head = {
        "config": sizes(encoder),
        "tensors": [[name, list(w.shape)] for name, w in weights.items()],
        "pieces": len(pieces),
    }
    folder, found = mark(encoder), {}
    found[f"{folder}/model.js"] = script(f"{folder}/model", head)
    for number, piece in enumerate(pieces):
        text = base64.b64encode(piece).decode()
        found[f"{folder}/{number}.js"] = script(f"{folder}/{number}", text)
    return found


def script(name: str, value: Any) -> str:
    """Write a script that hands the page one value under a name."""
    return f"(globalThis.coursePieces??={{}})[{json.dumps(name)}]={script_json(value)};"


def dictionary() -> dict[str, Any]:
    """Return all that jieba's exact mode cuts by, as `lexicon` of words.js reads it.

    Words by frequency: nine in ten share one of the few lowest. jieba is under MIT's
    licence, its dictionary with it.
    """
    import jieba
    from jieba import finalseg

    jieba.initialize()
    alike: dict[int, list[str]] = {}
    for word, often in jieba.dt.FREQ.items():
        if often:  # 0: only the beginning of a word
            alike.setdefault(often, []).append(word)
    emissions = []
    for state in STATES:
        chances = finalseg.emit_P[state]
        values = [round(-100_000 * chance) for chance in chances.values()]
        emissions.append(["".join(chances), values])
    return {
        "total": jieba.dt.total,
        "words": "\n".join(f"{often} {' '.join(own)}" for often, own in alike.items()),
        "start": [finalseg.start_P[state] for state in STATES],
        "moves": [
            [finalseg.trans_P[one].get(other, finalseg.MIN_FLOAT) for other in STATES]
            for one in STATES
        ],
        "emissions": emissions,
    }


def word_files(probes: Probes) -> dict[str, str]:
    """Return {file name: script} of the words that sentences may be asked for.

    `index.js` first: which models, and which word is in which file.
    """
    found, words = {}, {}
    for number, word in enumerate(probes.uses):
        words[word] = {
            "tongue": probes.tongues[word],
            "mark": marked(probes.uses[word]),
            "forms": sorted(probes.forms[word]),
            "file": f"word{number}",
        }
        found[f"word{number}.js"] = script(f"word{number}", described(probes.of(word)))
    models = {name: mark(encoder) for name, encoder in probes.encoders.items()}
    index = script("index", {"models": models, "words": words})
    return {"index.js": index, "jieba.js": script("jieba", dictionary()), **found}


def described(probe: Probe) -> dict[str, Any]:
    """Return a word's examples with their vectors, for `loadWord` of probe.js."""
    kinds = [probe.sense.tolist().index(kind) for kind in range(len(probe.names))]
    senses = [probe.examples[first].sense for first in kinds]
    opening = probe.openings()[0]
    plane = probe.plane
    return {
        "map": {k: v for k, v in probe.map().items() if k != "senses"},
        "names": {
            language: [sense_name(probe.word, sense, language) for sense in senses]
            for language in ("en", "zh")
        },
        "tokens": [list(s.tokens) for s in probe.examples],
        "opening": {name: opening[name] for name in ("words", "targets")},
        "shape": list(probe.layers.shape),
        "vectors": base64.b64encode(halves(probe.layers)).decode(),
        "plane": {
            "norms": plane.norms.tolist(),
            "centres": base64.b64encode(halves(plane.centres)).decode(),
            "axes": base64.b64encode(halves(plane.axes)).decode(),
            "reach": float(plane.reach),
        },
    }
