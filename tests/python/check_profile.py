"""Does the engine read the times that the run-time measures, and are these those of the step that was run?

    check_profile.py stagecraft-cli MODEL.pt2
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types

import torch
from check_library import gradients_of, in_processes

MICROBATCHES = 4


def measure(case, processes, schedule, path, sends):
    def step(pipeline):
        from stagecraft_runtime.loss import sum_of_outputs
        built = pipeline.build_pipeline(schedule=schedule, microbatches=MICROBATCHES, loss_fn=sum_of_outputs, sends=sends,
                                        device="cpu")
        generator = torch.Generator().manual_seed(0)
        inputs = [pipeline.make_inputs(pipeline.read_manifest(), generator) for _ in range(MICROBATCHES)]
        batch = [torch.cat([microbatch[name] for microbatch in inputs]) for name in inputs[0]]
        built.step(*batch)
        before = gradients_of(built), {name: tensor.clone() for name, tensor in built.state_dict().items()}
        built.profile(path, *batch)
        after = gradients_of(built)
        assert before[0].keys() == after.keys() and all((before[0][name] == after[name]).all() for name in after)
        assert all(torch.equal(tensor, before[1][name]) for name, tensor in built.state_dict().items())
    in_processes(case, processes, step)
    return json.loads(path.read_text())


def check_slots(times, actions, stages):
    """Each stage does all with each microbatch, one after the other."""
    found = {}
    for rank in times["ranks"]:
        slots = sorted(rank["slots"], key=lambda slot: slot["start_s"])
        assert all(one["end_s"] <= other["start_s"] for one, other in zip(slots, slots[1:])), slots
        assert slots[-1]["end_s"] <= times["step_s"] and 0 <= rank["wait_s"] <= times["step_s"]
        assert {slot["stage"] for slot in slots} == set(rank["stages"])
        for slot in slots:
            found.setdefault((slot["stage"], slot["microbatch"]), []).append(slot["action"])
    assert set(found) == {(stage, microbatch) for stage in range(stages) for microbatch in range(MICROBATCHES)}
    for key, done in found.items():
        assert "".join(done) in actions, (key, done)


def main(cli, model):
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as parent:
        folder, path, plan = (pathlib.Path(parent) / name for name in ("stages", "times.json", "plan.stagecraft"))
        subprocess.run([cli, "partition", model, "--stages", "4", "--time-limit", "2", "-o", plan], check=True,
                       stdout=subprocess.DEVNULL)
        subprocess.run([cli, "export", model, "--plan", plan, "-o", folder, "--formats", "python"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if "PIPELINE" in os.environ:
            shutil.copytree(os.environ["PIPELINE"], folder, dirs_exist_ok=True)
        case, stages = types.SimpleNamespace(folder=folder), json.loads((folder / "manifest.json").read_text())["stages"]
        for processes, schedule, sends, actions in ((4, "1f1b", "direct", ("FB",)), (2, "zbv", "relay", ("FIW", "FB"))):
            times = measure(case, processes, schedule, path, sends)
            check_slots(times, actions, len(stages))
            assert {send["to"] for send in times["sends"]} == {1, 2, 3}
            assert all(send["forward_bytes"] > 0 for send in times["sends"])
            said = subprocess.run([cli, "profile", model, "--times", path, "--json"], check=True, capture_output=True,
                                  text=True).stdout
            nodes = json.loads(said)["nodes"]
            imported = [node for node in nodes if node["origin"] == "imported"]
            took = sum(times["nodes"][node["name"]]["forward"] for node in imported)
            print("%s: %d of %d nodes have the times of the run-time; forward %.3g s of a microbatch" %
                  (schedule, len(imported), len(nodes), took), flush=True)
            assert len(imported) > 0.9 * len(nodes)
            in_slots = [slot["end_s"] - slot["start_s"] for rank in times["ranks"] for slot in rank["slots"]
                        if slot["action"] == "F"]
            assert 0.1 < took / (sum(in_slots) / MICROBATCHES) < 10, (took, in_slots)
            linear = next(times["nodes"][node["name"]] for node in imported if node["name"].startswith("linear"))
            assert linear["forward"] > 0 and linear["backward"] > 0, linear
        subprocess.run([cli, "partition", model, "--stages", "4", "--times", path, "--time-limit", "2"], check=True,
                       stdout=subprocess.DEVNULL)
        check_repeated_blocks(cli, model, pathlib.Path(parent) / "few", path)


def check_repeated_blocks(cli, model, folder, path):
    """Nodes of blocks that are written once have times too, each by its own name."""
    subprocess.run([cli, "export", model, "--stages", "2", "-o", folder, "--formats", "python"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    stages = json.loads((folder / "manifest.json").read_text())["stages"]
    shared = [nodes for stage in stages for nodes in stage["shared_lines"].values()]
    assert shared, "no block stands several times in a stage"
    times = measure(types.SimpleNamespace(folder=folder), 2, "1f1b", path, "relay")["nodes"]
    for nodes in shared:
        timed = {(times[node]["forward"], times[node]["backward"]) for node in nodes if node in times}
        assert len(timed) <= 1, (nodes, timed)
    assert sum(nodes[0] in times for nodes in shared) > 0.8 * len(shared), [nodes for nodes in shared if nodes[0] not in times]
    said = subprocess.run([cli, "profile", model, "--times", path, "--json"], check=True, capture_output=True, text=True).stdout
    nodes = json.loads(said)["nodes"]
    imported = {node["name"] for node in nodes if node["origin"] == "imported"}
    print("%d lines for several nodes; %d of %d nodes have times" % (len(shared), len(imported), len(nodes)), flush=True)
    assert imported == set(times) and len(imported) > 0.9 * len(nodes)


if __name__ == "__main__":
    main(*sys.argv[1:])
