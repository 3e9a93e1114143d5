"""Is a step that really ran found again beside its plan, slot by slot, and is what explains the difference true?

    check_measured.py stagecraft-cli MODEL.pt2

Exports run under torchrun, measured by the run-time's --profile and by torch.profiler; figures are compared with our own
arithmetic on the files that these write.
"""
import collections
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from processes import run_torchrun

MICROBATCHES = 4
KINDS = {"forward": "F", "backward": "B", "backward input": "I", "backward weight": "W"}
TRACED = """
import sys
import torch
import pipeline
from stagecraft_runtime.loss import sum_of_outputs

torch.set_num_threads(1)
built = pipeline.build_pipeline(loss_fn=sum_of_outputs, device="cpu")
generator = torch.Generator().manual_seed(0)
inputs = [pipeline.make_inputs(pipeline.read_manifest(), generator) for _ in range(built.microbatches)]
batch = [torch.cat([microbatch[name] for microbatch in inputs]) for name in inputs[0]]
with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU],
                            schedule=torch.profiler.schedule(wait=0, warmup=1, active=2, repeat=1),
                            on_trace_ready=lambda run: run.export_chrome_trace(
                                "%s/trace_%d.json.gz" % (sys.argv[1], built.rank))) as profiler:
    for _ in range(3):
        built.step(*batch)
        profiler.step()
built.profile(sys.argv[1] + "/times.json", *batch)
built.close()
"""


def run(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def near(found, wanted, tolerance=1e-9):
    return abs(found - wanted) <= tolerance


class Case:
    def __init__(self, cli, model, parent, processes, schedule):
        self.cli, self.model, self.processes = cli, model, processes
        self.folder, self.plan = parent / ("stages_" + schedule), parent / (schedule + ".stagecraft")
        run(cli, "partition", model, "--devices", processes, "--schedule", schedule, "--microbatches", MICROBATCHES,
            "--time-limit", "2", "-o", self.plan)
        run(cli, "export", model, "--plan", self.plan, "-o", self.folder, "--formats", "python")
        if "PIPELINE" in os.environ:
            shutil.copytree(os.environ["PIPELINE"], self.folder, dirs_exist_ok=True)

    def torchrun(self, script, *arguments):
        status, printed = run_torchrun(self.processes, self.folder / script, *arguments)
        assert status == 0, printed

    def laid_over(self, *files, more=()):
        return json.loads(run(self.cli, "schedule", self.model, self.plan, "--json", "--measured", *files, *more))

    def refused(self, wanted, *files, more=()):
        done = subprocess.run([self.cli, "schedule", self.model, self.plan, "--measured", *map(str, files), *more],
                              capture_output=True, text=True)
        assert done.returncode == 1 and wanted in done.stderr.splitlines()[-1], (wanted, done.stderr)


# ---------------------------------------------------------------- our own reading of the files
def slots_of_times(path):
    """(action, stage, microbatch): (rank, start, end) in seconds."""
    return {(slot["action"], slot["stage"], slot["microbatch"]): (rank["rank"], slot["start_s"], slot["end_s"])
            for rank in json.loads(path.read_text())["ranks"] for slot in rank["slots"]}


def slots_of_traces(paths):
    slots = {}
    for rank, path in enumerate(paths):
        events = json.loads(gzip.decompress(path.read_bytes()))["traceEvents"]
        steps = [event for event in events if event["name"].startswith("ProfilerStep#") and event.get("cat") == "user_annotation"]
        last = max(steps, key=lambda event: event["ts"])
        for event in events:
            if event["name"].startswith("stagecraft:") and event["ts"] >= last["ts"]:
                action, stage, microbatch = event["name"].split(":")[1:]
                key = action, int(stage), int(microbatch)
                assert key not in slots, key
                slots[key] = rank, event["ts"] * 1e-6, (event["ts"] + event["dur"]) * 1e-6
    return slots


def spans(document, measured):
    """Of the planned or the measured step, as above; by device."""
    devices = len(document["otherData"]["devices"])
    found = {}
    for event in document["traceEvents"]:
        if event["ph"] != "X" or event["cat"] not in KINDS or (event["pid"] >= devices) != measured:
            continue
        key = KINDS[event["cat"]], event["args"]["stage"], event["args"]["microbatch"]
        assert key not in found, ("twice", key)
        found[key] = event["pid"] % devices, event["ts"] * 1e-6, (event["ts"] + event["dur"]) * 1e-6
    return found


def merged(found, slots):
    """With halves of backward passes that torch ran as one as that one: each stands next to the other."""
    for key in [key for key in slots if key[0] == "B" and ("I", *key[1:]) in found]:
        first, second = found.pop(("I", *key[1:])), found.pop(("W", *key[1:]))
        assert first[0] == second[0] and first[2] <= second[1] + 1e-8, key
        found[key] = first[0], first[1], second[2]
    return found


# ---------------------------------------------------------------- what must hold
def check_laid_over(document, slots, whole=None):
    """Every slot once, as it was written; sums that add up."""
    planned, measured = merged(spans(document, False), slots), merged(spans(document, True), slots)
    assert planned.keys() == measured.keys() == slots.keys(), (planned.keys() ^ slots.keys(), measured.keys() ^ slots.keys())
    said = document["otherData"]["measured"]
    shift = {device["rank"]: device["clock_shift_s"] for device in said["devices"]}
    first = min(start + shift[rank] for rank, start, _ in slots.values())
    busy, by_stage = collections.Counter(), collections.Counter()
    for key, (rank, start, end) in slots.items():
        device, found_start, found_end = measured[key]
        assert said["devices"][device]["rank"] == rank, (key, device, rank)
        assert near(found_start, start + shift[rank] - first, 1e-8) and near(found_end - found_start, end - start, 1e-8), key
        busy[rank] += end - start
        by_stage[key[1]] += end - start
    last = max(end + shift[rank] for rank, _, end in slots.values())
    assert near(said["slots_s"], last - first, 1e-8), (said["slots_s"], last - first)
    assert near(said["step_s"], whole if whole is not None else last - first, 1e-8), (said["step_s"], whole)
    for device in said["devices"]:
        assert near(device["busy_s"], busy[device["rank"]], 1e-8)
        assert near(device["idle_share"], 1 - busy[device["rank"]] / (last - first), 1e-6)
    for stage, entry in enumerate(said["stages"]):
        assert near(entry["measured_s"], by_stage[stage], 1e-8)
    total = sum(stage["effect_s"] for stage in said["stages"]) + (said["sends_s"] or 0)
    total += said["pace_s"] + said["waiting_s"] + said["outside_s"]
    assert near(total, said["difference_s"]) and near(total, said["step_s"] - document["otherData"]["step_s"]), said
    # Nothing begins before what it waits for has ended.
    for (action, stage, microbatch), (_, start, _) in measured.items():
        if action == "F" and stage > 0:
            assert measured["F", stage - 1, microbatch][2] <= start + 1e-3 * said["slots_s"]
    return said


def slowed(times, stage, seconds):
    """A file of a run of 1F1B in which every slot of `stage` took so much longer, and all that waits came so much later."""
    content = json.loads(times.read_text())
    rows = {rank["rank"]: sorted(rank["slots"], key=lambda slot: slot["start_s"]) for rank in content["ranks"]}
    late, of_device = {}, collections.Counter()
    while any(rows.values()):  # clocks differ: what waits for what decides
        for rank, row in rows.items():
            while row:
                action, here, microbatch = (row[0][key] for key in ("action", "stage", "microbatch"))
                before = here - 1 if action == "F" else here + 1
                if 0 <= before < len(content["ranks"]) and (action, before, microbatch) not in late:
                    break
                slot = row.pop(0)
                delay = max(of_device[rank], late.get((action, before, microbatch), 0.0))
                slot["start_s"] += delay
                delay += seconds if here == stage else 0
                slot["end_s"] += delay
                late[action, here, microbatch] = of_device[rank] = delay
    content["step_s"] += max(of_device.values())
    path = times.with_name("slowed.json")
    path.write_text(json.dumps(content))
    return path, content["step_s"]


def check_slowed(case, times, said):
    stage = 2
    seconds = 3 * said["step_s"] / MICROBATCHES
    path, whole = slowed(times, stage, seconds)
    after = check_laid_over(case.laid_over(path), slots_of_times(path), whole)
    longer = after["step_s"] - said["step_s"]
    gained = [now["effect_s"] - before["effect_s"] for now, before in zip(after["stages"], said["stages"])]
    print("a slowed stage made the step %.3g s longer, of which %.3g s are said to be its doing" % (longer, gained[stage]), flush=True)
    assert longer >= 2 * MICROBATCHES * seconds, (longer, seconds)
    assert 0.8 < gained[stage] / longer < 1.2, (gained, longer)
    others = [abs(gain) for index, gain in enumerate(gained) if index != stage]
    assert max(others) < 0.2 * longer, (gained, longer)


def check_refusals(case, times):
    content = json.loads(times.read_text())

    def changed(name, change):
        other = json.loads(json.dumps(content))
        change(other)
        path = times.with_name(name)
        path.write_text(json.dumps(other))
        return path
    missing = changed("missing.json", lambda other: other["ranks"].pop(1))
    case.refused("nothing says what stage 1 did", missing)
    case.refused("is of the same rank as", times, times)
    case.refused("is of another model", changed("model.json", lambda other: other["nodes"].update(stranger={"forward": 1})))
    node = next(name for name, entry in content["nodes"].items() if entry["stage"] == 0)
    case.refused("is of another plan", changed("plan.json", lambda other: other["nodes"][node].update(stage=3)))
    case.refused("but the plan has 5", times, more=("--microbatches", "5"))
    case.refused("but the plan has gpipe", times, more=("--schedule", "gpipe"))
    case.refused("is missing", changed("slot.json", lambda other: other["ranks"][2]["slots"].pop()))
    alone = changed("alone.json", lambda other: other.update(ranks=other["ranks"][1:2], sends=[]))
    assert check_laid_over(case.laid_over(missing, alone), slots_of_times(times), content["step_s"])


def main(cli, model):
    with tempfile.TemporaryDirectory() as name:
        parent = pathlib.Path(name)
        for processes, schedule in ((4, "1f1b"), (2, "zbv"), (2, "interleaved")):
            case = Case(cli, model, parent, processes, schedule)
            times, traces = parent / "times.json", [parent / ("trace_%d.json.gz" % rank) for rank in range(processes)]
            if schedule == "interleaved":
                case.torchrun("pipeline.py", "--profile", times, "--device", "cpu")
            else:
                (case.folder / "traced.py").write_text(TRACED)
                case.torchrun("traced.py", parent)
                traced = check_laid_over(case.laid_over(*traces), slots_of_traces(traces))
                assert traced["sends_s"] is None
            said = check_laid_over(case.laid_over(times), slots_of_times(times), json.loads(times.read_text())["step_s"])
            print("%s: %d slots found again; %.3g s instead of %.3g s" %
                  (schedule, len(slots_of_times(times)), said["step_s"], said["step_s"] - said["difference_s"]), flush=True)
            if schedule == "1f1b":
                check_slowed(case, times, said)
                check_refusals(case, times)


if __name__ == "__main__":
    main(*sys.argv[1:])
