"""From a model to an exported program: one way after the other, until one works."""
import dataclasses
import inspect
import json
import sys
import warnings

from . import comparison
from .failures import Failure, explain, place_text, print_traceback, short
from .inputs import sequence_like


NOTES_FILE = "stagecraft_notes.json"


class Way:
    """How to trace. A draft export runs the model with its numbers and notes what it takes for granted."""

    def __init__(self, training, strict=False, draft=False):
        self.training, self.strict, self.draft = training, strict, draft

    def __str__(self):
        mode = "training" if self.training else "evaluation"
        return f"{mode} mode, " + ("draft export" if self.draft else f"strict={self.strict}")


def ways(mode, may_draft):
    """`mode`: train (eval where it cannot), eval."""
    modes = [True, False] if mode == "train" else [False]
    found = [Way(training, strict) for training in modes for strict in (False, True)]
    return found + ([Way(training, draft=True) for training in modes] if may_draft else [])


# What another way of tracing cannot mend.
FINAL = {"memory", "not_found", "usage", "inputs", "input_type", "custom_class"}


def trace(model, inputs, mode, channel):
    """(program, way, notes). Raises the Failure of the first way, with what came of the others."""
    has_all = not any(is_fake(tensor) for tensor in model.parameters())
    tried, first = [], None
    all_ways = ways(mode, has_all and can_draft())
    for number, way in enumerate(all_ways):
        channel.progress(f"Tracing, {way}", 0.3 + 0.5 * number / len(all_ways))
        try:
            program, notes = trace_one_way(model, inputs, way)
            return program, way, notes + flat_notes(model) + notes_of(way, first, mode)
        except Exception as error:
            print(f"---- {way}", file=sys.stderr)
            print_traceback(error)
            failure = explain(error, "tracing the model")
            tried.append({"how": str(way), "why": failure.text, "kind": failure.kind})
            first = first or failure
            if failure.kind in FINAL:
                break
    differs = next((attempt["why"] for attempt in tried if attempt["kind"] == "draft_differs"), None)
    advice = (f"{differs}, and was refused; " if differs else "") + first.advice
    raise Failure(first.kind, first.text, advice, first.place,
                  [{"how": attempt["how"], "why": attempt["why"]} for attempt in tried])


def notes_of(way, first, mode):
    if first is None:
        return []
    where = place_text(first.place)
    notes = [f"traced with {way}, because the usual way failed: {first.text}" + (f"; {where}" if where else "")]
    if mode == "train" and not way.training:
        notes.append("this is the model in evaluation mode: no dropout, and batch norm as in serving")
    return notes


def is_fake(tensor):
    return tensor.is_meta or type(tensor).__name__ == "FakeTensor" or type(tensor.data).__name__ == "FakeTensor"


def can_draft():
    import torch
    return hasattr(torch.export, "draft_export")


def trace_one_way(model, inputs, way):
    import torch
    model.train(way.training)
    shapes = inputs.dynamic_shapes
    for attempt in range(2):
        try:
            if way.draft:
                program = torch.export.draft_export(model, inputs.args, inputs.kwargs, dynamic_shapes=shapes)
                return program, draft_notes(program) + [comparison.compare(model, program, inputs)]
            program = export_function()(model, inputs.args, inputs.kwargs, dynamic_shapes=shapes, strict=way.strict)
            return program, dynamic_notes(inputs, shapes, program)
        except Exception as error:
            if attempt or not mend(model, inputs, error, way):
                raise
            shapes = mended_shapes(inputs, error) or shapes
    raise AssertionError("a second attempt returns or raises")


def export_function():
    """The graph of a training step: of 2.6 by another name."""
    import torch
    version = tuple(int(part) for part in torch.__version__.split(".")[:2])
    if version < (2, 7) and hasattr(torch.export, "export_for_training"):
        return torch.export.export_for_training
    return torch.export.export


# ---------------------------------------------------------------- what mends itself
def mend(model, inputs, error, way):
    kind = explain(error, "").kind
    if kind == "output":
        return flatten_outputs(model)
    return kind == "dynamic_shape" and inputs.dynamic_shapes is not None and not way.draft


def mended_shapes(inputs, error):
    """Sizes that need not be what was asked for: those that turn out fixed are said."""
    from torch.export import Dim
    if explain(error, "").kind != "dynamic_shape" or not hasattr(Dim, "AUTO"):
        return None

    def automatic(shapes):
        if isinstance(shapes, dict):
            return {key: Dim.AUTO if isinstance(key, int) else automatic(value) for key, value in shapes.items()}
        if isinstance(shapes, (tuple, list)):
            return sequence_like(shapes, [automatic(item) for item in shapes])
        return shapes

    return automatic(inputs.dynamic_shapes)


def dynamic_notes(inputs, shapes, program):
    if shapes is inputs.dynamic_shapes:
        return []
    if not program.range_constraints:
        return ["the model works with no value of " + ", ".join(inputs.dynamic_names)
                + " but that of the inputs: all sizes are fixed"]
    return ["the model does not work with every value of " + ", ".join(inputs.dynamic_names)
            + ": PyTorch chose which sizes stay dynamic; `info` lists their ranges"]


def draft_notes(program):
    failures = getattr(getattr(program, "_report", None), "failures", None) or ()
    kinds = sorted({getattr(failure.failure_type, "name", "").lower().replace("_", " ") for failure in failures})
    return ["a draft: it holds for these inputs, and takes for granted what PyTorch could not prove"
            + (f" ({', '.join(kinds)})" if kinds else "")]


def flatten_outputs(model):
    """Lets forward() return the tensors of an object that is no container. True if that is worth another attempt."""
    if hasattr(model.forward, "taken_apart"):
        return False
    forward, taken_apart = model.forward, {}

    def flat_forward(*args, **kwargs):
        return plain(forward(*args, **kwargs), taken_apart)

    flat_forward.__signature__ = inspect.signature(forward)
    flat_forward.taken_apart = taken_apart  # torch.export undoes what a run leaves in a dict of the model's own
    model.forward = flat_forward
    return True


def flat_notes(model):
    """Which objects became containers, and which of their members are in none."""
    return [f"the model returns an object of {name}, which a file cannot hold: the output is a {container} of its members"
            + (", without " + ", ".join(left_out) if left_out else "")
            for name, (container, left_out) in getattr(model.forward, "taken_apart", {}).items()]


def plain(value, taken_apart):
    """Tensors and containers of them; of any other object its members, by name, as far as they are such. `taken_apart`: what
    became of objects, by their classes' names: (what it is now, the names of members that were left out)."""
    import torch
    if value is None or isinstance(value, (torch.Tensor, int, float, bool, str)):
        return value
    container = next((kind for kind in (dict, tuple, list) if isinstance(value, kind)), None)
    kept, left_out = members_of(value) if container is None else (value, [])
    if type(value) is not container and not torch.compiler.is_dynamo_compiling():
        taken_apart[type(value).__name__] = ((container or dict).__name__, left_out)
    if container in (tuple, list):
        return container(plain(item, taken_apart) for item in value)
    return {name: plain(item, taken_apart) for name, item in kept.items()}


def members_of(value):
    """What an object has that may be an output, by name, and the names of what else it has that is public."""
    import torch
    members = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)} \
        if dataclasses.is_dataclass(value) else dict(getattr(value, "__dict__", {}))
    public = {name: item for name, item in members.items() if item is not None and not name.startswith("_")}
    kept = {name: item for name, item in public.items() if isinstance(item, (torch.Tensor, dict, tuple, list))}
    return kept, [name for name in public if name not in kept]


# ---------------------------------------------------------------- parameters without memory
def without_memory(model):
    """Tensors on the meta device become tensors of the CPU that hold nothing: so the graph says where they will be."""
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode
    seen = {}  # tied ones stay one; the original is kept, so that its id stays its own

    def empty(tensor):
        if id(tensor) not in seen:
            made = torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device="cpu")
            if isinstance(tensor, torch.nn.Parameter):
                made = torch.nn.Parameter(made, requires_grad=tensor.requires_grad)
            seen[id(tensor)] = (tensor, made)
        return seen[id(tensor)][1]

    with FakeTensorMode(allow_non_fake_inputs=True):
        for module in model.modules():
            for table in (module._parameters, module._buffers):
                table.update({name: empty(tensor) for name, tensor in table.items()
                              if tensor is not None and tensor.is_meta})


def save_traced(model, inputs, program, way, path, notes):
    """The program that was written: with plain containers where a file cannot hold those that the model returns."""
    if not program.graph_signature.user_outputs:
        raise Failure("output", f"forward() of {type(model).__name__} returns no tensor in any container that a graph can hold",
                      "return tensors, tuples, lists or dicts of them, not a set, a generator or an empty container")
    try:
        save(program, path, notes)
        return program
    except Failure as failure:
        of_containers = "TreeSpec" in failure.text or "serialization name" in failure.text
        if not of_containers or not flatten_outputs(model):
            raise
    program, _ = trace_one_way(model, inputs, way)
    notes += [note for note in flat_notes(model) if note not in notes]
    save(program, path, notes)
    return program


def save(program, path, notes):
    """Whoever opens the file later reads the notes too."""
    import torch
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            torch.export.save(program, path, extra_files={NOTES_FILE: json.dumps(notes)})
        except Exception as error:
            print_traceback(error)
            failure = explain(error, "writing the traced model")
            if failure.kind == "raised":
                failure = Failure("save", f"PyTorch {torch.__version__} cannot write the traced model: {short(error)}",
                                  "a newer PyTorch may; or leave the operator that it names out of the module")
            raise failure from error
