"""Starts the processes of a pipeline, with torchrun or as it does, so that no two runs can meet and none waits without end.

A port that was free a while ago may be another test's when it is used: its processes would join that test's, and both wait
for ever. So torchrun takes its own (--standalone), and processes that are forked here meet in a file. Where they have not
ended in time, the stacks of all of them are printed, before ctest ends the test and nobody knows what it did.
"""
import datetime
import faulthandler
import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import traceback

END = time.monotonic() + float(os.environ.get("LONGEST", "1140"))  # of this program; ctest gives it 1200 seconds
LONGEST_WAIT = 600  # of a process for another, in seconds


def seconds_left():
    return max(1.0, END - time.monotonic())


# ---------------------------------------------------------------- torchrun
def torchrun(processes, *arguments, python=sys.executable):
    """Its command line, whose workers answer ask_for_stacks()."""
    return ["env", "PYTHONFAULTHANDLER=1", str(python), "-m", "torch.distributed.run", "--standalone", "--nproc-per-node",
            str(processes), *map(str, arguments)]


def workers_of(run):
    """The processes that a torchrun has started."""
    try:
        return [int(pid) for pid in pathlib.Path("/proc/%d/task/%d/children" % (run.pid, run.pid)).read_text().split()]
    except FileNotFoundError:
        return []


def kill(run):
    """With its workers: they would go on without it."""
    for process in (*workers_of(run), run.pid):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
    run.wait()


def ask_for_stacks(run):
    """Ends the workers, which print their stacks to where all they print goes."""
    for worker in workers_of(run):
        os.kill(worker, signal.SIGABRT)


def run_torchrun(processes, *arguments, python=sys.executable, seconds=1000.0, **options):
    """(exit status, all that was printed). One that does not end in time is made to."""
    run = subprocess.Popen(torchrun(processes, *arguments, python=python), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           text=True, **options)
    seconds = min(seconds, seconds_left())
    try:
        printed, _ = run.communicate(timeout=seconds)
        return run.returncode, printed
    except subprocess.TimeoutExpired:
        ask_for_stacks(run)
        try:
            printed, _ = run.communicate(timeout=15)
        except subprocess.TimeoutExpired:
            kill(run)
            printed, _ = run.communicate()
        return 124, "%s\nit did not end within %d seconds; the stacks of its processes are above" % (printed, seconds)


# ---------------------------------------------------------------- forked processes
class Failed(Exception):
    def __init__(self, kind, text, trace):
        super().__init__(trace)
        self.kind, self.text = kind, text


def join(rank, processes, store):
    """What torchrun and init_process_group() do for a process."""
    import torch.distributed as dist
    os.environ.update(RANK=str(rank), WORLD_SIZE=str(processes), LOCAL_RANK=str(rank), LOCAL_WORLD_SIZE=str(processes))
    dist.init_process_group("gloo", init_method="file://%s" % store, rank=rank, world_size=processes,
                            timeout=datetime.timedelta(seconds=LONGEST_WAIT))


def in_processes(processes, function):
    """What function(rank) returns in each of so many processes, which have not joined yet. An error of one is raised here as
    Failed, and ends all; so does one that ends without a word, or not at all."""
    context = multiprocessing.get_context("fork")
    with tempfile.TemporaryDirectory() as folder:
        stacks, results = [pathlib.Path(folder) / ("rank_%d" % rank) for rank in range(processes)], context.SimpleQueue()
        workers = [context.Process(target=work, args=(function, rank, stacks[rank], results)) for rank in range(processes)]
        for worker in workers:
            worker.start()
        try:
            return collected(workers, results, stacks)
        finally:
            for worker in workers:
                worker.kill()
                worker.join()


def work(function, rank, stack, results):
    with open(stack, "w") as file:
        faulthandler.enable(file)
        faulthandler.dump_traceback_later(seconds_left(), exit=True, file=file)
        try:
            results.put((rank, function(rank), None))
        except BaseException as failure:
            results.put((rank, None, (type(failure).__name__, str(failure), traceback.format_exc())))
        faulthandler.cancel_dump_traceback_later()
        faulthandler.disable()


def collected(workers, results, stacks):
    said = {}
    while len(said) < len(workers):
        ended = [rank for rank, worker in enumerate(workers) if rank not in said and worker.exitcode is not None]
        if not results.empty():
            rank, result, failure = results.get()
            if failure:
                raise Failed(*failure)
            said[rank] = result
        elif ended or seconds_left() == 1.0:
            time.sleep(3)  # for the stacks of the others, which end at the same time
            raise Failed("Ended", "processes %s ended, or none of them" % ended, "\n".join(
                "process %d, %s:\n%s" % (rank, "which has ended with %s" % worker.exitcode, stack.read_text())
                for rank, (worker, stack) in enumerate(zip(workers, stacks))))
        else:
            time.sleep(0.02)
    return [said[rank] for rank in range(len(workers))]
