"""What this process waits for, so that it can say so when nothing comes."""
import contextlib
import os

from .export import Refused


class LostTouch(RuntimeError):
    """A process waited too long for another, or the other has ended."""


def is_of_sending(failure):
    """Has a process group failed, and not the model?"""
    import torch.distributed as dist
    return isinstance(failure, getattr(dist, "DistError", ())) or "gloo" in str(failure)


class Waits:
    """`owner` is the global rank of each stage. What is awaited is known by a key of its own until it is there."""

    def __init__(self, owner):
        self.owner, self.awaited, self.doing = owner, {}, "begin"
        # Processes of a torchrun that was killed go on without it.
        self.parent = os.getppid() if "TORCHELASTIC_RUN_ID" in os.environ else None

    def check_parent(self):
        """Before a step: the other processes hear of it as this one ends."""
        if self.parent is not None and os.getppid() != self.parent:
            raise Refused("the torchrun that started this process has ended: so does it")

    def begin(self, key, sender, what):
        self.awaited[key] = "rank %d (stage %d) for %s" % (self.owner[sender], sender, what)

    def end(self, key):
        self.awaited.pop(key, None)

    @contextlib.contextmanager
    def told(self):
        """Says what was awaited where a process group fails within."""
        import torch.distributed as dist
        self.awaited.clear()
        try:
            yield
        except RuntimeError as failure:
            if isinstance(failure, LostTouch) or not is_of_sending(failure):
                raise
            several = list(self.awaited.values())
            more = " and %d more" % (len(several) - 2) if several[2:] else ""
            whom = "; ".join(several[:2]) + more if several else "the other processes, to %s" % self.doing
            raise LostTouch("rank %d waited for %s. One of the processes has ended or stands still: see what the others say "
                            "(%s)" % (dist.get_rank(), whom, str(failure).strip().split("\n")[0][:300])) from failure
