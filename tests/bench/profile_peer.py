"""profile_peer.py MODEL.pt2: one training step on the meta device under Python's own counters, best of 3, in milliseconds."""
import sys
import time

import torch
from torch.utils._pytree import tree_leaves, tree_map
from torch.utils.flop_counter import FlopCounterMode


def replace(module, name, tensor):
    owner, _, last = name.rpartition(".")
    owner = module.get_submodule(owner)
    (owner._parameters if last in owner._parameters else owner._buffers)[last] = tensor


def on_meta(path):
    program = torch.export.load(path)
    module = program.module()
    to_meta = lambda a: torch.device("meta") if isinstance(a, torch.device) else a  # noqa: E731
    for node in module.graph.nodes:
        node.args, node.kwargs = tree_map(to_meta, node.args), tree_map(to_meta, dict(node.kwargs))
    module.recompile()
    for name, parameter in list(module.named_parameters(remove_duplicate=False)):
        replace(module, name, torch.nn.Parameter(torch.empty_like(parameter, device="meta")))
    for name, buffer in list(module.named_buffers(remove_duplicate=False)):
        replace(module, name, torch.empty_like(buffer, device="meta", requires_grad=False))
    inputs = [node.meta["val"] for node in program.graph.nodes
              if node.op == "placeholder" and node.name in program.graph_signature.user_inputs]
    return module, [torch.empty_like(x, device="meta") for x in inputs]


def step(module, inputs):
    loss = sum(t.sum() for t in tree_leaves(module(*inputs)) if torch.is_tensor(t) and t.requires_grad)
    loss.backward()
    module.zero_grad()


def best(make_mode, module, inputs):
    times = []
    for _ in range(3):
        mode = make_mode()
        start = time.perf_counter()
        with mode:
            step(module, inputs)
        times.append(1e3 * (time.perf_counter() - start))
    return min(times)


def mem_tracker(module):
    from torch.distributed._tools.mem_tracker import MemTracker
    tracker = MemTracker()
    tracker.track_external(module)
    return tracker


if __name__ == "__main__":
    module, inputs = on_meta(sys.argv[1])
    print("flop_counter", best(lambda: FlopCounterMode(display=False), module, inputs), end=" ")
    try:
        print("mem_tracker", best(lambda: mem_tracker(module), module, inputs))
    except Exception:  # it refuses some modules
        print()
