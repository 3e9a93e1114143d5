"""The stages as modules, and their weights."""
import ast
import hashlib
import importlib.util
import warnings
import zlib

import torch

from .export import Refused
from .safetensors import read_safetensors, shards_of


def build_stage(export, index, device="cpu"):
    """The module of one stage, with its weights, on `device` ("meta": shapes alone)."""
    entry = export.stage(index)
    stage = empty_stage(export, index, device)
    for name in classes_missed(export, index):
        warnings.warn("the model returns a '%s', which this program has not registered with PyTorch: it will be a dict or a tuple "
                      "(register it before the model runs, as whoever exported the model did)" % name, stacklevel=2)
    if torch.device(device).type == "meta":
        return stage
    tensors = parameters_of(stage)
    tensors.update(stage.named_buffers(remove_duplicate=False))
    if entry["weights"]:
        check_content(export, entry["weights"])
        for shard in shards_of(export.folder / entry["weights"]):
            if shard.name != entry["weights"]:
                check_content(export, shard.name)
        for path, value in read_safetensors(export.folder / entry["weights"]):
            fill(tensors[path], value)
    else:  # exported from a model without weights; tied ones under the name that every stage lists
        for path in entry["parameters"] + entry["buffers"] + entry["constants"]:
            fill(tensors[path], make_up(path, tensors[path]))
    return stage


def classes_missed(export, index):
    """The names of classes of objects that the last stage makes, of those that this program does not have."""
    code = (export.folder / export.stage(index)["code"]).read_text()
    if index + 1 < len(export.stages) or "def registered(" not in code:
        return []
    known = getattr(torch.utils._pytree, "SERIALIZED_TYPE_TO_PYTHON_TYPE", {})
    calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call) and node.args
             and isinstance(node.func, ast.Name) and node.func.id == "registered" and isinstance(node.args[0], ast.Constant)]
    return sorted({call.args[0].value for call in calls} - set(known))


def check_content(export, name):
    """Is the file as it was written? Earlier exports do not say."""
    written = next((file for file in export.manifest.get("files", []) if file["name"] == name), {})
    if "sha256" not in written:
        return
    digest = hashlib.sha256()
    with open(export.folder / name, "rb") as file:
        while piece := file.read(1 << 24):
            digest.update(piece)
    if digest.hexdigest() != written["sha256"]:
        raise Refused("%s is not as it was exported: it is damaged or was replaced. Export again; trained weights are read "
                      "by Pipeline.load()" % name)


def empty_stage(export, index, device):
    """The module with whatever numbers are in memory."""
    entry, name = export.stage(index), "stage_%d" % index
    spec = importlib.util.spec_from_file_location(name, export.folder / entry["code"])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, entry["class"])(device)


def parameters_of(stage):
    """By name; a tied one under each of its names."""
    return dict(stage.named_parameters(remove_duplicate=False))


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


def make_up(path, tensor):
    """Random numbers of a size that keeps a deep model finite; the same for every copy of a tensor."""
    if not (tensor.is_floating_point() or tensor.is_complex()):
        return torch.zeros(tensor.shape, dtype=tensor.dtype)
    is_scale = tensor.dim() <= 1 and not path.endswith(("bias", "running_mean"))
    generator = torch.Generator().manual_seed(zlib.crc32(path.encode()))
    numbers = torch.randn(tensor.shape, generator=generator) * 0.02 + (1.0 if is_scale else 0.0)
    return numbers.to(tensor.dtype)
