"""The safetensors format: names and shapes as JSON, then the numbers; large models in shards, with an index."""
import json
import os
import pathlib
import struct

import torch

from .export import Refused

INDEX = ".safetensors.index.json"
SHARD_SIZE = 5_000_000_000  # as Hugging Face's Hub has it

DTYPES = {"BOOL": torch.bool, "U8": torch.uint8, "I8": torch.int8, "I16": torch.int16, "I32": torch.int32,
          "I64": torch.int64, "F16": torch.float16, "BF16": torch.bfloat16, "F32": torch.float32,
          "F64": torch.float64, "C64": torch.complex64}
PAIRED = ("complex32", "complex128")  # stored as pairs of real numbers
for _key, _name in (("U16", "uint16"), ("U32", "uint32"), ("U64", "uint64"), ("F8_E4M3", "float8_e4m3fn"),
                    ("F8_E5M2", "float8_e5m2"), ("F8_E8M0", "float8_e8m0fnu")):
    if hasattr(torch, _name):
        DTYPES[_key] = getattr(torch, _name)


def shards_of(path):
    """The files that a file of weights stands for: itself, or those that an index names."""
    path = pathlib.Path(path)
    return [path] if not path.name.endswith(INDEX) else [path.with_name(name) for name in sorted(set(places_of(path).values()))]


def places_of(index):
    """Which shard each tensor is in."""
    places = json.loads(index.read_text()).get("weight_map")
    if not isinstance(places, dict) or not places:
        raise Refused("%s: not the index of weights in shards" % index)
    for name in places.values():
        if not isinstance(name, str) or pathlib.PurePath(name).name != name:
            raise Refused("%s: a shard is to be a file beside the index" % index)
    return places


def read_safetensors(path):
    """Yields (name, tensor), one in memory at a time; of shards where `path` is their index."""
    path = pathlib.Path(path)
    if not path.name.endswith(INDEX):
        yield from read_file(path)
        return
    places = places_of(path)
    for shard in shards_of(path):
        wanted = {name for name, place in places.items() if place == shard.name}
        for name, tensor in read_file(shard):
            if name not in wanted:
                raise Refused("%s: '%s' is in %s, and not listed there" % (path, name, shard.name))
            wanted.remove(name)
            yield name, tensor
        if wanted:
            raise Refused("%s: '%s' is not in %s, where it is to be" % (path, min(wanted), shard.name))


def read_file(path):
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


def write_shards(path, tensors, most):
    """Writes `path`, or, where that is more than `most` bytes, shards beside it and their index; gives what is to be opened.
    The index comes last, and an older one goes first: a set of shards is whole wherever there is an index."""
    path, groups = pathlib.Path(path), in_shards(tensors, most)
    if len(groups) == 1:
        write_safetensors(path, tensors)
        return path
    if path.exists():
        raise Refused("%s: is there, and would be taken for the model instead of the %d shards beside it; remove it, or choose a "
                      "larger --shard-size" % (path, len(groups)))
    shards = [path.with_name("%s-%05d-of-%05d.safetensors" % (path.stem, number, len(groups)))
              for number in range(1, len(groups) + 1)]
    partial = [write_partial(shard, {name: tensors[name] for name in names}) for shard, names in zip(shards, groups)]
    index = path.with_name(path.stem + INDEX)
    index.unlink(missing_ok=True)
    for written, shard in zip(partial, shards):
        os.replace(written, shard)
    places = {name: shard.name for shard, names in zip(shards, groups) for name in names}
    total = sum(size_of(tensor) for tensor in tensors.values())
    text = json.dumps({"metadata": {"total_size": total}, "weight_map": places}, indent=2) + "\n"
    unfinished = index.with_name(index.name + ".partial")
    unfinished.write_text(text)
    os.replace(unfinished, index)
    return index


def in_shards(tensors, most):
    """Names in their order, as many to a shard as hold so many bytes; at least one."""
    groups, filled = [[]], 0
    for name, tensor in tensors.items():
        size = size_of(tensor)
        if filled > 0 and filled + size > most:
            groups.append([])
            filled = 0
        groups[-1].append(name)
        filled += size
    return groups


def size_of(tensor):
    return tensor.numel() * tensor.element_size()


def write_safetensors(path, tensors):
    """Writes tensors by name, one in memory at a time; each name gets numbers of its own."""
    os.replace(write_partial(path, tensors), path)


def write_partial(path, tensors):
    """Writes the file under another name, which it returns."""
    keys = {dtype: key for key, dtype in DTYPES.items()}
    header, unnamed, begin = {}, {}, 0
    for name, tensor in sorted(tensors.items(), key=lambda item: -item[1].element_size()):  # wide types first: aligned
        dtype, shape = tensor.dtype, list(tensor.shape)
        if dtype not in keys:
            unnamed[name] = str(dtype)[6:]
            dtype, shape = stored_as(dtype, shape)
        end = begin + torch.Size(shape).numel() * torch.empty(0, dtype=dtype).element_size()
        header[name] = {"dtype": keys[dtype], "shape": shape, "data_offsets": [begin, end]}
        begin = end
    header["__metadata__"] = {"format": "pt", **({"stagecraft.dtypes": json.dumps(unnamed)} if unnamed else {})}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    partial = str(path) + ".partial"
    with open(partial, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for name in header:
            if name != "__metadata__":
                file.write(bytes_of(tensors[name]))
    return partial


def stored_as(dtype, shape):
    if str(dtype)[6:] in PAIRED:
        return {torch.complex32: torch.float16, torch.complex128: torch.float64}[dtype], [*shape, 2]
    return torch.uint8, shape


def bytes_of(tensor):
    tensor = tensor.detach().cpu().contiguous().resolve_conj().resolve_neg()
    return tensor.reshape(-1).view(torch.uint8).numpy().tobytes() if tensor.numel() else b""
