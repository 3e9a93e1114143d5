"""Does build_pipeline() compute as the model does where its state, its types or its device change?

    check_numbers.py EXPORTER [NAME...]

As check_library.py, of which it has the models' makings: buffers that are written to while earlier microbatches need what
was in them, assertions of types under autocast, float16 with scaled gradients, stages that are moved, outputs of all kinds.
"""
import collections
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from check_library import D, LOSSES, MODELS, Plain, compare, gradients_of, in_processes, rows, run_checks, same
from model_classes import Answer, Pair


class Writing(Plain):
    """Reads a buffer, in a way that gradients need it, and writes to it."""

    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.ones(D))
        self.norm = nn.BatchNorm1d(D)

    def forward(self, x):
        x = torch.tanh(self.layers[0](x))
        self.seen.mul_(0.9).add_(x.detach().mean(0))
        return super().forward(self.norm(x * self.seen))


class Asserting(Plain):
    """Whose export asserts types, sizes and devices, and makes tensors on its device."""

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x)).to(torch.float32)
            torch._check(x.shape[0] <= 4096)
            x = x + torch.zeros(D, device=x.device)
        return x


MODELS.update({"writing": (Writing, rows), "asserting": (Asserting, rows)})
LOSSES.update({"writing": F.mse_loss, "asserting": F.mse_loss})


def check_written_buffers(make):
    """As if each microbatch had gone back before the next came."""
    case = make("writing")
    args, target = case.batch(16)
    before = {name: tensor.clone() for name, tensor in case.module.state_dict().items()}
    for processes, schedule in ((4, "gpipe"), (4, "1f1b"), (2, "interleaved"), (1, "looped-bfs"), (2, "zbv")):
        case.module.load_state_dict(before)
        case.module.zero_grad()
        loss = sum(case.whole((x,), y, lambda output, y: F.mse_loss(output, y) / 4)[0]
                   for x, y in zip(args[0].split(4), target.split(4)))
        gradients = {name: p.grad.clone() for name, p in case.module.named_parameters()}
        wanted = case.module.state_dict()

        def step(pipeline):
            built = pipeline.build_pipeline(schedule=schedule, microbatches=4, loss_fn=case.loss, device="cpu")
            result = built.step(*args, target=target).sum().item(), gradients_of(built)
            for name, tensor in built.state_dict().items():
                same(tensor.detach(), wanted[name], name)
            return result
        compare(in_processes(case, processes, step), (loss, gradients), "written buffers, %s" % schedule)


def check_assertions(make):
    """Those of types do not hold under autocast, which is meant."""
    case = make("asserting")
    args, target = case.batch(8)
    with torch.autocast("cpu", torch.bfloat16):
        loss = case.loss(case.module(*args), target)
    for autocast, wanted, most in ((None, case.loss(case.module(*args), target), 1e-5), (torch.bfloat16, loss, 1e-2)):
        def step(pipeline):
            built = pipeline.build_pipeline(schedule="interleaved", loss_fn=case.loss, device="cpu", autocast=autocast)
            return built.step(*args, target=target).sum().item()
        same(in_processes(case, 2, step)[0], wanted.item(), "assertions", most)


def check_moved(make):
    """What a stage makes itself follows it."""
    case = make("asserting")

    def move(pipeline):
        stage = pipeline.build_stage(1)
        shape = tuple(stage(torch.zeros(2, D)).shape)
        stage.to("meta")
        assert stage.device.type == "meta"
        output = stage(torch.zeros(2, D, device="meta"))
        assert output.is_meta and tuple(output.shape) == shape
        return [tuple(p.shape) for p in pipeline.build_stage(1).to("meta").to_empty(device="cpu").parameters()]
    assert in_processes(case, 1, move)[0]


def check_scaled(make):
    """float16 as torch.amp.GradScaler does it: with a scale under which gradients overflow at first, in some stages only."""
    case, steps = make("plain"), 6
    batches = [case.batch(8) for _ in range(steps)]
    options = {"init_scale": 2.0 ** 24, "growth_interval": 2}
    module = Plain()
    module.load_state_dict(case.module.state_dict())
    optimizer, scaler, wanted = torch.optim.AdamW(module.parameters(), lr=0.01), torch.amp.GradScaler("cpu", **options), []
    for args, target in batches:
        optimizer.zero_grad()
        for x, y in zip(args[0].split(2), target.split(2)):  # types overflow for each microbatch as they do here
            with torch.autocast("cpu", torch.float16):
                loss = F.mse_loss(module(x), y)
            scaler.scale(loss / 4).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(module.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        wanted.append(scaler.get_scale())

    def train(pipeline):
        built = pipeline.build_pipeline(schedule="1f1b", loss_fn=case.loss, device="cpu", autocast=torch.float16)
        optimizer, scales = torch.optim.AdamW(built.parameters(), lr=0.01), []
        built.scaler.load_state_dict({**built.scaler.state_dict(), "scale": 2.0 ** 24, "growth_interval": 2})
        for args, target in batches:
            built.zero_grad()
            built.step(*args, target=target)
            built.scaler.unscale_(optimizer)
            built.clip_grad_norm_(1.0)
            built.scaler.step(optimizer)
            built.scaler.update()
            scales.append(built.scaler.get_scale())
        for name, tensor in built.state_dict().items():
            same(tensor.detach(), module.state_dict()[name], name, 2e-3)
        return scales
    for scales in in_processes(case, 4, train):
        assert scales == wanted and max(wanted) > min(wanted), (scales, wanted)


def check_outputs(make):
    """What a loss function and predict() are given of what the stages return."""
    def look(pipeline):
        from stagecraft_runtime.loss import make_loss, sum_of_outputs, with_fields
        one, two = torch.ones(2), torch.zeros(3)
        output = with_fields({"a": Pair(one, {"b": two}), "c": collections.deque([{"d": one}], 3), "e": [(two,)]})
        assert output.a.logits.b is two and type(output.a) is Pair and output["a"].hidden is one
        assert output.c.maxlen == 3 and output.c[0].d is one and type(output.c) is collections.deque
        assert output.e == [(two,)]
        assert len(torch.utils._pytree.tree_leaves(output)) == 4
        assert make_loss(pipeline.EXPORT, sum_of_outputs)({"a": one, "b": {"c": one}}, None).item() == 4
        assert make_loss(pipeline.EXPORT, "a.hidden")({"a": Pair(one, two)}, None).item() == 2
        assert make_loss(pipeline.EXPORT, 1)({"a": Pair(two, one)}, None).item() == 2
    in_processes(make("plain"), 1, look)
    for name in ("class", "named-tuple"):
        case = make(name)
        args, _ = case.batch(8)
        wanted = [case.module(args[0][rows], *args[1:]) for rows in (slice(0, 4), slice(4, 8))]

        def predict(pipeline):
            built = pipeline.build_pipeline(schedule="looped-bfs", microbatches=2, device="cpu")
            outputs = built.predict(*args)
            return [output.logits.numpy() for output in outputs if type(output) in (Answer, Pair)]
        found_outputs = in_processes(case, 1, predict)[0]
        assert len(found_outputs) == 2
        for found, output in zip(found_outputs, wanted):
            same(found, output.logits.detach(), name)


if __name__ == "__main__":
    sys.exit(0 if run_checks(globals(), sys.argv[1], sys.argv[2:]) else 1)
