"""The command line of pipeline.py: one step on random inputs or --inputs, and merged checkpoints."""
import argparse
import os
import re
import sys

import torch

from . import checkpoints
from .console import say
from .direct import SENDS
from .export import Refused
from .inputs import make_inputs, saved_microbatches
from .loss import sum_of_outputs
from .profiling import profile
from .safetensors import SHARD_SIZE
from .schedules import EARLIER_NAMES, SCHEDULES
from .stages import parameters_of
from .training import build_pipeline


def microbatch_inputs(export, options):
    """The inputs of every microbatch, by name; the same in every process."""
    if options.inputs:
        return saved_microbatches(options.inputs, options.microbatches, export.model["inputs"])
    generator = torch.Generator().manual_seed(options.seed)
    return [make_inputs(export.manifest, generator) for _ in range(options.microbatches or export.plan.get("microbatches", 4))]


def print_loss(loss, export, schedule, microbatches):
    count, model = len(export.stages), export.model
    if model.get("loss_output") is None:
        say("notice: this step tests the stages and trains nothing of use: %s" %
            model.get("loss", "no output is known to be the loss, so the sum of all outputs is taken for it"))
    say("loss %.9g (%s, %d stages, %d microbatches)" % (loss, schedule, count, microbatches))


def run_step(export, options):
    microbatches = microbatch_inputs(export, options)
    loss_fn = sum_of_outputs if export.model.get("loss_output") is None else None
    pipeline = build_pipeline(export, schedule=options.schedule, microbatches=len(microbatches), loss_fn=loss_fn,
                              sends=options.sends, timeout=options.timeout, device=options.device)
    torch.manual_seed(options.seed + pipeline.rank)
    if options.profile:
        count = len(microbatches)
        profile(pipeline, options.profile, (microbatches, [None] * count, [1] * count), may_train_nothing=True)
    loss = float(pipeline.step_microbatches(microbatches, may_train_nothing=True).sum())
    if pipeline.has_last:
        print_loss(loss, export, pipeline.schedule, len(microbatches))
    if options.save:
        os.makedirs(options.save, exist_ok=True)
        gradients = {index: {name: parameter.grad for name, parameter in parameters_of(module).items()}
                     for index, module in pipeline.modules.items()}
        torch.save({"loss": loss if pipeline.has_last else None, "gradients": gradients},
                   os.path.join(options.save, "rank_%d.pt" % pipeline.rank))
    pipeline.close()


def size_in_bytes(text):
    """Of "500MB", "5GB" or "2GiB"."""
    number = re.fullmatch(r"(\d+(?:\.\d+)?) ?([kmgt]?)(i?)b?", text.strip().lower())
    size = 0 if number is None else int(float(number[1]) * (1024 if number[3] else 1000) ** " kmgt".index(number[2] or " "))
    if size <= 0:
        raise argparse.ArgumentTypeError("%r is no size, such as 500MB or 5GB" % text)
    return size


def end_at_once():
    """Without Python's own tidying up: all is done, and threads of PyTorch that still let go of a tensor meanwhile abort a
    process, now and then, that torchrun then takes for failed."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def main(export, description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--schedule", choices=sorted(SCHEDULES), help="without it that of the plan",
                        type=lambda name: EARLIER_NAMES.get(name, name))
    parser.add_argument("--sends", choices=SENDS,
                        help="what a later stage reads: relayed by those between, or straight there; else as the plan says")
    parser.add_argument("--microbatches", type=int, help="without it as many as --inputs holds, or the plan says")
    parser.add_argument("--device", default="auto",
                        help="cpu, or the accelerator that must be there (cuda, xpu); auto: that which is there")
    parser.add_argument("--timeout", type=float, help="for how many seconds a process waits for another before it ends with an "
                        "error; without it PyTorch's half an hour")
    parser.add_argument("--seed", type=int, default=0, help="of the random inputs")
    parser.add_argument("--inputs", help="torch.save file: a list with a dict of inputs by name a microbatch")
    parser.add_argument("--profile", metavar="FILE", help="write what nodes, slots and sends take, as JSON; stagecraft-cli reads "
                        "it as --times FILE, and schedule --measured FILE lays it over the plan")
    parser.add_argument("--save", metavar="FOLDER", help="where each process puts its loss and gradients")
    parser.add_argument("--merge", nargs=2, metavar=("CHECKPOINT", "FILE"),
                        help="write a checkpoint as one .safetensors or .pt file; CHECKPOINT 'weights': those of the export")
    parser.add_argument("--shard-size", type=size_in_bytes, default=SHARD_SIZE, metavar="BYTES",
                        help="with --merge: over so much, as in 500MB or 5GB, weights are written in shards, with an index")
    options = parser.parse_args()
    if options.merge is None and "RANK" not in os.environ:
        parser.error("start it with  torchrun --nproc-per-node %d pipeline.py" % len(export.stages))
    try:
        if options.merge is not None:
            source, output = options.merge
            source = None if source == "weights" else source
            say("wrote %s" % checkpoints.merge(export, source, output, options.shard_size))
        else:
            run_step(export, options)
            end_at_once()
    except Refused as refusal:
        sys.exit(str(refusal))
