"""Do exports make receive buffers when they are waited for, and hold what tst_runtime_memory predicts?

    check_in_time.py stagecraft-cli runtime_memory.py

On two processes, with 4, 8 and 16 microbatches, of tensors that cross.
"""
import pathlib
import subprocess
import sys
import tempfile

import torch
from processes import run_torchrun

HELD = {"gpipe": lambda microbatches: [microbatches + 1.0] * 2, "1f1b": lambda microbatches: [3.0, 2.0]}
BUFFERS_OF_THEIR_OWN = torch.__version__ >= "2.15"


class Layers(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = torch.nn.Linear(256, 256), torch.nn.Linear(256, 256)

    def forward(self, x):
        return self.b(self.a(x))


def main(cli, measure):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sizes = ({0: torch.export.Dim("rows", min=2, max=4096)},)
        torch.export.save(torch.export.export(Layers(), (torch.zeros(64, 256),), dynamic_shapes=sizes), folder / "layers.pt2")
        subprocess.run([cli, "export", folder / "layers.pt2", "--stages", "2", "--split-before", "b", "--device", "cpu", "-o",
                        folder / "stages"], check=True, capture_output=True)
        status, said = run_torchrun(2, measure, folder / "stages")
    assert status == 0, said
    found = [line.split(maxsplit=5) for line in said.splitlines() if "microbatches  [" in line]
    assert len(found) == 12, said
    for schedule, kib, _, microbatches, _, held in found:
        expected = HELD[schedule](int(microbatches))
        assert held == str(expected), f"{schedule}, {kib} KiB, {microbatches} microbatches: holds {held}, not {expected}"


if __name__ == "__main__":
    if BUFFERS_OF_THEIR_OWN:
        print("PyTorch's own buffers, which do not stay")
    else:
        main(*sys.argv[1:])
