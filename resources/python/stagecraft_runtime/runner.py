"""A stage as a schedule calls it: what was received in, what is sent or the loss out."""
import contextlib

import torch

from .inputs import call_arguments, laid_out
from .loss import as_loss, no_loss
from .modes import modes_of
from .split_backward import sendable
from .wire import as_received, as_sent


class Feed:
    """What the microbatches of a step consist of. Schedules hand over the number of a microbatch alone: so inputs may be
    cut along any dimension or not at all."""

    def __init__(self, microbatches, targets, shares, loss):
        self.microbatches, self.targets, self.shares, self.loss = microbatches, targets, shares, loss
        self.losses = [None] * len(microbatches)   # the parts of the batch's loss, where the last stage is
        self.outputs = [None] * len(microbatches)  # kept where there is no loss
        # Of each microbatch the sizes of what each stage returns, once they are known; and which is the largest.
        self.crossing, self.largest = None, 0
        # Past the schedule: which ways gradients go back, and the types of what each stage receives.
        self.trained_ways, self.kinds = set(), None


class Runner(torch.nn.Module):
    """Takes the tensors from the stage before, and [the number of the microbatch]; returns a tuple of contiguous tensors,
    or the microbatch's part of the loss.

    Schedules receive all microbatches in one size. A smaller one is sent with zeros behind its numbers, in the size of
    the largest, and cut again where it is received.
    """

    def __init__(self, stage, export, index, autocast=None):
        super().__init__()
        self.stage, self.export, self.entry, self.autocast = stage, export, export.stage(index), autocast
        self.index, self.is_first, self.is_last = index, index == 0, index + 1 == len(export.stages)
        self.feed, self.gradient_share, self.is_evaluating = None, 1.0, False
        self.written = set()  # buffers that it writes to
        self.clock, self.watch = self.no_clock, None  # see profiling
        self.waits = None  # see Waits

    def no_clock(self, action, number):
        """A name in the trace of torch.profiler, by which stagecraft-cli finds the slots of a schedule."""
        if not torch.autograd._profiler_enabled():
            return contextlib.nullcontext()
        return torch.profiler.record_function("stagecraft:%s:%d:%d" % (action, self.index, number))

    def awaits(self, action, number, sender):
        """What it needs to go forward ("F") or backward ("B") with a microbatch, from the stage `sender`."""
        if self.waits is not None:
            self.waits.begin((action, self.index, number), sender, "what stage %d needs to go %s with microbatch %d" %
                             (self.index, "forward" if action == "F" else "backward", number))

    def has(self, action, number):
        if self.waits is not None:
            self.waits.end((action, self.index, number))

    def received_names(self):
        return [] if self.is_first else [i["name"] for i in self.entry["inputs"] if i["source"] == "previous"]

    def wanted_names(self):
        """The inputs of the model that this stage takes."""
        if self.is_first:
            return list(self.export.inputs)
        return [i["name"] for i in self.entry["inputs"] if i["source"] == "model"]

    def forward(self, *received, number):
        number = int(number)
        self.has("F", number)
        received = self.taken(received[:len(self.received_names())], number)
        given, entries = self.feed.microbatches[number], self.export.inputs
        inputs = {name: laid_out(given[name], entries[name].get("strides")) if isinstance(given[name], torch.Tensor)
                  else given[name] for name in self.wanted_names()}
        args, kwargs = call_arguments(self.export.manifest, inputs) if self.is_first else (received, inputs)
        modes = modes_of(self.stage, self.autocast, self.is_evaluating, self.written)
        with self.clock("F", number), modes, self.watch or contextlib.nullcontext():
            outputs = self.stage(*args, **kwargs)
            if self.is_last:
                return self.part_of_loss(outputs, number)
        return self.sent(outputs if isinstance(outputs, tuple) else (outputs,), number)

    def taken(self, received, number):
        """What the stage is given of what was received."""
        if self.feed.kinds is not None:
            received = list(map(as_received, received, self.kinds_received()))
        sizes = self.shorter_than_sent(number, self.index - 1)
        return received if sizes is None else list(map(shortened, received, sizes))

    def kinds_received(self):
        return self.feed.kinds[self.index]

    def part_of_loss(self, outputs, number):
        feed = self.feed
        if feed.loss is None:
            feed.outputs[number] = outputs
            return torch.zeros(1, device=self.stage.device)
        share = feed.shares[number]
        part = share * (as_loss(feed.loss(outputs, feed.targets[number])) if share else no_loss(outputs))
        feed.losses[number] = part.detach()
        return torch.stack([part * self.gradient_share])

    def sent(self, outputs, number):
        if not outputs:  # nothing crosses this boundary, but a schedule must send something
            return torch.zeros(1, device=self.stage.device)
        outputs = tuple(map(self.own, outputs))
        if self.feed.crossing is None:
            return outputs
        sizes, wanted = [list(output.shape) for output in outputs], self.crossing(number, self.index)
        if sizes != wanted:  # it would be received as if it had the other size
            raise RuntimeError("stage %d returns sizes %s, and %s was expected: sizes that depend on the data cannot be "
                               "sent from stage to stage; cut elsewhere" % (self.index, sizes, wanted))
        outputs, largest = tuple(map(as_sent, outputs)), self.crossing(self.feed.largest, self.index)
        return outputs if wanted == largest else tuple(map(lengthened, outputs, largest))

    def own(self, output):
        """Fit to be sent; the next microbatch may write to a buffer while it is still being sent."""
        output, held = sendable(output), (*self.stage.parameters(), *self.stage.buffers())
        is_held = any(tensor.untyped_storage()._cdata == output.untyped_storage()._cdata for tensor in held)
        return output.clone() if is_held else output

    def crossing(self, number, stage):
        """The sizes of what the schedule sends behind `stage` in a microbatch."""
        return self.feed.crossing[number][stage]

    def shorter_than_sent(self, number, stage):
        """The sizes of what crosses behind `stage` in this microbatch, where they are not those of the largest."""
        if self.feed.crossing is None or stage < 0:
            return None
        sizes = self.crossing(number, stage)
        return None if sizes == self.crossing(self.feed.largest, stage) else sizes

    # What goes past the schedule: see DirectRunner.
    def crossed(self, shapes):
        """Of what crosses, the shapes of what the schedule brings here and takes from here."""
        return shapes[self.index][:2]

    def gradients_from_afar(self, number):
        """(edges of the graph, gradients) of what was sent past the schedule."""
        return (), ()

    def arrived_from_afar(self, number):
        return ()

    def send_back(self, number):
        """The gradients of what arrived past the schedule."""

    def end_step(self):
        self.feed = None


def lengthened(tensor, size):
    numbers = tensor.reshape(-1)
    rest = torch.Size(size).numel() - numbers.numel()
    return torch.cat([numbers, numbers.new_zeros(rest)]).reshape(size)


def shortened(tensor, size):
    return tensor.reshape(-1)[:torch.Size(size).numel()].reshape(size)
