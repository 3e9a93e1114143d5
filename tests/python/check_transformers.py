#!/usr/bin/env python3
"""Do models of transformers cost, take weights and split as they run in transformers itself?

    check_transformers.py STAGECRAFT_CLI

Small models of transformers' own code are exported without weights. Parameters and operations of a step must be those
that PyTorch counts; the checkpoint that save_pretrained() writes, whole and in shards, must join by name; and two stages
with it must give, chained in PyTorch, what the model gives. Skipped by name where transformers is not installed.
"""
import json
import sys
import tempfile
import warnings
from pathlib import Path

import torch
from torch.utils.flop_counter import FlopCounterMode

from commands import run

warnings.filterwarnings("ignore")
SKIPPED = 77  # for ctest
SMALL = {"hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "vocab_size": 64,
         "max_position_embeddings": 32, "attn_implementation": "eager"}
EXPERTS = {"intermediate_size": 48, "num_key_value_heads": 2}
MODELS = {
    "gpt2": ("GPT2LMHeadModel", {"n_embd": 32, "n_layer": 3, "n_head": 4, "vocab_size": 64, "n_positions": 32,
                                 "attn_implementation": "eager"}),
    "llama": ("LlamaForCausalLM", {**SMALL, **EXPERTS, "tie_word_embeddings": False}),
    "qwen3": ("Qwen3ForCausalLM", {**SMALL, **EXPERTS, "head_dim": 8, "tie_word_embeddings": True}),
    "bert": ("BertForMaskedLM", {**SMALL, "intermediate_size": 48}),
}


def flops_of_a_step(model, words):
    with FlopCounterMode(display=False) as counter:
        model(words).logits.sum().backward()
    model.zero_grad()
    return counter.get_total_flops()


def chained(folder, words):
    value = words
    for module in [torch.export.load(folder / f"stage_{i}.pt2").module(check_guards=False) for i in range(2)]:
        value = module(*value) if isinstance(value, tuple) else module(value)
    return value


def check(transformers, cli, folder, name):
    kind, sizes = MODELS[name]
    torch.manual_seed(0)
    config = getattr(transformers, kind).config_class(**sizes)
    config.use_cache = False
    model, words, file = getattr(transformers, kind)(config).eval(), torch.randint(0, 64, (2, 16)), folder / f"{name}.pt2"
    torch.export.save(torch.export.export(model, (words,), strict=False), file)
    profile = json.loads(run(cli, "profile", file, "--json"))
    totals = profile["totals"]
    wanted = sum(parameter.numel() for parameter in model.parameters())
    assert totals["parameters"] == wanted, f"{name}: {totals['parameters']} parameters, not {wanted}"
    work = totals["flops_forward"] + totals["flops_backward"]
    assert profile["exact"] and work == flops_of_a_step(model, words), f"{name}: {work} operations"
    # The file keeps its own numbers; the checkpoint has others.
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(0.5)
    for shard in ("1GB", "20KB"):
        kept = folder / f"{name}-{shard}"
        model.save_pretrained(kept, max_shard_size=shard)
        weights = sorted(kept.glob("*.index.json")) or sorted(kept.glob("*.safetensors"))
        assert (shard == "20KB") == weights[0].name.endswith("index.json"), f"{name}: {weights}"
        stages = folder / f"{name}-{shard}-stages"
        run(cli, "export", file, "--weights", weights[0], "--stages", 2, "--mode", "infer", "-o", stages)
        given = chained(stages, words)
        logits = next(value for value in torch.utils._pytree.tree_leaves(given) if value.shape == (2, 16, 64))
        torch.testing.assert_close(logits, model(words).logits, msg=f"{name}: other logits with {weights[0].name}")


def main(cli, *names):
    try:
        import transformers
    except Exception as error:
        print(f"SKIP: transformers: {type(error).__name__}: {str(error).splitlines()[0]}")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        for name in names or MODELS:
            check(transformers, cli, Path(folder), name)
            print(f"{name}: as transformers {transformers.__version__} runs it", flush=True)
    return 0


sys.exit(main(*sys.argv[1:]))
