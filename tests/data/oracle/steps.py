"""Counts one training step of small programs in other precisions, and with gradients that are there before the step;
writes steps.json.

usage: python steps.py > steps.json          (torch 2.13; real tensors on the CPU)

The step and the counting are those of profile.json: a dispatch mode (tracker.py) follows every storage. Rows:
    file        a program with weights, below tests/data
    precision   exported, bf16, fp16: module.to(dtype) and floating inputs alike; autocast-bf16: forward and loss under
                torch.autocast("cpu", torch.bfloat16)
    gradients   dropped: no .grad before the step; kept: every parameter that gets one has one already (not counted)
"""
import contextlib
import glob
import json
import os
import sys
import warnings

import torch

import tracker

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.dirname(HERE)

warnings.filterwarnings("ignore")
DTYPES = {"bf16": torch.bfloat16, "fp16": torch.float16}


def drop_type_checks(module):
    """Export notes the type that each .to() had found; in another precision that is not so."""
    for part in module.modules():
        if isinstance(part, torch.fx.GraphModule):
            for node in list(part.graph.nodes):
                if node.target is torch.ops.aten._assert_tensor_metadata.default:
                    part.graph.erase_node(node)
            part.recompile()


def floats_to(tree, dtype):
    return torch.utils._pytree.tree_map(
        lambda t: t.to(dtype) if isinstance(t, torch.Tensor) and t.is_floating_point() else t, tree)


FIGURES = ("live_after_forward", "peak_forward", "peak_backward", "peak", "live_at_end", "gradient_bytes")


def step(call, loss_of, parameters, base, gradients):
    """The figures of a row. Leaves the gradients in place: the step that keeps them starts from them."""
    if gradients == "dropped":
        tracker.grads_off(parameters)
    counter, memory = tracker.step_memory(call, parameters, base, loss_of, gradients="kept")
    row = {name: memory[name] for name in FIGURES}
    for phase in ("forward", "backward"):
        row["flops_" + phase] = sum(counter.flops[phase].values())
    return row


def saved(call, autocast, parameters, buffers, inputs):
    def run():
        with autocast():
            return call()
    return tracker.saved_bytes(run, dict(parameters=parameters, buffers=buffers, inputs=inputs))["saved_bytes"]


def rows(path):
    for precision in ("exported", "bf16", "fp16", "autocast-bf16"):
        torch.set_grad_enabled(True)
        program = torch.export.load(path)
        args, kwargs = program.example_inputs
        module = program.module()
        if precision != "exported":
            drop_type_checks(module)
        if precision in DTYPES:
            module.to(DTYPES[precision])
            args, kwargs = floats_to(args, DTYPES[precision]), floats_to(kwargs, DTYPES[precision])
        autocast = contextlib.nullcontext
        if precision == "autocast-bf16":
            autocast = lambda: torch.autocast("cpu", torch.bfloat16)  # noqa: E731
        parameters, buffers = list(module.parameters()), list(module.buffers())
        inputs = [t for t in torch.utils._pytree.tree_leaves((args, kwargs)) if isinstance(t, torch.Tensor)]
        scope = contextlib.ExitStack()

        def call():
            scope.enter_context(autocast())     # until the loss is there
            return module(*args, **kwargs)

        def loss_of(out):
            total = tracker.float_sum(out)
            scope.close()
            return total

        for gradients in ("dropped", "kept"):
            row = {"file": os.path.relpath(path, DATA), "precision": precision, "gradients": gradients}
            try:
                row.update(step(call, loss_of, parameters, [*parameters, *buffers, *inputs], gradients))
                if gradients == "dropped":
                    keep = [p.grad for p in parameters]
                    row["saved_bytes"] = saved(lambda: module(*args, **kwargs), autocast, parameters, buffers, inputs)
                    for p, g in zip(parameters, keep):
                        p.grad = g
                yield row
            except Exception as error:  # noqa: BLE001 - not every operator has a kernel for the type
                scope.close()
                sys.stderr.write(f"{path} {precision} {gradients}: {str(error).splitlines()[0]}\n")
                break


if __name__ == "__main__":
    torch.manual_seed(0)
    torch.set_num_threads(1)
    files = sorted(glob.glob(os.path.join(DATA, "models/tiny/*.pt2")) + glob.glob(os.path.join(HERE, "models/*.pt2")))
    out = []
    for path in files:
        try:
            out += list(rows(path))
        except Exception as error:  # noqa: BLE001
            sys.stderr.write(f"{path}: {str(error).splitlines()[0]}\n")
    print(json.dumps({"torch": torch.__version__.split("+")[0], "rows": out}, indent=1))
