"""Small models that are hard to cut, made with real PyTorch:  hard_models.py FOLDER [NAME...]"""
import collections
import pathlib
import sys
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F
from model_classes import Fields
from torch.distributed.pipelining import pipe_split

warnings.filterwarnings("ignore")
D = 8


class DictInOut(nn.Module):
    """Nested arguments, a None, a flag, keyword arguments; returns a nested dict with a None and a number."""

    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(D, D), nn.Linear(D, D), nn.Linear(D, D)

    def forward(self, x, pair, nothing=None, *, extra, flag=True, scale=2.0):
        y = self.a(x) + pair[0]
        z = self.b(y) * extra["m"]
        if flag:
            z = z * scale
        if nothing is not None:
            z = z + nothing
        w = self.c(z) - pair[1]["k"]
        return {"w": w, "more": [y, (z.sum(), None)], "n": 3}


class Classes(nn.Module):
    """Takes and returns objects of classes that another process does not know; a conjugate crosses."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(D, D), nn.Linear(D, D)

    def forward(self, fields, counts):
        z = torch.fft.rfft(self.a(fields.x + fields.y))
        w = torch.fft.irfft(z * z.conj(), n=D)
        return Fields(self.b(self.a(w)), None, collections.defaultdict(list, {"m": w * counts["m"]}))


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(11, D)
        self.mid = nn.Linear(D, D)
        self.head = nn.Linear(D, 11, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, ids):
        return self.head(torch.tanh(self.mid(self.embed(ids))))


class Reused(nn.Module):
    """A module between others, several times in each stage."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(D, D) for _ in range(8))
        self.between = nn.Linear(D, D)

    def forward(self, x):
        for layer in self.layers:
            x = layer(torch.tanh(self.between(x)))
        return x


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(D, D, num_layers=2, batch_first=True, bidirectional=True)
        self.gru = nn.GRU(2 * D, D, batch_first=True)
        self.out = nn.Linear(D, 3)

    def forward(self, x):
        y, (h, c) = self.lstm(x)
        z, g = self.gru(y)
        return self.out(z) + h.sum() + c.mean() + g.sum()


class Branch(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(D, D), nn.Linear(D, D), nn.Linear(D, D)

    def forward(self, x):
        y = self.a(x)
        z = torch.cond(y.sum() > 0, lambda t, u: (self.b(t) + u,), lambda t, u: (t * 2 - u,), (y, x))[0]
        p, q = torch.cond(z.sum() > 100, lambda t: (t.sin(), t.cos()), lambda t: (t.exp() * 1e-3, t.tanh()), (z,))
        return self.c(p) + q


class Modes(nn.Module):
    """no_grad and autocast regions, and one inside the other."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(D, D) for _ in range(6))

    def forward(self, x):
        x = self.layers[0](x)
        with torch.no_grad():
            g = self.layers[1](x)
            g = torch.sigmoid(g) + 1
            g = g * 2
        x = x * g
        with torch.autocast("cpu", dtype=torch.bfloat16):
            x = self.layers[2](x)
            x = torch.relu(x)
            with torch.no_grad():
                h = self.layers[3](x)
                h = h * 0.5
            x = self.layers[4](x) + h
        return self.layers[5](x.float())


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c1, self.c2 = nn.Conv2d(c, c, 3, padding=1, bias=False), nn.Conv2d(c, c, 3, padding=1, bias=False)
        self.b1, self.b2 = nn.BatchNorm2d(c), nn.BatchNorm2d(c)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        y = self.relu(self.b1(self.c1(x)))
        y = self.b2(self.c2(y))
        y += x
        return self.relu(y)


class Residual(nn.Module):
    """In-place blocks with running statistics."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, D, 3)
        self.blocks = nn.Sequential(Block(D), Block(D), Block(D))
        self.head = nn.Linear(D, 5)

    def forward(self, x):
        x = self.stem(x).relu_()
        x = self.blocks(x)
        return self.head(x.mean((2, 3)))


class Masks(nn.Module):
    """Integer and boolean tensors, infinities, indexing with None, a mask that every layer reads."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(13, D)
        self.layers = nn.ModuleList(nn.Linear(D, D) for _ in range(3))
        self.register_buffer("bias", torch.full((6, 6), float("-inf")).triu(1), persistent=False)

    def forward(self, ids, keep):
        mask = (ids != 0) & keep
        lengths = mask.sum(-1)
        x = self.embed(ids)
        for layer in self.layers:
            scores = x @ layer(x).transpose(1, 2) + self.bias
            scores = scores.masked_fill(~mask[:, None, :], float("-inf")).nan_to_num(0.0, posinf=1.0, neginf=-1e4)
            x = torch.softmax(scores, -1) @ x
        last = (lengths - 1).clamp(min=0)
        return x[torch.arange(ids.shape[0]), last], mask, lengths


class Counters(nn.Module):
    """Buffers written by hand, persistent and not; one read again after the write; a lifted constant."""

    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.zeros((), dtype=torch.long))
        self.register_buffer("mean", torch.zeros(D))
        self.register_buffer("scratch", torch.ones(D), persistent=False)
        self.a, self.b, self.c = nn.Linear(D, D), nn.Linear(D, D), nn.Linear(D, D)

    def forward(self, x):
        self.steps += 1
        y = self.a(x)
        with torch.no_grad():
            self.mean.mul_(0.9).add_(y.detach().mean(0), alpha=0.1)
            self.scratch[2:4] = 5.0
        y = self.b(y) * self.scratch + torch.tensor([1.0, 2.0] * (D // 2))
        return self.c(y) - self.mean + self.steps


class Norms(nn.Module):
    """Decomposed, PyTorch does not train it: its norms' statistics are written while backward has them."""

    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Sequential(nn.Linear(D, D), nn.BatchNorm1d(D), nn.ReLU()) for _ in range(4))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


class InPlaceViews(nn.Module):
    """Writes to views of activations, and reads base and views afterwards."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(D, D), nn.Linear(D, D)

    def forward(self, x):
        y = self.a(x)
        left, right = y[:, :D // 2], y[:, D // 2:]
        flat = y.view(-1)
        z = y + 2
        left.mul_(3)
        w = self.b(y.clone()) + z
        right.add_(1)
        y[0] = 0.5
        return w + y, flat.sum() + left.mean(), right


class Many(nn.Module):
    """Operators with several results, some unused; lists of tensors; scalars; a keyword named from."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(D, 3 * D), nn.Linear(D, D)

    def forward(self, x):
        q, k, v = self.a(x).split(D, dim=-1)
        top, where = q.topk(3, dim=-1)
        parts = torch.unbind(k, 0)
        mean, = torch.var_mean(v, dim=0)[1:]
        values, indices = v.max(dim=-1)
        stacked = torch.stack(parts[:2]) + mean
        u, s, vh = torch.linalg.svd(stacked.mean(0, keepdim=True) + torch.eye(1, D))
        noise = torch.zeros_like(v).uniform_(-1, 1)
        return self.b(v + noise * 0) + top.sum() + values[:, None] + s.sum(), where, indices


class Sizes(nn.Module):
    """Symbolic batch and time; sizes used far from where they were read; arithmetic on them."""

    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(D, D), nn.Linear(D, D), nn.Linear(D, D)

    def forward(self, x, y):
        b, t, d = x.shape
        z = self.a(x).reshape(b * t, d)
        z = torch.tanh(z)
        z = self.b(z).view(b, t, d)
        pad = z.new_zeros(b, t // 2 + 1, d)
        z = torch.cat([z, pad], 1)
        z = self.c(z) + torch.arange(t + t // 2 + 1, device=z.device, dtype=z.dtype)[None, :, None] / t
        return z.sum(1) + y.mean() * b, z.flatten(0, 1)


class Dropouts(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(D, D), nn.Dropout(0.5), nn.ReLU(), nn.Linear(D, D), nn.Dropout(0.2),
                                    nn.Linear(D, D))

    def forward(self, x):
        return F.dropout(self.layers(x), 0.3, training=True)


class PassThrough(nn.Module):
    """Returns an input, a parameter, the same tensor twice and a constant."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(D, D), nn.Linear(D, D)
        self.scale = nn.Parameter(torch.ones(D))

    def forward(self, x, y):
        z = self.b(self.a(x) * self.scale)
        return z, y, z, self.scale, collections.OrderedDict(a=z * 2, b=None)


class NoTraining(nn.Module):
    """Whole numbers in, whole numbers out: nothing has a gradient."""

    def forward(self, x):
        y = (x * 3 + 1) % 7
        z = y.sort(-1)[0]
        return z.cumsum(-1), y.bincount(minlength=7) if y.dim() == 1 else y.argmax(-1)


class SharedFar(nn.Module):
    """One module used three times."""

    def __init__(self):
        super().__init__()
        self.shared = nn.Linear(D, D)
        self.norms = nn.ModuleDict({"first_norm": nn.LayerNorm(D), "0": nn.LayerNorm(D)})
        self.device = nn.Parameter(torch.randn(D))

    def forward(self, x):
        x = self.shared(x).tanh()
        x = self.norms["first_norm"](self.shared(x)).tanh()
        return self.norms["0"](self.shared(x)) * self.device


class ItemSize(nn.Module):
    """A size that depends on the data."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(D, D), nn.Linear(D, D)

    def forward(self, x, n):
        k = n.item()
        torch._check(k >= 1)
        torch._check(k <= 4)
        y = self.a(x)
        z = y.narrow(0, 0, k)
        return self.b(z) * k


class NonZero(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(D, D), nn.Linear(D, D)

    def forward(self, x, keep):
        rows = keep.nonzero().squeeze(1)
        y = self.a(x)[rows]
        y = torch.tanh(y)
        return self.b(y).sum(0), rows


class Loop(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(D, D), nn.Linear(D, D)

    def forward(self, x):
        y = self.a(x)
        i = torch.zeros((), dtype=torch.int64)
        with torch.no_grad():
            i, y = torch.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t * 1.5), (i, y.detach()))
        return self.b(y) + i


class ChannelsLast(nn.Module):
    """Boundary tensors that are not row-major, an expanded one and a transposed parameter."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv2d(3, D, 3), nn.Conv2d(D, D, 3)
        self.w = nn.Parameter(torch.randn(D, 4).t())

    def forward(self, x):
        x = x.to(memory_format=torch.channels_last)
        y = self.a(x)
        e = y.mean((2, 3)).unsqueeze(1).expand(-1, 4, -1)
        z = self.b(y).permute(0, 2, 3, 1)
        return z.flatten(1, 2).transpose(1, 2), (e * self.w).sum((1, 2))


class Marked(nn.Module):
    """Says itself where it is to be cut, in the middle of a module too; a skip over a stage."""

    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(D, D), nn.Sequential(nn.Linear(D, D), nn.Tanh()), nn.Linear(D, D)

    def forward(self, x):
        y = self.a(x)
        pipe_split()
        z = self.b(torch.relu(y))
        pipe_split()
        return self.c(z) + y


class Strides(nn.Module):
    """Of symbolic sizes: transposed, permuted, expanded and sliced tensors, and views that rely on their strides."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 6), nn.Linear(6, 6)

    def forward(self, x):
        y = self.a(x)
        transposed = y.transpose(0, 1) * 2
        rows = transposed.transpose(0, 1).view(-1, 3)
        expanded = y.unsqueeze(1).expand(-1, 4, -1)
        sliced = self.b(y)[:, 1:4]
        permuted = y.view(-1, 2, 3).permute(1, 0, 2) * 1.5
        whole = permuted.permute(1, 0, 2).view(-1, 6)
        return whole + expanded.sum(1), sliced.t() * 2, rows + sliced.sum()


def cases():
    batch = torch.export.Dim("batch", min=2, max=64)
    time = torch.export.Dim("time", min=2, max=64)
    x = lambda: torch.randn(4, D)  # noqa: E731
    return {
        "dict-in-out": (DictInOut, (x(), (x(), {"k": x()})), {"extra": {"m": x()}, "flag": True}, None),
        "classes": (Classes, (Fields(x(), None, x()), {"m": x()}), {}, None),
        "tied": (Tied, (torch.randint(0, 11, (2, 5)),), {}, None),
        "reused": (Reused, (x(),), {}, None),
        "recurrent": (Recurrent, (torch.randn(2, 5, D),), {}, None),
        "branch": (Branch, (x(),), {}, None),
        "modes": (Modes, (x(),), {}, None),
        "residual": (Residual, (torch.randn(2, 3, 9, 9),), {}, None),
        "masks": (Masks, (torch.randint(0, 13, (3, 6)), torch.rand(3, 6) > 0.3), {}, None),
        "counters": (Counters, (x(),), {}, None),
        "in-place-views": (InPlaceViews, (x(),), {}, None),
        "many": (Many, (x(),), {}, None),
        "sizes": (Sizes, (torch.randn(3, 5, D), x()), {}, ({0: batch, 1: time}, None)),
        "dropouts": (Dropouts, (x(),), {}, None),
        "pass-through": (PassThrough, (x(), x()), {}, None),
        "no-training": (NoTraining, (torch.randint(0, 50, (4, 6)),), {}, None),
        "shared-far": (SharedFar, (x(),), {}, None),
        "item-size": (ItemSize, (x(), torch.tensor(3)), {}, None),
        "non-zero": (NonZero, (x(), torch.tensor([True, False, True, True])), {}, None),
        "loop": (Loop, (x(),), {}, None),
        "marked": (Marked, (x(),), {}, None),
        "strides": (Strides, (torch.randn(4, 6),), {}, ({0: batch},)),
        "norms": (Norms, (torch.randn(8, D),), {}, None),
        "channels-last": (ChannelsLast, (torch.randn(2, 3, 8, 8),), {}, None),
    }


def write(cases, functional, folder, *names):
    """Each case, or those of the names, as a program; those of `functional` also as run_decompositions() leaves them."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, (kind, args, kwargs, shapes) in cases.items():
        if names and name not in names:
            continue
        torch.manual_seed(1)
        program = torch.export.export(kind().train(), args, kwargs, dynamic_shapes=shapes, strict=False)
        torch.export.save(program, folder / (name + ".pt2"))
        if name in functional:
            torch.export.save(program.run_decompositions({}), folder / (name + "-functional.pt2"))


if __name__ == "__main__":
    torch.manual_seed(0)
    write(cases(), ("counters", "in-place-views", "modes", "norms"), *sys.argv[1:])
