"""Runs exported programs on given inputs, forward and backward, for tst_programs.cpp.

    run_programs.py FOLDER SEED

FOLDER/jobs.json: [{"model": path, "folder": name, "inputs": [{"file", "dtype", "shape"}]}]. Writes in each job's
folder results.json: {"outputs": [...], "gradients": {name: ...}}, each {"shape", "file"} with float64 numbers.
"""
import json
import pathlib
import sys

import numpy as np
import torch
from torch.utils._pytree import tree_leaves, tree_unflatten

DTYPES = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16,
          "i64": torch.int64, "i32": torch.int32, "bool": torch.bool, "u8": torch.uint8}


def read(folder, entry):
    data = bytearray((folder / entry["file"]).read_bytes())
    if not data:
        return torch.empty(entry["shape"], dtype=DTYPES[entry["dtype"]])
    return torch.frombuffer(data, dtype=DTYPES[entry["dtype"]]).reshape(entry["shape"]).clone()


def write(folder, name, tensor):
    numbers = torch.view_as_real(tensor)[..., 0] if tensor.is_complex() else tensor
    np.asarray(numbers.detach().to(torch.float64).contiguous()).tofile(folder / name)
    return {"file": name, "shape": list(tensor.shape)}


def arguments(program, tensors):
    """The program's arguments: the tensors in order, and its own literals between them."""
    given = iter(tensors)
    leaves = []
    for spec in program.graph_signature.input_specs:
        if spec.kind.name == "USER_INPUT":
            is_tensor = type(spec.arg).__name__ == "TensorArgument"
            leaves.append(next(given) if is_tensor else spec.arg.value)
    return tree_unflatten(leaves, program.call_spec.in_spec)


def run(root, job, seed):
    folder = root / job["folder"]
    program = torch.export.load(job["model"])
    args, kwargs = arguments(program, [read(folder, entry) for entry in job["inputs"]])
    module = program.module()
    torch.manual_seed(seed)
    results = [leaf for leaf in tree_leaves(module(*args, **kwargs)) if isinstance(leaf, torch.Tensor)]
    loss = None
    for tensor in results:
        if tensor.is_floating_point() and tensor.requires_grad:
            loss = tensor.sum() if loss is None else loss + tensor.sum()
    if loss is not None:
        loss.backward()
    outputs = [write(folder, f"output_{i}.f64", tensor) for i, tensor in enumerate(results)]
    gradients = {}
    for i, (name, parameter) in enumerate(module.named_parameters(remove_duplicate=False)):
        if parameter.grad is not None:
            gradients[name] = write(folder, f"gradient_{i}.f64", parameter.grad)
    (folder / "results.json").write_text(json.dumps({"outputs": outputs, "gradients": gradients}))


if __name__ == "__main__":
    root_folder, run_seed = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    for each in json.loads((root_folder / "jobs.json").read_text()):
        run(root_folder, each, run_seed)
