"""Counts what torch.optim keeps and what it takes for a moment, and writes optimizers.json.

usage: python optimizers.py > optimizers.json          (torch 2.13; real tensors on the CPU)

A dispatch mode sees every ATen operator of optimizer.step(). A storage is live from the operator that returned it
to the moment its last reference is gone. Parameters and gradients exist before and are not counted. Numbers that a
GPU run keeps on the host (the step counters of single and foreach variants) are not counted either.

Each row: two steps of one optimizer over one list of parameters.
    state        bytes alive after the first step: the optimizer's state
    first_peak   most bytes alive during the first step, state included
    later_peak   the same during the second step
    first_born   sum of the sizes of all storages born in the first step
    later_born   the same in the second
"""
import json
import sys
import weakref

import torch
from torch.optim import SGD, Adafactor, Adam, AdamW
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

aten = torch.ops.aten

MODELS = {
    "mlp": [([64, 32], "f32"), ([64], "f32"), ([128, 64], "f32"), ([128], "f32"), ([10, 128], "f32")],
    "convnet": [([16, 3, 3, 3], "f32"), ([16], "f32"), ([32, 16, 3, 3], "f32"), ([32], "f32"), ([1], "f32")],
    "growing": [([4, 4], "f32"), ([32, 4], "f32"), ([256, 32], "f32"), ([256], "f32")],
    "mixed": [([64, 32], "bf16"), ([64], "f32"), ([128, 64], "bf16"), ([128], "f32"), ([10, 128], "bf16")],
    "bf16": [([64, 32], "bf16"), ([64], "bf16"), ([128, 64], "bf16")],
}
DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16}
# name, class, keyword arguments
OPTIMIZERS = [
    ("sgd", SGD, {}),
    ("sgd-momentum", SGD, {"momentum": 0.9}),
    ("adam", Adam, {}),
    ("adamw", AdamW, {}),
    ("adafactor", Adafactor, {}),
]
VARIANTS = ["single", "foreach", "fused"]


class Counter(TorchDispatchMode):
    def __init__(self, given, counts_steps):
        super().__init__()
        self.live = self.peak = self.born = 0
        self.counts_steps = counts_steps
        self.keep = [t.untyped_storage() for t in given]
        self.known = {s._cdata: 0 for s in self.keep}

    def die(self, key):
        self.live -= self.known.pop(key, 0)

    def see(self, tensor, is_host_number):
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key in self.known:
            return
        size = 0 if is_host_number else storage.nbytes()
        self.known[key] = size
        self.live += size
        self.born += size
        weakref.finalize(storage, self.die, key).atexit = False

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        # torch.tensor(0.0): a step counter, which lives on the host beside a GPU's tensors
        is_host_number = func.overloadpacket is aten.lift_fresh and not self.counts_steps
        for tensor in tree_leaves(out):
            if isinstance(tensor, torch.Tensor):
                self.see(tensor, is_host_number)
        self.peak = max(self.peak, self.live)
        return out


def new_parameters(shapes):
    parameters = []
    for shape, dtype in shapes:
        parameter = torch.nn.Parameter(torch.randn(shape).to(DTYPES[dtype]))
        parameter.grad = torch.randn_like(parameter)
        parameters.append(parameter)
    return parameters


def counted_steps(parameters, counter, step):
    row = {}
    with counter:
        for name in ("first", "later"):
            counter.peak, counter.born = counter.live, 0
            step()
            row[name + "_peak"], row[name + "_born"] = counter.peak, counter.born
            if name == "first":
                row["state"] = counter.live
    return row


def plain(optimizer, variant, shapes, arguments):
    parameters = new_parameters(shapes)
    counter = Counter(parameters + [p.grad for p in parameters], variant == "fused")
    made = optimizer(parameters, **arguments)
    return counted_steps(parameters, counter, made.step)


def with_master_weights(optimizer, variant, shapes, arguments):
    """Each parameter that is not float32 has a float32 copy, which the optimizer works on: all gradients are
    converted, the optimizer steps, the copies are written back, the converted gradients go."""
    parameters = new_parameters(shapes)
    counter = Counter(parameters + [p.grad for p in parameters], variant == "fused")
    masters, made = [], []

    def step():
        if not masters:
            for p in parameters:
                masters.append(p.detach() if p.dtype == torch.float32 else p.detach().float())
            made.append(optimizer(masters, **arguments))
        for master, p in zip(masters, parameters):
            master.grad = p.grad if p.dtype == torch.float32 else p.grad.float()
        made[0].step()
        for master, p in zip(masters, parameters):
            master.grad = None
            if p.dtype != torch.float32:
                p.detach().copy_(master)

    return counted_steps(parameters, counter, step)


def rows():
    for model, shapes in MODELS.items():
        for name, optimizer, arguments in OPTIMIZERS:
            for variant in VARIANTS:
                if name == "adafactor" and variant == "fused":
                    continue
                flags = {"foreach": variant == "foreach"}
                if name != "adafactor":
                    flags["fused"] = variant == "fused"
                low = any(dtype != "f32" for _, dtype in shapes)
                for master in (False, True) if low else (False,):
                    count = with_master_weights if master else plain
                    row = {"model": model, "optimizer": name, "variant": variant, "master_weights": master}
                    row.update(count(optimizer, variant, shapes, {**arguments, **flags}))
                    yield row


if __name__ == "__main__":
    torch.manual_seed(0)
    document = {"torch": torch.__version__.split("+")[0],
                "models": {name: [{"sizes": s, "dtype": d} for s, d in shapes] for name, shapes in MODELS.items()},
                "rows": list(rows())}
    text = json.dumps(document, indent=1)
    sys.stdout.write(text + "\n")
