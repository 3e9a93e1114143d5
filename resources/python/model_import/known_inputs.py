"""Inputs that libraries' models take, found from what the libraries say of them: names -> TensorText, or positional."""
from .input_text import TensorText

BATCH, SEQUENCE = 2, 128


def known_inputs(model):
    """(positional, named) of a model of transformers, timm or torchvision; None of any other."""
    classes = [kind for kind in type(model).__mro__]
    homes = {kind.__module__.split(".")[0] for kind in classes}
    if "transformers" in homes and hasattr(model, "config"):
        return transformers_inputs(model)
    if hasattr(model, "pretrained_cfg") or hasattr(model, "default_cfg"):
        size = timm_size(model)
        return ([image(*size)], {}) if size else None
    return None


def image(channels, height, width=None):
    return TensorText("f32", [BATCH, channels, height, width or height], ["batch", None, None, None])


# ---------------------------------------------------------------- timm
def timm_size(model):
    config = getattr(model, "pretrained_cfg", None) or getattr(model, "default_cfg", None) or {}
    get = config.get if hasattr(config, "get") else lambda name, usual=None: getattr(config, name, usual)
    size = get("input_size", None)
    return tuple(size) if size and len(size) == 3 else None


# ---------------------------------------------------------------- torchvision
def torchvision_inputs(name, weights, module):
    """`weights`: an entry of the model's published ones, which say what they were trained on; or None."""
    crop = 224
    if weights is not None:
        try:
            size = getattr(weights.transforms(), "crop_size", None) or weights.meta.get("min_size")
            crop = size[0] if isinstance(size, (list, tuple)) else size or crop
        except Exception:  # of no use then
            pass
    if ".detection" in module:
        return [[TensorText("f32", [3, 320, 320])]], {}
    if ".video" in module:
        crop = max(crop, 112)
        return [TensorText("f32", [BATCH, 3, 16, crop, crop], ["batch"] + [None] * 4)], {}
    if ".optical_flow" in module:
        return [TensorText("f32", [BATCH, 3, 256, 256], ["batch", None, None, None])] * 2, {}
    if ".segmentation" in module:
        crop = 256
    if "inception" in name:
        crop = 299
    return [image(3, crop)], {}


# ---------------------------------------------------------------- transformers
def member(config, *names):
    """The first of these that the configuration or a part of it has."""
    parts = [config] + [getattr(config, part) for part in
                        ("vision_config", "text_config", "audio_config", "encoder", "backbone_config")
                        if getattr(config, part, None) is not None]
    for part in parts:
        for name in names:
            value = getattr(part, name, None)
            if value is not None and not callable(value):
                return value
    return None


def pair(value, usual):
    value = value if value is not None else usual
    if isinstance(value, dict):
        value = [value.get("height", usual), value.get("width", usual)]
    return (list(value) * 2)[:2] if isinstance(value, (list, tuple)) else [value, value]


def transformers_inputs(model):
    import inspect
    config = model.config
    takes = inspect.signature(model.forward).parameters
    ids = text_inputs(config, takes)
    given = {}
    main = getattr(model, "main_input_name", "input_ids")
    if "input_ids" in takes and main in ("input_ids", "pixel_values"):
        given["input_ids"] = ids
    if "pixel_values" in takes and not is_read_alone(takes):
        height, width = pair(member(config, "image_size"), 224)
        channels = member(config, "num_channels", "in_channels", "in_chans") or 3
        given["pixel_values"] = film(member(config, "num_frames"), image(channels, height, width))
        if main == "pixel_values" and "decoder_input_ids" not in takes and not is_two_towers(config) \
                and not is_wanted(takes, "input_ids"):
            given.pop("input_ids", None)
    if main == "input_features":
        given.update(feature_inputs(config))
    if main == "input_values":
        given.update(audio_inputs(config))
    if "decoder_input_ids" in takes and main in ("input_ids", "input_features", "pixel_values"):
        given["decoder_input_ids"] = ids
        if main == "pixel_values":
            given.pop("input_ids", None)
    if "bbox" in takes:
        given["bbox"] = TensorText("i64", ids.sizes + [4], ids.names + [None])
    return [], given or dummy_inputs(model)


def is_wanted(takes, name):
    return name in takes and takes[name].default is takes[name].empty


def film(frames, picture):
    """So many pictures of each; None: the picture itself."""
    if not isinstance(frames, int) or frames < 1:
        return picture
    return TensorText("f32", [picture.sizes[0], frames, *picture.sizes[1:]], [picture.names[0], None, *picture.names[1:]])


def is_read_alone(takes):
    """Words without pictures, of which the size decides how many words stand for them: Qwen2-VL, Idefics and their kin."""
    by_patches = "image_grid_thw" in takes or ("pixel_attention_mask" in takes and "spatial_shapes" not in takes)
    return by_patches and "input_ids" in takes


def is_two_towers(config):
    return getattr(config, "text_config", None) is not None and getattr(config, "vision_config", None) is not None


def text_inputs(config, takes):
    longest = member(config, "max_position_embeddings", "n_positions", "max_target_positions")
    if not isinstance(longest, int) or longest <= 2:  # XLNet's -1: any
        longest = SEQUENCE
    length = min(SEQUENCE, longest)
    # RoBERTa and its kin count positions from behind the padding.
    if longest % 2 and longest - 2 < length:
        length = longest - 2
    return TensorText("i64", [BATCH, length], ["batch", "sequence"])


def feature_inputs(config):
    mels = member(config, "num_mel_bins", "input_feat_per_channel", "feature_size") or 80
    frames = member(config, "max_source_positions")
    if getattr(config, "model_type", "") == "whisper":
        return {"input_features": TensorText("f32", [BATCH, mels, 2 * frames], ["batch", None, None])}
    return {"input_features": TensorText("f32", [BATCH, 256, mels], ["batch", "sequence", None])}


def audio_inputs(config):
    if member(config, "num_mel_bins") and member(config, "max_length") and not member(config, "conv_dim"):
        return {"input_values": TensorText("f32", [BATCH, config.max_length, config.num_mel_bins],
                                           ["batch", None, None])}
    channels = getattr(config, "audio_channels", None)  # of codecs
    if isinstance(channels, int) and channels > 0:
        return {"input_values": TensorText("f32", [BATCH, channels, 16000], ["batch", None, "sequence"])}
    return {"input_values": TensorText("f32", [BATCH, 16000], ["batch", "sequence"])}


def dummy_inputs(model):
    """What the library itself makes up: small, but right."""
    found = {}
    for name, value in (getattr(model, "dummy_inputs", None) or {}).items():
        if hasattr(value, "shape"):
            names = ["batch"] + [None] * (value.dim() - 1) if value.dim() else []
            found[name] = TensorText(str(value.dtype).split(".")[-1], value.shape, names)
    return found
