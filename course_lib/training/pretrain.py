"""Pre-train the checkpoints of the course by their recipes, and write their cards."""

from __future__ import annotations

import math
import platform
from pathlib import Path

import torch
from torch import nn

from .. import checkpoints, kept
from ..models.awd_lstm import AWDLSTM, Remembering
from ..models.bert import BERT, MaskedPairs
from ..models.bilm import BiLM, Encoder, start_wider
from ..models.gpt import GPT
from ..text.batches import Batches, Text
from ..text.characters import char_table
from ..text.pieces import Pieces, PieceText, Windows
from ..text.streams import Streams, vocabulary_of
from ..text.vocabulary import Vocabulary
from . import bf16_pays, device, parallel
from .averaging import hold, keep_average, take_average
from .loop import Run, evaluate, train
from .recipes import RECIPES, Recipe, describe, texts


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
    with parallel.first_goes_first():
        reserve(out, name)
        precision(out)
        training, held_out = texts(recipe, out / "text")
    limits = (minutes, epochs, seed, start)
    facts = KINDS[recipe.kind](recipe, training, held_out, out / name, *limits)
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


def pretrain_bilm(
    recipe: Recipe,
    training: Text,
    held_out: Text,
    folder: Path,
    minutes: float,
    epochs: float,
    seed: int,
    start: str | None,
) -> dict[str, str]:
    """Train a biLM, measure it on the held-out text, save it, return the facts."""
    torch.manual_seed(seed)
    if start:
        before, model, vocabulary = load_start(start, BiLM)
    else:
        before, vocabulary = 0, training.vocabulary(recipe.vocabulary)
        model = BiLM(recipe.config, len(vocabulary))
        if recipe.average:
            frequent = char_table(vocabulary.words[1:4000])
            start_wider(model, torch.from_numpy(frequent))
    batches = Batches(training, vocabulary, recipe.rows, seed)
    run = train_bilm(model, batches, recipe.average, folder.parent, minutes, epochs)
    if parallel.place()[0] > 0:
        return {}  # all processes have the same model; the first one writes it
    losses = evaluate(model, Batches(held_out, vocabulary, recipe.rows))
    checkpoints.save(model, vocabulary, folder)
    forward, backward = (math.exp(loss) for loss in losses.tolist())
    unknown = held_out.unknown(vocabulary)
    c = model.config
    return {
        "Model": f"biLM, {c.layers} layers of {c.cells} cells projected to "
        f"{c.projection} a direction, {sum(p.numel() for p in model.parameters()):,} "
        "parameters, kept in half precision",
        **how_long(run, before, training.n_tokens, recipe.rows, folder.parent),
        "Held-out perplexity": f"forward {forward:.1f}, backward {backward:.1f}; "
        f"{len(vocabulary):,} words predicted, {unknown:.1%} of the held-out words are "
        "`<unk>` and count; sentence marks are not predicted",
    }


def train_bilm(
    model: BiLM,
    batches: Batches,
    average: int,
    out: Path,
    minutes: float,
    epochs: float,
) -> Run:
    """Train a biLM and keep the state of the run in `out`; see `Recipe.average`."""
    limits = {"epochs": epochs, "minutes": minutes, "folder": out}
    bf16 = precision(out) == "bfloat16"
    if not average:
        return train(model, batches, **limits, bf16=bf16)
    adam = torch.optim.Adam(model.parameters(), lr=2e-3, fused=True)
    keep_average(adam, average)
    run = train(model, batches, **limits, bf16=bf16, optimizer=adam, schedule=hold)
    take_average(adam)
    return run


def how_long(run: Run, before: int, tokens: int, rows: int, out: Path) -> dict:
    """Say what a run has read, of a text of so many tokens, and how fast."""
    seen = before + run.tokens
    return {
        "Tokens seen": f"{seen:,} ({seen / tokens:.2f} epochs), {run.tokens:,} of them "
        f"in this stretch, {run.step:,} steps of {rows} windows",
        "Training time": f"{run.seconds / 60:.0f} minutes, "
        f"{run.tokens / run.seconds:,.0f} tokens a second, {precision(out)} products",
    }


def pretrain_awd_lstm(
    recipe: Recipe,
    training: Text,
    held_out: Text,
    folder: Path,
    minutes: float,
    epochs: float,
    seed: int,
    start: str | None,
) -> dict[str, str]:
    """Train an AWD-LSTM, measure it on the held-out text, save it, return the facts."""
    torch.manual_seed(seed)
    if start:
        before, model, vocabulary = load_start(start, AWDLSTM)
    else:
        before, vocabulary = 0, vocabulary_of(training, recipe.vocabulary)
        model = AWDLSTM(recipe.config, len(vocabulary))
    reader = Remembering(model)
    streams = Streams(training, vocabulary, recipe.rows, seed, recipe.backward)
    bf16 = precision(folder.parent) == "bfloat16"
    limits = {"epochs": epochs, "minutes": minutes, "learning_rate": 4e-3}
    run = train(reader, streams, **limits, folder=folder.parent, bf16=bf16)
    if parallel.place()[0] > 0:
        return {}
    unseen = Streams(held_out, vocabulary, 16, backward=recipe.backward)
    loss = float(evaluate(reader, unseen))
    checkpoints.save(model, vocabulary, folder)
    c = model.config
    return {
        "Model": f"AWD-LSTM, reads {'backward' if recipe.backward else 'forward'}, "
        f"{c.layers} layers of {c.hidden}, the last one and the words' vectors of "
        f"{c.embedding}, {sum(p.numel() for p in model.parameters()):,} parameters, "
        "kept in half precision",
        **how_long(run, before, len(streams.text.ids), recipe.rows, folder.parent),
        "Held-out perplexity": f"{math.exp(loss):.1f}; {len(vocabulary):,} words "
        f"predicted, {held_out.unknown(vocabulary):.1%} of the held-out words are "
        "`<unk>` and count, and so do the marks of sentences and documents",
    }


def pretrain_sgns(
    recipe: Recipe,
    training: Text,
    held_out: Text,
    folder: Path,
    minutes: float,
    epochs: float,
    seed: int,
    start: str | None,
) -> dict[str, str]:
    """Train skip-gram vectors with gensim, save them, return the facts.

    Always from the beginning: `start` does not count. Whole epochs, one to five; gensim
    cannot stop on time, so `minutes` does not count. It knows nothing of other
    processes: the first one works alone.
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
    checkpoints.save_static(model.wv, folder)
    return {
        "Model": f"skip-gram with negative sampling, gensim {gensim.__version__}, "
        f"{', '.join(f'{key} {value}' for key, value in settings.items())}, "
        f"{len(model.wv):,} words, kept in half precision",
        "Tokens seen": f"{passes} passes over the text, frequent words thinned out",
    }


def pretrain_gpt(
    recipe: Recipe,
    training: Text,
    held_out: Text,
    folder: Path,
    minutes: float,
    epochs: float,
    seed: int,
    start: str | None,
) -> dict[str, str]:
    """Train a GPT, measure it on the held-out text, save it, return the facts.

    The perplexity of a word is that of its pieces multiplied: so it can be set beside
    a model of words, except that every word is spelled here, and none is `<unk>`.
    """
    torch.manual_seed(seed)
    before, model, pieces = begin(recipe, training, folder.parent, start)
    text = PieceText.of(training, pieces)
    windows = Windows(text, model.config.context, recipe.rows, seed)
    run = train_pieces(model, windows, folder.parent, minutes, epochs)
    if parallel.place()[0] > 0:
        return {}
    unseen = PieceText.of(held_out, pieces)
    half = model.config.context // 2  # each piece has at least so many before it
    batches = Windows(unseen, model.config.context, 16, overlap=half)
    loss = float(evaluate(model, batches))
    checkpoints.save(model, pieces, folder)
    n_pieces = len(batches.ids) - 1
    a_word = math.exp(loss * n_pieces / unseen.n_marked_words)
    return {
        "Model": sizes(model, pieces),
        **how_long(run, before, len(windows.ids), recipe.rows, folder.parent),
        "Held-out perplexity": f"{math.exp(loss):.1f} a piece, {a_word:.1f} a word; "
        f"{n_pieces / unseen.n_marked_words:.3f} pieces a word, the marks of sentences "
        "and documents count as words; every word is spelled, none is `<unk>`",
    }


def pretrain_bert(
    recipe: Recipe,
    training: Text,
    held_out: Text,
    folder: Path,
    minutes: float,
    epochs: float,
    seed: int,
    start: str | None,
) -> dict[str, str]:
    """Train a BERT, measure it on the held-out text, save it, return the facts."""
    torch.manual_seed(seed)
    before, model, pieces = begin(recipe, training, folder.parent, start)
    c, V = model.config, len(pieces)
    pairs = MaskedPairs(PieceText.of(training, pieces), V, c.context, recipe.rows, seed)
    run = train_pieces(model, pairs, folder.parent, minutes, epochs)
    if parallel.place()[0] > 0:
        return {}
    unseen = MaskedPairs(PieceText.of(held_out, pieces), V, c.context, 16)
    masked, follows = evaluate(model, unseen).tolist()
    checkpoints.save(model, pieces, folder)
    predicted = run.tokens
    run.tokens = round(run.step * pairs.n_read / len(pairs))
    facts = how_long(run, before, pairs.n_read, recipe.rows, folder.parent)
    facts["Tokens seen"] += f", marks among them; {predicted:,} of them predicted"
    return {
        "Model": sizes(model, pieces),
        **facts,
        "Held-out perplexity": f"{math.exp(masked):.1f} a masked piece, both sides "
        "given: not to be compared with that of a model that reads from left to right; "
        f"does the second segment follow: {follows:.3f} nats, a guess has 0.693",
    }


def begin(
    recipe: Recipe, training: Text, out: Path, start: str | None
) -> tuple[int, GPT | BERT, Pieces]:
    """Return the tokens seen before, a model, and its pieces, kept in the run."""
    kind = {"GPT": GPT, "BERT": BERT}[recipe.kind]
    if start:
        return load_start(start, kind)
    path = out / "pieces.txt"
    with parallel.first_goes_first():
        if not path.exists():
            print("finding the pieces …", flush=True)
            Pieces.from_text(training, recipe.vocabulary).save(path)
    pieces = Pieces.load(path)
    return 0, kind(recipe.config, len(pieces)), pieces


def train_pieces(
    model: GPT | BERT,
    batches: Windows | MaskedPairs,
    out: Path,
    minutes: float,
    epochs: float,
) -> Run:
    """Train a GPT or a BERT, and keep the state of the run in `out`."""
    bf16 = precision(out) == "bfloat16"
    limits = {"epochs": epochs, "minutes": minutes, "learning_rate": 2e-3}
    return train(model, batches, **limits, folder=out, bf16=bf16)


def sizes(model: GPT | BERT, pieces: Pieces) -> str:
    """Say in one line what a Transformer is made of."""
    c = model.config
    return (
        f"{type(model).__name__}, {c.layers} layers of {c.dimension}, {c.heads} heads, "
        f"context {c.context}, {len(pieces):,} pieces, "
        f"{sum(p.numel() for p in model.parameters()):,} parameters, kept in half "
        "precision"
    )


def load_start(
    start: str, kind: type[nn.Module]
) -> tuple[int, nn.Module, Vocabulary | Pieces]:
    """Return the tokens that a checkpoint has seen, its model, its words or pieces.

    Errors: KeyError if it is not there, ValueError if it is of another kind.
    """
    found = checkpoints.load(start)
    if isinstance(found, Encoder):
        found = found.model, found.vocabulary
    if not (isinstance(found, tuple) and isinstance(found[0], kind)):
        raise ValueError(f"{start} is no {kind.__name__}; go on from one that is")
    return checkpoints.tokens_seen(start), *found


KINDS = {
    "biLM": pretrain_bilm,
    "AWD-LSTM": pretrain_awd_lstm,
    "SGNS": pretrain_sgns,
    "GPT": pretrain_gpt,
    "BERT": pretrain_bert,
}
