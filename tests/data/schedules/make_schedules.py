"""Writes the action tables of torch.distributed.pipelining as CSV: what tst_schedule compares ours with.

Run with the project's Python: .venv/bin/python tests/data/schedules/make_schedules.py
Files are named KIND-STAGES-DEVICES-MICROBATCHES.csv. Those with transfers go to with-communication; where PyTorch is
2.15 or later, whose tables say where a device waits for what it sends, to with-waits.
"""

from pathlib import Path

from torch.distributed.pipelining import schedules as torch_schedules

CASES = [
    ("gpipe", 4, 4, 6), ("gpipe", 3, 3, 1),
    ("1f1b", 4, 4, 8), ("1f1b", 5, 5, 5),
    ("interleaved", 8, 4, 8), ("interleaved", 6, 2, 6), ("interleaved", 8, 4, 10), ("interleaved", 6, 3, 2),
    ("interleaved", 8, 2, 4),
    ("looped-bfs", 6, 2, 4), ("looped-bfs", 8, 4, 5), ("looped-bfs", 12, 2, 3),
    ("zb1p", 4, 4, 8), ("zb1p", 8, 4, 8), ("zb1p", 6, 3, 3),
    ("zbv", 8, 4, 8), ("zbv", 6, 3, 2), ("zbv", 8, 4, 12),
    ("dualpipev", 8, 4, 10), ("dualpipev", 2, 1, 2), ("dualpipev", 6, 3, 6), ("dualpipev", 12, 6, 15),
]
CLASSES = {
    "gpipe": torch_schedules.ScheduleGPipe,
    "1f1b": torch_schedules.Schedule1F1B,
    "interleaved": torch_schedules.ScheduleInterleaved1F1B,
    "looped-bfs": torch_schedules.ScheduleLoopedBFS,
    "zb1p": torch_schedules.ScheduleInterleavedZeroBubble,
    "zbv": torch_schedules.ScheduleZBVZeroBubble,
    "dualpipev": torch_schedules.ScheduleDualPipeV,
}

HAS_WAITS = hasattr(torch_schedules, "_add_wait_send")


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


def with_communication(kind, stages, devices, microbatches):
    """The same with sends, receives and sharding, as torch's _dump_csv writes it."""
    compute = {rank: [torch_schedules._Action.from_str(cell) for cell in row]
               for rank, row in enumerate(rows(kind, stages, devices, microbatches))}
    device_of = {part.stage_index: rank for rank, row in compute.items() for action in row
                 for part in action.sub_actions or (action,)}
    sharded = {rank: torch_schedules._add_reduce_grad(torch_schedules._add_unshard_reshard(row), microbatches)
               for rank, row in compute.items()}
    full = torch_schedules._add_send_recv(sharded, lambda stage: device_of[stage], stages)
    if HAS_WAITS:
        full = torch_schedules._add_wait_send(full)
    return [[str(action) for action in full[rank]] for rank in range(devices)]


def write(name, table):
    text = "".join(",".join(row) + "\r\n" for row in table)  # as the csv module ends lines
    Path(__file__).parent.joinpath(name + ".csv").write_bytes(text.encode())


def main():
    for case in CASES:
        write("-".join(map(str, case)), rows(*case))
    folder = Path(__file__).with_name("with-waits" if HAS_WAITS else "with-communication")
    folder.mkdir(exist_ok=True)
    for case in [("1f1b", 4, 4, 8), ("interleaved", 8, 4, 8), ("interleaved", 8, 2, 4), ("looped-bfs", 12, 2, 3),
                 ("zb1p", 8, 4, 8), ("zbv", 8, 4, 8), ("dualpipev", 8, 4, 10)]:
        write(folder.name + "/" + "-".join(map(str, case)), with_communication(*case))


if __name__ == "__main__":
    main()
