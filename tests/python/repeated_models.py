"""Small models whose blocks repeat, nearly or wholly, made with real PyTorch:  repeated_models.py FOLDER [NAME...]

CALLS says which methods the code of the whole has, and how often each is called.
"""
import sys
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F
from hard_models import write
from torch.utils.checkpoint import checkpoint

warnings.filterwarnings("ignore")
D = 8


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(D) + 0.5)

    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5))


class MLP(nn.Module):
    def __init__(self, slope=0.1, dropout=0.0):
        super().__init__()
        self.up, self.gate, self.down = nn.Linear(D, 2 * D), nn.Linear(D, 2 * D), nn.Linear(2 * D, D)
        self.slope, self.dropout = slope, dropout

    def forward(self, x):
        hidden = F.leaky_relu(self.gate(x), self.slope) * self.up(x)
        return self.down(F.dropout(hidden, self.dropout, training=True) if self.dropout else hidden)


class Block(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.first, self.second, self.mlp = Norm(), Norm(), MLP(**options)

    def forward(self, x, mask=None):
        attended = self.first(x)
        if mask is not None:
            attended = attended * mask
        x = x + torch.tanh(attended)
        return x + self.mlp(self.second(x))


class Stack(nn.Module):
    def __init__(self, count=4, **options):
        super().__init__()
        self.layers = nn.ModuleList(Block(**options) for _ in range(count))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Masked(Stack):
    """A mask for all of them, by keyword; the last norm is one of the blocks' kind."""

    def __init__(self):
        super().__init__()
        self.norm = Norm()

    def forward(self, x, *, mask):
        for layer in self.layers:
            x = layer(x, mask.unsqueeze(-1))
        return self.norm(x)


class OtherConstant(Stack):
    def __init__(self):
        super().__init__(5)
        self.layers[2].mlp.slope = 0.2


class MinusZero(Stack):
    """-0.0 == 0.0, and is another number."""

    def __init__(self):
        super().__init__()
        self.layers[1].mlp.slope, self.layers[3].mlp.slope = -0.0, 0.0


class TiedAcross(Stack):
    """Two blocks have one weight; the others their own."""

    def __init__(self):
        super().__init__()
        self.layers[3].mlp.down.weight = self.layers[0].mlp.down.weight


class TiedWithin(Stack):
    """One block's two norms are one."""

    def __init__(self):
        super().__init__()
        self.layers[2].second.weight = self.layers[2].first.weight


class TiedEverywhere(Stack):
    """One weight in all blocks."""

    def __init__(self):
        super().__init__()
        for layer in self.layers:
            layer.mlp.down.weight = self.layers[0].mlp.down.weight


class SkipFromInside(Stack):
    """What one block makes on the way is read at the end."""

    def forward(self, x):
        for number, layer in enumerate(self.layers):
            if number == 1:
                inner = x + torch.tanh(layer.first(x))
                x = inner + layer.mlp(layer.second(inner))
            else:
                x = layer(x)
        return x + inner


class Sandwich(Stack):
    """What a block returns is read by the next and by all that follow."""

    def forward(self, x):
        seen = []
        for layer in self.layers:
            x = layer(x)
            seen.append(x)
        return x, torch.stack(seen).sum(0)


class Counted(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(D, D)
        self.register_buffer("count", torch.zeros(()))
        self.register_buffer("mean", torch.zeros(D))

    def forward(self, x):
        self.count.add_(1)
        self.mean.mul_(0.9).add_(x.detach().mean(0) * 0.1)
        return torch.relu(self.linear(x - self.mean)) / self.count


class Buffers(nn.Module):
    """Each block has buffers of its own, which it writes to."""

    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(*(Counted() for _ in range(4)))

    def forward(self, x):
        return self.blocks(x)


class InPlace(nn.Module):
    """A block that writes to what it is given; the old name is read afterwards."""

    class Step(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(D, D)

        def forward(self, x, sums):
            sums.add_(x.detach().abs())
            return torch.tanh(self.linear(x)) + sums.detach().clone().sigmoid() + x

    def __init__(self):
        super().__init__()
        self.steps = nn.ModuleList(InPlace.Step() for _ in range(4))

    def forward(self, x):
        sums = torch.zeros_like(x)
        for step in self.steps:
            x = step(x, sums)
        return x + sums


class Checkpointed(Stack):
    """Each block is a checkpoint region."""

    def forward(self, x):
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False)
        return x


class RegionInside(Stack):
    """Each block has a region inside, and one block lies in a region of two."""

    class Part(Block):
        def forward(self, x):
            x = x + torch.tanh(self.first(x))
            return x + checkpoint(self.mlp, self.second(x), use_reentrant=False)

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(RegionInside.Part() for _ in range(4))


class RegionOfTwo(Stack):
    def forward(self, x):
        x = self.layers[0](x)
        x = checkpoint(lambda y: self.layers[2](self.layers[1](y)), x, use_reentrant=False)
        return self.layers[3](x)


class RegionOver(Stack):
    """A region that ends in the middle of a block."""

    def forward(self, x):
        def most(y):
            for layer in self.layers[:3]:
                y = layer(y)
            return y, self.layers[3].first(y)
        x, normed = checkpoint(most, x, use_reentrant=False)
        x = x + torch.tanh(normed)
        return x + self.layers[3].mlp(self.layers[3].second(x))


class Called(nn.Module):
    """One module, called again and again."""

    def __init__(self):
        super().__init__()
        self.layer = Block()

    def forward(self, x):
        for _ in range(5):
            x = self.layer(x)
        return x


class Pairs(nn.Module):
    """Blocks that pass on two values, in changed places."""

    class Pair(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(D, D), nn.Linear(D, D)

        def forward(self, x, y):
            z = torch.tanh(self.a(x)) + y
            return torch.sigmoid(self.b(z)) * x, z * 0.5

    def __init__(self):
        super().__init__()
        self.pairs = nn.ModuleList(Pairs.Pair() for _ in range(5))

    def forward(self, x):
        y = x.sin()
        for number, pair in enumerate(self.pairs):
            x, y = pair(x, y) if number != 3 else pair(y, x)
        return x - y


class Modes(Stack):
    """Blocks that change the mode on the way, and blocks that lie in one."""

    class Stopped(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(D, D)

        def forward(self, x):
            with torch.no_grad():
                scale = x.abs().amax(-1, keepdim=True) + 1
            return torch.tanh(self.linear(x) / scale) * scale

    def __init__(self):
        super().__init__()
        self.stopped = nn.ModuleList(Modes.Stopped() for _ in range(4))

    def forward(self, x):
        for layer in self.stopped:
            x = layer(x)
        with torch.no_grad():
            target = super().forward(x)
        return super().forward(x) - target


class OwnNames(nn.Module):
    """Modules and weights with the names that the code uses itself."""

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.module, self.x = nn.Linear(D, D), nn.Parameter(torch.ones(D))
            self.range = nn.Linear(D, D)

        def forward(self, layer, range):
            return torch.tanh(self.module(layer) * self.x) + self.range(layer) * range

    def __init__(self):
        super().__init__()
        self.run_layer = nn.ModuleList(OwnNames.Layer() for _ in range(4))

    def forward(self, layer, range, i):
        for step in self.run_layer:
            layer = step(layer, range + i)
        return layer


def batch():
    return torch.export.Dim("batch", min=2, max=64)


def x():
    return torch.randn(4, D)


def cases():
    """name: (class, args, kwargs, dynamic shapes)."""
    mask = torch.tensor([1.0, 0.0, 1.0, 1.0])
    return {
        "stack": (Stack, (x(),), {}, None),
        "masked": (Masked, (x(),), {"mask": mask}, None),
        "sizes": (Masked, (x(),), {"mask": mask}, {"x": {0: batch()}, "mask": {0: batch()}}),
        "other-constant": (OtherConstant, (x(),), {}, None),
        "minus-zero": (MinusZero, (x(),), {}, None),
        "tied-across": (TiedAcross, (x(),), {}, None),
        "tied-within": (TiedWithin, (x(),), {}, None),
        "tied-everywhere": (TiedEverywhere, (x(),), {}, None),
        "skip-from-inside": (SkipFromInside, (x(),), {}, None),
        "sandwich": (Sandwich, (x(),), {}, None),
        "buffers": (Buffers, (x(),), {}, None),
        "in-place": (InPlace, (x(),), {}, None),
        "dropout": (lambda: Stack(dropout=0.5), (x(),), {}, None),
        "checkpointed": (Checkpointed, (x(),), {}, None),
        "region-inside": (RegionInside, (x(),), {}, None),
        "region-of-two": (RegionOfTwo, (x(),), {}, None),
        "region-over": (RegionOver, (x(),), {}, None),
        "called": (Called, (x(),), {}, None),
        "pairs": (Pairs, (x(),), {}, None),
        "modes": (Modes, (x(),), {}, None),
        "own-names": (OwnNames, (x(), x(), x()), {}, None),
    }


CALLS = {
    "stack": {"run_block": 4},
    "masked": {"run_block": 4, "run_norm": 9},
    "sizes": {"run_block": 4, "run_norm": 9},
    "other-constant": {"run_block": 4, "run_norm": 10},
    "minus-zero": {"run_block": 2, "run_norm": 8},
    "tied-across": {"run_block": 4},
    "tied-within": {"run_block": 3, "run_norm": 8},
    "tied-everywhere": {"run_block": 4},
    "skip-from-inside": {"run_block": 3, "run_norm": 8},
    "sandwich": {"run_block": 4},
    "buffers": {"run_counted": 4},
    "in-place": {"run_step": 4},
    "dropout": {"run_block": 4},
    "checkpointed": {"run_block": 4},
    "region-inside": {"run_part": 4},
    "region-of-two": {"run_block": 4},
    "region-over": {"run_block": 3, "run_norm": 8},
    "called": {"run_block": 5},
    "pairs": {"run_pair": 5},
    "modes": {"run_stopped": 4, "run_block": 4, "run_block_1": 4},  # one of the two without gradients
    "own-names": {"run_layer_1": 4},
}


if __name__ == "__main__":
    write(cases(), ("buffers", "in-place", "modes"), *sys.argv[1:])
