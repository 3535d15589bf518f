"""Train biLMs further with their state carried on, on a GPU or one core.

    python -m course_pretraining.carried elmo-en --weights elmo-en \\
        --out runs/carried --minutes 60
    python -m course_pretraining.carried elmo-en elmo-zh --weights elmo-en elmo-zh \\
        --out runs/carried --minutes 9 --rows 256 --cells 1024 --spell 2500

In `pretrain` every window begins from an empty state. Here it begins where the window
before it in its document has ended (for the backward half: the one after it), as the
released ELMo was trained; the first one of a document, and every fifth of the others,
begins empty, because lessons read single sentences. The token layer stays as it is, so
each word's vector is worked out once. Both directions are read as one batch, and so are
several models of the same sizes, each with a text, a loss and a gradient of its own. On
a GPU a whole step is recorded as a CUDA graph and played again: it is hundreds of
kernels of some microseconds each, and starting them one by one would take most of the
time; two models beside each other take little more than one.

Shapes: R directions, two a model, B rows, T time, P projection, D cells, S drawn words.
"""

from __future__ import annotations

import argparse
import functools
import math
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F
from tqdm.auto import tqdm

from course_lib import checkpoints, kept
from course_lib.models.bilm import BiLM
from course_lib.models.sampled_softmax import WordSoftmax, inclusion
from course_lib.text.batches import IGNORE, Batches, Text, split_long
from course_lib.text.characters import char_table
from course_lib.text.vocabulary import Vocabulary
from course_lib.training import device
from course_lib.training.loop import evaluate

from .carried_layer import Layer, product
from .pretrain import bilm_perplexity, bilm_sizes, tokens_seen, write_card
from .recipes import RECIPES, Recipe, describe, documents, texts
from .vector_start import spell_further

EMPTY = 0.2  # the share of windows that begin empty although one came before


class Windows:
    """The text, where the model is, and which window is read when and after which.

    documents: how many windows each document has
    """

    def __init__(
        self, text: Text, documents: np.ndarray, words: Vocabulary, where: torch.device
    ):
        target_of = np.array(words.encode(text.words), dtype=np.int64)
        target_of[:2] = IGNORE
        self.documents = np.split(np.arange(len(text.starts)), documents.cumsum()[:-1])
        self.lengths, self.where = text.lengths, where
        arrays = (target_of, text.ids, text.starts, text.lengths)
        self.arrays = [torch.from_numpy(x.astype(np.int64)).to(where) for x in arrays]
        self.t = torch.arange(int(text.lengths.max()), device=where)[:, None, None]
        self.way = torch.tensor([1, -1], device=where)[:, None]

    def epoch(self, rng: np.random.Generator, rows: int) -> tuple[np.ndarray, ...]:
        """Say which windows are read, and which go on where the last one ended.

        Shape of both: (steps, 2, rows). Backward, the same path is walked from its end.
        """
        chosen = [self.documents[i] for i in rng.permutation(len(self.documents))]
        windows = np.concatenate(chosen)
        first = np.concatenate([np.arange(len(d)) == 0 for d in chosen])
        last = np.append(first[1:], True)
        steps = len(windows) // rows
        order, carried = [], []
        for path, fresh in ((windows, first), (windows[::-1], last[::-1])):
            order.append(path[: steps * rows].reshape(rows, steps).T)
            carried.append(~fresh[: steps * rows].reshape(rows, steps).T)
        goes_on = np.stack(carried, axis=1) & (rng.random((steps, 2, rows)) > EMPTY)
        goes_on[0] = False
        return np.stack(order, axis=1), goes_on

    def batches(self, seed: int, rows: int) -> Iterator[tuple]:
        """Yield windows (2, B), what they carry on (2, B, 1), and how many tokens."""
        rng = np.random.default_rng(seed)
        while True:
            order, carried = self.epoch(rng, rows)
            sizes = self.lengths[order[:, 0]].sum(axis=1).tolist()
            parts = (order, carried.astype(np.float32)[..., None])
            order, carried = (torch.from_numpy(x).to(self.where) for x in parts)
            yield from zip(order, carried, sizes, strict=True)

    def read(self, windows: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return the words' numbers and targets (T, 2, B), and the lengths (2, B)."""
        target_of, text, starts, lengths = self.arrays
        lengths, begin = lengths[windows], starts[windows]
        begin = torch.stack([begin[0], begin[1] + lengths[1] - 1])
        ids = text[(begin + self.way * self.t) * (self.t < lengths)]  # (T, 2, B)
        following = target_of[torch.cat([ids[1:], ids[:1]])]
        targets = following.masked_fill(self.t + 1 >= lengths, IGNORE)
        return ids, targets, lengths


def sampled(
    softmax: WordSoftmax,
    S: int,
    q: torch.Tensor,
    states: torch.Tensor,
    targets: torch.Tensor,
) -> torch.Tensor:
    """Estimate -log p(target) by a sample, as `sampled_loss` does. (N,)

    Shape: q (V,), states (N, P), targets (N,). A target that does not count gives any
    number.
    """
    weight, bias = softmax.weight, softmax.bias
    comb = torch.arange(S, device=q.device)
    teeth = comb + torch.rand(1, dtype=torch.float64, device=q.device)
    drawn = torch.searchsorted(q.cumsum(0), teeth).clamp(max=len(bias) - 1)
    targets = targets.clamp(min=0)
    rows = weight.index_select(0, drawn).bfloat16()
    shifted = bias.index_select(0, drawn) - q[drawn].float().log()
    others = (states.bfloat16() @ rows.T).float() + shifted  # (N, S)
    others = others.masked_fill(drawn == targets[:, None], -torch.inf)
    own = (states * weight.index_select(0, targets)).sum(1)
    own = own + bias.index_select(0, targets)
    return torch.logaddexp(others.logsumexp(dim=1), own) - own


class Training:
    """Some biLMs in training, with all that they need on one device.

    models: of the same sizes; windows, vectors: of the text that each of them reads
    """

    def __init__(
        self,
        models: list[BiLM],
        windows: list[Windows],
        vectors: list[torch.Tensor],
        rows: int,
    ):
        self.models, self.windows, self.vectors = models, windows, vectors
        self.rows, c, where = rows, models[0].config, vectors[0].device
        self.parameters = [
            [p for p in model.parameters() if p.requires_grad] for model in models
        ]
        longest = max(windows, key=lambda w: len(w.t)).t
        for one in windows:
            one.t = longest  # so that all can be read as one batch
        self.gpu = where.type == "cuda"
        self.dtype = torch.float32 if self.gpu else torch.bfloat16
        # A recorded step reads its rate, its windows and its states where they were.
        self.rate = torch.zeros((), device=where) if self.gpu else 0.0
        options = {"fused": True, "capturable": self.gpu}
        self.adam = torch.optim.Adam(sum(self.parameters, []), lr=self.rate, **options)
        R = 2 * len(models)
        self.chosen = torch.zeros(R, rows, dtype=torch.long, device=where)
        self.carry = torch.zeros(R, rows, 1, device=where)
        self.states = [
            [torch.zeros(R, rows, n, device=where) for n in (c.projection, c.cells)]
            for _ in range(c.layers)
        ]
        self.sampling = []  # of each softmax: how many words are drawn; how likely each
        for model in models:
            V = len(model.softmax.bias)
            S = min(c.samples, V)
            self.sampling.append((S, inclusion(V, S).to(where)))
        self.losses = torch.zeros(len(models), 3, device=where)  # sums; of how many
        self.steps, self.tokens = 0, [0] * len(models)
        self.graph = None

    def step(self) -> None:
        """Read the chosen windows and go one step down the gradient."""
        pairs = zip(self.windows, self.chosen.split(2), strict=True)
        read = zip(*(windows.read(chosen) for windows, chosen in pairs), strict=True)
        ids, targets, lengths = read  # (T, 2, B), (T, 2, B), (2, B) of each model
        pairs = zip(ids, self.vectors, strict=True)
        x = torch.cat([F.embedding(*pair) for pair in pairs], dim=1).float()
        last, dropout = torch.cat(lengths) - 1, self.models[0].config.dropout
        stacks = [s for m in self.models for s in (m.forward_stack, m.backward_stack)]
        layers = zip(zip(*stacks, strict=True), self.states, strict=True)
        for depth, (lstms, states) in enumerate(layers):
            h = self.read(lstms, F.dropout(x, dropout), states, last)
            x = h + x if depth else h
        total = 0.0
        each = F.dropout(x, dropout).split(2, dim=1)  # (T, 2, B, P) of each model
        for model, sampling, tops, y, told in zip(
            self.models, self.sampling, each, targets, self.losses, strict=True
        ):
            here = y != IGNORE
            rows = (tops.flatten(0, 2), y.flatten())
            losses = sampled(model.softmax, *sampling, *rows)
            losses = losses.view_as(y) * here
            told += torch.stack([*losses.detach().sum((0, 2)), here.sum() / 2])
            total = total + losses.sum() / here.sum()
        self.adam.zero_grad()
        total.backward()
        for parameters in self.parameters:
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        self.adam.step()

    def read(self, lstms, x, states, last) -> torch.Tensor:
        """Read with one layer, all directions; keep the states after the last words.

        Shape: (T, R, B, P) to the same; states (R, B, P) and (R, B, D), last (R, B).
        """
        T, R, B, _ = x.shape
        weight, past, project = (
            torch.stack([getattr(lstm, name).weight.T for lstm in lstms])
            for name in ("from_input", "from_past", "project")
        )
        bias = torch.stack([lstm.from_input.bias for lstm in lstms])
        flat = x.transpose(0, 1).reshape(R, T * B, -1)
        gates = product(flat, weight.to(self.dtype)) + bias[:, None]
        gates = gates.view(R, T, B, -1).transpose(0, 1).contiguous()
        before = [s * self.carry for s in states]
        clip = self.models[0].config.clip
        found = Layer.apply(gates, past, project, *before, clip, self.dtype)
        for state, after in zip(states, found, strict=True):
            end = last[None, :, :, None].expand(1, *state.shape)
            state.copy_(after.detach().gather(0, end)[0])
        return found[0]

    def record(self) -> None:
        """Try some steps, record one as a CUDA graph, and forget what they taught."""
        parameters = sum(self.parameters, [])
        kept = [p.detach().clone() for p in parameters]
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                self.step()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            self.step()
        with torch.no_grad():
            for p, old in zip(parameters, kept, strict=True):
                p.copy_(old)
        for state in self.adam.state.values():
            for value in state.values():
                value.zero_()
        self.losses.zero_()
        self.graph = graph
        torch.cuda.synchronize()

    def next(self, windows: torch.Tensor, carry: torch.Tensor, rate: float) -> None:
        """Go one step further at a learning rate."""
        self.chosen.copy_(windows)
        self.carry.copy_(carry)
        if self.gpu:
            self.rate.fill_(rate)
        else:
            self.adam.param_groups[0]["lr"] = rate
        if self.graph:
            self.graph.replay()
            if self.steps % 16 == 0:
                torch.cuda.synchronize()  # or the clock would run ahead
        else:
            self.step()
        self.steps += 1

    def run(self, minutes: float, seed: int = 0, rate: float = 2e-3) -> None:
        """Train for so long: the rate rises, is held, and falls in the second half.

        Errors: FloatingPointError as soon as the loss is not a number.
        """
        begun, told = time.time(), 0.0
        for model in self.models:
            model.train()
        batches = [windows.batches(seed, self.rows) for windows in self.windows]
        with tqdm(total=round(60 * minutes), unit="s") as bar:
            for each in zip(*batches, strict=True):
                passed = (time.time() - begun) / 60
                if passed >= minutes:
                    break
                share = min((self.steps + 1) / 100, 2 * (1 - passed / minutes), 1.0)
                chosen, carry, tokens = zip(*each, strict=True)
                self.next(torch.cat(chosen), torch.cat(carry), rate * share)
                self.tokens = [a + b for a, b in zip(self.tokens, tokens, strict=True)]
                if passed - told > 0.25:
                    self.tell(bar)
                    bar.update(round(60 * (passed - told)))
                    told = passed
        for model in self.models:
            model.eval()

    def tell(self, bar: tqdm) -> None:
        """Say how well all directions predicted since this was last asked."""
        losses = (self.losses[:, :2] / self.losses[:, 2:]).flatten().tolist()
        self.losses.zero_()
        if not all(map(math.isfinite, losses)):
            raise FloatingPointError(f"the loss is no number after {self.steps} steps")
        perplexities = ", ".join(f"{math.exp(loss):.1f}" for loss in losses)
        bar.set_postfix_str(f"perplexity {perplexities}, {sum(self.tokens):,} tokens")


@torch.no_grad()
def widen(model: BiLM, cells: int) -> BiLM:
    """Give every LSTM more cells, which nothing listens to before they have learned.

    Source: Chen, Goodfellow & Shlens 2016, "Net2Net"; here none is a copy.
    """
    wide = BiLM(replace(model.config, cells=cells), len(model.softmax.bias))
    weights, had = model.state_dict(), model.config.cells
    for name, new in wide.state_dict().items():
        old = weights[name]
        if old.shape == new.shape:
            new.copy_(old)
        elif "project" in name:  # (P, D)
            new.zero_()[:, :had] = old
        else:  # of the gates: (4D, ...)
            new.unflatten(0, (4, cells))[:, :had] = old.unflatten(0, (4, had))
    return wide


def begin(
    text: Text, documents: np.ndarray, model: BiLM, words: Vocabulary
) -> tuple[Windows, torch.Tensor]:
    """Put a biLM where it trains, with its text and the vectors of the text's words.

    The model's softmax is sampled; its token layer stays as it is.
    """
    where = device()
    model.to(where).token_layer.requires_grad_(False)
    table = torch.from_numpy(char_table(text.words).astype(np.int64))
    with torch.no_grad():
        parts = [model.token_layer(part.to(where)) for part in table.split(2048)]
    vectors = torch.cat(parts).bfloat16()  # (words, P)
    return Windows(text, documents, words, where), vectors


def windows_a_document(recipe: Recipe) -> dict[str, np.ndarray]:
    """Count the windows of each document of the training text, as `read_text` does."""
    counts = []
    for document in documents(recipe, held_out=False):
        n = room = 0
        for inside in split_long(document, recipe.window - 2):
            if len(inside) + 2 > room:
                n, room = n + 1, recipe.window
            room -= len(inside) + 2
        counts.append(n)
    return {"windows": np.array([n for n in counts if n])}


def main() -> None:
    """Train, measure on a tenth of the held-out windows, and write models and cards."""
    parser = argparse.ArgumentParser(description="train biLMs with the state carried")
    known = [n for n, r in RECIPES.items() if r.vectors]
    parser.add_argument("names", choices=known, nargs="+")
    parser.add_argument("--weights", required=True, nargs="+", help="to go on from")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--rows", type=int, default=128)
    parser.add_argument("--cells", type=int, help="of each layer, if it is to be wider")
    parser.add_argument(
        "--spell",
        type=int,
        default=0,
        help="steps in which the token layer first learns to spell skip-gram better",
    )
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if device().type == "cpu":
        torch.set_num_threads(1)
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(given.seed)
    models, vocabularies, ready, read = [], [], [], []
    for name, start in zip(given.names, given.weights, strict=True):
        recipe, folder = RECIPES[name], given.out / name / "text"
        text, unseen = texts(recipe, folder)
        count = functools.partial(windows_a_document, recipe)
        counts = kept.arrays(folder / "documents.npz", count)
        encoder = checkpoints.load(start)
        model = encoder.model
        if given.spell:
            spell_further(model.to(device()), text, encoder.vocabulary, given.spell)
        if given.cells:
            model = widen(model.cpu(), given.cells)
        models.append(model)
        vocabularies.append(encoder.vocabulary)
        ready.append(begin(text, counts["windows"], model, encoder.vocabulary))
        read.append((text, unseen))
    training = Training(models, *map(list, zip(*ready, strict=True)), given.rows)
    if training.gpu:
        training.record()
    training.run(given.minutes, given.seed)
    for i in range(len(models)):
        finish(given, i, models[i].cpu(), vocabularies[i], *read[i], training)


def finish(given, i: int, model, words, text, held_out, training: Training) -> None:
    """Save one of the models, measure it on unseen text and write its card."""
    name, start = given.names[i], given.weights[i]
    recipe, folder = RECIPES[name], given.out / name / name
    checkpoints.save(model, words, folder, in_8_bits=True)
    rng = np.random.default_rng(0)
    tenth = rng.permutation(len(held_out.starts))[: len(held_out.starts) // 10]
    part = Text(
        held_out.words, held_out.ids, held_out.starts[tenth], held_out.lengths[tenth]
    )
    unseen = Batches(part, words, recipe.rows)
    losses = evaluate(model, unseen).tolist()
    seen, read = tokens_seen(start), training.tokens[i]
    command = f"{' '.join(given.names)} --weights {' '.join(given.weights)}"
    command += f" --out {given.out} --minutes {given.minutes:g} --rows {given.rows}"
    command += f" --cells {given.cells}" if given.cells else ""
    command += f" --spell {given.spell}" if given.spell else ""
    began = f"`{start}`"
    if given.spell:
        began += f"; its token layer spelled skip-gram vectors for {given.spell} more"
        began += " steps, and then stayed as it was"
    else:
        began += ", whose token layer stays as it is"
    if given.cells:
        began += f"; {given.cells} cells a layer, the new ones at random"
    write_card(
        folder,
        {
            "Made by": f"`python -m course_pretraining.carried {command} "
            f"--seed {given.seed}`",
            "Text": describe(recipe, text, held_out),
            "Start": began,
            "Model": bilm_sizes(recipe, model, words),
            "Tokens seen": f"{seen + read:,}, {read:,} of them (marks among them) "
            f"in this stretch, {training.steps:,} steps of {given.rows} windows a "
            "direction, the state carried on",
            "Held-out perplexity": bilm_perplexity(losses, unseen, held_out, words)
            + ", a tenth of the held-out windows",
            "Seed": str(given.seed),
        },
    )


if __name__ == "__main__":
    main()
