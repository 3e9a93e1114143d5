"""Models of our own that tracers find hard, made with real PyTorch:  models.py FOLDER [NAME...]

Keywords by name, one input given twice, texts as arguments, nested tuples, inputs that may be missing, recurrent layers, packed
sequences, conditions of whole numbers; what stages need: values read far away, shared parameters, losses within. Those of
tests/python, which the matrix runs too, are not repeated.
"""
import pathlib
import sys
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

warnings.filterwarnings("ignore")
D = 8


class Layers(nn.Module):
    def __init__(self, count=8):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(D, D) for _ in range(count))

    def run(self, x, first=0, last=None):
        for layer in self.layers[first:last]:
            x = torch.tanh(layer(x))
        return x


class Keywords(Layers):
    def forward(self, x, *, scale, shift):
        return self.run(self.run(x, 0, 4) * scale + shift, 4)


class GivenTwice(Layers):
    def forward(self, x, y):
        return self.run(self.run(x, 0, 4) @ y.transpose(0, 1) @ y, 4)


class Texts(Layers):
    def forward(self, x, target):
        x = self.run(x)
        return F.mse_loss(x, target, reduction="sum") + F.interpolate(x[None], scale_factor=2.0, mode="linear").mean()


class NestedTuples(Layers):
    def forward(self, both):
        (x, (y, z)), w = both
        x = self.run(x * y, 0, 4)
        return (self.run(x + z, 4), (x, {"w": w * x}))


class Optional(Layers):
    def forward(self, x, mask=None, bias=None):
        x = self.run(x, 0, 4)
        if mask is not None:
            x = x * mask
        if bias is not None:
            x = x + bias
        return self.run(x, 4)


class Recurrent(Layers):
    def __init__(self):
        super().__init__()
        self.lstm, self.gru = nn.LSTM(D, D, num_layers=2, batch_first=True, bidirectional=True), nn.GRU(2 * D, D, batch_first=True)

    def forward(self, x):
        y, (h, c) = self.lstm(self.run(x, 0, 4))
        return self.run(self.gru(y)[0], 4), h + c


class Packed(Layers):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(D, D)

    def forward(self, x, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.run(x, 0, 4), lengths, batch_first=True, enforce_sorted=False)
        return self.run(nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True)[0], 4)


class Conditions(Layers):
    def forward(self, x, key):
        x = self.run(x, 0, 4)
        return self.run(torch.where(key == 1, x, torch.where(key > 2, x * 2, -x)), 4)


class Attention(Layers):
    """A block of a transformer with a causal mask that is made within."""

    def __init__(self):
        super().__init__()
        self.attention, self.norms = nn.MultiheadAttention(D, 2, batch_first=True), nn.ModuleList(nn.LayerNorm(D) for _ in range(4))

    def forward(self, x):
        for norm in self.norms:
            y = norm(x)
            mask = torch.triu(torch.ones(y.shape[1], y.shape[1], dtype=torch.bool, device=y.device), 1)
            x = x + self.attention(y, y, y, attn_mask=mask, need_weights=False)[0]
        return self.run(x)


class Unet(nn.Module):
    """Three values that are read far away, the first one last."""

    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList(nn.Conv2d(3 if not i else 8, 8, 3, padding=1) for i in range(3))
        self.up = nn.ModuleList(nn.Conv2d(16, 8, 3, padding=1) for _ in range(3))
        self.out = nn.Conv2d(8, 3, 1)

    def forward(self, x):
        kept = []
        for layer in self.down:
            x = torch.relu(layer(x))
            kept.append(x)
            x = F.max_pool2d(x, 2)
        for layer in self.up:
            x = F.interpolate(x, scale_factor=2)
            x = torch.relu(layer(torch.cat([x, kept.pop()], 1)))
        return self.out(x)


class SharedLayer(Layers):
    """One layer used in all stages, and its weight once more by itself."""

    def forward(self, x):
        for layer in self.layers[:4]:
            x = torch.tanh(self.layers[7](torch.tanh(layer(x))))
        return x @ self.layers[7].weight


class Experts(Layers):
    """Each row through one of four experts, by its largest number."""

    def forward(self, x):
        x = self.run(x, 0, 2)
        weights, chosen = torch.softmax(x[:, :4], -1).max(-1)
        results = torch.stack([self.layers[2 + i](x) for i in range(4)])
        x = results[chosen, torch.arange(x.shape[0])] * weights[:, None]
        return self.run(x, 6)


def cases():
    """(model, args, kwargs) by name."""
    def x(*sizes):
        return torch.randn(*(sizes or (4, D)))
    same = x()
    return {
        "keywords": (Keywords, (x(),), {"scale": x(), "shift": x()}), "given-twice": (GivenTwice, (same, same), {}),
        "texts": (Texts, (x(), x()), {}), "nested-tuples": (NestedTuples, (((x(), (x(), x())), x()),), {}),
        "optional-none": (Optional, (x(),), {}), "optional-mask": (Optional, (x(), x()), {}),
        "optional-bias": (Optional, (x(),), {"bias": x(D)}), "recurrent-layers": (Recurrent, (x(3, 5, D),), {}),
        "packed": (Packed, (x(3, 5, D), torch.tensor([5, 3, 2])), {}),
        "conditions": (Conditions, (x(), torch.randint(0, 4, (4, 1))), {}), "attention": (Attention, (x(2, 6, D),), {}),
        "unet": (Unet, (x(2, 3, 16, 16),), {}), "shared-layer": (SharedLayer, (x(),), {}), "experts": (Experts, (x(),), {}),
    }


def main(folder, names):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, (kind, args, kwargs) in cases().items():
        if names and name not in names:
            continue
        torch.manual_seed(1)
        try:
            torch.export.save(torch.export.export(kind().train(), args, kwargs, strict=False), folder / (name + ".pt2"))
        except Exception as failure:
            print("%s: PyTorch does not export it: %s" % (name, str(failure).split("\n")[0][:100]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
