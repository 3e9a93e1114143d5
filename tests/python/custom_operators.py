"""Operators that Python alone has, for check_verify.py: it exports models of them, and `verify --python-import` registers
them where stages run."""
import torch


@torch.library.custom_op("stagecraft_python::square", mutates_args=())
def square(x: torch.Tensor) -> torch.Tensor:
    return x * x


@square.register_fake
def square_shape(x):
    return torch.empty_like(x)


def keep_operand(ctx, inputs, output):
    ctx.operand = inputs[0]


square.register_autograd(lambda ctx, gradient: 2 * gradient * ctx.operand, setup_context=keep_operand)


@torch.library.custom_op("stagecraft_python::add_scaled", mutates_args={"total"})
def add_scaled(total: torch.Tensor, x: torch.Tensor, scale: float) -> None:
    total.add_(x, alpha=scale)


@torch.library.custom_op("stagecraft_python::cube", mutates_args=())
def cube(x: torch.Tensor) -> torch.Tensor:
    return x * x * x


@cube.register_fake
def cube_shape(x):
    return torch.empty_like(x)
