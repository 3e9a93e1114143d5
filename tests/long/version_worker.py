"""What versions.py starts with the Python of each PyTorch.

    version_worker.py chain FOLDER RESULTS     the stages of FOLDER one after the other, forward and backward, as Python code
    version_worker.py programs FOLDER RESULTS  the same with the stages' .pt2 files
    version_worker.py eval FOLDER RESULTS      under torchrun: losses without gradients, and what the model returns
    version_worker.py merge FOLDER RESULTS     the weights of all stages in one file

RESULTS is written with torch.save, of tensors and names alone.
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


def eval(folder):
    pipeline = worker.load_pipeline(folder)
    from stagecraft_runtime.loss import sum_of_outputs
    built = pipeline.build_pipeline(schedule="interleaved", microbatches=worker.MICROBATCHES, loss_fn=sum_of_outputs,
                                    device="cpu")
    batch = [torch.cat(pieces) for pieces in zip(*(m.values() for m in worker.microbatches_of(pipeline)))]
    losses, outputs = built.eval_step(*batch), built.predict(*batch)
    pipelines_end = built.close if hasattr(built, "close") else lambda: None
    found = {"losses": losses, "outputs": outputs} if built.has_last else None
    pipelines_end()
    return found


def merge(folder):
    pipeline = worker.load_pipeline(folder)
    merged = pipeline.merge(None, folder / "merged.safetensors")
    from stagecraft_runtime.safetensors import read_safetensors
    return dict(read_safetensors(merged))


def main(action, folder, results):
    torch.set_num_threads(1)
    found = {"chain": chain, "programs": programs, "eval": eval, "merge": merge}[action](pathlib.Path(folder))
    if found is not None:
        torch.save(found, results)


if __name__ == "__main__":
    main(*sys.argv[1:])
