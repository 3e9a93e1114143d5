"""Does a backward pass in two parts give what one pass gives?  check_split_backward.py PIPELINE [SEEDS]

Random stages: inputs of which some need no gradient, weights of which some are frozen, read once, often or not at all,
views, operators with several results, detached values, functions written in Python, checkpoint regions; outputs that are
inputs, weights or made of either, and outputs that get no gradient.
"""
import collections
import importlib
import os
import random
import sys
import unittest
import weakref

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint

BACKWARD = None
SEEDS = 100
D = 4


class Twice(torch.autograd.Function):
    """A function written in Python that reads a weight."""

    @staticmethod
    def forward(context, tensor, weight):
        context.save_for_backward(tensor, weight)
        return tensor * weight * 2

    @staticmethod
    def backward(context, gradient):
        tensor, weight = context.saved_tensors
        return gradient * weight * 2, gradient * tensor * 2


OPERATORS = [
    lambda a, b, w, v: torch.addmm(v[0], a, w), lambda a, b, w, v: a @ w.t() + b, lambda a, b, w, v: torch.tanh(a) * b,
    lambda a, b, w, v: a.split(2, 1)[0].repeat(1, 2) + v, lambda a, b, w, v: Twice.apply(a, w),
    lambda a, b, w, v: torch.where(b > 0, a, w), lambda a, b, w, v: a.detach() * b, lambda a, b, w, v: w * v,
    lambda a, b, w, v: checkpoint(lambda x, y: torch.sin(x @ w) * y, a, b, use_reentrant=False),
    lambda a, b, w, v: torch.nn.functional.layer_norm(a, (D,), w[0], v[1]), lambda a, b, w, v: a.t().sigmoid(),
    lambda a, b, w, v: torch.var_mean(a, 1, keepdim=True)[0] * b + torch.max(b, 1, keepdim=True)[0],
]


def random_stage(seed):
    """(inputs, weights, forward)"""
    chance = random.Random(seed)
    torch.manual_seed(seed)
    inputs = [torch.randn(D, D).requires_grad_(chance.random() < 0.7) for _ in range(chance.randint(0, 3))]
    weights = [torch.nn.Parameter(torch.randn(D, D) / 2, requires_grad=chance.random() < 0.8) for _ in range(5)]
    steps = [(chance.choice(OPERATORS), [chance.random() for _ in range(2)], chance.sample(range(5), 2))
             for _ in range(chance.randint(1, 12))]
    returned = [chance.random() for _ in range(chance.randint(1, 4))]

    def forward():
        values = [*inputs, weights[0], torch.ones(D, D)]
        pick = lambda share: values[int(share * len(values))]  # noqa: E731
        for operator, read, used in steps:
            values.append(operator(*map(pick, read), *(weights[w] for w in used)))
        return [values[-1], *map(pick, returned)]
    gradients = [torch.randn(D, D) if chance.random() < 0.8 else None for _ in range(len(returned) + 1)]
    return inputs, weights, forward, gradients


def taken(tensors):
    found = [tensor.grad for tensor in tensors]
    for tensor in tensors:
        tensor.grad = None
    return found


class Counted(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.counts = collections.Counter()

    def __torch_dispatch__(self, function, kinds, args=(), kwargs=None):
        self.counts[str(function)] += 1
        return function(*args, **(kwargs or {}))


def split_backward(outputs, gradients, inputs, recomputes):
    return BACKWARD.SplitBackward(BACKWARD.roots_of(outputs, gradients), inputs, recomputes)


class SplitBackward(unittest.TestCase):
    def assert_same(self, ours, theirs, text):
        for index, (one, other) in enumerate(zip(ours, theirs)):
            self.assertEqual(one is None, other is None, "%s %d" % (text, index))
            if one is not None:
                torch.testing.assert_close(one, other, msg=lambda m: "%s %d: %s" % (text, index, m))

    def test_equals_one_pass(self):
        for seed in range(SEEDS):
            inputs, weights, forward, gradients = random_stage(seed)
            BACKWARD.run_backward(BACKWARD.roots_of(forward(), gradients))
            whole_inputs, whole_weights = taken(inputs), taken(weights)
            for recomputes in (False, True):
                split = split_backward(forward(), gradients, inputs, recomputes)
                self.assert_same(BACKWARD.take_gradients(inputs), whole_inputs, "seed %d, input" % seed)
                split.finish()
                self.assert_same(taken(weights), whole_weights, "seed %d, weight" % seed)

    def test_equals_one_pass_from_a_loss(self):
        for seed in range(SEEDS // 3):
            inputs, weights, forward, _ = random_stage(seed)
            loss = lambda: sum(output.sum() for output in forward()) / 3  # noqa: E731
            BACKWARD.run_backward(BACKWARD.roots_of([loss()], None))
            whole_inputs, whole_weights = taken(inputs), taken(weights)
            split = split_backward([loss()], None, inputs, False)
            self.assert_same(BACKWARD.take_gradients(inputs), whole_inputs, "seed %d, input" % seed)
            split.finish()
            self.assert_same(taken(weights), whole_weights, "seed %d, weight" % seed)

    def test_weights_wait_and_nothing_runs_twice(self):
        layers = [torch.nn.Linear(D, D) for _ in range(4)]
        tensor = torch.randn(D, D, requires_grad=True)

        def output():
            value = tensor
            for layer in layers:
                value = layer(value).relu()
            return value
        with Counted() as whole:
            BACKWARD.run_backward(BACKWARD.roots_of([output()], [torch.ones(D, D)]))
        result = output()
        with Counted() as first:
            split = split_backward([result], [torch.ones(D, D)], [tensor], False)
        self.assertEqual(first.counts["aten.mm.default"], 4)
        with Counted() as second:
            split.finish()
        self.assertEqual(second.counts["aten.mm.default"], 4)
        self.assertEqual(whole.counts["aten.mm.default"], 8)
        self.assertEqual(second.counts["aten.threshold_backward.default"], 0)

    def test_a_weight_that_several_read_costs_nothing_more(self):
        layer, tensor = torch.nn.Linear(D, D), torch.randn(D, D, requires_grad=True)
        result = layer(layer(layer(tensor).relu()).relu())
        with Counted() as both:
            split_backward([result], [torch.ones(D, D)], [tensor], False).finish()
        self.assertEqual(both.counts["aten.mm.default"], 6)

    def test_regions_are_computed_again_once(self):
        layers, tensor = [torch.nn.Linear(D, D) for _ in range(3)], torch.randn(D, D, requires_grad=True)
        runs = []

        def region(value):
            runs.append(1)
            for layer in layers:
                value = layer(value).sin()
            return value
        result = checkpoint(region, tensor, use_reentrant=False)
        split_backward([result], [torch.ones(D, D)], [tensor], True).finish()
        self.assertEqual(len(runs), 2)

    def test_what_is_saved_is_let_go_on_the_way(self):
        layer, tensor = torch.nn.Linear(D, D), torch.randn(D, D, requires_grad=True)
        for result, recomputes in ((checkpoint(layer, tensor, use_reentrant=False).exp(), True), (tensor.exp().tanh(), False)):
            split = split_backward([result], [torch.ones(D, D)], [tensor], recomputes)
            with self.assertRaisesRegex(RuntimeError, "second time"):  # no weight waits for the graph
                result.sum().backward()
            split.finish()

    def test_the_graph_is_let_go(self):
        layer, tensor = torch.nn.Linear(D, D), torch.randn(D, D, requires_grad=True)
        result, mark = layer(tensor).exp(), type("Mark", (), {})()
        result.grad_fn.metadata["mark"], alive = mark, weakref.ref(mark)
        del mark
        split = split_backward([result], [torch.ones(D, D)], [tensor], False)
        self.assertIsNotNone(alive())
        del result
        self.assertIsNone(alive())  # behind the last operator that a weight waits for
        split.finish()
        self.assertEqual(split.parts, [])


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(sys.argv.pop(1)))
    BACKWARD = importlib.import_module("stagecraft_runtime.split_backward")
    SEEDS = int(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].isdigit() else SEEDS
    unittest.main()
