"""What versions.py starts with the Python of each PyTorch.

    version_worker.py alone FOLDER...   in one process, for each export: FOLDER/chain.pt, the stages one after the other, forward
                                        and backward, as Python code; programs.pt, the same with the stages' .pt2 files;
                                        merge.pt, the weights of all stages
    version_worker.py eval FOLDER       under torchrun: FOLDER/eval.pt, losses without gradients, and what the model returns

What fails leaves NAME.failed in place of NAME.pt.
"""
import json
import pathlib
import sys
import warnings

import torch

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / "resources" / "python")]
import run_stages  # noqa: E402
import worker  # noqa: E402

warnings.filterwarnings("ignore")


def chained(folder, build):
    pipeline, manifest = worker.load_pipeline(folder), json.loads((folder / "manifest.json").read_text())
    inputs = pipeline.make_inputs(manifest, torch.Generator().manual_seed(0))
    stages = [build(pipeline, entry) for entry in manifest["stages"]]
    record = run_stages.forward(stages, inputs, pipeline, manifest)
    run_stages.backward(record, None)
    gradients, _ = run_stages.state_of(stages, manifest)
    leaves = [run_stages.saved(leaf) for leaf in torch.utils._pytree.tree_leaves(record[-1][1])]
    return {"outputs": leaves, "gradients": gradients}


def chain(folder):
    return chained(folder, lambda pipeline, entry: pipeline.build_stage(entry["index"]))


def programs(folder):
    return chained(folder, lambda pipeline, entry: torch.export.load(folder / entry["program"]).module())


def eval_step(folder):
    pipeline = worker.load_pipeline(folder)
    from stagecraft_runtime.loss import sum_of_outputs
    built = pipeline.build_pipeline(schedule="looped-bfs", microbatches=worker.MICROBATCHES, loss_fn=sum_of_outputs, device="cpu")
    batch = [torch.cat(pieces) for pieces in zip(*(m.values() for m in worker.microbatches_of(pipeline)))]
    losses, outputs = built.eval_step(*batch), built.predict(*batch)
    built.close()
    return {"losses": losses, "outputs": outputs} if built.has_last else None


def merge(folder):
    pipeline = worker.load_pipeline(folder)
    merged = pipeline.merge(None, folder / "merged.safetensors")
    from stagecraft_runtime.safetensors import read_safetensors
    return dict(read_safetensors(merged))


def tried(folder, action):
    try:
        found = action(folder)
        if found is not None:
            torch.save(found, folder / (action.__name__ + ".pt"))
    except Exception as failure:
        (folder / (action.__name__ + ".failed")).write_text("%s: %s" % (type(failure).__name__, str(failure).strip().split("\n")[0]))


def main(way, *folders):
    torch.set_num_threads(1)
    for folder in map(pathlib.Path, folders):
        for action in (eval_step,) if way == "eval" else (chain, programs, merge):
            tried(folder, action)


if __name__ == "__main__":
    main(*sys.argv[1:])
