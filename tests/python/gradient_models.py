"""Small models whose weights reach the loss in unusual ways:  gradient_models.py FOLDER [NAME...]

Each returns its loss, or says in loss() where it is. Beside NAME.pt2 the file NAME.pt holds the arguments of three
microbatches and what the model itself, whole and under plain PyTorch, makes of them: the mean of the losses and the
gradients by name.
"""
import copy
import pathlib
import sys
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F
from model_classes import Losses

warnings.filterwarnings("ignore")
D = 8
MICROBATCHES = 4


def x():
    return torch.randn(4, D)


def linears(count):
    return nn.ModuleList(nn.Linear(D, D) for _ in range(count))


class Model(nn.Module):
    """What all of these have in common: a number of layers, and how they are called."""

    layer_count = 8

    def __init__(self):
        super().__init__()
        self.layers = linears(self.layer_count)

    @staticmethod
    def arguments():
        return (x(),)

    def run(self, value, begin=0, end=None):
        for layer in self.layers[begin:end]:
            value = torch.tanh(layer(value))
        return value

    @staticmethod
    def loss(output):
        return output


class FrozenFirst(Model):
    """The first layers are frozen: no gradient leaves the later stages."""

    def __init__(self):
        super().__init__()
        self.layers[:5].requires_grad_(False)

    def forward(self, x):
        return self.run(x).square().mean()


class FrozenMiddle(Model):
    def __init__(self):
        super().__init__()
        self.layers[2:6].requires_grad_(False)

    def forward(self, x):
        return self.run(x).square().mean()


class FrozenLast(Model):
    def __init__(self):
        super().__init__()
        self.layers[4:].requires_grad_(False)

    def forward(self, x):
        return self.run(x).square().mean()


class OneTrained(Model):
    """A single weight in a late stage."""

    def __init__(self):
        super().__init__()
        self.requires_grad_(False)
        self.layers[6].weight.requires_grad_(True)

    def forward(self, x):
        return self.run(x).square().mean()


class LateTower(Model):
    """A second tower begins where the first one ends, and they meet at the end."""

    @staticmethod
    def arguments():
        return x(), x()

    def forward(self, x, y):
        first = self.run(x, 0, 3)
        second = self.run(y, 3, 6)
        return self.run(first * second, 6).square().mean() + second.mean()


class FrozenTower(Model):
    """A frozen tower feeds a trained one, as an image encoder does."""

    def __init__(self):
        super().__init__()
        self.layers[:4].requires_grad_(False)
        self.embed = nn.Embedding(11, D)

    @staticmethod
    def arguments():
        return x(), torch.randint(0, 11, (4,))

    def forward(self, image, words):
        return self.run(self.run(image, 0, 4) + self.embed(words), 4).square().mean()


class PositionBias(Model):
    """A value made of weights alone in a middle stage, read by every later layer."""

    def __init__(self):
        super().__init__()
        self.bias = nn.Embedding(D, D)

    def forward(self, x):
        x = self.run(x, 0, 3)
        bias = torch.tanh(self.bias(torch.arange(D)))
        for layer in self.layers[3:]:
            x = torch.softmax(layer(x) @ bias + bias.mean(0), -1)
        return x.square().mean()


class WeightNorm(Model):
    """Weights computed from weights, far ahead of where they are used."""

    def __init__(self):
        super().__init__()
        self.gains = nn.Parameter(torch.rand(8))

    def forward(self, x):
        weights = [layer.weight * (gain / layer.weight.norm()) for layer, gain in zip(self.layers, self.gains)]
        for layer, weight in zip(self.layers, weights):
            x = torch.tanh(F.linear(x, weight, layer.bias))
        return x.square().mean()


class ViewsOfWeights(Model):
    """One weight for all layers, of which each takes a view; views and the weight itself cross."""

    def __init__(self):
        super().__init__()
        self.all = nn.Parameter(torch.randn(8, D, D) / 3)

    def forward(self, x):
        views = self.all.unbind(0)
        for layer, view in zip(self.layers, views):
            x = torch.tanh(layer(x) @ view.t())
        return x.square().mean() + (self.all[0] * x[0]).sum()


class TwiceInAStage(Model):
    """Weights read twice between others: biases before weights, so that groups of weights overlap."""

    def __init__(self):
        super().__init__()
        self.before = nn.ParameterList(nn.Parameter(torch.randn(D) / 3) for _ in range(8))
        self.shared = nn.Parameter(torch.randn(D, D) / 3)

    def forward(self, x):
        for layer, bias in zip(self.layers, self.before):
            x = torch.tanh(F.linear(layer(x), self.shared, bias))
        return x.square().mean()


class TiedOverStages(Model):
    """Embedding and head are one weight; a norm is the same at both ends."""

    def __init__(self):
        super().__init__()
        self.embed, self.norm = nn.Embedding(11, D), nn.LayerNorm(D)

    @staticmethod
    def arguments():
        return torch.randint(0, 11, (4, 3)), torch.randint(0, 11, (4, 3))

    def forward(self, words, target):
        y = self.norm(self.run(self.norm(self.embed(words))))
        return F.cross_entropy((y @ self.embed.weight.t()).flatten(0, 1), target.flatten())


class TiedFrozen(TiedOverStages):
    """The tied weight is frozen, another one is never used."""

    def __init__(self):
        super().__init__()
        self.embed.requires_grad_(False)
        self.unused = nn.Linear(D, D)


class DetachAcross(Model):
    """What crosses is detached on one way and not on the other."""

    def forward(self, x):
        first = self.run(x, 0, 2)
        still = first.detach()
        second = self.run(still, 2, 5)
        return self.run(second + first, 5).square().mean() + (still * second.detach()).mean()


class DetachAll(Model):
    """Nothing before the middle has a gradient, though its weights ask for one."""

    def forward(self, x):
        return self.run(self.run(x, 0, 4).detach(), 4).square().mean()


class NoGradRegion(Model):
    def forward(self, x):
        x = self.run(x, 0, 2)
        with torch.no_grad():
            scale = torch.sigmoid(self.run(x, 2, 4))
        x = self.run(x * scale, 4, 7)
        with torch.no_grad():
            mask = (x > 0).float() + 0.5
        return (self.run(x, 7) * mask).square().mean()


class NoWeights(Model):
    """Stages without any weight, between others and at the end."""

    layer_count = 2

    def forward(self, x):
        y = torch.tanh(self.layers[0](x)).sin().cos().exp().log1p().square().sqrt().neg().abs().add(1)
        y = self.layers[1](y).sin().cos().exp().log1p().sigmoid().square()
        return y.mean()


class Whole(Model):
    """Integers and truth values cross, and one tensor whose gradient nobody wants."""

    @staticmethod
    def arguments():
        return x(), torch.randint(0, D, (4, D)), torch.rand(4, D) > 0.3

    def forward(self, x, where, keep):
        count, mask = where * 2 // 2, keep & (where > 1)
        wanted = self.run(x, 0, 3)
        x = self.run(torch.where(mask, wanted.gather(1, count), wanted), 3, 6)
        order = x.argsort(-1)
        x = self.run(x.gather(1, order) * mask, 6) + count
        return x.square().mean() + mask.sum() * 0.0


class Unwanted(Model):
    """Values that need gradients cross to the end, where the loss reads them only detached or not at all."""

    def forward(self, x):
        first, second = self.run(x, 0, 2), self.run(x, 2, 4)
        third = self.run(first, 4, 6)
        return {"loss": (third * second.detach()).mean(), "aside": second * 2, "more": self.layers[7](first)}

    @staticmethod
    def loss(output):
        return output["loss"]


class Buffers(Model):
    """Buffers are written in every step and read in later stages; one of them crosses as it is."""

    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.zeros(1))
        self.register_buffer("scale", torch.full((D,), 2.0))
        self.norm = nn.BatchNorm1d(D)

    def forward(self, x):
        x = self.norm(self.run(x, 0, 2))
        self.steps += 1
        return (self.run(x * self.scale, 2) * (self.scale + 0 * self.steps)).square().mean()


class InPlace(Model):
    """Written to in place on both sides of a boundary."""

    def forward(self, x):
        for layer in self.layers:
            y = layer(x)
            y += x
            y[:, :3].mul_(0.5)
            x = y.relu_()
        return x.square().mean()


class Recomputed(Model):
    """Regions of torch.utils.checkpoint, one with a weight that another reads too."""

    def forward(self, x):
        from torch.utils.checkpoint import checkpoint
        for begin in range(0, 8, 2):
            x = checkpoint(lambda value, begin=begin: self.run(value, begin, begin + 2), x, use_reentrant=False)
            x = torch.tanh(self.layers[1](x))
        return x.square().mean()


class Branches(Model):
    """Parts of the graph that the data choose, with weights in them."""

    def forward(self, x):
        x = self.run(x, 0, 3)
        x = torch.cond(x.sum() > 0, lambda t: torch.tanh(self.layers[3](t)), lambda t: self.layers[4](t) * 2, (x,))
        x = self.run(x, 5)
        return torch.cond(x.sum() > 100, lambda t: t * 2, lambda t: t - self.layers[6](t), (x,)).square().mean()


class BranchesOfAll(Model):
    """Branches within branches, written to afterwards; what crosses is read by the branch that is not taken alone."""

    def forward(self, x):
        first, second = self.run(x, 0, 2), self.run(x, 2, 4)

        def inner(a, b):
            return torch.cond(b.sum() > 100, lambda a, b: self.layers[4](a), lambda a, b: self.layers[5](b) * 1, (a, b))

        y = torch.cond(first.sum() < 100, inner, lambda a, b: (a + b) @ self.layers[6].weight, (second, first))
        y += 1
        return self.run(y * 0.5, 7).square().mean()


class DataSizes(Model):
    """The data decide a size within a stage, and indices cross, which no other numbers may stand for."""

    @staticmethod
    def arguments():
        return x(), torch.randint(0, 3, (4,))

    def forward(self, x, key):
        _, place = torch.unique(key, return_inverse=True)
        x = self.run(x, 0, 5)
        return self.run(x[place], 5).square().mean()


class Complex(Model):
    """Complex numbers, conjugates and their parts cross."""

    def forward(self, x):
        z = torch.complex(self.run(x, 0, 2), self.run(x, 2, 4))
        w = torch.fft.fft(z.conj() * z.abs())
        return self.run(w.real, 4).square().mean() + w.imag.mean() + z.conj().imag.square().mean()


class Half(Model):
    """Two types of numbers: what crosses is narrower than the weights."""

    def forward(self, x):
        for layer in self.layers:
            x = F.linear(x.bfloat16(), layer.weight.bfloat16()).float() + layer.bias
        return x.square().mean()


class Classifier(Model):
    """What each of the following returns is its loss among other things."""

    def __init__(self):
        super().__init__()
        self.head = nn.Linear(D, 5)

    @staticmethod
    def arguments():
        return x(), torch.randint(0, 5, (4,))

    def both(self, x, target):
        logits = self.head(self.run(x))
        return F.cross_entropy(logits, target), logits


class LossAndLogits(Classifier):
    def forward(self, x, target):
        return self.both(x, target)

    @staticmethod
    def loss(output):
        return output[0]


class LogitsAndLoss(Classifier):
    """The loss comes last, behind a scalar that has no gradient and one that counts."""

    def forward(self, x, target):
        loss, logits = self.both(x, target)
        return logits, logits.detach().max(), (logits.argmax(-1) == target).sum(), loss

    @staticmethod
    def loss(output):
        return output[3]


class LossInADict(Classifier):
    """Another scalar needs a gradient too: the name tells."""

    def forward(self, x, target):
        loss, logits = self.both(x, target)
        return {"penalty": logits.square().mean(), "loss": loss, "logits": logits}

    @staticmethod
    def loss(output):
        return output["loss"]


class LossInAClass(Classifier):
    def forward(self, x, target):
        loss, logits = self.both(x, target)
        return Losses(loss, logits, logits.mean())

    @staticmethod
    def loss(output):
        return output.loss


class LossWithin(Classifier):
    def forward(self, x, target):
        loss, logits = self.both(x, target)
        return {"first": (logits, logits.mean()), "second": {"loss": loss}}

    @staticmethod
    def loss(output):
        return output["second"]["loss"]


class LossOfEach(Classifier):
    """A loss for each sample: a step goes back from their sum."""

    def forward(self, x, target):
        logits = self.head(self.run(x))
        return {"loss": F.cross_entropy(logits, target, reduction="none"), "logits": logits}

    @staticmethod
    def loss(output):
        return output["loss"].sum()


class LogitsAlone(Classifier):
    """No loss: the step goes back from the sum of what needs a gradient."""

    def forward(self, x, target):
        logits = self.head(self.run(x))
        return logits, logits.softmax(-1), target + 1

    @staticmethod
    def loss(output):
        return output[0].sum() + output[1].sum()


MODELS = {"frozen-first": FrozenFirst, "frozen-middle": FrozenMiddle, "frozen-last": FrozenLast,
          "one-trained": OneTrained, "late-tower": LateTower, "frozen-tower": FrozenTower,
          "position-bias": PositionBias, "weight-norm": WeightNorm, "views-of-weights": ViewsOfWeights,
          "twice-in-a-stage": TwiceInAStage, "tied-over-stages": TiedOverStages, "tied-frozen": TiedFrozen,
          "detach-across": DetachAcross, "detach-all": DetachAll, "no-grad-region": NoGradRegion,
          "no-weights": NoWeights, "whole-numbers": Whole, "unwanted": Unwanted, "buffers": Buffers,
          "in-place": InPlace, "recomputed": Recomputed, "branches": Branches,
          "branches-of-all": BranchesOfAll, "data-sizes": DataSizes, "complex": Complex, "half": Half,
          "loss-and-logits": LossAndLogits, "logits-and-loss": LogitsAndLoss, "loss-in-a-dict": LossInADict,
          "loss-in-a-class": LossInAClass, "loss-within": LossWithin, "loss-of-each": LossOfEach,
          "logits-alone": LogitsAlone}


def reference(model, batches):
    """Mean of the losses and gradients of the model as it is, microbatch by microbatch."""
    model, total = copy.deepcopy(model), 0.0
    for batch in batches:
        loss = model.loss(model(*batch)) / len(batches)
        loss.backward()
        total += float(loss.detach())
    return {"loss": total, "gradients": {name: parameter.grad for name, parameter in model.named_parameters()}}


def make(name, folder):
    torch.manual_seed(1)
    model = MODELS[name]().train()
    batches = [model.arguments() for _ in range(MICROBATCHES)]
    program = torch.export.export(copy.deepcopy(model), batches[0], strict=False)
    torch.export.save(program, folder / (name + ".pt2"))
    torch.save({"batches": batches, **reference(model, batches)}, folder / (name + ".pt"))


def main(folder, names):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    for name in names or MODELS:
        make(name, folder)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
