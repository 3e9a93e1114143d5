"""Models that tst_python_import exports, and what is none."""
import collections, sys, time
import torch

print("hello from the model's file")


class Halves(torch.nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.left = torch.nn.Linear(width, width)
        self.register_buffer("scale", torch.full((width,), 2.0), persistent=False)
    def forward(self, x, mask=None):
        return self.left(x) * self.scale


class Branch(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x * 2
        return x


class Box:
    def __init__(self, value):
        self.value = value


class Boxed(torch.nn.Module):
    def forward(self, x):
        return Box(x * 2)


class Lists(torch.nn.Module):
    def forward(self, pair, flag):
        return pair[0] + pair[1] if flag else pair[0]


def with_inputs():
    return Halves(), (torch.ones(3, 4),)


def slow():
    print("sleeping", file=sys.stderr, flush=True)
    time.sleep(60)


Pair = collections.namedtuple("Pair", "left right")


class TakesPair(torch.nn.Module):
    def forward(self, pair):
        return pair.left + pair.right


def with_pair():
    return TakesPair(), (Pair(torch.ones(2, 3), torch.ones(2, 3)),)


class TakesDict(torch.nn.Module):
    def forward(self, x, parts):
        return x + parts["left"]


def with_dict():
    return TakesDict(), (torch.ones(2, 3), {"left": torch.ones(3)})


def with_names():
    return TakesDict(), ((torch.ones(2, 3),), {"parts": {"left": torch.ones(3)}})


class Sparse(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("few", torch.eye(4).to_sparse())
    def forward(self, x):
        return torch.sparse.mm(self.few, x)


class Derives(torch.nn.Module):
    def forward(self, x):
        return torch.func.grad(lambda y: y.sin().sum())(x)


class Vast(torch.nn.Module):
    """No machine has the memory for its parameter."""
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Parameter(torch.empty(1 << 44, 16))
    def forward(self, x):
        return x + self.table[0]


class Yields(torch.nn.Module):
    def forward(self, x):
        return (part for part in (x, x + 1))


def scripted():
    return torch.jit.script(torch.nn.Linear(4, 4)), (torch.ones(2, 4),)


def no_text():
    raise ValueError("a name \udcff that is no text")


def own_base():
    class Stop(BaseException):
        pass
    raise Stop("no Exception")


def own_cause():
    try:
        raise ValueError("its own cause")
    except ValueError as error:
        raise error from error


def ends():
    sys.exit(0)


def dies():
    import os
    os.kill(os.getpid(), 9)


class Aborts(torch.nn.Module):
    def forward(self, x):
        import ctypes
        return ctypes.CDLL(None).abort()


def unfit_torchvision():
    try:
        raise RuntimeError("operator torchvision::nms does not exist")
    except RuntimeError as error:
        raise ModuleNotFoundError("Could not import module 'Gemma3'") from error


def raises():
    return undefined_name
