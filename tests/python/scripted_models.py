"""Models for torch.jit.script(), each of something that the language has and a graph of torch.export has not."""
import enum
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
from torch import nn


class Counted(nn.Module):
    """Loops over a count, over layers, while something holds, and over a list that it makes."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(3))
        self.heads = nn.ModuleDict({"a": nn.Linear(8, 8), "b": nn.Linear(8, 4)})

    def forward(self, x: torch.Tensor, times: int = 3) -> torch.Tensor:
        for i, layer in enumerate(self.layers):
            x = torch.relu(layer(x)) + i
        for i in range(times):
            if i == 1:
                continue
            x = x * 0.5 + float(i)
        width = 1
        while width < x.size(-1):
            x = x + x.roll(width, -1)
            width *= 2
        for name, head in self.heads.items():
            x = head(x) if name != "c" else x
        total = torch.zeros_like(x)
        for factor in [0.5 * j for j in range(4)]:
            total = total + factor * x
        return total


class Containers(nn.Module):
    """Lists, dicts, nested and named tuples of tensors, and an optional one."""

    def __init__(self):
        super().__init__()
        self.one, self.other = nn.Linear(8, 8), nn.Linear(8, 8)
        self.bias: Optional[torch.Tensor] = None

    def parts(self, x: torch.Tensor) -> Tuple[torch.Tensor, Tuple[torch.Tensor, List[torch.Tensor]]]:
        return self.one(x), (self.other(x), [x, x + 1])

    def forward(self, x: torch.Tensor, mask: Optional[torch.Tensor] = None,
                ) -> Tuple[Dict[str, torch.Tensor], List[torch.Tensor]]:
        first, (second, rest) = self.parts(x)
        kept: Dict[str, torch.Tensor] = {"first": first}
        kept["second"] = second if mask is None else second * mask
        if "third" not in kept and self.bias is None:
            kept["third"] = torch.stack(rest).sum(0)
        rest.append(kept["first"] * kept["second"])
        rest.reverse()
        last = rest.pop()
        return kept, [last, torch.cat(rest[:2], -1)]


class Pair(NamedTuple):
    left: torch.Tensor
    right: torch.Tensor


class Named(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(8, 8)

    def split(self, x: torch.Tensor) -> Pair:
        return Pair(self.line(x), x)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pair = self.split(x)
        return torch.relu(pair.left * pair.right) + pair.right


class Texts(nn.Module):
    """Branches by texts and bools that the model keeps."""

    def __init__(self, kind: str = "gelu", residual: bool = True):
        super().__init__()
        self.kind, self.residual, self.line = kind, residual, nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.line(x)
        if self.kind == "relu":
            y = torch.relu(y)
        elif self.kind.startswith("ge") and len(self.kind) == 4:
            y = torch.nn.functional.gelu(y)
        else:
            raise ValueError("no such function: {}".format(self.kind))
        if self.residual:
            y = y + x
        if self.training:
            y = y * 2
        assert y.dim() == 2, "rows wanted"
        return y + 1


class Modes(nn.Module):
    """Without gradients for a while, detached, and written in place."""

    def __init__(self):
        super().__init__()
        self.one, self.other = nn.Linear(8, 8), nn.Linear(8, 8)
        self.register_buffer("count", torch.zeros(8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            scale = self.one(x).sigmoid()
        y = self.other(x) * scale
        y[:, 0] = y[:, 0] + 1
        y.add_(1).mul_(0.5)
        y[:, 2:4].fill_(0.25)
        self.count += y.detach().mean(0)
        return y + self.count.clone() + self.one(y)


class Called(nn.Module):
    """A module that is called twice, one that two names have, and a weight that two modules have."""

    def __init__(self):
        super().__init__()
        self.block = nn.Sequential(nn.Linear(8, 8), nn.ReLU())
        self.again = self.block
        self.head = nn.Linear(8, 8, bias=False)
        self.head.weight = self.block[0].weight

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.again(self.block(x)) + self.block(x))


class Sized(nn.Module):
    """Reckons with sizes, types and devices."""

    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.norm = nn.BatchNorm1d(6)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        places = torch.arange(length, device=x.device, dtype=x.dtype)
        mask = torch.full([length, length], float("-inf"), device=x.device).triu(1)
        y, _ = self.attention(x, x, x, attn_mask=mask, need_weights=False)
        y = self.norm(y) + places[None, :, None] / max(length, 1)
        y = y.reshape(batch, -1).view(batch, length // 2, 2, width).mean(2)
        return y.to(torch.float64).to(x.dtype).cpu() if y.numel() % 2 == 0 else y


class Kept(nn.Module):
    """Keeps tensors in lists, tuples and dicts, some of which are its parameters or lie in each other."""

    def __init__(self):
        super().__init__()
        self.line = nn.Linear(8, 8)
        self.shifts = [torch.randn(8), torch.randn(8)]
        self.tables = {"first": torch.randn(8, 8), "of 2.nd": torch.randn(8, 8)}
        self.pair = (torch.rand(8), 2)
        self.nested = [[torch.randn(8)], [torch.randn(8), torch.randn(8)]]
        self.weights = [self.line.weight, self.line.weight]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for i, shift in enumerate(self.shifts):
            x = self.line(x) + shift * i
        x = x @ self.tables["first"] @ self.tables["of 2.nd"]
        for row in self.nested:
            for shift in row:
                x = torch.tanh(x) + shift
        return nn.functional.linear(x * self.pair[0] * self.pair[1], self.weights[1])


class Inputs(nn.Module):
    """Takes a list and a tuple of tensors, and numbers."""

    def __init__(self):
        super().__init__()
        self.line = nn.Linear(8, 8)

    def forward(self, parts: List[torch.Tensor], pair: Tuple[torch.Tensor, torch.Tensor], factor: float,
                flipped: bool = False) -> torch.Tensor:
        x = torch.zeros_like(parts[0])
        for part in parts:
            x = x + self.line(part)
        left, right = pair
        return (left - right if flipped else right - left) * x * factor


class OfDict(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(8, 8)

    def forward(self, parts: Dict[str, torch.Tensor], factor: Optional[Dict[str, float]] = None) -> torch.Tensor:
        x = torch.tanh(self.line(parts["x"]))
        for name, part in parts.items():
            if name != "x":
                x = x * part
        return x if factor is None else x * factor["all"]


class OfOptional(nn.Module):
    """Lists, tuples and dicts that need not be given; and what asks a device for its kind."""

    def __init__(self):
        super().__init__()
        self.line = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor, more: Optional[List[torch.Tensor]] = None,
                scaled: Optional[Tuple[torch.Tensor, int]] = None) -> torch.Tensor:
        x = self.line(x)
        if more is not None:
            for part in more:
                x = x + self.line(part)
        if scaled is not None:
            x = x * scaled[0] * scaled[1]
        return x / torch.norm(x, p=2, dim=1, keepdim=True)


class Written(nn.Module):
    """Writes at places that tensors name."""

    def __init__(self):
        super().__init__()
        self.line = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows = torch.tensor([0, 2])
        x = self.line(x).clone()
        x[rows] = x[rows] * 2
        return x.index_put_([rows], torch.ones(2, 8), accumulate=True)


class OfNumberedDict(nn.Module):
    def forward(self, parts: Dict[int, torch.Tensor]) -> torch.Tensor:
        return parts[0] + 1


class Forked(nn.Module):
    """Starts a part beside the rest."""

    def __init__(self):
        super().__init__()
        self.line = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        later = torch.jit.fork(self.line, x)
        return torch.jit.wait(later) + x


class Growing(nn.Module):
    """Leaves a longer list behind for the next call."""

    def __init__(self):
        super().__init__()
        self.seen = [torch.zeros(4, 8)]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.seen.append(x)
        return torch.stack(self.seen).sum(0)


class Exchanging(nn.Module):
    """Leaves another tensor in a dict behind for the next call."""

    def __init__(self):
        super().__init__()
        self.state = {"last": torch.zeros(4, 8)}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x + self.state["last"]
        self.state["last"] = y
        return y


class Counting(nn.Module):
    """Counts its calls in a list."""

    def __init__(self):
        super().__init__()
        self.line = nn.Linear(8, 8)
        self.calls = [0]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls[0] += 1
        return torch.tanh(self.line(torch.relu(x))) * self.calls[0]


class OfNumbers(nn.Module):
    """Goes on by what is in a tensor."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1 if bool(x.sum() > 0) else x - 1


class Keeping(nn.Module):
    """Leaves a tensor behind for the next call."""

    def __init__(self):
        super().__init__()
        self.last = torch.zeros(4, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x + self.last
        self.last = y
        return y


class Lowered(nn.Module):
    """Computes a part in another type."""

    def __init__(self, switched_on: bool = True):
        super().__init__()
        self.line = nn.Linear(8, 8)
        self.switched_on = switched_on

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.switched_on):
            y = torch.tanh(self.line(torch.relu(x)))
        return y.float() + x


class Cells(nn.Module):
    """A cell that is stepped through: LibTorch's own writes to parts of which autograd does not know whose they are."""

    def __init__(self):
        super().__init__()
        self.first, self.cell, self.last = nn.RNN(8, 6), nn.LSTMCell(6, 6), nn.Linear(6, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y, _ = self.first(x)
        h, c = torch.zeros(x.size(1), 6), torch.zeros(x.size(1), 6)
        for t in range(x.size(0)):
            h, c = self.cell(y[t], (h, c))
        return self.last(h)


class Narrow(nn.Module):
    """Keeps a weight in eight bits of floating point."""

    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(8, 8), nn.Linear(8, 8)
        self.register_buffer("weight", torch.randn(8, 8).to(torch.float8_e4m3fn))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(self.first(x) @ self.weight.to(torch.float32))


class Kind(enum.Enum):
    FIRST = 1
    SECOND = 2


class OfKind(nn.Module):
    """Goes on by an enumeration."""

    def __init__(self):
        super().__init__()
        self.kind = Kind.SECOND

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1 if self.kind == Kind.SECOND else x - 1


def refused():
    """(name, scripted, a part of the reason)."""
    line = nn.Sequential(nn.Linear(8, 8))
    return [("of-dict", torch.jit.script(OfNumberedDict()), "forward() takes Dict[int, Tensor] as 'parts'"),
            ("of-numbers", torch.jit.script(OfNumbers()), "depends on the numbers in a tensor"),
            ("forked", torch.jit.script(Forked()), "(torch.jit.fork)"),
            ("lowered", torch.jit.script(Lowered()), "bfloat16, enabled=self.switched_on):: it switches torch.autocast on"),
            ("of-kind", torch.jit.script(OfKind()), "an enumeration is in it"),
            ("keeping", torch.jit.script(Keeping()), "it assigns the attribute 'last'"),
            ("growing", torch.jit.script(Growing()), "changes what 'seen' of a module holds"),
            ("exchanging", torch.jit.script(Exchanging()), "changes what 'state' of a module holds"),
            ("quantised", torch.jit.script(torch.ao.quantization.quantize_dynamic(line, {nn.Linear})), "quantised")]


def models():
    """(name, makes it, its inputs as texts)."""
    return [("counted", Counted, ["f32[4,8]"]), ("counted-more", Counted, ["f32[4,8]", "times=5"]),
            ("containers", Containers, ["f32[4,8]"]), ("containers-masked", Containers, ["f32[4,8]", "mask=f32[4,8]"]),
            ("named", Named, ["f32[4,8]"]), ("texts", Texts, ["f32[4,8]"]),
            ("texts-otherwise", lambda: Texts("relu", False).eval(), ["f32[4,8]"]), ("modes", Modes, ["f32[4,8]"]),
            ("called", Called, ["f32[4,8]"]), ("sized", Sized, ["f32[4,6,8]"]),
            ("kept", Kept, ["f32[4,8]"]), ("counting", Counting, ["f32[4,8]"]),
            ("cells", Cells, ["f32[5,3,8]"]), ("narrow", Narrow, ["f32[4,8]"]),
            ("not-lowered", lambda: Lowered(False), ["f32[4,8]"]),
            ("inputs", Inputs, ["[f32[4,8], f32[4,8]]", "(f32[4,8], f32[4,8])", "0.5", "flipped=true"]),
            ("of-optional", OfOptional, ["f32[4,8]", "[f32[4,8], f32[4,8]]", "(f32[4,8], 3)"]),
            ("of-optional-none", OfOptional, ["f32[4,8]", "none"]), ("written", Written, ["f32[4,8]"]),
            ("of-dict", OfDict, ['{"x": f32[4,8], "mask": f32[4,8]}']),
            ("of-dict-by-name", OfDict, ['parts={"y": f32[4,8], "x": f32[4,8]}', 'factor={"all": 0.5}'])]
