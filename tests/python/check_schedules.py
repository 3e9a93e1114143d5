"""Schedules under real torch.distributed.pipelining: what stagecraft-cli writes is loaded, run dry and written
again by torch, and what torch writes is read and written again by stagecraft-cli, to the byte, in both forms.
Of any version of PyTorch: tables say where a device waits for what it sends where that version wants it.

    check_schedules.py STAGECRAFT_CLI MODEL.pt2
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from torch.distributed.pipelining import schedules as torch_schedules

# Kind, stages, devices, microbatches.
CASES = [
    ("gpipe", 4, 4, 6), ("1f1b", 4, 4, 8), ("interleaved", 4, 2, 4), ("interleaved", 6, 3, 6),
    ("looped-bfs", 6, 2, 5), ("zb1p", 4, 4, 8), ("zb1p", 6, 3, 6), ("zbv", 4, 2, 6), ("zbv", 6, 3, 8),
    ("dualpipev", 4, 2, 6),
]


class TorchSchedule(torch_schedules._PipelineScheduleRuntime):
    """torch's runtime without stages and processes: tables only."""

    def __init__(self, stages, devices, microbatches):
        self._num_stages = stages
        self._n_microbatches = microbatches
        self.pp_group_size = devices
        self._stages = []
        self._defer_pp_recv = False
        # Since 2.15, as they are usually.
        self._unshard_lookahead = "full"
        self._max_active_stages = 3
        self._defer_reduce_grad_wait = False
        self._max_outstanding_sends = None
        self.pipeline_order = {}


def run_cli(cli, model, case, *arguments):
    kind, stages, devices, microbatches = case
    command = [cli, "schedule", model, "--stages", stages, "--microbatches", microbatches, "--schedule", kind,
               "--time-limit", 0.2, "--device", "cpu", "--torch-version", torch.__version__, *arguments]
    if stages != devices and kind not in ("zbv", "dualpipev"):
        command += ["--stages-per-device", stages // devices]
    subprocess.run([str(part) for part in command], check=True, capture_output=True)


def run_dry(schedule):
    """Raises where a receive waits for ever; torch's dry run knows nothing of sharded parameters and of pairs."""
    beside = ("UNSHARD", "RESHARD", "REDUCE_GRAD", "WAIT_REDUCE_GRAD")
    rows = {rank: [part for action in row for part in action.sub_actions or (action,)
                   if part.computation_type.value not in beside]
            for rank, row in schedule.pipeline_order_with_comms.items()}
    torch_schedules._simulate_comms_compute(rows, lambda stage: schedule.stage_index_to_group_rank[stage],
                                            schedule._num_stages)


def check(cli, model, case, folder):
    for form in ("compute_only", "compute_comms"):
        ours = folder / f"ours-{form}.csv"
        theirs = folder / f"theirs-{form}.csv"
        again = folder / f"again-{form}.csv"
        run_cli(cli, model, case, "--export-csv", ours, "--csv-form", form)
        schedule = TorchSchedule(*case[1:])
        if form == "compute_only":
            schedule._load_csv(ours, "compute_only")
            run_dry(schedule)
            schedule._dump_csv(folder / "lowered.csv", "compute_comms")
        else:
            with open(ours, newline="") as file:
                rows = [line.rstrip("\r\n").split(",") for line in file]
            schedule.pipeline_order_with_comms = {
                rank: [torch_schedules._Action.from_str(cell) for cell in row] for rank, row in enumerate(rows)}
            if hasattr(torch_schedules, "_validate_send_waits"):
                torch_schedules._validate_send_waits(schedule.pipeline_order_with_comms)
            assert ours.read_bytes() == (folder / "lowered.csv").read_bytes(), f"{case}: not as torch lowers it"
        schedule._dump_csv(theirs, form)
        assert theirs.read_bytes() == ours.read_bytes(), f"{case} {form}: torch writes it otherwise"
        run_cli(cli, model, case, "--import-csv", theirs, "--export-csv", again, "--csv-form", form)
        assert again.read_bytes() == theirs.read_bytes(), f"{case} {form}: not the same after reading"


def main():
    cli, model = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            check(cli, model, case, Path(folder))
    print(f"{len(CASES)} schedules, both forms")


if __name__ == "__main__":
    main()
