"""Classes that models of the tests take and return. Whoever loads such a model has to know them."""
import dataclasses
import typing

import torch


@dataclasses.dataclass
class Fields:
    x: torch.Tensor
    nothing: typing.Optional[torch.Tensor]
    y: torch.Tensor


torch.export.register_dataclass(Fields, serialized_type_name="model_classes.Fields")


@dataclasses.dataclass
class Losses:
    """What a model of a library returns."""

    loss: torch.Tensor
    logits: torch.Tensor
    aside: torch.Tensor


torch.export.register_dataclass(Losses, serialized_type_name="model_classes.Losses")


@dataclasses.dataclass
class Answer:
    loss: typing.Optional[torch.Tensor] = None
    logits: typing.Optional[torch.Tensor] = None


class Pair(typing.NamedTuple):
    hidden: torch.Tensor
    logits: torch.Tensor


torch.export.register_dataclass(Answer, serialized_type_name="model_classes.Answer")
torch.utils._pytree._register_namedtuple(Pair, serialized_type_name="model_classes.Pair")


class Cache:
    """Neither a dataclass nor a namedtuple: PyTorch is told how it is taken apart and made again."""

    def __init__(self, name, parts):
        self.name, self.parts = name, parts


torch.utils._pytree.register_pytree_node(Cache, lambda cache: (cache.parts, {"name": cache.name}),
                                         lambda parts, context: Cache(context["name"], list(parts)),
                                         serialized_type_name="model_classes.Cache")
