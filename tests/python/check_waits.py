"""Does a process that waits in vain say for whom, and end?  check_waits.py EXPORTER MODEL.pt2

gone      one process ends in the middle of a step, without a word
stopped   one stands still, and the others have a timeout
orphaned  torchrun is killed, and its processes end by themselves
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import torch
from processes import ask_for_stacks, run_torchrun, seconds_left, torchrun, workers_of

STAGES = 4
STEPS = """
import os, signal, sys, time
sys.path.insert(0, sys.argv[1])
from pipeline import build_pipeline, make_inputs, read_manifest
import torch
what, schedule, sends, bad = sys.argv[2:6]
if what != "orphaned":  # torchrun, which sees that one is gone, gives the others half a minute to say so
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
pipeline = build_pipeline(schedule=schedule, microbatches=4, sends=sends, timeout=float(sys.argv[6]), device="cpu",
                          loss_fn=lambda output, target: output.float().square().mean())
inputs = [make_inputs(read_manifest(), torch.Generator().manual_seed(0)) for _ in range(4)]
pipeline.step_microbatches(inputs)
runner = pipeline.runners.get(int(bad))
if runner is not None:
    def fail(*args, **kwargs):
        os._exit(3) if what == "gone" else time.sleep(1000)
    runner.stage.forward = fail
print("rank %d of %d: ready\\n" % (pipeline.rank, os.getpid()), end="", flush=True)
while True:
    pipeline.step_microbatches(inputs)
    time.sleep(0.05)
"""


def check_told(folder, what, schedule, sends, processes, bad, wanted, seconds):
    """The others end with an error that says for whom they waited. torchrun ends them as soon as it sees that one is gone,
    so it looks rarely."""
    status, printed = run_torchrun(processes, "--monitor-interval=10", folder / "steps.py", folder, what, schedule, sends, bad,
                                   seconds, seconds=400)
    said = [re.sub(r"^.*LostTouch: ", "", line) for line in printed.split("\n") if "LostTouch: " in line]
    assert status == 1, (status, printed[-6000:])
    assert any(re.match(wanted, line) for line in said), "%s, %s: %s" % (what, schedule, said or printed[-6000:])
    print("%s, %s: %s" % (what, schedule, next(line for line in said if re.match(wanted, line))[:120]), flush=True)


def check_orphaned(folder):
    run = subprocess.Popen(torchrun(STAGES, folder / "steps.py", folder, "orphaned", "1f1b", "relay", "9", "60"),
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    too_long = threading.Timer(seconds_left(), ask_for_stacks, [run])
    too_long.start()
    printed = ""
    while printed.count(": ready") < STAGES:
        line = run.stdout.readline()
        printed += line
        assert line, "torchrun has ended, or was made to:\n" + printed
    too_long.cancel()
    workers = workers_of(run)
    assert len(workers) == STAGES, workers
    run.kill()
    end = time.monotonic() + 120
    while time.monotonic() < end and any(map(runs, workers)):
        time.sleep(0.1)
    left = [worker for worker in workers if runs(worker)]
    for worker in left:
        os.kill(worker, signal.SIGKILL)
    run.wait()
    assert not left, "%d processes go on without torchrun" % len(left)
    print("orphaned: all end", flush=True)


def runs(pid):
    try:
        return pathlib.Path("/proc/%d/stat" % pid).read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def main(exporter, model):
    torch.set_num_threads(1)
    os.environ["OMP_NUM_THREADS"] = "1"
    with tempfile.TemporaryDirectory() as parent:
        folder = pathlib.Path(parent) / "stages"
        subprocess.run([exporter, model, folder, str(STAGES)], check=True)
        if "PIPELINE" in os.environ:
            shutil.copytree(os.environ["PIPELINE"], folder, dirs_exist_ok=True)
        (folder / "steps.py").write_text(STEPS)
        from_first = r"rank 2 waited for rank 1 \(stage 1\) for what stage 2 needs to go forward with microbatch \d"
        check_told(folder, "gone", "1f1b", "relay", 4, 1, from_first, 60)
        check_told(folder, "stopped", "zb1p", "relay", 2, 1, r"rank 0 waited for rank 1 \(stage [13]\) for what stage [02] needs",
                   15)
        check_told(folder, "stopped", "1f1b", "direct", 4, 1, r"rank [023] waited for rank [0-3] \(stage \d\) for ", 15)
        check_orphaned(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
