"""From SOURCE to a model: a person's own factory, or a name of a library's. No weights are ever downloaded."""
import contextlib
import difflib
import functools
import importlib
import importlib.util
import inspect
import json
import os
import sys

from .failures import Failure, explain
from .known_inputs import is_read_alone

BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
LIBRARIES = {"hf": "transformers", "timm": "timm", "torchvision": "torchvision"}


class Built:
    """A model, inputs that its maker gave with it (None: none), and what a person should know of it."""

    def __init__(self, model, inputs=None, notes=(), remedy=""):
        self.model, self.inputs, self.notes = model, inputs, list(notes)
        self.remedy = remedy  # what a person can do where its own code fails; empty: what failures.py knows


def kind_of(source):
    head, colon, _ = source.partition(":")
    return head if colon and head in LIBRARIES else "factory"


def build(source, settings, without_weights):
    """`settings`: what --set gives, name -> value. Raises Failure."""
    kind = kind_of(source)
    makers = {"hf": build_transformers, "timm": build_timm, "torchvision": build_torchvision, "factory": build_own}
    name = source.partition(":")[2] if kind != "factory" else source
    if not name:
        raise Failure("usage", f"{source}: a name is missing behind the colon", "as in hf:gpt2")
    make = functools.partial(makers[kind], name, settings)
    built = without_memory(make) if without_weights else make()
    import torch
    if not isinstance(built.model, torch.nn.Module):
        raise Failure("not_a_module", f"{source} makes a {type(built.model).__name__}, and no torch.nn.Module",
                      "return the module, or (module, inputs)")
    return built


def without_memory(make):
    """With buffers as they are, unless one parameter alone takes more memory than there is for the moment that it lives."""
    try:
        with parameters_on_meta():
            return make()
    except Failure as failure:
        if failure.kind != "memory":
            raise
    import torch
    with parameters_on_meta(), torch.device("meta"):
        built = make()
    built.notes.append("a parameter alone is too large for this machine's memory, so the model was made on the meta device as a "
                       "whole: its buffers have no numbers either")
    return built


@contextlib.contextmanager
def parameters_on_meta():
    """Parameters are made without memory, buffers as they are: they are small, and no checkpoint has all of them."""
    import torch
    register = torch.nn.Module.register_parameter

    def register_without_memory(module, name, parameter):
        register(module, name, parameter)
        kept = module._parameters.get(name)
        if kept is not None and not kept.is_meta:
            empty = torch.nn.Parameter(kept.to("meta"), requires_grad=kept.requires_grad)
            module._parameters[name] = empty

    torch.nn.Module.register_parameter = register_without_memory
    try:
        yield
    finally:
        torch.nn.Module.register_parameter = register


def library(kind):
    name = LIBRARIES[kind]
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise explain(error, f"importing {name}") from error
        raise Failure("not_installed", f"{name} is not installed in {sys.executable}",
                      f"{sys.executable} -m pip install {name}, or choose the Python that has it") from error
    except Exception as error:
        raise Failure("not_installed", f"{name} cannot be imported: {type(error).__name__}: {error}",
                      f"install a {name} that fits this PyTorch") from error


def near(name, names):
    found = difflib.get_close_matches(name, list(names), 3, 0.5)
    return "did you mean " + " or ".join(found) + "?" if found else ""


def called(what, function, *arguments, **named):
    try:
        return function(*arguments, **named)
    except Failure:
        raise
    except Exception as error:
        raise explain(error, f"making {what}") from error


# ---------------------------------------------------------------- a person's own
def build_own(source, settings):
    place, colon, name = source.rpartition(":")
    if not colon or not place or not name:
        raise Failure("usage", f"{source} names no model",
                      "write MODULE:FACTORY, FILE.py:FACTORY, hf:NAME, timm:NAME or torchvision:NAME")
    module = load_file(place) if place.endswith(".py") else load_module(place)
    factory = module
    for part in name.split("."):
        if not hasattr(factory, part):
            public = [other for other in vars(module) if not other.startswith("_")]
            raise Failure("not_found", f"{place} has no {name}", near(part, public)
                          or "it has " + ", ".join(sorted(public)[:12]))
        factory = getattr(factory, part)
    import torch
    made = factory if isinstance(factory, torch.nn.Module) else call_factory(source, factory, settings)
    return with_inputs(source, made)


def call_factory(source, factory, settings):
    if not callable(factory):
        raise Failure("not_a_module", f"{source} is a {type(factory).__name__}, and neither a module nor a function "
                      "that makes one", "name a function without arguments that returns a torch.nn.Module")
    check_arguments(source, factory, settings)
    return called(source, factory, **settings)


def check_arguments(source, factory, settings):
    """--set gives what it takes, by name."""
    try:
        parameters = inspect.signature(factory).parameters
    except (TypeError, ValueError):  # it is not written in Python, and says itself what it takes
        return
    named = [name for name, parameter in parameters.items() if parameter.kind in BY_NAME]
    takes_any = any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values())
    unknown = [name for name in settings if name not in named and not takes_any]
    if unknown:
        raise Failure("raised", f"{source} takes no argument {unknown[0]}", near(unknown[0], named) or
                      ("it takes " + ", ".join(named) if named else "leave --set out"))
    missing = [name for name in named if parameters[name].default is inspect.Parameter.empty and name not in settings]
    if missing:
        raise Failure("raised", f"{source} cannot be called without " + ", ".join(missing),
                      "give " + " ".join(f"--set {name}=VALUE" for name in missing)
                      + ", or name a function without arguments that returns the module")


def with_inputs(source, made):
    if not isinstance(made, tuple):
        return Built(made, getattr(made, "example_inputs", None))
    if len(made) == 2:
        return Built(made[0], made[1])
    if len(made) == 3 and isinstance(made[2], dict):
        return Built(made[0], (tuple(made[1]), made[2]))
    raise Failure("not_a_module", f"{source} returns {len(made)} things", "return the module, (module, inputs) or "
                  "(module, inputs, named inputs)")


def load_file(path):
    path = os.path.abspath(path)
    if not os.path.isfile(path):
        raise Failure("not_found", f"there is no file {path}",
                      "name it from the folder in which Python runs, or by its whole path")
    sys.path.insert(0, os.path.dirname(path))
    spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    called(os.path.basename(path), spec.loader.exec_module, module)
    return module


def load_module(name):
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(error.name + ".")):
            raise Failure("not_found", f"there is no Python module {name} here or in {sys.executable}",
                          "start in the folder that it is in, or name the file: path/to/file.py:FACTORY") from error
        raise explain(error, f"importing {name}") from error
    except Exception as error:
        raise explain(error, f"importing {name}") from error


# ---------------------------------------------------------------- transformers
# What a model of a type is mostly used for, the first that it has: tables of transformers.models.auto.modeling_auto.
USES = ("SEQ_TO_SEQ_CAUSAL_LM", "MASKED_LM", "CAUSAL_LM", "IMAGE_TEXT_TO_TEXT", "SPEECH_SEQ_2_SEQ",
        "IMAGE_CLASSIFICATION", "SEMANTIC_SEGMENTATION", "UNIVERSAL_SEGMENTATION", "OBJECT_DETECTION",
        "DEPTH_ESTIMATION", "CTC", "AUDIO_CLASSIFICATION", "VIDEO_CLASSIFICATION")


def build_transformers(name, settings):
    transformers = library("hf")
    config, model_class, notes = transformers_config(transformers, name)
    for key, value in settings.items():
        if not hasattr(config, key):
            raise Failure("usage", f"--set {key}: the configuration of {config.model_type} has no such member",
                          near(key, config.to_dict()))
        setattr(config, key, value)
    if hasattr(config, "use_cache"):
        config.use_cache = False  # a training step keeps no cache, and none is a tensor
    if model_class is None:
        model_class = transformers_class(transformers, config)
    make = getattr(model_class, "_from_config", None) or getattr(model_class, "from_config", None) or model_class
    model = made_of(config, make, name)
    model.tie_weights()
    if is_read_alone(inspect.signature(model.forward).parameters):
        notes.append(f"hf:{name}: without --input it is traced with words alone, as which of them stand for a picture hangs on "
                     "its size")
    notes.append(f"{type(model).__name__} of transformers {transformers.__version__}")
    return Built(model, notes=notes, remedy="" if is_published(name) else UNUSABLE_SIZES)


UNUSABLE_SIZES = ("the library's usual sizes of this type are not complete, or do not go together: give the one that the line asks for "
                  "by --set KEY=VALUE, or name a published model, hf:OWNER/NAME")


def is_published(name):
    return os.path.isdir(name) or "/" in name


def made_of(config, make, name):
    try:
        return called(f"hf:{name}", make, config)
    except Failure as failure:
        if not is_published(name) and failure.kind == "raised" and "ImportError" not in failure.text:
            failure.advice = UNUSABLE_SIZES
        raise


def transformers_config(transformers, name):
    """(configuration, class or None, notes)"""
    if is_published(name):
        return published_config(transformers, name), None, []
    kind = getattr(transformers, name, None) if name[:1].isupper() else None
    if kind is not None and getattr(kind, "config_class", None) is not None:
        return called(f"hf:{name}", kind.config_class), kind, \
            [f"hf:{name}: the sizes are the library's usual ones for {kind.config_class.__name__}"]
    known = transformers.CONFIG_MAPPING
    if name not in known:
        raise Failure("not_found", f"transformers {transformers.__version__} knows no model type and no class {name}",
                      near(name, known) or "write hf:OWNER/NAME for a model on the Hub, hf:FOLDER for a config.json")
    config = called(f"hf:{name}", known[name])
    return config, None, [f"hf:{name}: the sizes are the library's usual ones for the model type {name}; "
                          "hf:OWNER/NAME takes those of a published model"]


def published_config(transformers, name):
    if os.path.isdir(name) and not os.path.isfile(os.path.join(name, "config.json")):
        raise Failure("not_found", f"the folder {name} has no config.json",
                      "name the folder that save_pretrained() wrote, or a type or class as in hf:gpt2")
    os.environ.setdefault("HF_HUB_ETAG_TIMEOUT", "10")
    try:
        return transformers.AutoConfig.from_pretrained(name)
    except Exception as error:
        raise hub_failure(name, error) from error


def hub_failure(name, error):
    text = str(error)
    if "gated" in text.lower() or "401" in text or "403" in text:
        return Failure("gated", f"hf:{name} is gated or private",
                       "log in with `hf auth login`, after asking for access on its page")
    if "trust_remote_code" in text:
        return Failure("own_code", f"hf:{name} brings Python code of its own, which is not run unasked",
                       "write a FACTORY in a file that loads it with trust_remote_code=True")
    if "connect" in text.lower() or "offline" in text.lower() or "resolve" in text.lower():
        return Failure("no_network", f"the configuration of hf:{name} cannot be fetched: there is no connection",
                       "name a folder with its config.json, or a model type such as hf:llama")
    if "not a valid model identifier" in text or "404" in text:
        return Failure("not_found", f"there is no model {name} on the Hub",
                       "names there are OWNER/NAME, as in hf:openai-community/gpt2; a folder that "
                       "save_pretrained() wrote works, too")
    return Failure("raised", f"the configuration of hf:{name} cannot be read: {type(error).__name__}: "
                   + text.strip().split("\n")[0],
                   "name a folder with its config.json, or a model type such as hf:llama")


def transformers_class(transformers, config):
    for name in getattr(config, "architectures", None) or ():
        if hasattr(transformers, name):
            return getattr(transformers, name)
    tables = importlib.import_module("transformers.models.auto.modeling_auto")
    for table in [f"MODEL_FOR_{use}_MAPPING_NAMES" for use in USES] + ["MODEL_MAPPING_NAMES"]:
        found = getattr(tables, table, {}).get(config.model_type)
        if found:
            return getattr(transformers, found if isinstance(found, str) else found[0])
    raise Failure("not_found", f"transformers has no model for {type(config).__name__}", "name its class: hf:CLASS")


# ---------------------------------------------------------------- timm, torchvision
def build_timm(name, settings):
    timm = library("timm")
    if not timm.is_model(name.split(".")[0]):
        raise Failure("not_found", f"timm {timm.__version__} has no model {name}", near(name, timm.list_models()))
    return Built(called(f"timm:{name}", timm.create_model, name, pretrained=False, **settings),
                 notes=[f"{name} of timm {timm.__version__}"])


def build_torchvision(name, settings):
    models = library("torchvision").models
    if name not in models.list_models():
        raise Failure("not_found", f"torchvision has no model {name}", near(name, models.list_models()))
    weights = {"weights": None}
    if any(part in models.get_model_builder(name).__module__ for part in (".detection", ".segmentation")):
        weights["weights_backbone"] = None
    model = called(f"torchvision:{name}", models.get_model, name, **weights, **settings)
    from .known_inputs import torchvision_inputs
    published = next(iter(models.get_model_weights(name)), None)
    return Built(model, torchvision_inputs(name, published, models.get_model_builder(name).__module__),
                 [f"{name} of torchvision"])


def parse_setting(text):
    """KEY=VALUE, the value as JSON where it is JSON."""
    key, equals, value = text.partition("=")
    if not equals or not key.isidentifier():
        raise Failure("usage", f"--set {text}: write KEY=VALUE", "as in --set num_hidden_layers=4")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value
