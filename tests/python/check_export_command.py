"""Does what `stagecraft-cli export` is told hold under real PyTorch?  check_export_command.py CLI [NAME...]

loss     `--loss cross_entropy`: one step of two processes has the loss and the gradients of the unsplit model on the
         whole batch, with classes last and targets that count for nothing unevenly spread
places   every name of the exported graph is a place to cut, before and after; the stages' outputs and gradients are the
         whole model's, also where a boundary is right before an operator that writes in place
merge    the states of all stages are the model's, and load into it strictly; what is wrong is refused by name
objects  a deque, dataclass, namedtuple or other registered class comes back as what it was, and is taken as what it is; of
         one that is not registered that is said; .to() takes all along
spec     a split specification cuts where torch.distributed.pipelining does
"""
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F
from check_stages import load_pipeline
from model_classes import Answer, Cache, Pair
from processes import run_torchrun
from torch.export import Dim
from torch.utils import _pytree as pytree

warnings.filterwarnings("ignore")
D, WORDS = 8, 7
TRAIN = """
import pathlib, sys, torch
sys.path.insert(0, sys.argv[1])
from pipeline import build_pipeline
pipeline = build_pipeline(schedule="1f1b", microbatches=4, device="cpu")
ids, targets = torch.load(sys.argv[2])
loss = float(pipeline.step(ids, target=targets).sum())
gradients = {n: p.grad.clone() for n, p in pipeline.named_parameters()}


def masked(output, target):  # in which some microbatch has a mean over nothing
    each = torch.nn.functional.cross_entropy(output.flatten(0, 1), target.flatten(), reduction="none")
    return each.sum() / (target != -100).sum()


pipeline = build_pipeline(schedule="1f1b", microbatches=4, device="cpu", loss_fn=masked,
                          loss_weight=lambda target: (target != -100).sum())
assert abs(loss - float(pipeline.step(ids, target=targets).sum())) < 1e-6, "a loss of one's own differs"
assert all(p.grad.allclose(gradients[n]) for n, p in pipeline.named_parameters()), "gradients of a loss of one's own differ"
torch.save((loss, gradients), sys.argv[2] + ".%d" % pipeline.rank)
pipeline.close()
threads = [path.read_text().strip() for path in pathlib.Path("/proc/self/task").glob("*/comm")]
assert not any("gloo" in name for name in threads), "close() left %s" % threads
"""


def run(cli, *arguments):
    done = subprocess.run([cli, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stdout, done.stderr.strip()


def save(model, example, path, **options):
    torch.export.save(torch.export.export(model, example, strict=False, **options), path)
    return path


def close(a, b):
    a, b = (torch.zeros(()) if a is None else a), (torch.zeros(()) if b is None else b)
    return torch.allclose(a, b, rtol=1e-4, atol=1e-6)


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.middle, self.head = nn.Embedding(WORDS, D), nn.Linear(D, D), nn.Linear(D, WORDS)

    def forward(self, ids):
        return self.head(torch.tanh(self.middle(self.words(ids))))


def loss(cli, folder):
    torch.manual_seed(0)
    model, ids = Words(), torch.randint(WORDS, (8, 5))
    targets = torch.randint(WORDS, (8, 5))
    targets[0, 1:] = targets[2:4] = -100  # of the second microbatch nothing counts
    path = save(model, (ids,), folder / "words.pt2", dynamic_shapes=({0: Dim("batch", min=2, max=64)},))
    status, _, errors = run(cli, "export", path, "--split-before", "middle", "--loss", "cross_entropy", "-o", folder / "out")
    assert status == 0 and "loss: cross_entropy of output" in errors, errors
    unknown = run(cli, "export", path, "--split-before", "middle", "--loss", "crossentropy", "-o", folder / "no")
    assert unknown[0] == 2 and "there is no loss 'crossentropy'; choose from" in unknown[2], unknown
    assert run(cli, "verify", path, folder / "out")[0] == 0, "verify"
    torch.save((ids, targets), folder / "data.pt")
    (folder / "train.py").write_text(TRAIN)
    status, printed = run_torchrun(2, folder / "train.py", folder / "out", folder / "data.pt",
                                   env=dict(os.environ, OMP_NUM_THREADS="1"))
    assert status == 0, printed[-9000:]
    whole = F.cross_entropy(model(ids).flatten(0, 1), targets.flatten())
    whole.backward()
    gradients = {}
    for rank in (0, 1):
        found, some = torch.load(folder / ("data.pt.%d" % rank))
        assert abs(found - float(whole.detach())) < 1e-5, "loss %g, not %g" % (found, whole)
        gradients.update(some)
    for name, parameter in model.named_parameters():
        assert close(parameter.grad, gradients[name]), "gradient of " + name


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(D))

    def forward(self, x):
        wide = x.to(torch.float64)
        return self.weight * (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-5)).to(x.dtype)


class Places(nn.Module):
    """Checks beside .to(), a module that is called three times, several results, regions, writes in place."""

    def __init__(self):
        super().__init__()
        self.first, self.norm, self.block = nn.Linear(D, D), Norm(), nn.Sequential(nn.Linear(D, D), nn.GELU())
        self.heads, self.last = nn.Linear(D, 3 * D), nn.Linear(D, D)

    def forward(self, x):
        y = self.first(x)
        y.add_(1.0).mul_(2.0)
        y = y.relu_()
        for _ in range(3):
            y = y + self.block(self.norm(y))
        q, k, v = self.heads(y).split(D, -1)
        with torch.no_grad():
            scale = q.abs().mean()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            z = self.last(torch.tanh(k * v)) * 1.5
        z = z.float() * 2.0
        z += q
        z.relu_()
        return self.last(z) * scale, q


def run_stages(folder, x, seeds):
    manifest, pipeline = json.loads((folder / "manifest.json").read_text()), load_pipeline(folder)
    stages = [pipeline.build_stage(i) for i in range(len(manifest["stages"]))]
    passed, record = (x,), []
    for index, stage in enumerate(stages):
        entry = manifest["stages"][index]
        received = passed if index == 0 else tuple(t.detach().clone().requires_grad_(t.requires_grad) for t in passed)
        wanted = {i["name"]: x for i in entry["inputs"] if index and i["source"] == "model"}
        outputs = stage(*received, **wanted)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        for output, said in zip(outputs, entry["outputs"]):
            assert output.requires_grad == said["requires_grad"], "requires_grad of " + said["name"]
            assert said["made_by"] <= index, "made_by of " + said["name"]
        record.append((received, outputs))
        passed = outputs
    results, gradients = passed, seeds
    for received, outputs in reversed(record):
        pairs = [(o, g) for o, g in zip(outputs, gradients) if o.requires_grad and g is not None]
        torch.autograd.backward([p[0] for p in pairs], [p[1] for p in pairs])
        gradients = [t.grad for t in received]
    found = {}
    for stage in stages:
        for name, parameter in stage.named_parameters():
            if parameter.grad is not None:
                found[name] = found.get(name, 0) + parameter.grad
    return results, found


def places(cli, folder):
    torch.manual_seed(0)
    model, x = Places().train(), torch.randn(4, D)
    path = save(model, (x,), folder / "places.pt2")
    program = torch.export.load(path)
    whole = program.module()
    outputs = whole(x)
    seeds = [torch.randn(o.shape) for o in outputs]
    torch.autograd.backward(outputs, seeds)
    gradients = {name: parameter.grad for name, parameter in whole.named_parameters()}
    names = [node.name for node in program.graph.nodes if node.op == "call_function"]
    names += ["norm", "norm@1", "block@2", "block.0@1"]
    sizes, cuts = {}, 0
    for name in names:
        for side in "before", "after":
            out = folder / ("%s-%s" % (name, side))
            status, _, errors = run(cli, "export", path, "--split-" + side, name, "--formats", "python", "-o", out)
            if "there is nothing %s '%s'" % (side, name) in errors:
                continue
            assert status == 0 and "the boundary at" not in errors, "%s %s: %s" % (side, name, errors)
            results, found = run_stages(out, x, seeds)
            for number, (a, b) in enumerate(zip(outputs, results)):
                assert torch.equal(a, b), "%s %s: output %d" % (side, name, number)
            for parameter, gradient in gradients.items():
                assert close(gradient, found.get(parameter)), "%s %s: gradient of %s" % (side, name, parameter)
            manifest = json.loads((out / "manifest.json").read_text())
            sizes[side, name] = len(manifest["stages"][0]["outputs"])
            cuts += 1
    assert cuts > 60, cuts
    for name in "to", "_assert_tensor_metadata_default":  # the check draws nothing behind the boundary
        assert sizes["before", name] == 1, sizes
    print("%d cuts" % cuts)


def spec(cli, folder):
    model, x = Places().train(), torch.randn(4, D)
    path = save(model, (x,), folder / "places.pt2")
    (folder / "spec.json").write_text('{"norm": "beginning", "heads": "end"}')
    status, output, errors = run(cli, "partition", "--json", path, "--split-spec", folder / "spec.json")
    assert status == 0, errors
    assert len(json.loads(output)["stages"]) == 5, output  # the norm is called three times
    bad = folder / "bad.json"
    bad.write_text("[")
    status, _, errors = run(cli, "partition", path, "--split-spec", bad)
    assert status == 1 and errors.startswith("stagecraft-cli: %s: " % bad), errors


class State(nn.Module):
    """Tied weights in two stages, a second name, buffers of the state and one that is none, narrow numbers."""

    def __init__(self):
        super().__init__()
        self.words, self.middle = nn.Embedding(WORDS, D), nn.Linear(D, D)
        self.again, self.head = self.middle, nn.Linear(D, WORDS, bias=False)
        self.head.weight = self.words.weight
        self.norm = nn.BatchNorm1d(D)
        self.register_buffer("scale", torch.full((D,), 0.5, dtype=torch.bfloat16))
        self.register_buffer("mask", torch.ones(D), persistent=False)

    def forward(self, ids):
        return self.head(self.norm(self.again(self.words(ids)) * self.scale.float()) * self.mask)


def merge(cli, folder):
    torch.manual_seed(0)
    model = State()
    path = save(model, (torch.randint(WORDS, (4,)),), folder / "state.pt2")
    out, merged = folder / "out", folder / "model.safetensors"
    status, _, errors = run(cli, "export", path, "--split-before", "norm", "--split-before", "head", "-o", out)
    assert status == 0, errors
    damaged = out / "stage_1.safetensors"
    content = damaged.read_bytes()
    damaged.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    try:
        load_pipeline(out).build_stage(1)
        raise AssertionError("a damaged stage is built")
    except ValueError as refusal:
        assert "stage_1.safetensors is not as it was exported" in str(refusal), refusal
    damaged.write_bytes(content)
    load_pipeline(out).build_stage(1)
    status, _, errors = run(cli, "merge", out, "-o", merged)
    assert status == 0, errors
    load_pipeline(out)
    from stagecraft_runtime.safetensors import read_safetensors, write_safetensors
    found = dict(read_safetensors(merged))
    State().load_state_dict(found, strict=True)
    for name, tensor in model.state_dict().items():
        assert torch.equal(found[name], tensor) and found[name].dtype == tensor.dtype, name
    states = folder / "trained"
    states.mkdir()
    parts = [dict(read_safetensors(out / ("stage_%d.safetensors" % i))) for i in range(3)]

    def refusal(wanted, **changes):
        for index, part in enumerate(parts):
            changed = {name: tensor for name, tensor in {**part, **changes.get("of_%d" % index, {})}.items()
                       if tensor is not None}
            write_safetensors(states / ("stage_%d.safetensors" % index), changed)
        given = run(cli, "merge", out, "--states", states, "-o", folder / "refused.safetensors")
        assert given[0] == (1 if wanted else 0) and wanted in given[2], "%s: %s" % (wanted, given)
        assert bool(wanted) != (folder / "refused.safetensors").exists(), wanted

    refusal("'norm.bias' is missing", of_1={"norm.bias": None})
    refusal("'norm.bias' is float32[3], and float32[8] in the model", of_1={"norm.bias": torch.ones(3)})
    refusal("'other' is no tensor of this stage", of_1={"other": torch.ones(3)})
    tied = next(name for name in ("words.weight", "head.weight") if name in parts[2])
    refusal("the copies were trained apart", of_2={tied: torch.ones(WORDS, D)})
    refusal("", of_1={"norm.bias": torch.full((D,), 3.0)})
    assert dict(read_safetensors(folder / "refused.safetensors"))["norm.bias"][0] == 3.0
    over = run(cli, "merge", out, "-o", out / "stage_0.safetensors")
    assert over[0] == 2 and "would be written over" in over[2], over


def shards(cli, folder):
    """Weights over a size: read by build_stage, merge and the safetensors library; damaged ones are refused by name."""
    from safetensors.torch import load_file
    torch.manual_seed(0)
    model = State()
    path = save(model, (torch.randint(WORDS, (4,)),), folder / "state.pt2")
    out, merged = folder / "out", folder / "model.safetensors"
    options = "--split-before", "norm", "--split-before", "head", "--shard-size", "0.1KB"
    status, _, errors = run(cli, "export", path, *options, "-o", out)
    assert status == 0, errors
    manifest = json.loads((out / "manifest.json").read_text())
    files = [file for file in manifest["files"] if file["name"].startswith("stage_1")]
    assert manifest["stages"][1]["weights"] == "stage_1.safetensors.index.json", manifest["stages"][1]
    assert all(len(file["sha256"]) == 64 for file in files) and len(files) >= 4, files
    pipeline = load_pipeline(out)
    stage = pipeline.build_stage(1)
    index = json.loads((out / "stage_1.safetensors.index.json").read_text())
    found = {name: tensor for shard in set(index["weight_map"].values()) for name, tensor in load_file(out / shard).items()}
    assert found.keys() == index["weight_map"].keys(), index
    assert index["metadata"]["total_size"] == sum(t.numel() * t.element_size() for t in found.values()), index
    for name, tensor in stage.state_dict().items():
        assert torch.equal(found.get(name, tensor), tensor), name
    status, output, errors = run(cli, "merge", out, "-o", merged, "--shard-size", "200", "--json")
    assert status == 0, errors
    index = json.loads((folder / "model.safetensors.index.json").read_text())
    assert json.loads(output)["files"] == len(set(index["weight_map"].values())) > 2, output
    state = {}
    for shard in set(index["weight_map"].values()):
        assert not state.keys() & load_file(folder / shard).keys(), shard
        state.update(load_file(folder / shard))
    State().load_state_dict(state, strict=True)
    for name, tensor in model.state_dict().items():
        assert torch.equal(state[name], tensor), name
    from stagecraft_runtime.checkpoints import read_all
    read = read_all(folder / "model.safetensors.index.json")["model"]
    assert read.keys() == state.keys() and all(torch.equal(read[name], state[name]) for name in read)
    shard = out / sorted(file["name"] for file in files if "-of-" in file["name"])[0]
    content = shard.read_bytes()
    shard.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    try:
        pipeline.build_stage(1)
        raise AssertionError("a damaged shard is read")
    except ValueError as refusal:
        assert shard.name + " is not as it was exported" in str(refusal), refusal
    status, _, errors = run(cli, "verify", path, out)
    assert status == 1 and shard.name in errors + _, errors
    for wrong, reason in (("0", "more than 0"), ("5GX", "is not a size"), ("-1", "is not a size")):
        status, _, errors = run(cli, "export", path, "--stages", "2", "--shard-size", wrong, "-o", folder / "no")
        assert status == 2 and reason in errors, errors
    status, _, errors = run(cli, "merge", out, "-o", out / "stage_1.safetensors", "--shard-size", "200")
    assert status != 0 and not (out / "stage_1.safetensors").exists(), errors


class Objects(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(D, D), nn.Linear(D, D)

    def forward(self, queue, pair, answer):
        y = self.first(queue[0] + pair.logits * answer.logits) + torch.ones(D)
        z = self.last(y)
        return collections.deque([z, y], maxlen=3), Pair(y, z), Answer(None, z), collections.OrderedDict(y=y), \
            Cache("it's", [z, y])


def objects(cli, folder):
    torch.manual_seed(0)
    x, model = [torch.randn(2, D) for _ in range(5)], Objects()
    given = (collections.deque(x[:2]), Pair(x[2], x[3]), Answer(None, x[4]))
    path, out = save(model, given, folder / "objects.pt2"), folder / "out"
    status, _, errors = run(cli, "export", path, "--split-before", "last", "-o", out)
    assert status == 0, errors
    pipeline, whole = load_pipeline(out), model(*given)
    stages = [pipeline.build_stage(i) for i in range(2)]
    found = stages[1](stages[0](*given))
    assert pytree.tree_structure(found) == pytree.tree_structure(whole), pytree.tree_structure(found)
    for a, b in zip(pytree.tree_leaves(found), pytree.tree_leaves(whole)):
        assert torch.equal(a, b), "a leaf"
    assert isinstance(found[2], Answer) and found[2].loss is None and found[0].maxlen == 3, found
    assert isinstance(found[4], Cache) and found[4].name == "it's", found
    wide = [stage.to(torch.float64) for stage in stages]
    assert all(p.dtype == torch.float64 for stage in wide for p in stage.parameters())
    shapes = stages[0].to("meta")(*pytree.tree_map(lambda t: t.double().to("meta"), given))
    assert shapes.is_meta, "what forward() makes did not go along"
    pytree.SERIALIZED_TYPE_TO_PYTHON_TYPE.pop("model_classes.Cache")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        stages = [pipeline.build_stage(i) for i in range(2)]
    assert ["'model_classes.Cache'" in str(warning.message) for warning in told] == [True], told
    assert isinstance(stages[1](stages[0](*given))[4], tuple)
    bad = [refusal for refusal in (refused(pipeline, -1), refused(pipeline, 2)) if "there is no stage" not in refusal]
    assert not bad, bad


def refused(pipeline, index):
    try:
        pipeline.build_stage(index)
    except ValueError as refusal:
        return str(refusal)
    return "stage %d is built" % index


def main(cli, *names):
    torch.set_num_threads(1)
    ok = True
    for check in loss, places, spec, objects, merge, shards:
        if names and check.__name__ not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(cli, pathlib.Path(folder))
                print("%s: agrees" % check.__name__)
            except AssertionError as failure:
                ok = False
                print("%s: %s" % (check.__name__, failure))
    return ok


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
