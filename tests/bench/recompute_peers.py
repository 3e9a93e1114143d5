"""Automatic recomputation beside what others decide, for the same memory: our added time divided by theirs.

    recompute_peers.py CLI MODEL.pt2...        (prints a table; wants scipy and pulp)

Of each model, in one stage: each peer says which operators of the repeated blocks are kept, the blocks being checkpoint
regions; `partition --plan` says what that plan holds and takes; `partition --recompute auto` has as much memory.

    every block             all of each block runs again
    selective               matrix products, convolutions and attention are kept (torchtitan's selective mode)
    greedy, dp, ilp         torch._functorch, the solvers of activation_memory_budget
    sac                     torch.distributed._tools.sac_ilp, block by block

Both sides have the same figures, those of `profile` (bytes of results, time on the device), so that no clock counts.
Peers decide by the budgets below, shares of what could be kept; in brackets what of the peer's choice PyTorch cannot run
and was kept, too.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from torch._functorch._activation_checkpointing.knapsack import dp_knapsack, greedy_knapsack, ilp_knapsack
from torch.distributed._tools.sac_estimator import SACStats
from torch.distributed._tools.sac_ilp import get_optimal_checkpointing_policy_per_module

BUDGETS = (0.25, 0.5)
KNAPSACKS = {"greedy": greedy_knapsack, "dp": dp_knapsack, "ilp": ilp_knapsack}
RANDOM = ("dropout", "bernoulli", "rand")


def run(cli, command, model, *options):
    done = subprocess.run([cli, command, model, "--json", *options], capture_output=True, text=True)
    return (json.loads(done.stdout), "") if done.returncode == 0 else (None, done.stderr.strip())


class Plan:
    """What a plan in one stage holds and takes."""

    def __init__(self, said):
        self.peak, self.time = said["stages"][0]["peak_bytes"], said["bottleneck_s"]


def plan_of(cli, model, *options):
    said, error = run(cli, "partition", model, *options)
    return (Plan(said) if said else None), error


class Blocks:
    """The plan file that has every block run again, and what its operators are: names, bytes, times."""

    def __init__(self, cli, model, folder):
        self.file = pathlib.Path(folder) / "full.stagecraft"
        subprocess.run([cli, "partition", model, "--stages", "1", "--recompute", "full", "-o", self.file], check=True, capture_output=True)
        self.plan = json.loads(self.file.read_text())
        profile, _ = run(cli, "profile", model, "--by", "node", "--recompute", "full")
        self.nodes = {node["name"]: node for node in profile["nodes"]}
        self.blocks = [[name for name in region["nodes"] if self.may_keep(name)] for region in self.plan["recompute_regions"]]

    def may_keep(self, name):
        return self.nodes[name]["output_bytes"] > 0 and self.nodes[name]["time_recomputed_s"] > 0

    def bytes(self, names):
        return [self.nodes[name]["output_bytes"] for name in names]

    def times(self, names):
        return [self.nodes[name]["time_recomputed_s"] for name in names]

    def is_random(self, name):
        return any(word in self.nodes[name]["target"] for word in RANDOM)

    def written(self, kept, folder):
        """A plan file in which these are kept, besides those that must be."""
        plan = json.loads(self.file.read_text())
        for region in plan["recompute_regions"]:
            region["kept"] = [name for name in region["nodes"] if name in kept or name in region["kept"]]
        place = pathlib.Path(folder) / "peer.stagecraft"
        place.write_text(json.dumps(plan))
        return place


def knapsack(solver, blocks, budget):
    names = [name for block in blocks.blocks for name in block]
    sizes = blocks.bytes(names)
    chosen = solver([size / sum(sizes) for size in sizes], blocks.times(names), budget)[1]
    return {names[i] for i in chosen}


def sac(blocks, budget):
    """Blocks of the same figures are decided once."""
    kept, known = set(), {}
    for names in blocks.blocks:
        figures = tuple(zip(blocks.bytes(names), blocks.times(names)))
        if figures not in known:
            stats = SACStats(func_names=names, runtimes=blocks.times(names), memory=blocks.bytes(names), view_like_ops=[],
                             rand_ops=[i for i, name in enumerate(names) if blocks.is_random(name)], saved_autograd_ops=[],
                             inplace_ops=[], force_store_random=False)
            known[figures] = get_optimal_checkpointing_policy_per_module(stats, budget)
        kept |= {name for name, keep in zip(names, known[figures]) if keep}
    return kept


def peers(cli, model, folder):
    """(who, plan, what was done so that PyTorch can run it)"""
    for who, policy in (("every block", "full"), ("selective", "ops")):
        plan, error = plan_of(cli, model, "--stages", "1", "--recompute", policy)
        yield who, plan, error
    blocks = Blocks(cli, model, folder)
    deciders = {name: lambda budget, solver=solver: knapsack(solver, blocks, budget) for name, solver in KNAPSACKS.items()}
    deciders["sac"] = lambda budget: sac(blocks, budget)
    for who, decide in deciders.items():
        for budget in BUDGETS:
            kept = decide(budget)
            plan, error = plan_of(cli, model, "--plan", str(blocks.written(kept, folder)))
            if plan is None:  # random numbers are drawn in order: none is kept, or all
                everywhere = kept | {name for block in blocks.blocks for name in block if blocks.is_random(name)}
                plan, still = plan_of(cli, model, "--plan", str(blocks.written(everywhere, folder)))
                error = still or "with random operators"
            yield "%s %g" % (who, budget), plan, error


def main(cli, models):
    print("| model | peer | memory | their added time | ours | ours / theirs |\n|---|---|---|---|---|---|")
    ratios = []
    for model in models:
        name = pathlib.Path(model).stem
        none, _ = plan_of(cli, model, "--stages", "1", "--recompute", "none")
        with tempfile.TemporaryDirectory() as folder:
            for who, plan, remark in peers(cli, model, folder):
                if plan is None:
                    print("| %s | %s | %s | | | |" % (name, who, remark), flush=True)
                    continue
                ours, error = plan_of(cli, model, "--stages", "1", "--recompute", "auto", "--time-limit", "60",
                                        "--memory-limit", "%dB" % plan.peak)
                label = who + (" (%s)" % remark if remark else "")
                row = "| %s | %s | %.2f GiB | %.1f %% | " % (name, label, plan.peak / 2**30, 100 * (plan.time / none.time - 1))
                if ours is None:
                    print(row + "%s | |" % error, flush=True)
                    continue
                added, theirs = ours.time - none.time, plan.time - none.time
                ratio = added / theirs if theirs > 0 else 1.0 if added <= 0 else float("inf")
                ratios.append(ratio)
                print(row + "%.1f %% | %.3f |" % (100 * added / none.time, ratio), flush=True)
    print("\n%d comparisons, the worst %.3f" % (len(ratios), max(ratios)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
