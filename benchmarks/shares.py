"""What ScalarMix, masking and concat pooling take of a step."""

from __future__ import annotations

import elmo_encode
import texts
import torch
from harness import Race, device, main
from torch.nn import functional as F

from course_lib.models.awd_lstm import AWDLSTM, AWDConfig
from course_lib.models.classifier import TextClassifier, concat_pool
from course_lib.models.elmo import (
    ELMoBiLM,
    ScalarMix,
    add_marks,
    batch_to_ids,
    without_marks,
)


def races(small: bool = False, tiny: bool = False) -> list[Race]:
    """Prepare ELMo's and ULMFiT's steps, and the small parts on the same sizes."""
    return [*of_elmo(small, tiny), of_ulmfit(small, tiny)]


def of_elmo(small: bool, tiny: bool) -> list[Race]:
    """Compare the mix and the masks with encoding the batch they belong to."""
    torch.manual_seed(0)
    options = elmo_encode.TINY if tiny else elmo_encode.SMALL_OFFICIAL
    model = ELMoBiLM(options).eval().to(device()).requires_grad_(False)
    ids = batch_to_ids(texts.sentences(3 if tiny else 32)).to(device())
    layers, mask = model(ids)
    marked = F.pad(layers, (0, 0, 1, 1))  # (L+1, B, T+2, 2P)
    mix = ScalarMix(len(layers)).to(device())

    def mixing():
        mix(layers, mask).sum().backward()

    def masking():
        return without_marks(marked, (add_marks(ids) > 0).any(dim=2))

    share = {"goal": 0.03, "kind": "share", "tolerance": None}
    share |= {"note": "The share is of encoding the same batch."}
    return [
        Race("ScalarMix, forward and backward", mixing, lambda: model(ids), **share),
        Race("sentence marks and masks", masking, lambda: model(ids), **share),
    ]


def of_ulmfit(small: bool, tiny: bool) -> Race:
    """Compare concat pooling with a training step of the classifier."""
    torch.manual_seed(0)
    config = AWDConfig(8, 12, 1) if tiny else AWDConfig()
    rows, T = (2, 80) if tiny else (16, 280)
    model = TextClassifier(AWDLSTM(config, 2000), 6, memory=280).to(device())
    tokens = torch.randint(2000, (rows, T), device=device())
    classes = torch.randint(6, (rows,), device=device())
    outputs, here, _ = model.read(tokens)
    outputs = outputs.detach().requires_grad_()

    def step():
        model(tokens, classes)[1].sum().backward()

    return Race(
        "concat pooling, forward and backward",
        lambda: concat_pool(outputs, here).sum().backward(),
        step,
        goal=0.03,
        kind="share",
        tolerance=None,
        note="The share is of the classifier's forward and backward pass.",
    )


if __name__ == "__main__":
    main(races)
