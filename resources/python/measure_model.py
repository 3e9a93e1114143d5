"""Times a model's operators and stages on this machine's device, for `stagecraft-cli ... --times FILE`.

usage: python measure_model.py MODEL.pt2 [PLAN.stagecraft] [-o times.json] [--device cuda|mps|cpu] [--threads N]
                               [--size SYMBOL=N ...] [--precision P] [--import LIBRARY ...] [--repeats N]

Needs PyTorch (2.6 or later) and nothing else. Run it on files that you trust: PyTorch reads them. Inputs are those of the
export; weights that the file lacks are random. Each operator runs alone, forward and backward, operators that are alike
once; weights come to the device as they are read, so that a model may be larger than its memory. Then each stage of the
plan, or the whole model, runs a training step of one microbatch, with its peak of memory where the device tells. What a
stage takes beyond its operators is spread over them evenly; where it takes less, they are scaled: their sum is the stage's.
A stage that does not fit is left out, and said.

--precision autocast-bf16 or autocast-fp16 runs forward passes under torch.autocast; bf16, fp16 and fp32 turn the model and its
inputs into that type, and types that the program asks for but where the line of code named one.

On a CPU one thread is used unless --threads says otherwise. On CUDA and ROCm, operators are timed by events on the device.
"""
import argparse
import contextlib
import importlib
import json
import sys
import time
import warnings
from collections import defaultdict
from operator import getitem
from pathlib import Path

try:
    import torch
    from torch.utils._pytree import tree_leaves, tree_map
except ImportError as failure:
    sys.exit(f"cannot import torch: {failure}")

FORMAT = 1
ENOUGH = 0.2  # seconds, for all repeats of one operator
PASSES = ("forward", "backward")
FLOATS = (torch.float32, torch.bfloat16, torch.float16)
PURE = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
AUTOCAST = {"autocast-bf16": torch.bfloat16, "autocast-fp16": torch.float16}
NAMED_TYPES = ("float32", "float16", "bfloat16", ".float()", ".half()", "torch.half")


def tensors_in(values):
    return [value for value in tree_leaves(values) if isinstance(value, torch.Tensor)]


class Device:
    def __init__(self, kind, threads, precision="exported"):
        self.kind, self.precision = kind, precision
        if kind == "cpu":
            torch.set_num_threads(threads)
        self.clock = time.thread_time if kind == "cpu" and threads == 1 else time.perf_counter

    def name(self):
        return torch.cuda.get_device_name() if self.kind == "cuda" else self.kind

    def autocast(self):
        """What forward passes run under."""
        lower = AUTOCAST.get(self.precision)
        return torch.autocast(self.kind, lower) if lower else contextlib.nullcontext()

    def typed(self, tensor):
        """In the one type of a pure precision."""
        pure = PURE.get(self.precision)
        if not pure or not isinstance(tensor, torch.Tensor) or tensor.dtype not in FLOATS:
            return tensor
        typed = tensor.detach().to(pure).requires_grad_(tensor.requires_grad)
        return torch.nn.Parameter(typed, tensor.requires_grad) if isinstance(tensor, torch.nn.Parameter) else typed

    def wait(self):
        if self.kind != "cpu":
            getattr(torch, self.kind).synchronize()

    def place(self, tensor):
        """As a leaf of its own; numbers that are small where the program has none."""
        if not tensor.is_meta:
            placed = tensor.detach().to(self.kind)
        elif tensor.is_floating_point():
            placed = torch.randn(tensor.shape, device=self.kind).mul_(0.02).to(tensor.dtype)
        else:
            placed = torch.zeros(tensor.shape, dtype=tensor.dtype, device=self.kind)
        return placed.requires_grad_(tensor.requires_grad)

    def place_all(self, values):
        return tree_map(lambda value: self.place(value) if isinstance(value, torch.Tensor) else value, values)

    def host_seconds(self, action):
        """With what the host takes to hand it over."""
        self.wait()
        start = self.clock()
        action()
        self.wait()
        return self.clock() - start

    def seconds(self, action):
        """Of the device alone, where it can tell."""
        if self.kind != "cuda":
            return self.host_seconds(action)
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda._sleep(2_000_000)  # some 1 ms: what follows queues up behind it
        start.record()
        action()
        end.record()
        torch.cuda.synchronize()
        return 1e-3 * start.elapsed_time(end)

    def forget_peak(self):
        """How much is there now; the peak counts from here."""
        if self.kind != "cuda":
            return None
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        return torch.cuda.memory_allocated()

    def peaks(self, before):
        if self.kind != "cuda":
            return {}
        return dict(peak_allocated_bytes=torch.cuda.max_memory_allocated() - before,
                    peak_reserved_bytes=torch.cuda.max_memory_reserved())


def typical(times):
    return sorted(times)[len(times) // 4]


def is_out_of_memory(failure):
    return isinstance(failure, (torch.OutOfMemoryError, MemoryError)) or "out of memory" in str(failure) \
        or "not enough memory" in str(failure)


# --------------------------------------------------------------------------------------------------------------- program


def resized(tensor, value, sizes):
    """With the sizes that were asked for; further rows are those there are, again."""
    for axis, size in enumerate(value.shape):
        wanted = sizes.get(str(size), tensor.shape[axis])
        if wanted != tensor.shape[axis]:
            tensor = tensor.index_select(axis, torch.arange(wanted, device=tensor.device) % tensor.shape[axis])
    return tensor


def load(path):
    try:
        return torch.export.load(path)
    except Exception as failure:  # whatever is wrong with a file
        sys.exit(f"{path}: PyTorch {torch.__version__} cannot read it: {str(failure).strip()}\n"
                 "(a library that brings operators of its own is named by --import)")


class Program:
    """The operators of a model, by the names that Stagecraft knows them by, and what they read first."""

    def __init__(self, path, device, sizes):
        exported = load(path)
        if exported.example_inputs is None:
            sys.exit(f"{path}: holds no inputs to run it with; export it again with torch.export")
        self.device = device
        self.module = exported.module()
        self.graph = self.module.graph
        self.nodes = [node for node in self.graph.nodes if node.op == "call_function"]
        self.given = {}  # what no operator makes: inputs, weights and graphs of their own
        placeholders = [node for node in self.graph.nodes if node.op == "placeholder"]
        for node, tensor in zip(placeholders, tree_leaves(exported.example_inputs)):
            value = node.meta.get("val")
            self.given[node.name] = resized(tensor, value, sizes) if isinstance(value, torch.Tensor) else tensor
            self.given[node.name] = device.typed(self.given[node.name])
        self.check_sizes(path, placeholders, sizes)
        self.inputs = {node.name: list(self.given[node.name].shape) for node in placeholders
                       if isinstance(self.given[node.name], torch.Tensor)}
        for node in self.graph.nodes:
            if node.op == "get_attr":
                self.given[node.name] = self.attribute(node.target)
        for part in self.module.modules():
            if isinstance(part, torch.fx.GraphModule):
                name_device(part, device.kind)
                if device.precision != "exported":
                    assert_no_type(part)
                if device.precision in PURE:
                    name_type(part, PURE[device.precision])

    @staticmethod
    def check_sizes(path, placeholders, sizes):
        values = [node.meta.get("val") for node in placeholders]
        known = {str(size) for value in values if isinstance(value, torch.Tensor) for size in value.shape
                 if isinstance(size, torch.SymInt)}
        for symbol in sizes.keys() - known:
            sys.exit(f"--size {symbol}: {path} has no input of that size" + (f"; it has {', '.join(sorted(known))}" if known else ""))

    def attribute(self, target):
        found = self.module
        for name in target.split("."):
            found = getattr(found, name)
        is_buffer = isinstance(found, torch.Tensor) and not isinstance(found, torch.nn.Parameter)
        return self.device.typed(found.detach() if is_buffer else found)

    def is_module(self, node):
        return isinstance(self.given.get(node.name), torch.nn.Module)


def name_device(part, kind):
    """Where the program itself names the device that it was exported on."""
    moved = lambda value: torch.device(kind) if isinstance(value, torch.device) else value  # noqa: E731
    for node in part.graph.nodes:
        node.args, node.kwargs = tree_map(moved, node.args), tree_map(moved, node.kwargs)
        if node.target is torch.ops.aten._assert_tensor_metadata.default:
            node.kwargs = {**node.kwargs, "device": None}
    part.recompile()


def assert_no_type(part):
    """Of tensors whose type is that of the export no longer."""
    for node in part.graph.nodes:
        if node.target is torch.ops.aten._assert_tensor_metadata.default:
            node.args, node.kwargs = node.args[:3], {**node.kwargs, "dtype": None}
    part.recompile()


def name_type(part, pure):
    """Types that the export wrote into the program, but where the person who wrote the line named one."""
    for node in part.graph.nodes:
        schema = getattr(node.target, "_schema", None)
        line = (node.meta.get("stack_trace") or "").strip().splitlines()[-1:] or [""]
        if schema is None or any(name in line[0] for name in NAMED_TYPES):
            continue
        kept = lambda value: pure if value in FLOATS else value  # noqa: E731
        names = [argument.name for argument in schema.arguments]
        node.args = tuple(kept(value) if names[i] == "dtype" and isinstance(value, torch.dtype) else value
                          for i, value in enumerate(node.args))
        node.kwargs = {name: kept(value) if name == "dtype" and isinstance(value, torch.dtype) else value
                       for name, value in node.kwargs.items()}
    part.recompile()


# ------------------------------------------------------------------------------------------------------------- operators


def written(operator):
    """Positions and names of the arguments that it writes to."""
    arguments = operator._schema.arguments
    is_written = [argument.alias_info is not None and argument.alias_info.is_write for argument in arguments]
    return {i for i, writes in enumerate(is_written) if writes} | {a.name for a, writes in zip(arguments, is_written) if writes}


def own(operator, args, kwargs):
    """With copies of what it writes to, which others read."""
    keys = written(operator)
    copy = lambda value: tree_map(lambda x: x.clone() if isinstance(x, torch.Tensor) else x, value)  # noqa: E731
    return (tuple(copy(value) if i in keys else value for i, value in enumerate(args)),
            {name: copy(value) if name in keys else value for name, value in kwargs.items()})


def likeness(operator, args, kwargs):
    """What its time depends on."""
    leaf = lambda x: (tuple(x.shape), x.stride(), x.dtype, x.requires_grad) if isinstance(x, torch.Tensor) else repr(x)  # noqa: E731
    return operator, repr(tree_map(leaf, (args, kwargs)))


class OperatorTimes:
    def __init__(self, device, repeats):
        self.device, self.repeats, self.known = device, repeats, {}
        x = torch.ones(1, device=device.kind, requires_grad=True)
        self.start = typical([self.backward_once(torch.ops.aten.view.default, (x, [1]), {}) for _ in range(20)])

    def of(self, operator, args, kwargs):
        key = likeness(operator, args, kwargs)
        if key not in self.known:
            self.known[key] = dict(forward=self.repeated(lambda: self.forward_once(operator, args, kwargs)),
                                   backward=self.backward(operator, args, kwargs))
        return dict(self.known[key])

    def repeated(self, measure):
        measure()
        times = []
        while len(times) < self.repeats and sum(times) < ENOUGH:
            times.append(measure())
        return typical(times)

    def forward_once(self, operator, args, kwargs):
        args, kwargs = own(operator, args, kwargs)
        with self.device.autocast():
            return self.device.seconds(lambda: operator(*args, **kwargs))

    def backward_once(self, operator, args, kwargs):
        leaves = [x for x in tensors_in((args, kwargs)) if x.requires_grad]
        args, kwargs = own(operator, args, kwargs)
        with self.device.autocast():
            outputs = [x for x in tensors_in(operator(*args, **kwargs)) if x.requires_grad]
        if not leaves or not outputs:
            return None
        gradients = [torch.ones_like(x) for x in outputs]
        return self.device.seconds(lambda: torch.autograd.grad(outputs, leaves, gradients, allow_unused=True))

    def backward(self, operator, args, kwargs):
        """Less what starting any backward pass takes."""
        if self.backward_once(operator, args, kwargs) is None:
            return 0.0
        return max(self.repeated(lambda: self.backward_once(operator, args, kwargs)) - self.start, 0.0)


class Walk(torch.fx.Interpreter):
    """Runs the model operator by operator, each on leaves, and times it on the way."""

    def __init__(self, program, device, timer):
        super().__init__(program.module)
        self.given, self.device, self.timer = program.given, device, timer
        self.nodes, self.untimed, self.kept = {}, defaultdict(list), {}
        self.say = Progress(len(program.nodes))

    def keep(self, names):
        """Values that stages receive are kept, on the host."""
        self.kept = dict.fromkeys(names)

    def run_node(self, node):
        if node.op == "call_module":  # _guards_fn checks inputs and makes nothing
            return None
        if node.op == "get_attr":
            return self.given[node.name]
        if node.op != "call_function":
            return super().run_node(node)
        args, kwargs = self.device.place_all(self.fetch_args_kwargs_from_env(node))
        if isinstance(node.target, torch._ops.OpOverload):
            try:
                self.nodes[node.name] = self.timer.of(node.target, args, kwargs)
            except Exception as failure:
                if not is_out_of_memory(failure):
                    raise RuntimeError(f"{node.name} ({node.target}): {failure}") from failure
                self.untimed["out of memory"].append(node.name)
            args, kwargs = own(node.target, args, kwargs)
        elif node.target is not getitem and tensors_in((args, kwargs)):
            self.untimed["no operator of its own"].append(node.name)
        with self.device.autocast():
            result = tree_map(self.leaf, node.target(*args, **kwargs))
        if node.name in self.kept:
            self.kept[node.name] = tree_map(
                lambda x: x.detach().cpu().requires_grad_(x.requires_grad) if isinstance(x, torch.Tensor) else x, result)
        self.say()
        return result

    @staticmethod
    def leaf(value):
        return value.detach().requires_grad_(value.requires_grad) if isinstance(value, torch.Tensor) else value


class Progress:
    def __init__(self, total):
        self.total, self.done, self.last = total, 0, time.monotonic()

    def __call__(self):
        self.done += 1
        if time.monotonic() - self.last > 2:
            self.last = time.monotonic()
            print(f"{self.done} of {self.total} operators", file=sys.stderr, flush=True)


# ---------------------------------------------------------------------------------------------------------------- stages


def homes_of(path, program):
    """The stage of each node; of those that the plan does not know, the latest of what they read."""
    if path is None:
        return dict.fromkeys((node.name for node in program.nodes), 0)
    try:
        planned = json.loads(path.read_text())["nodes"]
        planned = {str(name): int(stage) for name, stage in planned.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as failure:
        sys.exit(f"{path}: is no plan of Stagecraft ({failure})")
    strangers = planned.keys() - {node.name for node in program.nodes}
    if strangers:
        sys.exit(f"{path}: is a plan of another model: this one has no '{min(strangers)}'")
    homes = {}
    for node in program.nodes:
        least = max((homes.get(source.name, 0) for source in node.all_input_nodes), default=0)
        homes[node.name] = planned.get(node.name, least)
        if homes[node.name] < least:
            sys.exit(f"{path}: '{node.name}' is in stage {homes[node.name] + 1}, and reads what stage {least + 1} makes")
    return homes


class Stage:
    """Some of a program's operators as a module of their own."""

    def __init__(self, program, homes, number):
        self.number, self.program = number, program
        self.nodes = [node for node in program.nodes if homes[node.name] == number]
        mine = set(self.nodes)
        read = dict.fromkeys(source for node in self.nodes for source in node.all_input_nodes if source not in mine)
        self.received = [source for source in read if not program.is_module(source)]
        self.made = [node for node in self.nodes if any(user not in mine for user in node.users)]
        graph, copies = torch.fx.Graph(), {}
        for source in self.received:
            copies[source] = graph.placeholder(source.name)
        for source in read.keys() - set(self.received):
            copies[source] = graph.get_attr(source.target)
        for node in self.nodes:
            copies[node] = graph.node_copy(node, copies.__getitem__)
        graph.output(tuple(copies[node] for node in self.made))
        self.module = torch.fx.GraphModule(program.module, graph)

    def values(self, kept):
        given = self.program.given
        return [given[source.name] if source.name in given else kept[source.name] for source in self.received]

    def step(self, values, device):
        """What its two passes take."""
        for value in tensors_in(values):
            value.grad = None
        made = []
        # No operator writes to a leaf that needs a gradient.
        own_values = [x.view_as(x) if isinstance(x, torch.Tensor) and x.requires_grad else x for x in values]
        with device.autocast():
            forward = device.host_seconds(lambda: made.extend(tensors_in(self.module(*own_values))))
        made = [x for x in made if x.requires_grad]
        gradients = [torch.ones_like(x) for x in made]
        backward = device.host_seconds(lambda: torch.autograd.backward(made, gradients)) if made else 0.0
        return forward, backward

    def measure(self, kept, device, repeats):
        before = device.forget_peak()
        values = device.place_all(self.values(kept))
        times = [self.step(values, device) for _ in range(repeats + 1)][1:]
        return dict(zip(PASSES, map(typical, zip(*times)))) | device.peaks(before)


def share_out(stage, taken, times):
    """The operators of a stage take together what it takes."""
    names = [node.name for node in stage.nodes if node.name in times]
    for key in PASSES:
        alone = sum(times[name][key] for name in names)
        running = [name for name in names if times[name][key] > 0]
        if not running or taken[key] <= 0:
            continue
        for name in running:
            times[name][key] = times[name][key] * taken[key] / alone if taken[key] < alone \
                else times[name][key] + (taken[key] - alone) / len(running)


def measure(given, device):
    program = Program(given.model, device, dict(given.size))
    homes = homes_of(given.plan, program)
    stages = [Stage(program, homes, number) for number in sorted(set(homes.values()))]
    walk = Walk(program, device, OperatorTimes(device, given.repeats))
    walk.keep({source.name for stage in stages for source in stage.received} - program.given.keys())
    walk.run(*(program.given[node.name] for node in program.graph.nodes if node.op == "placeholder"), enable_io_processing=False)
    walk.env.clear()
    result = dict(format=FORMAT, torch=torch.__version__, device=device.name(), precision=device.precision, inputs=program.inputs,
                  stages={}, nodes=walk.nodes)
    notes = [f"{len(names)} operators are not timed ({why}): {', '.join(names[:5])}" for why, names in walk.untimed.items()]
    for stage in stages:
        try:
            taken = stage.measure(walk.kept, device, max(given.repeats, 3))
        except Exception as failure:
            if not is_out_of_memory(failure):
                raise
            notes.append(f"stage {stage.number + 1} does not fit on the device: its operators are timed alone")
            continue
        share_out(stage, taken, walk.nodes)
        result["stages"][str(stage.number)] = taken
    return result, notes


# --------------------------------------------------------------------------------------------------------------- command


def default_device():
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def named_size(text):
    symbol, _, size = text.partition("=")
    if not symbol or not size.isdigit() or int(size) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not SYMBOL=SIZE, as in s0=8")
    return symbol, int(size)


def command():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("plan", type=Path, nargs="?")
    parser.add_argument("-o", "--output", type=Path, default=Path("times.json"))
    parser.add_argument("--device", choices=("cuda", "mps", "cpu"), default=default_device())
    parser.add_argument("--threads", type=int, default=1, help="that operators may use on a CPU")
    parser.add_argument("--size", type=named_size, action="append", default=[], help="of an input that may vary, as in s0=8")
    parser.add_argument("--precision", choices=("exported", *AUTOCAST, *PURE), default="exported",
                        help="the type in which the step computes, as of `stagecraft-cli profile`")
    parser.add_argument("--import", dest="libraries", action="append", default=[], help="a library with operators of its own")
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    if given.repeats < 1 or given.threads < 1:
        parser.error("--repeats and --threads are 1 or more")
    if not given.model.is_file():
        sys.exit(f"{given.model}: there is no such file")
    if given.output.resolve() in {path.resolve() for path in (given.model, given.plan) if path}:
        sys.exit(f"-o {given.output}: would be written over what is read")
    if given.output.is_dir() or not given.output.parent.is_dir():
        sys.exit(f"-o {given.output}: names no file in a folder that there is")
    return given


def say(result, notes):
    for note in notes:
        print(note)
    for name, taken in result["stages"].items():
        peak = taken.get("peak_allocated_bytes")
        print(f"stage {int(name) + 1}: {1e3 * taken['forward']:.3f} ms forward, {1e3 * taken['backward']:.3f} ms backward"
              + (f", {peak / 2**20:.1f} MiB at its peak" if peak is not None else ""))


def main():
    given = command()
    warnings.filterwarnings("ignore")
    torch.manual_seed(0)
    for library in given.libraries:
        try:
            importlib.import_module(library)
        except ImportError as failure:
            sys.exit(f"--import {library}: {failure}")
    try:
        result, notes = measure(given, Device(given.device, given.threads, given.precision))
    except (RuntimeError, MemoryError) as failure:  # an operator does not run, or weights do not fit
        sys.exit(f"{given.model}: " + " ".join(str(failure).split()))
    partial = given.output.with_name(given.output.name + ".partial")
    partial.write_text(json.dumps(result, indent=1))
    partial.replace(given.output)
    say(result, notes)
    print(f"{len(result['nodes'])} operators; written to {given.output}: read it with --times {given.output}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print("stopped: nothing is written", file=sys.stderr)
        sys.exit(130)
