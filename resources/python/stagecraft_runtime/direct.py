"""Values sent straight to the stages that read them.

A schedule sends from each stage to the next alone, so an export relays: what a later stage reads is received and returned
by all between. Sent directly, it goes past the schedule, from the stage that makes it to each that reads it, and gradients
go back the same way; the stages between are given zeros in its place, which take no memory, and what they return of it is
dropped.

No process waits for another that waits for it: a stage's forward pass comes after those of earlier stages, its backward
pass before theirs, in every schedule. What was sent is let go where it arrived for certain: an activation when its microbatch
comes back, a gradient when the stage that it went to sends a microbatch that it takes up after it; the rest when the step ends.
"""
import ast
import collections
import typing

import torch
from torch.autograd.graph import get_gradient_edge

from .boundaries import described
from .runner import Runner
from .split_backward import sendable

SENDS = ("relay", "direct")
NOTHING = torch.zeros(1, device="meta")


class Way(typing.NamedTuple):
    """Of a value, from the stage that makes it to one that reads it."""
    name: str
    maker: int
    reader: int


def names_read(code, name):
    """Which arguments of its forward pass the class of a stage reads, and does not only return; in order."""
    stage = next(node for node in ast.parse(code).body if isinstance(node, ast.ClassDef) and node.name == name)
    forward = next(node for node in stage.body if isinstance(node, ast.FunctionDef) and node.name == "forward")
    loads = collections.Counter(node.id for node in ast.walk(forward)
                                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    returned = forward.body[-1].value if isinstance(forward.body[-1], ast.Return) else None
    for element in returned.elts if isinstance(returned, ast.Tuple) else [returned]:
        if isinstance(element, ast.Name):
            loads[element.id] -= 1
    return [loads[argument.arg] > 0 for argument in forward.args.args[1:]]


def received_by(stage):
    return [given["name"] for given in stage["inputs"] if given["source"] == "previous"]


def ways_of(export):
    """All ways of all values that cross from stage to stage."""
    ways, makers = [], {}
    for index, stage in enumerate(export.stages):
        is_last = index + 1 == len(export.stages)
        reads = names_read((export.folder / stage["code"]).read_text(), stage["class"]) if index else []
        for name, is_read in zip(received_by(stage) if index else [], reads):
            if is_read or is_last:
                ways.append(Way(name, makers[name], index))
        for output in stage["outputs"]:
            if output["name"] not in stage["relays"]:
                makers[output["name"]] = index
    return sorted(ways)


def trained_ways(ways, export, shapes):
    """Those on which gradients go back."""
    return {way for way in ways if received_by(export.stages[way.reader]).index(way.name) in shapes[way.reader][2]}


def relayed(export):
    """(name, stage that makes it, stages that pass it on unread) of each value that some stages only pass on."""
    ways, found = ways_of(export), []
    for name, maker in sorted({(way.name, way.maker) for way in ways}):
        readers = {way.reader for way in ways if (way.name, way.maker) == (name, maker)}
        through = [stage for stage in range(maker + 1, max(readers)) if stage not in readers]
        if through:
            found.append((name, maker, through))
    return found


def relays_said(export):
    """In one line; empty where all is sent to the stage that reads it."""
    said = ["'%s' of stage %d through %s" % (name, maker, ", ".join(map(str, through)))
            for name, maker, through in relayed(export)]
    more = " and %d more" % (len(said) - 3) if said[3:] else ""
    return "relayed: %s%s; sends=\"direct\" sends past these stages" % ("; ".join(said[:3]), more) if said else ""


class Mail:
    """What goes past the schedule, between the stages of one pipeline; `owner` is the global rank of each stage. Each value
    and microbatch has a tag of its own. NCCL knows no tags, so there each pair of stages has a group for either direction,
    in which all goes in the order of microbatches."""

    def __init__(self, ways, owner, group, microbatches, waits, lead):
        """`lead(stage)`: how many microbatches a stage takes up before the first comes back, each later one after another came
        back; None where the schedule keeps no such order."""
        import torch.distributed as dist
        self.waits, self.lead = waits, lead
        self.owner, self.microbatches, self.here = owner, microbatches, dist.get_rank()
        self.numbers = {way: i for i, way in enumerate(ways)}
        self.groups = collections.defaultdict(lambda: group)
        if dist.get_backend(group) != "gloo":
            ranks = dist.get_process_group_ranks(group)
            for pair in sorted({(way.maker, way.reader) for way in ways}):
                for back in (False, True):
                    self.groups[(*pair, back)] = dist.new_group(ranks, use_local_synchronization=True)
        self.kept, self.sending, self.sent = {}, {}, collections.Counter()

    def address(self, way, back, number):
        other = self.owner[way.maker if back else way.reader], self.owner[way.reader if back else way.maker]
        tag = 1 + (2 * self.numbers[way] + back) * self.microbatches + number
        return other, self.groups[way.maker, way.reader, back], tag

    def post(self, tensor, way, number, back=False):
        import torch.distributed as dist
        (to, _), group, tag = self.address(way, back, number)
        if to == self.here:
            self.kept[tag] = tensor
            return
        self.sent[way] += tensor.numel() * tensor.element_size()
        self.sending[way, number, back] = dist.isend(tensor, to, group=group, tag=tag), tensor

    def fetch(self, empty, way, number, back=False):
        """Into `empty`, or what a stage of this very process posted."""
        import torch.distributed as dist
        (_, sender), group, tag = self.address(way, back, number)
        if sender == self.here:
            return self.kept.pop(tag)
        self.waits.begin(tag, way.reader if back else way.maker, "%s'%s' of microbatch %d" %
                         ("the gradient of " if back else "", way.name, number))
        dist.irecv(empty, sender, group=group, tag=tag).wait()
        self.waits.end(tag)
        return empty

    def let_go(self, way, number, back=False):
        """Of what was posted, and has been taken up."""
        if (way, number, back) in self.sending:
            work, _ = self.sending.pop((way, number, back))
            work.wait()

    def has_begun(self, way, number):
        """The stage that makes `way` with a microbatch: before, it took up the gradient of an earlier one."""
        lead = self.lead(way.maker)
        if lead is not None:
            self.let_go(way, number - lead, back=True)

    def finish(self):
        """At the end of a step."""
        for sent in list(self.sending):
            self.let_go(*sent)


class DirectRunner(Runner):
    """A stage to and from which the schedule brings what the next stage reads, and `mail` the rest."""

    def __init__(self, stage, export, index, autocast, ways, mail):
        super().__init__(stage, export, index, autocast)
        self.mail, self.names = mail, [] if self.is_first else received_by(self.entry)
        self.arriving = {way.name: way for way in ways if way.reader == index}
        self.leaving = [way for way in ways if way.maker == index and way.reader > index + 1]
        self.made = [] if self.is_last else [output["name"] for output in self.entry["outputs"]]
        self.near_in = [i for i, name in enumerate(self.names) if self.is_near(self.arriving.get(name))]
        near = {way.name for way in ways if way.maker == index and way.reader == index + 1}
        self.near_out = [i for i, name in enumerate(self.made) if name in near]
        self.arrived, self.edges = {}, {}  # by microbatch, from its forward pass to its backward pass

    def is_near(self, way):
        return way is not None and way.maker == self.index - 1

    def crossed(self, shapes):
        def near(tensors, places, with_gradient):  # a schedule must send something
            return described([tensors[i] for i in places], [i in with_gradient for i in places]) or (NOTHING,)
        passed, outputs, own = shapes[self.index]
        if self.names:
            passed = near(passed, self.near_in, own)
        if self.made:
            after = received_by(self.export.stages[self.index + 1])
            outputs = near(outputs, self.near_out, {i for i, name in enumerate(self.made)
                                                    if after.index(name) in shapes[self.index + 1][2]})
        return passed, outputs

    def received_names(self):
        return [self.names[i] for i in self.near_in]

    def kinds_received(self):
        return [self.kind_of(place) for place in self.near_in]

    def crossing(self, number, stage):
        sizes = super().crossing(number, stage)
        near = self.near_in if stage < self.index else self.near_out
        return [sizes[i] for i in near]

    def taken(self, received, number):
        near, taken = iter(super().taken(received, number)), []
        sizes, far = self.feed.crossing[number][self.index - 1] if self.names else [], {}
        for way in sorted(set(self.arriving.values())):
            place = self.names.index(way.name)
            if place in self.near_in:
                continue
            tensor = self.mail.fetch(torch.empty(sizes[place], dtype=self.kind_of(place), device=self.stage.device), way, number)
            far[way.name] = tensor.detach().requires_grad_(way in self.feed.trained_ways)
            self.mail.has_begun(way, number)
        if self.feed.trained_ways:
            self.arrived[number] = [(self.arriving[name], tensor) for name, tensor in far.items() if tensor.requires_grad]
        for place, name in enumerate(self.names):
            if place in self.near_in:
                taken.append(next(near))
            elif name in far:
                taken.append(far[name])
            else:
                taken.append(torch.zeros((), dtype=self.kind_of(place), device=self.stage.device).expand(sizes[place]))
        return taken

    def kind_of(self, place):
        return self.feed.kinds[self.index][place]

    def sent(self, outputs, number):
        edges = []
        for way in self.leaving:
            output = self.own(outputs[self.made.index(way.name)])
            self.mail.post(output.detach(), way, number)
            if way in self.feed.trained_ways:
                edges.append((way, get_gradient_edge(output), output.shape, output.dtype))
        if edges:
            self.edges[number] = edges
        return super().sent(tuple(outputs[i] for i in self.near_out), number)

    def gradients_from_afar(self, number):
        """(edges of the graph, the gradients that readers sent back)."""
        for way in self.leaving:
            self.mail.let_go(way, number)
        edges, gradients = {}, {}
        for way, edge, shape, dtype in self.edges.pop(number, ()):
            gradient = self.mail.fetch(torch.empty(shape, dtype=dtype, device=self.stage.device), way, number, back=True)
            edges[way.name] = edge
            gradients[way.name] = gradients[way.name] + gradient if way.name in gradients else gradient
        return tuple(edges.values()), tuple(gradients.values())

    def arrived_from_afar(self, number):
        return tuple(tensor for _, tensor in self.arrived.get(number, ()))

    def send_back(self, number):
        for way, tensor in self.arrived.pop(number, ()):
            gradient = torch.zeros(tensor.shape, dtype=tensor.dtype, device=tensor.device) if tensor.grad is None \
                else sendable(tensor.grad)
            self.mail.post(gradient, way, number, back=True)

    def end_step(self):
        super().end_step()
        self.arrived.clear(), self.edges.clear()
