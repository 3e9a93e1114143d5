"""The loss of a microbatch, from what the model returns, and its share of the batch's."""
import collections
import dataclasses

import torch
from torch.utils._pytree import register_pytree_node, tree_leaves

from .export import Refused


class Fields(dict):
    """What the model returns as a dict or an object with fields: output["logits"] and output.logits alike."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError("the model's output has no field '%s', but %s" % (name, ", ".join(map(str, self)))) from None


# As of a dict its items are its leaves; PyTorch takes subclasses that it does not know for leaves.
register_pytree_node(Fields, lambda fields: (list(fields.values()), list(fields)),
                     lambda values, names: Fields(zip(names, values)))


def with_fields(output):
    if isinstance(output, dict):
        return Fields((key, with_fields(value)) for key, value in output.items())
    if dataclasses.is_dataclass(output):
        return with_fields({field.name: getattr(output, field.name) for field in dataclasses.fields(output)
                            if getattr(output, field.name) is not None})
    if isinstance(output, tuple) and hasattr(output, "_fields"):
        return type(output)(*map(with_fields, output))
    if isinstance(output, collections.deque):
        return collections.deque(map(with_fields, output), output.maxlen)
    return type(output)(map(with_fields, output)) if type(output) in (list, tuple) else output


def sum_of_outputs(output, target=None):
    """The sum of all floating-point outputs that need a gradient: that tests stages, and trains nothing."""
    tensors = [leaf for leaf in tree_leaves(output) if isinstance(leaf, torch.Tensor)]
    floats = [leaf for leaf in tensors if leaf.is_floating_point()]
    parts = [leaf.sum(dtype=torch.promote_types(leaf.dtype, torch.float32))
             for leaf in [leaf for leaf in floats if leaf.requires_grad] or floats]
    return sum(parts) if parts else torch.zeros((), device=tensors[0].device if tensors else None)


def no_loss(output):
    """0, and 0 for the gradients of all outputs: of a microbatch in which nothing counts. Its loss is a mean over nothing,
    which is no number, and gradients of that are none either."""
    return sum_of_outputs(output).nan_to_num() * 0


def leaf_at(position):
    def loss(output, target=None):
        leaves = tree_leaves(output)
        if not -len(leaves) <= position < len(leaves):
            raise Refused("loss_fn=%d: the model returns %d values" % (position, len(leaves)))
        return leaves[position].sum()
    return loss


def leaf_called(path):
    def loss(output, target=None):
        value = with_fields(output)
        for name in path.split("."):
            if isinstance(value, tuple) and name in getattr(value, "_fields", ()):
                value = getattr(value, name)
                continue
            if not isinstance(value, dict) or name not in value:
                raise Refused("loss_fn='%s': the model's output has no '%s'%s" %
                              (path, name, ", but " + ", ".join(map(str, value)) if isinstance(value, dict) else ""))
            value = value[name]
        return value.sum()
    return loss


FUNCTIONS = ("binary_cross_entropy", "binary_cross_entropy_with_logits", "cross_entropy", "huber_loss", "l1_loss", "mse_loss",
             "nll_loss", "smooth_l1_loss")
OF_CLASSES = ("cross_entropy", "nll_loss")
NO_CLASS = -100  # torch's ignore_index


def given_target(name, target):
    if not isinstance(target, torch.Tensor):
        raise Refused("the export's loss is %s of an output and a target: step(..., target=...) wants a tensor" % name)
    return target


def classes_first(name, output, target):
    """Both as torch takes them: classes are dimension 1 there, and the last in what language models return."""
    if name not in OF_CLASSES or output.dim() < 3 or target.is_floating_point():
        return output, target
    last, second = target.shape == output.shape[:-1], target.shape == output.shape[:1] + output.shape[2:]
    if last and second:
        raise Refused("%s of %s and %s: either dimension may be the classes'; give build_pipeline() a loss_fn" %
                      (name, list(output.shape), list(target.shape)))
    return (output.flatten(0, -2), target.flatten()) if last else (output, target)


def loss_called(name, position):
    """The function of torch.nn.functional that the export names, of that leaf of what the model returns."""
    if name not in FUNCTIONS:
        raise Refused("the export's loss '%s' is none that this version knows: give build_pipeline() a loss_fn" % name)

    def loss(output, target):
        value, target = classes_first(name, tree_leaves(output)[position], given_target(name, target))
        return getattr(torch.nn.functional, name)(value, target)
    return loss


def usual_weight(export, wanted):
    """By what a microbatch's loss counts unless a person says: None, by its samples."""
    function = export.model.get("loss_function")
    if wanted is not None or not function or function["name"] not in OF_CLASSES:
        return None

    def labelled(target):
        target = given_target(function["name"], target)
        return target.shape[0] if target.is_floating_point() else int((target != NO_CLASS).sum())
    return labelled


def make_loss(export, wanted):
    """A function of (output, target) from what build_pipeline() takes: a function, the name or position of an output, or
    None for the function or output that the export calls the loss; none where there is neither."""
    if callable(wanted):
        return lambda output, target: wanted(with_fields(output), target)
    if isinstance(wanted, str):
        return leaf_called(wanted)
    if isinstance(wanted, int) and not isinstance(wanted, bool):
        return leaf_at(wanted)
    if wanted is not None:
        raise Refused("loss_fn is a %s; it is a function of (output, target), or the name or position of an output" %
                      type(wanted).__name__)
    if function := export.model.get("loss_function"):
        return loss_called(function["name"], function["output"])
    chosen = export.model.get("loss_output")
    return None if chosen is None else leaf_at(chosen)


def as_loss(value):
    """Refuses what is no single number."""
    if not isinstance(value, torch.Tensor) or value.numel() != 1:
        described = "a tensor of size %s" % list(value.shape) if isinstance(value, torch.Tensor) else type(value).__name__
        raise Refused("the loss of a microbatch is one number, and loss_fn returned %s" % described)
    return value.reshape(())


def loss_shares(reduction, weight, samples, targets):
    """What each microbatch's loss counts in the batch's. A mean over samples is the mean of the microbatches' weighted by
    their samples, or by weight(target) where it is one over something else, such as tokens that are not padding."""
    if reduction == "sum":
        return [1.0] * len(samples)
    weights = [float(weight(target)) for target in targets] if weight else [float(n) for n in samples]
    if not sum(weights) > 0 or min(weights) < 0:
        raise Refused("the weights of the microbatches' losses are %s: their sum must be more than 0" % weights)
    return [w / sum(weights) for w in weights]
