"""A layer of projected LSTMs for `carried`: many directions at once, gradient by hand.

Shapes: R directions, B rows, T time, P projection, D cells, N = R B.
"""

from __future__ import annotations

import torch


def cell(bias: torch.Tensor, z: torch.Tensor, c: torch.Tensor) -> tuple:
    """Do what one step of LSTM cells does; return h, c and the opened gates.

    Shape: bias and z (N, 4D), c (N, D). On a GPU torch's own kernel does it. On a CPU
    z becomes the opened gates, and the hyperbolic tangent is a logistic function,
    tanh x = 2 σ(2x) - 1, which torch works out several times as fast.
    """
    if z.is_cuda:
        return torch.ops.aten._thnn_fused_lstm_cell(bias, z, c)
    opened, D = z.add_(bias), c.shape[1]
    opened[:, 2 * D : 3 * D].mul_(2)
    i, f, g, o = opened.sigmoid_().chunk(4, dim=1)
    g.mul_(2).sub_(1)
    c = torch.addcmul(f * c, i, g)
    return o * tanh(c), c, opened


def tanh(x: torch.Tensor) -> torch.Tensor:
    """Return the hyperbolic tangent of each number."""
    return (2 * x).sigmoid_().mul_(2).sub_(1)


def cell_backward(dh, dc, before, after, opened) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the gradients of the gates (N, 4D) and of the cells before (N, D)."""
    if dh.is_cuda:
        found = torch.ops.aten._thnn_fused_lstm_cell_backward_impl(
            dh, dc, before, after, opened, False
        )
        return found[0], found[1]
    i, f, g, o = opened.chunk(4, dim=1)
    t, gates = tanh(after), torch.addcmul(opened, opened, opened, value=-1)
    di, df, dg, do = gates.chunk(4, dim=1)
    dc = torch.addcmul(dc, dh * o, 1 - t * t)
    di *= dc * g
    df *= dc * before
    torch.mul(dc * i, 1 - g * g, out=dg)
    do *= dh * t
    return gates, dc * f


def product(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """Multiply each direction's rows by its matrix. (R, N, I), (R, I, O).

    In TensorFloat-32 on a GPU; elsewhere in bfloat16, if `w` is given so.
    """
    return torch.bmm(x.to(w.dtype), w).float()


class Layer(torch.autograd.Function):
    """A layer of projected LSTMs, all directions at once, and its gradient by hand.

    By hand, because a weight's gradient is then one product over all steps, where
    autograd would add up one of each. The cell is clipped for the next step only, so
    h differs a little from the model's where a cell is clipped.
    What every step leaves for the gradient is small: large arrays cost more to get
    from the system than to fill.
    """

    @staticmethod
    def forward(ctx, x, weights, bias, project, h, c, keep, clip, dtype):
        """Read all steps; return the states (T, R, B, P) and the last cells (R, B, D).

        Shape: x (T, R, B, Q); weights (R, Q + P, 4D), bias (R, 4D), project (R, D, P),
        h (R, B, P), c (R, B, D); keep (T, R, B, 1) is 0 where the states are emptied
        before a step, else 1. No gradient goes through the last cells, or into the
        states before.
        """
        (R, B, D), T = c.shape, len(x)
        bias = bias[:, None].expand(R, B, 4 * D).reshape(R * B, 4 * D)
        w, projected = weights.to(dtype), project.to(dtype)
        steps, states = [], []
        for t in range(T):
            h, before = h * keep[t], (c * keep[t]).view(R * B, D)
            both = torch.cat([x[t], h], dim=2).to(dtype)  # (R, B, Q + P)
            new, after, opened = cell(bias, product(both, w).view(R * B, -1), before)
            new = new.view(R, B, D).to(dtype)
            steps.append((both, new, before, after, opened))
            c = after.clamp(-clip, clip).view(R, B, D)
            h = product(new, projected).clamp_(-clip, clip)
            states.append(h)
        states = torch.stack(states)
        ctx.save_for_backward(w, projected, states, keep)
        ctx.steps, ctx.clip = steps, clip
        ctx.mark_non_differentiable(c)
        return states, c

    @staticmethod
    def backward(ctx, to_states, _):
        """Go back through the steps; the weights' gradients come last, in one go."""
        w, projected, states, keep = ctx.saved_tensors
        (R, D, P), B, dtype = projected.shape, states.shape[2], w.dtype
        inside = states.abs() < ctx.clip
        dh, dc, back = torch.zeros_like(states[0]), states.new_zeros(R * B, D), []
        if not ctx.needs_input_grad[0]:  # the words' vectors do not learn
            w = w[:, -P:].contiguous()
        for t in reversed(range(len(states))):
            _, _, before, after, opened = ctx.steps[t]
            dp = ((to_states[t] + dh) * inside[t]).to(dtype)  # (R, B, P)
            dn = product(dp, projected.mT).view(R * B, D)
            dc = dc * (after.abs() < ctx.clip)
            dz, dc = cell_backward(dn, dc, before, after, opened)
            dz = dz.view(R, B, 4 * D).to(dtype)
            dx, dh = product(dz, w.mT).split([w.shape[1] - P, P], dim=2)
            dh = dh * keep[t]
            dc = (dc.view(R, B, D) * keep[t]).view(R * B, D)
            back.append((dx, dz, dp))
        to_x, *back = zip(*back[::-1], strict=True)
        both, new = (torch.cat([s[n] for s in ctx.steps], dim=1) for n in (0, 1))
        dz, dp = (torch.cat(x, dim=1) for x in back)  # (R, T B, ...)
        to_weights, to_project = product(both.mT, dz), product(new.mT, dp)
        to_bias = dz.sum(dim=1).float()
        ctx.steps = None
        to_x = torch.stack(to_x) if ctx.needs_input_grad[0] else None
        return to_x, to_weights, to_bias, to_project, *[None] * 5
