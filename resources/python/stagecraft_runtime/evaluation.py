"""Evaluation of a model that was exported to be trained: its program says for each operator that it trains."""
import functools

from torch.overrides import TorchFunctionMode

from .export import Refused

OFF = {"train": False, "training": False, "dropout_p": 0.0, "use_input_stats": False}
UNKNOWN = ("aten::bernoulli", "aten::bernoulli_", "aten::_fused_dropout", "aten::_batch_norm_with_update")


class Evaluating(TorchFunctionMode):
    """Runs operators that drop values or update statistics as they run in evaluation."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        switches, statistics = arguments_of(function)
        if statistics is not None and (args[statistics] if statistics < len(args) else kwargs.get("running_mean")) is None:
            switches = ()  # norms without them use those of the batch, always
        for place, name, value in switches:
            if place < len(args):
                args = (*args[:place], value, *args[place + 1:])
            elif name in kwargs:
                kwargs[name] = value
        return function(*args, **kwargs)


@functools.lru_cache(maxsize=None)
def arguments_of(function):
    """((place, name, value in evaluation) of the arguments that say so, the place of running statistics)."""
    schema = getattr(function, "_schema", None)
    if schema is None or not schema.name.startswith("aten::") or schema.overload_name == "no_stats":
        return (), None
    if schema.name in UNKNOWN:
        raise Refused("the model calls %s, and whether it would in evaluation the export does not say: evaluate the model "
                      "itself, with the merged weights" % schema.name)
    names = [argument.name for argument in schema.arguments]
    return tuple((place, name, OFF[name]) for place, name in enumerate(names) if name in OFF), \
        names.index("running_mean") if "running_mean" in names else None
