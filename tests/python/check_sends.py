"""Are the bytes that stages really send those of the plan, relayed and directly?

    check_sends.py stagecraft-cli MODEL...

Each model is planned in 4 stages and exported by that plan. A step runs in 4 processes, which count what they hand to
torch.distributed; both ways must give the same losses and gradients. What is sent past stages must be let go during the step.
"""
import collections
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types
from unittest import mock

import torch
import torch.distributed as dist
from check_library import in_processes, same

STAGES, MICROBATCHES = 4, 6


def plan_and_export(cli, model, send, folder):
    """(the plan as the program describes it, what the export says it does)."""
    plan = folder.with_suffix(".stagecraft")
    said = subprocess.run([cli, "partition", model, "--stages", str(STAGES), "--send", send, "--time-limit", "3", "--json",
                           "--microbatches", str(MICROBATCHES), "-o", plan], check=True, capture_output=True, text=True).stdout
    subprocess.run([cli, "export", model, "--plan", plan, "-o", folder, "--formats", "python"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if "PIPELINE" in os.environ:
        shutil.copytree(os.environ["PIPELINE"], folder, dirs_exist_ok=True)
    return json.loads(said)


@contextlib.contextmanager
def counted():
    """The bytes of tensors that this process hands to a process group to be sent."""
    sent, send = [0], dist.ProcessGroup.send

    def counting(group, tensors, *args):
        sent[0] += sum(tensor.numel() * tensor.element_size() for tensor in tensors)
        return send(group, tensors, *args)
    with mock.patch.object(dist.ProcessGroup, "send", counting):
        yield sent


@contextlib.contextmanager
def few_letters(mail):
    """No more of what is sent past stages is held at a time than its stage has in flight."""
    post = mail and mail.post

    def counting(*args, **kwargs):
        post(*args, **kwargs)
        held = collections.Counter((way, back) for way, _, back in mail.sending)
        for (way, back), count in held.items():
            assert count <= STAGES - way.maker, "%d letters of %s" % (count, (way, back))
    with mock.patch.object(mail, "post", counting) if mail else contextlib.nullcontext():
        yield


def run(case, send):
    def step(pipeline):
        from stagecraft_runtime.loss import sum_of_outputs
        built = pipeline.build_pipeline(sends=send, device="cpu", loss_fn=sum_of_outputs)  # all else as the plan says
        assert (built.schedule, built.microbatches) == ("1f1b", MICROBATCHES)
        generator = torch.Generator().manual_seed(0)
        microbatches = [pipeline.make_inputs(pipeline.read_manifest(), generator) for _ in range(MICROBATCHES)]
        run_step, sent = built.run, []

        def counting(*args):
            with counted() as bytes_sent, few_letters(built.mail):
                feed = run_step(*args)
            sent.append(bytes_sent[0])
            return feed
        built.run = counting
        built.step_microbatches(microbatches)  # the first of its sizes, in which PyTorch's stages also agree on these
        built.zero_grad()
        losses = built.step_microbatches(microbatches).tolist()
        gradients = {name: p.grad.numpy().copy() for name, p in built.named_parameters() if p.grad is not None}
        return sent[1], losses, gradients
    return in_processes(case, STAGES, step)


def check(cli, model, send, folder):
    said, found = plan_and_export(cli, model, send, folder), {}
    for way in {send, "relay"}:  # of one export either way, as `sends` says
        found[way] = run(types.SimpleNamespace(folder=folder), None if way == send else way)
        total = sum(sent for sent, _, _ in found[way]) / MICROBATCHES
        planned = (said if way == send else said["exported"] or said)["bytes_sent"]
        print("%s, planned to %s, sent by %s: %d bytes of a microbatch" %
              (pathlib.Path(model).stem, send, way, total), flush=True)
        if total != planned:
            raise AssertionError("%d bytes, and %d of the plan" % (total, planned))
    for (_, losses, gradients), (_, others, other) in zip(found[send], found["relay"]):
        same(others, losses, "losses")
        assert gradients.keys() == other.keys()
        for name, gradient in gradients.items():
            same(other[name] / abs(gradient).max(), gradient / abs(gradient).max(), name, 1e-4)


def main(cli, *models):
    torch.set_num_threads(1)
    for model in models:
        for send in ("relay", "direct"):
            with tempfile.TemporaryDirectory() as parent:
                check(cli, model, send, pathlib.Path(parent) / "stages")


if __name__ == "__main__":
    main(*sys.argv[1:])
