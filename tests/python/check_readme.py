"""Do the five minutes of the README lead to a training run?  check_readme.py README.md stagecraft-cli

Everything in that section is run as it stands there, in an empty folder: Python in one process, commands in a shell.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def blocks(text):
    """("python" or "shell", text) of each block of the section, in order."""
    section = re.search(r"^## Five minutes.*?(?=^## )", text, re.M | re.S).group()
    for python, shell in re.findall(r"^```python\n(.*?)^```|((?:^    \S[^\n]*\n)+)", section, re.M | re.S):
        yield ("python", python) if python else ("shell", re.sub("^    ", "", shell, flags=re.M))


def main(readme, cli):
    spoken, names, text_of_all = "", {}, pathlib.Path(readme).read_text()
    cli = pathlib.Path(cli).resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for kind, text in blocks(text_of_all):
            if kind == "python":
                exec(compile(text, readme, "exec"), names)
                continue
            programs = os.pathsep.join([str(cli.parent), str(pathlib.Path(sys.executable).parent)])
            environment = {**os.environ, "PATH": programs + os.pathsep + os.environ["PATH"], "OMP_NUM_THREADS": "1",
                           "PET_STANDALONE": "1"}  # torchrun's --standalone: its usual port others may have taken
            done = subprocess.run(["bash", "-e", "-c", text], env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
            spoken += done.stdout
            if done.returncode:
                sys.exit("%s\nended with %d:\n%s" % (text, done.returncode, done.stdout[-3000:]))
    losses = [float(loss) for loss in re.findall(r"^rank 0: step \d+, loss (\S+),", spoken, re.M)]
    print("losses from %g to %g" % (losses[0], losses[-1]))
    assert len(losses) == 20 and losses[-1] < 0.9 * losses[0], losses
    assert "model" in names, "the last block did not load what was learnt"


if __name__ == "__main__":
    main(*sys.argv[1:])
