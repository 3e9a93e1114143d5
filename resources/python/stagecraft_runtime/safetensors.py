"""The safetensors format: names and shapes as JSON, then the numbers; large models in shards, with an index."""
import json
import os
import pathlib
import struct

import torch

from .export import Refused

INDEX = ".safetensors.index.json"

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


def write_safetensors(path, tensors):
    """Writes tensors by name, one in memory at a time; each name gets numbers of its own."""
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
    os.replace(partial, path)


def stored_as(dtype, shape):
    if str(dtype)[6:] in PAIRED:
        return {torch.complex32: torch.float16, torch.complex128: torch.float64}[dtype], [*shape, 2]
    return torch.uint8, shape


def bytes_of(tensor):
    tensor = tensor.detach().cpu().contiguous().resolve_conj().resolve_neg()
    return tensor.reshape(-1).view(torch.uint8).numpy().tobytes() if tensor.numel() else b""
