"""The model's inputs by name: from a call's arguments and back, checked against what the model takes."""
import pickle

import torch

from .export import Refused
from .sizes import size_of
from .stages import fill


# ---------------------------------------------------------------- arguments and names
def call_arguments(manifest, inputs):
    """(args, kwargs) of the model, and so of stage 0, from its inputs by name."""
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


def hashable(key):
    return tuple(map(hashable, key)) if isinstance(key, list) else key


def inputs_of_call(manifest, args, kwargs, target=None):
    """The inputs by name from (args, kwargs) as the model itself takes them; inputs may also be given by their names. A loss's
    `target` is the model's, too, where it has an argument of that name."""
    model, inputs, kwargs = manifest["model"], {}, dict(kwargs)
    names = [entry["name"] for entry in model["inputs"]]

    def bind(node, value, where):
        ((kind, content),) = node.items()
        if kind == "input":
            inputs[content] = value
        elif kind == "literal":
            if type(value) is not type(content) or value != content:
                raise Refused("%s is %.60r, and was fixed to %r when the model was exported" % (where, value, content))
        else:
            parts = {"dict": lambda: content.items(), "items": lambda: ((hashable(k), c) for k, c in content)}.get(
                kind, lambda: enumerate(content))()
            for key, child in parts:
                bind(child, member_of(value, key, where), "%s[%r]" % (where, key))

    if len(args) > len(model["arguments"]):
        raise Refused("%d positional arguments, and the model was exported with %d" % (len(args), len(model["arguments"])))
    for number, (node, value) in enumerate(zip(model["arguments"], args)):
        bind(node, value, "argument %d" % number)
    if target is not None and "target" not in inputs and ("target" in names or "target" in model["keyword_arguments"]):
        kwargs["target"] = target
    for key, node in model["keyword_arguments"].items():
        if key in kwargs:
            bind(node, kwargs.pop(key), "argument '%s'" % key)
    for name in [name for name in kwargs if name in names and name not in inputs]:
        inputs[name] = kwargs.pop(name)
    wrong = ["'%s' is missing" % name for name in names if name not in inputs] + \
            ["'%s' is unknown or given twice" % key for key in kwargs]
    if wrong:
        raise Refused("%s; the model takes %s" % (", ".join(wrong), ", ".join(names)))
    return inputs


def member_of(value, key, where):
    """An item of a dict, list or tuple, or a field of a dataclass or namedtuple."""
    try:
        return value[key]
    except (KeyError, IndexError, TypeError):
        pass
    named = [item for k, item in value.items() if getattr(k, "name", None) == key] if isinstance(value, dict) else []
    if named:  # a member of an enum, by its name
        return named[0]
    if isinstance(key, str) and hasattr(value, key):
        return getattr(value, key)
    raise Refused("%s is a %s without %r" % (where, type(value).__name__, key))


# ---------------------------------------------------------------- one microbatch
def laid_out(tensor, strides):
    """The same numbers with the strides that the model was exported with: what is made of an input may rely on them."""
    if strides is None or tensor.stride() == tuple(strides):
        return tensor
    empty = torch.empty_strided(tensor.shape, strides, dtype=tensor.dtype, device=tensor.device)
    return empty if tensor.is_meta else fill(empty, tensor)


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


def misfit(entry, value):
    """What is wrong with a value for an input; none where all is well. Sizes that vary may be anything."""
    if isinstance(value, torch.Tensor) != (entry["dtype"] is not None):
        return "has a %s for '%s'" % (type(value).__name__, entry["name"])
    if entry["dtype"] is None:
        return None
    fits = len(entry["shape"]) == value.dim() and all(
        wanted == size or isinstance(wanted, str) for wanted, size in zip(entry["shape"], value.shape))
    if fits and value.dtype == getattr(torch, entry["dtype"]):
        return None
    return "has %s%s for '%s', and the model takes %s%s" % (
        str(value.dtype)[6:], list(value.shape), entry["name"], entry["dtype"], entry["shape"])


def check_microbatch(number, microbatch, first, entries, where="microbatches"):
    """Plain numbers are the same in all microbatches: schedules run one program."""
    def refuse(text):
        raise Refused("%s: microbatch %d %s" % (where, number, text))
    if not isinstance(microbatch, dict):
        refuse("is no dict of inputs by name")
    names = [entry["name"] for entry in entries]
    wrong = ["lacks '%s'" % name for name in names if name not in microbatch] + \
            ["has '%s'" % name for name in microbatch if name not in names]
    if wrong:
        refuse("%s; the inputs are %s" % (", ".join(wrong), ", ".join(names)))
    for entry in entries:
        name, value = entry["name"], microbatch[entry["name"]]
        wrong = misfit(entry, value)
        if wrong:
            refuse(wrong)
        if entry["dtype"] is None and value != first[name]:
            refuse("has %r for '%s', and the first %r: numbers must be the same in all" % (value, name, first[name]))


def saved_microbatches(path, count, entries):
    """The microbatches in a torch.save file: a list with a dict of inputs by name for each."""
    where = "--inputs"
    try:
        saved = torch.load(path, weights_only=True)
    except (OSError, RuntimeError, pickle.UnpicklingError) as failure:
        raise Refused("%s %s: %s" % (where, path, str(failure).split("\n")[0])) from None
    if not isinstance(saved, (list, tuple)) or not saved:
        raise Refused("%s %s: not a list with a dict of inputs by name a microbatch" % (where, path))
    if count not in (None, len(saved)):
        raise Refused("%s %s: %d microbatches, not %d" % (where, path, len(saved), count))
    for number, microbatch in enumerate(saved):
        check_microbatch(number, microbatch, saved[0], entries, where)
    return list(saved)
