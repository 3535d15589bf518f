"""Train a biLM further with its state carried on, on a GPU or one core.

    python -m course_pretraining.carried elmo-en --weights elmo-en \\
        --out runs/elmo-en-carried --minutes 60

In `pretrain` every window begins from an empty state. Here it begins where the window
before it in its document has ended (for the backward half: the one after it), as the
released ELMo was trained; the first one of a document, and every fifth of the others,
begins empty, because lessons read single sentences. The token layer stays as it is, so
each word's vector is worked out once. Both directions are read as one batch. On a GPU
a whole step is recorded as a CUDA graph and played again: it is hundreds of kernels of
some microseconds each, and starting them one by one would take most of the time. Two
models in one process must be recorded on two streams: what cuBLAS works in belongs to
the stream, and played at the same time the two would write into the same memory.

Shapes: 2 directions, B rows, T time, P projection, D cells, S drawn words.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F
from tqdm.auto import tqdm

from course_lib import checkpoints, kept
from course_lib.models.bilm import BiLM
from course_lib.models.sampled_softmax import inclusion
from course_lib.text.batches import IGNORE, Batches, Text, split_long
from course_lib.text.characters import char_table
from course_lib.text.vocabulary import Vocabulary
from course_lib.training import device
from course_lib.training.loop import evaluate

from .pretrain import bilm_perplexity, bilm_sizes, write_card
from .recipes import RECIPES, Recipe, describe, documents, texts

EMPTY = 0.2  # the share of windows that begin empty although one came before


def cell(gates: torch.Tensor, past: torch.Tensor, c: torch.Tensor) -> tuple:
    """Do what one step of LSTM cells does; return h, c and the opened gates.

    Shape: gates and past (N, 4D), c (N, D). On a GPU torch's own kernel does it.
    """
    if gates.is_cuda:
        return torch.ops.aten._thnn_fused_lstm_cell(gates, past, c)
    i, f, g, o = (gates + past).chunk(4, dim=1)
    i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
    c = f * c + i * g
    return o * c.tanh(), c, torch.cat([i, f, g, o], dim=1)


def cell_backward(dh, dc, before, after, opened) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the gradients of the gates (N, 4D) and of the cells before (N, D)."""
    if dh.is_cuda:
        found = torch.ops.aten._thnn_fused_lstm_cell_backward_impl(
            dh, dc, before, after, opened, False
        )
        return found[0], found[1]
    i, f, g, o = opened.chunk(4, dim=1)
    t = after.tanh()
    dc = dc + dh * o * (1 - t * t)
    gates = [dc * g * i * (1 - i), dc * before * f * (1 - f)]
    gates += [dc * i * (1 - g * g), dh * t * o * (1 - o)]
    return torch.cat(gates, dim=1), dc * f


def product(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """Multiply both directions' rows by their matrices. (2, N, I), (2, I, O).

    In TensorFloat-32 on a GPU; elsewhere in bfloat16, if `w` is given so.
    """
    return torch.bmm(x.to(w.dtype), w).to(x.dtype)


class Layer(torch.autograd.Function):
    """A layer of projected LSTMs, both directions at once, and its gradient by hand.

    By hand, because a weight's gradient is then one product over all steps, where
    autograd would add up one of each. The cell is clipped for the next step only.
    """

    @staticmethod
    def forward(ctx, gates, past, project, h, c, clip, dtype):
        """Read all steps; return the states (T, 2, B, P) and the cells (T, 2, B, D).

        Shape: gates (T, 2, B, 4D), from the inputs; past (2, P, 4D), project
        (2, D, P), h (2, B, P), c (2, B, D). No gradient goes through the cells, or
        into the states before.
        """
        (T, _, B, _), D = gates.shape, c.shape[2]
        with_past, projected = past.to(dtype), project.to(dtype)
        steps, states, first = [], [], (h, c)
        for t in range(T):
            z = product(h, with_past).view(2 * B, 4 * D)
            new, after, opened = cell(gates[t].view(2 * B, -1), z, c.view(2 * B, D))
            steps.append((new, c, after, opened))
            c = after.clamp(-clip, clip).view(2, B, D)
            h = product(new.view(2, B, D), projected).clamp_(-clip, clip)
            states.append(h)
        cells = torch.stack([*(s[1] for s in steps[1:]), c])
        states = torch.stack(states)
        ctx.save_for_backward(past, project, states, *first)
        ctx.steps, ctx.clip, ctx.dtype = steps, clip, dtype
        ctx.mark_non_differentiable(cells)
        return states, cells

    @staticmethod
    def backward(ctx, to_states, _):
        """Go back through the steps; the weights' gradients come last, in one go."""
        past, project, states, h0, c0 = ctx.saved_tensors
        (T, _, B, P), D = states.shape, c0.shape[2]
        from_gates, from_projected = (w.mT.to(ctx.dtype) for w in (past, project))
        inside = states.abs() < ctx.clip
        dh, dc = torch.zeros_like(h0), c0.new_zeros(2 * B, D)
        to_gates, to_projected = [], []
        for t in reversed(range(T)):
            _, before, after, opened = ctx.steps[t]
            dp = (to_states[t] + dh) * inside[t]  # (2, B, P)
            dn = product(dp, from_projected).view(2 * B, D)
            dc = dc * (after.abs() < ctx.clip)
            dz, dc = cell_backward(dn, dc, before.view(2 * B, D), after, opened)
            dz = dz.view(2, B, 4 * D)
            dh = product(dz, from_gates)
            to_gates.append(dz)
            to_projected.append(dp)
        to_gates, to_projected = (
            torch.stack(x[::-1], dim=1).view(2, T * B, -1)
            for x in (to_gates, to_projected)
        )
        earlier = torch.cat([h0[None], states[:-1]]).transpose(0, 1)
        new = torch.stack([s[0].view(2, B, D) for s in ctx.steps], dim=1)
        to_past = product(earlier.reshape(2, T * B, P).mT, to_gates.to(ctx.dtype))
        to_project = product(new.view(2, T * B, D).mT, to_projected.to(ctx.dtype))
        ctx.steps = None
        to_gates = to_gates.view(2, T, B, -1).transpose(0, 1)
        return to_gates, to_past, to_project, None, None, None, None


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


class Training:
    """A biLM in training, with all that it needs on one device."""

    def __init__(self, model: BiLM, windows: Windows, vectors: torch.Tensor, rows: int):
        self.model, self.windows, self.vectors, self.rows = (
            model,
            windows,
            vectors,
            rows,
        )
        self.parameters = [p for p in model.parameters() if p.requires_grad]
        c, where = model.config, vectors.device
        self.gpu = where.type == "cuda"
        self.dtype = torch.float32 if self.gpu else torch.bfloat16
        # A recorded step reads its rate, its windows and its states where they were.
        self.rate = torch.zeros((), device=where) if self.gpu else 0.0
        options = {"fused": True, "capturable": self.gpu}
        self.adam = torch.optim.Adam(self.parameters, lr=self.rate, **options)
        self.chosen = torch.zeros(2, rows, dtype=torch.long, device=where)
        self.carry = torch.zeros(2, rows, 1, device=where)
        self.states = [
            [torch.zeros(2, rows, n, device=where) for n in (c.projection, c.cells)]
            for _ in range(c.layers)
        ]
        self.samples = min(c.samples, len(model.softmax.bias))
        self.q = inclusion(len(model.softmax.bias), self.samples).to(where)
        self.losses = torch.zeros(3, device=where)  # both sums, and of how many words
        self.steps = self.tokens = 0
        self.graph = None

    def step(self) -> None:
        """Read the chosen windows and go one step down the gradient."""
        ids, targets, lengths = self.windows.read(self.chosen)
        x = F.embedding(ids, self.vectors).float()  # (T, 2, B, P)
        stacks = zip(self.model.forward_stack, self.model.backward_stack, strict=True)
        for depth, (pair, states) in enumerate(zip(stacks, self.states, strict=True)):
            h = self.read(
                pair, F.dropout(x, self.model.config.dropout), states, lengths - 1
            )
            x = h + x if depth else h
        here = targets != IGNORE
        losses = self.loss(
            F.dropout(x, self.model.config.dropout).flatten(0, 2), targets.flatten()
        )
        losses = losses.view_as(targets) * here
        self.losses += torch.stack([*losses.detach().sum((0, 2)), here.sum() / 2])
        self.adam.zero_grad()
        (losses.sum() / here.sum()).backward()
        torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.adam.step()

    def read(self, pair, x, states, last) -> torch.Tensor:
        """Read with one layer, both directions; keep the states after the last words.

        Shape: (T, 2, B, P) to the same; states (2, B, P) and (2, B, D), last (2, B).
        """
        T, _, B, _ = x.shape
        weight, past, project = (
            torch.stack([getattr(lstm, name).weight.T for lstm in pair])
            for name in ("from_input", "from_past", "project")
        )
        bias = torch.stack([lstm.from_input.bias for lstm in pair])
        flat = x.transpose(0, 1).reshape(2, T * B, -1)
        gates = product(flat, weight.to(self.dtype)) + bias[:, None]
        gates = gates.view(2, T, B, -1).transpose(0, 1).contiguous()
        before = [s * self.carry for s in states]
        found = Layer.apply(
            gates, past, project, *before, self.model.config.clip, self.dtype
        )
        for state, after in zip(states, found, strict=True):
            end = last[None, :, :, None].expand(1, *state.shape)
            state.copy_(after.detach().gather(0, end)[0])
        return found[0]

    def loss(self, states: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Estimate -log p(target) by a sample, as `sampled_loss` does. (N,)

        Shape: (N, P), (N,). A target that does not count gives any number.
        """
        weight, bias = self.model.softmax.weight, self.model.softmax.bias
        comb = torch.arange(self.samples, device=states.device)
        teeth = comb + torch.rand(1, dtype=torch.float64, device=states.device)
        drawn = torch.searchsorted(self.q.cumsum(0), teeth).clamp(max=len(bias) - 1)
        targets = targets.clamp(min=0)
        rows = weight.index_select(0, drawn).bfloat16()
        shifted = bias.index_select(0, drawn) - self.q[drawn].float().log()
        others = (states.bfloat16() @ rows.T).float() + shifted  # (N, S)
        others = others.masked_fill(drawn == targets[:, None], -torch.inf)
        own = (states * weight.index_select(0, targets)).sum(1)
        own = own + bias.index_select(0, targets)
        return torch.logaddexp(others.logsumexp(dim=1), own) - own

    def record(self) -> None:
        """Try some steps, record one as a CUDA graph, and forget what they taught."""
        kept = [p.detach().clone() for p in self.parameters]
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
            for p, old in zip(self.parameters, kept, strict=True):
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
        self.model.train()
        with tqdm(total=round(60 * minutes), unit="s") as bar:
            for windows, carry, tokens in self.windows.batches(seed, self.rows):
                passed = (time.time() - begun) / 60
                if passed >= minutes:
                    break
                share = min((self.steps + 1) / 100, 2 * (1 - passed / minutes), 1.0)
                self.next(windows, carry, rate * share)
                self.tokens += tokens
                if passed - told > 0.25:
                    self.tell(bar)
                    bar.update(round(60 * (passed - told)))
                    told = passed
        self.model.eval()

    def tell(self, bar: tqdm) -> None:
        """Say how well both directions predicted since this was last asked."""
        forward, backward, n = self.losses.tolist()
        self.losses.zero_()
        if not math.isfinite(forward + backward):
            raise FloatingPointError(f"the loss is no number after {self.steps} steps")
        two = f"{math.exp(forward / n):.1f}, {math.exp(backward / n):.1f}"
        bar.set_postfix_str(f"perplexity {two}, {self.tokens:,} tokens")


def begin(
    text: Text, documents: np.ndarray, start: str | Path, rows: int
) -> tuple[Training, Vocabulary]:
    """Take up a biLM whose softmax is sampled; its token layer stays as it is."""
    encoder, where = checkpoints.load(str(start)), device()
    model, words = encoder.model.to(where), encoder.vocabulary
    model.token_layer.requires_grad_(False)
    table = torch.from_numpy(char_table(text.words).astype(np.int64))
    with torch.no_grad():
        parts = [model.token_layer(part.to(where)) for part in table.split(2048)]
    vectors = torch.cat(parts).bfloat16()  # (words, P)
    windows = Windows(text, documents, words, where)
    return Training(model, windows, vectors, rows), words


def windows_a_document(recipe: Recipe) -> np.ndarray:
    """Count the windows of each document of the training text, as `read_text` does."""
    counts = []
    for document in documents(recipe, held_out=False):
        n = room = 0
        for inside in split_long(document, recipe.window - 2):
            if len(inside) + 2 > room:
                n, room = n + 1, recipe.window
            room -= len(inside) + 2
        counts.append(n)
    return np.array([n for n in counts if n])


def main() -> None:
    """Train, measure on a tenth of the held-out windows, and write model and card."""
    parser = argparse.ArgumentParser(description="train a biLM with its state carried")
    parser.add_argument("name", choices=[n for n, r in RECIPES.items() if r.vectors])
    parser.add_argument("--weights", required=True, help="a biLM to go on from")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--rows", type=int, default=128)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if device().type == "cpu":
        torch.set_num_threads(1)
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(given.seed)
    recipe = RECIPES[given.name]
    text, held_out = texts(recipe, given.out / "text")
    path = given.out / "text" / "documents.npz"
    counts = kept.arrays(path, lambda: {"windows": windows_a_document(recipe)})
    training, words = begin(text, counts["windows"], given.weights, given.rows)
    if training.gpu:
        training.record()
    training.run(given.minutes, given.seed)
    model, folder = training.model.cpu(), given.out / given.name
    checkpoints.save(model, words, folder)
    rng = np.random.default_rng(0)
    tenth = rng.permutation(len(held_out.starts))[: len(held_out.starts) // 10]
    part = Text(
        held_out.words, held_out.ids, held_out.starts[tenth], held_out.lengths[tenth]
    )
    unseen = Batches(part, words, recipe.rows)
    losses = evaluate(model, unseen).tolist()
    seen = checkpoints.tokens_seen(given.weights) + training.tokens
    command = f"{given.name} --weights {given.weights} --out {given.out}"
    command += f" --minutes {given.minutes:g} --rows {given.rows} --seed {given.seed}"
    write_card(
        folder,
        {
            "Made by": f"`python -m course_pretraining.carried {command}`",
            "Text": describe(recipe, text, held_out),
            "Model": bilm_sizes(recipe, model, words) + ", kept in half precision",
            "Tokens seen": f"{seen:,}, {training.tokens:,} of them (marks among them) "
            f"in this stretch, {training.steps:,} steps of {given.rows} windows a "
            "direction, the state carried on",
            "Held-out perplexity": bilm_perplexity(losses, unseen, held_out, words)
            + ", a tenth of the held-out windows",
            "Seed": str(given.seed),
        },
    )


if __name__ == "__main__":
    main()
