"""Makes the models that tst_statistics.cpp analyses, and the figures that PyTorch itself computes for them.

    statistics_peer.py FOLDER

Writes FOLDER/mlp.pt2 (the MLP that unit-scaling documents its analysis with), FOLDER/mlp.json: of each
tensor {"forward": {...}, "backward": {...}} for the inputs it was exported with, and FOLDER/batched.pt2 with
inputs for another batch in FOLDER/batched.safetensors and figures in FOLDER/batched.json. NAME-gradients.json is the
same for the gradient of the output that NAME-gradients.safetensors has.
"""
import json
import pathlib
import sys

import torch
from safetensors.torch import save_file


class MLP(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc1 = torch.nn.Linear(width, width * 4)
        self.relu = torch.nn.ReLU()
        self.fc2 = torch.nn.Linear(width * 4, width)

    def forward(self, x):
        return self.fc2(self.relu(self.fc1(x)))


def describe(tensor):
    numbers = tensor.detach().double()
    return {"mean": numbers.mean().item(), "standard_deviation": numbers.std().item(),
            "absolute_maximum": numbers.abs().max().item(), "zeros": int((numbers == 0).sum())}


def analyse(model, x, gradient):
    """Of the input, the weights, and what each module returns: values and gradients."""
    seen = {"x": x.detach().clone().requires_grad_()}
    for name in ("fc1", "relu", "fc2"):
        def keep(module, args, result, name=name):
            result.retain_grad()
            seen[name] = result
        getattr(model, name).register_forward_hook(keep)
    model.zero_grad()
    model(seen["x"]).backward(gradient)
    seen.update(model.named_parameters())
    return {name: {"forward": describe(tensor), "backward": describe(tensor.grad)}
            for name, tensor in seen.items()}


def make(folder, name, width, rows, given_rows, dynamic):
    model = MLP(width)
    x = torch.randn(rows, width)
    shapes = {"x": {0: torch.export.Dim("batch")}} if dynamic else None
    torch.export.save(torch.export.export(model, (x,), dynamic_shapes=shapes), folder / f"{name}.pt2")
    given = x if given_rows == rows else torch.randn(given_rows, width)
    save_file({"x": given}, folder / f"{name}.safetensors")
    gradient = torch.randn(given_rows, width, generator=torch.Generator().manual_seed(1))
    own = torch.randn(given_rows, width)
    save_file({"0": own}, folder / f"{name}-gradients.safetensors")
    (folder / f"{name}-gradients.json").write_text(json.dumps(analyse(model, given, own)))
    (folder / f"{name}.json").write_text(json.dumps(analyse(model, given, gradient)))


if __name__ == "__main__":
    torch.manual_seed(0)
    folder = pathlib.Path(sys.argv[1])
    make(folder, "mlp", 2 ** 10, 2 ** 10, 2 ** 10, dynamic=False)
    make(folder, "batched", 16, 4, 7, dynamic=True)
