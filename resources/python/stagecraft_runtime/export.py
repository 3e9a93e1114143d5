"""An export: the folder with manifest.json, stage_I.py and the weights."""
import functools
import json
import pathlib


class Refused(ValueError):
    """What cannot be done, said in one line with the way out."""


class Export:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()

    @functools.cached_property
    def manifest(self):
        try:
            return json.loads((self.folder / "manifest.json").read_text())
        except (OSError, ValueError) as failure:
            raise Refused("%s is no export: %s" % (self.folder, str(failure).split("\n")[0])) from None

    @property
    def model(self):
        return self.manifest["model"]

    @property
    def plan(self):
        """How the plan runs the stages: "schedule", "microbatches", "send"; empty where it does not say."""
        return self.manifest.get("plan", {})

    @property
    def stages(self):
        return self.manifest["stages"]

    def knows_loss(self):
        """Whether it says which output is the loss, or by which function of one to train."""
        return bool(self.model.get("loss_function")) or self.model.get("loss_output") is not None

    @property
    def inputs(self):
        """What the manifest says of each input of the model, by its name."""
        return {entry["name"]: entry for entry in self.model["inputs"]}

    def stage(self, index):
        """What the manifest says of a stage."""
        if not isinstance(index, int) or not 0 <= index < len(self.stages):
            raise Refused("there is no stage %r: this export has stages 0 to %d" % (index, len(self.stages) - 1))
        return self.stages[index]
