"""Inputs as a person writes them:

    f32[8,3,224,224]          a tensor
    ids=i64[batch=2,128]      of that name, its first size called "batch"
    (f32[2,3], f32[2,3])      a tuple; [..] a list
    {"a": f32[2], "b": none}  a dict
    none, true, 0.5, "text"   values that are no tensors
"""
import re

DTYPES = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16", "i64": "int64", "i32": "int32",
          "i16": "int16", "i8": "int8", "u8": "uint8", "bool": "bool", "c64": "complex64", "c128": "complex128",
          "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2"}
DTYPES.update({name: name for name in list(DTYPES.values())})
MAX_ELEMENTS = 1 << 31
TENSOR = re.compile(r"\s*([a-z][a-z0-9_]*)\s*\[([^\[\]]*)\]")
SIZE = re.compile(r"\s*(?:([A-Za-z_]\w*)\s*=\s*)?(\d+)\s*$")
NAME = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)")
KEY = re.compile(r'"([^"]*)"\s*:')
WORD = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[-+.\w]+)')


class TensorText:
    """A tensor that is to be made: its element type, its sizes, and what they are called (None: nothing)."""

    def __init__(self, dtype, sizes, names=None):
        self.dtype, self.sizes = dtype, list(sizes)
        self.names = list(names) if names else [None] * len(self.sizes)

    def __repr__(self):
        sizes = ",".join(f"{name}={size}" if name else str(size) for name, size in zip(self.names, self.sizes))
        return f"{self.dtype}[{sizes}]"


class WrongInput(ValueError):
    pass


def parse_input(text):
    """(name or None, value): tensors in it are TensorText."""
    named = NAME.match(text)
    value, end = parse_value(text, named.end() if named else 0)
    if text[end:].strip():
        raise WrongInput(f"--input {text}: nothing is to follow column {end}; as in f32[8,3,224,224]")
    return (named.group(1) if named else None), value


def parse_value(text, start):
    rest = text[start:]
    opening = rest.lstrip()[:1]
    if opening in ("(", "["):
        return parse_sequence(text, start + rest.index(opening) + 1, ")" if opening == "(" else "]")
    if opening == "{":
        return parse_dict(text, start + rest.index(opening) + 1)
    tensor = TENSOR.match(rest)
    if tensor:
        return parse_tensor(text, tensor), start + tensor.end()
    word = WORD.match(rest)
    if not word:
        raise WrongInput(f"--input {text}: a tensor is missing at column {start + 1}; as in f32[8,3,224,224]")
    return parse_word(text, word.group(1)), start + word.end()


def parse_sequence(text, at, closing):
    items = []
    while True:
        blank = len(text) - len(text[at:].lstrip())
        if text[blank:blank + 1] == closing:
            return (tuple(items) if closing == ")" else items), blank + 1
        value, at = parse_value(text, at)
        items.append(value)
        blank = len(text) - len(text[at:].lstrip())
        if text[blank:blank + 1] == ",":
            at = blank + 1
        elif text[blank:blank + 1] != closing:
            raise WrongInput(f"--input {text}: '{closing}' is missing at column {blank + 1}")


def parse_dict(text, at):
    items = {}
    while True:
        at = len(text) - len(text[at:].lstrip())
        if text[at:at + 1] == "}":
            return items, at + 1
        key = KEY.match(text, at)
        if not key:
            raise WrongInput(f'--input {text}: a key is missing at column {at + 1}; as in {{"image": f32[2,3]}}')
        if key.group(1) in items:
            raise WrongInput(f'--input {text}: the key "{key.group(1)}" stands there twice')
        items[key.group(1)], at = parse_value(text, key.end())
        at = len(text) - len(text[at:].lstrip())
        if text[at:at + 1] == ",":
            at += 1
        elif text[at:at + 1] != "}":
            raise WrongInput(f"--input {text}: '}}' is missing at column {at + 1}")


def parse_tensor(text, found):
    if found.group(1) not in DTYPES:
        raise WrongInput(f"--input {text}: {found.group(1)} is no element type; these are: "
                         + ", ".join(name for name in DTYPES if len(name) < 7 and name in DTYPES))
    sizes, names = [], []
    for part in found.group(2).split(",") if found.group(2).strip() else []:
        size = SIZE.match(part)
        if not size:
            raise WrongInput(f"--input {text}: {part.strip() or 'nothing'} is no size; write a number, or batch=8")
        names.append(size.group(1))
        sizes.append(int(size.group(2)))
    count = 1
    for size in sizes:
        count *= size
    if count > MAX_ELEMENTS:
        raise WrongInput(f"--input {text}: {count} elements are more than an example needs; make it smaller")
    return TensorText(found.group(1), sizes, names)


def parse_word(text, word):
    plain = {"none": None, "true": True, "false": False}
    if word.lower() in plain:
        return plain[word.lower()]
    if word.startswith('"'):
        return word[1:-1].replace('\\"', '"')
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            pass
    raise WrongInput(f"--input {text}: {word} is no tensor, number, true, false, none or \"text\"")
