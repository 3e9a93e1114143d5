"""Whole models of timm and transformers: runs them on a GPU, or exports the same ones for predictions (truth.py).

usage: python measured_models.py run FOLDER [NAME...]       steps.jsonl: passes, memory and kernels of each (needs CUDA)
       python measured_models.py export FOLDER [NAME...]    h100-NAME.pt2, structure only

tests/data/truth/README.md says what came of it, and with which versions.
"""
import contextlib
import gc
import json
import statistics
import sys
import time
import warnings
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import torch
from torch.utils._pytree import tree_leaves

warnings.filterwarnings("ignore")
LOWER = {"autocast-bf16": torch.bfloat16, "autocast-fp16": torch.float16}

VISION = (  # model, batch and side of images in training, in inference
    ("cait_m36_384", 6, 384, 64, 384), ("crossvit_18_dagger_240", 128, 240, 512, 240), ("deit3_large_patch16_224", 64, 224, 512, 224),
    ("dm_nfnet_f3", 0, 0, 128, 416), ("edgenext_x_small", 512, 256, 512, 288), ("efficientnet_lite4", 64, 380, 256, 380),
    ("gmlp_b16_224", 96, 224, 512, 224), ("legacy_senet154", 64, 224, 256, 224), ("mobilenetv2_050", 512, 224, 512, 224),
    ("nf_regnet_b3", 256, 288, 256, 320), ("regnetv_064", 128, 288, 256, 288), ("regnetz_d8", 128, 256, 256, 320),
    ("resnet152", 192, 224, 256, 288), ("resnetrs50", 512, 160, 512, 224), ("selecsls84", 512, 224, 512, 224),
    ("skresnext50_32x4d", 256, 224, 256, 224), ("tf_efficientnet_b2", 192, 260, 256, 260),
    ("tf_mobilenetv3_small_100", 512, 224, 512, 224), ("vit_base_patch16_rpn_224", 192, 224, 512, 224),
    ("vit_small_patch16_384", 64, 384, 256, 384), ("convnext_tiny", 128, 224, 256, 224), ("swin_tiny_patch4_window7_224", 128, 224, 256, 224))
SECOND_VISION = (  # predicted first, then measured; rules were then fitted to kernels of these, too
    ("beit_base_patch16_224", 96, 224, 256, 224), ("coat_lite_small", 128, 224, 256, 224), ("convmixer_768_32", 64, 224, 256, 224),
    ("convnextv2_tiny", 96, 224, 256, 224), ("davit_tiny", 128, 224, 256, 224), ("deit_small_distilled_patch16_224", 192, 224, 512, 224),
    ("densenet121", 128, 224, 256, 224), ("dla60", 128, 224, 256, 224), ("eca_nfnet_l0", 128, 224, 256, 288),
    ("focalnet_tiny_srf", 128, 224, 256, 224), ("ghostnet_100", 256, 224, 512, 224), ("hrnet_w18", 128, 224, 256, 224),
    ("inception_v3", 192, 299, 256, 299), ("levit_256", 256, 224, 512, 224), ("maxvit_tiny_rw_224", 64, 224, 128, 224),
    ("mixer_b16_224", 128, 224, 256, 224), ("mobilenetv4_conv_small", 256, 224, 512, 256), ("mobilevit_s", 128, 256, 256, 256),
    ("nest_tiny", 96, 224, 256, 224), ("pit_s_224", 192, 224, 512, 224), ("poolformer_s24", 128, 224, 256, 224),
    ("pvt_v2_b2", 96, 224, 256, 224), ("repvgg_b1", 128, 224, 256, 224),
    ("res2net50_26w_4s", 128, 224, 256, 224), ("resnest50d", 128, 224, 256, 224), ("resnext50_32x4d", 192, 224, 256, 224),
    ("rexnet_150", 192, 224, 256, 224), ("swinv2_tiny_window8_256", 96, 256, 256, 256), ("tf_efficientnetv2_s", 96, 300, 128, 384),
    ("twins_svt_small", 128, 224, 256, 224), ("vgg16_bn", 128, 224, 256, 224), ("visformer_small", 128, 224, 256, 224),
    ("volo_d1_224", 96, 224, 256, 224), ("xception41", 96, 299, 128, 299), ("xcit_small_12_p16_224", 96, 224, 256, 224))
THIRD_VISION = (  # likewise, after what the second showed
    ("botnet26t_256", 128, 256, 256, 256), ("coatnet_0_rw_224", 64, 224, 128, 224), ("convnext_small", 96, 224, 256, 224),
    ("cspdarknet53", 96, 256, 256, 256), ("cspresnet50", 128, 256, 256, 256), ("darknet53", 96, 256, 256, 288),
    ("deit_base_patch16_224", 128, 224, 256, 224), ("dla34", 192, 224, 512, 224), ("dpn68", 128, 224, 256, 224),
    ("ecaresnet50t", 128, 256, 256, 288), ("edgenext_small", 128, 256, 256, 256), ("efficientformer_l1", 256, 224, 512, 224),
    ("efficientnet_b0", 192, 224, 512, 224), ("fastvit_t8", 192, 256, 256, 256), ("fbnetc_100", 256, 224, 512, 224),
    ("gernet_l", 192, 256, 256, 256), ("inception_next_tiny", 128, 224, 256, 224), ("mixnet_m", 128, 224, 256, 224),
    ("mnasnet_100", 256, 224, 512, 224), ("mobilenetv3_large_100", 256, 224, 512, 224), ("mvitv2_tiny", 64, 224, 128, 224),
    ("nfnet_l0", 128, 224, 256, 288), ("repvit_m1", 192, 224, 512, 224),
    ("resmlp_24_224", 128, 224, 256, 224), ("resnet34", 256, 224, 512, 224), ("resnet101", 128, 224, 256, 224),
    ("seresnet50", 128, 224, 256, 224), ("swin_small_patch4_window7_224", 96, 224, 256, 224), ("tiny_vit_11m_224", 128, 224, 256, 224),
    ("tnt_s_patch16_224", 96, 224, 256, 224), ("vgg19", 128, 224, 256, 224), ("vit_base_patch32_224", 256, 224, 512, 224),
    ("wide_resnet50_2", 128, 224, 256, 224))
LANGUAGE = (  # model, batch, places, precision
    ("gpt2", 16, 1024, "autocast-bf16"), ("gpt2", 8, 1024, "exported"), ("gpt2", 1, 256, "exported"), ("gpt2-eager", 8, 1024, "bf16"),
    ("gpt2-large", 4, 1024, "bf16"), ("llama-1b", 2, 2048, "bf16"), ("llama-1b", 4, 2048, "autocast-bf16"),
    ("bert-large", 16, 512, "autocast-fp16"), ("bert-large", 8, 512, "exported"))
SECOND_LANGUAGE = (
    ("t5-base", 8, 512, "bf16"), ("t5-base", 8, 512, "exported"), ("qwen3-0.6b", 4, 1024, "bf16"), ("gemma2-1b", 2, 1024, "autocast-bf16"),
    ("gptneox-410m", 8, 1024, "autocast-fp16"), ("distilbert", 32, 256, "exported"), ("roberta-base", 32, 512, "autocast-bf16"),
    ("electra-small", 64, 128, "autocast-fp16"), ("albert-base", 32, 512, "autocast-bf16"), ("mistral-1b", 2, 2048, "bf16"))
THIRD_LANGUAGE = (
    ("gpt2-medium", 8, 1024, "bf16"), ("gpt2-medium", 8, 1024, "autocast-bf16"), ("qwen2-0.5b", 4, 1024, "bf16"),
    ("smollm-360m", 8, 1024, "autocast-bf16"), ("xlm-roberta-base", 16, 512, "exported"))
SETS = {"first": (VISION, LANGUAGE), "second": (SECOND_VISION, SECOND_LANGUAGE), "third": (THIRD_VISION, THIRD_LANGUAGE)}


def image_model(name, batch, side):
    """Channels last."""
    import timm
    from timm.layers import set_fused_attn
    set_fused_attn(True)
    try:
        model = timm.create_model(name, img_size=side)
    except TypeError:  # of a network that takes any size
        model = timm.create_model(name)
    last = torch.channels_last
    return model.to(memory_format=last), (torch.randn(batch, 3, side, side).contiguous(memory_format=last),)


class Loss(torch.nn.Module):
    def __init__(self, model, **options):
        super().__init__()
        self.model, self.options = model, options

    def forward(self, ids):
        return self.model(input_ids=ids, labels=ids, return_dict=False, **self.options)[0]


CONFIGS = {  # class of the model, of its configuration, what differs from its defaults
    "t5-base": ("T5ForConditionalGeneration", "T5Config", dict(d_model=768, d_ff=3072, num_layers=12, num_heads=12, decoder_start_token_id=0)),
    "qwen3-0.6b": ("Qwen3ForCausalLM", "Qwen3Config", dict(
        hidden_size=1024, intermediate_size=3072, num_hidden_layers=28, num_attention_heads=16, num_key_value_heads=8, head_dim=128)),
    "gemma2-1b": ("Gemma2ForCausalLM", "Gemma2Config", dict(
        hidden_size=1152, intermediate_size=6912, num_hidden_layers=18, num_attention_heads=8, num_key_value_heads=4, vocab_size=64000)),
    "gptneox-410m": ("GPTNeoXForCausalLM", "GPTNeoXConfig", dict(
        hidden_size=1024, intermediate_size=4096, num_hidden_layers=24, num_attention_heads=16)),
    "distilbert": ("DistilBertForMaskedLM", "DistilBertConfig", {}),
    "roberta-base": ("RobertaForMaskedLM", "RobertaConfig", dict(max_position_embeddings=514)),
    "electra-small": ("ElectraForMaskedLM", "ElectraConfig", {}),
    "albert-base": ("AlbertForMaskedLM", "AlbertConfig", dict(
        hidden_size=768, intermediate_size=3072, num_attention_heads=12)),
    "qwen2-0.5b": ("Qwen2ForCausalLM", "Qwen2Config", dict(
        hidden_size=896, intermediate_size=4864, num_hidden_layers=24, num_attention_heads=14, num_key_value_heads=2)),
    "smollm-360m": ("LlamaForCausalLM", "LlamaConfig", dict(
        hidden_size=960, intermediate_size=2560, num_hidden_layers=32, num_attention_heads=15, num_key_value_heads=5, vocab_size=49152)),
    "xlm-roberta-base": ("XLMRobertaForMaskedLM", "XLMRobertaConfig", dict(max_position_embeddings=514, vocab_size=250002)),
    "mistral-1b": ("MistralForCausalLM", "MistralConfig", dict(
        hidden_size=2048, intermediate_size=7168, num_hidden_layers=16, num_attention_heads=16, num_key_value_heads=4))}


def language_model(kind, batch, places):
    import transformers as library
    # It makes masks that hide nothing where it is traced, and leaves them out where it runs: kernels differ.
    for skips in ("_ignore_causal_mask_sdpa", "_ignore_bidirectional_mask_sdpa"):
        setattr(library.masking_utils, skips, lambda *_, **__: True)
    library.masking_utils.find_packed_sequence_indices = lambda *_: None
    attention = dict(attn_implementation="eager" if kind.endswith("eager") else "sdpa")
    if kind in CONFIGS:
        of_model, of_config, sizes = CONFIGS[kind]
        model = getattr(library, of_model)(getattr(library, of_config)(**sizes, **attention))
        model = Loss(model, **({} if "Masked" in of_model else dict(use_cache=False)))
    elif kind.startswith("gpt2"):
        large = {"gpt2-large": dict(n_layer=36, n_head=20, n_embd=1280), "gpt2-medium": dict(n_layer=24, n_head=16, n_embd=1024)}.get(kind, {})
        model = Loss(library.GPT2LMHeadModel(library.GPT2Config(**large, **attention)), use_cache=False)
    elif kind == "llama-1b":
        model = Loss(library.LlamaForCausalLM(library.LlamaConfig(
            hidden_size=2048, intermediate_size=8192, num_hidden_layers=16, num_attention_heads=32, num_key_value_heads=8,
            vocab_size=32000, max_position_embeddings=4096, **attention)), use_cache=False)
    else:
        model = Loss(library.BertForMaskedLM(library.BertConfig(
            hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096, **attention)))
    words = model.model.config.vocab_size
    return model, (torch.arange(batch * places).view(batch, places) * 7919 % words,)


@dataclass
class Case:
    name: str
    make: Callable  # model, inputs
    trains: bool
    precision: str
    optimizer: str = ""


def cases():
    for vision, language in SETS.values():
        yield from cases_of(vision, language)
    for name in ("resnet152", "convnext_tiny"):
        yield Case(f"{name}-fp32-train", lambda n=name: image_model(n, 64, 224), True, "exported", "sgd-momentum")
    yield Case("resnetrs50-bs1-infer", lambda: image_model("resnetrs50", 1, 224), False, "exported")


def cases_of(vision, language):
    for name, batch, side, batch_of_inference, side_of_inference in vision:
        if batch:
            yield Case(f"{name}-train", lambda n=name, b=batch, s=side: image_model(n, b, s), True, "autocast-fp16", "sgd-momentum")
        yield Case(f"{name}-infer", lambda n=name, b=batch_of_inference, s=side_of_inference: image_model(n, b, s), False, "autocast-fp16")
    for kind, batch, places, precision in language:
        yield Case(f"{kind}-{batch}x{places}-{precision}-train", lambda k=kind, b=batch, p=places: language_model(k, b, p), True, precision, "adamw")


def export(folder, case):
    with torch.device("meta"):
        model, inputs = case.make()
    program = torch.export.export(model.train(case.trains), tuple(x.to("meta") for x in inputs), strict=False)
    torch.export.save(program, folder / f"h100-{case.name}.pt2")


class Runner:
    def __init__(self, case):
        self.case = case
        with torch.device("cuda"):
            model, inputs = case.make()
        self.model = model.train(case.trains)
        if case.precision == "bf16":
            self.model.to(torch.bfloat16)
        self.inputs = tuple(x.to("cuda") for x in inputs)
        if case.trains:
            self.optimizer = torch.optim.AdamW(model.parameters()) if case.optimizer == "adamw" \
                else torch.optim.SGD(model.parameters(), lr=1e-6, momentum=0.9)

    def cast(self):
        lower = LOWER.get(self.case.precision)
        return torch.autocast("cuda", lower) if lower else contextlib.nullcontext()

    def step(self):
        """One step; the marks between its passes."""
        marks = [torch.cuda.Event(enable_timing=True) for _ in range(4)]
        if self.case.trains:
            self.optimizer.zero_grad(set_to_none=True)
        marks[0].record()
        with contextlib.nullcontext() if self.case.trains else torch.no_grad(), self.cast():
            made = self.model(*self.inputs)
        marks[1].record()
        if self.case.trains:
            made = [x for x in tree_leaves(made) if isinstance(x, torch.Tensor) and x.requires_grad]
            torch.autograd.backward(made, [torch.ones_like(x) for x in made])
            del made
            marks[2].record()
            self.optimizer.step()
        else:
            marks[2].record()
        marks[3].record()
        return marks

    def peaks(self):
        torch.cuda.reset_peak_memory_stats()
        self.step()
        torch.cuda.synchronize()
        return dict(peak=torch.cuda.max_memory_allocated(), reserved=torch.cuda.max_memory_reserved())

    def timed(self, repeats=5):
        """As a loop runs that waits for nothing."""
        start = time.perf_counter()
        marks = [self.step() for _ in range(repeats)]
        handed_over = time.perf_counter() - start
        torch.cuda.synchronize()
        taken = time.perf_counter() - start
        passes = [statistics.median(m[i].elapsed_time(m[i + 1]) for m in marks) for i in range(3)]
        return dict(wall_ms=1e3 * taken / repeats, host_ms=1e3 * handed_over / repeats, passes_ms=passes)

    def kernels(self):
        """[operator, shapes of its inputs, backward node, kernel, how often, microseconds], the longest first."""
        from torch.profiler import ProfilerActivity, profile
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True) as profiler:
            self.step()
            torch.cuda.synchronize()
        table = defaultdict(lambda: [0, 0.0])
        for event in profiler.events():
            for kernel in event.kernels or ():
                entry = table[event.name, json.dumps(event.input_shapes), backward_node(event), kernel.name[:160]]
                entry[0] += 1
                entry[1] += kernel.duration
        return sorted(([*key, *entry] for key, entry in table.items()), key=lambda row: -row[-1])


def backward_node(event):
    while event is not None and "evaluate_function" not in event.name:
        event = event.cpu_parent
    return event.name.rsplit(": ", 1)[-1] if event else ""


def run(folder, case):
    runner = Runner(case)
    row = dict(name=case.name, mode="train" if case.trains else "infer", precision=case.precision, optimizer=case.optimizer)
    row["first"] = runner.peaks()
    runner.step()
    row["steady"] = runner.peaks()
    row |= runner.timed()
    print(f"{case.name:44} {row['wall_ms']:8.1f} ms, {row['steady']['peak'] / 2**20:8.0f} MiB", flush=True)
    row["kernels"] = runner.kernels()
    with (folder / "steps.jsonl").open("a") as file:
        file.write(json.dumps(row) + "\n")


def main(command, folder, *names):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for case in cases():
        if not names or case.name in names:
            try:
                dict(run=run, export=export)[command](folder, case)
            except Exception as failure:  # one that does not run or does not fit is no reason to lose the rest
                print(f"left out: {case.name}: {str(failure).splitlines()[0]}", file=sys.stderr, flush=True)
            gc.collect()
            if command == "run":
                torch.cuda.empty_cache()


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("run", "export"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
