#!/usr/bin/env python3
"""Makes tests/data/models/marks/pipe-split.pt2: a program that says itself where it is to be cut.

Usage: make_marked_model.py FOLDER.
"""
import sys
from pathlib import Path

import torch
from make_models import without_machine
from torch import nn
from torch.distributed.pipelining import pipe_split


class Block(nn.Module):
    """Marked inside: the second block of a stage is another stage's."""

    def __init__(self, width):
        super().__init__()
        self.first, self.second = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x):
        x = torch.relu(self.first(x))
        pipe_split()
        return self.second(x)


class Marked(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.block, self.head = nn.Linear(8, 16), Block(16), nn.Linear(16, 4)

    def forward(self, x):
        pipe_split()  # nothing is before it
        y = self.embed(x)
        z = self.block(y)
        with torch.no_grad():
            scale = y.abs().mean()
            pipe_split()
            pipe_split()  # again
            bias = y.mean()
        w = self.head(z + y * scale + bias)
        pipe_split()  # nothing is behind it
        return w


if __name__ == "__main__":
    torch.manual_seed(0)
    program = torch.export.export(Marked().train(), (torch.zeros(2, 8),), strict=False)
    without_machine(program)
    torch.export.save(program, Path(sys.argv[1]) / "pipe-split.pt2")
