"""Runs the stages of an export as its users do, for `stagecraft-cli verify --python`.

    python run_stages.py JOB.json

pipeline.py builds them, from stage_I.py and the weights. They run forward and backward on the inputs that the job
names, each stage cut off from its neighbours as in a pipeline, with the same random numbers as the whole model; the
loss is the output that the job names, else the sum of all that have a gradient. Where the whole model cannot be
differentiated (`forward_only`), nothing is. What comes out is written for comparison with the whole model.
"""
import importlib.util
import json
import os
import pathlib
import re
import sys
import weakref

try:
    import torch
    import torch.utils.checkpoint
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


def seed_second_runs(seed):
    """Backward passes leave the mode: what regions run again seeds for itself."""
    checkpoint = torch.utils.checkpoint.checkpoint

    def seeded(function, *args, **options):
        def run(*operands):
            with SameRandomNumbers(seed):
                return function(*operands)
        return checkpoint(run, *args, **options)
    torch.utils.checkpoint.checkpoint = seeded


class Counted:
    """A stage, with the storages that it keeps for backward: those that autograd saves and that regions hold which run
    again, but for its weights, what it was given, and copies of that."""

    def __init__(self, stage):
        self.stage, self.holders, self.contexts, self.given, self.copies = stage, [], [], set(), []

    def __call__(self, *args, **kwargs):
        tensors = [*self.stage.parameters(), *self.stage.buffers(), *tree_leaves((args, kwargs))]
        self.given.update(tensor.untyped_storage()._cdata for tensor in tensors if isinstance(tensor, torch.Tensor))
        code = type(self.stage).forward.__globals__
        lay_out, create = code.get("laid_out"), torch.utils.checkpoint.create_selective_checkpoint_contexts
        if lay_out:
            code["laid_out"] = lambda *args, **kwargs: self.copied(lay_out(*args, **kwargs))
        torch.utils.checkpoint.create_selective_checkpoint_contexts = \
            lambda *args, **kwargs: self.watched(create(*args, **kwargs))
        try:
            with torch.autograd.graph.saved_tensors_hooks(self.hold, lambda holder: holder.tensor):
                return self.stage(*args, **kwargs)
        finally:
            torch.utils.checkpoint.create_selective_checkpoint_contexts = create
            if lay_out:
                code["laid_out"] = lay_out

    def hold(self, tensor):
        holder = Holder()
        holder.tensor = tensor
        self.holders.append(weakref.ref(holder))
        return holder

    def copied(self, tensor):
        self.copies.append(tensor)  # no other may come to lie there
        self.given.add(tensor.untyped_storage()._cdata)
        return tensor

    def watched(self, contexts):
        self.contexts.append(weakref.ref(contexts[1]))
        return contexts

    def saved_bytes(self):
        """None where it cannot be known."""
        tensors = [holder().tensor for holder in self.holders if holder() is not None]
        for context in (context() for context in self.contexts):
            for kept in getattr(context, "storage", {}).values():  # by PyTorch's version dicts or lists
                entries = tree_leaves(list(kept.values()) if isinstance(kept, dict) else list(kept))
                tensors += [entry.val for entry in entries if isinstance(getattr(entry, "val", None), torch.Tensor)]
        self.copies.clear()
        if any(tensor.layout != torch.strided for tensor in tensors):
            return None
        sizes = {tensor.untyped_storage()._cdata: tensor.untyped_storage().nbytes() for tensor in tensors}
        return sum(size for storage, size in sizes.items() if storage not in self.given)


class Holder:
    """What autograd keeps in the place of a tensor."""


def load_file(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def import_operators(names):
    """Of modules and files that register operators."""
    sys.path.append(os.getcwd())
    for name in names:
        path = pathlib.Path(name)
        if path.suffix == ".py":
            sys.path.append(str(path.resolve().parent))
            load_file(path.stem, path)
        else:
            importlib.import_module(name)


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
    trained = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
    parts = [(torch.view_as_real(leaf.resolve_conj()) if leaf.is_complex() else leaf).sum(dtype=torch.float64)
             for leaf in trained]
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
        value = value.detach().resolve_conj().resolve_neg()
        return torch.zeros((), dtype=value.dtype).expand(value.shape) if value.is_meta else value.contiguous()
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def main(path):
    job = json.loads(pathlib.Path(path).read_text())
    import_operators(job["imports"])
    pipeline = load_file("pipeline", pathlib.Path(job["folder"]) / "pipeline.py")
    manifest = pipeline.read_manifest()
    inputs = read_inputs(job)
    stages = [pipeline.build_stage(index, job["device"]) for index in range(len(manifest["stages"]))]
    if job["forward_only"]:
        for stage in stages:
            stage.requires_grad_(False)
    if job["device"] == "meta":  # the model that these are compared with has no gradients of what was not read
        for stage in stages:
            type(stage).forward.__globals__["with_zeros"] = lambda results, operands: results
    # Only stages that recompute say what they keep; one that writes to what it received works on copies.
    are_counted = [job["device"] == "cpu" and entry.get("saved_bytes") is not None
                   and "# is written to below" not in (pathlib.Path(job["folder"]) / entry["code"]).read_text()
                   for entry in manifest["stages"]]
    called = [Counted(stage) if is_counted else stage for stage, is_counted in zip(stages, are_counted)]
    seed_second_runs(job["seed"])
    with SameRandomNumbers(job["seed"]):
        record = forward(called, inputs, pipeline, manifest)
        kept = [stage.saved_bytes() if isinstance(stage, Counted) else None for stage in called]
    backward(record, job["loss_output"])
    gradients, buffers = state_of(stages, manifest)
    results = {
        "outputs": [saved(leaf) for leaf in tree_leaves(record[-1][1])],
        "parameter_gradients": {name: saved(value) for name, value in gradients.items()},
        "input_gradients": {name: saved(inputs[name].grad) for name in job["differentiated"]},
        "buffers": {name: saved(value) for name, value in buffers.items()},
        "saved_bytes": kept,
    }
    torch.save(results, job["results"])


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except AttributeError as failure:
        lacking = re.search(r"'_OpNamespace' '(\w+)' object has no attribute '(\w+)'", str(failure))
        if not lacking:
            raise
        print("%s::%s" % lacking.groups(), file=sys.stderr)
        sys.exit(4)
