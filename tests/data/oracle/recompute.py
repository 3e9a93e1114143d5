"""Random recompute plans of small models, each run by PyTorch; writes recompute.json.

usage: python recompute.py [PLANS A MODEL]        (torch 2.13; real tensors on the CPU)

A plan is a list of regions, runs of a program's operators, each with those whose results are kept. A region runs under
torch.utils.checkpoint.checkpoint(use_reentrant=False, context_fn=create_selective_checkpoint_contexts(policy,
allow_cache_entry_mutation=True)); the policy keeps every operator that a kept node calls, unless it is a view. Counted
as in checkpoints.json; the saved bytes are the distinct storages that saved-tensor hooks see and those in the contexts.

    refused    PyTorch's error, where it does not run the plan
    differs    gradients or buffers that are not those of the same step without a plan
Programs go to recompute/NAME.pt2.
"""
import copy
import json
import operator
import os
import random
import sys
import warnings
import weakref
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils._pytree import tree_leaves
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

import tracker

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "recompute")
SEED = 5

warnings.filterwarnings("ignore")


# ---------------------------------------------------------------- programs
class Perceptron(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.up = nn.ModuleList(nn.Linear(width, 3 * width) for _ in range(3))
        self.down = nn.ModuleList(nn.Linear(3 * width, width) for _ in range(3))

    def forward(self, x):
        for norm, up, down in zip(self.norms, self.up, self.down):
            x = x + down(F.gelu(up(norm(x))))
        return x


class Attention(nn.Module):
    """Fused and plain attention, dropouts between."""
    def __init__(self, width=16, drop=0.2):
        super().__init__()
        self.qkv = nn.ModuleList(nn.Linear(width, 3 * width) for _ in range(2))
        self.out = nn.ModuleList(nn.Linear(width, width) for _ in range(2))
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        q, k, v = (t.unflatten(-1, (2, -1)).transpose(1, 2) for t in self.qkv[0](x).chunk(3, dim=-1))
        x = x + self.drop(self.out[0](F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)))
        q, k, v = self.qkv[1](x).chunk(3, dim=-1)
        weights = self.drop(torch.softmax(q @ k.transpose(-1, -2) / 4, dim=-1))
        return x + self.drop(self.out[1](weights @ v))


class Convolutions(nn.Module):
    """Batch norms, and activations in place."""
    def __init__(self):
        super().__init__()
        widths = (3, 8, 8, 4)
        self.convs = nn.ModuleList(nn.Conv2d(a, b, 3, padding=1) for a, b in zip(widths, widths[1:]))
        self.norms = nn.ModuleList(nn.BatchNorm2d(b) for b in widths[1:])

    def forward(self, x):
        x = F.relu(self.norms[0](self.convs[0](x)))
        x = x + F.relu(self.norms[1](self.convs[1](x)), inplace=True)
        return F.max_pool2d(torch.sigmoid(self.norms[2](self.convs[2](x))), 2)


class Gated(nn.Module):
    """Root mean squares, rotations, gates; a value that skips most of it; two outputs."""
    def __init__(self, width=12):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(width))
        self.gate = nn.ModuleList(nn.Linear(width, 2 * width, bias=False) for _ in range(2))
        self.up = nn.ModuleList(nn.Linear(width, 2 * width, bias=False) for _ in range(2))
        self.down = nn.ModuleList(nn.Linear(2 * width, width, bias=False) for _ in range(2))

    def forward(self, x):
        first = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.scale
        left, right = first.chunk(2, dim=-1)
        y = torch.cat((-right, left), dim=-1) + first
        for gate, up, down in zip(self.gate, self.up, self.down):
            y = y + down(F.silu(gate(y)) * up(y))
        return y * first, y.exp().sum(-1)


def programs():
    sequence = torch.randn(4, 6, 16)
    yield "perceptron", Perceptron(), sequence
    yield "attention", Attention(), sequence
    yield "convolutions", Convolutions(), torch.randn(4, 3, 8, 8)
    yield "gated", Gated(), torch.randn(4, 6, 12)


# ---------------------------------------------------------------- plans
def operators(module):
    return [node for node in module.graph.nodes if node.op == "call_function"]


def is_element(node):
    return node.target is operator.getitem


def random_plan(names, draw):
    """Regions of a few nodes or many; kept is nearly nothing or nearly everything. Writers and dropouts mostly as must be."""
    regions, at = [], draw.randrange(len(names))
    while at < len(names) and len(regions) < 4:
        end = min(len(names), at + draw.choice((3, 6, 12, 24)))
        share = draw.choice((0, 0, 0.15, 0.4, 0.8))
        kept = [name for name in names[at:end] if draw.random() < share]
        if draw.random() < 0.9:
            drops = [name for name in kept if "dropout" in name]
            for name in names[at:end]:
                late = drops and "dropout" in name and names.index(name) > names.index(drops[0])
                if name not in kept and (late or name.startswith(("batch_norm", "add__"))):
                    kept.append(name)
            kept = [name for name in names[at:end] if name in kept and not name.startswith("relu_")]
        regions.append({"nodes": names[at:end], "kept": kept})
        at = end + draw.choice((0, 0, 1, 5))
    return regions


class Planned:
    """A program under a plan: every value is let go after its last use."""
    def __init__(self, module, regions):
        self.module, self.contexts = module, []
        region_of = {name: i for i, region in enumerate(regions) for name in region["nodes"]}
        self.kept = {name for region in regions for name in region["kept"]}
        self.steps = []             # lists of nodes, each with whether it is a region
        for node in operators(module):
            # An element of what an operator returns goes with the operator.
            region = region_of.get(node.args[0].name if is_element(node) else node.name)
            if region is not None and self.steps and self.steps[-1][1] == region:
                self.steps[-1][0].append(node)
            else:
                self.steps.append(([node], region))
        self.keeping = False

    def value(self, env, argument):
        def look(node):
            if node.op != "get_attr":
                return env[node]
            target = self.module
            for name in node.target.split("."):
                target = getattr(target, name)
            return target
        return torch.fx.node.map_arg(argument, look)

    def call(self, node, env):
        self.keeping = node.name in self.kept
        env[node] = node.target(*self.value(env, node.args), **self.value(env, node.kwargs))
        self.keeping = False

    def policy(self, _context, op, *_args, **_kwargs):
        return CheckpointPolicy.MUST_SAVE if self.keeping and not op.is_view else CheckpointPolicy.PREFER_RECOMPUTE

    def selective(self):
        contexts = create_selective_checkpoint_contexts(self.policy, allow_cache_entry_mutation=True)
        self.contexts.append(weakref.ref(contexts[1]))  # they live as long as the region is needed
        return contexts

    def region(self, nodes, env):
        inside = set(nodes)
        inputs = list(dict.fromkeys(n for node in nodes for n in node.all_input_nodes if n not in inside and n.op != "get_attr"))
        outputs = [node for node in nodes if any(user not in inside for user in node.users)]
        last = {n: node for node in nodes for n in node.all_input_nodes}

        def function(*activations):
            values = dict(zip(inputs, activations))
            del activations
            for node in nodes:
                self.call(node, values)
                for n in [*node.all_input_nodes, node]:
                    if last.get(n, node) is node and n in values and n not in outputs:
                        del values[n]
            return tuple(values[node] for node in outputs)
        selective = {"context_fn": self.selective} if any(node.name in self.kept for node in nodes) else {}
        made = checkpoint(function, *[env[n] for n in inputs], use_reentrant=False, **selective)
        env.update(zip(outputs, made))

    def __call__(self, *args):
        nodes = self.module.graph.nodes
        env = dict(zip([node for node in nodes if node.op == "placeholder"], args))
        output = next(node for node in nodes if node.op == "output")
        last = {}
        for index, (step, _) in enumerate(self.steps):
            for node in step:
                last[node] = max(last.get(node, 0), index)
                for n in node.all_input_nodes:
                    last[n] = index
        for n in output.all_input_nodes:
            last[n] = len(self.steps)
        for index, (step, region) in enumerate(self.steps):
            if region is None:
                self.call(step[0], env)
            else:
                self.region(step, env)
            for n in [n for n in env if last.get(n, -1) <= index]:
                del env[n]
        return tree_leaves(self.value(env, output.args[0]))

    def held(self):
        """What the contexts keep of the step that has just run forward."""
        wrappers = [x for context in self.contexts if context() for entries in context().storage.values() for x in tree_leaves(list(entries.values()))]
        return [w.val for w in wrappers if isinstance(getattr(w, "val", None), torch.Tensor)]


# ---------------------------------------------------------------- counting
def state(module):
    values = {name + ".grad": p.grad for name, p in module.named_parameters() if p.grad is not None}
    return {name: t.detach().clone() for name, t in [*values.items(), *module.named_buffers()]}


def step(program, regions, count):
    """(the module after a step, what `count` says of a fresh one)"""
    module, inputs = copy.deepcopy(program)
    torch.manual_seed(SEED)
    return module, count(module, Planned(module, regions), inputs)


def trained(_module, call, inputs):
    tracker.float_sum(call(*inputs)).backward()


def memory(module, call, inputs):
    parameters = list(module.parameters())
    base = [*parameters, *module.buffers(), *inputs]
    return tracker.step_memory(lambda: call(*inputs), parameters, base)


def saved(module, call, inputs):
    """Distinct storages that autograd or a context keeps, those of the model and of the inputs left out."""
    given = {t.untyped_storage()._cdata for t in [*module.parameters(), *module.buffers(), *inputs]}
    kept = []

    class Kept:
        pass

    def pack(t):
        holder = Kept()
        holder.tensor = t
        kept.append(tracker.weakref.ref(holder))
        return holder
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda holder: holder.tensor):
        outputs = call(*inputs)
        loss = tracker.float_sum(outputs)
    tensors = [r().tensor for r in kept if r() is not None] + call.held()
    found = {t.untyped_storage()._cdata: t.untyped_storage().nbytes() for t in tensors}
    total = sum(size for key, size in found.items() if key not in given)
    del outputs, loss
    return total


def row(program, regions, expected):
    result = {"regions": regions}
    try:
        module, _ = step(program, regions, trained)
    except RuntimeError as error:
        return result | {"refused": str(error).splitlines()[0][:100]}
    values = state(module)
    wrong = [name for name in expected if name not in values or not torch.allclose(values[name], expected[name], rtol=1e-4, atol=1e-6)]
    if wrong:
        return result | {"differs": wrong[:3]}
    _, (counter, figures) = step(program, regions, memory)
    for name in ("live_after_forward", "peak_forward", "peak_backward", "peak", "gradient_bytes"):
        result[name] = figures[name]
    for phase in ("forward", "backward"):
        result["flops_" + phase] = sum(counter.flops[phase].values())
    result["saved_bytes"] = step(program, regions, saved)[1]
    return result


# A kept norm, of which nothing in its region but the norm reads what an operator behind the region writes.
WRITTEN_BEHIND = {"convolutions": [
    [{"nodes": ["conv2d_1", "add__1", "batch_norm_1"], "kept": ["add__1", "batch_norm_1"]}],
    [{"nodes": ["relu", "conv2d_1", "add__1", "batch_norm_1"], "kept": ["add__1", "batch_norm_1"]},
     {"nodes": ["conv2d_2", "add__2", "batch_norm_2", "sigmoid"], "kept": ["add__2", "batch_norm_2"]}],
    [{"nodes": ["add_", "batch_norm", "relu", "conv2d_1", "add__1", "batch_norm_1"],
      "kept": ["add_", "batch_norm", "add__1", "batch_norm_1"]}],
]}


def main(count):
    os.makedirs(FOLDER, exist_ok=True)
    rows = []
    for name, model, example in programs():
        torch.manual_seed(0)
        path = os.path.join(FOLDER, name + ".pt2")
        if not os.path.exists(path):
            torch.export.save(torch.export.export(model, (example,)), path)
        loaded = torch.export.load(path)
        program = loaded.module(), loaded.example_inputs[0]
        names = [node.name for node in operators(program[0]) if not is_element(node)]
        expected = state(step(program, [], trained)[0])
        draw = random.Random(name)
        plans = [[], [{"nodes": names, "kept": []}]] + [random_plan(names, draw) for _ in range(count)]
        plans += WRITTEN_BEHIND.get(name, [])
        made = [{"file": f"oracle/recompute/{name}.pt2"} | row(program, plan, expected) for plan in plans]
        print(name, len(names), "operators:", sum("peak" in r for r in made), "run,", sum("refused" in r for r in made),
              "refused,", sum("differs" in r for r in made), "differ")
        rows += made
    with open(os.path.join(HERE, "recompute.json"), "w") as file:
        file.write('{"torch": "%s", "rows": [\n' % torch.__version__.split("+")[0])
        file.write(",\n".join(json.dumps(r) for r in rows) + "\n]}\n")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
