"""What torch.distributed.pipelining's run-time holds of what crosses boundaries, rank by rank, in tensors.

    OMP_NUM_THREADS=1 torchrun --nproc-per-node 2 tests/long/runtime_memory.py [EXPORT]

EXPORT: a folder with two layers of torch.nn.Linear, 256 wide, a stage each, and a size of batches that varies; then what
the run-time of exports holds, of the schedules whose receive buffers it makes in time. Counts the storages of receive
buffers, of outputs in fwd_cache, of what was sent or received and is there yet, before, in and after every action of
the second step. tests/core/plan/tst_runtime_memory.cpp has the table, and predicts it.
"""
import itertools
import os
import sys
import weakref

import torch
import torch.distributed as dist
from torch.distributed import pipelining
from torch.distributed.pipelining import PipelineStage

SCHEDULES = {"gpipe": "ScheduleGPipe", "1f1b": "Schedule1F1B", "interleaved": "ScheduleInterleaved1F1B",
             "looped-bfs": "ScheduleLoopedBFS", "zb1p": "ScheduleInterleavedZeroBubble",
             "zbv": "ScheduleZBVZeroBubble"}
WIDTH = 256


def storages(tensors):
    return {tensor.untyped_storage()._cdata: tensor.untyped_storage().nbytes()
            for tensor in tensors if isinstance(tensor, torch.Tensor)}


class Watch:
    """The most that the stages of a process hold."""

    def __init__(self):
        self.stages, self.crossed, self.most = [], [], 0

    def look(self, *made):
        held = storages([*made, *(reference() for reference in self.crossed)])
        for stage in self.stages:
            for received in (*stage.args_recv_info.values(), *stage.grad_recv_info.values()):
                buffers = [getattr(info, "buffer", None) for info in received]
                held.update(storages(buffer for buffer in buffers if buffer is not None and not buffer.is_meta))
            for outputs, _ in stage.fwd_cache.values() if not stage.is_last else ():
                held.update(storages(outputs))
            for gradients in stage.bwd_cache.values():
                held.update(storages(gradients))
        self.most = max(self.most, sum(held.values()))

    def crosses(self, operations):
        self.crossed += [weakref.ref(operation.tensor) for operation in operations]
        return operations


class Watched:
    """Mixed into PipelineStage."""

    def get_fwd_send_ops(self, number):
        return self.watch.crosses(super().get_fwd_send_ops(number))

    def get_bwd_send_ops(self, number):
        return self.watch.crosses(super().get_bwd_send_ops(number))

    def forward_one_chunk(self, *args, **kwargs):
        output = super().forward_one_chunk(*args, **kwargs)
        self.watch.look()
        return output

    def backward_one_chunk(self, *args, **kwargs):
        self.watch.look()
        super().backward_one_chunk(*args, **kwargs)
        self.watch.look()

    def backward_weight_one_chunk(self, *args, **kwargs):
        self.watch.look()
        super().backward_weight_one_chunk(*args, **kwargs)


class WatchedStage(Watched, PipelineStage):
    pass


class WatchedExport(Watched):
    """Of an export, whose stages let go of what they received."""

    def get_fwd_recv_ops(self, number):
        return self.watch.crosses(super().get_fwd_recv_ops(number))

    def get_bwd_recv_ops(self, number):
        return self.watch.crosses(super().get_bwd_recv_ops(number))

    def backward_maybe_with_nosync(self, *args, **kwargs):
        made = super().backward_maybe_with_nosync(*args, **kwargs)
        self.watch.look(*made[0])
        return made


def stages_of(name, rank, world):
    if name in ("gpipe", "1f1b"):
        return [rank]
    return [rank, 2 * world - 1 - rank] if name == "zbv" else [rank, rank + world]


def most_held(name, rows, microbatches):
    """Of this process, in tensors that cross."""
    rank, world = dist.get_rank(), dist.get_world_size()
    watch, mine = Watch(), stages_of(name, rank, world)
    count, crossing = world * len(mine), torch.zeros(rows, WIDTH, requires_grad=True)
    for index in mine:
        stage = WatchedStage(torch.nn.Linear(WIDTH, WIDTH), index, count, torch.device("cpu"),
                             input_args=(crossing.detach() if index == 0 else crossing,), output_args=(crossing,))
        stage.watch = watch
        if name == "zbv":
            stage.stage_index_to_group_rank = {i: min(i, count - 1 - i) for i in range(count)}
        watch.stages.append(stage)
    schedule = getattr(pipelining, SCHEDULES[name])(
        watch.stages[0] if len(mine) == 1 else watch.stages, microbatches,
        loss_fn=lambda output, target: output.sum(), scale_grads=False)
    batch = (torch.zeros(rows * microbatches, WIDTH),) if 0 in mine else ()
    target = {"target": torch.zeros(microbatches)} if count - 1 in mine else {}
    for _ in range(2):
        schedule.step(*batch, **target)
    return watch.most / crossing.untyped_storage().nbytes()


def most_held_by(export):
    """most_held() of an export's stages."""
    sys.path.insert(0, export)
    from pipeline import build_pipeline
    from stagecraft_runtime import training
    kind_of, watches = training.stage_kind, []

    def watched(*names):
        def make(*args, **kwargs):
            stage = type("Watched", (WatchedExport, kind_of(*names)), {})(*args, **kwargs)
            stage.watch = watches[-1]
            stage.watch.stages.append(stage)
            return stage
        return make

    def most(name, rows, microbatches):
        watches.append(Watch())
        training.stage_kind = watched
        pipeline = build_pipeline(schedule=name, microbatches=microbatches, reduction="sum",
                                  loss_fn=lambda output, target: output.sum())
        for _ in range(2):
            pipeline.step(torch.zeros(rows * microbatches, WIDTH), target=torch.zeros(rows * microbatches))
        return watches[-1].most / (4 * rows * WIDTH)
    return most


def print_table():
    most = most_held_by(sys.argv[1]) if len(sys.argv) > 1 else most_held
    schedules = ("gpipe", "1f1b") if len(sys.argv) > 1 else SCHEDULES
    for name, rows, microbatches in itertools.product(schedules, (64, 256), (4, 8, 16)):
        held = [None] * dist.get_world_size()
        dist.all_gather_object(held, most(name, rows, microbatches))
        if dist.get_rank() == 0:
            print("%-12s %4d KiB %3d microbatches  %s\n" % (name, rows * WIDTH // 256, microbatches, held), end="",
                  flush=True)  # whole: the other process prints too


def main():
    dist.init_process_group("gloo")
    torch.set_num_threads(1)
    print_table()
    dist.destroy_process_group()
    os._exit(0)  # threads of PyTorch's that put tensors away while Python ends would abort the process


if __name__ == "__main__":
    main()
