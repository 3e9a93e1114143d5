"""A program that PyTorch could not prove, beside its model: both run on the example inputs, outputs compared."""
import contextlib

from .failures import Failure, print_traceback, short

RELATIVE, ABSOLUTE = 1e-3, 1e-5


def compare(model, program, inputs):
    """A note of what was found. Raises the Failure of a program that computes something else than the model."""
    unchecked = "not checked: the draft could not be compared with the model, "
    try:
        own = run(model, model, inputs)
    except Exception as error:
        print_traceback(error)
        return f"{unchecked}which cannot be run with these inputs: {short(error)}"
    try:
        found = difference(own, run(program.module(), model, inputs))
    except Exception as error:
        print_traceback(error)
        return f"{unchecked}as it cannot be run with these inputs: {short(error)}"
    if not found:
        return "the draft was run with the example inputs: its outputs are the model's"
    of_itself = difference(own, run(model, model, inputs))
    if of_itself:
        return f"{unchecked}whose outputs are others in each run with the same inputs: {of_itself}"
    raise Failure("draft_differs", f"a draft export computes something else than the model: {found}",
                  advice="")  # that of the way that failed first stands


def run(called, model, inputs):
    """The outputs, flat. Random numbers are the same in every run; `model` and `inputs` are afterwards as before."""
    import torch
    args, kwargs = copied((inputs.args, inputs.kwargs))
    with kept_buffers(model), kept_buffers(called), torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        outputs = called(*args, **kwargs)
        return [output.detach().clone() if isinstance(output, torch.Tensor) else output
                for output in torch.utils._pytree.tree_leaves(outputs)]


def copied(value):
    import torch
    return torch.utils._pytree.tree_map_only(
        torch.Tensor, lambda tensor: tensor.detach().clone().requires_grad_(tensor.requires_grad), value)


@contextlib.contextmanager
def kept_buffers(model):
    """What a run leaves in buffers is undone: the program holds the same ones."""
    import torch
    tables = [(module._buffers, dict(module._buffers)) for module in model.modules()]
    kept = [(buffer, buffer.detach().clone()) for _, table in tables for buffer in table.values() if buffer is not None]
    try:
        yield
    finally:
        with torch.no_grad():
            for buffer, before in kept:
                buffer.copy_(before)
        for table, before in tables:
            table.clear()
            table.update(before)


def difference(own, other):
    """Where two lists of outputs are not the same, in words; empty: nowhere."""
    if len(own) != len(other):
        return f"{len(other)} outputs in place of {len(own)}"
    for number, (expected, given) in enumerate(zip(own, other)):
        text = difference_of_one(expected, given)
        if text:
            return f"output {number} " + text
    return ""


def difference_of_one(expected, given):
    import torch
    if not isinstance(expected, torch.Tensor) or not isinstance(given, torch.Tensor):
        are_tensors = isinstance(expected, torch.Tensor) or isinstance(given, torch.Tensor)
        is_other = are_tensors or not same_number(expected, given)
        return f"is {type_text(given)} in place of {type_text(expected)}" if is_other else ""
    if expected.shape != given.shape or expected.dtype != given.dtype:
        return f"is {type_text(given)} in place of {type_text(expected)}"
    first, second = (tensor.to(torch.complex128 if tensor.is_complex() else torch.float64) for tensor in (expected, given))
    if torch.allclose(first, second, RELATIVE, ABSOLUTE, equal_nan=True):
        return ""
    return f"differs by up to {float((first - second).abs().nan_to_num(float('inf')).max()):.3g}"


def same_number(expected, given):
    return expected == given or expected != expected and given != given  # also where both are no number


def type_text(value):
    import torch
    if not isinstance(value, torch.Tensor):
        return repr(value)[:60]
    return str(value.dtype).split(".")[-1] + str(list(value.shape))
