"""Do the stages of an export hold what their plan says, rank by rank, where values skip stages?

    check_held.py stagecraft-cli [sizes] [SCHEDULE...]

Three stages of two blocks each, or six of one on three processes; what the first blocks return is added again at the end.
With `sizes`: plain blocks in every schedule, with boundaries of two sizes and three numbers of microbatches. Without it: lean
models have weights that are large beside their activations, none that are added, and more behind the last weight. Blocks may
run again, end in what keeps its result, or be no wider inside than what they return, so that their weights go back while as
much is alive as they keep. The second step is measured: the most that is alive of all storages that it makes,
and of the receive buffers that are there before.
"""
import functools
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import types
import typing

import torch
import torch.nn.functional as F
from check_library import in_processes
from torch.distributed import pipelining
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

ROWS, WIDTH, PROCESSES, MICROBATCHES = 512, 128, 3, 6
STAGES_EACH = {"1f1b": 1, "gpipe": 1, "zb1p": 1, "interleaved": 2, "looped-bfs": 2, "zbv": 2}
if hasattr(pipelining, "ScheduleDualPipeV"):
    STAGES_EACH["dualpipev"] = 2
SPLIT = ("zb1p", "zbv")
WAITING = {"zb1p": 1, "dualpipev": 2, "zbv": 4}  # microbatches, most on any process
SENDS = ("relay", "direct")
BOUNDARY = ROWS * WIDTH * 4
NUMBERS = 1 << 10  # bytes of what is not planned: numbers of microbatches, losses


class Block(torch.nn.Module):
    def __init__(self, is_lean, is_folded=False):
        super().__init__()
        self.is_folded = is_folded
        self.norm, self.up = torch.nn.LayerNorm(WIDTH), torch.nn.Linear(WIDTH, 2 * WIDTH, bias=not is_lean)
        self.down = torch.nn.Linear(2 * WIDTH, WIDTH, bias=not is_lean)

    def forward(self, x):
        made = self.down(F.gelu(self.up(self.norm(x.view(-1, 2, WIDTH) if self.is_folded else x))))
        return x + (made.view(x.shape) if self.is_folded else made)


class Keeping(torch.nn.Module):
    """Returns what autograd keeps for its backward pass, or a view of that."""

    def __init__(self, is_folded):
        super().__init__()
        self.is_folded = is_folded
        self.linear = torch.nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        made = torch.sigmoid(self.linear(x.view(-1, 2, WIDTH) if self.is_folded else x))
        return made.view(x.shape) if self.is_folded else made


class Narrow(torch.nn.Module):
    """Is no wider inside than what it returns."""

    def __init__(self, function, is_folded):
        super().__init__()
        self.function, self.is_folded = function, is_folded
        width = 2 * WIDTH if is_folded else WIDTH
        self.linear = torch.nn.Linear(width, width)

    def forward(self, x):
        made = self.function(self.linear(x.view(-1, 2 * WIDTH) if self.is_folded else x))
        return x + (made.view(x.shape) if self.is_folded else made)


class Normed(torch.nn.Module):
    """Convolutions, batch norms and writes in place, as residual nets have them."""

    def __init__(self):
        super().__init__()
        self.channels = WIDTH // 16
        self.convolutions = torch.nn.ModuleList(
            torch.nn.Conv2d(self.channels, self.channels, 3, padding=1, bias=False) for _ in range(2))
        self.norms = torch.nn.ModuleList(torch.nn.BatchNorm2d(self.channels) for _ in range(2))

    def forward(self, x):
        image = x.view(-1, self.channels, 4, 4)
        made = F.relu_(self.norms[0](self.convolutions[0](image)))
        made = self.norms[1](self.convolutions[1](made))
        made += image
        return F.relu_(made).view(x.shape)


class Layer(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


class Skipping(torch.nn.Module):
    def __init__(self, skips, is_lean, is_folded, is_keeping, narrow, head, is_normed=False):
        super().__init__()
        self.skips = skips
        if narrow:
            block = functools.partial(Narrow, getattr(F, narrow), is_folded)
        elif is_normed:
            block = Normed
        else:
            block = functools.partial(Keeping, is_folded) if is_keeping else functools.partial(Block, is_lean, is_folded)
        self.blocks = torch.nn.ModuleList(block() for _ in range(2 * PROCESSES))
        self.head = torch.nn.Linear(WIDTH, head, bias=not is_lean) if head else torch.nn.Identity()
        functions = (functools.partial(F.log_softmax, dim=-1), torch.exp, torch.tanh) if is_lean else ()
        self.tail = torch.nn.ModuleList(map(Layer, functions))

    def forward(self, x):
        early = []
        for index, block in enumerate(self.blocks):
            x = block(x)
            early += [x] if index < self.skips else []
        for tensor in early:
            x = x + tensor
        x = self.head(x)
        for layer in self.tail:
            x = layer(x)
        return x


class Case(typing.NamedTuple):
    schedule: str
    skips: int = 0
    is_lean: bool = False
    send: str = "relay"
    cuts: tuple = ()  # the modules that later stages begin with; none: as many blocks each
    recompute: str = "none"
    is_folded: bool = False  # blocks read views of what they are given
    is_keeping: bool = False  # blocks return what autograd keeps
    narrow: str = ""  # blocks are no wider inside than what they return, and this function is in them
    small_head: int = 0  # of so many columns, behind blocks that have none otherwise
    is_normed: bool = False  # blocks are of convolutions with batch norms
    size: int = ROWS
    microbatches: int = MICROBATCHES

    @property
    def rows(self):
        return self.size // 4 if self.is_lean else self.size

    @property
    def begins(self):
        """Of the stages but the first."""
        return self.cuts or ["blocks.%d" % block for block in range(0, 2 * PROCESSES, 2 // STAGES_EACH[self.schedule])[1:]]

    @property
    def head(self):
        """How many columns it has; 0: there is none."""
        return self.small_head if self.is_keeping or self.narrow else WIDTH // 4

    def __str__(self):
        said = zip((self.is_lean, self.is_folded, self.is_keeping, self.is_normed), (", lean", ", folded", ", keeping", ", normed"))
        words = [word for is_so, word in said if is_so]
        words += [", narrow: " + self.narrow] if self.narrow else []
        words += [", head of %d" % self.small_head] if self.small_head else []
        return "%d skips%s, %s, %s, runs again: %s, cuts: %s, %d microbatches of %d KiB" % (
            self.skips, "".join(words), self.schedule, self.send, self.recompute, " ".join(self.begins), self.microbatches,
            self.rows * WIDTH * 4 // 1024)


def cases(schedules):
    for skips, is_lean, schedule, send in itertools.product((0, 1, 2), (False, True), schedules, SENDS):
        is_split = schedule in SPLIT
        if not ((is_lean and (skips or not is_split)) or (send == "direct" and (skips == 0 or schedule not in ("1f1b", "gpipe")))):
            yield Case(schedule, skips, is_lean, send)
    for schedule, recompute in itertools.product(schedules, ("full", "every 2")):
        if schedule in ("1f1b", *SPLIT) or (schedule == "dualpipev" and recompute == "full"):
            yield Case(schedule, recompute=recompute)
    for schedule in schedules:
        yield Case(schedule, is_folded=True)
        yield Case(schedule, is_keeping=True)
        if schedule in ("1f1b", "gpipe"):
            yield Case(schedule, skips=3)
            yield Case(schedule, is_folded=True, is_keeping=True)
        if schedule in SPLIT:
            yield from (Case(schedule, is_lean=is_lean, send="direct") for is_lean in (False, True))
    if "zb1p" in schedules:
        yield from (Case("zb1p", skips=1, is_lean=is_lean, send="direct") for is_lean in (False, True))
    yield from cases_in_turns(schedules)
    for first in ("tail.1", "tail.2"):  # behind the last weight
        if "zb1p" in schedules:
            yield Case("zb1p", is_lean=True, cuts=("blocks.3", first))


def cases_in_turns(schedules):
    """More is alive while several nodes go back one after the other than the one that takes most says, all at once or in the
    first part of a split backward pass."""
    for schedule in schedules:
        yield Case(schedule, is_keeping=True, small_head=WIDTH // 16)
        yield from (Case(schedule, narrow=narrow) for narrow in ("gelu", "sigmoid"))
        if schedule in ("1f1b", "gpipe", *SPLIT):
            yield Case(schedule, narrow="gelu", skips=1)
        if schedule == "1f1b":
            for narrow, recompute in itertools.product(("gelu", "sigmoid"), ("full", "every 2")):
                yield Case(schedule, narrow=narrow, recompute=recompute)
            yield Case(schedule, narrow="gelu", is_folded=True)
            yield Case(schedule, narrow="gelu", small_head=WIDTH // 16)
            yield Case(schedule, is_keeping=True, small_head=WIDTH // 16, recompute="full")
            yield from (Case(schedule, is_normed=True, recompute=recompute) for recompute in ("none", "full", "every 2"))


def cases_of_sizes(schedules):
    """What a stage holds grows with both, in some schedules up to what is in flight."""
    for schedule, size, microbatches in itertools.product(schedules, (ROWS, ROWS // 4), (6, 9, 12)):
        yield Case(schedule, size=size, microbatches=microbatches)


class Alive(TorchDispatchMode):
    """The most bytes that storages have which operators made, and these tensors."""

    def __init__(self, tensors):
        super().__init__()
        self.storages, self.most = {}, 0
        self.add(tensors)

    def add(self, tensors):
        for tensor in tensors:
            storage = tensor.untyped_storage()
            self.storages[storage._cdata] = StorageWeakRef(storage), storage.nbytes()

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        given = {tensor.untyped_storage()._cdata for tensor in tree_leaves((args, kwargs)) if isinstance(tensor, torch.Tensor)}
        made = operator(*args, **(kwargs or {}))
        self.add(tensor for tensor in tree_leaves(made) if isinstance(tensor, torch.Tensor) and tensor.device.type != "meta"
                 and tensor.untyped_storage()._cdata not in given)
        self.storages = {key: held for key, held in self.storages.items() if not held[0].expired()}
        self.most = max(self.most, sum(size for _, size in self.storages.values()))
        return made


def planned(cli, model, folder, case):
    """Exports; by process the bytes of the plan beside the parameters."""
    plan, cuts = folder.with_suffix(".stagecraft"), ["--split-before=" + first for first in case.begins]
    said = subprocess.run([cli, "partition", model, *cuts, "--schedule", case.schedule, "--send", case.send,
                           "--stages-per-device", str(STAGES_EACH[case.schedule]), "--microbatches", str(case.microbatches),
                           "--recompute", case.recompute, "--runtime", "exported", "--optimizer", "none",
                           "--device", "cpu", "--lowering", "cpu", "--json", "-o", plan],
                          check=True, capture_output=True, text=True).stdout
    subprocess.run([cli, "export", model, "--plan", plan, "-o", folder, "--formats", "python"], check=True, capture_output=True)
    plan = json.loads(said)
    devices = plan.get("devices") or [{"stages": [i], "peak_bytes": stage["peak_bytes"]} for i, stage in enumerate(plan["stages"])]
    return [device["peak_bytes"] - sum(plan["stages"][i]["parameter_bytes"] for i in device["stages"]) for device in devices]


def buffers_of(built):
    """Of all microbatches and ways; those that stand for some have no data."""
    for schedule in built.schedules.values():
        for stage in getattr(schedule, "_stages", None) or [schedule._stage]:
            for places in (*stage.args_recv_info.values(), *stage.grad_recv_info.values()):
                yield from (place.buffer for place in tensors_of(places) if not place.buffer.is_meta)


def tensors_of(places):
    return [place for place in places if isinstance(getattr(place, "buffer", None), torch.Tensor)]


def held(pipeline, rows, count):
    """By this process in its second step, whose gradients are there from the first."""
    from stagecraft_runtime.loss import sum_of_outputs
    built = pipeline.build_pipeline(device="cpu", loss_fn=sum_of_outputs)
    microbatches = [{"x": torch.randn(rows, WIDTH)} for _ in range(count)]
    built.step_microbatches(microbatches)
    with Alive(buffers_of(built)) as alive:
        built.step_microbatches(microbatches)
    return alive.most + sum(parameter.grad.nbytes for parameter in built.parameters() if parameter.grad is not None)


def slack_of(case):
    """What plans may say too much. Where a stage reads a value and passes it on, they count its sum with the gradient that
    comes back as if autograd made it while the first part of a split backward pass runs; averages of norms are there before.
    Of each microbatch that waits for its second part they count what the last narrow block of a stage kept behind its weight,
    as if a weight of a later stage were behind it."""
    if case.is_normed:
        return NUMBERS
    if case.narrow and case.schedule in WAITING:
        return WAITING[case.schedule] * BOUNDARY
    return BOUNDARY if case.skips == 2 and case.schedule in ("zb1p", "zbv") else 0


def main(cli, *words):
    schedules = [word for word in words if word != "sizes"] or STAGES_EACH
    wanted = cases_of_sizes if "sizes" in words else cases
    with tempfile.TemporaryDirectory() as name:
        for number, case in enumerate(wanted(schedules)):
            folder = pathlib.Path(name) / str(number)
            model = folder.with_suffix(".pt2")
            net = Skipping(case.skips, case.is_lean, case.is_folded, case.is_keeping, case.narrow, case.head, case.is_normed)
            torch.export.save(torch.export.export(net, (torch.randn(case.rows, WIDTH),), strict=False), model)
            said = planned(cli, model, folder, case)
            found = in_processes(types.SimpleNamespace(folder=folder), PROCESSES, functools.partial(held, rows=case.rows, count=case.microbatches))
            apart = [real - plan for real, plan in zip(found, said)]
            print("%s: held - planned by process, bytes: %s" % (case, apart), flush=True)
            slack = slack_of(case)
            assert all(-slack <= bytes_more < NUMBERS for bytes_more in apart), (apart, slack)


if __name__ == "__main__":
    main(*sys.argv[1:])
