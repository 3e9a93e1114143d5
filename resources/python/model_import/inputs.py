"""Example inputs of a model: those that a person wrote, else those that came with it, else those that its library knows."""
import inspect

from .failures import Failure
from .input_text import DTYPES, TensorText, WrongInput, parse_input
from .known_inputs import known_inputs


class Inputs:
    """args, kwargs: what forward() is called with; dynamic_shapes: what torch.export wants to hear of them, or None."""

    def __init__(self, args, kwargs, dynamic_shapes, names):
        self.args, self.kwargs, self.dynamic_shapes, self.dynamic_names = args, kwargs, dynamic_shapes, names


def find_inputs(built, texts, dynamic):
    """`texts`: --input; `dynamic`: names of sizes. Raises Failure."""
    model = built.model
    args, kwargs = described_inputs(built, texts)
    if args is None:
        raise Failure("no_inputs", f"nobody says what {type(model).__name__} takes: forward{signature_text(model)}",
                      'say it, as in --input "f32[8,3,224,224]" or --input "ids=i64[2,128]"; or let the FACTORY return '
                      "(module, inputs)")
    check_call(model, args, kwargs)
    used = set()
    shapes = dynamic_shapes(model, args, kwargs, dynamic, used) if dynamic else None
    for name in dynamic:
        if name not in used:
            raise Failure("usage", f"--dynamic {name}: no size of an input is called so",
                          f'name it where the input is given, as in --input "f32[{name}=8,16]"')
    return Inputs(tuple(made(value) for value in args), {name: made(value) for name, value in kwargs.items()}, shapes,
                  sorted(used))


def described_inputs(built, texts):
    try:
        given = [parse_input(text) for text in texts]
    except WrongInput as error:
        raise Failure("usage", str(error), "stagecraft-cli import --help says how inputs are written") from error
    args = [value for name, value in given if name is None]
    kwargs = {name: value for name, value in given if name is not None}
    if args:
        return args, kwargs
    if built.inputs is not None:
        args, named = normal_inputs(built.model, built.inputs)
        return args, {**named, **kwargs}
    known = known_inputs(built.model)
    if known:
        return known[0], {**known[1], **kwargs}
    return (args, kwargs) if kwargs or takes_nothing(built.model) else (None, None)


def normal_inputs(model, inputs):
    """Of two things the second, a dict, has inputs by name, unless the model takes it as it is."""
    if isinstance(inputs, dict):
        return [], inputs
    if not isinstance(inputs, tuple):
        return [inputs], {}
    if len(inputs) == 2 and isinstance(inputs[1], dict):
        args = list(inputs[0]) if isinstance(inputs[0], (tuple, list)) else [inputs[0]]
        if wrong_call(model, args, inputs[1]) is None or wrong_call(model, inputs, {}) is not None:
            return args, inputs[1]
    return list(inputs), {}


def signature_of(model):
    return inspect.signature(model.forward)


def signature_text(model):
    text = str(signature_of(model))
    return text if len(text) < 160 else text[:159] + "…"


def takes_nothing(model):
    return not signature_of(model).parameters


def wrong_call(model, args, kwargs):
    """The TypeError of such a call; None: forward() takes that."""
    try:
        signature_of(model).bind(*args, **kwargs)
    except TypeError as error:
        return error
    return None


def check_call(model, args, kwargs):
    error = wrong_call(model, args, kwargs)
    if error is not None:
        raise Failure("inputs", f"forward{signature_text(model)} of {type(model).__name__} cannot be called with these "
                      f"inputs: {error}", "give --input for each, by name: --input \"NAME=f32[8,16]\"") from error


# ---------------------------------------------------------------- tensors
def made(value):
    """The tensors that the description stands for. Ones are ids of any vocabulary and masks that hide nothing."""
    import torch
    if isinstance(value, TensorText):
        if not hasattr(torch, DTYPES[value.dtype]):
            raise Failure("usage", f"this PyTorch has no {DTYPES[value.dtype]}",
                          "take another element type, or a newer PyTorch")
        dtype = getattr(torch, DTYPES[value.dtype])
        if dtype.is_floating_point or dtype.is_complex:
            return torch.randn(value.sizes).to(dtype) if dtype.is_floating_point else torch.randn(value.sizes, dtype=dtype)
        return torch.ones(value.sizes, dtype=dtype)
    if isinstance(value, (tuple, list)):
        items = [made(item) for item in value]
        return sequence_like(value, items)
    if isinstance(value, dict):
        return {key: made(item) for key, item in value.items()}
    return value


def sequence_like(value, items):
    """`items` as what `value` is: a list, a tuple, a named tuple."""
    return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)


# ---------------------------------------------------------------- dynamic sizes
def dynamic_shapes(model, args, kwargs, dynamic, used):
    """One entry for each argument as forward() calls it. A size that is called "batch" and has no name is the first."""
    from torch.export import Dim
    dims = {name: Dim(name) for name in dynamic}

    def of_sizes(names):
        found = {index: dims[name] for index, name in enumerate(names) if name in dims}
        used.update(names[index] for index in found)
        return found or None

    def of(value):
        if isinstance(value, TensorText):
            names = list(value.names)
        elif hasattr(value, "shape") and hasattr(value, "dim"):
            names = [None] * value.dim()
        else:
            if isinstance(value, (tuple, list)):
                return sequence_like(value, [of(item) for item in value])
            return {key: of(item) for key, item in value.items()} if isinstance(value, dict) else None
        if names and not any(names) and "batch" in dims:
            names[0] = "batch"
        return of_sizes(names)

    bound = signature_of(model).bind(*args, **kwargs).arguments
    return {name: of(value) for name, value in bound.items()}
