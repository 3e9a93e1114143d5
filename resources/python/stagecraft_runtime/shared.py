"""Parameters that several stages hold a copy of, and what concerns the gradients of all stages."""
import torch

from .stages import parameters_of


KEPT_AS = ("copied", "owned")


class Copies:
    """Those of one parameter in this process, by stage. `ranks` are the processes that have some, the first stage's first."""

    def __init__(self, shared, modules, owner):
        self.by_stage = {stage: parameters_of(modules[stage])[shared["name"]] for stage in shared["stages"] if stage in modules}
        self.ranks = sorted({owner[stage] for stage in shared["stages"]})
        self.first, self.home = self.by_stage.get(shared["stages"][0]), owner[shared["stages"][0]]

    @property
    def all(self):
        return list(self.by_stage.values())


class SharedParameters:
    """Adds up the gradients of the copies, so that each has the whole model's; or, where they are "owned", the first alone,
    which the optimizer changes and the others take their numbers from. `owner` is the global rank of each stage, `group`
    the pipeline's."""

    def __init__(self, manifest, modules, owner, device, group, kept_as):
        self.device, self.group, self.is_owned = device, group, kept_as == "owned"
        copies = [Copies(shared, modules, owner) for shared in manifest["shared_parameters"]]
        self.copies = [same for same in copies if same.by_stage]
        # Of the gradients of all stages each counts once: a shared one where its first stage is.
        self.repeated = {id(copy) for same in self.copies for copy in same.all if copy is not same.first}
        self.own = [p for module in modules.values() for p in module.parameters() if id(p) not in self.repeated]

    @property
    def followers(self):
        """The ids of the parameters that only take the numbers of others."""
        return self.repeated if self.is_owned else set()

    def follow(self):
        """Before a step, and before what the stages have is looked at: the numbers of the first copies in the others."""
        if not self.is_owned:
            return
        for same in self.copies:
            first = same.first if same.first is not None else same.all[0]
            self.exchange([(first.detach(), rank) for rank in same.ranks if rank != same.home] if same.first is not None else [],
                          [(first.detach(), same.home)] if same.first is None else [])
            for copy in same.all:
                if copy is not first:
                    copy.detach().copy_(first)

    def set_aside(self):
        """Before a step: the sums so far, which must not be added up again."""
        earlier = [None if same.first is None and self.is_owned else (same.first if self.is_owned else same.all[0]).grad
                   for same in self.copies]
        for same in self.copies:
            for copy in same.all:
                copy.grad = None
        return earlier

    def put_back(self, earlier):
        for same, before in zip(self.copies, earlier):
            for copy in same.all:
                copy.grad = None if before is None or id(copy) in self.followers else before.clone()

    def add_up(self, earlier):
        """After a step: what it adds to the sums so far."""
        for same, before in zip(self.copies, earlier):
            gradients = [copy.grad for copy in same.all if copy.grad is not None]
            count = self.sum_over(same.ranks, torch.tensor([float(len(gradients))], device=self.device))
            total = before
            if count.item():  # else it is frozen, or of no influence: none has one, as in the whole model
                total = torch.zeros(same.all[0].shape, dtype=same.all[0].dtype, device=self.device)
                for gradient in gradients:
                    total += gradient
                total = self.sum_over(same.ranks, total, same.home if self.is_owned else None)
                total = total if before is None else total + before
            for copy in same.all:
                copy.grad = None if total is None or id(copy) in self.followers else total.clone()

    def sum_over(self, ranks, tensor, home=None):
        """Of these processes' tensors, in `home` alone where it is given; to the bit the same in each, as all add in one
        order. Not by a group of their own: what such groups are called hangs on how many others each process has made, and
        theirs wait for each other."""
        import torch.distributed as dist
        here = dist.get_rank()
        others = [rank for rank in ranks if rank != here]
        parts = {rank: tensor if rank == here else torch.empty_like(tensor) for rank in ranks}
        self.exchange([(tensor, rank) for rank in others if home in (None, rank)],
                      [(parts[rank], rank) for rank in others if home in (None, here)])
        return sum(parts.values()) if home in (None, here) else tensor

    def exchange(self, sent, received):
        """(tensor, rank) of each."""
        import torch.distributed as dist
        exchanges = [dist.P2POp(operation, tensor, rank, self.group)
                     for operation, several in ((dist.isend, sent), (dist.irecv, received)) for tensor, rank in several]
        for exchange in dist.batch_isend_irecv(exchanges) if exchanges else []:
            exchange.wait()

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
        copies = [p for same in self.copies for p in same.all]
        for parameter in {id(p): p for p in self.own + copies}.values():
            if parameter.grad is not None:
                parameter.grad.mul_(factor.to(parameter.grad.dtype))
        return total
