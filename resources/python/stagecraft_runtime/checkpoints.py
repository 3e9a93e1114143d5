"""Checkpoints under the names of the model, whatever the plan: what one plan saved, another and the model itself read.

A checkpoint is a folder of torch.distributed.checkpoint, to which each process writes its part at the same time, or one
.pt file: {"model": state dict, "optimizer": {"state": by name, "param_groups": with names}, "more": the rest}. merge()
makes of the first the second, or a .safetensors file of the model's weights.
"""
import inspect
import os
import pathlib
import shutil
import warnings

import torch

from .devices import wait_for_all
from .export import Refused
from .safetensors import INDEX, SHARD_SIZE, read_safetensors, write_shards
from .stages import build_stage, empty_stage, fill, parameters_of

MORE = "more.pt"  # beside the tensors of a folder: all that is no tensor


# ---------------------------------------------------------------- states of stages, and of the model
def merge_states(states, compare=True):
    """The model's state dict from those of its stages. Copies of a shared parameter must be equal."""
    merged = {}
    for state in states:
        for name, tensor in state.items():
            if compare and name in merged and not torch.equal(merged[name], tensor):
                raise Refused("the copies of '%s' in two stages differ: they were trained apart" % name)
            merged.setdefault(name, tensor)
    return merged


def split_state(export, state):
    """The state dicts of all stages from the model's. Refuses what is missing or of no stage."""
    wanted = [empty_stage(export, index, "meta").state_dict() for index in range(len(export.stages))]
    check_names(export, state)
    return [{name: state[name] for name in stage if name in state} for stage in wanted]


def check_names(export, state):
    """Is it the state of this model? Of what is tied one name is enough."""
    known = set()
    for index in range(len(export.stages)):
        stage = empty_stage(export, index, "meta")
        for names, tensor in tensors_of(stage):
            known.update(names)
            check_there(names, tensor, state)
    unknown = [name for name in state if name not in known]
    if unknown:
        raise Refused("the model has no '%s'%s" % (unknown[0], " (and %d more)" % (len(unknown) - 1) if unknown[1:] else ""))


def check_there(names, tensor, state):
    found = [name for name in names if name in state]
    if not found:
        raise Refused("'%s' of the model is missing" % names[0])
    for name in found:
        if state[name].shape != tensor.shape:
            raise Refused("'%s' is of size %s, and of %s in the model" % (name, list(state[name].shape), list(tensor.shape)))


def tensors_of(stage):
    """(all names, tensor) of each tensor in the state of a stage."""
    names, tensors = {}, {}
    for name, tensor in stage.state_dict(keep_vars=True).items():
        names.setdefault(id(tensor), []).append(name)
        tensors[id(tensor)] = tensor
    return [(names[key], tensors[key]) for key in names]


def load_state(modules, state, followers=()):
    """Nothing is changed where something is missing. `followers` are the ids of tensors that need not be there."""
    tensors = [(names, tensor) for module in modules.values() for names, tensor in tensors_of(module)
               if id(tensor) not in followers or any(name in state for name in names)]
    for names, tensor in tensors:
        check_there(names, tensor, state)
    for names, tensor in tensors:
        fill(tensor, state[next(name for name in names if name in state)])


# ---------------------------------------------------------------- optimizers
def names_of_parameters(modules, export):
    """The name of each parameter by id: of a tied one's names that which the manifest lists, as every plan does."""
    names = {}
    for index, module in modules.items():
        listed = set(export.stages[index]["parameters"])
        for name, parameter in parameters_of(module).items():
            if name in listed or id(parameter) not in names:
                names[id(parameter)] = name
    return names


def optimizer_state(modules, export, optimizer):
    names = names_of_parameters(modules, export)
    state = {names[id(p)]: dict(values) for p, values in optimizer.state.items() if id(p) in names}
    groups = [{**{key: value for key, value in group.items() if key != "params"},
               "params": [names[id(p)] for p in group["params"] if id(p) in names]} for group in optimizer.param_groups]
    return {"state": state, "param_groups": groups}


def load_optimizer_state(modules, export, optimizer, saved):
    names = names_of_parameters(modules, export)
    if len(saved["param_groups"]) != len(optimizer.param_groups):
        raise Refused("the optimizer has %d groups of parameters, and the saved one %d" %
                      (len(optimizer.param_groups), len(saved["param_groups"])))
    state, groups, number = {}, [], 0
    for group, there in zip(optimizer.param_groups, saved["param_groups"]):
        groups.append({**{key: value for key, value in there.items() if key != "params"}, "params": []})
        for parameter in group["params"]:
            name = names.get(id(parameter))
            if name is not None and name not in there["params"]:
                raise Refused("'%s' was in another group of the saved optimizer" % name)
            if name in saved["state"]:  # several copies of a parameter must not share one state
                state[number] = {key: value.clone() if isinstance(value, torch.Tensor) else value
                                 for key, value in saved["state"][name].items()}
            groups[-1]["params"].append(number)
            number += 1
    optimizer.load_state_dict({"state": state, "param_groups": groups})


def merge_optimizers(states):
    """The state of all stages' optimizers, by names. Their groups must have the same settings."""
    state, groups = {}, []
    for part in states:
        state.update(part["state"])
        if groups and len(groups) != len(part["param_groups"]):
            raise Refused("the optimizers of the stages have %d and %d groups of parameters" %
                          (len(groups), len(part["param_groups"])))
        for number, group in enumerate(part["param_groups"]):
            if number == len(groups):
                groups.append({**group, "params": []})
            known = groups[number]
            differ = [key for key in group if key != "params" and known.get(key) != group[key]]
            if differ:
                raise Refused("group %d of the stages' optimizers differs in '%s': %r and %r" %
                              (number, differ[0], known.get(differ[0]), group[differ[0]]))
            known["params"] += [name for name in group["params"] if name not in known["params"]]
    return {"state": state, "param_groups": groups}


# ---------------------------------------------------------------- saving and loading while training
def save(pipeline, path, optimizer, more):
    """A folder, or one .pt file. It is at `path` when it is complete: until then beside it, as PATH.partial."""
    path = pathlib.Path(path)
    if path.suffix == ".safetensors":
        raise Refused("%s: a .safetensors file has no place for a whole checkpoint; save a folder, and merge it" % path)
    if pipeline.replicas.number == 0:  # all have the same parameters; of buffers those of the first count
        write_checkpoint(pipeline, path, optimizer, more)
    pipeline.replicas.barrier()


def write_checkpoint(pipeline, path, optimizer, more):
    """By the processes of one pipeline."""
    import torch.distributed as dist
    is_first = dist.get_rank(pipeline.group) == 0
    folder = path.with_name(path.name + ".partial")
    if is_first:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    wait_for_all(pipeline.group)
    own = optimizer_state(pipeline.modules, pipeline.export, optimizer) if optimizer else {"state": {}, "param_groups": []}
    numbers = {name: {key: value for key, value in values.items() if not isinstance(value, torch.Tensor)}
               for name, values in own["state"].items()}
    tensors = {name: {key: value for key, value in values.items() if isinstance(value, torch.Tensor)}
               for name, values in own["state"].items()}
    parts = [None] * dist.get_world_size(pipeline.group)
    dist.all_gather_object(parts, {"state": numbers, "param_groups": own["param_groups"]}, group=pipeline.group)
    write_folder(folder, {"model": pipeline.state_dict(), "optimizer": {"state": tensors}}, pipeline.group)
    if is_first:
        torch.save({"optimizer": merge_optimizers(parts) if optimizer else None, "more": more}, folder / MORE)
        if path.suffix == ".pt":
            write_file(path, read_all(folder))
            shutil.rmtree(folder)
        else:
            put_in_place(folder, path)


def put_in_place(folder, path):
    old = path.with_name(path.name + ".old")
    shutil.rmtree(old, ignore_errors=True)
    if path.exists():
        os.rename(path, old)
    os.rename(folder, path)
    shutil.rmtree(old, ignore_errors=True)


def write_file(path, content):
    partial = path.with_name(path.name + ".partial-file")
    torch.save(content, partial)
    os.replace(partial, path)


def load(pipeline, path, optimizer):
    path, modules = pathlib.Path(path), pipeline.modules
    names = {name for module in modules.values() for name in module.state_dict()}
    parameters = names_of_parameters(modules, pipeline.export).values() if optimizer is not None else ()
    content = read_folder(path, names, parameters) if is_folder(path) else read_all(path)
    check_known(pipeline.export, content.pop("names", content["model"]))
    load_state(modules, content["model"])
    if optimizer is not None:
        if not content.get("optimizer"):
            raise Refused("%s has no state of an optimizer" % path)
        load_optimizer_state(modules, pipeline.export, optimizer, content["optimizer"])
    return content.get("more", {})


def check_known(export, names):
    known = {name for index in range(len(export.stages)) for name in empty_stage(export, index, "meta").state_dict()}
    unknown = sorted(set(names) - known)
    if unknown:
        raise Refused("the model has no '%s'%s" % (unknown[0], " (and %d more)" % (len(unknown) - 1) if unknown[1:] else ""))


# ---------------------------------------------------------------- folders of torch.distributed.checkpoint
def is_folder(path):
    return (pathlib.Path(path) / ".metadata").exists()


def write_folder(folder, tensors, group):
    import torch.distributed.checkpoint as dcp
    dcp.save(tensors, checkpoint_id=folder, process_group=group)


def keys_of(path):
    """(size, type) of each tensor in a folder."""
    from torch.distributed.checkpoint import FileSystemReader
    known = FileSystemReader(path).read_metadata().state_dict_metadata
    return {key: (entry.size, entry.properties.dtype) for key, entry in known.items() if hasattr(entry, "properties")}


def read_tensors(path, keys):
    """Of a folder; in this process alone."""
    import torch.distributed.checkpoint as dcp
    known = keys_of(path)
    tensors = {key: torch.empty(known[key][0], dtype=known[key][1]) for key in keys}
    alone = {"no_dist": True} if "no_dist" in inspect.signature(dcp.load).parameters else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it is one process alone
        dcp.load(tensors, storage_reader=dcp.FileSystemReader(path), **alone)
    return tensors


def read_folder(path, names=None, parameters=None):
    """What is saved under these names, and of the optimizer's state of these parameters; without names all of it. "names"
    are all names of the model's tensors in it."""
    known, content = keys_of(path), read_more(path)
    prefix = "model." if any(key.startswith("model.") for key in known) else ""
    saved = [key[len(prefix):] for key in known if key.startswith(prefix) and not key.startswith("optimizer.")]
    optimizer = content["optimizer"] or {"state": {}, "param_groups": []}
    listed = {name for group in optimizer["param_groups"] for name in group["params"]}
    keys = {prefix + name: name for name in saved if names is None or name in names}
    of_state = {}
    for name in listed if parameters is None else listed.intersection(parameters):
        start = "optimizer.state.%s." % name
        of_state.update({key: (name, key[len(start):]) for key in known if key.startswith(start)})
    tensors = read_tensors(path, [*keys, *of_state])
    for key, (name, part) in of_state.items():
        optimizer["state"].setdefault(name, {})[part] = tensors[key]
    return {**content, "model": {name: tensors[key] for key, name in keys.items()}, "names": saved}


def read_more(path):
    more = pathlib.Path(path) / MORE
    return torch.load(more, weights_only=True) if more.exists() else {"optimizer": None, "more": {}}


def read_all(path):
    """The whole of a checkpoint: a folder, a .pt file, a .safetensors file or the index of several."""
    path = pathlib.Path(path)
    if is_folder(path):
        return {key: value for key, value in read_folder(path).items() if key != "names"}
    if not path.is_file():
        raise Refused("%s: there is no checkpoint" % path)
    if path.suffix == ".safetensors" or path.name.endswith(INDEX):
        return {"model": dict(read_safetensors(path)), "optimizer": None, "more": {}}
    content = torch.load(path, map_location="cpu", weights_only=True)
    return content if isinstance(content.get("model"), dict) else {"model": content, "optimizer": None, "more": {}}


# ---------------------------------------------------------------- whole files
def merge(export, source, output, shard_size=SHARD_SIZE):
    """Writes a checkpoint as one file: *.safetensors has the model's state dict, *.pt also the optimizer's and the rest.
    `source` is what save() wrote, a folder of torch.distributed.checkpoint, or none for the weights of the export. Weights of
    more than `shard_size` bytes are written as shards beside `output`, with an index. Returns what is to be opened."""
    output = pathlib.Path(output)
    if output.suffix not in (".safetensors", ".pt"):
        raise Refused("%s: a merged checkpoint is a .safetensors or a .pt file" % output)
    if not output.parent.is_dir():
        raise Refused("%s: there is no folder %s" % (output, output.parent))
    if source is None:
        states = [build_stage(export, index).state_dict() for index in range(len(export.stages))]
        content = {"model": merge_states(states), "optimizer": None, "more": {}}
    else:
        content = read_all(source)
    check_names(export, content["model"])
    if output.suffix != ".pt":
        return write_shards(output, content["model"], shard_size)
    write_file(output, content)
    return output


def to_folder(export, source, folder):
    """Writes a merged file as a folder of torch.distributed.checkpoint."""
    content, folder = read_all(source), pathlib.Path(folder)
    check_names(export, content["model"])
    partial = folder.with_name(folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    state = (content["optimizer"] or {"state": {}})["state"]
    tensors = {name: {k: v for k, v in values.items() if isinstance(v, torch.Tensor)} for name, values in state.items()}
    write_folder(partial, {"model": content["model"], "optimizer": {"state": tensors}}, None)
    for name, values in state.items():
        state[name] = {k: v for k, v in values.items() if not isinstance(v, torch.Tensor)}
    torch.save({"optimizer": content["optimizer"], "more": content["more"]}, partial / MORE)
    put_in_place(partial, folder)
    return folder
