"""Are models that write to views cut between the writes, and do plans count what is then sent?

    check_written.py stagecraft-cli

Each model is cut before every node, by --split-before, and in three before some pairs. Where the program moves a boundary
or refuses it, the model must be one of those of which it should (TOGETHER). The stages are chained as a pipeline chains
them: outputs and gradients must be the whole model's, and the bytes that cross, forward and back, those of the plan.
"""
import contextlib
import io
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch
import torch.nn as nn
from check_cuts import differences, gradient_seeds, run_backward, run_whole, sent
from check_stages import load_pipeline
from torch.export import Dim

warnings.filterwarnings("ignore")
ROWS, D = 4, 6


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(D, D), nn.Linear(D, D)


class Filled(Base):
    """A tensor is filled part by part; the gradient comes with what is written."""

    def forward(self, x):
        out = torch.zeros(x.shape[0], 2, D)
        out[:, 0] = torch.tanh(self.first(x))
        y = torch.sin(out[:, 0].clone())
        out[:, 1] = self.second(y)
        return (out * 1.5,)


class Halves(Base):
    """Two views that both live through both writes."""

    def forward(self, x):
        y = self.first(x)
        low, high = y[:, :3], y[:, 3:]
        low.mul_(2)
        between = torch.tanh(high.clone()) + low
        high.add_(between)
        return self.second(y), torch.tanh(low)


class Reshaped(Base):
    """Only the view is read: a write through view(), and one through a part of it."""

    def forward(self, x):
        y = self.first(x).view(-1, 2, 3)
        y.mul_(2)
        y[:, 0].mul_(0.5)
        return (torch.tanh(y.transpose(1, 2)),)


class Chained(Base):
    """Views of views, read before, between and after the writes."""

    def forward(self, x):
        y = self.first(x)
        part = y.view(-1, 3, 2)
        corner = part[:, 1:]
        a = corner.sum(2)
        corner[:, 0].add_(1.25)
        b = part.sum(2)
        part.mul_(0.5)
        c = y.sum(1)
        return a + b[:, 1:], c, torch.tanh(corner)


class Transposed(Base):
    """What is written lies in memory in another order."""

    def forward(self, x):
        y = self.first(x).t()
        y[1:3].mul_(3)
        z = torch.tanh(y.clone())
        y[3:].add_(z[3:])
        return (y @ z.t(),)


class Given(Base):
    """The model's own input is written: its owner sees that, so this stays together."""

    def forward(self, x):
        x = x.detach()
        part = x[:, :3]
        part.mul_(2)
        return (self.second(torch.tanh(self.first(x))),)


class Detached(Base):
    """What needs a gradient, seen without one."""

    def forward(self, x):
        y = self.first(x)
        y.detach()[:, :2].mul_(0.5)
        return (self.second(torch.tanh(y * 1.0)),)


MODELS = (Filled, Halves, Reshaped, Chained, Transposed, Given, Detached)
TOGETHER = (Given, Detached)


def run_stages(stages, manifest, example):
    """As check_cuts does it, and the bytes that cross."""
    x = torch.empty_strided(example.shape, example.stride()).copy_(example).requires_grad_()
    record, passed, crossing = [], (), 0
    for index, stage in enumerate(stages):
        received = tuple(sent(value) for value in passed)
        wanted = {i["name"]: x for i in manifest["stages"][index]["inputs"] if i["source"] == "model"}
        outputs = stage(x) if index == 0 else stage(*received, **wanted)
        passed = outputs if isinstance(outputs, tuple) else (outputs,)
        if index + 1 < len(stages):
            for value, said in zip(passed, manifest["stages"][index]["outputs"]):
                assert said["requires_grad"] == value.requires_grad, "the manifest is wrong about a gradient of '%s'" % said["name"]
                crossing += value.numel() * value.element_size() * (2 if value.requires_grad else 1)
        record.append((received, passed))
    result, strides = [output.detach().clone() for output in passed], [output.stride() for output in passed]
    gradients = gradient_seeds(passed)
    for received, outputs in reversed(record):
        run_backward(outputs, gradients)
        gradients = [value.grad for value in received]
    found = {}
    for name, parameter in ((name, p) for stage in stages for name, p in stage.named_parameters() if p.grad is not None):
        found[name] = found[name] + parameter.grad if name in found else parameter.grad
    return (result, strides, found, x.grad), crossing


def check_cut(cli, path, before, whole, example, folder):
    """Was it cut there?"""
    plan = folder / "plan.stagecraft"
    places = ["--split-before", *before]
    made = subprocess.run([cli, "partition", path, *places, "--json", "-o", plan],
                          capture_output=True, text=True)
    if made.returncode != 0 or "moved" in made.stderr:
        return False
    stages = folder / ("-".join(before) + "-stages")
    subprocess.run([cli, "export", path, "--plan", plan, "-o", stages, "--formats", "python"], check=True, capture_output=True)
    manifest, pipeline = json.loads((stages / "manifest.json").read_text()), load_pipeline(stages)
    with contextlib.redirect_stdout(io.StringIO()):
        found, crossing = run_stages([pipeline.build_stage(i) for i in range(len(before) + 1)], manifest, example)
    faults = differences(whole, found)
    planned = json.loads(made.stdout)["bytes_sent"]
    if crossing != planned:
        faults.append("%d bytes cross, and %d of the plan" % (crossing, planned))
    if faults:
        raise AssertionError("cut before %s: %s" % (" and ".join(before), "; ".join(faults)))
    return True


def check(cli, kind, varies, folder):
    torch.manual_seed(0)
    module, example = kind(), torch.randn(ROWS, D)
    shapes = ({0: Dim("rows", min=2, max=64)},) if varies else None
    program = torch.export.export(module, (example,), dynamic_shapes=shapes, strict=False)
    path = folder / "model.pt2"
    torch.export.save(program, path)
    module.zero_grad()
    whole = run_whole(program.module(), example)
    nodes = [node.name for node in program.graph.nodes if node.op == "call_function" and "sym_size" not in node.name]
    nodes = [name for name in nodes if "assert" not in name][1:]
    cuts = [(name,) for name in nodes] + list(itertools.combinations(nodes, 2))[::8]
    done = sum(check_cut(cli, path, cut, whole, example, folder) for cut in cuts)
    print("%s%s: %d of %d cuts" % (kind.__name__, ", rows vary" if varies else "", done, len(cuts)), flush=True)
    if (done == len(cuts)) == (kind in TOGETHER):
        raise AssertionError("%s: %d of %d cuts are made where they are asked for" % (kind.__name__, done, len(cuts)))


def main(cli):
    torch.set_num_threads(1)
    for kind, varies in itertools.product(MODELS, (False, True)):
        with tempfile.TemporaryDirectory() as folder:
            check(cli, kind, varies, pathlib.Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
