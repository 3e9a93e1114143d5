"""Runs and trains the stages of an export: what pipeline.py is made of.

    export          the folder and its manifest            stages          a stage as a module, with its weights
    sizes           sizes that vary                        safetensors     the files that weights are in
    inputs          arguments of the model by name         microbatches    a batch cut in microbatches
    loss            from what the model returns            evaluation      operators as they run in evaluation
    runner          a stage as a schedule calls it         boundaries      what crosses from stage to stage
    split_backward  backward passes in two parts           schedules       those of torch.distributed.pipelining
    shared          parameters that several stages have    devices         which device a process takes
    replicas        pipelines side by side                 checkpoints     under the names of the model
    direct          values past the schedule               modes           mixed precision, buffers that are written to
    scaler          losses scaled for half precision       training        build_pipeline()
    profiling       times of a real step                   waits           what a process waits for
    in_time         receive buffers while they are needed
    wire            whole numbers under early versions     command         the command line
"""
import pathlib
import zlib


def code_of(folder):
    """A number that tells the run-times of two versions apart."""
    return zlib.crc32(b"".join(file.read_bytes() for file in sorted(pathlib.Path(folder).glob("*.py"))))


CODE = code_of(pathlib.Path(__file__).parent)
