"""Makes the programs of tests/data/architectures that are modules of nobody's, and counts one step of each.

usage: python architectures.py FOLDER NAME...          (torch 2.13, meta device; FOLDER is ../architectures)

Writes FOLDER/NAME.pt2 (no weights, no paths of this machine, deflated) and FOLDER/NAME.json: one training step on the meta
device by tracker.py, in each attention route, as ../oracle/profile.json has them.
"""
import json
import os
import re
import sys
import tempfile
import warnings
import zipfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.export.passes import move_to_device_pass

import tracker

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))
from make_models import without_machine  # noqa: E402

warnings.filterwarnings("ignore")
aten = torch.ops.aten
KEPT = ("live_after_forward", "peak_forward", "peak_backward", "peak", "gradient_bytes", "saved_bytes")


# ---------------------------------------------------------------- attention
def repeated(query, key, value):
    repeats = query.shape[-3] // key.shape[-3]
    return (key, value) if repeats == 1 else (key.repeat_interleave(repeats, -3), value.repeat_interleave(repeats, -3))


def additive(mask, query):
    if mask is None or mask.dtype != torch.bool:
        return mask
    return torch.where(mask, torch.zeros((), dtype=query.dtype, device="meta"),
                       torch.full((), float("-inf"), dtype=query.dtype, device="meta"))


def math(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    return aten.scaled_dot_product_attention(query, key, value, attn_mask, dropout_p, is_causal, scale=scale,
                                             enable_gqa=enable_gqa)


def efficient(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    key, value = repeated(query, key, value)
    mask = additive(attn_mask, query)
    if mask is not None:
        mask = mask.expand(*query.shape[:3], key.shape[2])
    trains = query.requires_grad or key.requires_grad or value.requires_grad
    return aten._scaled_dot_product_efficient_attention(query, key, value, mask, trains, dropout_p, is_causal, scale=scale)[0]


def cpu(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    one_head = key.shape[-3] != query.shape[-3] and not enable_gqa      # broadcast: the kernel does not
    if dropout_p > 0 or one_head or not query.shape[-1] == key.shape[-1] == value.shape[-1]:
        return math(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)
    key, value = repeated(query, key, value)
    return aten._scaled_dot_product_flash_attention_for_cpu(query, key, value, dropout_p, is_causal,
                                                            attn_mask=additive(attn_mask, query), scale=scale)[0]


def prepared(program, attention):
    """The program as a module on the meta device, attention by one route."""
    module = program.module()
    for part in [m for m in module.modules() if isinstance(m, torch.fx.GraphModule) and len(m.graph.nodes)]:
        for node in list(part.graph.nodes):
            if node.target is aten.scaled_dot_product_attention.default:
                node.target = attention
            elif node.target is aten._assert_tensor_metadata.default or "guard" in str(node.target):
                part.graph.erase_node(node)
        part.recompile()
    return module


def counted(program, attention, inputs):
    module = prepared(program, attention)
    parameters, buffers = list(module.parameters()), list(module.buffers())
    constants = [v for m in module.modules() for v in vars(m).values() if isinstance(v, torch.Tensor)]
    call = lambda: module(*inputs)  # noqa: E731
    counter, memory = tracker.step_memory(call, parameters, [*parameters, *buffers, *inputs, *constants])
    memory.update(tracker.saved_bytes(call, dict(parameters=parameters, buffers=[*buffers, *constants], inputs=inputs)))
    forward, backward = (sum(counter.flops[phase].values()) for phase in ("forward", "backward"))
    return dict(flops_exact=dict(forward=forward, total=forward + backward), memory={name: memory[name] for name in KEPT})


# ---------------------------------------------------------------- modules
class TokenLayouts(nn.Module):
    """Tokens seen as images: inputs of convolutions, norms and shuffles that are neither row-major nor channels-last."""
    def __init__(self, width=16):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 4, 4)
        self.norm = nn.LayerNorm(width)
        self.position = nn.Conv2d(width, width, 3, padding=1, groups=width)
        self.first = nn.Linear(width, 2 * width)
        self.depth = nn.Conv2d(2 * width, 2 * width, 3, padding=1, groups=2 * width)
        self.second = nn.Linear(2 * width, width)
        self.steps = nn.BatchNorm1d(width)
        self.images = nn.BatchNorm2d(width)
        self.merge = nn.Conv2d(width, 2 * width, 2, 2)
        self.up = nn.Conv2d(2 * width, 4 * width, 1)
        self.head = nn.Linear(width, 10)

    def forward(self, images):
        x = self.stem(images)
        batch, width, height, _ = x.shape
        as_image = lambda tokens: tokens.transpose(1, 2).reshape(batch, -1, height, height)  # noqa: E731
        x = x.flatten(2).transpose(1, 2)
        x = x + self.position(as_image(x)).flatten(2).transpose(1, 2)
        y = self.depth(as_image(self.first(self.norm(x)))).flatten(2).transpose(1, 2)
        x = x + self.second(F.gelu(y))
        x = x + self.steps(x.transpose(1, 2)).transpose(1, 2)
        z = F.hardswish(self.images(as_image(x)))
        z = torch.roll(z, (1, 1), (2, 3))
        z = F.pixel_shuffle(F.hardtanh(self.up(self.merge(z))), 2)
        z = F.logsigmoid(F.channel_shuffle(z, 4))
        z = self.norm(z.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
        return self.head(F.adaptive_avg_pool2d(z, 1).flatten(1))


class Part(nn.Module):
    def __init__(self, table):
        super().__init__()
        self.table, self.mix = table, nn.Linear(8, 8)

    def forward(self, ids):
        return self.mix(self.table(ids))


class TiedAndUnused(nn.Module):
    """A table under three names and a layer under two; a layer of the same shapes that nothing calls; one key head."""
    def __init__(self):
        super().__init__()
        table = nn.Embedding(10, 8)
        self.shared, self.encoder, self.decoder = table, Part(table), Part(table)
        self.unused = nn.Linear(8, 8)
        self.query, self.key, self.value = nn.Linear(8, 32), nn.Linear(8, 8), nn.Linear(8, 8)
        again = nn.Linear(32, 32)
        self.layers = nn.ModuleList([again, again])
        self.out = nn.Linear(32, 8)
        self.head = nn.Linear(8, 10, bias=False)
        self.head.weight = table.weight

    def forward(self, ids):
        x = self.encoder(ids) + self.decoder(ids)
        query = self.query(x).unflatten(-1, (4, 8)).transpose(1, 2)
        x = F.scaled_dot_product_attention(query, self.key(x).unsqueeze(1), self.value(x).unsqueeze(1))
        x = x.transpose(1, 2).flatten(2)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.out(x))


class BagsAndBlocks(nn.Module):
    """Bags of embeddings for two towers, sliding blocks, and losses inside the model."""
    def __init__(self):
        super().__init__()
        self.bags = nn.ModuleList(nn.EmbeddingBag(50, 8, mode=mode) for mode in ("sum", "mean", "max"))
        self.weighted = nn.EmbeddingBag(50, 8, mode="sum", padding_idx=0)
        self.dense = nn.Sequential(nn.Linear(48, 16), nn.ReLU(inplace=True), nn.Linear(16, 8))
        self.out = nn.Linear(8, 1)

    def forward(self, images, ids, offsets, clicks):
        blocks = F.unfold(images, 3, padding=1)
        images = F.fold(blocks, (4, 4), 3, padding=1) / 9
        item = self.dense(images.flatten(1))
        users = [bag(ids, offsets) for bag in self.bags] + [self.weighted(ids, offsets, None)]
        score = torch.sigmoid(self.out(item * torch.stack(users).sum(0)))[:, 0]
        return (F.binary_cross_entropy(score, clicks), F.mse_loss(item, users[0]), F.smooth_l1_loss(item, users[1]),
                F.soft_margin_loss(score, clicks), F.huber_loss(item, users[2], reduction="sum"))


class ComplexStates(nn.Module):
    """State spaces with complex parameters: a kernel of exponentials by Fourier transforms, and a recurrence."""
    def __init__(self, width=8, states=4):
        super().__init__()
        self.decay, self.angle = nn.Parameter(torch.zeros(width, states)), nn.Parameter(torch.zeros(width, states))
        self.output = nn.Parameter(torch.zeros(width, states, 2))
        self.step, self.skip = nn.Parameter(torch.zeros(width)), nn.Parameter(torch.zeros(width))
        self.mix = nn.Linear(width, 2 * width)
        self.into = nn.Parameter(torch.zeros(states, width, dtype=torch.complex64))
        self.out = nn.Parameter(torch.zeros(width, states, dtype=torch.complex64))
        self.radius, self.turn = nn.Parameter(torch.zeros(states)), nn.Parameter(torch.zeros(states))

    def convolved(self, x):
        length = x.shape[-1]
        rate = -self.decay.exp() + 1j * self.angle
        scaled = rate * self.step.exp()[:, None]
        output = torch.view_as_complex(self.output) * (scaled.exp() - 1) / rate
        kernel = 2 * torch.einsum("hn,hnl->hl", output, (scaled[..., None] * torch.arange(length)).exp()).real
        spectrum = torch.fft.rfft(x, n=2 * length) * torch.fft.rfft(kernel, n=2 * length)
        return torch.fft.irfft(spectrum, n=2 * length)[..., :length] + x * self.skip[:, None]

    def scanned(self, x):
        turn = torch.polar(torch.exp(-self.radius.exp()), self.turn)
        driven = x.to(torch.complex64) @ self.into.mT
        state, states = torch.zeros_like(driven[:, 0]), []
        for t in range(x.shape[1]):
            state = turn * state + driven[:, t]
            states.append(state)
        states = torch.stack(states, 1)
        return (states @ self.out.mT).real, (states * states.conj()).real.mean() + states.imag.sum()

    def forward(self, x):
        x = F.glu(self.mix(F.gelu(self.convolved(x)).transpose(1, 2)))
        return self.scanned(x)


class CheckedSolve(nn.Module):
    """An orthogonal weight by solving a system, which is checked, and a mean that is kept. Decomposed, the check has a
    token that the program takes and returns, and the mean's new content is a result."""
    def __init__(self):
        super().__init__()
        self.skew, self.inner = nn.Parameter(torch.zeros(6, 6)), nn.Linear(6, 6)
        self.register_buffer("mean", torch.zeros(6))

    def forward(self, x):
        skew = self.skew.tril(-1) - self.skew.tril(-1).T
        one = torch.eye(6)
        x = F.linear(self.inner(x), torch.linalg.solve(one + skew, one - skew))
        self.mean.mul_(0.9).add_(x.detach().mean(0), alpha=0.1)
        return (x - self.mean).tanh()


DECOMPOSED = {"checked-solve"}
PROGRAMS = {
    "bags-and-blocks": (BagsAndBlocks, lambda: (torch.zeros(4, 3, 4, 4), torch.zeros(20, dtype=torch.long),
                                                torch.arange(0, 20, 5), torch.zeros(4))),
    "checked-solve": (CheckedSolve, lambda: (torch.zeros(4, 6),)),
    "complex-states": (ComplexStates, lambda: (torch.zeros(2, 8, 12),)),
    "tied-and-unused": (TiedAndUnused, lambda: (torch.zeros(2, 6, dtype=torch.long),)),
    "token-layouts": (TokenLayouts, lambda: (torch.zeros(2, 3, 32, 32),)),
}


def write(program, path):
    without_machine(program)
    for module in program.graph_module.modules():
        for node in module.graph.nodes if isinstance(module, torch.fx.GraphModule) else ():
            if node.meta.get("stack_trace"):
                node.meta["stack_trace"] = re.sub(r'File ".*/', 'File "', node.meta["stack_trace"])
    with tempfile.TemporaryDirectory() as folder:
        plain = os.path.join(folder, "plain.pt2")
        torch.export.save(program, plain)
        with zipfile.ZipFile(plain) as given, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
            for entry in given.infolist():
                out.writestr(entry.filename, given.read(entry.filename))


def main(folder, names):
    for name in names or PROGRAMS:
        build, make_inputs = PROGRAMS[name]
        program = None
        if name in DECOMPOSED:              # torch 2.13 does not decompose checks on the meta device
            program = torch.export.export(build().train(), make_inputs(), strict=False).run_decompositions()
            program = move_to_device_pass(program, "meta")
        with torch.device("meta"):
            module, inputs = build().train(), make_inputs()
            program = program or torch.export.export(module, inputs, strict=False)
            parameters = list(module.parameters())
            routes = dict(math=math)
            if any("scaled_dot" in str(node.target) for node in program.graph.nodes):
                routes.update(efficient=efficient, cpu=cpu)
            figures = dict(name=name, parameters=sum(p.numel() for p in parameters),
                           parameter_bytes=sum(p.numel() * p.element_size() for p in parameters),
                           exported={route: counted(program, attention, inputs) for route, attention in routes.items()})
        write(program, os.path.join(folder, name + ".pt2"))
        with open(os.path.join(folder, name + ".json"), "w") as out:
            json.dump(figures, out, indent=1)
            out.write("\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
