"""The schedules of torch.distributed.pipelining, and which process runs which stages."""
import inspect

from .export import Refused

SCHEDULES = {"gpipe": "ScheduleGPipe", "1f1b": "Schedule1F1B", "interleaved": "ScheduleInterleaved1F1B",
             "looped-bfs": "ScheduleLoopedBFS", "zb1p": "ScheduleInterleavedZeroBubble",
             "zbv": "ScheduleZBVZeroBubble", "dualpipev": "ScheduleDualPipeV"}
EARLIER_NAMES = {"zero-bubble": "zb1p"}
ONE_STAGE_A_RANK = ("gpipe", "1f1b")
IN_A_V = ("zbv", "dualpipev")
IN_ROUNDS = ("interleaved", "zb1p")


def schedule_called(name):
    name = EARLIER_NAMES.get(name, name)
    if name not in SCHEDULES:
        raise Refused("there is no schedule %r: choose from %s" % (name, ", ".join(SCHEDULES)))
    return name


class AllOf:
    """Several things to wait for, as one."""

    def __init__(self, works):
        self.works = works

    def wait(self):
        for work in self.works:
            work.wait()


def mend_early_versions():
    """Schedules of PyTorch 2.6 and 2.7 keep the last of the transfers that they begin together alone, and gloo drops what nobody
    keeps."""
    import torch.distributed as dist
    from torch.distributed.pipelining import schedules
    if not hasattr(schedules, "_wait_batch_p2p"):
        schedules._batch_p2p = lambda operations, desc=None: AllOf(dist.batch_isend_irecv(operations)) if operations else None


def make_schedule(name, stages, microbatches, loss_fn):
    import torch
    from torch.distributed import pipelining
    kind = getattr(pipelining, SCHEDULES[name], None)
    if kind is None:
        raise Refused("PyTorch %s has no schedule %s (%s): take another, or a later PyTorch" %
                      (torch.__version__, name, SCHEDULES[name]))
    mend_early_versions()
    options = {"loss_fn": loss_fn}
    if "scale_grads" in inspect.signature(kind.__init__).parameters:
        options["scale_grads"] = False  # the loss is scaled instead, in every version alike
    return kind(stages[0] if name in ONE_STAGE_A_RANK else stages, microbatches, **options)


def lead_of(schedule, stage, stages):
    """How many microbatches a stage takes up before the first comes back, where each later one follows one that came back; None
    where they do not take turns so."""
    return stages - stage if schedule == "1f1b" else None


def stages_of_rank(rank, world, count, schedule):
    """Stage numbers of a process: round and round; there and back again for zbv and dualpipev."""
    if count % world:
        raise Refused("%d stages cannot be shared out evenly to %d processes" % (count, world))
    if schedule in ONE_STAGE_A_RANK and count != world:
        raise Refused("schedule %s wants one process a stage: --nproc-per-node %d" % (schedule, count))
    if schedule in IN_A_V:
        if count != 2 * world:
            raise Refused("schedule %s wants two stages a process: --nproc-per-node %d" % (schedule, count // 2))
        return [rank, count - 1 - rank]
    return list(range(rank, count, world))


def check_microbatches(schedule, microbatches, stages, processes):
    """Refuses what PyTorch refuses in a traceback, or waits for without end."""
    least = stages if schedule in ("1f1b", "dualpipev") else 1 if schedule in ("gpipe", "looped-bfs") else processes
    if not isinstance(microbatches, int) or microbatches < least:
        raise Refused("schedule %s wants at least %d microbatches here, not %r" % (schedule, least, microbatches))
    rounds = max(1, microbatches // processes)
    if schedule in IN_ROUNDS and microbatches % rounds:
        raise Refused("schedule %s runs microbatches in rounds of %d or a few more: %d of them do not come out even; take %d" %
                      (schedule, processes, microbatches, microbatches // processes * processes))
