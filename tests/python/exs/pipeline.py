"""Runs the stages in this folder. Written by Stagecraft; needs PyTorch alone.

    from pipeline import build_stage
    stage = build_stage(0)                # a torch.nn.Module with its weights

    torchrun --nproc-per-node 2 pipeline.py --schedule 1f1b --microbatches 4

The second runs one training step (forward, backward, gradients of shared parameters added up) with
torch.distributed.pipelining, one process for each stage; with fewer processes each runs several stages
(--schedule interleaved). Each microbatch has the batch size that the model was exported with: shapes in the
stages are fixed, so a step sees MICROBATCHES times that many samples.

The loss is the mean over microbatches of the output that manifest.json calls "loss_output". Where it names none,
the step goes back from the sum of all floating-point outputs: that tests the stages, and trains nothing.

Each process takes the accelerator with the number of its LOCAL_RANK, or the CPU where PyTorch sees none.
"""
import argparse
import ast
import functools
import importlib.util
import inspect
import json
import operator
import os
import pathlib
import struct
import sys
import zlib

import torch
from torch.autograd.graph import GradientEdge, get_gradient_edge

FOLDER = pathlib.Path(__file__).resolve().parent


# ---------------------------------------------------------------- stages
def read_manifest():
    return json.loads((FOLDER / "manifest.json").read_text())


def build_stage(index, device="cpu"):
    """The module of one stage, with its weights, on `device` ("meta": shapes alone)."""
    entry = read_manifest()["stages"][index]
    name = "stage_%d" % index
    spec = importlib.util.spec_from_file_location(name, FOLDER / entry["code"])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    stage = getattr(module, entry["class"])(device)
    if torch.device(device).type == "meta":
        return stage
    tensors = dict(stage.named_parameters(remove_duplicate=False))
    tensors.update(stage.named_buffers(remove_duplicate=False))
    if entry["weights"]:
        for path, value in read_safetensors(FOLDER / entry["weights"]):
            fill(tensors[path], value)
    else:  # exported from a model without weights; tied ones under the name that every stage lists
        for path in entry["parameters"] + entry["buffers"] + entry["constants"]:
            fill(tensors[path], make_up(path, tensors[path]))
    return stage


def fill(tensor, value):
    """Copies, also to a tensor whose elements share memory: an expanded one, overlapping windows."""
    if tensor.shape != value.shape:
        raise ValueError("a tensor of size %s for one of size %s" % (tuple(value.shape), tuple(tensor.shape)))
    once, given = tensor, value
    for dimension, stride in enumerate(tensor.stride()):
        if not stride and tensor.shape[dimension] > 1:
            once, given = once.narrow(dimension, 0, 1), given.narrow(dimension, 0, 1)
    with torch.no_grad():
        try:
            once.copy_(given)
        except RuntimeError:  # windows, of which each alone does not overlap
            for window, numbers in zip(once, given):
                fill(window, numbers)
    return tensor


def laid_out(tensor, strides):
    """The same numbers with the strides that the model was exported with: what is made of an input may rely on them."""
    if strides is None or tensor.stride() == tuple(strides):
        return tensor
    empty = torch.empty_strided(tensor.shape, strides, dtype=tensor.dtype, device=tensor.device)
    return empty if tensor.is_meta else fill(empty, tensor)


def make_up(path, tensor):
    """Random numbers of a size that keeps a deep model finite; the same for every copy of a tensor."""
    if not (tensor.is_floating_point() or tensor.is_complex()):
        return torch.zeros(tensor.shape, dtype=tensor.dtype)
    is_scale = tensor.dim() <= 1 and not path.endswith(("bias", "running_mean"))
    generator = torch.Generator().manual_seed(zlib.crc32(path.encode()))
    numbers = torch.randn(tensor.shape, generator=generator) * 0.02 + (1.0 if is_scale else 0.0)
    return numbers.to(tensor.dtype)


DTYPES = {"BOOL": torch.bool, "U8": torch.uint8, "I8": torch.int8, "I16": torch.int16, "I32": torch.int32,
          "I64": torch.int64, "F16": torch.float16, "BF16": torch.bfloat16, "F32": torch.float32,
          "F64": torch.float64, "C64": torch.complex64}
PAIRED = ("complex32", "complex128")  # stored as pairs of real numbers
for _key, _name in (("U16", "uint16"), ("U32", "uint32"), ("U64", "uint64"), ("F8_E4M3", "float8_e4m3fn"),
                    ("F8_E5M2", "float8_e5m2"), ("F8_E8M0", "float8_e8m0fnu")):
    if hasattr(torch, _name):
        DTYPES[_key] = getattr(torch, _name)


def read_safetensors(path):
    """Yields (name, tensor), one in memory at a time."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        start = 8 + length
        unnamed = json.loads(header.get("__metadata__", {}).get("stagecraft.dtypes", "{}"))
        for name, entry in header.items():
            if name == "__metadata__":
                continue
            begin, end = entry["data_offsets"]
            file.seek(start + begin)
            data = bytearray(file.read(end - begin))
            dtype = DTYPES[entry["dtype"]]
            tensor = torch.frombuffer(data, dtype=dtype) if data else torch.empty(0, dtype=dtype)
            tensor = tensor.reshape(entry["shape"])
            if name in unnamed:
                tensor = torch.view_as_complex(tensor) if unnamed[name] in PAIRED else \
                    tensor.view(getattr(torch, unnamed[name]))
            yield name, tensor


# ---------------------------------------------------------------- inputs
def bounded(number):
    if not isinstance(number, int) or abs(number) >= 1 << 63:
        raise ValueError("it is no number of 64 bits")
    return number


def power(base, exponent):
    if exponent < 0 or (abs(base) > 1 and exponent > 63):
        raise ValueError("it is no number of 64 bits")
    return base ** (exponent if abs(base) > 1 else min(exponent, 2 + exponent % 2))


OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
              ast.Mod: operator.mod, ast.Pow: power}
FUNCTIONS = {"Max": max, "Min": min, "CeilDiv": lambda a, b: -(-a // b), "PythonMod": operator.mod}


def size_of(size, symbols):
    """A number, or an expression of symbols such as 2*s0 + 1; symbols without a value are 2."""
    if isinstance(size, int):
        return size

    def value(node):
        if isinstance(node, ast.Constant):
            return bounded(node.value)
        if isinstance(node, ast.Name):
            return 2 if symbols[node.id] is None else symbols[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        if isinstance(node, ast.BinOp):
            return bounded(OPERATIONS[type(node.op)](value(node.left), value(node.right)))
        if isinstance(node, ast.Call) and node.func.id == "opaque":  # as text, and the number it was at the export
            return value(node.args[1])
        if isinstance(node, ast.Call):
            return bounded(FUNCTIONS[node.func.id](*map(value, node.args)))
        raise ValueError("it is no arithmetic")
    try:
        return value(ast.parse(size, mode="eval").body)
    except (SyntaxError, ValueError, LookupError, ArithmeticError, AttributeError, TypeError, RecursionError,
            MemoryError) as failure:
        raise ValueError("manifest.json: the size %.100r cannot be worked out (%.80s)" % (size, failure)) from None


def make_inputs(manifest, generator, device="cpu"):
    """One microbatch of random inputs, by name."""
    model, inputs = manifest["model"], {}
    for entry in model["inputs"]:
        if entry["dtype"] is None:
            inputs[entry["name"]] = 2
            continue
        shape = [size_of(size, model["symbols"]) for size in entry["shape"]]
        dtype = getattr(torch, entry["dtype"])
        if dtype.is_floating_point or dtype.is_complex:
            value = torch.randn(shape, generator=generator).to(dtype)
        elif "below" in entry:
            value = torch.randint(0, max(entry["below"], 1), shape, generator=generator).to(dtype)
        else:
            value = torch.ones(shape, dtype=dtype)
        inputs[entry["name"]] = laid_out(value, entry.get("strides")).to(device)
    return inputs


def call_arguments(manifest, inputs):
    """(args, kwargs) of the model, and so of stage 0, from its inputs by name."""
    def hashable(key):
        return tuple(map(hashable, key)) if isinstance(key, list) else key

    def build(node):
        ((kind, content),) = node.items()
        if kind == "input":
            return inputs[content]
        if kind == "dict":
            return {key: build(child) for key, child in content.items()}
        if kind == "items":
            return {hashable(key): build(child) for key, child in content}
        if kind == "literal":
            return content
        return (list if kind == "list" else tuple)(build(child) for child in content)
    model = manifest["model"]
    return (tuple(build(node) for node in model["arguments"]),
            {key: build(node) for key, node in model["keyword_arguments"].items()})


def loss_of(outputs, manifest):
    """The sum of the model's loss output if it has one, else of all floating-point outputs that need a gradient."""
    leaves = torch.utils._pytree.tree_leaves(outputs)
    chosen = manifest["model"].get("loss_output")
    if chosen is not None:
        return leaves[chosen].sum()
    tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
    floats = [leaf for leaf in tensors if leaf.is_floating_point()]
    parts = [leaf.sum(dtype=torch.promote_types(leaf.dtype, torch.float32))
             for leaf in [leaf for leaf in floats if leaf.requires_grad] or floats]
    return sum(parts) if parts else torch.zeros((), device=tensors[0].device if tensors else None)


# ---------------------------------------------------------------- gradients
def sendable(tensor):
    """Row-major, and with a conjugate or a sign that PyTorch put off computed."""
    return tensor.contiguous().resolve_conj().resolve_neg()


def roots_of(outputs, gradients):
    """(edge of the graph, gradient) of each output that has one; without gradients: of the loss."""
    roots = []
    for index, output in enumerate(outputs):
        gradient = torch.ones_like(output) if gradients is None else gradients[index]
        if isinstance(output, torch.Tensor):  # PyTorch 2.15 hands over the edges of outputs that it let go
            output = get_gradient_edge(output) if output.requires_grad else None
        if output is not None and gradient is not None:
            roots.append((output, gradient))
    return roots


def run_backward(roots, **options):
    if roots:
        torch.autograd.backward([edge for edge, _ in roots], [gradient for _, gradient in roots], **options)


def take_gradients(inputs):
    """What a backward pass left for the inputs of a stage, fit to be sent."""
    taken = []
    for tensor in inputs:
        gradient = tensor.grad if isinstance(tensor, torch.Tensor) else None
        taken.append(None if gradient is None else sendable(gradient))
        if gradient is not None:
            tensor.grad = None
    return tuple(taken)


def graph_order(roots):
    """The nodes of an autograd graph, each before those that its gradients flow to."""
    done, seen, stack = [], set(), [(edge.node, False) for edge, _ in roots]
    while stack:
        node, is_done = stack.pop()
        if is_done:
            done.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((child, False) for child, _ in node.next_functions if child is not None)
    return done[::-1]


def sources_outside(order, between):
    """Of nodes that gradients reach from those `between`: the one they come from last, None where they are several."""
    sources = {}
    for node in order:
        if node in between or node in sources:
            source = node if node in between else sources[node]
            for child, _ in node.next_functions:
                if child is not None and child not in between:
                    sources[child] = source if sources.get(child, source) is source else None
    return sources


class SplitBackward:
    """The backward pass of a stage and microbatch in two parts: the gradients of its inputs, later those of weights.

    PyTorch's own parts lose the gradients of what no input leads to (layers behind frozen ones, a tower that begins
    in this stage, values of weights alone) and may count twice those of weights that are read twice. Here the
    operators between outputs and inputs run once, in the first part. A weight behind one of them waits: its gradient
    follows from what flowed into that operator, which is kept. A weight behind several has its gradient at once;
    so has every weight where regions are computed again, as a second part would do that again. Outputs that no
    input leads to wait as a whole.
    """

    def __init__(self, outputs, gradients, inputs, recomputes):
        roots = roots_of(outputs, gradients)
        order = graph_order(roots)
        leaves = {get_gradient_edge(tensor).node: tensor for tensor in inputs
                  if isinstance(tensor, torch.Tensor) and tensor.requires_grad}
        between = set()
        for node in reversed(order):
            if node in leaves or any(child in between for child, _ in node.next_functions):
                between.add(node)
        now, waiting = [leaf for node, leaf in leaves.items() if node in between], {}
        for node, source in sources_outside(order, between).items():
            if not node.next_functions and hasattr(node, "variable"):
                is_now = recomputes or source is None
                (now if is_now else waiting.setdefault(source, [])).append(node.variable)
        flowed = {}
        hooks = [node.register_prehook(functools.partial(flowed.__setitem__, node)) for node in waiting]
        try:
            run_backward([root for root in roots if root[0].node in between], retain_graph=True, inputs=now)
        finally:
            for hook in hooks:
                hook.remove()
        self.parts = [([(GradientEdge(node, i), gradient) for i, gradient in enumerate(flowed.get(node, ()))
                        if gradient is not None], weights) for node, weights in waiting.items()]
        self.parts.append(([root for root in roots if root[0].node not in between], None))
        # Nodes of Python functions do not keep their graph alive.
        self.graph = roots if any(isinstance(node, torch._C._FunctionBase) for node in waiting) else None

    def finish(self):
        """Adds to the gradients of the weights that waited."""
        while self.parts:
            roots, weights = self.parts.pop()
            run_backward(roots, retain_graph=True, inputs=weights)


class WholeGradients:
    """Mixed into PipelineStage: its backward passes are those above."""

    def backward_maybe_with_nosync(self, backward_type, bwd_kwargs, last_backward=False):
        if backward_type == "weight":
            bwd_kwargs["param_groups"].finish()
            return (), None
        outputs, inputs = bwd_kwargs["stage_output"], bwd_kwargs["input_values"]
        outputs = (outputs,) if isinstance(outputs, torch.Tensor) else outputs
        gradients, split = bwd_kwargs["output_grads"], None
        if backward_type == "full":
            run_backward(roots_of(outputs, gradients))
        else:
            split = SplitBackward(outputs, gradients, inputs, self.submod.entry.get("recomputes", False))
            bwd_kwargs.update(stage_output=(), output_grads=None)  # the second part needs neither
        if gradients is None:
            for loss in outputs:
                loss.detach_()  # schedules hold losses to the end of a step, and they their graphs
        return take_gradients(inputs), split


# ---------------------------------------------------------------- running
class Chunked(torch.nn.Module):
    """A stage as a schedule calls it: tensors in, a tuple of contiguous tensors or the loss out.

    A schedule cuts every tensor along its first dimension, so tensors without one come with one of size 1. It has
    keywords of its own ("target"), so those of the model come with a prefix.
    """

    PREFIX = "model_input_"

    def __init__(self, stage, manifest, index, numbers):
        super().__init__()
        self.stage, self.manifest, self.numbers = stage, manifest, numbers
        self.entry, self.sizes = manifest["stages"][index], None
        self.is_first, self.is_last = index == 0, index + 1 == len(manifest["stages"])

    def positional_names(self):
        """What the schedule hands over by position: the model's inputs, or what the stage before returns."""
        if self.is_first:
            return [i["name"] for i in self.manifest["model"]["inputs"] if i["dtype"] is not None]
        return [i["name"] for i in self.entry["inputs"] if i["source"] == "previous"]

    def keyword_names(self):
        if self.is_first:
            return []
        return [i["name"] for i in self.entry["inputs"] if i["source"] == "model" and i["dtype"] is not None]

    def shaped(self, name, tensor):
        (entry,) = (entry for entry in self.manifest["model"]["inputs"] if entry["name"] == name)
        return laid_out(tensor.reshape(()) if entry["shape"] == [] else tensor, entry.get("strides"))

    def forward(self, *tensors, **named):
        if self.is_first:
            inputs = {n: self.shaped(n, t) for n, t in zip(self.positional_names(), tensors)}
            inputs.update(self.numbers)
            args, kwargs = call_arguments(self.manifest, inputs)
        else:
            args = tensors[:len(self.positional_names())]
            named = {key[len(self.PREFIX):]: tensor for key, tensor in named.items()}
            wanted = {i["name"] for i in self.entry["inputs"]}  # a process hands all its stages the same keywords
            kwargs = {n: self.shaped(n, t) for n, t in named.items() if n in wanted}
            kwargs.update({n: v for n, v in self.numbers.items() if n in wanted})
        outputs = self.stage(*args, **kwargs)
        if self.is_last:
            return torch.stack([loss_of(outputs, self.manifest)])
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        if not outputs:  # nothing crosses this boundary, but a schedule must send something
            return torch.zeros(1, device=self.stage_device())
        self.check_sizes(outputs)
        # The next microbatch may write to a buffer while it is still being sent.
        own = {tensor.untyped_storage().data_ptr() for tensor in (*self.stage.parameters(), *self.stage.buffers())}
        return tuple(output.clone() if output.untyped_storage().data_ptr() in own else output
                     for output in map(sendable, outputs))

    def check_sizes(self, outputs):
        """Schedules receive what has another size than before as if it had the same."""
        sizes = [list(output.shape) for output in outputs]
        if self.sizes not in (None, sizes):
            raise RuntimeError("stage %d returns sizes %s, and returned %s before: sizes that depend on the data cannot be "
                               "sent from stage to stage; cut elsewhere" % (self.entry["index"], sizes, self.sizes))
        self.sizes = sizes

    def stage_device(self):
        return self.stage.device


def described(tensors, with_gradient):
    return tuple(tensor.detach().requires_grad_(has) for tensor, has in zip(tensors, with_gradient))


def stage_shapes(manifest, numbers, microbatch):
    """What each stage takes and returns, as meta tensors that require gradients where the loss gives them one.

    (None, None) for each where that depends on the data.
    """
    runs, passed = [], None
    for index in range(len(manifest["stages"])):
        runner = Chunked(build_stage(index, "meta"), manifest, index, numbers)
        if index == 0:
            passed = tuple(microbatch[n].to("meta") for n in runner.positional_names())
        try:
            outputs = runner(*passed, **{Chunked.PREFIX + n: microbatch[n].to("meta") for n in runner.keyword_names()})
        except Exception:
            return [(None, None)] * len(manifest["stages"])
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        runs.append((passed, outputs))
        passed = described(outputs, [output.requires_grad for output in outputs])
    # Zeros sent back for what the loss does not depend on would make gradients where the whole model has none.
    shapes, has_gradient = [], [output.requires_grad for output in runs[-1][1]]
    for passed, outputs in reversed(runs):
        reached = set(graph_order(roots_of(outputs, [has or None for has in has_gradient])))
        takes_gradient = [tensor.requires_grad and get_gradient_edge(tensor).node in reached for tensor in passed]
        shapes.append((described(passed, takes_gradient), described(outputs, has_gradient)))
        has_gradient = takes_gradient
    return shapes[::-1]


SCHEDULES = {"gpipe": "ScheduleGPipe", "1f1b": "Schedule1F1B", "interleaved": "ScheduleInterleaved1F1B",
             "looped-bfs": "ScheduleLoopedBFS", "zero-bubble": "ScheduleInterleavedZeroBubble",
             "zbv": "ScheduleZBVZeroBubble"}
ONE_STAGE_A_RANK = ("gpipe", "1f1b")


def make_schedule(name, stages, microbatches, loss_fn):
    from torch.distributed import pipelining
    kind = getattr(pipelining, SCHEDULES[name])
    options = {"loss_fn": loss_fn}
    if "scale_grads" in inspect.signature(kind.__init__).parameters:
        options["scale_grads"] = False  # the loss is scaled instead, in every version alike
    return kind(stages[0] if name in ONE_STAGE_A_RANK else stages, microbatches, **options)


def stages_of_rank(rank, world, count, schedule):
    """Stage numbers of a process: round and round; there and back again for zbv."""
    if count % world:
        sys.exit("%d stages cannot be shared out evenly to %d processes" % (count, world))
    if schedule in ONE_STAGE_A_RANK and count != world:
        sys.exit("schedule %s wants one process a stage: --nproc-per-node %d" % (schedule, count))
    if schedule == "zbv":
        if count != 2 * world:
            sys.exit("schedule zbv wants two stages a process: --nproc-per-node %d" % (count // 2))
        return [rank, count - 1 - rank]
    return list(range(rank, count, world))


def sum_shared_gradients(manifest, modules, owner, device):
    """Adds up the gradients of parameters that several stages hold a copy of."""
    import torch.distributed as dist
    groups = {}
    for shared in manifest["shared_parameters"]:
        ranks = tuple(sorted({owner[stage] for stage in shared["stages"]}))
        if ranks not in groups:
            groups[ranks] = dist.new_group(list(ranks))  # every process must take part in this call
        copies = [dict(modules[stage].named_parameters())[shared["name"]]
                  for stage in shared["stages"] if stage in modules]
        if not copies:
            continue
        gradients = [copy.grad for copy in copies if copy.grad is not None]
        count = torch.tensor([float(len(gradients))], device=device)
        dist.all_reduce(count, group=groups[ranks])
        if not count.item():  # frozen, or of no influence: none has one, as in the whole model
            continue
        total = torch.zeros(copies[0].shape, dtype=copies[0].dtype, device=device)
        for gradient in gradients:
            total += gradient
        dist.all_reduce(total, group=groups[ranks])
        for copy in copies:
            copy.grad = total.clone()


def microbatch_inputs(manifest, options):
    """The inputs of every microbatch, by name; the same in every process."""
    if options.inputs:
        saved = torch.load(options.inputs, weights_only=True)
        return [{name: value for name, value in microbatch.items()} for microbatch in saved]
    generator = torch.Generator().manual_seed(options.seed)
    return [make_inputs(manifest, generator) for _ in range(options.microbatches)]


def whole_batch(microbatches, names, device):
    """The tensors of all microbatches behind each other, as a schedule takes them apart again."""
    return [torch.cat([m[name].reshape(1) if m[name].dim() == 0 else m[name] for m in microbatches]).to(device)
            for name in names]


def accelerators():
    """(kind, number, backend that sends between them) of the accelerators that PyTorch sees here; (None, 0, "gloo")."""
    import torch.distributed as dist
    if not hasattr(torch, "accelerator"):  # before PyTorch 2.6
        return ("cuda", torch.cuda.device_count(), "nccl") if torch.cuda.is_available() else (None, 0, "gloo")
    kind = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else None
    backend = dist.Backend.default_device_backend_map.get(kind.type, "gloo") if kind else "gloo"
    # What only gloo would send (mps), no pipeline can be made of.
    return (None, 0, "gloo") if backend == "gloo" else (kind.type, torch.accelerator.device_count(), backend)


def choose_device(wanted, environment):
    """(device of this process, name of the backend it sends with). Ends the program where there is no such device."""
    import torch.distributed as dist
    kind, count, backend = accelerators()
    if wanted == "cpu" or (wanted == "auto" and not count):
        return torch.device("cpu"), "gloo"
    if wanted not in ("auto", kind) or not count:
        sys.exit("--device %s: PyTorch %s sees %s here; --device cpu runs on the CPU"
                 % (wanted, torch.__version__, "%d of kind %s" % (count, kind) if count else "no such accelerator"))
    if "LOCAL_RANK" not in environment:
        sys.exit("LOCAL_RANK is not set, so it is open which %s device is this process's: start it with torchrun" % kind)
    local = int(environment["LOCAL_RANK"])
    processes = max(local + 1, int(environment.get("LOCAL_WORLD_SIZE", 1)))
    if processes > count:
        sys.exit("%d processes on this machine, but PyTorch sees %d of kind %s: --nproc-per-node %d, or --device cpu"
                 % (processes, count, kind, count))
    if not dist.is_backend_available(backend):
        sys.exit("PyTorch %s comes without %s, which sends between %s devices: --device cpu runs on the CPU"
                 % (torch.__version__, backend, kind))
    return torch.device(kind, local), backend


def use_device(options):
    """This process's device, made its current one, and said; and the backend."""
    device, backend = choose_device(options.device, os.environ)
    if device.type != "cpu":
        (torch.accelerator.set_device_index if hasattr(torch, "accelerator") else torch.cuda.set_device)(device.index)
    why = " (PyTorch sees no accelerator here that pipelines run on)" if device.type == "cpu" and options.device == "auto" else ""
    print("rank %s: %s%s" % (os.environ["RANK"], device, why), flush=True)
    return device, backend


def print_loss(loss, options, manifest, microbatches):
    count, model = len(manifest["stages"]), manifest["model"]
    if model.get("loss_output") is None:
        print("notice: this step tests the stages and trains nothing of use: %s" %
              model.get("loss", "no output is known to be the loss, so the sum of all outputs is taken for it"))
    print("loss %.9g (%s, %d stages, %d microbatches)" % (loss, options.schedule, count, microbatches), flush=True)


def run_step(options):
    import torch.distributed as dist
    from torch.distributed.pipelining import PipelineStage
    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    device, backend = use_device(options)
    dist.init_process_group(backend)
    manifest = read_manifest()
    count = len(manifest["stages"])
    mine = stages_of_rank(rank, world, count, options.schedule)
    owner = {stage: r for r in range(world) for stage in stages_of_rank(r, world, count, options.schedule)}
    microbatches = microbatch_inputs(manifest, options)
    numbers = {n: v for n, v in microbatches[0].items() if not isinstance(v, torch.Tensor)}
    shapes = stage_shapes(manifest, numbers, microbatches[0])
    modules = {index: build_stage(index, device) for index in mine}
    runners = {index: Chunked(module, manifest, index, numbers) for index, module in modules.items()}
    stage_class = type("Stage", (WholeGradients, PipelineStage), {})
    stages = [stage_class(runners[index], index, count, device, input_args=shapes[index][0],
                          output_args=shapes[index][1]) for index in mine]
    last_outputs = shapes[-1][1]
    is_trained = last_outputs is None or any(output.requires_grad for output in last_outputs)
    number = len(microbatches)
    loss_fn = (lambda output, target: output.sum() / number) if is_trained else None
    schedule = make_schedule(options.schedule, stages, number, loss_fn)
    torch.manual_seed(options.seed + rank)
    arguments = whole_batch(microbatches, runners[0].positional_names(), device) if 0 in mine else []
    names = sorted({name for runner in runners.values() for name in runner.keyword_names()})
    keywords = {Chunked.PREFIX + n: v for n, v in zip(names, whole_batch(microbatches, names, device))}
    losses = []
    target = {"target": torch.zeros(number, device=device), "losses": losses} if count - 1 in mine else {}
    result = schedule.step(*arguments, **keywords, **(target if is_trained else {}))
    if is_trained:
        sum_shared_gradients(manifest, modules, owner, device)
    loss = None
    if count - 1 in mine:
        loss = float((sum(losses) if is_trained else result.sum() / number).detach())
        print_loss(loss, options, manifest, number)
    if options.save:
        os.makedirs(options.save, exist_ok=True)
        gradients = {index: {name: parameter.grad for name, parameter in module.named_parameters()}
                     for index, module in modules.items()}
        torch.save({"loss": loss, "gradients": gradients}, os.path.join(options.save, "rank_%d.pt" % rank))
    dist.barrier()
    dist.destroy_process_group()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--schedule", choices=sorted(SCHEDULES), default="1f1b")
    parser.add_argument("--microbatches", type=int, default=4)
    parser.add_argument("--device", default="auto",
                        help="cpu, or the accelerator that must be there (cuda, xpu); auto: that which is there")
    parser.add_argument("--seed", type=int, default=0, help="of the random inputs")
    parser.add_argument("--inputs", help="torch.save file: a list with a dict of inputs by name a microbatch")
    parser.add_argument("--save", metavar="FOLDER", help="where each process puts its loss and gradients")
    options = parser.parse_args()
    if "RANK" not in os.environ:
        count = len(read_manifest()["stages"])
        parser.error("start it with  torchrun --nproc-per-node %d pipeline.py" % count)
    run_step(options)


if __name__ == "__main__":
    main()
