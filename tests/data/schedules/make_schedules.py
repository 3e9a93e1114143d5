"""Writes the action tables of torch.distributed.pipelining as CSV: what tst_schedule compares ours with.

Run with the project's Python: .venv/bin/python tests/data/schedules/make_schedules.py
Files are named KIND-STAGES-DEVICES-MICROBATCHES.csv.
"""

from pathlib import Path

from torch.distributed.pipelining import schedules as torch_schedules

CASES = [
    ("gpipe", 4, 4, 6), ("gpipe", 3, 3, 1),
    ("1f1b", 4, 4, 8), ("1f1b", 5, 5, 5),
    ("interleaved", 8, 4, 8), ("interleaved", 6, 2, 6), ("interleaved", 8, 4, 10), ("interleaved", 6, 3, 2),
    ("looped-bfs", 6, 2, 4), ("looped-bfs", 8, 4, 5),
    ("zb1p", 4, 4, 8), ("zb1p", 8, 4, 8), ("zb1p", 6, 3, 3),
    ("zbv", 8, 4, 8), ("zbv", 6, 3, 2), ("zbv", 8, 4, 12),
]
CLASSES = {
    "gpipe": torch_schedules.ScheduleGPipe,
    "1f1b": torch_schedules.Schedule1F1B,
    "interleaved": torch_schedules.ScheduleInterleaved1F1B,
    "looped-bfs": torch_schedules.ScheduleLoopedBFS,
    "zb1p": torch_schedules.ScheduleInterleavedZeroBubble,
    "zbv": torch_schedules.ScheduleZBVZeroBubble,
}


def rows(kind, stages, devices, microbatches):
    """Rows of compute actions, idle steps left out; the object is made without a process group."""
    schedule = object.__new__(CLASSES[kind])
    schedule._num_stages = schedule.num_stages = stages
    schedule._n_microbatches = microbatches
    schedule.pp_group_size = devices
    schedule.n_local_stages = stages // devices
    schedule._stages = [None] * schedule.n_local_stages
    schedule.number_of_rounds = max(1, microbatches // devices)
    schedule.microbatches_per_round = microbatches // schedule.number_of_rounds
    if kind in ("gpipe", "1f1b"):
        order = schedule._get_pipeline_order()
    else:
        order = {rank: schedule._calculate_single_rank_operations(rank) for rank in range(devices)}
    if kind == "1f1b":
        # The order it prints counts the last rank's forwards from 1; what it runs counts from 0.
        order[devices - 1] = [a and a._replace(microbatch_index=a.microbatch_index - (str(a)[1] == "F"))
                              for a in order[devices - 1] if a is None or a.is_compute_op]
    return [[str(a) for a in order[rank] if a is not None and a.is_compute_op] for rank in range(devices)]


def main():
    for case in CASES:
        text = "".join(",".join(row) + "\n" for row in rows(*case))
        Path(__file__).with_name("-".join(map(str, case)) + ".csv").write_text(text)


if __name__ == "__main__":
    main()
