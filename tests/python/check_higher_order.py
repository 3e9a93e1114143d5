"""Are programs with PyTorch's higher-order operators profiled, split, written and run as PyTorch runs them?

    check_higher_order.py stagecraft-cli

Each model is exported here, split in two and verified, also the written Python; then PyTorch itself loads and chains the
stages' .pt2 files: outputs and gradients must be those of the model.
"""
import json
import pathlib
import sys
import tempfile
import warnings
import zipfile

import torch
import torch.nn as nn
from torch._higher_order_ops.associative_scan import associative_scan
from torch._higher_order_ops.hints_wrap import hints_wrapper
from torch._higher_order_ops.map import map as mapped
from torch._higher_order_ops.out_dtype import out_dtype
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.strict_mode import strict_mode
from torch._higher_order_ops.while_loop import while_loop
from torch.compiler import nested_compile_region
from torch.func import jvp
from torch.utils.flop_counter import FlopCounterMode

from commands import run

warnings.filterwarnings("ignore")
D = 8


class Between(nn.Module):
    """What is tried, between two layers that a plan can part."""

    def __init__(self, middle):
        super().__init__()
        self.first, self.second, self.middle = nn.Linear(D, D), nn.Linear(D, D), middle

    def forward(self, x):
        return self.second(self.middle(self.first(x)))


class Quantised(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("weight", torch.randint(-9, 9, (D, D), dtype=torch.int8))

    def forward(self, x):
        rounded = torch.clamp(torch.round(x * 8), -128, 127).to(torch.int8)
        return out_dtype(torch.ops.aten.mm.default, torch.int32, rounded, self.weight).to(torch.float32) * 0.01


class Called(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


class Inner(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.weight, self.function = nn.Parameter(torch.randn(D, D)), function

    def forward(self, x):
        return self.function(x, self.weight)


@nested_compile_region
def region(x):
    return torch.relu(x) * 2


def printed(x):
    torch.ops.higher_order.print("x has {} rows", 4)
    return x.relu()


def normed(x):
    return nn.functional.layer_norm(x, (D,))


def twice(x):
    return torch.relu(x) * 2


# Of each how it is exported, and what its file must hold.
MODELS = {
    "out_dtype": (Quantised(), "plain", "out_dtype"),
    "out_dtype_before_2_7": (Quantised(), "without notes", "out_dtype"),
    "strict_mode": (Called(lambda x: strict_mode(twice, (x,))), "plain", "strict_mode"),
    "hints": (Called(lambda x: hints_wrapper(twice, (x,), {}, hints={"fast": True})), "plain", "hints_wrapper"),
    "print": (Called(printed), "plain", "print"),
    "print_in_order": (Called(printed), "decomposed", "with_effects"),
    "print_and_hints": (Called(lambda x: hints_wrapper(normed, (printed(x),), {}, hints={"fast": True})), "decomposed",
                        "with_effects"),  # a token and a result within are both called getitem
    "nested_region": (Called(lambda x: region(region(x))), "strict", "invoke_subgraph"),
    "associative_scan": (Called(lambda x: associative_scan(torch.add, x, 0, combine_mode="generic")), "plain",
                         "_vmap_increment_nesting"),
    "scan": (Called(lambda x: scan(lambda c, y: ((c + y).tanh(), c * y), torch.zeros(D), x)[1]), "plain",
             "scan"),
    "map": (Called(lambda x: mapped(lambda row, w: torch.tanh(row * w), x, torch.ones(D))), "plain",
            "map_impl"),
    "nested_vmap": (Called(torch.vmap(torch.vmap(lambda element: element.sin() * 2))), "plain",
                    "_vmap_increment_nesting"),
    "jvp": (Called(lambda x: sum(jvp(torch.tanh, (x,), (x.cos(),)))), "plain", "_jvp_increment_nesting"),
    "jvp_of_weights": (Inner(lambda x, weight: jvp(lambda a, b: torch.tanh(a @ b), (x, weight),
                                                   (x.sin(), torch.ones_like(weight)))[1]),
                       "plain", "_jvp_increment_nesting"),
    "jvp_with_others": (Called(lambda x: jvp(lambda a: (a.sin(), a.cos()), (x,), (x,), has_aux=True)[1]), "plain",
                        "_jvp_increment_nesting"),
    "nested_jvp": (Called(lambda x: jvp(lambda a: jvp(torch.sin, (a,), (a.cos(),))[1], (x,), (x.cos(),))[1]), "plain",
                   "_jvp_increment_nesting"),
    "jvp_of_vmap": (Inner(lambda x, weight: jvp(torch.vmap(lambda row: torch.tanh(row @ weight)), (x,), (x.cos(),))[1]),
                    "plain", "_jvp_increment_nesting"),
    "while_loop": (Called(lambda x: while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y.tanh()),
                                               (torch.tensor(0), x))[1]), "plain", "while_loop"),
}
# PyTorch has no backward for these, the nested region as an operator of a .pt2: no gradients to compare with.
FORWARD_ONLY = {"out_dtype", "out_dtype_before_2_7", "strict_mode", "hints", "print_and_hints", "while_loop", "nested_region"}


def exported(model, kind, x):
    program = torch.export.export(model, (x,), strict=kind == "strict")
    return program.run_decompositions() if kind == "decomposed" else program


def without_notes(file):
    """As PyTorch wrote it before 2.7: nothing says that an operator gives a tensor, and not a tuple with it."""
    with zipfile.ZipFile(file) as archive:
        entries = [(entry.filename, archive.read(entry)) for entry in archive.infolist()]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, data in entries:
            if name.endswith("models/model.json"):
                program = json.loads(data)
                for node in program["graph_module"]["graph"]["nodes"]:
                    node.pop("is_hop_single_tensor_return")
                data = json.dumps(program).encode()
            archive.writestr(name, data)


def gradients(output, modules):
    output.square().sum().backward()
    return {name: p.grad for module in modules for name, p in module.named_parameters() if p.grad is not None}


def flops_of_a_step(model, x):
    with FlopCounterMode(display=False) as counter:
        model(x).square().sum().backward()
    model.zero_grad()
    return counter.get_total_flops()


def check(cli, folder, name):
    middle, kind, mark = MODELS[name]
    torch.manual_seed(0)
    model, x = Between(middle).train(), torch.randn(4, D)
    program = exported(model, kind, x)
    called = {getattr(node.target, "__name__", str(node.target)) for node in program.graph.nodes}
    assert mark in called, f"{name}: the file lacks {mark}"
    file, stages = folder / f"{name}.pt2", folder / name
    torch.export.save(program, file)
    if kind == "without notes":
        without_notes(file)
    # Of times every note speaks as of an estimate; what operators read, write and compute is exact.
    profile = json.loads(run(cli, "profile", file, "--json"))
    notes = [note for note in profile["notes"] if not note.startswith("times:")]
    assert name == "while_loop" or not any("estimated" in note for note in notes), f"{name}: {notes}"
    if "jvp" in name:
        work = profile["totals"]["flops_forward"] + profile["totals"]["flops_backward"]
        assert (profile["exact"], work) == (True, flops_of_a_step(model, x)), f"{name}: {profile['totals']}"
    run(cli, "export", file, "--stages", 2, "-o", stages)
    run(cli, "verify", file, stages, "--python", "--python-path", sys.executable)
    modules = [torch.export.load(stages / f"stage_{i}.pt2").module() for i in range(2)]
    wanted = model(x)
    output = x
    for module in modules:
        output = module(*output) if isinstance(output, tuple) else module(output)
    torch.testing.assert_close(output, wanted)
    if name in FORWARD_ONLY:
        return
    got = gradients(output, modules)
    for parameter, gradient in gradients(wanted, [model]).items():
        torch.testing.assert_close(got[parameter], gradient, msg=f"{name}: the gradient of {parameter} differs")


def main():
    cli = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[2:] or MODELS:
            check(cli, pathlib.Path(folder), name)
            print(f"{name}: as PyTorch", flush=True)


main()
