"""Do exported stages with checkpoint regions train as the whole model does, and as often?

    check_checkpoints.py EXPORTER ORACLE PROGRAMS...

For each program of tests/data/oracle/checkpoints, in one stage and in three: exports it; runs the stages (stage_I.py)
one after the other in real PyTorch, each cut off from its neighbours as in a pipeline; and compares outputs, gradients
and how often batch norms are updated with the program run as an eager model runs (checkpoints.py). In one stage also
FLOPs and saved bytes with the oracle's, which the profile is held against. Random numbers are those of one seed a run,
put back by PyTorch for a second run; so three stages draw others than one, and are compared where there are none.
"""
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch
from torch.utils.flop_counter import FlopCounterMode

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "data" / "oracle"))
import checkpoints  # noqa: E402
import tracker  # noqa: E402

warnings.filterwarnings("ignore")
SEED = 5


def load(folder, name):
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_whole(path):
    program = torch.export.load(path)
    module = program.module()
    checkpoints.run_regions_as_eager_does([*module.parameters(), *module.buffers()])
    torch.manual_seed(SEED)
    outputs = module(*program.example_inputs[0])
    tracker.float_sum(outputs).backward()
    return program, outputs, state([module])


def state(modules):
    """Gradients, those of copies of a parameter added up, and buffers."""
    values = {}
    for module in modules:
        for name, parameter in module.named_parameters():
            if parameter.grad is not None:
                values[name + ".grad"] = values.get(name + ".grad", 0) + parameter.grad
        values.update(module.named_buffers())
    return values


def run_chain(stages, inputs, entries):
    """Forward through all stages, then backward through all, from the last. The programs have one input."""
    torch.manual_seed(SEED)
    taken, given = inputs, []
    for index, (stage, entry) in enumerate(zip(stages, entries)):
        received = tuple(t.detach().requires_grad_(t.requires_grad) for t in taken)
        named = [i["name"] for i in entry["inputs"] if index and i["source"] == "model"]
        made = stage(*received, **{name: inputs[0] for name in named})
        taken = made if isinstance(made, tuple) else (made,)
        given.append((received, taken))
    outputs, gradients = taken, None
    for received, made in reversed(given):
        if gradients is None:
            tracker.float_sum(made).backward()
        else:
            wanted = [(t, g) for t, g in zip(made, gradients) if t.requires_grad and g is not None]
            torch.autograd.backward([t for t, _ in wanted], [g for _, g in wanted])
        gradients = [t.grad for t in received]
    return outputs


def differences(outputs, values, whole_outputs, whole_values):
    wrong = []
    leaves = torch.utils._pytree.tree_leaves
    for i, (a, b) in enumerate(zip(leaves(outputs), leaves(whole_outputs), strict=True)):
        if not torch.allclose(a, b, rtol=1e-4, atol=1e-5):
            wrong.append(f"output {i}")
    for name, value in whole_values.items():
        if name not in values or not torch.allclose(values[name], value, rtol=1e-4, atol=1e-5):
            wrong.append(name)
    return wrong


def counted(stage, inputs, row):
    wrong = []
    flops = FlopCounterMode(display=False)
    with flops:
        tracker.float_sum(stage(*inputs)).backward()
    if flops.get_total_flops() != row["flops_torch"]["total"]:
        wrong.append(f"FLOPs: {flops.get_total_flops()} instead of {row['flops_torch']['total']}")
    classes = dict(parameters=list(stage.parameters()), buffers=list(stage.buffers()), inputs=list(inputs))
    saved = tracker.saved_bytes(lambda: stage(*inputs), classes)["saved_bytes"]
    if saved != row["saved_bytes"]:
        wrong.append(f"saved bytes: {saved} instead of {row['saved_bytes']}")
    return wrong


def check(exporter, path, count, row):
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place) / "stages"
        subprocess.run([exporter, str(path), str(folder), str(count)], check=True)
        pipeline = load(folder, "pipeline")
        program, outputs, values = run_whole(path)
        stages = [pipeline.build_stage(i) for i in range(count)]
        code = "".join((folder / f"stage_{i}.py").read_text() for i in range(count))
        wrong = [] if "torch.utils.checkpoint.checkpoint(" in code else ["no region is left"]
        inputs = program.example_inputs[0]
        chain = run_chain(stages, inputs, pipeline.read_manifest()["stages"])
        if count == 1 or path.stem != "dropout":
            wrong += differences(chain, state(stages), outputs, values)
        if count == 1:
            wrong += counted(pipeline.build_stage(0), inputs, row)
        return wrong


if __name__ == "__main__":
    torch.set_num_threads(1)
    exporter, oracle, *programs = sys.argv[1:]
    rows = {row["name"]: row for row in json.loads(pathlib.Path(oracle).read_text())["rows"]}
    failed = 0
    for path in map(pathlib.Path, programs):
        for count in (1, 3):
            wrong = check(exporter, path, count, rows[path.stem])
            failed += bool(wrong)
            print(f"{path.stem} in {count}: " + ("; ".join(wrong) if wrong else "ok"))
    sys.exit(1 if failed else 0)
