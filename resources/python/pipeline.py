"""Runs the stages in this folder. Written by Stagecraft; needs PyTorch alone.

    from pipeline import build_stage
    stage = build_stage(0)                # a torch.nn.Module with its weights

    torchrun --nproc-per-node 2 pipeline.py --schedule 1f1b --microbatches 4

The second runs one training step (forward, backward, gradients of shared parameters added up) with
torch.distributed.pipelining, one process for each stage; with fewer processes each runs several stages
(--schedule interleaved). Each microbatch has the batch size that the model was exported with: shapes in the
stages are fixed, so a step sees MICROBATCHES times that many samples. The loss is the mean over microbatches of
the model's loss output if it has one, else of the sum of its floating-point outputs.
"""
import argparse
import importlib.util
import inspect
import json
import os
import pathlib
import struct
import sys

import torch

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
    with torch.no_grad():
        if entry["weights"]:
            for path, value in read_safetensors(FOLDER / entry["weights"]):
                tensors[path].copy_(value)
        else:  # exported from a model without weights
            for path, tensor in tensors.items():
                make_up(path, tensor)
    return stage


def make_up(path, tensor):
    """Random weights of a size that keeps a deep model finite."""
    if not tensor.is_floating_point():
        tensor.zero_()
    else:
        is_scale = tensor.dim() <= 1 and not path.endswith(("bias", "running_mean"))
        tensor.normal_(1.0 if is_scale else 0.0, 0.02)


DTYPES = {"BOOL": torch.bool, "U8": torch.uint8, "I8": torch.int8, "I16": torch.int16, "I32": torch.int32,
          "I64": torch.int64, "F16": torch.float16, "BF16": torch.bfloat16, "F32": torch.float32,
          "F64": torch.float64, "C64": torch.complex64}
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
        for name, entry in header.items():
            if name == "__metadata__":
                continue
            begin, end = entry["data_offsets"]
            file.seek(start + begin)
            data = bytearray(file.read(end - begin))
            dtype = DTYPES[entry["dtype"]]
            tensor = torch.frombuffer(data, dtype=dtype) if data else torch.empty(0, dtype=dtype)
            yield name, tensor.reshape(entry["shape"])


# ---------------------------------------------------------------- inputs
def size_of(size, symbols):
    """A number, or an expression of symbols such as 2*s0 + 1."""
    if isinstance(size, int):
        return size
    names = {name: 2 if value is None else value for name, value in symbols.items()}
    names.update(Max=max, Min=min)
    return int(eval(size, {"__builtins__": {}}, names))


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
        inputs[entry["name"]] = value.to(device)
    return inputs


def call_arguments(manifest, inputs):
    """(args, kwargs) of the model, and so of stage 0, from its inputs by name."""
    def build(node):
        ((kind, content),) = node.items()
        if kind == "input":
            return inputs[content]
        if kind == "dict":
            return {key: build(child) for key, child in content.items()}
        if kind == "literal":
            return content
        return (list if kind == "list" else tuple)(build(child) for child in content)
    model = manifest["model"]
    return (tuple(build(node) for node in model["arguments"]),
            {key: build(node) for key, node in model["keyword_arguments"].items()})


def loss_of(outputs, manifest):
    """The model's loss output if it has one, else the sum of all floating-point outputs."""
    leaves = torch.utils._pytree.tree_leaves(outputs)
    chosen = manifest["model"].get("loss_output")
    if chosen is not None:
        return leaves[chosen]
    tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
    parts = [leaf.sum(dtype=torch.promote_types(leaf.dtype, torch.float32)) for leaf in tensors
             if leaf.is_floating_point()]
    return sum(parts) if parts else torch.zeros((), device=tensors[0].device if tensors else None)


# ---------------------------------------------------------------- running
class RowMajorGradient(torch.autograd.Function):
    """Changes nothing, but gives a gradient that can be sent."""

    @staticmethod
    def forward(context, tensor):
        return tensor.view_as(tensor)

    @staticmethod
    def backward(context, gradient):
        return gradient.contiguous()


class Chunked(torch.nn.Module):
    """A stage as a schedule calls it: tensors in, a tuple of contiguous tensors or the loss out.

    A schedule cuts every tensor along its first dimension, so tensors without one come with one of size 1. It has
    keywords of its own ("target"), so those of the model come with a prefix.
    """

    PREFIX = "model_input_"

    def __init__(self, stage, manifest, index, numbers, schedule=None):
        super().__init__()
        self.stage, self.manifest, self.numbers = stage, manifest, numbers
        self.detaches = schedule in DETACHING
        self.entry = manifest["stages"][index]
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
        shapes = {i["name"]: i["shape"] for i in self.manifest["model"]["inputs"]}
        return tensor.reshape(()) if shapes.get(name) == [] else tensor

    def forward(self, *tensors, **named):
        if self.is_first:
            inputs = {n: self.shaped(n, t) for n, t in zip(self.positional_names(), tensors)}
            inputs.update(self.numbers)
            args, kwargs = call_arguments(self.manifest, inputs)
        else:
            args = tensors[:len(self.positional_names())]
            if self.detaches:
                args = tuple(RowMajorGradient.apply(t) if t.requires_grad else t for t in args)
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
        outputs = tuple(output.contiguous() for output in outputs)
        # Inputs, views and what the backward pass has saved may not be detached in place.
        return tuple(output.clone() for output in outputs) if self.detaches else outputs

    def stage_device(self):
        return getattr(self.stage, "stage_device", None) or self.stage.device


def stage_shapes(manifest, numbers, microbatch):
    """What each stage takes and returns, as meta tensors; None where that depends on the data."""
    shapes, passed = [], None
    for index in range(len(manifest["stages"])):
        runner = Chunked(build_stage(index, "meta"), manifest, index, numbers)
        if index == 0:
            passed = tuple(microbatch[n].to("meta") for n in runner.positional_names())
        try:
            outputs = runner(*passed, **{Chunked.PREFIX + n: microbatch[n].to("meta") for n in runner.keyword_names()})
        except Exception:
            return [(None, None)] * len(manifest["stages"])
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        shapes.append((passed, outputs))
        passed = tuple(output.detach().requires_grad_(output.requires_grad) for output in outputs)
    return shapes


SCHEDULES = {"gpipe": "ScheduleGPipe", "1f1b": "Schedule1F1B", "interleaved": "ScheduleInterleaved1F1B",
             "looped-bfs": "ScheduleLoopedBFS", "zero-bubble": "ScheduleInterleavedZeroBubble",
             "zbv": "ScheduleZBVZeroBubble"}
ONE_STAGE_A_RANK = ("gpipe", "1f1b")
DETACHING = ("zero-bubble", "zbv")  # they split the backward pass in two, and detach outputs in between


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
        total = torch.zeros_like(copies[0])
        for copy in copies:
            if copy.grad is not None:
                total += copy.grad
        dist.all_reduce(total, group=groups[ranks])
        for copy in copies:
            copy.grad = total.clone()


def microbatch_inputs(manifest, options):
    """The inputs of every microbatch, by name; the same in every process."""
    if options.inputs:
        saved = torch.load(options.inputs)
        return [{name: value for name, value in microbatch.items()} for microbatch in saved]
    generator = torch.Generator().manual_seed(options.seed)
    return [make_inputs(manifest, generator) for _ in range(options.microbatches)]


def whole_batch(microbatches, names, device):
    """The tensors of all microbatches behind each other, as a schedule takes them apart again."""
    return [torch.cat([m[name].reshape(1) if m[name].dim() == 0 else m[name] for m in microbatches]).to(device)
            for name in names]


def run_step(options):
    import torch.distributed as dist
    from torch.distributed.pipelining import PipelineStage
    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    on_gpu = torch.cuda.is_available() and torch.cuda.device_count() >= world and options.device != "cpu"
    device = torch.device("cuda", rank) if on_gpu else torch.device("cpu")
    dist.init_process_group("nccl" if on_gpu else "gloo")
    manifest = read_manifest()
    count = len(manifest["stages"])
    mine = stages_of_rank(rank, world, count, options.schedule)
    owner = {stage: r for r in range(world) for stage in stages_of_rank(r, world, count, options.schedule)}
    microbatches = microbatch_inputs(manifest, options)
    numbers = {n: v for n, v in microbatches[0].items() if not isinstance(v, torch.Tensor)}
    shapes = stage_shapes(manifest, numbers, microbatches[0])
    modules = {index: build_stage(index, device) for index in mine}
    runners = {index: Chunked(module, manifest, index, numbers, options.schedule) for index, module in modules.items()}
    stages = [PipelineStage(runners[index], index, count, device, input_args=shapes[index][0],
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
        print("loss %.9g (%s, %d stages, %d microbatches)" % (loss, options.schedule, count, number), flush=True)
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
    parser.add_argument("--device", choices=["auto", "cpu"], default="auto")
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
