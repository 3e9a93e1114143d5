"""Is the state of all stages together that of the model, and do odd keys and types survive?

    check_state.py EXPORTER CLI

Exports models whose state is odd (tied, unused, expanded, complex, of 8 bits, empty, not persistent) in 2 and 3
stages. The merged state dicts of the stages, from stage_I.py and from stage_I.pt2, must load strictly into the model
and hold its numbers; what the stages return must be what the model returns, keys of dicts included. A model without
weights gets the same numbers for every copy of a tied weight, and its weights by --weights.
"""
import enum
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import warnings

import torch
import torch.nn as nn
from check_stages import load_pipeline
from torch.utils._pytree import tree_flatten

warnings.filterwarnings("ignore")
D = 4


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class State(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.unused = nn.Linear(D, D), nn.Linear(D, D), nn.Linear(3, 2)
        self.again = self.a
        self.tied = nn.Linear(D, D, bias=False)
        self.tied.weight = self.b.weight
        self.frozen = nn.Parameter(torch.randn(D), requires_grad=False)
        self.transposed = nn.Parameter(torch.randn(D, 3).t())
        self.register_buffer("expanded", torch.randn(D).expand(3, D))
        self.register_buffer("windows", torch.randn(6).unfold(0, 4, 1))
        self.register_buffer("wide", torch.randn(D, dtype=torch.complex128))
        self.register_buffer("narrow", torch.randn(D, dtype=torch.complex64).to(torch.complex32))
        self.register_buffer("eight", torch.randn(D).to(torch.float8_e4m3fn))
        self.register_buffer("five", torch.randn(D).to(torch.float8_e5m2))
        self.register_buffer("fnuz", torch.randn(D).to(torch.float8_e4m3fnuz))
        self.register_buffer("small", torch.arange(D).to(torch.uint16))
        self.register_buffer("large", torch.arange(D).to(torch.uint64))
        self.register_buffer("count", torch.tensor(3))
        self.register_buffer("empty", torch.zeros(0, D))
        self.register_buffer("scratch", torch.randn(D), persistent=False)
        self.register_buffer("spare", torch.randn(2))
        self.register_buffer("same", torch.randn(D))
        self.register_buffer("also", self.same)
        self.register_buffer("none", None)

    def forward(self, x):
        y = self.again(x) + self.expanded[0] * self.windows[1]
        y = y * self.wide.real.float() + self.narrow.to(torch.complex64).imag
        y = y + self.eight.float() + self.five.float() * self.fnuz.float()
        y = self.tied(y) + self.small.to(torch.int64) + self.large.to(torch.int64)
        y = torch.cat([y, self.empty]) * self.count + self.scratch
        return self.b(y * self.frozen) @ self.transposed.t() + self.same[:3] - self.also[1:]


class Keys(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(D, D), nn.Linear(D, D)

    def forward(self, given):
        y = self.a(given[0])
        z = self.b(y + given[(1, "x")]) * given[Color.RED]
        return {1: y, 2.5: z, True: {None: z + 1}, (1, (2, "b")): y - z, Color.BLUE: z * 2, "text": y}


class TiedOnly(nn.Module):
    """Large enough for embedding and head to be in different stages."""

    def __init__(self):
        super().__init__()
        self.embed, self.mid = nn.Embedding(7, D), nn.Linear(D, D)
        self.head = nn.Linear(D, 7, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, ids):
        return self.head(torch.tanh(self.mid(self.embed(ids))))


def export(program, exporter, folder, stages):
    model = folder / "model.pt2"
    torch.export.save(program, model)
    subprocess.run([exporter, str(model), str(folder / "stages"), str(stages)], check=True)
    return load_pipeline(folder / "stages")


def same(a, b):
    a, b = (value.to(torch.complex128 if value.is_complex() else torch.float64) for value in (a, b))
    return a.shape == b.shape and torch.equal(a, b)


def check_state(exporter, folder, stages):
    model = State().train()
    x = torch.randn(2, D)
    pipeline = export(torch.export.export(model, (x,), strict=False), exporter, folder, stages)
    entries = pipeline.read_manifest()["stages"]
    built = [pipeline.build_stage(i) for i in range(stages)]
    loaded = [torch.export.load(folder / "stages" / entry["program"]) for entry in entries]
    expected = model.state_dict()
    for way, states in (("python", [stage.state_dict() for stage in built]),
                        ("pt2", [program.state_dict for program in loaded]),
                        ("pt2 module", [program.module().state_dict() for program in loaded])):
        merged = {}
        for state in states:
            merged.update(state)
        State().load_state_dict(merged, strict=True, assign=True)
        for name, tensor in expected.items():
            assert merged[name].dtype == tensor.dtype and same(merged[name], tensor), "%s: %s" % (way, name)
    for stage in built:  # what is tied stays one tensor
        state = stage.state_dict(keep_vars=True)
        for a, b in (("a.weight", "again.weight"), ("b.weight", "tied.weight"), ("same", "also")):
            assert a not in state or b not in state or state[a] is state[b], (a, b)
    for modules in built, [program.module() for program in loaded]:
        value = x
        for stage in modules:
            value = stage(*value) if isinstance(value, tuple) else stage(value)
        assert torch.equal(value, model(x)), "outputs"


def check_keys(exporter, folder):
    model = Keys().train()
    given = {0: torch.randn(2, D), (1, "x"): torch.randn(2, D), Color.RED: torch.randn(2, D)}
    pipeline = export(torch.export.export(model, (given,), strict=False), exporter, folder, 2)
    first, last = pipeline.build_stage(0), pipeline.build_stage(1)
    for asked in given, {0: given[0], (1, "x"): given[(1, "x")], "RED": given[Color.RED]}:
        passed = first(asked)
        inputs = dict(zip(["given_0", "given_(1, x)", "given_RED"], asked.values()))
        wanted = [i["name"] for i in pipeline.read_manifest()["stages"][1]["inputs"] if i["source"] == "model"]
        names = [i["name"] for i in pipeline.read_manifest()["model"]["inputs"]]
        by_name = dict(zip(names, asked.values()))
        passed = passed if isinstance(passed, tuple) else (passed,)
        found = last(*passed, **{name: by_name[name] for name in wanted})
        expected = model(given)
        expected["BLUE"] = expected.pop(Color.BLUE)
        assert set(found) == set(expected), (list(found), inputs.keys())
        for key in expected:
            for a, b in zip(tree_flatten(found[key])[0], tree_flatten(expected[key])[0]):
                assert torch.equal(a, b), key
    manifest = pipeline.read_manifest()
    (made,), _ = pipeline.call_arguments(manifest, {name: i for i, name in enumerate(names)})
    assert made == {0: 0, (1, "x"): 1, "RED": 2}, made


SHORT = {torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16", torch.float64: "f64"}


def write_safetensors(path, tensors):
    """Floating-point tensors in the format's own words, without its library."""
    header, data = {}, b""
    for name, tensor in tensors.items():
        raw = tensor.detach().contiguous().flatten().view(torch.uint8).numpy().tobytes()
        header[name] = {"dtype": SHORT[tensor.dtype].upper(), "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


def check_without_weights(exporter, cli, folder):
    with torch.device("meta"):
        model = TiedOnly().train()
        program = torch.export.export(model, (torch.zeros(2, 3, dtype=torch.int64),), strict=False)
    pipeline = export(program, exporter, folder, 2)
    states = [dict(pipeline.build_stage(i).named_parameters()) for i in range(2)]
    (shared,) = pipeline.read_manifest()["shared_parameters"]
    assert torch.equal(states[0][shared["name"]], states[1][shared["name"]]), "copies of a tied weight differ"
    again = dict(pipeline.build_stage(1).named_parameters())
    assert all(torch.equal(again[name], tensor) for name, tensor in states[1].items())

    real, path = TiedOnly().train(), folder / "model.pt2"
    state = dict(real.named_parameters())  # without the second name of what is tied
    write_safetensors(folder / "one.safetensors", {n: t for n, t in state.items() if n.startswith("mid")})
    write_safetensors(folder / "two.safetensors", {n: t for n, t in state.items() if not n.startswith("mid")})
    index = {"weight_map": {n: ("one" if n.startswith("mid") else "two") + ".safetensors" for n in state}}
    (folder / "w.safetensors.index.json").write_text(json.dumps(index))
    shards = [folder / "one.safetensors", folder / "two.safetensors"]
    for weights in shards, [folder / "w.safetensors.index.json"]:
        info = run(cli, "info", path, "--json", "--weights", *weights)
        assert info.returncode == 0 and not json.loads(info.stdout)["structure_only"], info.stderr
        out = folder / "joined"
        made = run(cli, "export", path, "--stages", 2, "-o", out, "--weights", *weights)
        assert made.returncode == 0, made.stderr
        checked = run(cli, "verify", path, out, "--weights", *weights)
        assert checked.returncode == 0, checked.stdout + checked.stderr
        joined = load_pipeline(out)
        merged = {}
        for i in range(2):
            merged.update(joined.build_stage(i).state_dict())
        fresh = TiedOnly()
        fresh.load_state_dict(merged, strict=True)
        ids = torch.randint(0, 7, (2, 3))
        assert torch.equal(fresh(ids), real(ids))

    apart = dict(real.state_dict())
    (second,) = set(apart) - set(state)
    write_safetensors(folder / "apart.safetensors", {**apart, second: torch.zeros_like(apart[second])})
    noted = run(cli, "info", path, "--weights", folder / "apart.safetensors")
    of_input = program.graph_signature.inputs_to_parameters
    is_used = {of_input[node.name]: bool(node.users) for node in program.graph.nodes if node.name in of_input}
    used, unused = sorted(("embed.weight", "head.weight"), key=is_used.get, reverse=True)
    assert is_used[used] and not is_used[unused]
    note = f"{unused} is not {used} in the files, and the model computes with {used} alone"
    assert noted.returncode == 0 and note in noted.stdout, noted.stdout + noted.stderr

    def said(*weights):
        result = run(cli, "info", path, "--weights", *weights)
        assert result.returncode == 1 and result.stderr.count("\n") == 1, result.stderr
        return result.stderr
    write_safetensors(folder / "x.safetensors", {"other": torch.zeros(1), "mid.bias": torch.zeros(3)})
    assert "no tensor mid.bias, " in said(shards[1]), said(shards[1])
    assert "the model has no tensor other" in said(folder / "x.safetensors")
    assert "mid.bias is f32[3] in the files, f32[4] in the model" in said(folder / "x.safetensors")
    good = dict(real.state_dict())

    def notes(tensors):
        write_safetensors(folder / "y.safetensors", tensors)
        result = run(cli, "info", path, "--weights", folder / "y.safetensors")
        assert result.returncode == 0, result.stderr
        return result.stdout + result.stderr
    assert "as the model has no such tensor: inv_freq" in notes({**good, "inv_freq": torch.zeros(2)})
    for dtype in (torch.float16, torch.bfloat16, torch.float64):
        assert f"{SHORT[dtype]} in the files and f32 in the model: cast to that" in notes(
            {name: tensor.to(dtype) for name, tensor in good.items()})
    wrapped = notes({"module." + name: tensor for name, tensor in good.items()})
    assert "names begin with 'module.' in the files, and with '' in the model" in wrapped, wrapped
    (folder / "bad.index.json").write_text(json.dumps({"weight_map": {"a": "../one.safetensors"}}))
    assert "beside the index" in said(folder / "bad.index.json")


class Scaled(nn.Module):
    def __init__(self, dtype):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(65536, dtype=dtype))

    def forward(self, x):
        return (x * self.w).sum()


def check_cast_weights(cli, folder):
    """As Tensor.to() casts: every number of 16 bits, and longer ones of all sizes, halfway ones among them."""
    bits = torch.arange(65536, dtype=torch.int32).to(torch.int16)
    halves = bits.view(torch.float16).double().nan_to_num(1, 1, -1)
    longer = torch.cat([halves[::4] * (1 + 2.0**-11), torch.randn(16384).double() * 10.0 ** (torch.arange(16384) % 60 - 30),
                        halves[::4] * (1 + 2.0**-8), halves[::4] + 2.0**-25])
    held = {torch.float16: bits.view(torch.float16), torch.bfloat16: bits.view(torch.bfloat16), torch.float32: longer.float(),
            torch.float64: longer}
    for wanted in held:
        path = folder / f"{SHORT[wanted]}.pt2"
        torch.export.save(torch.export.export(Scaled(wanted).train(), (torch.zeros(65536, dtype=wanted),), strict=False), path)
        for dtype, numbers in held.items():
            write_safetensors(folder / "w.safetensors", {"w": numbers})
            out = folder / f"{SHORT[dtype]}-as-{SHORT[wanted]}"
            made = run(cli, "export", path, "--stages", 1, "--formats", "python", "-o", out, "--weights", folder / "w.safetensors")
            assert made.returncode == 0, made.stderr
            assert (dtype == wanted) != (f"1 tensor is {SHORT[dtype]} in the files" in made.stdout + made.stderr), made.stderr
            cast = dict(load_pipeline(out).build_stage(0).named_parameters())["w"]
            assert cast.dtype == wanted and torch.equal(cast.isnan(), numbers.isnan()), (dtype, wanted)
            assert torch.equal(cast.nan_to_num(0, 7, -7), numbers.to(wanted).nan_to_num(0, 7, -7)), (dtype, wanted)


class Texts(nn.Module):
    """Returns texts and numbers, and branches; the data decide a size."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(D, D), nn.Linear(D, D)

    def forward(self, x):
        y = torch.cond(x.sum() > 0, lambda x: self.a(x), lambda x: self.b(x), (x,))
        return {"kept": (y * 2)[(x > 0).nonzero()[:, 0]].sum(), "kind": "text", "count": 3, "nothing": None}


def check_texts(exporter, cli, folder):
    """What a model returns beside tensors is compared, and what PyTorch cannot do with it is said."""
    path, out = folder / "model.pt2", folder / "stages"
    for device in "cpu", "meta":
        with torch.device(device):
            model = Texts().train()
        x = torch.randn(2, D, device=device)
        program = torch.export.export(model, (x,), strict=False) if device == "cpu" else None
        if program is None:  # the branches alone: sizes of data need data
            model.forward = lambda x: torch.cond(x.sum() > 0, lambda x: model.a(x), lambda x: model.b(x), (x,)).mean()
            program = torch.export.export(model, (x,), strict=False)
        torch.export.save(program, path)
        made = run(cli, "export", path, "--stages", 2, "--split-before", "mul" if device == "cpu" else "mean", "-o", out)
        assert made.returncode == 0, made.stderr
        checked = run(cli, "verify", path, out, "--python", "--python-path", sys.executable)
        assert checked.returncode == 0, checked.stdout + checked.stderr
        if device == "cpu":
            assert "returns a text, and PyTorch can load neither its .pt2 nor stage_1.pt2" in made.stderr, made.stderr


def main(exporter, cli):
    torch.manual_seed(0)
    checks = {"state, 2 stages": lambda f: check_state(exporter, f, 2),
              "state, 3 stages": lambda f: check_state(exporter, f, 3),
              "keys": lambda f: check_keys(exporter, f),
              "texts and branches": lambda f: check_texts(exporter, cli, f),
              "without weights": lambda f: check_without_weights(exporter, cli, f),
              "cast weights": lambda f: check_cast_weights(cli, f)}
    ok = True
    for name, check in checks.items():
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(pathlib.Path(folder))
                print("%s: agree" % name, flush=True)
            except Exception as failure:
                ok = False
                print("%s: %s: %s" % (name, type(failure).__name__, str(failure)[:800]), flush=True)
    return ok


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
