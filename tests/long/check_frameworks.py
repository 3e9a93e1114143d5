"""Plans for other frameworks, read by those themselves: torchtitan splits and runs the model by the names it is given,
Megatron parses and checks the layout, DeepSpeed finds the stage of every layer.

    check_frameworks.py STAGECRAFT_CLI [FOLDER]

The frameworks, and what they import, are put into FOLDER (usually a temporary one) by pip, without what they merely
depend on; nothing is installed elsewhere. Takes some minutes the first time.
"""

import json
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

import torch
from torch import nn

FRAMEWORKS = ("torchtitan", "megatron-core", "packaging", "tyro", "spmd_types", "docstring_parser", "psutil", "tqdm",
              "pydantic", "pydantic_core", "typing_inspection", "annotated_types", "hjson", "einops", "msgpack")
LAYERS = 6


def install(folder):
    if not (folder / "torchtitan").exists():
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", folder, *FRAMEWORKS],
                       check=True)
    if not list(folder.glob("deepspeed-*/deepspeed")):  # a source archive; what is needed of it needs no build
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-build-isolation", "--no-binary",
                        "deepspeed", "-d", folder, "deepspeed"], check=False, capture_output=True)
        for archive in folder.glob("deepspeed-*.tar.gz"):
            with tarfile.open(archive) as file:
                file.extractall(folder, filter="data")
    sys.path.insert(0, str(folder))
    sys.path += [str(path.parent) for path in folder.glob("deepspeed-*/deepspeed")]


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(self.norm(x))))


class Decoder(nn.Module):
    """Made as torchtitan wants it: modules that a stage has not are None."""

    def __init__(self, width=32, words=64):
        super().__init__()
        self.tok_embeddings = nn.Embedding(words, width)
        self.layers = nn.ModuleDict({str(i): Layer(width) for i in range(LAYERS)})
        self.norm = nn.LayerNorm(width)
        self.output = nn.Linear(width, words)

    def forward(self, x):
        x = self.tok_embeddings(x) if self.tok_embeddings is not None else x
        for layer in self.layers.values():
            x = layer(x)
        x = self.norm(x) if self.norm is not None else x
        return self.output(x) if self.output is not None else x


def plan_text(cli, model, folder, framework, *arguments):
    path = folder / ("plan." + framework)
    command = [cli, "export", model, "--format", framework, "--nearest", "--time-limit", "1", "--device", "cpu",
               "--microbatches", "8", "-o", path, *arguments]
    subprocess.run([str(part) for part in command], check=True, capture_output=True)
    return path.read_text()


def check_torchtitan(text, model, words):
    from torchtitan.config.configs import ParallelismConfig
    from torchtitan.distributed.pipeline_parallel import _split_module
    from torch.distributed.pipelining.schedules import get_schedule_class
    config = ParallelismConfig(**tomllib.loads(text)["parallelism"])
    get_schedule_class(config.pipeline_parallel_schedule)
    x = words
    for names in config.module_fqns_per_model_part:
        x = _split_module(model, names)(x)
    assert torch.equal(x, model(words)), "torchtitan's stages compute something else"
    return config


def check_megatron(text, stages):
    from megatron.core.transformer.pipeline_parallel_layer_layout import PipelineParallelLayerLayout
    degree = int(re.search(r"--pipeline-model-parallel-size (\d+)", text).group(1))
    layout = PipelineParallelLayerLayout(re.search(r'layout "([^"]*)"', text).group(1), degree)
    layout.validate_layer_layout(LAYERS, 0)
    found = [[kind.name for kind in layout.layout[i % degree][i // degree]].count("decoder") for i in range(len(stages))]
    assert found == [sum(name.startswith("layers.") for name in stage) for stage in stages], found


def check_deepspeed(text, stages):
    from deepspeed.runtime.pipe.module import PipelineModule
    plan = json.loads(text)
    for stage, names in enumerate(stages):
        module = object.__new__(PipelineModule)
        nn.Module.__init__(module)
        module._layer_specs = plan["layers"]
        module.num_stages = len(stages)
        module.parts = plan["parts"]
        module._set_bounds(start=module.parts[stage], stop=module.parts[stage + 1])
        assert plan["layers"][module._local_start:module._local_stop] == names, (stage, names)


def main():
    cli = sys.argv[1]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        install(Path(sys.argv[2]) if len(sys.argv) > 2 else folder)
        torch.manual_seed(1)
        model = Decoder()
        words = torch.randint(0, 64, (2, 16))
        path = folder / "decoder.pt2"
        torch.export.save(torch.export.export(model, (words,)), path)
        for degree, schedule, each in ((2, "1f1b", 1), (3, "1f1b", 1), (4, "1f1b", 1), (2, "interleaved", 2),
                                       (2, "zbv", 2), (2, "dualpipev", 2)):
            how = ("--stages", degree * each, "--schedule", schedule)
            how += ("--stages-per-device", each) if schedule == "interleaved" else ()
            stages = json.loads(plan_text(cli, path, folder, "fqns", *how))
            config = check_torchtitan(plan_text(cli, path, folder, "torchtitan", *how), model, words)
            assert config.module_fqns_per_model_part == stages and config.pipeline_parallel_degree == degree
            if schedule == "1f1b":
                check_deepspeed(plan_text(cli, path, folder, "deepspeed", *how), stages)
            else:
                check_torchtitan(plan_text(cli, path, folder, "graphpp", *how), model, words)
            if schedule in ("1f1b", "interleaved"):
                text = plan_text(cli, path, folder, "megatron", *how)
                check_megatron(text, stages)
            print(degree, schedule, stages)


if __name__ == "__main__":
    main()
