"""build_pipeline(): the stages of this process as something that one trains."""
import contextlib
import datetime
import gc
import os
import zlib

import torch
from torch.utils._pytree import tree_leaves

from . import checkpoints, profiling
from .boundaries import Boundaries, check_boundaries, on, sent_of_data
from .console import say
from .devices import use_device, wait_for_all
from .direct import SENDS, DirectRunner, Mail, relays_said, trained_ways, ways_of
from .export import Refused
from .in_time import stage_kind
from .inputs import check_microbatch, inputs_of_call
from .loss import loss_shares, make_loss, usual_weight
from .microbatches import allowed_size, cut_batch, cut_target
from .replicas import Replicas
from .runner import Feed, Runner
from .scaler import Scaler
from .schedules import check_microbatches, lead_of, make_schedule, schedule_called, stages_of_rank
from .shared import KEPT_AS, SharedParameters
from .split_backward import WholeGradients
from .stages import build_stage, fill, parameters_of
from .waits import Waits
from .wire import as_sent

if torch.distributed.is_available():  # read after it was made, these functions' defaults would keep the group of all processes
    import torch.distributed.nn.functional  # noqa: F401

EARLIEST = "2.6"
KEPT = 4  # schedules, each with buffers for what crosses: of training and of evaluation, and of two sizes


def build_pipeline(export, mesh=None, ranks=None, *, replicas=1, schedule=None, microbatches=None, loss_fn=None,
                   reduction="mean", loss_weight=None, accumulate=1, autocast=None, sends=None, shared="copied",
                   timeout=None, device="auto"):
    """The stages of this process, ready to train; every process of the pipeline calls it, started by torchrun.

    mesh, ranks     the processes of this pipeline: a DeviceMesh of one dimension, or a list of ranks, which must have made
                    equally many groups before (PyTorch names theirs after that number); all without either. A mesh of
                    two dimensions: pipelines side by side, and the stages of each
    replicas        how many pipelines of the same stages there are side by side, each with its part of every batch;
                    processes that follow one another are of one pipeline
    schedule        gpipe, 1f1b (a stage a process); interleaved, looped-bfs, zb1p (several); zbv, dualpipev (two);
                    without it that of the plan
    microbatches    how many a batch, of several replicas each one's part, is cut in; without it as many
                    as the plan says, or as there are stages
    loss_fn         a function (output, target) of what the model returns, or the name or position of one of its outputs;
                    without it the function (export --loss) or output that the export calls the loss. It is called once for each microbatch, and
                    with tensors that have shapes alone (meta) when a batch has new sizes
    reduction       "mean": the loss is a mean over samples, and a microbatch counts by its samples; "sum": they add up
    loss_weight     a function of the target: by what a microbatch counts instead, such as its tokens that are not padding
    accumulate      over how many steps gradients are gathered: each loss counts that much less in them
    autocast        torch.bfloat16: forward passes run under torch.autocast. With torch.float16 the gradients are scaled, and
                    the pipeline's `scaler` is a torch.amp.GradScaler: unscale_(), step() and update() with it
    sends           "relay": what a later stage reads passes through all between; "direct": it is sent straight to those that
                    read it; without it as the plan says
    shared          of parameters that several stages read. "copied": each has the sum of their gradients, and an optimizer
                    keeps them equal; "owned": the first stage has it, and the others take its numbers before each step,
                    so that one optimizer alone has a state of it
    timeout         for how many seconds a process waits for another before it ends with an error that says for what; without
                    it PyTorch's own, half an hour (with NCCL ten minutes)
    device          "cpu", "cuda", "xpu"; "auto": the accelerator with the number of LOCAL_RANK where there are some
    """
    import torch.distributed as dist
    if torch.__version__ < EARLIEST:
        raise Refused("PyTorch %s is too early for pipelines: take %s or a later one" % (torch.__version__, EARLIEST))
    if not isinstance(accumulate, int) or accumulate < 1:
        raise Refused("accumulate is %r: how many steps, 1 or more" % (accumulate,))
    if "RANK" not in os.environ and not dist.is_initialized():
        raise Refused("start it with  torchrun --nproc-per-node %d" % len(export.stages))
    place, backend = use_device(device)
    if timeout is not None and (mesh is not None or (dist.is_initialized() and ranks is None and replicas == 1)):
        raise Refused("timeout is of process groups that are made here, and there are some: give it to init_process_group()")
    if not dist.is_initialized():
        dist.init_process_group(backend, **wait_of(timeout))
    alongside = groups_of(mesh, ranks, replicas, timeout)
    shares = {"reduction": reduction, "weight": loss_weight or usual_weight(export, loss_fn)}
    if microbatches is None:
        microbatches = export.plan.get("microbatches", len(export.stages))
    return Pipeline(export, alongside, schedule_called(schedule or export.plan.get("schedule", "1f1b")), microbatches,
                    make_loss(export, loss_fn), shares, accumulate, autocast, sends_of(export, sends), shared_as(shared), place)


def wait_of(seconds):
    """As options of what makes process groups."""
    return {} if seconds is None else {"timeout": datetime.timedelta(seconds=seconds)}


def sends_of(export, wanted):
    wanted = wanted or export.plan.get("send", "relay")
    if wanted not in SENDS:
        raise Refused("sends is %r: choose from %s" % (wanted, ", ".join(SENDS)))
    return wanted


def shared_as(wanted):
    if wanted not in KEPT_AS:
        raise Refused("shared is %r: choose from %s" % (wanted, ", ".join(KEPT_AS)))
    return wanted


def groups_of(mesh, ranks, replicas, timeout):
    """The processes of this pipeline, and of those side by side with it."""
    import torch.distributed as dist
    if (mesh is not None) + (ranks is not None) + (replicas != 1) > 1:
        raise Refused("give one of mesh, ranks and replicas")
    if replicas != 1:
        world = dist.get_world_size()
        if not isinstance(replicas, int) or replicas < 1 or world % replicas:
            raise Refused("%d processes cannot be shared out evenly to %r replicas" % (world, replicas))
        grid = torch.arange(world).view(replicas, -1)
        return Replicas(*(dist.new_subgroups_by_enumeration(groups.tolist(), **wait_of(timeout))[0] for groups in (grid, grid.t())))
    if mesh is not None and mesh.ndim > 2:
        raise Refused("the mesh has %d dimensions: give that along which the stages are, as in mesh['pp'], or two, replicas "
                      "first" % mesh.ndim)
    if mesh is not None:
        return Replicas(mesh.get_group(mesh.ndim - 1), mesh.get_group(0) if mesh.ndim == 2 else None)
    group = dist.group.WORLD if ranks is None else \
        dist.new_group(list(ranks), use_local_synchronization=True, **wait_of(timeout))
    if dist.get_rank(group) < 0:
        raise Refused("rank %d is none of the pipeline's: %s" % (dist.get_rank(), list(ranks)))
    return Replicas(group)


class Pipeline:
    def __init__(self, export, replicas, schedule, microbatches, loss, shares, accumulate, autocast, sends, shared, device):
        import torch.distributed as dist
        self.export, self.schedule, self.device = export, schedule, device
        self.replicas, self.group = replicas, replicas.stages
        group = self.group
        self.microbatches, self.loss, self.shares = microbatches, loss, shares
        count, world = len(export.stages), dist.get_world_size(group)
        self.stages_here = stages_of_rank(dist.get_rank(group), world, count, schedule)
        check_microbatches(schedule, microbatches, count, world)
        self.owner = {stage: dist.get_global_rank(group, rank) for rank in range(world)
                      for stage in stages_of_rank(rank, world, count, schedule)}
        self.group_ranks = {stage: dist.get_group_rank(group, rank) for stage, rank in self.owner.items()}
        self.modules = {index: build_stage(export, index, device) for index in self.stages_here}
        self.waits = Waits(self.owner)
        self.ways, self.mail = ways_of(export) if sends == "direct" else [], None
        if self.ways:
            self.mail = Mail(self.ways, self.owner, group, microbatches, self.waits,
                             lambda stage: lead_of(schedule, stage, count))
        elif dist.get_rank() == 0 and relays_said(export):
            say(relays_said(export))
        self.runners = {index: DirectRunner(module, export, index, autocast, self.ways, self.mail) if self.ways else
                        Runner(module, export, index, autocast) for index, module in self.modules.items()}
        for runner in self.runners.values():
            runner.waits = self.waits
        self.shared = SharedParameters(export.manifest, self.modules, self.owner, device, group, shared)
        self.accumulate, self.scaler = accumulate, Scaler(device, group, autocast)
        self.boundaries = Boundaries(export, device, autocast)
        self.crossing, self.schedules, self.frozen_here = {}, {}, self.frozen()
        self.training, self.nothing = True, torch.nn.Parameter(torch.zeros(0, device=device))

    # ------------------------------------------------------------ steps
    def step(self, *args, target=None, **kwargs):
        """Forward and backward for one batch, given as the model itself takes it, the same in every process. Gradients are
        added to parameters' .grad. Returns the parts of the batch's loss, one for each microbatch, in every process:
        their sum is the loss. Of several replicas each takes its part of the batch, and all have its gradients."""
        return self.train_on(*self.cut(args, kwargs, target))

    def step_microbatches(self, microbatches, targets=None, may_train_nothing=False):
        """step() for microbatches that were cut elsewhere: a list of dicts of inputs by name, and one of targets."""
        entries = self.export.model["inputs"]
        for number, microbatch in enumerate(microbatches):
            check_microbatch(number, microbatch, microbatches[0], entries)
        if len(microbatches) != self.microbatches * self.replicas.count or (targets is not None and len(targets) != len(microbatches)):
            raise Refused("%d microbatches and %s targets, not %d" %
                          (len(microbatches), "no" if targets is None else len(targets), self.microbatches * self.replicas.count))
        return self.train_on(microbatches, targets or [None] * len(microbatches), [1] * len(microbatches), may_train_nothing)

    def profile(self, path, *args, target=None, **kwargs):
        """Takes three steps on a batch, as step() does, whose gradients are dropped, and writes what they took to a file: of
        every node, every slot of the schedule, every send. Every process calls it; see profiling."""
        profiling.profile(self, path, self.cut(args, kwargs, target))

    def eval_step(self, *args, target=None, **kwargs):
        """The parts of the loss as step() returns them, without gradients, with dropout off and norms by their running
        statistics. The state stays as it is."""
        self.check_loss()
        with self.waits.told(), self.evaluating():
            return self.losses_of(self.run(*self.cut(args, kwargs, target), self.loss, trains=False))

    def predict(self, *args, **kwargs):
        """What the model returns for each microbatch of this replica, run as eval_step() does, in the process of the last
        stage; none in the others."""
        with self.waits.told(), self.evaluating():
            feed = self.run(*self.cut(args, kwargs, None), None, trains=False)
        return feed.outputs if self.has_last else None

    def batch_size(self, wanted=None, samples=None, usual=16):
        """`wanted`, where batches may have so many samples; without it that which they may have and is nearest to `usual`.
        Refused, with the sizes that work, where they may not, or where there are fewer `samples` in all."""
        return allowed_size(self.export, self.microbatches * self.replicas.count, wanted, samples, usual)

    def cut(self, args, kwargs, target):
        inputs = inputs_of_call(self.export.manifest, args, kwargs, target)
        microbatches, samples = cut_batch(self.export, inputs, self.microbatches * self.replicas.count)
        if target is not None and inputs.get("target") is target:  # it may be of no samples, or of those along another dimension
            return microbatches, [microbatch["target"] for microbatch in microbatches], samples
        return microbatches, cut_target(target, samples), samples

    def train_on(self, microbatches, targets, samples, may_train_nothing=False):
        self.check_loss()
        before = self.replicas.set_aside(self.parameters())
        earlier = self.shared.set_aside()
        try:
            with self.waits.told():
                feed = self.run(microbatches, targets, samples, self.loss, True, may_train_nothing)
        except Refused:
            self.shared.put_back(earlier)
            self.replicas.put_back(before)
            raise
        with self.waits.told():
            self.waits.doing = "add up gradients"
            self.shared.add_up(earlier)
            self.replicas.add_up(before)
            return self.losses_of(feed)

    def run(self, microbatches, targets, samples, loss, trains, may_train_nothing=False):
        """All microbatches through all stages, and back where it trains. Returns what came of them here."""
        if self.group is None:
            raise Refused("the pipeline is closed: no step can follow close()")
        self.waits.check_parent()
        self.waits.doing = "begin a step"
        self.agree(microbatches, targets)
        self.shared.follow()
        shares = loss_shares(self.shares["reduction"], self.shares["weight"], samples, targets) if loss else None
        microbatches, targets, shares = (each and self.replicas.own(each) for each in (microbatches, targets, shares))
        if sent_of_data(self.export.manifest):
            check_boundaries(self.export, microbatches)
            self.crossing.clear()
        crossing, largest, shapes = self.crossing_of(microbatches, targets, loss)
        is_trained = trains and any(output.requires_grad for output in shapes[-1][1])
        if trains and not is_trained and not may_train_nothing:
            raise Refused("no parameter has an influence on the loss, or all are frozen: there is nothing to train")
        feed = Feed(*self.moved(microbatches, targets), shares, loss)
        feed.crossing, feed.largest = crossing, largest
        feed.trained_ways = trained_ways(self.ways, self.export, shapes) if is_trained else set()
        feed.kinds = [[tensor.dtype for tensor in passed] for passed, _, _ in shapes]
        for runner in self.runners.values():
            runner.feed, runner.is_evaluating = feed, not self.training
            runner.written = self.boundaries.written.get(runner.index, set())
            runner.gradient_share = self.scaler.factor() / self.accumulate if is_trained else 1.0
        numbers = torch.arange(self.microbatches)
        target = {"target": numbers} if is_trained and self.has_last else {}
        self.waits.doing = "take what was sent to them"
        with contextlib.nullcontext() if trains else torch.no_grad():
            self.schedule_for(shapes, is_trained).step(*([numbers] if self.has_first else []), number=numbers, **target)
        if self.mail is not None:
            self.mail.finish()
        for runner in self.runners.values():
            runner.end_step()
        return feed

    def losses_of(self, feed):
        """In every process, from that of the last stage."""
        import torch.distributed as dist
        kind = torch.float64 if self.device.type == "cpu" else torch.float32
        losses = torch.stack(feed.losses).to(kind) if self.has_last else \
            torch.zeros(self.microbatches, dtype=kind, device=self.device)
        dist.broadcast(losses, self.owner[len(self.export.stages) - 1], group=self.group)
        return self.replicas.joined(losses)

    @contextlib.contextmanager
    def evaluating(self):
        """As in evaluation; and buffers as they were."""
        was_training, self.training = self.training, False
        buffers = [(buffer, buffer.clone()) for module in self.modules.values() for buffer in module.buffers()]
        try:
            yield
        finally:
            self.training = was_training
            for buffer, before in buffers:
                if not torch.equal(buffer, before):
                    fill(buffer, before)

    def check_loss(self):
        if self.loss is None:
            raise Refused("no output of the model is known to be its loss: give build_pipeline(loss_fn=...), a function of "
                          "(output, target) or the name of an output")

    def moved(self, microbatches, targets):
        """What this process needs, on its device."""
        wanted, known = set().union(*(runner.wanted_names() for runner in self.runners.values())), {}
        microbatches = [{name: value if name in wanted else None for name, value in m.items()} for m in microbatches]
        return on(self.device, microbatches, known), on(self.device, targets, known) if self.has_last else targets

    @property
    def rank(self):
        import torch.distributed as dist
        return dist.get_rank()

    @property
    def has_first(self):
        return 0 in self.modules

    @property
    def has_last(self):
        return len(self.export.stages) - 1 in self.modules

    # ------------------------------------------------------------ before a step
    def agree(self, microbatches, targets):
        """Do all processes have the same batch? One that draws another order would train on targets of other samples."""
        mark = 0
        for leaf in tree_leaves((microbatches, targets)):
            if isinstance(leaf, torch.Tensor):
                mark = zlib.crc32(str((leaf.dtype, tuple(leaf.shape))).encode(), mark)
                numbers = leaf.detach().reshape(-1)[:4096]
                numbers = numbers.abs() if numbers.is_complex() else numbers
                numbers = numbers.to(torch.float64 if numbers.is_floating_point() else torch.int64)
                mark = zlib.crc32(numbers.cpu().numpy().tobytes(), mark)
        frozen = self.frozen()
        said = torch.tensor([mark, -mark, frozen != self.frozen_here], dtype=torch.int64, device=self.device)
        self.replicas.most(said)
        if said[0] != -said[1]:
            raise Refused("the processes have different batches: each has to load the same, so seed what shuffles them alike")
        if said[2]:
            self.agree_on_frozen(frozen)

    def frozen(self):
        return frozenset(name for module in self.modules.values()
                         for name, p in module.named_parameters(remove_duplicate=False)
                         if not p.requires_grad and id(p) not in self.shared.followers)

    def agree_on_frozen(self, frozen):
        """What the training script froze, all processes have to know: no gradients are sent for it."""
        trained = {name for module in self.modules.values() for name, p in module.named_parameters(remove_duplicate=False)
                   if p.requires_grad and id(p) not in self.shared.followers}
        said = self.replicas.said((frozen, trained))
        everywhere = frozenset().union(*(names for names, _ in said))
        torn = everywhere & set().union(*(names for _, names in said))
        if torn:
            raise Refused("'%s' is frozen in one stage, and trained in another that has a copy of it" % sorted(torn)[0])
        self.boundaries.frozen, self.frozen_here = everywhere, frozen
        for name, parameter in ((name, p) for module in self.modules.values() for name, p in parameters_of(module).items()
                                if id(p) in self.shared.followers):
            parameter.requires_grad_(name not in everywhere)
        self.crossing.clear(), self.schedules.clear()

    def crossing_of(self, microbatches, targets, loss):
        """The sizes of all that crosses in each microbatch, which is the largest, and what crosses in that one."""
        def key_of(tree):
            return tuple((leaf.dtype, tuple(leaf.shape)) if isinstance(leaf, torch.Tensor) else repr(leaf)
                         for leaf in tree_leaves(tree))
        keys = [(loss is None, key_of((m, t))) for m, t in zip(microbatches, targets)]
        for key, microbatch, target in zip(keys, microbatches, targets):
            if key not in self.crossing:
                self.crossing[key] = self.boundaries.of(microbatch, target, loss)
        sizes = {key: [[list(output.shape) for output in outputs] for _, outputs, _ in self.crossing[key]] for key in set(keys)}
        numbers = {key: [torch.Size(size).numel() for stage in stages for size in stage] for key, stages in sizes.items()}
        largest = max(range(len(keys)), key=lambda i: sum(numbers[keys[i]]))
        if any(one > most for of_key in numbers.values() for one, most in zip(of_key, numbers[keys[largest]])):
            raise Refused("of the microbatches none is the largest in all that is sent: give them in equal sizes")
        return [sizes[key] for key in keys], largest, self.crossing[keys[largest]]

    def schedule_for(self, shapes, trains):
        """A schedule with buffers for these sizes, made once for each."""
        from torch.distributed.pipelining import PipelineStage
        key = (trains, tuple((tuple(t.shape), t.dtype, t.requires_grad) for passed, outputs, _ in shapes
                             for t in (*passed, *outputs)), tuple(tuple(sorted(own)) for _, _, own in shapes))
        if key not in self.schedules:
            while len(self.schedules) >= KEPT:
                self.schedules.pop(next(iter(self.schedules)))
            kind, number = stage_kind(self.schedule, WholeGradients, PipelineStage), torch.zeros(1, dtype=torch.int64, device="meta")
            crossed = {index: [tuple(map(as_sent, tensors)) for tensors in runner.crossed(shapes)]
                       for index, runner in self.runners.items()}
            stages = [kind(self.runners[index], index, len(self.export.stages), self.device,
                           input_args=(number,) if index == 0 else crossed[index][0], output_args=crossed[index][1],
                           group=self.group) for index in self.stages_here]
            for stage in stages:
                stage.beside = dict(zip(self.stages_here, stages))
                stage.stage_index_to_group_rank = self.group_ranks  # PyTorch 2.6 takes it to be round and round
            loss_fn = (lambda output, target: output.sum()) if trains else None
            self.schedules[key] = make_schedule(self.schedule, stages, self.microbatches, loss_fn)
        return self.schedules[key]

    # ------------------------------------------------------------ parameters and state
    def parameters(self):
        """Those of this process's stages, for its optimizer; one without numbers where they have none, as optimizers want
        some. A copy of a shared one is among them for each stage that has one, as equal gradients keep them equal; where they
        are owned, that of the first stage alone."""
        return [parameter for _, parameter in self.named_parameters()] or [self.nothing]

    def named_parameters(self):
        """By their names in the model; of a tied one's several names the first."""
        for module in self.modules.values():
            yield from (pair for pair in module.named_parameters() if id(pair[1]) not in self.shared.followers)

    def zero_grad(self, set_to_none=True):
        for module in self.modules.values():
            module.zero_grad(set_to_none)

    def clip_grad_norm_(self, max_norm, norm_type=2.0):
        """torch.nn.utils.clip_grad_norm_() over all stages: what is shared counts once. Returns the norm."""
        return self.shared.clip(max_norm, norm_type, self.group)

    def average_gradients(self, replicas):
        """Over the replicas of these stages: `replicas` is the group of processes that have the same stages, or a
        DeviceMesh of one dimension. Once before the optimizer's step, and before gradients are clipped."""
        import torch.distributed as dist
        group = replicas.get_group() if hasattr(replicas, "get_group") else replicas
        for parameter in self.parameters():
            if parameter.grad is not None:
                dist.all_reduce(parameter.grad, group=group)
                parameter.grad /= dist.get_world_size(group)

    def train(self, mode=True):
        """As the model was exported, or (mode=False) with dropout off and norms by their running statistics."""
        self.training = mode
        for module in self.modules.values():
            module.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def state_dict(self):
        """Parameters and buffers of this process's stages, by all of their names in the model; of owned ones those that are
        owned here."""
        states = [{name: tensor.detach() for name, tensor in module.state_dict(keep_vars=True).items()
                   if id(tensor) not in self.shared.followers} for module in self.modules.values()]
        return checkpoints.merge_states(states, compare=False)

    def load_state_dict(self, state):
        """Takes what belongs to this process's stages from the model's state dict, or from a part that has all of it."""
        checkpoints.load_state(self.modules, state, self.shared.followers)

    def optimizer_state_dict(self, optimizer):
        """The state of an optimizer of parameters(), by their names in the model."""
        return checkpoints.optimizer_state(self.modules, self.export, optimizer)

    def load_optimizer_state_dict(self, optimizer, state):
        checkpoints.load_optimizer_state(self.modules, self.export, optimizer, state)

    def save(self, path, optimizer=None, **more):
        """A checkpoint of all stages; see checkpoints.save()."""
        checkpoints.save(self, path, optimizer, more)

    def close(self):
        """Waits for all processes, and ends what connects them: parameters and state stay, but no step can follow."""
        import torch.distributed as dist
        wait_for_all()
        dist.destroy_process_group()
        self.forget_groups()

    def forget_groups(self):
        """PyTorch's threads of a group end with the last that knows it. One that still puts tensors away as Python ends
        would abort the process."""
        self.group = self.replicas.stages = self.replicas.alike = self.shared.group = self.scaler.group = None
        if self.mail is not None:
            self.mail.groups = None
        self.schedules.clear()
        gc.collect()  # the stages of a schedule know each other

    def load(self, path, optimizer=None):
        """Reads a checkpoint of this or another plan of the model; returns what else was saved in it."""
        return checkpoints.load(self, path, optimizer)
