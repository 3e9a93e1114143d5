"""Counts one training step of libraries' models of the forms (core/forms): parameters, FLOPs and saved bytes.

usage: python forms.py [NAME...]      (torch 2.13, transformers 5.24, diffusers 0.42; everything on the meta device)

Writes forms.json beside it, rows by name; those not named stay. Attention takes PyTorch's math route.
"""
import json
import os
import sys
import warnings

import torch
import torch.nn.functional as F

import architectures
import tracker

warnings.filterwarnings("ignore")
HERE = os.path.dirname(os.path.abspath(__file__))
TYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}


def without_packing(transformers):
    # It looks into positions, of which there are none on the meta device.
    transformers.masking_utils.find_packed_sequence_indices = lambda *args, **options: None


def hf(model, config, names, rename=lambda v: {}, **fixed):
    """names: of the configuration's fields, by those of the form. What `values` lack is as the library has it."""
    def build(values):
        import transformers
        without_packing(transformers)
        fields = {**fixed, **fields_of(names, values), **rename(values)}
        return getattr(transformers, model)(getattr(transformers, config)(**fields))
    return build


READ_AS = {"dropout": lambda percent: percent / 100, "epsilon": lambda power: 10.0 ** -power,
           "tied": lambda answer: answer == "yes"}


def fields_of(names, values):
    fields = {}
    for ours, theirs in names.items():
        if ours in values:
            value = READ_AS.get(ours, lambda same: same)(values[ours])
            fields.update({field: value for field in theirs.split()})
    return fields


STRETCHED = {"llama3": {"low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192},
             "yarn": {"beta_fast": 32.0, "beta_slow": 1.0, "mscale": 1.0, "mscale_all_dim": 1.0,
                      "original_max_position_embeddings": 4096}, "linear": {}}


def turned(values, stretch="llama3"):
    """Rotary positions with the form's base and factor, where `values` have them."""
    if "rope-base" not in values:
        return {}
    factor = values.get("rope-factor", 1)
    rope = {"rope_type": "default", "rope_theta": float(values["rope-base"])}
    if factor != 1:
        rope = {**rope, "rope_type": stretch, "factor": float(factor), **STRETCHED[stretch]}
    return {"rope_parameters": rope}


def tokens(values):
    return (torch.zeros(values["batch"], values["sequence"], dtype=torch.long),)


DECODER = {"layers": "num_hidden_layers", "width": "hidden_size", "heads": "num_attention_heads",
           "key-heads": "num_key_value_heads", "head-width": "head_dim", "inner": "intermediate_size",
           "vocabulary": "vocab_size", "epsilon": "rms_norm_eps", "tied": "tie_word_embeddings"}
GPT = {"layers": "n_layer", "width": "n_embd", "heads": "n_head", "inner": "n_inner", "vocabulary": "vocab_size",
       "positions": "n_positions", "epsilon": "layer_norm_epsilon", "dropout": "resid_pdrop embd_pdrop attn_pdrop"}
ENCODER = {"layers": "num_hidden_layers", "width": "hidden_size", "heads": "num_attention_heads",
           "inner": "intermediate_size", "vocabulary": "vocab_size", "positions": "max_position_embeddings",
           "image": "image_size", "patch": "patch_size", "classes": "num_labels", "epsilon": "layer_norm_eps",
           "dropout": "hidden_dropout_prob attention_probs_dropout_prob"}


def logits(module):
    return lambda ids: module(input_ids=ids, use_cache=False).logits


LLAMA = (hf("LlamaForCausalLM", "LlamaConfig", DECODER, turned), tokens, logits)
SMALL = {"layers": 3, "width": 64, "heads": 4, "key-heads": 2, "head-width": 16, "inner": 96, "vocabulary": 50,
         "batch": 2, "sequence": 24}
EXPERTS = {**DECODER, "experts": "num_experts", "experts-chosen": "num_experts_per_tok"}
EXPERTS.pop("inner")


def gemma(config):
    def rename(values):
        every = values["whole-every"]
        kinds = ["sliding_attention" if (i + 1) % every else "full_attention" for i in range(values["layers"])]
        rope = turned(values, "linear")
        if "rope-base-window" in values:
            near = {"rope_type": "default", "rope_theta": float(values["rope-base-window"])}
            rope = {"rope_parameters": {"full_attention": rope["rope_parameters"], "sliding_attention": near}}
        return {"layer_types": kinds, **rope}
    names = {**DECODER, "window": "sliding_window", "query-scale": "query_pre_attn_scalar"}
    return hf(config + "ForCausalLM", config + ("TextConfig" if config == "Gemma3" else "Config"), names, rename)


def deepseek(values):
    names = {"layers": "num_hidden_layers", "width": "hidden_size", "heads": "num_attention_heads",
             "inner": "intermediate_size", "vocabulary": "vocab_size", "head-width": "qk_nope_head_dim",
             "rope-width": "qk_rope_head_dim", "value-width": "v_head_dim", "query-rank": "q_lora_rank",
             "latent-rank": "kv_lora_rank", "dense-layers": "first_k_dense_replace", "experts": "n_routed_experts",
             "experts-chosen": "num_experts_per_tok", "expert-width": "moe_intermediate_size",
             "shared-experts": "n_shared_experts", "groups": "n_group", "groups-chosen": "topk_group",
             "epsilon": "rms_norm_eps"}
    kinds = ["dense" if i < values["dense-layers"] else "sparse" for i in range(values["layers"])]
    model = hf("DeepseekV3ForCausalLM", "DeepseekV3Config", names, lambda v: turned(v, "yarn"),
               num_key_value_heads=values["heads"], mlp_layer_types=kinds, experts_implementation="grouped_mm")(values)
    return with_further_tokens(model, values.get("mtp-modules", 0))


def with_further_tokens(model, count):
    """The modules of section 2.2 of arXiv:2412.19437, which transformers leaves out, named as in the published weights."""
    from transformers.models.deepseek_v3 import modeling_deepseek_v3 as library
    config, layers = model.config, model.model.layers
    norm = lambda: library.DeepseekV3RMSNorm(config.hidden_size, eps=config.rms_norm_eps)  # noqa: E731
    config.mlp_layer_types = [*config.mlp_layer_types, *["sparse"] * count]
    for index in range(len(layers), len(layers) + count):
        layer = library.DeepseekV3DecoderLayer(config, index)
        layer.embed_tokens, layer.enorm, layer.hnorm = model.model.embed_tokens, norm(), norm()
        layer.eh_proj = torch.nn.Linear(2 * config.hidden_size, config.hidden_size, bias=False)
        layer.shared_head = torch.nn.ModuleDict({"norm": norm(), "head": model.lm_head})
        layers.append(layer)
    for module in model.modules():
        if hasattr(module, "e_score_correction_bias"):      # kept in float32 where weights are loaded
            module.e_score_correction_bias = torch.nn.Buffer(module.e_score_correction_bias.float())
    return model


def further_logits(module):
    """Of tokens 1 further, and 2, 3, ...: P(t[i + k + 1]) is read off TRM_k(M_k [norm(h[i]); norm(Emb(t[i + k]))])."""
    from transformers.masking_utils import create_causal_mask
    core, config = module.model, module.config

    def call(ids):
        length = ids.shape[1]
        x = core.embed_tokens(ids)
        rotary = core.rotary_emb(x, torch.arange(length, device=ids.device)[None])

        def layer_of(layer, x):
            time = x.shape[1]
            here = rotary if time == length else tuple(table[:, :time] for table in rotary)
            mask = create_causal_mask(config=config, inputs_embeds=x, attention_mask=None, past_key_values=None,
                                      position_ids=torch.arange(time, device=x.device)[None])
            return layer(x, attention_mask=mask, position_embeddings=here)

        for layer in core.layers[:config.num_hidden_layers]:
            x = layer_of(layer, x)
        x = core.norm(x)
        logits = [module.lm_head(x)]
        for ahead, layer in enumerate(core.layers[config.num_hidden_layers:], 1):
            words = layer.embed_tokens(ids[:, ahead:])
            both = torch.cat([layer.enorm(words), layer.hnorm(x[:, :length - ahead])], -1)
            x = layer_of(layer, layer.eh_proj(both))
            logits.append(layer.shared_head["head"](layer.shared_head["norm"](x)))
        return tuple(logits)
    return call


DEEPSEEK_SMALL = {"layers": 3, "dense-layers": 1, "width": 64, "heads": 4, "head-width": 16, "rope-width": 8,
                  "value-width": 12, "query-rank": 24, "latent-rank": 32, "inner": 96, "experts": 8,
                  "experts-chosen": 3, "expert-width": 40, "shared-experts": 2, "groups": 4, "groups-chosen": 2,
                  "vocabulary": 50, "batch": 2, "sequence": 24}


T5 = {"layers": "num_layers", "decoder-layers": "num_decoder_layers", "width": "d_model", "heads": "num_heads",
      "head-width": "d_kv", "inner": "d_ff", "vocabulary": "vocab_size", "buckets": "relative_attention_num_buckets",
      "farthest": "relative_attention_max_distance", "epsilon": "layer_norm_epsilon", "dropout": "dropout_rate"}


LEFT_OUT = {}    # what tells which masks eager attention needs not


def with_masks(build):
    """Masks of models that are traced: torch.export has those, too, of which eager attention needs none."""
    def traced(values):
        import transformers
        for name in ("_ignore_causal_mask_sdpa", "_ignore_bidirectional_mask_sdpa"):
            LEFT_OUT.setdefault(name, getattr(transformers.masking_utils, name))
            setattr(transformers.masking_utils, name, lambda *args, **options: False)
        return build(values)
    return traced


def as_eager():
    for name, function in LEFT_OUT.items():
        import transformers
        setattr(transformers.masking_utils, name, function)


def token_pairs(values):
    return (*tokens(values), torch.zeros(values["batch"], values["target"], dtype=torch.long))


def target_logits(module):
    return lambda ids, targets: module(input_ids=ids, decoder_input_ids=targets, use_cache=False).logits


def clip(values):
    import transformers
    both = fields_of({"epsilon": "layer_norm_eps"}, values)
    vision = dict(num_hidden_layers=values["layers"], hidden_size=values["width"], num_attention_heads=values["heads"],
                  intermediate_size=values["inner"], image_size=values["image"], patch_size=values["patch"], **both)
    text = dict(num_hidden_layers=values["text-layers"], hidden_size=values["text-width"],
                num_attention_heads=values["text-heads"], intermediate_size=values["text-inner"],
                vocab_size=values["vocabulary"], max_position_embeddings=values["positions"],
                eos_token_id=values["vocabulary"] - 1, **both)
    return transformers.CLIPModel(transformers.CLIPConfig(
        vision_config=vision, text_config=text, projection_dim=values["projection"]))


def tokens_and_images(values):
    return (*tokens(values), *images(values))


def contrastive(module):
    return lambda ids, pixels: module(input_ids=ids, pixel_values=pixels, return_loss=True).loss


def convnext(values):
    import transformers
    stages = range(1, 5)
    return transformers.ConvNextForImageClassification(transformers.ConvNextConfig(
        hidden_sizes=[values[f"width-{i}"] for i in stages], depths=[values[f"blocks-{i}"] for i in stages],
        patch_size=values["stem"], image_size=values["image"], num_labels=values["classes"],
        **fields_of({"epsilon": "layer_norm_eps"}, values)))


def images(values):
    return (torch.zeros(values["batch"], 3, values["image"], values["image"]),)


def image_logits(module):
    return lambda pixels: module(pixel_values=pixels).logits


def convnext_values(blocks, width, **others):
    return {**{f"blocks-{i}": n for i, n in enumerate(blocks, 1)}, **others,
            **{f"width-{i + 1}": width << i for i in range(4)}, "stem": 4, "classes": 1000}


def llava(values):
    import transformers
    without_packing(transformers)
    vision = transformers.CLIPVisionConfig(
        num_hidden_layers=values["image-layers"], hidden_size=values["image-width"],
        num_attention_heads=values["image-heads"], intermediate_size=values["image-inner"],
        image_size=values["image"], patch_size=values["patch"])
    text = transformers.LlamaConfig(**fields_of(DECODER, values), **turned(values))
    config = transformers.LlavaConfig(vision_config=vision, text_config=text, image_token_index=values["image-token"])
    model = transformers.LlavaForConditionalGeneration(config)

    def mixed(input_ids, inputs_embeds, image_features):        # the library's, without a look into the ids
        return (input_ids == values["image-token"]).unsqueeze(-1).expand_as(inputs_embeds)
    model.model.get_placeholder_mask = mixed
    tower = model.model.vision_tower
    for unread in (tower.encoder.layers[-1], tower.post_layernorm):     # what it would save is free at once
        unread.forward = torch.no_grad()(unread.forward)
    return model


def image_words(module):
    return lambda ids, pixels: module(input_ids=ids, pixel_values=pixels, use_cache=False).logits


def mamba(values):
    import transformers
    return transformers.MambaForCausalLM(transformers.MambaConfig(
        num_hidden_layers=values["layers"], hidden_size=values["width"], expand=values["inner"] // values["width"],
        state_size=values["state"], time_step_rank=values["step-rank"], conv_kernel=values["kernel"],
        vocab_size=values["vocabulary"], **fields_of({"epsilon": "layer_norm_epsilon"}, values)))


def image_numbers(values):
    return values.get("image-numbers", 6)


def unet(values):
    import diffusers
    levels = range(1, values["levels"] + 1)
    layers = [values[f"transformers-{i}"] for i in levels]
    attends = ["CrossAttn" if n else "" for n in layers]
    layers[-1] = layers[-1] or values["transformers-middle"]
    pooled = values.get("pooled-width", 0)
    more = dict(addition_embed_type="text_time", addition_time_embed_dim=2 * values["size-waves"],
                projection_class_embeddings_input_dim=pooled + 2 * image_numbers(values) * values["size-waves"]) if pooled else {}
    return diffusers.UNet2DConditionModel(
        sample_size=values["image"], in_channels=values["channels"], out_channels=values["channels"],
        down_block_types=[f"{kind}DownBlock2D" for kind in attends],
        up_block_types=[f"{kind}UpBlock2D" for kind in reversed(attends)],
        block_out_channels=[values[f"width-{i}"] for i in levels], layers_per_block=values["blocks"],
        attention_head_dim=[values[f"heads-{i}"] for i in levels], norm_num_groups=values["norm-groups"],
        transformer_layers_per_block=[max(1, n) for n in layers], cross_attention_dim=values["text-width"],
        use_linear_projection=values.get("linear-projection") == "yes", **more)


def latents(values):
    batch, side = values["batch"], values["image"]
    inputs = [torch.zeros(batch, values["channels"], side, side), torch.zeros(batch, dtype=torch.long),
              torch.zeros(batch, values["sequence"], values["text-width"])]
    if values.get("pooled-width"):
        inputs += [torch.zeros(batch, values["pooled-width"]), torch.zeros(batch, image_numbers(values))]
    return tuple(inputs)


def noise(module):
    def call(sample, step, text, *pooled):
        added = dict(zip(("text_embeds", "time_ids"), pooled))
        return module(sample, step, text, added_cond_kwargs=added, return_dict=False)[0]
    return call


def unet_values(widths, heads, transformers, **others):
    lists = {"width": widths, "heads": heads, "transformers": transformers}
    return {"levels": len(widths), "blocks": 2, "channels": 4, "norm-groups": 32,
            **{f"{name}-{i}": n for name, numbers in lists.items() for i, n in enumerate(numbers, 1)}, **others}


CLIP_MODEL = (with_masks(clip), tokens_and_images, contrastive)
T5_MODEL = (with_masks(hf("T5ForConditionalGeneration", "T5Config", T5, dropout_rate=0.1)), token_pairs, target_logits)
CONVNEXT = (convnext, images, image_logits)
MAMBA = (mamba, tokens, logits)
LLAVA_MODEL, UNET = (llava, tokens_and_images, image_words), (unet, latents, noise)
LLAVA_SMALL = {**SMALL, "image-layers": 2, "image-width": 48, "image-heads": 4, "image-inner": 80, "image": 32, "patch": 8,
               "image-token": 49}
UNET_SMALL = {"text-width": 20, "image": 16, "norm-groups": 4, "transformers-middle": 2, "batch": 3, "sequence": 7}
ROWS = {
    # name: (family, preset, values, (build, inputs, call))
    "llama-3-8b": ("llama", "llama-3-8b", {"layers": 32, "width": 4096, "heads": 32, "key-heads": 8, "head-width": 128,
                                            "inner": 14336, "vocabulary": 128256, "batch": 1, "sequence": 1024}, LLAMA),
    "llama-small": ("llama", None, {**SMALL, "dtype": "float32"}, LLAMA),
    "mixtral-small": ("mixtral", None, {**SMALL, "experts": 6, "experts-chosen": 2},
                      (hf("MixtralForCausalLM", "MixtralConfig", {**DECODER, "experts": "num_local_experts",
                                                                  "experts-chosen": "num_experts_per_tok"},
                          turned, experts_implementation="grouped_mm"), tokens, logits)),
    "qwen2-small": ("qwen2", None, SMALL, (hf("Qwen2ForCausalLM", "Qwen2Config", DECODER, turned), tokens, logits)),
    "qwen3-small": ("qwen3", None, SMALL, (hf("Qwen3ForCausalLM", "Qwen3Config", DECODER, turned), tokens, logits)),
    "qwen3-moe-small": ("qwen3-moe", None, {**SMALL, "experts": 6, "experts-chosen": 2},
                        (hf("Qwen3MoeForCausalLM", "Qwen3MoeConfig", EXPERTS,
                            lambda v: {"moe_intermediate_size": v["inner"], "norm_topk_prob": True, **turned(v)},
                            experts_implementation="grouped_mm"), tokens, logits)),
    "gemma2-small": ("gemma2", None, {**SMALL, "window": 8, "whole-every": 2, "query-scale": 16},
                     (gemma("Gemma2"), tokens, logits)),
    "gemma3-small": ("gemma3", None, {**SMALL, "window": 8, "whole-every": 2, "query-scale": 16},
                     (gemma("Gemma3"), tokens, logits)),
    "deepseek-small": ("deepseek", None, DEEPSEEK_SMALL, (deepseek, tokens, logits)),
    "deepseek-small-mtp": ("deepseek", None, {**DEEPSEEK_SMALL, "mtp-modules": 2}, (deepseek, tokens, further_logits)),
    "gpt2": ("gpt", "gpt2", {"layers": 12, "width": 768, "heads": 12, "inner": 3072, "vocabulary": 50257,
                             "positions": 1024, "batch": 2, "sequence": 256},
             (hf("GPT2LMHeadModel", "GPT2Config", GPT), tokens, logits)),
    "gpt-small": ("gpt", None, {"layers": 2, "width": 36, "heads": 3, "inner": 80, "vocabulary": 50, "positions": 40,
                                "batch": 3, "sequence": 21, "dropout": 0, "dtype": "float32"},
                  (hf("GPT2LMHeadModel", "GPT2Config", GPT), tokens, logits)),
    "bert-small": ("bert", None, {"layers": 2, "width": 36, "heads": 3, "inner": 80, "vocabulary": 50, "positions": 40,
                                  "batch": 3, "sequence": 21, "dropout": 0, "dtype": "float32"},
                   (with_masks(hf("BertForMaskedLM", "BertConfig", ENCODER)), tokens, logits)),
    "vit-small": ("vit", None, {"layers": 2, "width": 36, "heads": 3, "inner": 80, "image": 42, "patch": 14,
                                "classes": 11, "batch": 3, "dropout": 0, "dtype": "float32"},
                  (hf("ViTForImageClassification", "ViTConfig", ENCODER), images, image_logits)),
    "t5-small": ("t5", "t5-small", {"layers": 6, "decoder-layers": 6, "width": 512, "heads": 8, "head-width": 64,
                                    "inner": 2048, "vocabulary": 32128, "batch": 2, "sequence": 100, "target": 30},
                 T5_MODEL),
    "t5-tiny": ("t5", None, {"layers": 3, "decoder-layers": 2, "width": 64, "heads": 4, "head-width": 16, "inner": 96,
                             "vocabulary": 50, "buckets": 8, "farthest": 20, "batch": 2, "sequence": 24, "target": 9,
                             "dtype": "bfloat16"}, T5_MODEL),
    "clip-b-16": ("clip", "clip-b-16",
                  {"layers": 12, "width": 768, "heads": 12, "inner": 3072, "image": 224, "patch": 16, "text-layers": 12,
                   "text-width": 512, "text-heads": 8, "text-inner": 2048, "vocabulary": 49408, "positions": 77,
                   "projection": 512, "batch": 4, "sequence": 77}, CLIP_MODEL),
    "clip-small": ("clip", None,
                   {"layers": 3, "width": 64, "heads": 4, "inner": 96, "image": 32, "patch": 8, "text-layers": 2,
                    "text-width": 48, "text-heads": 4, "text-inner": 80, "vocabulary": 50, "positions": 40,
                    "projection": 40, "batch": 3, "sequence": 12, "dtype": "bfloat16"}, CLIP_MODEL),
    "convnext-t": ("convnext", "convnext-t", convnext_values([3, 3, 9, 3], 96, batch=2, image=224), CONVNEXT),
    "convnext-l": ("convnext", "convnext-l", convnext_values([3, 3, 27, 3], 192, batch=1, image=224), CONVNEXT),
    "llava-1.5-7b": ("llava", "llava-1.5-7b",
                     {"layers": 32, "width": 4096, "heads": 32, "key-heads": 32, "head-width": 128, "inner": 11008,
                      "vocabulary": 32064, "image-layers": 24, "image-width": 1024, "image-heads": 16, "image-inner": 4096,
                      "image": 336, "patch": 14, "image-token": 32000, "batch": 1, "sequence": 1024}, LLAVA_MODEL),
    "llava-small": ("llava", None, {**LLAVA_SMALL, "dtype": "float32"}, LLAVA_MODEL),
    "mamba-130m": ("mamba", "mamba-130m", {"layers": 24, "width": 768, "inner": 1536, "state": 16, "step-rank": 48,
                                           "kernel": 4, "vocabulary": 50280, "batch": 2, "sequence": 16}, MAMBA),
    "mamba-small": ("mamba", None, {"layers": 2, "width": 32, "inner": 64, "state": 4, "step-rank": 6, "kernel": 3,
                                    "vocabulary": 50, "batch": 3, "sequence": 12, "dtype": "bfloat16"}, MAMBA),
    "sd-1.5": ("unet", "sd-1.5", unet_values([320, 640, 1280, 1280], [8] * 4, [1, 1, 1, 0], **{
        "transformers-middle": 1, "text-width": 768, "image": 64, "batch": 1, "sequence": 77}), UNET),
    "sdxl": ("unet", "sdxl", unet_values([320, 640, 1280], [5, 10, 20], [0, 2, 10], **{
        "transformers-middle": 10, "text-width": 2048, "image": 128, "batch": 1, "sequence": 77, "pooled-width": 1280,
        "size-waves": 128, "linear-projection": "yes"}), UNET),
    "unet-small": ("unet", None, unet_values([8, 16], [2, 4], [1, 0], **UNET_SMALL), UNET),
    "unet-small-pooled": ("unet", None, unet_values([8, 16, 16], [2, 4, 4], [0, 1, 2], **{
        **UNET_SMALL, "pooled-width": 12, "size-waves": 8, "linear-projection": "yes", "dtype": "bfloat16"}), UNET),
    "convnext-small": ("convnext", None, {**convnext_values([1, 2, 1, 1], 8, batch=3, image=40), "dtype": "bfloat16"},
                       CONVNEXT),
}
# Families whose elements have 32 bits where nothing is said.
IN_32_BITS = ("gpt", "mlp", "t5", "clip", "convnext", "unet", "mamba")


def counted(call, module, inputs):
    parameters, buffers = list(module.parameters()), list(module.buffers())
    counter, _ = tracker.step_memory(call, parameters, [*parameters, *buffers, *inputs])
    saved = tracker.saved_bytes(call, dict(parameters=parameters, buffers=buffers, inputs=inputs))["saved_bytes"]
    forward, backward = (sum(counter.flops[phase].values()) for phase in ("forward", "backward"))
    return dict(flops_forward=forward, flops_total=forward + backward, saved_bytes=saved)


def row(name):
    family, preset, values, (build, inputs_of, call_of) = ROWS[name]
    dtype = TYPES[values.get("dtype", "float32" if family in IN_32_BITS else "bfloat16")]
    torch.set_default_dtype(dtype)
    as_eager()
    with torch.device("meta"):
        module = build(values).train()
        inputs = inputs_of(values)
        result = dict(name=name, family=family, values=values,
                      parameters=sum(p.numel() for p in module.parameters()))
        result.update(counted(lambda: call_of(module)(*inputs), module, list(inputs)))
    torch.set_default_dtype(torch.float32)
    if preset:
        result["preset"] = preset
    return result


def main(names):
    path = os.path.join(HERE, "forms.json")
    rows = {}
    if os.path.exists(path):
        with open(path) as file:
            rows = {entry["name"]: entry for entry in json.load(file)["rows"]}
    F.scaled_dot_product_attention = architectures.math
    for name in names or ROWS:
        rows[name] = row(name)
        print(name, rows[name])
    with open(path, "w") as file:
        json.dump({"torch": torch.__version__, "rows": [rows[name] for name in ROWS if name in rows]}, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main(sys.argv[1:])
