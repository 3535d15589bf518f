"""Train biLMs further with their state carried on, on a GPU or one core.

    python -m course_pretraining.carried elmo-en --weights elmo-en \\
        --out runs/carried --minutes 60
    python -m course_pretraining.carried elmo-en elmo-zh --weights elmo-en elmo-zh \\
        --out runs/carried --minutes 9 --rows 256 --cells 1024 --spell 2500

In `pretrain` every window begins from an empty state. Here rows of text run on from
step to step, and so do the states, as the released ELMo was trained; they are emptied
where a document begins (backward: ends), and for every tenth of the other sentences,
because lessons read single ones. No row is padded. The token layer stays as it is, so
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
from course_lib.training.loop import evaluate, whole_step

from .carried_layer import Layer
from .pretrain import bilm_perplexity, bilm_sizes, tokens_seen, write_card
from .recipes import RECIPES, Recipe, describe, documents, texts
from .vector_start import spell_further

LENGTH = 64  # tokens that each row reads in a step: as far as the gradient goes back
EMPTY = 0.1  # the share of sentences that begin empty although one came before


class RunningText:
    """A text in rows that run on, step by step, in both directions.

    windows: how many each document has
    """

    def __init__(
        self, text: Text, windows: np.ndarray, words: Vocabulary, length: int = LENGTH
    ):
        self.target_of = np.array(words.encode(text.words), dtype=np.int64)
        self.target_of[:2] = IGNORE
        ends = (text.starts + text.lengths)[windows.cumsum() - 1]
        self.documents = np.split(text.ids, ends[:-1])
        self.length = length

    def epoch(self, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """Return all documents in a new order, and where each direction begins empty.

        Shape: (N,) words' numbers, (2, N) bool. Each document begins empty, and so do
        some of the sentences, because lessons read single ones.
        """
        chosen = [self.documents[i] for i in rng.permutation(len(self.documents))]
        ids = np.concatenate(chosen)
        empty = ids == [[0], [1]]  # forward only at <S>, backward only at </S>
        empty[empty] = rng.random(empty.sum()) < EMPTY
        ends = np.cumsum([len(document) for document in chosen])
        empty[0, ends[:-1]] = empty[1, ends - 1] = empty[0, 0] = True
        return ids, empty

    @property
    def n_tokens(self) -> int:
        """How many tokens an epoch has, the marks of sentences among them."""
        return sum(map(len, self.documents))

    def batches(self, seed: int, rows: int) -> Iterator[tuple[torch.Tensor, ...]]:
        """Yield words' numbers, targets and where a state is kept: (T, 2, B) each.

        Backward, the same rows are walked from their ends.
        """
        rng = np.random.default_rng(seed)
        steps = self.n_tokens // (rows * self.length)
        columns = steps * self.length
        if not steps:
            raise ValueError(
                f"{self.n_tokens:,} tokens are too few for {rows} rows of "
                f"{self.length}: take fewer rows"
            )
        while True:
            ids, empty = self.epoch(rng)
            ids, after, before, forward, backward = (
                x[: rows * columns].reshape(rows, columns)
                for x in (ids, np.roll(ids, -1), np.roll(ids, 1), *empty)
            )
            forward[:, 0] = backward[:, -1] = True
            paths = [(ids, after, forward)]
            paths.append(tuple(x[:, ::-1] for x in (ids, before, backward)))
            for step in range(0, columns, self.length):
                words, follow, empty_here = (
                    np.stack([x.T[step : step + self.length] for x in part], axis=1)
                    for part in zip(*paths, strict=True)
                )
                parts = (words, self.target_of[follow], ~empty_here)
                yield tuple(map(torch.from_numpy, parts))


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

    models: of the same sizes; texts, vectors: what each of them reads, and the vectors
        of its words
    """

    def __init__(
        self,
        models: list[BiLM],
        texts: list[RunningText],
        vectors: list[torch.Tensor],
        rows: int,
    ):
        self.models, self.texts, self.vectors, self.rows = models, texts, vectors, rows
        c, where, T = models[0].config, vectors[0].device, texts[0].length
        R = 2 * len(models)
        self.parameters = [
            [p for p in model.parameters() if p.requires_grad] for model in models
        ]
        self.gpu = where.type == "cuda"
        self.dtype = torch.float32 if self.gpu else torch.bfloat16
        # A recorded step reads its rate, its words and its states where they were.
        self.rate = torch.zeros((), device=where) if self.gpu else 0.0
        options = {"fused": True, "capturable": self.gpu}
        self.adam = torch.optim.Adam(sum(self.parameters, []), lr=self.rate, **options)
        self.ids, self.targets = torch.zeros(2, T, R, rows, dtype=torch.long).to(where)
        self.keep = torch.zeros(T, R, rows, 1, device=where)
        self.states = [
            [torch.zeros(R, rows, n, device=where) for n in (c.projection, c.cells)]
            for _ in range(c.layers)
        ]
        self.sampling = []  # of each softmax: how many words are drawn; how likely each
        for V in (len(model.softmax.bias) for model in models if self.gpu):
            S = min(c.samples, V)
            self.sampling.append((S, inclusion(V, S).to(where)))
        self.losses = torch.zeros(len(models), device=where)  # since `tell`
        self.told = 0  # steps until then
        self.steps, self.graph, self.stopped = 0, None, False

    @property
    def tokens(self) -> int:
        """How many tokens each model has read."""
        return self.steps * self.rows * len(self.ids)

    def step(self) -> None:
        """Read the words that are laid out and go one step down the gradient."""
        pairs = zip(self.ids.split(2, dim=1), self.vectors, strict=True)
        x = torch.cat([F.embedding(*pair) for pair in pairs], dim=1).float()
        dropout = self.models[0].config.dropout
        stacks = [s for m in self.models for s in (m.forward_stack, m.backward_stack)]
        layers = zip(zip(*stacks, strict=True), self.states, strict=True)
        for depth, (lstms, states) in enumerate(layers):
            h = self.read(lstms, F.dropout(x, dropout), states)
            x = h + x if depth else h
        total = 0.0
        tops = F.dropout(x, dropout).split(2, dim=1)  # (T, 2, B, P) of each model
        targets = self.targets.split(2, dim=1)
        for i, (top, y) in enumerate(zip(tops, targets, strict=True)):
            loss = self.loss(i, top.flatten(0, 2), y.flatten())
            self.losses[i] += loss.detach()
            total = total + loss
        self.adam.zero_grad()
        total.backward()
        for parameters in self.parameters:
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        self.adam.step()

    def loss(self, i: int, states, targets) -> torch.Tensor:
        """Estimate the mean of -log p(target) by the softmax of model i. (N, P), (N,).

        A recorded step cannot ask which targets count, so there all are worked out.
        """
        softmax, here = self.models[i].softmax, targets != IGNORE
        if not self.gpu:
            return softmax(states[here], targets[here])
        losses = sampled(softmax, *self.sampling[i], states, targets)
        return (losses * here).sum() / here.sum()

    def read(self, lstms, x, states) -> torch.Tensor:
        """Read with one layer, all directions; keep the states after the last words.

        Shape: (T, R, B, P) to the same; states (R, B, P) and (R, B, D).
        """
        from_input, past, project = (
            torch.stack([getattr(lstm, name).weight.T for lstm in lstms])
            for name in ("from_input", "from_past", "project")
        )
        weights = torch.cat([from_input, past], dim=1)  # (R, Q + P, 4D)
        bias = torch.stack([lstm.from_input.bias for lstm in lstms])
        options = (self.keep, self.models[0].config.clip, self.dtype)
        h, c = Layer.apply(x, weights, bias, project, *states, *options)
        for state, after in zip(states, (h[-1], c), strict=True):
            state.copy_(after.detach())
        return h

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

    def next(self, ids, targets, keep, rate: float) -> None:
        """Go one step further at a learning rate. Shape: (T, R, B) each."""
        parts = (ids, targets, keep)
        if self.gpu:  # a copy from pinned memory need not wait for the step before
            parts = [part.pin_memory() for part in parts]
        for place, part in zip(
            (self.ids, self.targets, self.keep[..., 0]), parts, strict=True
        ):
            place.copy_(part, non_blocking=True)
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

        Ctrl-C ends it sooner; the models are kept as they are then, to go on from.
        Errors: FloatingPointError as soon as the loss is not a number.
        """
        for model in self.models:
            model.train()
        with tqdm(total=round(60 * minutes), unit="s") as bar:
            try:
                self.read_on(minutes, seed, rate, bar)
            except KeyboardInterrupt:
                self.stopped = True
                print(f"stopped after {self.steps:,} steps: what they taught is kept")
        for model in self.models:
            model.eval()

    def read_on(self, minutes: float, seed: int, rate: float, bar: tqdm) -> None:
        """Go step after step until the time is over."""
        begun, told = time.time(), 0.0
        batches = [text.batches(seed, self.rows) for text in self.texts]
        for each in zip(*batches, strict=True):
            passed = (time.time() - begun) / 60
            if passed >= minutes:
                return
            share = min((self.steps + 1) / 100, 2 * (1 - passed / minutes), 1.0)
            parts = (torch.cat(part, dim=1) for part in zip(*each, strict=True))
            with whole_step():
                self.next(*parts, rate * share)
            if passed - told > 0.25:
                self.tell(bar)
                bar.update(round(60 * (passed - told)))
                told = passed

    def tell(self, bar: tqdm) -> None:
        """Say how well each model predicted since this was last asked."""
        losses = (self.losses / (self.steps - self.told)).tolist()
        self.losses.zero_()
        self.told = self.steps
        if not all(map(math.isfinite, losses)):
            raise FloatingPointError(f"the loss is no number after {self.steps} steps")
        perplexities = ", ".join(f"{math.exp(loss):.1f}" for loss in losses)
        bar.set_postfix_str(f"perplexity {perplexities}, {self.tokens:,} tokens each")


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
    text: Text, windows: np.ndarray, model: BiLM, words: Vocabulary
) -> tuple[RunningText, torch.Tensor]:
    """Put a biLM where it trains, with its text and the vectors of the text's words.

    The model's softmax is sampled; its token layer stays as it is.
    """
    where = device()
    model.to(where).token_layer.requires_grad_(False)
    table = torch.from_numpy(char_table(text.words).astype(np.int64))
    with torch.no_grad():
        parts = [model.token_layer(part.to(where)) for part in table.split(2048)]
    vectors = torch.cat(parts).bfloat16()  # (words, P)
    return RunningText(text, windows, words), vectors


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
    if len(given.names) != len(given.weights):
        parser.error("give as many --weights as names")
    for start in given.weights:
        tokens_seen(start)  # or the error would come after the training
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
    for name, model, words in zip(given.names, models, vocabularies, strict=True):
        folder = given.out / name / name
        checkpoints.save(model.cpu(), words, folder, in_8_bits=True)
    for i in range(len(models)):
        finish(given, i, models[i], vocabularies[i], *read[i], training)


def finish(given, i: int, model, words, text, held_out, training: Training) -> None:
    """Measure one of the models on unseen text and write its card."""
    name, start = given.names[i], given.weights[i]
    recipe, folder = RECIPES[name], given.out / name / name
    rng = np.random.default_rng(0)
    tenth = rng.permutation(len(held_out.starts))[: len(held_out.starts) // 10]
    part = Text(
        held_out.words, held_out.ids, held_out.starts[tenth], held_out.lengths[tenth]
    )
    unseen = Batches(part, words, recipe.rows)
    losses = evaluate(model, unseen).tolist()
    seen, read = tokens_seen(start), training.tokens
    command = f"{' '.join(given.names)} --weights {' '.join(given.weights)}"
    command += f" --out {given.out} --minutes {given.minutes:g} --rows {given.rows}"
    command += f" --cells {given.cells}" if given.cells else ""
    command += f" --spell {given.spell}" if given.spell else ""
    made = f"`python -m course_pretraining.carried {command} --seed {given.seed}`"
    if training.stopped:
        made += "; stopped by hand, before the learning rate had fallen"
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
            "Made by": made,
            "Text": describe(recipe, text, held_out)
            + "; in this stretch rows run on through the documents",
            "Start": began,
            "Model": bilm_sizes(recipe, model, words),
            "Tokens seen": f"{seen + read:,}, {read:,} of them (marks among them) "
            f"in this stretch, {training.steps:,} steps of {given.rows} rows a "
            "direction, the state carried on",
            "Held-out perplexity": bilm_perplexity(losses, unseen, held_out, words)
            + ", a tenth of the held-out windows",
            "Seed": str(given.seed),
        },
    )


if __name__ == "__main__":
    main()
