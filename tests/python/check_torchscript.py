"""Do TorchScript stages compute bit for bit what the stages in Python compute?

    check_torchscript.py CLI MODEL...       MODEL, or MODEL=REASON where the export is to be refused with that in its reason

Exports each model in two and three stages, runs both chains on the same inputs, three times each, and compares outputs,
what is sent, buffers, and gradients of parameters and inputs; where sizes vary, once more with others. Without TorchScript's own compiler, which
from the second run on differentiates by rules of its own.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import model_classes  # noqa: F401
import torch
from check_stages import fresh, load_pipeline, loss_of, plain
from torch.utils._pytree import tree_flatten

warnings.filterwarnings("ignore")
RUNS = 3


def tuple_of(values):
    return values if isinstance(values, tuple) else (values,)


def run(stages, inputs, first_call, manifest):
    """What each stage returns, gradients and buffers, by what they are."""
    given = {name: fresh(value) for name, value in inputs.items()}
    record, passed = [], ()
    for index, stage in enumerate(stages):
        torch.manual_seed(index)
        received = tuple(value.detach().clone().requires_grad_(value.requires_grad) for value in passed)
        wanted = [i["name"] for i in manifest["stages"][index]["inputs"] if i["source"] == "model"]
        outputs = first_call(stage, given) if index == 0 else stage(*received, **{name: given[name] for name in wanted})
        passed = tuple_of(outputs) if index + 1 < len(stages) else ()
        record.append((received, outputs))
    loss = loss_of(outputs)
    if loss is not None:
        loss.backward()
        for index in range(len(stages) - 2, -1, -1):
            pairs = [(value, other.grad) for value, other in zip(tuple_of(record[index][1]), record[index + 1][0])
                     if value.requires_grad and other.grad is not None]
            if pairs:
                torch.autograd.backward([p[0] for p in pairs], [p[1] for p in pairs])
    found = {("gradient of input", name): value.grad for name, value in given.items() if isinstance(value, torch.Tensor)}
    for index, stage in enumerate(stages):
        found["output", index] = record[index][1]
        for name, value in stage.named_parameters():
            found["gradient in %d" % index, name] = value.grad
            value.grad = None
        for name, value in stage.named_buffers():
            found["buffer in %d" % index, name] = value.detach().clone()
    return found


def same(a, b):
    if isinstance(a, torch.Tensor) or isinstance(b, torch.Tensor):
        if a is None or b is None:  # one of them made zeros of no gradient
            there = b if a is None else a
            return not there.any()
        if a.dtype != b.dtype or a.shape != b.shape:
            return False
        return torch.allclose(a, b, equal_nan=True, rtol=0, atol=0)
    return a == b


def differences(python, script):
    for (kind, name), value in python.items():
        if kind != "output":
            if (kind, name) not in script:
                if value is not None and not kind.startswith("buffer"):
                    yield "%s %s is missing" % (kind, name)
            elif not same(value, script[kind, name]):
                yield "%s %s differs" % (kind, name)
            continue
        expected, tree = tree_flatten(plain(value, classes_too=True))
        found, other = tree_flatten(script[kind, name])
        if str(tree).replace("OrderedDict", "dict") != str(other):
            yield "stage %s returns %s, not %s" % (name, other, tree)
        elif not all(same(a, b) for a, b in zip(expected, found)):
            yield "output of stage %s differs" % name


def with_other_sizes(manifest):
    """The manifest as if the model had been exported with inputs larger by three, where its symbols allow that."""
    from stagecraft_runtime.sizes import symbols_in  # the export's own
    model = manifest["model"]
    taken = symbols_in(size for entry in model["inputs"] for size in entry["shape"] or [])
    sizes = {name: min(model["symbols"][name] + 3, model["ranges"].get(name, [0, 1 << 40])[1]) for name in taken}
    return {**manifest, "model": {**model, "symbols": {**model["symbols"], **sizes}}}, sizes


def check(folder):
    manifest = json.loads((folder / "manifest.json").read_text())
    values = check_with(folder, manifest)
    other, sizes = with_other_sizes(manifest)
    if not sizes:
        return "%d values are the same" % values
    return "%d values are the same, %d with %s" % (values, check_with(folder, other), sizes)


def check_with(folder, manifest):
    pipeline = load_pipeline(folder)
    inputs = pipeline.make_inputs(manifest, torch.Generator().manual_seed(0))
    count = range(len(manifest["stages"]))
    python = [pipeline.build_stage(i) for i in count]
    script = [torch.jit.load(str(folder / manifest["stages"][i]["torchscript"])) for i in count]
    names = [entry["name"] for entry in manifest["stages"][0]["inputs"]]

    def nested(stage, given):
        args, kwargs = pipeline.call_arguments(manifest, given)
        return stage(*args, **kwargs)

    for number in range(RUNS):
        expected = run(python, inputs, nested, manifest)
        with torch.jit.optimized_execution(False):
            found = run(script, inputs, lambda stage, given: stage(*(given[name] for name in names)), manifest)
        faults = list(differences(expected, found))
        assert not faults, "run %d: %s" % (number, "; ".join(faults[:4]))
    return len(expected)


def main(cli, *models):
    torch.set_num_threads(1)
    ok = True
    for model in models:
        path, _, reason = model.partition("=")
        for stages in "2", "3":
            with tempfile.TemporaryDirectory() as parent:
                folder = pathlib.Path(parent) / "stages"
                done = subprocess.run([cli, "export", path, "--stages", stages, "--time-limit", "1", "--loss-output", "all",
                                       "--formats", "python,torchscript", "-o", str(folder)], capture_output=True, text=True)
                said = "%s in %s: " % (pathlib.Path(path).stem, stages)
                if reason:
                    fits = done.returncode == 1 and reason in done.stderr and not folder.exists()
                    said += "refused" if fits else "not refused: %d %s" % (done.returncode, done.stderr[-300:])
                else:
                    fits = done.returncode == 0
                    try:
                        said += check(folder) if fits else done.stderr[-300:]
                    except Exception as failure:
                        fits, said = False, said + "%s: %s" % (type(failure).__name__, str(failure)[-600:])
                print(said, flush=True)
                ok = ok and fits
    return ok


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
