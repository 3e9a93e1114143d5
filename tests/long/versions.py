"""What of an export works under which PyTorch: a table.

    versions.py stagecraft-cli PYTHON... > results/versions.md      PYTHON: .../bin/python of an environment that has a
                                                                    PyTorch and numpy; several of several versions

Exports are written once, and each PYTHON runs them: stages one after the other (Python code; .pt2 files), torchrun with 4 and
with 2 processes in all schedules that its PyTorch has, sends past the schedule, evaluation, merged weights, and
examples/train.py, which is resumed. Compared with the unsplit model under this PyTorch.

Not in ctest, for its length and as it needs other versions of PyTorch.
"""
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python"))
os.environ["LONGEST"] = "1e6"  # of all that is started here, in seconds
import check_training  # noqa: E402
import matrix  # noqa: E402
import worker  # noqa: E402
from processes import run_torchrun  # noqa: E402

STAGES, STEPS = 4, 12
DATA = HERE.parent / "data" / "models"
MODELS = {"gpt2-tiny": DATA / "tiny" / "gpt2-tiny.pt2", "skip-dynamic": DATA / "small" / "torch-2.14" / "skip-dynamic.pt2",
          "masks": HERE.parent / "python" / "hard_models.py", "dict-in-out": HERE.parent / "python" / "hard_models.py"}
TEXT = HERE.parent.parent / "README.md"
LONGEST = 120  # seconds for what one process does


def close(found, wanted):
    if isinstance(wanted, dict):
        return all(name in found and close(found[name], wanted[name]) for name in wanted)
    if isinstance(wanted, (list, tuple)):
        return len(found) == len(wanted) and all(map(close, found, wanted))
    if not isinstance(wanted, torch.Tensor):
        return found == wanted
    return torch.allclose(found.to(wanted.dtype), wanted, rtol=2e-3, atol=1e-4)


def last_line(text):
    """What an error ends with, for people."""
    lines = [line.strip() for line in text.strip().split("\n") if line.strip()]
    told = [line for line in lines if "Error" in line or "Refused" in line or line.startswith("PyTorch")]
    return (told or lines or ["it ended without a word"])[-1][:200]


ALONE = ("chain", "programs", "merge")


def clear(folder, names):
    for name in names:
        for ending in (".pt", ".failed"):
            (folder / (name + ending)).unlink(missing_ok=True)


def result(folder, name, ended):
    """What a process wrote there, or in a text why there is nothing."""
    if (folder / (name + ".pt")).exists():
        return torch.load(folder / (name + ".pt"))
    failed = folder / (name + ".failed")
    return failed.read_text() if failed.exists() else ended


# ---------------------------------------------------------------- what is tried
def run_alone(python, folders):
    """{(model, what): what came of it} of what a process does by itself."""
    for folder in folders:
        clear(folder, ALONE)
    command = [str(part) for part in (python, HERE / "version_worker.py", "alone", *folders)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST * len(folders))
        ended = last_line(done.stderr)
    except subprocess.TimeoutExpired:
        ended = "it does not end"
    return {(folder.name, name): result(folder, name, ended) for folder in folders for name in ALONE}


def check_schedules(python, cases, wholes):
    """{(model, way): what is wrong} of every way to run stages under torchrun."""
    found = {}
    for folder in cases:
        for file in [*folder.glob("*.failed"), *folder.glob("*-*.pt")]:
            file.unlink()
    for processes in (4, 2):
        ways = [(schedule, sends) for schedule, sends, wanted in matrix.WAYS if wanted == processes]
        matrix.run_under_torchrun([(folder, *way) for folder in cases for way in ways], processes, cases[0].parent, python)
        for folder in cases:
            for schedule, sends in ways:
                found[folder.name, "%s%s" % (schedule, ", direct" if sends == "direct" else "")] = matrix.said(
                    matrix.compare, wholes[folder.name], folder, schedule, sends, processes)
    return found


def check_eval(python, folder, wanted):
    """Losses and outputs without gradients, in two processes."""
    clear(folder, ["eval_step"])
    status, printed = run_torchrun(2, HERE / "version_worker.py", "eval", folder, python=python, seconds=LONGEST)
    found = result(folder, "eval_step", last_line(printed))
    return found if isinstance(found, str) else "" if close(found["outputs"], wanted) else "other outputs"


def check_train(python, stages, data, wanted, saved):
    """examples/train.py, stopped in the middle and resumed."""
    shutil.rmtree(saved, ignore_errors=True)
    options = [stages / "examples/train.py", "--batch", check_training.BATCH, "--steps", STEPS, "--rate", check_training.RATE,
               "--microbatches", 4, "--schedule", "1f1b", "--data", data, "--checkpoints", saved, "--every", STEPS // 2, "--resume"]
    for first in (1, STEPS // 2 + 1):
        run = check_training.Run.__new__(check_training.Run)
        status, printed = run_torchrun(STAGES, *options, python=python, seconds=LONGEST)
        if status:
            return last_line(printed)
        run.lines, run.processes = [printed], STAGES
        losses = run.losses()
        wrong = [step for step in range(first, STEPS + 1) if abs(losses.get(step, 0) - wanted[step - 1]) > 1e-4]
        if wrong:
            return "another loss in step %d: %s, not %.6f" % (wrong[0], losses.get(wrong[0]), wanted[wrong[0] - 1])
        shutil.rmtree(saved / ("step_%06d" % STEPS))
    merged = saved.parent / "merged.safetensors"
    done = subprocess.run([str(python), stages / "pipeline.py", "--merge", saved / ("step_%06d" % (STEPS // 2)), merged],
                          capture_output=True, text=True)
    return last_line(done.stderr) if done.returncode else ""


# ---------------------------------------------------------------- the table
class Setting:
    """The exports, and what must come out."""

    def __init__(self, cli, parent):
        made = parent / "models"
        made.mkdir()
        self.folders, self.wholes = [], {}
        files = {}
        for name, source in MODELS.items():
            files[name], folder = source if source.suffix == ".pt2" else made / (name + ".pt2"), parent / name
            if source.suffix == ".py":
                subprocess.run([sys.executable, source, made, name], check=True, stdout=sys.stderr)
            subprocess.run([cli, "export", files[name], "--stages", str(STAGES), "--time-limit", "3", "-o", folder], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if "PIPELINE" in os.environ:
                shutil.copytree(os.environ["PIPELINE"], folder, dirs_exist_ok=True)
            self.folders.append(folder)
            self.wholes[name] = matrix.expected(torch.export.load(files[name]), folder)
        self.references = run_alone(sys.executable, self.folders)
        wrong = [(key, text) for key, text in self.references.items() if isinstance(text, str)]
        if wrong:
            raise AssertionError(wrong)
        self.data, self.saved = parent / "data.pt", parent / "saved"
        check_training.write_data(TEXT, self.data)
        check_training.STEPS = STEPS
        self.losses = check_training.expected(files["gpt2-tiny"], self.data)[0]
        pipeline, module = worker.load_pipeline(parent / "gpt2-tiny"), torch.export.load(files["gpt2-tiny"]).module()
        with torch.no_grad():
            self.outputs = [module(*microbatch.values()) for microbatch in worker.microbatches_of(pipeline)]


def try_version(python, setting):
    """(name of the version, {feature: {model: what is wrong}})."""
    version = subprocess.run([str(python), "-c", "import torch; print(torch.__version__)"], capture_output=True, text=True,
                             check=True).stdout.strip()
    rows = collections.defaultdict(dict)
    for (name, what), found in run_alone(python, setting.folders).items():
        rows[what][name] = found if isinstance(found, str) else "" if close(found, setting.references[name, what]) else "other numbers"
    for (name, way), wrong in check_schedules(python, setting.folders, setting.wholes).items():
        rows[way][name] = "" if wrong == "agrees" else wrong
    print(version, json.dumps(rows), file=sys.stderr, flush=True)
    first = setting.folders[0]
    rows["eval_step, predict"][first.name] = check_eval(python, first, setting.outputs)
    rows["train.py, resumed, merged"][first.name] = check_train(python, first, setting.data, setting.losses, setting.saved)
    return version, rows


def table(found):
    print("Made by `tests/long/versions.py`: exports of %s in %d stages, written once and run under each PyTorch; in each "
          "field how many of them agree with the unsplit model.\n" % (", ".join(MODELS), STAGES))
    features, notes = list(next(iter(found.values()))), {}
    print("| | " + " | ".join(found) + " |\n|" + " --- |" * (len(found) + 1))
    for feature in features:
        fields = []
        for rows in found.values():
            wrong = {name: text for name, text in rows[feature].items() if text}
            marks = sorted({notes.setdefault(text.split("/tmp")[0], len(notes) + 1) for text in wrong.values()})
            fields.append("%d of %d%s" % (len(rows[feature]) - len(wrong), len(rows[feature]),
                                          " (%s)" % ", ".join(map(str, marks)) if marks else ""))
        print("| %s | %s |" % (feature, " | ".join(fields)))
    print()
    for note, number in notes.items():
        print("%d. %s" % (number, note.replace("|", "\\|")))


def main(cli, *pythons):
    torch.set_num_threads(1)
    os.environ["OMP_NUM_THREADS"] = "1"
    with tempfile.TemporaryDirectory() as parent:
        setting = Setting(cli, pathlib.Path(parent))
        found = {}
        for python in pythons:
            version, rows = try_version(python, setting)
            found[version] = rows
            print(version, json.dumps(rows, indent=1), file=sys.stderr, flush=True)
        table(found)


if __name__ == "__main__":
    main(*sys.argv[1:])
