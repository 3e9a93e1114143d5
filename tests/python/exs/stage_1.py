"""Stage 2 of 3 of ex. Written by Stagecraft; needs PyTorch alone."""
import collections
import math
import operator
from math import inf, nan

import torch
import torch.utils.checkpoint


class Tensors(torch.nn.Module):
    """Holds tensors under the names they have in the model: self.h[0].attn.weight, self['train'].weight."""

    def __getitem__(self, name):
        for held in self._parameters, self._buffers, self._modules:
            if str(name) in held:
                return held[str(name)]
        raise KeyError(name)

    def place(self, path, sizes, dtype, device, strides=None, trainable=None, persistent=True, also=()):
        """A tensor to be filled; `also` are further names of it."""
        tensor = torch.empty_strided(sizes, strides, dtype=dtype, device=device) if strides else \
            torch.empty(sizes, dtype=dtype, device=device)
        if trainable is not None:
            tensor = torch.nn.Parameter(tensor, requires_grad=trainable)
        for *parts, name in (full.split(".") for full in (path, *also)):
            module = self
            for part in parts:
                if part not in module._modules:
                    module._modules[part] = Tensors()
                module = module._modules[part]
            (module._buffers if trainable is None else module._parameters)[name] = tensor
            if not persistent:
                module._non_persistent_buffers_set.add(name)


def laid_out(tensor, strides=None, order=None, expanded=()):
    """The same numbers with the strides that they have in the model: what is received is row-major."""
    once = tensor
    for dimension in expanded:
        once = once.narrow(dimension, 0, 1)
    if strides is not None:
        copy = torch.empty_strided(once.shape, strides, dtype=once.dtype, device=once.device).copy_(once)
    else:
        inverse = sorted(range(len(order)), key=order.__getitem__)
        copy = once.permute(order).clone(memory_format=torch.contiguous_format).permute(inverse)
    return copy.expand(tensor.shape) if expanded else copy


class Stage1(Tensors):
    """Takes
        sin: f32[6, 4]  from the stage before
    and returns
        transpose_1: f32[4, 6]
    """

    def __init__(self, device='cpu'):
        super().__init__()
        self.device = torch.device(device)

    def forward(self, sin):
        sin = laid_out(sin, strides=(1, 6))
        transpose_1 = torch.ops.aten.transpose.int(sin, 0, 1);  del sin  # f32[4, 6]
        return transpose_1.contiguous()
