"""How far automatic recomputation is from its bound: limits of 60 % and 40 % of what the best plan without it needs.

usage: python recompute_bounds.py CLI STAGES SECONDS MODEL.pt2 ...        (prints a table)
"""
import json
import math
import os
import subprocess
import sys
import time

SHARES = (0.6, 0.4)


def planned(cli, model, stages, seconds, *options):
    command = [cli, "partition", model, "--stages", stages, "--microbatches", "8", "--time-limit", seconds, "--json", *options]
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    return (json.loads(done.stdout) if done.returncode == 0 else None), done.stderr.strip(), time.monotonic() - begin


def main(cli, stages, seconds, models):
    print(f"{stages} stages, at most {seconds} s each\n")
    print("| model | limit | bound / plan | slowest stage, plan without = 1 | seconds |\n|---|---|---|---|---|")
    ratios = []
    for model in models:
        name = os.path.basename(model).removesuffix(".pt2")
        plain, error, _ = planned(cli, model, stages, seconds, "--recompute", "none")
        if plain is None:
            print(f"| {name} | | {error} | | |")
            continue
        most = max(stage["peak_bytes"] for stage in plain["stages"])
        for share in SHARES:
            plan, error, took = planned(cli, model, stages, seconds, "--recompute", "auto", "--memory-limit", f"{int(share * most)}B")
            if plan is None:
                least = error.rsplit("; ", 1)[-1]
                print(f"| {name} | {share:.0%} | does not fit: {least} | | {took:.1f} |", flush=True)
                continue
            ratios.append(plan["bound_s"] / plan["bottleneck_s"])
            slower = plan["bottleneck_s"] / plain["bottleneck_s"]
            print(f"| {name} | {share:.0%} | {ratios[-1]:.3f} | {slower:.3f} | {took:.1f} |", flush=True)
    if ratios:
        print(f"\nbound / plan, geometric mean of {len(ratios)}: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:4], sys.argv[4:])
