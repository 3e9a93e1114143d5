"""Does build_pipeline() train small models of all shapes as they train unsplit?  check_library.py EXPORTER [NAME...]

Each model is exported in 4 stages, and takes steps in 1, 2 or 4 processes that share one start, as torchrun would start
each. The unsplit model under plain PyTorch, on the whole batch at once, says what losses and gradients must come out.
"""
import copy
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F
from model_classes import Answer, Pair
from processes import Failed, join, run_torchrun
from processes import in_processes as run_in_processes
from torch.export import Dim

warnings.filterwarnings("ignore")
D, WORDS, LENGTH = 6, 11, 5
TIED = {"head.weight": "words.weight"}  # PyTorch knows a tied parameter by the first of its names


class Words(nn.Module):
    """Tied words, a mask and positions without a batch dimension; what it returns is another class's matter."""

    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, D), nn.Embedding(LENGTH, D)
        self.layers, self.head = nn.ModuleList(nn.Linear(D, D) for _ in range(4)), nn.Linear(D, WORDS, bias=False)
        self.head.weight = self.words.weight

    def logits(self, ids, mask, positions):
        value = self.words(ids) + self.places(positions)
        for layer in self.layers:
            value = value + torch.tanh(layer(mask @ value))
        return value, self.head(value)

    def forward(self, ids, mask, positions):
        return self.logits(ids, mask, positions)[1]


class InADict(Words):
    def forward(self, ids, mask, positions):
        hidden, logits = self.logits(ids, mask, positions)
        return {"hidden": hidden, "answers": {"logits": logits}}


class InAClass(Words):
    def forward(self, ids, mask, positions):
        hidden, logits = self.logits(ids, mask, positions)
        return Answer(logits.square().mean(), logits)


class InATuple(Words):
    def forward(self, ids, mask, positions):
        return self.logits(ids, mask, positions)


class InANamedTuple(Words):
    def forward(self, ids, mask, positions):
        return Pair(*self.logits(ids, mask, positions))


class ByKeywords(Words):
    def forward(self, batch, *, tables):
        return self.logits(batch["ids"], tables[0], tables[1])[1]


class Dropping(nn.Module):
    """Dropout and norms, which evaluation runs otherwise."""

    def __init__(self):
        super().__init__()
        self.layers, self.norms = nn.ModuleList(nn.Linear(D, D) for _ in range(4)), nn.ModuleList(nn.BatchNorm1d(D) for _ in range(4))
        self.drop, self.own = nn.Dropout(0.5), nn.BatchNorm1d(D, track_running_stats=False)

    def forward(self, x):
        for layer, norm in zip(self.layers, self.norms):
            x = self.drop(torch.tanh(norm(layer(x))))
        return self.own(x)


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(D, D) for _ in range(6))

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return x


class WithLoss(Plain):
    """Takes the target, too, and returns its loss."""

    def forward(self, x, target):
        return F.mse_loss(super().forward(x), target)


class TowardsOne(Plain):
    """Takes a target that is the same for all samples, however many it has itself."""

    def forward(self, x, target):
        return (super().forward(x) - target.mean(0)).square().mean()


class Skips(Plain):
    """Values that later stages read: once, several times, and never in some between; of one, no gradient."""

    def forward(self, x):
        far = torch.tanh(self.layers[0](x))
        table = (far.detach() > 0).long().sum(dim=1, keepdim=True)
        y = self.layers[2](torch.tanh(self.layers[1](far)))
        z = self.layers[3](torch.relu(y)) + y
        return self.layers[5](torch.tanh(self.layers[4](z * far))) + far * table


class Frozen(Plain):
    """Exported with frozen layers, to which no gradients are sent."""

    def __init__(self):
        super().__init__()
        self.layers[:4].requires_grad_(False)


def words(batch):
    ids = torch.randint(0, WORDS, (batch, LENGTH))
    return (ids, torch.tril(torch.ones(LENGTH, LENGTH)) / LENGTH, torch.arange(LENGTH)), torch.randint(0, WORDS, (batch, LENGTH))


def rows(batch):
    return (torch.randn(batch, D),), torch.randn(batch, D)


def rows_with_target(batch):
    (x,), target = rows(batch)
    return (x, target), target


def rows_towards_one(batch):
    target = torch.randn(3, D)
    return (torch.randn(batch, D), target), target


def of_words(pick):
    return lambda output, target: F.cross_entropy(pick(output).flatten(0, 1), target.flatten())


MODELS = {"words": (Words, words), "dict": (InADict, words), "class": (InAClass, words), "tuple": (InATuple, words),
          "named-tuple": (InANamedTuple, words), "dropping": (Dropping, rows), "plain": (Plain, rows), "skips": (Skips, rows),
          "frozen": (Frozen, rows), "with-loss": (WithLoss, rows_with_target),
          "towards-one": (TowardsOne, rows_towards_one)}
LOSSES = {"words": of_words(lambda output: output), "dict": of_words(lambda output: output["answers"]["logits"]),
          "class": of_words(lambda output: output.logits), "tuple": of_words(lambda output: output[1]),
          "named-tuple": of_words(lambda output: output[1]), "dropping": F.mse_loss, "plain": F.mse_loss, "skips": F.mse_loss, "frozen": F.mse_loss,
          "with-loss": lambda output, target: output, "towards-one": lambda output, target: output}
IGNORED = 3


def of_kept(output, target):
    return F.cross_entropy(output.flatten(0, 1), target.flatten(), ignore_index=IGNORED)


class Case:
    """One model, exported once; `varies`: with a batch size that does."""

    def __init__(self, exporter, folder, name, varies=True, stages=4):
        torch.manual_seed(7)
        kind, self.batch = MODELS[name]
        self.module, self.name, self.loss = kind().train(), name, LOSSES[name]
        args, _ = self.batch(4)
        dims = ({0: Dim("batch", max=4096)}, *(None for _ in args[1:])) if varies else None
        program = torch.export.export(self.module, args, dynamic_shapes=dims, strict=False)
        self.folder = folder / ("%s-%s-%d" % (name, varies, stages))
        torch.export.save(program, folder / "model.pt2")
        subprocess.run([exporter, folder / "model.pt2", self.folder, str(stages)], check=True)

    def whole(self, args, target, loss=None):
        """(loss, gradients by name) of the unsplit model on the whole batch, added to what there is."""
        value = (loss or self.loss)(self.module(*args), target)
        value.backward()
        return value.item(), {name: p.grad.clone() for name, p in self.module.named_parameters(remove_duplicate=False)
                              if p.grad is not None}


# ---------------------------------------------------------------- processes
def load_pipeline(folder):
    spec = importlib.util.spec_from_file_location("pipeline", folder / "pipeline.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def in_processes(case, processes, function):
    """What function(pipeline module) returns in each process; an error there is one here."""
    with tempfile.TemporaryDirectory() as store:
        def joined(rank):
            torch.set_num_threads(1)
            sys.stdout = open(os.devnull, "w")
            join(rank, processes, os.path.join(store, "store"))
            torch.manual_seed(3)
            return function(load_pipeline(case.folder))
        return run_in_processes(processes, joined)


def gradients_of(pipeline):
    """By name; arrays, as tensors of processes that ended cannot be read."""
    return {name: p.grad.numpy().copy() for name, p in pipeline.named_parameters() if p.grad is not None}


def same(found, wanted, what, tolerance=1e-5):
    torch.testing.assert_close(torch.as_tensor(found, dtype=torch.float64), torch.as_tensor(wanted, dtype=torch.float64),
                               rtol=tolerance, atol=tolerance, msg=lambda m: "%s: %s" % (what, m))


def compare(results, wanted, what):
    """(loss, gradients by name) of each process with those of the unsplit model."""
    loss, gradients = wanted
    names = {TIED.get(name, name) for _, found in results for name in found}
    if names != {TIED.get(name, name) for name in gradients}:
        raise AssertionError("%s: gradients of %s, not of %s" % (what, sorted(names), sorted(gradients)))
    for found_loss, found in results:
        same(found_loss, loss, what + ": loss")
        for name, gradient in found.items():
            same(gradient, gradients[name], "%s: gradient of %s" % (what, name))


def refused(text, function, *arguments):
    try:
        function(*arguments)
    except Failed as failure:
        if failure.kind != "Refused" or text not in failure.text or "\n" in failure.text:
            raise AssertionError("%s: %s, and not %s" % (failure.kind, failure.text, text)) from None
        return
    raise AssertionError("not refused: " + text)


# ---------------------------------------------------------------- checks
def check_losses(make):
    """Own losses of every kind of output, and a batch that the microbatches do not divide."""
    for name, processes, schedule in (("words", 4, "1f1b"), ("dict", 1, "looped-bfs"), ("class", 2, "interleaved"),
                                      ("tuple", 1, "zb1p"), ("named-tuple", 1, "interleaved"), ("plain", 2, "zbv")):
        case = make(name)
        args, target = case.batch(18)

        def step(pipeline):
            built = pipeline.build_pipeline(schedule=schedule, microbatches=4, loss_fn=case.loss, device="cpu")
            loss = built.step(*args, target=target).sum().item()
            return loss, gradients_of(built)
        compare(in_processes(case, processes, step), case.whole(args, target), "%s, %s" % (name, schedule))


def check_direct(make):
    """Values that go past the schedule, in sizes that differ; within a process, too."""
    case = make("skips")
    for processes, schedule, replicas in ((4, "1f1b", 1), (2, "interleaved", 1), (2, "zbv", 1), (1, "zb1p", 1),
                                          (4, "interleaved", 2)):
        args, target = case.batch(18)

        def step(pipeline):
            built = pipeline.build_pipeline(replicas=replicas, schedule=schedule, microbatches=4, loss_fn=case.loss,
                                            sends="direct", device="cpu")
            assert {way.name: way.reader for way in built.ways if way.reader > way.maker + 1}
            loss = built.step(*args, target=target).sum().item()
            gradients = gradients_of(built)
            same(built.eval_step(*args, target=target).sum().item(), loss, "direct: evaluation")
            output = built.predict(*args)
            if output and replicas == 1:
                same(case.loss(torch.cat(output), target).item(), loss, "direct: outputs")
            return loss, gradients
        case.module.zero_grad()
        compare(in_processes(case, processes, step), case.whole(args, target), "direct, %s" % schedule)


def check_outputs_as_losses(make):
    case = make("class")
    args, _ = case.batch(8)
    wanted = case.whole(args, None, lambda output, target: output.loss)
    for wanted_loss in ("loss", 0, -2, None):
        def step(pipeline):
            built = pipeline.build_pipeline(schedule="looped-bfs", loss_fn=wanted_loss, device="cpu")
            return built.step(*args).sum().item(), gradients_of(built)
        compare(in_processes(case, 1, step), wanted, "output %r" % wanted_loss)


def check_own_target(make):
    """A model with an input `target`, which step() and examples/train.py give it."""
    case = make("with-loss", varies=False)
    (x, target), _ = case.batch(16)

    def step(pipeline, **given):
        built = pipeline.build_pipeline(schedule="interleaved", microbatches=4, device="cpu")
        return built.step(x, **given).sum().item(), gradients_of(built)
    wanted = case.whole((x, target), None)
    compare(in_processes(case, 2, lambda pipeline: step(pipeline, target=target)), wanted, "own target")
    refused("'target' is missing", in_processes, case, 2, step)
    data = case.folder / "data.pt"
    torch.save({"x": x, "target": target}, data)
    status, printed = run_torchrun(4, case.folder / "examples/train.py", "--data", data, "--microbatches", 4, "--steps", 1)
    losses = {float(line.split("loss ")[1].split(",")[0]) for line in printed.splitlines() if ", loss " in line}
    assert status == 0 and len(losses) == 1, printed
    same(losses.pop(), wanted[0], "examples/train.py")
    case = make("towards-one")
    (x, target), _ = case.batch(16)
    compare(in_processes(case, 2, lambda pipeline: step(pipeline, target=target)), case.whole((x, target), None),
            "target of no samples")


def check_weights(make):
    """Means over what is not padding, which microbatches have not alike; sums."""
    case = make("words")
    args, target = case.batch(9)
    target[:4] = IGNORED
    target[0, 0] = 1
    for loss, options in ((of_kept, {"loss_weight": lambda target: (target != IGNORED).sum()}),
                          (lambda o, t: F.cross_entropy(o.flatten(0, 1), t.flatten(), reduction="sum"), {"reduction": "sum"})):
        def step(pipeline):
            built = pipeline.build_pipeline(schedule="interleaved", microbatches=4, loss_fn=loss, device="cpu", **options)
            return built.step(*args, target=target).sum().item(), gradients_of(built)
        case.module.zero_grad()
        compare(in_processes(case, 2, step), case.whole(args, target, loss), "weights")


def check_shared(make):
    """Words that two stages share, after ten steps of AdamW; copied and owned, in one process and in several; and a
    checkpoint of the one goes on as the other."""
    case = make("words")
    batches = [case.batch(8) for _ in range(12)]
    module, losses = Words(), []
    module.load_state_dict(case.module.state_dict())
    whole = torch.optim.AdamW(module.parameters(), lr=0.01)
    for args, target in batches:
        loss = case.loss(module(*args), target)
        whole.zero_grad(), loss.backward(), whole.step()
        losses.append(loss.item())
        if len(losses) == 10:
            wanted = {name: tensor.clone() for name, tensor in module.state_dict().items()}

    def train(pipeline, shared, schedule, load, save):
        built = pipeline.build_pipeline(schedule=schedule, microbatches=4, loss_fn=case.loss, device="cpu", shared=shared)
        optimizer = torch.optim.AdamW(built.parameters(), lr=0.01)
        if load:
            built.load(case.folder / load, optimizer)
        found = []
        for args, target in batches[10 if load else 0:12 if load else 10]:
            built.zero_grad()
            found.append(built.step(*args, target=target).sum().item())
            built.clip_grad_norm_(1e9)
            optimizer.step()
        same(found, losses[10:] if load else losses[:10], shared)
        for name, tensor in {} if load else built.state_dict().items():
            same(tensor.detach(), wanted[name], shared + ": " + name)
        if save:
            built.save(case.folder / save, optimizer)
            built.load_state_dict(built.state_dict())
        names = [name for name, _ in built.named_parameters()]
        return names.count("words.weight") + names.count("head.weight")
    for shared, schedule, processes, copies in (("copied", "1f1b", 4, 2), ("owned", "1f1b", 4, 1), ("owned", "zbv", 2, 1),
                                                ("copied", "looped-bfs", 1, 2), ("owned", "zb1p", 1, 1)):
        found = in_processes(case, processes, lambda p: train(p, shared, schedule, None, shared))
        assert sum(found) == copies, (shared, schedule, found)
    for saved, shared in (("owned", "copied"), ("copied", "owned")):
        in_processes(case, 2, lambda p: train(p, shared, "interleaved", saved, None))


def check_owned_frozen(make):
    """What its owner freezes is frozen where it is followed."""
    case = make("words")
    args, target = case.batch(8)
    case.module.words.weight.requires_grad_(False)
    wanted = case.whole(args, target)
    case.module.words.weight.requires_grad_(True)

    def step(pipeline):
        built = pipeline.build_pipeline(schedule="1f1b", loss_fn=case.loss, device="cpu", shared="owned")
        for name, parameter in built.named_parameters():
            parameter.requires_grad_(name not in ("words.weight", *TIED))
        return built.step(*args, target=target).sum().item(), gradients_of(built)
    compare(in_processes(case, 4, step), wanted, "owned and frozen")


def check_accumulation(make):
    """Two steps are one batch's gradients, of tied weights too; and they are clipped together."""
    case = make("words")
    args, target = case.batch(16)
    halves = [((args[0][part], *args[1:]), target[part]) for part in (slice(0, 8), slice(8, 16))]
    case.module.zero_grad()
    wanted = case.whole(args, target)
    norms = {kind: torch.nn.utils.get_total_norm([p.grad for p in case.module.parameters()], kind).item() for kind in (2.0, float("inf"))}

    def step(pipeline):
        built = pipeline.build_pipeline(schedule="1f1b", microbatches=4, loss_fn=case.loss, device="cpu", accumulate=2)
        loss = sum(built.step(*a, target=t).sum().item() for a, t in halves) / 2
        gradients = gradients_of(built)
        found = {kind: built.clip_grad_norm_(1e9, kind).item() for kind in norms}
        built.clip_grad_norm_(0.01)
        return (loss, gradients), found, built.clip_grad_norm_(1e9).item()
    results = in_processes(case, 4, step)
    compare([result for result, _, _ in results], wanted, "accumulated")
    for _, found, clipped in results:
        for kind, norm in norms.items():
            same(found[kind], norm, "norm %g" % kind)
        same(clipped, 0.01, "clipped")


def check_batches(make):
    """Sizes that change from step to step, arguments by name, microbatches that were cut elsewhere."""
    case = make("words")
    batches = [case.batch(size) for size in (12, 7, 4, 20)]

    def step(pipeline):
        built, losses = pipeline.build_pipeline(schedule="1f1b", microbatches=4, loss_fn=case.loss, device="cpu"), []
        for args, target in batches:
            losses.append(built.step(ids=args[0], mask=args[1], positions=args[2], target=target).sum().item())
        args, target = batches[3]
        built.zero_grad()
        cut = [dict(zip(("ids", "mask", "positions"), (args[0][i::4], *args[1:]))) for i in range(4)]
        last = built.step_microbatches(cut, [target[i::4] for i in range(4)]).sum().item()
        return losses, (last, gradients_of(built))
    results = in_processes(case, 4, step)
    for (args, target), *found in zip(batches, *(losses for losses, _ in results)):
        case.module.zero_grad()
        wanted = case.whole(args, target)
        for loss in found:
            same(loss, wanted[0], "a batch of %d" % len(target))
    compare([result for _, result in results], wanted, "microbatches cut elsewhere")


def check_fixed_sizes(make):
    """A program of a fixed batch size: what has MICROBATCHES times the rows is cut, what has not is for all."""
    case = make("words", varies=False)
    args, target = case.batch(12)
    case.module.zero_grad()

    def step(pipeline, args=args, target=target, **options):
        built = pipeline.build_pipeline(schedule="interleaved", loss_fn=case.loss, device="cpu", **{"microbatches": 3, **options})
        return built.step(*args, target=target).sum().item(), gradients_of(built)
    compare(in_processes(case, 1, step), case.whole(args, target), "fixed sizes")
    short, short_target = case.batch(10)
    long = torch.zeros(12, LENGTH + 1, dtype=torch.int64), *args[1:]
    for text, arguments in (("dimension 1 is 6, and the model was exported for 5", {"args": long, "target": target}),
                            ("export it with a batch size that varies (torch.export.Dim)", {"args": short, "target": short_target}),
                            ("a target has 10 in its first dimension, and the batch 12 samples", {"target": short_target}),
                            ("the inputs are one microbatch, and 3 are wanted", {"args": case.batch(4)[0], "target": target})):
        refused(text, in_processes, case, 1, lambda pipeline: step(pipeline, **arguments))


def check_batch_sizes(make):
    """Which batches a model takes, before one is loaded; examples/train.py takes one that works, or says which do."""
    def sizes(pipeline, wanted=None, samples=None, **options):
        built = pipeline.build_pipeline(schedule="interleaved", loss_fn=F.mse_loss, device="cpu", **{"microbatches": 5, **options})
        return built.batch_size(wanted, samples)
    fixed, varying = make("plain", varies=False), make("words")
    for case, options, wanted in ((fixed, {}, 20), (fixed, {"wanted": 20}, 20), (fixed, {"microbatches": 2}, 8),
                                  (varying, {}, 16), (varying, {"wanted": 5}, 5), (varying, {"microbatches": 30}, 30)):
        assert in_processes(case, 1, lambda pipeline: sizes(pipeline, **options)) == [wanted], (options, wanted)
    for case, options, text in ((fixed, {"wanted": 16}, "a batch of 16 samples: with 5 microbatches the model takes batches of 20 "),
                                (varying, {"wanted": 4}, "takes batches of 5 to 20480 samples"),
                                (varying, {"wanted": 20481}, "takes batches of 5 to 20480 samples"),
                                (fixed, {"samples": 19}, "19 samples are not enough for a batch of 20")):
        refused(text, in_processes, case, 1, lambda pipeline: sizes(pipeline, **options))
    data = fixed.folder / "data.pt"
    torch.save({"x": torch.randn(50, D), "target": torch.randint(0, D, (50,))}, data)
    arguments = (4, fixed.folder / "examples/train.py", "--data", data, "--microbatches", 5, "--steps", 2)
    status, printed = run_torchrun(*arguments)
    assert status == 0 and "rank 3: step 2, loss " in printed, printed
    status, printed = run_torchrun(*arguments, "--batch", 16)
    assert status != 0 and "the model takes batches of 20 samples; for others" in printed, printed
    assert "train.py\", line" not in printed, printed
    check_data_files(fixed.folder, data)


def check_data_files(folder, good):
    """What is wrong with a data file is said in a line, not by what fails at it."""
    samples = torch.load(good)
    target = samples.pop("target")
    wrong = folder / "wrong.pt"
    for held, reason in ((samples, 'has no "target"'), ([target], "is no dict"), ({"target": 3}, "is no dict"),
                         ({**samples, "target": target[1:]}, "has unlike numbers of samples")):
        torch.save(held, wrong)
        code = "import sys; sys.path.insert(0, sys.argv[1]); import train; train.samples_of(sys.argv[2])"
        done = subprocess.run([sys.executable, "-c", code, str(folder / "examples"), str(wrong)], capture_output=True, text=True)
        assert done.returncode == 1 and done.stderr.startswith("%s %s" % (wrong, reason)), done.stderr
        assert done.stderr.count("\n") == 1, done.stderr
    wrong.write_text("hello")
    done = subprocess.run([sys.executable, "-c", code, str(folder / "examples"), str(wrong)], capture_output=True, text=True)
    assert done.stderr.startswith("%s: torch.load() cannot read it: " % wrong), done.stderr
    wrong.unlink()


def check_refusals(make):
    case = make("words")
    args, target = case.batch(8)
    build = {"schedule": "looped-bfs", "microbatches": 4, "loss_fn": case.loss, "device": "cpu"}

    def step(pipeline, *given, **options):
        return pipeline.build_pipeline(**{**build, **options}).step(*(given or args), target=target) is None
    for text, arguments, options in (
            ("there is no schedule 'gpip'", (), {"schedule": "gpip"}),
            ("schedule 1f1b wants one process a stage", (), {"schedule": "1f1b"}),
            ("at least 1 microbatches here, not 0.5", (), {"microbatches": 0.5}),
            ("at least 1 microbatches here, not 0", (), {"microbatches": 0}),
            ("accumulate is 0: how many steps, 1 or more", (), {"accumulate": 0}),
            ("no output of the model is known to be its loss", (), {"loss_fn": None}),
            ("the model's output has no 'loss'", (), {"loss_fn": "loss"}),
            ("loss_fn=1: the model returns 1 values", (), {"loss_fn": 1}),
            ("loss_fn returned a tensor of size [2]", (), {"loss_fn": lambda output, target: output[:, 0, 0]}),
            ("there is nothing to train", (), {"loss_fn": lambda output, target: output.detach().sum()}),
            ("a batch of 3 samples cannot be cut in 4 microbatches", case.batch(3)[0], {}),
            ("'positions' is missing; the model takes ids, mask, positions", args[:2], {}),
            ("has float32[2, 5] for 'ids', and the model takes int64", (args[0].float(), *args[1:]), {}),
            ("the batch has float32[5, 4] for 'mask'", (args[0], args[1][:, :4], args[2]), {}),
            ("microbatches have 4097 for the size", (torch.zeros(16388, LENGTH, dtype=torch.int64), *args[1:]), {})):
        refused(text, in_processes, case, 1, lambda pipeline: step(pipeline, *arguments, **options))
    refused("schedule 1f1b wants at least 4 microbatches here, not 3", in_processes, case, 4,
            lambda pipeline: step(pipeline, schedule="1f1b", microbatches=3))
    refused("there is no stage -1: this export has stages 0 to 3", in_processes, case, 1, lambda p: p.build_stage(-1))
    refused("the processes have different batches", in_processes, case, 2,
            lambda p: step(p, args[0] + int(os.environ["RANK"]), *args[1:], schedule="interleaved"))
    refused("'head.weight' is frozen in one stage", in_processes, case, 4, lambda p: frozen_apart(p, case, args, target))


def frozen_apart(pipeline, case, args, target):
    built = pipeline.build_pipeline(schedule="1f1b", loss_fn=case.loss, device="cpu")
    if built.has_first:
        for _, parameter in built.named_parameters():
            parameter.requires_grad_(False)
    built.step(*args, target=target)


def check_freezing(make):
    """Parameters that are frozen between two steps, or trained although they were exported frozen."""
    for name, least in (("plain", 4), ("frozen", 1)):
        case = make(name)
        args, target = case.batch(8)
        for number, layer in enumerate(case.module.layers):
            layer.requires_grad_(number >= least)
        wanted = case.whole(args, target)

        def step(pipeline):
            built = pipeline.build_pipeline(schedule="1f1b", loss_fn=case.loss, device="cpu")
            built.step(*args, target=target)
            built.zero_grad()
            for name, parameter in built.named_parameters():
                parameter.requires_grad_(int(name.split(".")[1]) >= least)
            return built.step(*args, target=target).sum().item(), gradients_of(built)
        compare(in_processes(case, 4, step), wanted, name)
        case.module.layers.requires_grad_(True)


def check_evaluation(make):
    """As model.eval() does it, uneven batches too, and nothing is changed by it."""
    case = make("dropping")
    args, target = case.batch(10)
    module = Dropping()
    module.load_state_dict(case.module.state_dict())
    pieces = [(a, t) for a, t in zip(args[0].tensor_split(4), target.tensor_split(4))]
    with torch.no_grad():
        module.eval()
        wanted = sum(F.mse_loss(module(a), t).item() * len(t) / 10 for a, t in pieces)
        outputs = [module(a).numpy() for a, _ in pieces]

    def step(pipeline):
        built = pipeline.build_pipeline(schedule="1f1b", microbatches=4, loss_fn=case.loss, device="cpu")
        before = {name: tensor.clone() for name, tensor in built.state_dict().items()}
        losses = [built.eval_step(*args, target=target).sum().item() for _ in range(2)]
        kept = all(torch.equal(tensor, before[name]) for name, tensor in built.state_dict().items())
        trained = built.step(*args, target=target).sum().item()
        moved = all(torch.equal(tensor, before[name]) for name, tensor in built.state_dict().items())
        plain = pipeline.build_pipeline(schedule="1f1b", microbatches=4, device="cpu")
        plain.load_state_dict(before)
        outputs = plain.predict(*args)
        has_gradients = any(p.grad is not None for p in plain.parameters())
        found = [output.numpy() for output in outputs] if outputs else None
        return losses, kept, trained, moved, has_gradients, found
    for losses, kept, trained, moved, has_gradients, found in in_processes(case, 4, step):
        same(losses, [wanted, wanted], "evaluation")
        assert kept and not moved and not has_gradients and abs(trained - wanted) > 1e-3, (kept, moved, has_gradients)
        for one, other in zip(found or [], outputs):
            same(one, other, "outputs of evaluation")


def check_autocast(make):
    case = make("plain")
    args, target = case.batch(8)
    case.module.zero_grad()
    with torch.autocast("cpu", torch.bfloat16):
        output = case.module(*args)
        loss = F.mse_loss(output, target)
    loss.backward()
    wanted = {name: p.grad.clone() for name, p in case.module.named_parameters()}

    def step(pipeline):
        built = pipeline.build_pipeline(schedule="1f1b", loss_fn=case.loss, device="cpu", autocast=torch.bfloat16)
        crossing = []
        value = built.step(*args, target=target).sum().item()
        crossing = {str(t.dtype) for shapes in built.crossing.values() for _, out, _ in shapes[:-1] for t in out}
        return value, gradients_of(built), crossing
    for value, gradients, crossing in in_processes(case, 4, step):
        same(value, loss.item(), "autocast: loss", 1e-3)
        assert "torch.bfloat16" in crossing or "torch.float32" in crossing
        for name, gradient in gradients.items():
            same(gradient, wanted[name], "autocast: " + name, 2e-2)


def check_checkpoints(make):
    """What one plan saved, another reads, and the model itself; in each form."""
    case, other = make("words"), make("words", stages=2)
    batches = [case.batch(8) for _ in range(4)]
    module = Words()
    module.load_state_dict(case.module.state_dict())
    optimizer, wanted = torch.optim.AdamW(module.parameters(), lr=0.05), []
    for args, target in batches:
        loss = case.loss(module(*args), target)
        optimizer.zero_grad(), loss.backward(), optimizer.step()
        wanted.append(loss.item())

    def steps(built, optimizer, batches):
        losses = []
        for args, target in batches:
            built.zero_grad()
            losses.append(built.step(*args, target=target).sum().item())
            optimizer.step()
        return losses

    def begin(pipeline):
        built = pipeline.build_pipeline(schedule="1f1b", loss_fn=case.loss, device="cpu")
        optimizer = torch.optim.AdamW(built.parameters(), lr=0.05)
        losses = steps(built, optimizer, batches[:2])
        for name in ("saved", "saved.pt", "saved"):  # the last one anew
            built.save(case.folder / name, optimizer, step=2)
        return losses

    def go_on(name, schedule):
        def function(pipeline):
            built = pipeline.build_pipeline(schedule=schedule, microbatches=4, loss_fn=case.loss, device="cpu")
            optimizer = torch.optim.AdamW(built.parameters(), lr=0.7)
            more = built.load(case.folder / name, optimizer)
            assert more == {"step": 2}, more
            return steps(built, optimizer, batches[2:])
        return function
    for losses in in_processes(case, 4, begin):
        same(losses, wanted[:2], "before it is saved")
    pipeline = load_pipeline(case.folder)
    pipeline.merge(case.folder / "saved", case.folder / "merged.pt")
    pipeline.to_folder(case.folder / "merged.pt", case.folder / "again")
    for name, plan, processes, schedule in (("saved", case, 4, "1f1b"), ("saved.pt", case, 2, "zb1p"), ("saved", other, 2, "1f1b"),
                                            ("merged.pt", other, 1, "looped-bfs"), ("again", other, 2, "1f1b")):
        for losses in in_processes(plan, processes, go_on(name, schedule)):
            same(losses, wanted[2:], "%s in %d processes" % (name, processes))
    merged = torch.load(case.folder / "merged.pt")
    fresh = Words()
    fresh.load_state_dict(merged["model"], strict=True)
    optimizer = torch.optim.AdamW(fresh.parameters(), lr=0.7)
    from torch.distributed.checkpoint.state_dict import set_optimizer_state_dict
    state = merged["optimizer"]
    state = {"state": {TIED.get(n, n): v for n, v in state["state"].items()},
             "param_groups": [{**g, "params": [TIED.get(n, n) for n in g["params"]]} for g in state["param_groups"]]}
    set_optimizer_state_dict(fresh, optimizer, state)
    for (args, target), loss in zip(batches[2:], wanted[2:]):
        found = case.loss(fresh(*args), target)
        optimizer.zero_grad(), found.backward(), optimizer.step()
        same(found.item(), loss, "the model itself goes on")
    check_shards(case, pipeline, merged["model"])
    check_wrong_checkpoints(case, pipeline, merged)


def check_shards(case, pipeline, whole):
    from safetensors.torch import load_file
    output = case.folder / "sharded" / "model.safetensors"
    output.parent.mkdir()
    most = max(t.numel() * t.element_size() for t in whole.values())
    for _ in range(2):  # also over an older set
        index = pipeline.merge(case.folder / "saved", output, most)
    assert index.name == "model.safetensors.index.json" and not output.exists(), index
    places, found = json.loads(index.read_text())["weight_map"], {}
    assert set(places) == set(whole) and len(set(places.values())) > 2, places
    for shard in set(places.values()):
        part = load_file(index.parent / shard)
        assert {name for name in places if places[name] == shard} == set(part)
        assert len(part) == 1 or sum(t.numel() * t.element_size() for t in part.values()) <= most
        found.update(part)
    assert all(torch.equal(found[name], whole[name]) for name in whole)
    assert {file.name for file in output.parent.iterdir()} == {index.name, *places.values()}
    pipeline.merge(index, output)  # as one again
    assert all(torch.equal(tensor, whole[name]) for name, tensor in load_file(output).items())
    refused("there is no folder", in_processes, case, 1, lambda p: p.merge(case.folder / "saved", output.parent / "no" / "m.pt"))
    refused("would be taken for the model instead", in_processes, case, 1,
            lambda p: p.merge(case.folder / "saved", output, most))


def check_wrong_checkpoints(case, pipeline, merged):
    parts = pipeline.split_state(merged["model"])
    assert len(parts) == 4 and set().union(*parts) == set(merged["model"])
    assert all(torch.equal(tensor, merged["model"][name]) for name, tensor in pipeline.merge_states(parts).items())
    states = {"lacks": {n: t for n, t in merged["model"].items() if n != "layers.2.bias"},
              "more": {**merged["model"], "layers.9.bias": torch.zeros(1)},
              "size": {**merged["model"], "layers.2.bias": torch.zeros(3)}}

    def load(name):
        def function(pipeline):
            torch.save(states[name], case.folder / (name + ".pt"))
            return pipeline.build_pipeline(schedule="looped-bfs", loss_fn=case.loss, device="cpu").load(case.folder / (name + ".pt"))
        return function
    for name, text in (("lacks", "'layers.2.bias' of the model is missing"), ("more", "the model has no 'layers.9.bias'"),
                       ("size", "'layers.2.bias' is of size [3], and of [6] in the model")):
        refused(text, in_processes, case, 1, load(name))
    copies = [dict(part) for part in parts]
    name = next(name for name in copies[0] if name in copies[3])
    copies[3][name] = copies[3][name] + 1
    refused("the copies of '%s' in two stages differ" % name, in_processes, case, 1, lambda p: p.merge_states(copies))
    os.rename(case.folder / "saved", case.folder / "saved.partial")
    refused("there is no checkpoint", in_processes, case, 1, lambda p: p.merge(case.folder / "saved", case.folder / "x.pt"))


def check_replicas(make):
    """Two pipelines of two processes side by side: uneven batches, means over what is not padding, accumulation, tied and
    frozen weights, evaluation."""
    case = make("words")
    args, target = case.batch(18)
    target[:4] = IGNORED
    target[0, 0] = 1

    def step(pipeline):
        built = pipeline.build_pipeline(replicas=2, schedule="interleaved", microbatches=4, loss_fn=of_kept, device="cpu",
                                        loss_weight=lambda target: (target != IGNORED).sum(), accumulate=2)
        for _ in range(2):
            losses = built.step(*args, target=target)
        result = losses.sum().item(), gradients_of(built)
        before = built.eval_step(*args, target=target).sum().item()
        case.loss, optimizer = of_kept, torch.optim.AdamW(built.parameters(), lr=0.05)
        optimizer.step()
        built.save(case.folder / "of_replicas", optimizer)
        evaluated = built.eval_step(*args, target=target).sum().item()
        optimizer.step()
        built.load(case.folder / "of_replicas", optimizer)
        assert len(losses) == 8 and built.eval_step(*args, target=target).sum().item() == evaluated != before
        assert len(built.predict(*args) or [0] * 4) == 4
        return result
    compare(in_processes(case, 4, step), case.whole(args, target, of_kept), "replicas")
    refused("4 processes cannot be shared out evenly to 3 replicas", in_processes, case, 4,
            lambda pipeline: pipeline.build_pipeline(replicas=3, loss_fn=of_kept, device="cpu"))


def check_meshes(make):
    """Two pipelines of two processes, each with half of the batch; as one mesh, or each by itself."""
    case = make("words", stages=2)
    args, target = case.batch(16)
    wanted = case.whole(args, target)

    def step(pipeline):
        from torch.distributed.device_mesh import init_device_mesh
        mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("replicas", "stages"))
        both = pipeline.build_pipeline(mesh, schedule="1f1b", microbatches=2, loss_fn=case.loss, device="cpu")
        same(both.step(*args, target=target).sum().item(), wanted[0], "a mesh of two dimensions")
        half = slice(8 * mesh.get_local_rank("replicas"), None if mesh.get_local_rank("replicas") else 8)
        built = pipeline.build_pipeline(mesh["stages"], schedule="1f1b", microbatches=4, loss_fn=case.loss, device="cpu")
        loss = built.step(args[0][half], *args[1:], target=target[half]).sum()
        built.average_gradients(mesh["replicas"])
        torch.distributed.all_reduce(loss, group=mesh["replicas"].get_group())
        return loss.item() / 2, gradients_of(built)
    compare(in_processes(case, 4, step), wanted, "meshes")


def check_arguments(make):
    """Nested arguments and keywords, as the model takes them."""
    MODELS["keywords"], LOSSES["keywords"] = (ByKeywords, words), LOSSES["words"]
    torch.manual_seed(7)
    case = copy.copy(make("words"))  # which other checks train as it is
    module = ByKeywords()
    args, target = case.batch(8)
    shapes = {"batch": {"ids": {0: Dim("batch", max=64)}}, "tables": [None, None]}
    program = torch.export.export(module, ({"ids": args[0]},), {"tables": [args[1], args[2]]}, dynamic_shapes=shapes, strict=False)
    torch.export.save(program, case.folder.parent / "model.pt2")
    case.folder, case.module = case.folder.parent / "keywords", module
    subprocess.run([make.exporter, case.folder.parent / "model.pt2", case.folder, "4"], check=True)
    loss = case.loss(module({"ids": args[0]}, tables=[args[1], args[2]]), target)

    def step(pipeline):
        built = pipeline.build_pipeline(schedule="looped-bfs", loss_fn=case.loss, device="cpu")
        return built.step({"ids": args[0]}, tables=[args[1], args[2]], target=target).sum().item()
    same(in_processes(case, 1, step)[0], loss.item(), "keywords")


def run_checks(functions, exporter, names):
    torch.set_num_threads(1)
    checks = {name[6:]: function for name, function in functions.items() if name.startswith("check_")
              and name != "check_wrong_checkpoints" and callable(function)}
    ok, made = True, {}
    with tempfile.TemporaryDirectory() as folder:
        def make(name, varies=True, stages=4):
            key = name, varies, stages
            if key not in made:
                made[key] = Case(exporter, pathlib.Path(folder), name, varies, stages)
            made[key].module.zero_grad()
            return made[key]
        make.exporter = exporter
        for name in names or checks:
            try:
                checks[name](make)
                print("%s: agree" % name, flush=True)
            except Exception as failure:
                ok = False
                print("%s: %s: %s" % (name, type(failure).__name__, str(failure)[-1500:]), flush=True)
    return ok


if __name__ == "__main__":
    sys.exit(0 if run_checks(globals(), sys.argv[1], sys.argv[2:]) else 1)
