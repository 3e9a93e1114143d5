"""Do device files and the README say of their accuracy what docs/accuracy.md has, which truth.py writes?  test_accuracy.py

Figures there are rounded, so what is reckoned from them here may differ by what that makes.
"""
import json
import re
import statistics
import unittest
from pathlib import Path
from types import SimpleNamespace

from truth_page import usual

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/accuracy.md").read_text()
README = " ".join((ROOT / "README.md").read_text().split())
# Chosen with these very steps in sight: no check of the files, which carry no accuracy.
IN_SIGHT = {"rtx-3090", "rtx-4090"}
STEP = re.compile(r"^\| (?P<name>\S.*?) \| (?P<group>\S.*?) \| [\d.]+ \| [\d.]+ \| (?P<error>[+-][\d.]+) % \|$", re.M)
GROUP = re.compile(r"^\| (?P<group>\S.*?) \| (?P<cases>\d+) \| (?P<mean>[\d.]+) % \| (?P<median>[\d.]+) % \| (?P<usual>[\d.]+) % \| [+-]", re.M)
PRODUCTS = re.compile(r"^\| (?P<device>\S+), (?:single|batched) products \| (?P<cases>\d+) \| (?P<mean>[\d.]+) % \|$", re.M)
ROUNDED = 0.11  # percent: two figures that were rounded to a tenth


def steps(of):
    """Their errors in percent, of all groups for which `of` says yes."""
    return [float(row["error"]) for row in STEP.finditer(PAGE) if of(row["group"])]


def mean(errors):
    return statistics.mean(map(abs, errors))


def half(errors):
    return statistics.median(map(abs, errors))


def usually(errors):
    return abs(usual([SimpleNamespace(error=error) for error in errors]))


def device_of(group):
    """None: with another host than its file's."""
    if group.startswith("Megatron"):
        return "a100-sxm-80gb"
    return None if group.endswith("host measured") else group.rsplit(", ", 1)[1]


class Accuracy(unittest.TestCase):
    def said(self, pattern):
        """The numbers in that sentence of the README."""
        found = re.search(pattern.replace("N", r"(\d+(?:\.\d+)?)"), README)
        self.assertIsNotNone(found, f"the README has no '{pattern}'")
        return [float(number) for number in found.groups()]

    def assert_near(self, said, found, about):
        self.assertLessEqual(abs(said - found), ROUNDED, f"{about}: {said} is said, {found:.2f} found")

    def test_groups_are_means_of_their_steps(self):
        groups = {row["group"]: row for row in GROUP.finditer(PAGE)}
        self.assertEqual(set(groups), {row["group"] for row in STEP.finditer(PAGE)})
        for name, row in groups.items():
            errors = steps(lambda group, name=name: group == name)
            self.assertEqual(int(row["cases"]), len(errors), name)
            for figure, reckoned in (("mean", mean), ("median", half), ("usual", usually)):
                self.assert_near(float(row[figure]), reckoned(errors), f"{name}, {figure}")

    def test_device_files_say_what_the_page_has(self):
        for file in sorted((ROOT / "resources/devices").glob("*.json")):
            device = file.stem
            said = {one["what"]: one for one in json.loads(file.read_text()).get("accuracy", [])}
            errors = [] if device in IN_SIGHT else steps(lambda group, device=device: device_of(group) == device)
            products = [(int(row["cases"]), float(row["mean"])) for row in PRODUCTS.finditer(PAGE) if row["device"] == device]
            expected = {what for what, rows in (("whole models", errors), ("operators", products)) if rows}
            self.assertEqual(set(said), expected, device)
            if errors:
                one = said["whole models"]
                self.assertEqual(one["cases"], len(errors), device)
                self.assert_near(100 * one["mean_error"], mean(errors), device)
                self.assert_near(100 * one["usual_error"], usually(errors), device)
            if products:
                one, cases = said["operators"], sum(count for count, _ in products)
                self.assertEqual(one["cases"], cases, device)
                self.assert_near(100 * one["mean_error"], sum(count * error for count, error in products) / cases, device)

    def test_the_readme_says_what_the_page_has(self):
        def of(*words):
            return steps(lambda group: all(word in group for word in words) and "its host measured" not in group)
        h200 = of("h200-sxm")
        cases, off, inference, training, within = self.said(
            "N training steps and inference passes of timm and transformers are N % off in the mean: inference N %, training N %, "
            "half of them within N %")
        self.assertEqual(cases, len(h200))
        for said, found in ((off, mean(h200)), (inference, mean(of("h200", "inference"))), (training, mean(of("h200", "training"))),
                            (within, half(h200))):
            self.assert_near(said, found, "H200")
        h100 = of("h100-sxm")
        cases, off, within = self.said("N more on an H100, whose kernels rules were fitted to, are N % off, half of them within N %")
        self.assertEqual(cases, len(h100))
        self.assert_near(off, mean(h100), "H100")
        self.assert_near(within, half(h100), "H100")
        whole, with_host = self.said("its training steps of timm models are N % off, with that host's own figures N %")
        self.assertEqual(whole, round(mean(of("timm training, h100"))))
        self.assert_near(with_host, mean(steps(lambda group: group == "timm training, h100-sxm, its host measured")), "its host")
        inference, training, within = self.said("are N % off in inference and N % in training \\(half of these within N %\\)")
        self.assertEqual((inference, training), (round(mean(of("inference, rtx"))), round(mean(of("training, rtx")))))
        self.assertEqual(within, round(half(of("training, rtx"))))
        cases, off, fast = self.said("N Megatron pipeline steps on A100s, .*? are N % off in the mean, N % too fast where four samples")
        self.assertEqual((cases, off), (len(of("Megatron")), round(mean(of("Megatron")))))
        self.assertEqual(fast, -round(statistics.mean(of("Megatron", "microbatch 4"))))


if __name__ == "__main__":
    unittest.main()
