"""Writes models/state-space.pt2: a selective state-space model, its scan by torch's associative_scan, which an
export holds as regions of vmap."""
import os

import torch
from torch import nn
from torch._higher_order_ops.associative_scan import associative_scan


class Scan(nn.Module):
    def __init__(self, width, states):
        super().__init__()
        self.inner = 2 * width
        self.states = states
        self.norm = nn.RMSNorm(width)
        self.wide = nn.Linear(width, 2 * self.inner)
        self.mix = nn.Conv1d(self.inner, self.inner, 4, padding=3, groups=self.inner)
        self.select = nn.Linear(self.inner, 1 + 2 * states)
        self.decay = nn.Parameter(torch.log(torch.arange(1.0, states + 1).repeat(self.inner, 1)))
        self.narrow = nn.Linear(self.inner, width)

    def forward(self, x):
        u, gate = self.wide(self.norm(x)).split(self.inner, -1)
        u = nn.functional.silu(self.mix(u.transpose(1, 2))[..., :x.shape[1]].transpose(1, 2))
        step, b, c = self.select(u).split((1, self.states, self.states), -1)
        step = nn.functional.softplus(step).unsqueeze(-1)
        kept = torch.exp(-step * self.decay.exp())
        added = step * b.unsqueeze(2) * u.unsqueeze(-1)

        def combined(left, right):
            return left[0] * right[0], right[0] * left[1] + right[1]

        _, state = associative_scan(combined, (kept, added), 1, combine_mode="generic")
        y = (state * c.unsqueeze(2)).sum(-1) * nn.functional.silu(gate)
        return x + self.narrow(y)


class StateSpace(nn.Module):
    def __init__(self, width=16, states=4, vocabulary=32, blocks=1):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.blocks = nn.ModuleList(Scan(width, states) for _ in range(blocks))
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens):
        x = self.embed(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


if __name__ == "__main__":
    torch.manual_seed(0)
    here = os.path.dirname(os.path.abspath(__file__))
    program = torch.export.export(StateSpace(), (torch.randint(32, (2, 6)),))
    torch.export.save(program, os.path.join(here, "models/state-space.pt2"))
