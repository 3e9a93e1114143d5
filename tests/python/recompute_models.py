"""Small models for recompute plans:  recompute_models.py FOLDER

Tied weights, masks, dropout, batch norms, writes in place, blocks that stand several times, a batch of any size; besides
the programs of tests/data/oracle/recompute. Exported for training.
"""
import copy
import pathlib
import sys
import warnings

import torch
import torch.nn.functional as F
from torch import nn

warnings.filterwarnings("ignore")


class Attention(nn.Module):
    def __init__(self, width, heads, drop):
        super().__init__()
        self.heads, self.drop = heads, drop
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x, mask):
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, dim=-1))
        weights = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).masked_fill(~mask, float("-inf")).softmax(dim=-1)
        weights = F.dropout(weights, self.drop, self.training)
        return self.out((weights @ v).transpose(1, 2).flatten(2))


class Block(nn.Module):
    def __init__(self, width, drop):
        super().__init__()
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, 2, drop)
        self.up, self.down, self.drop = nn.Linear(width, 3 * width), nn.Linear(3 * width, width), nn.Dropout(drop)

    def forward(self, x, mask):
        x = x + self.drop(self.attention(self.first(x), mask))
        return x + self.drop(self.down(F.gelu(self.up(self.second(x)))))


class Language(nn.Module):
    """Weights of the embedding and the head are one; a causal mask is a buffer; dropouts."""

    def __init__(self, width=16, words=20, length=6, drop=0.1):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        self.layers = nn.ModuleList(Block(width, drop) for _ in range(4))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words, bias=False)
        self.head.weight = self.words.weight
        self.register_buffer("mask", torch.ones(length, length, dtype=torch.bool).tril())

    def forward(self, tokens):
        x = self.words(tokens) + self.places(torch.arange(tokens.shape[1], device=tokens.device))
        for layer in self.layers:
            x = layer(x, self.mask)
        return self.head(self.norm(x))


class Residual(nn.Module):
    """Batch norms; activations and sums in place."""

    class Part(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.convs = nn.ModuleList(nn.Conv2d(width, width, 3, padding=1, bias=False) for _ in range(2))
            self.norms = nn.ModuleList(nn.BatchNorm2d(width) for _ in range(2))

        def forward(self, x):
            y = F.relu(self.norms[0](self.convs[0](x)), inplace=True)
            y = self.norms[1](self.convs[1](y))
            y += x
            return F.relu(y, inplace=True)

    def __init__(self, width=6):
        super().__init__()
        self.stem, self.head = nn.Conv2d(3, width, 3, padding=1), nn.Linear(width, 5)
        self.parts = nn.ModuleList(Residual.Part(width) for _ in range(3))

    def forward(self, x):
        x = self.stem(x)
        for part in self.parts:
            x = part(x)
        return self.head(x.mean((2, 3)))


class InPlace(nn.Module):
    """Writes into parts of tensors, masks with numbers, and results with several parts."""

    def __init__(self, width=8):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(4))

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            y = layer(x)
            y = y.clone().masked_fill_(y > 1.5, 0.0)
            y[:, 0] = 0
            values, _ = torch.topk(y.tanh(), 3, dim=-1)
            x = x + y * values.sum(-1, keepdim=True)
            if i % 2:
                x = x.mul_(0.5).sigmoid()
        return x


class AnyBatch(nn.Module):
    """A recurrence that is written out, and attention of PyTorch's own, for a batch of any size."""

    def __init__(self, width=8):
        super().__init__()
        self.cell, self.out = nn.GRUCell(width, width), nn.Linear(width, 4)

    def forward(self, x):
        state, states = torch.zeros(x.shape[0], x.shape[2]), []
        for part in x.unbind(1):
            state = self.cell(part, state)
            states.append(state)
        x = torch.stack(states, 1)
        return self.out(x + F.scaled_dot_product_attention(x, x, x))


class Shared(nn.Module):
    """One block three times: its weights are read in several regions."""

    def __init__(self, width=16, length=6):
        super().__init__()
        self.block = Block(width, 0.0)
        self.register_buffer("mask", torch.ones(length, length, dtype=torch.bool).tril())

    def forward(self, x):
        for _ in range(3):
            x = self.block(x, self.mask)
        return x


MODELS = {"shared": (Shared, lambda: torch.randn(3, 6, 16), None),
          "language": (Language, lambda: torch.randint(0, 20, (3, 6)), None),
          "residual": (Residual, lambda: torch.randn(4, 3, 6, 6), None),
          "in-place": (InPlace, lambda: torch.randn(5, 8), None),
          "any-batch": (AnyBatch, lambda: torch.randn(4, 3, 8), {0: torch.export.Dim("batch", min=2, max=64)})}


def make(name, folder):
    torch.manual_seed(2)
    kind, example, sizes = MODELS[name]
    model = kind().train()
    program = torch.export.export(copy.deepcopy(model), (example(),), dynamic_shapes=(sizes,) if sizes else None)
    torch.export.save(program, folder / (name + ".pt2"))


if __name__ == "__main__":
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for each in MODELS:
        make(each, out)
