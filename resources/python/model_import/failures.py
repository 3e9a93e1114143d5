"""What went wrong, as one answer that a person can act on: what, where in whose code, and what to do."""
import linecache
import os
import re
import sys
import sysconfig
import traceback

OURS = os.path.dirname(os.path.abspath(__file__))
LIBRARY_FOLDERS = tuple({os.path.realpath(sysconfig.get_paths()[name]) + os.sep
                         for name in ("stdlib", "platstdlib", "purelib", "platlib")})
FRAME = re.compile(r'File "([^"\n]+)", line (\d+), in ([^\n]+)')


class Failure(Exception):
    def __init__(self, kind, text, advice, place=None, tried=()):
        super().__init__(text)
        self.kind, self.text, self.advice, self.place, self.tried = kind, text, advice, place, list(tried)

    def fields(self):
        return {"kind": self.kind, "text": self.text, "advice": self.advice, "place": self.place,
                "tried": self.tried}


# ---------------------------------------------------------------- where
def is_torch(path):
    return f"{os.sep}torch{os.sep}" in path or path.startswith(("torch/", "<"))


def is_hidden(path):
    """Frames that tell a person nothing of the model."""
    return is_torch(path) or path.startswith(OURS) or path.endswith("export_model.py") \
        or os.path.basename(path) in ("contextlib.py", "functools.py") or f"{os.sep}importlib{os.sep}" in path


def is_library(path):
    real = os.path.realpath(path)
    return real.startswith(LIBRARY_FOLDERS) or f"{os.sep}site-packages{os.sep}" in real


def frames_of(error):
    """(file, line, function) of every frame that the error and its causes know of, the innermost last."""
    return [frame for link in reversed(chain(error)) for frame in own_frames(link)]


def own_frames(error):
    found = [(frame.filename, frame.lineno, frame.name) for frame in traceback.extract_tb(error.__traceback__)]
    for frame in getattr(error, "real_stack", None) or ():
        found.append((frame.filename, frame.lineno, frame.name))
    found += [(file, int(line), name) for file, line, name in FRAME.findall(str(error))]
    if isinstance(error, SyntaxError) and error.filename:
        found.append((error.filename, error.lineno or 0, "<module>"))
    return found


def place_of(error):
    """The innermost line of the person's own code; of a library's, where none is theirs."""
    seen = [frame for frame in frames_of(error) if not is_hidden(frame[0])]
    if not seen:
        return None
    own = [frame for frame in seen if not is_library(frame[0])]
    file, line, function = (own or seen)[-1]
    return {"file": file, "line": line, "function": function,
            "code": linecache.getline(file, line).strip() if line else ""}


# ---------------------------------------------------------------- what
def first_lines(text, limit=300):
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(text))
    lines = [line.strip() for line in text.splitlines()]
    kept = next((line for line in lines if line), "")
    return kept if len(kept) <= limit else kept[:limit - 1] + "…"


def place_text(place):
    """"in FILE, line N: `CODE`", or nothing."""
    return f"in {place['file']}, line {place['line']}: `{place['code']}`" if place else ""


def short(error):
    line = first_lines(error)
    return f"{type(error).__name__}: {line}" if line else type(error).__name__


def chain(error):
    seen = []
    while error is not None and not any(error is known for known in seen):  # `raise error from error` is allowed
        seen.append(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return seen


def root_of(error):
    """What it was raised from, by `raise ... from ...`: a library may say in its own words that an import failed."""
    links = chain(error)
    return next((link for link in links if link.__cause__ is None), links[-1])


def names_in_chain(error):
    return {kind.__name__ for link in chain(error) for kind in type(link).__mro__}


def holds_packed(links):
    """Was a sequence packed by torch.nn.utils.rnn at hand where it came up?"""
    for link in links:
        for frame, _ in traceback.walk_tb(link.__traceback__):
            if any(type(value).__name__ == "PackedSequence" for value in frame.f_locals.values()):
                return True
    return any("pack_padded_sequence" in str(link) or "PackedSequence" in str(link) for link in links)


PACKED = ("the model packs sequences (torch.nn.utils.rnn), which PyTorch cannot trace, as how many steps each takes is in a "
          "tensor", "give the recurrent layers the padded sequences and take no account of what is behind each end "
          "(torch.where, a mask), or keep this part out of the exported module")


# Each: kind, a test of (names of exception types, whole message), what it means, what to do. The first that fits counts.
RULES = [
    ("memory", lambda names, text: "MemoryError" in names or "DefaultCPUAllocator" in text,
     "there is not enough memory for the model",
     "add --meta: the graph is then made without the weights"),
    ("not_found", lambda names, text: "torchvision::nms does not exist" in text,
     "torchvision is there, but does not fit this PyTorch and cannot be imported",
     "install the torchvision that was built for this PyTorch, both from the same place"),
    ("not_found", lambda names, text: "ModuleNotFoundError" in names,
     "a Python package that the model needs is not installed",
     "install it into this Python, or choose the Python that has it"),
    ("data_dependent_shape", lambda names, text: "DynamicOutputShapeException" in names,
     "the shape of a result depends on the values of a tensor (nonzero, unique, boolean indexing)",
     "use torch.where or a mask of a fixed size instead, or keep this part out of the exported module"),
    ("data_dependent", lambda names, text: "DataDependentOutputException" in names
     or "GuardOnDataDependentSymNode" in names or "data-dependent" in text.lower(),
     "what runs next depends on the values of a tensor, which a graph does not know",
     "use torch.cond or torch.where instead of `if`, or torch._check() to promise what the value is; .item() and "
     ".tolist() of a tensor are the usual cause"),
    ("missing_meta_kernel", lambda names, text: "UnsupportedOperatorException" in names or "Meta' backend" in text
     or "register_fake" in text or "fake impl" in text,
     "an operator has no meta kernel, so that nobody knows the shape of its result",
     "register one with torch.library.register_fake(\"library::operator\")"),
    ("input_type", lambda names, text: "Exporting a ScriptModule" in text,
     "the model is TorchScript, which is not traced again", "save it with .save(\"model.pt\"): that opens as it is"),
    ("custom_class", lambda names, text: "torch.classes.quantized" in text,
     "the model is quantised by torch.ao.quantization, whose packed weights tracing cannot follow",
     "import the model before it is quantised, or quantise it with torchao"),
    ("sparse", lambda names, text: "SparseTensorImpl" in text or "SparseCsrTensorImpl" in text,
     "the model holds a sparse tensor, which a file cannot hold", "make it dense (to_dense()) in the FACTORY"),
    ("transform", lambda names, text: "TensorWrapper" in text or "functorch tracing attempt" in text,
     "the model differentiates within forward() (torch.func.grad, vjp, jacrev), which a graph cannot hold",
     "write that derivative out in operators, or keep this part out of the exported module"),
    ("raised", lambda names, text: "does not support backward on CPU" in text,
     "an operator has no gradient on the CPU, where the model is traced",
     "let the FACTORY freeze the model, with model.requires_grad_(False)"),
    ("custom_class", lambda names, text: "torchbind" in text.lower() or "ScriptObject" in text,
     "the model holds an object of a C++ class that tracing cannot follow",
     "register a fake class with torch._library.register_fake_class, or build it outside the module"),
    ("output", lambda names, text: "pytree-flattenable" in text or "unsupported output" in text.lower()
     or "only tensors or simple constants" in text.lower() or "register a pytree" in text
     or "unrecognized type" in text and "at output" in text,
     "the model returns something that is neither a tensor nor a container of tensors",
     "return tensors, tuples, lists or dicts; or register the class with torch.export.register_dataclass"),
    ("dynamic_shape", lambda names, text: "Constraints violated" in text or "ConstraintViolationError" in names
     or "specialized" in text and "dynamic" in text,
     "the model does not work with every value of a size that is to be dynamic",
     "leave this size out of --dynamic, or mend the line that asks for its value"),
    ("input_type", lambda names, text: "Unsupported input type" in text or "unsupported input" in text.lower(),
     "the model takes an input that is neither a tensor nor a container of tensors",
     "write a FACTORY whose module takes tensors and makes the object itself"),
    ("unsupported_python", lambda names, text: bool(names & {"Unsupported", "TorchRuntimeError"}),
     "the model uses Python that tracing cannot follow", "move it out of forward(), or into a custom operator"),
]


def explain(error, doing):
    """The Failure that says what `error` means, which came up while `doing` ("tracing the model")."""
    if isinstance(error, Failure):
        return error
    links = chain(error)
    names = names_in_chain(error)
    text = "\n".join(str(link) for link in links)
    if holds_packed(links):
        return Failure("packed_sequence", f"{doing}: {PACKED[0]} ({short(error)})", PACKED[1], place_of(error))
    for kind, fits, meaning, advice in RULES:
        if fits(names, text):
            told = root_of(error) if kind == "not_found" else error
            return Failure(kind, f"{doing}: {meaning} ({short(told)})", advice, place_of(error))
    if isinstance(error, SyntaxError):
        return Failure("syntax", f"{doing}: {short(error)}", "mend the file", place_of(error))
    place = place_of(error)
    return Failure("raised", f"{doing}: its code raised {short(error)}",
                   ("see the line; " if place else "") + "the details (--verbose) have the whole traceback", place)


def print_traceback(error):
    """For the details that a person may open."""
    traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)
