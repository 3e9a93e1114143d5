"""Receive buffers that are there while they are needed.

PyTorch up to 2.14 makes a buffer for each microbatch and way, and keeps them from step to step. Here a tensor without data
stands for each; the buffer is made when the schedule begins to wait for it, and let go when its microbatch has gone through the
stage: then autograd has what it keeps.

Schedules also hold on to transfers that are done, and these to their tensors. Here they lose them when the schedule goes on, which
it does once all has arrived.
"""
import weakref

import torch

from .schedules import ONE_STAGE_A_RANK


def tensors_of(places):
    """The places of tensors that come from other processes; what the first stage gets has none."""
    return [place for place in places if isinstance(getattr(place, "buffer", None), torch.Tensor)]


def stand_in(tensor, device):
    return torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype, device=device,
                               requires_grad=tensor.requires_grad)


def let_go(places):
    for place in tensors_of(places):
        if not place.buffer.is_meta:
            place.buffer = stand_in(place.buffer, "meta")


def make(places, device):
    for place in tensors_of(places):
        if place.buffer.is_meta:
            place.buffer = stand_in(place.buffer, device)


class Sends:
    """What goes one way, as long as somebody holds it."""

    def __init__(self):
        self.tensors = weakref.WeakSet()

    def begin(self, operations):
        for operation in operations:
            operation.tensor = operation.tensor.new_empty(0).set_(operation.tensor.detach())
            self.tensors.add(operation.tensor)
        return operations

    def done(self):
        for tensor in list(self.tensors):
            tensor.set_()
        self.tensors.clear()


class Receives:
    """What comes one way."""

    def __init__(self):
        self.operations = ()

    def begin(self, operations):
        self.operations = tuple(operations)
        return operations

    def done(self):
        for operation in self.operations:
            operation.tensor = None
        self.operations = ()


class InTime:
    """Mixed into PipelineStage, for schedules that wait for each receive when they begin it: gpipe and 1f1b."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.forward_sends, self.backward_sends = Sends(), Sends()
        self.forward_receives, self.backward_receives = Receives(), Receives()

    def _prepare_forward_infra(self, *args, **kwargs):
        made = super()._prepare_forward_infra(*args, **kwargs)
        for places in self.args_recv_info.values():
            let_go(places)
        return made

    def _prepare_backward_infra(self, *args, **kwargs):
        made = super()._prepare_backward_infra(*args, **kwargs)
        for places in self.grad_recv_info.values():
            let_go(places)
        return made

    def get_fwd_recv_ops(self, number):
        make(self.args_recv_info[number], self.device)
        return self.forward_receives.begin(super().get_fwd_recv_ops(number))

    def get_bwd_recv_ops(self, number):
        make(self.grad_recv_info.get(number, ()), self.device)
        return self.backward_receives.begin(super().get_bwd_recv_ops(number))

    def get_fwd_send_ops(self, number):
        return self.forward_sends.begin(super().get_fwd_send_ops(number))

    def get_bwd_send_ops(self, number):
        return self.backward_sends.begin(super().get_bwd_send_ops(number))

    def forward_one_chunk(self, number, *args, **kwargs):
        self.forward_receives.done(), self.backward_sends.done()
        output = super().forward_one_chunk(number, *args, **kwargs)
        let_go(self.args_recv_info[number])
        return output

    def backward_one_chunk(self, number, *args, **kwargs):
        self.backward_receives.done(), self.forward_sends.done()
        super().backward_one_chunk(number, *args, **kwargs)
        let_go(self.grad_recv_info.get(number, ()))


def stage_kind(schedule, whole, plain):
    """The class of a schedule's stages: of PyTorch's `plain` one, with `whole` mixed in."""
    return type("Stage", (whole, InTime, plain) if schedule in ONE_STAGE_A_RANK else (whole, plain), {})
