"""Do all commands say the same of what plans recompute, and do exported stages do it?

    check_recomputed_commands.py CLI COUNT SEED FILE...

For each file COUNT random plans: the file's own regions, policies for all stages and for single ones, limits under which
stages choose, regions and kept operators drawn at random; one to four stages cut at random, several of them on a device,
under any schedule. Equal are

    partition          what saves the plan, and what opens it
    schedule           the step, and what runs again by stage
    profile            saved bytes and FLOPs by stage
    verify --python    outputs, gradients, buffers, and bytes saved, of the written stages in real PyTorch and in C++
    saved bytes        of each stage with what it was sent, in real PyTorch, no more than the plan says; where no part of
                       a tensor is sent or kept, as many
"""
import importlib.util
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import torch
from torch.utils._pytree import tree_leaves

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "resources/python")]
import check_recomputed  # noqa: E402
import run_stages  # noqa: E402

FIGURES = ("regions", "region_nodes", "kept_nodes", "saved_bytes", "saved_without_bytes", "transient_bytes", "flops_recomputed")


class Fault(Exception):
    pass


class Refused(Exception):
    """Something else was asked for than there is: one line, nothing written."""


def run(cli, *arguments):
    done = subprocess.run([cli, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode in (1, 2) and done.stderr.count("stagecraft-cli: ") == 1:
        raise Refused(done.stderr.strip().splitlines()[-1])
    if done.returncode != 0:
        raise Fault("%s: status %d: %s" % (arguments[0], done.returncode, done.stderr[-300:]))
    return done


def as_json(cli, *arguments):
    return json.loads(run(cli, *arguments, "--json").stdout)


# ---------------------------------------------------------------- plans
def random_policy(draw, stages, names):
    kinds = ["", "none", "full", "every 2", "every %d" % draw.randint(1, 4), "ops", "auto", "plan", "plan", "plan",
             "ops " + ",".join(draw.sample(check_recomputed.HEAVY, draw.randint(1, 3)))]
    policy = draw.choice(kinds)
    if policy not in ("", "plan") and draw.random() < 0.3:
        policy += ",%d:%s" % (draw.randrange(stages), draw.choice(("none", "full", "every 2", "ops")))
    return policy


def random_regions(draw, names, stage_of):
    regions = []
    for stage in sorted(set(stage_of.values())):
        own = [name for name in names if stage_of[name] == stage]
        at = draw.randrange(max(1, len(own) // 3))
        while at < len(own):
            size = draw.randint(1, max(2, len(own) // draw.choice((1, 2, 4))))
            nodes = own[at:at + size]
            kept = draw.random() if draw.random() < 0.6 else 0
            regions.append({"nodes": nodes, "kept": [name for name in nodes if draw.random() < kept * 0.6]})
            at += size + draw.choice((0, 0, 1, draw.randrange(len(own))))
    return regions


def random_options(draw):
    """(options, stages)"""
    options, stages = [], draw.choice((1, 2, 2, 3, 3, 4))
    kind = draw.choice(("1f1b", "1f1b", "gpipe", "interleaved", "zb1p", "zbv"))
    if kind in ("1f1b", "gpipe", "zb1p"):
        options = ["--stages", stages]
    else:
        stages = 4
        options = ["--devices", 2, "--stages-per-device", 2]
    return options + ["--schedule", kind, "--microbatches", draw.choice((4, 8))], stages


def redrawn(draw, plan, names, policy, cuts):
    """The plan file with boundaries at random places, and regions."""
    count = plan["stages"]
    places = sorted(draw.sample(range(1, len(names)), min(count - 1, len(names) - 1)))
    stage_of = {name: sum(place <= i for place in places) for i, name in enumerate(names)}
    if cuts and draw.random() < 0.8:
        plan["nodes"] = stage_of
    else:
        stage_of = plan["nodes"]
    if policy == "plan":
        plan["options"]["recompute"] = "plan"
        plan["recompute_regions"] = random_regions(draw, names, stage_of)
    return plan


# ---------------------------------------------------------------- checks
def equal(what, first, second):
    if first != second:
        raise Fault("%s: %s and %s" % (what, first, second))


def close(what, first, second, share):
    if abs(first - second) > share * max(abs(first), abs(second), 1e-12):
        raise Fault("%s: %g and %g" % (what, first, second))


def check_commands(cli, model, plan):
    common = [model, "--plan", plan]
    opened = as_json(cli, "partition", *common)
    again = opened["recomputation"]
    timeline = as_json(cli, "schedule", model, plan)
    equal("schedule's recomputation and partition's", timeline["otherData"]["recomputation"], again)
    close("schedule's step and partition's", timeline["otherData"]["step_s"], opened["iteration_s"], 1e-9)
    profile = as_json(cli, "profile", model, "--by", "stage", "--plan", plan)
    rows = profile["stages"]
    equal("stages of the profile", len(rows), len(opened["stages"]))
    for i, (stage, row) in enumerate(zip(opened["stages"], rows)):
        if profile["recomputation"]:
            mine, said = profile["recomputation"][i], again[i]
            for figure in FIGURES:
                equal("stage %d, %s" % (i, figure), said[figure], mine[figure])
            equal("stage %d, saved" % i, said["saved_bytes"], stage["saved_bytes"])
            equal("stage %d, FLOPs" % i, said["flops_recomputed"], row["flops_recomputed"])
            equal("stage %d, time" % i, said["recomputed_s"], stage["recomputed_s"])
        elif again:
            raise Fault("the profile has nothing that runs again, partition has")
    explained = as_json(cli, "partition", *common, "--explain", "--time-limit", 1)["recomputation"]
    if again:
        equal("explained stages", explained["stages"], again)
        for i, stage in enumerate(again):
            regions = [region for region in explained["regions"] if region["stage"] == i]
            equal("regions of stage %d" % i, len(regions), stage["regions"])
            equal("operators in regions of stage %d" % i, sum(r["nodes"] for r in regions), stage["region_nodes"])
            close("time of regions of stage %d" % i, sum(r["recomputed_s"] for r in regions), stage["recomputed_s"], 0.25)
            if any(region["at_once_bytes"] > stage["transient_bytes"] for region in regions):
                raise Fault("a region of stage %d holds more at once than the stage" % i)
    return opened


def parts_of_tensors(cli, model):
    """Names of values that are not all of their storage, by the text of the graph."""
    found = set()
    for line in run(cli, "print", model).stdout.splitlines():
        left = line.split(" = ")[0]
        values = re.findall(r"%(\S+) : \w+\[([\d, ]*)\](?: strides \[([\d, ]*)\])?( offset)?", left)
        numbers = [([int(n) for n in sizes.split(",") if n.strip()], [int(n) for n in strides.split(",") if n.strip()], offset)
                   for _, sizes, strides, offset in values]
        is_part = [bool(offset) or (strides and sum((n - 1) * s for n, s in zip(sizes, strides)) + 1 != math.prod(sizes))
                   for sizes, strides, offset in numbers]
        if any(is_part):
            found |= {name for name, _, _, _ in values}
    return found


def stages_with_parts(parts, manifest):
    """Those that send or are sent one: sent, it has its own storage."""
    found = set()
    for index, stage in enumerate(manifest["stages"]):
        if parts & {given["value"] for given in stage["inputs"] if given["source"] == "previous"}:
            found |= {index - 1, index}
    return found


def check_saved(folder, opened, inputs, parts):
    pipeline = check_recomputed.load(folder)
    manifest = pipeline.read_manifest()
    stages = [check_recomputed.Counted(pipeline.build_stage(i)) for i in range(len(manifest["stages"]))]
    given = dict(zip(manifest["model_inputs"], tree_leaves(inputs)))
    check_recomputed.Counted.inputs = {t.untyped_storage()._cdata for t in tree_leaves(inputs) if isinstance(t, torch.Tensor)}
    record = run_stages.forward(stages, given, pipeline, manifest)
    in_parts = stages_with_parts(parts, manifest)
    for index, stage in enumerate(stages):
        code = (folder / ("stage_%d.py" % index)).read_text()
        if ".clone()  # is written to below" in code or "aten.lstm." in code:  # oneDNN keeps memory of its own
            continue
        _, held = stage.saved_bytes()
        planned = opened["stages"][index]["saved_bytes"]
        if held > planned or (held < planned and index not in in_parts):
            raise Fault("stage %d keeps %d bytes in PyTorch, its plan says %d" % (index, held, planned))
    run_stages.backward(record, None)


def check_plan(cli, model, names, inputs, draw, place):
    options, stages = random_options(draw)
    policy = random_policy(draw, stages, names)
    asked = [] if policy in ("", "plan") else ["--recompute", policy]
    if policy.startswith("auto"):
        asked += ["--memory-limit", "%.3fKiB" % (place["limit"](draw) / 1024)]
    common = ["--lowering", "cpu", "--optimizer", draw.choice(("none", "adamw")), "--time-limit", 1]
    plan, folder = place["folder"] / "p.stagecraft", place["folder"] / "stages"
    what = "%s, %s" % (" ".join(map(str, options)), policy or "model")
    try:
        saved = as_json(cli, "partition", model, "-o", plan, *common, *options, *asked)
    except Refused as why:
        return what, "refused: " + str(why)[:150]
    opened = check_commands(cli, model, plan)
    for figure in ("stages", "devices", "iteration_s", "bottleneck_s", "recomputation"):
        equal("%s, saved and opened" % figure, saved[figure], opened[figure])
    written = json.loads(plan.read_text())
    if not policy.startswith("auto"):
        for cuts in (8, 4, 2, 1, 0):  # places where no boundary can be are drawn again, the last time as they are
            try:
                plan.write_text(json.dumps(redrawn(draw, json.loads(json.dumps(written)), names, policy, cuts)))
                opened = check_commands(cli, model, plan)
                break
            except Refused as why:
                if cuts == 0 or "must share a stage" not in str(why):
                    return what, "refused: " + str(why)[:150]
        twice = place["folder"] / "q.stagecraft"
        again = as_json(cli, "partition", model, "--plan", plan, "-o", twice)
        equal("recomputation, opened twice", again["recomputation"], opened["recomputation"])
        reopened = as_json(cli, "partition", model, "--plan", twice)
        equal("recomputation, written again", reopened["recomputation"], opened["recomputation"])
        equal("stages, written again", reopened["stages"], opened["stages"])
    run(cli, "export", model, "--plan", plan, "-o", folder, "--formats", "python,pt2")
    verified = subprocess.run([cli, "verify", model, str(folder), "--python", "--python-path", sys.executable, "--json"],
                              capture_output=True, text=True)
    if verified.returncode not in (0, 1) or not verified.stdout:
        raise Fault("verify: " + verified.stderr[-300:])
    wrong = [one for one in json.loads(verified.stdout)["comparisons"] if not one["passed"]]
    if wrong or verified.returncode != 0:
        raise Fault("verify: %s" % "; ".join("%s %s: %s" % (one["kind"], one["name"], one["reason"] or one["max_absolute"])
                                            for one in wrong[:3]))
    if inputs is not None:
        check_saved(folder, opened, inputs, place["parts"])
    return what, "equal" if opened["recomputation"] else "equal, nothing runs again"


def check_file(cli, model, count, seed):
    draw = random.Random("%s %s" % (seed, model.name))
    names = [node["name"] for node in as_json(cli, "profile", model, "--by", "node")["nodes"]]
    parts = parts_of_tensors(cli, model)
    try:
        inputs = torch.export.load(model).example_inputs
        inputs = (inputs[0], inputs[1]) if inputs else None
        if any(isinstance(leaf, torch.Tensor) and leaf.is_meta for leaf in tree_leaves(inputs)):
            inputs = None
    except Exception:  # of a PyTorch that this one cannot read
        inputs = None
    faults, counts = 0, {}
    for number in range(count):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            peak = as_json(cli, "partition", model, "--stages", 2, "--time-limit", 1)
            most = max(stage["peak_bytes"] for stage in peak["stages"])
            place = {"folder": folder, "parts": parts, "limit": lambda draw, most=most: most * draw.uniform(0.5, 1.1)}
            state = draw.getstate()
            try:
                what, said = check_plan(cli, model, names, inputs, draw, place)
                counts[said.split(":")[0]] = counts.get(said.split(":")[0], 0) + 1
                if said.startswith("refused") and os.environ.get("VERBOSE"):
                    print("  ", what, said)
            except (Fault, Refused) as fault:
                faults += 1
                redraw = random.Random()
                redraw.setstate(state)
                options, stages = random_options(redraw)
                print("%s, plan %d (%s, %s): %s" % (model.name, number, " ".join(map(str, options)),
                                                    random_policy(redraw, stages, names) or "model", fault), flush=True)
                keep = os.environ.get("KEEP")
                if keep:
                    target = pathlib.Path(keep) / ("%s-%s-%d" % (model.parent.name, model.stem, number))
                    target.mkdir(parents=True, exist_ok=True)
                    for file in folder.glob("*.stagecraft"):
                        (target / file.name).write_bytes(file.read_bytes())
                    subprocess.run(["rm", "-rf", str(target / "stages")])
                    if (folder / "stages").exists():
                        subprocess.run(["cp", "-r", str(folder / "stages"), str(target / "stages")])
    print("%-32s %s%s" % (model.parent.name + "/" + model.name, counts, ", %d faults" % faults if faults else ""), flush=True)
    return faults


def main(cli, count, seed, *files):
    torch.set_num_threads(1)
    check_recomputed.watch_contexts()
    faults = sum(check_file(cli, pathlib.Path(file), int(count), seed) for file in files)
    print("%d files, %d faults; seed %s" % (len(files), faults, seed))
    return faults == 0


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
