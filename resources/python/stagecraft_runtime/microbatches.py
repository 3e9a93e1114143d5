"""A batch in microbatches: tensors of samples are cut along their batch dimension, all others go to each microbatch.

Where the model was exported with a batch size that varies, the manifest names the dimension of each input that it is
("batch_dimension"). Where all its sizes are fixed, the given sizes tell: a tensor with MICROBATCHES times the rows that
the model takes is cut there, one of the very size that the model takes is the same for all.
"""
import torch
from torch.utils._pytree import tree_leaves, tree_map

from .export import Refused
from .inputs import misfit


def cut_batch(export, inputs, count):
    """(the inputs of each microbatch, the samples of each)."""
    entries = export.inputs
    varying = {name: entry["batch_dimension"] for name, entry in entries.items()
               if entry.get("batch_dimension") is not None}
    if varying:
        samples = batch_size(inputs, varying, entries)
        sizes = shares(samples, count)
        dimensions, rows = varying, {name: sizes for name in varying}
    else:
        dimensions = fixed_dimensions(entries, inputs, count)
        rows = {name: [entries[name]["shape"][dimension]] * count for name, dimension in dimensions.items()}
        sizes = next(iter(rows.values()), [1] * count)
    pieces = {name: torch.split(inputs[name], rows[name], dimension) for name, dimension in dimensions.items()}
    microbatches = [{name: pieces[name][i] if name in pieces else inputs[name] for name in entries} for i in range(count)]
    for name, entry in entries.items():
        wrong = misfit(entry, microbatches[0][name])
        if wrong:
            raise Refused("the batch " + wrong)
    check_ranges(export.model, microbatches)
    return microbatches, sizes


def allowed_sizes(export, count):
    """(least, most, step) of the samples that a batch of `count` microbatches may have; none for `most`: any number."""
    model = export.model
    varying = [entry["shape"][entry["batch_dimension"]] for entry in model["inputs"] if entry.get("batch_dimension") is not None]
    if varying:
        ranges = [model.get("ranges", {}).get(size, (None, None)) for size in varying]
        most = [most for _, most in ranges if most is not None]
        return max([1] + [least for least, _ in ranges if least is not None]) * count, min(most) * count if most else None, 1
    rows = {entry["shape"][0] for entry in model["inputs"] if entry["dtype"] is not None and entry["shape"]}
    if len(rows) == 1:
        each = next(iter(rows)) * count
        return each, each, each
    return 1, None, 1  # nobody can tell which dimension is the batch's


def allowed_size(export, count, wanted, samples, usual):
    least, most, step = allowed_sizes(export, count)
    size = max(least, usual if most is None else min(usual, most)) if wanted is None else wanted
    if size < least or (most is not None and size > most) or size % step:
        works = "of %d samples" % least if least == most else "of at least %d samples" % least if most is None else \
            "of %d to %d samples" % (least, most)
        raise Refused("a batch of %d samples: with %d microbatches the model takes batches %s; for others take another number "
                      "of microbatches, or export the model with a batch size that varies (torch.export.Dim)" %
                      (size, count, works))
    if samples is not None and samples < size:
        raise Refused("%d samples are not enough for a batch of %d" % (samples, size))
    return size


def shares(samples, count):
    """The samples of each microbatch; the first have one more where they do not come out even."""
    if samples < count:
        raise Refused("a batch of %d samples cannot be cut in %d microbatches: leave out such a last batch "
                      "(DataLoader(drop_last=True)), or take fewer microbatches" % (samples, count))
    return [samples // count + (i < samples % count) for i in range(count)]


def batch_size(inputs, dimensions, entries):
    found = {}
    for name, dimension in dimensions.items():
        value = inputs[name]
        if not isinstance(value, torch.Tensor) or value.dim() != len(entries[name]["shape"]):
            raise Refused("the batch " + misfit(entries[name], value))
        found.setdefault(value.shape[dimension], name)
    if len(found) > 1:
        raise Refused("the batch has " + " and ".join("%d samples in '%s'" % pair for pair in found.items()))
    return next(iter(found))


def fixed_dimensions(entries, inputs, count):
    """The dimension of each input that is MICROBATCHES times what the model takes."""
    dimensions = {}
    for name, entry in entries.items():
        value = inputs[name]
        if entry["dtype"] is None or not isinstance(value, torch.Tensor) or value.dim() != len(entry["shape"]):
            continue  # misfit() says what is wrong, if anything
        longer = [i for i, (wanted, size) in enumerate(zip(entry["shape"], value.shape))
                  if not isinstance(wanted, str) and size != wanted]
        cut = [i for i in longer if value.shape[i] == count * entry["shape"][i]][:1]
        others = [i for i in longer if i not in cut]
        if cut and not others:
            dimensions[name] = cut[0]
        elif cut:
            raise Refused("'%s' is %s, of %d microbatches: dimension %d is %d, and the model was exported for %d; export it "
                          "with a size that varies (torch.export.Dim) for others" % (
                              name, list(value.shape), count, others[0], value.shape[others[0]], entry["shape"][others[0]]))
        elif longer:
            fixed = entry["shape"][longer[0]]
            raise Refused("'%s' is %s, and the model was exported for microbatches of %s: %d of them are %d in dimension "
                          "%d, not %d; export it with a batch size that varies (torch.export.Dim) for others, or leave "
                          "out a smaller last batch" % (name, list(value.shape), entry["shape"], count, count * fixed,
                                                        longer[0], value.shape[longer[0]]))
    if count > 1 and not dimensions and any(entry["dtype"] is not None for entry in entries.values()):
        raise Refused("the inputs are one microbatch, and %d are wanted: the model was exported with a fixed batch size, so "
                      "a batch has %d times as many samples" % (count, count))
    return dimensions


def check_ranges(model, microbatches):
    """Are the sizes what the model was exported for?"""
    for microbatch in {tuple(map(shape_of, m.values())): m for m in microbatches}.values():
        known = {}
        for entry in model["inputs"]:
            for wanted, size in zip(entry["shape"] or [], getattr(microbatch[entry["name"]], "shape", [])):
                least, most = model.get("ranges", {}).get(wanted, (None, None))
                if (least is not None and size < least) or (most is not None and size > most):
                    raise Refused("microbatches have %d for the size %s of '%s', and the model was exported for %s to %s" %
                                  (size, wanted, entry["name"], least, "any number" if most is None else most))
                if wanted in model["symbols"] and known.setdefault(wanted, size) != size:
                    raise Refused("'%s' is %s, and its size %s is %d elsewhere" %
                                  (entry["name"], shape_of(microbatch[entry["name"]]), wanted, known[wanted]))


def shape_of(value):
    return tuple(value.shape) if isinstance(value, torch.Tensor) else ()


def cut_target(target, samples):
    """The target of each microbatch: tensors are cut along their first dimension, single numbers go to each."""
    if len(samples) == 1:
        return [target]
    total, pieces = sum(samples), {}
    for leaf in tree_leaves(target):
        if not isinstance(leaf, torch.Tensor) or leaf.dim() == 0:
            continue
        if leaf.shape[0] != total:
            raise Refused("a target has %d in its first dimension, and the batch %d samples" % (leaf.shape[0], total))
        pieces[id(leaf)] = torch.split(leaf, samples)
    return [tree_map(lambda leaf: pieces[id(leaf)][i] if id(leaf) in pieces else leaf, target) for i in range(len(samples))]
