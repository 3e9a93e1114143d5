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
import multiprocessing
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
from check_pipeline import free_port
from gradient_models import MICROBATCHES

warnings.filterwarnings("ignore")
STAGES = 4
SCHEDULES = {"gpipe": 4, "1f1b": 4, "interleaved": 2, "looped-bfs": 2, "zb1p": 2, "zbv": 2, "dualpipev": 2}
LONGEST = 50  # seconds


def export(exporter, model, folder, split):
    command = [exporter, str(model), str(folder), str(STAGES)] + ([] if split == "even" else [split])
    result = subprocess.run(command, capture_output=True, text=True)
    return result.stderr.strip() if result.returncode != 0 else None


def write_inputs(folder, batches):
    """The microbatches by name, as --inputs takes them."""
    names = json.loads((folder / "manifest.json").read_text())["model_inputs"]
    torch.save([dict(zip(names, batch)) for batch in batches], folder / "inputs.pt")


def run_process(rank, cases):
    """One process of torchrun for each case in turn: (folder, schedule, processes, port)."""
    torch.set_num_threads(1)
    for folder, schedule, processes, port in cases:
        if rank >= processes:
            continue
        os.environ.update(RANK=str(rank), WORLD_SIZE=str(processes), LOCAL_RANK=str(rank),
                          LOCAL_WORLD_SIZE=str(processes), MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
        spec = importlib.util.spec_from_file_location("pipeline", folder / "pipeline.py")
        pipeline = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(pipeline)
        options = types.SimpleNamespace(schedule=schedule, microbatches=MICROBATCHES, device="cpu", seed=0, sends=os.environ.get("SENDS"), profile=None,
                                        inputs=str(folder / "inputs.pt"), save=str(folder / schedule))
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                pipeline.run_step(options)
        except BaseException:
            (folder / (schedule + ".failed")).write_text(traceback.format_exc())
            os._exit(1)  # the other processes wait for this one: end them too


def run_all(cases):
    """Runs the cases, however many of them end a process."""
    while cases:
        context = multiprocessing.get_context("fork")
        workers = [context.Process(target=run_process, args=(rank, cases)) for rank in range(max(SCHEDULES.values()))]
        for worker in workers:
            worker.start()
        failed = None
        while any(worker.is_alive() for worker in workers) and failed is None:
            workers[0].join(0.05)
            failed = next((case for case in cases if (case[0] / (case[1] + ".failed")).exists()), None)
        for worker in workers:
            worker.kill() if failed else None
            worker.join()
        cases = cases[cases.index(failed):] if failed else []
        if cases and not with_another_port(cases):
            cases = cases[1:]


def with_another_port(cases):
    """Has the first failed because another program has taken its port meanwhile? Then it has another one."""
    folder, schedule, processes, _ = cases[0]
    report = folder / (schedule + ".failed")
    if "EADDRINUSE" not in report.read_text():
        return False
    report.unlink()
    cases[0] = (folder, schedule, processes, free_port())
    return True


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
    failed = folder / (schedule + ".failed")
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
                cases += [(stages, schedule, processes, free_port()) for schedule, processes in SCHEDULES.items()]
        run_all(cases)
        for stages, schedule, processes, _ in cases:
            found_faults = compare(wholes[stages.parent.name], stages, schedule)
            faults += len(found_faults)
            if found_faults:
                print("%s, split %s, %s: %s" % (stages.parent.name, stages.name, schedule, "; ".join(found_faults[:4])))
    print("%d models, %d runs: %s" % (len(names), len(cases), "agree" if not faults else "%d faults" % faults))
    return faults == 0


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
