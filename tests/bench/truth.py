"""Holds predicted times against published ones, and prints how far off they are.

usage: python truth.py STAGECRAFT_CLI TABLES [MODELS]

TABLES holds operators_fp32.csv.gz (gpu,op,B,M,N,K,H,ms) and vision_amp.csv (model,mode,gpu,torch,layout,batch,img,
measured_ms); MODELS the exported vision models, timm-MODE-MODEL.pt2. Operators: what `calibrate --from` says of the rows
that it keeps out of its fit, before (the file as it is) and after. Vision: whole steps; shares of kernels and curves of the
RTX cards were chosen with them in sight, so they are no check of those.
"""
import csv
import json
import re
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

BOARDS = {"a100-pcie-40gb": "NVIDIA A100-PCIE-40GB", "a100-pcie-80gb": "NVIDIA A100 80GB PCIe", "h100-sxm": "NVIDIA H100 80GB HBM3",
          "l4": "NVIDIA L4", "t4": "Tesla T4", "v100-pcie-32gb": "Tesla V100-PCIE-32GB"}


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def hold_operators(cli, table):
    for device, gpu in BOARDS.items():
        with tempfile.TemporaryDirectory() as folder:
            done = run(cli, "calibrate", "--from", table, "--gpu", gpu, "--device", device, "-o", f"{folder}/fitted.json")
        print(f"## {device}\n{done.stdout.split('written to')[0]}{done.stderr}", flush=True)


def batch_symbol(cli, model):
    found = re.search(r"there (?:are|is) (s\d+)", run(cli, "profile", model, "--bind", "no_such=1").stderr)
    return found.group(1) if found else None


def step_seconds(totals, mode):
    passes = ("forward", "backward", "optimizer") if mode == "train" else ("forward",)
    return sum(totals[f"time_{name}_s"] for name in passes)


def predicted_ms(cli, model, row):
    command = [cli, "profile", model, "--json", "--device", row["gpu"], "--mode", row["mode"], "--precision", "autocast-fp16",
               "--optimizer", "sgd-momentum"]
    symbol = batch_symbol(cli, model)
    done = run(*command, *(["--bind", f"{symbol}={row['batch']}"] if symbol else []))
    if done.returncode:
        raise RuntimeError(f"{model}: {done.stderr.strip()}")
    return 1e3 * step_seconds(json.loads(done.stdout)["totals"], row["mode"])


def hold_vision(cli, table, models):
    errors = defaultdict(list)
    for row in csv.DictReader(table.open()):
        model = models / f"timm-{row['mode']}-{row['model']}.pt2"
        if not model.exists():
            print(f"{row['model']} ({row['mode']}): no {model.name}, left out")
            continue
        measured, predicted = float(row["measured_ms"]), predicted_ms(cli, model, row)
        errors[row["mode"], row["gpu"]].append(predicted / measured - 1)
        print(f"{row['model']:28} {row['mode']:6} {row['gpu']:9} {measured:9.1f} ms measured {predicted:9.1f} predicted "
              f"{100 * (predicted / measured - 1):+6.1f} %", flush=True)
    for (mode, gpu), list_ in errors.items():
        sizes = [100 * abs(error) for error in list_]
        print(f"{mode} on {gpu}: {len(sizes)} models, mean error {statistics.mean(sizes):.1f} %, median "
              f"{statistics.median(sizes):.1f} %, bias {100 * statistics.mean(list_):+.1f} %")


def main(cli, tables, models=None):
    hold_operators(cli, Path(tables) / "operators_fp32.csv.gz")
    if models:
        hold_vision(cli, Path(tables) / "vision_amp.csv", Path(models))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
