"""Do small forms give the outputs and gradients of the libraries' models?  check_forms.py CLI [NAME...]

Each form is written with random weights and loaded with torch.export.load; the library's model is given those weights by their
names, and both take a step. Needs transformers and diffusers; what of them is not installed is said and left out.
"""
import pathlib
import subprocess
import sys
import tempfile

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "data" / "oracle"))
import forms  # noqa: E402

# The rows of the other families leave rotary positions or dropout as the library has them by itself.
NAMES = ("llama-small", "mixtral-small", "gemma2-small", "gemma3-small", "clip-small", "llava-small", "mamba-small",
         "unet-small", "unet-small-pooled", "convnext-small")
EPSILON = {"llama": 6, "llava": 6}    # what the library's configurations have where nothing is said, unlike the published models


def inputs_of(values, make):
    """Those of the row, filled: ids within the vocabulary, one image's patches where there is a token for them."""
    torch.manual_seed(3)
    filled = []
    for zeros in make(values):
        if zeros.dtype == torch.long:
            filled.append(torch.randint(0, values.get("vocabulary", 1000) - 1, zeros.shape))
        else:
            filled.append(torch.randn_like(zeros))
    if "image-token" in values:
        patches = (values["image"] // values["patch"]) ** 2
        filled[0][:, 2:2 + patches] = values["image-token"]
    return filled


def step(call, inputs, parameters):
    output = call(*inputs)
    torch.manual_seed(5)
    loss = (output.float() * torch.randn(output.shape)).sum()
    return output, torch.autograd.grad(loss, parameters, allow_unused=True)


def difference(ours, theirs, least=1e-6):
    """The largest of a tensor, against its own size, or `least`; a gradient that one of them has not counts as zeros."""
    if ours is None or theirs is None:
        return max((x.abs().max().item() / least for x in (ours, theirs) if x is not None), default=0.0)
    return ((ours - theirs).abs().max() / theirs.abs().max().clamp_min(least)).item()


def largest_difference(cli, name, folder):
    family, _, values, (build, make, call_of) = forms.ROWS[name]
    values = {**values, "dtype": "float32"}
    said = {**values, "epsilon": EPSILON[family]} if family in EPSILON else values
    path = folder / f"{name}.pt2"
    options = [part for key, value in said.items() for part in (f"--{key}", str(value))]
    subprocess.run([cli, "new", family, *options, "--random-weights", "1", "-o", str(path)], check=True, capture_output=True)
    program = torch.export.load(path)
    ours = program.module()
    library = build(values).train()
    weights = dict(program.state_dict)
    missing, unexpected = library.load_state_dict(weights, strict=False)
    missing = [key for key in missing if key in dict(library.named_parameters())]
    if missing or unexpected:
        raise ValueError(f"{name}: weights are named otherwise: the library misses {missing}, has no {unexpected}")
    inputs = inputs_of(values, make)
    names = [key for key, _ in library.named_parameters()]
    own = dict(ours.named_parameters(remove_duplicate=False))
    output, gradients = step(ours, inputs, [own[key] for key in names])
    expected, of_library = step(call_of(library), inputs, list(library.parameters()))
    # Biases of keys have gradients of nothing but rounding.
    least = max(gradient.abs().max().item() for gradient in of_library if gradient is not None) * 1e-4
    worst = max((difference(a, b, least), key) for key, a, b in zip(names, gradients, of_library))
    return difference(output, expected), worst


def main(cli, names):
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name in names or NAMES:
            try:
                output, (gradient, where) = largest_difference(cli, name, pathlib.Path(folder))
            except ModuleNotFoundError as missing:
                print(f"{name}: left out, {missing.name} is not installed")
                continue
            is_wrong = not (output < 1e-4 and gradient < 1e-3)
            failed |= is_wrong
            print(f"{name}: outputs differ by {output:.1e}, gradients by {gradient:.1e} ({where}){'  WRONG' if is_wrong else ''}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
