"""Classes that models of hard_models.py take and return. Whoever loads such a model has to know them."""
import dataclasses
import typing

import torch


@dataclasses.dataclass
class Fields:
    x: torch.Tensor
    nothing: typing.Optional[torch.Tensor]
    y: torch.Tensor


torch.export.register_dataclass(Fields, serialized_type_name="model_classes.Fields")
