"""Prints predicted against real: memory allocated and reserved, and the time of a training step, on this machine's GPU.

usage: python compare_with_device.py STAGECRAFT_CLI MEASURE_DEVICE.py MODEL.pt2...

Needs a PyTorch with CUDA; without one it says so and exits 77, which ctest counts as skipped. Each model runs five
steps: forward, the sum of its outputs, backward, AdamW as torch.optim takes it, gradients dropped. The first step and
the fifth are compared with what `stagecraft-cli profile --json` says for the device: by the file that comes with the
program, where there is one, and by one that `calibrate --from` makes of what MEASURE_DEVICE.py (resources/python) measures
here. Predictions do not fail a build: it prints ratios, real by predicted. What measures and calibrates must run.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

SKIPPED = 77
STEPS = 5


def skip(reason):
    print(f"SKIPPED: {reason}")
    sys.exit(SKIPPED)


def words(name):
    # SXM2, SXM4 and SXM5 are one form of board, of their own chips, and boards with HBM3 are of it.
    return {re.sub(r"^sxm\d$|^hbm3$", "sxm", word) for word in name.lower().replace("-", " ").split()}


def device_id(devices, name):
    """The device file of the GPU of that name: it names the chip (the first word with a digit: "a100", "4090"), and most
    of the other words. None where no file names the chip."""
    chip = next((word for word in name.lower().replace("-", " ").split() if any(c.isdigit() for c in word)), "")
    fitting = [d for d in devices if d["kind"] == "cuda" and chip in words(d["name"])]
    return max(fitting, key=lambda d: len(words(name) & words(d["name"])))["id"] if fitting else None


def calibrated(cli, script, folder, *arguments):
    """A device file of what the script measures here; prints what `calibrate` says of whole steps."""
    table, device = Path(folder) / "measured", Path(folder) / "this-device.json"
    subprocess.run([sys.executable, script, "-o", table, *arguments], check=True)
    print(subprocess.run([cli, "calibrate", "--from", table, "-o", device], check=True, capture_output=True, text=True).stdout)
    return str(device)


def predicted(cli, device, model):
    command = [cli, "profile", model, "--json", "--device", device, "--optimizer", "adamw"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def materialized(tensor):
    """A tensor of the same shape on the GPU; a program without weights gives only shapes."""
    if not tensor.is_floating_point():
        return torch.zeros(tensor.shape, dtype=tensor.dtype, device="cuda")
    return torch.randn(tensor.shape, device="cuda").mul_(0.02).to(tensor.dtype)


def with_storage(tensor):
    """A program without weights comes on the meta device."""
    if not isinstance(tensor, torch.Tensor) or not tensor.is_meta:
        return tensor
    made = torch.zeros(tensor.shape, dtype=tensor.dtype)
    return torch.nn.Parameter(made, tensor.requires_grad) if isinstance(tensor, torch.nn.Parameter) else made


def move_to_gpu(module):
    """Also where the program itself names the device it was exported on."""
    moved = lambda value: torch.device("cuda") if isinstance(value, torch.device) else value  # noqa: E731
    for part in module.modules():
        if isinstance(part, torch.fx.GraphModule):
            for node in part.graph.nodes:
                node.args = torch.utils._pytree.tree_map(moved, node.args)
                node.kwargs = torch.utils._pytree.tree_map(moved, node.kwargs)
                if node.target is torch.ops.aten._assert_tensor_metadata.default:
                    node.kwargs = {**node.kwargs, "device": None}
            part.recompile()
    module.to("cuda")


def on_gpu(path):
    program = torch.export.load(path)
    for table in (program.state_dict, program.constants):
        for name, tensor in list(table.items()):
            table[name] = with_storage(tensor)
    used = {node.name for node in program.graph.nodes if node.op == "placeholder" and node.users}
    names = {spec.target: spec.arg.name for spec in program.graph_signature.input_specs if spec.target}
    module = program.module()
    move_to_gpu(module)
    for name, parameter in list(module.named_parameters()):
        # A second name of a tied weight has no user, and no memory.
        is_used = names.get(name) in used
        parameter.data = materialized(parameter) if is_used else torch.empty(0, device="cuda")
        parameter.requires_grad_(is_used and parameter.requires_grad)
    args, kwargs = program.example_inputs
    to_gpu = lambda t: with_storage(t).to("cuda") if isinstance(t, torch.Tensor) else t  # noqa: E731
    return module, torch.utils._pytree.tree_map(to_gpu, args), torch.utils._pytree.tree_map(to_gpu, kwargs)


def step(module, args, kwargs, optimizer):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    torch.cuda.reset_peak_memory_stats()
    optimizer.zero_grad(set_to_none=True)
    start.record()
    leaves = torch.utils._pytree.tree_leaves(module(*args, **kwargs))
    loss = sum(t.sum() for t in leaves if isinstance(t, torch.Tensor) and t.requires_grad)
    loss.backward()
    del loss, leaves
    optimizer.step()
    end.record()
    end.synchronize()
    return dict(allocated=torch.cuda.max_memory_allocated(), reserved=torch.cuda.max_memory_reserved(),
                time=start.elapsed_time(end) / 1000)


def measured(path):
    torch.cuda.empty_cache()
    module, args, kwargs = on_gpu(path)
    optimizer = torch.optim.AdamW([p for p in module.parameters() if p.requires_grad])
    return [step(module, args, kwargs, optimizer) for _ in range(STEPS)]


def show(name, what, ours, real, unit, scale):
    print(f"{name:24s} {what:24s} predicted {ours / scale:12.3f} {unit:3s} real {real / scale:12.3f} {unit:3s} "
          f"ratio {real / ours if ours else float('nan'):.4f}")


def compare(profile, real):
    """Prints a row for each figure: `profile` is what the program says, `real` what five steps took."""
    name = profile["model"]
    for when, row in (("first_step", real[0]), ("later_steps", real[-1])):
        for what in ("allocated", "reserved"):
            show(name, f"{what}, {when}", profile["device_memory"][when][what + "_bytes"], row[what], "MiB", 2**20)
    totals = profile["totals"]
    ours = totals["time_forward_s"] + totals["time_backward_s"] + totals["time_optimizer_s"]
    times = sorted(row["time"] for row in real[1:])
    show(name, "time of a step", ours, times[(len(times) - 1) // 2], "ms", 1e-3)


def main(cli, script, models):
    if not torch.cuda.is_available():
        skip(f"no CUDA device, or torch {torch.__version__} was built without CUDA")
    listed = json.loads(subprocess.run([cli, "devices", "--json"], check=True, capture_output=True).stdout)["devices"]
    shipped = device_id(listed, torch.cuda.get_device_name())
    with tempfile.TemporaryDirectory() as folder:
        devices = [shipped] if shipped else []
        devices.append(calibrated(cli, script, folder, "--device", "cuda"))
        real = {path: measured(path) for path in models}
        for device in devices:
            print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, predicted for {device}")
            for path in models:
                compare(predicted(cli, device, path), real[path])


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
