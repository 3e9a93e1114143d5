"""Do exported stages compute what the whole model computes, in real PyTorch?

    check_stages.py EXPORTER VERIFIER SPLITS MODEL...       SPLITS: "2,3,3:7" two or three stages, three with seed 7

Exports each model in each split.
Loads the whole model and, in two ways (stage_I.py with safetensors; torch.export.load of stage_I.pt2), its stages;
runs both on the same inputs, each stage cut off from its neighbours as in a pipeline, forward and backward; and
compares outputs, gradients of parameters and inputs, and buffers. Prints one line a way; exit status 1 where they
differ, or where the program's own verification finds a difference.
"""
import collections
import dataclasses
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import model_classes  # noqa: F401
import torch
import torch.distributed.pipelining  # noqa: F401, knows pipe_split(), which a model may hold
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten

warnings.filterwarnings("ignore")
TOLERANCE = dict(rtol=1e-4, atol=1e-5)


class SameRandomNumbers(TorchDispatchMode):
    """Seeds before every random operator, so that the order of operators does not matter."""

    supports_higher_order_operators = True

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if torch.Tag.nondeterministic_seeded in getattr(function, "tags", ()):
            torch.manual_seed(1234)
        return function(*args, **(kwargs or {}))


def load_pipeline(folder):
    spec = importlib.util.spec_from_file_location("pipeline", folder / "pipeline.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fresh(value):
    if not isinstance(value, torch.Tensor):
        return value
    value = value.detach().clone()
    return value.requires_grad_() if value.is_floating_point() else value


def loss_of(outputs):
    parts = [leaf.float().sum() for leaf in tree_leaves(outputs)
             if isinstance(leaf, torch.Tensor) and leaf.is_floating_point() and leaf.requires_grad]
    return sum(parts) if parts else None


def plain(value, classes_too):
    """With dicts for defaultdicts and, where `classes_too`, for dataclasses: so the .pt2 files of stages return them."""
    if dataclasses.is_dataclass(value) and not classes_too:
        return dataclasses.replace(value, **{name: plain(field, False) for name, field in vars(value).items()})
    if dataclasses.is_dataclass(value):
        value = {name: field for name, field in vars(value).items() if field is not None}
    if isinstance(value, dict):
        kind = collections.OrderedDict if isinstance(value, collections.OrderedDict) else dict
        return kind((key, plain(item, classes_too)) for key, item in value.items())
    return type(value)(plain(item, classes_too) for item in value) if isinstance(value, (list, tuple)) else value


def state_of(modules, names=None):
    """Gradients by parameter name, copies summed; buffers by name. Of a parameter's several names the one in
    `names` counts."""
    gradients, buffers = {}, {}
    for module in modules:
        by_parameter = {}
        for name, parameter in module.named_parameters(remove_duplicate=False):
            if parameter not in by_parameter or (names and name in names):
                by_parameter[parameter] = name
        for parameter, name in by_parameter.items():
            gradient = parameter.grad if parameter.grad is not None else torch.zeros_like(parameter)
            gradients[name] = gradients[name] + gradient if name in gradients else gradient
        for name, buffer in module.named_buffers():
            buffers[name] = buffer.detach().clone()
    return gradients, buffers


def names_in(manifest):
    return {name for stage in manifest["stages"] for name in stage["parameters"]}


def trainable(program):
    """Its module, which reads copies of the buffers that it writes to: PyTorch does not go back through a decomposed
    batch norm else."""
    written = set(program.graph_signature.buffers_to_mutate.values())
    for node in list(program.graph.nodes):
        if program.graph_signature.inputs_to_buffers.get(node.name) in written:
            with program.graph.inserting_after(node):
                copy = program.graph.call_function(torch.ops.aten.clone.default, (node,))
            node.replace_all_uses_with(copy, delete_user_cb=lambda user, copy=copy: user is not copy)
    program.graph_module.recompile()
    return program.module()


def run_whole(program, inputs, pipeline, manifest):
    module = trainable(program)
    inputs = {name: fresh(value) for name, value in inputs.items()}
    leaves = tree_leaves(pipeline.call_arguments(manifest, inputs))
    args, kwargs = tree_unflatten(leaves, program.call_spec.in_spec)
    with SameRandomNumbers():
        outputs = module(*args, **kwargs)
        loss = loss_of(outputs)
        if loss is not None:
            loss.backward()
    return outputs, state_of([module], names_in(manifest)), {n: v.grad for n, v in inputs.items() if isinstance(v, torch.Tensor)}


def run_chain(stages, inputs, pipeline, manifest):
    given = {name: fresh(value) for name, value in inputs.items()}
    record, passed = [], ()
    with SameRandomNumbers():
        for index, stage in enumerate(stages):
            if index == 0:
                args, kwargs = pipeline.call_arguments(manifest, given)
                received = ()
            else:
                received = tuple(value.detach().clone().requires_grad_(value.requires_grad) for value in passed)
                wanted = [i["name"] for i in manifest["stages"][index]["inputs"] if i["source"] == "model"]
                args, kwargs = received, {name: given[name] for name in wanted}
            outputs = stage(*args, **kwargs)
            if index + 1 < len(stages):
                passed = outputs if isinstance(outputs, tuple) else (outputs,)
                assert len(passed) == len(manifest["stages"][index]["outputs"])
                assert all(value.is_contiguous() for value in passed), "a boundary tensor is not contiguous"
            record.append((received, outputs))
        loss = loss_of(outputs)
        if loss is not None:
            loss.backward()
            for index in range(len(stages) - 2, -1, -1):
                gradients = [value.grad for value in record[index + 1][0]]
                outputs_here = record[index][1] if isinstance(record[index][1], tuple) else (record[index][1],)
                pairs = [(value, gradient) for value, gradient in zip(outputs_here, gradients)
                         if value.requires_grad and gradient is not None]
                if pairs:
                    torch.autograd.backward([p[0] for p in pairs], [p[1] for p in pairs])
    return outputs, state_of(stages, names_in(manifest)), {n: v.grad for n, v in given.items() if isinstance(v, torch.Tensor)}


def comparable(tensor):
    """Of eight bits PyTorch compares no floating-point numbers."""
    return tensor.float() if tensor.is_floating_point() and tensor.element_size() == 1 else tensor


def compare(kind, expected, found, faults, may_lack=False):
    for name, value in expected.items():
        if name not in found:
            # A parameter that nothing reads is in no stage: it has no gradient.
            if not may_lack or (isinstance(value, torch.Tensor) and value.dtype.is_floating_point
                                and kind == "gradient" and value.abs().max() > 0):
                faults.append("%s %s is missing" % (kind, name))
            continue
        other = found[name]
        value = torch.zeros_like(other) if value is None and other is not None else value
        other = torch.zeros_like(value) if other is None and value is not None else other
        if isinstance(value, torch.Tensor):
            if value.shape != other.shape or value.dtype != other.dtype:
                faults.append("%s %s: %s %s, not %s %s" % (kind, name, other.dtype, tuple(other.shape), value.dtype,
                                                           tuple(value.shape)))
            elif not torch.allclose(comparable(value), comparable(other), equal_nan=True, **TOLERANCE):
                faults.append("%s %s differs by %g" % (kind, name, (value.double() - other.double()).abs().max()))
        elif value != other:
            faults.append("%s %s: %r, not %r" % (kind, name, other, value))


def check(way, stages, whole, inputs, pipeline, manifest):
    outputs, (gradients, buffers), input_gradients = run_chain(stages, inputs, pipeline, manifest)
    faults = []
    expected_leaves, expected_tree = tree_flatten(plain(whole[0], classes_too=way != "python"))
    leaves, tree = tree_flatten(outputs)
    if str(tree) != str(expected_tree):
        faults.append("returns %s, not %s" % (tree, expected_tree))
    compare("output", dict(enumerate(expected_leaves)), dict(enumerate(leaves)), faults)
    compare("gradient", whole[1][0], gradients, faults, may_lack=True)
    compare("buffer", whole[1][1], buffers, faults, may_lack=True)
    compare("input gradient", whole[2], input_gradients, faults)
    print("%s: %s: %d outputs, %d gradients: %s" % (way, manifest["model"]["name"], len(leaves), len(gradients),
                                                    "; ".join(faults[:5]) if faults else "agree"))
    return not faults


def check_export(model, folder, known):
    manifest = json.loads((folder / "manifest.json").read_text())
    pipeline = load_pipeline(folder)
    inputs = pipeline.make_inputs(manifest, torch.Generator().manual_seed(0))
    if model not in known:  # the same for every split
        known[model] = run_whole(torch.export.load(model), inputs, pipeline, manifest)
    whole = known[model]
    count = range(len(manifest["stages"]))
    ok = check("python", [pipeline.build_stage(i) for i in count], whole, inputs, pipeline, manifest)
    loaded = [torch.export.load(folder / manifest["stages"][i]["program"]).module() for i in count]
    return check("pt2   ", loaded, whole, inputs, pipeline, manifest) and ok


def main(exporter, verifier, splits, *models):
    torch.set_num_threads(1)
    ok, known = True, {}
    for model in models:
        for split in splits.split(","):
            with tempfile.TemporaryDirectory() as parent:
                folder = pathlib.Path(parent) / "stages"
                print("%s in %s stages" % (pathlib.Path(model).stem, split), flush=True)
                exported = subprocess.run([exporter, model, str(folder)] + split.split(":"))
                if exported.returncode != 0:
                    ok = False
                    continue
                try:
                    ok = check_export(model, folder, known) and ok
                except Exception as failure:
                    print("%s: %s" % (type(failure).__name__, str(failure)[:600]), flush=True)
                    ok = False
                ok = subprocess.run([verifier, model, str(folder)]).returncode == 0 and ok
    return ok


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
