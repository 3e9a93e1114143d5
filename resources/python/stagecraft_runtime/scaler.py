"""Losses scaled so that gradients of half precision do not vanish."""
import torch


class Scaler(torch.amp.GradScaler):
    """torch.amp.GradScaler over all stages: a gradient that is not finite in one stage makes all leave out a step. It does
    nothing, as PyTorch's own when it is disabled, but under torch.autocast(float16)."""

    def __init__(self, device, group, autocast, **options):
        super().__init__(device.type, enabled=autocast is torch.float16, **options)
        self.place, self.group = device, group

    def factor(self):
        """By which the losses' gradients are scaled."""
        return self.scale(torch.ones((), device=self.place)).item() if self.is_enabled() else 1.0

    def unscale_(self, optimizer):
        import torch.distributed as dist
        super().unscale_(optimizer)
        if not self.is_enabled():
            return
        found = self._per_optimizer_states[id(optimizer)]["found_inf_per_device"]
        if not found:  # there is nothing to train in this stage
            found[self.place] = torch.zeros((), device=self.place)
        for is_infinite in found.values():
            dist.all_reduce(is_infinite, op=dist.ReduceOp.MAX, group=self.group)

    def step(self, optimizer, *args, **kwargs):
        from torch.amp.grad_scaler import OptState
        if self.is_enabled() and self._per_optimizer_states[id(optimizer)]["stage"] is OptState.READY:
            self.unscale_(optimizer)  # here, where stages hear of each other
        return super().step(optimizer, *args, **kwargs)
