#!/usr/bin/env python3
"""Opening a model here and in PyTorch, in the same run: usage  bench_open.py BENCH_OPEN [FILE...]

BENCH_OPEN is the built program (build/release/bin/bench_open). Without files: llama-3-8b.pt2 of the gallery, and
the same program with its nodes repeated to 9,000, which PyTorch opens too. Budgets: 0.15 s and 0.5 s.
"""
import copy
import json
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def repeated(source, target, wanted):
    """The program of `source` with copies of its nodes appended until there are `wanted`."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as new:
        for info in old.infolist():
            data = old.read(info)
            if info.filename.endswith("models/model.json"):
                program = json.loads(data)
                graph = program["graph_module"]["graph"]
                repeat(graph, wanted)
                data = json.dumps(program).encode()
            new.writestr(info.filename, data)


def repeat(graph, wanted):
    nodes, values = graph["nodes"], graph["tensor_values"]
    plain = [node for node in nodes if "higher_order" not in node["target"]]
    made = {name for node in plain for name in names(node["outputs"])}
    round_number = 0
    while len(nodes) < wanted:
        round_number += 1
        renamed = {name: f"{name}_r{round_number}" for name in made}
        for node in plain:
            if len(nodes) >= wanted:
                return
            fresh = rename(copy.deepcopy(node), renamed)
            fresh["name"] = f"{node['name']}_r{round_number}"
            for name in names(node["outputs"]):
                if name in values:
                    values[renamed[name]] = values[name]
            nodes.append(fresh)


def names(arguments):
    for argument in arguments:
        (kind, value), = argument.items()
        if kind == "as_tensor":
            yield value["name"]
        elif kind == "as_tensors":
            yield from (one["name"] for one in value)


def rename(value, renamed):
    if isinstance(value, dict):
        return {k: renamed.get(v, v) if k == "name" and isinstance(v, str) else rename(v, renamed)
                for k, v in value.items()}
    if isinstance(value, list):
        return [rename(one, renamed) for one in value]
    return value


def python_seconds(file):
    import torch
    start = time.perf_counter()
    try:
        torch.export.load(str(file))
    except Exception as error:  # a program without weights may not load in Python at all
        print(f"  torch.export.load failed: {str(error).splitlines()[0][:100]}")
    return time.perf_counter() - start


def main(arguments):
    program, files = arguments[0], [Path(file) for file in arguments[1:]]
    with tempfile.TemporaryDirectory() as folder:
        if not files:
            llama = REPOSITORY / "resources/examples/llama-3-8b.pt2"
            large = Path(folder) / "llama-9000.pt2"
            repeated(llama, large, 9000)
            files = [llama, large]
        for file in files:
            done = subprocess.run([program, str(file)], capture_output=True, text=True, check=True)
            first, median, nodes = done.stdout.split()
            peer = python_seconds(file)
            print(f"{file.name}: {nodes} nodes, first {float(first):.3f} s, median {float(median):.3f} s, "
                  f"torch.export.load {peer:.2f} s, ratio {peer / float(median):.0f}")


if __name__ == "__main__":
    main(sys.argv[1:])
