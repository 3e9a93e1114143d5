"""Do stages of TorchScript files compute what torch.jit computes?

    check_scripted.py CLI [FOLDER]      FOLDER: with NAME-scripted.pt, NAME-traced.pt and NAME-expect.pt

Files of FOLDER, or models that are scripted here, of what the language has: each is exported in three stages, and
these give the outputs, gradients and buffers of torch.jit.load(); whole and in evaluation the outputs in NAME-expect.pt, but
for skip, whose running means went on after the file was written: there those of torch.jit. The program's own verification
must pass too, `info` say the same parameters, and `profile` what it says of the .pt2.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import scripted_models
import torch
from check_stages import compare, fresh, load_pipeline, loss_of, run_chain, state_of, TOLERANCE
from torch.utils._pytree import tree_leaves

warnings.filterwarnings("ignore")
SPLITS = (3,)


def run(cli, *arguments):
    done = subprocess.run([cli, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def run_whole(file, args, kwargs, inputs, names):
    """As run_chain() does."""
    module = torch.jit.load(str(file))
    with torch.jit.optimized_execution(False):
        outputs = module(*args, **kwargs)
        loss = loss_of(outputs)
        if loss is not None:
            loss.backward()
    return outputs, state_of([module], names), {n: v.grad for n, v in inputs.items() if isinstance(v, torch.Tensor)}


def faults_of(folder, file):
    """What stages in training compute otherwise than torch.jit does."""
    manifest = json.loads((folder / "manifest.json").read_text())
    names = {name for stage in manifest["stages"] for name in stage["parameters"]}
    pipeline = load_pipeline(folder)
    inputs = pipeline.make_inputs(manifest, torch.Generator().manual_seed(0))
    given = {name: fresh(value) for name, value in inputs.items()}
    expected = run_whole(file, *pipeline.call_arguments(manifest, given), given, names)
    found = run_chain([pipeline.build_stage(i) for i in range(len(manifest["stages"]))], inputs, pipeline, manifest)
    faults = []
    one, other = tree_leaves(expected[0]), tree_leaves(found[0])
    if len(one) != len(other):
        faults.append("%d outputs, not %d" % (len(other), len(one)))
    compare("output", dict(enumerate(one)), dict(enumerate(other)), faults)
    compare("gradient", expected[1][0], found[1][0], faults)
    compare("buffer", expected[1][1], found[1][1], faults)
    compare("gradient of", expected[2], found[2], faults)
    return faults


def check(cli, name, file, texts, parent):
    """One line of what is wrong, or nothing."""
    inputs = [part for text in texts for part in ("--input", text)]
    status, said, error = run(cli, "info", file, *inputs, "--json")
    if status:
        return error
    wanted = sum(p.numel() for p in torch.jit.load(str(file)).parameters())
    if json.loads(said)["parameters"] != wanted:
        return "info says %s parameters, not %d" % (json.loads(said)["parameters"], wanted)
    for stages in SPLITS:
        folder = parent / ("%s-%d" % (name, stages))
        status, _, error = run(cli, "export", file, *inputs, "--stages", stages, "--time-limit", 1, "--loss-output", "all", "-o", folder)
        if status:
            return error
        faults = faults_of(folder, file)
        if faults:
            return "%d stages: %s" % (stages, "; ".join(faults[:4]))
        status, said, error = run(cli, "verify", file, folder, *inputs)
        if status:
            return "verify: %s%s" % (said, error)
    return ""


def check_evaluated(cli, file, expected, parent):
    """A scripted file put into evaluation gives what eager PyTorch gave."""
    evaluated = parent / ("evaluated-" + file.name)
    module = torch.jit.load(str(file)).eval()
    module.save(str(evaluated))
    texts = ["%s[%s]" % ("f32" if t.is_floating_point() else "i64", ",".join(map(str, t.shape))) for t in expected["inputs"]]
    folder = parent / (evaluated.stem + "-stage")
    status, _, error = run(cli, "export", evaluated, *(p for t in texts for p in ("--input", t)), "--stages", 1, "--mode",
                           "infer", "--formats", "python", "-o", folder)
    if status:
        return error
    manifest, pipeline = json.loads((folder / "manifest.json").read_text()), load_pipeline(folder)
    tensors = [entry["name"] for entry in manifest["model"]["inputs"] if entry["shape"] is not None]
    args, kwargs = pipeline.call_arguments(manifest, dict(zip(tensors, expected["inputs"])))
    outputs = pipeline.build_stage(0)(*args, **kwargs)
    wanted = module(*expected["inputs"]) if file.name.startswith("skip") else expected["outputs"]
    for found, value in zip(tree_leaves(outputs), tree_leaves(wanted), strict=True):
        torch.testing.assert_close(found, value, **TOLERANCE)
    return ""


def check_profile(cli, file, texts):
    """A step costs what it costs in the .pt2 of the same model."""
    said = []
    for model, inputs in (file, [p for t in texts for p in ("--input", t)]), (static_of(file), []):
        status, text, error = run(cli, "profile", model, *inputs, "--json")
        if status:
            return error
        said.append(json.loads(text))
    wrong = [key for key in ("totals", "memory_at_peak", "device_memory") if said[0][key] != said[1][key]]
    return " and ".join(wrong) + " differ" if wrong else ""


def static_of(file):
    return file.with_name(file.name.replace("scripted.pt", "static.pt2"))


def check_refused(cli, file, reason):
    status, _, error = run(cli, "info", file, "--input", "f32[4,8]")
    return "" if status == 1 and reason in error and error.count("\n") == 1 else error or "it opens"


def main(cli, data=None):
    torch.set_num_threads(1)
    ok = True

    def say(name, wrong):
        nonlocal ok
        print("%s: %s" % (name, wrong or "the same"), flush=True)
        ok = ok and not wrong

    with tempfile.TemporaryDirectory() as folder:
        parent = pathlib.Path(folder)
        for name, model, texts in [] if data else scripted_models.models():
            file = parent / (name + ".pt")
            torch.manual_seed(0)
            torch.jit.script(model()).save(str(file))
            say(name, check(cli, name, file, texts, parent))
        for name, module, reason in [] if data else scripted_models.refused():
            file = parent / (name + ".pt")
            module.save(str(file))
            say(name + " refused", check_refused(cli, file, reason))
        for file in sorted(pathlib.Path(data).glob("*-expect.pt")) if data else []:
            expected = torch.load(file)
            for kind in "scripted", "traced":
                other = file.with_name(file.name.replace("expect", kind))
                if other.exists():
                    texts = ["%s[%s]" % ("f32" if t.is_floating_point() else "i64", ",".join(map(str, t.shape)))
                             for t in expected["inputs"]]
                    say(other.name, check(cli, other.stem, other, texts, parent))
                    if kind == "scripted":  # a trace keeps the mode it was made in
                        say(other.name + " profiled", check_profile(cli, other, texts))
                        say(other.name + " in evaluation", check_evaluated(cli, other, expected, parent))
    return ok


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
