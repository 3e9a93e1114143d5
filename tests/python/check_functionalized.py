"""Do operators that write in place, which decomposed graphs call on copies, run as PyTorch runs them?

    check_functionalized.py stagecraft-cli LIBRARY

LIBRARY is writing_operators.cpp. Of each model the decomposed export is profiled, split in two and verified with the
library, also the written Python; then PyTorch loads and chains the stages' .pt2 files: outputs must be the model's.
"""
import json
import pathlib
import sys
import tempfile
import warnings

import torch
import torch.nn as nn
from torch._higher_order_ops.auto_functionalize import auto_functionalized

from commands import run

warnings.filterwarnings("ignore")
torch.ops.load_library(sys.argv[2])
OPERATORS = torch.ops.stagecraft_writing
D = 6


def whole(module, x):
    total = torch.zeros_like(x)
    OPERATORS.add_scaled(total, x, 0.5)
    return total


def parts(module, x):
    total = torch.zeros(12, D) + x.sum()
    OPERATORS.add_scaled(total[:6], x)
    OPERATORS.add_scaled(total[6:], x, 2.0)
    OPERATORS.add_scaled(total.view(6, 2, D)[:, 0], x)
    OPERATORS.add_scaled(total.view(12, D)[2:8], x)
    return total[::2]


def lists(module, x):
    first, second = x * 1, x * 2
    OPERATORS.add_to_all([first, second], x)
    both = torch.zeros(12, D) + x.sum()
    OPERATORS.add_to_all([both[:6], both[6:]], x)
    return first + second + both[3:9]


def several(module, x):
    first = x * 1
    a, b = OPERATORS.add_to_both(first, None, x)
    second = x * 3
    c, d = OPERATORS.add_to_both(first, second, x)
    return first + second + a + b + c + d


def buffer(module, x):
    return OPERATORS.add_and_double(module.total, x) + module.total


def transposed(module, x):
    total = torch.zeros(D, 6).t()
    OPERATORS.add_scaled(total, x)
    return total.contiguous()


def first_version(module, x):
    """As PyTorch before 2.6 decomposed them."""
    total = auto_functionalized(OPERATORS.add_scaled.default, total=x * 2, x=x, scale=3.0)[1]
    totals = auto_functionalized(OPERATORS.add_to_all.default, totals=[x * 1, total], x=x)[1]
    made = auto_functionalized(OPERATORS.add_to_both.default, total=total, other=None, x=x)
    return totals[0] + totals[1] + made[0] + made[2]


class Between(nn.Module):
    """What is tried, between two layers that a plan can part. Only the layers learn: the operators have no backward."""

    def __init__(self, middle):
        super().__init__()
        self.first, self.second, self.middle = nn.Linear(D, D), nn.Linear(D, D), middle
        self.register_buffer("total", torch.zeros(6, D))

    def forward(self, x):
        y = self.first(x)
        return self.second(y + self.middle(self, y.detach()))


MODELS = [whole, parts, lists, several, buffer, transposed, first_version]


def check(cli, folder, middle):
    name, library = middle.__name__, ["--op-library", sys.argv[2]]
    torch.manual_seed(0)
    model, x = Between(middle), torch.randn(6, D)
    program = torch.export.export(model, (x,)).run_decompositions()
    called = {getattr(node.target, "__name__", str(node.target)) for node in program.graph.nodes}
    assert any("auto_functionalized" in target for target in called), f"{name}: {called}"
    file, stages = folder / f"{name}.pt2", folder / name
    torch.export.save(program, file)
    profile = json.loads(run(cli, "profile", file, "--json", *library))
    assert profile["exact"], f"{name}: {profile['notes']}"
    run(cli, "export", file, "--stages", 2, "-o", stages, *library)
    # The Python stages find the operators in the process that runs them, which has no such library.
    run(cli, "verify", file, stages, *library)
    wanted = model(x)
    output = x
    for module in [torch.export.load(stages / f"stage_{i}.pt2").module() for i in range(2)]:
        output = module(*output) if isinstance(output, tuple) else module(output)
    torch.testing.assert_close(output, wanted, msg=f"{name}: {output} is not {wanted}")


def main():
    cli = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for middle in MODELS:
            check(cli, pathlib.Path(folder), middle)
            print(f"{middle.__name__}: as PyTorch", flush=True)


main()
