"""Pre-train the checkpoints of the course by their recipes, and write their cards."""

from __future__ import annotations

import math
import platform
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from torch import nn

from course_lib import checkpoints, kept
from course_lib.models.awd_lstm import AWDLSTM, Remembering
from course_lib.models.bert import BERT, MaskedPairs
from course_lib.models.bilm import BiLM, Encoder
from course_lib.models.gpt import GPT
from course_lib.text.batches import Batches, Text
from course_lib.text.characters import char_table
from course_lib.text.epochs import Epochs
from course_lib.text.pieces import Pieces, PieceText, Windows
from course_lib.text.streams import Streams, vocabulary_of
from course_lib.text.vocabulary import UNK, Vocabulary
from course_lib.training import bf16_pays, device, parallel
from course_lib.training.fine_tune import with_vocabulary
from course_lib.training.loop import Run, evaluate, train

from .averaging import hold, keep_average, take_average
from .processes import first_goes_first
from .recipes import RECIPES, Recipe, describe, texts
from .vector_start import start_from_vectors, start_wider

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

VECTORS = (
    "the token layer is taught to spell skip-gram vectors of the same text, and stays "
    "as it is; the softmax begins with such vectors, the LSTMs learn alone for some "
    "steps; after that LSTMs and softmax learn by the language model's loss only"
)


def pretrain(
    name: str,
    out: str | Path,
    minutes: float,
    epochs: float = 100.0,
    seed: int = 0,
    start: str | None = None,
) -> Path:
    """Train a checkpoint and write it, with its model card, to `out/name`.

    Run again after a stop, it goes on where it was; with other minutes or epochs than
    before, the learning rates change on the way. `start` names a finished model of the
    same kind, a checkpoint or its folder, to begin from instead of random weights: a
    long training in several stretches, each with its own rise and fall of the learning
    rate.
    Errors: KeyError for a name without a recipe or a start that is not there;
    ValueError if the start is of another kind or `out` holds the run of another one;
    the catalogue's own errors if a corpus is missing.
    """
    if name not in RECIPES:
        raise KeyError(f"no recipe {name!r}; there are: {', '.join(RECIPES)}")
    recipe, out = RECIPES[name], Path(out)
    begun = load_start(start, recipe) if start else None  # before any text is read
    with first_goes_first():
        reserve(out, name)
        precision(out)
        training, held_out = texts(recipe, out / "text")
    torch.manual_seed(seed)
    work = skip_gram if recipe.kind == "SGNS" else language_model
    facts = work(recipe, training, held_out, out / name, minutes, epochs, seed, begun)
    if parallel.place()[0] == 0:
        command = f"--minutes {minutes:g} --epochs {epochs:g} --seed {seed}"
        command += f" --weights {start}" if start else ""
        made = f"`python -m course_lib pretrain {name} --out runs/{name} {command}`"
        about = {"Made by": made, "Text": describe(recipe, training, held_out)}
        write_card(out / name, about | facts | {"Seed": seed})
    return out / name


def write_card(folder: Path, facts: dict[str, str | int]) -> None:
    """Write a checkpoint's model card, a table of facts, and print it."""
    facts = {
        **facts,
        "Machine": f"{platform.machine()}, {parallel.place()[1]} process(es), "
        f"{torch.get_num_threads()} thread(s) each, "
        f"torch {torch.__version__}, {device().type.upper()}",
        "Terms": "For teaching and research: some of the corpora are not free for "
        "commercial use; `python -m course_lib corpora` lists the terms of each.",
    }
    rows = [f"| {key} | {value} |" for key, value in facts.items()]
    card = "\n".join([f"# {folder.name}", "", "| | |", "|---|---|", *rows, ""])
    kept.write({folder / "README.md": card.encode()})
    print(card)


def reserve(out: Path, name: str) -> None:
    """Note whose run a folder holds, so that no other goes on with its state."""
    owner = out / "recipe.txt"
    if owner.exists() and owner.read_text().strip() != name:
        raise ValueError(
            f"{out} holds a run of {owner.read_text().strip()}; "
            f"give {name} a folder of its own with --out"
        )
    kept.write({owner: f"{name}\n".encode()})


def precision(out: Path) -> str:
    """Choose the precision of a run once: a resumed run must go on as it began."""
    chosen = out / "precision.txt"
    if not chosen.exists():
        kept.write({chosen: b"bfloat16" if bf16_pays() else b"float32"})
    return chosen.read_text().strip()


def language_model(
    recipe: Recipe, training: Text, held_out: Text, folder: Path, minutes: float,
    epochs: float, seed: int, begun: tuple | None,
) -> dict[str, str]:  # fmt: skip
    """Train a language model, measure it on the held-out text, save it, return facts.

    Its state is kept beside `folder`; see `Kind` for what differs between the models.
    begun: what `load_start` gives, or None to begin anew
    """
    kind, out = KINDS[recipe.kind], folder.parent
    before, model, words = begun or (0, *kind.begin(recipe, training, out))
    reader = Remembering(model) if kind.model is AWDLSTM else model
    batches = kind.batches(recipe, training, words, recipe.rows, seed)
    bf16 = precision(out) == "bfloat16"
    if recipe.vectors and not begun and not (out / "state.pt").exists():
        alone = kind.batches(recipe, training, words, recipe.rows, seed + 1)
        start_from_vectors(model, training, words, alone, bf16)
    if recipe.vectors:
        model.token_layer.requires_grad_(False)
    adam = torch.optim.Adam(model.parameters(), lr=kind.rate, fused=True)
    limits = {"epochs": epochs, "minutes": minutes, "folder": out, "optimizer": adam}
    limits["bf16"] = bf16
    if recipe.average:
        keep_average(adam, recipe.average)
        run = train(reader, batches, **limits, schedule=hold)
        take_average(adam)
    else:
        run = train(reader, batches, **limits)
    if parallel.place()[0] > 0:
        return {}  # all processes have the same model; the first one writes it
    unseen = kind.batches(recipe, held_out, words, kind.rows or recipe.rows)
    losses = evaluate(reader, unseen).tolist()
    small = kind.model in (AWDLSTM, GPT)
    checkpoints.save(model, words, folder, in_8_bits=small)
    parameters = sum(p.numel() for p in model.parameters())
    kept_in = "matrices in 8 bits, the rest in 16" if small else "half precision"
    size = f"{parameters:,} parameters, kept in {kept_in}"
    start = {"Start": VECTORS} if recipe.vectors else {}
    if recipe.start:
        start = {"Start": f"`{recipe.start}`; a word it does not know, as its mean"}
    return start | {
        "Model": f"{kind.sizes(recipe, model, words)}, {size}",
        **how_long(run, before, batches, kind.length(batches), recipe.rows, out),
        "Held-out perplexity": kind.tell(losses, unseen, held_out, words),
    }


def how_long(
    run: Run, before: int, batches: Epochs, length: int, rows: int, out: Path
) -> dict[str, str]:
    """Say what a run has read, of a text of so many tokens, and how fast."""
    read, note = run.tokens, ""
    if batches.unit == "predictions":  # a BERT reads more than it is asked for
        read = round(run.step * length / len(batches))
        note = f", marks among them; {run.tokens:,} of them predicted"
    seen = before + read
    return {
        "Tokens seen": f"{seen:,} ({seen / length:.2f} epochs), {read:,} of them "
        f"in this stretch, {run.step:,} steps of {rows} windows{note}",
        "Training time": f"{run.seconds / 60:.0f} minutes, "
        f"{read / run.seconds:,.0f} tokens a second, {precision(out)} products",
    }


def load_start(
    start: str, recipe: Recipe
) -> tuple[int, nn.Module, Vocabulary | Pieces]:
    """Return the tokens that a checkpoint has seen, its model, its words or pieces.

    Errors: KeyError if it is not there, ValueError if it is not of the recipe's kind,
    or the recipe always begins anew.
    """
    if recipe.kind not in KINDS:
        raise ValueError("static vectors always begin anew; leave --weights out")
    kind = KINDS[recipe.kind].model
    found = checkpoints.load(start)
    if isinstance(found, Encoder):
        found = found.model, found.vocabulary
    if not (isinstance(found, tuple) and isinstance(found[0], kind)):
        raise ValueError(f"{start} is no {kind.__name__}; go on from one that is")
    return tokens_seen(start), *found


def tokens_seen(start: str) -> int:
    """Read on a checkpoint's card how many tokens it has seen."""
    card = checkpoints.folder_of(start) / "README.md"
    text = card.read_text(encoding="utf-8")
    found = re.search(r"^\| Tokens seen \| ([\d,]+)", text, re.MULTILINE)
    if not found:
        raise ValueError(f"{card} does not say how many `Tokens seen`")
    return int(found[1].replace(",", ""))


# -- what differs between the models ---------------------------------------------------


class Kind(NamedTuple):
    """How one kind of language model is begun, fed and described.

    begin    its recipe, the text and the run's folder to a new model and its words
    batches  its recipe, a text, the words, rows, and in training a seed, to batches
    length   what an epoch of these batches reads, in tokens
    sizes    its recipe, the model and the words to a line on what it is made of
    tell     losses on held-out batches, these, their text and the words to a line
    rate     the learning rate;  rows  of held-out batches, 0: as in training
    """

    model: type[nn.Module]
    begin: Callable
    batches: Callable
    length: Callable
    sizes: Callable
    tell: Callable
    rate: float = 2e-3
    rows: int = 16


def new_bilm(recipe: Recipe, training: Text, out: Path) -> tuple[BiLM, Vocabulary]:
    """Begin a biLM; one whose weights are averaged starts wider."""
    words = training.vocabulary(recipe.vocabulary)
    model = BiLM(recipe.config, len(words))
    if recipe.average:
        start_wider(model, torch.from_numpy(char_table(words.words[1:4000])))
    return model, words


def bilm_sizes(recipe: Recipe, model: BiLM, words: Vocabulary) -> str:
    """Say in one line what a biLM is made of."""
    c = model.config
    projected = f"projected to {c.projection} a direction"
    return f"biLM, {c.layers} layers of {c.cells} cells {projected}"


def bilm_perplexity(
    losses: list[float], unseen: Batches, held_out: Text, words: Vocabulary
) -> str:
    """Say how well both directions predict words that they have not read."""
    forward, backward = map(math.exp, losses)
    return (
        f"forward {forward:.1f}, backward {backward:.1f}; {len(words):,} words "
        f"predicted, {held_out.unknown(words):.1%} of the held-out words are `<unk>` "
        "and count; sentence marks are not predicted"
    )


def new_awd_lstm(recipe: Recipe, training: Text, out: Path) -> tuple:
    """Begin an AWD-LSTM, or go on from another, and number the text's words."""
    words = vocabulary_of(training, recipe.vocabulary)
    if recipe.start:
        model = with_vocabulary(*checkpoints.load(recipe.start), words)
        model.config = recipe.config
        return model, words
    return AWDLSTM(recipe.config, len(words)), words


def streams(
    recipe: Recipe, text: Text, words: Vocabulary, rows: int, seed: int = 0
) -> Streams:
    """Read a text in the direction of the recipe."""
    return Streams(text, words, rows, seed, recipe.backward)


def awd_sizes(recipe: Recipe, model: AWDLSTM, words: Vocabulary) -> str:
    """Say in one line what an AWD-LSTM is made of."""
    c = model.config
    return (
        f"AWD-LSTM, reads {'backward' if recipe.backward else 'forward'}, "
        f"{c.layers} layers of {c.hidden}, the last one and the words' vectors of "
        f"{c.embedding}"
    )


def awd_perplexity(
    losses: list[float], unseen: Streams, held_out: Text, words: Vocabulary
) -> str:
    """Say how well the next word is predicted."""
    return (
        f"{math.exp(losses[0]):.1f}; {len(words):,} words predicted, "
        f"{held_out.unknown(words):.1%} of the held-out words are `<unk>` and count, "
        "and so do the marks of sentences and documents"
    )


def new_transformer(
    recipe: Recipe, training: Text, out: Path
) -> tuple[GPT | BERT, Pieces]:
    """Begin a GPT or a BERT; its pieces are found once, and kept in the run."""
    path = out / "pieces.txt"
    with first_goes_first():
        if not path.exists():
            print("finding the pieces …", flush=True)
            Pieces.from_text(training, recipe.vocabulary).save(path)
    pieces = Pieces.load(path)
    return KINDS[recipe.kind].model(recipe.config, len(pieces)), pieces


def gpt_windows(
    recipe: Recipe, text: Text, pieces: Pieces, rows: int, seed: int | None = None
) -> Windows:
    """Cut a text into windows; if there is no seed, half of each is read before."""
    context = recipe.config.context
    overlap = context // 2 if seed is None else 0
    return Windows(
        PieceText.of(text, pieces), context, rows, seed or 0, overlap=overlap
    )


def bert_pairs(
    recipe: Recipe, text: Text, pieces: Pieces, rows: int, seed: int = 0
) -> MaskedPairs:
    """Draw pairs of segments with masked pieces."""
    cut, context = PieceText.of(text, pieces), recipe.config.context
    return MaskedPairs(cut, len(pieces), context, rows, seed)


def transformer_sizes(recipe: Recipe, model: GPT | BERT, pieces: Pieces) -> str:
    """Say in one line what a Transformer is made of."""
    c = model.config
    return (
        f"{type(model).__name__}, {c.layers} layers of {c.dimension}, {c.heads} heads, "
        f"context {c.context}, {len(pieces):,} pieces"
    )


def gpt_perplexity(
    losses: list[float], unseen: Windows, held_out: Text, pieces: Pieces
) -> str:
    """Say how well pieces are predicted, and words: their pieces multiplied.

    So it can be set beside a model of words, except that every word is spelled here.
    """
    n_pieces = len(unseen.ids) - 1
    a_word = n_pieces / PieceText.of(held_out, pieces).n_marked_words
    return (
        f"{math.exp(losses[0]):.1f} a piece, {math.exp(losses[0] * a_word):.1f} a "
        f"word; {a_word:.3f} pieces a word, the marks of sentences and documents count "
        "as words; every word is spelled, none is `<unk>`"
    )


def bert_perplexity(
    losses: list[float], unseen: MaskedPairs, held_out: Text, pieces: Pieces
) -> str:
    """Say how well masked pieces are predicted, and whether a segment follows."""
    masked, follows = losses
    return (
        f"{math.exp(masked):.1f} a masked piece, both sides "
        "given: not to be compared with that of a model that reads from left to right; "
        f"does the second segment follow: {follows:.3f} nats, a guess has 0.693"
    )


KINDS = {
    "biLM": Kind(
        BiLM,
        new_bilm,
        lambda recipe, *reading: Batches(*reading),
        lambda batches: batches.text.n_tokens,
        bilm_sizes,
        bilm_perplexity,
        rows=0,
    ),
    "AWD-LSTM": Kind(
        AWDLSTM,
        new_awd_lstm,
        streams,
        lambda batches: len(batches.text.ids),
        awd_sizes,
        awd_perplexity,
        rate=4e-3,
    ),
    "GPT": Kind(
        GPT,
        new_transformer,
        gpt_windows,
        lambda batches: len(batches.ids),
        transformer_sizes,
        gpt_perplexity,
    ),
    "BERT": Kind(
        BERT,
        new_transformer,
        bert_pairs,
        lambda batches: batches.n_read,
        transformer_sizes,
        bert_perplexity,
    ),
}


def skip_gram(
    recipe: Recipe, training: Text, held_out: Text, folder: Path, minutes: float,
    epochs: float, seed: int, begun: None,
) -> dict[str, str]:  # fmt: skip
    """Train skip-gram vectors with gensim, save them, return the facts.

    Always from the beginning. Whole epochs, one to five; gensim cannot stop on time, so
    `minutes` does not count. It knows nothing of other processes: the first one works
    alone.
    """
    if parallel.place()[0] > 0:
        return {}
    import gensim
    from gensim.models import Word2Vec

    sentences = [
        [training.words[i] for i in training.ids[begin : begin + n] if i > 1]
        for begin, n in zip(training.starts, training.lengths, strict=True)
    ]
    settings = {"vector_size": 100, "window": 5, "negative": 15, "sample": 1e-4}
    passes = int(max(1, min(epochs, 5)))
    sizes = {"max_final_vocab": recipe.vocabulary, "epochs": passes}
    model = Word2Vec(
        sentences, sg=1, min_count=5, workers=1, seed=seed, **settings, **sizes
    )
    save_static(model.wv, folder)
    return {
        "Model": f"skip-gram with negative sampling, gensim {gensim.__version__}, "
        f"{', '.join(f'{key} {value}' for key, value in settings.items())}, "
        f"{len(model.wv):,} words, kept in half precision",
        "Tokens seen": f"{passes} passes over the text, frequent words thinned out",
    }


def save_static(words: KeyedVectors, folder: Path) -> None:
    """Write gensim's word vectors as a checkpoint, in half precision."""
    vectors = torch.from_numpy(np.vstack([np.zeros(words.vector_size), words.vectors]))
    vocabulary = Vocabulary([UNK, *words.index_to_key])
    sizes = {"size": words.vector_size}
    checkpoints.write({"vectors": vectors}, vocabulary, sizes, folder)
