"""What an export's pipeline.py refuses before its first step:  check_inputs.py PIPELINE"""
import importlib
import pathlib
import sys
import tempfile
import types
import unittest
from unittest import mock

import torch

COMMAND = BOUNDARIES = TRAINING = REFUSED = None
INPUTS = [{"name": "x", "dtype": "float32", "shape": ["s0", 3]}, {"name": "v_torch", "dtype": "int64", "shape": []},
          {"name": "scale", "dtype": None, "shape": None}]


def microbatch(**changes):
    return {"x": torch.ones(2, 3), "v_torch": torch.tensor(1), "scale": 2.0, **changes}


def without(name):
    return {key: value for key, value in microbatch().items() if key != name}


def export_of(sizes, last=()):
    """Two stages, of which the first sends a value of each size."""
    stages = [{"index": 0, "outputs": [{"name": "sent", "shape": list(size)} for size in sizes]},
              {"index": 1, "outputs": [{"name": "returned", "shape": list(last)}]}]
    model = {"inputs": INPUTS, "symbols": {"s0": None, "s1": 4, "u0": None, "u1": None}}
    return types.SimpleNamespace(model=model, stages=stages, manifest={"model": model, "stages": stages})


class Refusing(unittest.TestCase):
    def assert_refused(self, text, call, *arguments):
        with self.assertRaises(REFUSED) as refused:
            call(*arguments)
        self.assertIn(text, str(refused.exception))
        self.assertNotIn("\n", str(refused.exception))


class Inputs(Refusing):
    def read(self, saved, microbatches=None):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "inputs.pt"
            torch.save(saved, path)
            options = types.SimpleNamespace(inputs=str(path), microbatches=microbatches, seed=0)
            return COMMAND.microbatch_inputs(export_of([]), options)

    def assert_not_read(self, text, saved, microbatches=None):
        self.assert_refused(text, self.read, saved, microbatches)

    def test_takes_what_fits(self):
        self.assertEqual(len(self.read([microbatch(), microbatch(x=torch.zeros(2, 3))])), 2)
        self.assertEqual(len(self.read((microbatch(x=torch.ones(7, 3)),), 1)), 1)
        self.assertEqual(len(self.read([microbatch(), microbatch(x=torch.ones(3, 3))])), 2)  # sent in one size

    def test_names(self):
        self.assert_not_read("microbatch 1 lacks 'v_torch'; the inputs are x, v_torch, scale",
                             [microbatch(), without("v_torch")])
        self.assert_not_read("microbatch 0 lacks 'v_torch', has 'torch'", [{**without("v_torch"), "torch": torch.tensor(1)}])

    def test_what_is_no_list_of_dicts(self):
        self.assert_not_read("not a list", microbatch())
        self.assert_not_read("not a list", [])
        self.assert_not_read("microbatch 1 is no dict", [microbatch(), torch.ones(2, 3)])

    def test_types_and_sizes(self):
        self.assert_not_read("has float64[2, 3] for 'x', and the model takes float32['s0', 3]",
                             [microbatch(x=torch.ones(2, 3, dtype=torch.float64))])
        self.assert_not_read("has float32[2, 4] for 'x'", [microbatch(x=torch.ones(2, 4))])
        self.assert_not_read("has int64[1] for 'v_torch'", [microbatch(v_torch=torch.ones(1, dtype=torch.int64))])
        self.assert_not_read("has a int for 'v_torch'", [microbatch(v_torch=1)])
        self.assert_not_read("has a Tensor for 'scale'", [microbatch(scale=torch.tensor(2.0))])

    def test_what_a_schedule_would_mix_up(self):
        self.assert_not_read("numbers must be the same in all", [microbatch(), microbatch(scale=3.0)])

    def test_counts_and_files(self):
        self.assert_not_read("2 microbatches, not 4", [microbatch(), microbatch()], 4)
        options = types.SimpleNamespace(inputs="/no/such/file.pt", microbatches=None, seed=0)
        self.assert_refused("/no/such/file.pt", COMMAND.microbatch_inputs, export_of([]), options)


class Versions(Refusing):
    def test_early_ones(self):
        for version in ("2.5.1+cpu", "1.13.1"):
            with mock.patch.object(torch, "__version__", torch.torch_version.TorchVersion(version)):
                self.assert_refused("PyTorch %s is too early for pipelines: take 2.6 or a later one" % version,
                                    TRAINING.build_pipeline, export_of([]))


class Boundaries(Refusing):
    """Sizes of what stage 0 returns for each of three microbatches are made up."""

    def check(self, described, *returned):
        runs = iter([[((), tuple(torch.empty(size, device="meta") for size in sizes), ()), ((), (), ())]
                     for sizes in returned])
        with mock.patch.object(BOUNDARIES, "run_stages", lambda *_: next(runs)):
            BOUNDARIES.check_boundaries(export_of(described), [None] * len(returned))

    def test_sizes_that_are_known_may_cross(self):
        self.check([[], [4, 3], ["s0", 3], ["2*s0 + Max(s1, 3)"]])

    def test_sizes_that_data_decide_may_cross_where_they_are_equal(self):
        self.check([[4], ["u0", 2]], [[4], [7, 2]], [[4], [7, 2]])

    def test_others_may_not(self):
        self.assert_refused("stage 0 sends 'sent' of size [u0, 2], which the data decide: [8, 2] of microbatch 2, [7, 2] "
                            "of the first.", self.check, [[4], ["u0", 2]], [[4], [7, 2]], [[4], [7, 2]], [[4], [8, 2]])
        self.assert_refused("stage 0 sends", self.check, [["s0 + u1*Min(u0, s1)"]], [[7]], [[6]], [[7]])


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(sys.argv.pop(1)).parent))
    COMMAND, BOUNDARIES, TRAINING = (importlib.import_module("stagecraft_runtime." + name)
                                     for name in ("command", "boundaries", "training"))
    REFUSED = COMMAND.Refused
    unittest.main()
