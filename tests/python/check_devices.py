"""Which device a process of an export takes, on machines that PyTorch is made to believe in:  check_devices.py PIPELINE"""
import contextlib
import importlib
import io
import os
import sys
import unittest
from unittest import mock

import torch

DEVICES = REFUSED = None


@contextlib.contextmanager
def machine(kind, count, backends=("nccl", "gloo", "xccl"), **environment):
    """A machine with `count` accelerators of a kind; none: None, 0."""
    current = torch.device(kind) if kind else None
    with mock.patch.object(torch.accelerator, "is_available", lambda: count > 0), \
            mock.patch.object(torch.accelerator, "current_accelerator", lambda *_, **__: current), \
            mock.patch.object(torch.accelerator, "device_count", lambda: count), \
            mock.patch.object(torch.accelerator, "set_device_index") as set_device, \
            mock.patch.object(torch.distributed, "is_backend_available", lambda name: name in backends), \
            mock.patch.dict(os.environ, {key: str(value) for key, value in environment.items()}, clear=True):
        yield set_device


def chosen(wanted="auto"):
    device, backend = DEVICES.choose_device(wanted, os.environ)
    return str(device), backend


class Devices(unittest.TestCase):
    def assert_refused(self, text, wanted="auto"):
        with self.assertRaises(REFUSED) as refused:
            chosen(wanted)
        self.assertIn(text, str(refused.exception))

    def test_takes_the_local_rank_on_every_node(self):
        for rank in range(16):  # two nodes with eight each
            with machine("cuda", 8, RANK=rank, WORLD_SIZE=16, LOCAL_RANK=rank % 8, LOCAL_WORLD_SIZE=8):
                self.assertEqual(chosen(), ("cuda:%d" % (rank % 8), "nccl"))

    def test_takes_other_accelerators(self):
        with machine("xpu", 2, RANK=3, WORLD_SIZE=4, LOCAL_RANK=1, LOCAL_WORLD_SIZE=2):
            self.assertEqual(chosen(), ("xpu:1", "xccl"))
            self.assertEqual(chosen("xpu"), ("xpu:1", "xccl"))

    def test_nccl_is_told_whose_device_it_is_to_wait_on(self):
        for backend, told in (("nccl", {"device_ids": [3]}), ("cpu:gloo,cuda:nccl", {"device_ids": [3]}), ("gloo", {})):
            with mock.patch.object(torch.distributed, "get_backend", lambda group, backend=backend: backend), \
                    mock.patch.object(torch.cuda, "current_device", lambda: 3), \
                    mock.patch.object(torch.distributed, "barrier") as barrier:
                DEVICES.wait_for_all("group")
            barrier.assert_called_once_with("group", **told)

    def test_what_has_no_backend_of_its_own_is_left_alone(self):
        with machine("mps", 1, RANK=0, WORLD_SIZE=2, LOCAL_RANK=0, LOCAL_WORLD_SIZE=2):
            self.assertEqual(chosen(), ("cpu", "gloo"))
            self.assert_refused("--device mps", "mps")

    def test_fewer_devices_than_processes_are_refused(self):
        with machine("cuda", 2, RANK=0, WORLD_SIZE=4, LOCAL_RANK=0, LOCAL_WORLD_SIZE=4):
            self.assert_refused("4 processes on this machine, but PyTorch sees 2 of kind cuda")
            self.assert_refused("--nproc-per-node 2, or --device cpu", "cuda")
            self.assertEqual(chosen("cpu"), ("cpu", "gloo"))
        with machine("cuda", 1, RANK=3, WORLD_SIZE=4, LOCAL_RANK=3):
            self.assert_refused("4 processes on this machine, but PyTorch sees 1 of kind cuda")

    def test_a_device_that_is_asked_for_must_be_there(self):
        with machine(None, 0, RANK=0, WORLD_SIZE=2, LOCAL_RANK=0, LOCAL_WORLD_SIZE=2):
            self.assert_refused("--device cuda: PyTorch %s sees no such accelerator here" % torch.__version__, "cuda")
            self.assertEqual(chosen(), ("cpu", "gloo"))
        with machine("xpu", 2, RANK=0, WORLD_SIZE=2, LOCAL_RANK=0, LOCAL_WORLD_SIZE=2):
            self.assert_refused("--device cuda: PyTorch %s sees 2 of kind xpu here" % torch.__version__, "cuda")

    def test_what_cannot_be_told_or_sent_is_refused(self):
        with machine("cuda", 8, RANK=0, WORLD_SIZE=2):
            self.assert_refused("LOCAL_RANK is not set")
        with machine("cuda", 8, backends=("gloo",), RANK=0, WORLD_SIZE=2, LOCAL_RANK=0, LOCAL_WORLD_SIZE=2):
            self.assert_refused("comes without nccl, which sends between cuda devices")

    def test_says_which_device_it_takes(self):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            with machine("cuda", 4, RANK=6, WORLD_SIZE=8, LOCAL_RANK=2, LOCAL_WORLD_SIZE=4) as set_device:
                DEVICES.use_device("auto")
                set_device.assert_called_once_with(2)
            with machine(None, 0, RANK=1, WORLD_SIZE=2, LOCAL_RANK=1, LOCAL_WORLD_SIZE=2):
                DEVICES.use_device("auto")
                DEVICES.use_device("cpu")
        self.assertEqual(said.getvalue().splitlines(),
                         ["rank 6: cuda:2", "rank 1: cpu (PyTorch sees no accelerator here that pipelines run on)", "rank 1: cpu"])


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(sys.argv.pop(1)))
    DEVICES = importlib.import_module("stagecraft_runtime.devices")
    REFUSED = DEVICES.Refused
    unittest.main()
