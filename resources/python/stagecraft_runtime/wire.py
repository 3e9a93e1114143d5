"""What schedules send in place of whole numbers.

Before PyTorch 2.12 they make all that is received require gradients, which whole numbers cannot. There the bits of these are
sent as those of floating-point numbers of the same width; numbers of one byte, and truths, become float16, which has them all.
"""
import functools

import torch

SAME_WIDTH = {8: torch.float64, 4: torch.float32, 2: torch.float16}


@functools.lru_cache(maxsize=None)
def all_require_gradients():
    """Where nothing is known of what is received but its size and type."""
    from torch.distributed.pipelining import stage
    return not hasattr(stage, "_TensorMeta")


def as_sent(tensor):
    if tensor.is_floating_point() or tensor.is_complex() or not all_require_gradients():
        return tensor
    width = tensor.element_size()
    return tensor.view(SAME_WIDTH[width]) if width > 1 else tensor.to(torch.float16)


def as_received(tensor, dtype):
    """What as_sent() was given; it was of this type."""
    if tensor.dtype == dtype:
        return tensor
    return tensor.detach().view(dtype) if dtype.itemsize > 1 else tensor.detach().to(dtype)
