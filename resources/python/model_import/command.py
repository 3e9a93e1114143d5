"""The command: what is asked for, in which order, and what is said of it."""
import argparse
import os
import platform
import sys

from . import inputs, sources, tracing
from .channel import end_with_parent, open_channel
from .failures import Failure, explain, print_traceback

OLDEST_TORCH = (2, 6)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure("usage", message, "stagecraft-cli import --help lists what there is")


def parse(arguments):
    parser = Parser(prog="export_model.py", description="Writes a model of this Python as a .pt2.")
    parser.add_argument("source", nargs="?")
    parser.add_argument("-o", "--output")
    parser.add_argument("--folder", help="where modules are looked for and relative paths start; else the current one")
    parser.add_argument("--check", action="store_true", help="only say which Python and PyTorch this is")
    parser.add_argument("--input", action="append", default=[])
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--dynamic", action="append", default=[])
    parser.add_argument("--mode", choices=["train", "eval"], default="train")
    weights = parser.add_mutually_exclusive_group()
    weights.add_argument("--meta", action="store_true", help="make the graph without the weights")
    weights.add_argument("--real", action="store_true", help="make the weights too, also of a library's model")
    return parser.parse_args(arguments)


def checked_torch(channel):
    try:
        import torch
    except ModuleNotFoundError as error:
        raise Failure("no_torch", f"PyTorch is not installed in {sys.executable}",
                      "choose the Python that you run the model with") from error
    except Exception as error:
        raise Failure("no_torch", f"PyTorch cannot be imported in {sys.executable}: {error}",
                      "repair it (import torch in that Python says more), or choose another Python") from error
    channel.say("started", python=platform.python_version(), torch=torch.__version__, program=sys.executable)
    version = tuple(int(part) for part in torch.__version__.split(".")[:2])
    if version < OLDEST_TORCH:
        raise Failure("version", f"PyTorch {torch.__version__} is too old: 2.6 or later is needed",
                      "choose another Python, or install a newer PyTorch")
    return torch


def wants_no_weights(asked):
    """Names of libraries come with random weights at best, which nobody needs."""
    return asked.meta or (not asked.real and sources.kind_of(asked.source) != "factory")


def make_model(asked, channel):
    settings = dict(sources.parse_setting(text) for text in asked.set)
    channel.progress(f"Making {asked.source}", 0.1)
    built = sources.build(asked.source, settings, wants_no_weights(asked))
    if wants_no_weights(asked):
        tracing.without_memory(built.model)
    return built


def tensor_text(value):
    import torch
    if not isinstance(value, torch.Tensor):
        return str(value)
    return str(value.dtype).split(".")[-1] + "[" + ", ".join(str(size) for size in value.shape) + "]"


def result_of(program, way, path, model, notes):
    parameters = list(model.parameters())  # tied ones once
    values = {node.name: node.meta.get("val") for node in program.graph.nodes}
    signature = program.graph_signature
    return {"file": path, "how": str(way), "notes": notes,
            "parameters": sum(tensor.numel() for tensor in parameters),
            "parameter_bytes": sum(tensor.numel() * tensor.element_size() for tensor in parameters),
            "structure_only": any(tracing.is_fake(tensor) for tensor in parameters),
            "inputs": [{"name": str(name), "type": tensor_text(values.get(name))} for name in signature.user_inputs],
            "outputs": [{"name": str(name), "type": tensor_text(values.get(name))} for name in signature.user_outputs]}


def enter_folder(asked):
    asked.output = os.path.abspath(asked.output)
    if asked.folder:
        try:
            os.chdir(asked.folder)
        except OSError as error:
            raise Failure("not_found", f"{asked.folder}: {error.strerror}",
                          "name a folder that is there, in which the model's code runs") from error
    sys.path.insert(0, os.getcwd())


def export(asked, channel):
    checked_torch(channel)
    if asked.check:
        return
    if not asked.output or not asked.source:
        raise Failure("usage", "SOURCE and -o FILE are needed", "as in model.py:make_model -o model.pt2")
    enter_folder(asked)
    built = make_model(asked, channel)
    found = inputs.find_inputs(built, asked.input, [name for text in asked.dynamic for name in text.split(",") if name])
    program, way, notes = traced(built, found, asked, channel)
    channel.progress("Writing the file", 0.85)
    notes = built.notes + notes
    program = tracing.save_traced(built.model, found, program, way, asked.output, notes)
    channel.say("result", **result_of(program, way, asked.output, built.model, notes))


def traced(built, found, asked, channel):
    try:
        return tracing.trace(built.model, found, asked.mode, channel)
    except Failure as failure:
        if built.remedy and failure.kind == "raised" and not asked.input:
            failure.advice = built.remedy
        raise


def run(arguments, channel):
    """The exit status. Whatever happens is said."""
    try:
        export(parse(arguments), channel)
        return 0
    except KeyboardInterrupt:
        return 130
    except SystemExit as error:
        channel.say("error", **Failure("raised", f"the model's code ended Python with exit({error.code})",
                                       'put what ends it under if __name__ == "__main__":').fields())
    except BaseException as error:  # also what a person's code derives from it
        print_traceback(error)
        channel.say("error", **explain(error, "importing the model").fields())
    return 1


def main(arguments):
    if "--help" in arguments or "-h" in arguments:
        parse(["--help"])
    channel = open_channel()
    end_with_parent()
    status = run(arguments, channel)
    sys.stderr.flush()
    os._exit(status)  # taking a large model down takes long, and threads of its code might never end
