"""Which device a process takes: the accelerator with the number of its LOCAL_RANK, or the CPU; and waiting for all of them."""
import os

import torch

from .console import say
from .export import Refused


def accelerators():
    """(kind, number, backend that sends between them) of the accelerators that PyTorch sees here; (None, 0, "gloo")."""
    import torch.distributed as dist
    if not hasattr(torch, "accelerator"):  # before PyTorch 2.6
        return ("cuda", torch.cuda.device_count(), "nccl") if torch.cuda.is_available() else (None, 0, "gloo")
    kind = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else None
    backend = dist.Backend.default_device_backend_map.get(kind.type, "gloo") if kind else "gloo"
    # What only gloo would send (mps), no pipeline can be made of.
    return (None, 0, "gloo") if backend == "gloo" else (kind.type, torch.accelerator.device_count(), backend)


def choose_device(wanted, environment):
    """(device of this process, name of the backend it sends with). Refuses where there is no such device."""
    import torch.distributed as dist
    kind, count, backend = accelerators()
    if wanted == "cpu" or (wanted == "auto" and not count):
        return torch.device("cpu"), "gloo"
    if wanted not in ("auto", kind) or not count:
        raise Refused("--device %s: PyTorch %s sees %s here; --device cpu runs on the CPU"
                 % (wanted, torch.__version__, "%d of kind %s" % (count, kind) if count else "no such accelerator"))
    if "LOCAL_RANK" not in environment:
        raise Refused("LOCAL_RANK is not set, so it is open which %s device is this process's: start it with torchrun" % kind)
    local = int(environment["LOCAL_RANK"])
    processes = max(local + 1, int(environment.get("LOCAL_WORLD_SIZE", 1)))
    if processes > count:
        raise Refused("%d processes on this machine, but PyTorch sees %d of kind %s: --nproc-per-node %d, or --device cpu"
                 % (processes, count, kind, count))
    if not dist.is_backend_available(backend):
        raise Refused("PyTorch %s comes without %s, which sends between %s devices: --device cpu runs on the CPU"
                 % (torch.__version__, backend, kind))
    return torch.device(kind, local), backend


def use_device(wanted):
    """This process's device, made its current one, and said; and the backend."""
    device, backend = choose_device(wanted, os.environ)
    if device.type != "cpu":
        (torch.accelerator.set_device_index if hasattr(torch, "accelerator") else torch.cuda.set_device)(device.index)
    why = " (PyTorch sees no accelerator here that pipelines run on)" if device.type == "cpu" and wanted == "auto" else ""
    say("rank %s: %s%s" % (os.environ.get("RANK", 0), device, why))
    return device, backend


def wait_for_all(group=None):
    """A barrier. NCCL is told the device that this process took; else it guesses one by the rank, and warns of that."""
    import torch.distributed as dist
    is_told = {"device_ids": [torch.cuda.current_device()]} if "nccl" in dist.get_backend(group) else {}
    dist.barrier(group, **is_told)
