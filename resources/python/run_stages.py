"""Runs the stages of an export as its users do, for `stagecraft-cli verify --python`.

    python run_stages.py JOB.json

pipeline.py builds them, from stage_I.py and the weights. They run forward and backward on the inputs that the job
names, each stage cut off from its neighbours as in a pipeline, with the same random numbers as the whole model; the
loss is the output that the job names, else the sum of all floating-point ones. What comes out is written for
comparison with the whole model.
"""
import importlib.util
import json
import pathlib
import sys

try:
    import torch
    from torch.overrides import TorchFunctionMode
    from torch.utils._pytree import tree_leaves
except ImportError as failure:
    print("cannot import torch: %s" % failure, file=sys.stderr)
    sys.exit(3)


class SameRandomNumbers(TorchFunctionMode):
    """Seeds before every operator, so that neither their order nor the stages between them matter."""

    def __init__(self, seed):
        super().__init__()
        self.seed = seed

    def __torch_function__(self, function, types, args=(), kwargs=None):
        if isinstance(function, torch._ops.OpOverload):
            torch.default_generator.manual_seed(self.seed)
        return function(*args, **(kwargs or {}))


def load_pipeline(folder):
    spec = importlib.util.spec_from_file_location("pipeline", folder / "pipeline.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_inputs(job):
    """The model's inputs by name, as leaves of the autograd graph."""
    inputs = dict(job["numbers"])
    for name, tensor in torch.load(job["inputs"], weights_only=False).items():
        tensor = tensor.to(job["device"])
        inputs[name] = tensor.requires_grad_() if name in job["differentiated"] else tensor
    return inputs


def as_tuple(outputs):
    return outputs if isinstance(outputs, tuple) else (outputs,)


def as_sent(tensor):
    """A copy that shares nothing, row-major, as the wire brings it."""
    return tensor.detach().clone(memory_format=torch.contiguous_format).requires_grad_(tensor.requires_grad)


def forward(stages, inputs, pipeline, manifest):
    """What each stage received and returned."""
    record, passed = [], ()
    for stage, entry in zip(stages, manifest["stages"]):
        if not record:
            args, kwargs = pipeline.call_arguments(manifest, inputs)
            received = ()
        else:
            received = tuple(as_sent(value) for value in passed)
            wanted = [given["name"] for given in entry["inputs"] if given["source"] == "model"]
            args, kwargs = received, {name: inputs[name] for name in wanted}
        outputs = stage(*args, **kwargs)
        passed = as_tuple(outputs)
        record.append((received, outputs))
    return record


def backward(record, loss_output):
    leaves = [leaf for index, leaf in enumerate(tree_leaves(record[-1][1])) if loss_output in (None, index)]
    parts = [leaf.sum(dtype=torch.float64) for leaf in leaves
             if isinstance(leaf, torch.Tensor) and leaf.is_floating_point() and leaf.requires_grad]
    if not parts:
        return
    sum(parts).backward()
    for (_, outputs), (received, _) in reversed(list(zip(record, record[1:]))):
        pairs = [(value, copy.grad) for value, copy in zip(as_tuple(outputs), received)
                 if value.requires_grad and copy.grad is not None]
        if pairs:
            torch.autograd.backward([value for value, _ in pairs], [gradient for _, gradient in pairs])


def state_of(stages, manifest):
    """Gradients by parameter name, copies summed, and buffers by name. Of a parameter's several names the one in
    the manifest counts."""
    gradients, buffers = {}, {}
    for stage, entry in zip(stages, manifest["stages"]):
        names = {}
        for name, parameter in stage.named_parameters(remove_duplicate=False):
            if id(parameter) not in names or name in entry["parameters"]:
                names[id(parameter)] = (name, parameter)
        for name, parameter in names.values():
            if parameter.grad is not None:
                known = gradients.get(name)
                gradients[name] = parameter.grad if known is None else known + parameter.grad
        buffers.update(stage.named_buffers(remove_duplicate=False))
    return gradients, buffers


def saved(value):
    """Of a tensor without data its shape alone: one element, seen many times."""
    if isinstance(value, torch.Tensor):
        value = value.detach()
        return torch.zeros((), dtype=value.dtype).expand(value.shape) if value.is_meta else value.contiguous()
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def main(path):
    job = json.loads(pathlib.Path(path).read_text())
    pipeline = load_pipeline(pathlib.Path(job["folder"]))
    manifest = pipeline.read_manifest()
    inputs = read_inputs(job)
    stages = [pipeline.build_stage(index, job["device"]) for index in range(len(manifest["stages"]))]
    if job["device"] == "meta":  # the model that these are compared with has no gradients of what was not read
        for stage in stages:
            type(stage).forward.__globals__["with_zeros"] = lambda results, operands: results
    with SameRandomNumbers(job["seed"]):
        record = forward(stages, inputs, pipeline, manifest)
    backward(record, job["loss_output"])
    gradients, buffers = state_of(stages, manifest)
    results = {
        "outputs": [saved(leaf) for leaf in tree_leaves(record[-1][1])],
        "parameter_gradients": {name: saved(value) for name, value in gradients.items()},
        "input_gradients": {name: saved(inputs[name].grad) for name in job["differentiated"]},
        "buffers": {name: saved(value) for name, value in buffers.items()},
    }
    torch.save(results, job["results"])


if __name__ == "__main__":
    main(sys.argv[1])
