#!/usr/bin/env python3
"""Makes tests/data/times: a small program, and what torch.profiler says of it, by operators and by names of nodes.

Usage: make_times.py FOLDER
"""
import json
import sys
from pathlib import Path

import torch
from make_models import without_machine
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function, schedule


class Named(torch.fx.Interpreter):
    """Runs a program with every node inside a record_function() of its name."""

    def run_node(self, node):
        with record_function(node.name):
            return super().run_node(node)


def trace(step, path):
    with profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=0, warmup=1, active=2, repeat=1),
                 on_trace_ready=lambda done: done.export_chrome_trace(str(path))) as profiler:
        for _ in range(3):
            step()
            profiler.step()
    document = json.loads(path.read_text())
    keys = {"ph", "cat", "name", "tid", "ts", "dur", "args"}
    arguments = {"External id", "Sequence number", "Fwd thread id"}
    events = [{key: value for key, value in event.items() if key in keys} for event in document["traceEvents"]
              if event.get("ph") == "X" and event.get("cat") in ("cpu_op", "user_annotation")]
    for event in events:
        event["args"] = {key: value for key, value in event["args"].items() if key in arguments}
    path.write_text("{\"traceEvents\": [\n" + ",\n".join(map(json.dumps, events)) + "\n]}\n")


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(16, 64), nn.GELU(), nn.LayerNorm(64), nn.Linear(64, 8)).train()
    example = torch.randn(32, 16)
    program = torch.export.export(model, (example,), strict=False)
    without_machine(program)
    torch.export.save(program, folder / "mlp.pt2")
    trace(lambda: model(example).sum().backward(), folder / "mlp-operators.json")
    module = program.module()
    trace(lambda: Named(module).run(example).sum().backward(), folder / "mlp-names.json")
