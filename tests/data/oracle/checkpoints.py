"""Makes programs with checkpoint regions and counts one training step of each; writes checkpoints.json.

usage: python checkpoints.py          (torch 2.13; real tensors on the CPU)

The programs go to checkpoints/NAME.pt2, exported strictly: only so does torch.export keep a region. The step and the
counting are those of profile.json. A region runs as torch.utils.checkpoint(..., use_reentrant=False) runs the function
of an eager model: its activations are arguments, parameters and buffers it reads from outside, random numbers are put
back, and it stops at the last tensor that backward needs. (PyTorch's own operator for regions, tag_activation_checkpoint,
is for torch.compile: without it, it runs to the end and draws new random numbers.)
    flops_forward, flops_backward     tracker.py's count; a second run is part of the backward pass
    flops_torch                       FlopCounterMode: forward, total
    updates                           what num_batches_tracked of batch norms has gone up by
"""
import json
import os
import warnings

import torch
import torch._higher_order_ops.wrap as wrap
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint
from torch.utils.flop_counter import FlopCounterMode

import tracker

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "checkpoints")

warnings.filterwarnings("ignore")


def again(function, *args):
    return checkpoint(function, *args, use_reentrant=False)


# ---------------------------------------------------------------- programs
class Block(nn.Module):
    def __init__(self, width, dropout=0.0):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(dropout) if dropout else nn.Identity()

    def forward(self, x):
        return x + self.dropout(self.down(F.gelu(self.up(self.norm(x)))))


class Attention(nn.Module):
    def __init__(self, width, dropout):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.drop = dropout

    def forward(self, x, mask):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        weights = torch.softmax(q @ k.transpose(-1, -2) + mask, dim=-1)
        return x + self.out(F.dropout(weights, self.drop, self.training) @ v)


class Program(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.blocks = nn.ModuleList(Block(width) for _ in range(4))
        self.head = nn.Linear(width, 8)


class Sequence(Program):
    """Regions one behind another."""
    def forward(self, x):
        for block in self.blocks:
            x = again(block, x)
        return self.head(x)


class Nested(Program):
    """A region in a region, nodes before and after it."""
    def forward(self, x):
        def outer(x):
            return self.blocks[2](again(self.blocks[1], self.blocks[0](x)))
        return self.head(self.blocks[3](again(outer, x)))


class NestedLast(Program):
    """A region ends with a region that ends with one, and begins with one."""
    def forward(self, x):
        def inner(x):
            return again(self.blocks[3], self.blocks[2](x))

        def outer(x):
            return again(inner, self.blocks[1](again(self.blocks[0], x)))
        return self.head(again(outer, x))


class Dropout(nn.Module):
    """Random numbers; a region with two operands, one of them nobody differentiates."""
    def __init__(self, width=16):
        super().__init__()
        self.attention = nn.ModuleList(Attention(width, 0.2) for _ in range(2))
        self.block = Block(width, 0.1)

    def forward(self, x):
        mask = torch.full((x.shape[1], x.shape[1]), -1.0).triu(1)
        for layer in self.attention:
            x = again(layer, x, mask)
        return again(self.block, x)


class BatchNorm(nn.Module):
    """Convolutions and batch norms; activations in place."""
    def __init__(self):
        super().__init__()
        layers = [nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU(inplace=True))
                  for a, b in ((3, 8), (8, 8), (8, 4))]
        self.layers = nn.ModuleList(layers)

    def forward(self, x):
        x = self.layers[0](x)
        for layer in self.layers[1:]:
            x = again(layer, x)
        return x


class Unneeded(Program):
    """A region whose output nobody differentiates, beside one that is needed in part."""
    def forward(self, x):
        x = self.blocks[0](x)
        seen = again(self.blocks[1], x)

        def both(x):
            return self.blocks[2](x), self.blocks[3](x)
        kept, dropped = again(both, x)
        return self.head(kept), dropped.detach() + seen.detach()


class NoGradient(Program):
    """A region that switches gradients off for a part. (Of no_grad around a region nothing is left after export.)"""
    def forward(self, x):
        with torch.no_grad():
            x = x + again(self.blocks[0], x)

        def part(x):
            x = self.blocks[1](x)
            with torch.no_grad():
                y = self.blocks[2](x)
            return self.blocks[3](x) * y
        return self.head(again(part, x))


class Results(nn.Module):
    """Regions whose last saved tensor is a result: of an operator, of one in place, of a composite one."""
    def __init__(self, width=24):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(4))

    def forward(self, x):
        x = again(lambda x: torch.sigmoid(self.layers[0](x)), x)
        x = again(lambda x: torch.relu_(self.layers[1](x)), x)
        x = again(lambda x: torch.softmax(self.layers[2](x), -1), x)
        return again(lambda x: self.layers[3](x).view(-1).exp().view(x.shape) + 1, x)


class Forks(Program):
    """Two regions of one value, whose results meet; two outputs; a value that skips a region."""
    def forward(self, x):
        x = self.blocks[0](x)
        left = again(self.blocks[1], x)

        def two(x, y):
            y = self.blocks[2](y)
            return torch.tanh(x * y), y
        right, more = again(two, x, left)
        return self.head(left * right + more + x)


class Mixed(nn.Module):
    """Autocast inside a region, fused attention."""
    def __init__(self, width=16):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def part(self, x):
        with torch.autocast("cpu", torch.bfloat16):
            q, k, v = (t.unflatten(-1, (2, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, dim=-1))
            y = self.out(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
        return x + y.float()

    def forward(self, x):
        return again(self.part, again(self.part, x))


def programs():
    sequence = torch.randn(4, 12, 16)
    yield "sequence", Sequence(), sequence
    yield "nested", Nested(), sequence
    yield "nested-last", NestedLast(), sequence
    yield "dropout", Dropout(), sequence
    yield "batch-norm", BatchNorm(), torch.randn(4, 3, 10, 10)
    yield "unneeded", Unneeded(), sequence
    yield "no-gradient", NoGradient(), sequence
    yield "results", Results(), torch.randn(4, 6, 24)
    yield "forks", Forks(), sequence
    yield "mixed", Mixed(), sequence


# ---------------------------------------------------------------- export
def export(model, args):
    """torch 2.13 asks every region for a key that only a selective policy sets; so it gets one."""
    init, run = torch.fx.GraphModule.__init__, wrap.tag_activation_checkpoint_impl

    def with_key(self, *args, **kwargs):
        init(self, *args, **kwargs)
        self.meta.setdefault("_checkpoint_context_fn", None)

    def without_key(body, *args, **kwargs):
        key = body.meta.pop("_checkpoint_context_fn", None)
        try:
            return run(body, *args, **kwargs)
        finally:
            body.meta["_checkpoint_context_fn"] = key
    torch.fx.GraphModule.__init__, wrap.tag_activation_checkpoint_impl = with_key, without_key
    try:
        return torch.export.export(model, args, strict=True)
    finally:
        torch.fx.GraphModule.__init__, wrap.tag_activation_checkpoint_impl = init, run


# ---------------------------------------------------------------- counting
def run_regions_as_eager_does(stored):
    """Regions take their activations as arguments and see what the module holds from outside."""
    held = {id(t) for t in stored}

    def run(body, *args, **kwargs):
        places = [i for i, arg in enumerate(args) if id(arg) not in held]
        outside = [arg if id(arg) in held else None for arg in args]

        def function(*activations):
            inputs = list(outside)
            for place, activation in zip(places, activations):
                inputs[place] = activation
            del activations, activation
            return body(*inputs)
        activations = [args[i] for i in places]
        del args
        return checkpoint(function, *activations, use_reentrant=False)
    wrap.tag_activation_checkpoint_impl = run


def count(path):
    program = torch.export.load(path)
    args, kwargs = program.example_inputs
    module = program.module()
    parameters, buffers = list(module.parameters()), list(module.buffers())
    inputs = [t for t in torch.utils._pytree.tree_leaves((args, kwargs)) if isinstance(t, torch.Tensor)]
    run_regions_as_eager_does(parameters + buffers)
    before = {name: int(b) for name, b in module.named_buffers() if name.endswith("num_batches_tracked")}
    counter, memory = tracker.step_memory(lambda: module(*args, **kwargs), parameters, [*parameters, *buffers, *inputs])
    updates = {name: int(b) - before[name] for name, b in module.named_buffers() if name in before}
    row = {name: memory[name] for name in ("live_after_forward", "peak_forward", "peak_backward", "peak", "gradient_bytes")}
    for phase in ("forward", "backward"):
        row["flops_" + phase] = sum(counter.flops[phase].values())
        row["ops_" + phase] = sum(counter.ops[phase].values())
    flops = FlopCounterMode(display=False)
    with flops:
        out = module(*args, **kwargs)
        forward = flops.get_total_flops()
        tracker.float_sum(out).backward()
    row["flops_torch"] = {"forward": forward, "total": flops.get_total_flops()}
    classes = dict(parameters=parameters, buffers=buffers, inputs=inputs)
    row["saved_bytes"] = tracker.saved_bytes(lambda: module(*args, **kwargs), classes)["saved_bytes"]
    with torch.no_grad():
        row["peak_inference"] = inference(module, args, kwargs, [*parameters, *buffers, *inputs])
    return row | ({"updates": updates} if updates else {})


def inference(module, args, kwargs, base):
    counter = tracker.Tracker(base)
    with counter:
        out = module(*args, **kwargs)
    del out
    return counter.peaks["forward"]


if __name__ == "__main__":
    torch.set_num_threads(1)
    os.makedirs(FOLDER, exist_ok=True)
    original, rows = wrap.tag_activation_checkpoint_impl, []
    for name, model, example in programs():
        torch.manual_seed(0)
        wrap.tag_activation_checkpoint_impl = original
        path = os.path.join(FOLDER, name + ".pt2")
        torch.export.save(export(model, (example,)), path)
        rows.append({"name": name, "file": f"oracle/checkpoints/{name}.pt2"} | count(path))
    with open(os.path.join(HERE, "checkpoints.json"), "w") as file:
        json.dump({"torch": torch.__version__.split("+")[0], "rows": rows}, file, indent=1)
        file.write("\n")
