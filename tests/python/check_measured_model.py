"""Does the engine read what measure_model.py measures, for each node and size, and is a stage the sum of its operators?

    check_measured_model.py measure_model.py stagecraft-cli MODEL.pt2 DYNAMIC.pt2 IN_PLACE.pt2...
"""
import importlib.util
import json
import math
import pathlib
import signal
import subprocess
import sys
import tempfile

import torch


class Wide(torch.nn.Module):
    """A large product between operators that cost next to nothing."""

    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(2048, 2048) / 2048)

    def forward(self, x):
        return (torch.mm(x * 0.5, self.w) * self.w.sum()).relu()


class Case:
    def __init__(self, script, cli, folder):
        self.script, self.cli, self.folder = script, cli, folder

    def run(self, *command, status=0):
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        assert done.returncode == status, (command, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def measure(self, model, *arguments, status=0):
        path = self.folder / "times.json"
        path.unlink(missing_ok=True)
        said = self.run(sys.executable, self.script, model, *arguments, "-o", path, "--device", "cpu", "--repeats", "2", status=status)
        assert path.exists() == (status == 0), said
        return said if status else json.loads(path.read_text())

    def read_again(self, model, *arguments, status=0):
        said = self.run(self.cli, "profile", model, "--json", "--times", self.folder / "times.json", *arguments, status=status)
        return said if status else json.loads(said)


def check_all_nodes(case, model):
    """Every node is there under its own name, and no other."""
    times = case.measure(model)
    profile = case.read_again(model)
    assert {node["name"] for node in profile["nodes"]} == set(times["nodes"]), model
    assert all(node["origin"] == "imported" for node in profile["nodes"]), model
    for key in ("forward", "backward"):
        total = profile["totals"][f"time_{key}_s"]
        assert math.isclose(total, times["stages"]["0"][key], rel_tol=1e-6), (model, key, total, times["stages"])


def check_stages(case, model):
    plan = case.folder / "plan.stagecraft"
    case.run(case.cli, "partition", model, "--stages", "3", "--time-limit", "2", "-o", plan)
    times = case.measure(model, plan)
    homes = json.loads(plan.read_text())["nodes"]
    assert set(times["stages"]) == {"0", "1", "2"}
    for stage, taken in times["stages"].items():
        for key in ("forward", "backward"):
            total = sum(node[key] for name, node in times["nodes"].items() if str(homes[name]) == stage)
            assert taken[key] > 0 and math.isclose(total, taken[key], rel_tol=1e-6), (stage, key, total, taken)
    return plan


def symbol_of(dynamic):
    """Where an input has a size that may vary, and its name."""
    program = torch.export.load(dynamic)
    value = next(node.meta["val"] for node in program.graph.nodes
                 if node.op == "placeholder" and any(isinstance(size, torch.SymInt) for size in node.meta["val"].shape))
    return next((i, str(size)) for i, size in enumerate(value.shape) if isinstance(size, torch.SymInt))


def check_refusals(case, plan, other, dynamic):
    assert "is a plan of another model" in case.measure(other, plan, status=1)
    assert "--size s99" in case.measure(dynamic, "--size", "s99=3", status=1)
    assert "is no plan" in case.measure(other, other, status=1)
    assert "--import no_such_library" in case.measure(other, "--import", "no_such_library", status=1)
    lines = case.measure(dynamic, "--size", f"{symbol_of(dynamic)[1]}={10**14}", status=1).splitlines()
    assert len(lines) == 1 and lines[0].startswith(str(dynamic)), lines
    nowhere = case.folder / "nowhere" / "times.json"
    assert "names no file" in case.run(sys.executable, case.script, other, "-o", nowhere, status=1)


def check_sizes(case, dynamic):
    """What was measured at one size is not taken for another."""
    axis, symbol = symbol_of(dynamic)
    times = case.measure(dynamic, "--size", f"{symbol}=6")
    assert any(len(shape) > axis and shape[axis] == 6 for shape in times["inputs"].values()), times["inputs"]
    case.read_again(dynamic, "--bind", f"{symbol}=6")
    said = case.read_again(dynamic, "--bind", f"{symbol}=7", status=2)
    assert "was measured with" in said and f"--size {symbol}=7" in said, said


def check_values(case):
    """The product takes most of it, there and back."""
    path = case.folder / "wide.pt2"
    torch.export.save(torch.export.export(Wide().train(), (torch.randn(512, 2048),), strict=False), path)
    nodes = case.measure(path)["nodes"]
    for key in ("forward", "backward"):
        assert nodes["mm"][key] > sum(node[key] for name, node in nodes.items() if name != "mm"), nodes


class Halved(torch.nn.Module):
    """Export writes the type of the second line into the program; the third names it in the code."""

    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(8, 8))

    def forward(self, x):
        y = torch.mm(x, self.w)
        z = y.to(x.dtype)
        return z.to(torch.float32)


def types_by_name(script, path, precision):
    """Of the results of a model's operators."""
    spec = importlib.util.spec_from_file_location("measure_model", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    device = module.Device("cpu", 1, precision)
    walk = module.Walk(module.Program(path, device, {}), device, module.OperatorTimes(device, 1))
    seen = {}
    run_node = walk.run_node
    walk.run_node = lambda node: seen.setdefault(node.name, run_node(node))
    walk.run(*(walk.given[node.name] for node in walk.module.graph.nodes if node.op == "placeholder"), enable_io_processing=False)
    return {name: str(value.dtype)[6:] for name, value in seen.items() if isinstance(value, torch.Tensor)}


def check_precision(case, model):
    """Operators run in the precision that is asked for, and the file says which."""
    path = case.folder / "halved.pt2"
    torch.export.save(torch.export.export(Halved(), (torch.randn(4, 8),), strict=False), path)
    whole, mixed, half = (types_by_name(case.script, path, name) for name in ("exported", "autocast-bf16", "bf16"))
    assert set(whole.values()) == {"float32"}, whole
    assert mixed["x"] == "float32" and mixed["mm"] == "bfloat16", mixed
    assert half["x"] == half["mm"] == "bfloat16" and "float32" in half.values(), half  # the third line's
    for precision, other in (("autocast-bf16", "exported"), ("bf16", "fp16")):
        assert case.measure(model, "--precision", precision)["precision"] == precision
        notes = [case.read_again(model, "--precision", p)["notes"] for p in (precision, other)]
        assert [any("times are of precision" in note for note in list_) for list_ in notes] == [False, True], notes


def check_stopping(case, model):
    """In one line, with nothing written."""
    path = case.folder / "stopped.json"
    running = subprocess.Popen([sys.executable, case.script, model, "-o", path, "--device", "cpu", "--repeats", "1000000"], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.stderr.readline().endswith("operators\n")  # it is measuring
    running.send_signal(signal.SIGINT)
    said = [line for line in running.communicate()[1].splitlines() if not line.endswith(" operators")]
    assert running.returncode == 130 and said == ["stopped: nothing is written"], (running.returncode, said)
    assert not path.exists()


def main(script, cli, model, dynamic, *others):
    with tempfile.TemporaryDirectory() as folder:
        case = Case(script, cli, pathlib.Path(folder))
        for one in (model, *others):
            check_all_nodes(case, one)
        check_refusals(case, check_stages(case, model), dynamic, dynamic)
        check_sizes(case, dynamic)
        check_values(case)
        check_precision(case, model)
        check_stopping(case, model)


if __name__ == "__main__":
    main(*sys.argv[1:])
