"""Do small forms give the outputs and gradients of the libraries' models?  check_forms.py CLI [NAME...]

Each form is written with random weights and loaded with torch.export.load; the library's model is made with all values of the
form, is given those weights by their names, and both take a step: at the form's sizes, and where those are symbols, at others.
Needs transformers and diffusers; what of them is not installed is said and left out.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "data" / "oracle"))
import forms  # noqa: E402

# name: (a row of forms.py, what is said otherwise)
ODD = {"width": 72, "heads": 6, "key-heads": 3, "head-width": 10, "inner": 88, "vocabulary": 61, "batch": 3, "sequence": 37}
EXACT = {"dropout": 0}
CASES = {
    **{name: (name, {}) for name in (
        "llama-small", "mixtral-small", "qwen2-small", "qwen3-small", "qwen3-moe-small", "gemma2-small", "gemma3-small",
        "deepseek-small", "deepseek-small-mtp", "clip-small", "llava-small", "mamba-small", "unet-small", "unet-small-pooled", "convnext-small",
        "gpt-small", "bert-small", "vit-small")},
    "t5-tiny": ("t5-tiny", EXACT),
    "llama-odd": ("llama-small", {**ODD, "rope-factor": 8, "tied": "yes", "epsilon": 3}),
    "llama-one-key": ("llama-small", {**ODD, "key-heads": 1, "rope-base": 500000, "rope-factor": 32}),
    "mixtral-odd": ("mixtral-small", {**ODD, "experts": 5, "experts-chosen": 3, "rope-base": 300}),
    "qwen2-odd": ("qwen2-small", {**ODD, "tied": "yes", "rope-base": 77}),
    "qwen3-odd": ("qwen3-small", {**ODD, "tied": "yes", "epsilon": 2}),
    "qwen3-moe-odd": ("qwen3-moe-small", {**ODD, "experts": 7, "experts-chosen": 1, "tied": "yes"}),
    "gemma2-odd": ("gemma2-small", {**ODD, "layers": 5, "window": 5, "whole-every": 3, "query-scale": 7, "tied": "no"}),
    "gemma3-odd": ("gemma3-small", {**ODD, "layers": 5, "window": 1, "whole-every": 3, "query-scale": 7, "rope-factor": 8,
                                    "rope-base": 5000, "rope-base-window": 50}),
    "gemma3-wide-window": ("gemma3-small", {**ODD, "layers": 2, "window": 100}),
    "deepseek-odd": ("deepseek-small", {"heads": 3, "head-width": 10, "rope-width": 6, "value-width": 14, "experts": 12,
                                        "experts-chosen": 5, "groups": 3, "groups-chosen": 2, "shared-experts": 1,
                                        "rope-base": 500, "rope-factor": 7, "epsilon": 3, "batch": 3, "sequence": 37}),
    "deepseek-not-stretched": ("deepseek-small", {"rope-factor": 1, "dense-layers": 0, "shared-experts": 3}),
    "deepseek-one-further": ("deepseek-small-mtp", {"mtp-modules": 1, "layers": 1, "batch": 3, "sequence": 3, "epsilon": 4}),
    "t5-odd": ("t5-tiny", {**EXACT, "layers": 1, "decoder-layers": 3, "width": 36, "heads": 3, "head-width": 10,
                           "buckets": 12, "farthest": 11, "batch": 3, "sequence": 37, "target": 41}),
    "clip-odd": ("clip-small", {"width": 30, "heads": 3, "image": 33, "patch": 11, "text-width": 44, "batch": 5,
                                "sequence": 40, "epsilon": 3}),
    "llava-odd": ("llava-small", {**ODD, "image-token": 60, "image-layers": 3, "rope-base": 300, "epsilon": 3}),
    "mamba-odd": ("mamba-small", {"width": 20, "inner": 60, "state": 5, "kernel": 4, "sequence": 17, "epsilon": 3}),
    "convnext-odd": ("convnext-small", {"image": 75, "stem": 3, "batch": 2, "classes": 7, "epsilon": 4}),
    "gpt-odd": ("gpt-small", {"width": 35, "heads": 5, "inner": 41, "sequence": 40, "epsilon": 3}),
    "bert-odd": ("bert-small", {"width": 35, "heads": 5, "inner": 41, "sequence": 40, "epsilon": 3}),
    "vit-odd": ("vit-small", {"width": 35, "heads": 5, "inner": 41, "image": 33, "patch": 11, "epsilon": 3}),
}
OTHER_SIZES = {"batch": 1, "sequence": 2, "target": 3}      # so many more
LIMITS = {"outputs": 1e-4, "gradients": 1e-3, "buffers": 1e-6}


def inputs_of(values, make):
    """Those of the row, filled: ids within the vocabulary, one image's patches where there is a token for them."""
    filled = []
    for zeros in make(values):
        if zeros.dtype == torch.long:
            filled.append(torch.randint(0, values.get("vocabulary", 1000) - 1, zeros.shape))
        else:
            filled.append(torch.randn_like(zeros))
    if "image-token" in values:
        patches = (values["image"] // values["patch"]) ** 2
        filled[0][:, 2:2 + patches] = values["image-token"]
    if "text-layers" in values:     # CLIP reads a text at its end
        for text in filled[0]:
            text[torch.randint(0, len(text), ())] = values["vocabulary"] - 1
    return filled


def step(call, inputs, parameters):
    output = call(*inputs)
    output = torch.cat([part.float().flatten() for part in output]) if isinstance(output, tuple) else output.float()
    torch.manual_seed(5)
    loss = (output * torch.randn(output.shape)).sum()
    return output, torch.autograd.grad(loss, parameters, allow_unused=True)


def difference(ours, theirs, least=1e-6):
    """The largest of a tensor, against its own size, or `least`; a gradient that one of them has not counts as zeros."""
    if ours is None or theirs is None:
        return max((x.abs().max().item() / least for x in (ours, theirs) if x is not None), default=0.0)
    return ((ours - theirs).abs().max() / theirs.abs().max().clamp_min(least)).item()


def written(cli, family, said, path):
    """The form's program, and all of its values."""
    options = [part for key, value in said.items() for part in (f"--{key}", str(value))]
    command = [cli, "new", family, *options, "--random-weights", "1", "-o", str(path), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise ValueError(done.stderr.strip())
    return torch.export.load(path), json.loads(done.stdout)["form"]


def without_constants(tensors):
    """Weights that begin as ones or zeros would hide that nothing is done with them."""
    with torch.no_grad():
        for tensor in tensors:
            if tensor.is_floating_point() and (tensor == tensor.flatten()[0]).all():
                tensor += 0.2 * torch.randn_like(tensor)


def with_weights(library, weights):
    missing, unexpected = library.load_state_dict(weights, strict=False)
    missing = [key for key in missing if key in dict(library.named_parameters())]
    if missing or unexpected:
        raise ValueError(f"weights are named otherwise: the library misses {missing}, has no {unexpected}")
    return library


def named(module):
    return dict(module.named_parameters(remove_duplicate=False))


def summed(gradients):
    gradients = [gradient for gradient in gradients if gradient is not None]
    return sum(gradients[1:], gradients[0]) if gradients else None


def differences(ours, library, call, inputs):
    own, parameters = list(ours.parameters()), list(library.parameters())
    output, gradients = step(ours, inputs, own)
    expected, of_library = step(call, inputs, parameters)
    by_tensor = dict(zip(own, gradients))
    # A loaded program keeps the names of a tied tensor apart: its gradients add up.
    names = [[key for key, tensor in named(library).items() if tensor is parameter] for parameter in parameters]
    gradients = [summed(by_tensor[tensor] for tensor in {named(ours)[key] for key in tied if key in named(ours)})
                 for tied in names]
    names = [tied[0] for tied in names]
    # Biases of keys have gradients of nothing but rounding.
    least = max(gradient.abs().max().item() for gradient in of_library if gradient is not None) * 1e-4
    worst = max((difference(a, b, least), key) for key, a, b in zip(names, gradients, of_library))
    return {"outputs": (difference(output, expected), ""), "gradients": worst}


def buffer_differences(ours, library):
    of_library = dict(library.named_buffers())
    both = [(difference(x.float(), of_library[key].float()), key) for key, x in ours.named_buffers() if key in of_library]
    return {"buffers": max(both, default=(0.0, ""))}


def largest_differences(cli, name, folder):
    row, otherwise = CASES[name]
    family, _, values, (build, make, call_of) = forms.ROWS[row]
    program, values = written(cli, family, {**values, "dtype": "float32", **otherwise}, folder / f"{name}.pt2")
    torch.manual_seed(3)
    ours = program.module()
    without_constants([*ours.parameters(), *(ours.get_buffer(key) for key in program.graph_signature.buffers
                                             if key in program.state_dict)])
    library = with_weights(build(values).train(), {key: ours.state_dict()[key] for key in program.state_dict})
    found = buffer_differences(ours, library)
    others = {key: values[key] + more for key, more in OTHER_SIZES.items() if key in values}
    if values.get("positions") or family == "mamba":
        others["sequence"] = values["sequence"] - (family != "mamba")
    for sizes in ({}, others):
        at = {**values, **sizes}
        for kind, worst in differences(ours, library, call_of(library), inputs_of(at, make)).items():
            found[kind] = max(found.get(kind, (0.0, "")), worst)
    return found


def main(cli, names):
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name in names or CASES:
            try:
                found = largest_differences(cli, name, pathlib.Path(folder))
            except ModuleNotFoundError as missing:
                print(f"{name}: left out, {missing.name} is not installed")
                continue
            wrong = [kind for kind, limit in LIMITS.items() if not found[kind][0] < limit]
            failed |= bool(wrong)
            told = ", ".join(f"{kind} by {found[kind][0]:.1e} {found[kind][1]}".rstrip() for kind in LIMITS)
            print(f"{name}: differ: {told}{'  WRONG: ' + ', '.join(wrong) if wrong else ''}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
