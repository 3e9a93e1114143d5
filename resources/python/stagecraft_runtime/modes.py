"""What changes how the operators of a stage run: mixed precision, and buffers that they write to."""
import contextlib

import torch
from torch.overrides import TorchFunctionMode

from .evaluation import Evaluating


class WithoutTypeAssertions(TorchFunctionMode):
    """An export asserts which types its tensors have, and under autocast they have others."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        if function is torch.ops.aten._assert_tensor_metadata.default:
            return None
        return function(*args, **(kwargs or {}))


def modes_of(stage, autocast, is_evaluating, written):
    modes = contextlib.ExitStack()
    if autocast is not None:
        modes.enter_context(torch.autocast(stage.device.type, autocast))
        modes.enter_context(WithoutTypeAssertions())
    if is_evaluating:
        modes.enter_context(Evaluating())
    if written and torch.is_grad_enabled():
        modes.enter_context(keeping_buffers(stage, written))
    return modes


def versions_of(stage):
    return {name: buffer._version for name, buffer in stage.named_buffers(remove_duplicate=False)}


def written_since(stage, versions):
    """The buffers that the stage has written to, but for counters of batches, which nobody differentiates."""
    buffers = dict(stage.named_buffers(remove_duplicate=False))
    return {name for name, version in versions.items() if buffers[name]._version != version
            and (buffers[name].dim() or buffers[name].is_floating_point())}


def keeping_buffers(stage, written):
    """Of a buffer that the next microbatch writes to, autograd keeps the numbers that this one has read."""
    storages = {buffer.untyped_storage().data_ptr() for name, buffer in stage.named_buffers(remove_duplicate=False)
                if name in written}

    def keep(tensor):
        if tensor.untyped_storage().data_ptr() in storages:
            tensor = tensor.clone()
        return tensor, tensor._version

    def kept(packed):
        tensor, version = packed
        if tensor._version != version:  # as autograd itself would say
            raise RuntimeError("a tensor of size %s that gradients need has been written to in place" % list(tensor.shape))
        return tensor
    return torch.autograd.graph.saved_tensors_hooks(keep, kept)
