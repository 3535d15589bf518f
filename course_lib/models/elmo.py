"""ELMo: every layer of a pre-trained biLM, mixed with learned weights.

`Elmo` and `batch_to_ids` have the names, arguments and results of AllenNLP, so that
code written for it runs here; `ScalarMix` has its name and its result, but takes all
layers as one tensor, (L+1, B, T, D). `ELMoBiLM` is the biLM inside.
Source: Peters et al. 2018, sections 3.2 to 3.4.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from .. import kept
from ..text.characters import BOS, EOS, WIDTH, char_ids, char_table, longest
from ..text.vocabulary import listed
from . import elmo_files
from .bilm import BiLM, ProjectedLSTM, reverse
from .charcnn import CharCNN

# What the LSTMs remember: h (2, L, B, P), c (2, L, B, D); [0] is the forward model's.
States = tuple[torch.Tensor, torch.Tensor]


class ScalarMix(nn.Module):
    """A weighted mean of layers, scaled: gamma * sum over j of s_j h_j, s = softmax(w).

    n_layers counts all representations, the token layer too: L+1. w starts at zero
    (all layers alike), gamma at one. Source: Peters et al. 2018, equation 1.
    """

    def __init__(self, n_layers: int, do_layer_norm: bool = False):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(n_layers))
        self.gamma = nn.Parameter(torch.ones(()))
        self.do_layer_norm = do_layer_norm

    @property
    def weights(self) -> torch.Tensor:
        """Return s, the share of each layer. Shape: (L+1,); the sum is 1."""
        return torch.softmax(self.w, dim=0)

    def forward(
        self, layers: torch.Tensor, mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Mix the layers. Shape: (L+1, B, T, D), mask (B, T) to (B, T, D).

        The mask is True at words. What stands elsewhere does not count and comes out
        as zero. Errors: ValueError for another shape or number of layers.
        """
        if len(layers) != len(self.w):
            raise ValueError(
                f"{len(layers)} layers for {len(self.w)} weights; "
                f"make it ScalarMix({len(layers)})"
            )
        if layers.ndim != 4:
            raise ValueError(
                f"layers of shape {tuple(layers.shape)}; give (L+1, B, T, D): of one "
                "sentence, layers[:, None]"
            )
        if mask is not None:
            layers = layers.masked_fill(~mask.bool()[:, :, None], 0.0)
        if self.do_layer_norm:
            layers = norm(layers, mask)
        return self.gamma * torch.einsum("l,lbtd->btd", self.weights, layers)

    def penalty(self, lambda_: float) -> torch.Tensor:
        """Return lambda ||w||^2, to be added to the loss; it pulls s towards the mean.

        Source: Peters et al. 2018, section 3.3.
        """
        return lambda_ * self.w.square().sum()


def norm(layers: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
    """Give each layer mean 0 and variance 1 over all words of the batch.

    Shape: (L+1, B, T, D) to the same. Not the usual layer norm, which has a mean for
    each word: as in AllenNLP, a layer has one mean and one variance, over all words
    and dimensions together. So a word's vector depends on the rest of its batch.
    """
    here = layers.new_ones(layers.shape[1:3]) if mask is None else mask.to(layers)
    here = here[:, :, None]  # (B, T, 1)
    count = (here.sum() * layers.shape[3]).clamp(min=1)
    mean = (layers * here).sum((1, 2, 3), keepdim=True) / count  # (L+1, 1, 1, 1)
    centred = (layers - mean) * here
    # variance: (L+1, 1, 1, 1)
    variance = centred.square().sum((1, 2, 3), keepdim=True) / count
    return centred / (variance + 1e-13).sqrt()


def batch_to_ids(
    sentences: Sequence[Sequence[str]], width: int = WIDTH
) -> torch.Tensor:
    """Spell sentences in character ids, without sentence marks.

    Shape: (B, T, 50) int64; 0 where a shorter sentence has no word. Errors: TypeError
    if a sentence is a string, because its characters would be read as words.
    """
    T = max((len(listed(s, i)) for i, s in enumerate(sentences)), default=0)
    ids = torch.zeros(len(sentences), T, width, dtype=torch.long)
    for row, sentence in zip(ids, sentences, strict=True):
        row[: len(sentence)] = torch.from_numpy(char_table(sentence, width))
    return ids


def add_marks(ids: torch.Tensor) -> torch.Tensor:
    """Put `<S>` before each sentence and `</S>` after its last word.

    Shape: (B, T, C) to (B, T+2, C). Errors: ValueError if a word follows padding.
    """
    B, T, C = ids.shape
    here = (ids > 0).any(dim=2)  # (B, T)
    lengths = here.sum(dim=1)
    if not torch.equal(here, torch.arange(T, device=ids.device) < lengths[:, None]):
        raise ValueError("a word follows padding; padding belongs at the end of a row")
    begin, end = (torch.from_numpy(char_ids(m, C)).to(ids) for m in (BOS, EOS))
    marked = F.pad(ids, (0, 0, 1, 1))  # (B, T+2, C)
    marked[:, 0] = begin
    marked[torch.arange(B), lengths + 1] = end
    return marked


def without_marks(
    x: torch.Tensor, mask: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Take out the places of the sentence marks; what is no word becomes zero.

    Shape: (…, B, T+2, D) and (B, T+2) to (…, B, T, D) and (B, T).
    """
    words = mask[:, 2:]  # as many places as before, less two
    return x[..., 1:-1, :].masked_fill(~words[:, :, None], 0.0), words


class ELMoBiLM(nn.Module):
    """The biLM of a released ELMo: character ids in, all L+1 layers out.

    The parts and their names are those of `BiLM`, without its softmax. New is a state
    that can be carried from a sentence to the next. options: see `elmo_files`.
    """

    def __init__(self, options: dict):
        super().__init__()
        self.options = options
        cnn, lstm = options["char_cnn"], options["lstm"]
        P, D, L = lstm["projection_dim"], lstm["dim"], lstm["n_layers"]
        self.width = cnn["max_characters_per_token"]
        self.residual = lstm["use_skip_connections"]
        n_highway = cnn.get("n_highway") or 0
        sizes = (cnn["embedding"]["dim"], n_highway, self.width, cnn["activation"])
        self.token_layer = CharCNN(cnn["filters"], P, *sizes)
        # Without a number there, nothing is clipped.
        clips = [lstm.get(name) or float("inf") for name in ("cell_clip", "proj_clip")]
        self.forward_stack, self.backward_stack = (
            nn.ModuleList(ProjectedLSTM(P, D, P, *clips) for _ in range(L))
            for _direction in range(2)
        )

    @classmethod
    def from_official(
        cls, options_file: str | Path, weight_file: str | Path
    ) -> ELMoBiLM:
        """Load a released model.

        Errors: FileNotFoundError; ValueError if an option is missing, the weight file
        is damaged, or a tensor does not fit, with its name and both shapes.
        """
        model = cls(elmo_files.read_options(Path(options_file)))
        elmo_files.read_weights(model, Path(weight_file))
        return model.eval()

    @classmethod
    def from_bilm(cls, bilm: BiLM) -> ELMoBiLM:
        """Copy a biLM of this course, such as `course_lib.load("elmo-en").model`."""
        model = cls(elmo_files.options_of(bilm.config))
        weights = bilm.state_dict().items()
        ours = {name: w for name, w in weights if not name.startswith("softmax.")}
        model.load_state_dict(ours)
        return model.eval()

    def save_official(self, options_file: str | Path, weight_file: str | Path) -> None:
        """Write the model as the two files that `from_official` reads."""
        text = json.dumps(self.options, indent=1) + "\n"
        kept.write({Path(options_file): text.encode()})
        elmo_files.write_weights(self, Path(weight_file))

    def empty(self, B: int) -> States:
        """Return the state in which a text begins, for B rows."""
        L, weight = len(self.forward_stack), self.forward_stack[0].project.weight
        P, D = weight.shape
        return weight.new_zeros(2, L, B, P), weight.new_zeros(2, L, B, D)

    def forward(self, ids: torch.Tensor, states: States | None = None):
        """Return all layers and the mask; given states, return the new ones as well.

        Shape: ids (B, T, 50) to layers (L+1, B, T, 2P) and mask (B, T), True at words.
        The forward half comes first; layer 0 is the context-free token layer, twice;
        padding is zero. Without states each sentence begins from an empty one. With
        them, row b goes on where row b of the last call stopped; first `empty(B)`.
        """
        layers, mask, new = self.with_marks(ids, states)
        layers, mask = without_marks(layers, mask)
        return (layers, mask) if states is None else (layers, mask, new)

    def with_marks(self, ids: torch.Tensor, states: States | None = None):
        """Return layers and mask, both with the sentence marks, and the new states.

        Shape: ids (B, T, 50) to (L+1, B, T+2, 2P), (B, T+2) and states.
        """
        if ids.ndim != 3 or ids.shape[2] != self.width:
            raise ValueError(
                f"words of {ids.shape[-1]} characters in a tensor {tuple(ids.shape)}; "
                f"this biLM reads {self.width}, (B, T, {self.width}): make them with "
                f"batch_to_ids(sentences, {self.width})"
            )
        ids = add_marks(ids)
        mask = (ids > 0).any(dim=2)  # (B, T+2)
        lengths = mask.sum(dim=1)
        x = self.tokens(ids, mask)  # (B, T+2, P)
        h, c = self.empty(len(ids)) if states is None else states
        forward, *ahead = self.run(self.forward_stack, x, lengths, h[0], c[0])
        mirrored = reverse(x, lengths)
        backward, *back = self.run(self.backward_stack, mirrored, lengths, h[1], c[1])
        backward = [reverse(layer, lengths) for layer in backward]
        pairs = zip([x, *forward], [x, *backward], strict=True)
        layers = torch.stack([torch.cat(pair, dim=2) for pair in pairs])
        # layers: (L+1, B, T+2, 2P)
        new = tuple(torch.stack(both) for both in zip(ahead, back, strict=True))
        return layers, mask, new

    def tokens(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Compute the token layer, each distinct word once; padding is zero.

        Shape: (B, T, C) and (B, T) to (B, T, P).
        """
        words, where = ids[mask].unique(dim=0, return_inverse=True)  # (U, C), (N,)
        words = words[:, : longest(words.cpu().numpy())]
        vectors = self.token_layer(words)  # (U, P)
        x = vectors.new_zeros(*mask.shape, vectors.shape[1])  # (B, T, P)
        return x.masked_scatter(mask[:, :, None], vectors[where])

    def run(
        self,
        stack: nn.ModuleList,
        x: torch.Tensor,
        lengths: torch.Tensor,
        h: torch.Tensor,
        c: torch.Tensor,
    ) -> tuple[list[torch.Tensor], torch.Tensor, torch.Tensor]:
        """Run one direction's stack from the states h (L, B, P) and c (L, B, D).

        Returns each layer's output, (B, T, P) each, and the new h and c. What an LSTM
        remembers is its own output, before the residual path adds the input to it.
        """
        outputs, states = [], []
        for depth, lstm in enumerate(stack):
            y, *state = read_rows(lstm, x, lengths, h[depth], c[depth])
            x = y + x if self.residual and depth > 0 else y
            outputs.append(x)
            states.append(state)
        return outputs, *(torch.stack(part) for part in zip(*states, strict=True))


def read_rows(
    lstm: ProjectedLSTM,
    x: torch.Tensor,
    lengths: torch.Tensor,
    h: torch.Tensor,
    c: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Read rows of different lengths; each one's state is that after its own last word.

    Shape: x (B, T, P), h (B, P), c (B, D) to outputs (B, T, P), h and c. From the end
    of one row to the end of the next only the rows that go on are read, so that
    padding touches nothing and costs nothing.
    """
    outputs, h, c = x.new_zeros(*x.shape[:2], h.shape[1]), h.clone(), c.clone()
    start = 0
    for end in lengths.unique().tolist():  # the shortest first
        on = lengths >= end  # (B,)
        y, states = lstm.forward_with_state(x[on, start:end], (h[on], c[on]))
        h[on], c[on] = states[0].to(h), states[1].to(c)  # autocast gives bfloat16
        outputs[on, start:end] = y.to(outputs)
        start = end
    return outputs, h, c


class Elmo(nn.Module):
    """A biLM with one or more scalar mixes on top, as in AllenNLP.

        elmo = Elmo(options_file, weight_file, num_output_representations=2)
        found = elmo(batch_to_ids([["The", "bank", "of", "the", "river"]]))
        one, other = found["elmo_representations"]  # (B, T, 2P) each

    A representation is *not* a layer. Each is a mix of all layers, with weights and
    gamma of its own, for one place in the task's model. The biLM stays frozen unless
    `requires_grad`; the mixes are trained either way, except with L+1 raw weights
    given as `scalar_mix_parameters`. A biLM of this course becomes the two files by
    `ELMoBiLM.from_bilm(course_lib.load("elmo-en").model).save_official(…)`.

    Departures. In AllenNLP the LSTMs remember from batch to batch, so the second time
    the same sentence has other vectors. Here every sentence begins from an empty
    state; `stateful=True` remembers as there, row by row, until `elmo.states = None`.
    `vocab_to_cache` and `word_inputs` are left out: they only save time, and here a
    batch's distinct words are computed once in any case.
    """

    def __init__(
        self,
        options_file: str | Path,
        weight_file: str | Path,
        num_output_representations: int,
        requires_grad: bool = False,
        do_layer_norm: bool = False,
        dropout: float = 0.5,
        *,
        keep_sentence_boundaries: bool = False,
        scalar_mix_parameters: Sequence[float] | None = None,
        stateful: bool = False,
    ):
        super().__init__()
        self.bilm = ELMoBiLM.from_official(options_file, weight_file)
        self.bilm.requires_grad_(requires_grad)
        n_layers = len(self.bilm.forward_stack) + 1
        places = range(num_output_representations)
        mixes = (ScalarMix(n_layers, do_layer_norm) for _place in places)
        self.mixes = nn.ModuleList(mixes)
        if scalar_mix_parameters is not None:
            self.fix(scalar_mix_parameters)
        self.dropout = nn.Dropout(dropout)
        self.keep_sentence_boundaries = keep_sentence_boundaries
        self.stateful, self.states = stateful, None

    def fix(self, raw_weights: Sequence[float]) -> None:
        """Set the raw weights of all mixes, and train them no more."""
        for mix in self.mixes:
            if len(raw_weights) != len(mix.w):
                raise ValueError(
                    f"{len(raw_weights)} scalar_mix_parameters; give {len(mix.w)}, "
                    "one for the token layer and one for each LSTM layer"
                )
            mix.w.data = torch.tensor(raw_weights, dtype=mix.w.dtype)
            mix.requires_grad_(False)

    def forward(self, inputs: torch.Tensor) -> dict:
        """Return the mixes of a batch of character ids.

        Shape: (B, T, 50) to {"elmo_representations": list of (B, T, 2P), "mask":
        (B, T), True at words}; T+2 with `keep_sentence_boundaries`. As in AllenNLP
        there may be several dimensions before T, such as (B, N, T, 50); all come back.
        """
        before = inputs.shape[:-2]
        rows = inputs.flatten(0, -3) if len(before) > 1 else inputs
        states = self.remembered(len(rows)) if self.stateful else None
        layers, mask, new = self.bilm.with_marks(rows, states)
        if self.stateful:
            self.remember(new)
        # As in AllenNLP the mix comes first: the layer norm counts the marks as words.
        mixed = [mix(layers, mask) for mix in self.mixes]
        if not self.keep_sentence_boundaries:
            mixed, mask = [without_marks(x, mask)[0] for x in mixed], mask[:, 2:]
        found = [self.dropout(x).unflatten(0, before) for x in mixed]
        return {"elmo_representations": found, "mask": mask.unflatten(0, before)}

    def remembered(self, B: int) -> States:
        """Return the states of the last batch; a row that is new begins empty."""
        empty = self.bilm.empty(B)
        old = empty if self.states is None else self.states
        rows = [(o[:, :, :B], e) for o, e in zip(old, empty, strict=True)]
        return tuple(torch.cat([o, e[:, :, o.shape[2] :]], dim=2) for o, e in rows)

    def remember(self, new: States) -> None:
        """Keep the states; if the batch was smaller, the other rows keep theirs."""
        B = new[0].shape[2]
        old = new if self.states is None else self.states
        pairs = zip(new, old, strict=True)
        self.states = tuple(torch.cat([n, o[:, :, B:]], 2).detach() for n, o in pairs)
