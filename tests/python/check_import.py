#!/usr/bin/env python3
"""Exports models of transformers, timm and torchvision by name, and opens each file:

    check_import.py STAGECRAFT_CLI FOLDER ["NAME --set=KEY=VALUE ..."]...

Without names: those of NAMES below. Each is built in a process of its own, forked from one that has the libraries.
A library that is not installed in this Python is skipped by name. A name of FAILS must fail, with one readable line that
says what FAILS has; every other must open.
"""
import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "resources" / "python"))
from model_import import command  # noqa: E402
from model_import.channel import Channel  # noqa: E402
from model_import.sources import LIBRARIES, kind_of  # noqa: E402

SKIPPED = 77  # for ctest
FEW = "--set=num_hidden_layers=2"
NAMES = [
    # language models
    "hf:gpt2 --set=n_layer=2", f"hf:bert {FEW}", f"hf:roberta {FEW}", "hf:distilbert --set=n_layers=2", f"hf:albert {FEW}",
    f"hf:electra {FEW}", f"hf:deberta-v2 {FEW}", f"hf:modernbert {FEW}", "hf:t5 --set=num_layers=2",
    "hf:bart --set=encoder_layers=2 --set=decoder_layers=2", f"hf:llama {FEW}", f"hf:mistral {FEW}", f"hf:mixtral {FEW}",
    f"hf:qwen2 {FEW}", f"hf:qwen3 {FEW}", f"hf:qwen3_moe {FEW}", f"hf:gemma {FEW}", f"hf:gemma2 {FEW}",
    f"hf:gemma3_text {FEW}", f"hf:phi {FEW}", f"hf:phi3 {FEW}", f"hf:falcon {FEW}", f"hf:opt {FEW}", "hf:bloom --set=n_layer=2",
    f"hf:gpt_neox {FEW}", f"hf:olmo2 {FEW}", f"hf:deepseek_v3 {FEW}", f"hf:gpt_oss {FEW}", f"hf:granite {FEW}",
    f"hf:mamba {FEW}", f"hf:mamba2 {FEW}", f"hf:falcon_mamba {FEW}", "hf:zamba2", "hf:jamba", f"hf:bamba {FEW}", f"hf:rwkv {FEW}",
    f"hf:cohere {FEW}", f"hf:cohere2 {FEW}", f"hf:phimoe {FEW}", f"hf:starcoder2 {FEW}", f"hf:stablelm {FEW}", f"hf:glm4 {FEW}",
    f"hf:olmoe {FEW}", f"hf:granitemoe {FEW}", f"hf:exaone4 {FEW}", f"hf:smollm3 {FEW}", f"hf:ernie4_5 {FEW}",
    f"hf:qwen3_next {FEW}", f"hf:aria_text {FEW}", "hf:xlnet --set=n_layer=2", f"hf:mpnet {FEW}", f"hf:mobilebert {FEW}",
    "hf:funnel", "hf:reformer", "hf:pegasus --set=encoder_layers=2 --set=decoder_layers=2", f"hf:longformer {FEW}", "hf:led",
    f"hf:nemotron {FEW} --set=num_key_value_heads=48",
    *(f"hf:{name}" for name in (
        "biogpt", "xglm", "codegen", "gptj", "persimmon", "mpt", "gpt_bigcode", "mt5", "umt5", "m2m_100", "marian", "blenderbot",
        "prophetnet", "fnet", "nystromformer", "perceiver", "canine", "luke", "tapas", "trocr", "nllb-moe")),
    # pictures, sound, both
    f"hf:vit {FEW}", "hf:swin", f"hf:dinov2 {FEW}", f"hf:beit {FEW}", "hf:convnextv2", "hf:segformer", "hf:clip", "hf:siglip",
    "hf:whisper", f"hf:wav2vec2 {FEW}", f"hf:hubert {FEW}", f"hf:layoutlm {FEW}", f"hf:vit_mae {FEW}",
    "hf:dpt", "hf:detr", "hf:blip", "hf:paligemma", "hf:gemma3", "hf:llava", "hf:mllama", "hf:internvl", "hf:qwen2_vl", "hf:qwen2_5_vl",
    "hf:qwen3_vl", "hf:idefics3", f"hf:timesformer {FEW}", f"hf:vivit {FEW}",
    *(f"hf:{name}" for name in (
        "videomae", "xclip", "idefics2", "smolvlm", "grounding-dino", "owlvit", "owlv2", "sam", "depth_anything", "vitdet", "altclip",
        "git", "seamless_m4t", "flava", "visual_bert", "donut-swin", "layoutlmv3", "lilt", "vilt", "speecht5", "esm")),
    "timm:resnet50", "timm:convnext_base", "timm:vit_base_patch16_224", "timm:swin_base_patch4_window7_224",
    "timm:efficientnet_b0", "timm:mobilenetv3_large_100", "timm:regnety_032", "timm:maxvit_tiny_tf_224",
    "timm:mixer_b16_224", "timm:eva02_base_patch14_224", "timm:coatnet_0_rw_224", "timm:levit_256", "timm:deit3_base_patch16_224", "timm:hiera_base_224",
    "timm:davit_tiny", "timm:fastvit_t8", "timm:tiny_vit_5m_224", "timm:nfnet_f0", "timm:xcit_tiny_12_p8_224",
    "torchvision:resnet50", "torchvision:vgg16_bn", "torchvision:googlenet", "torchvision:inception_v3",
    "torchvision:efficientnet_v2_s", "torchvision:convnext_tiny", "torchvision:swin_v2_t", "torchvision:maxvit_t",
    "torchvision:vit_b_16", "torchvision:shufflenet_v2_x1_0", "torchvision:deeplabv3_resnet50",
    "torchvision:lraspp_mobilenet_v3_large", "torchvision:r3d_18", "torchvision:mvit_v2_s", "torchvision:swin3d_t",
    "torchvision:raft_small", "torchvision:fasterrcnn_resnet50_fpn", "torchvision:retinanet_resnet50_fpn", "torchvision:keypointrcnn_resnet50_fpn", "torchvision:densenet121",
    "torchvision:fcn_resnet50", "torchvision:s3d", "torchvision:mnasnet1_0",
]
# What cannot be traced, and a word of the line that says so (core/load/README.md says why).
FAILS = {"torchvision:fasterrcnn_resnet50_fpn": "targets should not be none",
         "torchvision:retinanet_resnet50_fpn": "targets should not be none",
         "torchvision:keypointrcnn_resnet50_fpn": "targets should not be none",
         "hf:longformer": "depends on the values of a tensor", "hf:led": "depends on the values of a tensor",
         "hf:vilt": "depends on the values of a tensor", "hf:speecht5": "depends on the values of a tensor",
         "hf:nllb-moe": "depends on the values of a tensor", "hf:esm": "usual sizes of this type are not complete",
         "hf:gemma3": "do not go together"}


def installed(kind):
    try:
        importlib.import_module(LIBRARIES[kind])
        return True
    except Exception as error:
        print(f"SKIP: {LIBRARIES[kind]}: {type(error).__name__}: {str(error).splitlines()[0]}", flush=True)
        return False


def export(arguments, folder):
    """What the exporter says of one name, run in a child."""
    name = arguments[0].replace(":", "_").replace("/", "_")
    answers, details, file = folder / f"{name}.json", folder / f"{name}.txt", folder / f"{name}.pt2"
    child = os.fork()
    if child == 0:
        with open(details, "w") as text:
            os.dup2(text.fileno(), 1)
            os.dup2(text.fileno(), 2)
        with open(answers, "w", encoding="utf-8") as stream:
            status = command.run([*arguments[1:], "-o", str(file), arguments[0]], Channel(stream))
        os._exit(status)
    os.waitpid(child, 0)
    lines = [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]
    answer = lines[-1] if lines else {}
    return answer if answer.get("type") in ("result", "error") else {"type": "error", "text": "no answer"}, file


def opened(cli, file):
    """An error, or empty: the profile of the file can be made."""
    run = subprocess.run([cli, "profile", str(file), "--json"], capture_output=True, text=True)
    return "" if run.returncode == 0 else run.stderr.strip()


def one_line(text):
    return bool(text) and "\n" not in text and len(text) < 700


def outcome(cli, arguments, folder):
    """(right or not, what became of it)"""
    answer, file = export(arguments, folder)
    expected = FAILS.get(arguments[0])
    if answer["type"] == "error":
        said = answer["text"] + ("; " + answer["advice"] if answer.get("advice") else "")
        return bool(expected and expected in said and one_line(answer["text"])), "FAILS: " + said
    problem = opened(cli, file)
    file.unlink()
    if problem:
        return False, "DOES NOT OPEN: " + problem
    return expected is None, f"{answer['how']}" + ("" if expected is None else f", though it was to fail: {expected}")


def main(cli, folder, *names):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    kinds = {kind: installed(kind) for kind in LIBRARIES}
    wrong, tried = [], 0
    for name in names or NAMES:
        arguments = name.split()
        if not kinds[kind_of(arguments[0])]:
            continue
        tried += 1
        right, text = outcome(cli, arguments, folder)
        print(("ok   " if right else "WRONG"), arguments[0], text, flush=True)
        wrong += [] if right else [arguments[0]]
    print(f"{tried} names, {len(wrong)} otherwise than expected {' '.join(wrong)}")
    return 1 if wrong else 0 if tried else SKIPPED


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
