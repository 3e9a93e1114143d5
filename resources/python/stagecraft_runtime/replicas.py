"""Pipelines of the same stages side by side, each with its part of every batch."""
import torch

from .devices import wait_for_all


class Replicas:
    """`stages` is the group of the processes of this pipeline, `alike` of those with the same stages as this process, one
    in each pipeline; none where there is one pipeline alone."""

    def __init__(self, stages, alike=None):
        import torch.distributed as dist
        self.stages, self.alike = stages, alike
        self.count = 1 if alike is None else dist.get_world_size(alike)
        self.number = 0 if alike is None else dist.get_rank(alike)

    def groups(self):
        """Who has heard from each of these in turn has heard from all processes."""
        return [self.stages] if self.alike is None else [self.stages, self.alike]

    def own(self, parts):
        """Of a list of which each pipeline takes equally many."""
        each = len(parts) // self.count
        return parts[self.number * each:(self.number + 1) * each]

    def most(self, numbers):
        import torch.distributed as dist
        for group in self.groups():
            dist.all_reduce(numbers, op=dist.ReduceOp.MAX, group=group)
        return numbers

    def said(self, thing):
        """By all processes; of what several say once more for each."""
        import torch.distributed as dist
        said = [thing]
        for group in self.groups():
            heard = [None] * dist.get_world_size(group)
            dist.all_gather_object(heard, said, group=group)
            said = [one for several in heard for one in several]
        return said

    def barrier(self):
        for group in self.groups():
            wait_for_all(group)

    def joined(self, tensor):
        """Those of all pipelines, in order."""
        import torch.distributed as dist
        if self.alike is None:
            return tensor
        parts = [torch.empty_like(tensor) for _ in range(self.count)]
        dist.all_gather(parts, tensor, group=self.alike)
        return torch.cat(parts)

    def set_aside(self, parameters):
        """Before a step: the sums of gradients so far, which must not be added up again."""
        if self.alike is None:
            return []
        earlier = [(parameter, parameter.grad) for parameter in parameters]
        for parameter, _ in earlier:
            parameter.grad = None
        return earlier

    def put_back(self, earlier):
        for parameter, before in earlier:
            parameter.grad = before

    def add_up(self, earlier):
        """After a step: each pipeline has the gradients of its part of the batch, and all get those of the whole."""
        import torch.distributed as dist
        if not earlier:
            return
        has = torch.tensor([parameter.grad is not None for parameter, _ in earlier], dtype=torch.int64,
                           device=earlier[0][0].device)
        dist.all_reduce(has, op=dist.ReduceOp.MAX, group=self.alike)
        sums = [(parameter, before, parameter.grad.contiguous() if parameter.grad is not None else
                 torch.zeros(parameter.shape, dtype=parameter.dtype, device=parameter.device))
                for (parameter, before), any_has in zip(earlier, has.tolist()) if any_has]
        for work in [dist.all_reduce(total, group=self.alike, async_op=True) for _, _, total in sums]:
            work.wait()
        self.put_back(earlier)
        for parameter, before, total in sums:
            parameter.grad = total if before is None else before + total
