"""Counts the FLOPs that a backward pass spends on gradients of activations alone; writes input_gradients.json.

usage: python input_gradients.py > input_gradients.json          (torch 2.13, meta device)

The weights of products and convolutions need no gradient here: only vectors (biases, scales of norms) and embedding
tables do. What is left of the backward pass's contractions are those towards activations, just what
a schedule that splits the backward pass (zero bubble) runs first. Attention by the math route.
"""
import glob
import json
import os
import sys
import warnings

import torch

import tracker

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))

warnings.filterwarnings("ignore")


# The first computes its position bias from parameters alone: all of that is work towards weights. The second has weights
# and runs on the CPU, by the CPU's attention.
LEFT_OUT = {"swin-v2-b.pt2", "gpt2-tiny.pt2"}


def on_meta(tree):
    return torch.utils._pytree.tree_map(lambda t: t.to("meta") if isinstance(t, torch.Tensor) else t, tree)


def parameters_of_tables(program):
    """Names of parameters that only embeddings read."""
    targets = {spec.arg.name: spec.target for spec in program.graph_signature.input_specs if spec.target}
    return {targets[node.name] for node in program.graph.nodes if node.name in targets and node.users
            and all(user.target is torch.ops.aten.embedding.default for user in node.users)}


def row(path):
    program = torch.export.load(path)
    args, kwargs = program.example_inputs
    tables = parameters_of_tables(program)
    module = program.module()
    for name, parameter in module.named_parameters():
        parameter.requires_grad_(parameter.requires_grad and (parameter.dim() <= 1 or name in tables))
    for name, buffer in list(module.named_buffers()):       # a file without weights says nothing of them
        owner, _, last = name.rpartition(".")
        module.get_submodule(owner)._buffers[last] = buffer.detach()
    counter = tracker.Tracker(list(module.parameters()) + list(module.buffers()))
    with counter:
        loss = tracker.float_sum(module(*on_meta(args), **on_meta(kwargs)))
        counter.phase = "backward"
        loss.backward()
    return {"file": os.path.relpath(path, ROOT), "backward_input_flops": sum(counter.flops["backward"].values())}


if __name__ == "__main__":
    rows = []
    for path in sorted(glob.glob(ROOT + "/resources/examples/*.pt2") + glob.glob(ROOT + "/tests/data/architectures/*.pt2")):
        torch.set_grad_enabled(True)
        if os.path.basename(path) in LEFT_OUT:
            continue
        try:
            rows.append(row(path))
        except Exception as error:  # noqa: BLE001
            sys.stderr.write(f"{path}: {str(error).splitlines()[0]}\n")
    print(json.dumps({"torch": torch.__version__.split("+")[0], "rows": rows}, indent=1))
