"""Are blocks that stand in a model several times written once, where they may be, and still right?

    check_repeated_blocks.py EXPORTER FOLDER [NAME...]      FOLDER: where repeated_models.py wrote its models

Counts methods and calls in the code of each model in one stage. That the stages compute what the model computes is
check_stages.py's to see.
"""
import ast
import pathlib
import subprocess
import sys
import tempfile

from repeated_models import CALLS


def calls_in(text):
    """name of each method: how often it is called in one forward()."""
    stage = ast.parse(text).body[-1]
    methods = {node.name: node for node in stage.body if isinstance(node, ast.FunctionDef)}

    def count(node, counts, times):
        if isinstance(node, ast.For):
            times *= len(range(*(argument.value for argument in node.iter.args)))
        if isinstance(node, ast.Attribute) and node.attr in methods and isinstance(node.value, ast.Name) \
                and node.value.id == "self":
            counts[node.attr] = counts.get(node.attr, 0) + times
            count(methods[node.attr], counts, times)
        for child in ast.iter_child_nodes(node):
            count(child, counts, times)
        return counts
    return count(methods["forward"], {}, 1), set(methods) - {"__init__", "forward"}


def main(exporter, folder, *names):
    ok = True
    for name, expected in CALLS.items():
        if names and name not in names:
            continue
        with tempfile.TemporaryDirectory() as parent:
            out = pathlib.Path(parent) / "stages"
            subprocess.run([exporter, str(pathlib.Path(folder) / (name + ".pt2")), str(out), "1"], check=True)
            calls, methods = calls_in((out / "stage_0.py").read_text())
        agrees = calls == expected and methods == set(expected)
        print("%s: %s%s" % (name, calls, "" if agrees else ", not %s; methods %s" % (expected, sorted(methods))))
        ok = ok and agrees
    return ok


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
