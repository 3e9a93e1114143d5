#!/usr/bin/env python3
"""Checks the house rules that a compiler does not: usage  lint.py REPOSITORY

  direction   app -> views -> core; a room includes only rooms before it in ROOMS; no Qt in core; Torch and
              Graphviz in no header of core and nowhere outside core
  text        text of the engine's becomes a QString in views/base/plain_text.cpp alone, and commands print where it is
              made harmless (cli/terminal.h)
  length      functions up to 60 lines, files up to 500, the main window up to 400; comments up to 110 columns
  house       classes up to 500 lines with their functions, wherever those are, and up to 26 fields; no two of one name; no
              function that tests alone call; a header for each .cpp; no circle of includes; tables of READMEs as the folder is
  format      clang-format has nothing to change (skipped, loudly, where it is not installed)

Prints one line a finding and exits with 1 if there is any.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

import cpp_source
import house

# The folders of each part of the house, in the order in which they may include each other.
ROOMS = {
    "core": ["base", "import", "graph", "load", "forms", "run", "trace/kernels", "trace", "script", "profile/device", "profile", "profile/cost",
             "profile/memory", "profile/model", "exchange", "recompute", "schedule", "measure", "plan", "plan/sources", "search/reduce",
             "search/bound", "search/ideals", "search/improve", "search", "advise", "stage", "layout", "report", ""],
    "views": ["base", "tables", "graph", "plan", "charts", "code", "model", "pages"],
    "app": ["jobs", "document", "window", ""],
}
FOLDERS = ["core", "views", "app", "cli", "tests"]
MAX_FUNCTION_LINES, MAX_FILE_LINES, MAX_MAIN_WINDOW_LINES, MAX_COLUMNS = 60, 500, 400, 110
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
TORCH = re.compile(r"^(torch|ATen|c10|caffe2|graphviz)/")
QT = re.compile(r"^Q[A-Z]|^Qsci/|^qcustomplot")


def sources(root):
    return sorted(path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in (".h", ".cpp"))


# ---------------------------------------------------------------- direction
def room_fault(path, included):
    part, here = Path(path).parts[0], "/".join(Path(path).parts[1:-1])
    if part not in ROOMS:
        return None
    if here not in ROOMS[part]:
        return f"{part}/{here} is no room of {part}"
    if Path(included).parts[0] != part:
        return None
    there = "/".join(Path(included).parts[1:-1])
    if there not in ROOMS[part] or ROOMS[part].index(there) > ROOMS[part].index(here):
        return f"{part}/{here} must not include {part}/{there}"
    return None


def quoted_include_fault(path, included):
    here, there = Path(path).parts[0], Path(included).parts[0]
    layers = {"core": 0, "views": 1, "app": 2}
    if here in layers and there in layers and layers[there] > layers[here]:
        return f"{here} must not include {there}"
    if here == "cli" and there in ("views", "app"):
        return "the command line must not include the window"
    return room_fault(path, included)


def system_include_fault(path, included):
    in_core = path.startswith("core/")
    if in_core and QT.match(included):
        return "no Qt in core"
    if TORCH.match(included) and path.startswith(("views/", "app/", "cli/")):
        return "Torch belongs in core only"
    if TORCH.match(included) and in_core and path.endswith(".h"):
        return "no Torch in a header of core"
    return None


def check_direction(path, lines):
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        check = quoted_include_fault if match[1] == '"' else system_include_fault
        fault = check(path, match[2])
        if fault:
            yield f"{path}:{number}: {match[2]}: {fault}"


# ---------------------------------------------------------------- text
RAW_TEXT = re.compile(r"QString::from(StdString|Utf8)\b")
RAW_OUTPUT = re.compile(r"\b(printf|puts|putchar|fwrite)\s*\(|\bfprintf\s*\(\s*stdout|\bfputs\s*\([^;]*stdout")


def check_text(path, lines):
    for number, line in enumerate(lines, 1):
        if path.startswith("views/") and path != "views/base/plain_text.cpp" and RAW_TEXT.search(line):
            yield f"{path}:{number}: use shownText() or dataText() of views/base/plain_text.h"
        if path.startswith("cli/") and path != "cli/terminal.cpp" and RAW_OUTPUT.search(line):
            yield f"{path}:{number}: print to std::cout or with printFormatted() of cli/terminal.h"


# ---------------------------------------------------------------- length
def functions(source):
    """(first line, last line) of every outermost function body."""
    return [(function.body, function.last) for function in source.functions]


def check_length(path, lines, source):
    """`source`: as read by cpp_source."""
    limit = MAX_MAIN_WINDOW_LINES if path == "app/window/main_window.cpp" else MAX_FILE_LINES
    if len(lines) > limit:
        yield f"{path}: {len(lines)} lines, at most {limit}"
    for number, line in enumerate(lines, 1):  # clang-format leaves comments alone
        if len(line) > MAX_COLUMNS and "//" in line:
            yield f"{path}:{number}: {len(line)} columns, at most {MAX_COLUMNS}"
    for first, last in functions(source):
        if last - first + 1 > MAX_FUNCTION_LINES:
            yield f"{path}:{first}: a function of {last - first + 1} lines, at most {MAX_FUNCTION_LINES}"


# ---------------------------------------------------------------- format
def check_format(root, paths):
    if not shutil.which("clang-format"):
        print("lint: clang-format is not installed: formatting NOT checked")
        return
    for start in range(0, len(paths), 40):
        done = subprocess.run(["clang-format", "--dry-run", "-Werror", *paths[start:start + 40]], cwd=root,
                              capture_output=True, text=True)
        files = re.findall(r"^([^:\s]+):(\d+):\d+: (?:error|warning)", done.stderr, re.M)
        yield from (f"{name}:{line}: not formatted; run clang-format -i" for name, line in dict(files).items())


# ---------------------------------------------------------------- house
def included(text):
    return {match[2] for match in map(INCLUDE.match, text.splitlines()) if match and match[1] == '"'}


def check_house(root, texts, product):
    yield from house.check_classes(product)
    yield from house.check_equal_names(product)
    yield from house.check_unused_names(product, lambda path: texts[path].splitlines())
    yield from house.check_headers([source.path for source in product])
    yield from house.check_circles({source.path: included(texts[source.path]) for source in product})
    yield from house.check_readmes(root, list(texts))


def main(root):
    findings, product = [], []
    texts = {file.relative_to(root).as_posix(): file.read_text(encoding="utf-8") for file in sources(root)}
    for path, text in texts.items():
        lines = text.splitlines()
        is_product = not path.startswith("tests/")
        source = cpp_source.Source(path, text if is_product else "")
        product += [source] if is_product else []
        findings += check_direction(path, lines)
        findings += check_text(path, lines)
        findings += check_length(path, lines, source)
    findings += check_house(root, texts, product)
    findings += check_format(root, list(texts))
    print("\n".join(findings))
    print(f"lint: {len(texts)} files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
