"""Do exported stages compute under torch.compile what they compute without?

    check_compiled.py EXPORTER STAGES MODEL...       STAGES: "2" or "2 7", what the exporter takes behind the folder

EXPORTER is export_stages or export_recomputed. Each stage of each model is compiled as one graph (fullgraph=True) and
run beside itself on the same inputs and random numbers, forward and backward: outputs, gradients of inputs and
parameters, and buffers are equal. The compiler's backend runs the operators as they are (aot_eager), so that
differences are of what was compiled and not of faster kernels.
"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import check_stages
import torch
import torch._dynamo
from torch.utils._pytree import tree_leaves

warnings.filterwarnings("ignore")
SEED = 3


def fresh(value):
    if not isinstance(value, torch.Tensor):
        return value
    return value.detach().clone().requires_grad_(value.is_floating_point())


def run(stage, run_by, args, kwargs):
    """What comes out, by name; what is handed on."""
    args, kwargs = torch.utils._pytree.tree_map(fresh, (args, kwargs))
    stage.zero_grad()
    torch.manual_seed(SEED)
    outputs = run_by(*args, **kwargs)
    loss = check_stages.loss_of(outputs)
    if loss is not None and loss.requires_grad:
        loss.backward()
    found = {"output %d" % i: leaf for i, leaf in enumerate(tree_leaves(outputs))}
    found |= {"gradient of input %d" % i: leaf.grad for i, leaf in enumerate(tree_leaves((args, kwargs)))
              if isinstance(leaf, torch.Tensor)}
    found |= {"gradient of " + name: parameter.grad for name, parameter in stage.named_parameters()}
    found |= {"buffer " + name: buffer.clone() for name, buffer in stage.named_buffers()}
    return found, outputs


def differences(expected, found):
    assert expected.keys() == found.keys()
    for name, value in expected.items():
        other = found[name]
        if not isinstance(value, torch.Tensor) or not isinstance(other, torch.Tensor):
            # Who asks for no gradient gets none; a compiler may make zeros of it.
            same = value == other if not isinstance(other, torch.Tensor) else value is None and not other.any()
        else:
            same = value.shape == other.shape and value.dtype == other.dtype and \
                torch.allclose(value, other, rtol=1e-4, atol=1e-5, equal_nan=True)
        if not same:
            yield "%s differs" % name


def check_export(folder):
    manifest = json.loads((folder / "manifest.json").read_text())
    pipeline = check_stages.load_pipeline(folder)
    inputs = pipeline.make_inputs(manifest, torch.Generator().manual_seed(0))
    ok, passed = True, ()
    for index in range(len(manifest["stages"])):
        stage = pipeline.build_stage(index)
        if index == 0:
            args, kwargs = pipeline.call_arguments(manifest, inputs)
        else:
            wanted = [i["name"] for i in manifest["stages"][index]["inputs"] if i["source"] == "model"]
            args, kwargs = passed, {name: inputs[name] for name in wanted}
        torch._dynamo.reset()
        same = copy.deepcopy(stage)
        try:
            found, _ = run(same, torch.compile(same, fullgraph=True, backend="aot_eager"), args, kwargs)
            expected, outputs = run(stage, stage, args, kwargs)
            faults = list(differences(expected, found))
        except Exception as failure:
            _, outputs = run(stage, stage, args, kwargs)
            faults = ["%s: %s" % (type(failure).__name__, str(failure)[:400])]
        passed = outputs if isinstance(outputs, tuple) else (outputs,)
        print("  stage %d: %s" % (index, "; ".join(faults[:4]) if faults else "agrees"), flush=True)
        ok = ok and not faults
    return ok


def main(exporter, stages, *models):
    torch.set_num_threads(1)
    ok = True
    for model in models:
        with tempfile.TemporaryDirectory() as parent:
            folder = pathlib.Path(parent) / "stages"
            print("%s in %s stages" % (pathlib.Path(model).stem, stages), flush=True)
            subprocess.run([exporter, model, str(folder), *stages.split()], check=True)
            ok = check_export(folder) and ok
    return ok


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
