"""Is what a model says ever taken for code?

    check_written_code.py CLI WRITER HOSTILE_FOLDER MODEL...

Looks at the Python of stages: the statements, and what is called, must be those that Stagecraft writes. Where it was
exported it is imported, and the stages are made, in a folder in which every payload would leave a file PWN*.

- models in which every text is nasty (write_nasty_stages.cpp);
- the files that did harm once (tests/data/hostile): each is refused by name, or is harmless;
- real models in which names of weights and values are replaced: their stages must compute what they did.
"""
import ast
import importlib.util
import io
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import tokenize
import warnings
import zipfile

import torch

warnings.filterwarnings("ignore")
REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
NASTY_COUNT = 150
UNWRITTEN = set(range(32)) - {10} | {0x7f, 0x85, 0x2028, 0x2029, *range(0x202a, 0x202f), *range(0x2066, 0x206a), 0xfeff}
NUMBER_FUNCTIONS = {"math": {"trunc", "floor", "ceil", "sqrt", "pow"},
                    "torch": {"sym_int", "sym_float", "sym_max", "sym_min", "sym_not", "sym_ite", "sym_sqrt",
                              "_sym_sqrt", "stack", "set_grad_enabled", "autocast", "no_grad", "device"},
                    "operator": {"add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "neg", "pos", "eq", "ne",
                                 "lt", "le", "gt", "ge", "and_", "or_", "xor", "lshift", "rshift", "not_"},
                    "collections": {"OrderedDict", "deque"}}
METHODS = {"contiguous", "resolve_conj", "clone", "copy_", "place", "as_strided", "detach"}  # of tensors and stages
BUILTINS = {"complex", "zip", "max", "min", "super", "range", "laid_out", "member", "part", "registered", "run_branch",
            "run_loop", "unwritten"}
READ = BUILTINS | {"self", "_keep", "torch", "math", "operator", "collections", "inf", "nan", "getattr", "NotImplemented"}
STATEMENTS = (ast.Assign, ast.Delete, ast.Expr, ast.For, ast.FunctionDef, ast.Return, ast.With)


class Fault(Exception):
    pass


# ---------------------------------------------------------------- the text of a stage
def dotted(node):
    """["torch", "ops", "aten", "add"] of such an expression; none of another."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    return [node.id] + parts if isinstance(node, ast.Name) else None


def without_getattr(node):
    """getattr(torch.ops.a, 'from').b as an attribute: the name is a keyword."""
    if isinstance(node, ast.Attribute):
        return ast.Attribute(without_getattr(node.value), node.attr)
    if isinstance(node, ast.Call) and dotted(node.func) == ["getattr"]:
        held, name = node.args
        held = without_getattr(held)
        if not isinstance(name, ast.Constant) or not str(name.value).isidentifier() or \
                (dotted(held) or [])[:2] != ["torch", "ops"]:
            raise Fault("getattr of something else")
        return ast.Attribute(held, name.value)
    return node


def check_callee(node, functions, methods):
    node = without_getattr(node)
    path = dotted(node)
    if path is None:
        if isinstance(node, ast.Attribute) and node.attr in METHODS | {"__init__"}:
            return None
        raise Fault("calls " + ast.unparse(node))
    if len(path) == 1 and path[0] not in functions | BUILTINS:
        raise Fault("calls " + path[0])
    if path[:2] == ["torch", "ops"]:
        known = len(path) == 5 or (len(path) == 4 and path[2] == "higher_order")
        if not known or path[2].startswith("__") or path[-1].startswith("__"):
            raise Fault("calls " + ".".join(path))
    elif path == ["torch", "utils", "checkpoint", "checkpoint"] or (path[0] == "self" and path[1:] in methods):
        pass
    elif len(path) > 1 and path[1] not in NUMBER_FUNCTIONS.get(path[0], ()) and path[-1] not in METHODS:
        raise Fault("calls " + ".".join(path))
    return None


def check_functions(class_node):
    nodes = [node for statement in class_node.body for node in ast.walk(statement)]
    functions = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    methods = [[node.name] for node in class_node.body[2:] if node.name != "forward"]
    made = functions | {node.arg for node in nodes if isinstance(node, ast.arg)}
    made |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in nodes:
        if isinstance(node, ast.Call) and dotted(node.func) == ["getattr"]:
            without_getattr(node)
        elif isinstance(node, ast.Call):
            check_callee(node.func, functions, methods)
        if isinstance(node, ast.For) and not re.fullmatch(r"(range)?\(\d+(, \d+)*\)", ast.unparse(node.iter)):
            raise Fault("goes over " + ast.unparse(node.iter))
        if isinstance(node, ast.stmt) and not isinstance(node, STATEMENTS):
            raise Fault("has a statement " + type(node).__name__)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in made | READ:
            raise Fault("reads " + node.id)
        if isinstance(node, ast.FunctionDef):
            if node.decorator_list or node.returns or any(a.annotation for a in node.args.args):
                raise Fault("a function has annotations")
        if isinstance(node, (ast.Lambda, ast.Import, ast.ImportFrom, ast.Await, ast.Yield, ast.NamedExpr,
                             ast.JoinedStr, ast.Global, ast.Nonlocal)):
            raise Fault("has a " + type(node).__name__)


def check_text(text, own):
    """`own` are statements that may stand before the class."""
    bad = {hex(ord(c)) for c in text if ord(c) in UNWRITTEN or 0xd800 <= ord(c) < 0xe000}
    if bad:
        raise Fault("has the characters %s" % bad)
    body = ast.parse(text).body
    if not (isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)):
        raise Fault("does not begin with what it is")
    others = [ast.unparse(node)[:60] for node in body[1:-1] if ast.dump(node) not in own]
    if others:
        raise Fault("has %s before its class" % others)
    stage = body[-1]
    if not isinstance(stage, ast.ClassDef) or [ast.unparse(base) for base in stage.bases] != ["Tensors"]:
        raise Fault("does not end with its class")
    kinds = [type(node) for node in stage.body]
    if kinds[0] != ast.Expr or set(kinds[1:]) != {ast.FunctionDef}:
        raise Fault("has a class of %s" % kinds)
    methods = [node.name for node in stage.body[1:]]
    others = [name for name in methods[1:] if name != "forward"]
    if methods[0] != "__init__" or len(methods) != len(others) + 2 or len(set(methods)) < len(methods) or \
            not all(re.fullmatch(r"(run|recompute)_\w+", name) for name in others):
        raise Fault("has the methods %s" % methods)
    check_functions(stage)
    compile(text, "stage", "exec")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING and token.string.lower().startswith(("f", "b", "r")):
            raise Fault("has a string " + token.string)


def load(path):
    spec = importlib.util.spec_from_file_location("stage", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check_export(folder, own, device="meta"):
    """Its stages can be made, and have the tensors that the manifest says. Returns (pipeline, manifest)."""
    manifest = json.loads((folder / "manifest.json").read_text())
    pipeline = load(folder / "pipeline.py")
    for index, entry in enumerate(manifest["stages"]):
        check_text((folder / entry["code"]).read_text(encoding="utf-8"), own)
        stage = pipeline.build_stage(index, device)
        names = {name for name, _ in stage.named_parameters(remove_duplicate=False)}
        if not set(entry["parameters"]) <= names:
            raise Fault("stage %d lacks %s" % (index, set(entry["parameters"]) - names))
        stage.train(), stage.state_dict()
    for entry in manifest["model"]["inputs"]:
        for size in entry["shape"] or []:
            pipeline.size_of(size, manifest["model"]["symbols"])
    return pipeline, manifest


# ---------------------------------------------------------------- where models come from
def export(cli, model, folder, formats="python"):
    """The message of a refusal, which is one line; none of an export."""
    run = subprocess.run([cli, "export", str(model), "--stages", "2", "--time-limit", "1", "--formats", formats, "-o",
                          str(folder)], capture_output=True, timeout=600)
    if run.returncode == 0:
        return None
    errors = run.stderr.decode(errors="replace")
    if run.returncode != 1 or folder.exists() or "\r" in errors:
        raise Fault("ends with %d: %s" % (run.returncode, errors[-300:]))
    return errors


def rewritten(model, path, change):
    """A copy of a model file whose JSON texts went through `change`."""
    with zipfile.ZipFile(model) as source, zipfile.ZipFile(path, "w") as target:
        for item in source.infolist():
            data = source.read(item)
            if item.filename.endswith(".json"):
                data = json.dumps(change(json.loads(data))).encode()
            target.writestr(item.filename, data)


def renamed(table):
    def change(json_value):
        if isinstance(json_value, dict):
            return {table.get(key, key): change(value) for key, value in json_value.items()}
        if isinstance(json_value, list):
            return [change(value) for value in json_value]
        return table.get(json_value, json_value) if isinstance(json_value, str) else json_value
    return change


def names_of(model):
    """(names of values, names of weights)."""
    program = torch.export.load(model)
    values = [node.name for node in program.graph.nodes if node.op in ("placeholder", "call_function")]
    return values, list(program.state_dict) + list(program.constants)


# Names that torch.nn.Module, the written classes or Python have themselves.
AWKWARD = sorted(set(dir(torch.nn.Module())) | {"place", "__getitem__", "device", "stage_device", "Tensors", "lambda",
                                               "class", "None", "self", "torch", "0", "01", "a b", "it's", "x\"y",
                                               "back\\slash", "new\nline", "re\rturn", "\u2028", "M\u00f6hre"})


def awkward_tables(values, weights, seed):
    shuffled = random.Random(seed)
    parts = AWKWARD[:]
    shuffled.shuffle(parts)
    weights = {name: "%s.%s" % (parts[2 * i], parts[2 * i + 1]) for i, name in enumerate(weights)
               if 2 * i + 1 < len(parts)}
    names = AWKWARD[:]
    shuffled.shuffle(names)
    return {**dict(zip(values, names)), **weights}


# ---------------------------------------------------------------- checks
def check_nasty(writer, own, seed):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([writer, folder, str(NASTY_COUNT), str(seed)], check=True, timeout=600)
        exported = 0
        for case in sorted(pathlib.Path(folder).iterdir()):
            try:
                for shown in case.glob("shown_*.py"):
                    check_text(shown.read_text(encoding="utf-8"), own)
                if (case / "export").exists():
                    check_export(case / "export", own)
                    exported += 1
            except (Fault, SyntaxError, UnicodeDecodeError) as fault:
                raise Fault("nasty model %d: %s" % (seed + int(case.name), fault)) from fault
        print("%d nasty models from seed %d, %d of them exported" % (NASTY_COUNT, seed, exported))
        if exported < NASTY_COUNT // 20:
            raise Fault("nearly all nasty models are refused")


SIZES = {"8": 8, "2*s0 + 1": 15, "(s0//2)%2": 1, "(-1)*s0 + 9": 2, "s0**2": 49, "0**5": 0, "(-1)**3": -1, "Max(s0, u0)": 7,
         "Min(s0, 3)": 3, "CeilDiv(s0, 2)": 4, "PythonMod(0 - s0, 4)": 1, "opaque(\"exec('x')\", 5)": 5, "u0": 2}
NO_SIZES = ["9**387420489", "9**(9**9)", "2**63", "2**-1", "s0//0", "().__class__", "s0.real", "s1", "eval('1')",
            "opaque(\"x\")", "1 if s0 else 2", "[1][0]", "'a'", "1.5", "lambda: 1", "(" * 5000, "-" * 50000 + "1", "1\r2",
            "__import__('os').system('touch PWN20')", "9" * 10000, "Max", "Max()", "(s0 := 3)", "", " "]


def check_sizes(pipeline):
    symbols = {"s0": 7, "u0": None}
    for text, number in SIZES.items():
        if pipeline.size_of(text, symbols) != number:
            raise Fault("the size %s is %s" % (text, pipeline.size_of(text, symbols)))
    for text in NO_SIZES:
        try:
            raise Fault("the size %.60s is %s" % (text, pipeline.size_of(text, symbols)))
        except ValueError as error:
            if "\n" in str(error) or len(str(error)) > 300:
                raise Fault("an error is not one short line: %s" % error) from error


def check_hostile(cli, folder, own):
    for model in sorted(folder.glob("*/*.pt2")) + sorted(folder.glob("*.pt2")):
        if model.parent.name.startswith(("03", "06")):  # they do harm elsewhere
            continue
        with tempfile.TemporaryDirectory() as parent:
            out = pathlib.Path(parent) / "stages"
            refusal = export(cli, model, out)
            if refusal is None:
                check_export(out, own)
            print("%s: %s" % (model.name, refusal.strip()[:150] if refusal else "exported"))
            if model.parent.name.startswith(("01", "02", "04")) and refusal is None:
                raise Fault("%s is not refused" % model)


def run(pipeline, manifest):
    args, kwargs = pipeline.call_arguments(manifest, pipeline.make_inputs(manifest, torch.Generator().manual_seed(0)))
    given = dict(zip((i["name"] for i in manifest["model"]["inputs"]), args))
    passed = args
    for index, entry in enumerate(manifest["stages"]):
        if index > 0:
            kwargs = {i["name"]: given[i["name"]] for i in entry["inputs"] if i["source"] == "model"}
        passed = pipeline.build_stage(index)(*passed, **kwargs)
        passed = passed if isinstance(passed, tuple) else (passed,)
    return passed


def check_renamed(cli, model, own):
    """Stages of a model under other names compute what they did."""
    values, weights = names_of(model)
    with tempfile.TemporaryDirectory() as parent:
        parent = pathlib.Path(parent)
        if export(cli, model, parent / "plain", "python") is not None:
            raise Fault("%s is refused" % model)
        expected = run(*check_export(parent / "plain", own, "cpu"))
        for seed in range(3):
            rewritten(model, parent / "odd.pt2", renamed(awkward_tables(values, weights, seed)))
            out = parent / ("odd_%d" % seed)
            refusal = export(cli, parent / "odd.pt2", out)
            if refusal is not None:
                raise Fault("renamed %s is refused: %s" % (model, refusal))
            found = run(*check_export(out, own, "cpu"))
            if not all(torch.equal(a, b) for a, b in zip(expected, found)):
                raise Fault("renamed %s computes something else" % model)
        print("%s: the same under other names" % pathlib.Path(model).name)


IMPORTS = """import collections
import threading
import math
import operator
from math import inf, nan
import torch
import torch.utils.checkpoint
"""


def own_statements():
    """Imports, and what the header of the helpers holds."""
    header = (REPOSITORY / "core/stage/python_helpers.h").read_text()
    pieces = [IMPORTS] + re.findall(r'R"\((.*?)\)"', header, re.DOTALL)
    return {ast.dump(node) for piece in pieces for node in ast.parse(piece).body}


def main(cli, writer, hostile, *models):
    torch.set_num_threads(1)
    start = pathlib.Path.cwd()
    with tempfile.TemporaryDirectory() as working:
        os.chdir(working)
        try:
            own = own_statements()
            check_sizes(load(REPOSITORY / "resources/python/pipeline.py"))
            check_hostile(cli, pathlib.Path(hostile), own)
            check_nasty(writer, own, 200)
            check_nasty(writer, own, random.randrange(10**6))
            for model in models:
                check_renamed(cli, model, own)
            left = [path.name for path in pathlib.Path(working).glob("*")]
            if left:
                raise Fault("code of a model ran: %s" % left)
        except Fault as fault:
            print(fault)
            return False
        finally:
            os.chdir(start)
    return True


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
