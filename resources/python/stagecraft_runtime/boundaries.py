"""What crosses from stage to stage: in which sizes, and which of it carries gradients back."""
import contextlib

import torch
from torch.autograd.graph import get_gradient_edge

from .export import Refused
from .modes import versions_of, written_since
from .runner import Feed, Runner
from .sizes import symbols_in
from .split_backward import graph_order, roots_of
from .stages import build_stage, empty_stage


def described(tensors, with_gradient, device=None):
    return tuple(tensor.detach().to(device or tensor.device).requires_grad_(has)
                 for tensor, has in zip(tensors, with_gradient))


def run_stages(make_stage, export, feed, autocast=None, written=None):
    """Of each stage, for the feed's only microbatch: what it takes, what it returns, and for each of these from which of
    those gradients come. In `written` it puts the buffers that each writes to."""
    runs, passed = [], ()
    for index in range(len(export.stages)):
        runner = Runner(make_stage(index), export, index, autocast)
        runner.feed, versions = feed, versions_of(runner.stage)
        outputs = runner(*passed, number=0)
        if written is not None:
            written[index] = written_since(runner.stage, versions)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        sources = []
        for output in outputs:
            reached = set(graph_order(roots_of((output,), None)))
            sources.append({i for i, tensor in enumerate(passed)
                            if tensor.requires_grad and get_gradient_edge(tensor).node in reached})
        needed = [output.requires_grad for output in outputs]
        runs.append((described(passed, [False] * len(passed), "meta"), described(outputs, needed, "meta"), sources))
        passed = described(outputs, needed)
    return runs


class Boundaries:
    """What crosses for a microbatch of given sizes, without computing where that is possible."""

    def __init__(self, export, device, autocast=None):
        self.export, self.device, self.autocast = export, device, autocast
        self.written = {}  # by stage, the buffers that it writes to; once something was run
        self.frozen = None  # names of the parameters that get no gradients; none: as in the export

    def of(self, microbatch, target, loss):
        """What each stage takes and returns, as meta tensors that require gradients where the loss gives them one; and which
        of what it takes has a gradient from this stage itself, beside those that go on to later ones."""
        accelerator = self.device.type != "cpu"
        with torch.random.fork_rng(**({"devices": [self.device.index], "device_type": self.device.type} if accelerator
                                      else {"devices": []})):
            try:
                runs = self.run_without_data(microbatch, target, loss)
            except Refused:
                raise
            except Exception:  # what depends on data has to see them; stage by stage
                runs = run_stages(self.made(build_stage, self.device), self.export,
                                  Feed([on(self.device, microbatch)], [on(self.device, target)], [1.0], loss), self.autocast,
                                  self.written)
        # Zeros sent back for what the loss does not depend on would make gradients where the whole model has none.
        shapes, has_gradient = [], [output.requires_grad for output in runs[-1][1]]
        for passed, outputs, sources in reversed(runs):
            reached = set().union(*(source for source, has in zip(sources, has_gradient) if has))
            takes_gradient = [i in reached for i in range(len(passed))]
            relays = self.relays_of(len(runs) - 1 - len(shapes))
            own = set().union(*(source for i, (source, has) in enumerate(zip(sources, has_gradient)) if has and i not in relays))
            shapes.append((described(passed, takes_gradient), described(outputs, has_gradient), own))
            has_gradient = takes_gradient
        return shapes[::-1]

    def relays_of(self, index):
        """The places of what a stage returns as it was received."""
        stage = self.export.stages[index]
        return {i for i, output in enumerate(stage["outputs"]) if output["name"] in stage["relays"]}

    def run_without_data(self, microbatch, target, loss):
        device, mode = "meta", contextlib.nullcontext()
        if self.autocast is not None:  # which types it gives, it says on the device alone
            from torch._subclasses.fake_tensor import FakeTensorMode
            device, mode = self.device, FakeTensorMode(allow_non_fake_inputs=True)
        with mode:
            if self.autocast is not None:
                microbatch, target = ({name: mode.from_tensor(v) if isinstance(v, torch.Tensor) else v
                                       for name, v in microbatch.items()},
                                      torch.utils._pytree.tree_map_only(torch.Tensor, mode.from_tensor, target))
            return run_stages(self.made(empty_stage, device), self.export,
                              Feed([on(device, microbatch)], [on(device, target)], [1.0], loss), self.autocast,
                              self.written)

    def made(self, make, device):
        def stage(index):
            module = make(self.export, index, device)
            if self.frozen is not None:
                for name, parameter in module.named_parameters(remove_duplicate=False):
                    parameter.requires_grad_(name not in self.frozen)
            return module
        return stage


def on(device, tree, known=None):
    """The same on a device; `known` are copies made before, by the tensor."""
    known = {} if known is None else known

    def moved(tensor):
        if id(tensor) not in known:
            known[id(tensor)] = tensor, tensor.to(device)
        return known[id(tensor)][1]
    return torch.utils._pytree.tree_map_only(torch.Tensor, moved, tree)


def sent_of_data(manifest):
    """What crosses in a size that the data decide: stage, number among what it returns, and how it is described."""
    model = manifest["model"]
    known = set().union(*(symbols_in(entry["shape"]) for entry in model["inputs"]))
    of_data = {name for name, value in model["symbols"].items() if value is None} - known
    return [(index, i, "'%s' of size [%s]" % (output["name"], ", ".join(map(str, output["shape"]))))
            for index, stage in enumerate(manifest["stages"][:-1]) for i, output in enumerate(stage["outputs"])
            if symbols_in(output["shape"]) & of_data]


def check_boundaries(export, microbatches):
    """Refuses microbatches that differ in what crosses: a schedule receives all in the size of the first."""
    sent = sent_of_data(export.manifest)
    if not sent:
        return
    with torch.no_grad():
        runs = [run_stages(lambda index: build_stage(export, index), export, Feed([microbatch], [None], [1.0], None))
                for microbatch in microbatches]
    for index, i, described_as in sent:
        sizes = [list(run[index][1][i].shape) for run in runs]
        for number, size in enumerate(sizes):
            if size != sizes[0]:
                raise Refused("stage %d sends %s, which the data decide: %s of microbatch %d, %s of the first. A schedule "
                              "cannot receive that; cut elsewhere" % (index, described_as, size, number, sizes[0]))
