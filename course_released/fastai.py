"""fast.ai's AWD-LSTM, pre-trained on WikiText-103: forward and backward.

lstm_fwd.pth, itos_wt103.pkl    as fastai has them since 2018 (H 1152; a decoder's bias)
fwd_wt103.h5, itos_wt103.pkl    as ULMFiT released them (H 1150); no HDF5 in spite of
                                its name, but PyTorch's format as well

A backward model reads the text from its end; nothing in its file says so.
Source: the files' names and shapes; Howard & Ruder 2018.
"""

from __future__ import annotations

import io
import pickle
import re
from pathlib import Path

import torch

from course_lib import kept
from course_lib.checkpoints.weights import AGAIN, check_finite, compare
from course_lib.models.awd_lstm import AWDLSTM, AWDConfig
from course_lib.text.vocabulary import UNK, Vocabulary

NAMES = {  # ours: theirs, the first of these that is there
    "embedding.weight": ("0.encoder.weight",),
    "bias": ("1.decoder.bias",),
    "separate": ("1.decoder.weight",),  # only if it is not the embedding once more
    "lstms.k.weight_ih_l0": ("0.rnns.k.module.weight_ih_l0",),
    "lstms.k.weight_hh_l0": (
        "0.rnns.k.weight_hh_l0_raw",  # before DropConnect
        "0.rnns.k.module.weight_hh_l0_raw",
    ),
    "lstms.k.bias_ih_l0": ("0.rnns.k.module.bias_ih_l0",),
    "lstms.k.bias_hh_l0": ("0.rnns.k.module.bias_hh_l0",),
}
SPARE = re.compile(  # copies: of the table, of the matrices after DropConnect
    r"0\.encoder_dp\.emb\.weight|0\.encoder_with_dropout\.embed\.weight"
    r"|0\.rnns\.\d+\.module\.weight_hh_l0|1\.decoder\.weight"
)
UNKNOWN = ("xxunk", "_unk_", UNK)


def is_weights(path: Path) -> bool:
    """Tell by its name whether a file may hold such a model."""
    return path.suffix == ".pth" or (path.suffix == ".h5" and "wt103" in path.name)


def load(path: Path) -> tuple[AWDLSTM, Vocabulary]:
    """Load an AWD-LSTM, and the words in `itos*.pkl` beside it.

    path: the file, or a folder with one. Word 0, `xxunk` or `_unk_`, becomes `<unk>`;
    the other marks (`xxbos`, `xxmaj` …) stay words: see `with_marks`.
    Errors: FileNotFoundError; ValueError if a file is damaged, or for the first tensor
    that does not fit, with both shapes.
    """
    if path.is_dir():
        found = sorted(p for p in path.iterdir() if is_weights(p))
        if len(found) > 1:
            names = ", ".join(p.name for p in found)
            raise ValueError(
                f"{path} holds several models; give one by its path: {names}"
            )
        path = found[0]
    words = sorted(path.parent.glob("itos*.pkl"))
    if not words:
        raise FileNotFoundError(f"{path} needs its words beside it, itos_wt103.pkl")
    vocabulary = read_words(words[0])
    weights = read_weights(path)
    model = AWDLSTM(sizes_of(weights, path), len(vocabulary))
    model.load_state_dict(to_ours(weights, model, path))
    return model.eval(), vocabulary


def read_weights(path: Path) -> dict[str, torch.Tensor]:
    """Read the tensors of a file of PyTorch; nothing in it is run."""
    try:
        found = torch.load(path, map_location="cpu", weights_only=True)
        found = found.get("model", found)  # a learner's, with its optimizer beside
        weights = {name: w.float() for name, w in found.items()}
    except Exception as error:  # torch's, pickle's and zip's: there are many
        raise kept.damaged(path, error, AGAIN) from None
    check_finite(weights, path, AGAIN)
    return weights


def sizes_of(weights: dict[str, torch.Tensor], path: Path) -> AWDConfig:
    """Read the sizes off the shapes."""
    layers = {m[1] for n in weights if (m := re.match(r"0\.rnns\.(\d+)\.", n))}
    first = weights.get("0.rnns.0.module.weight_ih_l0")
    if first is None or first.ndim != 2:
        raise ValueError(
            f"{path} has no tensor 0.rnns.0.module.weight_ih_l0 (4 H, E), as fast.ai's "
            f"AWD-LSTM has; it has {', '.join(sorted(weights)[:3])} …"
        )
    table, softmax = weights.get("0.encoder.weight"), weights.get("1.decoder.weight")
    tied = softmax is None or (table is not None and torch.equal(softmax, table))
    rows, E = first.shape
    return AWDConfig(embedding=E, hidden=rows // 4, layers=len(layers), tied=tied)


def to_ours(
    weights: dict[str, torch.Tensor], model: AWDLSTM, path: Path
) -> dict[str, torch.Tensor]:
    """Return a state dict for a model from a file's tensors; check every shape."""
    wanted, places = {}, {}
    for ours, w in model.state_dict().items():
        k = re.match(r"lstms\.(\d+)\.", ours)
        names = NAMES[re.sub(r"^lstms\.\d+\.", "lstms.k.", ours)]
        if k:
            names = [name.replace(".k.", f".{k[1]}.") for name in names]
        theirs = next((name for name in names if name in weights), names[0])
        if ours == "bias" and theirs not in weights:
            continue  # ULMFiT's has none: 0
        wanted[theirs], places[ours] = w, theirs
    found = {n: w for n, w in weights.items() if n in wanted or not SPARE.fullmatch(n)}
    compare(wanted, found, path)
    return model.state_dict() | {ours: weights[n] for ours, n in places.items()}


class Plain(pickle.Unpickler):
    """Reads lists and strings, and nothing that could run."""

    def find_class(self, module: str, name: str):
        raise pickle.UnpicklingError(f"it asks for {module}.{name}")


def read_words(path: Path) -> Vocabulary:
    """Read a pickled list of words.

    Words that stand there again, such as `xxfake`, which fills up, get a number.
    """
    try:
        words = Plain(io.BytesIO(path.read_bytes())).load()
        if not (isinstance(words, list) and all(isinstance(w, str) for w in words)):
            raise ValueError("it holds no list of words")
        if words[:1] == [] or words[0] not in UNKNOWN:
            raise ValueError(f"its first word is {words[:1]}, not one of {UNKNOWN}")
    except Exception as error:  # a damaged pickle raises whatever it likes
        raise kept.damaged(path, error, AGAIN) from None
    seen: set[str] = set()
    for i, word in enumerate(words):
        if word in seen:
            words[i] = f"{word}_{i}"
        seen.add(words[i])
    return Vocabulary([UNK, *words[1:]])


def with_marks(words: list[str]) -> list[str]:
    """Write words as fastai's models read them: small, with marks for capitals.

    "The BBC" is `xxmaj the xxup bbc`. Departure: repeated characters and words have
    marks there as well. Before a text stands `xxbos`.
    """
    found = []
    for word in words:
        if word.isupper() and len(word) > 1:
            found.append("xxup")
        elif word[:1].isupper():
            found.append("xxmaj")
        found.append(word.lower())
    return found
