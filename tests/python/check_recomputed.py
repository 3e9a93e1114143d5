"""Do exported stages recompute what their plan says, and keep what it says to the byte?

    check_recomputed.py EXPORTER COUNT SEED FOLDER [NAME...]

EXPORTER is export_recomputed. For each program (of tests/data/oracle/recompute, and those that recompute_models.py
writes to FOLDER; or the files named) COUNT random plans: regions, what is kept in them, policies, in one to three
stages. What the exporter's checkPlan() does not refuse runs in real PyTorch, stage by stage as in a pipeline. Equal are

    outputs, gradients, buffers   those of the whole program without a plan, with the same random numbers
    saved bytes of each stage     storages that saved-tensor hooks see and that contexts of regions hold, its inputs,
                                  copies of them and weights left out: the tracer's, to the byte
    with what it was sent         its plan's, to the byte; of parts of a tensor those parts alone
    in one stage: peaks           of live storages, forward and backward: the tracer's, to the byte; but forward a method
                                  (a block that is written once) may hold what it was called with

Every fourth plan also runs under autocast: gradients and buffers are those of the program under autocast.
"""
import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings
import weakref

import torch
import torch.utils.checkpoint
from torch.utils._pytree import tree_leaves

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/data/oracle"), str(ROOT / "resources/python")]
import recompute  # noqa: E402
import recompute_models  # noqa: E402
import run_stages  # noqa: E402
import tracker  # noqa: E402

warnings.filterwarnings("ignore")
SEED = 5
HEAVY = ["aten::linear", "aten::conv2d", "aten::scaled_dot_product_attention", "aten::matmul", "aten::bmm", "aten::addmm"]


# ---------------------------------------------------------------- plans
def random_job(names, draw, policies):
    if policies and draw.random() < 0.25:
        return {"stages": draw.choice((1, 1, 2, 3)), "every": draw.choice((1, 2)),
                "operators": draw.sample(HEAVY, draw.choice((0, 0, 2, 4)))}
    whole = draw.random() < 0.1
    regions = [{"nodes": names, "kept": []}] if whole else recompute.random_plan(names, draw)
    return {"stages": draw.choice((1, 1, 2, 3)), "complete": draw.random() < 0.7, "regions": regions}


# ---------------------------------------------------------------- a stage, counted
class Counted:
    """A stage whose forward pass is watched: distinct storages that are kept for backward, its own arguments left out."""
    contexts = []  # of regions that keep something, while they are needed
    inputs = set()  # of the model

    def __init__(self, stage):
        self.stage, self.held, self.given, self.copies, self.mine = stage, [], set(), [], []
        self.received = set()  # of `given` what other stages sent, and copies of it

    def __call__(self, *args, **kwargs):
        sent = [t for t in tree_leaves(args) if isinstance(t, torch.Tensor) and t.untyped_storage()._cdata not in Counted.inputs]
        self.received |= {t.untyped_storage()._cdata for t in sent}
        class Kept:
            pass

        def pack(tensor):
            holder = Kept()
            holder.tensor = tensor
            self.held.append(weakref.ref(holder))
            return holder
        tensors = [*self.stage.parameters(), *self.stage.buffers(), *tree_leaves((args, kwargs))]
        self.given |= {t.untyped_storage()._cdata for t in tensors if isinstance(t, torch.Tensor)}
        code = type(self.stage).forward.__globals__
        if "laid_out" in code and not hasattr(code["laid_out"], "watched"):
            code["laid_out"] = self.watched(code["laid_out"])
        begin = len(Counted.contexts)
        with torch.autograd.graph.saved_tensors_hooks(pack, lambda holder: holder.tensor):
            made = self.stage(*args, **kwargs)
        self.mine = Counted.contexts[begin:]
        return made

    def watched(self, laid_out):
        """A received tensor in the strides of the model is a copy, which is what the cut costs and not the plan."""
        def watching(*args, **kwargs):
            copy = laid_out(*args, **kwargs)
            self.given.add(copy.untyped_storage()._cdata)
            self.received.add(copy.untyped_storage()._cdata)
            self.copies.append(copy)  # another tensor must not come to lie there
            return copy
        watching.watched = True
        return watching

    def saved_bytes(self):
        """(what it made, all but the weights and the model's inputs)"""
        tensors = [r().tensor for r in self.held if r() is not None]
        for context in (r() for r in self.mine):
            for entries in context.storage.values() if context else ():
                # By PyTorch's version a dict or a list, of trees of wrappers.
                wrapped = tree_leaves(list(entries.values()) if isinstance(entries, dict) else list(entries))
                tensors += [w.val for w in wrapped if isinstance(getattr(w, "val", None), torch.Tensor)]
        found = {t.untyped_storage()._cdata: t.untyped_storage().nbytes() for t in tensors}
        made = sum(size for key, size in found.items() if key not in self.given)
        return made, made + sum(size for key, size in found.items() if key in self.received)


def watch_contexts():
    create = torch.utils.checkpoint.create_selective_checkpoint_contexts

    def watched(*args, **kwargs):
        contexts = create(*args, **kwargs)
        Counted.contexts.append(weakref.ref(contexts[1]))
        return contexts
    torch.utils.checkpoint.create_selective_checkpoint_contexts = watched


# ---------------------------------------------------------------- runs
def run_whole(path, autocast=False):
    """Outputs, and gradients and buffers by name."""
    program = torch.export.load(path)
    module, example = program.module(), program.example_inputs[0]
    torch.manual_seed(SEED)
    with torch.autocast("cpu", torch.bfloat16, enabled=autocast):
        outputs = module(*example)
    tracker.float_sum(outputs).backward()
    return tree_leaves(outputs), recompute.state(module), example


def load(folder):
    spec = importlib.util.spec_from_file_location("pipeline", folder / "pipeline.py")
    pipeline = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pipeline)
    return pipeline


def different(whole, found, what, rtol=1e-4, atol=1e-6):
    if found is None:
        return ["no %s" % what]
    return [] if torch.allclose(whole, found, rtol=rtol, atol=atol) else \
        ["%s differs by %g" % (what, (whole - found).abs().max())]


def check_autocast(folder, row, whole):
    """Stages may run under autocast, too, which remembers casts of weights: a second run must not find others."""
    outputs, values, example = whole
    pipeline = load(folder)
    manifest = pipeline.read_manifest()
    stages = [pipeline.build_stage(index) for index in range(len(manifest["stages"]))]
    torch.manual_seed(SEED)
    with torch.autocast("cpu", torch.bfloat16):
        record = run_stages.forward(stages, dict(zip(manifest["model_inputs"], example)), pipeline, manifest)
    run_stages.backward(record, None)
    gradients, buffers = run_stages.state_of(stages, manifest)
    found, faults = {name + ".grad": gradient for name, gradient in gradients.items()} | buffers, []
    for name in values:
        faults += different(values[name], found.get(name), "under autocast " + name, 2e-2, 2e-2 * float(values[name].float().abs().max()))
    return faults


def check(folder, row, whole):
    outputs, values, example = whole
    pipeline = load(folder)
    manifest = pipeline.read_manifest()
    stages = [pipeline.build_stage(index) for index in range(len(manifest["stages"]))]
    counted = [Counted(stage) for stage in stages]
    inputs = dict(zip(manifest["model_inputs"], example))
    Counted.inputs = {t.untyped_storage()._cdata for t in tree_leaves(example) if isinstance(t, torch.Tensor)}
    torch.manual_seed(SEED)
    record = run_stages.forward(counted, inputs, pipeline, manifest)
    faults = []
    for index, stage in enumerate(counted):
        made, held = stage.saved_bytes()
        traced, planned = row["saved_bytes"][index], row["planned_bytes"][index]
        code = (folder / ("stage_%d.py" % index)).read_text()
        if ".clone()  # is written to below" in code:
            continue
        if made != traced:
            faults.append("stage %d keeps %d bytes, the tracer says %d" % (index, made, traced))
        if held != planned:
            faults.append("stage %d keeps %d bytes with what it was sent, its plan says %d" % (index, held, planned))
    for a, b in zip(outputs, tree_leaves(record[-1][1]), strict=True):
        faults += different(a, b, "an output")
    run_stages.backward(record, None)
    gradients, buffers = run_stages.state_of(stages, manifest)
    found = {name + ".grad": gradient for name, gradient in gradients.items()} | buffers
    for name in values:
        faults += different(values[name], found.get(name), name)
    if "whole" in row:
        faults += peaks(pipeline, example, row["whole"])
    return faults


def peaks(pipeline, example, expected):
    stage = pipeline.build_stage(0)
    torch.manual_seed(SEED)
    base = [*stage.parameters(), *stage.buffers(), *example]
    _, figures = tracker.step_memory(lambda: stage(*example), list(stage.parameters()), base)
    # What a method is called with its caller holds, and a region around the call would not need.
    holds = any(name.startswith("run_") for name in vars(type(stage)))
    return ["%s is %d, the tracer says %d" % (name, figures[name], size) for name, size in expected.items()
            if name in figures and figures[name] != size
            and not (holds and name == "peak_forward" and size < figures[name] < expected["peak"])]


def check_program(exporter, path, count, seed):
    """(plans that ran, plans refused, faults)"""
    whole, whole_cast = run_whole(path), run_whole(path, autocast=True)
    module = torch.export.load(path).module()
    names = [node.name for node in recompute.operators(module) if not recompute.is_element(node)]
    draw = random.Random("%s %s" % (seed, path.stem))
    jobs = [random_job(names, draw, path.stem in POLICIES) for _ in range(count)]
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        (place / "jobs.json").write_text(json.dumps(jobs))
        made = subprocess.run([exporter, str(path), str(place), str(place / "jobs.json")], check=True, capture_output=True)
        rows, ran, kept, faults = json.loads(made.stdout), 0, 0, 0
        for number, (job, row) in enumerate(zip(jobs, rows, strict=True)):
            if "refused" in row:
                continue
            ran += 1
            kept += any(region["kept"] for region in row["regions"])
            try:
                wrong = check(place / str(number), row, whole)
                if number % 4 == 0:
                    wrong += check_autocast(place / str(number), row, whole_cast)
            except RuntimeError as failure:
                wrong = ["it does not run: %s" % str(failure).splitlines()[0]]
            if wrong:
                faults += 1
                print("%s, plan %d in %d: %s\n    %s" % (path.stem, number, job["stages"], "; ".join(wrong[:4]),
                                                        json.dumps(row["regions"])))
    print("%-14s %3d plans run, %3d of them keep something, %3d refused: %s" %
          (path.stem, ran, kept, count - ran, "%d faults" % faults if faults else "equal"), flush=True)
    return ran, faults


POLICIES = {"language", "residual"}


def main(exporter, count, seed, folder, *files):
    torch.set_num_threads(int(os.environ.get("THREADS", "1")))
    watch_contexts()
    paths = [pathlib.Path(file) for file in files]
    if not paths:
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for name in recompute_models.MODELS:
            recompute_models.make(name, folder)
        paths = sorted((ROOT / "tests/data/oracle/recompute").glob("*.pt2")) + sorted(folder.glob("*.pt2"))
    results = [check_program(exporter, path, int(count), seed) for path in paths]
    print("%d programs, %d plans, %d with faults; seed %s" %
          (len(paths), sum(ran for ran, _ in results), sum(faults for _, faults in results), seed))
    return all(ran for ran, _ in results) and not any(faults for _, faults in results)


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
