"""What compare_with_device.py does beside running on a GPU: choosing the device file, loading a model, printing.

usage: python test_compare_with_device.py STAGECRAFT_CLI MEASURE_DEVICE.py MODEL.pt2
"""
import contextlib
import io
import json
import subprocess
import sys
import tempfile
import unittest

import torch

import compare_with_device as tested

CLI, SCRIPT, MODEL = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)


def run(*arguments):
    return json.loads(subprocess.run([CLI, *arguments, "--json"], check=True, capture_output=True).stdout)


class Devices(unittest.TestCase):
    def test_names_of_real_gpus(self):
        devices = run("devices")["devices"]
        names = {"NVIDIA A100-SXM4-80GB": "a100-sxm-80gb", "NVIDIA H100 80GB HBM3": "h100-sxm", "NVIDIA H100 PCIe": "h100-pcie", "NVIDIA H200": "h200-sxm",
                 "NVIDIA B200": "b200-sxm", "NVIDIA L4": "l4", "NVIDIA L40S": "l40s", "Tesla T4": "t4",
                 "Tesla V100-SXM2-32GB": "v100-sxm2-32gb", "NVIDIA GeForce RTX 4090": "rtx-4090",
                 "NVIDIA GeForce RTX 3090": "rtx-3090", "NVIDIA A100-SXM4-40GB": "a100-sxm-40gb",
                 "NVIDIA A100 80GB PCIe": "a100-pcie-80gb", "NVIDIA A100-PCIE-40GB": "a100-pcie-40gb",
                 "Tesla V100-PCIE-32GB": "v100-pcie-32gb", "NVIDIA GeForce RTX 3080": "rtx-3080", "NVIDIA A10": "a10",
                 "NVIDIA RTX A6000": "rtx-a6000", "NVIDIA L40": "l40", "NVIDIA RTX 6000 Ada Generation": "rtx-6000-ada", "NVIDIA H100 NVL": "h100-nvl",
                 "Tesla V100-SXM2-16GB": "v100-sxm2-16gb", "NVIDIA GeForce RTX 4090 Laptop GPU": "rtx-4090-laptop",
                 "NVIDIA GeForce RTX 5090": "rtx-5090", "NVIDIA GeForce RTX 3070": None, "NVIDIA A10G": None}
        self.assertEqual({name: tested.device_id(devices, name) for name in names}, names)


class Report(unittest.TestCase):
    def test_rows(self):
        profile = tested.predicted(CLI, "h200-sxm", MODEL)
        memory, totals = profile["device_memory"], profile["totals"]
        step = totals["time_forward_s"] + totals["time_backward_s"] + totals["time_optimizer_s"]
        real = [dict(allocated=2 * memory["first_step"]["allocated_bytes"], reserved=1, time=9)]
        real += [dict(allocated=1, reserved=memory["later_steps"]["reserved_bytes"], time=step * n) for n in (4, 3, 1, 2)]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            tested.compare(profile, real)
        rows = printed.getvalue().splitlines()
        self.assertEqual(len(rows), 5)
        self.assertRegex(rows[0], r"allocated, first_step .* ratio 2\.0000$")
        self.assertRegex(rows[3], r"reserved, later_steps .* ratio 1\.0000$")
        self.assertRegex(rows[4], r"time of a step .* ratio 2\.0000$")  # the median of the later four, the lower one


class Calibration(unittest.TestCase):
    def test_a_device_file_of_what_was_measured_here(self):
        printed = io.StringIO()
        with tempfile.TemporaryDirectory() as folder:
            with contextlib.redirect_stdout(printed):
                device = tested.calibrated(CLI, SCRIPT, folder, "--device", "cpu", "--quick")
            self.assertGreater(tested.predicted(CLI, device, MODEL)["totals"]["time_forward_s"], 0)
        self.assertIn("whole steps, not fitted", printed.getvalue())


class Loading(unittest.TestCase):
    def test_weights_are_made_where_the_file_has_none(self):
        made = tested.with_storage(torch.nn.Parameter(torch.zeros(2, 3, device="meta"), requires_grad=False))
        self.assertIsInstance(made, torch.nn.Parameter)
        self.assertEqual((made.device.type, made.requires_grad), ("cpu", False))

    def test_without_a_gpu_it_is_skipped_and_says_so(self):
        if torch.cuda.is_available():
            self.skipTest("there is a GPU")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), self.assertRaises(SystemExit) as end:
            tested.main(CLI, SCRIPT, [MODEL])
        self.assertEqual(end.exception.code, tested.SKIPPED)
        self.assertIn("SKIPPED: no CUDA device", printed.getvalue())


if __name__ == "__main__":
    unittest.main()
