"""Backward passes of a stage, whole or in two parts, with all the gradients that the unsplit model has."""
import functools

import torch
from torch.autograd.graph import GradientEdge, get_gradient_edge

from .wire import all_require_gradients


def sendable(tensor):
    """Row-major, and with a conjugate or a sign that PyTorch put off computed."""
    return tensor.contiguous().resolve_conj().resolve_neg()


def roots_of(outputs, gradients):
    """(edge of the graph, gradient) of each output that has one; without gradients: of the loss."""
    roots = []
    for index, output in enumerate(outputs):
        gradient = torch.ones_like(output) if gradients is None else gradients[index]
        if isinstance(output, torch.Tensor):  # PyTorch 2.15 hands over the edges of outputs that it let go
            output = get_gradient_edge(output) if output.requires_grad else None
        if output is not None and gradient is not None:
            roots.append((output, gradient))
    return roots


def run_backward(roots, **options):
    if roots:
        torch.autograd.backward([edge for edge, _ in roots], [gradient for _, gradient in roots], **options)


def take_gradients(inputs):
    """What a backward pass left for the inputs of a stage, fit to be sent."""
    taken = []
    for tensor in inputs:
        gradient = tensor.grad if isinstance(tensor, torch.Tensor) else None
        taken.append(None if gradient is None else sendable(gradient))
        if gradient is not None:
            tensor.grad = None
    return tuple(taken)


def without_passed_on(roots, inputs):
    """(the other roots, gradients by place of the inputs that a stage returns as they are). These go back as they came: autograd
    would copy each."""
    places = {get_gradient_edge(tensor).node: place for place, tensor in enumerate(inputs)
              if isinstance(tensor, torch.Tensor) and tensor.requires_grad}
    others = [root for root in roots if root[0].node not in places]
    return others, {places[edge.node]: gradient for edge, gradient in roots if edge.node in places}


def joined(gradients, passed_on):
    return tuple(own if place not in passed_on else sendable(passed_on[place]) if own is None else own + passed_on[place]
                 for place, own in enumerate(gradients))


def graph_order(roots):
    """The nodes of an autograd graph, each before those that its gradients flow to."""
    done, seen, stack = [], set(), [(edge.node, False) for edge, _ in roots]
    while stack:
        node, is_done = stack.pop()
        if is_done:
            done.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((child, False) for child, _ in node.next_functions if child is not None)
    return done[::-1]


def sources_outside(order, between):
    """Of nodes that gradients reach from those `between`: the one they come from last, None where they are several."""
    sources = {}
    for node in order:
        if node in between or node in sources:
            source = node if node in between else sources[node]
            for child, _ in node.next_functions:
                if child is not None and child not in between:
                    sources[child] = source if sources.get(child, source) is source else None
    return sources


class SplitBackward:
    """The backward pass of a stage and microbatch in two parts: the gradients of its inputs, later those of weights.

    PyTorch's own parts lose the gradients of what no input leads to (layers behind frozen ones, a tower that begins
    in this stage, values of weights alone) and may count twice those of weights that are read twice. Here the
    operators between outputs and inputs run once, in the first part. A weight behind one of them waits: its gradient
    follows from what flowed into that operator, which is kept. A weight behind several has its gradient at once;
    so has every weight where regions are computed again, as a second part would do that again. Outputs that no
    input leads to wait as a whole.
    """

    def __init__(self, roots, inputs, recomputes):
        order = graph_order(roots)
        leaves = {get_gradient_edge(tensor).node: tensor for tensor in inputs
                  if isinstance(tensor, torch.Tensor) and tensor.requires_grad}
        between = set()
        for node in reversed(order):
            if node in leaves or any(child in between for child, _ in node.next_functions):
                between.add(node)
        now, waiting = [leaf for node, leaf in leaves.items() if node in between], {}
        for node, source in sources_outside(order, between).items():
            if not node.next_functions and hasattr(node, "variable"):
                is_now = recomputes or source is None
                (now if is_now else waiting.setdefault(source, [])).append(node.variable)
        flowed = {}
        hooks = [node.register_prehook(functools.partial(flowed.__setitem__, node)) for node in waiting]
        apart = [root for root in roots if root[0].node not in between]
        try:
            run_backward([root for root in roots if root[0].node in between],
                         retain_graph=bool(apart or waiting), inputs=now)
        finally:
            for hook in hooks:
                hook.remove()
        self.number = None  # of the microbatch
        # The last to be made is that of the outputs: large ones are there, and by then little waits.
        self.parts = [([(GradientEdge(node, i), gradient) for i, gradient in enumerate(flowed.get(node, ()))
                        if gradient is not None], waiting[node]) for node in order if node in waiting]
        self.parts.append((apart, None))
        # Nodes of Python functions do not keep their graph alive.
        self.graph = roots if any(isinstance(node, torch._C._FunctionBase) for node in waiting) else None

    def finish(self):
        """Adds to the gradients of the weights that waited."""
        while self.parts:
            roots, weights = self.parts.pop()
            run_backward(roots, retain_graph=True, inputs=weights)


class WholeGradients:
    """Mixed into PipelineStage: its backward passes are those above."""

    # In evaluation there are none, and schedules in a V ask for what they leave all the same.
    def get_local_bwd_output(self, mb_index):
        return super().get_local_bwd_output(mb_index) if self.has_backward else ()

    def set_local_bwd_input(self, next_stage_bwd_outputs, mb_index):
        if self.has_backward:
            super().set_local_bwd_input(next_stage_bwd_outputs, mb_index)

    def _get_init_p2p_neighbors_ops(self):
        operations = super()._get_init_p2p_neighbors_ops()
        for operation in operations:  # PyTorch 2.9 sends 8 bytes where it receives 4, and to itself
            operation.tensor = operation.tensor.to(torch.float32)
        return [operation for operation in operations if operation.peer != torch.distributed.get_rank()]

    # Schedules before PyTorch 2.10 send from a process to itself. `beside` are the stages of this process by number.
    def get_fwd_send_ops(self, number):
        after = self.beside.get(self.stage_index + 1)
        if after is None:
            return super().get_fwd_send_ops(number)
        after.set_local_fwd_input(self.fwd_cache[number][0], number)
        return []

    def get_bwd_send_ops(self, number):
        before = self.beside.get(self.stage_index - 1)
        if not self.has_backward:
            return []
        if before is not None:
            before.set_local_bwd_input(self.bwd_cache.pop(number), number)
            return []
        # PyTorch 2.12 receives gradients of what has some alone, and wants to send those of all.
        if self.receives_some and not hasattr(self, "_get_grad_send_meta") and self.grad_send_info is None:
            received = self.args_recv_info[0]
            self.grad_send_info = [place if place is not None and info.tensor_meta.requires_grad else None
                                   for place, info in zip(self._create_grad_send_info(received), received)]
        return super().get_bwd_send_ops(number)

    @property
    def receives_some(self):
        """Does the stage before receive gradients of what has some alone, and not of all that it sends?"""
        return not all_require_gradients()

    # What the schedule begins to wait for.
    def get_fwd_recv_ops(self, number):
        operations = [] if self.stage_index - 1 in self.beside else super().get_fwd_recv_ops(number)
        if operations:
            self.submod.awaits("F", number, self.stage_index - 1)
        return operations

    def get_bwd_recv_ops(self, number):
        operations = [] if self.stage_index + 1 in self.beside else super().get_bwd_recv_ops(number)
        if operations:
            self.submod.awaits("B", number, self.stage_index + 1)
        return operations

    # In evaluation PyTorch 2.6 and 2.7 go back all the same.
    def backward_one_chunk(self, *args, **kwargs):
        if self.has_backward:
            super().backward_one_chunk(*args, **kwargs)

    def backward_weight_one_chunk(self, *args, **kwargs):
        if self.has_backward:
            super().backward_weight_one_chunk(*args, **kwargs)

    def backward_maybe_with_nosync(self, backward_type, bwd_kwargs, last_backward=False):
        if backward_type == "weight":
            split = bwd_kwargs["param_groups"]
            with self.submod.clock("W", split.number):
                split.finish()
            return (), None
        outputs, inputs = bwd_kwargs["stage_output"], bwd_kwargs["input_values"]
        outputs = (outputs,) if isinstance(outputs, torch.Tensor) else outputs
        gradients, split = bwd_kwargs["output_grads"], None
        number = int(inputs[-1])  # of the microbatch, the only keyword argument
        self.submod.has("B", number)
        far_outputs, far_gradients = self.submod.gradients_from_afar(number)
        roots, passed_on = without_passed_on(roots_of(outputs, gradients), inputs)
        roots += zip(far_outputs, far_gradients)
        with self.submod.clock("B" if backward_type == "full" else "I", number):
            if backward_type == "full":
                run_backward(roots)
            else:
                split = SplitBackward(roots, (*inputs, *self.submod.arrived_from_afar(number)),
                                      self.submod.entry.get("recomputes", False))
                split.number = number
            bwd_kwargs.update(stage_output=(), output_grads=None)  # the second part needs neither
        if gradients is None:
            for loss in outputs:
                loss.detach_()  # schedules hold losses to the end of a step, and they their graphs
        self.submod.send_back(number)
        taken = joined(take_gradients(inputs), passed_on)
        if not self.is_first and not hasattr(self, "_get_grad_send_meta"):  # before PyTorch 2.13 what is awaited must be sent
            taken = tuple(torch.zeros_like(tensor) if gradient is None and (tensor.requires_grad or not self.receives_some)
                          else gradient for tensor, gradient in zip(inputs[:-1], taken))
        return taken, split
