"""Times of a real step: what every process did when, and how long operators and sends take.

One JSON file, of which `stagecraft-cli ... --times FILE` reads the nodes, by the names that they have in the model, and
`stagecraft-cli schedule ... --measured FILE` the rest:

    {"format": 1, "schedule": "1f1b", "microbatches": 8, "device": "cpu", "step_s": 0.1,
     "nodes": {"linear": {"stage": 0, "forward": 1e-4, "backward": 2e-4}, ...},         of one microbatch, in the mean
     "ranks": [{"rank": 0, "stages": [0], "wait_s": 0.02, "slots": [
         {"stage": 0, "microbatch": 0, "action": "F", "start_s": 0.0, "end_s": 0.01}, ...]}, ...],
     "sends": [{"from": 0, "to": 1, "forward_bytes": 4096, "backward_bytes": 4096, "forward_s": 1e-4}, ...]}

Of blocks that the code has once for several, equal nodes have equal times: the mean of all.
Actions are those of torch.distributed.pipelining: F forward, B backward, I and W its two parts. Slots are computing alone:
what lies between them a process waited, or received and sent. Accelerators are waited for at the ends of slots and nodes.
"""
import ast
import collections
import contextlib
import json
import os
import pathlib
import sys
import time

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves

from .devices import wait_for_all
from .direct import received_by
from .stages import fill

ROUNDS = 3  # of the sends that are timed


class Clock:
    def __init__(self, device):
        self.device, self.start = device, 0.0

    def now(self):
        if self.device.type != "cpu":
            getattr(torch, self.device.type).synchronize(self.device)
        return time.perf_counter() - self.start


class Slots:
    """Of one stage."""

    def __init__(self, clock, stage, slots):
        self.clock, self.stage, self.slots = clock, stage, slots

    @contextlib.contextmanager
    def __call__(self, action, microbatch):
        start = self.clock.now()
        yield
        self.slots.append({"stage": self.stage, "microbatch": microbatch, "action": action, "start_s": start,
                           "end_s": self.clock.now()})


def names_by_line(file, shared):
    """The names that operators have in the model, by the lines of the stage's code that run them: forward() calls by them
    what it computes. A line of a method that is called for several blocks runs an operator of each, which the manifest
    says."""
    names = {int(line): nodes for line, nodes in shared.items()}
    for function in ast.walk(ast.parse(pathlib.Path(file).read_text())):
        for node in ast.walk(function) if isinstance(function, ast.FunctionDef) and function.name == "forward" else ():
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                names.update(dict.fromkeys(range(node.lineno, node.end_lineno + 1), [node.targets[0].id]))
    return names


class NodeTimes(TorchFunctionMode):
    """Times every operator of a stage where it runs, and what autograd does for it."""

    def __init__(self, clock, file, shared):
        super().__init__()
        self.clock, self.file, self.names = clock, str(file), names_by_line(file, shared)
        self.forward, self.backward = collections.Counter(), collections.Counter()

    def __torch_function__(self, function, types, args=(), kwargs=None):
        names = self.names_at(sys._getframe(1)) if isinstance(function, torch._ops.OpOverload) else None
        if names is None:
            return function(*args, **(kwargs or {}))
        start = self.clock.now()
        result = function(*args, **(kwargs or {}))
        self.add(self.forward, names, self.clock.now() - start)
        if torch.is_grad_enabled():
            self.watch(result, (args, kwargs), names)
        return result

    @staticmethod
    def add(times, names, seconds):
        for name in names:
            times[name] += seconds / len(names)

    def names_at(self, frame):
        while frame is not None and frame.f_code.co_filename != self.file:
            frame = frame.f_back
        return self.names.get(frame.f_lineno) if frame is not None else None

    def watch(self, result, given, names):
        """The nodes of autograd between what an operator is given and what it returns."""
        def nodes_of(tree):
            return [leaf.grad_fn for leaf in tree_leaves(tree) if isinstance(leaf, torch.Tensor) and leaf.grad_fn is not None]
        seen, waiting = set(nodes_of(given)), nodes_of(result)
        while waiting:
            node = waiting.pop()
            if node in seen or hasattr(node, "variable"):
                continue
            seen.add(node)
            began = []
            node.register_prehook(lambda *_, began=began: began.append(self.clock.now()))
            node.register_hook(lambda *_, began=began: self.ended(names, began))
            waiting += [before for before, _ in node.next_functions if before is not None]

    def ended(self, names, began):
        if began:
            self.add(self.backward, names, self.clock.now() - began.pop())


@contextlib.contextmanager
def undisturbed(pipeline):
    """Gradients and buffers as they were."""
    parameters = [p for module in pipeline.modules.values() for p in module.parameters()]
    gradients = [p.grad for p in parameters]
    buffers = [(buffer, buffer.clone()) for module in pipeline.modules.values() for buffer in module.buffers()]
    pipeline.zero_grad()
    try:
        yield
    finally:
        for parameter, gradient in zip(parameters, gradients):
            parameter.grad = gradient
        for buffer, before in buffers:
            fill(buffer, before)


def profile(pipeline, path, batch, **options):
    """Three steps on a batch: to warm up, for the slots, and for the nodes. `batch` is what train_on() takes."""
    clock, slots = Clock(pipeline.device), []
    with undisturbed(pipeline):
        pipeline.train_on(*batch, **options)
        for index, runner in pipeline.runners.items():
            runner.clock = Slots(clock, index, slots)
        pipeline.replicas.barrier()
        clock.start += clock.now()
        pipeline.train_on(*batch, **options)
        step = clock.now()
        for index, runner in pipeline.runners.items():
            runner.clock = runner.no_clock
            stage = pipeline.export.stages[index]
            runner.watch = NodeTimes(clock, pipeline.export.folder / stage["code"], stage.get("shared_lines", {}))
        try:
            pipeline.train_on(*batch, **options)
        finally:
            watched = [runner.watch for runner in pipeline.runners.values()]
            for runner in pipeline.runners.values():
                runner.watch = None
        said = {"rank": pipeline.rank, "stages": list(pipeline.runners), "step_s": step, "slots": slots,
                "wait_s": step - sum(slot["end_s"] - slot["start_s"] for slot in slots),
                "nodes": [(name, {"stage": stage, "forward": seconds / pipeline.microbatches,
                                  "backward": watch.backward[name] / pipeline.microbatches})
                          for stage, watch in zip(pipeline.runners, watched) for name, seconds in watch.forward.items()]}
        sends = timed_sends(pipeline, batch, clock)
    write(pipeline, path, said, sends)


def write(pipeline, path, said, sends):
    """By the first process, what all of its pipeline say."""
    import torch.distributed as dist
    ranks = [None] * dist.get_world_size(pipeline.group)
    dist.all_gather_object(ranks, (said, sends), group=pipeline.group)
    if pipeline.replicas.number == 0 and dist.get_rank(pipeline.group) == 0:
        said_of_nodes = [node for own, _ in ranks for node in own.pop("nodes")]
        said_of_nodes.sort(key=lambda node: -node[1]["stage"])
        nodes = dict(said_of_nodes)  # what is made again in a later stage counts where it is made first
        content = {"format": 1, "schedule": pipeline.schedule, "microbatches": pipeline.microbatches,
                   "device": pipeline.device.type, "step_s": max(own.pop("step_s") for own, _ in ranks), "nodes": nodes,
                   "ranks": [own for own, _ in ranks], "sends": [send for _, several in ranks for send in several]}
        partial = str(path) + ".partial"
        pathlib.Path(partial).write_text(json.dumps(content, indent=1))
        os.replace(partial, path)
    pipeline.replicas.barrier()


def sent_between(pipeline, shapes):
    """(stage, stage): [bytes of a microbatch forward, backward]."""
    sent = collections.defaultdict(lambda: [0, 0])

    def add(pair, tensor, has_gradient):
        size = tensor.numel() * tensor.element_size()
        sent[pair][0] += size
        sent[pair][1] += size if has_gradient else 0
    for index, (passed, _, own) in enumerate(shapes):
        for place, tensor in enumerate(passed if not pipeline.ways else []):
            add((index - 1, index), tensor, tensor.requires_grad)
    for way in pipeline.ways:
        passed, _, own = shapes[way.reader]
        place = received_by(pipeline.export.stages[way.reader]).index(way.name)
        add((way.maker, way.reader), passed[place], place in own)
    return sent


def timed_sends(pipeline, batch, clock):
    """One after the other, each there and back; said by the process of the stage that sends."""
    import torch.distributed as dist
    microbatches, targets = (pipeline.replicas.own(each) for each in batch[:2])
    shapes, timed = pipeline.crossing_of(microbatches, targets, pipeline.loss)[2], []
    for (maker, reader), (forward, backward) in sorted(sent_between(pipeline, shapes).items()):
        here, there, rank = pipeline.owner[maker], pipeline.owner[reader], pipeline.rank
        tensor = torch.zeros(max(forward, 1), dtype=torch.uint8, device=pipeline.device)
        wait_for_all(pipeline.group)
        seconds = [0.0]
        if here != there and rank in (here, there):
            seconds = []
            for _ in range(ROUNDS):
                start = clock.now()
                for sender in (here, there):
                    kind, other = (dist.isend, there) if rank == sender == here else (dist.isend, here) if rank == sender \
                        else (dist.irecv, sender)
                    for work in dist.batch_isend_irecv([dist.P2POp(kind, tensor, other, pipeline.group)]):
                        work.wait()
                seconds.append((clock.now() - start) / 2)
        if rank == here:
            timed.append({"from": maker, "to": reader, "forward_bytes": forward, "backward_bytes": backward,
                          "forward_s": min(seconds)})
    return timed
