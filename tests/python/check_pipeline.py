"""Does torchrun on an export give the loss and the gradients of the whole model?

    check_pipeline.py EXPORTER "gpipe,1f1b" STAGES PROCESSES MODEL...

Runs pipeline.py in PROCESSES processes (gloo, on this machine) and compares with the unsplit model in this one, on
the same microbatches: the loss is the mean over them.
"""
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch
from processes import run_torchrun

warnings.filterwarnings("ignore")
MICROBATCHES = 3


def load_pipeline(folder):
    spec = importlib.util.spec_from_file_location("pipeline", folder / "pipeline.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def loss_of(outputs):
    """The only scalar that needs a gradient, else the sum of all outputs that need one: what exports say they take."""
    leaves = [leaf for leaf in torch.utils._pytree.tree_leaves(outputs) if isinstance(leaf, torch.Tensor)]
    trained = [leaf for leaf in leaves if leaf.is_floating_point() and leaf.requires_grad]
    scalars = [leaf for leaf in trained if leaf.dim() == 0]
    return scalars[0] if len(scalars) == 1 else sum((leaf.sum() for leaf in trained), torch.zeros(()))


def expected(model, folder):
    pipeline, manifest = load_pipeline(folder), json.loads((folder / "manifest.json").read_text())
    module = torch.export.load(model).module()
    generator = torch.Generator().manual_seed(0)
    total = 0
    for _ in range(MICROBATCHES):
        args, kwargs = pipeline.call_arguments(manifest, pipeline.make_inputs(manifest, generator))
        loss = loss_of(module(*args, **kwargs)) / MICROBATCHES
        if loss.requires_grad:
            loss.backward()
        total += float(loss.detach())
    return total, {name: parameter.grad for name, parameter in module.named_parameters()}


def run(folder, schedule, processes):
    saved = folder / schedule
    status, printed = run_torchrun(processes, folder / "pipeline.py", "--schedule", schedule, "--microbatches", MICROBATCHES,
                                   "--save", saved)
    if status != 0:
        print(printed[-9000:])
        return None, None
    loss, gradients = None, {}
    for path in sorted(saved.glob("rank_*.pt")):
        content = torch.load(path)
        loss = content["loss"] if content["loss"] is not None else loss
        for stage in content["gradients"].values():
            for name, gradient in stage.items():
                gradients.setdefault(name, []).append(gradient)
    return loss, gradients


def compare(whole, found):
    (loss, gradients), (found_loss, found_gradients) = whole, found
    faults = []
    if abs(loss - found_loss) > 1e-4 * max(1.0, abs(loss)):
        faults.append("loss %r, not %r" % (found_loss, loss))
    for name, gradient in gradients.items():
        copies = found_gradients.get(name)
        if copies is None:
            if gradient is not None and gradient.abs().max() > 0:
                faults.append("no gradient of %s" % name)
            continue
        for copy in copies:  # of a shared parameter each stage has the sum
            copy = torch.zeros_like(gradient) if copy is None and gradient is not None else copy
            if gradient is not None and not torch.allclose(gradient, copy, rtol=1e-3, atol=1e-4):
                faults.append("gradient of %s differs by %g" % (name, (gradient - copy).abs().max()))
    return faults


def main(exporter, schedules, stages, processes, *models):
    torch.set_num_threads(1)
    ok = True
    for model in models:
        with tempfile.TemporaryDirectory() as parent:
            folder = pathlib.Path(parent) / "stages"
            if subprocess.run([exporter, model, str(folder)] + stages.split(":")).returncode != 0:
                return False
            whole = expected(model, folder)
            for schedule in schedules.split(","):
                found = run(folder, schedule, processes)
                faults = ["it does not run"] if found[0] is None else compare(whole, found)
                print("%s, %s, %s stages, %s processes: loss %.6g, %d gradients: %s" %
                      (pathlib.Path(model).stem, schedule, stages, processes, whole[0], len(whole[1]),
                       "; ".join(faults[:4]) or "agree"), flush=True)
                ok = ok and not faults
    return ok


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
