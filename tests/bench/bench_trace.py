#!/usr/bin/env python3
"""Tracing a training step here and in PyTorch, in the same run: usage  bench_trace.py BENCH_TRACE

BENCH_TRACE is the built program (build/release/bin/bench_trace). The peer is FlopCounterMode around the same program
on meta tensors, forward and backward: it counts FLOPs only, we record operators, storages and saved tensors. Then the
gallery, and a batch of 1e10. Budgets: 20 ms for GPT-2, 80 ms for Llama-3-8B.
"""
import subprocess
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
TINY = REPOSITORY / "tests/data/models/tiny"
DYNAMIC = REPOSITORY / "tests/data/models/small/torch-2.14/skip-dynamic.pt2"


def ours(program, file, *binding):
    output = subprocess.run([program, str(file), *binding], check=True, capture_output=True, text=True).stdout
    first, best, operators = output.split()
    return float(first), float(best), int(operators)


def theirs(file):
    import torch
    from torch.export.passes import move_to_device_pass
    from torch.utils._pytree import tree_leaves, tree_map_only
    from torch.utils.flop_counter import FlopCounterMode
    program = torch.export.load(str(file))
    to_meta = lambda tensor: tensor.to("meta")  # noqa: E731
    args, kwargs = tree_map_only(torch.Tensor, to_meta, program.example_inputs)
    module = move_to_device_pass(program, "meta").module()
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        with FlopCounterMode(display=False):
            outputs = tree_leaves(module(*args, **kwargs))
            sum(t.sum() for t in outputs if isinstance(t, torch.Tensor) and t.requires_grad).backward()
        best = min(best, time.perf_counter() - start)
        module.zero_grad()
    return best


def main(program):
    print("against FlopCounterMode (best of each)")
    for file in sorted(TINY.glob("*.pt2")):
        _, best, operators = ours(program, file)
        try:
            peer = theirs(file)
            print(f"  {file.stem:16} {best * 1e3:7.2f} ms  theirs {peer * 1e3:7.1f} ms  ratio {peer / best:5.1f}  ({operators} operators)")
        except Exception as error:  # noqa: BLE001 - a program that PyTorch cannot run on meta has no ratio
            print(f"  {file.stem:16} {best * 1e3:7.2f} ms  theirs failed: {str(error).splitlines()[0][:80]}")
    print("gallery: first trace in a process, best")
    for file in sorted((REPOSITORY / "resources/examples").glob("*.pt2")):
        first, best, operators = ours(program, file)
        print(f"  {file.stem:16} {first * 1e3:7.2f} ms {best * 1e3:7.2f} ms  ({operators} operators)")
    _, usual, _ = ours(program, DYNAMIC)
    _, absurd, _ = ours(program, DYNAMIC, "s77=10000000000")
    print(f"batch 1e10 against the exported one: ratio {absurd / usual:.2f}")


if __name__ == "__main__":
    main(sys.argv[1])
