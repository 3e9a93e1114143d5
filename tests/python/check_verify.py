"""Does `stagecraft-cli verify` compare what can be compared, and say what it did not compare?

    check_verify.py stagecraft-cli [NAME...]

Models that PyTorch cannot differentiate, or only with regard to their parameters; that return whole numbers, or complex
ones; whose operators Python alone has; and whose stages keep what is hard to tell. Each is split and verified, by
LibTorch and by Python; then, of most, what the last stage computes is changed, and that has to be seen.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch
import torch.nn as nn
from torch._higher_order_ops.auto_functionalize import auto_functionalized

import custom_operators
from commands import run

warnings.filterwarnings("ignore")
CLI, D = sys.argv[1], 16
OPERATORS = pathlib.Path(custom_operators.__file__)
PYTHON = ["--python-path", sys.executable]


class Between(nn.Module):
    """What is tried, between two layers that a plan can part."""

    def __init__(self, middle, end):
        super().__init__()
        self.first, self.second, self.middle, self.end = nn.Linear(D, D), nn.Linear(D, D), middle, end

    def forward(self, x):
        return self.end(self.second(self.middle(self.first(x), x)))


def added(y, x):
    total = torch.zeros(2, 3, D) + y.detach().sum()
    custom_operators.add_scaled(total[0], x, 0.5)
    return y + total[0] + total[1]


def added_to_a_copy(y, x):
    return y + auto_functionalized(torch.ops.stagecraft_python.add_scaled.default, total=x * 2, x=x, scale=0.5)[1]


def as_it_is(y):
    return y


class Counted(nn.Module):
    """A buffer is assigned, behind which torch.export copies it to itself, and backward needs what it was."""

    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.ones(()))

    def forward(self, y, x):
        self.count += 1
        return y / self.count


# Of each: what is between the layers, what comes after them, how it is exported, what it has no gradients of and why.
MODELS = {
    "zeta": (lambda y, x: torch.special.zeta(y.abs() + 2, y.abs() + 1), as_it_is, "plain", "without_gradients",
             "zeta has no derivative in PyTorch"),
    "int8": (lambda y, x: y + torch._weight_int8pack_mm(x.bfloat16(), torch.ones(D, D, dtype=torch.int8),
                                                        torch.ones(D).bfloat16()).float(),
             as_it_is, "plain", "without_input_gradients", "aten::_weight_int8pack_mm has no derivative in PyTorch"),
    "numbers": (lambda y, x: y, lambda y: y.argmax(-1), "plain", "without_gradients", "no output of the model has any"),
    "complex": (lambda y, x: y, lambda y: torch.fft.fft(y).conj(), "plain", None, None),
    "counted": (Counted(), as_it_is, "plain", None, None),
    "square": (lambda y, x: custom_operators.square(y), as_it_is, "plain", None, None),
    "cube": (lambda y, x: custom_operators.cube(y), as_it_is, "plain", "without_gradients",
             "stagecraft_python.cube.default has no derivative in PyTorch"),
    "added": (added, as_it_is, "plain", None, None),
    "added_decomposed": (added, as_it_is, "decomposed", None, None),
    "added_to_a_copy": (added_to_a_copy, as_it_is, "plain", None, None),
}
OF_PYTHON = {"square", "cube", "added", "added_decomposed", "added_to_a_copy"}


def verified(*arguments):
    done = subprocess.run([CLI, "verify", "--json", *map(str, arguments)], capture_output=True, text=True)
    return json.loads(done.stdout) if done.stdout else {}, done.stderr.strip()


def check_report(name, report, errors, lacking, reason):
    assert report.get("passed"), f"{name}: {errors} {report.get('summary')}"
    for field, words in (("without_gradients", "gradients not compared: "),
                         ("without_input_gradients", "gradients of inputs not compared: ")):
        said = report[field]
        assert said == (reason if field == lacking else None), f"{name}: {field} is {said}"
        assert (words + str(said) in report["summary"]) == (field == lacking), f"{name}: {report['summary']}"
    kinds = {comparison["kind"] for comparison in report["comparisons"]}
    assert ("parameter gradient" in kinds) == (lacking != "without_gradients"), f"{name}: {kinds}"
    assert ("input gradient" in kinds) == (lacking is None), f"{name}: {kinds}"


def check_change(name, file, stages, options):
    """The last stage's code does something else: its outputs differ."""
    code = stages / "stage_1.py"
    code.write_text(code.read_text() + "\n_forward = Stage1.forward\n"
                    "Stage1.forward = lambda *args, **more: _forward(*args, **more) + 1\n")
    report, errors = verified(file, stages, *PYTHON, *options)
    outputs = [entry for entry in report["comparisons"] if (entry["kind"], entry["name"]) == ("output", "in Python: 0")]
    assert outputs and not outputs[0]["passed"] and not report["passed"], f"{name}: {report['summary']} {errors}"


def check(name, folder):
    middle, end, how, lacking, reason = MODELS[name]
    torch.manual_seed(0)
    program = torch.export.export(Between(middle, end), (torch.randn(3, D),), strict=False)
    file, stages = folder / f"{name}.pt2", folder / name
    torch.export.save(program.run_decompositions() if how == "decomposed" else program, file)
    mode = "infer" if name == "zeta" else "train"
    run(CLI, "export", file, "--mode", mode, "--stages", 2, "-o", stages)
    options = []
    if name in OF_PYTHON:
        _, errors = verified(file, stages)
        assert "stagecraft_python::" in errors and "--python-import" in errors and "\n" not in errors, f"{name}: {errors}"
        _, errors = verified(file, stages, *PYTHON)
        assert "has no operator stagecraft_python::" in errors and "\n" not in errors, f"{name}: {errors}"
        codes = [(stages / f"stage_{i}.py").read_text() for i in range(2)]
        assert any("needs PyTorch and what registers stagecraft_python::" in code for code in codes), name
        options = ["--python-import", OPERATORS]
    else:
        check_report(name, *verified(file, stages), lacking, reason)
    check_report(name, *verified(file, stages, *PYTHON, *options), lacking, reason)
    check_change(name, file, stages, options)


class Queries(nn.Module):
    """Attention to what has no gradient: what it keeps is kept for its queries alone, which come transposed."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(D, D), nn.Linear(D, D)

    def forward(self, x, keys, values):
        queries = self.first(x).view(2, 5, 2, 8).transpose(1, 2)
        seen = nn.functional.scaled_dot_product_attention(queries, keys, values)
        return self.second(seen.transpose(1, 2).reshape(2, 5, D))


class LinearAttention(nn.Module):
    """Queries, keys and values are parts of one tensor, with gaps between what each has of it."""

    def __init__(self):
        super().__init__()
        self.parts, self.end = nn.Linear(D, 3 * D), nn.Linear(D, D)

    def forward(self, x):
        queries, keys, values = self.parts(x).view(2, 6, 3, 4, 4).permute(2, 0, 3, 1, 4).unbind(0)
        queries, keys = nn.functional.elu(queries) + 1, nn.functional.elu(keys) + 1
        seen = torch.einsum("bhsd,bhde->bshe", queries, torch.einsum("bhsd,bhse->bhde", keys, values))
        return x + self.end(seen.reshape(2, 6, D))


class Experts(nn.Module):
    """How many rows each expert gets, the data decide."""

    def __init__(self):
        super().__init__()
        self.gate, self.end = nn.Linear(D, 3), nn.Linear(D, D)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(D, D), nn.GELU(), nn.Linear(D, D)) for _ in range(3))

    def forward(self, x):
        weights, chosen = self.gate(x).softmax(-1).topk(2, -1)
        total = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            rows, place = torch.where(chosen == number)
            total = total.index_add(0, rows, expert(x[rows]) * weights[rows, place, None])
        return self.end(total)


class Adapted(nn.Module):
    """Adapters on frozen weights: the first stage and the last train nothing."""

    def __init__(self):
        super().__init__()
        self.frozen = nn.ModuleList(nn.Linear(D, D).requires_grad_(False) for _ in range(4))
        self.down, self.up = nn.Linear(D, 4, bias=False), nn.Linear(4, D, bias=False)

    def forward(self, x):
        x = self.frozen[0](x).relu()
        x = (self.frozen[1](x) + self.up(self.down(x))).relu()
        return self.frozen[3](self.frozen[2](x).relu())


# Of each: the model, its inputs, how it is cut, and what is compared of what its stages keep for backward.
KEPT = {
    "queries": (Queries, (torch.randn(2, 5, D), torch.randn(2, 2, 3, 8), torch.randn(2, 2, 3, 8)),
                ["scaled_dot_product_attention"], {"stage_0.py", "stage_0.pt2", "stage_1.py", "stage_1.pt2"}),
    "linear_attention": (LinearAttention, (torch.randn(2, 6, D),), ["elu_1"],
                         {"stage_0.py", "stage_0.pt2", "stage_1.py", "stage_1.pt2"}),
    "experts": (Experts, (torch.randn(40, D),), ["experts.1", "experts.2"], set()),
    "adapted": (Adapted, (torch.randn(40, D),), ["frozen.1", "frozen.2"],
                {"stage_0.py", "stage_1.py", "stage_1.pt2", "stage_2.py"}),
}


def check_kept(name, folder):
    """What a stage keeps is what its plan says; where that cannot be told it is left out, and all else compared."""
    kind, inputs, cuts, wanted = KEPT[name]
    file, stages = folder / f"{name}.pt2", folder / name
    torch.manual_seed(0)
    torch.export.save(torch.export.export(kind(), inputs, strict=False), file)
    run(CLI, "export", file, "--recompute", "full", *(word for cut in cuts for word in ("--split-before", cut)), "-o", stages)
    report, errors = verified(file, stages, *PYTHON)
    kept = {comparison["name"].removeprefix("in Python: ") for comparison in report.get("comparisons", ())
            if comparison["kind"] == "kept for backward"}
    assert report.get("passed") and kept == wanted, f"{name}: {kept} {report.get('summary')} {errors}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name in KEPT if len(sys.argv) < 3 else ():
            check_kept(name, pathlib.Path(folder))
            print(f"{name}: keeps what is said", flush=True)
        for name in sys.argv[2:] or MODELS:
            check(name, pathlib.Path(folder))
            print(f"{name}: as PyTorch", flush=True)


main()
