"""Do the run-time's schedules give the loss and the gradients that the unsplit model has under plain PyTorch?

    check_gradients.py EXPORTER FOLDER MODEL... [-- SPLIT...]

FOLDER is what gradient_models.py wrote. Each model is exported in 4 stages for each SPLIT (a seed of export_stages;
"even" by default) and run with every schedule: pipeline.py's run_step() in processes that share one start, as torchrun
would start each.
"""
import contextlib
import importlib.util
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import traceback
import types
import warnings

import torch
from gradient_models import MICROBATCHES
from processes import Failed, in_processes, join, seconds_left

warnings.filterwarnings("ignore")
STAGES = 4
SCHEDULES = {"gpipe": 4, "1f1b": 4, "interleaved": 2, "looped-bfs": 2, "zb1p": 2, "zbv": 2, "dualpipev": 2}


def export(exporter, model, folder, split):
    command = [exporter, str(model), str(folder), str(STAGES)] + ([] if split == "even" else [split])
    result = subprocess.run(command, capture_output=True, text=True)
    return result.stderr.strip() if result.returncode != 0 else None


def write_inputs(folder, batches):
    """The microbatches by name, as --inputs takes them."""
    names = json.loads((folder / "manifest.json").read_text())["model_inputs"]
    torch.save([dict(zip(names, batch)) for batch in batches], folder / "inputs.pt")


def run_process(rank, cases):
    """One process of torchrun for each case in turn: (folder, schedule, processes)."""
    torch.set_num_threads(1)
    for folder, schedule, processes in cases:
        if rank >= processes:
            continue
        spec = importlib.util.spec_from_file_location("pipeline", folder / "pipeline.py")
        pipeline = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(pipeline)
        options = types.SimpleNamespace(schedule=schedule, microbatches=MICROBATCHES, device="cpu", seed=0,
                                        sends=os.environ.get("SENDS"), profile=None, inputs=str(folder / "inputs.pt"),
                                        save=str(folder / schedule), timeout=None)
        try:
            join(rank, processes, folder / (schedule + ".store"))
            with contextlib.redirect_stdout(io.StringIO()):
                pipeline.run_step(options)
        except BaseException:
            failed_of(folder, schedule).write_text(traceback.format_exc())
            raise  # the other processes wait for this one: end them too


def failed_of(folder, schedule):
    return folder / (schedule + ".failed")


def is_done(folder, schedule, processes):
    return all((folder / schedule / ("rank_%d.pt" % rank)).exists() for rank in range(processes))


def run_all(cases):
    """Runs the cases, however many of them end a process."""
    while cases:
        try:
            in_processes(max(SCHEDULES.values()), lambda rank: run_process(rank, cases))
            return
        except Failed as failure:
            number = next((i for i, case in enumerate(cases) if failed_of(*case[:2]).exists()), None)
            if number is None:  # a process ended without a word, or none did
                number = next(i for i, case in enumerate(cases) if not is_done(*case))
                failed_of(*cases[number][:2]).write_text(str(failure))
                print(failure, flush=True)
            cases = cases[number + 1:] if seconds_left() > 1 else []


def found(folder, schedule):
    loss, gradients = None, {}
    for path in sorted((folder / schedule).glob("rank_*.pt")):
        content = torch.load(path)
        loss = content["loss"] if content["loss"] is not None else loss
        for stage in content["gradients"].values():
            for name, gradient in stage.items():
                gradients.setdefault(name, []).append(gradient)
    return loss, gradients


def compare(whole, folder, schedule):
    failed = failed_of(folder, schedule)
    if failed.exists():
        return ["it does not run: " + failed.read_text().strip().splitlines()[-1]]
    loss, gradients = found(folder, schedule)
    faults = []
    if loss is None or abs(loss - whole["loss"]) > 1e-4 * max(1.0, abs(whole["loss"])):
        faults.append("loss %r, not %r" % (loss, whole["loss"]))
    for name, gradient in whole["gradients"].items():
        copies = gradients.get(name, [None])
        for copy in copies:  # of a shared weight each stage has the sum
            if (copy is None) != (gradient is None):
                faults.append("%s gradient of %s" % ("no" if copy is None else "a", name))
            elif gradient is not None and not torch.allclose(gradient, copy, rtol=2e-3, atol=1e-5):
                faults.append("gradient of %s differs by %g" % (name, (gradient - copy).abs().max()))
    return faults


def main(exporter, folder, *arguments):
    split_at = arguments.index("--") if "--" in arguments else len(arguments)
    names, splits = arguments[:split_at], arguments[split_at + 1:] or ("even",)
    wholes, cases, faults = {}, [], 0
    with tempfile.TemporaryDirectory() as parent:
        for name in names:
            wholes[name] = torch.load(pathlib.Path(folder) / (name + ".pt"), weights_only=False)
            for split in splits:
                stages = pathlib.Path(parent) / name / split
                stages.parent.mkdir(exist_ok=True)
                error = export(exporter, pathlib.Path(folder) / (name + ".pt2"), stages, split)
                if error:
                    print("%s, %s: %s" % (name, split, error))
                    faults += 1
                    continue
                if "PIPELINE" in os.environ:
                    shutil.copytree(os.environ["PIPELINE"], stages, dirs_exist_ok=True)
                write_inputs(stages, wholes[name]["batches"])
                cases += [(stages, schedule, processes) for schedule, processes in SCHEDULES.items()]
        run_all(cases)
        for stages, schedule, processes in cases:
            found_faults = compare(wholes[stages.parent.name], stages, schedule)
            faults += len(found_faults)
            if found_faults:
                print("%s, split %s, %s: %s" % (stages.parent.name, stages.name, schedule, "; ".join(found_faults[:4])))
    print("%d models, %d runs: %s" % (len(names), len(cases), "agree" if not faults else "%d faults" % faults))
    return faults == 0


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
