"""Every model in four stages, every way that stages run: a table of what agrees with the unsplit model.

    matrix.py EXPORTER [NAME...] > results/matrix.md        EXPORTER is build/release/bin/export_stages; half an
                                                                hour, or what the environment variable MINUTES allows

Models: those of tests/python (hard_models.py, gradient_models.py), of models.py here, and the files in tests/data/models.
Ways: stages one after the other in this process (Python code; torch.export.load); torchrun with 4 processes and with 2, all
schedules that PyTorch has for so many, and sends past the schedule; beside them torch.distributed.pipelining.pipeline()
on the same file, cut in four after as many operators.

Not in ctest, for its length.
"""
import collections
import contextlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import warnings

import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python"))
import check_stages  # noqa: E402
import models  # noqa: E402
import worker  # noqa: E402
from processes import kill, torchrun  # noqa: E402

warnings.filterwarnings("ignore")
STAGES = 4
WAYS = [("gpipe", "relay", 4), ("1f1b", "relay", 4), ("1f1b", "direct", 4), ("interleaved", "relay", 2),
        ("interleaved", "direct", 2), ("looped-bfs", "relay", 2), ("zb1p", "relay", 2), ("zbv", "relay", 2),
        ("dualpipev", "relay", 2)]
LONGEST = 60  # seconds for a case
END = time.monotonic() + 60 * float(os.environ.get("MINUTES", "1000"))


def make_all(folder):
    tests = HERE.parent / "python"
    for script in (tests / "hard_models.py", tests / "gradient_models.py", HERE / "models.py"):
        subprocess.run([sys.executable, script, folder], check=True, stdout=sys.stderr)
    data = HERE.parent / "data" / "models"
    for file in [*sorted((data / "tiny").glob("*.pt2")), *sorted((data / "small" / "torch-2.14").glob("*.pt2"))]:
        shutil.copy(file, folder / file.name)
    return sorted(folder.glob("*.pt2"))


def said(function, *args):
    """(whether it agrees, what is wrong otherwise)."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            wrong = function(*args)
    except Exception as failure:
        wrong = "%s: %s" % (type(failure).__name__, str(failure).strip().split("\n")[0])
    return wrong or "agrees"


# ---------------------------------------------------------------- in this process
def check_chain(program, folder, load):
    manifest, pipeline = json.loads((folder / "manifest.json").read_text()), worker.load_pipeline(folder)
    inputs = pipeline.make_inputs(manifest, torch.Generator().manual_seed(0))
    whole = check_stages.run_whole(program, inputs, pipeline, manifest)
    stages = [load(pipeline, folder, manifest["stages"][i]) for i in range(len(manifest["stages"]))]
    outputs, (gradients, buffers), given = check_stages.run_chain(stages, inputs, pipeline, manifest)
    faults = []
    leaves = torch.utils._pytree.tree_leaves
    check_stages.compare("output", dict(enumerate(leaves(check_stages.plain(whole[0], True)))),
                         dict(enumerate(leaves(check_stages.plain(outputs, True)))), faults)
    check_stages.compare("gradient", whole[1][0], gradients, faults, may_lack=True)
    check_stages.compare("buffer", whole[1][1], buffers, faults, may_lack=True)
    check_stages.compare("input gradient", whole[2], given, faults)
    return "; ".join(faults)


def as_python(pipeline, folder, entry):
    return pipeline.build_stage(entry["index"])


def as_program(pipeline, folder, entry):
    return torch.export.load(folder / entry["program"]).module()


def cut_in_four(module):
    """A policy for pipeline(): marks after a quarter, a half and three quarters of the operators."""
    from torch.distributed.pipelining._IR import aten_pipe_split_alias
    calls = [node for node in module.graph.nodes if node.op == "call_function"]
    for place in (len(calls) * i // STAGES for i in range(1, STAGES)):
        with module.graph.inserting_before(calls[place]):
            module.graph.call_function(aten_pipe_split_alias, ())
    module.recompile()
    return module


def check_pipe(program, folder):
    """torch.distributed.pipelining.pipeline(): outputs and gradients of what it makes, run in this process."""
    from torch.distributed.pipelining import pipeline as make_pipe
    manifest, pipeline = json.loads((folder / "manifest.json").read_text()), worker.load_pipeline(folder)
    inputs = pipeline.make_inputs(manifest, torch.Generator().manual_seed(0))
    whole = check_stages.run_whole(program, inputs, pipeline, manifest)
    given = {name: check_stages.fresh(value) for name, value in inputs.items()}
    leaves = torch.utils._pytree.tree_leaves(pipeline.call_arguments(manifest, given))
    args, kwargs = torch.utils._pytree.tree_unflatten(leaves, program.call_spec.in_spec)
    pipe = make_pipe(program.module(), args, kwargs, split_policy=cut_in_four)
    if pipe.num_stages != STAGES:
        return "makes %d stages" % pipe.num_stages
    with check_stages.SameRandomNumbers():
        outputs = pipe(*args, **kwargs)
        loss = check_stages.loss_of(outputs)
        if loss is not None:
            loss.backward()
    stages = [pipe.get_stage_module(stage) for stage in range(STAGES)]
    faults, gradients = [], check_stages.state_of(stages, check_stages.names_in(manifest))[0]
    check_stages.compare("output", dict(enumerate(torch.utils._pytree.tree_leaves(whole[0]))),
                         dict(enumerate(torch.utils._pytree.tree_leaves(outputs))), faults)
    check_stages.compare("gradient", whole[1][0], gradients, faults, may_lack=True)
    return "; ".join(faults)


# ---------------------------------------------------------------- under torchrun
def run_under_torchrun(cases, processes, parent, python=sys.executable):
    """Starts again after each case that ends a process, until the time is over."""
    file = parent / ("cases_%d.json" % processes)
    while cases and time.monotonic() < END:
        file.write_text(json.dumps([[str(folder), schedule, sends] for folder, schedule, sends in cases]))
        runs = subprocess.Popen(torchrun(processes, HERE / "worker.py", file, python=python), stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "1"}, start_new_session=True)
        left = list(cases)
        while left:
            try:
                runs.wait(LONGEST)
            except subprocess.TimeoutExpired:
                pass
            before, left = len(left), [case for case in left if not is_done(*case, processes)]
            print("%d processes: %d cases left" % (processes, len(left)), file=sys.stderr, flush=True)
            if runs.poll() is not None or len(left) == before or time.monotonic() > END:
                break
        if runs.poll() is None:
            kill(runs)
        if time.monotonic() < END and left and not has_failed(*left[0]):
            (left[0][0] / ("%s-%s.failed" % left[0][1:])).write_text("it does not end")
        cases = [case for case in left if not has_failed(*case)]


def is_done(folder, schedule, sends, processes):
    return has_failed(folder, schedule, sends) or \
        all((folder / ("%s-%s.%d.pt" % (schedule, sends, rank))).exists() for rank in range(processes))


def has_failed(folder, schedule, sends):
    return (folder / ("%s-%s.failed" % (schedule, sends))).exists()


def expected(program, folder):
    """(loss, gradients) of the unsplit model, each microbatch after the other."""
    pipeline = worker.load_pipeline(folder)
    from stagecraft_runtime.loss import sum_of_outputs
    module, total = program.module(), 0.0
    torch.manual_seed(5)
    for microbatch in worker.microbatches_of(pipeline):
        leaves = torch.utils._pytree.tree_leaves(pipeline.call_arguments(pipeline.read_manifest(), microbatch))
        args, kwargs = torch.utils._pytree.tree_unflatten(leaves, program.call_spec.in_spec)
        loss = sum_of_outputs(module(*args, **kwargs)) / worker.MICROBATCHES
        if loss.requires_grad:
            loss.backward()
        total += float(loss.detach())
    return total, {name: p.grad for name, p in module.named_parameters(remove_duplicate=False) if p.grad is not None}


def compare(whole, folder, schedule, sends, processes):
    failed = folder / ("%s-%s.failed" % (schedule, sends))
    if failed.exists():
        return failed.read_text().strip().split("\n")[0]
    if not is_done(folder, schedule, sends, processes):
        return "not run: the time was over"
    loss, gradients = whole
    for rank in range(processes):
        found = torch.load(folder / ("%s-%s.%d.pt" % (schedule, sends, rank)))
        if abs(found["loss"] - loss) > 1e-4 * max(1.0, abs(loss)):
            return "loss %.6g, not %.6g" % (found["loss"], loss)
        for name, gradient in found["gradients"].items():
            tied = [g for g in gradients.values() if g.shape == gradient.shape and torch.allclose(g, gradient, 2e-3, 1e-4)]
            if name not in gradients and gradient.abs().max() > 0 and not tied:
                return "a gradient of %s" % name
            if name in gradients and not torch.allclose(gradient, gradients[name], rtol=2e-3, atol=1e-4):
                return "gradient of %s differs by %.3g" % (name, (gradient - gradients[name]).abs().max())
    return ""


# ---------------------------------------------------------------- the table
def table(rows, columns):
    print("Made by `tests/long/matrix.py` with PyTorch %s: %d models in %d stages, %d microbatches. + agrees with the unsplit model;"
          " a number: see below.\n" % (torch.__version__, len(rows), STAGES, worker.MICROBATCHES))
    print("| model | " + " | ".join(columns) + " |\n|" + " --- |" * (len(columns) + 1))
    notes = {}
    for name, row in rows.items():
        marks = ["+" if row[c] == "agrees" else notes.setdefault(re.sub(r"/\S+", "...", row[c])[:150], str(len(notes) + 1))
                 for c in columns]
        print("| %s | %s |" % (name, " | ".join(marks)))
    print("| **agree** | " + " | ".join(str(sum(row[c] == "agrees" for row in rows.values())) for c in columns) + " |\n")
    for note, number in notes.items():
        print("%s. %s" % (number, note.replace("|", "\\|")))


def main(exporter, names):
    torch.set_num_threads(1)
    rows, columns = collections.OrderedDict(), ["chain", "torch.export.load"]
    with tempfile.TemporaryDirectory() as parent:
        parent = pathlib.Path(parent)
        files = [file for file in make_all(parent) if not names or file.stem in names]
        wholes = {}
        for file in files:
            folder, row = parent / file.stem, {}
            done = subprocess.run([exporter, file, folder, str(STAGES)], capture_output=True, text=True)
            if done.returncode:
                rows[file.stem] = collections.defaultdict(lambda text=done.stderr.strip(): text)
                continue
            program = torch.export.load(file)
            row["chain"] = said(check_chain, program, folder, as_python)
            row["torch.export.load"] = said(check_chain, torch.export.load(file), folder, as_program)
            row["pipeline()"] = said(check_pipe, torch.export.load(file), folder)
            wholes[file.stem] = expected(torch.export.load(file), folder)
            rows[file.stem] = row
            print(file.stem, row, file=sys.stderr, flush=True)
        for processes in (4, 2):
            run_under_torchrun([(parent / name, schedule, sends) for name in wholes for schedule, sends, wanted in WAYS
                                if wanted == processes], processes, parent)
        for schedule, sends, processes in WAYS:
            columns.append("%s, %d processes%s" % (schedule, processes, ", direct" if sends == "direct" else ""))
            for name, whole in wholes.items():
                rows[name][columns[-1]] = said(compare, whole, parent / name, schedule, sends, processes)
    table(rows, [*columns, "pipeline()"])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
