"""Parameters that several stages hold a copy of, and what concerns the gradients of all stages."""
import torch

from .stages import parameters_of


class SharedParameters:
    """Adds up the gradients of the copies, so that each has the whole model's. `owner` is the global rank of each stage,
    `group` the pipeline's."""

    def __init__(self, manifest, modules, owner, device, group):
        self.device, self.group, self.copies = device, group, []
        for shared in manifest["shared_parameters"]:
            copies = [parameters_of(modules[stage])[shared["name"]] for stage in shared["stages"] if stage in modules]
            if copies:
                self.copies.append((copies, sorted({owner[stage] for stage in shared["stages"]})))
        # Of the gradients of all stages each counts once: a shared one where its first stage is.
        repeated = {id(parameters_of(modules[stage])[shared["name"]]) for shared in manifest["shared_parameters"]
                    for stage in shared["stages"][1:] if stage in modules}
        self.own = [p for module in modules.values() for p in module.parameters() if id(p) not in repeated]

    def set_aside(self):
        """Before a step: the sums so far, which must not be added up again."""
        earlier = [copies[0].grad for copies, _ in self.copies]
        for copies, _ in self.copies:
            for copy in copies:
                copy.grad = None
        return earlier

    def put_back(self, earlier):
        for (copies, _), before in zip(self.copies, earlier):
            for copy in copies:
                copy.grad = None if before is None else before.clone()

    def add_up(self, earlier):
        """After a step: what it adds to the sums so far."""
        for (copies, ranks), before in zip(self.copies, earlier):
            gradients = [copy.grad for copy in copies if copy.grad is not None]
            count = self.sum_over(ranks, torch.tensor([float(len(gradients))], device=self.device))
            total = before
            if count.item():  # else it is frozen, or of no influence: none has one, as in the whole model
                total = torch.zeros(copies[0].shape, dtype=copies[0].dtype, device=self.device)
                for gradient in gradients:
                    total += gradient
                total = self.sum_over(ranks, total)
                total = total if before is None else total + before
            for copy in copies:
                copy.grad = None if total is None else total.clone()

    def sum_over(self, ranks, tensor):
        """Of these processes' tensors; to the bit the same in each, as all add in one order. Not by a group of their own:
        what such groups are called hangs on how many others each process has made, and theirs wait for each other."""
        import torch.distributed as dist
        here = dist.get_rank()
        parts = {rank: tensor if rank == here else torch.empty_like(tensor) for rank in ranks}
        exchanges = [dist.P2POp(operation, part, rank, self.group) for rank in ranks if rank != here
                     for operation, part in ((dist.isend, tensor), (dist.irecv, parts[rank]))]
        for exchange in dist.batch_isend_irecv(exchanges) if exchanges else []:
            exchange.wait()
        return sum(parts.values())

    def clip(self, most, norm_type, group):
        """Scales the gradients of all stages so that their norm together is at most `most`; returns the norm, as
        torch.nn.utils.clip_grad_norm_() does of a whole model."""
        import torch.distributed as dist
        norm_type = float(norm_type)
        norms = [torch.linalg.vector_norm(p.grad, norm_type).to(torch.float32) for p in self.own if p.grad is not None]
        if norm_type == float("inf"):
            total = torch.stack(norms).max() if norms else torch.zeros((), device=self.device)
            dist.all_reduce(total, op=dist.ReduceOp.MAX, group=group)
        else:
            total = sum((norm ** norm_type for norm in norms), torch.zeros((), device=self.device))
            dist.all_reduce(total, group=group)
            total = total ** (1.0 / norm_type)
        factor = torch.clamp(most / (total + 1e-6), max=1.0)
        copies = [p for same, _ in self.copies for p in same]
        for parameter in {id(p): p for p in self.own + copies}.values():
            if parameter.grad is not None:
                parameter.grad.mul_(factor.to(parameter.grad.dtype))
        return total
