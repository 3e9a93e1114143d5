"""Stage 3 of 3 of ex. Written by Stagecraft; needs PyTorch alone."""
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


class Stage2(Tensors):
    """Takes
        transpose_1: f32[4, 6]  from the stage before
    and returns what the model returns.
    """

    def __init__(self, device='cpu'):
        super().__init__()
        self.device = torch.device(device)
        self.place('b.weight', (6, 6), torch.float32, device, trainable=True)
        self.place('b.bias', (6,), torch.float32, device, trainable=True)

    def forward(self, transpose_1):
        view = torch.ops.aten.view.default(transpose_1, [-1, 3]);  del transpose_1  # f32[8, 3]
        view_1 = torch.ops.aten.view.default(view, [-1, 6]);  del view  # f32[4, 6]
        linear_1 = torch.ops.aten.linear.default(view_1, self.b.weight, self.b.bias);  del view_1  # f32[4, 6]
        return linear_1
