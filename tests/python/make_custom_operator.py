#!/usr/bin/env python3
"""Makes tests/data/models/custom/scan.pt2: a program that calls an operator which PyTorch does not have.

Usage: make_custom_operator.py FOLDER. tests/cli/scan_operator.cpp defines the same operator in C++.
"""
import sys
from pathlib import Path

import torch
from make_models import without_machine
from torch import nn

library = torch.library.Library("stagecraft_test", "DEF")
library.define("scan(Tensor x, Tensor weight, int width) -> Tensor")


@torch.library.register_fake("stagecraft_test::scan")
def scan_shape(x, weight, width):
    return x.new_empty(*x.shape[:-1], width)


class Scan(nn.Module):
    def __init__(self):
        super().__init__()
        self.before = nn.Linear(8, 16)
        self.weight = nn.Parameter(torch.randn(16, 12))
        self.after = nn.Linear(12, 4)

    def forward(self, x):
        return self.after(torch.ops.stagecraft_test.scan(torch.relu(self.before(x)), self.weight, 12))


if __name__ == "__main__":
    torch.manual_seed(0)
    program = torch.export.export(Scan().train(), (torch.zeros(2, 5, 8),), strict=False)
    without_machine(program)
    torch.export.save(program, Path(sys.argv[1]) / "scan.pt2")
