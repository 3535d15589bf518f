"""Encode running text with a frozen ELMo of the small official size (1024/128)."""

from __future__ import annotations

import plain
import texts
import torch
from harness import BFLOAT16, COUNTED, Race, device, main
from torch import nn

from course_lib.models.elmo import ELMoBiLM, add_marks, batch_to_ids

SMALL_OFFICIAL = {
    "lstm": {
        "use_skip_connections": True, "projection_dim": 128, "dim": 1024,
        "n_layers": 2, "cell_clip": 3, "proj_clip": 3,
    },
    "char_cnn": {
        "activation": "relu", "embedding": {"dim": 16}, "n_highway": 1,
        "max_characters_per_token": 50,
        "filters": [[1, 32], [2, 32], [3, 64], [4, 128], [5, 256], [6, 512],
                    [7, 1024]],
    },
}  # fmt: skip
TINY = {
    "lstm": SMALL_OFFICIAL["lstm"] | {"projection_dim": 8, "dim": 12},
    "char_cnn": SMALL_OFFICIAL["char_cnn"] | {"filters": [[1, 4], [3, 8]]},
}


class WithoutClipping(nn.Module):
    """One direction's stack in torch's own LSTM, which cannot clip."""

    def __init__(self, stack: nn.ModuleList):
        super().__init__()
        P, D = stack[0].project.weight.shape
        sizes = {"proj_size": P, "batch_first": True}
        self.layers = nn.ModuleList(nn.LSTM(P, D, **sizes) for _ in stack)
        for theirs, ours in zip(self.layers, stack, strict=True):
            theirs.weight_ih_l0.data = ours.from_input.weight.data
            theirs.weight_hh_l0.data = ours.from_past.weight.data
            theirs.bias_ih_l0.data = ours.from_input.bias.data
            theirs.bias_hh_l0.data.zero_()
            theirs.weight_hr_l0.data = ours.project.weight.data

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Shape: (B, T, P) to (B, T, P)."""
        for depth, lstm in enumerate(self.layers):
            y = lstm(x)[0]
            x = y + x if depth else y
        return x


def with_clipping(stack: nn.ModuleList, x: torch.Tensor) -> torch.Tensor:
    """Run one direction's stack of the course. Shape: (B, T, P) to (B, T, P)."""
    for depth, lstm in enumerate(stack):
        y = lstm(x)
        x = y + x if depth else y
    return x


def races(small: bool = False, tiny: bool = False) -> list[Race]:
    """Prepare the model, a batch of sentences, and both programs."""
    torch.manual_seed(0)
    where, n = device(), 4 if tiny else 12 if small else 32
    model = ELMoBiLM(TINY if tiny else SMALL_OFFICIAL).eval().to(where)
    model.requires_grad_(False)
    ids = batch_to_ids(texts.sentences(n)).to(where)
    marked = add_marks(ids)
    mask = (marked > 0).any(dim=2)
    tokens, lengths = int((ids > 0).any(dim=2).sum()), mask.sum(dim=1)

    def ours():
        return model(ids)[0]

    def peer():
        forward, backward = plain.bilm(model, marked, lengths)
        pairs = zip(forward, backward, strict=True)
        layers = torch.stack([torch.cat(pair, dim=2) for pair in pairs])
        return layers[:, :, 1:-1] * mask[None, :, 2:, None]

    size = {"amount": tokens, "unit": "tokens", "floor": COUNTED}
    found = [
        Race("ELMo encoding, float32", ours, peer, 3, **size),
        in_bf16(model, ids, peer, size),
    ]
    x = torch.randn(n, 30, model.options["lstm"]["projection_dim"], device=where)
    stack, free = model.forward_stack, WithoutClipping(model.forward_stack).to(where)
    found.append(
        Race(
            "biLSTM with clipping against torch's LSTM without, forward",
            lambda: with_clipping(stack, x),
            torch.no_grad()(lambda: free(x)),
            goal=1 / 1.1,
            amount=n * 30,
            unit="tokens",
            floor=COUNTED,
            note="Fresh weights never reach the clip at 3, so the outputs are equal.",
        )
    )
    return found


def in_bf16(model, ids, peer, size: dict) -> Race:
    """Let the whole model work in bfloat16; the peer stays as it is."""
    half = ELMoBiLM(model.options).eval().to(ids.device)
    half.load_state_dict(model.state_dict())
    half.requires_grad_(False).to(BFLOAT16)
    return Race(
        "ELMo encoding, bfloat16",
        lambda: half(ids)[0],
        peer,
        5,
        tolerance=0.05,
        dtype=BFLOAT16,
        note="bfloat16 keeps three digits: near, not equal.",
        **size,
    )


if __name__ == "__main__":
    with torch.no_grad():
        main(races)
