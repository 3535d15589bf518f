"""A training step of the course's AWD-LSTM at its shipped size, beside fastai's.

fastai is not needed: without it a stand-in does the same (see `StandIn`). With it, put
it on PYTHONPATH or install the optional package, and the peer is fastai itself.
"""

from __future__ import annotations

import torch
from harness import BFLOAT16, FLOAT32, Race, device, main
from torch import nn
from torch.nn import functional as F

from course_lib.models.awd_lstm import AWDLSTM, AWDConfig, activity, locked_dropout
from course_lib.training import bf16_pays

CONFIG = AWDConfig(dropped=0.5)
V = 20_000


class WeightDropped(nn.Module):
    """An LSTM whose recurrent weights are set anew, thinned out, at each call."""

    def __init__(self, lstm: nn.LSTM, p: float):
        super().__init__()
        self.raw, self.p = nn.Parameter(lstm.weight_hh_l0.detach().clone()), p
        del lstm._parameters["weight_hh_l0"]
        self.lstm = lstm

    def forward(self, x: torch.Tensor, state: tuple | None):
        # A new tensor even without dropout: a parameter would be registered for good.
        self.lstm.weight_hh_l0 = F.dropout(self.raw, self.p, self.training) + 0
        return self.lstm(x, state)


class StandIn(nn.Module):
    """What fastai's language model does, written anew from its description.

    Embedding and all five dropouts as there, nn.LSTM layers with the dropped weights
    registered again at each call, and a table of all logits (B, T, V) at once.
    """

    def __init__(self, model: AWDLSTM):
        super().__init__()
        c, self.config = model.config, model.config
        self.table = nn.Parameter(model.embedding.weight.detach().clone())
        self.bias = nn.Parameter(model.bias.detach().clone())
        self.layers = nn.ModuleList()
        for lstm in model.lstms:
            copy = nn.LSTM(lstm.input_size, lstm.hidden_size, batch_first=True)
            copy.load_state_dict(lstm.state_dict())
            self.layers.append(WeightDropped(copy, c.dropped * c.weight))

    def forward(self, tokens: torch.Tensor) -> tuple:
        """Return logits (B, T, V), the dropped top and the raw one, (B, T, E)."""
        c, on = self.config, self.config.dropped * self.training
        kept = F.dropout(self.table.new_ones(len(self.table), 1), on * c.word)
        x = locked_dropout(F.embedding(tokens, self.table * kept), on * c.input)
        for depth, layer in enumerate(self.layers):
            raw = layer(x, None)[0]
            top = depth == len(self.layers) - 1
            x = locked_dropout(raw, on * (c.output if top else c.between))
        return F.linear(x, self.table, self.bias), x, raw


def fastai_model(model: AWDLSTM) -> nn.Module | None:
    """Build fastai's model with the same weights; None where fastai is not at hand."""
    try:
        from fastai.text.models.awdlstm import AWD_LSTM
        from fastai.text.models.core import LinearDecoder, SequentialRNN
    except ImportError:
        return None
    c, words = model.config, len(model.bias)
    p = {"hidden_p": c.between, "input_p": c.input, "embed_p": c.word}
    p = {key: c.dropped * value for key, value in p.items()}
    p["weight_p"] = c.dropped * c.weight
    encoder = AWD_LSTM(words, c.embedding, c.hidden, c.layers, **p)
    top = c.dropped * c.output
    decoder = LinearDecoder(words, c.embedding, top, tie_encoder=encoder.encoder)
    theirs = SequentialRNN(encoder, decoder)
    with torch.no_grad():
        encoder.encoder.weight.copy_(model.embedding.weight)
        decoder.decoder.bias.copy_(model.bias)
        for layer, lstm in zip(encoder.rnns, model.lstms, strict=True):
            layer.weight_hh_l0_raw.copy_(lstm.weight_hh_l0)
            for name in ("weight_ih_l0", "bias_ih_l0", "bias_hh_l0"):
                getattr(layer.module, name).copy_(getattr(lstm, name))
    return theirs


def races(small: bool = False, tiny: bool = False) -> list[Race]:
    """Prepare a window of text, and both programs with the same weights."""
    torch.manual_seed(0)
    config = AWDConfig(8, 12, 2) if tiny else CONFIG
    words, rows, T = (50, 3, 7) if tiny else (V, 8 if small else 64, 70)
    model = AWDLSTM(config, words).to(device())
    fastai = fastai_model(model)
    theirs = (StandIn(model) if fastai is None else fastai).to(device())
    tokens = torch.randint(1, words, (rows, T + 1), device=device())
    x, y = tokens[:, :-1], tokens[:, 1:]
    same_logits(model, theirs, x)

    def peer_loss() -> torch.Tensor:
        if fastai is not None:
            theirs.reset()  # otherwise it goes on from where it stopped
        logits, *outs = theirs(x)
        # fastai lists the raw and the dropped outputs; the last one's count
        raw, top = (outs[0], outs[1]) if fastai is not None else (outs[1], outs[0])
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        return loss + activity(top, raw, config.alpha, config.beta)

    def our_loss() -> torch.Tensor:
        reading, loss = model(x, y)
        return loss[0] + reading.penalty

    def step(loss_of, network: nn.Module, samples: int = 0, bf16: bool = False):
        adam = torch.optim.Adam(network.parameters(), lr=0.0, fused=True)

        def take() -> None:
            config.samples = samples
            with torch.autocast(device().type, BFLOAT16, enabled=bf16):
                loss = loss_of()
            adam.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            adam.step()

        return take

    who = "fastai" if fastai is not None else "the stand-in for fastai"
    same = step(our_loss, model)
    bf16 = bf16_pays()  # as course_pretraining chooses
    shipped = step(our_loss, model, samples=min(2000, words), bf16=bf16)
    peer = step(peer_loss, theirs)
    equal = "Logits equal to 1e-5 without dropout; with it the masks are random."
    size = {"amount": rows * T, "unit": "tokens", "goal": 1.5, "tolerance": None}
    n = {name: p.numel() for name, p in model.named_parameters()}
    products = sum(n[name] for name in n if "weight" in name and "lstms" in name)
    least = 3 * 2 * rows * T * (products + n["embedding.weight"])
    sampled = 3 * 2 * rows * T * (products + min(2000, words) * config.embedding)
    return [
        Race(f"AWD-LSTM step, same mathematics, against {who}", same, peer, **size,
             floor=(least, 0), note=equal),
        Race("AWD-LSTM step as shipped (sampled softmax, bf16 if it pays) against "
             f"{who}", shipped, peer, **size, floor=(sampled, 0),
             dtype=BFLOAT16 if bf16 else FLOAT32,
             note=f"{equal} The sampled loss is an estimate: never a perplexity."),
    ]  # fmt: skip


@torch.no_grad()
def same_logits(model: AWDLSTM, theirs: nn.Module, x: torch.Tensor) -> None:
    """Raise AssertionError unless both give the same logits without dropout."""
    logits = model.eval().logits(model(x).top)
    torch.testing.assert_close(theirs.eval()(x)[0], logits, rtol=1e-4, atol=1e-4)
    model.train(), theirs.train()


if __name__ == "__main__":
    main(races)
