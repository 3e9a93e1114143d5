"""Writes what only one version of PyTorch writes, into tests/data/models/old.

    python make_old_model.py FOLDER

PyTorch 2.5: schema 7, where sizes are texts. 2.8: an archive with all weights in one pickle.
"""
import sys

import torch
import torch.nn as nn
from torch.export import Dim


class Sizes(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 6), nn.Linear(3, 2)
        self.register_buffer("mask", torch.tensor([0.0, float("-inf"), 0.0]), persistent=False)

    def forward(self, x, n):
        y = self.a(x).reshape(-1, 3)
        with torch.no_grad():
            mean = y.mean()
        longer = torch.cat([y, y[: y.shape[0] // 2 - 1]])
        return {"out": self.b(torch.softmax(longer + self.mask, -1)), "mean": mean,
                "pad": torch.nn.functional.pad(n, (0, x.shape[0] % 3 + 1))}


version = ".".join(torch.__version__.split(".")[:2])
assert version in ("2.5", "2.8"), version
torch.manual_seed(0)
shapes = {"x": {0: Dim("b", min=4, max=64)}, "n": {1: Dim("w", min=2, max=9)}}
program = torch.export.export(Sizes().train(), (torch.randn(6, 4), torch.randn(2, 5)), dynamic_shapes=shapes)
torch.export.save(program, f"{sys.argv[1]}/torch-{version}.pt2")
