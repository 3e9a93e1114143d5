"""What matrix.py starts with torchrun: all cases with so many processes, one after the other.

    worker.py CASES.json    a list of [folder of an export, schedule, how values are sent]

Each process writes what it found into the export's folder: SCHEDULE-SENDS.RANK.pt, or SCHEDULE-SENDS.failed. After a
failure, as other processes may wait for this one, all end, and are started again for the rest.
"""
import importlib.util
import json
import os
import pathlib
import sys
import time
import warnings

import torch

warnings.filterwarnings("ignore")
MICROBATCHES = 4


def load_pipeline(folder):
    for name in [name for name in sys.modules if name.split(".")[0] in ("stagecraft_runtime", "pipeline")]:
        del sys.modules[name]
    spec = importlib.util.spec_from_file_location("pipeline", folder / "pipeline.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def microbatches_of(pipeline):
    generator = torch.Generator().manual_seed(0)
    return [pipeline.make_inputs(pipeline.read_manifest(), generator) for _ in range(MICROBATCHES)]


def run(folder, schedule, sends):
    pipeline = load_pipeline(folder)
    from stagecraft_runtime.loss import sum_of_outputs
    built = pipeline.build_pipeline(schedule=schedule, microbatches=MICROBATCHES, loss_fn=sum_of_outputs, sends=sends,
                                    device="cpu")
    torch.manual_seed(5)
    losses = built.step_microbatches(microbatches_of(pipeline), may_train_nothing=True)
    gradients = {name: p.grad for module in built.modules.values()
                 for name, p in module.named_parameters(remove_duplicate=False) if p.grad is not None}
    torch.save({"loss": float(losses.sum()), "gradients": gradients},
               folder / ("%s-%s.%d.pt" % (schedule, sends, built.rank)))


def main(cases):
    torch.set_num_threads(1)
    for folder, schedule, sends in json.loads(pathlib.Path(cases).read_text()):
        folder = pathlib.Path(folder)
        try:
            run(folder, schedule, sends)
        except BaseException as failure:
            failed = folder / ("%s-%s.failed" % (schedule, sends))
            if type(failure).__name__ == "LostTouch":  # another says why
                time.sleep(2)
            if not failed.exists():
                failed.write_text("%s: %s" % (type(failure).__name__, failure))
            if type(failure).__name__ != "Refused":
                os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1])
