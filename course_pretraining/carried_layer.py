"""A layer of projected LSTMs for `carried`: many directions at once, gradient by hand.

Shapes: R directions, B rows, T time, P projection, D cells, N = R B.
"""

from __future__ import annotations

import torch


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
    """Multiply each direction's rows by its matrix. (R, N, I), (R, I, O).

    In TensorFloat-32 on a GPU; elsewhere in bfloat16, if `w` is given so.
    """
    return torch.bmm(x.to(w.dtype), w).to(x.dtype)


class Layer(torch.autograd.Function):
    """A layer of projected LSTMs, all directions at once, and its gradient by hand.

    By hand, because a weight's gradient is then one product over all steps, where
    autograd would add up one of each. The cell is clipped for the next step only.
    """

    @staticmethod
    def forward(ctx, gates, past, project, h, c, clip, dtype):
        """Read all steps; return the states (T, R, B, P) and the cells (T, R, B, D).

        Shape: gates (T, R, B, 4D), from the inputs; past (R, P, 4D), project
        (R, D, P), h (R, B, P), c (R, B, D). No gradient goes through the cells, or
        into the states before.
        """
        (T, R, B, _), D = gates.shape, c.shape[2]
        with_past, projected = past.to(dtype), project.to(dtype)
        steps, states, first = [], [], (h, c)
        for t in range(T):
            z = product(h, with_past).view(R * B, 4 * D)
            new, after, opened = cell(gates[t].view(R * B, -1), z, c.view(R * B, D))
            steps.append((new, c, after, opened))
            c = after.clamp(-clip, clip).view(R, B, D)
            h = product(new.view(R, B, D), projected).clamp_(-clip, clip)
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
        (T, R, B, P), D = states.shape, c0.shape[2]
        from_gates, from_projected = (w.mT.to(ctx.dtype) for w in (past, project))
        inside = states.abs() < ctx.clip
        dh, dc = torch.zeros_like(h0), c0.new_zeros(R * B, D)
        to_gates, to_projected = [], []
        for t in reversed(range(T)):
            _, before, after, opened = ctx.steps[t]
            dp = (to_states[t] + dh) * inside[t]  # (R, B, P)
            dn = product(dp, from_projected).view(R * B, D)
            dc = dc * (after.abs() < ctx.clip)
            dz, dc = cell_backward(dn, dc, before.view(R * B, D), after, opened)
            dz = dz.view(R, B, 4 * D)
            dh = product(dz, from_gates)
            to_gates.append(dz)
            to_projected.append(dp)
        to_gates, to_projected = (
            torch.stack(x[::-1], dim=1).view(R, T * B, -1)
            for x in (to_gates, to_projected)
        )
        earlier = torch.cat([h0[None], states[:-1]]).transpose(0, 1)
        new = torch.stack([s[0].view(R, B, D) for s in ctx.steps], dim=1)
        to_past = product(earlier.reshape(R, T * B, P).mT, to_gates.to(ctx.dtype))
        to_project = product(new.view(R, T * B, D).mT, to_projected.to(ctx.dtype))
        ctx.steps = None
        to_gates = to_gates.view(R, T, B, -1).transpose(0, 1)
        return to_gates, to_past, to_project, None, None, None, None
