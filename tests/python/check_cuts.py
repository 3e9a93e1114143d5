"""Do the stages of every cut of random programs of views compute what the whole computes?

    check_cuts.py EXPORTER FIRST_SEED COUNT

Makes COUNT random modules of views (transposes, permutes, expands, slices, windows, reshapes), operators that keep
the order of what they read, and in-place operators; exports each cut with `EXPORTER MODEL FOLDER every`; and runs the
stages with what passes between them made row-major, as a pipeline sends it. Outputs must be equal bit for bit,
gradients but for the order of sums. Prints the seed of what fails; exit status 1.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings

import torch
from check_stages import load_pipeline

warnings.filterwarnings("ignore")
LARGEST = 400  # elements


def view_of(tensor, chance):
    """A random view: its name and arguments."""
    dims = tensor.dim()
    kind = chance.choice(("transpose", "permute", "expand", "narrow", "slice", "view", "reshape", "unsqueeze", "unfold",
                          "diagonal", "select", "flatten", "movedim", "as_strided", "detach", "squeeze"))
    dim = chance.randrange(dims) if dims else 0
    size = tensor.shape[dim] if dims else 1
    if kind in ("transpose", "movedim"):
        return kind, (dim, chance.randrange(max(dims, 1)))
    if kind == "permute":
        return kind, (chance.sample(range(dims), dims),)
    if kind == "expand":
        return kind, ((chance.choice((2, 3)),) + tuple(tensor.shape),)
    if kind == "narrow":
        begin = chance.randrange(size)
        return kind, (dim, begin, chance.randint(1, size - begin))
    if kind == "slice":
        return kind, (dim, chance.randrange(size), size, chance.choice((1, 2, 3)))
    if kind in ("view", "reshape"):
        shapes = [(-1,), (tensor.numel(),), (2, -1), (-1, 3), (3, 2, -1), (1, -1)]
        return kind, (chance.choice(shapes),)
    if kind == "unsqueeze":
        return kind, (chance.randint(0, dims),)
    if kind == "unfold":
        length = chance.randint(1, size)
        return kind, (dim, length, chance.choice((1, 2)))
    if kind == "diagonal":
        return kind, ()
    if kind == "select":
        return kind, (dim, chance.randrange(size))
    if kind == "as_strided":
        return kind, ((2, 3), (1, 2), chance.choice((0, 1)))
    return kind, ()


def other_of(tensor, chance):
    return chance.choice((("mul", (1.5,)), ("add", (0.25,)), ("sin", ()), ("clone", ()), ("contiguous", ()), ("relu", ()),
                          ("linear", (chance.choice((3, 4, 6)),)), ("softmax", (-1,)), ("split", (chance.choice((1, 2)),)),
                          ("plus", ()), ("mul_", (1.25,)), ("add_", (0.5,)), ("mul_", (0.5,)), ("relu_", ()),
                          ("last", ()), ("batch", ())))


class Program(torch.nn.Module):
    """A random program; `steps` are (name, arguments, which value) and are found by trying."""

    def __init__(self, seed):
        super().__init__()
        chance = random.Random(seed)
        torch.manual_seed(seed)
        self.steps, self.weights = [], torch.nn.ParameterList()
        self.start = torch.nn.Linear(6, 6)
        self.returned = []
        self.example = torch.randn(chance.choice((2, 4)), 6)
        if chance.random() < 0.2:
            self.example = torch.randn(6, 4).t()
        values = [self.start(self.example)]
        for _ in range(chance.randint(6, 12)):
            at = chance.randrange(max(0, len(values) - 3), len(values))
            name, arguments = (view_of if chance.random() < 0.6 else other_of)(values[at], chance)
            partner = chance.randrange(len(values))
            if name == "linear" and values[at].dim():
                self.weights.append(torch.nn.Parameter(torch.randn(arguments[0], values[at].shape[-1])))
                arguments = (len(self.weights) - 1,)
            step = (name, arguments, at, partner)
            try:
                made = self.apply(step, values)
            except (RuntimeError, IndexError, TypeError):
                continue
            if all(0 < value.numel() <= LARGEST and value.dim() <= 5 for value in made):
                self.steps.append(step)
                values += made
        number = min(3, len(values))
        self.returned = sorted(set(chance.sample(range(len(values)), number)) | {len(values) - 1})

    def apply(self, step, values):
        name, arguments, at, partner = step
        value = values[at]
        if name == "slice":
            return [torch.ops.aten.slice.Tensor(value, *arguments)]
        if name == "linear":
            return [torch.nn.functional.linear(value, self.weights[arguments[0]])]
        if name == "plus":
            return [value + values[partner]]
        if name == "last":  # channels-last, where there are four dimensions
            return [value.to(memory_format=torch.channels_last)]
        if name == "batch":
            return [value.flatten(0, 1)]
        if name == "split":
            return list(value.split(arguments[0], 0))[:3]
        return [getattr(value, name)(*arguments)]

    def forward(self, x):
        values = [self.start(x)]
        for step in self.steps:
            values += self.apply(step, values)
        return tuple(values[i] for i in self.returned)


def gradient_seeds(outputs):
    generator = torch.Generator().manual_seed(1)
    return [torch.randn(output.shape, generator=generator) for output in outputs]


def run_backward(outputs, gradients):
    pairs = [(o, g) for o, g in zip(outputs, gradients) if o.requires_grad and g is not None]
    if pairs:
        torch.autograd.backward([p[0] for p in pairs], [p[1] for p in pairs])


def run_whole(module, example):
    x = torch.empty_strided(example.shape, example.stride()).copy_(example).requires_grad_()
    outputs = module(x)
    result = [output.detach().clone() for output in outputs]
    run_backward(outputs, gradient_seeds(outputs))
    gradients = {name: parameter.grad for name, parameter in module.named_parameters()}
    return result, [output.stride() for output in outputs], gradients, x.grad


def sent(tensor):
    return tensor.detach().clone(memory_format=torch.contiguous_format).requires_grad_(tensor.requires_grad)


def run_stages(stages, manifest, example):
    x = torch.empty_strided(example.shape, example.stride()).copy_(example).requires_grad_()
    record, passed = [], ()
    for index, stage in enumerate(stages):
        received = tuple(sent(value) for value in passed)
        wanted = {i["name"]: x for i in manifest["stages"][index]["inputs"] if i["source"] == "model"}
        outputs = stage(x) if index == 0 else stage(*received, **wanted)
        passed = outputs if isinstance(outputs, tuple) else (outputs,)
        assert index + 1 == len(stages) or all(value.is_contiguous() for value in passed), "not contiguous"
        record.append((received, passed))
    result = [output.detach().clone() for output in passed]
    strides = [output.stride() for output in passed]
    gradients = gradient_seeds(passed)
    for received, outputs in reversed(record):
        run_backward(outputs, gradients)
        gradients = [value.grad for value in received]
    found = {}
    for stage in stages:
        for name, parameter in stage.named_parameters():
            if parameter.grad is not None:
                found[name] = found[name] + parameter.grad if name in found else parameter.grad
    return result, strides, found, x.grad


def strides_of(tensor, strides):
    """Those that say where elements lie. Of a dimension of size 1 the stride says nothing, and operators of PyTorch keep it
    or do not: a value that is received has that of its size, and contiguous() of the whole model's changes nothing."""
    return [stride for stride, size in zip(strides, tensor.shape) if size > 1]


def differences(whole, stages):
    faults = []
    for i, (a, b) in enumerate(zip(whole[0], stages[0])):
        if a.shape != b.shape or not torch.equal(a, b):
            faults.append("output %d" % i)
        elif strides_of(a, whole[1][i]) != strides_of(b, stages[1][i]):
            faults.append("output %d has strides %s, not %s" % (i, stages[1][i], whole[1][i]))
    gradients = dict(whole[2], **{"the input": whole[3]})
    found = dict(stages[2], **{"the input": stages[3]})
    for name, a in gradients.items():
        b = found.get(name)
        a, b = (torch.zeros(()) if a is None else a), (torch.zeros(()) if b is None else b)
        if not torch.allclose(a, b, rtol=1e-4, atol=1e-5):
            faults.append("gradient of %s" % name)
    return faults


def check(exporter, seed, parent):
    """(number of cuts, faults); None where the program is none that PyTorch takes."""
    module = Program(seed).train()
    try:
        run_whole(module, module.example)
        program = torch.export.export(module, (module.example,), strict=False)
        module.zero_grad()
        whole = run_whole(program.module(), module.example)
    except Exception:
        return None
    path, folder = parent / "model.pt2", parent / ("cuts-%d" % seed)
    torch.export.save(program, path)
    exported = subprocess.run([exporter, str(path), str(folder), "every"], stderr=subprocess.PIPE, text=True)
    if exported.returncode != 0:
        return 0, ["cannot be cut: " + exported.stderr.strip()]
    faults = []
    cuts = sorted(folder.iterdir())
    for number, cut in enumerate(cuts):
        manifest = json.loads((cut / "manifest.json").read_text())
        pipeline, count = load_pipeline(cut), len(manifest["stages"])
        ways = {"python": lambda i: pipeline.build_stage(i)}
        if number % 6 == seed % 6:
            ways["pt2"] = lambda i: torch.export.load(cut / manifest["stages"][i]["program"]).module()
        for way, load in ways.items():
            try:
                found = differences(whole, run_stages([load(i) for i in range(count)], manifest, module.example))
            except Exception as failure:
                found = ["%s: %s" % (type(failure).__name__, str(failure).strip()[:200])]
            faults += ["cut %s, %s: %s" % (cut.name, way, fault) for fault in found]
    return len(cuts), faults


def main(exporter, first, count):
    torch.set_num_threads(1)
    ok, made, cuts, seed = True, 0, 0, int(first)
    while made < int(count):
        with tempfile.TemporaryDirectory() as parent:
            result = check(exporter, seed, pathlib.Path(parent))
        if result is not None:
            made, cuts = made + 1, cuts + result[0]
            for fault in result[1][:8]:
                print("seed %d: %s" % (seed, fault), flush=True)
            ok = ok and not result[1]
        seed += 1
    print("%d programs, seeds %s to %d, %d cuts: %s" % (made, first, seed - 1, cuts, "agree" if ok else "DIFFER"))
    return ok


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
