"""Trains the stages of this export. Copy it before you change it: the next export to this folder writes it anew.

    torchrun --nproc-per-node 4 examples/train.py --data data.pt --checkpoints checkpoints --resume

data.pt is a torch.save file: a dict with the samples of each of the model's inputs by its name, and of "target" where the
loss is a function of it.
"""
import argparse
import itertools
import math
import pathlib
import sys

import torch
from torch.utils.data import DataLoader, StackDataset

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from pipeline import EXPORT, build_pipeline, run  # noqa: E402


def loss_fn(output, target):
    """The loss of a microbatch, from what the model returns: here of language models and classifiers. An export that knows
    its loss (an output of the model, or export --loss) is trained by that one."""
    logits = output.logits if hasattr(output, "logits") else output[0] if isinstance(output, tuple) else output
    return torch.nn.functional.cross_entropy(logits.flatten(0, -2), target.flatten())


def drawn(samples, batch, first):
    """The samples of each batch from number `first` on: the same in every process, and the same when resumed."""
    in_epoch = samples // batch
    for number in itertools.count(first):
        epoch, place = divmod(number, in_epoch)
        order = torch.randperm(samples, generator=torch.Generator().manual_seed(epoch))
        yield order[place * batch:(place + 1) * batch].tolist()


def samples_of(path):
    """The file, if there is in it what each step takes."""
    try:
        samples = torch.load(path, weights_only=True)
    except Exception as error:  # whatever a file that is none makes of it
        sys.exit("%s: torch.load() cannot read it: %s" % (path, (str(error).splitlines() or [type(error).__name__])[0]))
    if not isinstance(samples, dict) or not all(hasattr(held, "__len__") for held in samples.values()):
        sys.exit("%s is no dict with the samples of each input and of \"target\"" % path)
    if "target" not in samples and not EXPORT.knows_loss():
        sys.exit("%s has no \"target\", of which the loss is a function" % path)
    if len({len(held) for held in samples.values()}) > 1:
        sys.exit("%s has unlike numbers of samples: %s" % (path, ", ".join(
            "%d of '%s'" % (len(held), name) for name, held in samples.items())))
    return StackDataset(**samples)


def whole_number(text):
    """A number of things that there must be at least one of."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("%s: at least 1" % text)
    return number


def main(options):
    pipeline = build_pipeline(replicas=options.replicas, schedule=options.schedule, microbatches=options.microbatches,
                              loss_fn=None if EXPORT.knows_loss() else loss_fn, accumulate=options.accumulate,
                              autocast=torch.bfloat16 if options.bf16 else None)
    optimizer = torch.optim.AdamW(pipeline.parameters(), lr=options.rate)
    rate = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / 10, 0.55 + 0.45 * math.cos(math.pi * step / options.steps)))
    first, saved = 0, sorted(options.checkpoints.glob("step_??????")) if options.checkpoints else []
    if options.resume and saved:
        more = pipeline.load(saved[-1], optimizer)
        rate.load_state_dict(more["rate"])
        first = more["step"]
    torch.manual_seed(pipeline.rank + 1000003 * first)  # of dropout
    samples = samples_of(options.data)
    batch_size = pipeline.batch_size(options.batch, len(samples))
    batches = iter(DataLoader(samples, batch_sampler=drawn(len(samples), batch_size, first * options.accumulate)))
    for step in range(first + 1, options.steps + 1):
        loss = 0
        for batch in itertools.islice(batches, options.accumulate):
            loss += pipeline.step(**batch).sum() / options.accumulate
        norm = pipeline.clip_grad_norm_(options.clip)
        optimizer.step()
        rate.step()
        pipeline.zero_grad()
        print("rank %d: step %d, loss %.9g, gradient norm %.3g\n" % (pipeline.rank, step, loss, norm), end="", flush=True)
        if options.checkpoints and step % options.every == 0:
            pipeline.save(options.checkpoints / ("step_%06d" % step), optimizer, rate=rate.state_dict(), step=step)
    pipeline.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--replicas", type=whole_number, default=1, help="pipelines side by side, each with a part of every batch")
    parser.add_argument("--schedule", help="without it that of the plan")
    parser.add_argument("--microbatches", type=whole_number)
    parser.add_argument("--batch", type=whole_number, help="samples, over all microbatches; without it 16, or what the model takes")
    parser.add_argument("--steps", type=whole_number, default=1000)
    parser.add_argument("--accumulate", type=whole_number, default=1, help="batches to a step of the optimizer")
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--clip", type=float, default=1.0)
    parser.add_argument("--bf16", action="store_true")
    parser.add_argument("--checkpoints", type=pathlib.Path)
    parser.add_argument("--every", type=whole_number, default=100, help="steps between checkpoints")
    parser.add_argument("--resume", action="store_true", help="from the last of the checkpoints, of any plan")
    run(main, parser.parse_args())
