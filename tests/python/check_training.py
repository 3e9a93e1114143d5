"""Does an export's examples/train.py train as the unsplit model does?

    check_training.py EXPORTER MODEL.pt2 TEXT whole|resumed|replicas

GPT-2 is trained on the bytes of TEXT for 50 steps of AdamW, with warm-up and clipping: every process must print the
losses that a plain loop over the unsplit model gives, to 1e-5, at each step.

whole     4 stages in 4 processes
resumed   4 stages in 2 processes, killed after the checkpoint of step 25; then that checkpoint in another plan, 2 stages
          in 2 processes; then its last one merged, which the model itself and its optimizer must load
replicas  the same with two pipelines side by side, each with half of every batch
"""
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import warnings

import torch
from processes import ask_for_stacks, kill, seconds_left, torchrun

warnings.filterwarnings("ignore")
STEPS, BATCH, ROWS, WIDTH, RATE = 50, 16, 4, 32, 1e-3


def write_data(text, path):
    numbers = torch.tensor(list(pathlib.Path(text).read_bytes()))
    count = (len(numbers) - 1) // WIDTH
    cut = [numbers[shift:shift + count * WIDTH].view(count, WIDTH) for shift in (0, 1)]
    torch.save({"input_ids": cut[0], "target": cut[1]}, path)


def expected(model, data):
    """(losses, state dict, optimizer) of the unsplit model, in a loop of one's own."""
    module = torch.export.load(model).module()
    samples = torch.load(data)
    optimizer = torch.optim.AdamW(module.parameters(), lr=RATE)
    losses, count = [], len(samples["target"])
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min((step + 1) / 10, 0.55 + 0.45 * math.cos(math.pi * step / STEPS))
        epoch, place = divmod(step, count // BATCH)
        order = torch.randperm(count, generator=torch.Generator().manual_seed(epoch))[place * BATCH:][:BATCH]
        # The program has a fixed batch size.
        logits = torch.cat([module(samples["input_ids"][rows]) for rows in order.split(ROWS)])
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), samples["target"][order].flatten())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(module.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return losses, module, optimizer


class Run:
    """A torchrun whose lines are read as they come."""

    def __init__(self, folder, processes, *arguments, replicas=1):
        command = torchrun(processes * replicas, folder / "examples/train.py", "--batch", BATCH, "--steps", STEPS, "--rate",
                           RATE, "--replicas", replicas, "--microbatches", BATCH // ROWS // replicas, *arguments)
        self.lines, self.processes = [], processes * replicas
        self.run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def read(self, until=None):
        """All lines, or those until one has this text; when the time is over the processes end with their stacks."""
        end = threading.Timer(seconds_left() - 30, ask_for_stacks, (self.run,))
        end.start()
        for line in self.run.stdout:
            self.lines.append(line)
            if until and until in line:
                break
        end.cancel()
        return self

    def losses(self):
        """By step, of which all processes must print the same."""
        said = {}
        for rank, step, loss in re.findall(r"rank (\d+): step (\d+), loss (\S+),", "".join(self.lines)):
            said.setdefault(int(step), {})[int(rank)] = float(loss)
        for step, by_rank in said.items():
            if len(set(by_rank.values())) > 1:
                raise AssertionError("step %d: the processes print %s" % (step, by_rank))
        return {step: next(iter(by_rank.values())) for step, by_rank in said.items() if len(by_rank) == self.processes}


def compare(wanted, found, first, last, what):
    missing = [step for step in range(first, last + 1) if step not in found]
    if missing:
        raise AssertionError("%s: no losses of steps %s" % (what, missing))
    most = max(abs(found[step] - wanted[step - 1]) for step in range(first, last + 1))
    print("%s: losses of steps %d to %d, from %.4f to %.4f, differ by %.2g at most" %
          (what, first, last, found[first], found[last], most), flush=True)
    if most > 1e-5:
        raise AssertionError("%s: losses differ by %g" % (what, most))


def check_merged(stages, checkpoint, model, trained, optimizer, folder):
    """The merged checkpoint loads strictly into the model, and its optimizer's state into the model's optimizer."""
    for name in ("merged.safetensors", "merged.pt"):
        subprocess.run([sys.executable, stages / "pipeline.py", "--merge", checkpoint, folder / name], check=True,
                       capture_output=True)
    from safetensors.torch import load_file
    merged = torch.load(folder / "merged.pt")
    fresh = torch.export.load(model).module()
    fresh.load_state_dict(load_file(folder / "merged.safetensors"), strict=True)
    fresh.load_state_dict(merged["model"], strict=True)
    for (name, one), other in zip(fresh.named_parameters(), trained.parameters()):
        torch.testing.assert_close(one, other, rtol=1e-3, atol=1e-4, msg=lambda m: "%s: %s" % (name, m))
    names = {id(parameter): name for name, parameter in trained.named_parameters(remove_duplicate=False)
             if name in merged["optimizer"]["state"]}
    for parameter, state in optimizer.state.items():
        for key, value in state.items():
            torch.testing.assert_close(merged["optimizer"]["state"][names[id(parameter)]][key], value, rtol=1e-2, atol=1e-5)
    print("merged: %d tensors, states of %d parameters" % (len(merged["model"]), len(names)))


def main(exporter, model, text, way):
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        data, saved = folder / "data.pt", folder / "saved"
        write_data(text, data)
        for stages in (4, 2):
            subprocess.run([exporter, model, folder / ("stages_%d" % stages), str(stages)], check=True)
        wanted, trained, optimizer = expected(model, data)
        if way == "whole":
            run = Run(folder / "stages_4", 4, "--data", data).read()
            print("".join(run.lines[-90:]) if run.run.wait() else "", end="")
            return compare(wanted, run.losses(), 1, STEPS, "4 stages, 1f1b")
        replicas = 2 if way == "replicas" else 1
        options = ["--data", data, "--checkpoints", saved, "--every", 25, "--resume"]
        run = Run(folder / "stages_4", 2, "--schedule", "interleaved", *options, replicas=replicas).read("step 27,")
        kill(run.run)
        compare(wanted, run.losses(), 1, 25, "4 stages, interleaved, %s" % way)
        run = Run(folder / "stages_2", 2, *options, replicas=replicas).read()
        if run.run.wait():
            raise AssertionError("".join(run.lines[-90:]))
        compare(wanted, run.losses(), 26, STEPS, "resumed in 2 stages")
        check_merged(folder / "stages_2", saved / "step_000050", model, trained, optimizer, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
