#!/usr/bin/env python3
"""Makes tests/data/models/made/*.pt2: small exports with everything that is tricky to read.

Usage: make_models.py FOLDER. Beside each model lies NAME.json with what PyTorch says of it: number of nodes, leaves
of its inputs and outputs, names in its state dict.
"""
import collections
import json
import re
import sys
from pathlib import Path

import torch
from torch import nn
from torch.export import Dim, export

Point = collections.namedtuple("Point", ["x", "y"])


class Nested(nn.Module):
    """Positional, keyword, nested, None and literal inputs; a dict of tuples comes out."""

    def forward(self, x, pair, flag, *, mask=None, options=None, mode="sum"):
        y = x + pair[0] * pair[1]["deep"]
        if flag:
            y = y * 2
        if mask is not None:
            y = y * mask
        y = y.sum(0) if mode == "sum" else y
        return {"out": y, "pair": (y + 1, [y - 1]), "none": None, "n": 3}


class Control(nn.Module):
    """cond, while_loop, no_grad and autocast."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        x = torch.cond(x.sum() > 0, lambda t: t + 1, lambda t: t - 1, (x,))
        with torch.no_grad():
            scale = x.abs().mean()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = self.fc(x)
            with torch.set_grad_enabled(False):
                z = y * 2
        n = torch.tensor(0)
        _, x = torch._higher_order_ops.while_loop(
            lambda i, t: i < 3, lambda i, t: (i + 1, t * 2), (n, x))
        return y.float() * scale + z.float() + x


class Lists(nn.Module):
    """split, chunk, topk, LSTM, index with None, tensor constants, in-place writes through views."""

    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(4, 4, batch_first=True)
        self.register_buffer("cache", torch.zeros(2, 4), persistent=False)
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        a, b = x.split(2, 1)
        values, _ = torch.topk(a, 2, dim=-1)
        self.count.add_(1)
        self.cache[0].copy_(x[0, 0])
        view = b.transpose(0, 1)
        b.relu_()
        out, (h, _) = self.rnn(x)
        picked = out[:, torch.tensor([0, 1])]
        return picked, values, view, h, self.cache + self.count


class Types(nn.Module):
    """Every element type, a view of a shared storage, a tied and a strided parameter, complex numbers."""

    def __init__(self):
        super().__init__()
        base = torch.arange(24, dtype=torch.float32)
        self.tied = nn.Parameter(base[:16].view(4, 4))
        self.same = self.tied
        self.strided = nn.Parameter(base.view(4, 6).t()[:4])
        for name in ("uint8", "int8", "int16", "int32", "float16", "bfloat16", "float64", "bool", "complex64",
                     "float8_e4m3fn", "float8_e5m2", "uint16", "uint32", "uint64"):
            self.register_buffer("of_" + name, torch.ones(3).to(getattr(torch, name)))

    def forward(self, x):
        y = x @ self.tied + x @ self.same + x @ self.strided
        for name in ("uint8", "int8", "int16", "int32", "float16", "bfloat16", "float64", "bool"):
            y = y + getattr(self, "of_" + name).to(torch.float32).sum()
        c = self.of_complex64 * torch.complex(torch.tensor(1.0), torch.tensor(2.0))
        return y + c.real.sum() + self.of_float8_e4m3fn.float().sum() + self.of_float8_e5m2.float().sum()


class Sizes(nn.Module):
    """Symbolic and data-dependent sizes."""

    def forward(self, x, n: int):
        found = torch.nonzero(x)
        torch._check(found.shape[0] >= 0)
        half = x.view(-1)[: x.shape[0] // 2 * n]
        return found, torch.cat([x, x]).reshape(-1, 2), half, x.shape[0] * 2


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.norm = nn.BatchNorm2d(4)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)))


def models():
    x = torch.randn(4, 4)
    args = (x, (x, {"deep": x}), True)
    yield "nested", export(Nested(), args, {"mask": None, "options": None, "mode": "sum"})
    yield "control", export(Control(), (x,))
    yield "control-strict", export(Control(), (x,), strict=True)
    yield "lists", export(Lists(), (torch.randn(2, 4, 4),))
    yield "types", export(Types(), (x,))
    yield "sizes", export(Sizes(), (torch.randn(6, 4), 2), dynamic_shapes={"x": {0: Dim("rows", min=3, max=64)}, "n": Dim.AUTO})
    program = export(Norm(), (torch.randn(2, 3, 8, 8),))
    yield "norm", program
    yield "norm-core", program.run_decompositions()
    with torch.device("meta"):
        yield "norm-shapes", export(Norm(), (torch.randn(2, 3, 8, 8),))


def without_machine(program):
    """Source paths from the package or this folder on: files must not tell where they were made."""
    for module in program.graph_module.modules():
        if isinstance(module, torch.fx.GraphModule):
            for node in module.graph.nodes:
                if node.meta.get("stack_trace"):
                    node.meta["stack_trace"] = re.sub(r'File "/[^"]*/(site-packages|python|lib)/', 'File "',
                                                      node.meta["stack_trace"])


def write_package(folder):
    """Two programs in one file."""
    from torch.export.pt2_archive._package import package_pt2

    x = torch.randn(4, 8)
    programs = {"encoder": export(nn.Sequential(nn.Linear(8, 16), nn.ReLU()), (x,)),
                "decoder": export(nn.Sequential(nn.Linear(8, 4), nn.Tanh()), (x,))}
    for program in programs.values():
        without_machine(program)
    folder.mkdir(parents=True, exist_ok=True)
    package_pt2(str(folder / "programs.pt2"), exported_programs=programs)


def main(folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    write_package(folder / "package")
    torch.manual_seed(0)
    produce = models()
    for name, program in produce:
        without_machine(program)
        torch.export.save(program, folder / f"{name}.pt2")
        signature = program.graph_signature
        (folder / f"{name}.json").write_text(json.dumps({
            "nodes": [node.name for node in program.graph.nodes if node.op == "call_function"
                      and "getitem" not in str(node.target)],
            "regions": [node.name for node in program.graph.nodes if "wrap_with_" in str(node.target)],
            "input_leaves": program.call_spec.in_spec.num_leaves,
            "output_leaves": program.call_spec.out_spec.num_leaves,
            "parameters": sorted(signature.parameters),
            "buffers": sorted(signature.buffers)}, indent=1))
        print(name, len(program.graph.nodes))


if __name__ == "__main__":
    main(sys.argv[1])
