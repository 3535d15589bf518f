"""The Transformer: torch's own attention is the oracle; masks hide what they say."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from course_lib.models.sampled_softmax import summed_loss
from course_lib.models.transformer import (
    Block,
    SelfAttention,
    Transformer,
    attention,
    drop,
    future,
)

B, T, D, H = 3, 7, 12, 4


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


def masks() -> dict[str, torch.Tensor]:
    """Return what is hidden, by query and key, four ways. Shape: (B, 1, T, T)."""
    padding = torch.arange(T) >= torch.tensor([T, 4, 1])[:, None]  # (B, T)
    nothing = torch.zeros(B, 1, T, T, dtype=torch.bool)
    return {
        "nothing": nothing,
        "the future": nothing | future(T),
        "padding": nothing | padding[:, None, None],
        "both": nothing | future(T) | padding[:, None, None],
    }


# -- against torch ---------------------------------------------------------------------


@pytest.mark.parametrize("kind", masks())
def test_attention_is_torchs(kind):
    q, k, v = torch.randn(3, B, H, T, 5).double()
    hidden = masks()[kind]
    expected = F.scaled_dot_product_attention(q, k, v, attn_mask=~hidden)
    torch.testing.assert_close(attention(q, k, v, hidden)[0], expected)


@pytest.mark.parametrize("kind", masks())
def test_several_heads_are_torchs(kind):
    """With the same weights, the same output and the same weights of attention."""
    ours, torchs = (
        SelfAttention(D, H),
        nn.MultiheadAttention(D, H, batch_first=True),
    )
    torchs.load_state_dict(
        {
            "in_proj_weight": ours.qkv.weight,
            "in_proj_bias": ours.qkv.bias,
            "out_proj.weight": ours.mix.weight,
            "out_proj.bias": ours.mix.bias,
        }
    )
    x, hidden = torch.randn(B, T, D), masks()[kind]
    found, weights = ours(x, hidden)
    by_head = hidden.expand(B, H, T, T).reshape(B * H, T, T)
    options = {"attn_mask": by_head, "average_attn_weights": False}
    expected, theirs = torchs(x, x, x, **options)
    torch.testing.assert_close(found, expected, atol=1e-6, rtol=0)
    torch.testing.assert_close(weights, theirs, atol=1e-6, rtol=0)


@pytest.mark.parametrize("post_norm", [False, True])
@pytest.mark.parametrize("gelu", ["none", "tanh"])
def test_a_block_is_torchs(post_norm, gelu):
    form = {"inner": 20, "post_norm": post_norm, "gelu": gelu, "epsilon": 0.1}
    ours = Block(D, H, dropout=0.0, **form)
    torchs = nn.TransformerEncoderLayer(
        *(D, H, 20, 0.0, nn.GELU(gelu), 0.1),
        batch_first=True,
        norm_first=not post_norm,
    )
    place = "after" if post_norm else "before"
    names = {
        "self_attn.in_proj_": "attention.qkv.",
        "self_attn.out_proj.": "attention.mix.",
        "linear1.": "feed_forward.0.",
        "linear2.": "feed_forward.2.",
        "norm1.": f"{place}_looking.",
        "norm2.": f"{place}_thinking.",
    }
    for p in ours.parameters():
        nn.init.normal_(p)  # a norm that is 1 and 0 could stand anywhere
    weights = ours.state_dict()
    torchs.load_state_dict(
        {a + p: weights[b + p] for a, b in names.items() for p in ("weight", "bias")}
    )
    x = torch.randn(B, T, D)
    expected = torchs(x, src_mask=future(T))
    torch.testing.assert_close(ours(x, future(T))[0], expected, atol=1e-4, rtol=1e-5)


@pytest.mark.parametrize("post_norm", [False, True])
def test_the_top_of_the_layers_is_what_a_stack_returns(post_norm):
    model, x = Transformer(3, D, H, post_norm=post_norm).eval(), torch.randn(B, T, D)
    layers, _ = model.layers(x, masks()["padding"][:, 0, 0])
    assert len(layers) == 4
    assert torch.equal(layers[0], x)
    assert torch.equal(layers[-1], model(x, masks()["padding"][:, 0, 0])[0])


def test_one_head_by_hand():
    """Two positions whose keys are alike share a query's attention evenly."""
    q = torch.tensor([[1.0, 0.0]])
    k = torch.tensor([[2.0, 0.0], [2.0, 5.0], [0.0, 9.0]])
    v = torch.tensor([[1.0], [3.0], [100.0]])
    hidden = torch.tensor([[False, False, True]])
    found, weights = attention(q, k, v, hidden)
    assert weights.tolist() == [[0.5, 0.5, 0.0]]
    assert found.item() == 2.0


# -- who sees whom ---------------------------------------------------------------------


@pytest.mark.parametrize("kind", masks())
def test_weights_add_up_to_one_and_are_zero_where_hidden(kind):
    hidden = masks()[kind]
    _, weights = SelfAttention(D, H)(torch.randn(B, T, D), hidden)
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(B, H, T))
    assert (weights[hidden.expand(B, H, T, T)] == 0).all()


@pytest.mark.parametrize("causal", [True, False])
def test_gradients_show_who_is_seen(causal):
    model = Transformer(2, D, H, dropout=0.0, causal=causal)
    x, some = torch.randn(1, T, D, requires_grad=True), torch.randn(D)
    for t in range(T):
        (gradient,) = torch.autograd.grad(model(x)[0][0, t] @ some, x)
        seen = gradient[0].abs().sum(dim=1) > 0  # (T,)
        expected = torch.arange(T) <= t if causal else torch.ones(T, dtype=torch.bool)
        assert torch.equal(seen, expected)


@pytest.mark.parametrize("causal", [True, False])
def test_padding_changes_nothing(causal):
    """A row gets the same vectors alone and beside a longer one."""
    model = Transformer(2, D, H, dropout=0.0, causal=causal)
    x = torch.randn(2, T, D)
    padding = torch.arange(T) >= torch.tensor([T, 4])[:, None]
    beside = model(x, padding)[0][1, :4]
    torch.testing.assert_close(beside, model(x[1:, :4])[0][0], atol=1e-6, rtol=1e-5)


def test_without_positions_order_is_invisible():
    """Attention alone is a bag: permuted inputs give permuted outputs."""
    model = Transformer(2, D, H, dropout=0.0, causal=False)
    x, order = torch.randn(1, T, D), torch.randperm(T)
    torch.testing.assert_close(model(x[:, order])[0], model(x)[0][:, order])


def test_every_block_has_its_own_pattern():
    _, patterns = Transformer(3, D, H)(torch.randn(B, T, D))
    assert [tuple(p.shape) for p in patterns] == [(B, H, T, T)] * 3


# -- smaller things --------------------------------------------------------------------


def test_scores_do_not_grow_with_the_dimension():
    """That is what √d is for: the softmax is as soft with many dimensions as few."""
    entropies = []
    for d in (4, 400):
        q, k = torch.randn(2, 50, T, d)
        hidden = torch.zeros(T, T, dtype=torch.bool)
        weights = attention(q, k, k, hidden)[1]
        entropies.append(-(weights * weights.clamp(min=1e-9).log()).sum(-1).mean())
    assert abs(entropies[0] - entropies[1]) < 0.15
    assert entropies[1] > math.log(T) / 2


def test_what_a_block_adds_begins_smaller_the_more_blocks_there_are():
    """Each block adds twice; so with L of them the sum has the usual variance."""
    for layers in (1, 8):
        model = Transformer(layers, 64, 4)
        for block in model.blocks:
            for added in (block.attention.mix, block.feed_forward[-1]):
                expected = 0.02 / (2 * layers) ** 0.5
                assert added.weight.std().item() == pytest.approx(expected, rel=0.1)


def test_heads_must_divide_the_dimension():
    with pytest.raises(ValueError, match="12 dimensions do not split into 5 heads"):
        SelfAttention(12, 5)


def test_dropout_can_be_set_later():
    model = Transformer(2, D, H, dropout=0.0)
    x = torch.randn(1, T, D)
    assert torch.equal(model(x)[0], model(x)[0])
    drop(model, 0.5)
    assert not torch.equal(model(x)[0], model(x)[0])


def test_the_loss_in_parts_is_the_whole_loss():
    x, y = torch.randn(1234, D), torch.randint(0, 40, (1234,))
    weight, bias = torch.randn(40, D), torch.randn(40)
    expected = F.cross_entropy(x @ weight.T + bias, y, reduction="sum")
    found = summed_loss(x, y, weight, bias)
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=0)
