"""Do the stages of an export hold what their plan says, rank by rank, where values skip stages?

    check_held.py stagecraft-cli

Three stages of two blocks each; what the first blocks return is added again at the end. The second step is measured: the most
that is alive of all storages that it makes.
"""
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import types

import torch
import torch.nn.functional as F
from check_library import in_processes
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

ROWS, WIDTH, STAGES, MICROBATCHES = 512, 128, 3, 6
NUMBERS = 1 << 12  # bytes of what is not planned: numbers of microbatches, losses


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.up, self.down = torch.nn.LayerNorm(WIDTH), torch.nn.Linear(WIDTH, 2 * WIDTH), torch.nn.Linear(2 * WIDTH, WIDTH)

    def forward(self, x):
        return x + self.down(F.gelu(self.up(self.norm(x))))


class Skipping(torch.nn.Module):
    def __init__(self, skips):
        super().__init__()
        self.skips, self.blocks = skips, torch.nn.ModuleList(Block() for _ in range(2 * STAGES))
        self.head = torch.nn.Linear(WIDTH, WIDTH // 4)

    def forward(self, x):
        early = []
        for index, block in enumerate(self.blocks):
            x = block(x)
            early += [x] if index < self.skips else []
        for tensor in early:
            x = x + tensor
        return self.head(x)


class Alive(TorchDispatchMode):
    """The most bytes that storages have which operators made."""

    def __init__(self):
        super().__init__()
        self.storages, self.most = {}, 0

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        given = {tensor.untyped_storage()._cdata for tensor in tree_leaves((args, kwargs)) if isinstance(tensor, torch.Tensor)}
        made = operator(*args, **(kwargs or {}))
        for tensor in tree_leaves(made):
            if isinstance(tensor, torch.Tensor) and tensor.device.type != "meta":
                storage = tensor.untyped_storage()
                if storage._cdata not in given:
                    self.storages[storage._cdata] = StorageWeakRef(storage), storage.nbytes()
        self.storages = {key: held for key, held in self.storages.items() if not held[0].expired()}
        self.most = max(self.most, sum(size for _, size in self.storages.values()))
        return made


def planned(cli, model, folder, schedule, send):
    """Exports; by stage the bytes of the plan beside the parameters."""
    plan = folder.with_suffix(".stagecraft")
    said = subprocess.run([cli, "partition", model, "--split-before", "blocks.2", "--split-before", "blocks.4", "--schedule", schedule,
                           "--send", send, "--microbatches", str(MICROBATCHES), "--runtime", "exported", "--optimizer", "none",
                           "--device", "cpu", "--lowering", "cpu", "--json", "-o", plan],
                          check=True, capture_output=True, text=True).stdout
    subprocess.run([cli, "export", model, "--plan", plan, "-o", folder, "--formats", "python"], check=True, capture_output=True)
    return [stage["peak_bytes"] - stage["parameter_bytes"] for stage in json.loads(said)["stages"]]


def held(pipeline):
    """By this process in its second step, whose gradients are there from the first."""
    from stagecraft_runtime.loss import sum_of_outputs
    built = pipeline.build_pipeline(device="cpu", loss_fn=sum_of_outputs)
    microbatches = [{"x": torch.randn(ROWS, WIDTH)} for _ in range(MICROBATCHES)]
    built.step_microbatches(microbatches)
    with Alive() as alive:
        built.step_microbatches(microbatches)
    return alive.most + sum(parameter.grad.nbytes for parameter in built.parameters())


def main(cli):
    with tempfile.TemporaryDirectory() as name:
        for skips, schedule, send in itertools.product((0, 1, 2), ("1f1b", "gpipe"), ("relay", "direct")):
            if skips == 0 and send == "direct":
                continue
            folder = pathlib.Path(name) / ("%d-%s-%s" % (skips, schedule, send))
            model = folder.with_suffix(".pt2")
            torch.export.save(torch.export.export(Skipping(skips), (torch.randn(ROWS, WIDTH),), strict=False), model)
            said = planned(cli, model, folder, schedule, send)
            found = in_processes(types.SimpleNamespace(folder=folder), STAGES, held)
            apart = [real - plan for real, plan in zip(found, said)]
            print("%d skips, %s, %s: held - planned by stage, bytes: %s" % (skips, schedule, send, apart), flush=True)
            assert all(0 <= bytes_more < NUMBERS for bytes_more in apart)


if __name__ == "__main__":
    main(*sys.argv[1:])
