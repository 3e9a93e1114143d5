"""Does measure_device.py write a table that `calibrate --from` makes a device file of, whatever it has to leave out?

    check_measured_device.py measure_device.py stagecraft-cli MODEL.pt2
"""
import contextlib
import importlib.util
import io
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import torch


def loaded(path):
    spec = importlib.util.spec_from_file_location("measure_device", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Fails(torch.nn.Module):
    """From its second size on, as an operator that has no kernel, or for which there is no memory."""

    def __init__(self, size):
        super().__init__()
        self.size, self.x = size, torch.nn.Parameter(torch.zeros(size))

    def forward(self):
        if self.size > 1 and not self.x.is_meta:
            raise RuntimeError("no kernel" if self.size == 2 else "not enough memory: you tried to allocate 9 bytes")
        return self.x.sum()


def what_fails_is_left_out(module, capture):
    with tempfile.TemporaryDirectory() as folder:
        bench = module.Bench("cpu", module.CpuClock(1), pathlib.Path(folder), 0.01, lambda what: None)
        runs, sizes = [(Fails, torch.float32), (module.Streams, torch.float32)], {Fails: [(1,), (2,), (1,)], module.Streams: [(4, 8)] * 4}
        probes = bench.families(runs, sizes, time.monotonic() + 100)
        assert len(probes) == 5, len(probes)  # one of the first, and all of the second
        assert capture() == "left out: Fails 2, float32: no kernel\n"
        assert bench.unless_it_fails("a step", bench.probe, lambda: Fails(3)) is None
        assert capture() == "left out: a step: it does not fit\n"
        assert bench.families(runs, sizes, time.monotonic()) == []
        assert capture().count("and larger: the time is over (--minutes)") == 2


def optimizers_are_measured(table, device, said):
    """Both, over many tensors and few, as PyTorch takes them on a CPU unless told otherwise, and fused."""
    rows = table["optimizers"]
    assert {(row["optimizer"], row["variant"]) for row in rows} == {
        (name, variant) for name in ("sgd-momentum", "adamw") for variant in ("single", "fused")}, rows
    for row in rows:
        if row["optimizer"] == "adamw" and row["variant"] == "single":
            assert len(row["operators"]["aten::lerp_"]) == row["parameters"], row
            assert "aten::_local_scalar_dense" not in row["operators"], row  # of a step's number, on the host
    assert "optimizers' steps" not in said and "by an optimizer" not in said, said  # nothing of them is left out
    assert "the optimizer in it" in said, said
    assert device["optimizer_overhead"] > 0 and device["sources"]["optimizer_overhead"]["basis"] == "fitted", device["sources"]
    assert device["optimizer_dispatch_overhead"] >= device["dispatch_overhead"], device
    assert "aten::addcdiv_, by an optimizer" in device["operators"], list(device["operators"])


def operators_are_handed_over(table):
    """Views and operators, one after the other."""
    views, operators = table["dispatch"], table["operator_dispatch"]
    assert len(operators["operators"]["aten::relu"]) == 50, list(operators["operators"])
    assert min(operators["unrecorded"], operators["recorded"]) > 0, operators
    assert min(views[way] for way in ("forward", "backward")) > 0, views


def less_takes_less(table):
    """Views than operators, and what no gradient is wanted of: as far as nothing else is at work meanwhile."""
    views, operators = table["dispatch"], table["operator_dispatch"]
    return operators["unrecorded"] < operators["recorded"] and all(
        views[way] < operators[way] for way in ("forward", "backward"))


def measured(script, table):
    """Once, or again while others are at work here."""
    for attempt in range(3):
        run = subprocess.run([sys.executable, script, "--device", "cpu", "--quick", "-o", table / str(attempt)],
                             capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        assert not run.stderr, run.stderr
        rows = json.loads((table / str(attempt) / "table.json").read_text())
        if less_takes_less(rows):
            return table / str(attempt), rows
    raise AssertionError((rows["dispatch"], rows["operator_dispatch"]))


def a_table_becomes_a_device(script, cli, model):
    with tempfile.TemporaryDirectory() as folder:
        device = pathlib.Path(folder) / "device.json"
        table, rows = measured(script, pathlib.Path(folder))
        made = subprocess.run([cli, "calibrate", "--from", table, "-o", device], capture_output=True, text=True)
        assert made.returncode == 0, made.stderr
        assert "whole steps, not fitted" in made.stdout, made.stdout
        operators_are_handed_over(rows)
        optimizers_are_measured(rows, json.loads(device.read_text()), made.stdout)
        profiled = subprocess.run([cli, "profile", model, "--device", device, "--json"], capture_output=True, text=True)
        assert profiled.returncode == 0, profiled.stderr
        assert json.loads(profiled.stdout), profiled.stdout[:500]


def stopping_it_says_so(script):
    """In one line, with no table left behind."""
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "table"
        running = subprocess.Popen([sys.executable, script, "--device", "cpu", "--quick", "-o", table], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert running.stdout.readline().startswith("[1/")
        running.send_signal(signal.SIGINT)
        _, said = running.communicate()
        assert running.returncode == 130 and said == "stopped: there is no table: run it again\n", (running.returncode, said)
        assert not (table / "table.json").exists()


def main(script, cli, model):
    said = io.StringIO()

    def capture():
        text = said.getvalue()
        said.seek(0)
        said.truncate()
        return text

    with contextlib.redirect_stderr(said):
        what_fails_is_left_out(loaded(script), capture)
    a_table_becomes_a_device(script, cli, model)
    stopping_it_says_so(script)


if __name__ == "__main__":
    main(*sys.argv[1:])
