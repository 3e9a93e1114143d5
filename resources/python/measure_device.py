"""Measures what PyTorch takes on this machine's device, for `stagecraft-cli calibrate --from FOLDER`.

usage: python measure_device.py [-o FOLDER] [--device cuda|mps|cpu] [--threads N] [--minutes M] [--quick]

Needs PyTorch (2.6 or later) and nothing else, and wants the device for itself. Probes take four minutes at most unless --minutes
says otherwise, the smallest first, and everything some five. What is not measured (no time, no memory, no kernel for the type)
is left out, and said. FOLDER then holds table.json and the small programs that ran,
structure only, as .pt2 files:

    probes     training steps of small models, each operator timed where it stands, forward and backward, at rising sizes
    optimizers steps of SGD with momentum and of AdamW over many small tensors and a few large ones, as PyTorch takes them on the
               device unless told otherwise (one parameter after the other, or lists of them), and fused where it can; each operator
               timed, and the whole, which has what Python does beside them
    products   square matrix products of every element type: the peak rates. Half precision is bfloat16 in the probes, float16 on
               GPUs without units for bfloat16
    dispatch   what handing an operator over takes: views, which launch nothing, and beside them (operator_dispatch) operators on
               few elements, forward, backward, and forward where no gradient is wanted
    steps      a handful of whole training steps, with memory: nothing is fitted to them, predictions are held against them
    link       what a message between two processes takes, each with a device of its own, and a sum over all of them

Of all times the median counts, of operators as of the whole steps that are predicted by them; of messages the lower quartile.

On a CPU one thread is used unless --threads says otherwise; the thread's own clock then counts, so that a busy machine
hardly shows. On CUDA and ROCm, events on the device count; the device is kept waiting until the whole step is handed over,
so that the host's time is in none of them. On Apple's GPUs every operator is waited for, which is less exact.
"""
import argparse
import json
import math
import os
import statistics
import sys
import tempfile
import time
import warnings
from pathlib import Path

try:
    import torch
    import torch.nn.functional as F
    from torch import nn
    from torch.utils._python_dispatch import TorchDispatchMode
except ImportError as failure:
    sys.exit(f"cannot import torch: {failure}")

FORMAT = 1
EITHER = ", in place or not"
CHANGING = ("aten::add",)
PLENTY = 50  # steps of a probe


# ---------------------------------------------------------------------------------------------------------------- clocks


class CpuClock:
    def __init__(self, threads):
        torch.set_num_threads(threads)
        self.mark = time.thread_time if threads == 1 else time.perf_counter

    def seconds(self, start, end):
        return end - start

    def hold(self):
        """Nothing waits: operators run as they are handed over."""

    def finish(self):
        pass


class CudaClock:
    """CUDA, and ROCm under the same name."""

    def mark(self):
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def seconds(self, start, end):
        return 1e-3 * start.elapsed_time(end)

    def hold(self):
        torch.cuda._sleep(100_000_000)  # some 50 ms: what follows queues up behind it

    def finish(self):
        torch.cuda.synchronize()


class MpsClock:
    def mark(self):
        torch.mps.synchronize()
        return time.perf_counter()

    def seconds(self, start, end):
        return end - start

    def hold(self):
        pass

    def finish(self):
        torch.mps.synchronize()


class OperatorTimes(TorchDispatchMode):
    """Every operator below autograd, with its marks, in the order they run."""

    def __init__(self, clock):
        super().__init__()
        self.clock, self.marks = clock, []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        start = self.clock.mark()
        result = func(*args, **(kwargs or {}))
        self.marks.append((func._schema.name, start, self.clock.mark()))
        return result

    def seconds(self):
        """By name, then by position among those of the name; and of both forms, in place and not, together: autograd adds
        up gradients in place, but not while this listens."""
        times = {}
        for name, start, end in self.marks:
            seconds = self.clock.seconds(start, end)
            times.setdefault(name, []).append(seconds)
            times.setdefault(name.removesuffix("_") + EITHER, []).append(seconds)
        return {name: list_ for name, list_ in times.items() if not name.endswith(EITHER) or name[: -len(EITHER)] in CHANGING}


class OptimizerOperators(OperatorTimes):
    """Without those on numbers alone: PyTorch counts steps on the host, and no optimizer's work hangs on that."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        lists = [x if isinstance(x, (list, tuple)) else (x,) for x in args]
        if any(isinstance(x, torch.Tensor) and x.dim() > 0 for list_ in lists for x in list_):
            return super().__torch_dispatch__(func, types, args, kwargs)
        return func(*args, **(kwargs or {}))


def is_out_of_memory(failure):
    """Of any device: CUDA has an error of its own, others say it in words."""
    return isinstance(failure, (torch.OutOfMemoryError, MemoryError)) or "out of memory" in str(failure) \
        or "not enough memory" in str(failure)


def empty_cache(kind):
    if kind == "cuda":
        torch.cuda.empty_cache()
    elif kind == "mps":
        torch.mps.empty_cache()


def leave_out(what, why):
    print(f"left out: {what}: {why}", file=sys.stderr, flush=True)


def name_of(family, row, dtype):
    return f"{family.__name__} {' '.join(map(str, row))}, {str(dtype)[6:]}"


def lower_quartile(values):
    return sorted(values)[len(values) // 4]


# ---------------------------------------------------------------------------------------------------------------- probes


class Repeated(nn.Module):
    """So few elements that a GPU waits for each operator."""

    def __init__(self):
        super().__init__()
        self.x = nn.Parameter(torch.zeros(8, 8))

    def repeat(self, step):
        x = self.x
        for _ in range(50):
            x = step(x)
        return x


class Views(Repeated):
    def forward(self):
        return self.repeat(lambda x: x.view(64).view(8, 8))[0, 0]


class Chain(Repeated):
    def forward(self):
        return self.repeat(lambda x: F.relu(x) + 1.0).sum()


class Product(nn.Module):
    def __init__(self, side):
        super().__init__()
        self.w = nn.Parameter(torch.randn(side, side) / side)
        self.x = nn.Parameter(torch.randn(side, side))

    def forward(self):
        return torch.mm(self.x, self.w).mean()


class Perceptron(nn.Module):
    """Rows of d, h inside, k classes."""

    def __init__(self, rows, d, h, k):
        super().__init__()
        self.x = nn.Parameter(torch.randn(1, rows, d))
        self.up, self.down, self.norm = nn.Linear(d, h), nn.Linear(h, d), nn.LayerNorm(d)
        self.gate, self.head = nn.Linear(d, h, bias=False), nn.Linear(h, k)

    def forward(self, labels):
        x = self.norm(self.down(F.gelu(self.up(self.x)))) + self.x
        logits = self.head(F.relu(self.gate(x)))
        return F.cross_entropy(logits.flatten(0, 1), labels)

    @staticmethod
    def inputs(rows, d, h, k):
        return (torch.arange(rows) % k,)


class Attention(nn.Module):
    """h heads of e over t places, the explicit way and the fused one."""

    def __init__(self, b, t, h, e):
        super().__init__()
        self.h = h
        self.x, self.y = nn.Parameter(torch.randn(b, t, h * e)), nn.Parameter(torch.randn(b, t, h * e))

    def heads(self, x):
        return x.view(*x.shape[:2], self.h, -1).transpose(1, 2)

    def forward(self, mask):
        q, k = self.heads(self.x), self.heads(self.y)
        scores = (q @ k.transpose(2, 3) / 8.0).masked_fill(mask, -1.0)
        mixed = F.dropout(torch.softmax(scores, -1), 0.1, self.training) @ q
        fused = F.scaled_dot_product_attention(mixed, k, q, is_causal=True)
        return (fused.transpose(1, 2).contiguous().view_as(self.x) * self.x).mean()

    @staticmethod
    def inputs(b, t, h, e):
        return (torch.ones(t, t, dtype=torch.bool).triu(1),)


class Convolutions(nn.Module):
    """c channels on s x s, e of them inside: a stem, a residual block, an inverted one, pooling."""

    def __init__(self, n, c, e, s):
        super().__init__()
        self.stem, self.first = nn.Conv2d(3, c, 3, padding=1, bias=False), nn.BatchNorm2d(c)
        self.same = nn.Conv2d(c, c, 3, padding=1, bias=False)
        self.wide, self.second = nn.Conv2d(c, e, 1, bias=False), nn.BatchNorm2d(e)
        self.deep, self.narrow = nn.Conv2d(e, e, 3, padding=1, groups=e, bias=False), nn.Conv2d(e, c, 1, bias=False)
        self.step, self.head = nn.Conv2d(c, e, 3, stride=2, padding=1, bias=False), nn.Linear(e, 100)

    def forward(self, x):
        x = F.relu(self.first(self.stem(x)))
        x = x + self.same(x)
        x = F.relu6(self.second(self.wide(x)))
        x = self.narrow(F.hardswish(self.deep(x)))
        x = F.silu(self.step(F.max_pool2d(x, 3, 2, 1)))
        return self.head(F.adaptive_avg_pool2d(x, 1).flatten(1)).mean()

    @staticmethod
    def inputs(n, c, e, s):
        return (torch.randn(n, 3, s, s),)


class Convolution(nn.Module):
    def __init__(self, n, i, o, kernel, side, stride):
        super().__init__()
        self.x = nn.Parameter(torch.randn(n, i, side, side))
        self.conv = nn.Conv2d(i, o, kernel, stride, kernel // 2, bias=False)

    def forward(self):
        return F.relu(self.conv(self.x)).mean()


class Layouts(nn.Module):
    """c channels on s x s, channels last: convolutions dense, in groups of 8 and of 1, what is done to images between them."""

    def __init__(self, n, c, s):
        super().__init__()
        self.x = nn.Parameter(torch.randn(n, c, s, s).contiguous(memory_format=torch.channels_last))
        self.scale = nn.Parameter(torch.ones(1, c, 1, 1))
        self.dense, self.norm = nn.Conv2d(c, c, 3, padding=1, bias=False), nn.BatchNorm2d(c)
        self.grouped = nn.Conv2d(c, c, 3, padding=1, groups=max(c // 8, 1), bias=False)
        self.deep = nn.Conv2d(c, c, 3, padding=1, groups=c, bias=False)
        self.to(memory_format=torch.channels_last)

    def forward(self):
        x = F.relu(self.norm(self.dense(self.x)))
        x = self.deep(F.silu(self.grouped(x))) * self.scale + x
        return (F.avg_pool2d(x, 2).mean((2, 3)) * 0.5).mean()


class Upwards(nn.Module):
    """c channels on s x s, half of them on twice the side."""

    def __init__(self, n, c, s):
        super().__init__()
        self.x = nn.Parameter(torch.randn(n, c, s, s))
        self.norm, self.up = nn.GroupNorm(4, c), nn.ConvTranspose2d(c, c // 2, 2, 2, bias=False)
        self.conv = nn.Conv2d(c + c // 2, c // 2, 3, padding=1, bias=False)

    def forward(self):
        x = F.leaky_relu(self.norm(self.x), 0.1)
        x = torch.cat([self.up(x), F.interpolate(x, scale_factor=2.0, mode="nearest")], 1)
        return F.relu(F.avg_pool2d(self.conv(x), 2)).mean()


class Streams(nn.Module):
    """Rows of d: what is done to elements, rows and layouts."""

    def __init__(self, rows, d):
        super().__init__()
        self.x, self.y = nn.Parameter(torch.rand(rows, d) + 0.5), nn.Parameter(torch.rand(rows, d) + 0.5)

    def forward(self, mask):
        x = F.silu(F.gelu(torch.tanh(torch.sigmoid((self.x + self.y) * self.y * 0.5))))
        x = torch.log(torch.exp(x)).pow(2.0)
        x = x * torch.rsqrt(x.mean(1, keepdim=True) + 0.001)
        x = torch.where(mask, -x, self.x) - self.x
        x = torch.sqrt(F.softplus(x))
        x = torch.log_softmax(torch.clamp(x, 0.0, 6.0) / (x + 1.0), 1)
        total = x.t().contiguous().sum(1)
        x = torch.cat([x, F.dropout(x, 0.1, self.training)], 1)[:, : total.shape[0]]
        return (x * total).mean()

    @staticmethod
    def inputs(rows, d):
        return (torch.arange(rows * d).view(rows, d) % 3 == 0,)


class Lookups(nn.Module):
    """words of d, n of them looked up, and neighbours chosen."""

    def __init__(self, words, d, n):
        super().__init__()
        self.table, self.w = nn.Embedding(words, d), nn.Parameter(torch.ones(d))

    def forward(self, ids, pick):
        rows = self.table(ids) * self.w
        some = rows.index_select(0, pick)
        return (rows[pick] + some.gather(1, pick.unsqueeze(1) % some.shape[1])).mean()

    @staticmethod
    def inputs(words, d, n):
        return (torch.arange(n) * 7919 % words, torch.arange(n) * 31 % n)


# By rising work; a size that takes far longer than there is to spend is the last of its family.
FAMILIES = {
    Perceptron: [(4, 16, 32, 10), (64, 32, 128, 1000), (32, 64, 256, 64), (256, 128, 512, 512), (784, 96, 384, 96),
                 (8, 256, 1024, 1000), (512, 48, 192, 48), (256, 256, 1024, 4000), (3136, 96, 96, 32), (512, 512, 512, 2000),
                 (512, 768, 2048, 768), (2048, 768, 3072, 768), (2048, 2048, 8192, 8192), (8192, 1024, 4096, 32000),
                 (8192, 4096, 14336, 32000)],
    Attention: [(1, 8, 2, 8), (2, 16, 4, 16), (2, 32, 2, 16), (2, 64, 4, 32), (16, 49, 3, 32), (16, 16, 8, 16), (64, 49, 4, 16),
                (2, 128, 8, 64), (8, 64, 12, 64), (1, 512, 12, 64), (8, 512, 12, 64), (4, 1024, 16, 64), (2, 2048, 32, 128)],
    Convolutions: [(1, 8, 16, 8), (2, 16, 64, 16), (1, 256, 512, 8), (2, 32, 96, 32), (4, 24, 144, 64), (4, 128, 256, 16),
                   (2, 64, 256, 56), (32, 64, 256, 56), (128, 64, 256, 56)],
    Convolution: [(1, 16, 16, 3, 32, 1), (4, 16, 32, 3, 16, 2), (4, 32, 32, 3, 16, 1), (4, 64, 64, 3, 8, 1), (2, 96, 24, 1, 56, 1),
                  (1, 512, 2048, 1, 7, 1), (1, 1024, 256, 1, 14, 1), (1, 3, 64, 7, 112, 2), (1, 64, 128, 1, 56, 2),
                  (1, 128, 256, 3, 28, 2), (2, 48, 48, 5, 14, 1), (1, 128, 128, 3, 28, 1), (1, 256, 256, 3, 14, 1),
                  (1, 512, 512, 3, 7, 1), (1, 64, 64, 3, 56, 1), (2, 256, 64, 1, 28, 1), (32, 64, 64, 3, 56, 1),
                  (32, 256, 256, 3, 14, 1), (64, 1024, 256, 1, 14, 1), (128, 128, 128, 3, 28, 1)],
    Layouts: [(1, 32, 8), (4, 64, 16), (8, 64, 28), (32, 64, 56), (32, 256, 28), (128, 128, 28)],
    Upwards: [(1, 8, 8), (2, 32, 16), (2, 64, 32), (16, 64, 64)],
    Streams: [(4, 64), (32, 128), (128, 256), (512, 512), (1024, 1024), (4096, 1024), (8192, 4096), (16384, 8192)],
    Lookups: [(64, 32, 16), (1000, 64, 128), (8000, 256, 512), (30000, 768, 1024), (50000, 1024, 16384)],
}
OTHER_TYPES = (Perceptron, Attention, Convolutions, Convolution, Layouts)  # that run in half precision where a device has units for it

# Of an optimizer: so many parameters of so many elements. The small ones tell what Python does, the others what they move.
PARAMETERS = [(2, 64), (8, 64), (24, 64), (64, 64), (160, 64), (32, 4096), (16, 65536), (8, 1 << 18), (4, 1 << 20)]
MORE_ON_GPUS = [(64, 1 << 18), (16, 1 << 22), (4, 1 << 24)]
OPTIMIZERS = ("sgd-momentum", "adamw")
CACHES = 1 << 24  # numbers: what a pass before the optimizer's step leaves in no cache


# ----------------------------------------------------------------------------------------------------------- whole steps


class Block(nn.Module):
    def __init__(self, d, heads, fused):
        super().__init__()
        self.heads, self.fused = heads, fused
        self.n1, self.n2, self.qkv, self.out = nn.LayerNorm(d), nn.LayerNorm(d), nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def mix(self, x):
        b, t, d = x.shape
        q, k, v = (part.view(b, t, self.heads, -1).transpose(1, 2) for part in self.qkv(x).split(d, -1))
        if self.fused:
            mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            mixed = F.dropout(torch.softmax(q @ k.transpose(-2, -1) / 8.0, -1), 0.1, self.training) @ v
        return self.out(mixed.transpose(1, 2).reshape(b, t, d))

    def forward(self, x):
        x = x + self.mix(self.n1(x))
        return x + self.down(F.gelu(self.up(self.n2(x))))


class Transformer(nn.Module):
    def __init__(self, layers, d, heads, words, places, fused):
        super().__init__()
        self.words, self.places = nn.Embedding(words, d), nn.Parameter(torch.zeros(places, d))
        self.blocks = nn.ModuleList(Block(d, heads, fused) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, words, bias=False)

    def forward(self, ids):
        x = self.words(ids) + self.places
        for block in self.blocks:
            x = block(x)
        return F.cross_entropy(self.head(self.norm(x)).flatten(0, 1), ids.flatten())


class Residual(nn.Module):
    def __init__(self, i, o, stride):
        super().__init__()
        self.c1, self.n1 = nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o)
        self.c2, self.n2 = nn.Conv2d(o, o, 3, 1, 1, bias=False), nn.BatchNorm2d(o)
        self.side = nn.Conv2d(i, o, 1, stride, bias=False) if stride > 1 else nn.Identity()

    def forward(self, x):
        return F.relu(self.side(x) + self.n2(self.c2(F.relu(self.n1(self.c1(x))))))


class Inverted(nn.Module):
    def __init__(self, i, o, stride):
        super().__init__()
        e = 4 * i
        self.c1, self.n1 = nn.Conv2d(i, e, 1, bias=False), nn.BatchNorm2d(e)
        self.c2, self.n2 = nn.Conv2d(e, e, 3, stride, 1, groups=e, bias=False), nn.BatchNorm2d(e)
        self.c3, self.n3 = nn.Conv2d(e, o, 1, bias=False), nn.BatchNorm2d(o)

    def forward(self, x):
        return self.n3(self.c3(F.hardswish(self.n2(self.c2(F.hardswish(self.n1(self.c1(x))))))))


class Images(nn.Module):
    def __init__(self, block, width):
        super().__init__()
        self.stem, self.norm = nn.Conv2d(3, width, 7, 2, 3, bias=False), nn.BatchNorm2d(width)
        steps = [(1, 1), (1, 2), (2, 4), (4, 8)]
        self.blocks = nn.Sequential(*(block(width * i, width * o, 2 if o > i else 1) for i, o in steps))
        self.head = nn.Linear(8 * width, 1000)

    def forward(self, x, labels):
        x = F.max_pool2d(F.relu(self.norm(self.stem(x))), 3, 2, 1)
        return F.cross_entropy(self.head(self.blocks(x).mean((2, 3))), labels)


class Layers(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(*(nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Dropout(0.1)) for _ in range(4)))

    def forward(self, x):
        return F.mse_loss(self.layers(x), x)


def whole_steps(kind):
    """(name, what makes the model, what makes its inputs, optimizer)"""
    scale = 1 if kind == "cpu" else 8
    tokens = lambda: (torch.arange(2 * scale * 128).view(2 * scale, 128) * 7919 % 4000,)  # noqa: E731
    images = lambda: (torch.randn(2 * scale, 3, 96, 96), torch.arange(2 * scale))  # noqa: E731
    width = 256 if kind == "cpu" else 768
    transformer = lambda fused: lambda: Transformer(4, width, width // 64, 4000, 128, fused)  # noqa: E731
    return [("transformer", transformer(True), tokens, "adamw"),
            ("transformer, explicit attention", transformer(False), tokens, "adamw"),
            ("residual network", lambda: Images(Residual, 32), images, "sgd-momentum"),
            ("inverted residuals", lambda: Images(Inverted, 24), images, "sgd-momentum"),
            ("wide layers", lambda: Layers(2 * width), lambda: (torch.randn(64 * scale, 2 * width),), "adamw")]


def make_optimizer(name, parameters, fused=None):
    """Not fused unless asked for: PyTorch's own choice."""
    if name == "adamw":
        return torch.optim.AdamW(parameters, fused=fused)
    return torch.optim.SGD(parameters, lr=0.01, momentum=0.9, fused=fused)


def variant_of(operators):
    """What PyTorch chose, by what ran."""
    for variant in ("fused", "foreach"):
        if any(name.startswith(f"aten::_{variant}_") for name in operators):
            return variant
    return "single"


def optimizer_rows(kind, quick):
    """(name, fused, parameters, elements of each)"""
    sizes = PARAMETERS[:6] if quick else PARAMETERS + (MORE_ON_GPUS if kind != "cpu" else [])
    return [(name, fused, *row) for name in OPTIMIZERS for fused in (None, True)
            for row in sizes if not fused or row[1] > PARAMETERS[0][1]]


# --------------------------------------------------------------------------------------------------------------- running


def moved(inputs, device, dtype=None):
    return tuple(x.to(device, dtype if x.is_floating_point() else None) for x in inputs)


class Bench:
    def __init__(self, device, clock, folder, spend, say):
        self.device, self.clock, self.folder, self.spend, self.say = device, clock, folder, spend, say
        self.overhead = 0.0  # of timing an operator
        self.files = 0

    def export(self, make, inputs, dtype):
        with torch.device("meta"):
            model = make().to(dtype)
        program = torch.export.export(model, moved(inputs, "meta", dtype), strict=False)
        self.files += 1
        name = f"{self.files:03}.pt2"
        torch.export.save(program, self.folder / name)
        return name

    def on_device(self, make, inputs, dtype):
        with torch.device("cpu"):
            model = make()
        return model.to(self.device, dtype), moved(inputs, self.device, dtype)

    def passes(self, model, inputs, optimizer=None):
        """One step; what its passes took, forward, backward, and the optimizer's step."""
        for parameter in model.parameters():
            parameter.grad = None
        marks = [self.clock.mark()]
        loss = model(*inputs)
        marks.append(self.clock.mark())
        loss.backward()
        del loss
        marks.append(self.clock.mark())
        if optimizer:
            optimizer.step()
        marks.append(self.clock.mark())
        self.clock.finish()
        return [self.clock.seconds(*pair) for pair in zip(marks, marks[1:])]

    def operators(self, model, inputs):
        for parameter in model.parameters():
            parameter.grad = None
        self.clock.hold()
        with OperatorTimes(self.clock) as times:
            model(*inputs).backward()
        self.clock.finish()
        return times.seconds()

    def probe(self, make, inputs=(), dtype=torch.float32):
        """Plain steps and steps with every operator timed, in turn."""
        file = self.export(make, inputs, dtype)
        model, inputs = self.on_device(make, inputs, dtype)
        self.passes(model, inputs)
        plain, timed = [], []
        end = time.perf_counter() + self.spend
        while len(plain) < 2 or (time.perf_counter() < end and len(plain) < PLENTY):
            plain.append(self.passes(model, inputs))
            timed.append(self.operators(model, inputs))
        forward, backward = (statistics.median(step[i] for step in plain) for i in (0, 1))
        return dict(file=file, forward=forward, backward=backward, operators=self.by_position(timed))

    def chain(self):
        """The probe of operators, and what its forward passes take one after the other, with gradients and without."""
        probe = self.probe(Chain)
        model, _ = self.on_device(Chain, (), torch.float32)
        taken = {True: [], False: []}
        for _ in range(PLENTY):
            for is_recorded, times in taken.items():
                with torch.set_grad_enabled(is_recorded):
                    times.append(self.forward_alone(model))
        return dict(probe, recorded=statistics.median(taken[True]), unrecorded=statistics.median(taken[False]))

    def forward_alone(self, model):
        start = self.clock.mark()
        made = model()
        end = self.clock.mark()
        self.clock.finish()
        del made
        return self.clock.seconds(start, end)

    def by_position(self, timed):
        own = lambda times: max(statistics.median(times) - self.overhead, 1e-9)  # noqa: E731
        return {name: [own(times) for times in zip(*(step[name] for step in timed))] for name in timed[0]
                if all(len(step.get(name, ())) == len(timed[0][name]) for step in timed)}

    def unless_it_fails(self, what, measure, *arguments):
        """None, and why, where there is not the memory for it, or no kernel: no reason to lose the rest."""
        self.say(what)
        try:
            return measure(*arguments)
        except (RuntimeError, MemoryError) as failure:  # torch.OutOfMemoryError and NotImplementedError are such
            leave_out(what, "it does not fit" if is_out_of_memory(failure) else str(failure).strip().splitlines()[0])
        empty_cache(self.device)
        return None

    def families(self, runs, sizes, end):
        """The probes of all runs, by rising size; a run ends with the first that fails or takes far longer than there is to
        spend, and all of them when time is over."""
        results, going = [], [(family, dtype, iter(sizes[family])) for family, dtype in runs]
        while going and time.monotonic() < end:
            going = [run for run in going if self.next_size(*run, results, end)]
        for family, dtype, rows in going:
            if left := [name_of(family, row, dtype) for row in rows]:
                leave_out(f"{left[0]}{' and larger' * (len(left) > 1)}", "the time is over (--minutes)")
        return results

    def next_size(self, family, dtype, rows, results, end):
        """Whether there may be another after it."""
        if time.monotonic() >= end:
            return True
        row = next(rows, None)
        if row is None:
            return False
        inputs = family.inputs(*row) if hasattr(family, "inputs") else ()
        result = self.unless_it_fails(name_of(family, row, dtype), self.probe, lambda: family(*row), inputs, dtype)
        if result:
            results.append(result)
        return bool(result) and result["forward"] + result["backward"] <= 2 * self.spend

    def product(self, side, dtype):
        """Of the largest side that fits."""
        while True:
            try:
                return self.probe(lambda: Product(side), dtype=dtype)
            except (RuntimeError, MemoryError) as failure:
                if side < 512 or not is_out_of_memory(failure):
                    raise
            leave_out(f"{side} x {side} in {str(dtype)[6:]}", "it does not fit; half of it is tried")
            side //= 2
            empty_cache(self.device)

    def optimizer(self, name, fused, count, elements):
        """Steps after a pass that made the gradients and took the caches, as in training: plain ones, which begin with a device
        that has nothing to do, and steps with every operator timed, in turn."""
        empty_cache(self.device)
        parameters = [nn.Parameter(torch.randn(elements, device=self.device)) for _ in range(count)]
        optimizer = make_optimizer(name, parameters, fused)
        other = torch.zeros(CACHES, device=self.device)
        plain, timed = [], []
        end = time.perf_counter() + self.spend
        while len(plain) < 8 or (time.perf_counter() < end and len(plain) < PLENTY):
            self.make_gradients(parameters, other)
            plain.append(self.plain_step(optimizer))
            self.make_gradients(parameters, other)
            timed.append(self.timed_step(optimizer))
        operators = self.by_position(timed[1:])  # the first step makes the state
        return dict(optimizer=name, variant=variant_of(operators), parameters=count, elements=elements,
                    step=statistics.median(plain[1:]), operators=operators)

    def make_gradients(self, parameters, other):
        for parameter in parameters:
            parameter.grad = None
        sum((parameter * parameter).sum() for parameter in parameters).backward()
        other.add_(1)
        self.clock.finish()

    def plain_step(self, optimizer):
        start = self.clock.mark()
        optimizer.step()
        end = self.clock.mark()
        self.clock.finish()
        return self.clock.seconds(start, end)

    def timed_step(self, optimizer):
        self.clock.hold()
        with OptimizerOperators(self.clock) as times:
            optimizer.step()
        self.clock.finish()
        return times.seconds()

    def optimizers(self, rows, end):
        """Those there is time for."""
        results = []
        for name, fused, count, elements in rows:
            what = f"a step of {name}{' fused' * bool(fused)}, {count} parameters of {elements}"
            if time.monotonic() >= end:
                leave_out(f"{what} and what follows", "the time is over (--minutes)")
                break
            results.append(self.unless_it_fails(what, self.optimizer, name, fused, count, elements))
        return [result for result in results if result]

    def whole(self, name, make, make_inputs, optimizer_name):
        inputs = make_inputs()
        file = self.export(make, inputs, torch.float32)
        empty_cache(self.device)
        model, inputs = self.on_device(make, inputs, torch.float32)
        optimizer = make_optimizer(optimizer_name, model.parameters())
        self.passes(model, inputs, optimizer)
        self.passes(model, inputs, optimizer)
        if self.device == "cuda":
            torch.cuda.reset_peak_memory_stats()
        steps = [self.passes(model, inputs, optimizer) for _ in range(7)]
        taken = [statistics.median(step[i] for step in steps) for i in range(3)]
        has_peaks = self.device == "cuda"
        return dict(name=name, file=file, optimizer=optimizer_name, forward=taken[0], backward=taken[1], step=taken[2],
                    allocated=torch.cuda.max_memory_allocated() if has_peaks else None,
                    reserved=torch.cuda.max_memory_reserved() if has_peaks else None)


# ----------------------------------------------------------------------------------------------------------------- links


def best_of(action, wait, repeats):
    action()
    wait()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        wait()
        times.append(time.perf_counter() - start)
    return lower_quartile(times)


def link_worker(rank, count, kind, store, report):
    """Process 0 sends to 1 and gets it back; then all sum up. Small for the latency, large for the rate."""
    import torch.distributed as dist

    torch.set_num_threads(1)
    device = f"cuda:{rank}" if kind == "cuda" else "cpu"
    wait = (lambda: torch.cuda.synchronize(device)) if kind == "cuda" else (lambda: None)
    if kind == "cuda":
        torch.cuda.set_device(rank)
    dist.init_process_group("nccl" if kind == "cuda" else "gloo", init_method=f"file://{store}", rank=rank, world_size=count)
    results = {}
    for name, numbers in (("small", 1), ("large", 1 << 24)):
        tensor = torch.zeros(numbers, device=device)

        def there_and_back():
            for source in (0, 1):
                if rank == source:
                    dist.send(tensor, 1 - source)
                elif rank == 1 - source:
                    dist.recv(tensor, source)

        repeats = 50 if numbers == 1 else 7
        results[name] = best_of(there_and_back, wait, repeats) / 2 if rank < 2 else None
        dist.barrier(**({"device_ids": [rank]} if kind == "cuda" else {}))  # else NCCL guesses, and warns
        results[name + "_sum"] = best_of(lambda: dist.all_reduce(tensor), wait, repeats)
    if rank == 0:
        Path(report).write_text(json.dumps(results))
    dist.destroy_process_group()


def measure_link(kind):
    """None where there is only one GPU, or where processes cannot be brought together."""
    count = torch.cuda.device_count() if kind == "cuda" else 2
    if kind == "mps" or count < 2 or not torch.distributed.is_available():
        return None
    with tempfile.TemporaryDirectory() as folder:
        report = f"{folder}/report"
        try:
            torch.multiprocessing.spawn(link_worker, (count, kind, f"{folder}/store", report), nprocs=count)
        except Exception as failure:  # a link that does not work is no reason to lose the rest
            print(f"the link could not be measured: {failure}", file=sys.stderr)
            return None
        times = json.loads(Path(report).read_text())
    size = 4 * (1 << 24)
    rate = lambda name: size / max(times["large" + name] - times["small" + name], 1e-9)  # noqa: E731
    return dict(how="NCCL" if kind == "cuda" else "gloo between two processes", processes=count, latency=times["small"],
                bandwidth=rate(""), all_reduce_latency=times["small_sum"],
                all_reduce_bandwidth=rate("_sum") * 2 * (count - 1) / count)


# --------------------------------------------------------------------------------------------------------------- devices


def processor_name():
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return "CPU"
    return next((line.split(": ", 1)[1] for line in lines if line.startswith("model name") and ": " in line), "CPU")


def clock_hz():
    """Of a multiprocessor that works: a kernel of PyTorch's waits for so many cycles."""
    cycles, start, end = 50_000_000, *(torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda._sleep(cycles)
    start.record()
    torch.cuda._sleep(cycles)
    end.record()
    torch.cuda.synchronize()
    return cycles / (1e-3 * start.elapsed_time(end))


def context_bytes():
    """What the device has beside tensors: the driver's context and libraries, and whatever else uses the device."""
    free, total = torch.cuda.mem_get_info()
    return total - free - torch.cuda.memory_reserved()


def allocator_sizes():
    """What the allocator takes for little, and for little more than a MiB: once what it has is full."""
    sizes = []
    for count in (1 << 20, (1 << 20) + 1):
        torch.cuda.empty_cache()
        before, filling = torch.cuda.memory_reserved(), []
        while torch.cuda.memory_reserved() == before and len(filling) < 64:
            filling.append(torch.empty(count, dtype=torch.uint8, device="cuda"))
        sizes.append(torch.cuda.memory_reserved() - before)
        del filling
    return dict(small=sizes[0], large=sizes[1], settings=os.environ.get("PYTORCH_CUDA_ALLOC_CONF", ""))


def describe(kind, threads):
    if kind == "cuda":
        properties = torch.cuda.get_device_properties(0)
        major, minor = torch.cuda.get_device_capability(0)
        return dict(kind=kind, name=properties.name, memory_bytes=properties.total_memory, compute_capability=10 * major + minor,
                    clock_hz=None if torch.version.hip else clock_hz(),
                    multiprocessors=properties.multi_processor_count, cache_bytes=getattr(properties, "L2_cache_size", 0),
                    runtime=torch.version.hip and f"ROCm {torch.version.hip}" or f"CUDA {torch.version.cuda}")
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if kind == "mps":
        return dict(kind=kind, name="Apple GPU", memory_bytes=torch.mps.recommended_max_memory(), runtime="Metal")
    return dict(kind=kind, name=processor_name(), memory_bytes=memory, threads=threads, runtime=f"{threads} thread(s)")


def product_types(kind):
    types = [torch.float32, torch.bfloat16, torch.float16]
    return types if kind == "mps" else types + [torch.float64]


def half_type(kind):
    """That the device has units for; None on a CPU, whose probes are in float32 alone."""
    if kind == "cpu":
        return None
    is_old = kind == "cuda" and not torch.version.hip and torch.cuda.get_device_capability(0) < (8, 0)
    return torch.float16 if is_old else torch.bfloat16


def default_device():
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


class Steps:
    """Says which part runs, and how far along it is."""

    def __init__(self, total):
        self.total, self.done, self.start = total, 0, time.monotonic()

    def __call__(self, what):
        self.done += 1
        print(f"[{min(self.done, self.total)}/{self.total}] {time.monotonic() - self.start:4.0f} s  {what}", flush=True)


def measure(kind, threads, folder, quick, minutes):
    clock = {"cuda": CudaClock, "mps": MpsClock}.get(kind, lambda: CpuClock(threads))()
    types = [dtype for dtype in (torch.float32, half_type(kind)) if dtype]
    sizes = {family: rows[:3] if quick else rows for family, rows in FAMILIES.items()}
    runs = [(family, dtype) for dtype in types for family in FAMILIES if dtype == torch.float32 or family in OTHER_TYPES]
    whole, steppers = whole_steps(kind), optimizer_rows(kind, quick)
    say = Steps(3 + len(steppers) + len(product_types(kind)) + sum(len(sizes[family]) for family, _ in runs) + len(whole))
    bench = Bench(kind, clock, folder, 0.02 if quick else 0.15 if kind == "cpu" else 0.1, say)
    device, end = describe(kind, threads), time.monotonic() + 60 * minutes
    say("views: what handing an operator over takes")
    dispatch = bench.probe(Views)
    bench.overhead = statistics.median(dispatch["operators"]["aten::view"])
    dispatch = bench.probe(Views)
    say("operators: what handing one over takes")
    chain = bench.chain()
    products = []
    for dtype in product_types(kind):
        side = 512 if kind == "cpu" else 2048 if dtype == torch.float64 else 8192
        product = bench.unless_it_fails(f"matrix products in {str(dtype)[6:]}", bench.product, side, dtype)
        if product:
            products.append(dict(product, dtype=str(dtype)[6:]))
    optimizers = bench.optimizers(steppers, end)
    probes = bench.families(runs, sizes, end)
    steps = [taken for step in whole if (taken := bench.unless_it_fails(f"a step of: {step[0]}", bench.whole, *step))]
    if kind == "cuda":
        device.update(context_bytes=context_bytes(), allocator=allocator_sizes())
    say("messages between processes")
    device["link"] = measure_link(kind)
    return dict(stagecraft_device_table=FORMAT, torch=torch.__version__, device=device, dispatch=dispatch, operator_dispatch=chain,
                products=products, optimizers=optimizers, probes=probes, steps=steps)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("-o", "--output", type=Path, default=Path("measured-device"), help="the folder to write")
    parser.add_argument("--device", choices=("cuda", "mps", "cpu"), default=default_device())
    parser.add_argument("--threads", type=int, help="that operators may use on a CPU: 1 unless said")
    parser.add_argument("--minutes", type=float, default=4, help="that probes may take: 4 unless said")
    parser.add_argument("--quick", action="store_true", help="small sizes alone: to try the script, not to calibrate by")
    given = parser.parse_args()
    if (given.output / "table.json").exists():
        sys.exit(f"{given.output}: holds a table already; name another folder with -o")
    if given.threads is not None and (given.device != "cpu" or given.threads < 1):
        sys.exit(f"--threads {given.threads}: 1 or more, and of a CPU alone (--device cpu)")
    if not given.minutes > 0:
        sys.exit(f"--minutes {given.minutes}: more than 0")
    is_there = {"cuda": torch.cuda.is_available, "mps": torch.backends.mps.is_available, "cpu": lambda: True}
    if not is_there[given.device]():
        sys.exit(f"--device {given.device}: this PyTorch ({torch.__version__}) finds none")
    try:
        given.output.mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        sys.exit(f"{given.output}: cannot be made: {failure.strerror}")
    warnings.filterwarnings("ignore")
    torch.manual_seed(0)
    table = measure(given.device, given.threads or 1, given.output, given.quick, given.minutes)
    partial = given.output / "table.json.partial"
    partial.write_text(json.dumps(table, indent=1))
    partial.replace(given.output / "table.json")
    print(f"written to {given.output}; make the device file of it with\n"
          f"    stagecraft-cli calibrate --from {given.output} -o this-device.json")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print("stopped: there is no table: run it again", file=sys.stderr)
        sys.exit(130)
