#!/usr/bin/env python3
"""What an import says of a program that PyTorch could not prove, and of objects that no file holds:

    check_drafts.py STAGECRAFT_CLI

A draft export is run beside its model: equal, refused, or not checked, and why. A draft that is written profiles.
"""
import collections
import dataclasses
import io
import json
import random
import subprocess
import sys
import tempfile
import typing
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "resources" / "python"))
from model_import import command  # noqa: E402
from model_import.channel import Channel  # noqa: E402

INPUT = (torch.arange(12.0).reshape(3, 4),)


class Branch(torch.nn.Module):
    """No graph knows which way it goes. Dropout and running averages must not make two runs differ."""

    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4), torch.nn.Dropout(0.5))

    def changed(self, y):
        return y

    def forward(self, x):
        y = self.changed(self.inner(x))
        return x + 1, (y * 2 if x.sum() > 0 else y)


class Otherwise(Branch):
    def changed(self, y):
        return y + 1 if torch.compiler.is_exporting() else y


class Wavering(Branch):
    def changed(self, y):
        return y * random.random()


class Unready(Branch):
    def changed(self, y):
        if not torch.compiler.is_exporting():
            raise ValueError("not today")
        return y


@dataclasses.dataclass
class Answer:
    loss: typing.Optional[torch.Tensor] = None
    logits: typing.Optional[torch.Tensor] = None
    kind: str = "answer"


class Object(torch.nn.Module):
    def forward(self, x):
        return Answer(logits=x * 2)


class Named(collections.OrderedDict):
    """A class that PyTorch takes apart, and has no name for in files."""


torch.utils._pytree.register_pytree_node(Named, lambda named: (list(named.values()), list(named)),
                                         lambda parts, names: Named(zip(names, parts)))


class Answers(torch.nn.Module):
    def forward(self, x):
        return Named(logits=x * 2, hidden=(x + 1,))


class Packed(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(4, 5, batch_first=True)

    def forward(self, x, lengths):
        packed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
        return torch.nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True)[0]


def branch():
    return Branch(), INPUT


def otherwise():
    return Otherwise(), INPUT


def wavering():
    return Wavering(), INPUT


def unready():
    return Unready(), INPUT


def an_object():
    return Object(), INPUT


def named():
    return Answers(), INPUT


def packed():
    return Packed(), (torch.randn(3, 6, 4), torch.tensor([6, 4, 2]))


def imported(factory, folder):
    """(the answer, the file)"""
    said, file = io.StringIO(), Path(folder) / f"{factory}.pt2"
    command.run(["-o", str(file), f"{Path(__file__).resolve()}:{factory}"], Channel(said))
    return json.loads(said.getvalue().splitlines()[-1]), file


def checked(holds, what, answer):
    print("ok   " if holds else "WRONG", what, "" if holds else answer, flush=True)
    return 0 if holds else 1


def says(answer, *words):
    return any(all(word in note for word in words) for note in answer.get("notes", ()))


def check_drafts(cli, folder):
    answer, file = imported("branch", folder)
    wrong = checked("draft" in answer.get("how", "") and says(answer, "its outputs are the model's"), "an equal draft", answer)
    before = Branch().inner[1].running_mean
    written = torch.export.load(file).state_dict["inner.1.running_mean"]
    wrong += checked(torch.equal(before, written), "averages are written as they were", written)
    profile = subprocess.run([cli, "profile", str(file), "--json"], capture_output=True, text=True)
    forward = json.loads(profile.stdout)["totals"]["flops_forward"] if profile.returncode == 0 else 0
    wrong += checked(forward >= 2 * 3 * 4 * 4, "the draft profiles", profile.stderr)
    answer, file = imported("otherwise", folder)
    wrong += checked(answer["type"] == "error" and not file.exists() and "output 1 differs by up to" in answer["advice"]
                     and any("something else than the model" in attempt["why"] for attempt in answer["tried"]),
                     "a draft that differs is refused", answer)
    answer, _ = imported("wavering", folder)
    wrong += checked(says(answer, "not checked", "others in each run", "output 1"), "a model that wavers", answer)
    answer, _ = imported("unready", folder)
    return wrong + checked(says(answer, "not checked", "cannot be run", "not today"), "a model that cannot be run", answer)


def check_others(folder):
    answer, _ = imported("an_object", folder)
    wrong = checked(says(answer, "an object of Answer", "a dict", "without kind"), "an object as a dict", answer)
    answer, file = imported("named", folder)
    wrong += checked(says(answer, "an object of Named", "a dict") and set(torch.export.load(file).module()(*INPUT))
                     == {"logits", "hidden"}, "a class that has no name in files", answer)
    answer, _ = imported("packed", folder)
    return wrong + checked(answer.get("kind") == "packed_sequence" and answer["place"]["file"].endswith("check_drafts.py"),
                           "a packed sequence", answer)


def main(cli):
    with tempfile.TemporaryDirectory() as folder:
        return 1 if check_drafts(cli, folder) + check_others(folder) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
