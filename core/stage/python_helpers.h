// Python text that stands in the files of all stages that need it: the class that holds tensors, functions
// that forward() calls.
#pragma once

#include "core/stage/python_text.h"

namespace stagecraft {

// Tensors go past torch.nn.Module's own setters, which take no names that a module has itself: "train",
// "type".
inline constexpr PythonLiteral tensorsClass = R"(class Tensors(torch.nn.Module):
    """Holds tensors under the names they have in the model: self.h[0].attn.weight, self['train'].weight."""

    def __getitem__(self, name):
        for held in self._parameters, self._buffers, self._modules:
            if str(name) in held:
                return held[str(name)]
        raise KeyError(name)

    def train(self, mode=True):
        self.__dict__["training"] = mode  # a tensor may have the name
        for child in self.children():
            child.train(mode)
        return self

    def _apply(self, function, recurse=True):
        """By which .to(), .half() and .cuda() go: what forward() makes goes along, and names of one tensor stay so."""
        super()._apply(function, recurse)
        if "device" in self.__dict__:
            self.__dict__["device"] = function(torch.empty(0, device=self.device)).device
        for (held, name), *also in self.__dict__.get("_same", ()):
            for others, other in also:
                others[other] = held[name]
        return self

    def place(self, path, sizes, dtype, device, strides=None, trainable=None, persistent=True, also=()):
        """A tensor to be filled; `also` are further names of it."""
        tensor = torch.empty_strided(sizes, strides, dtype=dtype, device=device) if strides else \
            torch.empty(sizes, dtype=dtype, device=device)
        if trainable is not None:
            tensor = torch.nn.Parameter(tensor, requires_grad=trainable)
        names = []
        for *parts, name in (full.split(".") for full in (path, *also)):
            module = self
            for part in parts:
                if part not in module._modules:
                    module._modules[part] = Tensors()
                module = module._modules[part]
            names.append((module._buffers if trainable is None else module._parameters, name))
            names[-1][0][name] = tensor
            if not persistent:
                module._non_persistent_buffers_set.add(name)
        if also:
            self.__dict__.setdefault("_same", []).append(names)


)";

inline constexpr PythonLiteral memberFunction = R"(def member(items, name):
    """The item under the member of an enum that has this name, or under the name itself."""
    return next(item for key, item in items.items() if getattr(key, "name", key) == name)


)";

inline constexpr PythonLiteral partFunction = R"(def part(whole, key):
    """What an argument holds: a dict, a tuple, or an object of a class that PyTorch takes apart."""
    if isinstance(whole, (dict, tuple, list, collections.deque)):
        return whole[key]
    if isinstance(key, str):
        return getattr(whole, key)
    return torch.utils._pytree.SUPPORTED_NODES[type(whole)].flatten_fn(whole)[0][key]


)";

inline constexpr PythonLiteral registeredFunction = R"(def registered(name, content, nothing=(), context=()):
    """An object of the class that this process has registered with PyTorch under the name
    (torch.export.register_dataclass, torch.utils._pytree.register_pytree_node), where it has; else the content alone."""
    pytree = torch.utils._pytree
    kind = getattr(pytree, "SERIALIZED_TYPE_TO_PYTHON_TYPE", {}).get(name)
    if hasattr(kind, "__dataclass_fields__") and isinstance(content, dict):
        return kind(**content, **dict.fromkeys(nothing))
    if hasattr(kind, "_fields") and isinstance(content, tuple):
        return kind(*content)
    if kind is None or not context or pytree.SUPPORTED_SERIALIZED_TYPES[kind].from_dumpable_context is not None:
        return content
    parts = list(content.values() if isinstance(content, dict) else content)
    return pytree.SUPPORTED_NODES[kind].unflatten_fn(parts, context[0])


)";

inline constexpr PythonLiteral laidOutFunction =
    R"(def laid_out(tensor, strides=None, order=None, expanded=()):
    """The same numbers with the strides that they have in the model: what is received is row-major."""
    once = tensor
    for dimension in expanded:
        once = once.narrow(dimension, 0, 1)
    if strides is not None:
        copy = torch.empty_strided(once.shape, strides, dtype=once.dtype, device=once.device).copy_(once)
    else:
        inverse = sorted(range(len(order)), key=order.__getitem__)
        copy = once.permute(order).clone(memory_format=torch.contiguous_format).permute(inverse)
    return copy.expand(tensor.shape) if expanded else copy


)";

inline constexpr PythonLiteral unwrittenFunction = R"(def unwritten(buffer):
    """What it holds before this stage writes to it: backward, where there is one, goes back through that."""
    return buffer.clone() if torch.is_grad_enabled() else buffer


)";

// Told by a flag and not by name, for a line may run several operators, and a region the same one often.
// Entries may be changed: norms count their batches in a buffer, which the next microbatch writes. PyTorch
// finds them by the number of the call: casts that autocast remembers from outside of a region, and that its
// second run makes itself, would give it those of another.
inline constexpr PythonLiteral keepObject = R"(class CastAnew:
    """A region in which autocast remembers no casts, so that its second run makes the same ones as its first."""

    def __init__(self, region):
        self.region = region

    def __enter__(self):
        self.remembered = torch.is_autocast_cache_enabled()
        torch.set_autocast_cache_enabled(False)
        return self.region.__enter__()

    def __exit__(self, *failure):
        torch.set_autocast_cache_enabled(self.remembered)
        return self.region.__exit__(*failure)


class Keep(threading.local):
    """What the lines `with _keep:` of a region make is kept, while all else runs again in backward."""
    on = False

    def __enter__(self):
        self.on = True

    def __exit__(self, *failure):
        self.on = False

    def choose(self, context, operator, *args, **kwargs):
        """For each operator of a line. Views cost nothing, and would keep all that they are views of."""
        policies = torch.utils.checkpoint.CheckpointPolicy
        return policies.MUST_SAVE if self.on and not operator.is_view else policies.PREFER_RECOMPUTE

    def choose_cast(self, context, operator, *args, **kwargs):
        """The same under autocast, whose casts of weights are not what is to be kept."""
        if operator is torch.ops.aten._to_copy.default:
            return torch.utils.checkpoint.CheckpointPolicy.PREFER_RECOMPUTE
        return self.choose(context, operator)

    def contexts(self):
        """For one run of a region and its second."""
        casts = torch.is_autocast_enabled("cpu") or torch.is_autocast_enabled("cuda")
        regions = torch.utils.checkpoint.create_selective_checkpoint_contexts(
            self.choose_cast if casts else self.choose, allow_cache_entry_mutation=True)
        return tuple(CastAnew(region) for region in regions) if casts else regions


_keep = Keep()


)";

// Control flow as Python's own. torch.cond and torch.while_loop give gradients of zeros to what was not read;
// they run nothing where data is missing, and these one branch, one round, for the shapes.
inline constexpr PythonLiteral controlFlowFunctions = R"(class Unread(torch.autograd.Function):
    """Passes results on, and gives gradients of zeros to what they might have been made of."""

    @staticmethod
    def forward(context, count, *tensors):
        context.unread = [(tensor.shape, tensor.dtype, tensor.device) for tensor in tensors[count:]]
        return tuple(tensor.clone() for tensor in tensors[:count])

    @staticmethod
    def backward(context, *gradients):
        zeros = [torch.zeros(shape, dtype=dtype, device=device) for shape, dtype, device in context.unread]
        return (None, *gradients, *zeros)


def with_zeros(results, operands):
    differentiable = [tensor for tensor in operands if isinstance(tensor, torch.Tensor) and tensor.requires_grad]
    numbers = [i for i, result in enumerate(results) if isinstance(result, torch.Tensor)
               and (result.is_floating_point() or result.is_complex())]
    if not differentiable or not numbers or not torch.is_grad_enabled():
        return results
    passed_on = Unread.apply(len(numbers), *(results[i] for i in numbers), *differentiable)
    return [passed_on[numbers.index(i)] if i in numbers else result for i, result in enumerate(results)]


def has_data(condition):
    return not (isinstance(condition, torch.Tensor) and condition.is_meta)


def run_branch(condition, first, second, operands=()):
    """torch.cond."""
    results = (first if not has_data(condition) or condition else second)(*operands)
    return with_zeros(results, operands)


def run_loop(condition, body, carried, operands=()):
    """torch.while_loop."""
    results, again = tuple(carried), condition(*carried, *operands)
    while not has_data(again) or again:
        results = tuple(body(*results, *operands))
        if not has_data(again):
            break
        again = condition(*results, *operands)
    return with_zeros(results, (*carried, *operands))


)";

} // namespace stagecraft
