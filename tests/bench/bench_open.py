#!/usr/bin/env python3
"""Opening a model here and in PyTorch, in the same run: usage  bench_open.py BENCH_OPEN [FILE...]

BENCH_OPEN is the built program (build/release/bin/bench_open). Without files: the models of the gallery, and
llama-3-8b.pt2 with its nodes repeated to 9,000, which PyTorch opens too (budgets: 0.15 s for Llama, 0.5 s for these);
scripted and traced models, for which PyTorch's is torch.jit.load, which only reads the file, where a graph for given
sizes is made here. Prints a table. A scripted file is named with its inputs: FILE,f32[8,3,224,224].
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
    """What PyTorch takes, the median of three after one to warm up; none where it cannot open the file."""
    import torch
    load = torch.export.load if file.suffix == ".pt2" else torch.jit.load
    taken = []
    try:
        for _ in range(4):
            start = time.perf_counter()
            load(str(file))
            taken.append(time.perf_counter() - start)
    except Exception as error:
        return None, str(error).splitlines()[0][:60]
    return sorted(taken[1:])[1], ""


def scripts(folder):
    """A scripted and a traced transformer."""
    import torch
    layer = torch.nn.TransformerEncoderLayer(256, 4, 1024, batch_first=True)
    model = torch.nn.TransformerEncoder(layer, 12, enable_nested_tensor=False).train()
    torch.jit.script(model).save(str(folder / "transformer-scripted.pt"))
    torch.jit.trace(model, (torch.zeros(2, 64, 256),), check_trace=False).save(str(folder / "transformer-traced.pt"))
    return [(folder / f"transformer-{kind}.pt", ["f32[2,64,256]"]) for kind in ("scripted", "traced")]


def main(arguments):
    program = arguments[0]
    files = [(Path(name), inputs) for name, *inputs in (file.split(",", 1) for file in arguments[1:])]
    with tempfile.TemporaryDirectory() as folder:
        if not files:
            examples = REPOSITORY / "resources/examples"
            large = Path(folder) / "llama-9000.pt2"
            repeated(examples / "llama-3-8b.pt2", large, 9000)
            files = [(file, []) for file in [*sorted(examples.glob("*.pt2")), large]] + scripts(Path(folder))
        print("| file | operators | opened the first time | median | PyTorch | times as long |\n|---|--:|--:|--:|--:|--:|")
        for file, inputs in files:
            done = subprocess.run([program, str(file), "7", *inputs], capture_output=True, text=True, check=True)
            first, median, nodes = done.stdout.split()
            peer, why = python_seconds(file)
            print(f"| {file.name} | {nodes} | {1000 * float(first):.0f} ms | {1000 * float(median):.1f} ms | " +
                  (f"{1000 * peer:.0f} ms | {peer / float(median):.0f} |" if peer else f"{why} | |"), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
