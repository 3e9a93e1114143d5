"""Holds predicted times against published ones, and writes docs/accuracy.md with what came of it.

usage: python truth.py STAGECRAFT_CLI TABLES MODELS DOCS    (beside the tables our own: tests/data/truth)

TABLES holds operators_fp32.csv.gz (gpu,op,B,M,N,K,H,ms), vision_amp.csv (model,mode,gpu,torch,layout,batch,img,measured_ms),
megatron_a100_fp16.csv and, for memory, megatron_ci.csv and llama_h100_grid.csv; MODELS the exported models: timm-MODE-MODEL.pt2
and gpt-HIDDEN-HEADS-LAYERS-SEQUENCE.pt2, and h100-MODEL.pt2, which measured_models.py writes. DOCS is the folder for accuracy.md and its pictures. A model that is not there, or
fails, is listed as left out.
"""
import csv
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import truth_page

BOARDS = {"a100-pcie-40gb": "NVIDIA A100-PCIE-40GB", "a100-pcie-80gb": "NVIDIA A100 80GB PCIe", "h100-sxm": "NVIDIA H100 80GB HBM3",
          "l4": "NVIDIA L4", "t4": "Tesla T4", "v100-pcie-32gb": "Tesla V100-PCIE-32GB"}
KIND = re.compile(r"^(\D+?)\s+(\d+)\s+(\d+)\s+([\d.]+) %\s+([\d.]+) %$", re.M)


@dataclass
class Case:
    group: str  # what is averaged together
    name: str
    device: str
    measured: float  # seconds
    predicted: float

    @property
    def error(self):
        return self.predicted / self.measured - 1


@dataclass
class KindErrors:
    device: str
    kind: str
    kept: int  # rows that no fit has seen
    error: float  # mean of |predicted / measured - 1|, of the device file as it is


class Failed(Exception):
    pass


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        raise Failed(done.stderr.strip().removeprefix("stagecraft-cli: "))
    return done.stdout


def hold_operators(cli, table):
    errors = []
    for device, gpu in BOARDS.items():
        with tempfile.TemporaryDirectory() as folder:
            said = run(cli, "calibrate", "--from", table, "--gpu", gpu, "--device", device, "-o", f"{folder}/fitted.json")
        found = KIND.findall(said.split("after\n", 1)[1])
        errors += [KindErrors(device, kind, int(kept), float(before) / 100) for kind, _, kept, before, _ in found]
        print(f"{device}: {len(found)} kinds of operators", flush=True)
    return errors


def size_arguments(cli, model, size):
    """Every model has one size that varies, its batch, or none."""
    symbols = list(json.loads(run(cli, "info", model, "--json")).get("symbols", {}))
    if len(symbols) > 1:
        raise Failed(f"has sizes {', '.join(symbols)}")
    return ["--bind", f"{symbols[0]}={size}"] if symbols else []


def vision_step(cli, models, row):
    model = models / f"timm-{row['mode']}-{row['model']}.pt2"
    said = run(cli, "profile", model, "--json", "--device", row["gpu"], "--mode", row["mode"], "--precision", "autocast-fp16",
               "--optimizer", "sgd-momentum", *size_arguments(cli, model, row["batch"]))
    totals = json.loads(said)["totals"]
    passes = ("forward", "backward", "optimizer") if row["mode"] == "train" else ("forward",)
    return sum(totals[f"time_{name}_s"] for name in passes)


def hold_vision(cli, table, models):
    for row in csv.DictReader(table.open()):
        mode = "training" if row["mode"] == "train" else "inference"
        yield Case(f"timm {mode}, {row['gpu']}", row["model"], row["gpu"], float(row["measured_ms"]) / 1e3, 0), \
            lambda row=row: vision_step(cli, models, row)


DATA = Path(__file__).resolve().parents[1] / "data"
DISPATCH = ("dispatch_overhead", "backward_dispatch_overhead", "view_dispatch_overhead", "backward_view_dispatch_overhead")
LANGUAGE = ("gpt", "llama", "bert", "t5", "qwen", "gemma", "distilbert", "roberta", "electra", "albert", "mistral", "smollm", "xlm")


def measured_step(cli, models, row, device):
    """(seconds, bytes allocated, bytes reserved at the peak) of a later step."""
    options = ("--optimizer", row["optimizer"]) if row["optimizer"] else ()
    said = run(cli, "profile", models / f"h100-{row['model']}.pt2", "--json", "--device", device, "--mode", row["mode"],
               "--precision", row["precision"], *options)
    profile = json.loads(said)
    passes = ("forward", "backward", "optimizer") if row["mode"] == "train" else ("forward",)
    memory = profile["device_memory"]["later_steps"]
    return sum(profile["totals"][f"time_{name}_s"] for name in passes), memory["allocated_bytes"], memory["reserved_bytes"]


def hold_measured(cli, models, table, device, peaks, called=None):
    """Of each also (which memory, device, mode, measured, predicted bytes) to `peaks`."""
    def prediction(row):
        seconds, allocated, reserved = measured_step(cli, models, row, device)
        peaks.append(("allocated", called or device, row["mode"], int(row["peak_bytes"]), allocated))
        peaks.append(("reserved", called or device, row["mode"], int(row["reserved_bytes"]), reserved))
        return seconds
    for row in csv.DictReader((DATA / "truth" / table).open()):
        mode = "training" if row["mode"] == "train" else "inference"
        library = "transformers" if row["model"].startswith(LANGUAGE) else "timm"
        yield Case(f"{library} {mode}, {called or device}", row["model"], called or device, float(row["step_ms"]) / 1e3, 0), \
            lambda row=row: prediction(row)


def with_host_of(cli, measured, device, folder):
    """The device file, with what handing an operator over took on the machine that `measured` is of."""
    fitted = folder / "fitted.json"
    run(cli, "calibrate", "--from", measured, "-o", fitted)
    file = DATA.parents[1] / "resources/devices" / f"{device}.json"
    content = json.loads(file.read_text()) | {name: json.loads(fitted.read_text())[name]
                                              for name in DISPATCH}
    (folder / file.name).write_text(json.dumps(content))
    return folder / file.name


@lru_cache
def optimizer_seconds(cli, model, *options):
    """Of the whole model in one place, and the bytes of its parameters; the size of a batch does not matter."""
    totals = json.loads(run(cli, "profile", model, "--json", *options))["totals"]
    return totals["time_optimizer_s"], totals["parameter_bytes"]


def pipeline_step(cli, models, row):
    """As Megatron ran it: every layer recomputed, layers shared out evenly; a step ends with the optimizer, which takes longest
    where most parameters are."""
    layers, stages, batch = int(row["# layers"]), int(row["pipeline parallelism"]), int(row["micro batch"])
    model = models / f"gpt-{row['hidden size']}-{row['attention heads']}-{layers}-{row['sequence length']}.pt2"
    cuts = [word for stage in range(1, stages) for word in ("--split-before", f"layers.{stage * layers // stages}")]
    alike = ("--device", "a100-sxm-80gb", "--optimizer", "adam", "--optimizer-variant", "fused", "--master-weights")
    said = run(cli, "partition", model, "--json", *alike, "--stages", stages, *cuts, "--microbatches",
               int(row["global batch"]) // batch, "--schedule", "1f1b", "--recompute", "full", *size_arguments(cli, model, batch))
    plan = json.loads(said)
    optimizer, parameters = optimizer_seconds(cli, model, *alike, *size_arguments(cli, model, 1))
    return plan["iteration_s"] + optimizer * max(stage["parameter_bytes"] for stage in plan["stages"]) / parameters


def hold_pipelines(cli, table, models):
    """Rows without tensor and data parallelism, which a plan does not express."""
    for row in csv.DictReader(table.open()):
        if row["tensor parallelism"] != "1" or row["data parallelism"] != "1":
            continue
        name = (f"{row['# layers']} layers, {row['pipeline parallelism']} stages, {row['global batch']} samples "
                f"by {row['micro batch']}")
        yield Case(f"Megatron pipelines, microbatch {row['micro batch']}", name, "a100-sxm-80gb",
                   float(row["iteration time (ms)"]) / 1e3, 0), lambda row=row: pipeline_step(cli, models, row)


def obstacle_of_megatron(row):
    """Why a plan does not say what a test of Megatron's runs; of several the first."""
    several = lambda name: (row[name] or "1") != "1"  # noqa: E731
    reasons = ((not row["hidden-size"], "its sizes are not in the table"),
               (several("tensor-model-parallel-size"), "tensor parallelism"),
               (several("context-parallel-size"), "context parallelism"),
               (row["num-experts"] or several("expert-model-parallel-size"), "experts on several devices or dispatched by Megatron's own kernels"),
               (row["use-distributed-optimizer"].lower() == "true", "an optimizer whose state is shared out to replicas"),
               (not row["case"].startswith("gpt/"), "a model whose other sizes are not in the table"),
               (row["bf16"].lower() == "true", "gradients in float32 of parameters in bfloat16"),
               (True, "a cross entropy that works in place, and a rank that is not named"))
    return next(why for applies, why in reasons if applies)


def obstacle_of_nanotron(row):
    reasons = ((row["tp"] != "1", "tensor parallelism"), (row["zero"] != "0", "an optimizer whose state is shared out to replicas"),
               (True, "gradients in float32 of parameters in bfloat16, for replicas"))
    return next(why for applies, why in reasons if applies)


def hold_memory(tables):
    """How many published runs a plan does not express, by table and reason."""
    counts = Counter()
    for name, group, obstacle in (("megatron_ci.csv", "Megatron's tests", obstacle_of_megatron),
                                  ("llama_h100_grid.csv", "Llama-like models, H100", obstacle_of_nanotron)):
        counts.update((group, obstacle(row)) for row in csv.DictReader((tables / name).open()))
    return dict(sorted(counts.items()))


def predict(pairs):
    """The cases, and why some are left out."""
    cases, left_out = [], []
    for case, prediction in pairs:
        try:
            case.predicted = prediction()
        except Failed as failure:
            left_out.append(f"{case.group}, {case.name}: {str(failure).splitlines()[0].split('/')[-1]}")
            continue
        cases.append(case)
        print(f"{case.group:34} {case.name:44} {1e3 * case.measured:9.1f} ms measured {1e3 * case.predicted:9.1f} predicted "
              f"{100 * case.error:+6.1f} %", flush=True)
    return cases, left_out


def main(cli, tables, models, docs):
    tables, models = Path(tables), Path(models)
    vision, without = predict(hold_vision(cli, tables / "vision_amp.csv", models))
    pipelines, also_without = predict(hold_pipelines(cli, tables / "megatron_a100_fp16.csv", models))
    peaks, ours, without_ours = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        host = with_host_of(cli, DATA / "measured_h100", "h100-sxm", Path(folder))
        for table, device, called in (("h100_models.csv", "h100-sxm", None), ("h100_models.csv", host, "h100-sxm, its host measured"),
                                      ("h200_models.csv", "h200-sxm", None)):
            cases, left_out = predict(hold_measured(cli, models, table, device, [] if called else peaks, called))
            ours += cases
            without_ours += left_out
    operators = hold_operators(cli, tables / "operators_fp32.csv.gz")
    truth_page.write(Path(docs), vision + ours, pipelines, operators, hold_memory(tables), peaks,
                     without + also_without + without_ours)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
