"""BERT, GPT-1 and GPT-2 in the folders in which Hugging Face releases them.

config.json         the sizes
model.safetensors   the parameters, under the names of the library `transformers`
tokenizer.json      the pieces; or vocab.txt (BERT), vocab.json and merges.txt (GPT)

The tables say what each parameter is called there: read one way a released model
loads, the other way ours is saved so that `transformers` opens it.
Source: the files of bert-base-uncased, openai-gpt and gpt2, read as a specification.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors.torch import save as to_bytes

from course_lib import kept
from course_lib.checkpoints.weights import AGAIN, compare, read_sizes, read_weights
from course_lib.models.bert import BERT, BERTConfig
from course_lib.models.gpt import GPT, GPTConfig
from course_lib.text.pieces import Pieces

from .pieces import OPTIONS, ReleasedPieces, as_released
from .pieces import read as read_pieces

BERT_NAMES = {  # ours: theirs. Without an end, both .weight and .bias; k numbers blocks
    "token": "bert.embeddings.word_embeddings",
    "segment": "bert.embeddings.token_type_embeddings",
    "position": "bert.embeddings.position_embeddings",
    "norm": "bert.embeddings.LayerNorm",
    "blocks.k.attention.qkv": (  # three of theirs, one above the other
        "bert.encoder.layer.k.attention.self.query",
        "bert.encoder.layer.k.attention.self.key",
        "bert.encoder.layer.k.attention.self.value",
    ),
    "blocks.k.attention.mix": "bert.encoder.layer.k.attention.output.dense",
    "blocks.k.after_looking": "bert.encoder.layer.k.attention.output.LayerNorm",
    "blocks.k.feed_forward.0": "bert.encoder.layer.k.intermediate.dense",
    "blocks.k.feed_forward.2": "bert.encoder.layer.k.output.dense",
    "blocks.k.after_thinking": "bert.encoder.layer.k.output.LayerNorm",
    "pooler": "bert.pooler.dense",
    "before_softmax.0": "cls.predictions.transform.dense",
    "before_softmax.2": "cls.predictions.transform.LayerNorm",
    "bias": "cls.predictions.bias",  # itself a tensor
    "follows": "cls.seq_relationship",  # class 0 is "follows" there, 1 here
}
GPT2_NAMES = {
    "embedding": "transformer.wte",
    "position": "transformer.wpe",
    "blocks.k.before_looking": "transformer.h.k.ln_1",
    "blocks.k.attention.qkv": "transformer.h.k.attn.c_attn",
    "blocks.k.attention.mix": "transformer.h.k.attn.c_proj",
    "blocks.k.before_thinking": "transformer.h.k.ln_2",
    "blocks.k.feed_forward.0": "transformer.h.k.mlp.c_fc",
    "blocks.k.feed_forward.2": "transformer.h.k.mlp.c_proj",
    "transformer.norm": "transformer.ln_f",
}
GPT1_NAMES = {  # the norms stand behind: "after"
    "embedding": "transformer.tokens_embed",
    "position": "transformer.positions_embed",
    "blocks.k.attention.qkv": "transformer.h.k.attn.c_attn",
    "blocks.k.attention.mix": "transformer.h.k.attn.c_proj",
    "blocks.k.after_looking": "transformer.h.k.ln_1",
    "blocks.k.feed_forward.0": "transformer.h.k.mlp.c_fc",
    "blocks.k.feed_forward.2": "transformer.h.k.mlp.c_proj",
    "blocks.k.after_thinking": "transformer.h.k.ln_2",
}
BERT_SIZES = {  # ours: theirs, and what holds if a file does not say
    "layers": ("num_hidden_layers", None),
    "dimension": ("hidden_size", None),
    "heads": ("num_attention_heads", None),
    "context": ("max_position_embeddings", None),
    "inner": ("intermediate_size", None),
    "dropout": ("hidden_dropout_prob", 0.1),
    "epsilon": ("layer_norm_eps", 1e-12),
}
GPT_SIZES = {
    "layers": ("n_layer", None),
    "dimension": ("n_embd", None),
    "heads": ("n_head", None),
    "context": ("n_positions", None),
    "inner": ("n_inner", 0),
    "dropout": ("resid_pdrop", 0.1),
    "epsilon": ("layer_norm_epsilon", 1e-5),
}
BERT_GELU = {"gelu": "none", "gelu_new": "tanh", "gelu_pytorch_tanh": "tanh"}


class Layout(NamedTuple):
    """How a kind of model is written: see the tables.

    gelu:   the name of the activation's option, and what its values are here
    prefix: stands before the encoder's names, if the file has heads as well
    heads:  what a file may lack, and what is then left untrained
    spare:  what a file may hold beside: copies, masks, numbers of positions
    opens:  the class of `transformers` that has all of it
    """

    names: dict[str, str | tuple[str, ...]]
    sizes: dict[str, tuple[str, Any]]
    gelu: tuple[str, dict[str, str]]
    prefix: str
    heads: dict[str, str]
    spare: re.Pattern
    opens: str


BERT_LAYOUT = Layout(
    BERT_NAMES,
    BERT_SIZES,
    ("hidden_act", BERT_GELU),
    "bert.",
    {
        "bert.pooler.": "pooled",
        "cls.predictions.": "logits",
        "cls.seq_relationship.": "follows",
    },
    re.compile(r".*position_ids|cls\.predictions\.decoder\..*"),
    "BertForPreTraining",
)
GPT2_LAYOUT = Layout(
    GPT2_NAMES,
    GPT_SIZES,
    ("activation_function", {"gelu_new": "tanh", "gelu": "none"}),
    "transformer.",
    {},
    re.compile(r".*\.attn\.(masked_)?bias|lm_head\.weight"),
    "GPT2LMHeadModel",
)
GPT1_LAYOUT = GPT2_LAYOUT._replace(
    names=GPT1_NAMES,
    sizes={ours: row for ours, row in GPT_SIZES.items() if ours != "inner"},
    gelu=("afn", {"gelu": "tanh"}),
    opens="OpenAIGPTLMHeadModel",
)
LAYOUTS = {"bert": BERT_LAYOUT, "gpt2": GPT2_LAYOUT, "openai-gpt": GPT1_LAYOUT}
ONLY = {  # options of which the course's code has one value
    "position_embedding_type": "absolute",
    "is_decoder": False,
    "add_cross_attention": False,
    "scale_attn_weights": True,
    "scale_attn_by_inverse_layer_idx": False,
    "tie_word_embeddings": True,
    "type_vocab_size": 2,
}


def load(folder: Path) -> tuple[BERT | GPT, ReleasedPieces]:
    """Load a released BERT, GPT-1 or GPT-2 and its pieces.

    What is not in the file, such as a head, is named in one line and stays untrained.
    Errors: FileNotFoundError; ValueError for a kind or an option that this code does
    not have, and for the first tensor that does not fit, with both shapes.
    """
    config = read_sizes(folder / "config.json", AGAIN)
    kind = config.get("model_type")
    if kind not in LAYOUTS:
        raise ValueError(
            f"{folder} holds a model of kind {kind!r}; the course's code runs "
            f"{', '.join(LAYOUTS)}"
        )
    path = folder / "model.safetensors"
    if not path.is_file():
        raise FileNotFoundError(f"{folder} has a config.json but no {path.name}")
    pieces = read_pieces(folder, kind)
    model = build(config, pieces, folder / "config.json")
    weights = read_weights(path, AGAIN)
    model.load_state_dict(to_ours(weights, model, LAYOUTS[kind], path))
    return model.eval(), pieces


def build(config: dict[str, Any], pieces: ReleasedPieces, path: Path) -> BERT | GPT:
    """Make a model, its weights random, of the sizes that a config.json gives."""
    layout = LAYOUTS[config["model_type"]]
    sizes, n = sizes_of(config, layout, path), config["vocab_size"]
    if len(pieces) > n:
        raise ValueError(
            f"{path}: vocab_size is {n}, but the pieces beside it are {len(pieces)}"
        )
    if layout is not BERT_LAYOUT:
        return GPT(GPTConfig(**sizes, marks=False), n)
    marks = {"pad": pieces.ids["[PAD]"], "sep": pieces.ids["[SEP]"]}
    return BERT(BERTConfig(**sizes, **marks), n)


def sizes_of(config: dict[str, Any], layout: Layout, path: Path) -> dict[str, Any]:
    """Translate the options of a config.json into a config of ours."""
    for name, value in ONLY.items():
        if config.get(name, value) != value:
            raise ValueError(
                f"{path}: {name} is {config[name]!r}; the course's code has only "
                f"{value!r}"
            )
    option, kinds = layout.gelu
    activation = config.get(option, next(iter(kinds)))
    if activation not in kinds:
        raise ValueError(
            f"{path}: {option} is {activation!r}; the course's code has only "
            f"{', '.join(kinds)}"
        )
    sizes = {"gelu": kinds[activation], "post_norm": layout is not GPT2_LAYOUT}
    needed = {**layout.sizes, "vocabulary": ("vocab_size", None)}
    for ours, (theirs, default) in needed.items():
        found = config.get(theirs)
        sizes[ours] = default if found is None else found
        if sizes[ours] is None:
            raise ValueError(f"{path} does not say {theirs}; {AGAIN}")
    del sizes["vocabulary"]
    return sizes


# -- tensor by tensor ------------------------------------------------------------------


def names_of(ours: str, layout: Layout) -> list[str]:
    """Return what a parameter of ours is called there: one name, or several."""
    short = ours.removeprefix("transformer.") if ".blocks." in ours else ours
    k = re.search(r"blocks\.(\d+)\.", short)
    short = re.sub(r"blocks\.\d+\.", "blocks.k.", short)
    name, _, end = short.rpartition(".")
    found = layout.names[name or end]
    found = (found,) if isinstance(found, str) else found
    end = f".{end}" if name else ""
    return [(f.replace(".k.", f".{k[1]}.") if k else f) + end for f in found]


def turned(ours: str, w: torch.Tensor, layout: Layout) -> torch.Tensor:
    """Turn a tensor from our form into theirs; done twice, it is as it was."""
    if layout is not BERT_LAYOUT and ".blocks." in ours and w.ndim == 2:
        return w.T  # GPT's are (inputs, outputs)
    return w.flip(0) if ours.startswith("follows.") else w


def to_theirs(model: BERT | GPT, layout: Layout) -> dict[str, torch.Tensor]:
    """Return a model's parameters under their names.

    Errors: ValueError that names a parameter for which there is no such place.
    """
    found = {}
    for ours, w in model.state_dict().items():
        if isinstance(model, GPT) and ours == "bias" and not w.any():
            continue  # their softmax has none, which is one of 0
        try:
            names = names_of(ours, layout)
        except KeyError:
            raise ValueError(
                f"{layout.opens} has no place for {ours} {tuple(w.shape)}: only a BERT "
                "with post_norm, or a GPT without a bias of its softmax, has their form"
            ) from None
        parts = w.chunk(len(names))
        found |= {n: turned(ours, p, layout) for n, p in zip(names, parts, strict=True)}
    return found


def to_ours(
    weights: dict[str, torch.Tensor], model: BERT | GPT, layout: Layout, path: Path
) -> dict[str, torch.Tensor]:
    """Return a state dict for a model from a file's tensors; check every shape."""
    found = {uniform(name, weights, layout): w for name, w in weights.items()}
    wanted = to_theirs(model, layout)
    check_copies(found, next(iter(layout.names.values())), path)
    used = fitting(wanted, found, layout, path)
    state = model.state_dict()
    for ours in state:
        if isinstance(model, GPT) and ours == "bias":
            continue  # 0
        names = names_of(ours, layout)
        if set(names) <= used:
            state[ours] = torch.cat([turned(ours, found[n], layout) for n in names])
    return state


def uniform(name: str, names: dict, layout: Layout) -> str:
    """Return a tensor's name as the tables have it; older files have other ones."""
    name = name.replace("LayerNorm.gamma", "LayerNorm.weight")
    name = name.replace("LayerNorm.beta", "LayerNorm.bias")
    if name == "cls.predictions.decoder.bias" and "cls.predictions.bias" not in names:
        return "cls.predictions.bias"
    bare = not any(n.startswith(layout.prefix) for n in names)
    head = name.startswith(("cls.", "lm_head."))
    return layout.prefix + name if bare and not head else name


def check_copies(found: dict, embedding: str, path: Path) -> None:
    """Raise ValueError if the softmax is not the embedding once more ("tied")."""
    table = found.get(f"{embedding}.weight")
    for copy in ("cls.predictions.decoder.weight", "lm_head.weight"):
        if copy in found and table is not None and not torch.equal(found[copy], table):
            raise ValueError(
                f"{path}, tensor {copy}: it is not {embedding}.weight once more; the "
                "course's code has only a softmax that is tied to the embedding"
            )


def fitting(wanted: dict, found: dict, layout: Layout, path: Path) -> set[str]:
    """Return the names that a file and a model share; the rest must not matter.

    A head may be missing as a whole; a head of another task may be there. Both are
    said in one line each. Errors: ValueError for all else, with both shapes.
    """
    lacking = [h for h in layout.heads if not any(n.startswith(h) for n in found)]
    wanted = {n: w for n, w in wanted.items() if not n.startswith(tuple(lacking))}
    beside = [n for n in found.keys() - wanted.keys() if not layout.spare.fullmatch(n)]
    others = {n for n in beside if not n.startswith((layout.prefix, "cls."))}
    of_encoder = {n for n in beside if n not in others}
    compare(wanted, {n: found[n] for n in wanted.keys() & found | of_encoder}, path)
    name = f"{path.parent.name}/{path.name}"
    if lacking:
        untrained = ", ".join(f"`{layout.heads[head]}`" for head in lacking)
        kept.say_once(f"{name} lacks a head or more; untrained: {untrained}")
    if others:
        kept.say_once(f"{name}: left out, {', '.join(sorted(others))}")
    return set(wanted)


# -- and back --------------------------------------------------------------------------


def save(
    model: BERT | GPT, pieces: ReleasedPieces | Pieces, folder: str | Path
) -> None:
    """Write a BERT or a GPT so that `transformers` opens it, in single precision.

    Errors: ValueError for a model of another form than the released ones: a BERT
    without post_norm, a GPT whose softmax has a bias.
    """
    folder, kind = Path(folder), "bert"
    if isinstance(model, GPT):
        kind = "openai-gpt" if model.config.post_norm else "gpt2"
    layout = LAYOUTS[kind]
    weights = to_theirs(model, layout)
    weights = {name: w.cpu().contiguous().clone() for name, w in weights.items()}
    files = written(
        pieces if isinstance(pieces, ReleasedPieces) else as_released(pieces)
    )
    text = json.dumps(config_of(model, kind), indent=1) + "\n"
    files["config.json"] = text.encode()
    files["model.safetensors"] = to_bytes(weights, {"format": "pt"})
    kept.write({folder / name: content for name, content in files.items()})


def config_of(model: BERT | GPT, kind: str) -> dict[str, Any]:
    """Say the sizes of a model in the words of a config.json."""
    layout, c = LAYOUTS[kind], model.config
    option, kinds = layout.gelu
    names = [name for name, gelu in kinds.items() if gelu == c.gelu]
    if not names or getattr(c, "causal", False):
        wrong = "causal" if names else f"gelu={c.gelu!r}"
        raise ValueError(f"{layout.opens} has no form with {wrong}")
    ours = {**asdict(c), "inner": c.inner or 4 * c.dimension}
    found = {theirs: ours[name] for name, (theirs, _) in layout.sizes.items()}
    n = len(model.bias)
    marks = {"pad_token_id": c.pad} if kind == "bert" else {}
    start = {"model_type": kind, "architectures": [layout.opens], option: names[0]}
    return {**start, "vocab_size": n, **found, **marks}


def written(pieces: ReleasedPieces) -> dict[str, bytes]:
    """Return the files of pieces: those they were read from, or new ones."""
    if pieces.files:
        return dict(pieces.files)
    marks = ("pad", "unk", "cls", "sep", "mask")
    options = {f"{mark}_token": f"[{mark.upper()}]" for mark in marks}
    options = {"tokenizer_class": "PreTrainedTokenizerFast", **options}
    return {
        "tokenizer.json": pieces.cutter.to_str().encode(),
        OPTIONS: json.dumps(options, indent=1).encode(),
    }
