#!/usr/bin/env python3
"""Makes tests/data/models/marks: programs that say themselves where they are to be cut.

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


class MarkedInside(nn.Module):
    """Two marks in bodies of an operator, the second with nothing behind it; one where a stage can end."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x):
        def yes(y):
            y = torch.relu(y)
            pipe_split()
            return torch.sin(y)

        def no(y):
            y = torch.tanh(y)
            pipe_split()
            return y

        z = torch.cond(x.sum() > 0, yes, no, (self.first(x),))
        pipe_split()
        return self.second(z)


def save(model, name):
    program = torch.export.export(model.train(), (torch.zeros(2, 8),), strict=False)
    without_machine(program)
    torch.export.save(program, Path(sys.argv[1]) / f"{name}.pt2")


if __name__ == "__main__":
    torch.manual_seed(0)
    save(Marked(), "pipe-split")
    save(MarkedInside(), "pipe-split-inside")
