"""packaging/run.sh: what it refuses, and where the results of a headless run go. Nothing is built: programs are stand-ins."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
CLI = """#!/bin/sh
echo "$@" >> "$CALLS"
"""


class Run(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name) / "a clone"
        (self.root / "packaging").mkdir(parents=True)
        shutil.copy(SOURCE / "packaging" / "run.sh", self.root / "packaging")
        (self.root / "packaging" / "build.sh").write_text("echo built\n")
        cli = self.root / "build" / "release" / "bin" / "stagecraft-cli"
        cli.parent.mkdir(parents=True)
        cli.write_text(CLI)
        cli.chmod(0o755)
        self.calls = self.root / "calls"

    def run_script(self, *arguments):
        variables = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        return subprocess.run(["bash", self.root / "packaging" / "run.sh", *arguments], cwd=self.folder.name, text=True,
                              env=dict(variables, CALLS=str(self.calls)), capture_output=True)

    def model(self, *parts):
        path = Path(self.folder.name).joinpath(*parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        return str(path)

    def results(self):
        return sorted(path.name for path in (self.root / "build" / "headless").iterdir())

    def test_refuses_before_it_builds(self):
        for arguments, said in ((["a", "b"], "takes one model, not 2"), (["--help"], "'--help' is no option"),
                                (["none.pt2"], "there is no file 'none.pt2'"), ([""], "there is no file ''"),
                                ([self.folder.name], "is a folder")):
            run = self.run_script(*arguments)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn(said, run.stderr)
            self.assertNotIn("built", run.stdout)

    def test_results_have_the_name_of_the_model(self):
        for name in ("mine.pt2", "scripted.pt", "v1.5 large.pt2", ".hidden"):
            run = self.run_script(self.model(name))
            self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.results(), [".hidden", "mine", "scripted", "v1.5 large"])

    def test_models_of_one_name_keep_their_results(self):
        first, second = self.model("first", "mine.pt2"), self.model("second", "mine.pt2")
        for model in (first, second, first):
            self.assertEqual(self.run_script(model).returncode, 0)
        self.assertEqual(self.results(), ["mine", "mine-2"])
        exported = [line.split(" -o ")[1] for line in self.calls.read_text().splitlines() if line.startswith("export")]
        self.assertEqual(exported, ["build/headless/mine/stages", "build/headless/mine-2/stages",
                                    "build/headless/mine/stages"])


if __name__ == "__main__":
    sys.exit(unittest.main())
