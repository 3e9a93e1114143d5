"""Are the gallery's published models those of the libraries?  presets.py CLI [NAME...]

Parameters, FLOPs and saved bytes of a training step of each preset, beside the library's model of the same values that is built
and counted in Python on the meta device (tests/data/oracle/forms.py). Both take attention as PyTorch's math route.
Needs transformers, diffusers and torchvision. Prints the table of results/presets.md; 1 where a figure differs.
"""
import importlib.metadata
import json
import multiprocessing
import pathlib
import subprocess
import sys
import tempfile
import time

import torch
import torch.nn.functional as F

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "data" / "oracle"))
import architectures  # noqa: E402
import forms  # noqa: E402

FIGURES = {"parameters": "parameters", "flops_forward": "FLOPs forward", "flops_total": "FLOPs of a step", "saved_bytes": "saved bytes"}
LIBRARIES = {"unet": "diffusers", "resnet": "torchvision", "mlp": "torch", "dit": ""}  # else transformers
# Each token of the loop is written out: fewer of them, to count in seconds.
SHORTER = {"mamba": {"sequence": 16}}


def without_operators_of_torchvision():
    """Its own, in C++, fit one version of torch; its models of images need none of them."""
    library = torch.library.Library("torchvision", "DEF")
    for name in ("nms", "qnms"):
        library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    return library


def resnet(preset):
    def build(values):
        import torchvision
        return getattr(torchvision.models, preset)(num_classes=values["classes"])
    return build, forms.images, lambda module: module


def perceptron(values):
    widths = [values["inputs"], *[values["width"]] * (values["layers"] - 1), values["outputs"]]
    layers = [part for a, b in zip(widths, widths[1:]) for part in (torch.nn.Linear(a, b), torch.nn.ReLU())]
    return torch.nn.Sequential(*layers[:-1])


def library_model(preset, family, values):
    """(build, inputs, call) of forms.py; None: no library has it."""
    if family == "resnet":
        return resnet(preset)
    if family == "mlp":
        return perceptron, lambda v: (torch.zeros(v["batch"], v["inputs"]),), lambda module: module
    name = "deepseek-small-mtp" if values.get("mtp-modules") else None
    rows = [row[3] for key, row in forms.ROWS.items() if row[0] == family and name in (None, key)]
    return rows[0] if rows else None


def run(cli, *arguments):
    done = subprocess.run([cli, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout)


def values_of(cli, preset):
    new = run(cli, "new", "--preset", preset, "--json")
    return new["family"], {**new["form"], **SHORTER.get(new["family"], {})}


def ours(cli, family, values):
    options = [part for key, value in values.items() for part in (f"--{key}", str(value))]
    with tempfile.TemporaryDirectory() as folder:
        model = f"{folder}/model.pt2"
        run(cli, "new", family, *options, "-o", model, "--json")
        totals = run(cli, "profile", model, "--lowering", "math", "--json")["totals"]
    return {**totals, "flops_total": totals["flops_forward"] + totals["flops_backward"]}


def theirs(preset, family, values):
    model = library_model(preset, family, values)
    if model is None:
        return None
    kept = without_operators_of_torchvision()  # noqa: F841
    F.scaled_dot_product_attention = architectures.math
    forms.ROWS[preset] = (family, preset, values, model)
    return forms.row(preset)


def compared(task):
    cli, preset = task
    begin = time.monotonic()
    try:
        family, values = values_of(cli, preset)
        own, library = ours(cli, family, values), theirs(preset, family, values)
    except Exception as error:
        return {"preset": preset, "error": f"{type(error).__name__}: {error}".split("\n")[0], "seconds": time.monotonic() - begin}
    return {"preset": preset, "library": LIBRARIES.get(family, "transformers"), "ours": {key: own[key] for key in FIGURES},
            "theirs": library and {key: library[key] for key in FIGURES}, "seconds": time.monotonic() - begin}


def differences(result):
    if "error" in result:
        return result["error"]
    if result["theirs"] is None:
        return "no library has it"
    both = [(title, result["ours"][key] - result["theirs"][key]) for key, title in FIGURES.items()]
    return ", ".join(f"{title} {more:+,}" for title, more in both if more) or "equal"


def line(result):
    figures = [f"{result['ours'][key]:,}" if "ours" in result else "" for key in FIGURES]
    return "| " + " | ".join([result["preset"], result.get("library") or "", *figures, differences(result)]) + " |"


def presets(cli):
    families = run(cli, "new", "--list", "--json")["families"]
    return [preset["name"] for family in families for preset in family["presets"]]


def versions():
    names = [name for name in ("torch", "transformers", "diffusers", "torchvision")]
    return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names)


def main(cli, names):
    print(f"Published models of the gallery beside the libraries' ({versions()}), made by `tests/long/presets.py`.")
    print("FLOPs and saved bytes are of one training step at the preset's own sizes; of Mamba at 16 tokens.\n")
    print("| preset | library | " + " | ".join(FIGURES.values()) + " | difference |")
    print("|---|---|--:|--:|--:|--:|---|", flush=True)
    failed = False
    with multiprocessing.get_context("spawn").Pool(2, maxtasksperchild=1) as pool:
        for result in pool.imap(compared, [(cli, name) for name in names or presets(cli)]):
            print(line(result), flush=True)
            print(f"{result['preset']}: {result['seconds']:.1f} s", file=sys.stderr, flush=True)
            failed |= differences(result) not in ("equal", "no library has it")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
