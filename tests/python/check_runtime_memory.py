"""Does PyTorch's pipeline run-time hold what is predicted of it, rank by rank?

    check_runtime_memory.py stagecraft-cli runtime_memory.py

Six schedules on two processes, boundaries of 64 and 256 KiB, 4, 8 and 16 microbatches; of layers of torch.nn.Linear, one a stage.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import torch
from processes import run_torchrun

WIDTH = 256  # as runtime_memory.py has it
FLOAT = 4
SCHEDULES = {"gpipe": 1, "1f1b": 1, "interleaved": 2, "looped-bfs": 2, "zb1p": 2, "zbv": 2}  # stages of a process
BUFFERS_OF_THEIR_OWN = torch.__version__ >= "2.15"


def export(folder, layers):
    model = torch.nn.Sequential(*(torch.nn.Linear(WIDTH, WIDTH) for _ in range(layers)))
    sizes = {"input": {0: torch.export.Dim("rows", min=2, max=4096)}}
    file = folder / f"{layers}-layers.pt2"
    torch.export.save(torch.export.export(model, (torch.zeros(64, WIDTH),), dynamic_shapes=sizes), file)
    return file


def predicted(cli, model, schedule, rows, microbatches):
    """Of each process, in tensors that cross."""
    stages = 2 * SCHEDULES[schedule]
    symbol, = json.loads(subprocess.run([cli, "info", model, "--json"], check=True, capture_output=True).stdout)["symbols"]
    cuts = [word for stage in range(1, stages) for word in ("--split-before", str(stage))]
    said = subprocess.run([cli, "partition", model, "--json", "--stages", str(stages), "--stages-per-device", str(SCHEDULES[schedule]), *cuts,
                           "--schedule", schedule, "--microbatches", str(microbatches), "--device", "cpu", "--optimizer", "none",
                           "--runtime", "torch-2.14", "--bind", f"{symbol}={rows}"], check=True, capture_output=True)
    plan = json.loads(said.stdout)
    held = []
    for device in plan["devices"]:
        own = [plan["stages"][stage] for stage in device["stages"]]
        # At the peak also the gradients of one layer's parameters, before they are added up, and the loss.
        others = sum(stage["state_bytes"] for stage in own) + own[0]["parameter_bytes"]
        tensors, rest = divmod(device["peak_bytes"] - others, rows * WIDTH * FLOAT)
        assert rest in (0, FLOAT), f"{schedule}: {rest} bytes at the peak are no tensors that cross"
        held.append(float(tensors))
    return held


def main(cli, measure):
    status, said = run_torchrun(2, measure)
    assert status == 0, said
    found = [line.split(maxsplit=5) for line in said.splitlines() if "microbatches  [" in line]
    assert len(found) == 6 * len(SCHEDULES), said
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        models = {layers: export(pathlib.Path(folder), layers) for layers in (2, 4)}
        for schedule, kib, _, microbatches, _, held in found:
            expected = predicted(cli, models[2 * SCHEDULES[schedule]], schedule, int(kib), int(microbatches))
            if held != str(expected):
                wrong.append(f"{schedule}, {kib} KiB, {microbatches} microbatches: holds {held}, not {expected}")
    assert not wrong, "\n".join(wrong)


if __name__ == "__main__":
    if BUFFERS_OF_THEIR_OWN:
        print("PyTorch's own buffers, which do not stay")
    else:
        main(*sys.argv[1:])
